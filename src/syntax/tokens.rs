//! Tokens for finding out what was meant, once a rule of the grammar has failed: any text has tokens.
//!
//! The grammar alone says what is right; this file only looks at what is wrong.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A plain name.
    Word,
    /// It begins with a digit, or a minus and a digit.
    Number,
    /// `"…"`
    Quoted,
    /// `'…'`
    Single,
    /// A quote that nothing closes, to the end.
    Unclosed,
    /// `>=`, `..`, `,` and every other sign.
    Sign,
    /// Letters outside ASCII, with the plain ones that hang on them.
    Foreign,
}

/// A token: `text[start..end]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    pub start: usize,
    pub end: usize,
}

impl Token<'_> {
    /// Whether it is this word or sign.
    pub fn is(&self, text: &str) -> bool {
        self.text == text && matches!(self.kind, Kind::Word | Kind::Sign)
    }

    /// Whether it can be a value.
    pub fn is_value(&self) -> bool {
        matches!(self.kind, Kind::Number | Kind::Quoted)
            || self.kind == Kind::Word && !matches!(self.text, "and" | "or" | "not" | "known")
    }
}

const SIGNS: &[&str] =
    &["..<", "...", "..", ">=", "<=", "==", "!=", "<>", "&&", "||", "=>", "->", ":=", "=<", "<", ">", "=", "!"];

/// All tokens of a text.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(c) = text[start..].chars().next() {
        if c.is_whitespace() {
            start += c.len_utf8();
            continue;
        }
        let (kind, len) = token(&text[start..], c);
        let end = start + len;
        found.push(Token { kind, text: &text[start..end], start, end });
        start = end;
    }
    found
}

/// Kind and length of the token that begins `rest`.
fn token(rest: &str, first: char) -> (Kind, usize) {
    let second = rest[first.len_utf8()..].chars().next();
    match first {
        '"' => quoted(rest, '"').map_or((Kind::Unclosed, rest.len()), |n| (Kind::Quoted, n)),
        '\'' => quoted(rest, '\'').map_or((Kind::Sign, 1), |n| (Kind::Single, n)),
        '0'..='9' => (Kind::Number, number(rest)),
        '-' if second.is_some_and(|c| c.is_ascii_digit()) => (Kind::Number, 1 + number(&rest[1..])),
        c if c.is_alphanumeric() || c == '_' => {
            let len = word(rest);
            (if rest[..len].is_ascii() { Kind::Word } else { Kind::Foreign }, len)
        }
        c => (Kind::Sign, SIGNS.iter().find(|s| rest.starts_with(**s)).map_or(c.len_utf8(), |s| s.len())),
    }
}

/// The length of a text in quotes at the start of `rest`, if something closes it.
fn quoted(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(i + c.len_utf8()),
            _ => {}
        }
    }
    None
}

fn number(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let date = bytes.len() >= 10
        && bytes[..10].iter().enumerate().all(|(i, b)| if i == 4 || i == 7 { *b == b'-' } else { b.is_ascii_digit() });
    let mut i = if date { 10 } else { 0 };
    while i < bytes.len() {
        let next = bytes.get(i + 1).is_some_and(u8::is_ascii_alphanumeric);
        let more = match bytes[i] {
            b'_' => true,
            b'.' => next,
            b':' | b'+' | b'-' => date && next,
            b => b.is_ascii_alphanumeric(),
        };
        if !more {
            break;
        }
        i += 1;
    }
    i
}

fn word(rest: &str) -> usize {
    let mut chars = rest.char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        let more = c.is_alphanumeric()
            || c == '_'
            || c == '-' && next != Some('>')
            || c == '.' && next.is_some_and(|n| n.is_alphanumeric() || n == '_')
            // Marks of letters outside ASCII, and the joiners between them.
            || !c.is_ascii() && !c.is_whitespace() && i > 0 && super::lookalikes::is_needed_in_text(c)
            || matches!(c, '\u{0300}'..='\u{036F}' | '\u{064B}'..='\u{065F}' | '\u{0900}'..='\u{0DFF}');
        if !more {
            return i;
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::{Kind, tokens};

    #[test]
    fn tokens_cover_what_the_grammar_calls_words() {
        let all = |text| tokens(text).iter().map(|t| t.text.to_string()).collect::<Vec<_>>();
        assert_eq!(all("a, b..c"), ["a", ",", "b", "..", "c"]);
        assert_eq!(all("1..<5"), ["1", "..<", "5"]);
        assert_eq!(all("200ms..2s"), ["200ms", "..", "2s"]);
        assert_eq!(all("1-5"), ["1", "-5"]);
        assert_eq!(all("2026-08-01T12:00:00+02:00 x"), ["2026-08-01T12:00:00+02:00", "x"]);
        assert_eq!(tokens("\"a").first().map(|t| t.kind), Some(Kind::Unclosed));
        assert_eq!(tokens("é").first().map(|t| t.kind), Some(Kind::Foreign));
    }
}
