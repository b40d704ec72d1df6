//! The space against the plain evaluator, over every input of small random models.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::problem::{NO_GROUP, Problem};
use super::random::{inputs, model};
use super::{Clause, Ending, Flow, Layers, Question, Reach, Region, Space, explore, volume};
use crate::model::{End, Model, TableId, eval};

fn ground(model: &Model) -> (Space, Layers) {
    let space = Space::new(model);
    let layers = Layers::new(model, &space).unwrap();
    (space, layers)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn a_flow_answers_as_the_rows_do(bytes in proptest::collection::vec(any::<u8>(), 0..260)) {
        let model = model(&bytes);
        let (space, layers) = ground(&model);
        let flow = Flow::of(&model, &space, &layers, TableId(0)).unwrap();
        for values in inputs(&model) {
            let point = space.point(&values);
            let entry = &flow.entries[flow.at(&point, &layers.outcomes_at(&point)).unwrap()];
            if let Ending::Underived(d) = entry.end {
                prop_assert_eq!(eval::matching_row(&model, &model.derives[d as usize].table, &values), None);
                continue;
            }
            let answer = eval::answer(&model, TableId(0), &values);
            let path: Vec<_> = answer.path.iter().collect();
            prop_assert_eq!(&entry.path, &path);
            match (entry.end, answer.end) {
                (Ending::Row, End::Row) => {}
                (Ending::Gap(a), End::Gap(b)) => prop_assert_eq!(a, b),
                (Ending::Broken(a, _), End::BrokenPromise(b)) => prop_assert_eq!(a, b),
                other => prop_assert!(false, "{:?}", other),
            }
        }
    }

    #[test]
    fn exploring_finds_what_is_ever_the_answer(bytes in proptest::collection::vec(any::<u8>(), 0..260)) {
        let model = model(&bytes);
        let (space, layers) = ground(&model);
        let flow = Flow::of(&model, &space, &layers, TableId(0)).unwrap();
        let points: Vec<_> = inputs(&model).iter().map(|v| space.point(v)).collect();
        let truth: BTreeSet<usize> = points.iter().filter_map(|p| flow.at(p, &layers.outcomes_at(p))).collect();
        let list: Vec<_> = flow.entries.iter().zip(0..).map(|(e, i)| (&e.clause, Some(i))).collect();
        let n_groups = list.len() as u32;
        let mut steps = u64::MAX;
        let all = explore(&space, &layers, &Question { within: Region::all(), list, n_groups, disjoint: false }, &mut steps);
        for (i, reach) in all.groups.iter().enumerate() {
            match reach {
                Reach::Never => prop_assert!(!truth.contains(&i), "entry {i} is reached"),
                Reach::At(region) => {
                    let inside: Vec<_> = points.iter().filter(|p| region.contains(p)).collect();
                    prop_assert!(!inside.is_empty());
                    prop_assert!(inside.iter().all(|p| flow.at(p, &layers.outcomes_at(p)) == Some(i)), "entry {i} in {region:?}");
                }
                Reach::Undecided => prop_assert!(false),
            }
        }
        // One by one, each inside its own region, gives the same.
        for (i, entry) in flow.entries.iter().enumerate() {
            let list = flow.entries[..=i].iter().enumerate().map(|(j, e)| (&e.clause, (i == j).then_some(0))).collect();
            let question = Question { within: entry.clause.region.clone(), list, n_groups: 1, disjoint: false };
            let one = explore(&space, &layers, &question, &mut steps);
            prop_assert_eq!(one.groups[0] == Reach::Never, !truth.contains(&i));
        }
    }

    #[test]
    fn an_expanded_clause_is_the_same_clause(bytes in proptest::collection::vec(any::<u8>(), 0..260)) {
        let model = model(&bytes);
        let (space, layers) = ground(&model);
        let points: Vec<_> = inputs(&model).iter().map(|v| space.point(v)).collect();
        for row in model.tables.iter().flat_map(|t| &t.rows) {
            let Some(clause) = layers.clause(&model, &space, &row.conds) else { continue };
            let regions = layers.expand(&clause, space.sizes()).unwrap();
            for p in &points {
                let expected = clause.holds(p, &layers.outcomes_at(p));
                prop_assert_eq!(regions.iter().any(|r| r.contains(p)), expected);
            }
        }
    }

    #[test]
    fn few_steps_never_give_a_wrong_answer(bytes in proptest::collection::vec(any::<u8>(), 0..260), steps in 0u64..40) {
        let model = model(&bytes);
        let (space, layers) = ground(&model);
        let flow = Flow::of(&model, &space, &layers, TableId(0)).unwrap();
        let points: Vec<_> = inputs(&model).iter().map(|v| space.point(v)).collect();
        let truth: BTreeSet<usize> = points.iter().filter_map(|p| flow.at(p, &layers.outcomes_at(p))).collect();
        let list: Vec<_> = flow.entries.iter().zip(0..).map(|(e, i)| (&e.clause, Some(i))).collect();
        let n_groups = list.len() as u32;
        let mut left = steps;
        let all = explore(&space, &layers, &Question { within: Region::all(), list, n_groups, disjoint: false }, &mut left);
        for (i, reach) in all.groups.iter().enumerate() {
            prop_assert!(*reach == Reach::Undecided || (*reach == Reach::Never) != truth.contains(&i));
        }
    }

    #[test]
    fn counting_searching_and_enumerating_agree(bytes in proptest::collection::vec(any::<u8>(), 0..260)) {
        let model = model(&bytes);
        let (space, layers) = ground(&model);
        let points: BTreeSet<_> = inputs(&model).iter().map(|v| space.point(v)).collect();
        for table in &model.tables {
            let rows: Vec<Clause> =
                table.rows.iter().filter_map(|r| layers.clause(&model, &space, &r.conds)).filter(|c| !c.is_all()).collect();
            let n_held = |p: &Vec<u32>| {
                let outcomes = layers.outcomes_at(p);
                rows.iter().filter(|c| c.holds(p, &outcomes)).count()
            };
            let (open, twice) = (points.iter().any(|p| n_held(p) == 0), points.iter().any(|p| n_held(p) > 1));
            let all = Clause::all();
            let ask = |disjoint: bool, steps: &mut u64| {
                let list = rows.iter().map(|c| (c, None)).chain([(&all, Some(0))]).collect();
                let question = Question { within: Region::all(), list, n_groups: 1, disjoint };
                explore(&space, &layers, &question, steps).groups.remove(0)
            };
            prop_assert_eq!(matches!(ask(false, &mut u64::MAX.clone()), Reach::At(_)), open);
            // Disjoint rows are complete exactly when their volumes are the whole.
            if !twice {
                prop_assert_eq!(matches!(ask(true, &mut u64::MAX.clone()), Reach::At(_)), open);
            }
            if rows.iter().any(|c| !c.derived.is_empty()) {
                continue;
            }
            let list = rows.iter().map(|c| (c, NO_GROUP)).chain([(&all, 0)]);
            let problem = Problem::new(&layers, space.sizes(), &Region::all(), list);
            let main = &problem.rows[..rows.len()];
            let (sum, whole) = (volume::sum(&problem, main.iter()).unwrap(), volume::whole(&problem).unwrap());
            prop_assert!(sum >= whole || open, "less than the whole, and yet no gap");
            prop_assert!(twice || (sum == whole) != open, "disjoint: {sum} of {whole}");
            // With less than the whole the thinnest child leads to a gap without a way back: few steps do.
            if sum < whole {
                let mut steps = 1 + (problem.axes.len() as u64 + 1) * (2 + rows.len() as u64);
                prop_assert!(matches!(ask(false, &mut steps), Reach::At(_)), "led astray");
            }
        }
    }
}
