//! Names of files: the address that an editor uses, and the path that it stands for.
//!
//! A document that is no file on disk (`untitled:…`) keeps its address as its name.

use std::fmt::Write;

/// The path of a `file:` address, or any other address as it is.
pub(super) fn name_of(uri: &str) -> String {
    let Some(rest) = uri.strip_prefix("file://") else { return uri.to_string() };
    // A host, if any, ends at the first slash.
    let path = rest.find('/').map_or(rest, |slash| &rest[slash..]);
    let path = unescaped(path);
    let drive = |b: &[u8]| b.len() > 2 && b[0] == b'/' && b[1].is_ascii_alphabetic() && b[2] == b':';
    if drive(path.as_bytes()) { path[1..].to_string() } else { path }
}

/// The address of a path.
pub(super) fn uri_of(name: &str) -> String {
    if !is_file(name) {
        return name.to_string();
    }
    let mut uri = String::from(if name.starts_with('/') { "file://" } else { "file:///" });
    for byte in name.replace('\\', "/").bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

/// Whether a name is a path on disk.
pub(super) fn is_file(name: &str) -> bool {
    std::path::Path::new(name).is_absolute()
}

/// A text without `%41`; what is no such sign, and what gives no UTF-8, stays.
fn unescaped(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let code = bytes.get(i + 1..i + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        let byte = code.filter(|_| bytes[i] == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(byte.unwrap_or(bytes[i]));
        i += if byte.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_and_its_path() {
        for (uri, name) in [
            ("file:///orders/a.nisi", "/orders/a.nisi"),
            ("file:///a%20b/%D8%B3.nisi", "/a b/س.nisi"),
            ("file:///100%25.nisi", "/100%.nisi"),
            ("untitled:Untitled-1", "untitled:Untitled-1"),
        ] {
            assert_eq!(name_of(uri), name);
            assert_eq!(uri_of(name), uri);
        }
        assert_eq!(name_of("file:///c%3A/x.nisi"), "c:/x.nisi");
        assert_eq!(name_of("file://host/x.nisi"), "/x.nisi");
        for hostile in ["file://", "file:///%", "file:///%zz", "file:///%ff%fe", "", "file:"] {
            let _ = uri_of(&name_of(hostile));
        }
    }
}
