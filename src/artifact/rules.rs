//! What decides nothing, but belongs to a policy: rules, waivers, examples. Read when the artifact is loaded, as there are
//! few; rows are named by their places.

use super::actions::{optional_place, read_action, write_action};
use super::error::Load;
use super::facts::{VALUE, read_value, write_value};
use super::reader::Reader;
use super::tables::{conds, read_conds, read_fact};
use super::writer::Writer;
use crate::model::{Example, Examples, Expected, Model, Rule, TableId, Waiver};
use crate::words::Verb;

pub(super) fn write(w: &mut Writer, model: &Model) {
    w.list(model.rules.iter(), |w, rule| {
        w.text(&rule.name);
        w.span(rule.span);
        w.bool(rule.only);
        w.bool(rule.unless);
        w.list(rule.verbs.iter(), |w, (verb, parity)| {
            w.u8(*verb as u8);
            w.u32(parity.map_or(0, |place| place as u32 + 1));
        });
        conds(w, model, &rule.tests);
    });
    w.list(model.waivers.iter(), |w, waiver| {
        w.text(&waiver.what);
        w.span(waiver.span);
        w.list(waiver.rows.iter(), |w, row| write_row(w, *row));
        w.text(&waiver.because);
        w.optional_text(waiver.owner.as_deref());
        w.optional_text(waiver.until.as_deref());
    });
    w.list(model.examples.iter(), |w, examples| {
        w.n(examples.table.0);
        w.list(examples.rows.iter(), example);
    });
}

/// Reads them into a model whose tables are read; `n_rows` are the rows of each.
pub(super) fn read(r: &mut Reader, model: &mut Model, n_rows: &[u32]) -> Load<()> {
    model.rules = r.list(1, |r| read_rule(r, model))?;
    model.waivers = r.list(1, |r| {
        let (what, span) = (r.text()?, r.span()?);
        let rows = r.list(8, |r| read_row(r, n_rows))?;
        let (because, owner, until) = (r.text()?, r.optional_text()?, r.optional_text()?);
        Ok(Waiver { what, rows, because, owner, until, span })
    })?;
    model.examples = r.list(1, |r| {
        let table = TableId(r.place(n_rows.len(), "table")?);
        Ok(Examples { table, rows: r.list(1, |r| read_example(r, model, n_rows))? })
    })?;
    Ok(())
}

fn read_rule(r: &mut Reader, model: &Model) -> Load<Rule> {
    let (name, span, only, unless) = (r.text()?, r.span()?, r.bool()?, r.bool()?);
    let verbs = r.list(5, |r| {
        let verb = r.one_of(&Verb::ALL, "verb")?;
        let parity = optional_place(r, model.parities.len(), "parity")?;
        r.ensure(parity.is_none() || verb == Verb::Failover, "only a failover has a parity")?;
        Ok((verb, parity))
    })?;
    Ok(Rule { name, only, verbs, unless, tests: read_conds(r, model)?, span })
}

fn write_row(w: &mut Writer, (table, row): (TableId, usize)) {
    w.n(table.0);
    w.n(row);
}

fn read_row(r: &mut Reader, n_rows: &[u32]) -> Load<(TableId, usize)> {
    let table = r.place(n_rows.len(), "table")?;
    Ok((TableId(table), r.place(n_rows[table] as usize, "row")?))
}

fn example(w: &mut Writer, example: &Example) {
    w.text(&example.name);
    w.span(example.span);
    w.list(example.facts.iter(), |w, (fact, value)| {
        w.u32(fact.0);
        write_value(w, value);
    });
    let Expected { verb, action, row } = &example.expected;
    w.list(verb.iter(), |w, (verb, span)| {
        w.u8(*verb as u8);
        w.span(*span);
    });
    w.list(action.iter(), write_action);
    w.list(row.iter(), |w, (table, row, span)| {
        write_row(w, (*table, *row));
        w.span(*span);
    });
}

fn read_example(r: &mut Reader, model: &Model, n_rows: &[u32]) -> Load<Example> {
    let (name, span) = (r.text()?, r.span()?);
    let facts = r.list(4 + VALUE, |r| {
        let fact = read_fact(r, model)?;
        Ok((fact, read_value(r, model.fact(fact))?))
    })?;
    let mut verbs = r.list(13, |r| Ok((r.one_of(&Verb::ALL, "verb")?, r.span()?)))?;
    let mut actions = r.list(1, |r| read_action(r, model))?;
    let mut rows = r.list(20, |r| read_row(r, n_rows).and_then(|(table, row)| Ok((table, row, r.span()?))))?;
    let once = verbs.len() <= 1 && actions.len() <= 1 && rows.len() <= 1;
    r.ensure(once, "an example expects one thing twice")?;
    let expected = Expected { verb: verbs.pop(), action: actions.pop(), row: rows.pop() };
    Ok(Example { name, facts, expected, span })
}
