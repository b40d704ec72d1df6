//! Policies inside Markdown: what of a text is policy.

/// The name of a file says that it is Markdown: it ends in `.md` or `.markdown`.
pub(super) fn is_markdown(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    ending.eq_ignore_ascii_case("md") || ending.eq_ignore_ascii_case("markdown")
}

/// The text with everything outside of its `nisi` fences made blank, byte for byte, so that every place stays what it
/// is. A fence is one of `CommonMark` (0.31, §4.5): three or more backticks or tildes, the word `nisi` alone behind them,
/// up to as many of the same sign or the end of the text. Other fences are prose.
pub(super) fn policy_of(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut open: Option<Fence> = None;
    for line in markdown.split_inclusive('\n') {
        let fence = Fence::of(line);
        match (&open, fence) {
            (Some(inside), Some(fence)) if fence.closes(inside) => open = None,
            (Some(inside), _) if inside.is_policy => {
                out.push_str(line);
                continue;
            }
            (None, fence) => open = fence,
            (Some(_), _) => {}
        }
        out.extend(line.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
    }
    out
}

/// A line that opens or closes a fence.
struct Fence {
    sign: u8,
    n: usize,
    /// Nothing stands behind the signs.
    is_bare: bool,
    /// What stands behind them is `nisi`.
    is_policy: bool,
}

impl Fence {
    fn of(line: &str) -> Option<Fence> {
        let text = line.trim_start_matches(' ');
        let sign = *text.as_bytes().first()?;
        let n = text.bytes().take_while(|b| *b == sign).count();
        let behind = text[n..].trim();
        // Four spaces are code, and backticks behind backticks are a piece of a line.
        let is_fence = matches!(sign, b'`' | b'~') && n >= 3 && line.len() - text.len() < 4;
        let is_fence = is_fence && !(sign == b'`' && behind.contains('`'));
        is_fence.then(|| Fence { sign, n, is_bare: behind.is_empty(), is_policy: behind == "nisi" })
    }

    fn closes(&self, open: &Fence) -> bool {
        self.is_bare && self.sign == open.sign && self.n >= open.n
    }
}

#[cfg(test)]
mod tests {
    use super::{is_markdown, policy_of};
    use proptest::prelude::*;

    #[test]
    fn what_is_policy_stays_where_it_is() {
        let text = "# سفارش\n\n```nisi\npolicy a\n```\nprose\n~~~ nisi\nversion 1\n```\n~~~~\n```nisi file=b\nx\n```\n";
        let policy = policy_of(text);
        assert_eq!(policy.len(), text.len());
        assert_eq!(policy.split_whitespace().collect::<Vec<_>>(), ["policy", "a", "version", "1", "```"]);
        assert_eq!(policy.find("policy a"), text.find("policy a"));
        assert!(policy_of("no fence\n    ```nisi\n").trim().is_empty());
        assert_eq!(policy_of("```nisi\nopen to the end").trim(), "open to the end");
    }

    #[test]
    fn markdown_is_told_by_its_name() {
        assert!(is_markdown("a.md") && is_markdown("x/a.nisi.MD") && is_markdown("a.markdown"));
        assert!(!is_markdown("a.nisi") && !is_markdown("md") && !is_markdown(""));
    }

    proptest! {
        #[test]
        fn every_byte_is_kept_or_blank(text in "([`~]{0,5} {0,4}(nisi)?[a-zä\n\r]{0,4}){0,20}") {
            let policy = policy_of(&text);
            prop_assert_eq!(policy.len(), text.len());
            prop_assert!(policy.bytes().zip(text.bytes()).all(|(p, t)| p == t || p == b' ' && t != b'\n'));
        }
    }
}
