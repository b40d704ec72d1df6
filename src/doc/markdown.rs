//! A page as GitHub-flavoured Markdown.
//!
//! What comes from a policy is written by two functions: as prose, whose signs are escaped, or as code. In a table a bar ends
//! a cell even inside code, so that code with one is written as an element, all of its signs by number.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::markup::turns;
use super::mermaid;
use super::tree::{Block, Cell, Document, Entry, Grid, Kind, Line, Mark, Piece, Section};

impl Document {
    /// As GitHub-flavoured Markdown.
    pub(crate) fn markdown(&self) -> String {
        let mut page = Page { out: String::new(), anchors: anchors(self) };
        let version = if self.version.is_empty() { String::new() } else { format!(" {}", code(&self.version)) };
        page.line(&format!("# {}{version}\n", code(&self.name)));
        page.blocks(&self.head, "");
        for section in &self.sections {
            page.section(section, 2);
        }
        let foot = page.shown(&self.foot);
        page.line(&format!("---\n\n{foot}"));
        page.out
    }
}

/// A page that grows.
struct Page {
    out: String,
    /// By the names of sections, what GitHub calls their headings.
    anchors: BTreeMap<String, String>,
}

impl Page {
    fn line(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    fn section(&mut self, section: &Section, level: usize) {
        let title = self.shown(&section.title);
        self.line(&format!("{} {title}\n", "#".repeat(level)));
        self.blocks(&section.blocks, "");
        for part in &section.parts {
            self.section(part, (level + 1).min(6));
        }
    }

    fn blocks(&mut self, blocks: &[Block], indent: &str) {
        for block in blocks {
            match block {
                Block::Para(line) => {
                    let shown = self.shown(line);
                    self.line(&format!("{indent}{}\n", start(&shown)));
                }
                Block::List(lines) => {
                    for line in lines {
                        let shown = self.shown(line);
                        self.line(&format!("{indent}- {}", start(&shown)));
                    }
                    self.line("");
                }
                Block::Entries(entries) => entries.iter().for_each(|entry| self.entry(entry, indent)),
                Block::Grid(grid) => self.grid(grid, indent),
                Block::Picture(picture) => self.line(&format!("{}\n", mermaid::flow(picture))),
            }
        }
    }

    /// A thing and what is said of it: on one line where that is a single paragraph.
    fn entry(&mut self, entry: &Entry, indent: &str) {
        let shown = self.shown(&entry.name);
        let is_bold = |piece: &Piece| matches!(piece, Piece::Verb(_) | Piece::Mark(..) | Piece::Quiet(_));
        let name = if entry.name.iter().any(is_bold) { shown } else { format!("**{shown}**") };
        let inner = format!("{indent}  ");
        let rest = match entry.blocks.as_slice() {
            [Block::Para(line), rest @ ..] => {
                let shown = self.shown(line);
                self.line(&format!("{indent}- {}<br>{shown}\n", start(&name)));
                rest
            }
            rest => {
                self.line(&format!("{indent}- {}\n", start(&name)));
                rest
            }
        };
        self.blocks(rest, &inner);
    }

    fn grid(&mut self, grid: &Grid, indent: &str) {
        if grid.is_captioned {
            let caption = self.shown(&grid.caption);
            self.line(&format!("{indent}{caption}\n"));
        }
        let head: Vec<String> = grid
            .columns
            .iter()
            .map(|column| {
                format!("{}{}", if column.kind == Kind::Output { "⇒ " } else { "" }, self.shown(&column.head))
            })
            .collect();
        self.line(&format!("{indent}| {} |", head.join(" | ")));
        self.line(&format!("{indent}|{}", "---|".repeat(head.len())));
        for row in &grid.rows {
            let mut line = format!("{indent}|");
            for cell in &row.cells {
                // Writing to a string cannot fail.
                let _ = write!(line, " {} |{}", self.cell(cell), "  |".repeat(cell.span.saturating_sub(1)));
            }
            self.line(&line);
        }
        self.line("");
    }

    fn cell(&self, cell: &Cell) -> String {
        cell.lines.iter().map(|line| self.shown(line)).collect::<Vec<_>>().join("<br>")
    }

    fn shown(&self, line: &Line) -> String {
        line.iter().map(|piece| self.piece(piece)).collect()
    }

    fn piece(&self, piece: &Piece) -> String {
        match piece {
            Piece::Text(words) => prose(words),
            Piece::Quiet(words) => match words.trim() {
                "" => String::new(),
                inner => words.replacen(inner, &format!("*{}*", prose(inner)), 1),
            },
            Piece::Code(words) => code(words),
            Piece::Said(words) => format!("“{}”", prose(words)),
            Piece::Verb(verb) => format!("**{verb}**"),
            Piece::Mark(mark, words) => {
                let sign = match mark {
                    Mark::Yes => "✓",
                    Mark::No => "✗",
                    Mark::Open => "?",
                };
                format!("{sign} **{}**", prose(words))
            }
            Piece::Way { to, text } => match self.anchors.get(*to) {
                Some(anchor) => format!("[{}](#{anchor})", prose(text)),
                None => prose(text),
            },
            Piece::Link { to, text } => match self.anchors.get(to) {
                Some(anchor) => format!("[{}](#{anchor})", code(text)),
                None => code(text),
            },
        }
    }
}

/// The names that GitHub gives to headings: lower case, blanks as dashes, most signs left out, and a number behind one that
/// was there before.
fn anchors(document: &Document) -> BTreeMap<String, String> {
    let (mut anchors, mut taken) = (BTreeMap::new(), BTreeMap::<String, usize>::new());
    let mut name = |words: &str| {
        let kept = words.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        let slug: String = kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect();
        let n = taken.entry(slug.clone()).or_default();
        *n += 1;
        if *n == 1 { slug } else { format!("{slug}-{}", *n - 1) }
    };
    let top = name(format!("{} {}", document.name, document.version).trim());
    anchors.insert("top".to_string(), top);
    let mut open: Vec<&Section> = document.sections.iter().rev().collect();
    while let Some(section) = open.pop() {
        anchors.insert(section.id.clone(), name(&plain(&section.title)));
        open.extend(section.parts.iter().rev());
    }
    anchors
}

/// The words of a line alone.
pub(super) fn plain(line: &Line) -> String {
    line.iter()
        .map(|piece| match piece {
            Piece::Text(words)
            | Piece::Code(words)
            | Piece::Said(words)
            | Piece::Quiet(words)
            | Piece::Mark(_, words) => words,
            Piece::Link { text, .. } | Piece::Way { text, .. } => text,
            Piece::Verb(verb) => verb.as_str(),
        })
        .collect::<Vec<&str>>()
        .concat()
}

/// Prose: no sign of it is Markdown, and none opens an element.
fn prose(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' | '#' | '!' | '{' | '}' => out.extend(['\\', c]),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '@' => out.push_str("&#64;"),
            '\n' => out.push_str("<br>"),
            c if c.is_control() || turns(c) => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    // An address that nobody wrote as a link is none.
    out.replace("://", ":&#47;/").replace("www.", "www&#46;")
}

/// A line that begins with what would be a list or a heading there.
fn start(line: &str) -> String {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let numbered = digits > 0 && line[digits..].starts_with(['.', ')']);
    match line.chars().next() {
        Some('-' | '+' | '=') => format!("\\{line}"),
        _ if numbered => format!("{}\\{}", &line[..digits], &line[digits..]),
        _ => line.to_string(),
    }
}

/// Code: between backticks where it can stand so anywhere, else as an element with every sign by its number.
fn code(words: &str) -> String {
    let plain = !words.is_empty()
        && !words.starts_with(' ')
        && !words.ends_with(' ')
        && !words.contains(|c: char| c == '`' || c == '|' || c.is_control() || turns(c));
    if plain {
        return format!("`{words}`");
    }
    let mut out = String::from("<code>");
    for c in words.chars() {
        match c {
            '\n' => out.push(' '),
            c if c.is_control() || turns(c) => out.push('\u{fffd}'),
            c if c.is_ascii_punctuation() => {
                // Writing to a string cannot fail.
                let _ = write!(out, "&#{};", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push_str("</code>");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_no_markup() {
        assert_eq!(
            prose("<b> *a* | `x` [y](z) https://e.x"),
            "&lt;b&gt; \\*a\\* \\| \\`x\\` \\[y\\](z) https:&#47;/e.x"
        );
        assert_eq!(code("timeout"), "`timeout`");
        assert_eq!(code("\"a\\|b\""), "<code>&#34;a&#92;&#124;b&#34;</code>");
        assert_eq!(code(""), "<code></code>");
        assert_eq!(start("- a"), "\\- a");
        assert_eq!(start("1. a"), "1\\. a");
    }
}
