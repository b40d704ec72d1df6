//! What registered releases mean for a policy: failovers that can never be honoured, releases without a stand-in.
//!
//! Takes a policy and the registry; gives findings at the policy's rows and parities, each with the pair that comes nearest
//! and every field in its way.

use std::collections::BTreeSet;

use crate::decide::Policy;
use crate::diag::{Code, Diagnostic, N0601, N0602};
use crate::model::{Action, Outcome, Parity};
use crate::text::Span;

use super::moment::Moment;
use super::parity::{Difference, between};
use super::passport::Releases;

/// What is wrong with a policy, given the releases that are registered: warnings of N0601 and N0602, at places of the
/// policy's own sources. A waiver of the code for the row, or for no row, leaves it out.
///
/// ```
/// use nisi::judge::{Moment, Releases, release_findings};
/// let policy = nisi::Policy::compile("policy a\nversion 1\nuse std.facts\nbudget { owner me, attempts 2, deadline 9s }\n\
///     parity twin { same router }\ntable t, first row wins\n| => action |\n| failover to twin; if refused, stop |\n")?;
/// let releases = Releases::read([("r.yaml", "release: a\nrouter: r-7\n---\nrelease: b\nrouter: r-8\n")]).expect("sound");
/// let found = release_findings(&policy, &releases, Moment::from_ms(0));
/// assert_eq!((found.len(), found[0].code.id), (1, "N0601"));
/// # Ok::<(), nisi::Diagnostics>(())
/// ```
pub fn release_findings(policy: &Policy, releases: &Releases, now: Moment) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let used = failovers(policy);
    for (place, parity) in policy.head().parities.iter().enumerate() {
        let ways: Vec<Ways> =
            releases.passports().map(|from| Ways::of(parity, releases, from.name().as_str(), now)).collect();
        let nobody = ways.iter().all(|way| !way.has_one);
        if nobody {
            let rows = used.iter().filter(|f| f.parity == place && !is_waived(policy, N0601, Some(f)));
            found.extend(rows.map(|f| unhonoured(parity, f.span, &ways)));
        } else if used.iter().any(|f| f.parity == place) && !is_waived(policy, N0602, None) {
            found.extend(ways.iter().filter(|way| !way.has_one).map(|way| island(parity, way)));
        }
    }
    found
}

/// A failover somewhere in a row.
struct Failover {
    parity: usize,
    row: (crate::model::TableId, usize),
    span: Span,
}

/// Every failover of every row, each parity once a row.
fn failovers(policy: &Policy) -> Vec<Failover> {
    let mut found = Vec::new();
    for (t, table) in policy.model().tables.iter().enumerate() {
        for (r, row) in table.rows.iter().enumerate() {
            let Outcome::Act(chain) = &row.outcome else { continue };
            let parity = |action: &Action| if let Action::Failover { parity } = action { Some(*parity) } else { None };
            let parities: BTreeSet<usize> = chain.actions.iter().filter_map(parity).collect();
            let row = (crate::model::TableId(t), r);
            found.extend(parities.into_iter().map(|parity| Failover { parity, row, span: chain.span }));
        }
    }
    found
}

/// Whether a release has a stand-in, and else what is in the way of the one that comes nearest.
struct Ways {
    from: String,
    has_one: bool,
    nearest: Vec<Difference>,
}

impl Ways {
    fn of(parity: &Parity, releases: &Releases, from: &str, now: Moment) -> Self {
        let failed = releases.get(from);
        let others = releases.passports().filter(|to| to.name().as_str() != from);
        let found = others.filter_map(|to| Some(between(parity, failed?, to, now))).min_by_key(Vec::len);
        let has_one = found.as_ref().is_some_and(Vec::is_empty);
        Ways { from: from.into(), has_one, nearest: found.unwrap_or_default() }
    }

    fn told(&self) -> Option<String> {
        let fields: Vec<String> = self.nearest.iter().map(ToString::to_string).collect();
        (!fields.is_empty()).then(|| format!("nearest for `{}` comes {}", self.from, fields.join("; ")))
    }
}

fn unhonoured(parity: &Parity, span: Span, ways: &[Ways]) -> Diagnostic {
    let message =
        format!("no registered release may stand in for another by `{}`: this failover is always refused", parity.name);
    let nearest = ways.iter().filter(|w| !w.nearest.is_empty()).min_by_key(|w| w.nearest.len()).and_then(Ways::told);
    let help = nearest.unwrap_or_else(|| "register a second release, or let the row answer otherwise".into());
    Diagnostic::new(N0601, message).at(span, "always takes its way for refusal").help(help)
}

fn island(parity: &Parity, way: &Ways) -> Diagnostic {
    let message = format!("no registered release may stand in for `{}` by `{}`", way.from, parity.name);
    let finding = Diagnostic::new(N0602, message).at(parity.span, "asked of it here");
    match way.told() {
        Some(help) => finding.help(help),
        None => finding,
    }
}

fn is_waived(policy: &Policy, code: Code, failover: Option<&Failover>) -> bool {
    let for_row = |rows: &[_]| rows.is_empty() || failover.is_some_and(|f| rows.contains(&f.row));
    policy.head().waivers.iter().any(|w| &*w.what == code.id && for_row(&w.rows))
}
