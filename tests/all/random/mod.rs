//! Policies written at random in the language, from the text to the decision: what the whole way must hold for any of
//! them. The draws come from a list of numbers, so that a failing policy shrinks to a short one.

mod guards;
mod oracle;
mod words;
mod writer;
