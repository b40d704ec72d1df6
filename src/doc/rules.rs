//! The rules, with what was proven of them, and the waivers.

use crate::diag;
use crate::model::{Rule, Waiver, parity_name};
use crate::syntax::tree::ItemKind;
use crate::words::Verb;

use super::acts::{self, from};
use super::prose;
use super::tables::{Told, join};
use super::tree::{Block, Entry, Line, Mark, Piece, Section, code, commas, link, quiet, text, way};

/// The rules of a policy; nothing where there are neither rules nor waivers.
pub(super) fn section(told: Told, is_proven: bool) -> Option<Section> {
    let mut section = Section::new("rules", vec![text("Rules")]);
    let rules = &told.model.rules;
    if !rules.is_empty() {
        let words = "What holds whatever the rows say, with every guard passing and refusing.";
        section.blocks.push(Block::Para(prose::line(words)));
        section.blocks.push(Block::Entries(rules.iter().map(|rule| entry(told, rule, is_proven)).collect()));
    }
    let waivers: Vec<Entry> = told.model.waivers.iter().map(|waiver| waived(told, waiver)).collect();
    if !waivers.is_empty() {
        let mut part = Section::new("waivers", vec![text("Waivers")]);
        part.blocks.push(Block::Para(prose::line("What is lifted, for which rows, why, and until when.")));
        part.blocks.push(Block::Entries(waivers));
        section.parts.push(part);
    }
    (!section.blocks.is_empty() || !section.parts.is_empty()).then_some(section)
}

fn entry(told: Told, rule: &Rule, is_proven: bool) -> Entry {
    let mark =
        if is_proven { Piece::Mark(Mark::Yes, "proven".into()) } else { Piece::Mark(Mark::Open, "not proven".into()) };
    let mut name = vec![code(&*rule.name), text(" "), mark];
    name.extend(from(&told.written.home(rule.span)));
    let mut blocks = prose::blocks(told.written.doc(rule.span));
    blocks.push(Block::Para(said(told, rule)));
    let lifted: Vec<Piece> = told
        .model
        .waivers
        .iter()
        .filter(|waiver| waiver.what == rule.name)
        .flat_map(|waiver| &waiver.rows)
        .map(|(table, row)| acts::row_link(told.model, *table, *row))
        .collect();
    if !lifted.is_empty() {
        let mut line = vec![text("Save for rows with a "), way("waivers", "waiver"), text(": ")];
        line.extend(commas(lifted));
        blocks.push(Block::Para(line));
    }
    Entry { id: Some(format!("rule:{}", rule.name)), name, blocks }
}

/// `never retry when effect is write`
fn said(told: Told, rule: &Rule) -> Line {
    let mut line = vec![text(if rule.only { "Only " } else { "Never " })];
    let verb = |(verb, parity): &(Verb, Option<usize>)| {
        let mut line = vec![Piece::Verb(*verb)];
        if let Some(parity) = parity {
            let name = parity_name(told.model, *parity);
            line.extend([text(" to "), link(format!("parity:{name}"), name)]);
        }
        line
    };
    line.extend(join(rule.verbs.iter().map(verb).collect(), ", "));
    let written = told.written.item(rule.span).map(|item| &item.kind);
    let conds: Vec<_> = rule.tests.iter().collect();
    let tests = match written {
        Some(ItemKind::Rule { tests, .. }) => told.tests(tests, &conds),
        _ => told.conds(&conds),
    };
    if !tests.is_empty() {
        line.push(text(if rule.unless { " unless " } else { " when " }));
        line.extend(join(tests, " and "));
    }
    line
}

fn waived(told: Told, waiver: &Waiver) -> Entry {
    let is_rule = told.model.rules.iter().any(|rule| rule.name == waiver.what);
    let what = if is_rule { link(format!("rule:{}", waiver.what), &*waiver.what) } else { code(&*waiver.what) };
    let mut name = vec![what];
    if let Some(code) = diag::code(&waiver.what) {
        name.push(quiet(format!(" {}", code.title)));
    }
    if !waiver.rows.is_empty() {
        name.push(text(" for "));
        name.extend(commas(waiver.rows.iter().map(|(table, row)| acts::row_link(told.model, *table, *row))));
    }
    let mut blocks = prose::blocks(told.written.doc(waiver.span));
    blocks.push(Block::Para(vec![quiet("because "), Piece::Said(waiver.because.to_string())]));
    let owner = waiver.owner.as_ref().map(|owner| vec![text("answered for by "), code(&**owner)]);
    let until = waiver.until.as_ref().map(|day| vec![text("its last day is "), code(&**day)]);
    let signed: Vec<Line> = owner.into_iter().chain(until).collect();
    if !signed.is_empty() {
        blocks.push(Block::Para(join(signed, "; ")));
    }
    Entry { id: None, name, blocks }
}
