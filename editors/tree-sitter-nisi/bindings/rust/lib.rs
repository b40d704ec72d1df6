//! The grammar of [nisi](https://docs.rs/nisi), decision tables for the second attempt, for tree-sitter.
//!
//! ```
//! let mut parser = tree_sitter::Parser::new();
//! parser.set_language(&tree_sitter_nisi::LANGUAGE.into())?;
//! let tree = parser.parse("policy orders\nversion 2026.8.1\n", None).expect("a language was set");
//! assert!(!tree.root_node().has_error());
//! assert_eq!(tree.root_node().named_child(0).map(|item| item.kind()), Some("policy"));
//! # Ok::<(), tree_sitter::LanguageError>(())
//! ```

#![deny(missing_docs)]

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_nisi() -> *const ();
}

/// The language, for `tree_sitter::Parser::set_language`.
// SAFETY: the function is the one that was generated for this grammar and is built beside this file.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_nisi) };

/// The kinds of nodes and their fields, as JSON.
pub const NODE_TYPES: &str = include_str!("../../src/node-types.json");
/// What is highlighted how.
pub const HIGHLIGHTS_QUERY: &str = include_str!("../../queries/highlights.scm");
/// What is a text in another language.
pub const INJECTIONS_QUERY: &str = include_str!("../../queries/injections.scm");
/// Where names are declared and used.
pub const LOCALS_QUERY: &str = include_str!("../../queries/locals.scm");
