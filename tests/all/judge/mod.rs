//! The judgement by its front door.

mod budget;
mod failure_modes;
mod field_guide;
mod guards;
mod hedges;
mod ledger;
mod look_ups;
mod never;
mod records;
mod registries;
pub(crate) mod scene;
mod steps;
mod worked_example;

use nisi::judge::{Envelope, transitions_table};

use crate::support::read;

/// The page shows the table that the code follows.
#[test]
fn the_page_shows_every_transition() {
    let page = read("docs/judgement.md");
    let shown = page.split("<!-- transitions -->\n").nth(1).and_then(|rest| rest.split("<!-- end -->").next()).unwrap();
    assert_eq!(shown.trim(), transitions_table().trim(), "docs/judgement.md shows other transitions than the code has");
}

/// The page's envelope and the case's are whole.
#[test]
fn the_envelopes_that_are_shown_are_whole() {
    let page = read("docs/judgement.md");
    let shown = page.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let envelope = Envelope::read(shown).unwrap();
    assert_eq!(Envelope::read(&read("tests/cases/judge/order.yaml")).unwrap(), envelope);
}
