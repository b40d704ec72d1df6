//! What bounds an intent: the budget, waits, look-ups, parities, and how far it can go at worst.

use crate::decide::Policy;
use crate::model::{Backoff, Budget, Jitter, Locator, Parity, ParityTerm};
use crate::words::{show_decimal, show_duration};

use super::acts::from;
use super::prose;
use super::tables::Told;
use super::tree::{Block, Cell, Column, Entry, Grid, GridRow, Kind, Line, Section, code, commas, text};

/// So many waits of a backoff are shown one by one.
const SHOWN: usize = 12;

/// What bounds an intent; nothing where nothing does.
pub(super) fn section(told: Told, policy: &Policy) -> Option<Section> {
    let mut section = Section::new("limits", vec![text("Limits")]);
    let model = told.model;
    if let Some(budget) = &model.budget {
        let mut part = Section::new("budget", vec![text("Budget of one intent")]);
        part.blocks = prose::blocks(told.written.doc(budget.span));
        part.blocks.push(budget_table(budget));
        section.parts.push(part);
        section.parts.extend(worst(policy));
    }
    let parts = [
        ("backoffs", "Waits", model.backoffs.iter().map(|b| backoff(told, b)).collect::<Vec<Entry>>()),
        ("locators", "Ways to find a result", model.locators.iter().map(|l| locator(told, l)).collect()),
        ("parities", "What another release must share", model.parities.iter().map(|p| parity(told, p)).collect()),
    ];
    for (id, title, entries) in parts.into_iter().filter(|part| !part.2.is_empty()) {
        let mut part = Section::new(id, vec![text(title)]);
        part.blocks.push(Block::Entries(entries));
        section.parts.push(part);
    }
    (!section.parts.is_empty()).then_some(section)
}

/// An entry of the budget, its value, and what it means.
type Held = (&'static str, String, &'static str);

fn held(budget: &Budget) -> Vec<Held> {
    let mut all = vec![
        ("owner", budget.owner.to_string(), "the one layer that may repeat anything"),
        ("attempts", budget.attempts.to_string(), "tries in all, the first included"),
        ("deadline", show_duration(budget.deadline_ms), "the time in all"),
        ("reserve", show_duration(budget.reserve_ms), "kept back of it to find out how it ended"),
        ("confirm", budget.confirm.to_string(), "tries to find out, on an account of their own"),
        ("least", show_duration(budget.least_ms), "with less time than this, trying is not worth it"),
        ("late", show_duration(budget.late_ms), "the longest that a sent attempt may still arrive"),
    ];
    for layer in &budget.below {
        all.push(("below", format!("{} {}", layer.name, layer.attempts), "a layer below that also tries so often"));
    }
    if let Some((percent, floor)) = budget.refill {
        let value = format!("{}% of intents, at least {floor} per second", show_decimal(percent));
        all.push(("refill", value, "the brake over all intents together"));
    }
    all
}

/// A table of words.
fn words(caption: Line, heads: &[&str], rows: Vec<Vec<Line>>) -> Block {
    let columns = heads.iter().map(|head| Column { head: vec![text(*head)], kind: Kind::Input }).collect();
    let row =
        |cells: Vec<Line>| GridRow { id: None, cells: cells.into_iter().map(|line| Cell::of(vec![line])).collect() };
    Block::Grid(Grid { caption, is_captioned: false, columns, rows: rows.into_iter().map(row).collect() })
}

fn budget_table(budget: &Budget) -> Block {
    let row = |(name, value, means): Held| vec![vec![code(name)], vec![text(value)], vec![text(means)]];
    let rows = held(budget).into_iter().map(row).collect();
    words(vec![text("budget of one intent")], &["entry", "value", "means"], rows)
}

fn worst(policy: &Policy) -> Option<Section> {
    let bounds = crate::bounds::bounds(policy)?;
    let mut section = Section::new("worst-case", vec![text("How far an intent can go at worst")]);
    let said = "Worked out over all rows, and never too small. Waits that a receiver asks for are not among them.";
    section.blocks.push(Block::Para(prose::line(said)));
    let rows = bounds.lines().into_iter().map(|(what, words)| vec![vec![text(what)], vec![text(words)]]).collect();
    section.blocks.push(words(vec![text("bounds of one intent")], &["of", "at worst"], rows));
    Some(section)
}

fn backoff(told: Told, backoff: &Backoff) -> Entry {
    let mut name = vec![code(&*backoff.name)];
    name.extend(from(&told.written.home(backoff.span)));
    let mut blocks = prose::blocks(told.written.doc(backoff.span));
    let drawn = match backoff.jitter {
        Jitter::None => "the whole step is waited",
        Jitter::Equal => "what is waited is drawn from half of the step to all of it",
        Jitter::Full => "what is waited is drawn from nothing to all of the step",
    };
    let words = format!(
        "base {}, factor {}, cap {}, jitter {}: {drawn}. A time that the receiver asks for comes first, and is never shortened.",
        show_duration(backoff.base_ms),
        tenths(backoff.factor_tenths),
        show_duration(backoff.cap_ms),
        backoff.jitter.as_str(),
    );
    blocks.push(Block::Para(vec![text(words)]));
    blocks.push(Block::Grid(waits(backoff)));
    Entry { id: Some(format!("backoff:{}", backoff.name)), name, blocks }
}

/// The waits after each number of attempts, up to the one that stays.
fn waits(backoff: &Backoff) -> Grid {
    let head = |words: &str| Column { head: vec![text(words)], kind: Kind::Input };
    let columns = vec![head("attempts made"), head("step"), Column { head: vec![text("wait")], kind: Kind::Output }];
    let n = backoff.steps_ms.len();
    let shown = if n > SHOWN { (0..SHOWN - 1).chain([n - 1]).collect() } else { (0..n).collect::<Vec<_>>() };
    let row = |place: &usize| {
        let attempt = place + 1;
        let (lo, hi) = backoff.draw_ms(Some(attempt as u64));
        let made = match attempt {
            _ if n == 1 => "any".to_string(),
            1 => "0 or 1".to_string(),
            last if last == n => format!("{last} and more, or unknown"),
            attempt => attempt.to_string(),
        };
        let wait = if lo == hi { show_duration(lo) } else { format!("{} to {}", show_duration(lo), show_duration(hi)) };
        let cell = |words: String| Cell::of(vec![vec![text(words)]]);
        let step = show_duration(backoff.steps_ms.get(*place).copied().unwrap_or(backoff.cap_ms));
        GridRow { id: None, cells: vec![cell(made), cell(step), cell(wait)] }
    };
    Grid {
        caption: vec![text("waits of "), code(&*backoff.name)],
        is_captioned: false,
        columns,
        rows: shown.iter().map(row).collect(),
    }
}

fn tenths(n: u64) -> String {
    if n.is_multiple_of(10) { (n / 10).to_string() } else { format!("{}.{}", n / 10, n % 10) }
}

fn locator(told: Told, locator: &Locator) -> Entry {
    let mut name = vec![code(&*locator.name)];
    name.extend(from(&told.written.home(locator.span)));
    let mut blocks = prose::blocks(told.written.doc(locator.span));
    let lag = match locator.lag_ms {
        0 => "A result shows at once".to_string(),
        ms => format!("A result may take {} to show", show_duration(ms)),
    };
    let memory = locator.remembers_ms.map_or_else(|| "for ever".into(), show_duration);
    let looks =
        locator.looks.map_or_else(|| "as often as wanted".to_string(), |n| super::tree::n(n as usize, "time", "times"));
    blocks.push(Block::Para(vec![text(format!("{lag}; it can be found {memory}; an intent may look {looks}."))]));
    Entry { id: Some(format!("locator:{}", locator.name)), name, blocks }
}

fn parity(told: Told, parity: &Parity) -> Entry {
    let mut name = vec![code(&*parity.name)];
    name.extend(from(&told.written.home(parity.span)));
    let mut blocks = prose::blocks(told.written.doc(parity.span));
    blocks.push(Block::List(parity.terms.iter().map(term).collect()));
    Entry { id: Some(format!("parity:{}", parity.name)), name, blocks }
}

fn term(term: &ParityTerm) -> Line {
    let list = |before: &str, fields: &[Box<str>], after: &str| {
        let mut line = vec![text(before)];
        line.extend(commas(fields.iter().map(|f| code(&**f))));
        line.push(text(after));
        line
    };
    match term {
        ParityTerm::Same(fields) => list("equal: ", fields, ""),
        ParityTerm::NoBroader(fields) => list("no broader than those of the failed release: ", fields, ""),
        ParityTerm::AtLeast(field, least) => {
            vec![code(&**field), text(format!(" is at least {}", show_decimal(*least)))]
        }
        ParityTerm::Fresh(field, ms) => vec![code(&**field), text(format!(" is no older than {}", show_duration(*ms)))],
        ParityTerm::MayDiffer(fields) => list("may differ: ", fields, ""),
    }
}
