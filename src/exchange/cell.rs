//! What a cell from elsewhere says, before it is known what its column is: alternatives of conjunctions of tests, as in
//! the language, over values that are texts still.
//!
//! Spreadsheets are read by `loose`, FEEL by `dmn/feel`; [`Cell::show`] writes the language, with each value written as its
//! fact's type asks.

use std::collections::BTreeSet;

use super::names::folded;
use crate::syntax::tree::{self, AtomKind, CellExpr, Comparison, Element};

/// A cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cell {
    /// Everything, unknown included.
    Any,
    /// One of these alternatives, of each all tests.
    Tests(Vec<Vec<Atom>>),
}

/// One test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Atom {
    Unknown,
    Known,
    List(Vec<Member>),
    Not(Vec<Member>),
    Compare(Comparison, Literal),
    Starts(String),
}

/// A member of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Member {
    One(Literal),
    Range(Literal, Literal, bool),
}

/// A value as it stands in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Literal {
    pub(super) text: String,
    pub(super) kind: LiteralKind,
}

/// What a value was written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LiteralKind {
    /// A bare word or number.
    Bare,
    /// A text in quotes.
    Quoted,
}

impl Literal {
    pub(super) fn bare(text: impl Into<String>) -> Self {
        Literal { text: text.into(), kind: LiteralKind::Bare }
    }

    pub(super) fn quoted(text: impl Into<String>) -> Self {
        Literal { text: text.into(), kind: LiteralKind::Quoted }
    }
}

impl Cell {
    /// One of some values.
    pub(super) fn one_of(values: impl IntoIterator<Item = Literal>) -> Self {
        Cell::Tests(vec![vec![Atom::List(values.into_iter().map(Member::One).collect())]])
    }

    /// What a cell of the language says.
    pub(super) fn of(expr: &CellExpr) -> Self {
        let conjunction = |atoms: &Vec<tree::Atom>| match &atoms[..] {
            // `unknown, a` is two alternatives: so the word never hides in a list.
            [only] if let AtomKind::List(elements) = &only.kind => {
                let unknown = matches!(elements.first(), Some(Element::Unknown(_)));
                let rest: Vec<Member> = elements.iter().filter_map(member).collect();
                let mut out: Vec<Vec<Atom>> = if unknown { vec![vec![Atom::Unknown]] } else { Vec::new() };
                out.extend((!rest.is_empty()).then(|| vec![Atom::List(rest)]));
                out
            }
            atoms => vec![atoms.iter().map(atom).collect()],
        };
        Cell::Tests(expr.alternatives.iter().flat_map(conjunction).collect())
    }

    /// Every value in it, in order.
    pub(super) fn literals(&self) -> impl Iterator<Item = &Literal> {
        let alternatives: &[Vec<Atom>] = if let Cell::Tests(alternatives) = self { alternatives } else { &[] };
        alternatives.iter().flatten().flat_map(|atom| match atom {
            Atom::List(members) | Atom::Not(members) => members
                .iter()
                .flat_map(|member| match member {
                    Member::One(one) => vec![one],
                    Member::Range(lo, hi, _) => vec![lo, hi],
                })
                .collect(),
            Atom::Compare(_, literal) => vec![literal],
            Atom::Unknown | Atom::Known | Atom::Starts(_) => Vec::new(),
        })
    }

    /// The values that it names by themselves.
    pub(super) fn members(&self) -> impl Iterator<Item = &Literal> {
        let alternatives: &[Vec<Atom>] = if let Cell::Tests(alternatives) = self { alternatives } else { &[] };
        alternatives
            .iter()
            .flatten()
            .flat_map(|atom| match atom {
                Atom::List(members) | Atom::Not(members) => &members[..],
                _ => &[],
            })
            .filter_map(|member| if let Member::One(one) = member { Some(one) } else { None })
    }

    /// The folded values that it leaves out, where that is all that it says.
    pub(super) fn excluded(&self) -> Option<BTreeSet<String>> {
        match self {
            Cell::Tests(alternatives) => match &alternatives[..] {
                [only] if matches!(&only[..], [Atom::Not(_)]) => {
                    Some(self.members().map(|l| folded(&l.text)).collect())
                }
                _ => None,
            },
            Cell::Any => None,
        }
    }

    /// The ends that it compares with.
    pub(super) fn ends(&self) -> impl Iterator<Item = &Literal> {
        self.literals().filter(|literal| !self.members().any(|member| std::ptr::eq(member, *literal)))
    }

    /// Whether it compares by order: ranges too.
    pub(super) fn compares(&self) -> bool {
        let alternatives: &[Vec<Atom>] = if let Cell::Tests(alternatives) = self { alternatives } else { &[] };
        alternatives.iter().flatten().any(|atom| match atom {
            Atom::List(members) | Atom::Not(members) => members.iter().any(|m| matches!(m, Member::Range(..))),
            Atom::Compare(..) => true,
            _ => false,
        })
    }

    /// Whether it tests how a text begins.
    pub(super) fn starts(&self) -> bool {
        matches!(self, Cell::Tests(alternatives) if alternatives.iter().flatten().any(|a| matches!(a, Atom::Starts(_))))
    }

    /// The cell in the language; unknown comes first.
    ///
    /// # Errors
    /// The first value that its column does not take, in the words of `value`.
    pub(super) fn show(&self, value: &mut dyn FnMut(&Literal) -> Result<String, String>) -> Result<String, String> {
        let Cell::Tests(alternatives) = self else { return Ok("-".into()) };
        let mut sorted: Vec<&Vec<Atom>> = alternatives.iter().collect();
        sorted.sort_by_key(|atoms| atoms[..] != [Atom::Unknown]);
        let mut out = String::new();
        let mut in_list = false;
        for atoms in sorted {
            let is_list = matches!(&atoms[..], [Atom::Unknown | Atom::List(_)]);
            if !out.is_empty() {
                out.push_str(if in_list && is_list { ", " } else { " or " });
            }
            in_list = is_list;
            for (i, atom) in atoms.iter().enumerate() {
                if i > 0 {
                    out.push_str(" and ");
                }
                out.push_str(&show_atom(atom, value)?);
            }
        }
        Ok(out)
    }
}

fn show_atom(atom: &Atom, value: &mut dyn FnMut(&Literal) -> Result<String, String>) -> Result<String, String> {
    let mut list = |members: &[Member]| -> Result<String, String> {
        let mut shown = Vec::new();
        for member in members {
            shown.push(match member {
                Member::One(one) => value(one)?,
                Member::Range(lo, hi, open) => {
                    format!("{}{}{}", value(lo)?, if *open { "..<" } else { ".." }, value(hi)?)
                }
            });
        }
        Ok(shown.join(", "))
    };
    Ok(match atom {
        Atom::Unknown => "unknown".into(),
        Atom::Known => "known".into(),
        Atom::List(members) => list(members)?,
        Atom::Not(members) => format!("not {}", list(members)?),
        Atom::Compare(sign, literal) => format!("{} {}", show_sign(*sign), value(literal)?),
        Atom::Starts(text) => format!("starts {}", crate::model::quote(text)),
    })
}

/// A comparison's sign.
pub(super) fn show_sign(sign: Comparison) -> &'static str {
    match sign {
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
        Comparison::Greater => ">",
        Comparison::AtLeast => ">=",
    }
}

/// The sign that says the opposite of known values.
pub(super) fn opposite(sign: Comparison) -> Comparison {
    match sign {
        Comparison::Less => Comparison::AtLeast,
        Comparison::AtMost => Comparison::Greater,
        Comparison::Greater => Comparison::AtMost,
        Comparison::AtLeast => Comparison::Less,
    }
}

fn atom(atom: &tree::Atom) -> Atom {
    match &atom.kind {
        AtomKind::Known => Atom::Known,
        AtomKind::List(elements) => Atom::List(elements.iter().filter_map(member).collect()),
        AtomKind::Not(elements) => Atom::Not(elements.iter().filter_map(member).collect()),
        AtomKind::Compare(sign, value) => Atom::Compare(*sign, literal(value)),
        AtomKind::Starts(value) => Atom::Starts(value.text.to_string()),
    }
}

fn member(element: &Element) -> Option<Member> {
    match element {
        Element::Unknown(_) => None,
        Element::One(one) => Some(Member::One(literal(one))),
        Element::Range { lo, hi, open } => Some(Member::Range(literal(lo), literal(hi), *open)),
    }
}

fn literal(value: &tree::Literal) -> Literal {
    if value.quoted { Literal::quoted(&*value.text) } else { Literal::bare(&*value.text) }
}
