//! Instants: RFC 3339 with an offset, in nanoseconds since 1970-01-01T00:00:00Z.

use super::LiteralError;

/// Reads an instant.
///
/// # Errors
/// What is no RFC 3339 date and time with an offset, or lies outside the years 1 to 9999.
pub fn parse_instant(text: &str) -> Result<i128, LiteralError> {
    let shape = text.len() >= 20 && text.as_bytes()[4] == b'-' && matches!(text.as_bytes()[10], b'T' | b't' | b' ');
    let stamp: Option<jiff::Timestamp> = if shape { text.parse().ok() } else { None };
    match stamp {
        Some(stamp) if stamp.as_nanosecond() >= EARLIEST && !text.contains('[') => Ok(stamp.as_nanosecond()),
        _ if shape && text.get(..10).is_some_and(|day| day.parse::<jiff::civil::Date>().is_err()) => {
            let day = text.get(..10).unwrap_or(text);
            let help = format!("no calendar has `{day}`: write a year, a month and one of its days");
            Err(LiteralError::new(format!("`{text}` is not an instant")).help(help))
        }
        _ => {
            let help = "write date, time and offset, such as `2026-08-01T12:00:00Z` or `2026-08-01T12:00:00+02:00`";
            Err(LiteralError::new(format!("`{text}` is not an instant")).help(help))
        }
    }
}

/// 0001-01-01T00:00:00Z.
const EARLIEST: i128 = -62_135_596_800_000_000_000;

/// Writes an instant in UTC, with as many digits of a second as it needs.
pub fn show_instant(nanoseconds: i128) -> String {
    jiff::Timestamp::from_nanosecond(nanoseconds).map_or_else(|_| format!("{nanoseconds}ns"), |t| t.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_have_an_offset_and_are_shown_in_utc() {
        assert_eq!(parse_instant("1970-01-01T01:00:01+01:00"), Ok(1_000_000_000));
        assert_eq!(show_instant(1_000_000_000), "1970-01-01T00:00:01Z");
        for bad in ["2026-08-01T12:00:00", "2026-08-01", "2026-13-01T12:00:00Z", "0000-01-01T00:00:00Z", "", "é"] {
            assert!(parse_instant(bad).is_err(), "{bad}");
        }
    }
}
