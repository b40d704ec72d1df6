//! Policies written at random in the language, from the text to the decision: what the whole way must hold for any of
//! them. The draws come from a list of numbers, so that a failing policy shrinks to a short one.

mod guards;
mod oracle;
mod words;
mod writer;

/// A policy of these draws, laid out plainly.
pub(crate) fn text(draws: &[u16]) -> String {
    writer::policy(&mut words::Draws::new(draws)).text(writer::Layout::Plain)
}

/// The same with comments, blank lines, and cells of ever other widths.
pub(crate) fn wide(draws: &[u16]) -> String {
    writer::policy(&mut words::Draws::new(draws)).text(writer::Layout::Wide)
}

/// Values that callers may write: at the bounds of what policies test, beside them, and of other facts.
pub(crate) fn values() -> impl Iterator<Item = &'static str> {
    let kinds = words::OWN.iter().chain(words::STD);
    ["unknown", "none", "registered", "20s"].into_iter().chain(kinds.flat_map(|k| k.values.iter().copied()))
}
