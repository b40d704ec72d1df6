//! A page as HTML that stands by itself: its style inside, no script, nothing that is fetched.

use super::markdown::plain;
use super::markup::Markup;
use super::svg;
use super::tree::{Block, Cell, Document, Entry, Grid, Kind, Line, Mark, Piece, Section};
use crate::words::Verb;

const STYLE: &str = include_str!("style.css");

const HEAD: &str = concat!(
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
);

impl Document {
    /// As one HTML page.
    pub(crate) fn html(&self) -> String {
        let mut page = Markup::default();
        page.raw(HEAD).text(&self.name);
        if !self.version.is_empty() {
            page.raw(" ").text(&self.version);
        }
        page.raw(" · policy</title>\n<meta name=\"nisi-digest\" content=\"").text(&self.digest).raw("\">\n<style>\n");
        page.raw(STYLE)
            .raw("</style>\n</head>\n<body id=\"top\">\n<a class=\"skip\" href=\"#main\">Skip to the policy</a>\n");
        page.raw("<header>\n<p class=\"kicker\">policy</p>\n<h1><bdi>").text(&self.name).raw("</bdi>");
        if !self.version.is_empty() {
            page.raw(" <span class=\"version\">").text(&self.version).raw("</span>");
        }
        page.raw("</h1>\n");
        blocks(&mut page, &self.head);
        page.raw("</header>\n<div class=\"frame\">\n");
        contents(&mut page, &self.sections);
        page.raw("<main id=\"main\">\n");
        for one in &self.sections {
            section(&mut page, one, 2);
        }
        page.raw("</main>\n</div>\n<footer>\n<p>");
        line(&mut page, &self.foot);
        page.raw("</p>\n</footer>\n</body>\n</html>\n");
        page.done()
    }
}

/// The way to every section.
fn contents(page: &mut Markup, sections: &[Section]) {
    page.raw("<nav aria-label=\"On this page\">\n<ul>\n");
    for section in sections {
        page.raw("<li><a href=\"#").text(&section.id).raw("\">").text(&plain(&section.title)).raw("</a>");
        if !section.parts.is_empty() {
            page.raw("\n<ul>\n");
            for part in &section.parts {
                page.raw("<li><a href=\"#").text(&part.id).raw("\">").text(&plain(&part.title)).raw("</a></li>\n");
            }
            page.raw("</ul>\n");
        }
        page.raw("</li>\n");
    }
    page.raw("</ul>\n</nav>\n");
}

fn section(page: &mut Markup, section_of: &Section, level: usize) {
    let (open, close) = match level {
        2 => ("<h2>", "</h2>\n"),
        3 => ("<h3>", "</h3>\n"),
        _ => ("<h4>", "</h4>\n"),
    };
    page.raw("<section id=\"").text(&section_of.id).raw("\">\n").raw(open);
    line(page, &section_of.title);
    page.raw(close);
    blocks(page, &section_of.blocks);
    for part in &section_of.parts {
        section(page, part, level + 1);
    }
    page.raw("</section>\n");
}

fn blocks(page: &mut Markup, blocks: &[Block]) {
    for block in blocks {
        match block {
            Block::Para(words) => {
                page.raw("<p dir=\"auto\">");
                line(page, words);
                page.raw("</p>\n");
            }
            Block::List(lines) => {
                page.raw("<ul>\n");
                for words in lines {
                    page.raw("<li dir=\"auto\">");
                    line(page, words);
                    page.raw("</li>\n");
                }
                page.raw("</ul>\n");
            }
            Block::Entries(entries) => {
                page.raw("<dl>\n");
                for one in entries {
                    entry(page, one);
                }
                page.raw("</dl>\n");
            }
            Block::Grid(table) => grid(page, table),
            Block::Picture(picture) => svg::draw(page, picture),
        }
    }
}

fn entry(page: &mut Markup, entry: &Entry) {
    page.raw("<div");
    id(page, entry.id.as_deref());
    page.raw("><dt>");
    line(page, &entry.name);
    page.raw("</dt><dd>");
    blocks(page, &entry.blocks);
    page.raw("</dd></div>\n");
}

fn id(page: &mut Markup, id: Option<&str>) {
    if let Some(id) = id {
        page.raw(" id=\"").text(id).raw("\"");
    }
}

fn grid(page: &mut Markup, grid: &Grid) {
    page.raw("<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"")
        .text(&plain(&grid.caption))
        .raw("\">\n<table>\n")
        .raw(if grid.is_captioned { "<caption>" } else { "<caption class=\"unseen\">" });
    line(page, &grid.caption);
    page.raw("</caption>\n<thead><tr>");
    for column in &grid.columns {
        page.raw("<th scope=\"col\"").raw(class_of(column.kind)).raw(">");
        line(page, &column.head);
        page.raw("</th>");
    }
    page.raw("</tr></thead>\n<tbody>\n");
    for row in &grid.rows {
        page.raw("<tr");
        id(page, row.id.as_deref());
        page.raw(">");
        let mut place = 0;
        for one in &row.cells {
            let kind = grid.columns.get(place).map_or(Kind::Input, |column| column.kind);
            cell(page, one, place == 0, kind);
            place += one.span;
        }
        page.raw("</tr>\n");
    }
    page.raw("</tbody>\n</table>\n</div>\n");
}

fn cell(page: &mut Markup, cell: &Cell, is_head: bool, kind: Kind) {
    page.raw(if is_head { "<th scope=\"row\"" } else { "<td" }).raw(if is_long(cell) { LONG } else { class_of(kind) });
    if cell.span > 1 {
        page.raw(" colspan=\"").n(cell.span as u32).raw("\"");
    }
    page.raw(">");
    match cell.lines.as_slice() {
        [one] => line(page, one),
        lines => {
            for one in lines {
                page.raw("<div>");
                line(page, one);
                page.raw("</div>");
            }
        }
    }
    page.raw(if is_head { "</th>" } else { "</td>" });
}

/// The class of a cell with a long list, which has room for it.
const LONG: &str = " class=\"long\"";

fn is_long(cell: &Cell) -> bool {
    cell.lines.iter().any(|line| matches!(line.as_slice(), [Piece::Code(words)] if words.len() > 40))
}

fn class_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Input => "",
        Kind::Tests => " class=\"tests\"",
        Kind::Output => " class=\"out\"",
    }
}

fn line(page: &mut Markup, line: &Line) {
    for one in line {
        piece(page, one);
    }
}

fn piece(page: &mut Markup, piece: &Piece) {
    match piece {
        Piece::Text(words) => page.text(words),
        Piece::Code(words) => page.raw("<code>").text(words).raw("</code>"),
        Piece::Said(words) => page.raw("<q>").text(words).raw("</q>"),
        Piece::Quiet(words) => page.raw("<i>").text(words).raw("</i>"),
        Piece::Verb(verb) => page.raw("<b class=\"").raw(class(*verb)).raw("\">").raw(verb.as_str()).raw("</b>"),
        Piece::Mark(mark, words) => {
            let class = match mark {
                Mark::Yes => "<strong class=\"yes\">",
                Mark::No => "<strong class=\"no\">",
                Mark::Open => "<strong class=\"open\">",
            };
            page.raw(class).text(words).raw("</strong>")
        }
        Piece::Way { to, text } => page.raw("<a href=\"#").raw(to).raw("\">").text(text).raw("</a>"),
        Piece::Link { to, text } => page.raw("<a href=\"#").text(to).raw("\">").text(text).raw("</a>"),
    };
}

/// The class by which a verb has its colour and its sign.
pub(super) fn class(verb: Verb) -> &'static str {
    match verb {
        Verb::Review => "v review",
        Verb::Reconcile => "v reconcile",
        Verb::Stop => "v stop",
        Verb::Wait => "v wait",
        Verb::Done => "v done",
        Verb::Retry => "v retry",
        Verb::Hedge => "v hedge",
        Verb::Failover => "v failover",
    }
}
