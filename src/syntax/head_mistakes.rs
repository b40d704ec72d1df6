//! What was meant by a head that cannot be read.

use super::actions;
use super::cell_mistakes::{at as place, between, characters, spaced_units};
use super::conditions::{self, further, values_mistake};
use super::findings::{self, Mistake};
use super::place::{At, local};
use super::tokens::{Kind, Token, tokens};
use super::tree::{ItemKind, TypeExpr};
use crate::diag::{Diagnostic, nearest};

const HITS: &[&str] =
    &["first row wins", "at most one row", "rows agree", "most cautious wins", "highest wins", "lowest wins"];
const TYPES: &[&str] = &["count", "integer", "decimal", "duration", "instant", "version", "text"];
const HIT_HELP: &str = "write `, first row wins`, `, at most one row`, `, rows agree` or `, most cautious wins`";

/// How an item is written.
fn shape(keyword: &str) -> &'static str {
    match keyword {
        "policy" => "write `policy NAME`",
        "version" => "write `version 2026.8.1`",
        "owner" => "write `owner NAME`",
        "use" => "write `use std.facts`",
        "restricts" => "write `restricts NAME VERSION`",
        "fact" => "write `fact NAME : a, b`, `fact NAME : low < high`, or a type: `fact NAME : count`",
        "extend" => "write `extend FACT : a, b`",
        "budget" => "write `budget {`, its entries one a line, and `}`",
        "backoff" => "write `backoff NAME { base 200ms, factor 2, cap 8s, jitter full }`",
        "locator" => "write `locator NAME { remembers 24h }`",
        "parity" => "write `parity NAME {`, its entries one a line, and `}`",
        "group" => "write `group NAME of FACT : a, b`",
        "action" => "write `action NAME : ACTION`",
        "derive" => "write `derive NAME : a, b, first row wins`",
        "classify" => "write `classify NAME -> FACT, FACT, first row wins`",
        "table" => "write `table NAME, first row wins`, or `table NAME when FACT is VALUE, first row wins`",
        "tighten" => "write `tighten TABLE, first row wins`",
        "rule" => "write `rule NAME: never ACTION when FACT is VALUE`, or `only`, or `unless`",
        "waive" => "write `waive RULE for TABLE/ROW because \"text\" owner NAME until 2027-01-31`",
        "given" => "write `given FACT is VALUE and FACT is VALUE`",
        _ => "write `examples TABLE`",
    }
}

/// Explains a head whose rule failed; places count from the start of the text behind the keyword.
pub(super) fn find(keyword: &str, text: &str, furthest: usize) -> Mistake {
    let all = tokens(text);
    if keyword == "given" {
        return conditions::mistake(text, furthest);
    }
    let found = quotes(text, &all).or_else(|| name(keyword, &all)).or_else(|| colon(keyword, &all));
    if let Some(found) = found {
        return found.into();
    }
    let part = match keyword {
        "fact" => type_part(text, behind(&all, ":")),
        "extend" | "group" => values_part(text, behind(&all, ":")),
        "action" => action_part(text, behind(&all, ":")),
        "rule" => rule_part(text, &all),
        "waive" => waive_part(&all),
        "table" | "tighten" | "derive" | "classify" => table_part(keyword, text, &all),
        _ => None,
    };
    let part = part.or_else(|| characters(text, &all).or_else(|| spaced_units(text, &all)).map(Mistake::from));
    part.unwrap_or_else(|| fallback(keyword, text, &all, furthest).into())
}

/// Quotes are looked at first; letters only where nothing else explains them.
fn quotes(text: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    let quotes = |t: &&Token<'_>| matches!(t.kind, Kind::Unclosed | Kind::Single | Kind::Quoted);
    let only: Vec<Token<'_>> = all.iter().filter(quotes).copied().collect();
    characters(text, &only)
}

/// The first word, where it is a name, if only by intent: in letters that no name has, or with a sign or a number
/// before it.
pub(super) fn first_name(text: &str) -> Option<(usize, usize)> {
    let all = tokens(text);
    let word = all.iter().find(|t| matches!(t.kind, Kind::Word | Kind::Foreign))?;
    let before = all.iter().take_while(|t| t.start < word.start);
    let stray = |t: &Token<'_>| t.kind == Kind::Number || t.end == word.start;
    before.last().is_none_or(stray).then_some((word.start, word.end))
}

/// The text before the hit policy or what stands in its place.
pub(super) fn before_hit(text: &str) -> &str {
    let all = tokens(text);
    let end = like_hit(all.get(1..).unwrap_or_default()).map_or(text.len(), |(first, _)| {
        all.iter().rev().find(|t| t.end <= first.start).filter(|t| t.is(",")).map_or(first.start, |t| t.start)
    });
    text.get(..end).unwrap_or(text).trim_end()
}

/// The name that every head but two begins with.
fn name(keyword: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    if matches!(keyword, "version" | "budget") {
        return None;
    }
    let Some(first) = all.first() else {
        return Some(findings::head(local(0, 0), format!("this `{keyword}` has no name"), shape(keyword)));
    };
    let bad = |message: String| {
        Some(findings::no_plain_name(
            place(first),
            message,
            "a name is made of ASCII letters, digits, `_`, `-` and `.`, and begins with a letter",
        ))
    };
    match first.kind {
        Kind::Quoted if keyword != "owner" => bad(format!("{} is quoted, and names of this kind are not", first.text)),
        Kind::Number => bad(format!("`{}` is no name", first.text)),
        Kind::Foreign => bad(format!("`{}` is no plain name", first.text)),
        Kind::Sign => {
            Some(findings::head(place(first), format!("a name is missing before `{}`", first.text), shape(keyword)))
        }
        _ => match all.get(1) {
            Some(next) if next.kind == Kind::Word && !follows_name(keyword, next.text) => {
                two_words(keyword, first, all)
            }
            _ => None,
        },
    }
}

/// Whether a word may stand behind the name.
fn follows_name(keyword: &str, word: &str) -> bool {
    match keyword {
        "group" => word == "of",
        "waive" => matches!(word, "for" | "because" | "owner" | "until" | "on" | "in"),
        "table" | "tighten" | "derive" | "classify" => matches!(word, "when" | "if" | "unless") || like_hit_word(word),
        "restricts" => true,
        "rule" => matches!(word, "never" | "only" | "is"),
        "fact" | "extend" | "action" => word == "is",
        _ => false,
    }
}

/// `policy purchase orders`.
fn two_words(keyword: &str, first: &Token<'_>, all: &[Token<'_>]) -> Option<Diagnostic> {
    let words: Vec<&str> =
        all.iter().take_while(|t| t.kind == Kind::Word && !follows_name(keyword, t.text)).map(|t| t.text).collect();
    let last = all.get(words.len().checked_sub(1)?)?;
    let with_colon = matches!(keyword, "fact" | "extend" | "action" | "rule" | "derive");
    if with_colon && !all.get(words.len()).is_some_and(|t| t.is(":")) {
        return None;
    }
    let meant = words.join("-");
    let span = between(first, last);
    let finding = findings::no_plain_name(
        span,
        format!("`{}` is more than one word", words.join(" ")),
        format!("write `{meant}`"),
    );
    Some(finding.fix(format!("write `{meant}`"), false, span, meant))
}

/// `fact x = a`, `fact x a, b`.
fn colon(keyword: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    if !matches!(keyword, "fact" | "extend" | "group" | "action" | "rule" | "derive") {
        return None;
    }
    if keyword == "group" && !all.get(1).is_some_and(|t| t.is("of")) {
        return Some(findings::head(place(all.first()?), "this group does not say what fact it is of", shape(keyword)));
    }
    let i = if keyword == "group" { 3 } else { 1 };
    let name = all.get(i - 1)?;
    if name.is(":") {
        return Some(findings::head(place(name), "a name is missing before `:`", shape(keyword)));
    }
    match all.get(i) {
        Some(sign) if sign.is(":") => {
            let nothing = all.len() == i + 1;
            nothing.then(|| findings::head(place(sign), "nothing stands behind `:`", shape(keyword)))
        }
        Some(sign) if matches!(sign.text, "=" | ":=" | "==" | "->" | "=>" | "is") => {
            let finding = findings::head(place(sign), format!("`{}` is written `:`", sign.text), shape(keyword));
            Some(finding.fix("write `:`", true, place(sign), ":"))
        }
        Some(next) => {
            let finding =
                findings::head(between(name, next), format!("`:` is missing behind `{}`", name.text), shape(keyword));
            Some(finding.fix("write `:`", true, local(name.end, next.start), " : "))
        }
        None => Some(findings::head(place(name), format!("this `{keyword}` ends behind its name"), shape(keyword))),
    }
}

/// The tokens behind the first of these.
fn behind<'a, 't>(all: &'a [Token<'t>], sign: &str) -> &'a [Token<'t>] {
    all.iter().position(|t| t.is(sign)).and_then(|i| all.get(i + 1..)).unwrap_or_default()
}

/// What stands behind `fact NAME :`.
fn type_part(text: &str, all: &[Token<'_>]) -> Option<Mistake> {
    let first = all.first()?;
    let found = match all {
        [name, ..] if TYPES.contains(&name.text) => basic(text, all),
        _ if all.iter().any(|t| t.is(">")) => {
            let sign = all.iter().find(|t| t.is(">"))?;
            Some(findings::type_of(place(sign), "an ordered choice is written from low to high", "write `low < high`"))
        }
        _ => {
            let bracket = all.iter().find(|t| matches!(t.text, "{" | "[" | "(" | "|" | "/"));
            bracket.map(|b| {
                findings::type_of(
                    place(b),
                    format!("`{}` is not written in a type", b.text),
                    "part the values by commas: `a, b, c`",
                )
            })
        }
    };
    let number = all.iter().find(|t| t.kind == Kind::Number).filter(|_| !TYPES.contains(&first.text));
    let bounded = first.kind == Kind::Word && all.get(1).is_some_and(|t| t.kind == Kind::Number);
    let found = found.or_else(|| {
        bounded.then(|| {
            findings::type_of(
                place(first),
                format!("there is no type `{}`", first.text),
                "the types with bounds are `count`, `integer`, `decimal` and `duration`",
            )
        })
    });
    let found = found.or_else(|| {
        let number = number?;
        let help =
            format!("write `\"{}\"`, or one of the types `count`, `integer`, `decimal`, `duration`", number.text);
        Some(findings::no_plain_name(
            place(number),
            format!("`{}` is no plain name, so as a value it is quoted", number.text),
            help,
        ))
    });
    let named =
        || nearest(first.text, TYPES.iter().copied()).filter(|_| all.len() > 1 && !all[1].is(",") && !all[1].is("<"));
    let found = found.or_else(|| values_mistake(text, all));
    let found = if let Some(near) = named().filter(|_| !TYPES.contains(&first.text)) {
        let finding = findings::type_of(
            place(first),
            format!("there is no type `{}`", first.text),
            format!("did you mean `{near}`?"),
        );
        Some(finding.fix(format!("write `{near}`"), false, place(first), near))
    } else {
        found
    };
    found.map(Mistake::from)
}

/// A basic type with the wrong bounds.
fn basic(text: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    let (name, rest) = all.split_first()?;
    if let Some(found) = spaced_units(text, all) {
        return Some(found);
    }
    let help = format!(
        "write `{} 0..10`, with `step 0.1` behind it where values have a grid, or leave the bounds out",
        name.text
    );
    let bracket = rest.iter().find(|t| matches!(t.text, "(" | "[" | "{"));
    if let Some(bracket) = bracket {
        return Some(findings::type_of(place(bracket), "bounds stand without brackets", help));
    }
    if let Some(step) = rest.iter().find(|t| t.is("step")) {
        let value = rest.iter().find(|t| t.start > step.start);
        if value.is_none_or(|v| v.kind != Kind::Number) {
            return Some(findings::type_of(place(step), "`step` lacks its number", help));
        }
    }
    match rest {
        [dash, ..] if dash.is("-") || dash.is("to") => {
            Some(findings::type_of(place(dash), "bounds are written `0..10`", help))
        }
        [lo, hi, ..] if lo.kind == Kind::Number && !hi.is("..") => {
            Some(findings::type_of(between(lo, hi), "bounds are written `0..10`", help))
        }
        [sign, ..] if matches!(sign.text, ">=" | "<=" | ">" | "<") => {
            Some(findings::type_of(place(sign), "bounds are written `0..10`, open ones `0..`", help))
        }
        _ => None,
    }
}

fn values_part(text: &str, all: &[Token<'_>]) -> Option<Mistake> {
    values_mistake(text, all).map(Mistake::from)
}

fn action_part(text: &str, all: &[Token<'_>]) -> Option<Mistake> {
    let start = all.first()?.start;
    actions::parse(text.get(start..)?.trim_end()).err().map(|m| further(m, start))
}

fn rule_part(text: &str, all: &[Token<'_>]) -> Option<Mistake> {
    let body = behind(all, ":");
    let first = body.first()?;
    if !first.is("never") && !first.is("only") {
        let help = "a rule says `never ACTION, …` or `only ACTION, …`";
        return Some(findings::head(place(first), format!("`{}` begins no rule", first.text), help).into());
    }
    if let Some(word) = body.iter().find(|t| t.is("if") || t.is("where") || t.is("while")) {
        let finding = findings::head(place(word), format!("`{}` is written `when`", word.text), shape("rule"));
        return Some(finding.fix("write `when`", true, place(word), "when").into());
    }
    let reach = body.iter().position(|t| t.is("when") || t.is("unless"));
    let verbs = body.get(1..reach.unwrap_or(body.len()))?;
    if verbs.is_empty() {
        return Some(findings::head(place(first), format!("`{}` names no action", first.text), shape("rule")).into());
    }
    if let Some(joint) = verbs.iter().find(|t| t.is("or") || t.is("and")) {
        let finding =
            findings::comma(place(joint), "actions are parted by commas", "write `never retry, hedge when …`");
        return Some(finding.fix("write `,`", true, local(joint.start.saturating_sub(1), joint.end), ",").into());
    }
    let plain: Vec<Token<'_>> = verbs.iter().filter(|t| !t.is("to")).copied().collect();
    let with_to = verbs.iter().any(|t| t.is("to"));
    if let Some(found) = values_mistake(text, &plain).filter(|_| !with_to) {
        return Some(found.into());
    }
    let tests = body.get(reach? + 1..)?;
    tests_part(text, tests)
}

/// Tests that are a part of a head.
fn tests_part(text: &str, tests: &[Token<'_>]) -> Option<Mistake> {
    let (Some(first), Some(last)) = (tests.first(), tests.last()) else {
        let help = "a test is written `FACT is VALUE`";
        return Some(findings::test(local(text.len(), text.len()), "a test is missing", help).into());
    };
    conditions::parse(text.get(first.start..last.end)?).err().map(|m| further(m, first.start))
}

fn waive_part(all: &[Token<'_>]) -> Option<Mistake> {
    let help = shape("waive");
    let because = all.iter().position(|t| t.is("because"));
    let Some(because) = because else {
        let what = all.first()?;
        return Some(
            findings::head(
                place(what),
                "this waiver does not say why",
                "write `because \"text\"` behind what is waived",
            )
            .into(),
        );
    };
    let row = all.get(..because)?.iter().position(|t| t.is("for")).and_then(|i| all.get(i + 1..because));
    if let Some(row) = row.filter(|r| !r.iter().any(|t| t.is("/"))) {
        let span = row.first().map_or(place(&all[because]), place);
        return Some(findings::head(span, "a waiver names rows with their table", "write `for TABLE/ROW`").into());
    }
    match all.get(because + 1) {
        Some(text) if text.kind == Kind::Quoted => {}
        Some(text) => {
            return Some(findings::head(place(text), "the reason of a waiver stands in quotes", help).into());
        }
        None => return Some(findings::head(place(&all[because]), "nothing stands behind `because`", help).into()),
    }
    let moved = all.get(because + 2..)?.iter().find(|t| t.is("for"))?;
    Some(findings::head(place(moved), "`for` stands before `because`", help).into())
}

fn table_part(keyword: &str, text: &str, all: &[Token<'_>]) -> Option<Mistake> {
    if let Some(found) = hit_mistake(keyword, all) {
        return Some(found.into());
    }
    let (first, last) = like_hit(all.get(1..)?)?;
    let refused = all.iter().position(|t| t.is("if")).filter(|&i| all[i].start > last.start);
    if let Some(i) = refused {
        let tail = all.get(i..)?;
        let start = match tail {
            [_, refused, comma, action, ..] if refused.is("refused") && comma.is(",") => action.start,
            _ => {
                let help = "write `, if refused, ACTION` behind the hit policy";
                return Some(
                    findings::action(place(&all[i]), "what follows a refusal cannot be read here", help).into(),
                );
            }
        };
        if let Err(mistake) = actions::parse(text.get(start..)?.trim_end()) {
            return Some(further(mistake, start));
        }
    } else if let Some(extra) = all.iter().find(|t| t.start >= last.end) {
        let help = "behind the hit policy only `, if refused, ACTION` may stand; tests stand before it";
        return Some(findings::head(place(extra), format!("`{}` cannot stand here", extra.text), help).into());
    }
    if keyword == "derive" {
        return type_part(text, behind(all, ":").split(|t| t.start >= first.start).next()?);
    }
    let when = all.iter().position(|t| t.is("when") || t.is("if") || t.is("unless"))?;
    if !all[when].is("when") && all[when].start < first.start {
        let finding =
            findings::head(place(&all[when]), format!("`{}` is written `when`", all[when].text), shape("table"));
        return Some(finding.fix("write `when`", false, place(&all[when]), "when").into());
    }
    let end = all.iter().rposition(|t| t.end <= first.start).filter(|&i| all[i].is(","))?;
    tests_part(text, all.get(when + 1..end)?)
}

fn like_hit_word(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    ["first", "most", "rows", "highest", "lowest", "wins", "unique", "win", "last", "match", "matches", "best", "agree"]
        .contains(&word.as_str())
}

/// The hit policy's first and last token, right or nearly so: what the table says behind its last comma but one.
fn like_hit<'t>(all: &[Token<'t>]) -> Option<(Token<'t>, Token<'t>)> {
    let start = all.iter().position(|t| {
        t.kind == Kind::Word && (like_hit_word(t.text) || t.text == "at" || t.text == "one" || t.text == "any")
    })?;
    let end =
        all.get(start..)?.iter().position(|t| t.kind != Kind::Word || t.is("if")).map_or(all.len(), |n| start + n);
    Some((*all.get(start)?, *all.get(end.checked_sub(1)?)?))
}

/// A hit policy that is missing, misspelt or not parted by its comma.
fn hit_mistake(keyword: &str, all: &[Token<'_>]) -> Option<Diagnostic> {
    let name = all.first()?;
    let rest = all.get(1..)?;
    let Some((first, last)) = like_hit(rest) else {
        let message = format!("this `{keyword}` does not say what holds when several rows match");
        return Some(findings::hit(place(name), message, HIT_HELP));
    };
    let words: Vec<&str> =
        rest.iter().filter(|t| t.start >= first.start && t.end <= last.end).map(|t| t.text).collect();
    let written = words.join(" ");
    let before = all.iter().rev().find(|t| t.end <= first.start)?;
    if HITS.contains(&written.as_str()) {
        if before.is(",") {
            return None;
        }
        let finding = findings::hit(
            between(&first, &last),
            format!("a comma stands before `{written}`"),
            format!("write `, {written}`"),
        );
        return Some(finding.fix("write the comma", true, local(before.end, first.start), ", "));
    }
    let meant = meant_hit(&written);
    let span = between(&first, &last);
    let finding = findings::hit(
        span,
        format!("`{written}` does not say what holds when several rows match"),
        format!("did you mean `{meant}`?"),
    );
    Some(finding.fix(format!("write `{meant}`"), false, span, meant))
}

/// What a misspelt hit policy was meant as.
fn meant_hit(written: &str) -> &'static str {
    let has = |word: &str| written.to_ascii_lowercase().contains(word);
    match nearest(written, HITS.iter().copied()) {
        Some(near) => near,
        None if has("cautious") || has("safe") || has("priority") => "most cautious wins",
        None if has("agree") || has("any") => "rows agree",
        None if has("one") || has("unique") => "at most one row",
        None if has("high") || has("max") => "highest wins",
        None if has("low") || has("min") => "lowest wins",
        None => "first row wins",
    }
}

fn fallback(keyword: &str, text: &str, all: &[Token<'_>], furthest: usize) -> Diagnostic {
    match all.iter().find(|t| t.end > furthest) {
        Some(token) if text.get(token.start..).is_some_and(|t| t.starts_with("//") || t.starts_with("/*")) => {
            let finding = findings::head(place(token), "a comment begins with `#`", "write `#` before the comment");
            finding.fix("write `#`", true, local(token.start, token.start + 2), "#")
        }
        Some(token) if token.is("/") && keyword == "use" => {
            let meant = text.trim().trim_end_matches(".nisi").replace('/', ".");
            let help = format!("folders and files are parted by points: write `use {meant}`");
            let span = local(text.len() - text.trim_start().len(), text.trim_end().len());
            findings::head(place(token), "`/` cannot be read here", help).fix(
                format!("write `{meant}`"),
                true,
                span,
                meant,
            )
        }
        Some(token) if super::keys::ITEMS.contains(&token.text) && !matches!(token.text, "owner" | "version") => {
            let help = "an item begins at the start of its line";
            findings::head(place(token), format!("`{}` cannot stand inside this `{keyword}`", token.text), help)
        }
        Some(token) => findings::head(place(token), format!("`{}` cannot be read here", token.text), shape(keyword)),
        None => {
            findings::head(local(text.len(), text.len()), format!("this `{keyword}` breaks off here"), shape(keyword))
        }
    }
}

/// What the grammar read and nobody meant: `fact x : boolean`. Places count from the start of the text.
pub(super) fn in_item(kind: &ItemKind, text: &str, at: At<'_>) -> Option<Mistake> {
    let types: Vec<&TypeExpr> = match kind {
        ItemKind::Fact { ty, .. } => vec![ty],
        ItemKind::Derive { outputs, .. } => outputs.iter().map(|(_, ty)| ty).collect(),
        _ => Vec::new(),
    };
    types.into_iter().find_map(|ty| {
        let TypeExpr::Choice { values, .. } = ty else { return None };
        let [one] = values.as_slice() else { return None };
        if one.quoted {
            return None;
        }
        let meant = other_type(&one.text).or_else(|| nearest(&one.text, TYPES.iter().copied()))?;
        let token = tokens(text).into_iter().find(|t| at.span(t.start, t.end) == one.span)?;
        let finding =
            findings::type_of(place(&token), format!("there is no type `{}`", one.text), format!("write `{meant}`"));
        Some(finding.fix(format!("write `{meant}`"), false, place(&token), meant).into())
    })
}

/// What other languages call a type.
fn other_type(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "bool" | "boolean" | "flag" => "yes, no",
        "int" | "long" | "i64" => "integer",
        "uint" | "natural" | "unsigned" => "count",
        "float" | "double" | "number" | "numeric" | "money" | "real" => "decimal",
        "string" | "str" | "varchar" => "text",
        "time" | "date" | "datetime" | "timestamp" => "instant",
        "timespan" | "interval" => "duration",
        "semver" => "version",
        _ => return None,
    })
}
