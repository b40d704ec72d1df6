//! Facts: types, domains, named points; what `extend` adds; groups.

use crate::diag::nearest;
use crate::syntax::tree::{ItemKind, TypeExpr, Word};
use crate::text::Span;
use crate::words::LiteralError;

use super::{Group, Lowering, NameKind, Role, findings, literals};
use crate::model::{Extended, Fact, FactId, FactSource, NumberKind, NumberType, Type, ValueSet};

/// The most values of one choice.
pub const MAX_VALUES: usize = 4096;
/// The most facts of one policy, derived ones included.
pub const MAX_FACTS: usize = 1024;
/// The most named points of one fact.
pub const MAX_POINTS: usize = 16;

const BASIC: [&str; 7] = ["count", "integer", "decimal", "duration", "instant", "version", "text"];

impl Lowering<'_> {
    /// Facts in order of declaration: callers' facts, verdicts of parities, outputs of derives.
    pub(super) fn facts(&mut self) {
        let (mut n_derives, mut n_parities) = (0, 0);
        for (_, item) in self.items() {
            match &item.kind {
                ItemKind::Fact { name, ty, points } => {
                    self.fact(name, ty, points, FactSource::Caller);
                }
                ItemKind::Parity { name, .. } => {
                    self.parity_fact(name, n_parities);
                    n_parities += 1;
                }
                ItemKind::Derive { outputs, .. } => {
                    for (output, (name, ty)) in outputs.iter().enumerate() {
                        let source = FactSource::Derived { derive: n_derives, output };
                        self.fact(name, ty, &[], source);
                    }
                    n_derives += 1;
                }
                _ => {}
            }
        }
        if self.model.facts.len() > MAX_FACTS
            && let Some((_, fact)) = self.model.facts.get_index(MAX_FACTS)
        {
            self.report(findings::too_many("facts", self.model.facts.len(), MAX_FACTS, fact.span));
        }
    }

    fn fact(&mut self, name: &Word, ty: &TypeExpr, points: &[Word], source: FactSource) {
        if !self.declares(name) {
            return;
        }
        let Some(ty) = self.type_of(ty) else {
            return self.break_name(&name.text);
        };
        let mut fact = Fact { name: (*name.text).into(), ty, points: Vec::new(), source, span: name.span };
        for point in points {
            self.point(&mut fact, point);
        }
        if points.len() > MAX_POINTS {
            self.report(findings::too_many("named points of a fact", points.len(), MAX_POINTS, name.span));
            fact.points.truncate(MAX_POINTS);
        }
        self.model.facts.insert(fact.name.clone(), fact);
    }

    fn point(&self, fact: &mut Fact, point: &Word) {
        if matches!(&*point.text, "unknown" | "known") {
            self.report(findings::reserved_value(point));
        } else if fact.named_value(&point.text).is_some() {
            self.report(findings::value_twice(point, &fact.name, fact.span));
        } else {
            fact.points.push((*point.text).into());
        }
    }

    /// `parity.NAME : holds, refused`, whether some registered release meets it.
    fn parity_fact(&mut self, name: &Word, parity: usize) {
        if !self.declares(name) {
            return;
        }
        let fact = Fact {
            name: format!("parity.{}", name.text).into(),
            ty: Type::Choice { values: vec!["holds".into(), "refused".into()], ordered: false, flag: false },
            points: Vec::new(),
            source: FactSource::Parity(parity),
            span: name.span,
        };
        let first = self.names.get(&*fact.name).map(|d| d.span);
        if let Some(first) = first {
            let word = Word { text: fact.name.as_ref().into(), ..name.clone() };
            return self.report(findings::name_twice(&word, "fact", first, false));
        }
        let decl = super::Decl { kind: NameKind::Fact, span: name.span, role: super::Role::Used };
        self.names.insert(fact.name.as_ref().into(), decl);
        self.model.facts.insert(fact.name.clone(), fact);
    }

    fn type_of(&self, ty: &TypeExpr) -> Option<Type> {
        match ty {
            TypeExpr::Choice { values, span } => {
                if let [only] = &values[..]
                    && !only.quoted
                    && let Some(near) = nearest(&only.text, BASIC.into_iter().chain(["flag", "choice"]))
                    && BASIC.contains(&near)
                {
                    self.report(findings::unknown_type(only, near));
                    return None;
                }
                let texts: Vec<&str> = values.iter().map(|v| &*v.text).collect();
                let flag = matches!(texts[..], ["yes", "no"] | ["no", "yes"]);
                if flag {
                    let values = vec!["yes".into(), "no".into()];
                    return Some(Type::Choice { values, ordered: false, flag: true });
                }
                Some(Type::Choice { values: self.values(values, *span)?, ordered: false, flag: false })
            }
            TypeExpr::Ordered { values, span } => {
                Some(Type::Choice { values: self.values(values, *span)?, ordered: true, flag: false })
            }
            TypeExpr::Basic { name, lo, hi, step, span } => {
                if &*name.text == "text" {
                    if let Some(extra) = lo.as_ref().or(hi.as_ref()).or(step.as_ref()) {
                        self.report(findings::bounds_of_text(extra));
                        return None;
                    }
                    return Some(Type::Text);
                }
                let Some(kind) = NumberKind::from_word(&name.text) else {
                    self.report(findings::unknown_type(name, nearest(&name.text, BASIC).unwrap_or("count")));
                    return None;
                };
                self.number_type(kind, lo.as_ref(), hi.as_ref(), step.as_ref(), *span).map(Type::Number)
            }
        }
    }

    fn values(&self, words: &[Word], span: Span) -> Option<Vec<Box<str>>> {
        let mut values: Vec<Box<str>> = Vec::with_capacity(words.len());
        let mut ok = true;
        for (i, word) in words.iter().enumerate() {
            if matches!(&*word.text, "unknown" | "known") {
                self.report(findings::reserved_value(word));
                ok = false;
            } else if let Some(first) = values.iter().position(|v| **v == *word.text) {
                self.report(findings::value_twice(word, "this choice", words[first].span));
                ok = false;
            }
            values.push((*words[i].text).into());
        }
        if values.len() > MAX_VALUES {
            self.report(findings::too_many("values of a choice", values.len(), MAX_VALUES, span));
            return None;
        }
        // A doubled value is told, and harmless to the rest: the first of the two holds.
        let _ = ok;
        Some(values)
    }

    fn number_type(
        &self,
        kind: NumberKind,
        lo: Option<&Word>,
        hi: Option<&Word>,
        step: Option<&Word>,
        span: Span,
    ) -> Option<NumberType> {
        let mut ty = kind.whole();
        let read = |word: &Word| -> Option<i128> {
            literals::number(kind, &word.text)
                .map_err(|e: LiteralError| self.report(findings::literal(&e, word.span)))
                .ok()
        };
        if let Some(word) = lo {
            ty.lo = read(word)?;
        }
        if let Some(word) = hi {
            ty.hi = read(word)?;
        }
        let whole = kind.whole();
        if ty.lo > ty.hi || ty.lo < whole.lo || ty.hi > whole.hi {
            self.report(findings::bad_domain(kind.as_str(), ty.lo > ty.hi, span));
            return None;
        }
        if let Some(word) = step {
            if kind != NumberKind::Decimal {
                self.report(findings::step_of(kind.as_str(), word));
                return None;
            }
            let step = read(word)?;
            if step <= 0 {
                self.report(findings::bad_step(word));
                return None;
            }
            ty.step = step;
            ty.dense = false;
            // Without a written bound the grid runs through 0.
            if lo.is_none() {
                ty.lo += (-ty.lo).rem_euclid(step);
            }
            ty.hi -= (ty.hi - ty.lo).rem_euclid(step);
            if let Some(word) = hi
                && read(word) != Some(ty.hi)
            {
                self.report(findings::off_grid(
                    &word.text,
                    word.span,
                    &literals::show(&ty, ty.lo),
                    &literals::show_step(step),
                ));
                return None;
            }
        }
        Some(ty)
    }

    /// `extend FACT : values`, for the whole composed policy, before anything is judged.
    pub(super) fn extends(&mut self) {
        for (role, item) in self.items() {
            let ItemKind::Extend { fact: name, values } = &item.kind else { continue };
            if !self.resolve(NameKind::Fact, name) {
                continue;
            }
            let mut added = Vec::new();
            let Some(fact) = self.model.facts.get(&*name.text) else { continue };
            let Type::Choice { values: old, ordered: false, flag: false } = &fact.ty else {
                self.report(findings::cannot_extend(name, fact));
                continue;
            };
            if !matches!(fact.source, FactSource::Caller) {
                self.report(findings::cannot_extend(name, fact));
                continue;
            }
            for value in values {
                if matches!(&*value.text, "unknown" | "known") {
                    self.report(findings::reserved_value(value));
                } else if old.iter().chain(&added).any(|v| **v == *value.text)
                    || fact.points.iter().any(|p| **p == *value.text)
                {
                    self.report(findings::value_twice(value, &fact.name, fact.span));
                } else {
                    added.push(Box::from(&*value.text));
                }
            }
            if old.len() + added.len() > MAX_VALUES {
                self.report(findings::too_many("values of a choice", old.len() + added.len(), MAX_VALUES, item.span));
                continue;
            }
            let (first, n_added) = (old.len(), added.len());
            if let Some((place, _, Fact { ty: Type::Choice { values, .. }, .. })) =
                self.model.facts.get_full_mut(&*name.text)
            {
                values.extend(added);
                if role == Role::Main {
                    let values = (first..first + n_added).collect();
                    self.model.extended.push(Extended { fact: FactId(place as u32), values, span: item.span });
                }
            }
        }
    }

    /// `group NAME of FACT : values`
    pub(super) fn groups(&mut self) {
        for (_, item) in self.items() {
            let ItemKind::Group { name, fact: of, values } = &item.kind else { continue };
            if !self.declares(name) {
                continue;
            }
            let group = self.fact_of(of).and_then(|id| self.group(id, name, values));
            match group {
                Some(group) => {
                    self.groups.insert(name.text.clone(), group);
                }
                None => self.break_name(&name.text),
            }
        }
    }

    fn group(&self, id: FactId, name: &Word, values: &[Word]) -> Option<Group> {
        let fact = self.model.fact(id);
        if fact.named_value(&name.text).is_some() {
            self.report(findings::group_like_value(name, fact));
            return None;
        }
        let mut set = ValueSet::none(fact);
        let mut ok = true;
        for (i, word) in values.iter().enumerate() {
            if let Some(first) = values[..i].iter().find(|w| w.text == word.text) {
                self.report(findings::value_twice(word, "this group", first.span));
                continue;
            }
            match self.value(fact, &word.text, word.quoted, word.span) {
                Some(value) => set = set.or(&ValueSet::one(fact, &value), fact),
                None => ok = false,
            }
        }
        // A value that is wrong has its finding; the group stands with the rest.
        (ok || !set.is_empty()).then_some(Group { fact: id, set })
    }

    /// The fact of a word, with the finding where there is none.
    pub(super) fn fact_of(&self, word: &Word) -> Option<FactId> {
        let of_broken_parity = word.text.strip_prefix("parity.").is_some_and(|name| self.broken.contains(name));
        if of_broken_parity || self.broken.contains(&word.text) || !self.resolve(NameKind::Fact, word) {
            return None;
        }
        self.model.fact_id(&word.text)
    }
}
