//! What a modeler relies on in the DMN that is written: ids that are names and there once, references that lead somewhere,
//! a shape for every part, tables whose rules are as wide as their heads.

use std::collections::{BTreeMap, BTreeSet};

use nisi::exchange::Format;
use proptest::prelude::*;

use super::{Words, export};
use crate::random;
use crate::support::read;

fn holds(text: &str) {
    let exported = export(text, Format::Dmn, &Words::new());
    let file = &exported.files[0].1;
    let document = roxmltree::Document::parse(file).unwrap();
    let nodes = || document.descendants().filter(roxmltree::Node::is_element);
    let mut ids = BTreeSet::new();
    for node in nodes() {
        let Some(id) = node.attribute("id") else { continue };
        let is_name = id.starts_with(|c: char| c.is_ascii_alphabetic())
            && id.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
        assert!(is_name && ids.insert(id), "{id}\n{file}");
    }
    for node in nodes() {
        let refers =
            node.attribute("href").map(|href| href.strip_prefix('#').unwrap()).or(node.attribute("dmnElementRef"));
        assert!(refers.is_none_or(|id| ids.contains(id)), "{refers:?}\n{file}");
    }
    let count = |name: &str| nodes().filter(|n| n.tag_name().name() == name).count();
    assert_eq!(count("DMNShape"), count("decision") + count("inputData"));
    assert_eq!(count("DMNEdge"), count("informationRequirement"));
    for table in nodes().filter(|n| n.tag_name().name() == "decisionTable") {
        let mut width: BTreeMap<&str, usize> = BTreeMap::new();
        table
            .children()
            .filter(roxmltree::Node::is_element)
            .for_each(|n| *width.entry(n.tag_name().name()).or_default() += 1);
        for rule in table.children().filter(|n| n.tag_name().name() == "rule") {
            let n = |name: &str| rule.children().filter(|n| n.tag_name().name() == name).count();
            assert_eq!(n("inputEntry"), width.get("input").copied().unwrap_or(0), "{file}");
            assert_eq!(Some(&n("outputEntry")), width.get("output"), "{file}");
        }
    }
}

#[test]
fn the_shipped_policies_can_be_opened() {
    for name in ["assistant", "field-guide", "procurement"] {
        holds(&read(&format!("policies/{name}.nisi")));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn so_can_any_policy(draws in prop::collection::vec(any::<u16>(), 0..160)) {
        holds(&random::text(&draws));
    }
}
