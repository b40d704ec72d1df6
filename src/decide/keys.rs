//! The entries of a column as keys of one byte, a piece at a time, without a branch on an entry.

use crate::model::Value;
use crate::program::{CHUNK, Part, Told};

use super::Policy;
use super::columns::{Column, Entries};
use super::counts::Count;
use super::steps::{Step, take, whole};

/// How the entries of a column become keys: for words and flags their places, for numbers how many ends they have reached.
/// The last key is that of unknown.
#[derive(Debug, Clone)]
pub(super) struct Keys {
    /// What each key is to a question.
    told: Vec<Told>,
    ends: Vec<i128>,
}

impl Keys {
    /// The keys of a column; nothing where they do not fit a byte, or for texts.
    pub(super) fn of(policy: &Policy, column: &Column) -> Option<Keys> {
        let program = policy.program();
        let (mut values, mut ends) = (Vec::new(), Vec::new());
        match &column.entries {
            Entries::Words { values: words, .. } | Entries::Flags { values: words, .. } => values.clone_from(words),
            Entries::Numbers { ty, .. } => {
                ends = program.ends(column.fact);
                // Below the first end, and each end itself, stand for all numbers that have reached as many.
                values.push(Value::Number(ty.lo));
                values.extend(ends.iter().map(|end| Value::Number(*end)));
            }
            Entries::Texts(_) => return None,
            #[cfg(feature = "arrow")]
            Entries::Values(_) => return None,
        }
        values.push(Value::Unknown);
        let told = values.iter().map(|value| program.told(column.fact, value)).collect();
        (values.len() <= 256).then_some(Keys { told, ends })
    }

    /// Where the fact's code goes, where anything tests it, and the code of each key that a column can have.
    pub(super) fn codes(&self, column: &Column) -> (Option<usize>, Vec<u32>) {
        let n = if column.known.is_some() { self.told.len() } else { self.told.len() - 1 };
        let codes = self.told.iter().take(n).map(|told| told.code());
        (self.told.first().and_then(|told| told.slot()), codes.collect())
    }

    /// What each key is to a question.
    pub(super) fn told(&self) -> &[Told] {
        &self.told
    }

    /// The steps that make the keys of a column.
    pub(super) fn steps<'a>(&'a self, column: &'a Column) -> Vec<Step<'a>> {
        let (end, known) = (self.unknown(), column.known);
        let mut steps: Vec<Step> = match &column.entries {
            Entries::Words { places, .. } => vec![Box::new(move |from, keys| {
                *keys = *whole(places, from, &mut None)?;
                (known.is_some() || keys.iter().fold(0, |most, key| most.max(*key)) < end).then_some(())
            })],
            Entries::Flags { flags, .. } => vec![Box::new(move |from, keys| {
                *keys = whole(flags, from, &mut None)?.map(u8::from);
                Some(())
            })],
            Entries::Numbers { numbers, ty } => {
                Count { ends: &self.ends, cuts: &[], one: 1, ty, known }.steps(*numbers)
            }
            Entries::Texts(_) => vec![Box::new(|_, _| None)],
            #[cfg(feature = "arrow")]
            Entries::Values(_) => vec![Box::new(|_, _| None)],
        };
        if let Some(known) = known {
            steps.push(Box::new(move |from, keys| put_unknown(whole(known, from, &mut None)?, end, keys)));
        }
        steps
    }

    /// The steps that make a joint key of some columns.
    pub(super) fn joint<'a>(all: &'a [Keys], columns: &'a [Column], mut parts: &'a [Part]) -> Vec<Step<'a>> {
        let flags = |part: &Part| columns.get(part.column())?.flags().filter(|_| part.is_flag());
        let mut steps: Vec<Step> = Vec::new();
        while let [part, rest @ ..] = parts {
            if let [_, b, c, d, rest @ ..] = parts
                && let (Some(a), Some(b), Some(c), Some(d)) = (flags(part), flags(b), flags(c), flags(d))
            {
                steps.push(Box::new(move |from, joint| {
                    let (mut of_a, mut of_b, mut of_c, mut of_d) = (None, None, None, None);
                    let (a, b) = (whole(a, from, &mut of_a)?, whole(b, from, &mut of_b)?);
                    let (c, d) = (whole(c, from, &mut of_c)?, whole(d, from, &mut of_d)?);
                    part.put_four([a, b, c, d], joint);
                    Some(())
                }));
                parts = rest;
                continue;
            }
            if let (Some(keys), Some(column)) = (all.get(part.column()), columns.get(part.column())) {
                steps.extend(keys.part(column, part));
            }
            parts = rest;
        }
        steps
    }

    /// The steps that add a part to joint keys.
    fn part<'a>(&'a self, column: &'a Column, part: &'a Part) -> Vec<Step<'a>> {
        let end = self.unknown();
        match (&column.entries, column.flags(), column.known) {
            (_, Some(flags), _) => vec![Box::new(move |from, joint| {
                part.put(whole(flags, from, &mut None)?, joint);
                Some(())
            })],
            (Entries::Words { places, .. }, _, None) if part.cuts().is_empty() => vec![Box::new(move |from, joint| {
                (part.put(whole(places, from, &mut None)?, joint) < end).then_some(())
            })],
            (Entries::Words { places, .. }, _, None) => {
                let step = |cut: &u8| -> Step {
                    let cut = *cut;
                    Box::new(move |from, joint| {
                        (part.put_cut(cut, whole(places, from, &mut None)?, joint) < end).then_some(())
                    })
                };
                part.cuts().iter().map(step).collect()
            }
            (Entries::Numbers { numbers, ty }, _, None) => {
                Count { ends: &self.ends, cuts: part.cuts(), one: part.one(), ty, known: None }.steps(*numbers)
            }
            _ => {
                let steps = self.steps(column);
                vec![Box::new(move |from, joint| {
                    let mut keys = [0; CHUNK];
                    take(&steps, from, &mut keys)?;
                    if part.cuts().is_empty() {
                        part.put(&keys, joint);
                    }
                    part.cuts().iter().for_each(|cut| _ = part.put_cut(*cut, &keys, joint));
                    Some(())
                })]
            }
        }
    }

    fn unknown(&self) -> u8 {
        (self.told.len() - 1) as u8
    }
}

/// Makes the keys of what is not known those of unknown; nothing where another is past the last word, which must not pass
/// for it.
fn put_unknown(known: &[bool; CHUNK], unknown: u8, keys: &mut [u8; CHUNK]) -> Option<()> {
    let bad = keys.iter().zip(known).map(|(key, known)| u8::from(*known) & u8::from(*key >= unknown));
    if bad.fold(0, |any, bad| any | bad) != 0 {
        return None;
    }
    keys.iter_mut().zip(known).for_each(|(key, known)| *key = if *known { *key } else { unknown });
    Some(())
}
