//! Definitions to a policy: which decision is the entry, what each of the others becomes, and what is declared.

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::Node;

use super::definitions::{Decision, Definitions};
use super::hit;
use super::rows::laid_out;
use super::xml::{self, children, inner, own, own_children, place, said};
use crate::compile::Sources;
use crate::exchange::draft::{Draft, DraftTable};
use crate::exchange::grid::clean;
use crate::exchange::import::{Import, Words, declarations, origin, policy_name, text};
use crate::exchange::names::{Names, folded, slug};
use crate::exchange::place::{Notices, Refused};
use crate::exchange::table::{Desk, Tested};
use crate::model::{CellReader, Model, quoted_if_needed};
use crate::syntax;
use crate::syntax::tree::{Hit, ItemKind};
use crate::text::FileId;
use crate::words::Verb;

/// What a decision becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Becomes {
    /// A table.
    Table,
    /// A derive: its answers are facts.
    Derive,
    /// Nothing: the policy uses a file that has it.
    Used,
    /// A fact that the caller gives, since it cannot be worked out here.
    Given,
}

/// What is known while the decisions are read.
pub(super) struct Reading<'d, 'a, 't, 'r, 'u> {
    pub(super) defs: &'d Definitions<'a, 't>,
    pub(super) desk: Desk<'r, 'u>,
    pub(super) becomes: BTreeMap<usize, Becomes>,
    /// The names of decisions that are tables.
    pub(super) tables: BTreeMap<usize, String>,
    /// The facts that decisions give, by the folded names that others ask them by: places in the desk's facts.
    pub(super) answers: BTreeMap<String, usize>,
    /// Those of the desk's facts that are answers, and declared by their derives.
    pub(super) derived: BTreeSet<usize>,
    pub(super) model: &'r Model,
}

/// Reads a file.
pub(in crate::exchange) fn read(
    bytes: &[u8],
    how: &Import<'_>,
    sources: &dyn Sources,
    notices: &mut Notices,
) -> Result<Draft, Refused> {
    let text = text(how.file, bytes)?;
    let document = xml::parse(how.file, text)?;
    let defs = Definitions::of(document.root_element(), how, notices)?;
    let entry = entry(&defs, how)?;
    let becomes = plan(&defs, entry, notices);
    let (first, last) = (items(&defs, false), items(&defs, true));
    let words = Words::load(how, &format!("{first}\n{}", derived_types(&defs, &becomes)), sources)?;
    let reader = CellReader::new(&words.draft.units);
    let known = |name: &str| words.draft.model.actions.contains_key(name);
    let before = std::mem::take(notices);
    let attempt = |names: Names| -> Result<(Draft, Names), Refused> {
        let mut reading = Reading {
            defs: &defs,
            desk: Desk::new(&reader, &known, names, Notices(before.0.clone())),
            becomes: becomes.clone(),
            tables: BTreeMap::new(),
            answers: BTreeMap::new(),
            derived: BTreeSet::new(),
            model: &words.draft.model,
        };
        let tables = reading.all(entry)?;
        let mut draft = reading.draft(&words, how, first.clone(), tables);
        draft.last_items.push(last.clone());
        draft.notices = std::mem::take(&mut reading.desk.notices);
        Ok((draft, reading.desk.names))
    };
    // As for a spreadsheet: the words of `std.facts` are taken only where it is used.
    let uses = first.lines().any(|line| line.starts_with("use ")) || !how.uses.is_empty();
    let (mut draft, names) = attempt(words.names(uses))?;
    if !uses && !draft.uses.is_empty() && names.meets(&words.names(true)) {
        (draft, _) = attempt(words.names(true))?;
    }
    *notices = std::mem::take(&mut draft.notices);
    Ok(draft)
}

/// The decision that is asked: the one that is named, the one that says so, or the only one with a table that no other needs.
fn entry(defs: &Definitions<'_, '_>, how: &Import<'_>) -> Result<usize, Refused> {
    let names =
        |of: &[usize]| of.iter().map(|i| format!("`{}`", defs.decisions[*i].name)).collect::<Vec<_>>().join(", ");
    let with_table: Vec<usize> = (0..defs.decisions.len()).filter(|i| defs.decisions[*i].table.is_some()).collect();
    if with_table.is_empty() {
        let message = format!("`{}` holds no decision table", how.file);
        return Err(Refused::new(
            message,
            "a decision has to be a table: literal expressions and contexts are not read",
        ));
    }
    if let Some(table) = how.table {
        let is = |i: &&usize| {
            [&defs.decisions[**i].name, &defs.decisions[**i].id].iter().any(|n| folded(n) == folded(table))
        };
        let unknown = || {
            let help = format!("it has {}", names(&with_table));
            Refused::new(format!("`{}` has no decision table `{table}`", how.file), help)
        };
        return with_table.iter().find(is).copied().ok_or_else(unknown);
    }
    if let Some(says) = with_table.iter().find(|i| own(defs.decisions[**i].node, "entry").is_some()) {
        return Ok(*says);
    }
    let needed: BTreeSet<usize> = defs.decisions.iter().flat_map(|d| d.needs.iter().copied()).collect();
    let answers_once = |i: &usize| defs.decisions[*i].table.is_none_or(|table| hit::of(table).is_ok());
    let mut tops: Vec<usize> = with_table.iter().copied().filter(|i| !needed.contains(i)).collect();
    if tops.iter().any(answers_once) {
        tops.retain(answers_once);
    }
    match tops[..] {
        [only] => Ok(only),
        [] => Err(Refused::new(
            "every decision table is needed by another decision",
            format!("choose one with `--table`: {}", names(&with_table)),
        )),
        _ => Err(Refused::new(
            "no one decision is the last: several are needed by no other",
            format!("choose one with `--table`: {}", names(&tops)),
        )),
    }
}

/// What each decision becomes that the entry needs; the others stay behind.
fn plan(defs: &Definitions<'_, '_>, entry: usize, notices: &mut Notices) -> BTreeMap<usize, Becomes> {
    let mut becomes = BTreeMap::from([(entry, Becomes::Table)]);
    // What our own export wrote was part of the policy, whether or not the entry needs it.
    let is_ours = |d: &Decision<'_, '_>| own(d.node, "kind").is_some() && own(d.node, "from").is_none();
    let ours = (0..defs.decisions.len()).filter(|i| is_ours(&defs.decisions[*i]));
    let mut open: Vec<usize> = std::iter::once(entry).chain(ours).collect();
    while let Some(i) = open.pop() {
        let decision = &defs.decisions[i];
        becomes.entry(i).or_insert(Becomes::Derive);
        for need in decision.needs.iter().copied() {
            let needed = &defs.decisions[need];
            let handed_on = decision.table.is_some_and(|table| hands_on(table, needed));
            let kind = match (own(needed.node, "from"), needed.table) {
                (Some(_), _) => Becomes::Used,
                (None, None) => Becomes::Given,
                (None, Some(_)) if handed_on => Becomes::Table,
                (None, Some(_)) => Becomes::Derive,
            };
            let before = becomes.insert(need, kind);
            if before.is_none() {
                open.push(need);
            } else if before == Some(Becomes::Table) {
                // A table that hands over, and whose answer nothing else asks.
                becomes.insert(need, Becomes::Table);
            }
        }
    }
    for (i, decision) in defs.decisions.iter().enumerate() {
        match becomes.get(&i) {
            None if own(decision.node, "from").is_some() => {}
            None => {
                let text = match decision.table.map(hit::of) {
                    Some(Err(why)) => why,
                    _ => "it is not needed by the one that is read: take it with `--table`".to_string(),
                };
                notices.left(&place(decision.node), format!("the decision `{}`: {text}", decision.name));
            }
            Some(Becomes::Given) => {
                let text = format!("the decision `{}` is no table: the caller gives its answer", decision.name);
                notices.left(&place(decision.node), text);
            }
            Some(_) => {}
        }
    }
    becomes
}

/// Whether a table answers with what another decision answers.
fn hands_on(table: Node<'_, '_>, other: &Decision<'_, '_>) -> bool {
    let entries = children(table, "rule").flat_map(|rule| children(rule, "outputEntry"));
    entries.map(said).any(|text| text == other.variable)
}

/// The items that travel beside the tables.
fn items(defs: &Definitions<'_, '_>, last: bool) -> String {
    let found = own_children(defs.node, "items").filter(|node| node.attribute("last").is_some() == last);
    found.map(inner).collect::<Vec<_>>().join("\n")
}

/// A declaration for each answer whose type is said in the language, so that cells can be read by it.
fn derived_types(defs: &Definitions<'_, '_>, becomes: &BTreeMap<usize, Becomes>) -> String {
    let mut out = String::new();
    for (i, _) in becomes.iter().filter(|(_, kind)| **kind == Becomes::Derive) {
        let outputs = defs.decisions[*i].table.into_iter().flat_map(|table| children(table, "output"));
        for output in outputs {
            if let (Some(fact), Some(ty)) = (own(output, "fact"), own(output, "type")) {
                out.extend(["fact ", fact, " : ", ty, "\n"]);
            }
        }
    }
    out
}

impl Reading<'_, '_, '_, '_, '_> {
    /// Every table: derives first, then the entry and those that it hands over to.
    fn all(&mut self, entry: usize) -> Result<Vec<DraftTable>, Refused> {
        let of = |kind: Becomes| {
            self.becomes.iter().filter(move |(_, k)| **k == kind).map(|(i, _)| *i).collect::<Vec<usize>>()
        };
        let (mut tables, derives) = (of(Becomes::Table), of(Becomes::Derive));
        tables.sort_by_key(|i| (*i != entry, *i));
        for i in &tables {
            let wanted = &self.defs.decisions[*i].name;
            // A name that our own export wrote is one.
            let name = self.desk.names.name_of(wanted, "table");
            self.tables.insert(*i, name);
        }
        let mut out = Vec::new();
        for i in self.in_order(derives) {
            let table = self.derive(i);
            out.extend(table);
        }
        for i in tables {
            out.extend(self.table(i, i == entry)?);
        }
        Ok(out)
    }

    /// Decisions, each behind those that it needs.
    fn in_order(&self, mut rest: Vec<usize>) -> Vec<usize> {
        let mut out: Vec<usize> = Vec::new();
        while !rest.is_empty() {
            let ready = |i: &usize| self.defs.decisions[*i].needs.iter().all(|need| !rest.contains(need));
            // A circle: `nisi check` shows it.
            let next = rest.iter().position(ready).unwrap_or(0);
            out.push(rest.remove(next));
        }
        out
    }

    /// The table of a decision.
    fn table(&mut self, i: usize, is_entry: bool) -> Result<Option<DraftTable>, Refused> {
        let decision = &self.defs.decisions[i];
        let Some(table) = decision.table else { return Ok(None) };
        let hit = match (hit::of(table), is_entry) {
            (Ok(hit), _) => hit,
            (Err(why), true) => {
                return Err(Refused::new(why, "choose another hit policy in the modeler: U, A, P or F"));
            }
            (Err(why), false) => {
                self.desk.notices.left(&place(table), why);
                return Ok(None);
            }
        };
        let columns = self.columns(table);
        let ranked = self.action_rows(i, table, &columns);
        let model = self.model;
        let named = |name: &str| {
            model.actions.get(name).and_then(|chain| chain.actions.first()).map(crate::model::Action::verb)
        };
        let stands_for = |name: &str| if model.actions.contains_key(name) { named(name) } else { Some(Verb::Review) };
        let verb_of = |action: &str| hit::verb(action, &stands_for);
        let (hit, rows) = match hit {
            Some(hit) => (hit, ranked.into_iter().map(|(row, _)| row).collect()),
            None => hit::by_priority(table, ranked, &verb_of, &mut self.desk.notices),
        };
        let name = self.tables.get(&i).cloned().unwrap_or_default();
        let when = own(decision.node, "when").map_or_else(String::new, |tests| format!(" when {tests}"));
        let refused = own(decision.node, "refused").map_or_else(String::new, |way| format!(", if refused, {way}"));
        let (columns, rows) = laid_out(&columns, rows);
        Ok(Some(DraftTable {
            doc: told(decision),
            head: format!("table {name}{when}"),
            hit,
            refused,
            columns,
            outputs: vec!["action".into()],
            rows,
        }))
    }

    /// The derive of a decision; where it cannot be one, the caller gives its answers.
    fn derive(&mut self, i: usize) -> Option<DraftTable> {
        let decision = &self.defs.decisions[i];
        let table = decision.table?;
        let outputs = self.outputs(decision, table);
        let hit = match hit::of(table) {
            Ok(hit) => hit,
            Err(why) => {
                self.desk.notices.left(&place(table), format!("{why}: the caller gives what it answers"));
                // Its answers are facts like others then.
                self.derived.retain(|at| outputs.iter().all(|output| output.own != Some(*at)));
                return None;
            }
        };
        let columns = self.columns(table);
        let mut rows = self.value_rows(table, &columns, &outputs);
        let (hit, types) = match hit {
            None if outputs.len() > 1 && hit::by_values(table, &mut rows) => {
                self.desk.notices.note(&place(table), hit::SORTED);
                (Hit::First, outputs.iter().map(|o| o.ty.clone()).collect())
            }
            hit => self.ordered(table, hit, &outputs),
        };
        let head: Vec<String> = outputs.iter().zip(&types).map(|(o, ty)| format!("{} : {ty}", o.name)).collect();
        let (columns, rows) = laid_out(&columns, rows);
        Some(DraftTable {
            doc: told(decision),
            head: format!("derive {}", head.join(" ; ")),
            hit,
            refused: String::new(),
            columns,
            outputs: outputs.into_iter().map(|o| o.name).collect(),
            rows,
        })
    }

    /// The hit policy of a derive, and the types of its answers as they are written. PRIORITY lists the answers from the one
    /// that wins to the one that loses: so they have an order.
    fn ordered(&mut self, table: Node<'_, '_>, hit: Option<Hit>, outputs: &[Output]) -> (Hit, Vec<String>) {
        let types: Vec<String> = outputs.iter().map(|o| o.ty.clone()).collect();
        if let Some(hit) = hit {
            return (hit, types);
        }
        let ranks: Vec<String> = children(table, "output").next().map(hit::ranks).unwrap_or_default();
        match outputs {
            [only] if !ranks.is_empty() => {
                let mut low: Vec<String> = ranks.iter().map(|v| quoted_if_needed(v)).collect();
                let falling = low.join(" < ");
                low.reverse();
                // As our own export says the type, the order in it counts.
                if only.own.is_none() && only.ty == falling {
                    return (Hit::Lowest, types);
                }
                (Hit::Highest, vec![low.join(" < ")])
            }
            _ => {
                let text = "PRIORITY without a list of values has no order: the first row wins instead";
                self.desk.notices.left(&place(table), text);
                (Hit::First, types)
            }
        }
    }

    fn draft(&mut self, words: &Words, how: &Import<'_>, first: String, tables: Vec<DraftTable>) -> Draft {
        let parsed = syntax::parse(FileId::default(), &first);
        let has = |is: fn(&ItemKind) -> bool| parsed.file.items.iter().any(|item| is(&item.kind));
        let mut draft = Draft { tables, ..Draft::default() };
        if !has(|kind| matches!(kind, ItemKind::Policy(_))) {
            let name = how.name.map_or_else(|| slug(&self.defs.name, &policy_name(how)), |_| policy_name(how));
            draft.name = Some(name);
            draft.remarks.push(origin(how));
        }
        if !has(|kind| matches!(kind, ItemKind::Use(_))) {
            draft.uses = words.uses(how, &self.desk.tested);
        }
        draft.items.extend((!first.trim().is_empty()).then_some(first));
        let given = self.desk.facts.iter().enumerate().filter(|(i, _)| !self.derived.contains(i));
        draft.items.extend(declarations(given.map(|(_, own)| own), &self.desk.actions));
        draft
    }
}

/// An answer of a decision.
pub(super) struct Output {
    pub(super) name: String,
    /// Its type as it is written.
    pub(super) ty: String,
    /// Its place among the desk's facts; nothing where its type is said in the language.
    pub(super) own: Option<usize>,
}

/// What is said of a decision.
fn told(decision: &Decision<'_, '_>) -> String {
    let texts = ["description", "question"].iter().filter_map(|name| xml::child(decision.node, name)).map(inner);
    let texts: Vec<String> =
        texts.map(|text| clean(&text).trim().to_string()).filter(|text| !text.is_empty()).collect();
    texts.join("\n")
}

/// Whether an expression is no more than a name, or a path to one.
pub(super) fn is_path(expression: &str) -> bool {
    expression.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && expression.chars().all(|c| c.is_alphanumeric() || "_. -'".contains(c))
        && !expression.contains(" - ")
        && !["if ", "for ", "some ", "every ", "not "].iter().any(|word| expression.starts_with(word))
}

/// A fact's column, and whether its tests stand in the column `also`.
pub(super) struct Input<'r> {
    pub(super) tested: Tested<'r>,
    pub(super) name: String,
    pub(super) also: bool,
}
