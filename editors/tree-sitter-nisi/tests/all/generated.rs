//! The files that were generated are those that `grammar.js` gives.

use std::path::Path;

#[path = "../../examples/generate.rs"]
#[allow(dead_code, reason = "its `main` is the example's")]
mod generate;

#[test]
fn generated_files_are_those_of_the_grammar() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generated");
    generate::generate(&out).unwrap();
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for name in [
        "grammar.json",
        "node-types.json",
        "parser.c",
        "tree_sitter/parser.h",
        "tree_sitter/alloc.h",
        "tree_sitter/array.h",
    ] {
        let read = |folder: &Path| std::fs::read_to_string(folder.join(name)).unwrap();
        let help = "cargo run -p tree-sitter-nisi --example generate";
        assert!(read(&out) == read(&committed), "src/{name} is not what grammar.js gives: {help}");
    }
}
