//! What is decided where: the map of a policy, as lists.

use crate::map::{Map, Mapped};
use crate::words::Verb;

use super::prose;
use super::tables::{fact_id, join};
use super::tree::{Block, Cell, Column, Entry, Grid, GridRow, Kind, Line, Piece, Section, code, link, n, quiet, text};

/// What the map says where an overlay answers beside its base.
const BOTH: &str = "the more cautious of: ";

/// So many regions of one decision are told.
const SHOWN: usize = 100;

/// The map.
pub(super) fn section(map: &Map, max_steps: u64) -> Section {
    let mut section = Section::new("map", vec![text("What is decided where")]);
    if !map.is_whole {
        let words = format!(
            "This was not worked out: the policy is too complex for {max_steps} steps. The tables say the same, row by row; \
             `nisi doc --map-steps` and `nisi snapshot --max-steps` go further."
        );
        section.blocks.push(Block::Para(prose::line(&words)));
        return section;
    }
    let words = "Every decision, and the regions of facts in which it is taken, whichever rows say so. In each region it holds; together they \
                 are all inputs for which it does; they may overlap.";
    section.blocks.push(Block::Para(prose::line(words)));
    section.blocks.push(Block::Entries(map.decisions.iter().map(decision).collect()));
    if !map.derived.is_empty() {
        let mut part = Section::new("map-derived", vec![text("Where facts that are worked out have which value")]);
        part.blocks
            .push(Block::Entries(map.derived.iter().map(|mapped| entry(vec![text(&*mapped.what)], mapped)).collect()));
        section.parts.push(part);
    }
    section
}

fn decision(mapped: &Mapped) -> Entry {
    let mut name = Line::new();
    // Two answers, of which the guards leave one: told as they are.
    if let Some(both) = mapped.what.strip_prefix(BOTH) {
        return entry(vec![text(BOTH), code(both)], mapped);
    }
    for step in steps(&mapped.what) {
        let (word, rest) = step.split_once(' ').map_or((step, ""), |(word, rest)| (word, rest));
        if !name.is_empty() {
            name.push(text("; if refused, "));
        }
        match Verb::from_word(word) {
            Some(verb) if rest.is_empty() => name.push(Piece::Verb(verb)),
            Some(verb) => name.extend([Piece::Verb(verb), text(" "), code(rest)]),
            None => name.push(text(step)),
        }
    }
    entry(name, mapped)
}

/// The actions of a decision, each in turn: parted where `; if refused, ` stands outside of a text.
fn steps(decision: &str) -> Vec<&str> {
    const BETWEEN: &str = "; if refused, ";
    let (mut steps, mut start, mut is_quoted, mut is_escaped) = (Vec::new(), 0, false, false);
    for (at, c) in decision.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = is_quoted,
            '"' => is_quoted = !is_quoted,
            ';' if !is_quoted && decision[at..].starts_with(BETWEEN) => {
                steps.push(&decision[start..at]);
                start = at + BETWEEN.len();
            }
            _ => {}
        }
    }
    steps.push(&decision[start..]);
    steps
}

/// A single region as a sentence, several as a table: a column for each fact that matters in one of them.
fn entry(name: Line, mapped: &Mapped) -> Entry {
    let blocks = match mapped.tests.as_slice() {
        [one] => vec![Block::Para(sentence(one))],
        several => {
            let mut blocks = vec![Block::Grid(grid(&mapped.what, several))];
            let left = several.len().saturating_sub(SHOWN);
            if left > 0 {
                let words = format!("And {}, which `nisi snapshot` prints.", n(left, "region more", "regions more"));
                blocks.push(Block::Para(prose::line(&words)));
            }
            blocks
        }
    };
    Entry { id: None, name, blocks }
}

fn sentence(tests: &[(String, String)]) -> Line {
    let shown = tests.iter().map(|(fact, cell)| vec![link(fact_id(fact), &**fact), text(" is "), code(&**cell)]);
    let line = join(shown.collect(), " and ");
    if line.is_empty() { vec![text("whatever the facts")] } else { line }
}

fn grid(what: &str, regions: &[Vec<(String, String)>]) -> Grid {
    let shown = &regions[..regions.len().min(SHOWN)];
    // In the order of the facts: from the longest region on, a new one stands behind the one that it follows.
    let mut facts: Vec<&str> = Vec::new();
    let mut longest: Vec<&Vec<(String, String)>> = shown.iter().collect();
    longest.sort_by_key(|region| std::cmp::Reverse(region.len()));
    for region in longest {
        let mut at = 0;
        for (fact, _) in region {
            if let Some(place) = facts.iter().position(|held| held == fact) {
                at = place;
            } else {
                facts.insert(at, fact);
            }
            at += 1;
        }
    }
    let head = |words: Piece| Column { head: vec![words], kind: Kind::Input };
    let columns =
        std::iter::once(head(text("region"))).chain(facts.iter().map(|fact| head(link(fact_id(fact), *fact))));
    let cell = |region: &[(String, String)], fact: &str| {
        let own = region.iter().find(|(name, _)| name == fact);
        Cell::of(vec![vec![own.map_or_else(|| quiet("any"), |(_, cell)| code(&**cell))]])
    };
    let row = |(place, region): (usize, &Vec<(String, String)>)| {
        let number = Cell::of(vec![vec![text((place + 1).to_string())]]);
        let cells = std::iter::once(number).chain(facts.iter().map(|fact| cell(region, fact)));
        GridRow { id: None, cells: cells.collect() }
    };
    let caption = vec![text("where: "), text(what)];
    Grid { caption, is_captioned: false, columns: columns.collect(), rows: shown.iter().enumerate().map(row).collect() }
}

#[cfg(test)]
mod tests {
    use super::steps;

    #[test]
    fn decisions_are_parted_outside_of_texts() {
        let decision = r#"retry now; if refused, stop "a \" b; if refused, c"; if refused, review d"#;
        assert_eq!(steps(decision), ["retry now", r#"stop "a \" b; if refused, c""#, "review d"]);
    }
}
