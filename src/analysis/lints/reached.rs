//! Rows that are never the answer, because rows above them take all that they would take: often several together.
//!
//! One question to the search, with every way through the tables as a group of its own. Where its steps run out, each
//! row that is left is asked for by itself.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::diag::{Diagnostic, N0311, N0312, N0324};
use crate::model::{Outcome, Row, TableId};
use crate::space::{Clause, Question, Reach, Region};
use crate::syntax::tree::RowKind;

use super::super::analyse::Limits;
use super::super::pairs::Coarse;
use super::super::scene::{Scene, spend};
use super::duplicates::{agree, duplicates};
use super::shadow::{asked, shadow};

/// A row of a table.
pub(super) type At = (TableId, usize);

/// Finds them, and gives all rows that are not seen to be reached.
pub(in super::super) fn reached(
    scene: &Scene,
    steps: &mut u64,
    limits: &Limits,
    findings: &mut Vec<Diagnostic>,
) -> BTreeSet<At> {
    let ways = ways(scene, steps);
    let mut best: BTreeMap<At, Seen> = BTreeMap::new();
    for way in &ways {
        let seen = match way.reach {
            Reach::Never => Seen::Never,
            Reach::Undecided => Seen::Undecided,
            Reach::At(_) => Seen::Reached,
        };
        for at in way.path {
            let best = best.entry(*at).or_insert(Seen::Never);
            *best = seen.max(*best);
        }
    }
    let mut idle = BTreeSet::new();
    for id in scene.tables() {
        let table = scene.table(id);
        let seen = |row: usize| best.get(&(id, row)).copied().unwrap_or(Seen::Never);
        let rows = 0..table.rows.len();
        idle.extend(rows.clone().filter(|r| seen(*r) != Seen::Reached).map(|r| (id, r)));
        // A table that nothing comes to: the row that leads there is told of.
        if rows.clone().all(|r| seen(r) == Seen::Never) {
            continue;
        }
        let twins: BTreeSet<usize> = duplicates(table).into_iter().map(|d| d.1).collect();
        let never = rows.clone().filter(|r| seen(*r) == Seen::Never && !twins.contains(r));
        let above = OnceCell::new();
        findings.extend(never.map(|row| tell(scene, (id, row), above.get_or_init(|| asked(scene, id)), steps)));
        let open: Vec<usize> = rows.filter(|r| seen(*r) == Seen::Undecided && !twins.contains(r)).collect();
        findings.extend(open.first().map(|first| {
            let name = format!("`{}/{}`", table.name, table.rows[*first].label(*first));
            let more = match open.len() - 1 {
                0 => " is".to_string(),
                1 => " and 1 more row are".to_string(),
                n => format!(" and {n} more rows are"),
            };
            let given = limits.max_steps;
            let message = format!("it is not decided within {given} steps whether {name}{more} ever the answer");
            let further = given.saturating_mul(10).max(10);
            let help = format!("let it go on with `--max-steps {further}`, or part the table into smaller ones");
            Diagnostic::new(N0324, message).at(table.rows[*first].span, "").help(help)
        }));
    }
    idle
}

/// The most that is known of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Seen {
    Never,
    Undecided,
    Reached,
}

/// A way through the tables.
struct Way<'a> {
    path: &'a [At],
    reach: Reach,
}

fn ways<'a>(scene: &'a Scene, steps: &mut u64) -> Vec<Way<'a>> {
    let mut ways: Vec<Way> = Vec::new();
    let mut list: Vec<(&Clause, Option<u32>)> = Vec::new();
    for entry in &scene.flow.entries {
        if entry.path.is_empty() {
            list.push((&entry.clause, None));
            continue;
        }
        // The regions of one `any unknown` row follow each other.
        if ways.last().is_none_or(|w| w.path != entry.path) {
            ways.push(Way { path: &entry.path, reach: Reach::Undecided });
        }
        list.push((&entry.clause, Some(ways.len() as u32 - 1)));
    }
    let n_groups = ways.len() as u32;
    let question = Question { within: Region::all(), list, n_groups, disjoint: false };
    let mut share = *steps / 2;
    let all = scene.ask(&question, &mut share);
    *steps -= *steps / 2 - share;
    let coarse = all.cut_short.is_some().then(|| {
        let regions: Vec<&Region> = question.list.iter().map(|e| &e.0.region).collect();
        Coarse::new(&regions, scene.ground.space.sizes())
    });
    // The places of each way in the list follow each other.
    let mut next = 0;
    for (i, reach) in all.groups.into_iter().enumerate() {
        let first = next + question.list[next..].iter().take_while(|e| e.1 != Some(i as u32)).count();
        next = first + question.list[first..].iter().take_while(|e| e.1 == Some(i as u32)).count();
        ways[i].reach = match &coarse {
            Some(coarse) if reach == Reach::Undecided => alone(scene, &question, coarse, first..next, steps),
            _ => reach,
        };
    }
    ways
}

/// One way by itself, inside its own regions.
fn alone(scene: &Scene, question: &Question, coarse: &Coarse, own: Range<usize>, steps: &mut u64) -> Reach {
    let mut end = Reach::Never;
    for i in own {
        let Some(()) = spend(steps, 1 + i as u64 / 256) else { return Reach::Undecided };
        let clause = question.list[i].0;
        let before = (0..i).filter(|j| coarse.may_meet(*j, i)).map(|j| (question.list[j].0, None));
        let list = before.chain([(clause, Some(0))]).collect();
        // One hard row must not take the steps of all others.
        let mut share = *steps / 16;
        let within = clause.region.clone();
        let one = scene.ask(&Question { within, list, n_groups: 1, disjoint: false }, &mut share).groups.pop();
        *steps -= *steps / 16 - share;
        match one {
            Some(Reach::Never) => {}
            Some(Reach::At(region)) => return Reach::At(region),
            _ => end = Reach::Undecided,
        }
    }
    end
}

fn tell(scene: &Scene, at: At, above: &[(At, Clause)], steps: &mut u64) -> Diagnostic {
    let (table, row) = (scene.table(at.0), scene.row(at));
    let name = format!("{}/{}", table.name, row.label(at.1));
    // Nothing else may lead to the table that the row hands over to.
    let leads = matches!(row.outcome, Outcome::See(_));
    if row.kind != RowKind::Plain {
        let left = if row.kind == RowKind::AnyUnknown {
            "leave nothing open that only hangs on what is unknown"
        } else {
            "take every input"
        };
        let message = format!("`{name}` is never reached: the rows above it {left}");
        let help = "take it out: should a new value leave something open one day, you are told, and nothing is decided in silence";
        let finding = Diagnostic::new(N0312, message).at(row.span, "").help(help);
        return finding.fix("take the row out", !leads, row.span, "");
    }
    // `any unknown` asks what each row could take.
    let safe = !leads && !scene.asks_what_could_be(at.0);
    let Some(shadow) = shadow(scene, at, above, steps) else {
        let message = format!("`{name}` is never the answer: the rows above it together take all that it would take");
        let finding = Diagnostic::new(N0311, message).at(row.span, "").help("take it out, or move it up");
        // What it says may have been meant.
        return finding.fix("take the row out", false, row.span, "");
    };
    let names: Vec<String> = shadow.rows.iter().map(|s| format!("`{}`", label(scene, at, *s))).collect();
    let instance = if shadow.is_smallest { "" } else { "for instance " };
    let message = match names.as_slice() {
        [] => format!("`{name}` is never the answer: no facts that come to `{}` match it", table.name),
        [one] => format!("`{name}` is never the answer: {one} takes all that it would take"),
        _ => {
            format!("`{name}` is never the answer: {instance}{} together take all that it would take", names.join(", "))
        }
    };
    let differs = shadow.rows.iter().any(|s| !agree(scene.row(*s), row));
    let help = match (shadow.rows.is_empty(), differs) {
        (true, _) => "take it out, or change what leads here",
        (_, true) => "move it up, or narrow what stands above; as it is, it says something that never happens",
        _ => "take it out: what stands above says the same",
    };
    let finding = Diagnostic::new(N0311, message).at(row.span, "").help(help);
    let finding = finding.fix("take the row out", safe && !differs, row.span, "");
    shadow.rows.iter().take(4).fold(finding, |f, s| f.and(scene.row(*s).span, "takes it before"))
}

/// A row as it is called beside another one: alone within the same table.
fn label(scene: &Scene, beside: At, at: At) -> String {
    let row: &Row = scene.row(at);
    if at.0 == beside.0 { row.label(at.1) } else { format!("{}/{}", scene.table(at.0).name, row.label(at.1)) }
}
