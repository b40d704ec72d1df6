//! Edits: a tree that is brought up to date is the tree of the new text.

use tree_sitter::{InputEdit, Parser, Point};

use crate::corpus;

/// Numbers in a fixed order.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % n.max(1)
    }
}

const PIECES: &[&str] = &["|", "\n", "#", "\"", " ", "x", "table", "\n| a | b |", "{", "}", "- ", "=>", "", "", "ü"];

fn point(text: &str, at: usize) -> Point {
    let before = &text[..at];
    Point { row: before.matches('\n').count(), column: at - before.rfind('\n').map_or(0, |i| i + 1) }
}

/// A place between two characters.
fn place(text: &str, dice: &mut Dice) -> usize {
    let at = dice.below(text.len() + 1);
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[test]
fn a_tree_kept_up_to_date_is_the_tree_of_the_text() {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_nisi::LANGUAGE.into()).unwrap();
    let (mut dice, mut n_edits) = (Dice(1), 0);
    for text in corpus::whole().filter(|text| (100..8_000).contains(&text.written.len())).step_by(3) {
        let mut written = text.written.clone();
        let mut tree = parser.parse(&written, None).unwrap();
        for _ in 0..20 {
            let start = place(&written, &mut dice);
            let end = (start + dice.below(4)..=written.len()).find(|at| written.is_char_boundary(*at)).unwrap_or(start);
            let piece = PIECES[dice.below(PIECES.len())];
            let mut after = written.clone();
            after.replace_range(start..end, piece);
            let new_end = start + piece.len();
            tree.edit(&InputEdit {
                start_byte: start,
                old_end_byte: end,
                new_end_byte: new_end,
                start_position: point(&written, start),
                old_end_position: point(&written, end),
                new_end_position: point(&after, new_end),
            });
            written = after;
            tree = parser.parse(&written, Some(&tree)).unwrap();
            let fresh = parser.parse(&written, None).unwrap();
            assert_eq!(tree.root_node().to_sexp(), fresh.root_node().to_sexp(), "{}\n{written}", text.name);
            n_edits += 1;
        }
    }
    assert!(n_edits > 2_000, "only {n_edits} edits");
}
