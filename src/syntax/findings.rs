//! The findings of this room: one function a code. Each builds its [`Diagnostic`] and nothing else.

use crate::diag::{self, Diagnostic, Edit, Fix, nearest};
use crate::text::Span;

use super::limits::Limits;

/// A finding on the way to its place.
pub(super) type Mistake = Box<Diagnostic>;

/// Where the findings of a file gather.
#[derive(Debug, Default)]
pub(super) struct Sink {
    /// The findings.
    pub(super) list: Vec<Diagnostic>,
    /// Whether a limit was passed: the file is not read further.
    pub(super) stopped: bool,
}

impl Sink {
    /// Keeps a finding; the last one that is kept says that the rest is not read.
    pub(super) fn push(&mut self, finding: impl Into<Diagnostic>) {
        let finding = finding.into();
        if self.list.len() + 1 < Limits::FINDINGS || !self.stopped && finding.code == diag::N0102 {
            self.stopped |= finding.code == diag::N0102;
            self.list.push(finding);
        } else if !self.stopped {
            self.stopped = true;
            let message = format!(
                "this file has {} findings or more, and so many are told: the rest is not read",
                Limits::FINDINGS
            );
            let more = Diagnostic::new(diag::N0102, message).at(finding.span(), "reading stops here");
            self.list.push(more.help("mend the first ones; one of them may be the cause of many"));
        }
    }
}

impl From<Mistake> for Diagnostic {
    fn from(mistake: Mistake) -> Self {
        *mistake
    }
}

/// N0101: a line that begins no item.
pub(super) fn no_item(span: Span, word: &str, meant: Option<&str>) -> Diagnostic {
    let finding = Diagnostic::new(diag::N0101, format!("`{word}` begins no item")).at(span, "");
    match (meant, elsewhere(word)) {
        (Some(meant), _) => {
            let help = format!("did you mean `{meant}`?");
            finding.help(help).fix(format!("write `{meant}`"), true, span, meant)
        }
        (None, Some(help)) => finding.help(help),
        (None, None) => finding.help(
            "an item begins with `policy`, `fact`, `table`, `rule` and the like; a comment begins with `#`; \
             what belongs to the item above is indented",
        ),
    }
}

/// What other languages call what has another word here.
fn elsewhere(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "import" | "include" | "require" | "from" => "another file is brought in by `use NAME`",
        "enum" | "type" | "field" | "input" | "column" | "let" | "var" | "const" | "variable" | "def" => {
            "what a policy knows is declared by `fact NAME : TYPE`"
        }
        "decision" | "decide" | "switch" | "match" | "if" | "when" => {
            "decisions stand in a table: `table NAME, first row wins` and its rows"
        }
        "test" | "tests" | "case" | "cases" | "expect" => "tests stand in a table: `examples TABLE` and its rows",
        "never" | "only" | "always" | "assert" | "invariant" => {
            "a rule is written `rule NAME: never ACTION when TESTS`"
        }
        "default" | "else" | "otherwise" => "what is left is taken by a last row of the table: `| otherwise | … |`",
        "name" => "a policy is named by `policy NAME`",
        "<" | "=" | ">" => "if a merge left its marks here, keep one of its two sides and remove the marks",
        "retry" | "stop" | "review" | "reconcile" | "wait" | "failover" | "hedge" | "see" | "done" => {
            "an action stands in the last cell of a row, or has a name: `action NAME : ACTION`"
        }
        _ => return None,
    })
}

/// N0101: an item that does not begin at the start of its line.
pub(super) fn indented_item(span: Span, gap: Span, word: &str) -> Diagnostic {
    Diagnostic::new(diag::N0101, format!("`{word}` is indented, so it belongs to nothing"))
        .at(span, "")
        .help("an item begins at the start of its line")
        .fix("remove the indentation", true, gap, "")
}

/// N0101: something before the word that begins an item.
pub(super) fn before_item(span: Span, mark: &str, word: &str) -> Diagnostic {
    Diagnostic::new(diag::N0101, format!("`{mark}` stands before `{word}`"))
        .at(span, "")
        .help("an item begins with its word, at the start of its line")
        .fix("remove it", false, span, "")
}

/// N0102: over a limit.
pub(super) fn over_limit(span: Span, what: &str, given: usize, allowed: usize, unit: &str) -> Diagnostic {
    Diagnostic::new(diag::N0102, format!("{what} has {given} {unit}, and {allowed} are allowed"))
        .at(span, "reading stops here")
        .help("split it")
}

/// N0103: a byte order mark.
pub(super) fn byte_order_mark(span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0103, "the file begins with a byte order mark (U+FEFF)")
        .at(span, "")
        .help("save the file as UTF-8 without a mark")
        .fix("remove the mark", true, span, "")
}

/// N0104: tabs of one line.
pub(super) fn tab(tabs: &[Span]) -> Diagnostic {
    let edits = tabs.iter().map(|t| Edit { span: *t, replacement: " ".to_string() }).collect();
    let mut finding =
        Diagnostic::new(diag::N0104, "a tab stands here").at(tabs.first().copied().unwrap_or_default(), "");
    finding.fixes.push(Fix { title: "write spaces".to_string(), safe: true, edits });
    finding.help("write spaces: a tab is as wide as each editor likes")
}

/// N0105: carriage returns without a line feed.
pub(super) fn lone_return(returns: &[Span]) -> Diagnostic {
    let edits = returns.iter().map(|r| Edit { span: *r, replacement: "\n".to_string() }).collect();
    let first = returns.first().copied().unwrap_or_default();
    let mut finding = Diagnostic::new(diag::N0105, "a carriage return stands here without its line feed").at(first, "");
    finding.fixes.push(Fix { title: "end the line".to_string(), safe: true, edits });
    finding.help("save the file with LF or CRLF at the end of its lines")
}

/// N0106: a control character.
pub(super) fn control_character(span: Span, called: &str) -> Diagnostic {
    Diagnostic::new(diag::N0106, format!("a control character stands here ({called})"))
        .at(span, "")
        .help("remove it")
        .fix("remove it", true, span, "")
}

/// N0107: a character that changes the direction of reading.
pub(super) fn direction_control(span: Span, called: &str) -> Diagnostic {
    Diagnostic::new(diag::N0107, format!("a character that changes the direction of reading stands here ({called})"))
        .at(span, "what is shown here may not be what is read")
        .help("remove it, and read the line again: text in another direction needs no such character")
        .fix("remove it", false, span, "")
}

/// N0108: a character that nobody sees.
pub(super) fn invisible_character(span: Span, called: &str) -> Diagnostic {
    Diagnostic::new(diag::N0108, format!("an invisible character stands here ({called})"))
        .at(span, "")
        .help("remove it")
        .fix("remove it", true, span, "")
}

/// N0109: a full-width character, another space or a typographic sign.
pub(super) fn not_ascii(span: Span, written: &str, meant: &str, wide: bool) -> Diagnostic {
    let first = written.chars().next().unwrap_or(' ');
    let blank = meant.trim().is_empty();
    let message = match (blank, wide) {
        (true, _) => format!("another space stands here ({})", super::lookalikes::called(first)),
        (false, true) => format!("`{written}` is full-width"),
        (false, false) => format!("`{written}` is no sign of the language"),
    };
    let write = if blank { "write a plain space".to_string() } else { format!("write `{}`", meant.trim()) };
    Diagnostic::new(diag::N0109, message).at(span, "").help(write.clone()).fix(write, true, span, meant)
}

/// N0110: a letter that looks like another.
pub(super) fn look_alike(span: Span, word: &str, odd: char, letter: &str, meant: &str) -> Diagnostic {
    let message = format!("`{word}` is not `{meant}`: its `{odd}` (U+{:04X}) only looks like `{letter}`", odd as u32);
    Diagnostic::new(diag::N0110, message).at(span, "").help(format!("write `{meant}` with plain letters")).fix(
        format!("write `{meant}`"),
        true,
        span,
        meant,
    )
}

/// N0111: curly and other quotation marks.
pub(super) fn curly_quote(span: Span, c: char) -> Diagnostic {
    Diagnostic::new(diag::N0111, format!("`{c}` is no quotation mark of the language"))
        .at(span, "")
        .help("write the straight `\"`")
        .fix("write straight quotation marks", true, span, "\"")
}

/// N0111: `'text'`.
pub(super) fn single_quotes(span: Span, written: &str) -> Diagnostic {
    let inner = written.trim_matches('\'').replace('"', "\\\"");
    Diagnostic::new(diag::N0111, format!("{written} is written in single quotation marks"))
        .at(span, "")
        .help(format!("write `\"{inner}\"`"))
        .fix("write double quotation marks", true, span, format!("\"{inner}\""))
}

/// N0112: a text that is not closed.
pub(super) fn unclosed_text(span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0112, "the text that begins here is not closed")
        .at(span, "")
        .help("close it with `\"` on the same line, before the next bar; inside a text write `\\\"` for a quote and `\\|` for a bar")
}

/// N0112: `\q` in a text.
pub(super) fn unknown_escape(span: Span, written: &str) -> Diagnostic {
    Diagnostic::new(diag::N0112, format!("`{written}` stands for nothing in a text"))
        .at(span, "")
        .help("write `\\\\` for a backslash, `\\\"` for a quote, `\\|` for a bar, `\\n` for a line end")
}

/// N0113: a brace without its other.
pub(super) fn brace(span: Span, message: impl Into<String>, help: &str) -> Diagnostic {
    Diagnostic::new(diag::N0113, message).at(span, "").help(help)
}

/// N0114: no plain name.
pub(super) fn no_plain_name(span: Span, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(diag::N0114, message).at(span, "").help(help)
}

/// N0115: a head that cannot be read.
pub(super) fn head(span: Span, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(diag::N0115, message).at(span, "").help(help)
}

/// N0116: no hit policy, or none of this name.
pub(super) fn hit(span: Span, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(diag::N0116, message).at(span, "").help(help)
}

/// N0117: an action that cannot be read.
pub(super) fn action(span: Span, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(diag::N0117, message).at(span, "").help(help)
}

/// N0118: a test that cannot be read.
pub(super) fn test(span: Span, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(diag::N0118, message).at(span, "").help(help)
}

/// N0119: an entry of a block that cannot be read.
pub(super) fn entry(span: Span, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(diag::N0119, message).at(span, "").help(help)
}

/// N0120: a type that cannot be read.
pub(super) fn type_of(span: Span, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(diag::N0120, message).at(span, "").help(help)
}

/// N0121: a cell that cannot be read.
pub(super) fn cell(span: Span, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(diag::N0121, message).at(span, "").help(help)
}

/// N0122: a comma missing, or one too many.
pub(super) fn comma(span: Span, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(diag::N0122, message).at(span, "").help(help)
}

/// N0123: `unknown` and `known` out of place.
pub(super) fn unknown(span: Span, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(diag::N0123, message).at(span, "").help(help)
}

/// N0124: a sign or word of another language.
pub(super) fn foreign_sign(span: Span, written: &str, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(diag::N0124, format!("`{written}` means nothing here")).at(span, "").help(help)
}

/// N0125: a comma inside a number.
pub(super) fn thousands(span: Span, written: &str) -> Diagnostic {
    let meant = written.replace(',', "_");
    Diagnostic::new(diag::N0125, format!("`{written}` may be one number or several"))
        .at(span, "")
        .help(format!("write `{meant}` for one number, and a space after the comma for several"))
        .fix(format!("write `{meant}`"), false, span, meant)
}

/// N0126: a space inside a duration.
pub(super) fn spaced_unit(span: Span, meant: &str) -> Diagnostic {
    Diagnostic::new(diag::N0126, "a space stands between the number and its unit")
        .at(span, "")
        .help(format!("write `{meant}`"))
        .fix(format!("write `{meant}`"), true, span, meant)
}

/// N0127: another sign for any value.
pub(super) fn any(span: Span, written: &str, safe: bool) -> Diagnostic {
    Diagnostic::new(diag::N0127, format!("`{written}` matches no value"))
        .at(span, "")
        .help(if safe {
            "to match any value write `-`".to_string()
        } else {
            format!("to match any value write `-`; for a value of this name write `\"{written}\"`")
        })
        .fix("write `-`", safe, span, "-")
}

/// N0128: a blank cell.
pub(super) fn blank(span: Span, column: &str) -> Diagnostic {
    Diagnostic::new(diag::N0128, format!("the cell of `{column}` is blank"))
        .at(span, "")
        .help("to match any value write `-`")
        .fix("write `-`", true, span, if span.is_empty() { " - " } else { "-" })
}

/// N0128: a blank output.
pub(super) fn blank_output(span: Span, column: &str, help: &str) -> Diagnostic {
    Diagnostic::new(diag::N0128, format!("the cell of `{column}` is blank")).at(span, "").help(help)
}

/// N0129: a range or a comparison that lacks a value.
pub(super) fn range(span: Span, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(diag::N0129, message).at(span, "").help(help)
}

/// N0130: a row that does not fit its header.
pub(super) fn row(span: Span, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(diag::N0130, message).at(span, "").help(help)
}

/// N0131: a line that belongs to no table.
pub(super) fn outside(span: Span, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(diag::N0131, message).at(span, "").help(help)
}

/// N0132: a header that cannot be read.
pub(super) fn header(span: Span, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(diag::N0132, message).at(span, "").help(help)
}

/// N0133: a column twice.
pub(super) fn column_twice(span: Span, first: Span, name: &str) -> Diagnostic {
    let help = match name {
        "also" => "join the tests of a row by `and` in one `also` column",
        _ => "a cell can hold several values, `a, b`, and two tests, `> 1 and < 5`",
    };
    Diagnostic::new(diag::N0133, format!("the column `{name}` stands here twice"))
        .at(span, "again")
        .and(first, "first here")
        .help(help)
}

/// N0134: `otherwise` and `any unknown` out of place.
pub(super) fn fixed_row(span: Span, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(diag::N0134, message).at(span, "").help(help)
}

/// N0135: a row's name twice.
pub(super) fn row_twice(span: Span, first: Span, name: &str) -> Diagnostic {
    Diagnostic::new(diag::N0135, format!("two rows of this table are named `{name}`"))
        .at(span, "again")
        .and(first, "first here")
        .help("give one of them another name: traces and reasons speak of rows by name")
}

/// N0136: a reason that belongs to no row.
pub(super) fn reason<'a>(span: Span, row: &str, names: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    let finding = Diagnostic::new(diag::N0136, format!("this table has no row `{row}`")).at(span, "");
    match nearest(row, names) {
        Some(near) => finding.help(format!("did you mean `{near}`?")).fix(format!("write `{near}`"), false, span, near),
        None => finding.help("a reason names a row of the table above it: `- row: text`, or `- #3: text`"),
    }
}

/// N0136: a reason that cannot be read.
pub(super) fn reason_shape(span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0136, "this reason does not say what row it is for")
        .at(span, "")
        .help("a reason is written `- row: text`; the third row without a name is `#3`")
}

/// N0137: two reasons for a row.
pub(super) fn reason_twice(span: Span, first: Span, row: &str) -> Diagnostic {
    Diagnostic::new(diag::N0137, format!("the row `{row}` has two reasons"))
        .at(span, "again")
        .and(first, "first here")
        .help("join them in one line")
}
