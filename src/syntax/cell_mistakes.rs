//! What was meant by a cell that cannot be read.
//!
//! Checks by kind of mistake, the surest first; the first that recognises the cell gives the one finding. Places count
//! from the start of the text.

use super::findings::{self, Mistake};
use super::place::local;
use super::tokens::{Kind, Token, tokens};
use super::tree::{Atom, AtomKind, CellExpr, Element};
use crate::diag::Diagnostic;

type Check = fn(&str, &[Token<'_>]) -> Option<Diagnostic>;

const CHECKS: &[Check] = &[
    characters,
    other_fact,
    range_words,
    whole_cell,
    signs,
    misspelt_joiners,
    spaced_units,
    ranges,
    comparisons,
    knowns,
    commas,
    joiners,
    neighbours,
    negations,
];

/// Explains a cell whose rule failed; `furthest` is how far it got.
pub(super) fn find(text: &str, furthest: usize) -> Mistake {
    let all = tokens(text);
    let found = CHECKS.iter().find_map(|check| check(text, &all));
    found.unwrap_or_else(|| fallback(text, &all, furthest)).into()
}

/// The place of a token.
pub(super) fn at(token: &Token<'_>) -> crate::text::Span {
    local(token.start, token.end)
}

/// The place from one token to another.
pub(super) fn between(from: &Token<'_>, to: &Token<'_>) -> crate::text::Span {
    local(from.start, to.end)
}

/// Quotes and letters, whatever is read: shared by cells, tests, actions and heads.
pub(super) fn characters(text: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    for token in all {
        match token.kind {
            Kind::Unclosed => return Some(findings::unclosed_text(at(token))),
            Kind::Single => return Some(findings::single_quotes(at(token), token.text)),
            Kind::Quoted => {
                if let Some((start, len)) = unknown_escape(token.text) {
                    let (start, end) = (token.start + start, token.start + start + len);
                    return Some(findings::unknown_escape(local(start, end), text.get(start..end).unwrap_or("\\")));
                }
            }
            Kind::Foreign => {
                let message = format!("`{}` is no plain name", token.text);
                let help = format!("plain names are made of ASCII letters; a value is quoted: `\"{}\"`", token.text);
                let finding = findings::no_plain_name(at(token), message, help);
                return Some(finding.fix("write it in quotes", false, at(token), format!("\"{}\"", token.text)));
            }
            Kind::Sign if !token.text.is_ascii() => {
                let help = "letters and signs outside ASCII stand in quotes";
                return Some(findings::foreign_sign(at(token), token.text, help));
            }
            _ => {}
        }
    }
    None
}

/// Where a text holds an escape that stands for nothing.
fn unknown_escape(quoted: &str) -> Option<(usize, usize)> {
    let mut chars = quoted.char_indices();
    while let Some((i, c)) = chars.next() {
        if c == '\\' {
            let (_, next) = chars.next()?;
            if !matches!(next, '"' | '\\' | '|' | 'n' | 't') {
                return Some((i, 1 + next.len_utf8()));
            }
        }
    }
    None
}

/// Words that cannot be a plain value, though they are spelt like one.
pub(super) fn is_claimed(word: &str) -> bool {
    ["any", "unknown", "known"].iter().any(|w| word.eq_ignore_ascii_case(w))
}

/// `*`, `_`, `-` where it is not alone.
fn whole_cell(_: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    match all {
        [one] if one.is("*") || one.is("?") => Some(findings::any(at(one), one.text, true)),
        [.., _, _] => all.iter().find(|t| t.is("*") || t.is("-")).map(|t| {
            let help = "`-` alone in a cell matches every value; otherwise name the values";
            findings::cell(at(t), format!("`{}` stands beside other values", t.text), help)
        }),
        _ => None,
    }
}

/// `effect is write` in an ordinary cell.
fn other_fact(_: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    let i = all.iter().position(|t| t.is("is"))?;
    let fact = i.checked_sub(1).and_then(|i| all.get(i)).filter(|t| t.kind == Kind::Word && t.is_value());
    Some(match fact {
        Some(fact) => findings::cell(
            between(fact, &all[i]),
            format!("a test of another fact, `{} is …`, stands in this cell", fact.text),
            "tests of facts that have no column stand in the column `also`",
        ),
        None => findings::cell(at(&all[i]), "`is` is not written in a cell", "write the value alone"),
    })
}

/// `1 to 5`, `between 1 and 5`.
fn range_words(text: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    for three in all.windows(3) {
        if let [lo, to, hi] = three
            && (to.is("to") || to.is("through") || to.is("until") || to.is("-"))
            && lo.is_value()
            && hi.is_value()
        {
            return Some(as_range(text, lo, hi));
        }
    }
    match all {
        [word, lo, and, hi] if word.is("between") && and.is("and") => {
            let meant = format!("{}..{}", lo.text, hi.text);
            let finding = findings::range(between(word, hi), "a range is not written so", format!("write `{meant}`"));
            Some(finding.fix(format!("write `{meant}`"), false, between(word, hi), meant))
        }
        _ => None,
    }
}

fn as_range(text: &str, lo: &Token<'_>, hi: &Token<'_>) -> Diagnostic {
    let meant = format!("{}..{}", lo.text, hi.text.trim_start_matches('-'));
    let written = text.get(lo.start..hi.end).unwrap_or("");
    findings::range(between(lo, hi), format!("`{written}` is no range"), format!("write `{meant}`, both ends are in"))
        .fix(format!("write `{meant}`"), false, between(lo, hi), meant)
}

/// Signs of other languages.
fn signs(text: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    for (i, token) in all.iter().enumerate().filter(|(_, t)| t.kind == Kind::Sign) {
        let next = all.get(i + 1).map_or(token.end, |t| t.start);
        let value = text.get(next..).unwrap_or("").trim_end();
        let wide = local(token.start, next);
        let finding = |help: String| findings::foreign_sign(at(token), token.text, help);
        return Some(match token.text {
            "=" | "==" | ":" | ":=" => {
                finding(format!("write the value alone: `{value}`")).fix("remove the sign", true, wide, "")
            }
            "!=" | "<>" | "!" | "~" => finding(format!("write `not {value}`")).fix("write `not`", true, wide, "not "),
            "&&" | "&" => finding("write `and`".into()).fix("write `and`", true, at(token), "and"),
            "|" => finding("write `or`".into()).fix("write `or`", true, at(token), "or"),
            ";" => finding("part values by commas: `a, b`".into()).fix("write `,`", true, at(token), ","),
            "/" => finding("part values by commas: `a, b`".into()),
            "..." => {
                finding("a range is written `1..5`, with two dots".into()).fix("write `..`", true, at(token), "..")
            }
            "=>" => finding("at least is written `>=`".into()).fix("write `>=`", false, at(token), ">="),
            "=<" => finding("at most is written `<=`".into()).fix("write `<=`", true, at(token), "<="),
            "(" | ")" | "[" | "]" | "{" | "}" => {
                finding("write the values without brackets: `and` binds closer than `or`".into())
            }
            "%" => finding("write the number alone".into()),
            _ => continue,
        });
    }
    None
}

/// `AND`, `Or`, `NOT`, `Starts`.
fn misspelt_joiners(_: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    let token = all.iter().find(|t| t.kind == Kind::Word && joiner(t.text).is_some_and(|j| j != t.text))?;
    let meant = joiner(token.text)?;
    let finding = findings::foreign_sign(at(token), token.text, format!("write `{meant}`, in small letters"));
    Some(finding.fix(format!("write `{meant}`"), true, at(token), meant))
}

fn joiner(word: &str) -> Option<&'static str> {
    ["and", "or", "not", "starts", "known", "unknown"].into_iter().find(|j| word.eq_ignore_ascii_case(j))
}

/// `500 ms`.
pub(super) fn spaced_units(_: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    all.windows(2).find_map(|two| match two {
        [n, word] if n.kind == Kind::Number && word.kind == Kind::Word => {
            let unit = unit(word.text)?;
            Some(findings::spaced_unit(between(n, word), &format!("{}{unit}", n.text)))
        }
        _ => None,
    })
}

/// The unit that a word means.
fn unit(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "ms" | "msec" | "millis" | "millisecond" | "milliseconds" => "ms",
        "s" | "sec" | "secs" | "second" | "seconds" => "s",
        "m" | "min" | "mins" | "minute" | "minutes" => "m",
        "h" | "hour" | "hours" => "h",
        "d" | "day" | "days" => "d",
        _ => return None,
    })
}

/// `0..`, `..5`, `1-5`.
fn ranges(text: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    for (i, token) in all.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| all.get(i)).filter(|t| t.is_value());
        let after = all.get(i + 1).filter(|t| t.is_value());
        if let (Kind::Number, Some(lo)) = (token.kind, before)
            && token.text.starts_with('-')
            && lo.kind == Kind::Number
        {
            return Some(as_range(text, lo, token));
        }
        if !token.is("..") && !token.is("..<") {
            continue;
        }
        let (span, meant) = match (before, after) {
            (Some(lo), None) => (between(lo, token), format!(">= {}", lo.text)),
            (None, Some(hi)) if token.is("..<") => (between(token, hi), format!("< {}", hi.text)),
            (None, Some(hi)) => (between(token, hi), format!("<= {}", hi.text)),
            (None, None) => {
                let help = "a range is written `1..5`; to match any value write `-`";
                return Some(findings::range(at(token), "this range has no ends", help));
            }
            (Some(_), Some(_)) => continue,
        };
        let finding = findings::range(span, "this range has only one end", format!("write `{meant}`"));
        return Some(finding.fix(format!("write `{meant}`"), true, span, meant));
    }
    None
}

fn currency(sign: &str) -> bool {
    matches!(sign, "$" | "€" | "£" | "¥")
}

/// `1,000` behind a comparison: there it can only be one number.
fn grouped(text: &str, comparison: usize, all: &[Token<'_>]) -> Option<Diagnostic> {
    let groups = all.get(comparison + 1..)?;
    let is_group = |pair: &[Token<'_>]| {
        pair[0].is(",") && pair[1].kind == Kind::Number && pair[1].text.split('.').next().is_some_and(|n| n.len() == 3)
    };
    let close = |pair: &[Token<'_>], before: &Token<'_>| before.end == pair[0].start && pair[0].end == pair[1].start;
    let (mut last, mut rest) = groups.split_first()?;
    while let Some(pair) = rest.get(..2).filter(|pair| is_group(pair) && close(pair, last)) {
        (last, rest) = (&pair[1], &rest[2..]);
    }
    let first = groups.first().filter(|f| f.start != last.start && f.kind == Kind::Number)?;
    Some(findings::thousands(between(first, last), text.get(first.start..last.end)?))
}

/// `>=` with nothing behind it, or with a list.
fn comparisons(text: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    for (i, token) in all.iter().enumerate() {
        if !matches!(token.text, ">=" | "<=" | ">" | "<") || token.kind != Kind::Sign {
            continue;
        }
        if let Some(found) = grouped(text, i, all) {
            return Some(found);
        }
        let value = all.get(i + 1).filter(|t| t.is_value());
        if let Some(sign) = all.get(i + 1).filter(|t| currency(t.text)) {
            let help = "write the number alone; what it counts is said by the name of its fact";
            return Some(findings::foreign_sign(at(sign), sign.text, help));
        }
        let Some(value) = value else {
            let help = format!("write a value behind it: `{} 3`", token.text);
            return Some(findings::range(at(token), format!("`{}` has no value to compare with", token.text), help));
        };
        if i > 0 && all[i - 1].is(",") {
            let help = "join a comparison with something else by `or`, or by `and`";
            return Some(findings::range(at(&all[i - 1]), "a comparison is no member of a list", help));
        }
        if i > 0 && all[i - 1].is_value() {
            let help = format!("write `{}..{}` for a range, or `> 1 and < 5`", all[i - 1].text, value.text);
            return Some(findings::range(between(&all[i - 1], value), "a comparison begins with its sign", help));
        }
        if let Some(found) = decimal_comma(token, &all[i + 1..]) {
            return Some(found);
        }
        match all.get(i + 2) {
            Some(comma) if comma.is(",") => {
                let help = "join a comparison with something else by `or`, or by `and`";
                return Some(findings::range(at(comma), "a comparison is no member of a list", help));
            }
            Some(dots) if dots.is("..") => {
                let help = format!("write `{} {}` or a range", token.text, value.text);
                return Some(findings::range(between(token, dots), "a comparison has one value", help));
            }
            _ => {}
        }
    }
    None
}

/// `> 2,5`: a comma between two numbers without a blank.
fn decimal_comma(comparison: &Token<'_>, all: &[Token<'_>]) -> Option<Diagnostic> {
    let [whole, comma, part, ..] = all else { return None };
    let numbers = whole.kind == Kind::Number && part.kind == Kind::Number;
    if !numbers || !comma.is(",") || comma.start != whole.end || part.start != comma.end {
        return None;
    }
    let meant = format!("{}.{}", whole.text, part.text);
    let help = format!("a decimal point is written `.`: `{} {meant}`", comparison.text);
    let span = between(whole, part);
    let finding = findings::range(span, "a comma stands in a comparison", help);
    Some(finding.fix(format!("write `{meant}`"), false, span, meant))
}

/// `known, a`, `not known`.
fn knowns(_: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    let i = all.iter().position(|t| t.is("known"))?;
    let before = i.checked_sub(1).and_then(|i| all.get(i));
    match (before, all.get(i + 1)) {
        (Some(not), _) if not.is("not") => {
            let span = between(not, &all[i]);
            let finding = findings::unknown(span, "`not known` is written `unknown`", "write `unknown`");
            Some(finding.fix("write `unknown`", true, span, "unknown"))
        }
        (Some(comma), _) | (_, Some(comma)) if comma.is(",") => {
            let help = "write `known` alone, or join it: `known and not a`";
            Some(findings::unknown(at(&all[i]), "`known` is no member of a list", help))
        }
        (None, Some(next)) if next.is_value() => {
            let meant = format!("known and {}", next.text);
            let finding = findings::unknown(between(&all[i], next), "`and` is missing", format!("write `{meant}`"));
            Some(finding.fix("write `and`", true, local(all[i].end, next.start), " and "))
        }
        _ => None,
    }
}

/// A comma too many.
pub(super) fn commas(_: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    for (i, token) in all.iter().enumerate().filter(|(_, t)| t.is(",")) {
        let before = i.checked_sub(1).and_then(|i| all.get(i)).filter(|t| t.is_value());
        let next = all.get(i + 1);
        if let Some(joiner) = next.filter(|t| t.is("or") || t.is("and")) {
            let help = format!("write either the comma or `{}`", joiner.text);
            return Some(findings::comma(
                between(token, joiner),
                format!("a comma and `{}` stand together", joiner.text),
                help,
            ));
        }
        if before.is_none() || next.is_none_or(|t| t.is(",")) {
            let finding = findings::comma(at(token), "no value stands beside this comma", "remove the comma");
            return Some(finding.fix("remove the comma", true, at(token), ""));
        }
    }
    None
}

/// `and`, `or`, `not` with nothing beside them.
fn joiners(_: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    for (i, token) in all.iter().enumerate() {
        let (and, not) = (token.is("and") || token.is("or"), token.is("not"));
        let alone = (and && i == 0) || ((and || not) && all.get(i + 1).is_none_or(|t| t.is("and") || t.is("or")));
        if alone {
            let message =
                format!("nothing stands {} `{}`", if i == 0 && and { "before" } else { "behind" }, token.text);
            return Some(findings::cell(at(token), message, "write what it joins, or remove it"));
        }
    }
    None
}

/// `more than 500`, `at least 3`, `under 5s`.
fn compared_in_words(all: &[Token<'_>]) -> Option<Diagnostic> {
    let i = all.iter().position(|t| t.kind == Kind::Number)?;
    let (value, before) = (all.get(i)?, all.get(..i)?);
    let (first, sign) = match before {
        [.., more, than] if than.is("than") => match more.text {
            "more" | "greater" | "higher" | "longer" => (more, ">"),
            "less" | "fewer" | "lower" | "shorter" => (more, "<"),
            _ => return None,
        },
        [.., at, least] if at.is("at") && least.is("least") => (at, ">="),
        [.., at, most] if at.is("at") && most.is("most") => (at, "<="),
        [.., over] if over.is("over") || over.is("above") => (over, ">"),
        [.., under] if under.is("under") || under.is("below") => (under, "<"),
        _ => return None,
    };
    let (span, meant) = (between(first, value), format!("{sign} {}", value.text));
    let finding = findings::range(span, "a comparison is written with its sign", format!("write `{meant}`"));
    Some(finding.fix(format!("write `{meant}`"), false, span, meant))
}

/// `a b`.
pub(super) fn neighbours(_: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    if let Some(found) = compared_in_words(all) {
        return Some(found);
    }
    let two = all.windows(2).find(|two| two[0].is_value() && two[1].is_value())?;
    let (a, b) = (&two[0], &two[1]);
    let finding = findings::comma(
        between(a, b),
        format!("a comma is missing between `{}` and `{}`", a.text, b.text),
        format!("write `{}, {}` for either of them; a value of several words is quoted", a.text, b.text),
    );
    Some(finding.fix("write a comma", false, local(a.end, b.start), ", "))
}

/// `not >= 3`, `a not b`.
fn negations(_: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    let i = all.iter().position(|t| t.is("not"))?;
    let opposite = |sign: &str| match sign {
        ">=" => "<",
        "<=" => ">",
        ">" => "<=",
        _ => ">=",
    };
    match (i.checked_sub(1).and_then(|i| all.get(i)), all.get(i + 1), all.get(i + 2)) {
        (_, Some(sign), Some(value)) if matches!(sign.text, ">=" | "<=" | ">" | "<") => {
            let meant = format!("{} {}", opposite(sign.text), value.text);
            let span = between(&all[i], value);
            let finding = findings::cell(span, "`not` does not stand before a comparison", format!("write `{meant}`"));
            Some(finding.fix(format!("write `{meant}`"), true, span, meant))
        }
        (_, Some(not), _) if not.is("not") => {
            Some(findings::cell(between(&all[i], not), "`not` stands here twice", "write it once, or leave both out"))
        }
        (Some(before), _, _) => {
            let help = "`not a, b` is none of them; join it with other values by `or`";
            Some(findings::cell(between(before, &all[i]), "`not` stands at the start of its list", help))
        }
        _ => None,
    }
}

fn fallback(text: &str, all: &[Token<'_>], furthest: usize) -> Diagnostic {
    let help = "a cell holds values, `a, b`, a comparison, `>= 3`, a range, `1..5`, or `-` for any value";
    match all.iter().find(|t| t.end > furthest) {
        Some(token) => findings::cell(at(token), format!("`{}` cannot be read here", token.text), help),
        None => findings::cell(local(text.len(), text.len()), "the cell breaks off here", help),
    }
}

/// What the grammar read and the language refuses.
pub(super) fn in_expr(text: &str, expr: &CellExpr) -> Option<Mistake> {
    let atoms = || expr.alternatives.iter().flatten();
    let found = atoms().find_map(|a| claimed_word(text, a));
    let found = found.or_else(|| atoms().find_map(|a| thousands(text, a)));
    let found = found.or_else(|| atoms().find_map(|a| negated_unknown(text, a)));
    found.or_else(|| late_unknown(text, expr)).map(Mistake::from)
}

fn listed(atom: &Atom) -> &[Element] {
    match &atom.kind {
        AtomKind::List(list) | AtomKind::Not(list) => list,
        _ => &[],
    }
}

/// `UNKNOWN`, `Known`, `any`.
fn claimed_word(_: &str, atom: &Atom) -> Option<Diagnostic> {
    listed(atom).iter().find_map(|element| {
        let Element::One(l) = element else { return None };
        let span = local(l.start as usize, l.end as usize);
        if l.quoted || !is_claimed(&l.text) {
            return None;
        }
        if l.text.eq_ignore_ascii_case("any") {
            return Some(findings::any(span, &l.text, false));
        }
        let meant = l.text.to_ascii_lowercase();
        let help = format!("write `{meant}`; for a value of this name write `\"{}\"`", l.text);
        let finding = findings::foreign_sign(span, &l.text, help);
        Some(finding.fix(format!("write `{meant}`"), false, span, meant))
    })
}

/// `5,000`.
fn thousands(text: &str, atom: &Atom) -> Option<Diagnostic> {
    let digits = |l: &str| l.trim_start_matches('-').bytes().all(|b| b.is_ascii_digit());
    listed(atom).windows(2).find_map(|two| {
        let [Element::One(a) | Element::Range { hi: a, .. }, Element::One(b) | Element::Range { lo: b, .. }] = two
        else {
            return None;
        };
        let close = a.end + 1 == b.start && digits(&a.text) && digits(&b.text);
        let grouped = b.text.len() == 3 && a.text.trim_start_matches('-').len() <= 3 && !a.quoted && !b.quoted;
        if !close || !grouped {
            return None;
        }
        let (start, mut end) = (a.start as usize, b.end as usize);
        let bytes = text.as_bytes();
        while bytes.get(end) == Some(&b',') && text.get(end + 1..end + 4).is_some_and(|t| t.len() == 3 && digits(t)) {
            end += 4;
        }
        Some(findings::thousands(local(start, end), text.get(start..end)?))
    })
}

/// `not unknown`, `not a, unknown`.
fn negated_unknown(_: &str, atom: &Atom) -> Option<Diagnostic> {
    let AtomKind::Not(list) = &atom.kind else { return None };
    let unknown = list.iter().find_map(|e| if let Element::Unknown(l) = e { Some(l) } else { None })?;
    if list.len() == 1 {
        let span = local(atom.start as usize, atom.end as usize);
        let finding = findings::unknown(span, "`not unknown` is written `known`", "write `known`");
        return Some(finding.fix("write `known`", true, span, "known"));
    }
    let span = local(unknown.start as usize, unknown.end as usize);
    let help = "`not a, b` never matches unknown, so leave it out";
    Some(findings::unknown(span, "`unknown` stands in a list of `not`", help))
}

/// `a, unknown`, `a or unknown`.
fn late_unknown(text: &str, expr: &CellExpr) -> Option<Diagnostic> {
    for (i, alternative) in expr.alternatives.iter().enumerate() {
        for (j, atom) in alternative.iter().enumerate() {
            for (k, element) in listed(atom).iter().enumerate() {
                let Element::Unknown(unknown) = element else { continue };
                if (i, j, k) == (0, 0, 0) {
                    continue;
                }
                let span = local(unknown.start as usize, unknown.end as usize);
                let whole = local(0, text.len());
                return Some(match reordered(text, expr, (i, j, k)) {
                    Some(meant) => findings::unknown(span, "`unknown` is written first", format!("write `{meant}`"))
                        .fix(format!("write `{meant}`"), true, whole, meant),
                    None => findings::unknown(span, "`unknown` is written first", "write `unknown or` before the rest"),
                });
            }
        }
    }
    None
}

/// The cell with its `unknown` in front, where that says the same.
fn reordered(text: &str, expr: &CellExpr, (i, j, _): (usize, usize, usize)) -> Option<String> {
    let alternative = expr.alternatives.get(i)?;
    let (list, alone) = (listed(alternative.get(j)?), alternative.len() == 1);
    if !alone {
        return None;
    }
    let part = |start: u32, end: u32| text.get(start as usize..end as usize).map(str::trim);
    let place = |e: &Element| match e {
        Element::Unknown(l) | Element::One(l) => (l.start, l.end),
        Element::Range { lo, hi, .. } => (lo.start, hi.end),
    };
    let others: Option<Vec<&str>> =
        list.iter().filter(|e| !matches!(e, Element::Unknown(_))).map(|e| part(place(e).0, place(e).1)).collect();
    let others = others?.join(", ");
    if expr.alternatives.len() == 1 {
        return Some(format!("unknown, {others}"));
    }
    let mut parts = vec!["unknown".to_string()];
    for (n, alternative) in expr.alternatives.iter().enumerate() {
        if n != i {
            parts.push(part(alternative.first()?.start, alternative.last()?.end)?.to_string());
        } else if !others.is_empty() {
            parts.push(others.clone());
        }
    }
    let mut first = true;
    parts.retain(|p| p != "unknown" || std::mem::take(&mut first));
    Some(parts.join(" or "))
}
