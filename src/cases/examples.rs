//! Runs the `examples` tables of a policy.
//!
//! Takes a compiled policy; gives one outcome for each example, in file order. An example is a question to its table
//! with the facts that its line and `given` name, all others unknown, and nothing refused by the world.

use crate::decide::{Decision, Facts, Policy, Refused};
use crate::diag::Diagnostic;
use crate::model::{Example, Examples};
use crate::text::SourceMap;

use super::findings;

/// One example and what came of it.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// What it is called: `recovery: the lost answer`; an example without a name is called by its place, `recovery: #3`.
    pub title: String,
    /// The rows that answered, `table/row`, from the table that was asked on; empty where the facts do not reach it.
    pub path: Vec<String>,
    /// What is wrong, where it fails.
    pub finding: Option<Diagnostic>,
}

/// Asks every example. `sources` are those that the policy was compiled from; the help names the file by them.
///
/// ```
/// use nisi::compile::{NoSources, Options, compile};
/// use nisi::text::Source;
///
/// let text = "policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n\n\
///             examples t\n| name | => action |\n| never | review |\n";
/// let compiled = compile(Source::new("a.nisi", text), &NoSources, &Options::default());
/// let policy = compiled.policy.expect("it compiles");
/// let outcomes = nisi::cases::run_examples(&policy, &compiled.diagnostics.sources);
/// assert_eq!(outcomes[0].finding.as_ref().map(|f| f.code.id), Some("N0801"));
/// ```
pub fn run_examples(policy: &Policy, sources: &SourceMap) -> Vec<Outcome> {
    let tables = policy.model().examples.iter();
    tables
        .flat_map(|table| table.rows.iter().enumerate().map(move |(i, row)| run(policy, sources, table, row, i)))
        .collect()
}

fn run(policy: &Policy, sources: &SourceMap, asked: &Examples, example: &Example, place: usize) -> Outcome {
    let table = policy.model().tables.get(asked.table.0).map_or("", |t| &*t.name);
    let name = if example.name.is_empty() { format!("#{}", place + 1) } else { example.name.to_string() };
    let title = format!("{table}: {name}");
    let told = findings::Told { policy, sources, table, name: &name, example };
    let facts = match facts_of(policy, example) {
        Ok(facts) => facts,
        Err(error) => {
            let finding = Some(told.facts_refused(&error));
            return Outcome { title, path: Vec::new(), finding };
        }
    };
    let nothing = Refused::nothing();
    match policy.decide_table(table, &facts, &nothing) {
        Ok(decision) => {
            let finding = compare(policy, &told, example, &decision);
            let path = decision.path().map(|row| row.to_string()).collect();
            Outcome { title, path, finding }
        }
        Err(error) => Outcome { title, path: Vec::new(), finding: Some(told.not_reached(&error)) },
    }
}

fn facts_of(policy: &Policy, example: &Example) -> Result<Facts, crate::decide::FactError> {
    let mut facts = policy.no_facts();
    for (fact, value) in &example.facts {
        let handle = policy.handle(&policy.model().fact(*fact).name)?;
        facts.set(handle, value.clone())?;
    }
    Ok(facts)
}

/// Expected against found: the action first, then the row.
fn compare(
    policy: &Policy,
    told: &findings::Told<'_>,
    example: &Example,
    decision: &Decision<'_>,
) -> Option<Diagnostic> {
    let expected = &example.expected;
    let wrong_verb = expected.verb.filter(|(verb, _)| *verb != decision.verb());
    let wrong_action = expected.action.as_ref().filter(|action| *action != decision.action());
    let wrong_row = expected.row.filter(|(table, row, _)| decision.steps().next_back() != Some((*table, *row)));
    if wrong_verb.is_some() || wrong_action.is_some() {
        return Some(told.another_action(policy, decision, wrong_row.is_some()));
    }
    wrong_row.map(|expected| told.another_row(expected, decision))
}
