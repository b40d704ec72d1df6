//! Which entries of two lists are the same, in the same order.
//!
//! Where the first entry that holds differs between two lists, one of the two is not among the matched ones: were
//! both matched, the earlier of them would hold in both lists, and answer in both. So the search need only look where
//! an unmatched entry holds. With ten edits in a thousand rows those are few. The matching is a longest increasing
//! sequence of equal entries (the heart of patience diff), every entry being there once at most.

use std::collections::HashMap;

use crate::space::Clause;

use super::matching::SIDES;
use super::sheet::Entry;

/// For each list, the places of entries that have no partner. An entry whose clause stands before it in its own list
/// is never the answer, and is left out.
pub(super) fn unmatched(sheets: &[Vec<Entry>; 2]) -> [Vec<usize>; 2] {
    let firsts = sheets.each_ref().map(|sheet| first_of_clause(sheet));
    let at: HashMap<&Clause, usize> = firsts[1].iter().map(|i| (&sheets[1][*i].clause, *i)).collect();
    let pairs: Vec<(usize, usize)> = firsts[0]
        .iter()
        .filter_map(|i| {
            let entry = &sheets[0][*i];
            let j = *at.get(&entry.clause)?;
            (sheets[1][j].outcome == entry.outcome).then_some((*i, j))
        })
        .collect();
    let kept = longest_rising(&pairs);
    SIDES.map(|side| {
        let matched: Vec<usize> = kept.iter().map(|pair| if side == 0 { pair.0 } else { pair.1 }).collect();
        firsts[side].iter().copied().filter(|i| matched.binary_search(i).is_err()).collect()
    })
}

fn first_of_clause(sheet: &[Entry]) -> Vec<usize> {
    let mut seen = std::collections::HashSet::new();
    (0..sheet.len()).filter(|i| seen.insert(&sheet[*i].clause)).collect()
}

/// The longest part of some pairs, in order of their first, whose second rises too.
fn longest_rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // The pair that ends the rising part of each length, and for each pair the one before it.
    let (mut ends, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (i, (_, second)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|e| pairs[*e].1 < *second);
        before.push(length.checked_sub(1).map(|l| ends[l]));
        if length == ends.len() {
            ends.push(i);
        } else {
            ends[length] = i;
        }
    }
    let mut out = Vec::new();
    let mut at = ends.last().copied();
    while let Some(i) = at {
        out.push(pairs[i]);
        at = before[i];
    }
    out.reverse();
    out
}

#[cfg(test)]
mod tests {
    use super::longest_rising;

    #[test]
    fn the_longest_rising_part() {
        let pairs = |seconds: &[usize]| seconds.iter().copied().enumerate().collect::<Vec<_>>();
        let seconds = |list: &[usize]| longest_rising(&pairs(list)).iter().map(|p| p.1).collect::<Vec<_>>();
        assert_eq!(seconds(&[0, 1, 2, 3]), [0, 1, 2, 3]);
        assert_eq!(seconds(&[1, 2, 0, 3]), [1, 2, 3]);
        assert_eq!(seconds(&[3, 2, 1]), [1]);
        assert_eq!(seconds(&[]), [0; 0]);
    }
}
