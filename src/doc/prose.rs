//! Documentation comments as blocks: a blank line parts paragraphs, a line that begins with `- ` is a member of a list, what
//! stands between backticks is code. Nothing else has a meaning of its own.

use super::tree::{Block, Line, code, text};

/// The blocks of a documentation comment.
pub(super) fn blocks(doc: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    // The words of the paragraph or member that is open.
    let mut open = String::new();
    let mut in_list = false;
    for line in doc.lines().map(str::trim) {
        let member = line.strip_prefix("- ");
        if line.is_empty() || member.is_some() {
            close(&mut blocks, &mut open, in_list);
            in_list = member.is_some();
        }
        if !open.is_empty() {
            open.push(' ');
        }
        open.push_str(member.unwrap_or(line).trim());
    }
    close(&mut blocks, &mut open, in_list);
    blocks
}

/// Ends what is open.
fn close(blocks: &mut Vec<Block>, open: &mut String, in_list: bool) {
    let words = std::mem::take(open);
    if words.is_empty() {
        return;
    }
    match blocks.last_mut() {
        Some(Block::List(members)) if in_list => members.push(line(&words)),
        _ if in_list => blocks.push(Block::List(vec![line(&words)])),
        _ => blocks.push(Block::Para(line(&words))),
    }
}

/// Words with code between backticks; a backtick that nothing closes is a backtick.
pub(super) fn line(words: &str) -> Line {
    let mut line = Line::new();
    let mut rest = words;
    while let Some((before, (inside, after))) = rest.split_once('`').and_then(|(b, r)| Some((b, r.split_once('`')?))) {
        if !before.is_empty() {
            line.push(text(before));
        }
        line.push(if inside.is_empty() { text("``") } else { code(inside) });
        rest = after;
    }
    if !rest.is_empty() {
        line.push(text(rest));
    }
    line
}

/// The same on one line, without lists; nothing where there is no documentation.
pub(super) fn short(doc: &str) -> Option<Line> {
    let words: Vec<&str> = doc.split_whitespace().collect();
    (!words.is_empty()).then(|| line(&words.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(doc: &str) -> String {
        format!("{:?}", blocks(doc))
    }

    #[test]
    fn paragraphs_lists_and_code() {
        assert_eq!(
            told("one\ntwo\n\n- a: `x`\n  more\n- b\n\nend"),
            r#"[Para([Text("one two")]), List([[Text("a: "), Code("x"), Text(" more")], [Text("b")]]), Para([Text("end")])]"#
        );
        assert_eq!(told(""), "[]");
        assert_eq!(told("a ` b"), r#"[Para([Text("a ` b")])]"#);
        assert_eq!(told("`a"), r#"[Para([Text("`a")])]"#);
    }
}
