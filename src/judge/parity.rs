//! Parity: whether one release may stand in for another. It is directed: that B may stand in for A says nothing of A
//! standing in for B.
//!
//! Takes a policy's `parity` block and two passports; gives every field that stands in the way. A field that the block names
//! and a passport lacks is never equal.

use crate::decide::Policy;
use crate::model::{Parity, ParityTerm};
use crate::words::{parse_decimal, parse_instant, show_decimal, show_duration};

use super::canonical::plain;
use super::moment::Moment;
use super::passport::{Passport, list};
use super::tree::{Kind, Tree};

/// A field in which a release does not meet a parity; shown as ``` `b`: `router` is "r-8"; it must be "r-7" ```.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{release}`: `{field}` is {have}; it must be {need}")]
pub struct Difference {
    /// The release that would stand in.
    pub release: String,
    /// The field, as the parity names it.
    pub field: String,
    /// What it has; `missing` where it has none.
    pub have: String,
    /// What it would have to have.
    pub need: String,
}

/// The names of a policy's parities.
pub fn parities(policy: &Policy) -> impl Iterator<Item = &str> {
    policy.head().parities.iter().map(|parity| &*parity.name)
}

/// Every field in which `to` may not stand in for `from`; none where it may. Nothing where the policy has no such parity.
///
/// ```
/// use nisi::judge::{Moment, Releases, differences};
/// let policy = nisi::Policy::compile("policy a\nversion 1\nuse std.facts\nparity twin {\n  same router\n  no broader tools\n}\n\
///     table t, first row wins\n| => action |\n| stop |\n")?;
/// let text = "release: a\nrouter: r-7\ntools: [erp, search]\n---\nrelease: b\nrouter: r-7\ntools: [erp]\n";
/// let releases = Releases::read([("r.yaml", text)]).expect("they are sound");
/// let (a, b) = (releases.get("a").expect("a"), releases.get("b").expect("b"));
/// let now = Moment::from_ms(0);
/// assert_eq!(differences(&policy, "twin", a, b, now), Some(vec![]));
/// let back = differences(&policy, "twin", b, a, now).expect("a parity");
/// assert_eq!(back[0].to_string(), "`a`: `tools` is [\"erp\",\"search\"]; it must be nothing beyond [\"erp\"]");
/// # Ok::<(), nisi::Diagnostics>(())
/// ```
pub fn differences(
    policy: &Policy,
    parity: &str,
    from: &Passport,
    to: &Passport,
    now: Moment,
) -> Option<Vec<Difference>> {
    let parity = policy.head().parities.iter().find(|p| &*p.name == parity)?;
    Some(between(parity, from, to, now))
}

/// The same, for a parity of the model.
pub(super) fn between(parity: &Parity, from: &Passport, to: &Passport, now: Moment) -> Vec<Difference> {
    let unmet = |(field, want): (&str, Want)| {
        let (a, b) = (from.field(field), to.field(field));
        let have = || b.map_or("missing".into(), plain);
        let told =
            || Difference { release: to.name().to_string(), field: field.into(), have: have(), need: want.told(a) };
        (!want.is_met(a, b, now)).then(told)
    };
    wants(parity).filter_map(unmet).collect()
}

/// Whether one release may stand in for another.
pub(super) fn meets(parity: &Parity, from: &Passport, to: &Passport, now: Moment) -> bool {
    wants(parity).all(|(field, want)| want.is_met(from.field(field), to.field(field), now))
}

/// What a parity asks of one field.
#[derive(Clone, Copy)]
enum Want {
    Same,
    NoBroader,
    AtLeast(i128),
    Fresh(u64),
}

fn wants(parity: &Parity) -> impl Iterator<Item = (&str, Want)> {
    parity.terms.iter().flat_map(|term| {
        let (fields, want) = match term {
            ParityTerm::Same(fields) => (&fields[..], Want::Same),
            ParityTerm::NoBroader(fields) => (&fields[..], Want::NoBroader),
            ParityTerm::AtLeast(field, least) => (std::slice::from_ref(field), Want::AtLeast(*least)),
            ParityTerm::Fresh(field, within_ms) => (std::slice::from_ref(field), Want::Fresh(*within_ms)),
            ParityTerm::MayDiffer(_) => (&[][..], Want::Same),
        };
        fields.iter().map(move |field| (&**field, want))
    })
}

impl Want {
    /// Of the field of the release that failed and of the one that would stand in. Nothing is allocated for texts and
    /// lists of them.
    fn is_met(self, from: Option<&Tree>, to: Option<&Tree>, now: Moment) -> bool {
        match self {
            Want::Same => from.zip(to).is_some_and(|(from, to)| is_same(from, to)),
            Want::NoBroader => from
                .and_then(list)
                .zip(to.and_then(list))
                .is_some_and(|(from, to)| to.iter().all(|item| from.iter().any(|have| have.text() == item.text()))),
            Want::AtLeast(least) => to.and_then(number).is_some_and(|n| n >= least),
            Want::Fresh(within_ms) => to.and_then(date).is_some_and(|day| day <= now && now.since_ms(day) <= within_ms),
        }
    }

    /// What the field would have to be.
    fn told(self, from: Option<&Tree>) -> String {
        match (self, from) {
            (Want::AtLeast(least), _) => format!("at least {}", show_decimal(least)),
            (Want::Fresh(within_ms), _) => format!("a date of the last {}", show_duration(within_ms)),
            (Want::Same, Some(from)) => plain(from),
            (Want::NoBroader, Some(from)) => format!("nothing beyond {}", plain(from)),
            (Want::Same | Want::NoBroader, None) => "known of the release that failed too".into(),
        }
    }
}

fn is_same(a: &Tree, b: &Tree) -> bool {
    match (&a.kind, &b.kind) {
        (Kind::Text(a), Kind::Text(b)) => a == b,
        (Kind::List(a), Kind::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b)),
        _ => plain(a) == plain(b),
    }
}

fn number(tree: &Tree) -> Option<i128> {
    match &tree.kind {
        Kind::Number(digits) | Kind::Text(digits) => parse_decimal(digits).ok(),
        _ => None,
    }
}

/// A day, which begins in UTC, or an instant.
fn date(tree: &Tree) -> Option<Moment> {
    let text = tree.text()?;
    let mut midnight = *b"0000-00-00T00:00:00Z";
    let day = match midnight.get_mut(..10).filter(|day| day.len() == text.len()) {
        Some(day) => {
            day.copy_from_slice(text.as_bytes());
            parse_instant(std::str::from_utf8(&midnight).ok()?)
        }
        None => parse_instant(text),
    };
    u64::try_from(day.ok()? / 1_000_000).ok().map(Moment::from_ms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Releases;

    const POLICY: &str = "policy a\nversion 1\nuse std.facts\nparity equivalent {\n  same safety_policy, tool_schema\n  no broader permissions\n  \
        at least evaluation.groundedness 0.90\n  fresh evaluation.date within 90d\n  may differ provider\n}\n\
        table t, first row wins\n| => action |\n| stop |\n";

    fn passports(text: &str) -> Releases {
        Releases::read([("r.yaml", text)]).unwrap()
    }

    const A: &str = "release: a\nprovider: nw\nsafety_policy: sp-14\ntool_schema: t\npermissions: [read, create]\n\
        evaluation: {groundedness: 0.94, date: 2026-07-28}\n";

    fn found(b: &str) -> Vec<String> {
        let policy = Policy::compile(POLICY).unwrap();
        let releases = passports(&format!("{A}---\n{b}"));
        let now = "2026-08-07T00:00:00Z".parse().unwrap();
        let all = differences(&policy, "equivalent", releases.get("a").unwrap(), releases.get("b").unwrap(), now);
        all.unwrap().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_differing_field_is_named() {
        let twin = A.replace("release: a", "release: b").replace("nw", "contoso");
        assert_eq!(found(&twin), [""; 0]);
        let worse = twin.replace("sp-14", "sp-13").replace("[read, create]", "[read, create, pay]");
        let worse = worse.replace("0.94", "0.899").replace("2026-07-28", "2026-05-01").replace("tool_schema: t\n", "");
        assert_eq!(
            found(&worse),
            [
                "`b`: `safety_policy` is \"sp-13\"; it must be \"sp-14\"",
                "`b`: `tool_schema` is missing; it must be \"t\"",
                "`b`: `permissions` is [\"read\",\"create\",\"pay\"]; it must be nothing beyond [\"read\",\"create\"]",
                "`b`: `evaluation.groundedness` is 0.899; it must be at least 0.9",
                "`b`: `evaluation.date` is \"2026-05-01\"; it must be a date of the last 90d",
            ]
        );
        assert_eq!(found(&twin.replace("2026-07-28", "2027-07-28")).len(), 1, "a date to come is no evidence");
    }

    #[test]
    fn a_tampered_passport_is_caught() {
        let releases = passports(A);
        let digest = releases.get("a").unwrap().digest().to_string();
        assert!(Releases::read([("r.yaml", format!("{A}digest: {digest}\n").as_str())]).is_ok());
        let changed = format!("{A}digest: {digest}\n").replace("sp-14", "sp-13");
        let errors = Releases::read([("r.yaml", changed.as_str())]).unwrap_err();
        assert_eq!(
            errors[0].to_string(),
            "r.yaml, line 7: `digest` is not that of this passport: something in it was changed"
        );
    }

    #[test]
    fn faults_have_file_line_and_key() {
        let text = "release: a\ntools: 5\n---\nprovider: x\n---\nrelease: a\n---\nrelease: a\n---\n- 1\n";
        let told: Vec<String> =
            Releases::read([("x.yaml", text)]).unwrap_err().iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "x.yaml, line 2: `tools` is a list of texts, and here is a number",
                "x.yaml, line 4: a passport needs `release`, its name",
                "x.yaml, line 8: there is a release `a` already: x.yaml, line 6",
                "x.yaml, line 10: a passport is a map, and here is a list",
            ]
        );
    }
}
