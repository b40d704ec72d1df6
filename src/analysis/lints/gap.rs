//! A gap in words: the rows that are missing, in the table's own columns, and one concrete input.
//!
//! A missing row is a box that no row of the table meets, as wide as it can be: column by column it takes all that no
//! row keeps it from. A derived column is widened by what its derive gives, never as if anybody could set it. What is
//! told is put in front of the table, and the rest is asked for again, until nothing is left or enough is told.

use crate::diag::{Diagnostic, N0301, N0302, N0313};
use crate::model::{Column, End, FactId, Table, TableId, Value, ValueSet, Values, show_set, show_value};
use crate::space::{Clause, SegSet};
use crate::syntax::tree::{Hit, RowKind};
use crate::text::Span;

use super::super::again::{Plain, witnessed};
use super::super::scene::{Point, Scene};
use super::super::tell::{Shown, tested};
use super::boxes::{Boxes, outputs_of};

/// So many missing rows are told at once.
pub(super) const TOLD: usize = 3;
/// A message tells the whole box up to so many letters, and one point of it past that.
const READABLE: usize = 160;

/// A gap as it was found.
pub(super) struct Gap<'a> {
    pub(super) table: TableId,
    pub(super) shown: &'a Shown,
    pub(super) missing: Missing,
    /// The facts that must be unknown for it to be open.
    pub(super) only: Vec<String>,
    /// The fact and the value, where it is one number between two ranges.
    pub(super) between: Option<(FactId, Value)>,
}

/// Missing rows.
pub(super) struct Missing {
    pub(super) boxes: Vec<Clause>,
    /// Whether they are all.
    pub(super) all: bool,
}

/// What is left of a gap beside some boxes.
pub(super) enum Left {
    Nothing,
    At(Shown),
    Undecided,
}

/// The missing rows of a table: each box that `left` finds a point of, grown, until it finds none.
pub(super) fn missing(
    scene: &Scene,
    table: TableId,
    shown: &Shown,
    mut left: impl FnMut(&[Clause]) -> Left,
) -> Missing {
    let mut out = Missing { boxes: Vec::new(), all: false };
    let Some(mut boxes) = Boxes::of(scene, table) else { return out };
    out.boxes.push(shown.picked(scene, |p| boxes.grow(scene, p, &shown.matters)));
    // Rows that may not overlap keep clear of each other.
    let apart = matches!(scene.table(table).hit, Hit::AtMostOne | Hit::Agree);
    loop {
        match left(&out.boxes) {
            Left::At(shown) if out.boxes.len() < TOLD => {
                if apart {
                    boxes.add(out.boxes[out.boxes.len() - 1].clone());
                }
                out.boxes.push(shown.picked(scene, |p| boxes.grow(scene, p, &shown.matters)));
            }
            left => return Missing { all: matches!(left, Left::Nothing), ..out },
        }
    }
}

/// The finding.
pub(super) fn tell(scene: &Scene, gap: &Gap) -> Diagnostic {
    let table = scene.table(gap.table);
    let finding = match &gap.between {
        Some((fact, value)) if gap.only.is_empty() => one_value(scene, gap, *fact, value),
        _ => open(scene, gap),
    };
    let finding = finding.at(table.span, "");
    let see = gap.shown.point(scene, |p| scene.at(p)).and_then(|i| scene.flow.entries[i].path.last());
    let finding = see.map_or(finding.clone(), |see| finding.and(scene.row(*see).span, "these facts come from here"));
    let finding = add_rows(scene, gap, finding);
    witnessed(scene, finding, gap.shown, Vec::new(), |values, _| Plain::of(scene, values).end == End::Gap(gap.table))
}

fn one_value(scene: &Scene, gap: &Gap, fact: FactId, value: &Value) -> Diagnostic {
    let (table, fact) = (scene.table(gap.table), scene.model().fact(fact));
    let (value, tests) = (show_value(fact, value), gap.shown.tests(scene, &tested(table)));
    let alone = format!("`{} is {value}`", fact.name);
    let whole = if tests == alone { String::new() } else { format!(": {tests}") };
    let message = format!("between two ranges, {} {alone}{whole}", no_answer(scene, table));
    let help = format!("let one of the two ranges reach to {value}: `<= {value}` or `>= {value}`");
    Diagnostic::new(N0313, message).help(help)
}

fn open(scene: &Scene, gap: &Gap) -> Diagnostic {
    let table = scene.table(gap.table);
    let region = gap.missing.boxes.first().and_then(|b| as_tests(scene, b)).filter(|text| text.len() <= READABLE);
    let tests = region.map_or_else(|| gap.shown.tests(scene, &tested(table)), |text| format!("`{text}`"));
    let what = no_answer(scene, table);
    if gap.only.is_empty() {
        let help = "add a row for these facts; at the end, `any unknown` takes what only facts that are unknown leave \
                    open, and `otherwise` takes the rest";
        return Diagnostic::new(N0301, format!("{what} {tests}")).help(help);
    }
    let facts = gap.only.join(" and ");
    let verb = if gap.only.len() > 1 { "are" } else { "is" };
    let help = format!("write `unknown` in the cells of {facts} that may take it, or end with an `any unknown` row");
    Diagnostic::new(N0302, format!("{what} {tests}: open only where {facts} {verb} unknown")).help(help)
}

/// What is missing where no row answers, before the facts are told.
fn no_answer(scene: &Scene, table: &Table) -> String {
    if scene.is_alone() {
        format!("`{}` has no value for", table.name)
    } else {
        format!("no row of `{}` takes", table.name)
    }
}

/// A box as tests joined by `and`; nothing where it has none.
fn as_tests(scene: &Scene, missing: &Clause) -> Option<String> {
    let model = scene.model();
    let cells = cells(scene, missing)?.into_iter().map(|(fact, set)| {
        let fact = model.fact(fact);
        format!("{} is {}", fact.name, show_set(fact, &set))
    });
    let text = cells.collect::<Vec<_>>().join(" and ");
    (!text.is_empty()).then_some(text)
}

/// A box as cells: its facts with their sets, those of the table's columns first; nothing where it cannot be put so.
pub(super) fn cells(scene: &Scene, missing: &Clause) -> Option<Vec<(FactId, ValueSet)>> {
    let mut out = scene.ground.space.sets(scene.model(), &missing.region);
    for (derive, held) in &missing.derived {
        out.extend(outputs_of(scene.ground, *derive, held)?);
    }
    Some(out)
}

/// Offers the missing rows, to be put before the last rows of fixed meaning.
fn add_rows(scene: &Scene, gap: &Gap, finding: Diagnostic) -> Diagnostic {
    let table = scene.table(gap.table);
    let told = &gap.missing.boxes;
    let lines: Option<Vec<String>> = told.iter().zip(1..).map(|(b, n)| line(scene, table, b, n)).collect();
    let Some((place, lines)) = place_for(table).zip(lines).filter(|(_, l)| !l.is_empty()) else { return finding };
    let text = if place.1 { lines.join("\n") + "\n" } else { format!("\n{}", lines.join("\n")) };
    let title = match (told.len(), gap.missing.all) {
        (1, true) => "add the missing row".to_string(),
        (n, true) => format!("add the {n} missing rows"),
        (1, false) => "add this row; it is not all that is missing".to_string(),
        (n, false) => format!("add these {n} rows; they are not all that is missing"),
    };
    finding.fix(title, false, place.0, text)
}

/// Where a row can be added, and whether that is before another one.
fn place_for(table: &Table) -> Option<(Span, bool)> {
    let fixed = table.rows.iter().find(|r| r.kind != RowKind::Plain);
    if let Some(row) = fixed {
        return Some((Span { end: row.span.start, ..row.span }, true));
    }
    let last = table.rows.iter().map(|r| r.span).max_by_key(|s| s.end)?;
    Some((last.after(), false))
}

/// A box as a row of the table; what follows is the most cautious that there is. Nothing where no row can say it.
fn line(scene: &Scene, table: &Table, missing: &Clause, number: usize) -> Option<String> {
    if matches!(table.hit, Hit::Highest | Hit::Lowest) {
        return None;
    }
    let model = scene.model();
    let mut cells = cells(scene, missing)?;
    let mut line = String::from("|");
    let also = table.columns.contains(&Column::Also);
    let facts: Vec<FactId> =
        table.columns.iter().filter_map(|c| if let Column::Fact(f) = c { Some(*f) } else { None }).collect();
    let (mut own, rest): (Vec<_>, Vec<_>) = cells.drain(..).partition(|(f, _)| facts.contains(f));
    if !rest.is_empty() && !also {
        return None;
    }
    for column in &table.columns {
        let cell = match column {
            Column::Name => free_name(table, number),
            Column::Fact(fact) => {
                let place = own.iter().position(|(f, _)| f == fact);
                place.map_or_else(|| "-".into(), |i| show_set(model.fact(*fact), &own.swap_remove(i).1))
            }
            Column::Also => {
                let test = |(f, set): &(FactId, ValueSet)| {
                    format!("{} is {}", model.fact(*f).name, show_set(model.fact(*f), set))
                };
                rest.iter().map(test).collect::<Vec<_>>().join(" and ")
            }
            Column::Output if scene.is_alone() => "unknown".into(),
            Column::Output => "review".into(),
        };
        if !cell.is_empty() {
            line.extend([" ", &cell.replace('|', "\\|")]);
        }
        line.push_str(" |");
    }
    (line.len() > 1).then_some(line)
}

/// A name that no row of the table has.
fn free_name(table: &Table, number: usize) -> String {
    let taken = |name: &String| table.rows.iter().any(|r| r.name.as_deref() == Some(name));
    let names = (0..).map(|n| if number + n == 1 { "missing".into() } else { format!("missing-{}", number + n) });
    names.into_iter().find(|n: &String| !taken(n)).unwrap_or_default()
}

/// The fact and the value, where a gap is one number between two ranges, and no test names that number.
pub(super) fn between(
    scene: &Scene,
    id: TableId,
    shown: &Shown,
    is_gap: impl Fn(&Point) -> bool,
) -> Option<(FactId, Value)> {
    let space = &scene.ground.space;
    (0..shown.segments.len() as u32).find_map(|axis| {
        let (seg, fact) = (shown.segments[axis as usize], space.fact(axis));
        let set = space.axis(axis).values(&SegSet::one(seg), scene.model().fact(fact));
        let Values::Number(ranges) = &set.values else { return None };
        let [(lo, hi)] = **ranges else { return None };
        let tests = scene.table(id).rows.iter().flat_map(|r| &r.conds).filter(|c| c.fact == fact);
        let named = tests.clone().any(|c| *c.set == set);
        let moved = |seg: Option<u32>| {
            let seg = seg.filter(|s| *s < space.sizes()[axis as usize])?;
            // Unknown and the named points are no neighbours of a number.
            let beside = space.axis(axis).values(&SegSet::one(seg), scene.model().fact(fact));
            if !matches!(&beside.values, Values::Number(ranges) if !ranges.is_empty()) {
                return None;
            }
            let mut segments = shown.segments.clone();
            segments[axis as usize] = seg;
            let outcomes = scene.ground.layers.outcomes_at(&segments);
            Some(is_gap(&Point { segments: &segments, outcomes: &outcomes }))
        };
        let closed = moved(seg.checked_sub(1)) == Some(false) && moved(Some(seg + 1)) == Some(false);
        (lo == hi && !named && tests.count() > 1 && closed).then_some((fact, Value::Number(lo)))
    })
}

/// The missing row around a point, as a box and as cells.
#[cfg(test)]
pub(in super::super) fn missing_rows(
    scene: &Scene,
    table: TableId,
    segments: &[u32],
) -> Option<(Clause, Vec<(FactId, ValueSet)>)> {
    let point = Point { segments, outcomes: &scene.ground.layers.outcomes_at(segments) };
    let missing = Boxes::of(scene, table)?.grow(scene, &point, &[]);
    let cells = cells(scene, &missing)?;
    Some((missing, cells))
}
