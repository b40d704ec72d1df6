//! Where something stands in a file from elsewhere, and what could not be carried over from there.

use std::fmt;

/// A place in a file from elsewhere.
///
/// ```
/// use nisi::exchange::Place;
/// let place = Place::Cell { sheet: None, column: 1, row: 6 };
/// assert_eq!(place.to_string(), "B7");
/// assert_eq!(Place::Element { id: "rule_3".into(), line: 40 }.to_string(), "rule_3 (line 40)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The whole file.
    Whole,
    /// A line, from 1.
    Line(usize),
    /// A cell of a spreadsheet; column and row count from 0 and are shown as `B7`.
    Cell {
        /// The sheet, where the file holds several.
        sheet: Option<Box<str>>,
        /// The column.
        column: usize,
        /// The row.
        row: usize,
    },
    /// An element of XML, by its id or its name, and the line that it begins on.
    Element {
        /// Its id; where it has none, its name.
        id: Box<str>,
        /// The line, from 1.
        line: usize,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Whole => f.write_str("the file"),
            Place::Line(line) => write!(f, "line {line}"),
            Place::Cell { sheet, column, row } => {
                if let Some(sheet) = sheet {
                    write!(f, "{sheet}!")?;
                }
                write!(f, "{}{}", letters(*column), row + 1)
            }
            Place::Element { id, line } => write!(f, "{id} (line {line})"),
        }
    }
}

/// The letters of a column of a spreadsheet: `A`, `Z`, `AA`.
fn letters(column: usize) -> String {
    let mut rest = column + 1;
    let mut out = Vec::new();
    while rest > 0 {
        rest -= 1;
        out.push(b'A' + (rest % 26) as u8);
        rest /= 26;
    }
    out.iter().rev().map(|b| char::from(*b)).collect()
}

/// Something that is not, or not quite, in the result as it was in what was given.
///
/// ```
/// use nisi::exchange::{Notice, Place};
/// let left = Notice { place: Place::Line(4), is_left: true, text: "the hit policy is not said".into() };
/// assert_eq!(left.to_string(), "left: line 4: the hit policy is not said");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Where it stood.
    pub place: Place,
    /// Whether it was left behind; otherwise it was carried over, and this tells how.
    pub is_left: bool,
    /// What it is, and what to do about it.
    pub text: String,
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.is_left { "left" } else { "note" };
        write!(f, "{word}: {}: {}", self.place, self.text)
    }
}

/// What gathers on the way.
#[derive(Debug, Default)]
pub(super) struct Notices(pub(super) Vec<Notice>);

impl Notices {
    /// Something stays behind.
    pub(super) fn left(&mut self, place: &Place, text: impl Into<String>) {
        self.0.push(Notice { place: place.clone(), is_left: true, text: short(&text.into()) });
    }

    /// Something was carried over in a way that is worth a look.
    pub(super) fn note(&mut self, place: &Place, text: impl Into<String>) {
        let notice = Notice { place: place.clone(), is_left: false, text: short(&text.into()) };
        // The same is noticed at most a few times in a row.
        if !self.0.iter().rev().take(64).any(|before| *before == notice) {
            self.0.push(notice);
        }
    }
}

/// A text that people can read to its end: the middle of a very long one is left out.
pub(super) fn short(text: &str) -> String {
    const HALF: usize = 300;
    let n_chars = text.chars().count();
    if n_chars <= 2 * HALF {
        return text.to_string();
    }
    let (first, last): (String, String) =
        (text.chars().take(HALF).collect(), text.chars().skip(n_chars - HALF).collect());
    format!("{first} … {last}")
}

/// Why a file gives no policy, or a policy no file; see [`import`](super::import) and [`export`](super::export()).
///
/// ```
/// use nisi::exchange::{Import, import};
/// let refused = import(b"a,b\n1,\xff\n", &Import { file: "t.csv", ..Import::default() }, &nisi::compile::NoSources).unwrap_err();
/// assert_eq!(refused.to_string(), "`t.csv` is not written in UTF-8: its byte 7 is 0xFF");
/// assert!(refused.help.unwrap().contains("save it as UTF-8"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refused {
    /// What is wrong: lower case, without a full stop.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Refused {
    pub(super) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Refused { message: message.into(), help: Some(help.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_letters() {
        for (column, shown) in [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (701, "ZZ"), (702, "AAA"), (16383, "XFD")]
        {
            assert_eq!(letters(column), shown);
        }
    }
}
