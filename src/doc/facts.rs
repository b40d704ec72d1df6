//! The facts: domain, meaning, where each comes from and who reads it; groups, derives and classifies.

use crate::model::{Fact, FactId, FactSource, quoted_if_needed, show_domain};

use super::acts::from;
use super::prose;
use super::readers::Readers;
use super::tables::{Gives, Told, fact_id};
use super::tree::{Block, Entry, Piece, Section, code, commas, link, text};
use super::written::Home;

/// The facts of a policy, its own first.
pub(super) fn section(told: Told) -> Section {
    let readers = Readers::of(told);
    let mut section = Section::new("facts", vec![text("Facts")]);
    let words = "What is known when the question is put. Each fact may also be unknown, which is no answer and never a “no”: no \
                 cell takes it unless it says `unknown`, or takes any value.";
    section.blocks.push(Block::Para(prose::line(words)));
    let model = told.model;
    let all = || (0..model.facts.len() as u32).map(FactId).map(|id| (id, model.fact(id)));
    let given = || all().filter(|(_, fact)| fact.is_callers());
    let home = |fact: &Fact| told.written.home(fact.span);
    let is_std = |fact: &Fact| matches!(home(fact), Home::Std(_));
    let entries = |part: &mut Section, wanted: &dyn Fn(FactId, &Fact) -> bool| {
        let found: Vec<Entry> =
            given().filter(|(id, f)| wanted(*id, f)).map(|(id, _)| entry(told, &readers, id)).collect();
        (!found.is_empty()).then(|| part.blocks.push(Block::Entries(found)))
    };
    let mut own = Section::new("own-facts", vec![text("Of this policy and its files")]);
    if entries(&mut own, &|_, fact| !is_std(fact)).is_some() {
        section.parts.push(own);
    }
    let mut shared = Section::new("shared-facts", vec![text("Of the vocabulary that ships with nisi")]);
    if entries(&mut shared, &|id, fact| is_std(fact) && readers.is_read(id)).is_some() {
        let idle: Vec<_> =
            given().filter(|(id, f)| is_std(f) && !readers.is_read(*id)).map(|(_, f)| code(&*f.name)).collect();
        if !idle.is_empty() {
            let mut line = vec![text("This policy does not read: ")];
            line.extend(commas(idle));
            shared.blocks.push(Block::Para(line));
        }
        section.parts.push(shared);
    }
    section.parts.extend(derived(told, &readers));
    section.parts.extend(classified(told));
    let groups = told.all_groups();
    if !groups.is_empty() {
        let mut part = Section::new("groups", vec![text("Groups of values")]);
        part.blocks.push(Block::Entries(groups));
        section.parts.push(part);
    }
    section
}

fn entry(told: Told, readers: &Readers, id: FactId) -> Entry {
    let fact = told.model.fact(id);
    let home = told.written.home(fact.span);
    let mut name = vec![code(&*fact.name)];
    name.extend(from(&home));
    let mut blocks = vec![Block::Para(vec![text(kind(fact)), code(show_domain(fact, quoted_if_needed))])];
    if let FactSource::Parity(place) = fact.source
        && let Some(parity) = told.model.parities.get(place)
    {
        let line = vec![
            text("Whether some registered release meets the parity "),
            link(format!("parity:{}", parity.name), &*parity.name),
            text("."),
        ];
        blocks.push(Block::Para(line));
    } else {
        blocks.extend(documented(told, fact));
    }
    blocks.extend(added(told, id));
    blocks.push(Block::Para(readers.told(id)));
    Entry { id: Some(fact_id(&fact.name)), name, blocks }
}

/// The documentation of a fact; in its lists the fact's own words are code.
fn documented(told: Told, fact: &Fact) -> Vec<Block> {
    let mut blocks = prose::blocks(told.written.doc(fact.span));
    for block in &mut blocks {
        let Block::List(members) = block else { continue };
        for line in members {
            let Some(Piece::Text(words)) = line.first() else { continue };
            let Some((value, rest)) = words.split_once(':').filter(|(value, _)| fact.words().any(|w| w == *value))
            else {
                continue;
            };
            let told = [code(value), text(format!(":{rest}"))];
            line.splice(..1, told);
        }
    }
    blocks
}

/// What the policy adds to a choice.
fn added(told: Told, id: FactId) -> Vec<Block> {
    let mut blocks = Vec::new();
    for extended in told.model.extended.iter().filter(|e| e.fact == id) {
        let crate::model::Type::Choice { values, .. } = &told.model.fact(id).ty else { continue };
        let mut line = vec![text("This policy adds ")];
        line.extend(commas(extended.values.iter().filter_map(|v| values.get(*v)).map(|v| code(quoted_if_needed(v)))));
        line.push(text("."));
        blocks.push(Block::Para(line));
        blocks.extend(prose::blocks(told.written.doc(extended.span)));
    }
    blocks
}

/// What a fact's type is called, before its domain.
fn kind(fact: &Fact) -> &'static str {
    use crate::model::Type;
    match &fact.ty {
        Type::Choice { flag: true, .. } => "Yes or no: ",
        Type::Choice { ordered: true, .. } => "In order, from low to high: ",
        Type::Choice { .. } => "One of ",
        Type::Number(_) => "A quantity: ",
        Type::Text => "Any text: ",
    }
}

/// The derived facts that are read, and all that the policy declares itself.
fn derived(told: Told, readers: &Readers) -> Option<Section> {
    let mut section = Section::new("derived-facts", vec![text("Worked out from other facts")]);
    let words = "Nobody gives these: they follow from the facts that their columns name.";
    section.blocks.push(Block::Para(prose::line(words)));
    for derive in &told.model.derives {
        let home = told.written.home(derive.table.span);
        let outputs: Vec<FactId> = derive.outputs.iter().map(|o| o.fact).collect();
        if matches!(home, Home::Std(_)) && !outputs.iter().any(|fact| readers.is_read(*fact)) {
            continue;
        }
        let mut title = commas(outputs.iter().map(|fact| code(&*told.model.fact(*fact).name)));
        title.extend(from(&home));
        let id = match outputs.as_slice() {
            [one] => fact_id(&told.model.fact(*one).name),
            _ => format!("derive:{}", derive.table.name),
        };
        let mut part = Section::new(id, title);
        part.blocks = prose::blocks(told.written.doc(derive.table.span));
        part.blocks.extend(match outputs.as_slice() {
            [one] => output(told, readers, *one),
            several => vec![Block::Entries(several.iter().map(|fact| named_output(told, readers, *fact)).collect())],
        });
        part.blocks.extend(told.grid(&derive.table, Gives::Values(&outputs)));
        section.parts.push(part);
    }
    (!section.parts.is_empty()).then_some(section)
}

/// What a derived fact may be, and who reads it.
fn output(told: Told, readers: &Readers, id: FactId) -> Vec<Block> {
    let fact = told.model.fact(id);
    let domain = vec![text(kind(fact)), code(show_domain(fact, quoted_if_needed))];
    vec![Block::Para(domain), Block::Para(readers.told(id))]
}

fn named_output(told: Told, readers: &Readers, id: FactId) -> Entry {
    let name = &*told.model.fact(id).name;
    Entry { id: Some(fact_id(name)), name: vec![code(name)], blocks: output(told, readers, id) }
}

/// Raw signals into facts.
fn classified(told: Told) -> Option<Section> {
    let mut section = Section::new("classifies", vec![text("Read from raw signals")]);
    let words =
        "These turn what a call brought back into facts, before anything is decided. They are no part of a decision.";
    section.blocks.push(Block::Para(prose::line(words)));
    for classify in &told.model.classifies {
        let outputs: Vec<FactId> = classify.outputs.iter().map(|o| o.fact).collect();
        let mut title = vec![code(&*classify.table.name)];
        title.extend(from(&told.written.home(classify.table.span)));
        let mut part = Section::new(format!("classify:{}", classify.table.name), title);
        part.blocks = prose::blocks(told.written.doc(classify.table.span));
        part.blocks.extend(told.grid(&classify.table, Gives::Values(&outputs)));
        section.parts.push(part);
    }
    (!section.parts.is_empty()).then_some(section)
}
