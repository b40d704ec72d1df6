//! Floor 2: text to tree.
//!
//! `grammar/nisi.pest` in two steps: the skeleton (items, lines, table rows, cells) always succeeds on a readable
//! whole; then each head and each cell is parsed by its own rule, so that ten bad cells give ten findings and the
//! good rows go on. The tree says what is written, not what it means: no name is looked up here.

mod action_mistakes;
mod actions;
mod blocks;
mod cell_mistakes;
mod cells;
mod conditions;
mod findings;
mod fixed_rows;
mod grammar;
mod grid;
mod head_mistakes;
mod header;
mod heads;
pub mod keys;
mod layout;
mod lexical;
mod limits;
mod lookalikes;
mod parse;
mod place;
mod reasons;
mod row_names;
mod row_shapes;
mod skeleton;
mod split;
#[cfg(test)]
mod tests;
mod tokens;
pub mod tree;
mod words;

pub use actions::of_cell as action_of;
#[cfg(feature = "exchange")]
pub use cells::parse as parse_cell;
pub use conditions::parse as parse_tests;
pub use layout::{Layout, Lines, layout};
pub use limits::Limits;
pub(crate) use limits::text_end;
#[cfg(feature = "exchange")]
pub(crate) use lookalikes::{called, is_hidden};
pub use parse::{Parsed, parse, parse_action};
pub use split::{Split, is_dashes, split};
pub use tokens::{Kind as TokenKind, Token, tokens};
