//! Literals: a word read as a value of the fact that it is compared with.

use crate::model::{Fact, FactId, NumberKind, NumberType, Type, Value};
use crate::text::Span;
use crate::words::{
    DECIMAL_UNIT, LiteralError, parse_decimal, parse_duration, parse_instant, parse_version, show_decimal,
    show_duration, show_instant, show_version,
};

use super::{Lowering, findings};

/// Reads a number of some kind into ticks; the bounds are not looked at.
pub(crate) fn number(kind: NumberKind, text: &str) -> Result<i128, LiteralError> {
    match kind {
        NumberKind::Count | NumberKind::Integer => {
            let ticks = parse_decimal(text)?;
            if ticks % DECIMAL_UNIT == 0 {
                return Ok(ticks / DECIMAL_UNIT);
            }
            let kind = kind.as_str();
            Err(LiteralError::new(format!("`{text}` is not a whole number")).help(format!("a {kind} has no fraction")))
        }
        NumberKind::Decimal => parse_decimal(text),
        NumberKind::Duration => parse_duration(text).map(i128::from),
        NumberKind::Instant => parse_instant(text),
        NumberKind::Version => parse_version(text),
    }
}

/// Writes ticks as the language does.
pub(crate) fn show(ty: &NumberType, ticks: i128) -> String {
    match ty.kind {
        NumberKind::Count | NumberKind::Integer => ticks.to_string(),
        NumberKind::Decimal => show_decimal(ticks),
        NumberKind::Duration => show_duration(u64::try_from(ticks).unwrap_or(0)),
        NumberKind::Instant => show_instant(ticks),
        NumberKind::Version => show_version(ticks),
    }
}

/// Writes a decimal's step.
pub(super) fn show_step(step: i128) -> String {
    show_decimal(step)
}

impl Lowering<'_> {
    /// One value of a fact as written in a cell; the finding where it is none.
    pub(super) fn value(&self, fact: &Fact, text: &str, quoted: bool, span: Span) -> Option<Value> {
        if let Some(i) = fact.points.iter().position(|p| **p == *text).filter(|_| !quoted) {
            return Some(Value::Point(i as u16));
        }
        match &fact.ty {
            Type::Choice { .. } => self.choice(fact, text, span),
            Type::Number(ty) => self.ticks(fact, ty, text, quoted, span).map(Value::Number),
            Type::Text if quoted => Some(Value::Text(text.into())),
            Type::Text => {
                self.report(findings::text_without_quotes(text, fact, span));
                None
            }
        }
    }

    fn choice(&self, fact: &Fact, text: &str, span: Span) -> Option<Value> {
        let found = fact.named_value(text).filter(|v| matches!(v, Value::Choice(_)));
        if found.is_none() {
            let groups: Vec<&str> = self
                .groups
                .iter()
                .filter(|(_, g)| self.model.fact(g.fact).name == fact.name)
                .map(|(n, _)| &**n)
                .collect();
            let elsewhere = self.where_else(fact, text);
            self.report(findings::no_value(fact, text, span, groups, elsewhere.as_deref()));
        }
        found
    }

    /// Another fact that has this word as a value: the cell may stand in the wrong column.
    fn where_else(&self, fact: &Fact, text: &str) -> Option<String> {
        let mut others = self.model.facts.values().filter(|f| f.name != fact.name && !is_plain_flag(f));
        others.find(|f| f.named_value(text).is_some()).map(|f| f.name.to_string())
    }

    /// A number of a fact, on its grid and inside its domain.
    pub(super) fn ticks(&self, fact: &Fact, ty: &NumberType, text: &str, quoted: bool, span: Span) -> Option<i128> {
        if quoted {
            self.report(findings::number_in_quotes(text, fact, span));
            return None;
        }
        let ticks = match number(ty.kind, text) {
            Ok(ticks) => ticks,
            Err(error) => {
                self.report(findings::not_of_type(
                    fact,
                    ty,
                    text,
                    &error,
                    span,
                    self.where_else(fact, text).as_deref(),
                ));
                return None;
            }
        };
        if ticks < ty.lo || ticks > ty.hi {
            self.report(findings::outside_domain(fact, ty, text, span));
            return None;
        }
        if (ticks - ty.lo) % ty.step != 0 {
            self.report(findings::off_grid(text, span, &show(ty, ty.lo), &show_step(ty.step)));
            return None;
        }
        Some(ticks)
    }

    /// A fact by id.
    pub(super) fn fact_at(&self, id: FactId) -> &Fact {
        self.model.fact(id)
    }
}

fn is_plain_flag(fact: &Fact) -> bool {
    matches!(fact.ty, Type::Choice { flag: true, .. })
}
