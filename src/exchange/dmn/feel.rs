//! Unary tests of FEEL (DMN 1.5, §10.3.1.3): the text of an input entry, to a cell; and literals, to values.
//!
//! Read are literals, comparisons, intervals, lists, `not(…)`, `null`, `starts with(?, "…")` and what they make with `?`
//! and `and`. Anything else, such as a name or a sum, depends on more than the cell, and is refused. FEEL's `null` is
//! *unknown*: `not("a")` takes it, since null is not "a"; a comparison and an interval do not.

use crate::exchange::cell::{Atom, Cell, Literal, Member};
use crate::exchange::column::{instant, iso_duration};
use crate::exchange::loose::{between, negated};
use crate::syntax::tree::Comparison;

/// How deep parentheses may stand inside each other.
const MAX_DEPTH: usize = 16;

/// A piece of FEEL.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Text(String),
    Number(String),
    Word(String),
    Sign(&'static str),
}

const SIGNS: [&str; 16] = ["..", "<=", ">=", "!=", "<", ">", "=", "(", ")", "[", "]", ",", "?", "-", "@", "+"];

/// Reads the text of an input entry.
///
/// # Errors
/// What in it cannot be said in a cell.
pub(super) fn unary_tests(text: &str) -> Result<Cell, String> {
    let text = text.trim();
    if matches!(text, "" | "-") {
        return Ok(Cell::Any);
    }
    let whole = || format!("`{text}` cannot be said in a cell");
    let mut parser = Parser { tokens: tokens(text).ok_or_else(whole)?, at: 0, depth: 0 };
    let cell = if parser.takes_word("not") {
        parser.sign("(").and_then(|()| parser.list()).filter(|_| parser.sign(")").is_some()).and_then(not)
    } else {
        parser.list()
    };
    cell.filter(|_| parser.at == parser.tokens.len()).ok_or_else(whole)
}

/// What an output entry says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    /// A value.
    Value(Literal),
    /// `null`.
    Null,
    /// Something that is worked out.
    Other,
}

/// Reads an output entry.
pub(super) fn answer(text: &str) -> Answer {
    let Some(tokens) = tokens(text.trim()) else { return Answer::Other };
    let mut parser = Parser { tokens, at: 0, depth: 0 };
    let found = if parser.takes_word("null") { Some(Answer::Null) } else { parser.literal().map(Answer::Value) };
    found.filter(|_| parser.at == parser.tokens.len()).unwrap_or(Answer::Other)
}

/// What no alternative takes. FEEL's null is no value: where all of them are values, it is taken too.
fn not(cell: Cell) -> Option<Cell> {
    let Cell::Tests(alternatives) = &cell else { return None };
    let is_value = |atoms: &Vec<Atom>| matches!(&atoms[..], [Atom::List(members)] if members.iter().all(|m| matches!(m, Member::One(_))));
    let takes_null = alternatives.iter().all(is_value);
    match negated(cell)? {
        Cell::Tests(mut tests) if takes_null => {
            tests.insert(0, vec![Atom::Unknown]);
            Some(Cell::Tests(tests))
        }
        cell => Some(cell),
    }
}

fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let n = if first == '"' {
            let (text, n) = quoted(rest)?;
            out.push(Token::Text(text));
            n
        } else if first.is_ascii_digit() || first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            let n = number_end(rest);
            let digits = &rest[..n];
            out.push(Token::Number(if digits.starts_with('.') { format!("0{digits}") } else { digits.to_string() }));
            n
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            out.push(Token::Sign(sign));
            sign.len()
        } else if first.is_alphabetic() || first == '_' {
            let n = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            out.push(Token::Word(rest[..n].to_string()));
            n
        } else {
            return None;
        };
        rest = rest.get(n..)?.trim_start();
    }
    Some(out)
}

/// Where a number ends: two points are an interval's.
fn number_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut i = 0;
    while bytes
        .get(i)
        .is_some_and(|b| b.is_ascii_digit() || *b == b'.' && bytes.get(i + 1).is_some_and(u8::is_ascii_digit))
    {
        i += 1;
    }
    i
}

/// A text in quotes, without its escapes, and how long it was.
fn quoted(text: &str) -> Option<(String, usize)> {
    let mut out = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((i, c)) = chars.next() {
        match c {
            '"' => return Some((out, i + 1)),
            '\\' => match chars.next()?.1 {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                'r' => {}
                'u' => {
                    let code: String = chars.by_ref().take(4).map(|(_, c)| c).collect();
                    out.push(char::from_u32(u32::from_str_radix(&code, 16).ok()?)?);
                }
                c => out.push(c),
            },
            c => out.push(c),
        }
    }
    None
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is = matches!(self.peek(), Some(Token::Word(w)) if w == word);
        self.at += usize::from(is);
        is
    }

    fn sign(&mut self, sign: &str) -> Option<()> {
        let is = matches!(self.peek(), Some(Token::Sign(s)) if *s == sign);
        self.at += usize::from(is);
        is.then_some(())
    }

    /// Tests with commas between them: one of them.
    fn list(&mut self) -> Option<Cell> {
        let mut all: Vec<Vec<Atom>> = Vec::new();
        loop {
            match self.conjunction()? {
                Cell::Any => return None,
                // Values in a row are one list.
                Cell::Tests(tests) => {
                    let joined = match (all.last_mut(), &tests[..]) {
                        (Some(before), [next]) => join(before, next),
                        _ => false,
                    };
                    if !joined {
                        all.extend(tests);
                    }
                }
            }
            if self.sign(",").is_none() {
                return Some(Cell::Tests(all));
            }
        }
    }

    /// Tests with `and` between them.
    fn conjunction(&mut self) -> Option<Cell> {
        let mut first = self.test()?;
        while self.takes_word("and") {
            let (Cell::Tests(a), Cell::Tests(b)) = (&mut first, self.test()?) else { return None };
            let ([a], [b]) = (&mut a[..], &b[..]) else { return None };
            if let (Some(Atom::Not(before)), [Atom::Not(more)]) = (a.last_mut(), &b[..]) {
                before.extend(more.iter().cloned());
            } else if a[..] != [Atom::Known] {
                a.extend(b.iter().cloned());
            } else {
                a.clear();
                a.extend(b.iter().cloned());
            }
        }
        Some(first)
    }

    fn test(&mut self) -> Option<Cell> {
        if self.sign("?").is_some() {
            return self.about_input();
        }
        if self.takes_word("null") {
            return Some(Cell::Tests(vec![vec![Atom::Unknown]]));
        }
        if self.takes_word("not") {
            self.depth += 1;
            self.sign("(")?;
            let cell = if self.depth < MAX_DEPTH { self.conjunction()? } else { return None };
            self.sign(")")?;
            return negated(cell);
        }
        if self.takes_word("starts") {
            let shape = self.takes_word("with")
                && self.sign("(").is_some()
                && self.sign("?").is_some()
                && self.sign(",").is_some();
            let Some(Token::Text(text)) = self.peek().filter(|_| shape).cloned() else { return None };
            self.at += 1;
            self.sign(")")?;
            return Some(Cell::Tests(vec![vec![Atom::Starts(text)]]));
        }
        if let Some(sign) = self.comparison() {
            return self.literal().map(|value| Cell::Tests(vec![vec![Atom::Compare(sign, value)]]));
        }
        let before = self.at;
        for (open, is_open) in [("[", false), ("]", true), ("(", true)] {
            if self.sign(open).is_some() {
                let found = self.interval(is_open);
                if found.is_none() && open == "(" && self.depth < MAX_DEPTH {
                    (self.at, self.depth) = (before + 1, self.depth + 1);
                    let inner = self.conjunction()?;
                    return self.sign(")").map(|()| inner);
                }
                return found;
            }
        }
        self.sign("=");
        self.literal().map(|value| Cell::one_of([value]))
    }

    /// What stands behind a `?`.
    fn about_input(&mut self) -> Option<Cell> {
        let not_equal = self.sign("!=").is_some();
        if not_equal || self.sign("=").is_some() {
            if self.takes_word("null") {
                return Some(Cell::Tests(vec![vec![if not_equal { Atom::Known } else { Atom::Unknown }]]));
            }
            let one = vec![Member::One(self.literal()?)];
            // Alone it would take null too; behind `? != null and` it does not, and so it is read there.
            let known = self.at >= 4
                && self.tokens[..self.at].windows(2).any(|w| w == [Token::Sign("!="), Token::Word("null".into())]);
            return match (not_equal, known) {
                (false, _) => Some(Cell::Tests(vec![vec![Atom::List(one)]])),
                (true, true) => Some(Cell::Tests(vec![vec![Atom::Not(one)]])),
                (true, false) => Some(Cell::Tests(vec![vec![Atom::Unknown], vec![Atom::Not(one)]])),
            };
        }
        if self.takes_word("in") {
            return self.test();
        }
        let sign = self.comparison()?;
        self.literal().map(|value| Cell::Tests(vec![vec![Atom::Compare(sign, value)]]))
    }

    fn comparison(&mut self) -> Option<Comparison> {
        let sign = match self.peek()? {
            Token::Sign("<") => Comparison::Less,
            Token::Sign("<=") => Comparison::AtMost,
            Token::Sign(">") => Comparison::Greater,
            Token::Sign(">=") => Comparison::AtLeast,
            _ => return None,
        };
        self.at += 1;
        Some(sign)
    }

    /// What stands behind the bracket of an interval.
    fn interval(&mut self, open_low: bool) -> Option<Cell> {
        let lo = self.literal()?;
        self.sign("..")?;
        let hi = self.literal()?;
        let open_high = if self.sign("]").is_some() {
            false
        } else {
            self.sign(")").or_else(|| self.sign("["))?;
            true
        };
        Some(between(lo, open_low, hi, open_high))
    }

    fn literal(&mut self) -> Option<Literal> {
        let negative = self.sign("-").is_some();
        let token = self.peek()?.clone();
        self.at += 1;
        match token {
            Token::Number(digits) if negative => Some(Literal::bare(format!("-{digits}"))),
            Token::Number(digits) => Some(Literal::bare(digits)),
            _ if negative => None,
            Token::Text(text) => Some(Literal::quoted(text)),
            Token::Sign("@") => {
                let Token::Text(text) = self.peek()?.clone() else { return None };
                self.at += 1;
                iso_duration(&text).or_else(|| instant(&text)).map(Literal::bare)
            }
            Token::Word(word) => self.word(&word),
            Token::Sign(_) => None,
        }
    }

    /// `true`, `duration("PT5M")`, `date("2026-08-01")`, `date and time("…")`.
    fn word(&mut self, word: &str) -> Option<Literal> {
        match word {
            "true" => return Some(Literal::bare("yes")),
            "false" => return Some(Literal::bare("no")),
            "date" => {
                if self.takes_word("and") && !self.takes_word("time") {
                    return None;
                }
            }
            "duration" => {}
            _ => return None,
        }
        self.sign("(")?;
        let Token::Text(text) = self.peek()?.clone() else { return None };
        self.at += 1;
        self.sign(")")?;
        if word == "duration" { iso_duration(&text) } else { instant(&text) }.map(Literal::bare)
    }
}

/// Puts the values of a test into the list before it, where both are lists.
fn join(before: &mut [Atom], next: &[Atom]) -> bool {
    match (before, next) {
        ([Atom::List(list)], [Atom::List(more)]) => {
            list.extend(more.iter().cloned());
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::cell::LiteralKind;

    fn shown(text: &str) -> String {
        let value =
            &mut |l: &Literal| Ok(if l.kind == LiteralKind::Quoted { format!("'{}'", l.text) } else { l.text.clone() });
        unary_tests(text).map_or_else(|why| format!("! {why}"), |cell| cell.show(value).unwrap())
    }

    #[test]
    fn tests_of_feel() {
        for (text, cell) in [
            ("-", "-"),
            ("", "-"),
            ("\"a\"", "'a'"),
            ("\"a\",\"b\"", "'a', 'b'"),
            ("not(\"a\",\"b\")", "unknown or not 'a', 'b'"),
            ("not(null, \"a\")", "not 'a'"),
            ("not(null)", "known"),
            ("null", "unknown"),
            ("null, \"a\"", "unknown, 'a'"),
            ("< 5", "< 5"),
            (">=-1.5", ">= -1.5"),
            (".5", "0.5"),
            ("[1..5]", "1..5"),
            ("[1..5)", "1..<5"),
            ("[1..5[", "1..<5"),
            ("]1..5]", "> 1 and <= 5"),
            ("(1..5)", "> 1 and < 5"),
            ("<1, >5", "< 1 or > 5"),
            ("1,[3..4],>9", "1, 3..4 or > 9"),
            ("not([1..5])", "not 1..5"),
            ("not(<5)", ">= 5"),
            ("not((1..5))", "<= 1 or >= 5"),
            ("true", "yes"),
            ("not(true)", "unknown or not yes"),
            ("duration(\"PT5M\")", "5m"),
            (">= @\"PT5M\"", ">= 5m"),
            ("< date(\"2026-08-01\")", "< 2026-08-01T00:00:00Z"),
            (">= date and time(\"2026-08-01T12:00:00+02:00\")", ">= 2026-08-01T12:00:00+02:00"),
            ("starts with(?, \"po:\")", "starts \"po:\""),
            ("starts with(?, \"po:\") and ? != null and ? != \"po:7\"", "starts \"po:\" and known and not 'po:7'"),
            ("? != null and ? != \"a\" and ? != \"b\"", "not 'a', 'b'"),
            ("? != \"a\"", "unknown or not 'a'"),
            ("? > 5", "> 5"),
            ("? in [1..2]", "1..2"),
            ("\"it\\\"s \\u0041\"", "'it\"s A'"),
            ("\"14 days\"", "'14 days'"),
        ] {
            assert_eq!(shown(text), cell, "{text}");
        }
        for bad in [
            "a",
            "> a",
            "a + 1",
            "\"a",
            "1,",
            "not(a)",
            "count(?) > 3",
            "{a: 1}",
            "time(\"10:00:00\")",
            "duration(\"P1Y\")",
            "[1..",
            "-\"a\"",
            "((((((((((((((((((1))))))))))))))))))",
        ] {
            assert!(shown(bad).starts_with('!'), "{bad}: {}", shown(bad));
        }
    }
}
