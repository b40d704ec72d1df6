//! The examples: what is asked, what is expected, and what the policy answers.

use crate::cases;
use crate::decide::{Decision, Policy};
use crate::model::{Example, Examples, FactId, Model, Value, show_value};
use crate::syntax::tree::ItemKind;

use super::acts::{self, table_id};
use super::prose;
use super::tables::{Told, fact_id, join};
use super::tree::{Block, Cell, Column, Grid, GridRow, Kind, Line, Mark, Piece, Section, code, commas, link, text};

/// The examples, and how many of them do not hold; nothing where there are none.
pub(super) fn section(told: Told, policy: &Policy) -> (Option<Section>, usize) {
    let mut section = Section::new("examples", vec![text("Examples")]);
    let words = "Questions with the answers that the policy's authors expect. They were asked when this page was written. A fact that is not \
                 named is unknown.";
    section.blocks.push(Block::Para(prose::line(words)));
    let mut n_failed = 0;
    for (place, examples) in told.model.examples.iter().enumerate() {
        let same = examples.table;
        let Some(table) = told.model.tables.get(same.0) else { continue };
        let to_same = |examples: &&Examples| examples.table == same;
        let n_same = told.model.examples.iter().filter(to_same).count();
        let which = match told.model.examples.iter().take(place + 1).filter(to_same).count() {
            _ if n_same == 1 => String::new(),
            this => format!(", {this} of {n_same}"),
        };
        let title = vec![text("Put to "), link(table_id(&table.name), &*table.name), text(&*which)];
        let mut part = Section::new(format!("examples:{}", place + 1), title);
        part.blocks = docs(told, place);
        let common = common(examples);
        if !common.is_empty() {
            let mut line = vec![text("In each of them: ")];
            line.extend(join(common.iter().map(|(fact, value)| given(told.model, *fact, value)).collect(), " and "));
            part.blocks.push(Block::Para(line));
        }
        let head = |words: &str, kind| Column { head: vec![text(words)], kind };
        let columns = vec![
            head("example", Kind::Input),
            head("facts", Kind::Tests),
            head("expected", Kind::Output),
            head("answer", Kind::Output),
            head("result", Kind::Output),
        ];
        let mut rows = Vec::new();
        for (i, example) in examples.rows.iter().enumerate() {
            let (row, holds) = row(told, policy, examples, i, example, &common);
            n_failed += usize::from(!holds);
            rows.push(row);
        }
        let caption = vec![text("examples of "), code(&*table.name), text(which)];
        part.blocks.push(Block::Grid(Grid { caption, is_captioned: false, columns, rows }));
        section.parts.push(part);
    }
    ((!section.parts.is_empty()).then_some(section), n_failed)
}

/// The documentation of an `examples` table, by its place.
fn docs(told: Told, place: usize) -> Vec<Block> {
    let is_examples = |kind: &ItemKind| matches!(kind, ItemKind::Examples { .. });
    let item = told.written.own().filter(|item| is_examples(&item.kind)).nth(place);
    item.map_or_else(Vec::new, |item| prose::blocks(&item.doc))
}

/// The facts that are the same in all examples of a table.
fn common(examples: &Examples) -> Vec<(FactId, Value)> {
    let Some((first, rest)) = examples.rows.split_first().filter(|(_, rest)| !rest.is_empty()) else {
        return Vec::new();
    };
    let is_in_all = |fact: &&(FactId, Value)| rest.iter().all(|example| example.facts.contains(fact));
    first.facts.iter().filter(is_in_all).cloned().collect()
}

fn given(model: &Model, fact: FactId, value: &Value) -> Line {
    let fact = model.fact(fact);
    vec![link(fact_id(&fact.name), &*fact.name), text(" is "), code(show_value(fact, value))]
}

fn row(
    told: Told,
    policy: &Policy,
    examples: &Examples,
    place: usize,
    example: &Example,
    common: &[(FactId, Value)],
) -> (GridRow, bool) {
    let model = told.model;
    let name = if example.name.is_empty() { format!("#{}", place + 1) } else { example.name.to_string() };
    let facts = example.facts.iter().filter(|fact| !common.contains(fact));
    let facts = facts.map(|(fact, value)| given(model, *fact, value)).collect();
    let (answer, wrong) = match cases::example_case(policy, examples, place, example) {
        Err(error) => (Vec::new(), Some(error.to_string())),
        Ok(case) => {
            let checked = case.check(policy);
            let misses: Vec<String> = checked.misses.iter().map(ToString::to_string).collect();
            let answer = checked.decision.as_ref().map_or_else(|_| Vec::new(), |decision| answered(model, decision));
            (answer, (!misses.is_empty()).then(|| misses.join("; ")))
        }
    };
    let holds = wrong.is_none();
    let result = match wrong {
        None => vec![vec![Piece::Mark(Mark::Yes, "holds".into())]],
        Some(why) => vec![vec![Piece::Mark(Mark::No, "fails".into())], vec![text(why)]],
    };
    let cells = vec![
        Cell::of(vec![vec![text(name)]]),
        Cell::of(facts),
        Cell::of(expected(model, example)),
        Cell::of(answer),
        Cell::of(result),
    ];
    (GridRow { id: None, cells }, holds)
}

fn expected(model: &Model, example: &Example) -> Vec<Line> {
    let expected = &example.expected;
    let mut lines = Vec::new();
    if let Some(action) = &expected.action {
        lines.push(acts::action(model, action));
    } else if let Some((verb, _)) = expected.verb {
        lines.push(vec![Piece::Verb(verb)]);
    }
    lines.extend(expected.row.map(|(table, row, _)| vec![text("by "), acts::row_link(model, table, row)]));
    lines
}

/// The action that is left, and the way to it.
fn answered(model: &Model, decision: &Decision) -> Vec<Line> {
    let mut lines = vec![acts::action(model, decision.action())];
    let rows = decision.path().filter_map(|row| {
        let table = model.table_id(row.table())?;
        let place = model.tables.get(table.0)?.find_row(&row.label())?;
        Some(acts::row_link(model, table, place))
    });
    let way = commas(rows);
    if !way.is_empty() {
        lines.push([vec![text("by ")], way].concat());
    }
    lines
}
