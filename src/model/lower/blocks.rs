//! What stands in `{ }`: budget, backoffs, locators, parities.

use crate::diag::nearest;
use crate::model::{Backoff, Budget, Jitter, LayerBelow, Locator, NumberKind, Parity, ParityTerm};
use crate::syntax::keys::{BACKOFF, BUDGET, LOCATOR};
use crate::syntax::tree::{Block, Entry, ItemKind, Word};
use crate::words::{DECIMAL_UNIT, parse_decimal, parse_duration};

use super::{Lowering, Role, findings, literals};

/// The most attempts, looks, units and copies that can be written.
pub const MAX_COUNT: u64 = 1_000_000;
/// The greatest factor of a backoff, in tenths.
pub const MAX_FACTOR_TENTHS: u64 = 1_000;

impl Lowering<'_> {
    /// Every block, in order; budgets only of the compiled file and of what it restricts.
    pub(super) fn blocks(&mut self) {
        let mut budget: Option<(Role, Budget)> = None;
        for (role, item) in self.items() {
            match &item.kind {
                ItemKind::Budget(block) if matches!(role, Role::Main | Role::Base) => {
                    let lowered = self.budget(block);
                    match (&budget, lowered) {
                        (Some((first_role, first)), Some(_)) if *first_role == role => {
                            self.report(findings::budget_twice(block.span, first.span));
                        }
                        (first, Some(lowered)) => {
                            if let Some((_, base)) = first {
                                self.within_base(base, &lowered);
                            }
                            budget = Some((role, lowered));
                        }
                        (_, None) => {}
                    }
                }
                ItemKind::Backoff { name, block } if self.declares(name) => match self.backoff(name, block) {
                    Some(backoff) => self.model.backoffs.push(backoff),
                    None => self.break_name(&name.text),
                },
                ItemKind::Locator { name, block } if self.declares(name) => match self.locator(name, block) {
                    Some(locator) => self.model.locators.push(locator),
                    None => self.break_name(&name.text),
                },
                ItemKind::Parity { name, block } if self.declares(name) => {
                    let terms = self.parity_terms(name, block);
                    self.model.parities.push(Parity { name: (*name.text).into(), terms, span: name.span });
                }
                _ => {}
            }
        }
        self.model.budget = budget.map(|(_, budget)| budget);
    }

    /// An overlay may only have fewer attempts, less refill and time, and only keep back more.
    fn within_base(&self, base: &Budget, own: &Budget) {
        let refill = |b: &Budget| b.refill.unwrap_or((i128::MAX, u64::MAX));
        let wider = [
            ("attempts", own.attempts > base.attempts),
            ("refill", refill(own).0 > refill(base).0 || refill(own).1 > refill(base).1),
            ("deadline", own.deadline_ms > base.deadline_ms),
            ("reserve", own.reserve_ms < base.reserve_ms),
            ("least", own.least_ms < base.least_ms),
        ];
        let wider: Vec<&str> = wider.into_iter().filter_map(|(name, wider)| wider.then_some(name)).collect();
        if !wider.is_empty() {
            self.report(findings::wider_budget(&wider, own.span, base.span));
        }
    }

    /// The entry of each key; unknown and doubled keys are findings.
    fn entries<'b, const N: usize>(
        &self,
        block: &'b Block,
        what: &str,
        keys: [&str; N],
        many: &str,
    ) -> [Option<&'b Entry>; N] {
        let mut found = [None; N];
        for entry in &block.entries {
            let Some(key) = entry.words.first() else { continue };
            let Some(i) = keys.iter().position(|k| *k == &*key.text) else {
                self.report(findings::unknown_key(what, key, nearest(&key.text, keys), &keys));
                continue;
            };
            match found[i] {
                None => found[i] = Some(entry),
                Some(first) if *key.text != *many => {
                    self.report(findings::key_twice(entry.span, &key.text, first.span));
                }
                Some(_) => {}
            }
        }
        found
    }

    /// Tells what a block lacks, where no entry of another name may have been meant for it.
    fn lacks(&self, what: &str, missing: &[&str], block: &Block, keys: &[&str]) {
        let is_known = |e: &Entry| e.words.first().is_none_or(|key| keys.contains(&&*key.text));
        if !missing.is_empty() && !block.damaged && block.entries.iter().all(is_known) {
            self.report(findings::missing_keys(what, missing, block.span));
        }
    }

    /// The only word after a key.
    fn only<'b>(&self, entry: &'b Entry, example: &str) -> Option<&'b Word> {
        if let [_, word] = &entry.words[..] {
            return Some(word);
        }
        let spaced = findings::spaced_entry(entry, example);
        self.report(spaced.unwrap_or_else(|| findings::bad_entry(entry.span, example)));
        None
    }

    fn entry_duration(&self, entry: Option<&Entry>, example: &str) -> Result<Option<u64>, ()> {
        let Some(entry) = entry else { return Ok(None) };
        if let [_, number, unit] = &entry.words[..]
            && let Some(finding) = findings::spaced_unit(number, unit)
        {
            self.report(finding);
            return Err(());
        }
        let word = self.only(entry, example).ok_or(())?;
        parse_duration(&word.text).map(Some).map_err(|e| self.report(findings::literal(&e, word.span)))
    }

    fn entry_count(&self, entry: Option<&Entry>, least: u64, example: &str) -> Result<Option<u64>, ()> {
        let Some(entry) = entry else { return Ok(None) };
        let word = self.only(entry, example).ok_or(())?;
        self.count(word, least, MAX_COUNT).map(Some).ok_or(())
    }

    /// A whole number between two bounds.
    pub(super) fn count(&self, word: &Word, least: u64, most: u64) -> Option<u64> {
        match literals::number(NumberKind::Integer, &word.text) {
            Err(error) => self.report(findings::literal(&error, word.span)),
            Ok(n) if n < i128::from(least) || n > i128::from(most) => {
                self.report(findings::out_of_bounds(&word.text, least, most, word.span));
            }
            Ok(n) => return u64::try_from(n).ok(),
        }
        None
    }

    fn budget(&self, block: &Block) -> Option<Budget> {
        let [owner, below, attempts, refill, deadline, reserve, confirm, least, late] =
            self.entries(block, "budget", BUDGET, "below");
        let missing: Vec<&str> = [("owner", owner), ("attempts", attempts), ("deadline", deadline)]
            .into_iter()
            .filter_map(|(name, entry)| entry.is_none().then_some(name))
            .collect();
        self.lacks("budget", &missing, block, &BUDGET);
        let owner = owner.map(|e| self.only(e, "owner coordinator").map(|w| Box::from(&*w.text)).ok_or(()));
        let below = below.map_or(Some(Vec::new()), |_| self.below(block));
        let attempts = self.entry_count(attempts, 1, "attempts 3");
        let refill = refill.map_or(Ok(None), |e| self.refill(e).map(Some).ok_or(()));
        let (deadline_ms, reserve_ms) =
            (self.entry_duration(deadline, "deadline 20s"), self.entry_duration(reserve, "reserve 4s"));
        let confirm = self.entry_count(confirm, 1, "confirm 3");
        let (least_ms, late_ms) = (self.entry_duration(least, "least 300ms"), self.entry_duration(late, "late 2m"));
        let budget = Budget {
            owner: owner?.ok()?,
            below: below?,
            attempts: attempts.ok()??,
            refill: refill.ok()?,
            deadline_ms: deadline_ms.ok()??,
            reserve_ms: reserve_ms.ok()?.unwrap_or(0),
            confirm: confirm.ok()?.unwrap_or(1),
            least_ms: least_ms.ok()?.unwrap_or(0),
            late_ms: late_ms.ok()?.unwrap_or(0),
            span: block.span,
        };
        if budget.reserve_ms + budget.least_ms >= budget.deadline_ms
            && let Some(at) = deadline
        {
            self.report(findings::no_time_left(&budget, at.span, reserve.or(least).map(|e| e.span)));
        }
        Some(budget)
    }

    fn below(&self, block: &Block) -> Option<Vec<LayerBelow>> {
        let entries = block.entries.iter().filter(|e| e.words.first().is_some_and(|w| &*w.text == "below"));
        entries
            .map(|entry| {
                if let [_, name, attempts] = &entry.words[..] {
                    let attempts = self.count(attempts, 1, MAX_COUNT)?;
                    return Some(LayerBelow { name: (*name.text).into(), attempts });
                }
                self.report(findings::bad_entry(entry.span, "below sdk 3"));
                None
            })
            .collect()
    }

    /// `refill 10% of intents, at least 5 per second`
    fn refill(&self, entry: &Entry) -> Option<(i128, u64)> {
        let texts: Vec<&str> = entry.words.iter().map(|w| &*w.text).collect();
        if let ["refill", share, "of", "intents", "at", "least", _, "per", "second"] = texts[..]
            && let Some(percent) = share.strip_suffix('%')
        {
            let percent =
                parse_decimal(percent).map_err(|e| self.report(findings::literal(&e, entry.words[1].span))).ok()?;
            if !(0..=100 * DECIMAL_UNIT).contains(&percent) {
                self.report(findings::out_of_bounds(share, 0, 100, entry.words[1].span));
                return None;
            }
            return Some((percent, self.count(&entry.words[6], 0, MAX_COUNT)?));
        }
        self.report(findings::bad_entry(entry.span, "refill 10% of intents, at least 5 per second"));
        None
    }

    fn backoff(&self, name: &Word, block: &Block) -> Option<Backoff> {
        let [base, factor, cap, jitter] = self.entries(block, "backoff", BACKOFF, "");
        let missing: Vec<&str> =
            [("base", base), ("cap", cap)].into_iter().filter_map(|(n, e)| e.is_none().then_some(n)).collect();
        self.lacks("backoff", &missing, block, &BACKOFF);
        let base_ms = self.entry_duration(base, "base 200ms");
        let cap_ms = self.entry_duration(cap, "cap 8s");
        let factor_tenths = factor.map_or(Some(20), |e| self.factor(e));
        let jitter = jitter.map_or(Some(Jitter::Full), |e| self.jitter(e));
        let (base_ms, cap_ms, factor_tenths, jitter) = (base_ms.ok()??, cap_ms.ok()??, factor_tenths?, jitter?);
        if base_ms == 0 || base_ms > cap_ms {
            self.report(findings::bad_backoff(base_ms, cap_ms, base?.span, cap?.span));
            return None;
        }
        let steps_ms = steps(base_ms, factor_tenths, cap_ms);
        Some(Backoff { name: (*name.text).into(), base_ms, factor_tenths, cap_ms, jitter, steps_ms, span: name.span })
    }

    fn factor(&self, entry: &Entry) -> Option<u64> {
        let word = self.only(entry, "factor 2")?;
        let ticks = parse_decimal(&word.text).map_err(|e| self.report(findings::literal(&e, word.span))).ok()?;
        let tenths = ticks / (DECIMAL_UNIT / 10);
        let fits = ticks % (DECIMAL_UNIT / 10) == 0 && (10..=i128::from(MAX_FACTOR_TENTHS)).contains(&tenths);
        if !fits {
            self.report(findings::bad_factor(&word.text, word.span));
            return None;
        }
        u64::try_from(tenths).ok()
    }

    fn jitter(&self, entry: &Entry) -> Option<Jitter> {
        let word = self.only(entry, "jitter full")?;
        let all = [Jitter::None, Jitter::Equal, Jitter::Full];
        let found = all.into_iter().find(|j| j.as_str() == &*word.text);
        if found.is_none() {
            self.report(findings::bad_jitter(word, nearest(&word.text, all.map(Jitter::as_str))));
        }
        found
    }

    fn locator(&self, name: &Word, block: &Block) -> Option<Locator> {
        let [lag, remembers, looks] = self.entries(block, "locator", LOCATOR, "");
        let lag_ms = self.entry_duration(lag, "lag 5s");
        let remembers_ms = self.entry_duration(remembers, "remembers 24h");
        let looks_read = self.entry_count(looks, 1, "looks 3");
        let locator = Locator {
            name: (*name.text).into(),
            lag_ms: lag_ms.ok()?.unwrap_or(0),
            remembers_ms: remembers_ms.ok()?,
            looks: looks_read.ok()?,
            span: name.span,
        };
        if locator.remembers_ms.is_some_and(|r| r <= locator.lag_ms)
            && let (Some(remembers), at) = (remembers, lag.or(remembers))
        {
            self.report(findings::forgets_first(remembers.span, at.map(|e| e.span)));
        }
        Some(locator)
    }

    fn parity_terms(&self, name: &Word, block: &Block) -> Vec<ParityTerm> {
        if block.entries.is_empty() && !block.damaged {
            self.report(findings::empty_parity(name));
        }
        let mut seen: Vec<&Word> = Vec::new();
        let mut terms = Vec::new();
        for entry in &block.entries {
            let Some((term, fields)) = self.parity_term(entry) else { continue };
            for field in fields {
                match seen.iter().find(|w| w.text == field.text) {
                    Some(first) => self.report(findings::field_twice(field, first.span)),
                    None => seen.push(field),
                }
            }
            terms.push(term);
        }
        terms
    }

    fn parity_term<'b>(&self, entry: &'b Entry) -> Option<(ParityTerm, &'b [Word])> {
        let texts: Vec<&str> = entry.words.iter().map(|w| &*w.text).collect();
        let names = |words: &[Word]| words.iter().map(|w| Box::from(&*w.text)).collect::<Vec<Box<str>>>();
        match texts[..] {
            ["same", _, ..] => Some((ParityTerm::Same(names(&entry.words[1..])), &entry.words[1..])),
            ["no", "broader", _, ..] => Some((ParityTerm::NoBroader(names(&entry.words[2..])), &entry.words[2..])),
            ["may", "differ", _, ..] => Some((ParityTerm::MayDiffer(names(&entry.words[2..])), &entry.words[2..])),
            ["at", "least", field, number] => {
                let read = parse_decimal(number).map_err(|e| self.report(findings::literal(&e, entry.words[3].span)));
                Some((ParityTerm::AtLeast(field.into(), read.ok()?), &entry.words[2..3]))
            }
            ["fresh", field, "within", time] => {
                let read = parse_duration(time).map_err(|e| self.report(findings::literal(&e, entry.words[3].span)));
                Some((ParityTerm::Fresh(field.into(), read.ok()?), &entry.words[1..2]))
            }
            _ => {
                let starts = ["same", "no broader", "at least", "fresh", "may differ"];
                let near = nearest(texts.first().copied().unwrap_or(""), starts);
                self.report(findings::bad_parity_term(entry.span, near));
                None
            }
        }
    }
}

/// `min(cap, base · factor^(n−1))` for n = 1, 2, … up to the first that reaches the cap. Exact while the product
/// fits 128 bits; beyond, each further step is rounded down to a millisecond.
pub fn steps(base_ms: u64, factor_tenths: u64, cap_ms: u64) -> Vec<u64> {
    let (mut product, mut scale) = (u128::from(base_ms), 1u128);
    let mut steps = vec![base_ms.min(cap_ms)];
    while factor_tenths > 10 && steps.last().is_some_and(|s| *s < cap_ms) {
        let exact = product.checked_mul(u128::from(factor_tenths)).zip(scale.checked_mul(10));
        (product, scale) = exact.unwrap_or((product / scale * u128::from(factor_tenths), 10));
        let step = u64::try_from(product / scale).unwrap_or(cap_ms).min(cap_ms);
        // A base of a few milliseconds with a factor below 2 may stand still after rounding: one more at least.
        let next = step.max(steps.last().copied().unwrap_or(0));
        steps.push(next);
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::steps;

    #[test]
    fn steps_grow_to_the_cap() {
        assert_eq!(steps(200, 20, 8_000), [200, 400, 800, 1_600, 3_200, 6_400, 8_000]);
        assert_eq!(steps(200, 10, 8_000), [200]);
        assert_eq!(steps(200, 15, 1_500), [200, 300, 450, 675, 1_012, 1_500]);
        let slow = steps(1, 11, 3_153_600_000_000);
        assert!(slow.len() < 400 && slow.last() == Some(&3_153_600_000_000));
    }
}
