//! Decimals: exact, at most 18 digits on each side of the point, as whole numbers of 10⁻¹⁸.

use super::LiteralError;

/// One, in ticks.
pub const DECIMAL_UNIT: i128 = 1_000_000_000_000_000_000;

/// Reads a number into units of 10⁻¹⁸; digits may be grouped by `_`.
///
/// # Errors
/// What is no plain number, or has more than 18 digits on a side of the point.
pub fn parse_decimal(text: &str) -> Result<i128, LiteralError> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(w, f)| (w, Some(f)));
    let ok = |s: &str| {
        s.starts_with(|c: char| c.is_ascii_digit())
            && s.ends_with(|c: char| c.is_ascii_digit())
            && s.bytes().all(|b| b.is_ascii_digit() || b == b'_')
            && !s.contains("__")
    };
    if !ok(whole) || !fraction.is_none_or(ok) {
        return Err(not_a_number(text));
    }
    let (whole, fraction) = (whole.trim_start_matches(['0', '_']), fraction.unwrap_or("").trim_end_matches(['0', '_']));
    let digits = |s: &str| s.bytes().filter(|b| *b != b'_').count();
    let (n_whole, n_fraction) = (digits(whole), digits(fraction));
    if n_whole > 18 || n_fraction > 18 {
        let message = format!("`{text}` has too many digits");
        return Err(LiteralError::new(message).help("a number has at most 18 digits before the point and 18 after it"));
    }
    // 36 digits fit.
    let written = whole.bytes().chain(fraction.bytes()).filter(|b| *b != b'_').map(|b| i128::from(b - b'0'));
    let zeros = std::iter::repeat_n(0, 18 - n_fraction);
    let ticks = written.chain(zeros).fold(0i128, |ticks, digit| ticks * 10 + digit);
    Ok(if negative { -ticks } else { ticks })
}

fn not_a_number(text: &str) -> LiteralError {
    let error = LiteralError::new(format!("`{text}` is not a number"));
    let plain = text.replace(',', "");
    if plain != text && parse_decimal(&plain).is_ok() {
        let instead = text.replace(',', "_");
        // `3,5` can be no thousands: three digits stand behind each of their commas.
        if !text.split(',').skip(1).all(|group| group.bytes().take_while(u8::is_ascii_digit).count() == 3) {
            let instead = text.replace(',', ".");
            return error.help(format!("a decimal point is written `.`: `{instead}`")).instead(instead);
        }
        return error.help(format!("write thousands with `_`: `{instead}`")).instead(instead);
    }
    if text.contains(['e', 'E']) && text.starts_with(|c: char| c.is_ascii_digit()) {
        return error.help("write all its digits; `5_000` is five thousand");
    }
    error.help("write digits, such as `3`, `5_000` or `0.25`")
}

/// Writes ticks as a number without needless zeros.
pub fn show_decimal(ticks: i128) -> String {
    let sign = if ticks < 0 { "-" } else { "" };
    let (whole, fraction) = (ticks.unsigned_abs() / 10u128.pow(18), ticks.unsigned_abs() % 10u128.pow(18));
    let fraction = format!("{fraction:018}");
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        for text in ["0", "0.1", "-3", "123456789012345678.123456789012345678", "5000"] {
            assert_eq!(show_decimal(parse_decimal(text).unwrap()), text);
        }
        for bad in ["", "-", ".5", "5.", "1e3", "NaN", "inf", "5,000", "1__0", "1234567890123456789", "0x1", "٣"] {
            assert!(parse_decimal(bad).is_err(), "{bad}");
        }
        assert_eq!(parse_decimal("5_000.25"), Ok(5_000 * DECIMAL_UNIT + DECIMAL_UNIT / 4));
        assert_eq!(show_decimal(-DECIMAL_UNIT / 4), "-0.25");
        assert_eq!(parse_decimal("5,000").unwrap_err().instead.as_deref(), Some("5_000"));
    }
}
