//! Characters that look like what the language is written in, and those that nobody can see.
//!
//! Source: the confusables of Unicode Technical Standard 39, cut down to single letters that look like an ASCII letter
//! in common typefaces; the bidirectional controls of UAX 9.

/// Controls that change the order in which text is shown.
pub(super) fn is_direction(c: char) -> bool {
    matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Characters that take no room. The joiners of Persian and Indic scripts are among them.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{034F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200D}' | '\u{2060}'..='\u{2064}' | '\u{206A}'..='\u{206F}' | '\u{2028}' | '\u{2029}'
        | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF9}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E0FFF}')
}

/// Invisible characters that text in quotes and comments needs: joiners, and the choice of a picture's form.
pub(super) fn is_needed_in_text(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}' | '\u{FE0E}' | '\u{FE0F}')
}

/// Whether a character may stand nowhere: nobody sees it, or it turns what others see.
#[cfg(feature = "exchange")]
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t') || is_direction(c) || is_invisible(c) && !is_needed_in_text(c)
}

/// Curly and other quotation marks that stand for `"`.
pub(super) fn is_curly_quote(c: char) -> bool {
    matches!(c, '“' | '”' | '„' | '‟' | '‘' | '’' | '‚' | '«' | '»' | '＂')
}

/// What a full-width character, a space of another width or a typographic sign is meant as.
pub(super) fn plain(c: char) -> Option<&'static str> {
    const ASCII: &str =
        "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
    Some(match c {
        '\u{FF01}'..='\u{FF5E}' => {
            let at = (c as usize) - 0xFF01;
            ASCII.get(at..=at)?
        }
        '\u{00A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => " ",
        '≥' | '⩾' => ">=",
        '≤' | '⩽' => "<=",
        '→' => "->",
        '⇒' => "=>",
        '–' | '—' | '−' | '‐' | '‑' => "-",
        '…' | '‥' => "..",
        '、' | '،' | '﹐' => ",",
        '؛' => ";",
        '│' | '┃' | '∣' | '❘' => "|",
        '≠' => "not ",
        _ => return None,
    })
}

/// Whether a character is full-width or a space of another width, rather than a typographic sign.
pub(super) fn is_wide(c: char) -> bool {
    matches!(c, '\u{FF01}'..='\u{FF5E}' | '\u{3000}')
}

/// The ASCII letter or digit that a letter of another script looks like.
pub(super) fn letter(c: char) -> Option<&'static str> {
    Some(match c {
        'а' | 'α' | 'ɑ' => "a",
        'с' | 'ϲ' => "c",
        'ԁ' => "d",
        'е' | 'ҽ' => "e",
        'ɡ' => "g",
        'һ' => "h",
        'і' | 'ı' | 'ι' => "i",
        'ј' | 'ϳ' => "j",
        'κ' | 'к' => "k",
        'ӏ' => "l",
        'ո' => "n",
        'о' | 'ο' | 'օ' | 'ᴏ' => "o",
        'р' | 'ρ' => "p",
        'ԛ' => "q",
        'г' => "r",
        'ѕ' => "s",
        'т' | 'τ' => "t",
        'υ' | 'ս' => "u",
        'ν' | 'ѵ' => "v",
        'ԝ' | 'ѡ' => "w",
        'х' | 'χ' => "x",
        'у' | 'γ' => "y",
        'А' | 'Α' => "A",
        'В' | 'Β' => "B",
        'С' | 'Ϲ' => "C",
        'Е' | 'Ε' => "E",
        'Н' | 'Η' => "H",
        'І' | 'Ι' | 'Ӏ' => "I",
        'Ј' => "J",
        'К' | 'Κ' => "K",
        'М' | 'Μ' => "M",
        'Ν' => "N",
        'О' | 'Ο' => "O",
        'Р' | 'Ρ' => "P",
        'Ѕ' => "S",
        'Т' | 'Τ' => "T",
        'Ү' | 'Υ' => "Y",
        'Х' | 'Χ' => "X",
        'Ζ' => "Z",
        _ => return None,
    })
}

/// What people call a character: its number, with its name where it is a common one.
pub(crate) fn called(c: char) -> String {
    let name = match c {
        '\0' => "null",
        '\u{00A0}' => "no-break space",
        '\u{3000}' => "ideographic space",
        '\u{00AD}' => "soft hyphen",
        '\u{200B}' => "zero-width space",
        '\u{200C}' => "zero-width non-joiner",
        '\u{200D}' => "zero-width joiner",
        '\u{200E}' => "left-to-right mark",
        '\u{200F}' => "right-to-left mark",
        '\u{2028}' => "line separator",
        '\u{2029}' => "paragraph separator",
        '\u{202A}' => "left-to-right embedding",
        '\u{202B}' => "right-to-left embedding",
        '\u{202C}' => "end of embedding",
        '\u{202D}' => "left-to-right override",
        '\u{202E}' => "right-to-left override",
        '\u{2060}' => "word joiner",
        '\u{2066}'..='\u{2068}' => "direction isolate",
        '\u{2069}' => "end of isolate",
        '\u{FEFF}' => "byte order mark",
        _ => return format!("U+{:04X}", c as u32),
    };
    format!("U+{:04X}, {name}", c as u32)
}
