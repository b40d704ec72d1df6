//! The findings as one JSON array, in the form that is fixed for ever.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::value::RawValue;

use super::bounds::{self, Measured};
use crate::cli::report::{Finding, Mend, Place, Proof, Report};
use crate::diag::WitnessValue;

/// One array of all findings; `[]` where there are none.
pub(in crate::cli) fn render(report: &Report) -> String {
    let findings: Vec<JsonFinding<'_>> = report.findings.iter().map(JsonFinding::new).collect();
    let mut text = to_json(&findings);
    text.push('\n');
    text
}

/// The findings beside the bounds: an object of both.
pub(in crate::cli) fn with_bounds(report: &Report, measured: &[Measured]) -> String {
    let findings = report.findings.iter().map(JsonFinding::new).collect();
    let mut text = to_json(&WithBounds { findings, bounds: bounds::json(measured) });
    text.push('\n');
    text
}

#[derive(Serialize)]
struct WithBounds<'a> {
    findings: Vec<JsonFinding<'a>>,
    bounds: Vec<bounds::JsonBounds<'a>>,
}

/// JSON over several lines. None of the values below can fail to be written.
pub(super) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

#[derive(Serialize)]
struct JsonFinding<'a> {
    code: &'a str,
    severity: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    file: &'a str,
    labels: Vec<JsonLabel<'a>>,
    fixes: Vec<JsonFix<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<JsonProof<'a>>,
    url: String,
}

#[derive(Serialize)]
struct JsonRange<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Serialize)]
struct JsonLabel<'a> {
    #[serde(flatten)]
    range: JsonRange<'a>,
    text: &'a str,
    primary: bool,
}

#[derive(Serialize)]
struct JsonFix<'a> {
    title: &'a str,
    safe: bool,
    edits: Vec<JsonEdit<'a>>,
}

#[derive(Serialize)]
struct JsonEdit<'a> {
    #[serde(flatten)]
    range: JsonRange<'a>,
    replacement: &'a str,
}

#[derive(Serialize)]
struct JsonProof<'a> {
    #[serde(serialize_with = "facts")]
    facts: &'a [(String, WitnessValue)],
    refuse: &'a [String],
}

impl<'a> JsonFinding<'a> {
    fn new(finding: &'a Finding) -> Self {
        JsonFinding {
            code: finding.code.id,
            severity: finding.severity.as_str(),
            message: &finding.message,
            help: finding.help.as_deref(),
            file: finding.place().map_or(&*finding.checked, |p| &*p.file),
            labels: finding.places.iter().map(JsonLabel::new).collect(),
            fixes: finding.mends.iter().map(JsonFix::new).collect(),
            witness: finding.witness.as_ref().map(JsonProof::new),
            url: finding.code.url(),
        }
    }
}

impl<'a> JsonRange<'a> {
    fn new(place: &'a Place) -> Self {
        JsonRange {
            file: &place.file,
            line: place.from.line,
            column: place.from.column,
            end_line: place.to.line,
            end_column: place.to.column,
        }
    }
}

impl<'a> JsonLabel<'a> {
    fn new(place: &'a Place) -> Self {
        JsonLabel { range: JsonRange::new(place), text: &place.text, primary: place.primary }
    }
}

impl<'a> JsonFix<'a> {
    fn new(mend: &'a Mend) -> Self {
        let edit = |(place, replacement): &'a (Place, String)| JsonEdit { range: JsonRange::new(place), replacement };
        JsonFix { title: &mend.title, safe: mend.safe, edits: mend.edits.iter().map(edit).collect() }
    }
}

impl<'a> JsonProof<'a> {
    fn new(proof: &'a Proof) -> Self {
        JsonProof { facts: &proof.facts, refuse: &proof.refuse }
    }
}

/// A map in the order of the facts, a number by its digits and never through a float.
pub(super) fn facts<S: Serializer>(facts: &&[(String, WitnessValue)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(facts.len()))?;
    for (name, value) in *facts {
        match value {
            WitnessValue::Text(text) => map.serialize_entry(name, text)?,
            WitnessValue::Number(digits) => match RawValue::from_string(digits.clone()) {
                Ok(number) => map.serialize_entry(name, &number)?,
                Err(_) => map.serialize_entry(name, digits)?,
            },
        }
    }
    map.end()
}
