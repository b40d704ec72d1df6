//! From a model to the sections of an artifact.

use super::about::{self, About};
use super::actions::{self, Chains};
use super::rows::{self, Sets};
use super::section::Section;
use super::writer::Writer;
use super::{blocks, facts, rules, tables};
use crate::model::Model;

/// Writes a whole model, and what is known of it beside.
pub(crate) fn write(w: &mut Writer, about: &About, edition: &str, model: &Model) {
    about::write(w, about, edition);
    w.text(&model.name);
    w.text(&model.version);
    w.text(&model.owner);
    let sets = Sets::of(model);
    w.list(model.facts.values().enumerate(), |w, (place, fact)| {
        facts::write(w, fact);
        w.n(sets.len(place));
    });
    blocks::write(w, model);
    tables::write(w, model);
    w.turn_to(Section::Rules);
    rules::write(w, model);
    let mut chains = Chains::new();
    rows::write(w, model, &sets, &mut chains);
    w.turn_to(Section::Actions);
    actions::write(w, &chains);
}
