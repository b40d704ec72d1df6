//! JSON, read strictly (RFC 8259, and I-JSON, RFC 7493, where that is stricter): one value, each key once, no lone
//! surrogate, nothing behind it.
//!
//! Takes a text; gives a [`Tree`]. Numbers keep their digits: what they mean is the reader's question.

use super::tree::{Kind, MAX_DEPTH, TextError, Tree};

/// Reads one JSON value.
pub(crate) fn read_json(text: &str) -> Result<Tree, TextError> {
    TextError::check_size(text)?;
    let mut reader = Reader { text, at: 0, line: 1 };
    let tree = reader.value(0)?;
    reader.space();
    if reader.at < text.len() { Err(reader.error("something stands behind the value")) } else { Ok(tree) }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl Reader<'_> {
    fn error(&self, message: &str) -> TextError {
        TextError::new(self.line, format!("this is no JSON: {message}"))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while let Some(byte @ (b' ' | b'\t' | b'\r' | b'\n')) = self.peek() {
            self.line += usize::from(byte == b'\n');
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        self.space();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn value(&mut self, depth: usize) -> Result<Tree, TextError> {
        self.space();
        if depth > MAX_DEPTH {
            return Err(TextError::too_deep(self.line));
        }
        let line = self.line;
        let kind = match self.peek() {
            Some(b'{') => self.map(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Kind::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => Kind::Number(self.number()?),
            Some(_) => self.word()?,
            None => return Err(self.error("a value is missing")),
        };
        Ok(Tree { kind, line })
    }

    fn word(&mut self) -> Result<Kind, TextError> {
        for (word, kind) in [("true", Kind::Bool(true)), ("false", Kind::Bool(false)), ("null", Kind::Null)] {
            if self.text[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(kind);
            }
        }
        Err(self.error("a value is expected here"))
    }

    fn list(&mut self, depth: usize) -> Result<Kind, TextError> {
        self.at += 1;
        let mut items = Vec::new();
        if self.take(b']') {
            return Ok(Kind::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.take(b']') {
                return Ok(Kind::List(items));
            }
            if !self.take(b',') {
                return Err(self.error("`,` or `]` is missing"));
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Kind, TextError> {
        self.at += 1;
        let mut entries: Vec<(String, Tree)> = Vec::new();
        let mut keys = std::collections::BTreeSet::new();
        if self.take(b'}') {
            return Ok(Kind::Map(entries));
        }
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                return Err(self.error("a key in double quotes is missing"));
            }
            let key = self.string()?;
            if !keys.insert(key.clone()) {
                return Err(TextError::twice(self.line, &key));
            }
            if !self.take(b':') {
                return Err(self.error("`:` is missing"));
            }
            entries.push((key, self.value(depth + 1)?));
            if self.take(b'}') {
                return Ok(Kind::Map(entries));
            }
            if !self.take(b',') {
                return Err(self.error("`,` or `}` is missing"));
            }
        }
    }

    fn number(&mut self) -> Result<String, TextError> {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E')).unwrap_or(rest.len());
        let digits = &rest[..end];
        if !is_json_number(digits) {
            return Err(self.error(&format!("`{}` is no number", digits.chars().take(40).collect::<String>())));
        }
        self.at += end;
        Ok(digits.to_string())
    }

    fn string(&mut self) -> Result<String, TextError> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(c) = rest.chars().next() else { return Err(self.error("a text has no end")) };
            self.at += c.len_utf8();
            match c {
                '"' => return Ok(out),
                '\\' => out.push(self.escape()?),
                '\u{0}'..='\u{1f}' => return Err(self.error("a text holds a control character")),
                _ => out.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<char, TextError> {
        let byte = self.peek();
        self.at += usize::from(byte.is_some_and(|b| b.is_ascii()));
        Ok(match byte {
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(c),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let first = self.hex()?;
                let code = match first {
                    0xd800..=0xdbff if self.text[self.at..].starts_with("\\u") => {
                        self.at += 2;
                        let second = self.hex()?;
                        if !(0xdc00..=0xdfff).contains(&second) {
                            return Err(self.error("half a character (a lone surrogate)"));
                        }
                        0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)
                    }
                    code => code,
                };
                char::from_u32(code).ok_or_else(|| self.error("half a character (a lone surrogate)"))?
            }
            _ => return Err(self.error("`\\` is followed by no escape")),
        })
    }

    fn hex(&mut self) -> Result<u32, TextError> {
        let digits = self.text.get(self.at..self.at + 4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        let code = digits.and_then(|d| u32::from_str_radix(d, 16).ok());
        self.at += 4;
        code.ok_or_else(|| {
            self.at = self.text.len();
            self.error("`\\u` is followed by four digits 0 to f")
        })
    }
}

/// Whether a word is a number as JSON writes one: `-0.5e3`, never `+1`, `01` or `1.`.
pub(super) fn is_json_number(text: &str) -> bool {
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let (mantissa, exponent) = text.split_once(['e', 'E']).map_or((text, None), |(m, e)| (m, Some(e)));
    let (whole, fraction) = mantissa.split_once('.').map_or((mantissa, None), |(w, f)| (w, Some(f)));
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|e| digits(e.strip_prefix(['+', '-']).unwrap_or(e)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_json_is_refused_with_its_line() {
        for bad in [
            "",
            "{",
            "[1,]",
            "{\"a\":1,}",
            "{a:1}",
            "01",
            "+1",
            "1.",
            ".5",
            "1e",
            "nul",
            "\"\\x\"",
            "\"\\ud800\"",
            "\"\\udc00\"",
            "\"\\ud800\\u0041\"",
            "\"\\u12\"",
            "\"\\u12é4\"",
            "\"a\nb\"",
            "1 2",
            "\"",
            "\"\\",
            "NaN",
            "\u{feff}1",
        ] {
            assert!(read_json(bad).is_err(), "{bad}");
        }
        assert_eq!(read_json("{\n\"a\": 1,\n\"\\u0061\": 2}").unwrap_err().to_string(), "line 3: `a` stands twice");
        assert!(read_json(&"[".repeat(100_000)).unwrap_err().message.contains("nested"));
    }

    #[test]
    fn escapes_and_pairs_become_characters() {
        let text = |s: &str| read_json(s).unwrap().text().map(str::to_string);
        assert_eq!(text(r#""\u20ac\ud83d\ude02\/\n""#).as_deref(), Some("€😂/\n"));
    }
}
