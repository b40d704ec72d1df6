//! A page as a value: sections of blocks, blocks of lines, lines of pieces. Nothing here knows HTML or Markdown.

use std::collections::BTreeSet;

use crate::words::Verb;

use super::picture::Picture;

/// A policy's page.
#[derive(Debug)]
pub(crate) struct Document {
    /// The policy's name.
    pub(super) name: String,
    /// Its version; may be empty.
    pub(super) version: String,
    /// Its digest.
    pub(super) digest: String,
    /// What is said before all sections.
    pub(super) head: Vec<Block>,
    /// The sections, in order.
    pub(super) sections: Vec<Section>,
    /// What is said behind all sections.
    pub(super) foot: Line,
    /// How many examples do not hold.
    pub(crate) n_failed: usize,
    /// Whether the map of decisions was worked out.
    pub(crate) is_mapped: bool,
}

impl Document {
    /// Takes the way out of links that lead nowhere on the page.
    pub(super) fn settle_links(&mut self) {
        let mut ids = BTreeSet::from(["top".to_string()]);
        self.sections.iter().for_each(|section| section.ids(&mut ids));
        let settle = &mut |line: &mut Line| {
            for piece in line {
                if let Piece::Link { to, text } = piece
                    && !ids.contains(to)
                {
                    *piece = Piece::Code(std::mem::take(text));
                }
            }
        };
        self.head.iter_mut().for_each(|block| block.each_line(settle));
        self.sections.iter_mut().for_each(|section| section.each_line(settle));
    }
}

/// A part of a page under a heading of its own.
#[derive(Debug)]
pub(super) struct Section {
    /// Its name for links; no other section, entry or row has it.
    pub(super) id: String,
    /// Its heading.
    pub(super) title: Line,
    /// What stands in it before its parts.
    pub(super) blocks: Vec<Block>,
    /// Its parts.
    pub(super) parts: Vec<Section>,
}

impl Section {
    pub(super) fn new(id: impl Into<String>, title: Line) -> Self {
        Section { id: id.into(), title, blocks: Vec::new(), parts: Vec::new() }
    }

    /// Everything in it that can be linked to.
    fn ids(&self, ids: &mut BTreeSet<String>) {
        ids.insert(self.id.clone());
        for block in &self.blocks {
            match block {
                Block::Entries(entries) => ids.extend(entries.iter().filter_map(|entry| entry.id.clone())),
                Block::Grid(grid) => ids.extend(grid.rows.iter().filter_map(|row| row.id.clone())),
                Block::Para(_) | Block::List(_) | Block::Picture(_) => {}
            }
        }
        self.parts.iter().for_each(|part| part.ids(ids));
    }

    fn each_line(&mut self, f: &mut impl FnMut(&mut Line)) {
        f(&mut self.title);
        self.blocks.iter_mut().for_each(|block| block.each_line(f));
        self.parts.iter_mut().for_each(|part| part.each_line(f));
    }
}

impl Block {
    fn each_line(&mut self, f: &mut impl FnMut(&mut Line)) {
        match self {
            Block::Para(line) => f(line),
            Block::List(lines) => lines.iter_mut().for_each(f),
            Block::Entries(entries) => {
                for entry in entries {
                    f(&mut entry.name);
                    entry.blocks.iter_mut().for_each(|block| block.each_line(f));
                }
            }
            Block::Grid(grid) => {
                f(&mut grid.caption);
                grid.columns.iter_mut().for_each(|column| f(&mut column.head));
                let cells = grid.rows.iter_mut().flat_map(|row| &mut row.cells);
                cells.flat_map(|cell| &mut cell.lines).for_each(f);
            }
            Block::Picture(_) => {}
        }
    }
}

/// What stands below one another.
#[derive(Debug)]
pub(super) enum Block {
    /// A paragraph.
    Para(Line),
    /// A list.
    List(Vec<Line>),
    /// A table.
    Grid(Grid),
    /// Things with what is to be said of each.
    Entries(Vec<Entry>),
    /// What follows on what, drawn.
    Picture(Picture),
}

/// Something with a name and what is said of it.
#[derive(Debug)]
pub(super) struct Entry {
    /// Its name for links, where it can be linked to.
    pub(super) id: Option<String>,
    pub(super) name: Line,
    pub(super) blocks: Vec<Block>,
}

/// A table.
#[derive(Debug)]
pub(super) struct Grid {
    pub(super) caption: Line,
    /// Whether the caption says more than what stands above the table.
    pub(super) is_captioned: bool,
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<GridRow>,
}

/// A column of a table. The first column holds the rows' names.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) head: Line,
    pub(super) kind: Kind,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// What is asked.
    Input,
    /// Whole tests, several a cell.
    Tests,
    /// What follows.
    Output,
}

#[derive(Debug)]
pub(super) struct GridRow {
    /// Its name for links, where it can be linked to.
    pub(super) id: Option<String>,
    /// They fill all columns.
    pub(super) cells: Vec<Cell>,
}

/// Lines below one another, over one column or more.
#[derive(Debug)]
pub(super) struct Cell {
    pub(super) lines: Vec<Line>,
    pub(super) span: usize,
}

impl Cell {
    pub(super) fn of(lines: Vec<Line>) -> Self {
        Cell { lines, span: 1 }
    }
}

/// Pieces beside one another.
pub(super) type Line = Vec<Piece>;

#[derive(Debug, Clone)]
pub(super) enum Piece {
    /// Our own words, or words of a policy's documentation.
    Text(String),
    /// Words of the policy's language.
    Code(String),
    /// A text that a policy gives somebody to read.
    Said(String),
    /// What matters less.
    Quiet(String),
    /// The verb of an action.
    Verb(Verb),
    /// A verdict.
    Mark(Mark, String),
    /// A name that leads to what is told of it.
    Link { to: String, text: String },
    /// Our own words that lead elsewhere on the page.
    Way { to: &'static str, text: String },
}

/// A verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// It is so.
    Yes,
    /// It is not so.
    No,
    /// Nobody knows.
    Open,
}

pub(super) fn text(text: impl Into<String>) -> Piece {
    Piece::Text(text.into())
}

pub(super) fn code(text: impl Into<String>) -> Piece {
    Piece::Code(text.into())
}

pub(super) fn quiet(text: impl Into<String>) -> Piece {
    Piece::Quiet(text.into())
}

pub(super) fn link(to: impl Into<String>, text: impl Into<String>) -> Piece {
    Piece::Link { to: to.into(), text: text.into() }
}

pub(super) fn way(to: &'static str, text: impl Into<String>) -> Piece {
    Piece::Way { to, text: text.into() }
}

/// Pieces with a comma between them.
pub(super) fn commas(pieces: impl IntoIterator<Item = Piece>) -> Line {
    let mut line = Line::new();
    for piece in pieces {
        if !line.is_empty() {
            line.push(text(", "));
        }
        line.push(piece);
    }
    line
}

/// `1 row`, `3 rows`.
pub(super) fn n(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
