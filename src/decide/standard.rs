//! The standard facts, typed: a struct on the way in, and what guards and waits read on the way through.
//!
//! The words of `std.facts` are matched with the model's values once, when the policy is made; after that nothing
//! looks up a word.

use std::time::Duration;

use crate::model::{FactId, FactSource, Model, Type, Value};
use crate::program::{Pace, Program};
use crate::words::{
    Acceptable, Authorization, Boundary, Condition, Dispatch, Effect, ParityVerdict, Pushback, Release, Shown, Tier,
    Tools,
};

use super::facts::{Facts, Round, Said, whole_ms};

/// How long the receiver asks to wait: the fact `hint`. That it asks for nothing is known, and not the same as unknown.
///
/// ```
/// use nisi::decide::{Hint, StandardFacts};
/// assert_eq!(StandardFacts::default().hint, Hint::Unknown);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hint {
    /// Nobody knows whether it asks.
    #[default]
    Unknown,
    /// It asks for nothing.
    None,
    /// It asks for this long, at least; the part finer than a millisecond is rounded up.
    After(Duration),
}

/// The facts of `std.facts`; what is `None` is unknown. What each means is told there: `nisi explain std.facts`, or
/// [`shipped`](crate::compile::shipped).
///
/// Durations are whole milliseconds to a policy; what is finer is rounded against us: `deadline` down, the others up.
///
/// ```
/// use std::time::Duration;
/// use nisi::decide::StandardFacts;
/// use nisi::words::{Condition, Effect};
/// let facts = StandardFacts {
///     condition: Some(Condition::Timeout),
///     effect: Some(Effect::ImmutableRead),
///     deadline: Some(Duration::from_secs(12)),
///     budget: Some(2),
///     ..StandardFacts::default()
/// };
/// assert_eq!(facts.boundary, None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StandardFacts {
    /// What was observed of the last attempt or look-up.
    pub condition: Option<Condition>,
    /// The class of the operation.
    pub effect: Option<Effect>,
    /// What can be proven of all attempts of this intent that no evidence has settled, the weakest of them.
    pub dispatch: Option<Dispatch>,
    /// How far the effect of those attempts may have got.
    pub boundary: Option<Boundary>,
    /// Whether a second copy cannot have a second effect.
    pub idempotent: Option<bool>,
    /// Whether an inference may call tools.
    pub tools: Option<Tools>,
    /// Whether another output would do.
    pub variation: Option<Acceptable>,
    /// Whether the price of another output would do.
    pub cost: Option<Acceptable>,
    /// How much of the output has been shown already.
    pub output: Option<Shown>,
    /// What the receiver instructs.
    pub pushback: Option<Pushback>,
    /// How long the receiver asks to wait.
    pub hint: Hint,
    /// Whether the approval still stands.
    pub authorization: Option<Authorization>,
    /// Whether the policy of the running release is known.
    pub release: Option<Release>,
    /// What is left of the intent's time, the reserve taken off; rounded down.
    pub deadline: Option<Duration>,
    /// Attempts left.
    pub budget: Option<u64>,
    /// Attempts made.
    pub attempt: Option<u64>,
    /// Time since the intent was created; rounded up.
    pub elapsed: Option<Duration>,
    /// Time since its last send; rounded up.
    pub since_sent: Option<Duration>,
    /// Look-ups made.
    pub looks: Option<u64>,
    /// How bad a second effect would be.
    pub tier: Option<Tier>,
    /// Whether some registered release meets a parity; stands for every parity of the policy.
    pub parity: Option<ParityVerdict>,
}

/// Where a typed fact stands in a model, and its words both ways.
#[derive(Debug, Clone)]
pub(super) struct Slot<T> {
    fact: FactId,
    /// By place in the vocabulary; nothing where the model lacks the word.
    said: Box<[Option<Said>]>,
    /// By place in the model.
    words: Box<[Option<T>]>,
}

impl<T: Copy + 'static> Slot<T> {
    fn find(model: &Model, program: &Program, name: &str, all: &[T], word: fn(T) -> &'static str) -> Option<Self> {
        let fact = model.fact_id(name)?;
        Self::of(model, program, fact, all, word)
    }

    fn of(model: &Model, program: &Program, fact: FactId, all: &[T], word: fn(T) -> &'static str) -> Option<Self> {
        let declared = model.fact(fact);
        let Type::Choice { values: names, .. } = &declared.ty else { return None };
        let said = all.iter().map(|t| Said::of(program, fact, &declared.named_value(word(*t))?)).collect();
        let words = names.iter().map(|n| all.iter().copied().find(|t| word(*t) == &**n)).collect();
        declared.is_callers().then_some(Slot { fact, said, words })
    }

    fn put(slot: Option<&Self>, facts: &mut Facts, place: Option<usize>) {
        if let (Some(slot), Some(place)) = (slot, place)
            && let Some(said) = slot.said.get(place)
        {
            facts.put_said_or_unknown(slot.fact, *said);
        }
    }

    fn read(slot: Option<&Self>, facts: &Facts) -> Option<T> {
        match facts.at(slot?.fact) {
            Value::Choice(i) => slot?.words.get(usize::from(*i)).copied().flatten(),
            _ => None,
        }
    }
}

macro_rules! standard {
    (words { $($field:ident: $type:ty),+ $(,)? } numbers { $($number:ident),+ $(,)? }) => {
        /// The standard facts of one model.
        #[derive(Debug, Clone)]
        pub(super) struct Standard {
            $($field: Option<Slot<$type>>,)+
            idempotent: Option<FactId>,
            /// Its `no` and `yes`.
            idempotent_said: [Option<Said>; 2],
            hint: Option<FactId>,
            /// Its `none`.
            no_hint: Option<Said>,
            /// The facts of the parities, by place of the parity.
            pub(super) parities: Box<[Option<Slot<ParityVerdict>>]>,
            $($number: Option<FactId>,)+
        }

        impl Standard {
            pub(super) fn find(model: &Model, program: &Program) -> Self {
                let number = |name: &str| {
                    let fact = model.fact_id(name)?;
                    (matches!(model.fact(fact).ty, Type::Number(_)) && model.fact(fact).is_callers()).then_some(fact)
                };
                let said = |fact: Option<FactId>, word: &str| {
                    Said::of(program, fact?, &model.fact(fact?).named_value(word)?)
                };
                let idempotent = model.fact_id("idempotent").filter(|f| model.fact(*f).is_callers());
                let hint = number("hint");
                Standard {
                    $($field: Slot::find(model, program, stringify!($field), <$type>::ALL, <$type>::as_str),)+
                    idempotent,
                    idempotent_said: ["no", "yes"].map(|word| said(idempotent, word)),
                    hint,
                    no_hint: said(hint, "none"),
                    parities: (0..model.parities.len()).map(|p| parity_slot(model, program, p)).collect(),
                    $($number: number(stringify!($number)),)+
                }
            }

            fn put_words(&self, given: &StandardFacts, facts: &mut Facts) {
                $(Slot::put(self.$field.as_ref(), facts, given.$field.map(|v| v as usize));)+
            }

            /// Makes all of them unknown.
            pub(super) fn forget(&self, facts: &mut Facts) {
                let words = [$(self.$field.as_ref().map(|slot| slot.fact),)+];
                let numbers = [$(self.$number,)+ self.idempotent, self.hint];
                let parities = self.parities.iter().map(|slot| slot.as_ref().map(|slot| slot.fact));
                for fact in words.into_iter().chain(numbers).chain(parities).flatten() {
                    facts.put(fact, Value::Unknown);
                }
            }

            $(#[allow(dead_code, reason = "one reader for each word; guards read some")]
            pub(super) fn $field(&self, facts: &Facts) -> Option<$type> {
                Slot::read(self.$field.as_ref(), facts)
            })+

            $(#[allow(dead_code, reason = "one reader for each number; guards read some")]
            pub(super) fn $number(&self, facts: &Facts) -> Option<u64> {
                natural(facts.at(self.$number?))
            })+
        }
    };
}

standard! {
    words {
        condition: Condition, effect: Effect, dispatch: Dispatch, boundary: Boundary, tools: Tools,
        variation: Acceptable, cost: Acceptable, output: Shown, pushback: Pushback, authorization: Authorization,
        release: Release, tier: Tier,
    }
    numbers { deadline, budget, attempt, elapsed, since_sent, looks }
}

/// What is known of the receiver's hint, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KnownHint {
    Unknown,
    /// None asked for is 0.
    AtLeast(u64),
}

impl Standard {
    /// Puts what is given into facts that are all unknown; what the policy does not declare is dropped.
    pub(super) fn put(&self, model: &Model, given: &StandardFacts, facts: &mut Facts) {
        self.put_words(given, facts);
        if let (Some(fact), Some(yes)) = (self.idempotent, given.idempotent) {
            facts.put_said_or_unknown(fact, self.idempotent_said[usize::from(yes)]);
        }
        for place in 0..self.parities.len() {
            self.put_parity(place, given.parity, facts);
        }
        let (down, up) = (|d| whole_ms(d, Round::Down), |d| whole_ms(d, Round::Up));
        let numbers = [
            (self.deadline, Pace::Ms, given.deadline.map(down)),
            (self.elapsed, Pace::Ms, given.elapsed.map(up)),
            (self.since_sent, Pace::Ms, given.since_sent.map(up)),
            (self.budget, Pace::One, given.budget),
            (self.attempt, Pace::One, given.attempt),
            (self.looks, Pace::One, given.looks),
        ];
        for (fact, pace, number) in numbers {
            if let (Some(fact), Some(number)) = (fact, number) {
                put_number(model, facts, fact, pace, number);
            }
        }
        match (self.hint, given.hint) {
            (Some(fact), Hint::After(wait)) => put_number(model, facts, fact, Pace::Ms, up(wait)),
            (Some(fact), Hint::None) => facts.put_said_or_unknown(fact, self.no_hint),
            _ => {}
        }
    }

    pub(super) fn put_parity(&self, place: usize, verdict: Option<ParityVerdict>, facts: &mut Facts) {
        Slot::put(self.parities.get(place).and_then(Option::as_ref), facts, verdict.map(|v| v as usize));
    }

    pub(super) fn hint(&self, facts: &Facts) -> KnownHint {
        match self.hint.map(|fact| facts.at(fact)) {
            Some(Value::Point(_)) => KnownHint::AtLeast(0),
            Some(value) => natural(value).map_or(KnownHint::Unknown, KnownHint::AtLeast),
            None => KnownHint::Unknown,
        }
    }

    /// What is known of a parity, and its fact.
    pub(super) fn parity(&self, facts: &Facts, parity: usize) -> (Option<FactId>, Option<ParityVerdict>) {
        let slot = self.parities.get(parity).and_then(Option::as_ref);
        (slot.map(|s| s.fact), Slot::read(slot, facts))
    }
}

/// A number cut to its fact's domain: what lies past it cannot be told from its end.
fn put_number(model: &Model, facts: &mut Facts, fact: FactId, pace: Pace, number: u64) {
    if i64::try_from(number).is_ok_and(|n| facts.put_number(fact, pace, n)) {
        return;
    }
    if let Type::Number(ty) = &model.fact(fact).ty {
        let number = i128::from(number).clamp(ty.lo, ty.hi);
        if ty.holds(number) {
            facts.put(fact, Value::Number(number));
        }
    }
}

fn natural(value: &Value) -> Option<u64> {
    if let Value::Number(n) = value { u64::try_from(*n).ok() } else { None }
}

fn parity_slot(model: &Model, program: &Program, parity: usize) -> Option<Slot<ParityVerdict>> {
    let place = model.facts.values().position(|f| f.source == FactSource::Parity(parity))?;
    Slot::of(model, program, FactId(place as u32), ParityVerdict::ALL, ParityVerdict::as_str)
}
