//! The vocabularies that ship inside, as documents that an editor can open and nobody can write: `nisi:std/facts.nisi`, whose
//! text the server gives (`workspace/textDocumentContent`, since 3.18 of the protocol).

use gen_lsp_types::{Location, TextDocumentContentResult};

use super::desk::Desk;
use super::publish;
use crate::compile;
use crate::text::{Source, Span};

/// The scheme of their addresses.
pub(super) const SCHEME: &str = "nisi";

/// The place of a span in one of them; nothing where the client cannot open it, or the source is none of them.
pub(super) fn location(desk: &Desk, source: &Source, span: Span) -> Option<Location> {
    let is_one = desk.client.opens_content && publish::ships(source.name());
    is_one.then(|| Location { uri: format!("{SCHEME}:{}", source.name()).into(), range: desk.range(source, span) })
}

/// The text of an address.
///
/// # Errors
/// That nothing of that address ships.
pub(super) fn content(address: &str) -> Result<TextDocumentContentResult, String> {
    let name = is_own(address).then(|| address[SCHEME.len() + 1..].trim_end_matches(".nisi").replace('/', "."));
    let text = name.as_deref().and_then(compile::shipped);
    let text = text.ok_or_else(|| format!("nothing ships with nisi that is called `{address}`"))?;
    Ok(TextDocumentContentResult { text: text.to_string() })
}

/// Whether an address is of that scheme.
pub(super) fn is_own(address: &str) -> bool {
    address.strip_prefix(SCHEME).is_some_and(|rest| rest.starts_with(':'))
}
