//! What becomes of every line: a line stays a line, so that the text and the edits are two readings of one plan.
//!
//! A line of the given text is kept byte for byte, dropped (a blank one), or written anew; only the line of dashes and
//! the parts of a block's first and last line come in beside it.

use std::ops::Range;

use super::width::width;

/// A line of the given text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'t> {
    /// Where it begins.
    pub(super) start: usize,
    /// Its text without the end.
    pub(super) text: &'t str,
    /// Its end: LF, CRLF, or nothing behind the last one.
    pub(super) end: &'t str,
}

impl Line<'_> {
    pub(super) fn is_blank(&self) -> bool {
        self.text.bytes().all(|b| matches!(b, b' ' | b'\t'))
    }
}

/// What becomes of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fate<'t> {
    /// Nothing has claimed it: a blank line, a comment, or a line that fits nowhere.
    Free,
    /// It stays byte for byte.
    Kept,
    /// It goes.
    Dropped,
    /// It reads so; a line feed inside parts two lines.
    Written(String),
    /// The same, with a comment behind the last line, which stands below those of its neighbours.
    Code(String, &'t str),
}

/// All lines, and what becomes of them.
#[derive(Debug)]
pub(super) struct Plan<'t> {
    pub(super) text: &'t str,
    pub(super) lines: Vec<Line<'t>>,
    pub(super) fates: Vec<Fate<'t>>,
    /// What each line is formatted with: lines of one number change together; 0 stands alone.
    pub(super) units: Vec<u32>,
    /// Lines within an item's head or block: a comment there is indented.
    pub(super) inner: Vec<bool>,
    /// The lines of blocks: comments of one block stand below each other, whatever lies between.
    blocks: Vec<Range<usize>>,
}

/// Code that is wider than this moves no comment but its own.
const FURTHEST: usize = 100;

const BOM: &str = "\u{feff}";

impl<'t> Plan<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut lines = Vec::new();
        let mut start = if text.starts_with(BOM) { BOM.len() } else { 0 };
        for whole in text[start..].split_inclusive('\n') {
            let line = whole.strip_suffix('\n').map_or(whole, |l| l.strip_suffix('\r').unwrap_or(l));
            lines.push(Line { start, text: line, end: &whole[line.len()..] });
            start += whole.len();
        }
        let n = lines.len();
        let fates = vec![Fate::Free; n];
        Plan { text, lines, fates, units: vec![0; n], inner: vec![false; n], blocks: Vec::new() }
    }

    /// The line that a place lies in.
    pub(super) fn line_at(&self, place: usize) -> usize {
        self.lines.partition_point(|line| line.start <= place).saturating_sub(1)
    }

    /// Where a line begins; the end of the text behind the last one.
    pub(super) fn start_of(&self, line: usize) -> usize {
        self.lines.get(line).map_or(self.text.len(), |line| line.start)
    }

    /// The text behind a place to the end of its line, without white space around it.
    pub(super) fn behind(&self, place: usize) -> &'t str {
        let Some(line) = self.lines.get(self.line_at(place)) else { return "" };
        let text: &'t str = line.text;
        text.get(place.saturating_sub(line.start)..).unwrap_or("").trim_matches([' ', '\t'])
    }

    /// Keeps lines as they are.
    pub(super) fn keep(&mut self, lines: Range<usize>) {
        for fate in self.fates.get_mut(lines).unwrap_or_default() {
            *fate = Fate::Kept;
        }
    }

    /// Says that lines belong to one head or block.
    pub(super) fn together(&mut self, lines: Range<usize>, block: bool) {
        for inner in self.inner.get_mut(lines.clone()).unwrap_or_default() {
            *inner = true;
        }
        if block {
            self.blocks.push(lines);
        }
    }

    /// Settles comments, blank lines and lines that fit nowhere.
    pub(super) fn settle(&mut self, is_faulty: impl Fn(usize, usize) -> bool) {
        self.keep_what_fits_nowhere();
        for i in 0..self.lines.len() {
            let line = self.lines[i];
            if self.fates[i] != Fate::Free || line.is_blank() {
                continue;
            }
            self.fates[i] = if is_faulty(line.start, line.start + line.text.len()) {
                Fate::Kept
            } else {
                let indent = if self.inner[i] { "  " } else { "" };
                Fate::Written(format!("{indent}{}", line.text.trim_matches([' ', '\t'])))
            };
        }
        self.settle_blanks();
        self.align();
    }

    /// A line that belongs to nothing, and what lies between two such lines, stays as it is.
    fn keep_what_fits_nowhere(&mut self) {
        let mut last: Option<usize> = None;
        for i in 0..self.lines.len() {
            let line = self.lines[i];
            if self.fates[i] != Fate::Free {
                last = None;
            } else if !line.is_blank() && !line.text.trim_start_matches([' ', '\t']).starts_with('#') {
                self.keep(last.unwrap_or(i)..i + 1);
                last = Some(i);
            }
        }
    }

    /// One blank line stands where several did, none at the beginning, at the end, and inside a brace.
    fn settle_blanks(&mut self) {
        let n = self.lines.len();
        let mut i = 0;
        while i < n {
            let is_free = |i: usize| self.fates[i] == Fate::Free;
            let end = (i..n).find(|j| !is_free(*j)).unwrap_or(n);
            if end == i {
                i += 1;
                continue;
            }
            let opens = |i: usize| matches!(&self.fates[i], Fate::Code(code, _) if code.ends_with('{'));
            let closes = |i: usize| matches!(&self.fates[i], Fate::Code(code, _) if code.starts_with('}'));
            let is_edge = i == 0 || end == n || opens(i - 1) || closes(end);
            for fate in &mut self.fates[i..end] {
                *fate = Fate::Dropped;
            }
            if !is_edge {
                self.fates[i] = Fate::Written(String::new());
            }
            i = end;
        }
    }

    /// Puts comments behind code below each other: in a block all of them, elsewhere those of adjacent lines.
    fn align(&mut self) {
        for block in std::mem::take(&mut self.blocks) {
            self.align_lines(block);
        }
        let mut i = 0;
        while i < self.lines.len() {
            let has_comment = |i: &usize| matches!(&self.fates[*i], Fate::Code(_, comment) if !comment.is_empty());
            let end = (i..self.lines.len()).take_while(has_comment).last().map_or(i, |last| last + 1);
            self.align_lines(i..end);
            i = end + 1;
        }
    }

    fn align_lines(&mut self, lines: Range<usize>) {
        let last_line = |code: &str| width(code.rsplit('\n').next().unwrap_or(""));
        let fates = self.fates.get_mut(lines).unwrap_or_default();
        let widest = fates.iter().filter_map(|fate| match fate {
            Fate::Code(code, comment) if !comment.is_empty() => Some(last_line(code)),
            _ => None,
        });
        let column = widest.filter(|width| *width <= FURTHEST).max().unwrap_or(0);
        for fate in fates {
            if let Fate::Code(code, comment) = fate {
                let mut line = std::mem::take(code);
                if !comment.is_empty() {
                    let gap = column.saturating_sub(last_line(&line)) + 2;
                    line.extend(std::iter::repeat_n(' ', gap));
                    line.push_str(comment);
                }
                *fate = Fate::Written(line);
            }
        }
    }

    /// The end of a line that has none.
    fn usual_end(&self) -> &'t str {
        self.lines.first().map(|line| line.end).filter(|end| !end.is_empty()).unwrap_or("\n")
    }

    /// What a line becomes, its end with it.
    fn write(&self, i: usize, out: &mut String) {
        let line = self.lines[i];
        let end = if line.end.is_empty() { self.usual_end() } else { line.end };
        match &self.fates[i] {
            Fate::Dropped => {}
            Fate::Written(text) | Fate::Code(text, _) => {
                for part in text.split('\n') {
                    out.push_str(part);
                    out.push_str(end);
                }
            }
            Fate::Free | Fate::Kept => {
                out.push_str(line.text);
                out.push_str(line.end);
            }
        }
    }

    /// The whole text.
    pub(super) fn written(&self) -> String {
        let mut out = String::with_capacity(self.text.len() + self.text.len() / 4);
        if self.text.starts_with(BOM) {
            out.push_str(BOM);
        }
        (0..self.lines.len()).for_each(|i| self.write(i, &mut out));
        out
    }

    /// The runs of lines that change, and what they become, as far as they lie in `wanted` or change together with a
    /// line there; lines count from 0.
    pub(super) fn changes(&self, wanted: &Range<usize>) -> Vec<(Range<usize>, String)> {
        let unit = |i: &usize| self.units.get(*i).copied().filter(|unit| *unit > 0);
        let units: std::collections::BTreeSet<u32> =
            (wanted.start..wanted.end.min(self.lines.len())).filter_map(|i| unit(&i)).collect();
        let mut changes: Vec<(Range<usize>, String)> = Vec::new();
        let mut new = String::new();
        for i in 0..self.lines.len() {
            if !wanted.contains(&i) && !unit(&i).is_some_and(|unit| units.contains(&unit)) {
                continue;
            }
            new.clear();
            self.write(i, &mut new);
            let line = self.lines[i];
            if new.strip_prefix(line.text) == Some(line.end) {
                continue;
            }
            match changes.last_mut() {
                Some((lines, text)) if lines.end == i => {
                    lines.end += 1;
                    text.push_str(&new);
                }
                _ => changes.push((i..i + 1, new.clone())),
            }
        }
        changes
    }
}
