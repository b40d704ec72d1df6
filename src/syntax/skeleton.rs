//! The skeleton of a file: lines to items, each with its head, block, rows and reasons, still as pieces of text.
//!
//! An item begins at the start of a line with its keyword and owns what follows until the next one. Every text has a
//! skeleton; a line that fits nowhere has one finding, and what hangs on it goes with it.

use std::borrow::Cow;

use memchr::memchr_iter;

use super::findings::{self, Sink};
use super::grammar::{self, Rule};
use super::keys::ITEMS;
use super::place::At;
use crate::diag::nearest;
use crate::text::Span;

/// A piece of the parsed text: bytes `start..end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Piece {
    /// The text of the piece.
    pub(super) fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or("")
    }
}

/// An item before its pieces are read.
#[derive(Debug, Default)]
pub(super) struct RawItem {
    /// The keyword, spelt right; blank for a line that begins no item.
    pub(super) keyword: &'static str,
    /// Whether the keyword was guessed: its finding stands already.
    pub(super) guessed: bool,
    /// Place of the first word.
    pub(super) start: usize,
    /// One past the first word.
    pub(super) word_end: usize,
    /// One past the last line that belongs to it.
    pub(super) end: usize,
    /// Text of the `##` comments right above.
    pub(super) doc: String,
    /// The head's lines, without comments; the first begins behind the keyword. For a block, its entries too.
    pub(super) head: Vec<Piece>,
    /// Lines of `given`, behind the word.
    pub(super) given: Vec<Piece>,
    /// Table rows.
    pub(super) rows: Vec<Piece>,
    /// Reasons, each with its further lines.
    pub(super) reasons: Vec<Vec<Piece>>,
    /// Whether a line in the table could not be told to be a row.
    pub(super) damaged: bool,
}

impl RawItem {
    /// Whether the item has a table.
    pub(super) fn has_table(&self) -> bool {
        matches!(self.keyword, "derive" | "classify" | "table" | "tighten" | "examples")
    }

    /// Whether the item has a block.
    pub(super) fn has_block(&self) -> bool {
        matches!(self.keyword, "budget" | "backoff" | "locator" | "parity")
    }
}

/// What the skeleton of a file gives.
pub(super) struct Skeleton {
    pub(super) items: Vec<RawItem>,
    /// Comments of all lines but rows.
    pub(super) comments: Vec<Piece>,
}

/// Splits a text into items.
pub(super) fn split(text: &str, at: At<'_>, sink: &mut Sink) -> Skeleton {
    let mut walk = Walk {
        text,
        at,
        sink,
        items: Vec::new(),
        comments: Vec::new(),
        doc: Vec::new(),
        state: State::Head,
        prose: false,
    };
    if let Some(lines) = lines(text) {
        for (i, (rule, line)) in lines.iter().enumerate() {
            if walk.sink.stopped {
                break;
            }
            walk.line(*rule, *line, lines.get(i + 1..).unwrap_or_default());
        }
        walk.close_block();
    }
    Skeleton { items: walk.items, comments: walk.comments }
}

/// The lines of a text, by their rules.
///
/// A line that begins with a bar is a row, whatever stands on: so says the first of the grammar's rules for lines. Most
/// lines of a large file are rows; only what stands between them is given to the grammar.
fn lines(text: &str) -> Option<Vec<(Rule, Piece)>> {
    let mut found = Vec::new();
    let (mut start, mut others) = (0, None);
    for end in memchr_iter(b'\n', text.as_bytes()).chain([text.len()]) {
        if text.as_bytes().get(start) == Some(&b'|') {
            if let Some(from) = others.take() {
                read_lines(text, Piece { start: from, end: start - 1 }, &mut found)?;
            }
            found.push((Rule::row, Piece { start, end }));
        } else {
            others.get_or_insert(start);
        }
        start = end + 1;
    }
    if let Some(from) = others {
        read_lines(text, Piece { start: from, end: text.len() }, &mut found)?;
    }
    Some(found)
}

/// Lines as the grammar reads them.
fn read_lines(text: &str, piece: Piece, into: &mut Vec<(Rule, Piece)>) -> Option<()> {
    let document = grammar::run(Rule::document, piece.of(text)).ok()?;
    let lines = document.into_inner().filter(|line| line.as_rule() != Rule::EOI).map(|line| {
        let span = line.as_span();
        (line.as_rule(), Piece { start: piece.start + span.start(), end: piece.start + span.end() })
    });
    into.extend(lines);
    Some(())
}

/// What an indented line would go on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Head,
    /// Inside `{ }`.
    Block,
    /// Behind a block that stands on one line.
    Behind,
    Given,
    Rows,
    Reason,
    /// A line that fitted nowhere: what hangs on it is passed over.
    Lost,
}

struct Walk<'a, 's> {
    text: &'a str,
    at: At<'a>,
    sink: &'s mut Sink,
    items: Vec<RawItem>,
    comments: Vec<Piece>,
    doc: Vec<Piece>,
    state: State,
    /// Whether the line above fitted nowhere: one finding for a paragraph.
    prose: bool,
}

impl Walk<'_, '_> {
    fn line(&mut self, rule: Rule, line: Piece, further: &[(Rule, Piece)]) {
        let line = self.trimmed(line);
        match rule {
            Rule::note => {
                self.comments.push(line);
                if line.of(self.text).starts_with("##") {
                    self.doc.push(line);
                } else {
                    self.doc.clear();
                }
                return;
            }
            Rule::blank => self.prose = false,
            Rule::row if self.state != State::Block => self.row(line),
            Rule::reason if self.state != State::Block => self.reason(line),
            _ => self.code(rule, line, further),
        }
        self.doc.clear();
    }

    /// The line without white space around it.
    fn trimmed(&self, line: Piece) -> Piece {
        let text = line.of(self.text);
        let shown = text.trim();
        let start = line.start + (text.len() - text.trim_start().len());
        Piece { start, end: start + shown.len() }
    }

    /// Every other kind of line, without its comment.
    fn code(&mut self, rule: Rule, line: Piece, further: &[(Rule, Piece)]) {
        let line = match (rule, self.state) {
            // The first row of a block that nobody closed.
            (Rule::row, State::Block) => {
                self.close_block();
                self.state = State::Lost;
                return;
            }
            _ => self.without_comment(line),
        };
        let word = first_word(line.of(self.text));
        match (rule, self.state) {
            (Rule::item, State::Block) if word != "owner" || !closes_soon(self.text, further) => {
                self.close_block();
                self.begin(word, line);
            }
            (_, State::Block) => self.block_line(line),
            (Rule::item, _) => self.begin(word, line),
            (Rule::given_line, _) => self.given(line),
            // That it closes too late, or twice, the block says.
            (Rule::closing, State::Head) if self.items.last().is_some_and(RawItem::has_block) => self.extend(line),
            (Rule::closing, _) => {
                if self.state != State::Lost {
                    let span = self.span(Piece { start: line.start, end: line.start + 1 });
                    let help = "remove it, or write its `{` on the first line of the item";
                    self.sink.push(findings::brace(span, "this `}` closes nothing", help));
                    self.behind_brace(line);
                }
            }
            (Rule::more, _) => self.more(line),
            _ => self.stray(word, line),
        }
    }

    /// A row or an item behind a brace that closes nothing.
    fn behind_brace(&mut self, line: Piece) {
        let text = line.of(self.text).trim_start_matches('}').trim_start();
        let rest = Piece { start: line.end - text.len(), end: line.end };
        if text.starts_with('|') {
            self.row(rest);
        } else if ITEMS.contains(&first_word(text)) {
            self.begin(first_word(text), rest);
        }
    }

    fn span(&self, piece: Piece) -> Span {
        self.at.span(piece.start, piece.end)
    }

    /// Takes a trailing comment off.
    fn without_comment(&mut self, line: Piece) -> Piece {
        let Some(start) = comment(line.of(self.text)) else { return line };
        self.comments.push(Piece { start: line.start + start, end: line.end });
        let kept = line.of(self.text).get(..start).unwrap_or("").trim_end();
        Piece { start: line.start, end: line.start + kept.len() }
    }

    /// Begins an item at a keyword.
    fn begin(&mut self, word: &str, line: Piece) {
        let keyword = ITEMS.iter().find(|k| **k == word).copied().unwrap_or_default();
        self.push(keyword, word.len(), line, false);
    }

    fn push(&mut self, keyword: &'static str, len: usize, line: Piece, guessed: bool) {
        self.prose = false;
        let word_end = line.start + len;
        let doc = self.doc.drain(..).map(|p| {
            let text = p.of(self.text).trim_start_matches('#');
            text.strip_prefix(' ').unwrap_or(text)
        });
        let doc = doc.collect::<Vec<_>>().join("\n");
        let head = vec![Piece { start: word_end, end: line.end.max(word_end) }];
        let item =
            RawItem { keyword, guessed, start: line.start, word_end, end: line.end, doc, head, ..RawItem::default() };
        self.state = if keyword.is_empty() { State::Lost } else { State::Head };
        self.items.push(item);
        self.watch_block(line.of(self.text));
    }

    /// Goes into a block, or out of it.
    fn watch_block(&mut self, line: &str) {
        if self.items.last().is_some_and(RawItem::has_block) {
            let opens = self.state;
            for brace in braces(line) {
                match brace {
                    b'{' => self.state = State::Block,
                    _ if self.state == State::Block => self.state = State::Head,
                    _ => {}
                }
            }
            // A block over several lines may be closed too early; one on a single line is whole.
            if opens == State::Head && self.state == State::Head && line.ends_with('}') {
                self.state = State::Behind;
            }
        }
    }

    fn block_line(&mut self, line: Piece) {
        self.extend(line);
        self.watch_block(line.of(self.text));
    }

    /// Adds a line to the head of the item.
    fn extend(&mut self, line: Piece) {
        if let Some(item) = self.items.last_mut() {
            item.head.push(line);
            item.end = line.end;
        }
    }

    /// Leaves a block that nothing closes.
    fn close_block(&mut self) {
        if self.state == State::Block {
            self.state = State::Head;
        }
    }

    fn row(&mut self, line: Piece) {
        let text = line.of(self.text);
        if !text[1..].contains('|')
            && let Some(len) = before_keyword(text)
        {
            return self.marked_item(line, len);
        }
        let (lost, span) = (self.state == State::Lost, self.span(line));
        match self.items.last_mut() {
            Some(item) if item.has_table() && !lost => {
                item.end = line.end;
                item.rows.push(line);
                self.state = State::Rows;
            }
            _ if lost => {}
            _ => {
                let help = "above its header a table has a line such as `table NAME, first row wins`";
                self.sink.push(findings::outside(span, "this row belongs to no table", help));
                self.state = State::Lost;
            }
        }
    }

    fn reason(&mut self, line: Piece) {
        let line = self.without_reason_comment(line);
        let (lost, span) = (self.state == State::Lost, self.span(line));
        match self.items.last_mut() {
            Some(item) if item.has_table() && !lost && !item.rows.is_empty() => {
                item.end = line.end;
                item.reasons.push(vec![line]);
                self.state = State::Reason;
            }
            _ if lost => {}
            _ => {
                let help = "reasons stand below the rows of their table: `- row: text`";
                self.sink.push(findings::outside(span, "this reason belongs to no table", help));
                self.state = State::Lost;
            }
        }
    }

    /// Takes a comment off a reason, whose row may be `#3`.
    fn without_reason_comment(&mut self, line: Piece) -> Piece {
        let skip = line.of(self.text).find(':').unwrap_or(0);
        let rest = self.without_comment(Piece { start: line.start + skip, end: line.end });
        Piece { start: line.start, end: rest.end }
    }

    fn given(&mut self, line: Piece) {
        let word = Piece { start: line.start, end: line.start + "given".len() };
        let (lost, span) = (self.state == State::Lost, self.span(word));
        let item = self.items.last_mut().filter(|_| !lost);
        match item {
            Some(item) if item.keyword == "examples" && item.rows.is_empty() => {
                item.given.push(Piece { start: word.end, end: line.end });
                item.end = line.end;
                self.state = State::Given;
            }
            _ if lost => {}
            Some(item) if item.keyword == "examples" => {
                let help = "move it up, between `examples` and the header";
                self.sink.push(findings::outside(span, "`given` stands above the rows", help));
            }
            _ => {
                let help = "`given` stands below `examples TABLE` and says what holds for all its rows";
                self.sink.push(findings::outside(span, "this `given` belongs to no examples", help));
                self.state = State::Lost;
            }
        }
    }

    /// An indented line.
    fn more(&mut self, line: Piece) {
        let no_item = self.items.is_empty();
        match self.state {
            State::Lost => {}
            State::Head if no_item => self.indented(line),
            State::Head if first_word(line.of(self.text)) == "given" && self.in_examples() => self.given(line),
            State::Head => {
                self.extend(line);
                self.watch_block(line.of(self.text));
            }
            State::Given => {
                if let Some(item) = self.items.last_mut() {
                    item.given.push(line);
                    item.end = line.end;
                }
            }
            State::Reason => {
                if let Some(item) = self.items.last_mut()
                    && let Some(reason) = item.reasons.last_mut()
                {
                    reason.push(line);
                    item.end = line.end;
                }
            }
            State::Rows | State::Block | State::Behind => self.stray(first_word(line.of(self.text)), line),
        }
    }

    fn in_examples(&self) -> bool {
        self.items.last().is_some_and(|i| i.keyword == "examples")
    }

    /// An indented line above every item.
    fn indented(&mut self, line: Piece) {
        let word = first_word(line.of(self.text));
        let Some(keyword) = ITEMS.iter().find(|k| **k == word) else { return self.stray(word, line) };
        let gap = self.text.get(..line.start).map_or(0, |t| t.rfind('\n').map_or(0, |i| i + 1));
        let span = self.span(Piece { start: line.start, end: line.start + word.len() });
        let gap = self.span(Piece { start: gap, end: line.start });
        self.sink.push(findings::indented_item(span, gap, word));
        self.push(keyword, word.len(), line, false);
    }

    /// What stands between the head of a table and its rows: a header that does not begin with its bar, or the rest of
    /// the head. A sentence, or a word that was meant as another, is neither.
    fn above_rows(&mut self, line: Piece) -> bool {
        let (text, state) = (line.of(self.text), self.state);
        let span = self.span(line);
        let Some(item) = self.items.last_mut() else { return false };
        if !item.has_table() || !item.rows.is_empty() || !matches!(state, State::Head | State::Given) {
            return false;
        }
        if text.matches('|').count() > 1 {
            item.damaged = true;
            let finding =
                findings::row(span, "this header does not begin with a bar", "write `|` before its first cell");
            self.sink.push(finding);
            self.state = State::Lost;
            return true;
        }
        let goes_on = state == State::Head && text.contains(" wins") || text.contains("at most one row");
        if goes_on {
            self.extend(line);
        }
        goes_on
    }

    /// An item with something before its word.
    fn marked_item(&mut self, line: Piece, len: usize) {
        let start = line.start + len;
        let keyword = first_word(self.text.get(start..line.end).unwrap_or(""));
        let mark = Piece { start: line.start, end: start };
        self.sink.push(findings::before_item(self.span(mark), mark.of(self.text).trim(), keyword));
        self.begin(keyword, Piece { start, end: line.end });
    }

    /// A line that begins no item.
    fn stray(&mut self, word: &str, line: Piece) {
        let text = line.of(self.text);
        let item = self.items.last_mut();
        let headless = item.as_ref().is_some_and(|i| i.has_block() && self.state == State::Head);
        if headless && text.starts_with('{') {
            return self.block_line(line);
        }
        if let Some(item) = item.filter(|i| i.has_table() && !i.rows.is_empty() && self.state != State::Lost) {
            if text.contains('|') {
                // A row without its first bar, or the rest of the row above.
                item.end = line.end;
                item.rows.push(line);
                self.state = State::Rows;
                return;
            }
            item.damaged = true;
        }
        if self.above_rows(line) {
            return;
        }
        let shown = if word.is_empty() { text.chars().next().map_or(0, char::len_utf8) } else { word.len() };
        let place = Piece { start: line.start, end: line.start + shown };
        // What follows a misspelt keyword is text of the item; a sentence is not.
        if let Some(len) = before_keyword(text) {
            return self.marked_item(line, len);
        }
        let meant = nearest(word, ITEMS.iter().copied());
        let shown = place.of(self.text).to_string();
        let in_prose = std::mem::replace(&mut self.prose, meant.is_none());
        if !in_prose || meant.is_some() {
            self.sink.push(findings::no_item(self.span(place), &shown, meant));
        }
        let keyword = meant.and_then(|m| ITEMS.iter().find(|k| **k == m)).copied().unwrap_or_default();
        if keyword.is_empty() {
            self.state = State::Lost;
        } else {
            self.push(keyword, word.len(), line, true);
        }
    }
}

/// The word that begins a line.
fn first_word(line: &str) -> &str {
    let end = line.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(line.len());
    line.get(..end).unwrap_or("")
}

/// How long what stands before a keyword is, where it is a number or signs.
fn before_keyword(line: &str) -> Option<usize> {
    let start = line.find(|c: char| c.is_alphabetic()).filter(|start| *start > 0)?;
    let word = first_word(line.get(start..)?);
    let marks = line.get(..start)?.trim();
    (marks.len() <= 8 && !marks.starts_with('-') && ITEMS.contains(&word)).then_some(start)
}

/// Whether a block is closed before another item begins.
fn closes_soon(text: &str, further: &[(Rule, Piece)]) -> bool {
    further
        .iter()
        .take(64)
        .take_while(|(rule, line)| *rule != Rule::row && (*rule != Rule::item || line.of(text).starts_with("owner")))
        .any(|(_, line)| braces(line.of(text)).any(|b| b == b'}'))
}

/// The braces of a line outside texts and comments.
fn braces(line: &str) -> impl Iterator<Item = u8> {
    let code = comment(line).and_then(|end| line.get(..end)).unwrap_or(line);
    outside_texts(code).map(|(_, b)| b).filter(|b| matches!(b, b'{' | b'}'))
}

/// The bytes of a line that stand in no text. A quote that nothing closes begins none.
pub(super) fn outside_texts(line: &str) -> impl Iterator<Item = (usize, u8)> {
    let bytes = line.as_bytes();
    let mut text_end = 0;
    bytes.iter().copied().enumerate().filter(move |(i, b)| {
        if *i >= text_end && *b == b'"' {
            text_end = closing_quote(bytes, *i).map_or(0, |end| end + 1);
        }
        *i >= text_end
    })
}

/// Several lines as one, blanks between them; places count from the start of the first.
pub(super) fn joined<'a>(text: &'a str, lines: &[Piece]) -> Cow<'a, str> {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return Cow::Borrowed("") };
    if lines.len() == 1 {
        return Cow::Borrowed(first.of(text));
    }
    let mut out = String::with_capacity(last.end.saturating_sub(first.start));
    for line in lines {
        let gap = (line.start - first.start).saturating_sub(out.len());
        out.extend(std::iter::repeat_n(' ', gap));
        out.push_str(line.of(text));
    }
    Cow::Owned(out)
}

/// Where the comment of a line begins: at a `#` at the start or behind white space, outside quotes.
pub(super) fn comment(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        match bytes[i] {
            b'#' if i == 0 || bytes[i - 1] == b' ' => return Some(i),
            b'"' => i = closing_quote(bytes, i).unwrap_or(i),
            _ => {}
        }
        i += 1;
    }
    None
}

/// The quote that closes the one at `open`.
fn closing_quote(bytes: &[u8], open: usize) -> Option<usize> {
    let mut i = open + 1;
    while i < bytes.len() {
        match bytes[i] {
            b'\\' => i += 2,
            b'"' => return Some(i),
            _ => i += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn rows_are_the_rows_of_the_grammar(parts in proptest::collection::vec(0..14_usize, 0..20)) {
            const PARTS: [&str; 14] =
                ["\n", "\n", "\n|", "|", "\n |", "\n}", "\n- ", "\n#", "\r\n", "\ngiven", "\ntable ", " ", "a", "é"];
            let text: String = parts.iter().map(|i| PARTS[*i]).collect();
            let mut whole = Vec::new();
            read_lines(&text, Piece { start: 0, end: text.len() }, &mut whole).expect("any text can be read");
            assert_eq!(lines(&text), Some(whole), "{text:?}");
        }
    }
}
