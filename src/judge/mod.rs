//! Floor 7: the judgement: may this second attempt happen now?
//!
//! A table says what *should* follow; the judgement adds what the world allows. It is pure: a clock, a draw, a registry
//! come in as values, and nothing here waits, sends or stores.
//!
//! - An [`Envelope`] binds one authorized outcome: its ids, its arguments' meaning ([`ArgsHash`]), the
//!   [`ActionKey`] by which a receiver recognises a repeat, its deadline and its one retry owner.
//! - An [`Intent`] is an envelope under way: [`Intent::step`] moves it, by the table of [`TRANSITIONS`].
//! - A [`World`] is what may be known at one moment: approvals ([`Authorizations`]), [`Releases`], [`Pauses`], what the
//!   fleet's [`Brake`] lets pass, what receivers instructed ([`Quotas`]).
//! - `Policy::next_move` gives the [`NextMove`], with everything that stood in the way ([`Obstacle`]) and its [`Record`];
//!   a [`Chain`] makes a log of records in which no line can be changed unseen.

mod authorization;
mod brake;
mod canonical;
mod envelope;
mod envelope_text;
mod event;
mod fields;
mod ids;
mod instruction;
mod intent;
mod intent_text;
mod key;
mod log;
mod look;
mod moment;
mod next_move;
mod obstacle;
mod parity;
mod passport;
mod possible;
mod protected;
mod race;
mod record;
mod registry;
mod release_findings;
mod scene;
mod state;
mod step;
#[cfg(test)]
mod step_tests;
mod tree;
mod tree_json;
mod tree_yaml;
mod world;

pub use authorization::{AuthorizationRegistry, Authorizations, NarrowError, StaleBecause, Standing};
pub use brake::{Brake, SharedBrake};
pub use canonical::ArgsHash;
pub use envelope::{ActorScope, Envelope, EnvelopeDraft, EnvelopeError, KeyMisuse, Operation};
pub use event::{Dispatching, Duty, Event, Observed, StepError};
pub use ids::{AuthorizationVersion, IdError, IntentId, MAX_ID_BYTES, ProviderRequestId, ReceiptId, ReleaseId};
pub use instruction::{Instruction, Quotas};
pub use intent::{Attempt, Finding, Intent, Settled, Timer};
pub use key::{ActionKey, KeyError, KeyTemplate};
pub use log::{Chain, FIRST, verify};
pub use look::{Look, LookPlan};
pub use moment::Moment;
pub use next_move::{Move, NextMove, Observation};
pub use obstacle::Obstacle;
pub use parity::{Difference, differences, parities};
pub use passport::{Passport, Releases};
pub use protected::Protected;
pub use race::{HedgeCopy, HedgePlan, OutputChecks, Race};
pub use record::{MAX_RECORD_TEXT, Record, Replayed};
pub use registry::RegistryError;
pub use release_findings::release_findings;
pub use state::{EventKind, State, TRANSITIONS, To, Transition, When, transitions_table};
pub use tree::TextError;
pub use world::{Pause, Pauses, World};
