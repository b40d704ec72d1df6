//! Two texts as a unified patch.
//!
//! Lines are matched by the shortest edit script (Myers, *An O(ND) difference algorithm and its variations*, 1986);
//! where more than a few thousand lines differ, what lies between the first and the last of them is one change.

use std::fmt::Write;

/// Lines around a change.
const CONTEXT: usize = 3;
/// More differing lines than this are not matched one by one.
const MAX_EDITS: usize = 2_000;

/// What becomes of a line: its places in both texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Same(usize, usize),
    Gone(usize),
    New(usize),
}

/// The patch of one file; empty where both are the same.
pub(super) fn patch(name: &str, old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    let (a, b): (Vec<&str>, Vec<&str>) = (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let script = script(&a, &b);
    let mut out = format!("--- a/{name}\n+++ b/{name}\n");
    let changed: Vec<usize> = (0..script.len()).filter(|i| !matches!(script[*i], Line::Same(..))).collect();
    let mut at = 0;
    while at < changed.len() {
        let mut end = at;
        while changed.get(end + 1).is_some_and(|next| next - changed[end] <= 2 * CONTEXT + 1) {
            end += 1;
        }
        let from = changed[at].saturating_sub(CONTEXT);
        let to = (changed[end] + CONTEXT + 1).min(script.len());
        hunk(&mut out, &script[..from], &script[from..to], &a, &b);
        at = end + 1;
    }
    out
}

fn hunk(out: &mut String, before: &[Line], lines: &[Line], a: &[&str], b: &[&str]) {
    let count = |lines: &[Line], in_old: bool| {
        let is_in = |l: &&Line| !matches!((l, in_old), (Line::New(_), true) | (Line::Gone(_), false));
        lines.iter().filter(is_in).count()
    };
    let range = |in_old: bool| {
        let (first, n) = (count(before, in_old), count(lines, in_old));
        // An empty range stands behind the line that it names.
        format!("{},{n}", if n == 0 { first } else { first + 1 })
    };
    // Writing to a string cannot fail.
    let _ = writeln!(out, "@@ -{} +{} @@", range(true), range(false));
    for line in lines {
        let (sign, text) = match line {
            Line::Same(i, _) => (' ', a[*i]),
            Line::Gone(i) => ('-', a[*i]),
            Line::New(j) => ('+', b[*j]),
        };
        let _ = write!(out, "{sign}{text}");
        if !text.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// Every line of both, in order.
fn script(a: &[&str], b: &[&str]) -> Vec<Line> {
    let start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let most = a.len().min(b.len()) - start;
    let end = a.iter().rev().zip(b.iter().rev()).take(most).take_while(|(x, y)| x == y).count();
    let (a_end, b_end) = (a.len() - end, b.len() - end);
    let mut lines: Vec<Line> = (0..start).map(|i| Line::Same(i, i)).collect();
    lines.extend(middle(&a[start..a_end], &b[start..b_end]).into_iter().map(|line| match line {
        Line::Same(i, j) => Line::Same(i + start, j + start),
        Line::Gone(i) => Line::Gone(i + start),
        Line::New(j) => Line::New(j + start),
    }));
    lines.extend((0..end).map(|i| Line::Same(a_end + i, b_end + i)));
    lines
}

fn middle(a: &[&str], b: &[&str]) -> Vec<Line> {
    let size = a.len() + b.len();
    // How far each diagonal reaches into `a`, after each number of edits; diagonals are shifted to be positive.
    let (shift, mut reach, mut rounds) = (size + 1, vec![0usize; 2 * size + 3], Vec::new());
    for edits in 0..=size.min(MAX_EDITS) {
        // Only these diagonals are looked at on the way back.
        rounds.push(reach[shift - edits - 1..=shift + edits + 1].to_vec());
        for k in (shift - edits..=shift + edits).step_by(2) {
            let down = k == shift - edits || k != shift + edits && reach[k - 1] < reach[k + 1];
            let mut x = if down { reach[k + 1] } else { reach[k - 1] + 1 };
            while x < a.len() && x + shift >= k && x + shift - k < b.len() && a[x] == b[x + shift - k] {
                x += 1;
            }
            reach[k] = x;
            if x >= a.len() && x + shift - k >= b.len() {
                return way_back(&rounds, shift, a.len(), b.len());
            }
        }
    }
    (0..a.len()).map(Line::Gone).chain((0..b.len()).map(Line::New)).collect()
}

/// The lines, followed back from the end of both texts.
fn way_back(rounds: &[Vec<usize>], shift: usize, n_old: usize, n_new: usize) -> Vec<Line> {
    let (mut old, mut new, mut lines) = (n_old, n_new, Vec::new());
    for (edits, reach) in rounds.iter().enumerate().rev() {
        let reach = |k: usize| reach[k + edits + 1 - shift];
        let k = old + shift - new;
        let down = k == shift - edits || k != shift + edits && reach(k - 1) < reach(k + 1);
        let before = if down { k + 1 } else { k - 1 };
        let from = if edits == 0 { (0, 0) } else { (reach(before), reach(before) + shift - before) };
        // Where the edit of this round ends, and equal lines begin.
        let edited = match (edits, down) {
            (0, _) => from,
            (_, true) => (from.0, from.1 + 1),
            (_, false) => (from.0 + 1, from.1),
        };
        while old > edited.0 && new > edited.1 {
            (old, new) = (old - 1, new - 1);
            lines.push(Line::Same(old, new));
        }
        if edits > 0 {
            lines.push(if down { Line::New(from.1) } else { Line::Gone(from.0) });
            (old, new) = from;
        }
    }
    lines.reverse();
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The new text out of the old one and a patch.
    fn apply(old: &str, patch: &str) -> String {
        let lines: Vec<&str> = old.split_inclusive('\n').collect();
        let (mut out, mut at) = (String::new(), 0);
        let all: Vec<&str> = patch.split_inclusive('\n').skip(2).collect();
        for (i, line) in all.iter().enumerate() {
            let no_end = all.get(i + 1).is_some_and(|l| l.starts_with('\\'));
            let text = if no_end { line[1..].trim_end_matches('\n') } else { &line[1..] };
            match &line[..1] {
                "@" => {
                    let (first, n) = line[4..].split(' ').next().unwrap().split_once(',').unwrap();
                    let (first, n): (usize, usize) = (first.parse().unwrap(), n.parse().unwrap());
                    let start = if n == 0 { first } else { first - 1 };
                    lines[at..start].iter().for_each(|l| out.push_str(l));
                    at = start;
                }
                " " => {
                    assert_eq!(text, lines[at]);
                    out.push_str(text);
                    at += 1;
                }
                "-" => {
                    assert_eq!(text, lines[at]);
                    at += 1;
                }
                "+" => out.push_str(text),
                _ => {}
            }
        }
        lines[at..].iter().for_each(|l| out.push_str(l));
        out
    }

    fn text() -> impl Strategy<Value = String> {
        let lines = proptest::collection::vec(prop_oneof!["[ab]", "c"], 0..24);
        (lines, any::<bool>()).prop_map(|(l, end)| l.join("\n") + if end && !l.is_empty() { "\n" } else { "" })
    }

    proptest! {
        #[test]
        fn a_patch_makes_the_new_text_of_the_old_one(old in text(), new in text()) {
            let patch = patch("p", &old, &new);
            prop_assert_eq!(patch.is_empty(), old == new);
            prop_assert_eq!(apply(&old, &patch), new);
        }
    }

    #[test]
    fn one_line_among_many() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let new = old.replace("5\n", "five\n");
        let expected = "--- a/p\n+++ b/p\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n";
        assert_eq!(patch("p", old, &new), expected);
    }
}
