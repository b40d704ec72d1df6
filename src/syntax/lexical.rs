//! The characters of a whole file: what can be mistaken, what cannot be seen, what no keyboard meant.
//!
//! Takes the text as written, gives the text that is parsed: each odd character has its one finding here and stands
//! for what it was meant as from then on, so that nothing stumbles over it again. In texts, comments, reasons and the
//! names of examples all letters of all scripts are at home; there only what is invisible or turns the direction of
//! reading is refused ("Trojan Source", Boucher and Anderson 2021).

use std::borrow::Cow;

use super::findings::{self, Sink};
use super::lookalikes::{
    called, is_curly_quote, is_direction, is_invisible, is_needed_in_text, is_wide, letter, plain,
};
use super::place::Map;
use crate::diag::{Diagnostic, Edit, Fix};
use crate::text::{FileId, Span};

/// The text that is parsed, and how its places lead back.
pub(super) struct Clean<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) map: Map,
}

/// Checks the characters of a file.
pub(super) fn clean<'a>(file: FileId, text: &'a str, sink: &mut Sink) -> Clean<'a> {
    let usual = |(i, b): (usize, u8)| match b {
        b'\n' | b' '..=b'~' => true,
        b'\r' => text.as_bytes().get(i + 1) == Some(&b'\n'),
        _ => false,
    };
    // In pieces, so that many bytes are looked at in one step; a line end of two bytes is looked at one by one.
    let plain = |piece: &[u8]| piece.iter().fold(true, |plain, b| plain & matches!(b, b'\n' | b' '..=b'~'));
    if text.as_bytes().chunks(64).all(plain) || text.bytes().enumerate().all(usual) {
        return Clean { text: Cow::Borrowed(text), map: Map::default() };
    }
    let out = String::with_capacity(text.len());
    let mut pass = Pass { file, text, out, map: Map::default(), sink, returns: Vec::new(), in_examples: false };
    pass.file();
    Clean { text: Cow::Owned(pass.out), map: pass.map }
}

struct Pass<'a, 's> {
    file: FileId,
    text: &'a str,
    out: String,
    map: Map,
    sink: &'s mut Sink,
    /// Lone carriage returns.
    returns: Vec<Span>,
    in_examples: bool,
}

/// Where in a line we are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Zone {
    /// Words and signs of the language.
    Code,
    /// A text that `"` closes.
    Quoted,
    /// A text that was opened by another quotation mark.
    Curly,
    /// A reason, the name of an example.
    Free,
    /// To the end of the line.
    Comment,
}

/// What a line is, as far as free text depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Row,
    Reason,
    Other,
}

impl Pass<'_, '_> {
    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start, end)
    }

    fn file(&mut self) {
        let mut at = 0;
        if self.text.starts_with('\u{FEFF}') {
            at = 3;
            self.map.swap(0, 0, 0, 3);
            self.sink.push(findings::byte_order_mark(self.span(0, 3)));
        }
        while at < self.text.len() {
            let rest = &self.text[at..];
            let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
            self.line(at, &rest[..end]);
            at += end;
            if rest[end..].starts_with("\r\n") {
                self.out.push_str("\r\n");
                at += 2;
            } else if rest[end..].starts_with('\r') {
                self.returns.push(self.span(at, at + 1));
                self.out.push('\n');
                at += 1;
            } else if end < rest.len() {
                self.out.push('\n');
                at += 1;
            }
        }
        if !self.returns.is_empty() {
            self.sink.push(findings::lone_return(&self.returns));
        }
    }

    fn line(&mut self, start: usize, line: &str) {
        if line.starts_with(|c: char| c.is_ascii_alphabetic()) && !line.starts_with("given") {
            self.in_examples = line.starts_with("examples");
        }
        if line.bytes().all(|b| matches!(b, b' '..=b'~')) {
            self.out.push_str(line);
            return;
        }
        let tabs: Vec<Span> = line.match_indices('\t').map(|(i, _)| self.span(start + i, start + i + 1)).collect();
        if !tabs.is_empty() {
            self.sink.push(findings::tab(&tabs));
        }
        Walk::new(self, start, line).run();
    }

    /// Writes what stands for `start..end` of the original.
    fn write(&mut self, start: usize, end: usize, meant: &str) {
        if self.text.get(start..end) != Some(meant) {
            self.map.swap(self.out.len(), meant.len(), start, end - start);
        }
        self.out.push_str(meant);
    }
}

/// The walk over one line that holds something odd.
struct Walk<'p, 'a, 's, 't> {
    pass: &'p mut Pass<'a, 's>,
    start: usize,
    line: &'t str,
    kind: Line,
    zone: Zone,
    /// The zone behind this character, where it is another.
    then: Option<Zone>,
    /// Bars passed so far.
    bars: usize,
    /// Whether the cell holds nothing so far.
    at_cell_start: bool,
    /// The finding about a curly quote that is still open.
    curly: Option<Diagnostic>,
}

impl<'p, 'a, 's, 't> Walk<'p, 'a, 's, 't> {
    fn new(pass: &'p mut Pass<'a, 's>, start: usize, line: &'t str) -> Self {
        let shown = line.trim_start_matches(|c: char| c.is_whitespace() || is_invisible(c));
        let kind = match shown.chars().next() {
            Some(c) if c == '|' || plain(c) == Some("|") => Line::Row,
            Some('-') if shown[1..].starts_with(' ') => Line::Reason,
            _ => Line::Other,
        };
        Walk { pass, start, line, kind, zone: Zone::Code, then: None, bars: 0, at_cell_start: true, curly: None }
    }

    fn run(&mut self) {
        let mut at = 0;
        while let Some(c) = self.line[at..].chars().next() {
            at += self.step(at, c);
            self.zone = self.then.take().unwrap_or(self.zone);
        }
        if let Some(open) = self.curly.take() {
            self.pass.sink.push(open);
        }
    }

    /// Deals with what begins at `at`, and says how many bytes it took.
    fn step(&mut self, at: usize, c: char) -> usize {
        self.turn(at, c);
        let run = |same: &dyn Fn(char) -> bool| {
            let rest = &self.line[at..];
            rest.find(|c| !same(c)).unwrap_or(rest.len())
        };
        let (start, in_text) = (self.start + at, self.zone != Zone::Code);
        if c == '\t' {
            self.pass.write(start, start + 1, " ");
            1
        } else if c.is_control() {
            let len = run(&|c| c.is_control() && c != '\t');
            self.drop(at, len, findings::control_character);
            len
        } else if is_direction(c) {
            let len = run(&is_direction);
            self.drop(at, len, findings::direction_control);
            len
        } else if is_invisible(c) && !(in_text && is_needed_in_text(c)) {
            let len = run(&|c| is_invisible(c) && !(in_text && is_needed_in_text(c)));
            self.drop(at, len, findings::invisible_character);
            len
        } else if is_curly_quote(c) && !matches!(self.zone, Zone::Quoted | Zone::Free | Zone::Comment) {
            self.curly_quote(at, c);
            c.len_utf8()
        } else if in_text {
            self.pass.write(start, start + c.len_utf8(), &self.line[at..at + c.len_utf8()]);
            c.len_utf8()
        } else if c.is_alphanumeric() || c == '_' {
            self.word(at)
        } else {
            self.sign(at, c)
        }
    }

    /// Keeps account of the zone.
    fn turn(&mut self, at: usize, c: char) {
        let before = self.line[..at].chars().next_back();
        let row = self.kind == Line::Row;
        match (self.zone, c) {
            (Zone::Quoted | Zone::Curly, '"') if before != Some('\\') => self.then = Some(Zone::Code),
            (Zone::Code, '"') if self.line[at + 1..].contains('"') => self.zone = Zone::Quoted,
            (Zone::Code, '#') if row && self.at_cell_start && !is_row_number(&self.line[at..]) => {
                self.zone = Zone::Comment;
            }
            (Zone::Code, '#') if self.kind == Line::Other && before.is_none_or(char::is_whitespace) => {
                self.zone = Zone::Comment;
            }
            (Zone::Code, ':') if self.kind == Line::Reason => self.zone = Zone::Free,
            _ => {}
        }
        let bar = c == '|' || plain(c) == Some("|") && self.zone != Zone::Quoted;
        if row && bar && before != Some('\\') && self.zone != Zone::Comment {
            self.bars += 1;
            self.at_cell_start = true;
            self.zone = if self.pass.in_examples && self.bars == 1 { Zone::Free } else { Zone::Code };
        } else if !c.is_whitespace() {
            self.at_cell_start = false;
        }
    }

    /// Reports a run that nothing stands for, and drops it.
    fn drop(&mut self, at: usize, len: usize, finding: fn(Span, &str) -> Diagnostic) {
        let start = self.start + at;
        let c = self.line[at..].chars().next().unwrap_or(' ');
        let span = self.pass.span(start, start + len);
        self.pass.sink.push(finding(span, &called(c)));
        self.pass.write(start, start + len, "");
    }

    /// A quotation mark that stands for `"`: the opening and the closing one share their finding.
    fn curly_quote(&mut self, at: usize, c: char) {
        let start = self.start + at;
        let span = self.pass.span(start, start + c.len_utf8());
        self.pass.write(start, start + c.len_utf8(), "\"");
        if let Some(mut open) = self.curly.take() {
            if let Some(Fix { edits, .. }) = open.fixes.first_mut() {
                edits.push(Edit { span, replacement: "\"".to_string() });
            }
            self.pass.sink.push(open);
            self.zone = Zone::Code;
        } else {
            self.curly = Some(findings::curly_quote(span, c));
            self.zone = Zone::Curly;
        }
    }

    /// A name with letters of another width or script.
    fn word(&mut self, at: usize) -> usize {
        let rest = &self.line[at..];
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '＿' | '－' | '．');
        let len = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (word, start) = (&rest[..len], self.start + at);
        let meant: Option<Vec<&str>> = word
            .char_indices()
            .map(|(i, c)| if c.is_ascii() { word.get(i..=i) } else { plain(c).or_else(|| letter(c)) })
            .collect();
        let Some(meant) = meant.filter(|_| !word.is_ascii()) else {
            self.pass.write(start, start + len, word);
            return len;
        };
        let span = self.pass.span(start, start + len);
        let written = meant.concat();
        self.pass.sink.push(match word.chars().find(|c| !c.is_ascii() && plain(*c).is_none()) {
            Some(odd) => findings::look_alike(span, word, odd, letter(odd).unwrap_or_default(), &written),
            None => findings::not_ascii(span, word, &written, true),
        });
        for (c, meant) in word.char_indices().zip(meant) {
            self.pass.write(start + c.0, start + c.0 + c.1.len_utf8(), meant);
        }
        len
    }

    /// A sign: as it is, or what it was meant as.
    fn sign(&mut self, at: usize, c: char) -> usize {
        let Some(meant) = plain(c) else {
            let end = at + c.len_utf8();
            self.pass.write(self.start + at, self.start + end, &self.line[at..end]);
            return c.len_utf8();
        };
        let rest = &self.line[at..];
        // Bars count one by one; a run of the same sign is one finding.
        let len = if meant == "|" { c.len_utf8() } else { rest.find(|o| o != c).unwrap_or(rest.len()) };
        let n = len / c.len_utf8();
        let start = self.start + at;
        let span = self.pass.span(start, start + len);
        self.pass.sink.push(findings::not_ascii(span, &rest[..len], &meant.repeat(n), is_wide(c)));
        for i in 0..n {
            self.pass.write(start + i * c.len_utf8(), start + (i + 1) * c.len_utf8(), meant);
        }
        len
    }
}

/// Whether `#3` and nothing else stands in the cell that begins here.
fn is_row_number(rest: &str) -> bool {
    let digits = rest[1..].trim_start_matches(|c: char| c.is_ascii_digit());
    digits.len() + 1 < rest.len() && digits.trim_start().starts_with(['|', '｜'])
}
