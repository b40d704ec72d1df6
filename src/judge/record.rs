//! The record of a decision: what was asked, what answered, and under which policy, approval and release.
//!
//! It is enough to decide again bit for bit ([`Policy::replay`]), it is bounded, and it holds no arguments, no prompt and no
//! output. A fact, an id or an obstacle that is long, or is or holds what was told to be protected, is withheld by name.

use crate::decide::{Decision, Facts, Policy, Raw, Refused, World as Because};
use crate::words::Verb;

use super::canonical::plain;
use super::obstacle::{Obstacle, WITHHELD};
use super::protected::Protected;
use super::scene::Scene;
use super::tree::{Kind, TextError, Tree};
use super::tree_json::read_json;

/// The longest text in a record, in bytes.
pub const MAX_RECORD_TEXT: usize = 256;
/// The most obstacles that a record tells.
const MOST_OBSTACLES: usize = 64;

/// The record of one decision; [`NextMove`](super::NextMove) has one.
#[derive(Clone, PartialEq, Eq)]
pub struct Record {
    pub(super) tree: Tree,
}

impl std::fmt::Debug for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_json())
    }
}

/// What a record says when it is decided again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replayed {
    /// The same, to the last bit.
    Same,
    /// Something else: each part that differs, as it was and as it is now.
    Differs(Vec<(String, String, String)>),
    /// It cannot be decided again, and why.
    CannotTell(String),
}

impl Record {
    pub(super) fn of(
        scene: &Scene<'_>,
        decision: &Decision<'_>,
        refused: &Refused,
        obstacles: &[Obstacle<'_>],
    ) -> Self {
        let (intent, policy, world) = (scene.intent, scene.policy, &scene.world);
        let text = |text: &dyn std::fmt::Display| Some(Tree::from(text.to_string()));
        let nothing = Protected::default();
        let protected = world.protected.unwrap_or(&nothing);
        let is_kept = |name: &str, text: &str| text.len() <= MAX_RECORD_TEXT && !protected.hides(name, text);
        let id = |name: &str, id: &dyn std::fmt::Display| {
            let id = id.to_string();
            Some(Tree::from(if protected.hides(name, &id) { WITHHELD.into() } else { id }))
        };
        let known: Vec<_> = decision.facts().known().map(|(name, value)| (name, value.as_given())).collect();
        let (kept, withheld): (Vec<_>, Vec<_>) = known.into_iter().partition(|(name, value)| is_kept(name, value));
        let told = obstacles.iter().map(ToString::to_string).take(MOST_OBSTACLES);
        let told = told.map(|o| Tree::from(if is_kept("", &o) { o } else { WITHHELD.into() }));
        let (whole, shown) = (decided(decision, scene.draw(), None), decided(decision, scene.draw(), world.protected));
        // Where a refusal is withheld, nobody can compare it.
        let part = (plain(&whole) != plain(&shown)).then_some("decision");
        let withheld: Vec<Tree> = withheld.into_iter().map(|(name, _)| name).chain(part).map(Tree::from).collect();
        let tree = Tree::map([
            ("intent", id("intent_id", intent.envelope().intent_id())),
            ("attempts", Some((intent.attempts().len() as u64).into())),
            ("state", text(&intent.state())),
            ("at", text(&world.now)),
            ("action_key", id("action_key", intent.envelope().action_key())),
            ("authorization", id("authorization_version", intent.envelope().authorization_version())),
            ("release", id("release_id", scene.release())),
            ("policy", text(&policy.name())),
            ("version", text(&policy.version())),
            ("digest", text(&policy.digest())),
            ("facts", Some(Tree::map(kept.into_iter().map(|(name, value)| (name, Some(Tree::from(value))))))),
            ("withheld", (!withheld.is_empty()).then(|| Tree::list(withheld))),
            ("refused", Some(Tree::list(refused.entries().map(refused_tree)))),
            ("draw", text(&scene.draw())),
            ("decision", Some(shown)),
            ("obstacles", Some(Tree::list(told))),
        ]);
        Record { tree }
    }

    /// As JSON on one line, in canonical form.
    pub fn to_json(&self) -> String {
        plain(&self.tree)
    }

    /// Reads a record.
    ///
    /// # Errors
    /// What is no JSON, or no record.
    pub fn read(text: &str) -> Result<Self, TextError> {
        Self::of_tree(read_json(text)?)
    }

    pub(super) fn of_tree(tree: Tree) -> Result<Self, TextError> {
        let needed = ["intent", "at", "policy", "digest", "facts", "refused", "draw", "decision"];
        match needed.iter().find(|key| tree.get(key).is_none()) {
            Some(key) => Err(TextError::new(tree.line, format!("this is no record of a decision: `{key}` is missing"))),
            None => Ok(Record { tree }),
        }
    }

    /// An entry's text: `intent`, `at`, `digest` …; empty for what is no text.
    pub fn text(&self, key: &str) -> &str {
        self.tree.get(key).and_then(Tree::text).unwrap_or_default()
    }
}

fn refused_tree((verb, name, because): (Verb, Option<&str>, Because)) -> Tree {
    Tree::map([
        ("action", Some(verb.as_str().into())),
        ("of", name.map(Tree::from)),
        ("world", Some(because.as_str().into())),
    ])
}

/// What was decided, whole, save what may not be shown: what a replay compares.
fn decided(decision: &Decision<'_>, draw: u64, protected: Option<&Protected>) -> Tree {
    let text = |text: Option<&str>| text.map(Tree::from);
    let number = |number: Option<u64>| number.map(Tree::from);
    let bounds = decision.wait_bounds_ms().map(|(lo, hi)| Tree::list([lo.into(), hi.into()]));
    let told = |refusal| Tree::from(Obstacle::Guard(refusal).shown(protected).to_string());
    let guard = decision.guard().map(|g| Tree::list(g.refusals().map(told)));
    Tree::map([
        ("action", text(Some(decision.verb().as_str()))),
        ("gap", (decision.is_gap() || decision.is_foreign()).then(|| Kind::Bool(true).into())),
        ("reason", text(decision.reason())),
        ("queue", text(decision.queue())),
        ("by", text(decision.by())),
        ("within_ms", number(decision.within_ms())),
        ("parity", text(decision.parity())),
        ("copies", number(decision.copies())),
        ("after_ms", number(decision.after_ms())),
        ("spend", number(decision.spend())),
        ("wait_ms", number(decision.wait(draw))),
        ("wait_bounds_ms", bounds),
        ("path", Some(Tree::list(decision.path().map(|row| row.to_string().into())))),
        ("because", text(decision.because())),
        ("refused", guard),
    ])
}

impl Policy {
    /// Decides a record again, by this policy: with its facts, its refusals, its draw.
    ///
    /// ```
    /// use nisi::judge::{Intent, Observation, Record, Replayed, World};
    /// use nisi::words::Condition;
    /// # let envelope = nisi::judge::Envelope::read(include_str!("../../tests/cases/judge/order.yaml")).expect("it is whole");
    /// let text = include_str!("../../policies/field-guide.nisi");
    /// let policy = nisi::Policy::compile(text)?;
    /// let world = World::at(envelope.created_at(), "coordinator");
    /// let intent = Intent::new(envelope);
    /// let next = policy.next_move(&intent, &Observation::of(Condition::Unclassified), &world);
    /// let record = Record::read(&next.record().to_json()).expect("a record");
    /// assert_eq!(policy.replay(&record), Replayed::Same);
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    pub fn replay(&self, record: &Record) -> Replayed {
        let again = match self.asked_again(record) {
            Ok(again) => again,
            Err(why) => return Replayed::CannotTell(why),
        };
        let (facts, refused, draw) = &again;
        let now = decided(&self.decide_with(facts, refused), *draw, None);
        let then = record.tree.get("decision").cloned().unwrap_or(Kind::Null.into());
        if plain(&then) == plain(&now) {
            return Replayed::Same;
        }
        let keys = |tree: &Tree| {
            if let Kind::Map(e) = &tree.kind { e.iter().map(|(k, _)| k.clone()).collect() } else { vec![] }
        };
        let mut all: Vec<String> = keys(&then).into_iter().chain(keys(&now)).collect();
        all.sort();
        all.dedup();
        let part = |tree: &Tree, key: &str| tree.get(key).map_or("nothing".into(), plain);
        let differs = all.into_iter().map(|key| (part(&then, &key), part(&now, &key), key));
        Replayed::Differs(differs.filter(|(a, b, _)| a != b).map(|(a, b, key)| (key, a, b)).collect())
    }

    /// The question that a record holds.
    fn asked_again(&self, record: &Record) -> Result<(Facts, Refused, u64), String> {
        if let Some(withheld) = record.tree.get("withheld") {
            return Err(format!("parts were withheld from the record: {}", plain(withheld)));
        }
        let entries = record.tree.get("facts").map(|t| &t.kind);
        let Some(Kind::Map(entries)) = entries else { return Err("its `facts` are no map".into()) };
        let mut given = Vec::new();
        for (name, value) in entries {
            let value = value.text().ok_or_else(|| format!("its fact `{name}` is no text"))?.to_string();
            let is_text = self.handle(name).is_ok_and(|h| self.no_facts().get(h).is_some_and(|v| v.is_text()));
            given.push((name.clone(), if is_text { Raw::Text(value) } else { Raw::Plain(value) }));
        }
        let facts = self
            .read_facts(given)
            .map_err(|errors| errors.first().map_or("its facts cannot be read".into(), ToString::to_string))?;
        let draw = record.text("draw").parse().map_err(|_| "its `draw` is no number".to_string())?;
        let mut refused = Refused::nothing();
        let Some(Kind::List(items)) = record.tree.get("refused").map(|t| &t.kind) else {
            return Err("its `refused` is no list".into());
        };
        for item in items {
            let word = |key| item.get(key).and_then(Tree::text);
            let verb = word("action").and_then(Verb::from_word);
            let because = Because::ALL.into_iter().find(|w| Some(w.as_str()) == word("world"));
            match (verb, because, word("of")) {
                (Some(verb), Some(because), Some(name)) => refused.add_named(verb, name, because),
                (Some(verb), Some(because), None) => refused.add(verb, because),
                _ => return Err(format!("it says what was refused in other words: {}", plain(item))),
            }
        }
        Ok((facts, refused, draw))
    }
}
