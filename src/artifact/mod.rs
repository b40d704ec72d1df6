//! Floor 4: a compiled policy as bytes.
//!
//! An artifact holds all that a policy is: names, facts, rows, actions, rules, examples, the digest, where its text stood,
//! and the program that finds its rows. It is written once (`nisi compile`,
//! [`Policy::to_artifact`](crate::Policy::to_artifact)) and loaded without parsing or proving anything
//! ([`Policy::load`](crate::Policy::load)). The same policy gives the same bytes on every machine: numbers have one width
//! and one order of bytes, nothing comes from a hash, a clock or a path of the machine.
//!
//! - `container` is the outside: magic, format, length, checksum, sections. `writer` and `reader` are the two ends of every
//!   number and list; the reader takes nothing on trust.
//! - `facts`, `sets`, `blocks`, `actions`, `tables`, `rules`, `about` each write and read one part of a model, side by side.
//! - `rows` is what there may be a hundred thousand of: records of one width, checked in one pass. They stay packed
//!   (`packed`) until somebody asks for their cells.
//! - The program writes and reads its own parts, in the room where it lives.
//!
//! Loading is safe for any bytes, also with a right checksum: what cannot be is a [`LoadError`]. That a file says what its
//! digest promises is another matter: see [`Policy::verify`](crate::Policy::verify).

mod about;
mod actions;
mod blocks;
mod container;
mod error;
mod facts;
mod open;
mod packed;
mod reader;
mod rows;
mod rules;
mod save;
mod section;
mod sets;
#[cfg(feature = "sign")]
mod sign;
mod tables;
mod tail;
mod texts;
mod writer;

pub(crate) use about::About;
#[cfg(feature = "cli")]
pub(crate) use container::FORMAT;
pub(crate) use container::close;
pub use container::is_artifact;
pub(crate) use error::Load;
pub use error::LoadError;
pub(crate) use open::Opened;
pub(crate) use packed::Packed;
pub(crate) use reader::Reader;
pub(crate) use save::write;
pub(crate) use section::Section;
#[cfg(all(feature = "sign", feature = "cli"))]
pub(crate) use sign::claimed_signer;
#[cfg(feature = "sign")]
pub use sign::{KeyError, PublicKey, SecretKey};
#[cfg(feature = "sign")]
pub(crate) use sign::{sign, signer};
pub(crate) use writer::Writer;
