//! The cases of `test/corpus`, in the form of tree-sitter's own: a text, and the tree that it has. With `UPDATE_TREES=1`
//! the trees are written anew; read what changed.

use std::fmt::Write as _;
use std::path::Path;

use crate::trees;

const HEAD: &str = "==================";
const TREE: &str = "\n---\n";

/// A tree in lines, two blanks deeper at every bracket.
fn indented(tree: &str) -> String {
    let (mut out, mut depth) = (String::new(), 0_usize);
    for word in tree.split_whitespace() {
        let opens = word.starts_with('(');
        let field = word.ends_with(':');
        if (opens && !out.ends_with(": ") || field) && !out.is_empty() {
            let _ = write!(out, "\n{}", "  ".repeat(depth));
        } else if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
        out.push_str(word);
        if field {
            out.push(' ');
        }
        depth = (depth + usize::from(opens)).saturating_sub(word.matches(')').count());
    }
    out
}

#[test]
fn trees_are_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("test/corpus");
    let update = std::env::var("UPDATE_TREES").is_ok_and(|value| value == "1");
    let (mut faults, mut n_cases) = (Vec::new(), 0);
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let file = std::fs::read_to_string(&path).unwrap();
        let mut parts = file.split(HEAD).skip(1);
        let mut written = String::new();
        while let (Some(name), Some(body)) = (parts.next(), parts.next()) {
            n_cases += 1;
            let (source, tree) = body.split_once(TREE).unwrap_or((body, ""));
            let source = format!("{}\n", source.trim_matches('\n'));
            let found = indented(&trees::parse(&source).root_node().to_sexp());
            if found != indented(tree) {
                faults.push(format!("{}:{name}{found}\n", path.display()));
            }
            let _ = write!(written, "{HEAD}{name}{HEAD}\n\n{source}{TREE}\n{found}\n\n");
        }
        if update {
            std::fs::write(&path, format!("{}\n", written.trim_end())).unwrap();
        }
    }
    assert!(n_cases >= 20, "only {n_cases} cases");
    assert!(update || faults.is_empty(), "{} of {n_cases}; these are the trees:\n{}", faults.len(), faults.join("\n"));
}
