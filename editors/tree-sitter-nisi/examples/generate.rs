//! Writes `src/parser.c` and what lies beside it anew from `grammar.js`, which `node` reads:
//! `cargo run -p tree-sitter-nisi --example generate`.

use std::path::Path;

use tree_sitter_generate::{OptLevel, generate_parser_in_directory};

/// Writes into a folder; what is wrong with the grammar is the error.
pub(crate) fn generate(out: &Path) -> Result<(), String> {
    let grammar = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut notes = Vec::new();
    let (out, abi) = (Some(out), tree_sitter::LANGUAGE_VERSION);
    generate_parser_in_directory(
        grammar,
        out,
        None::<&Path>,
        abi,
        None,
        Some("node"),
        true,
        OptLevel::default(),
        &mut notes,
    )
    .map_err(|error| error.to_string())?;
    if notes.is_empty() { Ok(()) } else { Err(notes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")) }
}

fn main() -> Result<(), String> {
    generate(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}
