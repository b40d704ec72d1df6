//! Builds the parser from the C that was generated of `grammar.js`, and the scanner beside it.

fn main() {
    let sources = ["src/parser.c", "src/scanner.c"];
    cc::Build::new().std("c11").include("src").files(sources).compile("tree-sitter-nisi");
    for source in sources {
        println!("cargo:rerun-if-changed={source}");
    }
}
