//! Durations: whole milliseconds, written with units: `300ms`, `20s`, `1m30s`, `24h`, `30d`.

use std::fmt::Write as _;

use super::LiteralError;

/// The longest duration: a hundred years of 365 days, in milliseconds.
pub const MAX_DURATION_MS: u64 = 36_500 * 86_400_000;

const UNITS: [(&str, u64); 5] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// Reads a duration in milliseconds.
///
/// Parts follow each other from the larger unit to the smaller, each once; digits may be grouped by `_`; a fraction
/// (`1.5s`) is allowed where it is a whole number of milliseconds.
///
/// ```
/// use nisi::words::parse_duration;
/// assert_eq!(parse_duration("1m30s"), Ok(90_000));
/// assert_eq!(parse_duration("1.5s"), Ok(1_500));
/// assert!(parse_duration("500").unwrap_err().help.unwrap().contains("500ms"));
/// ```
///
/// # Errors
/// A number without a unit, an unknown unit, units out of order, a part finer than a millisecond, a negative
/// duration, or one past [`MAX_DURATION_MS`].
pub fn parse_duration(text: &str) -> Result<u64, LiteralError> {
    if text.starts_with('-') {
        return Err(LiteralError::new(format!("`{text}` is less than nothing")).help("a duration is 0ms or more"));
    }
    if text.contains(char::is_whitespace)
        && let Some(meant) = meant(text)
    {
        let finding = LiteralError::new(format!("`{text}` is not a duration as it is written"));
        return Err(finding.help(format!("write `{meant}`")).instead(meant));
    }
    let (mut rest, mut total, mut next_unit) = (text, 0u64, 0);
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !(c.is_ascii_digit() || c == '_' || c == '.')).unwrap_or(rest.len());
        let (number, after) = rest.split_at(digits);
        let letters = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at(letters);
        let place = find_unit(text, number, unit)?;
        if place < next_unit {
            let help = "write the larger unit first and each unit once, such as `1m30s`";
            return Err(LiteralError::new(format!("the units of `{text}` are out of order")).help(help));
        }
        next_unit = place + 1;
        total = part(text, number, UNITS[place].1)?.checked_add(total).ok_or_else(|| too_long(text))?;
        rest = after;
    }
    if text.is_empty() {
        return Err(LiteralError::new("a duration is missing").help("write one such as `300ms` or `20s`"));
    }
    if total > MAX_DURATION_MS { Err(too_long(text)) } else { Ok(total) }
}

/// The duration without spaces and with the units of the language: of `1 hour 30 minutes` it is `1h30m`.
fn meant(text: &str) -> Option<String> {
    let mut text: String = text.split_whitespace().collect();
    for _ in UNITS {
        match parse_duration(&text) {
            Ok(_) => return Some(text),
            Err(error) => text = error.instead?,
        }
    }
    parse_duration(&text).is_ok().then_some(text)
}

fn find_unit(text: &str, number: &str, unit: &str) -> Result<usize, LiteralError> {
    if number.is_empty() || !number.starts_with(|c: char| c.is_ascii_digit()) {
        let help = "write digits and a unit (`ms`, `s`, `m`, `h`, `d`), such as `300ms`";
        return Err(LiteralError::new(format!("`{text}` is not a duration")).help(help));
    }
    if unit.is_empty() {
        let help = format!("say the unit: `{number}ms`, `{number}s`, `{number}m`, `{number}h` or `{number}d`");
        return Err(LiteralError::new(format!("`{text}` has no unit")).help(help));
    }
    if let Some(place) = UNITS.iter().position(|(name, _)| *name == unit) {
        return Ok(place);
    }
    let instead = match unit.to_lowercase().as_str() {
        "msec" | "msecs" | "millis" | "millisecond" | "milliseconds" | "ms" => "ms",
        "sec" | "secs" | "second" | "seconds" | "s" => "s",
        "min" | "mins" | "minute" | "minutes" | "m" => "m",
        "hr" | "hrs" | "hour" | "hours" | "h" => "h",
        "day" | "days" | "d" => "d",
        "us" | "µs" | "ns" => {
            return Err(LiteralError::new(format!("`{text}` is finer than a millisecond"))
                .help("the smallest duration is `1ms`"));
        }
        "w" | "week" | "weeks" => {
            return Err(LiteralError::new(format!("`{unit}` is not a unit")).help("write weeks as days: `7d`"));
        }
        _ => {
            let help = "the units are `ms`, `s`, `m`, `h` and `d`";
            return Err(LiteralError::new(format!("`{unit}` is not a unit of time")).help(help));
        }
    };
    let meant = text.replacen(unit, instead, 1);
    Err(LiteralError::new(format!("`{unit}` is not a unit of time"))
        .help(format!("write `{instead}`: `{meant}`"))
        .instead(meant))
}

fn part(text: &str, number: &str, unit_ms: u64) -> Result<u64, LiteralError> {
    let plain = number.replace('_', "");
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    if number.ends_with(['_', '.']) || number.contains("._") || fraction.contains('.') {
        return Err(LiteralError::new(format!("`{number}` is not a number")).help("write digits, such as `1.5s`"));
    }
    if fraction.len() > 12 || whole.trim_start_matches('0').len() > 15 {
        return Err(if fraction.len() > 12 { too_fine(text) } else { too_long(text) });
    }
    let scale = 10u128.pow(fraction.len() as u32);
    let digits: u128 = format!("{whole}{fraction}").parse().map_err(|_| too_long(text))?;
    let scaled = digits * u128::from(unit_ms);
    if !scaled.is_multiple_of(scale) {
        return Err(too_fine(text));
    }
    u64::try_from(scaled / scale).map_err(|_| too_long(text))
}

fn too_fine(text: &str) -> LiteralError {
    LiteralError::new(format!("`{text}` is finer than a millisecond")).help("durations are whole milliseconds")
}

fn too_long(text: &str) -> LiteralError {
    LiteralError::new(format!("`{text}` is too long a time")).help("the longest duration is `36500d`, a hundred years")
}

/// Writes milliseconds as the language does: `1m30s`, `300ms`, `0ms`.
///
/// ```
/// assert_eq!(nisi::words::show_duration(90_000), "1m30s");
/// assert_eq!(nisi::words::show_duration(0), "0ms");
/// ```
pub fn show_duration(ms: u64) -> String {
    let mut text = String::new();
    let mut rest = ms;
    for (unit, size) in UNITS {
        if rest >= size {
            // Writing to a string cannot fail.
            let _ = write!(text, "{}{unit}", rest / size);
            rest %= size;
        }
    }
    if text.is_empty() { "0ms".into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_and_write() {
        for (text, ms) in [("0ms", 0), ("300ms", 300), ("1m30s", 90_000), ("2h", 7_200_000), ("1_000ms", 1_000)] {
            assert_eq!(parse_duration(text), Ok(ms), "{text}");
            assert_eq!(parse_duration(&show_duration(ms)), Ok(ms));
        }
        for bad in [
            "",
            "5",
            "5 s",
            "s",
            "1s1m",
            "1s1s",
            "0.5ms",
            "-1s",
            "1e3s",
            "36501d",
            "99999999999999999d",
            "1..5s",
            "5us",
        ] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
        assert_eq!(parse_duration("5sec").unwrap_err().instead.as_deref(), Some("5s"));
    }
}
