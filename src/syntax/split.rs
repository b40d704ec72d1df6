//! One table line to cells, as GitHub-flavoured Markdown splits it: at every bar without a backslash before it.

use memchr::memchr;

/// The cells of a line; places count from the start of the line.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// Trimmed; the empty place in the middle where nothing stands.
    pub cells: Vec<(usize, usize)>,
    /// Text behind the last bar that is no comment.
    pub tail: Option<(usize, usize)>,
    /// Where a comment begins.
    pub comment: Option<usize>,
}

/// Splits a line that begins with a bar, or with what stands in its place. With `texts`, bars inside texts part no cells.
pub fn split(line: &str, texts: bool, out: &mut Split) {
    out.cells.clear();
    (out.tail, out.comment) = (None, None);
    let bytes = line.as_bytes();
    // What a broken row begins with instead of its bar may be a character of several bytes.
    let first = line.chars().next().map_or(1, char::len_utf8);
    if !texts && memchr(b'\\', bytes).is_none() {
        plain(line, first, out);
    } else {
        walk(line, first, texts, out);
    }
}

/// Splits byte by byte.
fn walk(line: &str, first: usize, texts: bool, out: &mut Split) {
    let bytes = line.as_bytes();
    let mut start = first;
    let mut i = first;
    let mut in_text = false;
    let mut blank = true;
    while i < bytes.len() {
        match bytes[i] {
            b'\\' => i += 1,
            b'"' => in_text ^= texts,
            b'#' if blank && !is_number(&bytes[i..]) => {
                out.comment = Some(i);
                return;
            }
            b'|' if !in_text => {
                out.cells.push(trimmed(line, start, i));
                start = i + 1;
                blank = true;
                i += 1;
                continue;
            }
            _ => {}
        }
        blank &= bytes[i.min(bytes.len() - 1)] == b' ';
        i += 1;
    }
    let (from, to) = trimmed(line, start.min(line.len()), line.len());
    out.tail = (from < to).then_some((from, to));
}

/// Splits a line without a backslash whose bars all part cells: from bar to bar.
fn plain(line: &str, first: usize, out: &mut Split) {
    let bytes = line.as_bytes();
    let mut start = first.min(bytes.len());
    loop {
        let from = start + bytes[start..].iter().take_while(|b| **b == b' ').count();
        if bytes.get(from) == Some(&b'#') && !is_number(&bytes[from..]) {
            out.comment = Some(from);
            return;
        }
        let Some(n) = memchr(b'|', &bytes[from..]) else { break };
        out.cells.push(trimmed(line, start, from + n));
        start = from + n + 1;
    }
    let (from, to) = trimmed(line, start, bytes.len());
    out.tail = (from < to).then_some((from, to));
}

/// The cell between two places without the white space around it.
fn trimmed(line: &str, start: usize, end: usize) -> (usize, usize) {
    // The usual cell: `| a |`.
    if let Some([b' ', first, .., last, b' ']) = line.as_bytes().get(start..end)
        && first.is_ascii_graphic()
        && last.is_ascii_graphic()
    {
        return (start + 1, end - 1);
    }
    let text = line.get(start..end).unwrap_or("");
    let shown = text.trim();
    if shown.is_empty() {
        let middle = start + usize::from(end > start);
        return (middle, middle);
    }
    let from = start + (text.len() - text.trim_start().len());
    (from, from + shown.len())
}

/// Whether a cell begins with `#3` and a bar closes it.
fn is_number(rest: &[u8]) -> bool {
    let digits = rest.iter().skip(1).take_while(|b| b.is_ascii_digit()).count();
    let behind = rest.iter().skip(1 + digits).find(|b| **b != b' ');
    digits > 0 && behind == Some(&b'|')
}

/// Whether a cell can belong to the line `|---|:--|`.
pub fn is_dashes(cell: &str) -> bool {
    let inner = cell.strip_prefix(':').unwrap_or(cell);
    let inner = inner.strip_suffix(':').unwrap_or(inner);
    !inner.is_empty() && inner.bytes().all(|b| b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(line: &str) -> (Vec<&str>, Option<&str>, Option<&str>) {
        let mut out = Split::default();
        split(line, false, &mut out);
        let tail = out.tail.and_then(|(s, e)| line.get(s..e));
        (out.cells.iter().map(|(s, e)| &line[*s..*e]).collect(), tail, out.comment.map(|c| &line[c..]))
    }

    proptest::proptest! {
        #[test]
        fn from_bar_to_bar_is_byte_by_byte(line in "[| #\"a3\u{a0}é]{0,24}") {
            let first = line.chars().next().map_or(1, char::len_utf8);
            let (mut one, mut other) = (Split::default(), Split::default());
            plain(&line, first, &mut one);
            walk(&line, first, false, &mut other);
            assert_eq!(one, other, "{line:?}");
        }
    }

    #[test]
    fn a_line_that_begins_with_another_character_is_split_behind_it() {
        assert_eq!(cells("─---|---|").0, ["---", "---"]);
        assert_eq!(cells("\u{fffd}| a |").0, ["", "a"]);
        assert_eq!(cells("\u{fffd}"), (vec![], None, None));
    }

    #[test]
    fn lines_are_split_at_bars() {
        assert_eq!(cells("| a | b, c |  |"), (vec!["a", "b, c", ""], None, None));
        assert_eq!(cells("|a|b| # x | y"), (vec!["a", "b"], None, Some("# x | y")));
        assert_eq!(cells("| #3 | t/#4 |"), (vec!["#3", "t/#4"], None, None));
        assert_eq!(cells(r#"| "a \| b" | c"#), (vec![r#""a \| b""#], Some("c"), None));
        assert_eq!(cells("|"), (vec![], None, None));
        assert_eq!(cells("| é\\"), (vec![], Some("é\\"), None));
    }
}
