//! Findings about facts, headers and what stands in `{ }`.

use super::{an, list};
use crate::diag::{self, Diagnostic};
use crate::model::{Budget, Fact, FactSource, Type};
use crate::syntax::tree::{Entry, Word};
use crate::text::Span;
use crate::words::{parse_duration, show_duration};

pub(in crate::model::lower) fn unknown_type(word: &Word, near: &str) -> Diagnostic {
    Diagnostic::new(diag::N0215, format!("`{}` is no type", word.text))
        .at(word.span, "not a type")
        .help(format!("did you mean `{near}`? types are `count`, `integer`, `decimal`, `duration`, `instant`, `version`, `text`, or values such as `yes, no`"))
        .fix(format!("write `{near}`"), false, word.span, near)
}

pub(in crate::model::lower) fn bounds_of_text(extra: &Word) -> Diagnostic {
    Diagnostic::new(diag::N0215, "a text has neither bounds nor a step")
        .at(extra.span, "not for a text")
        .help("write `text` alone")
}

pub(in crate::model::lower) fn bad_domain(kind: &str, reversed: bool, span: Span) -> Diagnostic {
    if reversed {
        return Diagnostic::new(diag::N0215, "the domain is empty: its bounds run backwards")
            .at(span, "the lower bound stands first")
            .help("write the lower bound first, such as `0..10`");
    }
    Diagnostic::new(diag::N0215, format!("the domain is wider than {} can be", an(kind)))
        .at(span, "too wide")
        .help("leave the bound out")
}

pub(in crate::model::lower) fn step_of(kind: &str, word: &Word) -> Diagnostic {
    Diagnostic::new(diag::N0215, format!("only a decimal has a step, and this is {}", an(kind)))
        .at(word.span, "not needed here")
        .help("leave `step` out: a count and an integer go by 1, a duration by a millisecond")
}

pub(in crate::model::lower) fn bad_step(word: &Word) -> Diagnostic {
    Diagnostic::new(diag::N0215, format!("a step of `{}` leads nowhere", word.text))
        .at(word.span, "must be above 0")
        .help("write a step such as `0.01`")
}

pub(in crate::model::lower) fn cannot_extend(word: &Word, fact: &Fact) -> Diagnostic {
    let what = match (&fact.ty, fact.source) {
        (_, FactSource::Derived { .. }) => "is derived: its derive names its values",
        (_, FactSource::Parity(_)) => "is the verdict of a parity",
        (Type::Choice { flag: true, .. }, _) => "is a flag",
        (Type::Choice { ordered: true, .. }, _) => "has an order, in which a new value would have no place",
        _ => "is no choice",
    };
    Diagnostic::new(diag::N0216, format!("`{}` cannot be extended: it {what}", word.text))
        .at(word.span, "only a choice without an order can be extended")
        .and(fact.span, "declared here")
        .help("declare a fact of your own")
}

pub(in crate::model::lower) fn group_like_value(word: &Word, fact: &Fact) -> Diagnostic {
    Diagnostic::new(diag::N0203, format!("`{}` is already a value of `{}`", word.text, fact.name))
        .at(word.span, "a group of the same name")
        .and(fact.span, "the fact is declared here")
        .help("give the group another name")
}

pub(in crate::model::lower) fn header_twice(what: &str, word: &Word, first: &Word) -> Diagnostic {
    Diagnostic::new(diag::N0217, format!("`{what}` is written twice"))
        .at(word.span, "a second time")
        .and(first.span, "already here")
        .help("keep one of the two")
}

pub(in crate::model::lower) fn no_policy(what: &str, span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0217, format!("`{what}` stands in a file without a `policy` line"))
        .at(span, "only a policy has this")
        .help("write `policy NAME` first; a file without it is a vocabulary for others to use")
}

pub(in crate::model::lower) fn no_version(policy: &Word) -> Diagnostic {
    Diagnostic::new(diag::N0701, format!("`{}` has no version", policy.text))
        .at(policy.span, "no `version` line follows")
        .help("write `version 1.0.0` below: decisions are recorded with it")
        .fix("add a version", true, policy.span.after(), "\nversion 1.0.0")
}

pub(in crate::model::lower) fn nothing_to_decide(span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0218, "this policy decides nothing: it has no `table`")
        .at(span, "no table follows")
        .help("write one: `table recovery, first row wins`; the first is the entry")
}

pub(in crate::model::lower) fn too_many(what: &str, given: usize, allowed: usize, span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0219, format!("too many {what}: {given}, and at most {allowed} are allowed"))
        .at(span, "past the limit here")
        .help("split the policy, or say it with fewer")
}

pub(in crate::model::lower) fn unknown_key(what: &str, key: &Word, near: Option<&str>, keys: &[&str]) -> Diagnostic {
    let finding = Diagnostic::new(diag::N0220, format!("{} has no entry `{}`", an(what), key.text))
        .at(key.span, "not known here");
    match near {
        Some(near) => {
            finding.help(format!("did you mean `{near}`?")).fix(format!("write `{near}`"), false, key.span, near)
        }
        None => finding.help(format!("it has {}", list(keys.iter().copied(), "and"))),
    }
}

pub(in crate::model::lower) fn key_twice(second: Span, key: &str, first: Span) -> Diagnostic {
    Diagnostic::new(diag::N0220, format!("`{key}` is written twice"))
        .at(second, "a second time")
        .and(first, "already here")
        .help("keep one of the two")
}

pub(in crate::model::lower) fn missing_keys(what: &str, missing: &[&str], span: Span) -> Diagnostic {
    let help: Vec<String> = missing
        .iter()
        .map(|key| match *key {
            "owner" => "`owner coordinator`, the one layer that may retry".into(),
            "attempts" => "`attempts 3`, the first included".into(),
            "deadline" => "`deadline 20s`, the intent's whole time".into(),
            "base" => "`base 200ms`, the first wait".into(),
            "cap" => "`cap 8s`, the longest wait".into(),
            other => format!("`{other}`"),
        })
        .collect();
    Diagnostic::new(diag::N0221, format!("{} lacks {}", an(what), list(missing.iter().copied(), "and")))
        .at(span, "")
        .help(format!("write {}", help.join("; ")))
}

/// An entry of a key and one duration with a space inside, such as `deadline 20 s`.
pub(in crate::model::lower) fn spaced_entry(entry: &Entry, example: &str) -> Option<Diagnostic> {
    let [_, number, unit] = entry.words.as_slice() else { return None };
    parse_duration(example.rsplit(' ').next()?).ok()?;
    spaced_unit(number, unit)
}

/// `24 h`, `1 day`, where it is that.
pub(in crate::model::lower) fn spaced_unit(number: &Word, unit: &Word) -> Option<Diagnostic> {
    let meant = parse_duration(&format!("{} {}", number.text, unit.text)).err()?.instead?;
    let span = number.span.to(unit.span);
    let finding = Diagnostic::new(diag::N0126, "a space stands between the number and its unit").at(span, "");
    Some(finding.help(format!("write `{meant}`")).fix(format!("write `{meant}`"), true, span, meant))
}

pub(in crate::model::lower) fn bad_entry(span: Span, example: &str) -> Diagnostic {
    Diagnostic::new(diag::N0222, "this entry cannot be read").at(span, "").help(format!("write it like `{example}`"))
}

pub(in crate::model::lower) fn no_time_left(budget: &Budget, deadline: Span, other: Option<Span>) -> Diagnostic {
    let taken = budget.reserve_ms + budget.least_ms;
    let finding = Diagnostic::new(diag::N0223, "the deadline leaves no time for an attempt")
        .at(deadline, format!("{} in all", show_duration(budget.deadline_ms)))
        .help(format!(
            "`reserve` and `least` together take {}: make the deadline longer than that",
            show_duration(taken)
        ));
    match other {
        Some(span) => finding.and(span, "kept back or needed here"),
        None => finding,
    }
}

pub(in crate::model::lower) fn bad_backoff(base_ms: u64, cap_ms: u64, base: Span, cap: Span) -> Diagnostic {
    if base_ms == 0 {
        return Diagnostic::new(diag::N0223, "a backoff cannot start from nothing")
            .at(base, "no wait at all")
            .help("write a base such as `base 200ms`; to retry without a wait write `retry now`");
    }
    Diagnostic::new(diag::N0223, "the first wait is longer than the longest")
        .at(base, show_duration(base_ms))
        .and(cap, format!("the cap is {}", show_duration(cap_ms)))
        .help("make `cap` at least as long as `base`")
}

pub(in crate::model::lower) fn bad_factor(text: &str, span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0223, format!("`{text}` cannot be a factor"))
        .at(span, "from 1 to 100, by tenths")
        .help("write a factor such as `2` or `1.5`")
}

pub(in crate::model::lower) fn bad_jitter(word: &Word, near: Option<&str>) -> Diagnostic {
    let finding =
        Diagnostic::new(diag::N0222, format!("there is no jitter `{}`", word.text)).at(word.span, "not known here");
    match near {
        Some(near) => {
            finding.help(format!("did you mean `{near}`?")).fix(format!("write `{near}`"), false, word.span, near)
        }
        None => finding.help("write `none` (the whole wait), `equal` (half of it to all) or `full` (nothing to all)"),
    }
}

pub(in crate::model::lower) fn forgets_first(remembers: Span, lag: Option<Span>) -> Diagnostic {
    let finding = Diagnostic::new(diag::N0223, "this locator forgets a result before it can show")
        .at(remembers, "no longer than the lag")
        .help("`remembers` counts from the first send and must outlast `lag`");
    match lag.filter(|l| *l != remembers) {
        Some(span) => finding.and(span, "the lag"),
        None => finding,
    }
}

pub(in crate::model::lower) fn budget_twice(second: Span, first: Span) -> Diagnostic {
    Diagnostic::new(diag::N0224, "there are two budgets")
        .at(second, "a second one")
        .and(first, "the first one")
        .help("keep one: another deadline or another number of attempts is another policy")
}

pub(in crate::model::lower) fn empty_parity(name: &Word) -> Diagnostic {
    Diagnostic::new(diag::N0225, format!("the parity `{}` asks for nothing", name.text))
        .at(name.span, "every release would meet it")
        .help("say what a fallback must share, such as `same safety_policy, tool_schema`")
}

pub(in crate::model::lower) fn field_twice(field: &Word, first: Span) -> Diagnostic {
    Diagnostic::new(diag::N0225, format!("`{}` is spoken of twice", field.text))
        .at(field.span, "a second time")
        .and(first, "already here")
        .help("say one thing of each field")
}

pub(in crate::model::lower) fn bad_parity_term(span: Span, near: Option<&str>) -> Diagnostic {
    let finding = Diagnostic::new(diag::N0225, "this is no term of a parity").at(span, "cannot be read");
    match near {
        Some(near) => finding.help(format!("did you mean `{near}`? write it like {}", parity_example(near))),
        None => finding.help("write `same FIELD, …`, `no broader FIELD, …`, `at least FIELD 0.90`, `fresh FIELD within 90d` or `may differ FIELD, …`"),
    }
}

fn parity_example(term: &str) -> &'static str {
    match term {
        "same" => "`same safety_policy, tool_schema`",
        "no broader" => "`no broader permissions, tools`",
        "at least" => "`at least evaluation.groundedness 0.90`",
        "fresh" => "`fresh evaluation.date within 90d`",
        _ => "`may differ provider, model`",
    }
}
