//! The columns and rows of a decision table.

use roxmltree::Node;

use super::definitions::{Decision, TypeDef};
use super::feel::{self, Answer};
use super::hit::ranks;
use super::read::{Input, Output, Reading, is_path};
use super::xml::{child, children, inner, own, own_children, place, said};
use crate::exchange::cell::{Atom, Cell, Literal, Member};
use crate::exchange::column::{Own, OwnType, known_cell, known_value};
use crate::exchange::draft::{DraftRow, RowName};
use crate::exchange::grid::clean;
use crate::exchange::names::{Names, folded};
use crate::exchange::table::{Tested, fixed_words, own_cell, row_name};
use crate::model::{CellReader, Fact, FactId, NumberKind, quoted_if_needed, show_set};
use crate::syntax::parse_cell;
use crate::syntax::tree::Comparison;
use crate::words::parse_instant;

/// A rule as far as it can be read.
struct Rule<'a, 't> {
    node: Node<'a, 't>,
    name: RowName,
    /// One for each column; nothing where one could not be read.
    cells: Option<Vec<String>>,
    reason: String,
}

impl<'r> Reading<'_, '_, '_, 'r, '_> {
    /// The columns of a table. A fact that is tested twice is tested in `also` the second time.
    pub(super) fn columns(&mut self, table: Node<'_, '_>) -> Vec<Input<'r>> {
        let mut out: Vec<Input<'r>> = Vec::new();
        for (i, input) in children(table, "input").enumerate() {
            let entries = children(table, "rule").filter_map(|rule| children(rule, "inputEntry").nth(i)).map(said);
            let cells: Vec<Cell> = entries.filter_map(|text| feel::unary_tests(&text).ok()).collect();
            let tested = self.tested(input, &cells);
            let name = match &tested {
                Tested::Known(_, fact) => fact.name.to_string(),
                Tested::Own(i) => self.desk.facts[*i].name.clone(),
            };
            let also = own(input, "also").is_some() || out.iter().any(|before| !before.also && before.name == name);
            out.push(Input { tested, name, also });
        }
        out
    }

    /// The fact that a column tests.
    fn tested(&mut self, input: Node<'_, '_>, cells: &[Cell]) -> Tested<'r> {
        let expression = child(input, "inputExpression").map(said).unwrap_or_default();
        let label = input.attribute("label").unwrap_or_default();
        let name = own(input, "fact").unwrap_or(&expression);
        let key = folded(name);
        if let Some(i) = self.answers.get(&key) {
            return Tested::Own(*i);
        }
        let reader = self.desk.reader;
        let known = reader.facts().find(|(_, fact)| *fact.name == *name || folded(&fact.name) == key);
        if let Some((id, fact)) = known {
            let speaks = |cell: &&Cell| **cell != Cell::Any;
            let fits = cells.iter().filter(speaks).filter(|cell| known_cell(reader, id, fact, cell).is_ok()).count();
            if fits * 2 > cells.iter().filter(speaks).count()
                || own(input, "fact").is_some()
                || cells.iter().all(|c| *c == Cell::Any)
            {
                if !self.desk.tested.contains(&id) {
                    self.desk.tested.push(id);
                }
                return Tested::Known(id, fact);
            }
        }
        if let Some(i) = self.desk.facts.iter().position(|own| folded(&own.doc) == key) {
            return Tested::Own(i);
        }
        let ty = child(input, "inputExpression").and_then(|e| e.attribute("typeRef")).map(|ty| self.defs.resolve(ty));
        let mut ty = ty.or_else(|| self.defs.type_of(&expression)).unwrap_or_default();
        if let Some(values) = child(input, "inputValues").map(said).filter(|values| !values.is_empty()) {
            ty.allowed = values;
        }
        let shown = if is_path(&expression) || label.is_empty() { &expression } else { label };
        let fact = self.desk.names.name_of(shown, "input");
        if !is_path(&expression) {
            let text =
                format!("the expression `{expression}` is not worked out here: the caller gives the fact `{fact}`");
            self.desk.notices.left(&place(input), text);
        }
        let own = self.own(fact, expression, &ty, cells, input);
        self.desk.facts.push(own);
        Tested::Own(self.desk.facts.len() - 1)
    }

    /// A fact that is to be declared, by its type in the file and by the cells that test it.
    fn own(&mut self, name: String, doc: String, ty: &TypeDef, cells: &[Cell], at: Node<'_, '_>) -> Own {
        let allowed = feel::unary_tests(&ty.allowed).ok().filter(|cell| *cell != Cell::Any);
        if allowed.is_none() && !matches!(&*ty.allowed, "" | "-") {
            self.desk.notices.left(&place(at), format!("the values that it allows cannot be said: `{}`", ty.allowed));
        }
        let values = || -> Vec<String> { allowed.iter().flat_map(Cell::literals).map(|l| l.text.clone()).collect() };
        let (seen, points) = OwnType::of(&cells.iter().collect::<Vec<_>>());
        let number = |kind: NumberKind| {
            let bounds = allowed.as_ref().map_or(Some(String::new()), bounds);
            (OwnType::Number(kind, bounds.clone().unwrap_or_default()), bounds.is_none())
        };
        let (ty, lost) = match &*ty.base.to_lowercase() {
            "string" if allowed.is_some() => (OwnType::Choice(values()), false),
            "string" if matches!(seen, OwnType::Choice(_)) => (seen, false),
            "string" => (OwnType::Text, false),
            "boolean" => (OwnType::Flag, false),
            "number" | "double" | "float" | "decimal" => number(NumberKind::Decimal),
            "integer" | "long" | "int" => number(NumberKind::Integer),
            "date" | "datetime" | "date and time" => number(NumberKind::Instant),
            "days and time duration" | "daytimeduration" | "duration" => number(NumberKind::Duration),
            _ if allowed.is_some() => (OwnType::of(&allowed.iter().collect::<Vec<_>>()).0, false),
            _ => (seen, false),
        };
        if lost {
            let text = format!(
                "the fact `{name}` has no such bounds: it allows `{}` in the file",
                allowed.as_ref().map_or(String::new(), |_| ty_text(at))
            );
            self.desk.notices.left(&place(at), text);
        }
        let remark = match &ty {
            OwnType::Choice(_) if allowed.is_none() => "the values that were seen: is one missing?",
            OwnType::Text if points.is_empty() && cells.iter().all(|cell| *cell == Cell::Any) => "nothing tests it",
            _ => "",
        };
        let is_number = matches!(ty, OwnType::Number(..));
        Own { name, doc, ty, points: if is_number { points } else { Vec::new() }, remark: remark.into() }
    }

    /// The answers of a decision, declared as facts.
    pub(super) fn outputs(&mut self, decision: &Decision<'_, '_>, table: Node<'_, '_>) -> Vec<Output> {
        let all: Vec<Node<'_, '_>> = children(table, "output").collect();
        let single = all.len() == 1;
        let mut out = Vec::new();
        for (i, output) in all.into_iter().enumerate() {
            if let (Some(fact), Some(ty)) = (own(output, "fact"), own(output, "type")) {
                out.push(Output { name: fact.to_string(), ty: ty.to_string(), own: None });
                continue;
            }
            let called = output.attribute("name").or(output.attribute("label")).unwrap_or_default().to_string();
            let wanted = if single || called.is_empty() { decision.variable.clone() } else { called.clone() };
            let name = self.desk.names.name_of(&wanted, "answer");
            let mut ty = output.attribute("typeRef").map(|ty| self.defs.resolve(ty)).unwrap_or_default();
            if ty.base.is_empty() && single {
                ty = child(decision.node, "variable")
                    .and_then(|v| v.attribute("typeRef"))
                    .map(|t| self.defs.resolve(t))
                    .unwrap_or_default();
            }
            ty.allowed = child(output, "outputValues").map(said).filter(|v| !v.is_empty()).unwrap_or(ty.allowed);
            let entries = children(table, "rule").filter_map(|rule| children(rule, "outputEntry").nth(i)).map(said);
            let entries = entries.chain(child(output, "defaultOutputEntry").map(said));
            let cells: Vec<Cell> = entries
                .filter_map(|text| match feel::answer(&text) {
                    Answer::Value(literal) => Some(Cell::one_of([literal])),
                    Answer::Null | Answer::Other => None,
                })
                .collect();
            let own = self.own(name.clone(), wanted.clone(), &ty, &cells, output);
            let ty = own.ty.show();
            let at = self.desk.facts.len();
            self.desk.facts.push(own);
            self.derived.insert(at);
            let keys =
                [decision.variable.clone(), decision.name.clone(), format!("{}.{called}", decision.variable), called];
            for key in keys.iter().skip(if single { 0 } else { 2 }).filter(|key| !key.is_empty()) {
                self.answers.insert(folded(key), at);
            }
            out.push(Output { name, ty, own: Some(at) });
        }
        out
    }

    /// Rows that answer with an action, and the rank of each answer where the values have one.
    pub(super) fn action_rows(
        &mut self,
        i: usize,
        table: Node<'_, '_>,
        columns: &[Input<'r>],
    ) -> Vec<(DraftRow, Option<usize>)> {
        let outputs: Vec<Node<'_, '_>> = children(table, "output").collect();
        let name_of =
            |node: &Node<'_, '_>| node.attribute("name").or(node.attribute("label")).unwrap_or_default().to_string();
        let action = outputs.iter().position(|o| folded(&name_of(o)) == "action").unwrap_or(0);
        let ranks = outputs.get(action).map(|output| ranks(*output)).unwrap_or_default();
        for (_, output) in outputs.iter().enumerate().filter(|(at, _)| *at != action) {
            let text =
                format!("a row has one answer: what `{}` says stands in the reasons of the rows", name_of(output));
            self.desk.notices.left(&place(*output), text);
        }
        let mut names = Names::default();
        let mut out = Vec::new();
        for rule in self.rules(table, columns, &mut names) {
            let entries: Vec<Node<'_, '_>> = children(rule.node, "outputEntry").collect();
            let (answer, rank) = match entries.get(action) {
                Some(entry) => self.action(i, *entry, &ranks),
                None => (None, None),
            };
            let mut reasons = vec![rule.reason];
            for (at, entry) in entries.iter().enumerate().filter(|(at, _)| *at != action) {
                let text = said(*entry);
                let text = match feel::answer(&text) {
                    Answer::Value(literal) => literal.text,
                    Answer::Null | Answer::Other => text,
                };
                reasons.extend(
                    (!text.is_empty()).then(|| format!("{}: {text}", outputs.get(at).map(name_of).unwrap_or_default())),
                );
            }
            reasons.retain(|text| !text.is_empty());
            let reason = reasons.join("; ");
            out.push(match (rule.cells, answer) {
                (Some(cells), Some(answer)) => (
                    DraftRow::Whole { name: rule.name, cells, also: String::new(), outputs: vec![answer], reason },
                    rank,
                ),
                _ => (DraftRow::Lost(shown(rule.node)), None),
            });
        }
        if let Some(default) = outputs.get(action).and_then(|output| child(*output, "defaultOutputEntry")) {
            let (answer, _) = self.action(i, default, &ranks);
            let answer = answer.map(|answer| fixed("otherwise", columns.len(), vec![answer], String::new()));
            out.extend(answer.map(|row| (row, None)));
        }
        let last: Vec<DraftRow> = last_rows(table, columns.len());
        place_last(&mut out, last);
        out
    }

    /// The action of an output entry, and its rank.
    fn action(&mut self, i: usize, entry: Node<'_, '_>, ranks: &[String]) -> (Option<String>, Option<usize>) {
        let text = said(entry);
        let needs = &self.defs.decisions[i].needs;
        let handed_to = needs.iter().find(|need| self.defs.decisions[**need].variable == text);
        if let Some(table) = handed_to.and_then(|need| self.tables.get(need)) {
            return (Some(format!("see {table}")), None);
        }
        let meant = match feel::answer(&text) {
            Answer::Value(literal) => literal.text,
            Answer::Null => String::new(),
            Answer::Other => text,
        };
        let rank = ranks.iter().position(|value| *value == meant);
        let desk = &mut self.desk;
        let answer = desk.actions.read(&meant, &place(entry), &mut desk.names, &mut desk.notices, desk.known_actions);
        if answer.is_none() {
            desk.notices.left(&place(entry), "nothing is said to follow; the row is left out");
        }
        (answer, rank)
    }

    /// Rows that answer with values.
    pub(super) fn value_rows(
        &mut self,
        table: Node<'_, '_>,
        columns: &[Input<'r>],
        outputs: &[Output],
    ) -> Vec<DraftRow> {
        let mut names = Names::default();
        let mut out = Vec::new();
        for rule in self.rules(table, columns, &mut names) {
            let entries = children(rule.node, "outputEntry").collect::<Vec<_>>();
            let values = self.values(outputs, &entries);
            out.push(match (rule.cells, values) {
                (Some(cells), Some(outputs)) => {
                    DraftRow::Whole { name: rule.name, cells, also: String::new(), outputs, reason: rule.reason }
                }
                _ => DraftRow::Lost(shown(rule.node)),
            });
        }
        let defaults: Vec<Node<'_, '_>> =
            children(table, "output").filter_map(|o| child(o, "defaultOutputEntry")).collect();
        if !defaults.is_empty()
            && let Some(values) = self.values(outputs, &defaults)
        {
            out.push(fixed("otherwise", columns.len(), values, String::new()));
        }
        let last = last_rows(table, columns.len());
        let mut ranked: Vec<(DraftRow, Option<usize>)> = out.into_iter().map(|row| (row, None)).collect();
        place_last(&mut ranked, last);
        ranked.into_iter().map(|(row, _)| row).collect()
    }

    /// The values of output entries, one for each output; nothing where one cannot be read.
    fn values(&mut self, outputs: &[Output], entries: &[Node<'_, '_>]) -> Option<Vec<String>> {
        let mut values = Vec::new();
        for (output, entry) in outputs.iter().zip(entries) {
            let text = said(*entry);
            let shown = match feel::answer(&text) {
                Answer::Null => Ok("unknown".to_string()),
                Answer::Value(literal) => self.value(output, &literal),
                Answer::Other => Err(format!("`{text}` is worked out, and no value")),
            };
            match shown {
                Ok(shown) => values.push(shown),
                Err(why) => {
                    self.desk.notices.left(&place(*entry), format!("{why}; the row is left out"));
                    return None;
                }
            }
        }
        (values.len() == outputs.len()).then_some(values)
    }

    /// A value of an output, in the language.
    fn value(&self, output: &Output, literal: &Literal) -> Result<String, String> {
        if let Some(own) = output.own {
            return self.desk.facts[own].value(literal);
        }
        let reader = self.desk.reader;
        match reader.facts().find(|(_, fact)| *fact.name == *output.name) {
            Some((id, fact)) => known_value(reader, id, fact, literal),
            None => Ok(quoted_if_needed(&literal.text)),
        }
    }

    /// The rules of a table.
    fn rules<'a, 't: 'a>(
        &mut self,
        table: Node<'a, 't>,
        columns: &[Input<'r>],
        names: &mut Names,
    ) -> Vec<Rule<'a, 't>> {
        let annotations: Vec<&str> =
            children(table, "annotation").map(|a| a.attribute("name").unwrap_or_default()).collect();
        let mut out = Vec::new();
        for node in children(table, "rule") {
            let mut called = node.attribute("label").unwrap_or_default().to_string();
            let mut reasons: Vec<String> =
                child(node, "description").map(|d| clean(&inner(d)).trim().to_string()).into_iter().collect();
            for (entry, name) in
                children(node, "annotationEntry").zip(annotations.iter().copied().chain(std::iter::repeat("")))
            {
                let text = said(entry);
                match &*folded(name) {
                    _ if text.is_empty() => {}
                    "row" | "name" if called.is_empty() => called = text,
                    "row" | "name" => {}
                    "" | "reason" | "annotation" | "annotations" | "description" | "comment" => reasons.push(text),
                    _ => reasons.push(format!("{name}: {text}")),
                }
            }
            reasons.retain(|text| !text.is_empty());
            reasons.dedup();
            let cells = self.cells(node, columns);
            let tests = cells.iter().flatten().any(|cell| cell != "-");
            let name = match (own(node, "kind").and_then(fixed_words), row_name(&called, names)) {
                (Some(words), _) => RowName::Fixed(words),
                (None, name @ RowName::Fixed(_)) if tests || out.iter().any(|before: &Rule| before.name == name) => {
                    let text = format!("`{called}` is the one row that tests nothing: this one has no name");
                    self.desk.notices.note(&place(node), text);
                    RowName::None
                }
                (None, name) => name,
            };
            out.push(Rule { node, name, cells, reason: reasons.join("; ") });
        }
        out
    }

    /// The cells of a rule, one for each column.
    fn cells(&mut self, rule: Node<'_, '_>, columns: &[Input<'r>]) -> Option<Vec<String>> {
        let entries: Vec<Node<'_, '_>> = children(rule, "inputEntry").collect();
        if entries.len() != columns.len() {
            let text = format!(
                "the rule has {} input entries, and its table {} inputs; the row is left out",
                entries.len(),
                columns.len()
            );
            self.desk.notices.left(&place(rule), text);
            return None;
        }
        let mut cells = Vec::new();
        let mut lost = false;
        for (entry, column) in entries.into_iter().zip(columns) {
            let language = entry.attribute("expressionLanguage").unwrap_or("feel");
            let text = said(entry);
            let foreign = || format!("`{text}` is written in {language}, not in FEEL");
            let cell = if language.to_lowercase().contains("feel") { feel::unary_tests(&text) } else { Err(foreign()) };
            let shown = cell.as_ref().map_err(Clone::clone).and_then(|cell| match &column.tested {
                Tested::Known(id, fact) => canonical(self.desk.reader, *id, fact, cell, own(entry, "cell")),
                Tested::Own(own) => own_cell(&self.desk.facts[*own], cell),
            });
            match shown {
                Ok(shown) => {
                    // FEEL's dates have no offset, and every instant has one.
                    let is_taken = |l: &&Literal| parse_instant(&l.text).is_ok() && !text.contains(&l.text);
                    if let Some(taken) = cell.as_ref().ok().and_then(|cell| cell.literals().find(is_taken)) {
                        let note = format!("a date without an offset: `{}` is taken, in UTC", taken.text);
                        self.desk.notices.note(&place(entry), note);
                    }
                    cells.push(shown);
                }
                Err(why) => {
                    lost = true;
                    self.desk.notices.left(&place(entry), format!("{why}; the row is left out"));
                }
            }
        }
        (!lost).then_some(cells)
    }
}

/// The rows of fixed words that DMN has no like for, as our own export wrote them.
fn last_rows(table: Node<'_, '_>, width: usize) -> Vec<DraftRow> {
    let row = |node: Node<'_, '_>| {
        let words = fixed_words(node.attribute("kind")?)?;
        let outputs = children(node, "output").map(inner).collect();
        Some(fixed(words, width, outputs, node.attribute("reason").unwrap_or_default().to_string()))
    };
    own_children(table, "row").filter_map(row).collect()
}

/// Columns and rows as a table has them: tests of `also` in one column.
pub(super) fn laid_out(columns: &[Input<'_>], rows: Vec<DraftRow>) -> (Vec<String>, Vec<DraftRow>) {
    let names = columns.iter().filter(|c| !c.also).map(|c| c.name.clone()).collect();
    let row = |row: DraftRow| match row {
        DraftRow::Whole { name, cells, outputs, reason, .. } => {
            let tests = cells.iter().zip(columns).filter(|(cell, column)| column.also && *cell != "-");
            let also =
                tests.map(|(cell, column)| format!("{} is {cell}", column.name)).collect::<Vec<_>>().join(" and ");
            let cells =
                cells.iter().zip(columns).filter(|(_, column)| !column.also).map(|(cell, _)| cell.clone()).collect();
            DraftRow::Whole { name, cells, also, outputs, reason }
        }
        lost @ DraftRow::Lost(_) => lost,
    };
    (names, rows.into_iter().map(row).collect())
}

/// A cell of a fact that is declared, as our own export found it written where that says the same still, else as the
/// language says it in fewest words: DMN lists what `>= medium` says.
fn canonical(
    reader: &CellReader<'_>,
    id: FactId,
    fact: &Fact,
    cell: &Cell,
    written: Option<&str>,
) -> Result<String, String> {
    let shown = known_cell(reader, id, fact, cell)?;
    let set = |text: &str| parse_cell(text).ok().and_then(|expr| reader.read(id, expr).ok());
    let meant = set(&shown);
    if let Some(written) = written.filter(|written| meant.is_some() && set(written) == meant) {
        return Ok(written.to_string());
    }
    let short = meant.as_ref().map(|set| show_set(fact, set)).filter(|short| set(short) == meant);
    Ok(short.unwrap_or(shown))
}

/// What is allowed of a number, for people.
fn ty_text(at: Node<'_, '_>) -> String {
    ["inputValues", "outputValues"].iter().find_map(|name| child(at, name)).map(said).unwrap_or_default()
}

/// A row of fixed words.
fn fixed(words: &'static str, width: usize, outputs: Vec<String>, reason: String) -> DraftRow {
    DraftRow::Whole {
        name: RowName::Fixed(words),
        cells: vec!["-".into(); width],
        also: String::new(),
        outputs,
        reason,
    }
}

/// Puts rows of fixed words where they belong: `any unknown` above `otherwise`, both below all others; each once.
fn place_last(rows: &mut Vec<(DraftRow, Option<usize>)>, last: Vec<DraftRow>) {
    for row in last {
        rows.retain(|(before, _)| before.fixed().is_none() || before.fixed() != row.fixed());
        rows.push((row, None));
    }
    rows.sort_by_key(|(row, _)| row.floor());
}

/// A rule for people.
fn shown(rule: Node<'_, '_>) -> String {
    let entries = rule.children().filter(|n| matches!(n.tag_name().name(), "inputEntry" | "outputEntry")).map(said);
    entries.collect::<Vec<_>>().join(" | ")
}

/// The bounds that a list of allowed values is, as the language writes them.
fn bounds(allowed: &Cell) -> Option<String> {
    let Cell::Tests(tests) = allowed else { return None };
    match tests.first().filter(|_| tests.len() == 1).map(|atoms| &atoms[..])? {
        [Atom::List(members)] => match &members[..] {
            [Member::Range(lo, hi, false)] => Some(format!("{}..{}", lo.text, hi.text)),
            _ => None,
        },
        [Atom::Compare(Comparison::AtLeast, lo)] => Some(format!("{}..", lo.text)),
        [Atom::Compare(Comparison::AtMost, hi)] => Some(format!("..{}", hi.text)),
        _ => None,
    }
}
