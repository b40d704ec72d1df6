//! Envelopes as YAML and JSON: one map with the field names of the runtime's page, there and back without a loss.

use crate::words::{Acceptable, Effect, Tier, Tools, show_decimal, show_duration};

use super::canonical::plain;
use super::envelope::{ActorScope, Envelope, EnvelopeDraft, EnvelopeError, Operation};
use super::fields::Fields;
use super::protected::Protected;
use super::tree::{TextError, Tree};
use super::tree_yaml::read_one;

impl Envelope {
    /// Reads an envelope from YAML or JSON, and checks it.
    ///
    /// # Errors
    /// Everything that is wrong, each with its line: no YAML, a field that is missing, of no known name or unreadable,
    /// and what [`EnvelopeDraft::seal`] refuses.
    pub fn read(text: &str) -> Result<Envelope, Vec<TextError>> {
        Envelope::of_tree(&read_one(text).map_err(|error| vec![error])?)
    }

    pub(super) fn of_tree(tree: &Tree) -> Result<Envelope, Vec<TextError>> {
        let mut f = Fields::new(tree, "an envelope")?;
        let fields = (
            (f.parse("intent_id"), f.parse("canonical_args_hash"), f.parse("authorization_version")),
            (f.parse("release_id"), f.parse("action_key"), f.parse("downstream_scope")),
            (f.parse("created_at"), f.parse("deadline"), f.duration("longest_delay"), f.duration("retention")),
            (f.parse("max_attempts"), f.parse("retry_owner"), f.parse("receipt_locator")),
            (f.nested("actor_scope", scope), f.nested("operation", operation)),
        );
        let uses = f.decimals("uses");
        f.done()?;
        let (
            (Some(intent_id), Some(canonical_args_hash), Some(authorization_version)),
            (Some(release_id), Some(action_key), Some(downstream_scope)),
            (Some(created_at), Some(deadline), Some(longest_delay_ms), Some(retention_ms)),
            (Some(max_attempts), Some(retry_owner), Some(receipt_locator)),
            (Some(actor_scope), Some(operation)),
        ) = fields
        else {
            return Err(vec![TextError::new(tree.line, "the envelope is not whole")]);
        };
        let draft = EnvelopeDraft {
            intent_id,
            actor_scope,
            operation,
            canonical_args_hash,
            uses,
            authorization_version,
            release_id,
            action_key,
            downstream_scope,
            created_at,
            deadline,
            longest_delay_ms,
            retention_ms,
            max_attempts,
            retry_owner,
            receipt_locator,
        };
        draft.seal(&Protected::default()).map_err(|errors| errors.iter().map(|error| told(error, tree)).collect())
    }

    /// The envelope as YAML; [`read`](Self::read) takes it as it is.
    pub fn to_yaml(&self) -> String {
        self.to_tree().yaml()
    }

    /// The envelope as JSON on one line, in its canonical form; [`read`](Self::read) takes it as it is.
    pub fn to_json(&self) -> String {
        plain(&self.to_tree())
    }

    pub(super) fn to_tree(&self) -> Tree {
        let e = self.draft();
        let text = |text: &dyn std::fmt::Display| Some(Tree::from(text.to_string()));
        let scope = &e.actor_scope;
        let scope = [("tenant", &scope.tenant), ("principal", &scope.principal), ("purpose", &scope.purpose)];
        let uses = e.uses.iter().map(|(name, ticks)| (&**name, text(&show_decimal(*ticks))));
        Tree::map([
            ("intent_id", text(&e.intent_id)),
            ("actor_scope", Some(Tree::map(scope.map(|(key, value)| (key, text(value)))))),
            ("operation", Some(operation_tree(&e.operation))),
            ("canonical_args_hash", text(&e.canonical_args_hash)),
            ("uses", (!e.uses.is_empty()).then(|| Tree::map(uses))),
            ("authorization_version", text(&e.authorization_version)),
            ("release_id", text(&e.release_id)),
            ("action_key", text(&e.action_key)),
            ("downstream_scope", text(&e.downstream_scope)),
            ("created_at", text(&e.created_at)),
            ("deadline", text(&e.deadline)),
            ("longest_delay", text(&show_duration(e.longest_delay_ms))),
            ("retention", text(&show_duration(e.retention_ms))),
            ("max_attempts", Some(e.max_attempts.into())),
            ("retry_owner", text(&e.retry_owner)),
            ("receipt_locator", text(&e.receipt_locator)),
        ])
    }
}

fn operation_tree(o: &Operation) -> Tree {
    let word = |word: Option<&'static str>| word.map(Tree::from);
    Tree::map([
        ("name", Some(Tree::from(&*o.name))),
        ("effect", word(o.effect.map(Effect::as_str))),
        ("tools", word(o.tools.map(Tools::as_str))),
        ("tier", word(o.tier.map(Tier::as_str))),
        ("idempotent", word(o.idempotent.map(|yes| if yes { "yes" } else { "no" }))),
        ("variation", word(o.variation.map(Acceptable::as_str))),
        ("cost", word(o.cost.map(Acceptable::as_str))),
    ])
}

fn operation(tree: &Tree) -> Result<Operation, Vec<TextError>> {
    let mut f = Fields::new(tree, "an operation")?;
    let (name, effect, tools) = (f.parse("name"), f.word("effect", Effect::ALL), f.word("tools", Tools::ALL));
    let (tier, idempotent) = (f.word("tier", Tier::ALL), f.flag("idempotent"));
    let (variation, cost) = (f.word("variation", Acceptable::ALL), f.word("cost", Acceptable::ALL));
    f.done()?;
    Ok(Operation { name: name.unwrap_or_default(), effect, tools, tier, idempotent, variation, cost })
}

/// What is wrong with an envelope that was read, at the line of its field.
fn told(error: &EnvelopeError, tree: &Tree) -> TextError {
    let (field, mend) = match error {
        EnvelopeError::Empty(field) => (*field, "say who or what it is".to_string()),
        EnvelopeError::NoTime { created_at, .. } => ("deadline", format!("give a later moment than {created_at}")),
        EnvelopeError::NoAttempt => ("max_attempts", "write 1 or more".into()),
        EnvelopeError::RetentionTooShort { need_ms, .. } => {
            ("retention", format!("it takes {} or more: else bring the deadline forward", show_duration(*need_ms)))
        }
        EnvelopeError::ProtectedKey => ("action_key", "make the key of ids that say nothing of a person".into()),
    };
    let at = field.split('.').try_fold(tree, |tree, key| tree.get(key));
    TextError::new(at.map_or(tree.line, |at| at.line), error.to_string()).help(mend)
}

fn scope(tree: &Tree) -> Result<ActorScope, Vec<TextError>> {
    let mut f = Fields::new(tree, "an actor scope")?;
    let (tenant, principal, purpose) = (f.parse("tenant"), f.parse("principal"), f.parse("purpose"));
    f.done()?;
    let whole = |part: Option<String>| part.unwrap_or_default();
    Ok(ActorScope { tenant: whole(tenant), principal: whole(principal), purpose: whole(purpose) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::judge::envelope::tests::order;

    #[test]
    fn every_fault_has_its_line_and_a_mend() {
        let text = order().seal(&Protected::default()).unwrap().to_yaml();
        let bad = text.replace("max_attempts: 3", "max_attempt: 3").replace("\"1d\"", "24").replace("\"high\"", "hgih");
        let errors = Envelope::read(&bad).unwrap_err();
        let told: Vec<String> = errors.iter().map(|e| format!("{e}; {}", e.help.as_deref().unwrap_or(""))).collect();
        let has = |part: &str| assert!(told.iter().any(|t| t.contains(part)), "{part}: {told:?}");
        has("did you mean `max_attempts`?");
        has("an envelope needs `max_attempts`");
        has("`retention`: `24` has no unit");
        has("`hgih` is no value of `tier`; write one of low, medium, high, critical");
        assert!(Envelope::read("").is_err() && Envelope::read("[1]").is_err());
    }

    proptest! {
        /// There and back by both forms, whatever stands in the texts.
        #[test]
        fn envelopes_come_back_as_they_were(
            texts in proptest::array::uniform4("\\PC{1,12}[a-zآ-ی0-9: #'\"-]{1,6}x"),
            numbers in proptest::array::uniform4(1u64..100_000_000),
            words in (proptest::option::of(0usize..7), proptest::option::of(0usize..4), proptest::option::of(any::<bool>())),
            ticks: i64,
        ) {
            let mut draft = order();
            let [tenant, purpose, owner, name] = texts;
            draft.actor_scope.tenant = tenant;
            draft.actor_scope.purpose = purpose;
            draft.retry_owner = owner;
            draft.operation.name = name;
            draft.operation.effect = words.0.map(|i| Effect::ALL[i]);
            draft.operation.tier = words.1.map(|i| Tier::ALL[i]);
            draft.operation.idempotent = words.2;
            draft.uses = vec![("a b".into(), i128::from(ticks)), ("amount".into(), 1)];
            draft.deadline = draft.created_at.plus_ms(numbers[0]);
            draft.longest_delay_ms = numbers[1];
            draft.retention_ms = numbers[0] + numbers[1] + numbers[2];
            draft.max_attempts = numbers[3];
            let envelope = draft.seal(&Protected::default()).unwrap();
            let whole = Ok(envelope.clone());
            prop_assert_eq!(&Envelope::read(&envelope.to_yaml()), &whole);
            prop_assert_eq!(&Envelope::read(&envelope.to_json()), &whole);
        }
    }
}
