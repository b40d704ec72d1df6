//! Tables that people publish and use, restated as policies: those that are sound compile and give the published
//! answer for every published row; those with a known fault do not compile, and the finding shows it.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::support::{compile, files, has_ending, read};

/// `tests/cases/tables/*.yaml`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Published {
    /// Where the rows were published.
    source: String,
    /// The policy that restates them.
    policy: String,
    /// The facts, in the order of the columns.
    columns: Vec<String>,
    /// What the source says, as the derived fact that says it in the policy.
    outcome: String,
    /// How the policy answers each outcome: its row.
    answers: BTreeMap<String, String>,
    /// How many rows the source has.
    n_rows: usize,
    /// The rows as published.
    rows: Vec<Vec<String>>,
}

#[test]
fn every_published_row_is_answered_as_published() {
    let yaml: Vec<String> = files("tests/cases/tables").into_iter().filter(|p| has_ending(p, "yaml")).collect();
    assert!(yaml.len() >= 2, "{yaml:?}");
    for path in yaml {
        let published: Published = serde_yaml::from_str(&read(&path)).unwrap_or_else(|e| panic!("{path}: {e}"));
        assert!(published.source.contains("CERTCC/SSVC") && published.source.contains("licence"), "{path}: no source");
        assert_eq!(published.rows.len(), published.n_rows, "{path}: all rows of the source");
        let file = format!("tests/cases/tables/{}.nisi", published.policy);
        let compiled = compile(&file, &read(&file));
        let policy = compiled.policy.unwrap_or_else(|| panic!("{}", compiled.diagnostics));
        assert!(policy.is_proven());
        for row in &published.rows {
            let mut facts = policy.no_facts();
            for (name, value) in published.columns.iter().zip(row) {
                facts.set_word(policy.handle(name).unwrap(), value).unwrap();
            }
            let decision = policy.decide(&facts);
            let outcome = row.last().unwrap();
            assert_eq!(decision.row_name().as_ref(), published.answers.get(outcome), "{path}: {row:?}");
            let told = decision.why().to_string().split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(told.contains(&published.outcome), "{path}: {row:?}: the way does not speak of the outcome");
        }
    }
}

/// The bands end at one decimal, and a score may have more: the gap is shown by a score between two bands.
#[test]
fn the_hole_between_the_published_bands_is_found() {
    let compiled = compile("cvss_bands.nisi", &read("tests/cases/tables/cvss_bands.nisi"));
    assert!(compiled.policy.is_none());
    let found: Vec<_> =
        compiled.diagnostics.items.iter().filter(|d| d.severity == nisi::diag::Severity::Error).collect();
    assert!(!found.is_empty() && found.iter().all(|d| d.code.id == "N0301"), "{}", compiled.diagnostics);
    let facts = &found[0].witness.as_ref().unwrap().facts;
    let (name, value) = &facts[0];
    assert_eq!(name, "score");
    let nisi::diag::WitnessValue::Number(digits) = value else { panic!("{value:?}") };
    let score: f64 = digits.parse().unwrap();
    let bands = [(0.0, 0.0), (0.1, 3.9), (4.0, 6.9), (7.0, 8.9), (9.0, 10.0)];
    assert!(bands.iter().all(|(lo, hi)| score < *lo || score > *hi), "{score} lies in a band");
}
