//! The values of the standard facts, as types.
//!
//! The words are those of `std.facts`; a type says nothing of what follows from a value: that is the policy's work.

use std::fmt;

macro_rules! vocabulary {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)+ })+) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub enum $name { $($(#[$vdoc])* $variant,)+ }

            impl $name {
                /// All values, in the order of the vocabulary.
                pub const ALL: &'static [$name] = &[$($name::$variant,)+];

                /// As a policy writes it, and as facts come in.
                pub const fn as_str(self) -> &'static str {
                    match self { $($name::$variant => $word,)+ }
                }

                /// The value of a word; nothing for a word that is none.
                pub fn from_word(word: &str) -> Option<Self> {
                    match word { $($word => Some($name::$variant),)+ _ => None }
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(self.as_str())
                }
            }
        )+
    };
}

vocabulary! {
    /// What was observed of the last attempt or look-up.
    ///
    /// ```
    /// use nisi::words::Condition;
    /// assert_eq!(Condition::from_word("timeout"), Some(Condition::Timeout));
    /// assert_eq!(Condition::AlreadyDone.as_str(), "already_done");
    /// ```
    Condition {
        /// An attempt is still out, and slower than expected.
        Pending = "pending",
        /// Validation, permission or policy said no; for good.
        Rejected = "rejected",
        /// The caller's credential has run out; the business approval has not.
        CredentialExpired = "credential_expired",
        /// Explicit overload or throttling.
        Overloaded = "overloaded",
        /// A limit that waiting inside the deadline cannot lift.
        QuotaExhausted = "quota_exhausted",
        /// No connection came about.
        ConnectFailed = "connect_failed",
        /// The connection broke.
        ConnectionLost = "connection_lost",
        /// No answer in time.
        Timeout = "timeout",
        /// The provider failed.
        ProviderFailure = "provider_failure",
        /// The caller stopped waiting: an observation, no rollback.
        Cancelled = "cancelled",
        /// The receiver says that the key is still executing.
        InProgress = "in_progress",
        /// The answer is evidence that the effect exists.
        AlreadyDone = "already_done",
        /// The same key with other parameters.
        KeyMisuse = "key_misuse",
        /// A precondition or version check failed.
        Conflict = "conflict",
        /// The output fails schema, safety or evidence checks.
        IncompatibleOutput = "incompatible_output",
        /// The receipt was found.
        Confirmed = "confirmed",
        /// Nothing was applied: proven.
        ConfirmedAbsent = "confirmed_absent",
        /// A look-up could not tell, or failed itself.
        Unconfirmed = "unconfirmed",
        /// Nothing that the vocabulary knows.
        Unclassified = "unclassified",
    }

    /// The class of the operation: what it does to the world.
    Effect {
        /// Reads one version that never changes.
        ImmutableRead = "immutable_read",
        /// Reads.
        Read = "read",
        /// Computes without a change outside; the output varies.
        Inference = "inference",
        /// Proposes a command; nothing is changed.
        Proposal = "proposal",
        /// Creates or reserves a record.
        Write = "write",
        /// Touches people or money.
        ConsequentialWrite = "consequential_write",
        /// Reads a committed result back.
        Verification = "verification",
    }

    /// What can be proven of all unsettled attempts, the weakest of them. The order is weakest first, unknown (`None`)
    /// before all.
    ///
    /// ```
    /// use nisi::words::Dispatch;
    /// assert_eq!(Dispatch::NotSent.min(Dispatch::MaybeProcessed), Dispatch::MaybeProcessed);
    /// assert_eq!(Some(Dispatch::NotSent).min(None), None);
    /// ```
    Dispatch {
        /// It may have been processed.
        MaybeProcessed = "maybe_processed",
        /// It was processed.
        Processed = "processed",
        /// Processed, and rolled back as a whole.
        Undone = "undone",
        /// Sent, and the receiver proves that it did not process it.
        Refused = "refused",
        /// Never sent.
        NotSent = "not_sent",
    }

    /// How far the effect may have got; of several attempts the farthest counts.
    ///
    /// ```
    /// use nisi::words::Boundary;
    /// assert_eq!(Boundary::NotCrossed.max(Boundary::MaybeCrossed), Boundary::MaybeCrossed);
    /// ```
    Boundary {
        /// It has not crossed, and no longer can: proven.
        NotCrossed = "not_crossed",
        /// It may have crossed.
        MaybeCrossed = "maybe_crossed",
        /// It has crossed.
        Crossed = "crossed",
    }

    /// Whether an inference may call tools.
    Tools {
        /// It cannot.
        Disabled = "disabled",
        /// It can.
        Enabled = "enabled",
    }

    /// Whether another output, or its price, would do.
    Acceptable {
        /// It would.
        Acceptable = "acceptable",
        /// It would not.
        Unacceptable = "unacceptable",
    }

    /// How much of the output has been shown.
    Shown {
        /// Nothing.
        None = "none",
        /// Some of it.
        Partial = "partial",
    }

    /// What the receiver instructs.
    Pushback {
        /// Nothing.
        None = "none",
        /// To wait.
        Wait = "wait",
        /// To stop.
        Stop = "stop",
    }

    /// Whether the approval still stands.
    Authorization {
        /// It does.
        Current = "current",
        /// It does not.
        Stale = "stale",
    }

    /// Whether the policy of the running release is known.
    Release {
        /// It is.
        Registered = "registered",
        /// It is not.
        Unregistered = "unregistered",
    }

    /// The consequence tier: how bad a second effect would be; the order is lowest first.
    ///
    /// ```
    /// use nisi::words::Tier;
    /// assert!(Tier::High > Tier::Medium);
    /// ```
    Tier {
        /// Low.
        Low = "low",
        /// Medium.
        Medium = "medium",
        /// High.
        High = "high",
        /// Critical.
        Critical = "critical",
    }

    /// Whether some registered release meets a parity.
    ParityVerdict {
        /// One does.
        Holds = "holds",
        /// None does.
        Refused = "refused",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_go_there_and_back() {
        assert_eq!(Condition::ALL.len(), 19);
        for c in Condition::ALL {
            assert_eq!(Condition::from_word(c.as_str()), Some(*c));
        }
        assert_eq!(Effect::from_word("effect"), None);
        assert!(Tier::Low < Tier::Critical);
        assert_eq!(Shown::Partial.to_string(), "partial");
    }
}
