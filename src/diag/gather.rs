//! One word that nothing declares is one mistake, in however many places it is used. A word that is written wrong in
//! many places is as many mistakes: each is told where it stands.

use std::collections::HashMap;

use super::{Code, Diagnostic, Diagnostics, Fix, codes, nearest};
use crate::text::Span;

/// What says that a name is not there.
const OF_NAMES: [Code; 2] = [codes::N0201, codes::N0238];
/// What says that a name or a value is not there.
const OF_WORDS: [Code; 3] = [codes::N0201, codes::N0202, codes::N0238];
/// From so many places on, a word is missing where words are declared; fewer are slips of the pen, each for itself.
const PLACES: usize = 3;
/// How many further places are shown.
const SHOWN: usize = 4;

impl Diagnostics {
    /// Tells what says the same of three places or more once, with its places and one mend for all of them, where the
    /// mistake is in what is declared: nothing is near to the word, or what is near is used nowhere.
    pub(crate) fn gather(&mut self) {
        let mut groups: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
        for (i, item) in self.items.iter().enumerate().filter(|(_, d)| OF_WORDS.contains(&d.code)) {
            groups.entry((item.code.id, &item.message)).or_default().push(i);
        }
        let groups: Vec<Vec<usize>> = groups.into_values().filter(|group| group.len() >= PLACES).collect();
        let mut told = vec![false; self.items.len()];
        for group in groups {
            let (first, others) = (group[0], &group[1..]);
            let mut one = self.items[first].clone();
            let declared = self.near_and_unused(&one);
            let missing = OF_NAMES.contains(&one.code) && one.fixes.is_empty();
            if !missing && declared.is_none() {
                continue;
            }
            for (n, other) in others.iter().enumerate() {
                told[*other] = true;
                one = one.with(&self.items[*other], n, others.len());
            }
            self.items[first] = match declared {
                Some(span) => one.and(span, "declared here, and used nowhere: is it this one that is misspelt?"),
                None => one,
            };
        }
        let mut told = told.into_iter();
        self.items.retain(|_| !told.next().unwrap_or(false));
    }

    /// The one place of the word that a finding calls near, where it stands only once in all that is read.
    fn near_and_unused(&self, finding: &Diagnostic) -> Option<Span> {
        let near = &finding.fixes.first()?.edits.first()?.replacement;
        nearest(self.sources.slice(finding.span()).trim_matches('"'), [near.trim_matches('"')])?;
        let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let mut places = self.sources.iter().flat_map(|(file, source)| {
            let text = source.text();
            text.match_indices(near.as_str()).filter_map(move |(start, _)| {
                let end = start + near.len();
                let whole = !text[..start].ends_with(part) && !text[end..].starts_with(part);
                whole.then(|| Span::new(file, start, end))
            })
        });
        let only = places.next()?;
        places.next().is_none().then_some(only)
    }
}

impl Diagnostics {
    /// Keeps so many findings; the last of them says how many there were, and is as bad as the worst that is left out.
    pub(crate) fn keep(&mut self, most: usize) {
        let given = self.items.len();
        if given <= most {
            return;
        }
        let left = self.items.split_off(most.saturating_sub(1));
        let Some(next) = left.first() else { return };
        let message = format!("there are {given} findings, and {most} are told");
        let mut last = Diagnostic::new(codes::N0102, message)
            .at(next.span(), "the rest begins here")
            .help("mend the first ones; one of them may be the cause of many");
        last.severity = left.iter().map(|d| d.severity).min().unwrap_or(last.severity);
        self.items.push(last);
    }
}

impl Diagnostic {
    /// Takes in the `n`th of `n_others` findings that say the same.
    fn with(mut self, other: &Diagnostic, n: usize, n_others: usize) -> Self {
        let same_mend = |(own, other): (&Fix, &Fix)| own.title == other.title;
        if self.fixes.len() == other.fixes.len() && self.fixes.iter().zip(&other.fixes).all(same_mend) {
            for (own, other) in self.fixes.iter_mut().zip(&other.fixes) {
                own.edits.extend(other.edits.iter().cloned());
            }
        } else {
            self.fixes.clear();
        }
        match n_others - n - 1 {
            _ if n >= SHOWN => self,
            left if n + 1 == SHOWN && left > 0 => self.and(other.span(), format!("here, and {left} times more")),
            _ => self.and(other.span(), "and here"),
        }
    }
}
