//! How wide a text is shown, in columns of a terminal or of an editor with one width for all letters.
//!
//! Source: Unicode Standard Annex 11 and the emoji of Technical Standard 51, by the crate `unicode-width`: letters of
//! Chinese, Japanese and Korean and most pictures take two columns, marks that stand on a letter none, and what is
//! joined to one sign is as wide as that sign.

use unicode_width::UnicodeWidthStr;

/// The width of a text in columns.
pub(super) fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

#[cfg(test)]
mod tests {
    use super::width;

    #[test]
    fn what_is_seen_is_measured() {
        for (text, columns) in [
            ("", 0),
            ("abc", 3),
            ("日本", 4),
            ("e\u{301}", 1),
            ("سفارش", 5),
            ("مي\u{200c}شود", 5),
            ("한국", 4),
            ("👍🏽", 2),
            ("👩\u{200d}👩\u{200d}👧", 2),
            ("❤\u{fe0f}", 2),
            ("🇮🇷", 2),
            ("naïve…", 6),
        ] {
            assert_eq!(width(text), columns, "{text}");
        }
    }
}
