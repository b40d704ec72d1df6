//! The `examples` tables of a policy as cases, and what `nisi check` says of those that fail.
//!
//! An example is a question to its table with the facts that its line and `given` name, all others unknown, and nothing
//! refused by the world.

use crate::decide::{FactError, Policy, Refused};
use crate::diag::Diagnostic;
use crate::model::{Example, Examples};
use crate::text::SourceMap;

use super::case::{Act, Case, Expect, Not};
use super::error::{CaseError, Place};
use super::findings;
use super::read::CaseFile;

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

/// Every example of a policy as a case, in file order. `sources` are those that the policy was compiled from.
///
/// ```
/// use nisi::compile::{NoSources, Options, compile};
/// use nisi::text::Source;
///
/// let text = "policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n\n\
///             examples t\n| => action |\n| stop |\n";
/// let compiled = compile(Source::new("a.nisi", text), &NoSources, &Options::default());
/// let policy = compiled.policy.expect("it compiles");
/// let found = nisi::cases::examples(&policy, &compiled.diagnostics.sources);
/// assert_eq!(found.cases[0].place().line, 9);
/// assert!(found.errors.is_empty() && found.cases[0].check(&policy).holds());
/// ```
pub fn examples(policy: &Policy, sources: &SourceMap) -> CaseFile {
    let mut found = CaseFile::default();
    for (asked, place, example) in all(policy) {
        let at = sources.get(example.span.file).position(example.span.start as usize);
        let at = Place { line: at.line, column: at.column };
        match case(policy, asked, example, title(policy, asked, example, place), at) {
            Ok(case) => found.cases.push(case),
            Err(error) => found.errors.push(CaseError::new(at, error.to_string()).maybe_help(error.help())),
        }
    }
    found
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
    all(policy).map(|(asked, place, example)| run(policy, sources, asked, example, place)).collect()
}

/// One example as a case that can be asked; its place in a text is not looked up.
///
/// # Errors
/// A value that no question can have.
#[cfg(feature = "cli")]
pub(crate) fn example_case(
    policy: &Policy,
    asked: &Examples,
    place: usize,
    example: &Example,
) -> Result<Case, FactError> {
    case(policy, asked, example, title(policy, asked, example, place), Place::START)
}

fn all(policy: &Policy) -> impl Iterator<Item = (&Examples, usize, &Example)> {
    let tables = policy.model().examples.iter();
    tables.flat_map(|table| table.rows.iter().enumerate().map(move |(place, row)| (table, place, row)))
}

fn case(policy: &Policy, asked: &Examples, example: &Example, title: String, at: Place) -> Result<Case, FactError> {
    let mut facts = policy.no_facts();
    for (fact, value) in &example.facts {
        let handle = policy.handle(&policy.model().fact(*fact).name)?;
        facts.set(handle, value.clone())?;
    }
    let expected = &example.expected;
    let act = |action: &crate::model::Action| Act::Whole(action.clone());
    let verb = expected.verb.map(|(verb, _)| Act::Verb(verb));
    let expect = Expect {
        actions: expected.action.as_ref().map(act).or(verb).into_iter().collect(),
        rows: expected.row.map(|(table, row, _)| (table, row)).into_iter().collect(),
        ..Expect::default()
    };
    Ok(Case { title, place: at, table: asked.table, facts, refused: Refused::nothing(), expect, not: Not::default() })
}

fn name(example: &Example, place: usize) -> String {
    if example.name.is_empty() { format!("#{}", place + 1) } else { example.name.to_string() }
}

fn title(policy: &Policy, asked: &Examples, example: &Example, place: usize) -> String {
    format!("{}: {}", table_name(policy, asked), name(example, place))
}

fn table_name<'p>(policy: &'p Policy, asked: &Examples) -> &'p str {
    policy.model().tables.get(asked.table.0).map_or("", |t| &*t.name)
}

fn run(policy: &Policy, sources: &SourceMap, asked: &Examples, example: &Example, place: usize) -> Outcome {
    let (table, name) = (table_name(policy, asked), name(example, place));
    let title = title(policy, asked, example, place);
    let told = findings::Told { policy, sources, table, name: &name, example };
    let case = match case(policy, asked, example, title.clone(), Place::START) {
        Ok(case) => case,
        Err(error) => return Outcome { title, path: Vec::new(), finding: Some(told.facts_refused(&error)) },
    };
    let checked = case.check(policy);
    let path = checked.decision.iter().flat_map(|d| d.path().map(|row| row.to_string())).collect();
    let missed = |what: &str| checked.misses.iter().any(|miss| miss.what == what);
    let finding = match &checked.decision {
        Err(error) => Some(told.not_reached(error)),
        Ok(decision) if missed("action") => Some(told.another_action(policy, decision, missed("row"))),
        Ok(decision) => example.expected.row.filter(|_| missed("row")).map(|row| told.another_row(row, decision)),
    };
    Outcome { title, path, finding }
}
