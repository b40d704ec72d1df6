//! Where the parts of a model stand in its diagram: what is asked lies below what asks it, level by level.

use std::collections::BTreeMap;

/// Width and height of a part.
pub(super) const SIZE: (u32, u32) = (180, 80);
/// Room between parts.
const GAP: (u32, u32) = (40, 80);
/// Where the first part stands: modelers keep their tools at the left edge.
const FIRST: (u32, u32) = (160, 80);

/// The upper left corners of parts, by what each needs: the entry stands on top.
pub(super) fn corners(needs: &[Vec<usize>]) -> Vec<(u32, u32)> {
    let mut level = vec![0usize; needs.len()];
    // As many rounds as there are parts settle every order; a circle ends there too.
    for _ in 0..needs.len() {
        let mut moved = false;
        for (i, list) in needs.iter().enumerate() {
            for need in list {
                if level[*need] < level[i] + 1 && level[i] + 1 < needs.len() {
                    level[*need] = level[i] + 1;
                    moved = true;
                }
            }
        }
        if !moved {
            break;
        }
    }
    let mut next: BTreeMap<usize, u32> = BTreeMap::new();
    let at = |level: &usize| {
        let place = next.entry(*level).or_insert(0);
        *place += 1;
        (FIRST.0 + (*place - 1) * (SIZE.0 + GAP.0), FIRST.1 + *level as u32 * (SIZE.1 + GAP.1))
    };
    level.iter().map(at).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_asked_lies_below() {
        let at = super::corners(&[vec![1, 2], vec![2], vec![]]);
        assert!(at[0].1 < at[1].1 && at[1].1 < at[2].1);
        assert_eq!(super::corners(&[vec![], vec![]]), [(160, 80), (380, 80)]);
        assert_eq!(super::corners(&[vec![1], vec![0]]).len(), 2);
    }
}
