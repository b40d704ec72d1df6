//! Where the cursor stands: the words before it, and the column of a table's row.

use super::place::Lines;

/// What a column holds, by its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column<'t> {
    /// The name of a row or of an example.
    Name,
    /// A test of a fact.
    Fact(&'t str),
    /// Tests that few rows make.
    Also,
    /// What is done; in examples a verb.
    Action {
        /// Whether it is what an example expects.
        examples: bool,
    },
    /// The value that a derive or classify gives a fact.
    Output(&'t str),
    /// The row that an example of a table expects.
    ExpectedRow(&'t str),
    /// The header itself.
    Header,
}

/// The cursor.
#[derive(Debug)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    lines: &'t Lines,
    line: usize,
    /// The line up to the word that is being written.
    before: &'t str,
}

impl<'t> Cursor<'t> {
    /// The cursor at a byte of a text.
    pub(super) fn at(text: &'t str, lines: &'t Lines, offset: usize) -> Self {
        let line = lines.line(offset);
        let written = &text[lines.start(text, line)..offset];
        let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let before = written.trim_end_matches(part);
        Cursor { text, lines, line, before }
    }

    /// Whether nothing can be offered: in a comment, or inside quotes.
    pub(super) fn is_quiet(&self) -> bool {
        let mut quoted = false;
        let mut escaped = false;
        for c in self.before.chars() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => quoted = !quoted,
                '#' if !quoted => return true,
                _ => {}
            }
        }
        quoted
    }

    /// Whether the cursor stands outside the fences of a Markdown file, whose whole text this is: what is no policy is blank
    /// to us. On a blank line the line before decides, which may open a fence.
    pub(super) fn is_prose(&self, markdown: &str) -> bool {
        let line = |line: usize| self.lines.text(markdown, line).unwrap_or_default().trim();
        let above = (0..=self.line).rev().find(|i| !line(*i).is_empty());
        above.is_some_and(|i| {
            let opens = i < self.line && line(i).starts_with(['`', '~']) && line(i).ends_with("nisi");
            self.line_at(i).trim() != line(i) && !opens
        })
    }

    /// The text of the part that the cursor stands in: the cell of a row, or the line.
    pub(super) fn before(&self) -> &'t str {
        let start = bars(self.before).last().map_or(0, |bar| bar + 1);
        self.before[start..].trim()
    }

    /// The words of that part.
    pub(super) fn words(&self) -> Vec<&'t str> {
        self.before().split_whitespace().collect()
    }

    /// The last of them, without a comma; nothing where a new action begins.
    pub(super) fn last(&self) -> Option<&'t str> {
        self.before().split_whitespace().next_back()
    }

    /// Whether one of them is this, commas and semicolons taken off.
    pub(super) fn has_word(&self, word: &str) -> bool {
        self.before().split([' ', ',', ';']).any(|w| w == word)
    }

    /// The fact of the test that is being written, and whether `is` stands behind it.
    pub(super) fn test(&self) -> (Option<&'t str>, bool) {
        let words = self.words();
        let begin = |w: &&str| matches!(*w, "and" | "when" | "unless" | "given");
        let start = words.iter().rposition(begin).map_or(0, |i| i + 1);
        let is = |words: &[&'t str]| words.iter().rposition(|w| *w == "is").filter(|i| *i > 0).map(|i| words[i - 1]);
        match words[start..] {
            [] => (None, false),
            // The `and` of a cell: `n is >= 3 and <= 5`.
            [first, ..] if !first.starts_with(|c: char| c.is_alphabetic()) => (is(&words), true),
            [first, ..] => is(&words[start..]).map_or((Some(first), false), |fact| (Some(fact), true)),
        }
    }

    /// The keyword of the `{ }` block that the cursor stands in.
    pub(super) fn block(&self) -> Option<&'t str> {
        for line in (0..=self.line).rev() {
            let written = self.lines.text(self.text, line)?;
            let code = written.split('#').next().unwrap_or_default();
            if code.contains('}') && line < self.line {
                return None;
            }
            if code.contains('{') {
                return code.split_whitespace().next();
            }
            if line < self.line && !code.is_empty() && !code.starts_with(' ') {
                return None;
            }
        }
        None
    }

    /// The column of the row that the cursor stands in; nothing outside of tables.
    pub(super) fn column(&self) -> Option<Column<'t>> {
        let is_row = |line: usize| self.line_at(line).trim_start().starts_with('|');
        if !is_row(self.line) || !self.before.contains('|') {
            return None;
        }
        let first = (0..=self.line).rev().take_while(|line| is_row(*line)).last()?;
        if first == self.line {
            return Some(Column::Header);
        }
        let header: Vec<&str> = cells(self.line_at(first));
        let i = bars(self.before).count().checked_sub(1)?;
        let output = header.iter().position(|cell| cell.starts_with("=>"))?;
        let cell = header.get(i)?.trim_start_matches("=>").trim();
        let (keyword, name) = self.head(first);
        Some(match (cell, keyword) {
            ("row", "examples") if i >= output => Column::ExpectedRow(name),
            ("action", _) if i >= output => Column::Action { examples: keyword == "examples" },
            (fact, _) if i >= output => Column::Output(fact),
            ("row" | "name", _) => Column::Name,
            ("also", _) => Column::Also,
            (fact, _) => Column::Fact(fact),
        })
    }

    /// Keyword and name of the item above a line.
    fn head(&self, first: usize) -> (&'t str, &'t str) {
        let heads = (0..first).rev().map(|line| self.line_at(line));
        let mut heads =
            heads.filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()) && !line.starts_with("given"));
        let mut words = heads.next().unwrap_or_default().split([' ', ',', ':']);
        (words.next().unwrap_or_default(), words.next().unwrap_or_default())
    }

    fn line_at(&self, line: usize) -> &'t str {
        self.lines.text(self.text, line).unwrap_or_default()
    }
}

/// The bars of a row, those that are escaped left out.
fn bars(text: &str) -> impl Iterator<Item = usize> + '_ {
    let bytes = text.as_bytes();
    (0..bytes.len()).filter(move |i| bytes[*i] == b'|' && (*i == 0 || bytes[*i - 1] != b'\\'))
}

fn cells(line: &str) -> Vec<&str> {
    let ends: Vec<usize> = bars(line).collect();
    ends.windows(2).map(|pair| line[pair[0] + 1..pair[1]].trim()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "table t, first row wins\n| row | a | also | => action |\n|---|---|---|---|\n| x | | a is b and | retry after \n\nexamples t\n| name | a | => action | row |\n| | | | \n";

    fn column(line: usize, column: usize) -> Option<Column<'static>> {
        // The lines live as long as the test.
        let lines = Box::leak(Box::new(Lines::of(TEXT)));
        let offset = lines.start(TEXT, line) + column;
        Cursor::at(TEXT, lines, offset).column()
    }

    #[test]
    fn the_column_is_found_by_its_header() {
        assert_eq!(column(0, 3), None);
        assert_eq!(column(1, 5), Some(Column::Header));
        assert_eq!(column(3, 2), Some(Column::Name));
        assert_eq!(column(3, 6), Some(Column::Fact("a")));
        assert_eq!(column(3, 12), Some(Column::Also));
        assert_eq!(column(3, 30), Some(Column::Action { examples: false }));
        assert_eq!(column(7, 5), Some(Column::Action { examples: true }));
        assert_eq!(column(7, 8), Some(Column::ExpectedRow("t")));
        assert_eq!(column(3, 0), None);
    }

    #[test]
    fn a_test_is_read_up_to_the_cursor() {
        for (line, expected) in [
            ("| ", (None, false)),
            ("| effect ", (Some("effect"), false)),
            ("| effect is ", (Some("effect"), true)),
            ("| effect is read, ", (Some("effect"), true)),
            ("| effect is read and ", (None, false)),
            ("| effect is read and tier ", (Some("tier"), false)),
            ("| effect is read and tier is ", (Some("tier"), true)),
            ("rule x: never retry when effect ", (Some("effect"), false)),
            ("given effect is ", (Some("effect"), true)),
            ("| n is >= 3 and < ", (Some("n"), true)),
        ] {
            let lines = Lines::of(line);
            let cursor = Cursor::at(line, &lines, line.len());
            assert_eq!(cursor.test(), expected, "{line}");
        }
    }
}
