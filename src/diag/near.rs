//! "Did you mean": the nearest of some names, within a distance limit.

/// The name nearest to `wrong`: at most a third of its letters differ (at least one may, at most three), where a
/// swap of neighbours counts as one. An equal name but for case, `-`, `_` is always near. The first wins a tie.
pub(crate) fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |s: &str| s.to_lowercase().replace(['-', ' '], "_");
    let folded = plain(wrong);
    if folded.chars().count() > 64 {
        return None;
    }
    let limit = (folded.chars().count() / 3).clamp(1, 3);
    names
        .into_iter()
        .filter_map(|name| Some((distance(&folded, &plain(name), limit)?, name)))
        .min_by_key(|(d, _)| *d)
        .map(|(_, name)| name)
}

/// Optimal string alignment distance, or nothing past `limit`.
fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let swap = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + swap);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    (last[b.len()] <= limit).then_some(last[b.len()])
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let names = ["timeout", "connection_lost", "rejected"];
        assert_eq!(nearest("tiemout", names), Some("timeout"));
        assert_eq!(nearest("Connection-Lost", names), Some("connection_lost"));
        assert_eq!(nearest("banana", names), None);
        assert_eq!(nearest("no", ["yes", "on"]), Some("on"));
    }
}
