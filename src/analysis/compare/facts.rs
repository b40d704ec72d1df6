//! Callers' facts that are not the same on both sides, each with a sentence on how it was compared.

use crate::model::{Fact, Model, NumberType, Type, show_number};

use super::comparison::{FactChange, FactChangeKind};
use super::matching::{Matched, Matching};

/// The facts that differ, in order.
pub(super) fn fact_changes(models: [&Model; 2], matching: &Matching) -> Vec<FactChange> {
    matching.facts.iter().filter_map(|matched| fact_change(models, matched)).collect()
}

fn fact_change(models: [&Model; 2], matched: &Matched) -> Option<FactChange> {
    let name = matched.name.to_string();
    let change = |kind, compared| Some(FactChange { name: name.clone(), kind, compared });
    let derived = |model: &Model| model.fact_id(&name).is_some_and(|f| !model.fact(f).is_callers());
    let (old, new) = match matched.facts {
        [Some(old), Some(new)] => (models[0].fact(old), models[1].fact(new)),
        [Some(_), None] if derived(models[1]) => {
            let text =
                format!("callers gave `{name}` to the old policy, the new one derives it: it moves only the old one");
            return change(FactChangeKind::Removed, text);
        }
        [Some(_), None] => {
            let text = format!("the new policy does not declare `{name}`: it moves only the old one");
            return change(FactChangeKind::Removed, text);
        }
        [None, _] if derived(models[0]) => {
            let text =
                format!("the old policy derived `{name}`, callers give it to the new one: it moves only the new one");
            return change(FactChangeKind::Added, text);
        }
        [None, _] => {
            let text = format!("the old policy does not declare `{name}`: it moves only the new one");
            return change(FactChangeKind::Added, text);
        }
    };
    if old.name != new.name {
        let text = format!("`{}` of the new policy has the same terms: both were taken as one fact", new.name);
        return change(FactChangeKind::Renamed, text);
    }
    domain(old, new).and_then(|text| change(FactChangeKind::Domain, text))
}

/// How two domains differ; nothing where they are the same.
fn domain(old: &Fact, new: &Fact) -> Option<String> {
    let name = &old.name;
    match (&old.ty, &new.ty) {
        (Type::Choice { .. }, Type::Choice { .. }) | (Type::Text, Type::Text) => words(old, new),
        (Type::Number(a), Type::Number(b)) if super::grid::joined(a, b).is_some() => {
            let told = (a != b).then(|| {
                let (a, b) = (number(a), number(b));
                format!("`{name}` was {a} and is {b}: a value that one side does not have reaches it as unknown")
            });
            match (told, words(old, new)) {
                (Some(told), Some(words)) => Some(format!("{told}; {words}")),
                (told, words) => told.or(words),
            }
        }
        (a, b) => {
            let (a, b) = (kind(a), kind(b));
            Some(format!(
                "`{name}` was {a} and is {b}: they share no value but words of one name; every other value reaches \
                 the other side as unknown"
            ))
        }
    }
}

fn words(old: &Fact, new: &Fact) -> Option<String> {
    let lacks = |from: &Fact, other: &Fact| -> Vec<String> {
        from.words().filter(|w| other.named_value(w).is_none()).map(|w| format!("`{w}`")).collect()
    };
    let (gone, come) = (lacks(old, new), lacks(new, old));
    let mut parts = Vec::new();
    if !gone.is_empty() {
        parts.push(format!("{} of `{}` is gone: it reaches the new policy as unknown", gone.join(", "), old.name));
    }
    if !come.is_empty() {
        parts.push(format!("{} of `{}` is new: it reaches the old policy as unknown", come.join(", "), old.name));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn kind(ty: &Type) -> String {
    match ty {
        Type::Choice { flag: true, .. } => "a flag".into(),
        Type::Choice { .. } => "a choice".into(),
        Type::Text => "a text".into(),
        Type::Number(ty) => number(ty),
    }
}

/// A number as it is declared: `decimal 0..10 step 0.1`.
fn number(ty: &NumberType) -> String {
    let whole = ty.kind.whole();
    let end = |n: i128, open: bool| if open { String::new() } else { show_number(ty.kind, n) };
    let bounds = if ty.lo != whole.lo || ty.hi != whole.hi {
        format!(" {}..{}", end(ty.lo, ty.lo == whole.lo), end(ty.hi, ty.hi == whole.hi))
    } else {
        String::new()
    };
    let step = if ty.step != whole.step || ty.dense != whole.dense {
        format!(" step {}", show_number(ty.kind, ty.step))
    } else {
        String::new()
    };
    format!("`{}{bounds}{step}`", ty.kind.as_str())
}
