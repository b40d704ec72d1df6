//! A policy to definitions of DMN 1.3: a decision for each table and derive, inputs for the caller's facts, and a diagram.
//!
//! An action is a text for other tools; `see other` is the answer of that other decision. What the language has and DMN has
//! not stands in attributes and elements of our own namespace, so that [`import`](crate::exchange::import) gives it back.

use std::collections::BTreeMap;
use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::{feel_out, shapes};
use crate::compile::Draft;
use crate::exchange::names::folded;
use crate::exchange::place::{Notices, Place, Refused};
use crate::exchange::sheet::{Sheet, SheetRow, Taken, derive_of, docs_start, line};
use crate::model::{FactId, NumberKind, Outcome, Role, Type, show_set};
use crate::syntax::tree::{Hit, ItemKind, RowKind};
use crate::text::Source;

const MODEL: &str = "https://www.omg.org/spec/DMN/20191111/MODEL/";

/// A part of the model: a decision, or an input.
struct Part<'s, 'd> {
    id: String,
    name: String,
    /// What its answer is called in FEEL.
    variable: String,
    kind: PartKind<'s, 'd>,
    needs: Vec<usize>,
}

enum PartKind<'s, 'd> {
    Decision(&'s Sheet<'d>),
    Input(FactId),
}

/// What is written, with what it is written of.
struct Writing<'s, 'd> {
    draft: &'s Draft,
    parts: Vec<Part<'s, 'd>>,
    xml: Writer<Vec<u8>>,
    notices: &'s mut Notices,
}

/// Attributes of an element.
type Attributes<'a> = &'a [(&'a str, &'a str)];

/// The definitions of a policy.
pub(in crate::exchange) fn write(
    draft: &Draft,
    sheets: &[Sheet<'_>],
    source: &Source,
    digest: &str,
    notices: &mut Notices,
) -> Result<String, Refused> {
    if draft.model.overlay.is_some() {
        let help = "DMN has no such thing as the more cautious of two answers: export the policy that it restricts";
        return Err(Refused::new("the policy tightens another", help));
    }
    if let Some(c) = source.text().chars().find(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Err(Refused::new(
            format!("XML cannot hold the character U+{:04X}", u32::from(c)),
            "take it out of the policy",
        ));
    }
    let parts = parts(draft, sheets);
    let mut writing = Writing { draft, parts, xml: Writer::new_with_indent(Vec::new(), b' ', 2), notices };
    // Writing to memory cannot fail.
    let _ = writing.definitions(source, digest);
    let text = String::from_utf8(writing.xml.into_inner()).unwrap_or_default();
    Ok(text + "\n")
}

/// The decisions, the entry first, and the inputs that they ask.
fn parts<'s, 'd>(draft: &Draft, sheets: &'s [Sheet<'d>]) -> Vec<Part<'s, 'd>> {
    let (mut tables, derives): (Vec<&Sheet<'d>>, Vec<&Sheet<'d>>) =
        reached(draft, sheets).into_iter().partition(|s| s.outputs.is_empty());
    let entry = draft.model.tables.first().map(|table| table.name.clone());
    tables.sort_by_key(|s| Some(&s.table.name) != entry.as_ref());
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    let mut variable = |name: &str| {
        let wanted: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let n = taken.entry(wanted.clone()).or_insert(0);
        *n += 1;
        if *n == 1 { wanted } else { format!("{wanted}_{n}") }
    };
    let mut parts: Vec<Part<'s, 'd>> = Vec::new();
    for sheet in tables.into_iter().chain(derives) {
        let name = sheet.table.name.to_string();
        let id = format!("decision_{name}");
        parts.push(Part { id, variable: variable(&name), name, kind: PartKind::Decision(sheet), needs: Vec::new() });
    }
    let n_decisions = parts.len();
    for (i, fact) in draft.model.facts.values().enumerate() {
        let id = FactId(i as u32);
        let asks =
            |part: &Part<'_, '_>| matches!(part.kind, PartKind::Decision(sheet) if tested(sheet).contains(&(id, 0)));
        let asked = parts[..n_decisions].iter().any(asks);
        if asked && derive_of(fact).is_none() {
            let name = fact.name.to_string();
            let id_text = format!("input_{name}");
            parts.push(Part {
                id: id_text,
                variable: variable(&name),
                name,
                kind: PartKind::Input(id),
                needs: Vec::new(),
            });
        }
    }
    for i in 0..n_decisions {
        let PartKind::Decision(sheet) = &parts[i].kind else { continue };
        let mut needs: Vec<usize> = tested(sheet).iter().filter_map(|(fact, _)| giver(draft, &parts, *fact)).collect();
        let seen = sheet.rows.iter().filter_map(|row| match row.row.outcome {
            Outcome::See(table) => draft.model.tables.get(table.0),
            _ => None,
        });
        needs.extend(seen.filter_map(|table| parts.iter().position(|p| is_table(p) && *p.name == *table.name)));
        needs.sort_unstable();
        needs.dedup();
        parts[i].needs = needs;
    }
    parts
}

/// The policy's own tables and derives, and those of other files that they need.
fn reached<'s, 'd>(draft: &Draft, sheets: &'s [Sheet<'d>]) -> Vec<&'s Sheet<'d>> {
    let mut taken: Vec<bool> = sheets.iter().map(|sheet| sheet.from.is_none()).collect();
    loop {
        let needs = |of: &Sheet<'_>, other: &Sheet<'_>| {
            let asks = tested(of).iter().any(|(fact, _)| other.outputs.contains(fact));
            let hands_over = |row: &SheetRow<'_>| match row.row.outcome {
                Outcome::See(table) => draft.model.tables.get(table.0).is_some_and(|t| t.name == other.table.name),
                _ => false,
            };
            asks || other.outputs.is_empty() && of.rows.iter().any(hands_over)
        };
        let is_needed = |i: &usize| sheets.iter().zip(&taken).any(|(of, taken)| *taken && needs(of, &sheets[*i]));
        let Some(next) = (0..sheets.len()).find(|i| !taken[*i] && is_needed(i)) else { break };
        taken[next] = true;
    }
    sheets.iter().zip(taken).filter_map(|(sheet, taken)| taken.then_some(sheet)).collect()
}

fn is_table(part: &Part<'_, '_>) -> bool {
    matches!(&part.kind, PartKind::Decision(sheet) if sheet.outputs.is_empty())
}

/// The part that gives a fact.
fn giver(draft: &Draft, parts: &[Part<'_, '_>], fact: FactId) -> Option<usize> {
    parts.iter().position(|part| match &part.kind {
        PartKind::Input(id) => *id == fact,
        PartKind::Decision(sheet) => sheet.outputs.contains(&fact) && derive_of(draft.model.fact(fact)).is_some(),
    })
}

/// The facts that a table tests, each with how often before: a column each. Those of `also` follow.
fn tested(sheet: &Sheet<'_>) -> Vec<(FactId, usize)> {
    let mut out: Vec<(FactId, usize)> = sheet.facts().map(|fact| (fact, 0)).collect();
    for row in &sheet.rows {
        let mut here: Vec<(FactId, usize)> = sheet.facts().map(|fact| (fact, 0)).collect();
        for (fact, _) in &row.also {
            let column = (*fact, here.iter().filter(|(f, _)| f == fact).count());
            here.push(column);
            if !out.contains(&column) {
                out.push(column);
            }
        }
    }
    out
}

/// What a row takes in each of these columns.
fn cells(row: &SheetRow<'_>, sheet: &Sheet<'_>, columns: &[(FactId, usize)]) -> Vec<Option<Taken>> {
    let mut held: BTreeMap<(FactId, usize), Taken> = BTreeMap::new();
    let mut here: Vec<FactId> = Vec::new();
    for (fact, taken) in sheet.facts().zip(&row.cells) {
        here.push(fact);
        held.extend(taken.as_ref().map(|taken| ((fact, 0), taken.clone())));
    }
    for (fact, taken) in &row.also {
        let n = here.iter().filter(|f| *f == fact).count();
        here.push(*fact);
        held.insert((*fact, n), taken.clone());
    }
    columns.iter().map(|column| held.remove(column)).collect()
}

/// What comes out in the end: how the rows of a table are written.
struct Laid<'s, 'd> {
    hit: &'static str,
    rows: Vec<&'s SheetRow<'d>>,
    /// The answers from the first on, where they have an order.
    ranks: Vec<String>,
}

impl<'s, 'd> Writing<'s, 'd> {
    fn definitions(&mut self, source: &Source, digest: &str) -> io::Result<()> {
        self.xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let model = &self.draft.model;
        let (name, version) = (model.name.to_string(), model.version.to_string());
        let namespace = format!("urn:nisi:policy:{name}");
        let attributes = [
            ("xmlns", MODEL),
            ("xmlns:dmndi", "https://www.omg.org/spec/DMN/20191111/DMNDI/"),
            ("xmlns:dc", "http://www.omg.org/spec/DMN/20180521/DC/"),
            ("xmlns:di", "http://www.omg.org/spec/DMN/20180521/DI/"),
            ("xmlns:nisi", super::OURS),
            ("id", "definitions"),
            ("name", &name),
            ("namespace", &namespace),
            ("exporter", "nisi"),
            ("exporterVersion", env!("CARGO_PKG_VERSION")),
            ("nisi:version", &version),
            ("nisi:digest", digest),
        ];
        self.open("definitions", &attributes)?;
        self.items(source)?;
        for i in 0..self.parts.len() {
            match self.parts[i].kind {
                PartKind::Decision(sheet) => self.decision(i, sheet)?,
                PartKind::Input(fact) => self.input(i, fact)?,
            }
        }
        self.diagram()?;
        self.close("definitions")
    }

    /// The items that are no tables, as they are written, comments included.
    fn items(&mut self, source: &Source) -> io::Result<()> {
        let Some(main) = self.draft.units.iter().find(|unit| unit.role == Role::Main) else { return Ok(()) };
        let text = source.policy();
        let (mut pieces, mut at, mut met) = ([String::new(), String::new()], 0, false);
        let mut told = Vec::new();
        for item in &main.tree.items {
            if !matches!(item.kind, ItemKind::Table { .. } | ItemKind::Derive { .. }) {
                told.push(item_name(&item.kind));
                continue;
            }
            let start = docs_start(text, item.span.start as usize);
            pieces[usize::from(met)].push_str(text.get(at..start).unwrap_or_default());
            at = item.span.end as usize;
            met = true;
        }
        pieces[usize::from(met)].push_str(text.get(at..).unwrap_or_default());
        told.retain(|name| !matches!(*name, "policy" | "version" | "fact"));
        told.sort_unstable();
        told.dedup();
        if !told.is_empty() {
            let text = format!(
                "DMN has no like for these items, which travel as a text that other tools pass over: {}",
                told.join(", ")
            );
            self.notices.left(&Place::Whole, text);
        }
        if self.draft.model.tables.iter().flat_map(|t| &t.rows).any(|row| is_guarded(&row.outcome)) {
            let text = "in DMN an action is a text: what refuses it, and how long it waits, other tools do not know";
            self.notices.left(&Place::Whole, text);
        }
        self.open("extensionElements", &[])?;
        for (piece, attributes) in pieces.iter().zip([&[][..], &[("last", "true")][..]]) {
            if !piece.trim().is_empty() {
                // Blank lines at either end are none of anybody's.
                let lines = piece.trim_matches('\n').trim_end();
                self.text("nisi:items", attributes, lines)?;
            }
        }
        self.close("extensionElements")
    }

    fn input(&mut self, i: usize, fact: FactId) -> io::Result<()> {
        let (id, name, variable) =
            (self.parts[i].id.clone(), self.parts[i].name.clone(), self.parts[i].variable.clone());
        self.open("inputData", &[("id", &id), ("name", &variable), ("nisi:fact", &name)])?;
        let variable_id = format!("variable_{id}");
        let mut attributes = vec![("id", &*variable_id), ("name", &*variable)];
        attributes.extend(feel_out::type_ref(self.draft.model.fact(fact)).map(|ty| ("typeRef", ty)));
        self.empty("variable", &attributes)?;
        self.close("inputData")
    }

    fn decision(&mut self, i: usize, sheet: &'s Sheet<'d>) -> io::Result<()> {
        let part = &self.parts[i];
        let (id, name, variable, needs) =
            (part.id.clone(), part.name.clone(), part.variable.clone(), part.needs.clone());
        let mut attributes = vec![("id", &*id), ("name", &*name)];
        if i == 0 {
            attributes.push(("nisi:entry", "true"));
        }
        attributes.push(("nisi:kind", if sheet.outputs.is_empty() { "table" } else { "derive" }));
        attributes.extend(sheet.from.as_ref().map(|from| ("nisi:from", &**from)));
        attributes.extend((!sheet.when.is_empty()).then_some(("nisi:when", &*sheet.when)));
        attributes.extend((!sheet.refused.is_empty()).then_some(("nisi:refused", &*sheet.refused)));
        self.open("decision", &attributes)?;
        if !sheet.item.doc.is_empty() {
            self.text("description", &[], &sheet.item.doc)?;
        }
        let variable_id = format!("variable_{id}");
        let ty = match &sheet.outputs[..] {
            [] => Some("string"),
            [only] => feel_out::type_ref(self.draft.model.fact(*only)),
            _ => None,
        };
        let mut attributes = vec![("id", &*variable_id), ("name", &*variable)];
        attributes.extend(ty.map(|ty| ("typeRef", ty)));
        self.empty("variable", &attributes)?;
        for need in needs {
            let (href, of) = (format!("#{}", self.parts[need].id), &self.parts[need].kind);
            let kind = if matches!(of, PartKind::Input(_)) { "requiredInput" } else { "requiredDecision" };
            self.open("informationRequirement", &[("id", &format!("need_{i}_{need}"))])?;
            self.empty(kind, &[("href", &href)])?;
            self.close("informationRequirement")?;
        }
        if !sheet.when.is_empty() {
            let text = format!("DMN has no promise: other tools do not hold `{name}` to `when {}`", sheet.when);
            self.notices.left(&Place::Line(line(self.draft, sheet.item.span)), text);
        }
        self.table(i, sheet)?;
        self.close("decision")
    }

    fn table(&mut self, i: usize, sheet: &'s Sheet<'d>) -> io::Result<()> {
        let laid = self.laid(sheet);
        let id = format!("table_{}", sheet.table.name);
        self.open("decisionTable", &[("id", &id), ("hitPolicy", laid.hit)])?;
        let last: Vec<&SheetRow<'d>> = laid.rows.iter().copied().filter(|row| is_apart(row, laid.hit)).collect();
        if !last.is_empty() {
            self.open("extensionElements", &[])?;
            for row in &last {
                let kind = if row.row.kind == RowKind::AnyUnknown { "any unknown" } else { "otherwise" };
                let mut attributes = vec![("kind", kind)];
                attributes.extend(row.row.reason.as_ref().map(|reason| ("reason", &**reason)));
                self.open("nisi:row", &attributes)?;
                for output in &row.outputs {
                    self.text("nisi:output", &[], output)?;
                }
                self.close("nisi:row")?;
                if row.row.kind == RowKind::AnyUnknown {
                    let text = format!(
                        "DMN has no row for `any unknown`: other tools find no rule there, in `{}`",
                        sheet.table.name
                    );
                    self.notices.left(&Place::Line(line(self.draft, row.row.span)), text);
                }
            }
            self.close("extensionElements")?;
        }
        let columns = tested(sheet);
        let n_written = sheet.facts().count();
        for (n, (fact, _)) in columns.iter().enumerate() {
            self.input_clause(&format!("{i}_{n}"), *fact, n >= n_written)?;
        }
        self.output_clauses(i, sheet, &laid)?;
        for (n, row) in laid.rows.iter().filter(|row| !is_apart(row, laid.hit)).enumerate() {
            self.rule(&format!("{i}_{n}"), row, sheet, &columns)?;
        }
        self.close("decisionTable")
    }

    /// How the rows are written: the hit policy of DMN, and an order where it needs one.
    fn laid(&mut self, sheet: &'s Sheet<'d>) -> Laid<'s, 'd> {
        let rows: Vec<&SheetRow<'d>> = sheet.rows.iter().collect();
        let hit = match sheet.table.hit {
            Hit::First => "FIRST",
            Hit::AtMostOne => "UNIQUE",
            Hit::Agree => "ANY",
            Hit::MostCautious | Hit::Highest | Hit::Lowest => "PRIORITY",
        };
        match sheet.table.hit {
            Hit::Highest | Hit::Lowest => {
                let mut ranks =
                    sheet.outputs.first().map(|f| feel_out::all_values(self.draft.model.fact(*f))).unwrap_or_default();
                if sheet.table.hit == Hit::Highest {
                    ranks.reverse();
                }
                Laid { hit, rows, ranks }
            }
            Hit::MostCautious => self.cautious(sheet, rows),
            _ => Laid { hit, rows, ranks: Vec::new() },
        }
    }

    /// The rows of *most cautious wins*: by PRIORITY where the answers can be put in one order, else in that order themselves.
    fn cautious(&mut self, sheet: &'s Sheet<'d>, mut rows: Vec<&'s SheetRow<'d>>) -> Laid<'s, 'd> {
        let verb = |row: &SheetRow<'_>| match &row.row.outcome {
            Outcome::Act(chain) => chain.actions.first().map(crate::model::Action::verb),
            _ => None,
        };
        let plain: Vec<&SheetRow<'d>> = rows.iter().copied().filter(|row| row.row.kind == RowKind::Plain).collect();
        let mut sorted = plain.clone();
        sorted.sort_by_key(|row| verb(row));
        let mut ranks: Vec<String> = Vec::new();
        let mut one_order = true;
        for (n, row) in sorted.iter().enumerate() {
            let text = row.outputs.first().cloned().unwrap_or_default();
            match ranks.iter().position(|before| *before == text) {
                None => ranks.push(text),
                // An answer that comes again behind another of its verb: for two overlapping rows the order would differ.
                Some(at) => one_order &= at + 1 == ranks.len() || n == 0,
            }
        }
        if one_order {
            let ranks = ranks.iter().map(|text| feel_out::quote(text)).collect();
            return Laid { hit: "PRIORITY", rows, ranks };
        }
        let text = format!(
            "the answers of `{}` have no one order, as PRIORITY needs it: the rows stand in the cautious order, and the first wins",
            sheet.table.name
        );
        self.notices.note(&Place::Line(line(self.draft, sheet.item.span)), text);
        rows.sort_by_key(|row| (row.row.kind, verb(row).filter(|_| row.row.kind == RowKind::Plain)));
        Laid { hit: "FIRST", rows, ranks: Vec::new() }
    }

    fn input_clause(&mut self, n: &str, fact_id: FactId, also: bool) -> io::Result<()> {
        let fact = self.draft.model.fact(fact_id);
        let name = fact.name.to_string();
        let expression = match giver(self.draft, &self.parts, fact_id).map(|at| &self.parts[at]) {
            Some(Part { variable, kind: PartKind::Decision(sheet), .. }) if sheet.outputs.len() > 1 => {
                format!("{variable}.{}", plain(&name))
            }
            Some(part) => part.variable.clone(),
            None => plain(&name),
        };
        let (input_id, expr_id, values_id) =
            (format!("input_clause_{n}"), format!("expression_{n}"), format!("values_{n}"));
        let mut attributes = vec![("id", &*input_id), ("label", &*name), ("nisi:fact", &*name)];
        attributes.extend(also.then_some(("nisi:also", "true")));
        self.open("input", &attributes)?;
        let mut attributes = vec![("id", &*expr_id)];
        attributes.extend(feel_out::type_ref(fact).map(|ty| ("typeRef", ty)));
        self.open("inputExpression", &attributes)?;
        self.text("text", &[], &expression)?;
        self.close("inputExpression")?;
        let values = feel_out::all_values(fact);
        if !values.is_empty() && !matches!(fact.ty, Type::Choice { flag: true, .. }) {
            self.open("inputValues", &[("id", &values_id)])?;
            self.text("text", &[], &values.join(", "))?;
            self.close("inputValues")?;
        }
        if matches!(fact.ty, Type::Number(ty) if ty.kind == NumberKind::Version) {
            let text = format!("DMN has no versions: `{name}` is a text there, and other tools order it as one");
            self.notices.note(&Place::Whole, text);
        }
        self.close("input")
    }

    fn output_clauses(&mut self, i: usize, sheet: &Sheet<'_>, laid: &Laid<'_, '_>) -> io::Result<()> {
        let otherwise = laid.rows.iter().find(|row| row.row.kind == RowKind::Otherwise && laid.hit != "FIRST");
        let facts: Vec<Option<FactId>> =
            if sheet.outputs.is_empty() { vec![None] } else { sheet.outputs.iter().map(|f| Some(*f)).collect() };
        for (n, fact) in facts.iter().enumerate() {
            let id = format!("output_{i}_{n}");
            let held = fact.map(|id| self.draft.model.fact(id));
            let name = held.map_or_else(|| "action".to_string(), |fact| plain(&fact.name));
            let exact = held.map(|fact| fact.name.to_string());
            let ty = type_of(self.draft, sheet, n);
            let mut attributes = vec![("id", &*id), ("label", exact.as_deref().unwrap_or("action")), ("name", &*name)];
            attributes.extend(held.map_or(Some("string"), feel_out::type_ref).map(|ty| ("typeRef", ty)));
            attributes.extend(exact.as_deref().map(|name| ("nisi:fact", name)));
            attributes.extend(ty.as_deref().map(|ty| ("nisi:type", ty)));
            self.open("output", &attributes)?;
            let values = if n == 0 && !laid.ranks.is_empty() {
                laid.ranks.clone()
            } else {
                held.map(feel_out::all_values).unwrap_or_default()
            };
            if !values.is_empty() && !matches!(held.map(|f| &f.ty), Some(Type::Choice { flag: true, .. })) {
                self.open("outputValues", &[("id", &format!("output_values_{i}_{n}"))])?;
                self.text("text", &[], &values.join(", "))?;
                self.close("outputValues")?;
            }
            if let Some(row) = otherwise {
                let text = self.answer(row, sheet, n);
                self.open("defaultOutputEntry", &[("id", &format!("default_{i}_{n}"))])?;
                self.text("text", &[], &text)?;
                self.close("defaultOutputEntry")?;
            }
            self.close("output")?;
        }
        Ok(())
    }

    fn rule(&mut self, n: &str, row: &SheetRow<'_>, sheet: &Sheet<'_>, columns: &[(FactId, usize)]) -> io::Result<()> {
        let id = format!("rule_{n}");
        let mut tests = Vec::new();
        for ((fact, _), taken) in columns.iter().zip(cells(row, sheet, columns)) {
            let fact = self.draft.model.fact(*fact);
            let written = taken
                .as_ref()
                .map(|taken| taken.text.clone())
                .filter(|text| taken.as_ref().is_some_and(|taken| show_set(fact, &taken.set) != *text));
            let test = taken.map_or_else(|| Some("-".to_string()), |taken| feel_out::unary_tests(fact, &taken.set));
            let Some(test) = test else {
                let text = format!("FEEL cannot say what the row takes of `{}`: the rule is left out", fact.name);
                self.notices.left(&Place::Line(line(self.draft, row.row.span)), text);
                return Ok(());
            };
            tests.push((test, written));
        }
        let mut attributes = vec![("id", &*id)];
        attributes.extend(row.row.name.as_ref().map(|name| ("label", &**name)));
        attributes.extend((row.row.kind == RowKind::Otherwise).then_some(("nisi:kind", "otherwise")));
        self.open("rule", &attributes)?;
        if let Some(reason) = &row.row.reason {
            self.text("description", &[], reason)?;
        }
        for (at, (test, written)) in tests.iter().enumerate() {
            let id = format!("entry_{n}_{at}");
            let mut attributes = vec![("id", &*id)];
            attributes.extend(written.as_deref().map(|cell| ("nisi:cell", cell)));
            self.open("inputEntry", &attributes)?;
            self.text("text", &[], test)?;
            self.close("inputEntry")?;
        }
        for at in 0..row.outputs.len() {
            let text = self.answer(row, sheet, at);
            self.open("outputEntry", &[("id", &format!("answer_{n}_{at}"))])?;
            self.text("text", &[], &text)?;
            self.close("outputEntry")?;
        }
        self.close("rule")
    }

    /// What a row answers, in FEEL.
    fn answer(&self, row: &SheetRow<'_>, sheet: &Sheet<'_>, n: usize) -> String {
        match &row.row.outcome {
            Outcome::See(table) => {
                let name = self.draft.model.tables.get(table.0).map_or("", |t| &t.name);
                let part = self.parts.iter().find(|p| is_table(p) && p.name == name);
                part.map_or_else(|| plain(name), |part| part.variable.clone())
            }
            Outcome::Values(values) => match (values.get(n), sheet.outputs.get(n)) {
                (Some(value), Some(fact)) => feel_out::value(self.draft.model.fact(*fact), value),
                _ => "null".into(),
            },
            Outcome::Act(_) => feel_out::quote(row.outputs.get(n).map_or("", |text| text)),
        }
    }

    /// The diagram: a shape for each part, and an edge for each need.
    fn diagram(&mut self) -> io::Result<()> {
        let needs: Vec<Vec<usize>> = self.parts.iter().map(|part| part.needs.clone()).collect();
        let at = shapes::corners(&needs);
        let (width, height) = shapes::SIZE;
        self.open("dmndi:DMNDI", &[])?;
        self.open("dmndi:DMNDiagram", &[("id", "diagram")])?;
        for (i, (x, y)) in at.iter().enumerate() {
            let id = self.parts[i].id.clone();
            self.open("dmndi:DMNShape", &[("id", &format!("shape_{i}")), ("dmnElementRef", &id)])?;
            let size = [
                ("x", x.to_string()),
                ("y", y.to_string()),
                ("width", width.to_string()),
                ("height", height.to_string()),
            ];
            let size: Vec<(&str, &str)> = size.iter().map(|(name, n)| (*name, &**n)).collect();
            self.empty("dc:Bounds", &size)?;
            self.close("dmndi:DMNShape")?;
        }
        for (i, list) in needs.iter().enumerate() {
            for need in list {
                let edge = [("id", &*format!("edge_{i}_{need}")), ("dmnElementRef", &*format!("need_{i}_{need}"))];
                self.open("dmndi:DMNEdge", &edge)?;
                for (x, y) in [(at[*need].0 + width / 2, at[*need].1), (at[i].0 + width / 2, at[i].1 + height)] {
                    self.empty("di:waypoint", &[("x", &x.to_string()), ("y", &y.to_string())])?;
                }
                self.close("dmndi:DMNEdge")?;
            }
        }
        self.close("dmndi:DMNDiagram")?;
        self.close("dmndi:DMNDI")
    }

    fn open(&mut self, name: &str, attributes: Attributes<'_>) -> io::Result<()> {
        let start = quick_xml::events::BytesStart::new(name).with_attributes(attributes.iter().copied());
        self.xml.write_event(Event::Start(start))
    }

    fn close(&mut self, name: &str) -> io::Result<()> {
        self.xml.write_event(Event::End(quick_xml::events::BytesEnd::new(name)))
    }

    fn empty(&mut self, name: &str, attributes: Attributes<'_>) -> io::Result<()> {
        let start = quick_xml::events::BytesStart::new(name).with_attributes(attributes.iter().copied());
        self.xml.write_event(Event::Empty(start))
    }

    fn text(&mut self, name: &str, attributes: Attributes<'_>, text: &str) -> io::Result<()> {
        self.open(name, attributes)?;
        self.xml.write_event(Event::Text(BytesText::new(text)))?;
        self.close(name)
    }
}

/// A name as FEEL takes it without a doubt.
fn plain(name: &str) -> String {
    folded(name).chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// Whether a row stands apart from the rules: DMN has no like for it, or has it as a default.
fn is_apart(row: &SheetRow<'_>, hit: &str) -> bool {
    match row.row.kind {
        RowKind::Plain => false,
        RowKind::AnyUnknown => true,
        RowKind::Otherwise => hit != "FIRST",
    }
}

/// Whether what follows can be refused, or waits.
fn is_guarded(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Act(chain) if chain.actions.iter().any(|a| a.verb().can_be_refused()))
}

/// The type of a derive's answer, as it is written.
fn type_of(draft: &Draft, sheet: &Sheet<'_>, n: usize) -> Option<String> {
    use crate::syntax::tree::TypeExpr;
    let ItemKind::Derive { outputs, .. } = &sheet.item.kind else { return None };
    let (TypeExpr::Choice { span, .. } | TypeExpr::Ordered { span, .. } | TypeExpr::Basic { span, .. }) =
        &outputs.get(n)?.1;
    Some(crate::exchange::sheet::slice(draft, *span).to_string())
}

fn item_name(kind: &ItemKind) -> &'static str {
    match kind {
        ItemKind::Policy(_) => "policy",
        ItemKind::Version(_) => "version",
        ItemKind::Owner(_) => "owner",
        ItemKind::Use(_) => "use",
        ItemKind::Restricts { .. } => "restricts",
        ItemKind::Fact { .. } => "fact",
        ItemKind::Extend { .. } => "extend",
        ItemKind::Budget(_) => "budget",
        ItemKind::Backoff { .. } => "backoff",
        ItemKind::Locator { .. } => "locator",
        ItemKind::Parity { .. } => "parity",
        ItemKind::Group { .. } => "group",
        ItemKind::Action { .. } => "action",
        ItemKind::Classify { .. } => "classify",
        ItemKind::Tighten { .. } => "tighten",
        ItemKind::Rule { .. } => "rule",
        ItemKind::Waive { .. } => "waive",
        ItemKind::Examples { .. } => "examples",
        ItemKind::Derive { .. } => "derive",
        ItemKind::Table { .. } => "table",
    }
}
