//! The grammar, run: one rule on one piece of text.

use std::num::NonZeroUsize;
use std::sync::Once;

use pest::Parser;
use pest::error::InputLocation;
use pest::iterators::Pair;

pub(super) use rules::Rule;

/// What the derive macro makes of `grammar/nisi.pest`.
#[allow(missing_docs, unreachable_pub, clippy::pedantic, reason = "pest's macro writes the items")]
mod rules {
    #[derive(pest_derive::Parser)]
    #[grammar = "../grammar/nisi.pest"]
    pub struct Grammar;
}

/// A bound on the parser's steps, far above what the largest allowed file needs: no input can hang it.
const STEPS: usize = 400_000_000;

/// Runs a rule on a whole piece; a failure gives the furthest place that was reached.
pub(super) fn run(rule: Rule, text: &str) -> Result<Pair<'_, Rule>, usize> {
    static BOUND: Once = Once::new();
    BOUND.call_once(|| pest::set_call_limit(NonZeroUsize::new(STEPS)));
    match rules::Grammar::parse(rule, text) {
        Ok(mut pairs) => pairs.next().ok_or(0),
        Err(error) => Err(match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at.min(text.len()),
        }),
    }
}

/// The first inner pair of one rule.
pub(super) fn inner<'a>(pair: &Pair<'a, Rule>, rule: Rule) -> Option<Pair<'a, Rule>> {
    pair.clone().into_inner().find(|p| p.as_rule() == rule)
}

/// All inner pairs of one rule.
pub(super) fn all<'a>(pair: &Pair<'a, Rule>, rule: Rule) -> impl Iterator<Item = Pair<'a, Rule>> {
    pair.clone().into_inner().filter(move |p| p.as_rule() == rule)
}
