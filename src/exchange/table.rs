//! A grid of texts to a table of the language: what each column is, what each cell says, what follows.

use std::collections::BTreeSet;

use super::actions::Actions;
use super::cell::{Cell, Literal, LiteralKind};
use super::column::{Own, OwnType, instant, known_cell, number};
use super::draft::{DraftRow, DraftTable, RowName};
use super::grid::{Field, Grid, clean, shown};
use super::names::{Names, folded, is_name};
use super::place::{Notices, Refused};
use super::roles::{self, Role};
use super::{csv, loose};
use crate::model::{CellReader, Fact, FactId, quoted_if_needed};
use crate::syntax;
use crate::syntax::tree::Hit;

/// What the tables of one file share.
pub(super) struct Desk<'r, 'u> {
    /// The words that are declared already.
    pub(super) reader: &'r CellReader<'u>,
    /// Whether a name is that of an action that is declared already.
    pub(super) known_actions: &'r dyn Fn(&str) -> bool,
    pub(super) names: Names,
    pub(super) actions: Actions,
    /// The facts that are to be declared.
    pub(super) facts: Vec<Own>,
    /// Facts of the standard vocabulary or of a file that is used, which the tables test.
    pub(super) tested: Vec<FactId>,
    pub(super) notices: Notices,
}

/// A fact's column: known already, or one of those to be declared.
pub(super) enum Tested<'f> {
    Known(FactId, &'f Fact),
    Own(usize),
}

impl<'r, 'u> Desk<'r, 'u> {
    /// An empty desk.
    pub(super) fn new(
        reader: &'r CellReader<'u>,
        known_actions: &'r dyn Fn(&str) -> bool,
        names: Names,
        notices: Notices,
    ) -> Self {
        let (actions, facts, tested) = (Actions::default(), Vec::new(), Vec::new());
        Desk { reader, known_actions, names, actions, facts, tested, notices }
    }

    /// A table of a grid. `hit` is the hit policy where the file says none.
    ///
    /// # Errors
    /// No column for what follows, two columns of one name, a hit policy that answers with several rows.
    pub(super) fn table(&mut self, grid: &Grid, name: &str, hit: Option<Hit>) -> Result<DraftTable, Refused> {
        let (roles, found) = roles::of(grid, &mut self.notices)?;
        let hit = found.or(hit).unwrap_or_else(|| {
            let text = "no hit policy is said: `first row wins` is taken; `--hit` says another";
            self.notices.note(&grid.place, text);
            Hit::First
        });
        let mut rows: Vec<Vec<Result<Cell, String>>> = grid.rows.iter().map(|row| read_row(row, &roles)).collect();
        for (i, _) in roles.iter().enumerate().filter(|(_, role)| **role == Role::Fact) {
            let mut column: Vec<&mut Cell> = rows.iter_mut().filter_map(|row| row[i].as_mut().ok()).collect();
            // Of a fact that is declared it is known what its values are.
            let reads = |id: FactId, fact: &Fact| column.iter().all(|c| known_cell(self.reader, id, fact, c).is_ok());
            if self.declared(&grid.header[i]).is_some_and(|(id, fact)| reads(id, fact)) {
                continue;
            }
            if let Some(value) = values_with_not(&mut column) {
                let text = format!("`{value}` is taken for a value: as a test it would leave none");
                self.notices.note(&grid.header[i].place, text);
            }
        }
        let mut columns: Vec<(usize, Tested<'_>)> = Vec::new();
        for (i, _) in roles.iter().enumerate().filter(|(_, role)| **role == Role::Fact) {
            let cells: Vec<&Cell> = rows.iter().filter_map(|row| row[i].as_ref().ok()).collect();
            let tested = self.tested(&grid.header[i], &cells);
            columns.push((i, tested));
        }
        let mut names = Names::default();
        let mut out = Vec::new();
        for (row, cells) in grid.rows.iter().zip(&rows) {
            out.push(self.row(grid, row, cells, &roles, &columns, &mut names));
        }
        self.place_fixed(grid, &mut out);
        let columns = columns.iter().map(|(_, tested)| match tested {
            Tested::Known(_, fact) => fact.name.to_string(),
            Tested::Own(i) => self.facts[*i].name.clone(),
        });
        Ok(DraftTable {
            doc: grid.name.clone().filter(|told| told != name).unwrap_or_default(),
            head: format!("table {name}"),
            hit,
            refused: String::new(),
            columns: columns.collect(),
            outputs: vec!["action".into()],
            rows: out,
        })
    }

    /// Puts rows of fixed words where they belong, each once.
    fn place_fixed(&mut self, grid: &Grid, rows: &mut [DraftRow]) {
        let mut seen = Vec::new();
        for (row, fields) in rows.iter_mut().zip(&grid.rows) {
            let (Some(words), Some(field)) = (row.fixed(), fields.first()) else { continue };
            if seen.contains(&words) {
                let text = format!("`{words}` stands above already, and a table has one; the row is left out");
                self.notices.left(&field.place, text);
                *row = DraftRow::Lost(shown(fields));
            }
            seen.push(words);
        }
        let stands_above = |(i, row): (usize, &DraftRow)| {
            let mut below = rows[i + 1..].iter().filter(|below| !matches!(below, DraftRow::Lost(_)));
            row.fixed().filter(|_| below.any(|below| below.floor() < row.floor())).map(|words| (i, words))
        };
        let moved: Vec<(usize, &str)> = rows.iter().enumerate().filter_map(stands_above).collect();
        for (i, words) in &moved {
            let text = format!("`{words}` speaks of what no other row takes: it was put below them");
            grid.rows[*i].first().iter().for_each(|field| self.notices.note(&field.place, text.as_str()));
        }
        if !moved.is_empty() {
            rows.sort_by_key(DraftRow::floor);
        }
    }

    /// The fact of a column's name that is declared already.
    fn declared(&self, header: &Field) -> Option<(FactId, &'r Fact)> {
        let (reader, key) = (self.reader, folded(&header.text));
        reader.facts().find(|(_, fact)| *fact.name == *header.text.trim() || folded(&fact.name) == key)
    }

    /// The fact of a column: one that is declared already if its cells speak of it, else one of its own.
    fn tested(&mut self, header: &Field, cells: &[&Cell]) -> Tested<'r> {
        let reader = self.reader;
        let key = folded(&header.text);
        if let Some((id, fact)) = self.declared(header) {
            let fits = cells.iter().filter(|cell| known_cell(reader, id, fact, cell).is_ok()).count();
            let speaking = cells.iter().filter(|cell| ***cell != Cell::Any).count();
            let fitting = cells.iter().filter(|c| ***c != Cell::Any && known_cell(reader, id, fact, c).is_ok()).count();
            if fits == cells.len() || fitting * 2 > speaking {
                if !self.tested.contains(&id) {
                    self.tested.push(id);
                }
                return Tested::Known(id, fact);
            }
            let text = format!(
                "its cells are not those of the fact `{}` that is declared: it became a fact of its own",
                fact.name
            );
            self.notices.note(&header.place, text);
        }
        if let Some(i) = self.facts.iter().position(|own| folded(&own.doc) == key) {
            return Tested::Own(i);
        }
        Tested::Own(self.declare(header, cells))
    }

    /// Declares a fact by the cells of its column.
    fn declare(&mut self, header: &Field, cells: &[&Cell]) -> usize {
        let name = self.names.name_of(header.text.trim(), "column");
        let (ty, points) = OwnType::of(cells);
        let remark = match &ty {
            OwnType::Choice(_) => "the values that were seen: is one missing?",
            OwnType::Number(..) => "no bounds are known",
            OwnType::Text => "nothing tells its type",
            OwnType::Flag => "",
        };
        let shown =
            [ty.show()].into_iter().chain(points.iter().map(|p| quoted_if_needed(p))).collect::<Vec<_>>().join(" or ");
        let shown =
            if shown.len() > 60 { "a choice of the values that were seen".to_string() } else { format!("`{shown}`") };
        self.notices.note(&header.place, format!("the fact `{name}` is new; by its cells it is {shown}"));
        self.facts.push(Own { name, doc: header.text.trim().to_string(), ty, points, remark: remark.into() });
        self.facts.len() - 1
    }

    /// One row, or a comment in its place.
    fn row(
        &mut self,
        grid: &Grid,
        row: &[Field],
        cells: &[Result<Cell, String>],
        roles: &[Role],
        columns: &[(usize, Tested<'_>)],
        names: &mut Names,
    ) -> DraftRow {
        let mut lost = false;
        let mut written = Vec::new();
        for (i, tested) in columns {
            let shown = cells[*i].as_ref().map_err(Clone::clone).and_then(|cell| match tested {
                Tested::Known(id, fact) => known_cell(self.reader, *id, fact, cell),
                Tested::Own(own) => own_cell(&self.facts[*own], cell),
            });
            match shown {
                Ok(shown) => {
                    let day =
                        |l: &&Literal| instant(&l.text).is_some_and(|taken| taken != l.text && shown.contains(&taken));
                    if cells[*i].as_ref().is_ok_and(|cell| cell.literals().any(|literal| day(&literal))) {
                        self.notices.note(
                            &grid.header[*i].place,
                            "a day has no offset: it is taken to begin at midnight in UTC",
                        );
                    }
                    written.push(shown);
                }
                Err(why) => {
                    lost = true;
                    self.notices.left(&row[*i].place, format!("{why}; the row is left out"));
                }
            }
        }
        let fields = |wanted: Role| {
            row.iter()
                .zip(roles)
                .zip(&grid.header)
                .filter(move |((_, role), _)| **role == wanted)
                .map(|((field, _), head)| (field, head))
        };
        let mut also = String::new();
        for (field, _) in fields(Role::Also).filter(|(field, _)| !field.is_blank()) {
            match syntax::parse_tests(field.text.trim()) {
                Ok(_) => also = field.text.trim().to_string(),
                Err(finding) => {
                    lost = true;
                    self.notices.left(&field.place, format!("{}; the row is left out", finding.message));
                }
            }
        }
        let mut output = None;
        if let Some((field, _)) = fields(Role::Action).next() {
            output =
                self.actions.read(&field.text, &field.place, &mut self.names, &mut self.notices, self.known_actions);
            if output.is_none() {
                self.notices.left(&field.place, "nothing is said to follow; the row is left out");
            }
        }
        let mut reasons: Vec<String> = Vec::new();
        reasons.extend(
            fields(Role::Reason).filter(|(f, _)| !f.is_blank()).map(|(f, _)| csv::unguarded(f.text.trim()).to_string()),
        );
        let other = |(f, head): (&Field, &Field)| {
            format!("{}: {}", head.text.trim().trim_start_matches("=>").trim(), f.text.trim())
        };
        reasons.extend(fields(Role::Other).filter(|(f, _)| !f.is_blank()).map(other));
        let called = fields(Role::Name)
            .next()
            .or_else(|| fields(Role::Fact).next().filter(|(f, _)| fixed_words(&f.text).is_some()));
        let name = row_name(called.map_or("", |(field, _)| &field.text), names);
        if let (RowName::Fixed(words), Some((field, _))) = (&name, called)
            && (!also.is_empty() || written.iter().any(|cell| cell != "-"))
        {
            lost = true;
            let text = format!("a row of `{words}` tests nothing, and this one does; the row is left out");
            self.notices.left(&field.place, text);
        }
        match output {
            Some(output) if !lost => {
                DraftRow::Whole { name, cells: written, also, outputs: vec![output], reason: reasons.join("; ") }
            }
            _ => DraftRow::Lost(shown(row)),
        }
    }
}

/// Reads `not credible` as a value where nothing else than `credible` stands in its column: nobody tests for nothing. Gives
/// the first such value.
fn values_with_not(column: &mut [&mut Cell]) -> Option<String> {
    let words: BTreeSet<String> =
        column.iter().flat_map(|cell| cell.members()).map(|literal| folded(&literal.text)).collect();
    let empties = |cell: &Cell| cell.excluded().is_some_and(|not| words.iter().all(|word| not.contains(word)));
    if !column.iter().any(|cell| empties(cell)) {
        return None;
    }
    let mut first = None;
    for cell in column {
        let only = cell.excluded().filter(|_| cell.members().count() == 1).and_then(|_| cell.members().next().cloned());
        if let Some(word) = only.filter(|word| word.kind == LiteralKind::Bare) {
            let value = format!("not {}", word.text);
            **cell = Cell::one_of([Literal::quoted(&*value)]);
            first.get_or_insert(value);
        }
    }
    first
}

/// The cells of a row that test facts; others are everything.
fn read_row(row: &[Field], roles: &[Role]) -> Vec<Result<Cell, String>> {
    let mut cells: Vec<Result<Cell, String>> = Vec::with_capacity(row.len());
    let first_fact = roles.iter().position(|role| *role == Role::Fact);
    for (i, (field, role)) in row.iter().zip(roles).enumerate() {
        let fixed = Some(i) == first_fact && fixed_words(&field.text).is_some();
        cells.push(if *role == Role::Fact && !fixed { loose::read(&field.text) } else { Ok(Cell::Any) });
    }
    cells
}

/// The words of a row with a fixed meaning.
pub(super) fn fixed_words(text: &str) -> Option<&'static str> {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    ["any unknown", "otherwise"].into_iter().find(|fixed| *fixed == words)
}

/// What a row is called: by its name, each once; a number is none, since it is the row's place.
pub(super) fn row_name(text: &str, names: &mut Names) -> RowName {
    let text = clean(text);
    let text = text.trim();
    if let Some(fixed) = fixed_words(text) {
        return RowName::Fixed(fixed);
    }
    if text.is_empty() || text == "-" || text.trim_start_matches('#').bytes().all(|b| b.is_ascii_digit()) {
        return RowName::None;
    }
    let name: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(64).collect();
    let gap = if is_name(&name) { "-" } else { " " };
    RowName::Named(names.free(name, gap))
}

/// A cell of a fact that is to be declared.
pub(super) fn own_cell(own: &Own, cell: &Cell) -> Result<String, String> {
    if cell.compares() && !matches!(own.ty, OwnType::Number(..)) {
        return Err(format!("a comparison needs an order, and `{}` has none", own.name));
    }
    if let OwnType::Number(kind, _) = own.ty
        && let Some(end) = cell.ends().find(|end| number(kind, &end.text).is_none())
    {
        return Err(format!("`{}` is no {} to compare with", end.text, kind.as_str()));
    }
    if let (OwnType::Choice(values), Some(not)) = (&own.ty, cell.excluded())
        && values.iter().all(|value| not.contains(&folded(value)))
    {
        return Err(format!("it leaves none of the values of `{}`", own.name));
    }
    if cell.starts() && own.ty != OwnType::Text {
        return Err(format!("only texts begin with something, and `{}` is none", own.name));
    }
    let shown = cell.show(&mut |literal| own.value(literal))?;
    match syntax::parse_cell(&shown) {
        Err(finding) if *cell != Cell::Any => Err(finding.message.clone()),
        _ => Ok(shown),
    }
}
