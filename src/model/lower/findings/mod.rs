//! What lowering finds: one function for each way of saying it, a code for each kind of mistake.

mod items;
mod rows;
mod words;

pub(super) use items::*;
pub(super) use rows::*;
pub(super) use words::*;

/// `a, b or c`, each in backticks; at most eight of them.
fn list<'a>(names: impl IntoIterator<Item = &'a str>, last: &str) -> String {
    let names: Vec<String> = names.into_iter().map(|n| format!("`{n}`")).collect();
    let (shown, more) = if names.len() > 8 { (&names[..8], true) } else { (&names[..], false) };
    match shown {
        [] => "nothing".into(),
        _ if more => format!("{} and {} more", shown.join(", "), names.len() - 8),
        [only] => only.clone(),
        [init @ .., end] => format!("{} {last} {end}", init.join(", ")),
    }
}

fn an(word: &str) -> String {
    let article = if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {word}")
}
