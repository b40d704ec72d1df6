//! HTML and SVG as they are written: markup is static text, and whatever comes from a policy is escaped. No other way leads
//! into the page.

use std::fmt::{Display, Write};

/// Markup that grows.
#[derive(Debug, Default)]
pub(super) struct Markup(String);

impl Markup {
    /// Markup, as it is.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Text, in an element or between double quotes as an attribute. What no document may hold is shown by U+FFFD.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(c),
                c if c.is_control() || is_noncharacter(c) || turns(c) => self.0.push('\u{fffd}'),
                c => self.0.push(c),
            }
        }
        self
    }

    /// A number.
    pub(super) fn n(&mut self, number: impl Into<i64>) -> &mut Self {
        self.shown(number.into())
    }

    fn shown(&mut self, value: impl Display) -> &mut Self {
        // Writing to a string cannot fail.
        let _ = write!(self.0, "{value}");
        self
    }

    pub(super) fn done(self) -> String {
        self.0
    }
}

/// Whether Unicode keeps a place for no character for ever.
fn is_noncharacter(c: char) -> bool {
    let n = u32::from(c);
    (0xfdd0..=0xfdef).contains(&n) || n & 0xfffe == 0xfffe
}

/// Whether a sign turns the direction of all that follows it.
pub(super) fn turns(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::Markup;

    #[test]
    fn nothing_of_a_text_is_markup() {
        let mut page = Markup::default();
        page.raw("<b title=\"").text("\"><script>'&").raw("\">").text("a\u{0}\u{202e}b\u{ffff}").n(3).raw("</b>");
        assert_eq!(page.done(), "<b title=\"&quot;&gt;&lt;script&gt;&#39;&amp;\">a\u{fffd}\u{fffd}b\u{fffd}3</b>");
    }
}
