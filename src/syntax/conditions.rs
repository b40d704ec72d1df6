//! Tests: `FACT is CELL`, joined by `and`: the `also` column, `given`, `when`, `unless`.
//!
//! An `and` begins a new test where `FACT is` follows. Places count from the start of the text, or lie in the file
//! where the tests are part of a head.

use std::rc::Rc;

use pest::iterators::Pair;

use super::cell_mistakes::{at as place, between, characters};
use super::findings::{self, Mistake};
use super::grammar::{self, Rule, inner};
use super::place::{At, EMPTY, local};
use super::tokens::{Kind, Token, tokens};
use super::tree::Test;
use super::words::word;
use super::{cell_mistakes, cells};
use crate::diag::Diagnostic;

/// Reads tests that stand alone.
pub fn parse(text: &str) -> Result<Vec<Test>, Mistake> {
    match grammar::run(Rule::also, text) {
        Ok(pair) => match inner(&pair, Rule::tests) {
            Some(found) => build(text, &found, At::local()),
            None => Err(mistake(text, 0)),
        },
        Err(furthest) => Err(mistake(text, furthest)),
    }
}

/// Builds the tests of a pair `tests`; `text` is what the pair was read from. The places of a finding count from its
/// start.
pub(super) fn build(text: &str, tests: &Pair<'_, Rule>, at: At<'_>) -> Result<Vec<Test>, Mistake> {
    let mut all = Vec::new();
    for test in grammar::all(tests, Rule::test) {
        let (Some(fact), Some(cell)) = (inner(&test, Rule::name), inner(&test, Rule::alternatives)) else { continue };
        let (start, end) = cells::extent(&cell);
        let written = text.get(start..end).unwrap_or("");
        let expr = cells::checked(written, cells::expr(&cell)).map_err(|m| further(m, start))?;
        let cell = cells::placed(Rc::new(expr), end - start, at.further(start));
        all.push(Test { fact: word(&fact, at), at: at.span(start, end), cell });
    }
    Ok(all)
}

/// A finding whose places count from further on.
pub(super) fn further(mistake: Mistake, by: usize) -> Mistake {
    At { base: by, file: crate::text::FileId::default(), map: &EMPTY }.finding(*mistake).into()
}

/// Tests that were read by themselves, in their place in the file.
pub(super) fn placed(tests: &[Test], at: At<'_>) -> Vec<Test> {
    let one = |t: &Test| {
        let mut fact = t.fact.clone();
        fact.span = at.place(fact.span);
        let cell = cells::placed(Rc::clone(&t.cell), t.at.len(), at.further(t.at.start as usize));
        Test { fact, at: at.place(t.at), cell }
    };
    tests.iter().map(one).collect()
}

const SHAPE: &str = "a test is written `FACT is VALUE`; several are joined by `and`";

/// Explains tests whose rule failed.
pub(super) fn mistake(text: &str, furthest: usize) -> Mistake {
    let all = tokens(text);
    let found = characters(text, &all).or_else(|| whole(&all)).or_else(|| joints(&all)).or_else(|| no_is(&all));
    if let Some(found) = found {
        return found.into();
    }
    inside_cells(text, &all).unwrap_or_else(|| {
        let end = text.len();
        let span = all.iter().find(|t| t.end > furthest).map_or(local(end, end), place);
        findings::test(span, "this test cannot be read", SHAPE).into()
    })
}

fn is_fact(token: &Token<'_>) -> bool {
    token.kind == Kind::Word && token.is_value() && token.text != "is"
}

/// Nothing, `-`, a fact alone, `if` in front.
fn whole(all: &[Token<'_>]) -> Option<Diagnostic> {
    match all {
        [] => Some(findings::test(local(0, 0), "a test is missing", SHAPE)),
        [dash] if dash.is("-") => {
            let finding = findings::test(place(dash), "`-` is no test", "a blank says that there is none");
            Some(finding.fix("leave it blank", true, place(dash), ""))
        }
        [word, ..] if word.is("if") || word.is("when") || word.is("where") => {
            let help = "begin with the fact: `FACT is VALUE`";
            Some(findings::test(place(word), format!("`{}` is not written before a test", word.text), help))
        }
        _ => None,
    }
}

/// `or FACT is`, `, FACT is`, `&& FACT is`, `FACT is … and`.
fn joints(all: &[Token<'_>]) -> Option<Diagnostic> {
    for three in all.windows(3) {
        let [joint, fact, is] = three else { continue };
        if !is.is("is") || !is_fact(fact) {
            continue;
        }
        let with_and = |message: String| {
            let finding = findings::test(place(joint), message, "write `and`; for \"or\" write two rows");
            Some(finding.fix("write `and`", false, place(joint), " and"))
        };
        match joint.text {
            "or" => {
                let help = "write two rows, or two rules: tests of two facts are joined by `and` alone";
                return Some(findings::test(place(joint), "`or` does not join tests of two facts", help));
            }
            "," | ";" => return with_and(format!("`{}` does not join tests", joint.text)),
            "&&" | "&" | "AND" | "And" => return with_and(format!("`{}` means nothing here", joint.text)),
            "and" => {}
            _ if joint.is_value() => {
                let finding = findings::test(place(fact), format!("`and` is missing before `{}`", fact.text), SHAPE);
                return Some(finding.fix("write `and`", false, local(joint.end, fact.start), " and "));
            }
            _ => {}
        }
    }
    let last = all.last().filter(|t| t.is("and") || t.is("is") || t.is(","))?;
    let message = format!("nothing stands behind `{}`", last.text);
    Some(findings::test(place(last), message, SHAPE))
}

/// `FACT = x`, `FACT in x`, `FACT >= 3`, `FACT`.
fn no_is(all: &[Token<'_>]) -> Option<Diagnostic> {
    let starts = (0..all.len()).filter(|i| *i == 0 || all[i - 1].is("and"));
    for i in starts {
        let (fact, next) = (all.get(i)?, all.get(i + 1));
        if !is_fact(fact) || next.is_some_and(|t| t.is("is")) {
            continue;
        }
        // After the first test, `and x` may be a part of its cell.
        let other =
            next.is_some_and(|t| matches!(t.text, "=" | "==" | ":" | "in" | "are" | "equals" | "IS" | "Is" | "has"));
        if i > 0 && !other {
            continue;
        }
        let Some(next) = next else {
            return Some(findings::test(place(fact), format!("`{}` alone is no test", fact.text), SHAPE));
        };
        let Some(value) = all.get(i + 2) else {
            return Some(findings::test(between(fact, next), "this is no test", SHAPE));
        };
        if other {
            let finding = findings::test(place(next), format!("`{}` is written `is`", next.text), SHAPE);
            return Some(finding.fix("write `is`", true, local(fact.end, value.start), " is "));
        }
        if next.is("isn't") || matches!(next.text, "!=" | "<>") {
            let help = format!("write `{} is not {}`", fact.text, value.text);
            let finding = findings::test(place(next), format!("`{}` means nothing here", next.text), help);
            return Some(finding.fix("write `is not`", true, local(fact.end, value.start), " is not "));
        }
        let finding = findings::test(between(fact, next), format!("`is` is missing behind `{}`", fact.text), SHAPE);
        return Some(finding.fix("write `is`", true, local(fact.end, next.start), " is "));
    }
    let first = all.first().filter(|t| !is_fact(t))?;
    Some(findings::test(place(first), format!("`{}` is no fact", first.text), SHAPE))
}

/// The first cell behind an `is` that is wrong by itself.
fn inside_cells(text: &str, all: &[Token<'_>]) -> Option<Mistake> {
    let starts: Vec<usize> = (0..all.len())
        .filter(|&i| all[i].is("is") && i > 0 && is_fact(&all[i - 1]) && (i == 1 || all[i - 2].is("and")))
        .collect();
    for (n, &i) in starts.iter().enumerate() {
        let start = all.get(i + 1).map_or(text.len(), |t| t.start);
        let end = starts.get(n + 1).and_then(|&next| all.get(next.checked_sub(3)?)).map_or(text.len(), |t| t.end);
        let cell = text.get(start..end.max(start))?.trim_end();
        if cell.is_empty() {
            return Some(findings::test(place(&all[i]), "nothing stands behind `is`", SHAPE).into());
        }
        if cell == "-" {
            let help = "a test names a value; leave the test out to match any value";
            return Some(findings::test(local(start, start + 1), "`-` is no value of a test", help).into());
        }
        if let Err(mistake) = cells::parse(cell) {
            return Some(further(mistake, start));
        }
    }
    None
}

/// A list of values outside a table: commas, neighbours, quotes.
pub(super) fn values_mistake(text: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    let checks = [characters, cell_mistakes::commas, cell_mistakes::neighbours];
    checks.iter().find_map(|check| check(text, all))
}
