//! Floor 7: the judgement: may this second attempt happen now?
//!
//! A table says what *should* follow; the judgement adds what the world allows. It is pure: a clock, a draw, a registry
//! come in as values, and nothing here waits, sends or stores.
//!
//! - An [`Envelope`] binds one authorized outcome: its ids, its arguments' meaning ([`ArgsHash`]), the
//!   [`ActionKey`] by which a receiver recognises a repeat, its deadline and its one retry owner.
//! - An [`Intent`] is an envelope under way: [`Intent::step`] moves it, by the table of [`TRANSITIONS`].

mod canonical;
mod envelope;
mod envelope_text;
mod event;
mod fields;
mod ids;
mod intent;
mod key;
mod moment;
mod state;
mod step;
#[cfg(test)]
mod step_tests;
mod tree;
mod tree_json;
mod tree_yaml;

pub use canonical::ArgsHash;
pub use envelope::{ActorScope, Envelope, EnvelopeDraft, EnvelopeError, KeyMisuse, Operation};
pub use event::{Dispatching, Duty, Event, Observed, StepError};
pub use ids::{AuthorizationVersion, IdError, IntentId, MAX_ID_BYTES, ProviderRequestId, ReceiptId, ReleaseId};
pub use intent::{Attempt, Finding, Intent, Settled, Timer};
pub use key::{ActionKey, KeyError, KeyTemplate, Protected};
pub use moment::Moment;
pub use state::{EventKind, State, TRANSITIONS, To, Transition, When, transitions_table};
pub use tree::TextError;
