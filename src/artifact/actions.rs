//! Actions with their ways for refusal. Rows name them by number: a hundred thousand rows share a few.

use indexmap::IndexSet;

use super::error::Load;
use super::reader::Reader;
use super::writer::Writer;
use crate::model::{Action, By, Chain, MAX_COPIES, MAX_COUNT, Model};
use crate::text::Span;
use crate::words::{MAX_DURATION_MS, Verb};

/// Actions and how many of them the row itself states: a [`Chain`] without its place.
pub(super) type Chains<'m> = IndexSet<(&'m [Action], usize)>;

pub(super) fn write(w: &mut Writer, chains: &Chains) {
    w.list(chains.iter(), |w, (actions, stated)| {
        w.n(*stated);
        w.list(actions.iter(), write_action);
    });
}

/// All chains of a model whose blocks are read.
pub(super) fn read(r: &mut Reader, model: &Model) -> Load<Box<[Chain]>> {
    let chains = r.list(9, |r| {
        let stated = r.u32()? as usize;
        let actions = r.list(1, |r| read_action(r, model))?;
        let last = actions.last().is_some_and(|action| !action.verb().can_be_refused());
        r.ensure(last, "what is left when all else is refused could be refused itself")?;
        r.ensure(stated <= actions.len(), "a row states more actions than there are")?;
        Ok(Chain { actions: actions.into(), stated, span: Span::default() })
    })?;
    Ok(chains.into())
}

/// An action alone, as examples expect it.
pub(super) fn write_action(w: &mut Writer, action: &Action) {
    w.u8(action.verb() as u8);
    match action {
        Action::Review { queue: text } | Action::Stop { reason: text } | Action::Done { reason: text } => {
            w.optional_text(text.as_deref());
        }
        Action::Wait => {}
        Action::Reconcile { by, within_ms } => {
            w.u32(if let By::Locator(place) = by { *place as u32 + 1 } else { 0 });
            w.u64(*within_ms);
        }
        Action::Retry { backoff, spend } => {
            w.u32(backoff.map_or(0, |place| place as u32 + 1));
            w.u64(*spend);
        }
        Action::Hedge { copies, after_ms } => {
            w.u64(*copies);
            w.u64(*after_ms);
        }
        Action::Failover { parity } => w.n(*parity),
    }
}

pub(super) fn read_action(r: &mut Reader, model: &Model) -> Load<Action> {
    Ok(match r.one_of(&Verb::ALL, "verb")? {
        Verb::Review => Action::Review { queue: r.optional_text()? },
        Verb::Stop => Action::Stop { reason: r.optional_text()? },
        Verb::Done => Action::Done { reason: r.optional_text()? },
        Verb::Wait => Action::Wait,
        Verb::Reconcile => {
            let place = optional_place(r, model.locators.len(), "locator")?;
            let within_ms = r.within(0, MAX_DURATION_MS, "the time of a look-up")?;
            Action::Reconcile { by: place.map_or(By::Event, By::Locator), within_ms }
        }
        Verb::Retry => {
            let backoff = optional_place(r, model.backoffs.len(), "backoff")?;
            Action::Retry { backoff, spend: r.within(1, MAX_COUNT, "what a retry spends")? }
        }
        Verb::Hedge => {
            let copies = r.within(2, MAX_COPIES, "the copies of a hedge")?;
            Action::Hedge { copies, after_ms: r.within(0, MAX_DURATION_MS, "the delay of a hedge")? }
        }
        Verb::Failover => Action::Failover { parity: r.place(model.parities.len(), "parity")? },
    })
}

/// 0 for none, or one more than a place.
pub(super) fn optional_place(r: &mut Reader, n: usize, what: &str) -> Load<Option<usize>> {
    match (r.u32()? as usize).checked_sub(1) {
        Some(place) if place >= n => Err(r.unsound(format!("it names {what} {place} of {n}"))),
        place => Ok(place),
    }
}
