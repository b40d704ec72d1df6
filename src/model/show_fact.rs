//! What a fact may be, as it is declared.

use super::{Fact, Type, show_number};

/// The domain of a fact: `low < medium < high`, `decimal 0.. step 0.01`, `duration or none`. Words of its own are shown as
/// `word` says.
pub fn show_domain(fact: &Fact, word: impl Fn(&str) -> String) -> String {
    let mut text = match &fact.ty {
        Type::Choice { values, ordered, .. } => {
            let values: Vec<String> = values.iter().map(|value| word(value)).collect();
            values.join(if *ordered { " < " } else { ", " })
        }
        Type::Text => "text".into(),
        Type::Number(ty) => {
            let whole = ty.kind.whole();
            // An end that is the kind's own, on the grid, says nothing.
            let end = |value, is_open| if is_open { String::new() } else { show_number(ty.kind, value) };
            let (lo, hi) = (end(ty.lo, ty.lo - ty.step < whole.lo), end(ty.hi, ty.hi + ty.step > whole.hi));
            let bounds = if lo.is_empty() && hi.is_empty() { String::new() } else { format!(" {lo}..{hi}") };
            let step = if ty.step == whole.step || ty.dense {
                String::new()
            } else {
                format!(" step {}", show_number(ty.kind, ty.step))
            };
            format!("{}{bounds}{step}", ty.kind.as_str())
        }
    };
    for point in &fact.points {
        text = format!("{text} or {}", word(point));
    }
    text
}
