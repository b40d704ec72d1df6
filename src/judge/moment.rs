//! A moment: whole milliseconds since 1970-01-01T00:00:00Z, written as RFC 3339 says.
//!
//! Takes a text or a number; gives a value that is compared and added to, and that never wraps. No clock is read here: a
//! moment comes in.

use std::fmt;
use std::str::FromStr;

use crate::words::{LiteralError, parse_instant, show_instant};

const NS_PER_MS: i128 = 1_000_000;

/// A point in time, in whole milliseconds since 1970; written in UTC (RFC 3339).
///
/// ```
/// use nisi::judge::Moment;
/// let at: Moment = "2026-08-07T12:00:00+02:00".parse()?;
/// assert_eq!(at.to_string(), "2026-08-07T10:00:00Z");
/// assert_eq!(at.plus_ms(1_500).since_ms(at), 1_500);
/// assert_eq!(at.since_ms(at.plus_ms(1)), 0); // clocks may disagree: time never runs below nothing
/// # Ok::<(), nisi::words::LiteralError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Moment(u64);

impl Moment {
    /// The last moment that can be written: the end of the year 9999, a day early for every offset.
    pub const LAST: Moment = Moment(253_402_207_200_999);

    /// From milliseconds since 1970; what lies past [`LAST`](Self::LAST) is that.
    pub fn from_ms(ms: u64) -> Self {
        Moment(ms.min(Self::LAST.0))
    }

    /// Milliseconds since 1970.
    pub fn ms(self) -> u64 {
        self.0
    }

    /// Later by this many milliseconds.
    #[must_use]
    pub fn plus_ms(self, ms: u64) -> Self {
        Self::from_ms(self.0.saturating_add(ms))
    }

    /// The milliseconds that have passed since an earlier moment; 0 where it is not earlier.
    pub fn since_ms(self, earlier: Moment) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&show_instant(i128::from(self.0) * NS_PER_MS))
    }
}

impl FromStr for Moment {
    type Err = LiteralError;

    /// # Errors
    /// What is no RFC 3339 instant, lies before 1970, or is finer than a millisecond.
    fn from_str(text: &str) -> Result<Self, LiteralError> {
        let ns = parse_instant(text)?;
        if ns % NS_PER_MS != 0 {
            let error = LiteralError::new(format!("`{text}` is finer than a millisecond"));
            return Err(error.help("a moment is whole milliseconds: three digits behind the second"));
        }
        let ms = u64::try_from(ns / NS_PER_MS).ok().filter(|ms| *ms <= Self::LAST.0);
        ms.map(Moment).ok_or_else(|| LiteralError::new(format!("`{text}` lies outside the years 1970 to 9999")))
    }
}

#[cfg(test)]
mod tests {
    use super::Moment;

    #[test]
    fn moments_go_there_and_back() {
        for text in ["1970-01-01T00:00:00Z", "2026-08-07T10:00:00.25Z", "9999-12-30T21:59:59.999Z"] {
            let moment: Moment = text.parse().unwrap();
            assert_eq!(moment.to_string().parse(), Ok(moment), "{text}");
        }
        assert_eq!(Moment::LAST.to_string().parse(), Ok(Moment::LAST));
        assert_eq!(Moment::LAST.plus_ms(u64::MAX), Moment::LAST);
        for bad in ["2026-08-07T10:00:00.0001Z", "1969-12-31T23:59:59Z", "2026-08-07", "now"] {
            assert!(bad.parse::<Moment>().is_err(), "{bad}");
        }
    }
}
