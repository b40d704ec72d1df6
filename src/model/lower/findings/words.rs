//! Findings about names, literals and cells.

use super::{an, list};
use crate::diag::{self, Code, Diagnostic, nearest};
use crate::model::lower::literals::show;
use crate::model::{Fact, NumberKind, NumberType, Type, quoted_if_needed};
use crate::syntax::tree::Word;
use crate::text::Span;
use crate::words::{LiteralError, parse_duration};

pub(in crate::model::lower) fn unknown_name<'n>(
    kind: &str,
    word: &Word,
    names: impl Iterator<Item = &'n str> + Clone,
) -> Diagnostic {
    let finding = Diagnostic::new(diag::N0201, format!("there is no {kind} `{}`", word.text))
        .at(word.span, format!("no such {kind}"));
    match nearest(&word.text, names.clone()) {
        Some(near) => {
            finding.help(format!("did you mean `{near}`?")).fix(format!("write `{near}`"), false, word.span, near)
        }
        None if names.clone().next().is_none() => {
            finding.help(format!("no {kind} is declared: {}", how_to_declare(kind, &word.text)))
        }
        None => finding.help(format!(
            "there is {}; or declare it: {}",
            list(names, "and"),
            how_to_declare(kind, &word.text)
        )),
    }
}

fn how_to_declare(kind: &str, name: &str) -> String {
    match kind {
        "fact" => format!("`fact {name} : yes, no`, or `use std.facts` for the shipped vocabulary"),
        "action" => format!("`action {name} : review somebody`"),
        "table" => format!("`table {name}, first row wins`"),
        "backoff" => format!("`backoff {name} {{ base 200ms, factor 2, cap 8s, jitter full }}`"),
        "locator" => format!("`locator {name} {{ remembers 24h }}`"),
        "parity" => format!("`parity {name} {{ same safety_policy }}`"),
        "rule" => format!("`rule {name}: never retry when …`"),
        _ => format!("`{kind} {name} …`"),
    }
}

pub(in crate::model::lower) fn other_kind(word: &Word, wanted: &str, found: &str, declared: Span) -> Diagnostic {
    let name = &word.text;
    Diagnostic::new(diag::N0206, format!("`{name}` is {}, and {} is needed here", an(found), an(wanted)))
        .at(word.span, format!("{} is needed", an(wanted)))
        .and(declared, format!("`{name}` is declared as {} here", an(found)))
        .help(format!("name {} here, or declare one under another name", an(wanted)))
}

pub(in crate::model::lower) fn group_of_another(group: &str, wanted: &Fact, found: &Fact, span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0206, format!("`{group}` is a group of `{}`, not of `{}`", found.name, wanted.name))
        .at(span, format!("this column is `{}`", wanted.name))
        .help(format!("write values of `{}`, or a group of it", wanted.name))
}

pub(in crate::model::lower) fn name_twice(word: &Word, kind: &str, first: Span, std: bool) -> Diagnostic {
    let finding = Diagnostic::new(diag::N0203, format!("the name `{}` is taken", word.text))
        .at(word.span, "declared again here")
        .and(first, format!("first declared here, as {}", an(kind)));
    if std {
        return finding
            .help("the shipped vocabulary cannot be declared again: proofs stand on its words; choose another name");
    }
    finding.help("all names of a policy and of what it uses are one space: choose another name, or drop one of the two")
}

pub(in crate::model::lower) fn reserved_name(kind: &str, word: &Word) -> Diagnostic {
    let name = &word.text;
    Diagnostic::new(diag::N0205, format!("`{name}` is a word of the language and cannot name {}", an(kind)))
        .at(word.span, "a word of the language")
        .help(format!("choose another name, such as `the_{name}`"))
}

pub(in crate::model::lower) fn reserved_value(word: &Word) -> Diagnostic {
    let name = &word.text;
    Diagnostic::new(diag::N0205, format!("`{name}` cannot be a value: every fact has it already"))
        .at(word.span, "a word of the language")
        .help(format!(
            "leave it out: `{name}` can be tested of every fact; for a value that the caller knows, choose another word"
        ))
}

pub(in crate::model::lower) fn value_twice(word: &Word, of: &str, first: Span) -> Diagnostic {
    Diagnostic::new(
        diag::N0204,
        format!("`{of}` already has `{}`", word.text)
            .replace("`this choice`", "this choice")
            .replace("`this group`", "this group"),
    )
    .at(word.span, "a second time")
    .and(first, "already here")
    .help("write each value once")
}

pub(in crate::model::lower) fn element_twice(second: Span, first: Span) -> Diagnostic {
    Diagnostic::new(diag::N0204, "the same value stands twice in this cell")
        .at(second, "a second time")
        .and(first, "already here")
        .help("write each value once")
}

pub(in crate::model::lower) fn literal(error: &LiteralError, span: Span) -> Diagnostic {
    let finding = Diagnostic::new(code_of(error), error.message.clone()).at(span, "");
    with_help(finding, error, span)
}

fn code_of(error: &LiteralError) -> Code {
    if error.message.ends_with("has no unit") { diag::N0208 } else { diag::N0209 }
}

fn with_help(mut finding: Diagnostic, error: &LiteralError, span: Span) -> Diagnostic {
    finding.help.clone_from(&error.help);
    match &error.instead {
        Some(instead) => finding.fix(format!("write `{instead}`"), true, span, instead.clone()),
        None => finding,
    }
}

/// What a fact's cells look like.
pub(super) fn cells_of(fact: &Fact) -> String {
    match &fact.ty {
        Type::Choice { .. } => format!("its values are {}", list(fact.words(), "and")),
        Type::Text => "a text is written in quotes, such as `\"eu-1\"`, or as `starts \"eu-\"`".into(),
        Type::Number(ty) => {
            let (a, b) = match ty.kind {
                NumberKind::Count | NumberKind::Integer => ("3", ">= 1"),
                NumberKind::Decimal => ("0.5", "> 0.25"),
                NumberKind::Duration => ("300ms", ">= 2s"),
                NumberKind::Instant => ("2026-08-01T12:00:00Z", ">= 2026-08-01T12:00:00Z"),
                NumberKind::Version => ("2026.8.1", ">= 2026.8"),
            };
            format!("write {} such as `{a}` or `{b}`", an(ty.kind.as_str()))
        }
    }
}

pub(in crate::model::lower) fn no_value(
    fact: &Fact,
    text: &str,
    span: Span,
    groups: Vec<&str>,
    elsewhere: Option<&str>,
) -> Diagnostic {
    let name = &fact.name;
    let finding = Diagnostic::new(diag::N0202, format!("`{text}` is no value of `{name}`"))
        .at(span, format!("not a value of `{name}`"));
    if let Type::Choice { flag: true, .. } = fact.ty
        && let Some(meant) = match text.to_ascii_lowercase().as_str() {
            "true" | "y" | "on" | "1" => Some("yes"),
            "false" | "n" | "off" | "0" => Some("no"),
            _ => None,
        }
    {
        return finding.help(format!("a flag is `yes` or `no`: write `{meant}`")).fix(
            format!("write `{meant}`"),
            true,
            span,
            meant,
        );
    }
    if matches!(text, "any" | "ANY" | "all" | "*") {
        return finding.help("to match any value write `-`").fix("write `-`", false, span, "-");
    }
    if let Some(near) = nearest(text, fact.words().chain(groups)) {
        let written = if fact.words().any(|word| word == near) { quoted_if_needed(near) } else { near.to_string() };
        return finding.help(format!("did you mean `{written}`?")).fix(
            format!("write `{written}`"),
            false,
            span,
            written,
        );
    }
    if let Some(other) = elsewhere {
        return finding
            .help(format!("`{text}` is a value of `{other}`: is it in the wrong column? {}", cells_of(fact)));
    }
    finding.help(cells_of(fact))
}

pub(in crate::model::lower) fn not_of_type(
    fact: &Fact,
    ty: &NumberType,
    text: &str,
    error: &LiteralError,
    span: Span,
    elsewhere: Option<&str>,
) -> Diagnostic {
    let word = text.starts_with(|c: char| c.is_alphabetic());
    let plain_number = text.starts_with(|c: char| c.is_ascii_digit());
    let with_unit = plain_number
        && text.ends_with(|c: char| c.is_ascii_alphabetic())
        && !matches!(ty.kind, NumberKind::Duration | NumberKind::Instant);
    if !word && !with_unit {
        let mut finding = Diagnostic::new(code_of(error), error.message.clone());
        if finding.code == diag::N0208 {
            finding.message = format!("`{text}` has no unit, and `{}` is a duration", fact.name);
        }
        return with_help(finding.at(span, format!("`{}` is {}", fact.name, an(ty.kind.as_str()))), error, span);
    }
    let finding =
        Diagnostic::new(diag::N0207, format!("`{}` is {}, and `{text}` is not", fact.name, an(ty.kind.as_str())))
            .at(span, format!("not {}", an(ty.kind.as_str())));
    if matches!(text, "any" | "ANY" | "all") {
        return finding.help("to match any value write `-`").fix("write `-`", false, span, "-");
    }
    if let Some(near) = nearest(text, fact.points.iter().map(|p| &**p)).map(quoted_if_needed) {
        return finding.help(format!("did you mean `{near}`?")).fix(format!("write `{near}`"), false, span, near);
    }
    match elsewhere {
        Some(other) => finding.help(format!("`{text}` is a value of `{other}`: is it in the wrong column?")),
        None => finding.help(cells_of(fact)),
    }
}

pub(in crate::model::lower) fn number_in_quotes(text: &str, fact: &Fact, span: Span) -> Diagnostic {
    let finding = Diagnostic::new(diag::N0207, format!("`\"{text}\"` is a text, and `{}` is not", fact.name))
        .at(span, "in quotes");
    let is_duration = matches!(&fact.ty, Type::Number(ty) if ty.kind == NumberKind::Duration);
    let read = if is_duration { parse_duration(text).map(|_| ()) } else { Ok(()) };
    let meant = match &read {
        Ok(()) => Some(text),
        Err(error) => error.instead.as_deref(),
    };
    let Some(meant) = meant else { return finding.help(cells_of(fact)) };
    finding.help(format!("write it without quotes: `{meant}`")).fix(format!("write `{meant}`"), true, span, meant)
}

pub(in crate::model::lower) fn text_without_quotes(text: &str, fact: &Fact, span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0207, format!("`{}` is a text, and `{text}` stands without quotes", fact.name))
        .at(span, "a text is written in quotes")
        .help(format!("write `\"{text}\"`, or `starts \"{text}\"` for all that begin so"))
        .fix(format!("write `\"{text}\"`"), true, span, format!("\"{text}\""))
}

pub(in crate::model::lower) fn starts_of(fact: &Fact, span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0207, format!("`starts` tests a text, and `{}` is not one", fact.name))
        .at(span, "only for texts")
        .help(cells_of(fact))
}

pub(in crate::model::lower) fn outside_domain(fact: &Fact, ty: &NumberType, text: &str, span: Span) -> Diagnostic {
    let (lo, hi) = (show(ty, ty.lo), show(ty, ty.hi));
    let (goes, outside) = if ty.hi == ty.kind.whole().hi {
        (format!("begins at `{lo}`"), format!("below `{lo}`"))
    } else {
        (format!("goes from `{lo}` to `{hi}`"), format!("outside `{lo}..{hi}`"))
    };
    Diagnostic::new(diag::N0210, format!("`{text}` lies outside `{}`, which {goes}", fact.name))
        .at(span, outside)
        .and(fact.span, "its domain is declared here")
        .help("write a value of the domain, or widen the domain where the fact is declared")
}

pub(in crate::model::lower) fn out_of_bounds(text: &str, least: u64, most: u64, span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0210, format!("`{text}` is not allowed here"))
        .at(span, format!("from {least} to {most}"))
        .help(format!("write a number from {least} to {most}"))
}

pub(in crate::model::lower) fn off_grid(text: &str, span: Span, from: &str, step: &str) -> Diagnostic {
    Diagnostic::new(diag::N0211, format!("`{text}` is between two values of its fact"))
        .at(span, format!("values go from `{from}` in steps of `{step}`"))
        .help("write a value on a step, or make the step smaller where the fact is declared")
}

pub(in crate::model::lower) fn reversed_range(lo: &str, hi: &str, empty: bool, span: Span) -> Diagnostic {
    if empty {
        return Diagnostic::new(diag::N0212, format!("`{lo}..<{hi}` holds nothing: its upper end is left out"))
            .at(span, "no value lies here")
            .help(format!("write `{lo}` for the one value, or a greater upper end"));
    }
    Diagnostic::new(diag::N0212, format!("the range from `{lo}` to `{hi}` runs backwards"))
        .at(span, "the lower end stands first")
        .help(format!("write `{hi}..{lo}`"))
        .fix(format!("write `{hi}..{lo}`"), false, span, format!("{hi}..{lo}"))
}

pub(in crate::model::lower) fn admits_nothing(fact: &Fact, span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0213, format!("no value of `{}` passes this test", fact.name))
        .at(span, "can never match")
        .help("two tests joined by `and` must hold at once; for either of them write `or`")
}

pub(in crate::model::lower) fn leaves_nothing(fact: &Fact, span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0213, format!("no value of `{}` passes this test", fact.name))
        .at(span, "every value is left out")
        .help("write fewer values behind `not`, or `unknown` where only that is meant")
}

pub(in crate::model::lower) fn no_order(fact: &Fact, span: Span) -> Diagnostic {
    let finding = Diagnostic::new(diag::N0214, format!("the values of `{}` have no order", fact.name))
        .at(span, "a comparison needs an order")
        .and(fact.span, "declared here");
    match &fact.ty {
        Type::Choice { flag: false, .. } => {
            finding.help("list the values, such as `a, b`; or declare the fact with an order: `low < medium < high`")
        }
        _ => finding.help(cells_of(fact)),
    }
}
