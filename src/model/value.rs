//! A fact's value.

/// The value of one fact: what the caller established, or that it did not.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Value {
    /// The caller did not or could not establish it.
    #[default]
    Unknown,
    /// A named point beside the domain (`or none`), by its place in the declaration.
    Point(u16),
    /// A choice's value, by its place in the declaration; a flag's `yes` is 0, `no` is 1.
    Choice(u16),
    /// A number in ticks (see [`NumberKind`](super::NumberKind)).
    Number(i128),
    /// A text.
    Text(Box<str>),
}
