//! The program against the plain evaluator, on random policies and facts.

use proptest::prelude::*;

use super::build::Plan;
use super::question::{MOST_SHORT, NEAR, SHORT};
use super::{How, Program, Verdict};
use crate::model::testing::{act, choice_fact, cond, derive, fact, number, row, see, table};
use crate::model::{
    Action, Answer, Cond, End, FactId, FactSource, Model, NumberKind, Outcome, Path, Row, TableId, TextSet, Type,
    Value, ValueSet, Values, eval,
};
use crate::syntax::tree::{Hit, RowKind};

/// Random numbers of one policy, used up one by one.
struct Dice<'a>(std::slice::Iter<'a, u32>);

impl Dice<'_> {
    fn roll(&mut self, n: u32) -> u32 {
        self.0.next().map_or(0, |d| d % n)
    }
}

fn any_set(model: &Model, id: FactId, dice: &mut Dice) -> ValueSet {
    let fact = model.fact(id);
    let mut set = match &fact.ty {
        Type::Choice { values, .. } => {
            let bits = dice.roll(1 << values.len()).max(1);
            let held = (0..values.len()).filter(|i| bits >> i & 1 == 1).map(|i| Value::Choice(i as u16));
            held.fold(ValueSet::none(fact), |set, v| set.or(&ValueSet::one(fact, &v), fact))
        }
        Type::Number(_) => {
            let (a, b) = (i128::from(dice.roll(8)), i128::from(dice.roll(8)));
            match dice.roll(4) {
                0 => ValueSet::range(fact, a, i128::MAX),
                1 => ValueSet::range(fact, 0, b),
                2 => ValueSet::range(fact, a.min(b), a.max(b)),
                _ => ValueSet::one(fact, &Value::Number(a)).complement_known(fact),
            }
        }
        Type::Text => {
            let text = ["", "a", "ab", "abc", "b"][dice.roll(5) as usize];
            let texts = if dice.roll(2) == 0 { TextSet::literal(text) } else { TextSet::prefix(text) };
            ValueSet { unknown: false, points: 0, values: Values::Text(texts) }
        }
    };
    if !fact.points.is_empty() && dice.roll(3) == 0 {
        set.points = 1;
    }
    set.unknown = dice.roll(4) == 0;
    if dice.roll(6) == 0 { set.complement(fact) } else { set }
}

fn any_conds(model: &Model, among: &[FactId], dice: &mut Dice) -> Vec<Cond> {
    let mut conds = Vec::new();
    for fact in among {
        if dice.roll(3) == 0 {
            conds.push(cond(*fact, any_set(model, *fact, dice)));
            if dice.roll(8) == 0 {
                conds.push(cond(*fact, any_set(model, *fact, dice)));
            }
        }
    }
    conds.retain(|c| !c.set.is_empty());
    conds
}

fn any_last(rows: &mut Vec<Row>, dice: &mut Dice, outcome: impl Fn(&mut Dice) -> Outcome) {
    for kind in [RowKind::AnyUnknown, RowKind::Otherwise] {
        if dice.roll(2) == 0 {
            let outcome = outcome(dice);
            rows.push(row("", kind, Vec::new(), outcome));
        }
    }
}

fn any_action(dice: &mut Dice) -> Outcome {
    act(vec![match dice.roll(3) {
        0 => Action::Review { queue: None },
        1 => Action::Stop { reason: None },
        _ => Action::Wait,
    }])
}

fn any_model(dice: &mut Dice) -> Model {
    let mut model = Model::default();
    let mut among = vec![
        choice_fact(&mut model, "c", "a b c"),
        choice_fact(&mut model, "f", "yes no"),
        fact(&mut model, "n", number(NumberKind::Duration), &["none"], FactSource::Caller),
        fact(&mut model, "t", Type::Text, &[], FactSource::Caller),
    ];
    for i in 0..dice.roll(3) {
        let mut rows = Vec::new();
        for _ in 0..dice.roll(4) {
            let value = if dice.roll(5) == 0 { Value::Unknown } else { Value::Choice(dice.roll(2) as u16) };
            rows.push((RowKind::Plain, any_conds(&model, &among, dice), value));
        }
        if dice.roll(2) == 0 {
            rows.push((RowKind::AnyUnknown, Vec::new(), Value::Choice(1)));
        }
        if dice.roll(2) == 0 {
            rows.push((RowKind::Otherwise, Vec::new(), Value::Choice(0)));
        }
        among.push(derive(&mut model, &format!("d{i}"), "x y", rows));
    }
    let n_tables = 1 + dice.roll(3) as usize;
    for t in 0..n_tables {
        let hit = if dice.roll(3) == 0 { Hit::MostCautious } else { Hit::First };
        let mut rows = Vec::new();
        for _ in 0..dice.roll(6) {
            let hands_over = hit == Hit::First && t + 1 < n_tables && dice.roll(3) == 0;
            let outcome =
                if hands_over { see(t + 1 + dice.roll((n_tables - t - 1) as u32) as usize) } else { any_action(dice) };
            rows.push(row("", RowKind::Plain, any_conds(&model, &among, dice), outcome));
        }
        any_last(&mut rows, dice, any_action);
        let promise = if dice.roll(3) == 0 { any_conds(&model, &among, dice) } else { Vec::new() };
        model.tables.push(table(&format!("t{t}"), hit, promise, rows));
    }
    model
}

fn any_values(dice: &mut Dice) -> Vec<Value> {
    let unknown_or = |value: Value, dice: &mut Dice| if dice.roll(4) == 0 { Value::Unknown } else { value };
    let number = if dice.roll(5) == 0 { Value::Point(0) } else { Value::Number(i128::from(dice.roll(10))) };
    let values = [
        Value::Choice(dice.roll(3) as u16),
        Value::Choice(dice.roll(2) as u16),
        number,
        Value::Text(["", "a", "ab", "abc", "abcd", "b", "ba", "z"][dice.roll(8) as usize].into()),
    ];
    let mut values: Vec<Value> = values.into_iter().map(|v| unknown_or(v, dice)).collect();
    values.extend([Value::Unknown, Value::Unknown, Value::Unknown]);
    values
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn it_answers_as_the_plain_evaluator(
        policy in proptest::collection::vec(any::<u32>(), 600),
        facts in proptest::collection::vec(proptest::collection::vec(any::<u32>(), 16), 24),
    ) {
        let model = any_model(&mut Dice(policy.iter()));
        let programs = plans().map(|plan| Program::build_as(&model, &plan));
        for dice in &facts {
            let values = any_values(&mut Dice(dice.iter()));
            for program in &programs {
                let codes = program.question_of(&values);
                let plain = eval::answer(&model, TableId(0), &values);
                prop_assert_eq!(program.answer(&codes), plain, "{:?}", values);
                prop_assert_eq!(program.ask(&codes), verdict(&model, &plain), "{:?}", values);
                for table in (1..model.tables.len()).filter(|_| program.flat_shape().is_none()) {
                    let plain = eval::answer(&model, TableId(table), &values);
                    prop_assert_eq!(program.answer_own(TableId(table), &codes), plain, "{:?}", values);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn many_rows_are_answered_as_the_plain_evaluator_does(seed in any::<u32>(), n_rows in 60..2_000usize) {
        let numbers: Vec<u32> = (0..n_rows as u64 * 16 + 4_000).map(|i| mixed(u64::from(seed) << 32 | i)).collect();
        let mut dice = Dice(numbers.iter());
        let mut model = Model::default();
        let among = vec![
            choice_fact(&mut model, "c", "a b c d e f g h"),
            choice_fact(&mut model, "f", "yes no"),
            fact(&mut model, "n", number(NumberKind::Duration), &["none"], FactSource::Caller),
            fact(&mut model, "m", number(NumberKind::Count), &[], FactSource::Caller),
        ];
        // Half the tables have rows that hardly any facts take, so that answers lie far down.
        let tests_all = dice.roll(2) == 0;
        let rows = (0..n_rows).map(|_| {
            let all = if tests_all { among.iter().map(|f| cond(*f, narrow_set(&model, *f, &mut dice))).collect() } else { Vec::new() };
            let conds = if tests_all { all } else { any_conds(&model, &among, &mut dice) };
            row("", RowKind::Plain, conds, any_action(&mut dice))
        });
        let rows: Vec<Row> = rows.collect();
        let hit = if dice.roll(3) == 0 { Hit::MostCautious } else { Hit::First };
        model.tables.push(table("t", hit, Vec::new(), rows));
        let programs = plans().map(|plan| Program::build_as(&model, &plan));
        for _ in 0..400 {
            let values = [
                Value::Choice(dice.roll(8) as u16),
                Value::Choice(dice.roll(2) as u16),
                if dice.roll(9) == 0 { Value::Unknown } else { Value::Number(i128::from(dice.roll(300))) },
                Value::Number(i128::from(dice.roll(300))),
            ];
            let plain = eval::answer(&model, TableId(0), &values);
            for program in &programs {
                prop_assert_eq!(program.answer(&program.question_of(&values)), plain, "{:?}", values);
            }
        }
    }
}

/// A set that few values are in.
fn narrow_set(model: &Model, id: FactId, dice: &mut Dice) -> ValueSet {
    let fact = model.fact(id);
    if let Type::Choice { values, .. } = &fact.ty {
        return ValueSet::one(fact, &Value::Choice(dice.roll(values.len() as u32) as u16));
    }
    let from = i128::from(dice.roll(300));
    ValueSet::range(fact, from, from + i128::from(dice.roll(30)))
}

/// A number that looks drawn (`SplitMix64`).
fn mixed(i: u64) -> u32 {
    let z = i.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (z ^ (z >> 27)) as u32
}

/// Few ends are counted, many are searched; many fit 32 bits, others 64, or neither: every value at an end, and on both
/// sides of it.
#[test]
fn numbers_are_told_apart_at_every_end() {
    let short = i128::from(i32::MAX);
    for (kind, most) in [
        (NumberKind::Integer, 1 << 20),
        (NumberKind::Integer, short),
        (NumberKind::Integer, short + 1),
        (NumberKind::Integer, i128::MAX),
        (NumberKind::Decimal, i128::MAX),
    ] {
        for n_rows in [1i128, 7, 8, 9, 40] {
            let mut model = Model::default();
            let n = fact(&mut model, "n", number(kind), &[], FactSource::Caller);
            let Type::Number(ty) = model.fact(n).ty.clone() else { panic!("a number") };
            let (from, to) = (ty.lo.max(-most), ty.hi.min(most));
            let gap = (to / 2 - from / 2) / (n_rows + 1) * 2;
            let bounds = |r: i128| (from + r * gap, from + r * gap + gap / 2);
            let rows = (0..n_rows).map(|r| {
                let (lo, hi) = bounds(r);
                let conds = vec![cond(n, ValueSet::range(model.fact(n), lo, hi))];
                row("", RowKind::Plain, conds, act(vec![Action::Wait]))
            });
            let rows: Vec<Row> = rows.collect();
            model.tables.push(table("t", Hit::First, Vec::new(), rows));
            let programs = plans().map(|plan| Program::build_as(&model, &plan));
            let ends = (0..n_rows).flat_map(|r| [bounds(r).0, bounds(r).1]).chain([ty.lo, ty.hi, -short, short, 0]);
            for value in ends.flat_map(|end| [end - 1, end, end + 1]).filter(|v| ty.holds(*v)) {
                let values = [Value::Number(value)];
                let plain = eval::answer(&model, TableId(0), &values);
                for program in &programs {
                    assert_eq!(program.answer(&program.question_of(&values)), plain, "{value}");
                }
            }
        }
    }
}

/// As it is chosen; never flat; in groups; with columns that admit too much; both; with few facts joined.
fn plans() -> [Plan; 6] {
    let walked = Plan { most_cells: 0, ..Plan::default() };
    let grouped = Plan { ungrouped: 0, group_always: true, ..walked };
    let coarse = Plan { stretches: 2, most_lines: 0, most_lines_of_few: 0, ..walked };
    let apart = Plan { most_lines: 40, most_lines_of_few: 12, ..walked };
    let coarse_groups = Plan { ungrouped: 0, group_always: true, ..coarse };
    [Plan::default(), walked, grouped, coarse, coarse_groups, apart]
}

/// What a plain answer comes to.
fn verdict(model: &Model, answer: &Answer) -> Verdict {
    match (answer.end, answer.path.last()) {
        (End::Row, Some((table, row))) => {
            let Outcome::Act(chain) = &model.tables[table.0].rows[row].outcome else { panic!("it hands over") };
            Verdict::row(table, row as u32, chain.actions[0].verb())
        }
        (End::Gap(table), _) => Verdict::end(How::Gap, table),
        (End::BrokenPromise(table), _) => Verdict::end(How::BrokenPromise, table),
        (End::Row, None) => panic!("a row without a row"),
    }
}

#[test]
fn many_rows_with_bounds_of_their_own_stay_small() {
    let mut model = Model::default();
    let facts: Vec<FactId> = (0..4)
        .map(|i| fact(&mut model, &format!("n{i}"), number(NumberKind::Count), &[], FactSource::Caller))
        .collect();
    let rows = (0..40_000i128).map(|r| {
        let conds = facts.iter().map(|f| cond(*f, ValueSet::range(model.fact(*f), r * 10, r * 10 + 9 + r % 7)));
        row("", RowKind::Plain, conds.collect(), act(vec![Action::Wait]))
    });
    let rows: Vec<Row> = rows.collect();
    model.tables.push(table("t", Hit::First, Vec::new(), rows));
    let program = Program::build(&model);
    // No point is short, and not all of them lie near.
    assert!(program.codes.sizes().count() > NEAR - SHORT && program.codes.sizes().all(|n| n > MOST_SHORT));
    let n_bytes: usize = program.shapes().flatten().map(|shape| shape.n_bytes).sum();
    assert!(n_bytes < 40_000 * 4 * 200, "{n_bytes}");
    for r in [0u16, 1, 63, 64, 511, 512, 513, 7_777, 39_999] {
        let mut path = Path::default();
        path.push(TableId(0), usize::from(r));
        let codes = program.question_of(&vec![Value::Number(i128::from(r) * 10 + 9); 4]);
        assert_eq!(program.answer(&codes).path, path, "{r}");
    }
    assert_eq!(program.ask(&program.question_of(&vec![Value::Unknown; 4])).how(), How::Gap);
}
