//! What a guard asks, in words for people: `guard` is what it does.

use crate::words::Verb;

/// What the facts must show before an action is carried out; what is code stands in backticks.
pub(crate) fn guard_words(verb: Verb) -> &'static str {
    match verb {
        Verb::Stop => "`stop` asks nothing of the facts: it always holds.",
        Verb::Review => "`review` asks nothing of the facts: a person looks at it.",
        Verb::Done => "`done` may stand only where `condition` is `confirmed`.",
        Verb::Wait => "`wait` may stand only where `condition` is `pending`.",
        Verb::Reconcile => {
            "`reconcile` asks nothing of the facts; it is refused where the locator no longer remembers, its looks are used \
             up, or it would take longer than what is left of deadline and reserve."
        }
        Verb::Retry => {
            "`retry` needs: `budget` for what it spends, `deadline` for the shortest wait and the budget's `least`, \
             `pushback` not known to be `stop`, `hint` known where `pushback` is `wait`, and the right: `authorization` is \
             `current`, or unknown for a read, a verification, or an inference without tools. Unknown refuses."
        }
        Verb::Hedge => {
            "`hedge` needs: `budget` for the further copies, `deadline` for its delay and the budget's `least`, `pushback` \
             not known to be `stop`, `effect` a read, a verification, or an inference without tools, and the right: \
             `authorization` is `current`, or unknown for these. Unknown refuses."
        }
        Verb::Failover => {
            "`failover` needs: `budget` for one attempt, `deadline` for the budget's `least`, `pushback` not known to be \
             `stop`, its parity holds, `authorization` is `current`, and `boundary` is `not_crossed`. Unknown refuses."
        }
    }
}
