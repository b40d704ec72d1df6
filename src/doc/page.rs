//! From a policy to its page: what stands where.

use crate::decide::Policy;
use crate::model::Unit;
use crate::program::EDITION;
use crate::syntax::tree::ItemKind;
use crate::text::SourceMap;

use super::tables::Told;
use super::tree::{Block, Document, Entry, Line, Mark, Piece, Section, code, n, quiet, text, way};
use super::written::{Home, Written};
use super::{acts, behaviour, examples, facts, limits, picture, prose, rules, tables};

/// What a page is made of.
pub(crate) struct Given<'a> {
    /// The policy.
    pub(crate) policy: &'a Policy,
    /// The texts that it was compiled from, with their trees; an artifact has none.
    pub(crate) texts: Option<(&'a SourceMap, &'a [Unit])>,
    /// How many steps the map of decisions may take.
    pub(crate) map_steps: u64,
}

/// The page of a policy.
pub(crate) fn document(given: &Given) -> Document {
    let policy = given.policy;
    let written = Written::of(policy, given.texts);
    let told = Told { model: policy.model(), written: &written };
    let map = policy.map_within(given.map_steps);
    let (examples, n_failed) = examples::section(told, policy);
    let mut sections = vec![glance(told), tables::section(told), acts::section(told.model, &written)];
    sections.extend(rules::section(told, policy.is_proven()));
    sections.extend(limits::section(told, policy));
    if !told.model.facts.is_empty() {
        sections.push(facts::section(told));
    }
    sections.extend(examples);
    sections.push(behaviour::section(&map, given.map_steps));
    sections.push(reading(told));
    let mut document = Document {
        name: policy.name().to_string(),
        version: policy.version().to_string(),
        digest: policy.digest().to_string(),
        head: head(told, policy, n_failed),
        sections,
        foot: vec![text(format!("Written by nisi {}, language edition {EDITION}.", env!("CARGO_PKG_VERSION")))],
        n_failed,
        is_mapped: map.is_whole,
    };
    document.settle_links();
    document
}

/// What the policy is: its own words, whether it is proven, where it comes from.
fn head(told: Told, policy: &Policy, n_failed: usize) -> Vec<Block> {
    let (model, written) = (told.model, told.written);
    let mut blocks = Vec::new();
    for item in written.own() {
        if matches!(item.kind, ItemKind::Policy(_) | ItemKind::Version(_) | ItemKind::Owner(_)) {
            blocks.extend(prose::blocks(&item.doc));
        }
    }
    blocks.push(Block::Para(proven(policy)));
    if n_failed > 0 {
        let words = if n_failed == 1 { " does not hold. " } else { " do not hold. " };
        let failed = Piece::Mark(Mark::No, n(n_failed, "example", "examples"));
        blocks.push(Block::Para(vec![failed, text(words), way("examples", "See them.")]));
    }
    let mut entries = Vec::new();
    let mut entry = |name: &str, line: Line| {
        entries.push(Entry { id: None, name: vec![text(name)], blocks: vec![Block::Para(line)] });
    };
    if !model.owner.is_empty() {
        entry("owner", vec![text(&*model.owner)]);
    }
    let rows = model.tables.iter().map(|t| t.rows.len()).sum();
    let n_examples = model.examples.iter().map(|e| e.rows.len()).sum();
    let counts = [
        n(model.tables.len(), "table", "tables"),
        n(rows, "row", "rows"),
        n(model.rules.len(), "rule", "rules"),
        n(n_examples, "example", "examples"),
    ];
    entry("holds", vec![text(counts.join(", "))]);
    entry("file", vec![code(written.main())]);
    for (name, line) in brought(told) {
        entry(name, line);
    }
    if !written.has_texts() {
        let words = "a compiled artifact, which holds neither documentation, nor groups, nor how its cells were written: they are shown as \
                     the values that they mean";
        entry("read from", vec![text(words)]);
    }
    entry("digest", vec![code(policy.digest())]);
    blocks.push(Block::Entries(entries));
    blocks
}

fn proven(policy: &Policy) -> Line {
    if !policy.is_proven() {
        let words = " A proof was cut short, so it is not known whether every input has an answer and every rule holds. What no row answers \
                     gives a review.";
        return vec![Piece::Mark(Mark::Open, "Not proven.".into()), text(words)];
    }
    let rules = match policy.model().rules.len() {
        0 => String::new(),
        1 => ", and its rule holds".into(),
        count => format!(", and all {count} rules hold"),
    };
    vec![Piece::Mark(Mark::Yes, "Proven:".into()), text(format!(" every input has an answer{rules}."))]
}

/// The files that a policy brings in, by what they are to it, with what it says of them.
fn brought(told: Told) -> Vec<(&'static str, Line)> {
    let written = told.written;
    let (mut bases, mut uses): (Vec<Line>, Vec<Line>) = (Vec::new(), Vec::new());
    for home in written.homes() {
        let Some(name) = home.name() else { continue };
        let (list, item) = match home {
            Home::Base(_) => (&mut bases, written.own().find(|item| matches!(item.kind, ItemKind::Restricts { .. }))),
            _ => (
                &mut uses,
                written.own().find(|item| matches!(&item.kind, ItemKind::Use(used) if is_file_of(name, &used.text))),
            ),
        };
        let mut line = vec![code(name)];
        if let Some(ItemKind::Restricts { version, .. }) = item.map(|item| &item.kind) {
            line.extend([text(" "), code(&*version.text), text(", and can only be more careful than that")]);
        }
        line.extend(
            item.and_then(|item| prose::short(&item.doc)).into_iter().flat_map(|doc| [vec![text(": ")], doc].concat()),
        );
        list.push(line);
    }
    let used = if written.has_texts() { "uses" } else { "made of" };
    let all = [("restricts", tables::join(bases, "; ")), (used, tables::join(uses, "; "))];
    all.into_iter().filter(|(_, line)| !line.is_empty()).collect()
}

/// Whether a file, `team/facts.nisi`, is the one that a name, `team.facts`, speaks of.
fn is_file_of(file: &str, name: &str) -> bool {
    let dotted = file.trim_end_matches(".md").trim_end_matches(".nisi").replace('/', ".");
    dotted == name || dotted.ends_with(&format!(".{name}"))
}

/// The whole at a glance.
fn glance(told: Told) -> Section {
    let mut section = Section::new("picture", vec![text("At a glance")]);
    section.blocks.push(Block::Picture(picture::picture(told.model)));
    section
}

/// How to read the page.
fn reading(told: Told) -> Section {
    let mut section = Section::new("reading", vec![text("How to read this page")]);
    let mut lines = vec![
        prose::line("A row matches where all of its cells hold. `any` in a cell takes every value, unknown included."),
        prose::line(
            "A cell takes one of the values that it lists; `not` takes every known value but these. Unknown is taken only by a cell that says `unknown`.",
        ),
        prose::line(
            "From the most cautious to the least, actions are: `review`, `reconcile`, `stop`, `wait`, `done`, `retry`, `hedge`, `failover`. The last three act on the world again.",
        ),
    ];
    if !told.model.rules.is_empty() {
        lines.push(prose::line("Behind `when` of a rule a fact that nobody knows counts as fulfilling its test, so that the rule protects wherever it may apply; behind `unless` it does not."));
    }
    lines.push(vec![
        text("The digest names what the policy decides: two policies with one digest decide the same. What the policy's authors noted with a single "),
        code("#"),
        text(" stays in its source. "),
        way("top", "To the top"),
        quiet("."),
    ]);
    section.blocks.push(Block::List(lines));
    section
}
