//! JSON in one canonical form, so that one meaning has one hash: the JSON Canonicalization Scheme, RFC 8785.
//!
//! Takes a [`Tree`]; gives bytes. Keys are sorted by their UTF-16 code units, texts are escaped as little as may be and
//! never normalised, numbers are doubles printed as ECMAScript prints them. What a double cannot hold apart is refused
//! and never rounded: an amount that changes in its last digit must change the hash.
//!
//! Written here because the small crates for it take a parsed value, in which a second `a` and the digits of a large
//! number are gone already.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::tree::{Kind, TextError, Tree};
use super::tree_json::read_json;

/// The largest whole number up to which a double holds every one: 2⁵³.
const EXACT: u64 = 1 << 53;
/// As many significant digits as some doubles need; with more, neighbours fall together.
const MOST_DIGITS: usize = 17;

/// The meaning of an operation's arguments: SHA-256 over their canonical JSON (RFC 8785); written `sha256:` and 64
/// hexadecimal digits.
///
/// ```
/// use nisi::judge::ArgsHash;
/// let one = ArgsHash::of_json(r#"{"amount": 1200.50, "supplier": "s-7"}"#)?;
/// let same = ArgsHash::of_json(r#"{"supplier":"s-7","amount":12005e-1}"#)?;
/// let other = ArgsHash::of_json(r#"{"amount": 1200.51, "supplier": "s-7"}"#)?;
/// assert!(one == same && one != other);
/// assert_eq!(one.to_string().parse(), Ok(one));
/// # Ok::<(), nisi::judge::TextError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArgsHash([u8; 32]);

impl ArgsHash {
    /// The hash of arguments that are given as JSON.
    ///
    /// # Errors
    /// What is no JSON, a key that stands twice, half a character, a number that a double cannot hold apart from its
    /// neighbours.
    pub fn of_json(text: &str) -> Result<Self, TextError> {
        Ok(ArgsHash(sha256(canonical(&read_json(text)?)?.as_bytes())))
    }
}

impl std::fmt::Display for ArgsHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&show_digest(&self.0))
    }
}

impl std::fmt::Debug for ArgsHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

impl std::str::FromStr for ArgsHash {
    type Err = super::IdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        read_digest(text).map(ArgsHash).ok_or_else(|| super::IdError::no_digest("canonical_args_hash", text))
    }
}

pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// `sha256:` and the digits.
pub(crate) fn show_digest(bytes: &[u8; 32]) -> String {
    bytes.iter().fold("sha256:".to_string(), |mut out, byte| {
        // Writing to a string cannot fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// The 32 bytes behind `sha256:`, in lower case.
pub(crate) fn read_digest(text: &str) -> Option<[u8; 32]> {
    let digits = text.strip_prefix("sha256:")?;
    if digits.len() != 64 || !digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
        return None;
    }
    let mut bytes = [0; 32];
    for (i, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(digits.get(2 * i..2 * i + 2)?, 16).ok()?;
    }
    Some(bytes)
}

/// The canonical form.
pub(crate) fn canonical(tree: &Tree) -> Result<String, TextError> {
    let mut out = String::new();
    write(tree, &mut out, &mut |digits, line, out| {
        out.push_str(&number(digits, line)?);
        Ok(())
    })?;
    Ok(out)
}

/// The same on one line with numbers as they are written, for people and for records that we wrote ourselves.
pub(super) fn plain(tree: &Tree) -> String {
    let mut out = String::new();
    // A number as written is no error.
    let _ = write(tree, &mut out, &mut |digits, _, out| {
        out.push_str(digits);
        Ok(())
    });
    out
}

type Numbers<'a> = dyn FnMut(&str, usize, &mut String) -> Result<(), TextError> + 'a;

fn write(tree: &Tree, out: &mut String, numbers: &mut Numbers<'_>) -> Result<(), TextError> {
    match &tree.kind {
        Kind::Null => out.push_str("null"),
        Kind::Bool(yes) => out.push_str(if *yes { "true" } else { "false" }),
        Kind::Number(digits) => numbers(digits, tree.line, out)?,
        Kind::Text(text) => out.push_str(&quoted(text)),
        Kind::List(items) => {
            for (i, item) in items.iter().enumerate() {
                out.push(if i == 0 { '[' } else { ',' });
                write(item, out, numbers)?;
            }
            out.push_str(if items.is_empty() { "[]" } else { "]" });
        }
        Kind::Map(entries) => {
            let mut sorted: Vec<_> = entries.iter().collect();
            sorted.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            for (i, (key, value)) in sorted.into_iter().enumerate() {
                out.push(if i == 0 { '{' } else { ',' });
                out.push_str(&quoted(key));
                out.push(':');
                write(value, out, numbers)?;
            }
            out.push_str(if entries.is_empty() { "{}" } else { "}" });
        }
    }
    Ok(())
}

/// A text in double quotes, escaped as RFC 8785, 3.2.2.2 says.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            '\u{0}'..='\u{1f}' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A number as it is written in JSON, canonically; refused where a double does not hold it apart from its neighbours.
fn number(digits: &str, line: usize) -> Result<String, TextError> {
    let shown: String = digits.chars().take(40).collect();
    let refuse = |why: &str| {
        let error = TextError::new(line, format!("the number `{shown}` {why}"));
        Err(error.help("give it as a text, so that each of its digits counts"))
    };
    let mantissa = digits.split(['e', 'E']).next().unwrap_or(digits);
    let whole = mantissa.len() == digits.len() && !digits.contains('.');
    let significant: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let n_significant = significant.trim_matches('0').len();
    let value: f64 = match digits.parse() {
        Ok(value) if f64::is_finite(value) => value,
        _ => return refuse("is too large"),
    };
    if value == 0.0 && n_significant > 0 {
        return refuse("is too small");
    }
    let is_inexact = digits.trim_start_matches('-').parse::<u64>().map_or(whole, |n| n > EXACT);
    if whole && is_inexact {
        return refuse("is past 2^53, where neighbours fall together");
    }
    if n_significant > MOST_DIGITS {
        return refuse("has more than 17 significant digits");
    }
    Ok(ecmascript(value))
}

/// The shortest digits that come back as the same double, and the power of ten of the first. Where two are as near, the
/// even one, as RFC 8785 requires; the standard library takes either.
fn shortest(value: f64) -> (String, i32) {
    let parts = |text: &str| {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        (mantissa.replace('.', ""), exponent.parse::<i32>().unwrap_or(0))
    };
    let (digits, exponent) = parts(&format!("{value:e}"));
    if digits.bytes().last().is_none_or(|b| b % 2 == 0) {
        return (digits, exponent);
    }
    // All digits that the double has: no double has more than 767.
    let (whole, first) = parts(&format!("{value:.800e}"));
    let (head, tail) = whole.split_at(digits.len().min(whole.len()));
    let is_tie = first == exponent && tail.trim_end_matches('0') == "5";
    let even = if head == digits { digits.parse::<u64>().map(|n| n + 1) } else { head.parse() };
    let comes_back = |n: u64| format!("{n}e{}", exponent + 1 - int(digits.len())).parse() == Ok(value);
    match even {
        Ok(even) if is_tie && comes_back(even) => (even.to_string(), exponent),
        _ => (digits, exponent),
    }
}

/// A count of digits: 17 at most.
fn int(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(0)
}

/// A finite double as ECMAScript's `Number::toString` prints it (ECMA-262, 6.1.6.1.20).
fn ecmascript(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let (digits, exponent) = shortest(value.abs());
    let k = int(digits.len());
    // The point stands behind the n-th digit.
    let n = exponent + 1;
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    let body = if (k..=21).contains(&n) {
        format!("{digits}{}", zeros(n - k))
    } else if (1..=21).contains(&n) {
        let (whole, fraction) = digits.split_at(usize::try_from(n).unwrap_or(0));
        format!("{whole}.{fraction}")
    } else if (-5..=0).contains(&n) {
        format!("0.{}{digits}", zeros(-n))
    } else {
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        format!("{first}{point}{rest}e{}{}", if n > 0 { "+" } else { "-" }, (n - 1).abs())
    };
    if value < 0.0 { format!("-{body}") } else { body }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        canonical(&read_json(text).unwrap()).unwrap()
    }

    /// RFC 8785, 3.2.2 and 3.2.4.
    #[test]
    fn the_rfcs_own_sample() {
        let text = r#"{
            "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
            "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
            "literals": [null, true, false]
        }"#;
        let expected = concat!(
            r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#,
            r#""string":"€$\u000f\nA'B\"\\\\\"/"}"#
        );
        assert_eq!(of(text), expected);
    }

    /// RFC 8785, 3.2.3.
    #[test]
    fn keys_are_sorted_by_utf_16() {
        let text = r#"{"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
            "1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"}"#;
        let Kind::Map(entries) = read_json(&of(text)).unwrap().kind else { panic!("a map") };
        let order: Vec<_> = entries.iter().filter_map(|(_, v)| v.text().and_then(|t| t.split(' ').next())).collect();
        assert_eq!(order, ["Carriage", "One", "Control", "Latin", "Euro", "Emoji:", "Hebrew"]);
    }

    /// RFC 8785, appendix B, and the ends of the printing rules.
    #[test]
    fn numbers_are_printed_as_ecmascript_does() {
        for (bits, text) in [
            (0x0000_0000_0000_0000, "0"),
            (0x8000_0000_0000_0000, "0"),
            (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"),
            (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
            (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
            (0x4340_0000_0000_0000, "9007199254740992"),
            (0xc340_0000_0000_0000, "-9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
            (0x44b5_2d02_c7e1_4af6, "1e+23"),
            (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
            (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
            (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
            (0x444b_1ae4_d6e2_ef50, "1e+21"),
            (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
            (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
            (0x41b3_de43_5555_5553, "333333333.3333332"),
            (0x41b3_de43_5555_5554, "333333333.33333325"),
            (0x41b3_de43_5555_5555, "333333333.3333333"),
            (0x41b3_de43_5555_5556, "333333333.3333334"),
            (0x41b3_de43_5555_5557, "333333333.33333343"),
            (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
            (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
        ] {
            assert_eq!(ecmascript(f64::from_bits(bits)), text, "{bits:016x}");
        }
    }

    #[test]
    fn what_a_double_cannot_hold_apart_is_refused() {
        let error = |text: &str| canonical(&read_json(text).unwrap()).unwrap_err().to_string();
        for bad in ["9007199254740993", "-9007199254740993", "18446744073709551616", "99999999999999999999999999999"] {
            assert!(error(bad).contains("2^53"), "{bad}");
        }
        assert!(error("1e400").contains("too large"));
        assert!(error("1e-400").contains("too small"));
        assert!(error("0.1000000000000000055").contains("17 significant"));
        assert_eq!(error("[1,\n9007199254740993]").split(':').next(), Some("line 2"));
        assert_eq!(
            (of("9007199254740992").as_str(), of("-0").as_str(), of("0e5").as_str()),
            ("9007199254740992", "0", "0")
        );
    }

    #[test]
    fn texts_are_never_normalised() {
        assert_ne!(ArgsHash::of_json(r#""\u00e9""#), ArgsHash::of_json(r#""e\u0301""#));
        assert_eq!(ArgsHash::of_json(r#""سفارش""#), ArgsHash::of_json(r#""\u0633\u0641\u0627\u0631\u0634""#));
        assert_eq!(of("[]"), "[]");
        assert_eq!(of("{ }"), "{}");
        let hash = ArgsHash::of_json("{}").unwrap();
        assert_eq!(hash.to_string(), "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
    }

    #[test]
    fn doubles_come_back_as_they_were() {
        use proptest::prelude::*;
        proptest!(|(bits: u64)| {
            let value = f64::from_bits(bits);
            if value.is_finite() {
                prop_assert_eq!(ecmascript(value).parse(), Ok(value));
            }
        });
    }
}
