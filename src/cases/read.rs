//! A case file: fixtures of facts by name, and cases that take them over.
//!
//! Takes a policy and a text; gives every case that can be asked and everything that is wrong with the others. Facts are
//! laid over each other: the file's `given`, then the fixtures of `with` in their order, then the case's own `facts`,
//! then those of a point of its matrix.

use std::collections::BTreeMap;

use crate::decide::{Policy, Refused, World};
use crate::diag::nearest;
use crate::model::TableId;

use super::case::{Case, Expect, Not};
use super::error::{CaseError, Place, clipped};
use super::expect;
use super::keys::Told;
use super::layers::{Layer, Layers, lay};
use super::matrix::Matrix;
use super::yaml::{self, Node};

/// The most cases of one file, every point of every matrix counted.
pub const MAX_CASES: usize = 100_000;

/// What a case file holds. [`read_cases`] gives it.
#[derive(Debug, Default)]
pub struct CaseFile {
    /// The cases that can be asked, in file order; a matrix is a case for each of its points.
    pub cases: Vec<Case>,
    /// What is wrong, in the order of the places. A case with an error is not among the cases.
    pub errors: Vec<CaseError>,
}

/// Reads the cases of a policy from YAML; JSON is YAML. The format is told in the repository's `docs/testing.md`.
///
/// ```
/// let text = "policy a\nversion 1\nfact region : eu, us\ntable t, first row wins\n\
///             | row | region | => action |\n| here | eu | stop |\n| else | - | review desk |\n";
/// let policy = nisi::Policy::compile(text)?;
/// let file = nisi::cases::read_cases(&policy, "
/// cases:
///   - name: in europe
///     facts: { region: eu }
///     expect: { action: stop, row: here }
///   - name: elsewhere
///     each: { region: [us, null] }
///     not: { action: stop }
/// ");
/// let titles: Vec<&str> = file.cases.iter().map(|case| case.title()).collect();
/// assert_eq!(titles, ["in europe", "elsewhere [region=us]", "elsewhere [region=unknown]"]);
/// assert!(file.cases.iter().all(|case| case.check(&policy).holds()));
///
/// let file = nisi::cases::read_cases(&policy, "cases:\n  - name: a\n    facts: { regoin: eu }\n    expect: { action: stop }\n");
/// assert_eq!(file.errors[0].to_string(), "3:14: in case \"a\", facts: there is no fact `regoin`");
/// assert_eq!(file.errors[0].help.as_deref(), Some("did you mean `region`?"));
/// # Ok::<(), nisi::Diagnostics>(())
/// ```
pub fn read_cases(policy: &Policy, text: &str) -> CaseFile {
    let mut told = Told::default();
    let cases = match yaml::read(text, &mut told.errors) {
        Ok(root) => Reader::new(policy).file(&root, &mut told),
        Err(error) => {
            told.errors.push(error);
            Vec::new()
        }
    };
    told.errors.sort_by_key(|error| error.place);
    CaseFile { cases, errors: told.errors }
}

struct Reader<'p> {
    policy: &'p Policy,
    expect: expect::Reader<'p>,
    layers: Layers<'p>,
    /// What the file gives to every case; nothing where something is wrong with it.
    given: Option<(TableId, Layer)>,
    names: BTreeMap<String, Place>,
    cases: Vec<Case>,
}

impl<'p> Reader<'p> {
    fn new(policy: &'p Policy) -> Self {
        Reader {
            policy,
            expect: expect::Reader::new(policy),
            layers: Layers::new(policy),
            given: None,
            names: BTreeMap::new(),
            cases: Vec::new(),
        }
    }

    fn file(mut self, root: &Node, told: &mut Told) -> Vec<Case> {
        let before = told.n_faults();
        let entries = told.known(root, "a case file", &["table", "given", "fixtures", "cases"]);
        let find = |key: &str| entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value);
        let table = find("table").and_then(|node| told.under("table", |told| self.table(node, told)));
        let given = find("given").map(|node| told.under("given", |told| self.layers.layer(node, told)));
        if told.n_faults() == before {
            self.given = Some((table.unwrap_or_default(), given.unwrap_or_default()));
        }
        if let Some(node) = find("fixtures") {
            told.under("fixtures", |told| self.layers.read_fixtures(node, told));
        }
        let list = find("cases").map_or(&[][..], Node::items);
        if list.is_empty() {
            let help = "write `cases:`, and below it `- name: …` with `facts` and `expect`";
            told.error(root.at, "there is no case in this file", Some(help.into()));
        }
        for (i, node) in list.iter().enumerate() {
            told.case = node.get("name").and_then(Node::text).map(clipped);
            match told.case {
                Some(_) => self.case(node, told),
                None => told.under(&format!("cases[{i}]"), |told| self.case(node, told)),
            }
        }
        self.cases
    }

    fn table(&self, node: &Node, told: &mut Told) -> Option<TableId> {
        let name = told.text(node, "the name of a table")?;
        let model = self.policy.model();
        let found = model.table_id(name);
        if found.is_none() {
            let near = nearest(name, model.tables.iter().map(|t| &*t.name));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            told.error(node.at, format!("there is no table `{}`", clipped(name)), help);
        }
        found
    }

    fn case(&mut self, node: &Node, told: &mut Told) {
        let before = told.n_faults();
        told.silent += usize::from(self.given.is_none());
        let (table, given) = self.given.clone().unwrap_or_default();
        let keys = ["name", "table", "with", "facts", "each", "refuse", "expect", "not"];
        let entries = told.known(node, "a case", &keys);
        let find = |key: &str| entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value);
        let name = self.name(node, find("name"), told);
        let own_table = find("table").and_then(|node| told.under("table", |told| self.table(node, told)));
        let table = own_table.unwrap_or(table);
        let mut facts = self.policy.no_facts();
        lay(&given, &mut facts);
        if let Some(node) = find("with") {
            lay(&told.under("with", |told| self.layers.with(node, told)), &mut facts);
        }
        if let Some(node) = find("facts") {
            lay(&told.under("facts", |told| self.layers.layer(node, told)), &mut facts);
        }
        let each = find("each").map(|node| told.under("each", |told| Matrix::read(node, &self.layers, told)));
        let refused = find("refuse").map(|node| told.under("refuse", |told| self.refuse(node, told)));
        let expect = find("expect").map(|node| told.under("expect", |told| self.expect.expect(node, table, told)));
        let not = find("not").map(|node| told.under("not", |told| self.expect.not(node, table, told)));
        let (expect, not) = (expect.unwrap_or_default(), not.unwrap_or_default());
        if told.n_faults() == before && expect == Expect::default() && not == Not::default() {
            let help = "write `expect: { action: … }`, or `not: { action: … }`";
            told.error(node.at, "this case expects nothing", Some(help.into()));
        }
        let refused = refused.unwrap_or_default();
        if let Some(title) = name.filter(|_| told.n_faults() == before) {
            let case = Case { title, place: node.at, table, facts, refused, expect, not };
            self.points(&case, &each.unwrap_or_default(), told);
        }
    }

    fn name(&mut self, node: &Node, name: Option<&Node>, told: &mut Told) -> Option<String> {
        let Some(name) = name else {
            // What is no map was told.
            if !matches!(node.kind, yaml::Kind::Map(_)) {
                return None;
            }
            told.error(node.at, "a case needs a `name`", Some("say what it shows: `name: a lost answer`".into()));
            return None;
        };
        told.under("name", |told| {
            let text = told.text(name, "what the case is called")?.to_string();
            if let Some(first) = self.names.insert(text.clone(), name.at) {
                let message = format!("the case in line {} has this name too", first.line);
                told.error(name.at, message, Some("give each a name of its own".into()));
            }
            Some(text)
        })
    }

    fn refuse(&self, node: &Node, told: &mut Told) -> Refused {
        let mut refused = Refused::nothing();
        for (word, at) in told.texts(node, "a verb such as `retry`") {
            if let Err(error) = refused.add_word(self.policy, word, World::Refused) {
                told.error(at, error.to_string(), error.help());
            }
        }
        refused
    }

    /// A case for each point of its matrix.
    fn points(&mut self, case: &Case, matrix: &Matrix, told: &mut Told) {
        let room = MAX_CASES.saturating_sub(self.cases.len());
        if let Some(n) = matrix.n_points().filter(|n| *n <= room) {
            self.cases.extend((0..n).map(|point| matrix.at(point, case)));
        } else {
            let message = format!("with this one there are more than {MAX_CASES} cases in this file");
            told.error(case.place, message, Some("part it: `NAME.TOPIC.cases.yaml` is read too".into()));
        }
    }
}
