//! The heads of tables, derives and classifies: all but their rows.

use super::error::Load;
use super::reader::Reader;
use super::sets;
use super::writer::Writer;
use crate::model::{Classify, Column, Cond, Derive, FactId, FactSource, Model, Output, Overlay, Table, TableId};
use crate::syntax::tree::Hit;

const HITS: [Hit; 6] = [Hit::First, Hit::AtMostOne, Hit::Agree, Hit::MostCautious, Hit::Highest, Hit::Lowest];

/// The tables of a model with rows, in the order in which their rows are written.
pub(super) fn all(model: &Model) -> impl Iterator<Item = &Table> {
    let derives = model.derives.iter().map(|derive| &derive.table);
    let classifies = model.classifies.iter().map(|classify| &classify.table);
    derives.chain(classifies).chain(&model.tables)
}

pub(super) fn write(w: &mut Writer, model: &Model) {
    w.list(model.derives.iter(), |w, derive| {
        outputs(w, &derive.outputs);
        table(w, model, &derive.table);
    });
    w.list(model.classifies.iter(), |w, classify| {
        outputs(w, &classify.outputs);
        table(w, model, &classify.table);
    });
    w.list(model.tables.iter(), |w, own| table(w, model, own));
    w.list(model.overlay.iter(), |w, overlay| {
        w.list(overlay.tighten.iter(), |w, (base, own)| {
            w.n(base.0);
            w.n(own.0);
        });
    });
}

fn outputs(w: &mut Writer, outputs: &[Output]) {
    w.list(outputs.iter(), |w, output| {
        w.u32(output.fact.0);
        w.span(output.span);
    });
}

fn table(w: &mut Writer, model: &Model, table: &Table) {
    w.text(&table.name);
    w.span(table.span);
    w.u8(table.hit as u8);
    w.span(table.hit_span);
    w.bool(table.damaged);
    conds(w, model, &table.promise);
    w.list(table.columns.iter(), |w, column| {
        let (tag, fact) = match column {
            Column::Name => (0, 0),
            Column::Fact(fact) => (1, fact.0),
            Column::Also => (2, 0),
            Column::Output => (3, 0),
        };
        w.u8(tag);
        w.u32(fact);
    });
    w.n(table.rows.len());
}

/// Tests with the sets that they ask for.
pub(super) fn conds(w: &mut Writer, model: &Model, conds: &[Cond]) {
    w.list(conds.iter(), |w, cond| {
        w.u32(cond.fact.0);
        sets::write(w, model.fact(cond.fact), &cond.set);
        w.span(cond.span);
    });
}

pub(super) fn read_conds(r: &mut Reader, model: &Model) -> Load<Vec<Cond>> {
    r.list(24, |r| {
        let fact = read_fact(r, model)?;
        let set = sets::read(r, model.fact(fact))?.into();
        Ok(Cond { fact, set, span: r.span()? })
    })
}

/// A fact of a model whose facts are read.
pub(super) fn read_fact(r: &mut Reader, model: &Model) -> Load<FactId> {
    r.place(model.facts.len(), "fact").map(|place| FactId(place as u32))
}

/// Reads the heads into a model whose facts and blocks are read; with them how many rows each table has.
pub(super) fn read(r: &mut Reader, model: &mut Model) -> Load<Vec<u32>> {
    let mut n_rows = Vec::new();
    let mut table = |r: &mut Reader| read_table(r, model, &mut n_rows);
    let derives = r.list(1, |r| Ok(Derive { outputs: read_outputs(r, model)?, table: table(r)? }))?;
    let classifies = r.list(1, |r| Ok(Classify { outputs: read_outputs(r, model)?, table: table(r)? }))?;
    let tables = r.list(1, table)?;
    r.ensure((1..usize::from(u16::MAX)).contains(&tables.len()), "it has no table, or too many")?;
    let mut overlays = r.list(1, |r| {
        let n = tables.len();
        let pair = |r: &mut Reader| Ok((TableId(r.place(n, "table")?), TableId(r.place(n, "table")?)));
        Ok(Overlay { tighten: r.list(8, pair)? })
    })?;
    r.ensure(overlays.len() <= 1, "it restricts more than one policy")?;
    (model.derives, model.classifies, model.tables) = (derives, classifies, tables);
    model.overlay = overlays.pop();
    sources_hold(r, model)?;
    Ok(n_rows)
}

fn read_outputs(r: &mut Reader, model: &Model) -> Load<Vec<Output>> {
    r.list(16, |r| Ok(Output { fact: read_fact(r, model)?, span: r.span()? }))
}

fn read_table(r: &mut Reader, model: &Model, n_rows: &mut Vec<u32>) -> Load<Table> {
    let (name, span) = (r.text()?, r.span()?);
    let hit = r.one_of(&HITS, "hit policy")?;
    let (hit_span, damaged) = (r.span()?, r.bool()?);
    let promise = read_conds(r, model)?;
    let columns = r.list(5, |r| {
        let (tag, fact) = (r.u8()?, r.u32()?);
        match (tag, fact) {
            (0, 0) => Ok(Column::Name),
            (1, fact) if (fact as usize) < model.facts.len() => Ok(Column::Fact(FactId(fact))),
            (2, 0) => Ok(Column::Also),
            (3, 0) => Ok(Column::Output),
            _ => Err(r.unsound("a column is of no kind")),
        }
    })?;
    n_rows.push(r.u32()?);
    Ok(Table { name, hit, hit_span, promise, columns, rows: Vec::new(), damaged, span })
}

/// Whether every fact comes from where it says, and every derive gives the facts that say so.
fn sources_hold(r: &Reader, model: &Model) -> Load<()> {
    let gives = |derive: usize, output: usize| model.derives.get(derive)?.outputs.get(output).map(|o| o.fact);
    for (place, fact) in model.facts.values().enumerate() {
        let sound = match fact.source {
            FactSource::Caller => true,
            FactSource::Parity(parity) => parity < model.parities.len(),
            FactSource::Derived { derive, output } => gives(derive, output) == Some(FactId(place as u32)),
        };
        r.ensure(sound, "a fact does not come from where it says")?;
    }
    for (derive, outputs) in model.derives.iter().map(|derive| &derive.outputs).enumerate() {
        let own =
            |(output, given): (usize, &Output)| model.fact(given.fact).source == FactSource::Derived { derive, output };
        r.ensure(
            !outputs.is_empty() && outputs.iter().enumerate().all(own),
            "a derive gives a fact that is not its own",
        )?;
    }
    Ok(())
}
