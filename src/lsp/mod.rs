//! Floor 9: the language server, an editor's view of policies while they are written.
//!
//! It takes messages of the Language Server Protocol and gives answers and findings. Texts come from the editor's open
//! documents first, then from disk. A keystroke is answered from what was read and resolved (`desk`); the proofs and
//! the examples follow from a thread of their own (`prove`), and what was typed over meanwhile is dropped.

mod answers;
mod capabilities;
mod complete;
mod cursor;
mod desk;
mod documents;
mod examples;
mod fixes;
mod formatting;
mod goto;
mod hints;
mod hover;
mod mending;
mod mentions;
mod names;
mod place;
mod prove;
mod publish;
mod ran;
mod remains;
mod server;
mod shipped;
mod symbols;
mod tokens;
mod uri;
mod waits;
mod wire;

pub use server::{Ended, Today, serve};
pub use wire::{Wire, connect};
