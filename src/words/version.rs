//! Versions: up to three numbers parted by points, compared number by number; a missing one is 0.

use super::LiteralError;

/// Reads a version into one number that orders as the version does: 32 bits for each part.
///
/// # Errors
/// What is not one to three numbers below 2³², parted by points.
pub fn parse_version(text: &str) -> Result<i128, LiteralError> {
    let error = || {
        let help = "write up to three numbers parted by points, such as `2026.8.1`";
        LiteralError::new(format!("`{text}` is not a version")).help(help)
    };
    let mut parts = [0i128; 3];
    for (i, part) in text.split('.').enumerate() {
        let digits = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let slot = parts.get_mut(i).filter(|_| digits).ok_or_else(error)?;
        *slot = i128::from(part.parse::<u32>().map_err(|_| error())?);
    }
    Ok(parts[0] << 64 | parts[1] << 32 | parts[2])
}

/// Writes a version: two numbers at least, the third where it is not 0.
pub fn show_version(ticks: i128) -> String {
    let (a, b, c) = (ticks >> 64, (ticks >> 32) & 0xffff_ffff, ticks & 0xffff_ffff);
    if c == 0 { format!("{a}.{b}") } else { format!("{a}.{b}.{c}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_number_by_number() {
        assert!(parse_version("1.10").unwrap() > parse_version("1.9.9").unwrap());
        assert_eq!(parse_version("1"), parse_version("1.0.0"));
        assert_eq!(show_version(parse_version("2026.8.1").unwrap()), "2026.8.1");
        for bad in ["", "1.", "1.2.3.4", "v1", "4294967296", "-1"] {
            assert!(parse_version(bad).is_err(), "{bad}");
        }
    }
}
