//! Cells: an expression read as the set of values that it admits.

use std::rc::Rc;
use std::sync::Arc;

use crate::model::{Cond, Fact, FactId, Type, Value, ValueSet};
use crate::syntax::tree::{Atom, AtomKind, CellExpr, Comparison, Element, Literal, Test};
use crate::text::Span;

use super::{Lowering, findings};

impl Lowering<'_> {
    /// The set of a cell of a fact; the finding where it has none, or where it admits nothing.
    ///
    /// Cells of equal text share one expression, so a large table types each text once.
    pub(super) fn cell(&self, id: FactId, expr: &Rc<CellExpr>, at: Span) -> Option<Arc<ValueSet>> {
        let key = (id, Rc::as_ptr(expr));
        if let Some(set) = self.cells.borrow().get(&key) {
            return Some(set.clone());
        }
        let fact = self.model.fact(id);
        let mut whole = ValueSet::none(fact);
        let mut ok = true;
        for alternative in &expr.alternatives {
            match self.conjunction(fact, id, alternative, at) {
                Some(set) => whole = whole.or(&set, fact),
                None => ok = false,
            }
        }
        if !ok {
            return None;
        }
        let set = Arc::new(whole);
        self.cells.borrow_mut().insert(key, set.clone());
        Some(set)
    }

    fn conjunction(&self, fact: &Fact, id: FactId, atoms: &[Atom], at: Span) -> Option<ValueSet> {
        let mut whole = ValueSet::all(fact);
        let mut ok = true;
        for atom in atoms {
            match self.atom(fact, id, atom, at) {
                Some(set) => whole = whole.and(&set, fact),
                None => ok = false,
            }
        }
        if ok && whole.is_empty() {
            let (first, last) = (atoms.first()?, atoms.last()?);
            self.report(findings::admits_nothing(fact, at.sub(first.start as usize, last.end as usize)));
            return None;
        }
        ok.then_some(whole)
    }

    fn atom(&self, fact: &Fact, id: FactId, atom: &Atom, at: Span) -> Option<ValueSet> {
        let span = at.sub(atom.start as usize, atom.end as usize);
        match &atom.kind {
            AtomKind::Known => Some(ValueSet::known(fact)),
            AtomKind::List(elements) => self.elements(fact, id, elements, at),
            AtomKind::Not(elements) => {
                let set = self.elements(fact, id, elements, at)?;
                let rest = set.complement_known(fact);
                if rest.is_empty() {
                    self.report(findings::leaves_nothing(fact, span));
                    return None;
                }
                Some(rest)
            }
            AtomKind::Compare(comparison, literal) => self.comparison(fact, *comparison, literal, at, span),
            AtomKind::Starts(literal) => {
                if !matches!(fact.ty, Type::Text) {
                    self.report(findings::starts_of(fact, span));
                    return None;
                }
                Some(ValueSet {
                    values: crate::model::Values::Text(crate::model::TextSet::prefix(&literal.text)),
                    ..ValueSet::none(fact)
                })
            }
        }
    }

    fn elements(&self, fact: &Fact, id: FactId, elements: &[Element], at: Span) -> Option<ValueSet> {
        let mut whole = ValueSet::none(fact);
        let mut ok = true;
        for (i, element) in elements.iter().enumerate() {
            let Some(set) = self.element(fact, id, element, at) else {
                ok = false;
                continue;
            };
            if let Some(first) = elements[..i].iter().find(|e| same_words(e, element)) {
                self.report(findings::element_twice(element_span(element, at), element_span(first, at)));
                ok = false;
            }
            whole = whole.or(&set, fact);
        }
        ok.then_some(whole)
    }

    fn element(&self, fact: &Fact, id: FactId, element: &Element, at: Span) -> Option<ValueSet> {
        match element {
            Element::Unknown(_) => Some(ValueSet::only_unknown(fact)),
            Element::One(literal) => {
                if !literal.quoted && fact.named_value(&literal.text).is_none() {
                    if self.broken.contains(&literal.text) {
                        return None;
                    }
                    if let Some(group) = self.groups.get(&literal.text) {
                        self.uses(&literal.text);
                        if group.fact == id {
                            return Some(group.set.clone());
                        }
                        let (of, span) = (self.fact_at(group.fact), place(literal, at));
                        self.report(findings::group_of_another(&literal.text, fact, of, span));
                        return None;
                    }
                }
                let value = self.value(fact, &literal.text, literal.quoted, place(literal, at))?;
                Some(ValueSet::one(fact, &value))
            }
            Element::Range { lo, hi, open } => self.range(fact, lo, hi, *open, at),
        }
    }

    fn range(&self, fact: &Fact, lo: &Literal, hi: &Literal, open: bool, at: Span) -> Option<ValueSet> {
        let span = place(lo, at).to(place(hi, at));
        match &fact.ty {
            Type::Choice { ordered: true, values, .. } => {
                let a = self.place_in_order(fact, lo, at);
                let b = self.place_in_order(fact, hi, at);
                let (a, b) = (a?, b?);
                if a > b || (open && a == b) {
                    self.report(findings::reversed_range(&lo.text, &hi.text, open && a == b, span));
                    return None;
                }
                let last = if open { b - 1 } else { b };
                Some(choices(fact, (0..values.len()).filter(|i| (a..=last).contains(i))))
            }
            Type::Number(ty) => {
                let a = self.ticks(fact, ty, &lo.text, lo.quoted, place(lo, at));
                let b = self.ticks(fact, ty, &hi.text, hi.quoted, place(hi, at));
                let (a, b) = (a?, b?);
                if a > b || (open && a == b) {
                    self.report(findings::reversed_range(&lo.text, &hi.text, open && a == b, span));
                    return None;
                }
                Some(ValueSet::range(fact, a, if open { b - ty.step } else { b }))
            }
            _ => {
                self.report(findings::no_order(fact, span));
                None
            }
        }
    }

    fn comparison(&self, fact: &Fact, op: Comparison, literal: &Literal, at: Span, span: Span) -> Option<ValueSet> {
        let set = match &fact.ty {
            Type::Choice { ordered: true, values, .. } => {
                let n = self.place_in_order(fact, literal, at)?;
                choices(fact, (0..values.len()).filter(|i| compares(op, *i, n)))
            }
            Type::Number(ty) => {
                let n = self.ticks(fact, ty, &literal.text, literal.quoted, place(literal, at))?;
                match op {
                    Comparison::Less => ValueSet::range(fact, ty.lo, n - ty.step),
                    Comparison::AtMost => ValueSet::range(fact, ty.lo, n),
                    Comparison::Greater => ValueSet::range(fact, n + ty.step, ty.hi),
                    Comparison::AtLeast => ValueSet::range(fact, n, ty.hi),
                }
            }
            _ => {
                self.report(findings::no_order(fact, span));
                return None;
            }
        };
        if set.is_empty() {
            self.report(findings::admits_nothing(fact, span));
            return None;
        }
        Some(set)
    }

    fn place_in_order(&self, fact: &Fact, literal: &Literal, at: Span) -> Option<usize> {
        if let Value::Choice(i) = self.value(fact, &literal.text, literal.quoted, place(literal, at))? {
            return Some(usize::from(i));
        }
        self.report(findings::no_order(fact, place(literal, at)));
        None
    }

    /// `FACT is CELL`
    pub(super) fn test(&self, test: &Test) -> Option<Cond> {
        let fact = self.fact_of(&test.fact)?;
        let set = self.cell(fact, &test.cell, test.at)?;
        Some(Cond { fact, set, span: test.fact.span.to(test.at) })
    }

    /// The one value that a test or cell names, for a fact that is given: no range, no list.
    pub(super) fn single(&self, id: FactId, expr: &CellExpr, at: Span) -> Option<Value> {
        let fact = self.model.fact(id);
        let only = match &expr.alternatives[..] {
            [only] if only.len() == 1 => only.first(),
            _ => None,
        };
        let listed: &[Element] = match only.map(|atom| &atom.kind) {
            Some(AtomKind::List(elements)) => elements,
            _ => &[],
        };
        match listed {
            [Element::Unknown(_)] => Some(Value::Unknown),
            [Element::One(literal)] => self.value(fact, &literal.text, literal.quoted, place(literal, at)),
            _ => {
                self.report(findings::not_one_value(fact, at));
                None
            }
        }
    }
}

/// Whether a cell itself speaks of unknown or known.
pub(super) fn speaks_of_unknown(expr: &CellExpr) -> bool {
    expr.alternatives.iter().flatten().any(|atom| match &atom.kind {
        AtomKind::Known => true,
        AtomKind::List(elements) | AtomKind::Not(elements) => elements.iter().any(|e| matches!(e, Element::Unknown(_))),
        _ => false,
    })
}

fn place(literal: &Literal, at: Span) -> Span {
    at.sub(literal.start as usize, literal.end as usize)
}

fn element_span(element: &Element, at: Span) -> Span {
    match element {
        Element::Unknown(l) | Element::One(l) => place(l, at),
        Element::Range { lo, hi, .. } => place(lo, at).to(place(hi, at)),
    }
}

fn same_words(a: &Element, b: &Element) -> bool {
    match (a, b) {
        (Element::Unknown(_), Element::Unknown(_)) => true,
        (Element::One(a), Element::One(b)) => a.text == b.text && a.quoted == b.quoted,
        _ => false,
    }
}

fn choices(fact: &Fact, places: impl Iterator<Item = usize>) -> ValueSet {
    places.fold(ValueSet::none(fact), |set, i| set.or(&ValueSet::one(fact, &Value::Choice(i as u16)), fact))
}

fn compares(op: Comparison, a: usize, b: usize) -> bool {
    match op {
        Comparison::Less => a < b,
        Comparison::AtMost => a <= b,
        Comparison::Greater => a > b,
        Comparison::AtLeast => a >= b,
    }
}
