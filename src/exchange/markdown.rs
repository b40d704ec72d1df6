//! Markdown: tables under headings, to a policy.
//!
//! Of a document that [`export`](super::export()) wrote everything is taken over as it stands: what is in its fences, and
//! each table under a heading that is an item's head (`table recovery, first row wins`). Any other document is taken for
//! tables from elsewhere: a heading names the table below it, and the first table is the entry.

use super::draft::{Draft, doc};
use super::grid::{Field, Grid};
use super::import::{Import, origin, policy_name, tables, text};
use super::names::folded;
use super::place::{Notices, Place, Refused};
use crate::compile::Sources;
use crate::syntax::tree::{ActionKind, Hit, ItemKind};
use crate::syntax::{Split, is_dashes, parse_action, split};
use crate::text::FileId;

/// The items that have a table and may stand under a heading.
const HEADS: [&str; 4] = ["table ", "tighten ", "derive ", "classify "];

/// A piece of a document.
enum Block<'t> {
    /// The text of a heading.
    Heading(&'t str),
    /// Lines of a fence whose first word is `nisi`.
    Fence(Vec<&'t str>),
    /// Lines of a table, and the line of the first.
    Table(Vec<&'t str>, usize),
    /// Any other line that is not blank.
    Line(&'t str, usize),
}

/// Reads a document.
pub(super) fn read(
    bytes: &[u8],
    how: &Import<'_>,
    hit: Option<Hit>,
    sources: &dyn Sources,
    notices: &mut Notices,
) -> Result<Draft, Refused> {
    let text = text(how.file, bytes)?;
    let blocks = blocks(text);
    let ours = blocks.iter().any(|block| match block {
        Block::Fence(_) => true,
        Block::Heading(told) => is_head(told),
        _ => false,
    });
    if ours {
        return document(&blocks, how, notices);
    }
    let mut grids = Vec::new();
    let mut name: Option<String> = None;
    for block in &blocks {
        match block {
            Block::Heading(told) => name = Some((*told).to_string()),
            Block::Table(lines, at) => {
                let grid = grid(name.take(), lines, *at, notices)?;
                grids.extend(grid);
            }
            _ => {}
        }
    }
    if grids.is_empty() {
        let message = format!("`{}` holds no table", how.file);
        return Err(Refused::new(
            message,
            "a table has a header, a line of dashes below it, and rows: `| a | b |`, `|---|---|`",
        ));
    }
    let chosen = chosen(grids, how, notices)?;
    let chosen: Vec<_> = chosen.into_iter().map(|grid| (grid, hit)).collect();
    tables(&chosen, how, sources, notices)
}

/// The table that is the entry, and those that it hands over to; the others stay behind.
fn chosen(grids: Vec<Grid>, how: &Import<'_>, notices: &mut Notices) -> Result<Vec<Grid>, Refused> {
    let called = |grid: &Grid, name: &str| grid.name.as_deref().is_some_and(|n| folded(n) == folded(name));
    let entry = match how.table {
        None => 0,
        Some(table) => grids.iter().position(|grid| called(grid, table)).ok_or_else(|| {
            let known: Vec<String> = grids.iter().filter_map(|g| g.name.as_ref()).map(|n| format!("`{n}`")).collect();
            let help =
                if known.is_empty() { "no heading names one".into() } else { format!("it has {}", known.join(", ")) };
            Refused::new(format!("`{}` has no table `{table}`", how.file), help)
        })?,
    };
    let (mut reached, mut open) = (vec![entry], vec![entry]);
    while let Some(i) = open.pop() {
        for field in grids[i].rows.iter().flatten() {
            let Ok(expr) = parse_action(field.text.trim()) else { continue };
            let ActionKind::See(name) = &expr.verb else { continue };
            let next = grids.iter().position(|grid| called(grid, &name.text));
            if let Some(next) = next.filter(|next| !reached.contains(next)) {
                reached.push(next);
                open.push(next);
            }
        }
    }
    for (_, grid) in grids.iter().enumerate().filter(|(i, _)| !reached.contains(i)) {
        let shown = grid.name.as_ref().map_or_else(|| "a table".to_string(), |name| format!("the table `{name}`"));
        let text = format!("{shown} is not reached from the first: take it by itself with `--table`");
        notices.left(&grid.place, text);
    }
    reached.sort_by_key(|i| (*i != entry, *i));
    let mut grids: Vec<Option<Grid>> = grids.into_iter().map(Some).collect();
    Ok(reached.into_iter().filter_map(|i| grids[i].take()).collect())
}

/// A document that an export wrote, as the items that it holds.
fn document(blocks: &[Block<'_>], how: &Import<'_>, notices: &mut Notices) -> Result<Draft, Refused> {
    let mut draft = Draft::default();
    let mut head: Option<(&str, Vec<&str>)> = None;
    let mut in_list = false;
    for block in blocks {
        match block {
            Block::Fence(lines) => draft.items.push(lines.join("\n")),
            Block::Heading(told) => head = is_head(told).then(|| (*told, Vec::new())),
            Block::Table(lines, at) => match head.take() {
                Some((head, docs)) => {
                    let docs = doc(&docs.join("\n"));
                    draft.items.push(format!("{docs}{head}\n{}\n", lines.join("\n")));
                    in_list = true;
                    continue;
                }
                None => notices.left(
                    &Place::Line(*at),
                    "no heading above the table says what it is, such as `table NAME, first row wins`",
                ),
            },
            Block::Line(line, at) => match (&mut head, draft.items.last_mut()) {
                (Some((_, docs)), _) => docs.push(line.trim_end()),
                (None, Some(item)) if in_list && (line.starts_with("- ") || line.starts_with(' ')) => {
                    item.push_str(if item.contains("\n- ") { "" } else { "\n" });
                    item.extend([line, "\n"]);
                    continue;
                }
                _ if in_list => {
                    notices.left(&Place::Line(*at), "a line below a table is no reason of a row: `- row: text`");
                }
                // Prose around the tables is for readers.
                _ => {}
            },
        }
        in_list = false;
    }
    let text = draft.items.join("\n");
    let has_name =
        crate::syntax::parse(FileId::default(), &text).file.items.iter().any(|i| matches!(i.kind, ItemKind::Policy(_)));
    if !has_name {
        draft.remarks.push(origin(how));
        draft.name = Some(policy_name(how));
    } else if let Some(name) = how.name {
        let message = format!("the document says what the policy is called: `--name {name}` means nothing here");
        return Err(Refused::new(message, "leave it out, or change the name in the document"));
    }
    Ok(draft)
}

/// Whether a heading is the head of an item.
fn is_head(told: &str) -> bool {
    HEADS.iter().any(|head| told.starts_with(head)) && told.contains(',')
}

/// A document by its blocks.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let lines: Vec<&str> = text.lines().map(|line| line.trim_end_matches('\r')).collect();
    let (mut out, mut i) = (Vec::new(), 0);
    while let Some(line) = lines.get(i) {
        let shown = line.trim_start();
        if let Some((sign, n)) = fence(shown) {
            let is_end = |l: &&str| {
                fence(l.trim()).is_some_and(|(s, m)| s == sign && m >= n) && l.trim().chars().all(|c| c == sign)
            };
            let n_lines = lines[i + 1..].iter().take_while(|l| !is_end(l)).count();
            if shown.trim_start_matches(sign).split_whitespace().next() == Some("nisi") {
                out.push(Block::Fence(lines[i + 1..i + 1 + n_lines].to_vec()));
            }
            i += n_lines + 2;
        } else if shown.starts_with('#') && shown.trim_start_matches('#').starts_with(' ') {
            out.push(Block::Heading(shown.trim_start_matches('#').trim().trim_matches('`').trim()));
            i += 1;
        } else if shown.contains('|') && lines.get(i + 1).is_some_and(|next| is_delimiter(next)) {
            let n_lines = lines[i..].iter().take_while(|l| l.contains('|')).count();
            out.push(Block::Table(lines[i..i + n_lines].to_vec(), i + 1));
            i += n_lines;
        } else {
            if !shown.is_empty() {
                out.push(Block::Line(line, i + 1));
            }
            i += 1;
        }
    }
    out
}

/// The sign of a fence, and how often it stands there.
fn fence(line: &str) -> Option<(char, usize)> {
    let sign = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let n = line.chars().take_while(|c| *c == sign).count();
    (n >= 3).then_some((sign, n))
}

/// Whether a line is the one below a header.
fn is_delimiter(line: &str) -> bool {
    let inner = line.trim().trim_start_matches('|').trim_end_matches('|');
    line.contains('|') && inner.split('|').all(|cell| is_dashes(cell.trim()))
}

/// The grid of a table's lines.
fn grid(name: Option<String>, lines: &[&str], at: usize, notices: &mut Notices) -> Result<Option<Grid>, Refused> {
    let mut rows = Vec::new();
    let mut cut = Split::default();
    for (i, line) in lines.iter().enumerate().filter(|(i, _)| *i != 1) {
        let shown = line.trim();
        let closed = if shown.starts_with('|') { shown.to_string() } else { format!("|{shown}") };
        let closed = if closed.ends_with('|') && !closed.ends_with("\\|") { closed } else { format!("{closed}|") };
        // In Markdown a `#` begins no comment.
        split(&closed.replace('#', "\u{1}"), false, &mut cut);
        let field = |(from, to): &(usize, usize)| Field {
            text: plain(closed.get(*from..*to).unwrap_or_default()),
            place: Place::Line(at + i),
        };
        rows.push(cut.cells.iter().map(field).collect());
    }
    Grid::of(name, Place::Line(at), rows, notices)
}

/// A cell without the signs of Markdown around it.
fn plain(cell: &str) -> String {
    let mut text = cell.trim();
    for sign in ["**", "__", "`"] {
        if let Some(inner) = text.strip_prefix(sign).and_then(|t| t.strip_suffix(sign)).filter(|t| !t.contains(sign)) {
            text = inner.trim();
        }
    }
    text.replace("\\|", "|").replace("<br>", "\n").replace("<br/>", "\n").replace("&lt;", "<").replace("&gt;", ">")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_cut_as_github_does() {
        let text =
            "# Triage\n\ntext\n\na | `b` | **c**\n--|:-:|--\n1 | x \\| y | #3\n\n```\n| no | table |\n|---|---|\n```\n";
        let blocks = blocks(text);
        let [Block::Heading("Triage"), Block::Line("text", 3), Block::Table(lines, 5)] = &blocks[..] else { panic!() };
        let grid = grid(None, lines, 5, &mut Notices::default()).unwrap().unwrap();
        let texts = |row: &[Field]| row.iter().map(|f| f.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts(&grid.header), ["a", "b", "c"]);
        assert_eq!(texts(&grid.rows[0]), ["1", "x | y", "#3"]);
        assert_eq!(grid.rows[0][0].place.to_string(), "line 7");
    }
}
