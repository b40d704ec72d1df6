//! Policies with errors in their syntax: the items beside the error are in the tree all the same.

use crate::corpus;
use crate::outline::{Server, item_at, name_of};
use crate::trees;

/// What nisi still reads of a broken policy, and no finding touches, is in the tree: the item, its name, its rows.
#[test]
fn what_is_sound_in_a_broken_policy_is_found() {
    let mut server = Server::new();
    let (mut faults, mut n_items, mut n_texts) = (Vec::new(), 0, 0);
    // A carriage return alone ends a line for nisi, with a finding; no editor shows it so.
    for text in corpus::broken().filter(|text| !text.written.replace("\r\n", "").contains('\r')) {
        n_texts += 1;
        let line = |at: usize| text.written.get(..at).map_or(usize::MAX, |before| before.matches('\n').count());
        let touched: Vec<(usize, usize)> = text.findings.iter().map(|f| (line(f.start), line(f.end))).collect();
        let tree = trees::parse(&text.written);
        for symbol in server.outline(&text.written) {
            let range = (symbol.start.0, symbol.end_line.max(symbol.rows.last().map_or(0, |row| row.end_line)));
            if touched.iter().any(|(start, end)| *start <= range.1 && range.0 <= *end) {
                continue;
            }
            n_items += 1;
            let at = format!("{}:{}: `{}`", text.name, range.0 + 1, symbol.name);
            let Some(item) = item_at(&tree, range.0) else {
                faults.push(format!("{at} is not in the tree"));
                continue;
            };
            let rows = trees::children(item, "row").len();
            // The rows below a header that cannot be read are left out by nisi; a tree has them.
            if name_of(item, &text.written) != Some(symbol.name.as_str()) || rows < symbol.rows.len() {
                faults.push(format!("{at} has {} rows, in the tree {rows}", symbol.rows.len()));
            }
        }
    }
    assert!(n_texts > 100 && n_items > 300, "{n_texts} texts, {n_items} items");
    assert!(faults.is_empty(), "{} of {n_items}\n{}", faults.len(), faults.join("\n"));
}
