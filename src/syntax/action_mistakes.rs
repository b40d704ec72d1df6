//! What was meant by an action that cannot be read.

use super::cell_mistakes::{at, between, characters, spaced_units};
use super::findings::{self, Mistake};
use super::place::local;
use super::tokens::{Kind, Token, tokens};
use super::tree::Word;
use crate::diag::{Diagnostic, nearest};

pub(super) const SHAPE: &str = "an action is `stop`, `done`, `wait`, `review QUEUE`, `retry now`, `retry after BACKOFF`, \
     `reconcile by LOCATOR within 4s`, `hedge 2 after 300ms`, `failover to PARITY`, `see TABLE`, or the name of one";

const VERBS: &[&str] = &["stop", "done", "wait", "review", "reconcile", "retry", "hedge", "failover", "see"];

/// Explains an action whose rule failed.
pub(super) fn find(text: &str, furthest: usize) -> Mistake {
    let all = tokens(text);
    let found = characters(text, &all)
        .or_else(|| refusal(text, &all))
        .or_else(|| spaced_units(text, &all))
        .or_else(|| verb(text, &all))
        .or_else(|| foreign_verb(&all))
        .or_else(|| two_actions(&all));
    found.unwrap_or_else(|| fallback(text, &all, furthest)).into()
}

/// `Retry`, `STOP`, `fail-over`: a name that can only be a verb.
pub(super) fn misspelt_verb(name: &Word, start: usize) -> Option<Mistake> {
    let plain = name.text.to_ascii_lowercase().replace(['-', '_'], "");
    let verb = VERBS.iter().find(|v| **v == plain)?;
    let span = local(start, start + name.text.len());
    let finding = findings::action(span, format!("`{}` is no action", name.text), format!("write `{verb}`"));
    Some(finding.fix(format!("write `{verb}`"), true, span, *verb).into())
}

/// The verb that a word is in other letters: `Retry`, `fail-over`.
fn other_case(word: &Token<'_>) -> Option<&'static str> {
    let plain = word.text.to_ascii_lowercase().replace(['-', '_'], "");
    VERBS.iter().copied().find(|v| *v == plain && *v != word.text)
}

/// Everything around `if refused`.
fn refusal(text: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    for (i, token) in all.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| all.get(i));
        if matches!(token.text, "else" | "otherwise") && before.is_some() {
            let help = "write `; if refused, ACTION` for what follows a refusal";
            return Some(findings::action(at(token), format!("`{}` means nothing in an action", token.text), help));
        }
        if !token.is("if") {
            continue;
        }
        let Some(refused) = all.get(i + 1).filter(|t| t.is("refused")) else {
            let help = "write `if refused, ACTION`; a condition stands in a cell of the row";
            return Some(findings::action(at(token), "`if` has only one use in an action", help));
        };
        let words = between(token, refused);
        let Some(before) = before else {
            return Some(findings::action(
                words,
                "no action stands before `if refused`",
                "write the wanted action first",
            ));
        };
        if !before.is(";") {
            let gap = if before.is(",") { local(before.start, token.start) } else { local(before.end, token.start) };
            let message = "a semicolon stands before `if refused`";
            let finding = findings::action(words, message, format!("write `; {}`", &text[token.start..refused.end]));
            return Some(finding.fix("write the semicolon", true, gap, "; "));
        }
        match all.get(i + 2) {
            Some(comma) if comma.is(",") => {}
            Some(next) if next.kind == Kind::Word => {
                let finding =
                    findings::action(words, "a comma stands behind `if refused`", "write `if refused, ACTION`");
                return Some(finding.fix("write the comma", true, local(refused.end, next.start), ", "));
            }
            _ => {}
        }
        if all.len() <= i + 3 {
            return Some(findings::action(words, "no action stands behind `if refused`", "write `if refused, ACTION`"));
        }
    }
    None
}

/// The part of the tokens that is one action.
fn parts<'a, 't>(all: &'a [Token<'t>]) -> impl Iterator<Item = &'a [Token<'t>]> {
    all.split(|t| t.is(";")).map(|part| match part {
        [a, b, c, rest @ ..] if a.is("if") && b.is("refused") && c.is(",") => rest,
        _ => part,
    })
}

/// A verb with the wrong words behind it.
fn verb(text: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    parts(all).find_map(|part| match part {
        [] => Some(findings::action(local(text.len(), text.len()), "an action is missing", SHAPE)),
        [first, rest @ ..] => one_verb(text, first, rest),
    })
}

fn one_verb(text: &str, first: &Token<'_>, rest: &[Token<'_>]) -> Option<Diagnostic> {
    if let Some(verb) = other_case(first) {
        let finding = findings::action(at(first), format!("`{}` is no action", first.text), format!("write `{verb}`"));
        return Some(finding.fix(format!("write `{verb}`"), true, at(first), verb));
    }
    let next = rest.first();
    let says = |message: &str, meant: String| Some(rewritten(first, rest, message, meant));
    match first.text {
        "stop" | "done" => {
            if let [because, reason] = rest
                && because.is("because")
                && reason.kind == Kind::Quoted
            {
                return says("a reason stands behind its verb", format!("{} {}", first.text, reason.text));
            }
            let reason = rest_of(text, next?, rest);
            let plain = rest.iter().all(|t| t.kind != Kind::Quoted && !t.is(",") && !t.is(";"));
            plain.then(|| says("a reason stands in quotes", format!("{} \"{reason}\"", first.text)))?
        }
        "wait" => {
            let help = "`wait` goes on waiting; a pause before another try is a `backoff`: `retry after NAME`";
            Some(findings::action(at(next?), "`wait` stands alone", help))
        }
        "retry" => retry(first, rest),
        "reconcile" => reconcile(first, rest),
        "hedge" => match rest {
            [n, after] if n.kind == Kind::Number && after.kind == Kind::Number => {
                says("`after` is missing", format!("hedge {} after {}", n.text, after.text))
            }
            _ => Some(findings::action(
                at(next?),
                "this hedge cannot be read",
                "write `hedge 2 after 300ms`: two copies out in all",
            )),
        },
        "failover" => match rest {
            [to] if to.is("to") => Some(findings::action(at(to), "`to` names a parity", "write `failover to PARITY`")),
            [name] if name.kind == Kind::Word => says("`to` is missing", format!("failover to {}", name.text)),
            _ => None,
        },
        "review" => match rest {
            [_, _, ..] if rest.iter().all(|t| t.kind == Kind::Word) => {
                let queue = rest.iter().map(|t| t.text).collect::<Vec<_>>().join("-");
                says("a queue is one name", format!("review {queue}"))
            }
            _ => None,
        },
        "see" if next.is_none() => Some(findings::action(at(first), "`see` names a table", "write `see TABLE`")),
        "-" => Some(findings::action(at(first), "`-` is no action", SHAPE)),
        _ => None,
    }
}

fn reconcile(first: &Token<'_>, rest: &[Token<'_>]) -> Option<Diagnostic> {
    let says = |message: &str, meant: String| Some(rewritten(first, rest, message, meant));
    match rest {
        [by, ..] if by.is("by") => {
            let help = "write `reconcile by LOCATOR within 4s`, or `by event`";
            match rest {
                [by] => Some(findings::action(at(by), "`by` names a locator or `event`", help)),
                [_, name] if name.kind != Kind::Word => {
                    Some(findings::action(at(name), "`by` names a locator or `event`", help))
                }
                [_, _, within] if within.is("within") => {
                    Some(findings::action(at(within), "`within` lacks its duration", help))
                }
                [_, name, w, time] if matches!(w.text, "for" | "in") && time.kind == Kind::Number => {
                    says("how long is said by `within`", format!("reconcile by {} within {}", name.text, time.text))
                }
                [_, name, w, ..] if w.kind == Kind::Number => {
                    says("`within` is missing", format!("reconcile by {} within {}", name.text, w.text))
                }
                _ => None,
            }
        }
        [within, w, by, name] if within.is("within") && by.is("by") => {
            says("`by` stands before `within`", format!("reconcile by {} within {}", name.text, w.text))
        }
        [name, tail @ ..] if name.kind == Kind::Word && !name.is("within") => {
            let tail: String = tail.iter().flat_map(|t| [" ", t.text]).collect();
            says("`by` is missing", format!("reconcile by {}{tail}", name.text))
        }
        _ => None,
    }
}

/// A finding on one action that was meant in other words.
fn rewritten(first: &Token<'_>, rest: &[Token<'_>], message: &str, meant: String) -> Diagnostic {
    let span = local(first.start, rest.last().map_or(first.end, |t| t.end));
    let title = format!("write `{meant}`");
    findings::action(span, message, title.clone()).fix(title, false, span, meant)
}

fn retry(first: &Token<'_>, rest: &[Token<'_>]) -> Option<Diagnostic> {
    let next = rest.first()?;
    if next.is("after") {
        let help = "write `retry after NAME`, with `backoff NAME { base 200ms, factor 2, cap 8s, jitter full }`";
        return match rest.get(1) {
            Some(name) if name.kind == Kind::Word => spend(rest.get(2..)?),
            Some(other) => Some(findings::action(at(other), "`after` names a backoff", help)),
            None => Some(findings::action(at(next), "`after` names a backoff", help)),
        };
    }
    if next.is("now") || next.is(",") {
        return spend(rest.get(usize::from(next.is("now"))..)?);
    }
    if next.kind == Kind::Word {
        let meant = if matches!(next.text, "immediately" | "at_once" | "directly") {
            "retry now".to_string()
        } else {
            format!("retry after {}", next.text)
        };
        let span = between(first, next);
        let finding = findings::action(span, "`retry` is followed by `now` or `after`", format!("write `{meant}`"));
        return Some(finding.fix(format!("write `{meant}`"), false, span, meant));
    }
    let help =
        "how often is said by `attempts` in `budget`, how long by a `backoff`: write `retry now` or `retry after NAME`";
    Some(findings::action(at(next), "`retry` is followed by `now` or `after`", help))
}

fn spend(rest: &[Token<'_>]) -> Option<Diagnostic> {
    let help = "write `, spend 2` where a try costs more than one unit of the budget";
    match rest {
        [spend, ..] if spend.is("spend") => Some(findings::action(at(spend), "a comma stands before `spend`", help)),
        [_, spend] if spend.is("spend") => Some(findings::action(at(spend), "`spend` lacks its number", help)),
        [comma] if comma.is(",") => Some(findings::action(at(comma), "nothing stands behind this comma", help)),
        _ => None,
    }
}

fn rest_of<'t>(text: &'t str, first: &Token<'_>, rest: &[Token<'_>]) -> &'t str {
    text.get(first.start..rest.last().map_or(first.end, |t| t.end)).unwrap_or("")
}

/// `retry now, review x`; `retry now or stop`; `retry now; stop`.
fn two_actions(all: &[Token<'_>]) -> Option<Diagnostic> {
    let joint = (1..all.len().saturating_sub(1)).find(|&i| {
        let (here, next) = (&all[i], &all[i + 1]);
        let joins = here.is(",") || here.is(";") || here.is("or") || here.is("and") || here.is("then");
        joins && (VERBS.contains(&next.text) || here.is(";") && next.kind == Kind::Word)
    })?;
    let (here, next) = (&all[joint], &all[joint + 1]);
    if next.is("if") {
        return None;
    }
    let help = format!("a row has one action; for what follows a refusal write `; if refused, {} …`", next.text);
    Some(findings::action(between(here, next), "two actions stand here", help))
}

/// `goto open`, `escalate to desk`: a verb that other tools have.
fn foreign_verb(all: &[Token<'_>]) -> Option<Diagnostic> {
    let [first, rest @ ..] = all else { return None };
    let verb = match first.text {
        "goto" | "jump" | "call" | "continue" => "see",
        "escalate" | "assign" | "route" | "ask" | "notify" => "review",
        _ => return None,
    };
    let (name, before) = rest.split_last()?;
    let plain = name.kind == Kind::Word && before.iter().all(|t| t.is("to") || t.is("with"));
    plain.then(|| rewritten(first, rest, &format!("`{}` is no action", first.text), format!("{verb} {}", name.text)))
}

fn fallback(text: &str, all: &[Token<'_>], furthest: usize) -> Diagnostic {
    if let [first, _, ..] = all
        && first.kind == Kind::Word
        && let Some(near) = nearest(first.text, VERBS.iter().copied()).filter(|near| *near != first.text)
    {
        return findings::action(
            at(first),
            format!("`{}` is no action", first.text),
            format!("did you mean `{near}`?"),
        );
    }
    match all.iter().find(|t| t.end > furthest) {
        Some(token) => findings::action(at(token), format!("`{}` cannot be read in an action", token.text), SHAPE),
        None => findings::action(local(text.len(), text.len()), "the action breaks off here", SHAPE),
    }
}
