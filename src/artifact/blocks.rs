//! What stands in braces: budget, backoffs, locators, parities. Every number is held to the bounds of the language.

use super::error::Load;
use super::reader::Reader;
use super::writer::Writer;
use crate::model::{
    Backoff, Budget, Jitter, LayerBelow, Locator, MAX_COUNT, MAX_FACTOR_TENTHS, Model, Parity, ParityTerm, steps,
};
use crate::words::{DECIMAL_UNIT, MAX_DURATION_MS};

const JITTERS: [Jitter; 3] = [Jitter::None, Jitter::Equal, Jitter::Full];

pub(super) fn write(w: &mut Writer, model: &Model) {
    w.list(model.budget.iter(), budget);
    w.list(model.backoffs.iter(), |w, b| {
        w.text(&b.name);
        w.span(b.span);
        w.u64(b.base_ms);
        w.u64(b.factor_tenths);
        w.u64(b.cap_ms);
        w.u8(b.jitter as u8);
    });
    w.list(model.locators.iter(), |w, l| {
        w.text(&l.name);
        w.span(l.span);
        w.u64(l.lag_ms);
        w.option(l.remembers_ms);
        w.option(l.looks);
    });
    w.list(model.parities.iter(), |w, p| {
        w.text(&p.name);
        w.span(p.span);
        w.list(p.terms.iter(), write_term);
    });
}

/// Reads them into a model.
pub(super) fn read(r: &mut Reader, model: &mut Model) -> Load<()> {
    let mut budgets = r.list(1, read_budget)?;
    r.ensure(budgets.len() <= 1, "there is more than one budget")?;
    model.budget = budgets.pop();
    model.backoffs = r.list(1, read_backoff)?;
    model.locators = r.list(1, |r| {
        let (name, span, lag_ms) = (r.text()?, r.span()?, ms(r)?);
        let remembers_ms = r.option(0, MAX_DURATION_MS, "a memory")?;
        Ok(Locator { name, lag_ms, remembers_ms, looks: r.option(1, MAX_COUNT, "a number of looks")?, span })
    })?;
    model.parities = r.list(1, |r| {
        let (name, span) = (r.text()?, r.span()?);
        Ok(Parity { name, terms: r.list(1, read_term)?, span })
    })?;
    Ok(())
}

fn ms(r: &mut Reader) -> Load<u64> {
    r.within(0, MAX_DURATION_MS, "a duration in milliseconds")
}

fn count(r: &mut Reader) -> Load<u64> {
    r.within(1, MAX_COUNT, "a count")
}

fn budget(w: &mut Writer, budget: &Budget) {
    w.text(&budget.owner);
    w.span(budget.span);
    w.list(budget.below.iter(), |w, layer| {
        w.text(&layer.name);
        w.u64(layer.attempts);
    });
    w.u64(budget.attempts);
    w.bool(budget.refill.is_some());
    let (percent, floor) = budget.refill.unwrap_or_default();
    w.i128(percent);
    w.u64(floor);
    for n in [budget.deadline_ms, budget.reserve_ms, budget.confirm, budget.least_ms, budget.late_ms] {
        w.u64(n);
    }
}

fn read_budget(r: &mut Reader) -> Load<Budget> {
    let (owner, span) = (r.text()?, r.span()?);
    let below = r.list(12, |r| Ok(LayerBelow { name: r.text()?, attempts: count(r)? }))?;
    let attempts = count(r)?;
    let (refills, percent, floor) = (r.bool()?, r.i128()?, r.within(0, MAX_COUNT, "the least refill")?);
    r.ensure((0..=100 * DECIMAL_UNIT).contains(&percent), "a refill is no part of a hundred")?;
    r.ensure(refills || percent == 0 && floor == 0, "a refill is told that is not there")?;
    let (deadline_ms, reserve_ms, confirm, least_ms, late_ms) = (ms(r)?, ms(r)?, count(r)?, ms(r)?, ms(r)?);
    let refill = refills.then_some((percent, floor));
    Ok(Budget { owner, below, attempts, refill, deadline_ms, reserve_ms, confirm, least_ms, late_ms, span })
}

fn read_backoff(r: &mut Reader) -> Load<Backoff> {
    let (name, span) = (r.text()?, r.span()?);
    let base_ms = r.within(1, MAX_DURATION_MS, "the base of a backoff")?;
    let factor_tenths = r.within(10, MAX_FACTOR_TENTHS, "the factor of a backoff")?;
    let cap_ms = r.within(base_ms, MAX_DURATION_MS, "the cap of a backoff")?;
    let jitter = r.one_of(&JITTERS, "jitter")?;
    let steps_ms = steps(base_ms, factor_tenths, cap_ms);
    Ok(Backoff { name, base_ms, factor_tenths, cap_ms, jitter, steps_ms, span })
}

fn write_term(w: &mut Writer, term: &ParityTerm) {
    match term {
        ParityTerm::Same(fields) => {
            w.u8(0);
            w.texts(fields);
        }
        ParityTerm::NoBroader(fields) => {
            w.u8(1);
            w.texts(fields);
        }
        ParityTerm::MayDiffer(fields) => {
            w.u8(2);
            w.texts(fields);
        }
        ParityTerm::AtLeast(field, least) => {
            w.u8(3);
            w.text(field);
            w.i128(*least);
        }
        ParityTerm::Fresh(field, ms) => {
            w.u8(4);
            w.text(field);
            w.u64(*ms);
        }
    }
}

fn read_term(r: &mut Reader) -> Load<ParityTerm> {
    Ok(match r.u8()? {
        0 => ParityTerm::Same(r.texts()?),
        1 => ParityTerm::NoBroader(r.texts()?),
        2 => ParityTerm::MayDiffer(r.texts()?),
        3 => {
            let (field, least) = (r.text()?, r.i128()?);
            let whole = DECIMAL_UNIT * DECIMAL_UNIT;
            r.ensure(-whole < least && least < whole, "the least of a parity is no number of the language")?;
            ParityTerm::AtLeast(field, least)
        }
        4 => ParityTerm::Fresh(r.text()?, ms(r)?),
        n => return Err(r.unsound(format!("{n} is no term of a parity"))),
    })
}
