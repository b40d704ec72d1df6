//! Rules and waivers.

use std::sync::Arc;

use crate::diag;
use crate::model::{Cond, Rule, TableId, Waiver};
use crate::syntax::tree::{ItemKind, RowRef, Test, VerbExpr, Word};
use crate::words::Verb;

use super::cells::speaks_of_unknown;
use super::{Lowering, NameKind, Role, findings};

impl Lowering<'_> {
    /// `rule NAME: …`, of every file.
    pub(super) fn rules(&mut self) {
        for (_, item) in self.items() {
            let ItemKind::Rule { name, only, verbs, unless, tests } = &item.kind else { continue };
            if !self.declares(name) {
                continue;
            }
            let verbs: Option<Vec<_>> = verbs.iter().map(|v| self.verb(v)).collect();
            let conds: Option<Vec<_>> = tests.iter().map(|t| self.rule_test(t, *unless)).collect();
            let (Some(verbs), Some(tests)) = (verbs, conds) else {
                self.break_name(&name.text);
                continue;
            };
            let (name, span) = (Box::from(&*name.text), name.span);
            self.model.rules.push(Rule { name, only: *only, verbs, unless: *unless, tests, span });
        }
    }

    fn verb(&self, expr: &VerbExpr) -> Option<(Verb, Option<usize>)> {
        let Some(verb) = Verb::from_word(&expr.verb.text) else {
            self.report(findings::unknown_verb(&expr.verb));
            return None;
        };
        let Some(to) = &expr.to else { return Some((verb, None)) };
        if verb != Verb::Failover {
            self.report(findings::to_of_another(verb, to));
            return None;
        }
        if !self.resolve(NameKind::Parity, to) {
            return None;
        }
        let parity = self.model.parities.iter().position(|p| *p.name == *to.text)?;
        Some((verb, Some(parity)))
    }

    /// In `when`, an unknown fact counts as fulfilling the test, unless the cell speaks of unknown or known.
    fn rule_test(&self, test: &Test, unless: bool) -> Option<Cond> {
        let mut cond = self.test(test)?;
        if !unless && !speaks_of_unknown(&test.cell) {
            let mut set = (*cond.set).clone();
            set.unknown = true;
            cond.set = Arc::new(set);
        }
        Some(cond)
    }

    /// `waive …`, of the compiled file and of what it restricts.
    pub(super) fn waivers(&mut self) {
        for (role, item) in self.items().filter(|(role, _)| matches!(role, Role::Main | Role::Base)) {
            let ItemKind::Waive { what, rows, because, owner, until } = &item.kind else { continue };
            let code = diag::code(&what.text);
            let known = match code {
                Some(code) if code.severity == diag::Severity::Error => {
                    self.report(findings::waived_error(what, code));
                    false
                }
                Some(_) => true,
                None if looks_like_code(&what.text) => {
                    self.report(findings::unknown_code(what));
                    false
                }
                None => self.resolve(NameKind::Rule, what),
            };
            let places: Option<Vec<_>> = rows.iter().map(|r| self.row_ref(r)).collect();
            let (true, Some(rows)) = (known, places) else { continue };
            if code.is_none() {
                let of_base = self.names.get(&what.text).filter(|rule| rule.role != Role::Main);
                if role == Role::Main
                    && self.model.overlay.is_some()
                    && let Some(rule) = of_base
                {
                    self.report(findings::waived_of_base(what, rule.span));
                    continue;
                }
                let missing: Vec<&str> = [
                    ("for TABLE/ROW", rows.is_empty()),
                    ("owner NAME", owner.is_none()),
                    ("until DATE", until.is_none()),
                ]
                .into_iter()
                .filter_map(|(word, missing)| missing.then_some(word))
                .collect();
                if !missing.is_empty() {
                    self.report(findings::waiver_lacks(&what.text, &missing, item.span));
                    continue;
                }
            }
            if let Some(until) = until
                && until.text.parse::<jiff::civil::Date>().is_err()
            {
                self.report(findings::bad_date(until));
                continue;
            }
            let text = |w: &Word| Box::from(&*w.text);
            self.model.waivers.push(Waiver {
                what: text(what),
                rows,
                because: text(because),
                owner: owner.as_ref().map(text),
                until: until.as_ref().map(text),
                span: item.span,
            });
        }
    }

    /// `TABLE/ROW`, `TABLE/#3`
    pub(super) fn row_ref(&self, at: &RowRef) -> Option<(TableId, usize)> {
        if !self.resolve(NameKind::Table, &at.table) {
            return None;
        }
        let table = self.model.table_id(&at.table.text)?;
        self.tightened_row(table, &at.row.text).or_else(|| self.row_of(table, &at.row, false).map(|row| (table, row)))
    }

    /// A row of what tightens a table, where the table itself has none of that name.
    fn tightened_row(&self, table: TableId, label: &str) -> Option<(TableId, usize)> {
        let overlay = self.model.overlay.as_ref().filter(|_| self.model.tables[table.0].find_row(label).is_none())?;
        let own = overlay.tighten.iter().filter(|(base, _)| *base == table).map(|(_, own)| *own);
        own.into_iter().find_map(|own| self.model.tables[own.0].find_row(label).map(|row| (own, row)))
    }

    /// A row of a table by its name, or `#3`; the word may stand for `table/row` in full.
    pub(super) fn row_of(&self, table: TableId, word: &Word, in_full: bool) -> Option<usize> {
        let table = &self.model.tables[table.0];
        let found = table.find_row(&word.text);
        if found.is_none() && !table.damaged {
            self.report(findings::unknown_row(word, table, in_full));
        }
        found
    }
}

fn looks_like_code(text: &str) -> bool {
    text.len() == 5 && text.starts_with('N') && text[1..].bytes().all(|b| b.is_ascii_digit())
}
