//! A policy as an artifact and back: the same answers, the same bytes; and no bytes that do harm.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use nisi::artifact::LoadError;
use nisi::compare::{CompareOptions, compare};
use nisi::compile::{NoSources, Options};
use nisi::decide::{Raw, Refused, VerifyError};
use nisi::text::Source;
use nisi::{Facts, Policy};
use proptest::prelude::*;

use crate::random;
use crate::support::{compile, compile_with, files, has_ending, root};

/// Every policy of the project that compiles, by its file.
fn corpus() -> Vec<(String, Policy)> {
    let all = ["policies", "tests/cases"].into_iter().flat_map(files).filter(|path| has_ending(path, "nisi"));
    // Some cases are no text at all.
    let read = |path: String| Some((std::fs::read_to_string(root().join(&path)).ok()?, path));
    all.filter_map(read).filter_map(|(text, path)| Some((path.clone(), compile(&path, &text).policy?))).collect()
}

/// Values that each fact takes, among many that may be written.
fn takes(policy: &Policy) -> Vec<(String, Vec<Raw>)> {
    let raws: Vec<Raw> = random::values().map(|word| Raw::Plain(word.into())).collect();
    let fits = |name: &str, raw: &Raw| policy.read_facts([(name.to_string(), raw.clone())]).is_ok();
    let list = |name: &str| raws.iter().filter(|raw| fits(name, raw)).cloned().collect();
    policy.fact_names().map(|name| (name.to_string(), list(name))).collect()
}

/// So many questions, of known and unknown facts.
fn questions(policy: &Policy, n: u32) -> Vec<Vec<(String, Raw)>> {
    let takes = takes(policy);
    let mut state = 0x9E37_79B9_u32;
    let mut draw = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 8) as usize
    };
    let mut one = |(name, values): &(String, Vec<Raw>)| match draw() {
        n if n % 4 == 0 || values.is_empty() => None,
        n => Some((name.clone(), values[(n / 4) % values.len()].clone())),
    };
    (0..n).map(|_| takes.iter().filter_map(&mut one).collect()).collect()
}

/// All that a policy tells of one question, by its program and by the plain evaluator.
fn told(policy: &Policy, facts: &Facts) -> [String; 2] {
    let refused = policy.refuse(["retry"]).unwrap();
    let decisions = [policy.decide(facts), policy.decide_with(facts, &refused), policy.decide_plainly(facts, &refused)];
    let place = |d: &nisi::Decision| d.row().map(|row| (row.file().to_string(), row.line()));
    let all = decisions.iter().map(|d| format!("{:#}\n{}\n{:?}\n", d.to_json(Some(7)), d.why(), place(d)));
    [all.collect(), decisions[0].why().to_json().to_string()]
}

/// A policy and what became of it as an artifact are one.
fn is_same(path: &str, policy: &Policy, n_questions: u32) {
    let bytes = policy.to_artifact();
    let loaded = Policy::load(bytes.as_slice()).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(loaded.to_artifact() == bytes, "{path}: saved again, other bytes");
    assert_eq!((loaded.digest(), loaded.is_proven()), (policy.digest(), policy.is_proven()), "{path}");
    assert_eq!(loaded.verify(), Ok(()), "{path}");
    assert_eq!(format!("{:?}", loaded.inspect()), format!("{:?}", policy.inspect()), "{path}");
    let rows =
        |p: &Policy| p.rows().map(|r| (r.to_string(), r.reason().map(String::from), r.line())).collect::<Vec<_>>();
    assert_eq!(rows(&loaded), rows(policy), "{path}");
    for question in questions(policy, n_questions) {
        // Facts of the one are facts of the other, and a policy that was asked nothing yet is asked each time.
        let fresh = Policy::load(bytes.clone()).unwrap();
        let (ours, theirs) = (policy.read_facts(question.clone()).unwrap(), fresh.read_facts(question).unwrap());
        let expected = told(policy, &ours).map(|text| text.replace(&folder_of(path), ""));
        assert_eq!(told(&fresh, &theirs), expected, "{path}");
        assert_eq!(told(&loaded, &ours), expected, "{path}");
    }
}

/// What is cut off the names of files.
fn folder_of(path: &str) -> String {
    path.rfind('/').map_or("\u{0}".into(), |end| path[..=end].to_string())
}

#[test]
fn every_policy_of_the_project_is_the_same_when_it_is_loaded() {
    let corpus = corpus();
    assert!(corpus.len() > 10, "{} policies show little", corpus.len());
    for (path, policy) in corpus {
        is_same(&path, &policy, if path.starts_with("policies/") { 60 } else { 4 });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn random_policies_are_the_same_when_they_are_loaded(tape in proptest::collection::vec(any::<u16>(), 20..260)) {
        let options = Options { proofs: false, ..Options::default() };
        let compiled = || nisi::compile::compile(Source::new("r.nisi", random::text(&tape)), &NoSources, &options).policy;
        if let Some(policy) = compiled() {
            prop_assert!(compiled().map(|again| again.to_artifact()) == Some(policy.to_artifact()), "compiled twice");
            is_same("r.nisi", &policy, 6);
        }
    }
}

/// A policy with all that one can have but an overlay: derives, `see`, every block, texts, numbers of every width, points,
/// rules, examples.
const RICH: &str = r#"policy rich
version 2
owner desk

use std.facts
use std.safety

fact region : eu, us, asia
fact size   : small < medium < large
fact amount : decimal 0..1000000 step 0.01 or none
fact load   : count 0..100
fact shop   : text
fact since  : instant
fact client : version

budget {
  owner    desk
  below    sdk 2
  attempts 3
  refill   10% of intents, at least 5 per second
  deadline 20s
  reserve  2s
  least    300ms
}
backoff gentle { base 200ms, factor 1.5, cap 8s, jitter equal }
locator key { lag 1s, remembers 24h, looks 3 }
parity twin { same model, tool_schema
  at least evaluation.score 0.9
  fresh evaluation.date within 30d }

derive dear : yes, no, first row wins
| amount | size  | => dear |
| > 5000 | -     | yes     |
| -      | large | yes     |
| otherwise |    | no      |

table first, first row wins
| row   | region | dear | condition | shop             | => action        |
| shops | eu     | no   | timeout   | "a" or starts "b-" | see second       |
| known | us     | -    | confirmed | -                | done "it exists" |
| rest  | -      | -    | -         | -                | review people    |
- rest: nobody knows

table second, first row wins
| load    | effect | since                  | client | => action                                                        |
| 5..10   | read   | -                      | -      | retry after gentle; if refused, reconcile by key within 4s; if refused, review on-call |
| -       | -      | > 2026-01-01T00:00:00Z | >= 2.1 | stop "too new"                                                   |
| otherwise |      |                        |        | reconcile by event within 2s                                     |

rule far-away: never retry when region is asia

examples first
| name | region | condition | => action | row  |
| far  | asia   | timeout   | review    | rest |
"#;

/// It, compiled.
static POLICY: LazyLock<Policy> = LazyLock::new(|| {
    let options = Options { proofs: false, ..Options::default() };
    Policy::compile_with(Source::new("rich.nisi", RICH), &NoSources, &options).unwrap_or_else(|found| panic!("{found}"))
});

static ARTIFACT: LazyLock<Vec<u8>> = LazyLock::new(|| POLICY.to_artifact());

#[test]
fn all_that_a_policy_can_have_comes_back() {
    is_same("rich.nisi", &POLICY, 100);
    // As matchers rather than one array.
    assert!(POLICY.inspect().flat.is_none());
    // A policy that restricts another, with the files that it uses.
    let base = "policy base\nversion 1\nuse team.facts\ntable t, first row wins\n| region | => action |\n\
        | eu | stop |\n| otherwise | review |\n";
    let own = "policy own\nversion 1\nrestricts base 1\ntighten t, first row wins\n| region | => action |\n\
        | us | review desk |\n";
    let others = BTreeMap::from([("base", base), ("team.facts", "fact region : eu, us, asia\n")]);
    let others = others.into_iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
    let compiled = compile_with("own.nisi", own, &others);
    let policy = compiled.policy.unwrap_or_else(|| panic!("{}", compiled.diagnostics));
    is_same("own.nisi", &policy, 40);
    let loaded = Policy::load(policy.to_artifact()).unwrap();
    assert_eq!(loaded.files().collect::<Vec<_>>(), ["own.nisi", "base.nisi", "team/facts.nisi"]);
    assert!(compare(&policy, &loaded, &CompareOptions::default()).is_same());
}

/// The folder that a policy was compiled in is nobody's business.
#[test]
fn an_artifact_knows_no_folder() {
    let text = "policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n";
    let all = ["a.nisi", "team/a.nisi", "/somewhere/else/a.nisi", "C:\\texts\\a.nisi"];
    let artifacts: Vec<_> = all.iter().map(|name| compile(name, text).policy.unwrap().to_artifact()).collect();
    assert!(artifacts.windows(2).all(|two| two[0] == two[1]));
    let loaded = Policy::load(artifacts[0].as_slice()).unwrap();
    let row = loaded.rows().next().unwrap();
    assert_eq!((row.file(), row.line()), ("a.nisi", 5));
}

fn refused(bytes: &[u8]) -> LoadError {
    Policy::load(bytes).expect_err("it is damaged")
}

#[test]
fn every_change_of_a_byte_is_found() {
    let mut bytes = ARTIFACT.clone();
    for at in 0..bytes.len() {
        for flip in [1, 0x80, 0xff] {
            bytes[at] ^= flip;
            let error = refused(&bytes);
            assert!(at < 24 || matches!(error, LoadError::Checksum { .. }), "byte {at}: {error}");
            bytes[at] ^= flip;
        }
    }
    assert!(Policy::load(bytes).is_ok());
}

#[test]
fn every_cut_is_found() {
    for length in 0..ARTIFACT.len() {
        let error = refused(&ARTIFACT[..length]);
        let expected = matches!(error, LoadError::Length { given, .. } if given == length as u64);
        assert!(expected || length < 8 && error == LoadError::NotAnArtifact, "{length}: {error}");
    }
    let longer = [&ARTIFACT[..], &[0]].concat();
    assert!(matches!(refused(&longer), LoadError::Length { given, stated } if given == stated + 1));
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    for (given, help) in [
        (0, "compile the policy with this version of nisi"),
        (1, "compile the policy with this version of nisi"),
        (2, "compile the policy with this version of nisi"),
        (3, "compile the policy with this version of nisi"),
        (5, "take a later version of nisi, or compile the policy with this one"),
    ] {
        let mut other = ARTIFACT.clone();
        other[8] = given;
        let error = refused(&other);
        assert_eq!(error, LoadError::Format { given: given.into(), known: 4 });
        assert_eq!(
            error.to_string(),
            format!("the artifact has format {given}, and this version of nisi reads format 4")
        );
        assert_eq!(error.help(), help);
    }
    assert_eq!(refused(b"policy a\nversion 1\n"), LoadError::NotAnArtifact);

    // Its edition of the language stands among its texts.
    let at = ARTIFACT.windows(6).position(|text| text == b"nisi 1").unwrap();
    let mut other = ARTIFACT.clone();
    other[at + 5] = b'7';
    let edition = LoadError::Edition { given: "nisi 7".into(), known: "nisi 1" };
    assert_eq!(refused(&mended(other)), edition);
    let mut broken = ARTIFACT.clone();
    broken[at] = 0xff;
    let error = refused(&mended(broken));
    assert!(matches!(error, LoadError::Unsound { section: "texts", what, .. } if what == "a text is not UTF-8"));
}

/// The same bytes under a right checksum.
fn mended(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 4;
    let sum = crc32fast::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Asks a policy all that can be asked; nothing may panic.
fn ask_all(policy: &Policy) {
    for question in questions(policy, 3) {
        let Ok(facts) = policy.read_facts(question) else { continue };
        told(policy, &facts);
    }
    assert!(policy.rows().map(|row| row.to_string().len() + row.line()).sum::<usize>() > 0);
    let _ = (policy.to_artifact(), format!("{:?}", policy.inspect()), policy.verify());
    let few = CompareOptions { max_steps: 2_000, max_regions: 4 };
    compare(policy, &POLICY, &few);
}

/// With a right checksum, what is left of an artifact after one byte of so many was changed is refused, or answers.
fn is_refused_or_answers(artifact: &[u8], of: usize) {
    let mut answers = 0;
    for at in (24..artifact.len() - 4).step_by(of) {
        let mut bytes = artifact.to_vec();
        bytes[at] = if at % 2 == 0 { bytes[at].wrapping_add(1) } else { bytes[at] ^ 0xff };
        if let Ok(policy) = Policy::load(mended(bytes)) {
            answers += 1;
            if answers % 16 == 0 {
                ask_all(&policy);
            }
        }
    }
    assert!(answers > 100 && answers < artifact.len() / 2, "{answers} of {}", artifact.len());
}

#[test]
fn changed_on_purpose_it_is_refused_or_answers() {
    is_refused_or_answers(&ARTIFACT, 3);
}

/// Many ends of 32 bits, of 64, and wider; sets of one range, and of two between them; codes that are all segments, and
/// others.
#[test]
fn numbers_of_every_width_come_back() {
    let row = |r: u64| {
        let (near, far) = (10 * r, 10_000_000_000 * r);
        let two = if r.is_multiple_of(7) { format!(", {}", far + 7_000_000_000) } else { String::new() };
        format!(
            "| {near}..{} | - | - | review a{r} |\n| - | {far}..{}{two} | - | review b{r} |\n\
            | - | - | {far}.25..{far}.5 | review c{r} |\n",
            near + 9,
            far + 5_000_000_000
        )
    };
    let head = "policy wide\nversion 1\nfact near : count\nfact far : count or none\nfact wide : decimal\n\
        table t, first row wins\n| near | far | wide | => action |\n";
    let text = format!("{head}{}| otherwise | | | stop |\n", (0..40).map(row).collect::<String>());
    let options = Options { proofs: false, ..Options::default() };
    let policy = Policy::compile_with(Source::new("wide.nisi", text.as_str()), &NoSources, &options);
    let policy = policy.unwrap_or_else(|found| panic!("{found}"));
    assert!(policy.inspect().flat.is_none());
    is_same("wide.nisi", &policy, 20);

    let artifact = policy.to_artifact();
    let (loaded, nothing) = (Policy::load(artifact.as_slice()).unwrap(), Refused::nothing());
    for n in (0..40u64).flat_map(|r| [10 * r, 10 * r + 9, 10_000_000_000 * r, 10_000_000_000 * r + 7_000_000_000]) {
        for (fact, value) in [("near", n.to_string()), ("far", n.to_string()), ("wide", format!("{n}.25"))] {
            let facts = loaded.read_facts([(fact.to_string(), Raw::Plain(value))]).unwrap();
            let plain = policy.decide_plainly(&facts, &nothing).to_string();
            assert_eq!([policy.decide(&facts).to_string(), loaded.decide(&facts).to_string()], [plain.clone(), plain]);
        }
    }
    is_refused_or_answers(&artifact, 7);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_changed_nothing_panics(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), any::<bool>()), 1..6),
    ) {
        let mut bytes = ARTIFACT.clone();
        for (at, byte, is_small) in changes {
            let at = 24 + at.index(bytes.len() - 28);
            bytes[at] = if is_small { bytes[at].wrapping_add(byte % 3) } else { byte };
        }
        match Policy::load(mended(bytes)) {
            Ok(policy) => ask_all(&policy),
            Err(error) => prop_assert!(!error.to_string().is_empty() && !error.help().is_empty()),
        }
    }
}

/// A file whose digest and program are not those of its rows is loaded, as loading takes no second look at what it means;
/// it is found out when somebody looks.
#[test]
fn a_program_of_other_rows_is_found_out() {
    let text = |row: &str| {
        format!(
            "policy a\nversion 1\nfact x : yes, no\ntable t, first row wins\n\
        | x | => action |\n| {row} | stop |\n| otherwise | review |\n"
        )
    };
    let artifact = |row| Policy::compile(&text(row)).unwrap_or_else(|found| panic!("{found}")).to_artifact();
    let (yes, no) = (artifact("yes"), artifact("no "));
    assert_eq!(yes.len(), no.len());
    // The cells of the one policy, and the digest and the program of the other.
    let n_sets = 24 + 8;
    let place = |bytes: &[u8]| {
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        number(n_sets)..number(n_sets) + number(n_sets + 4)
    };
    let mut mixed = yes.clone();
    mixed[place(&yes)].copy_from_slice(&no[place(&no)]);
    let policy = Policy::load(mended(mixed)).unwrap();
    assert!(matches!(policy.verify(), Err(VerifyError::Digest { .. })));
    assert_eq!(Policy::load(yes).unwrap().verify(), Ok(()));
}

/// An array of one byte a point, and one of two, because it has more answers than a byte tells apart.
#[test]
fn arrays_of_few_and_of_many_answers_come_back() {
    for n_rows in [3u64, 300] {
        let rows = (0..n_rows).map(|n| format!("| {n} | review q{n} |\n")).collect::<Vec<_>>().concat();
        let head = "policy many\nversion 1\nfact n : count 0..999\ntable t, first row wins\n| n | => action |\n";
        let policy = Policy::compile(&format!("{head}{rows}| otherwise | stop |\n")).unwrap();
        let loaded = Policy::load(policy.to_artifact()).unwrap();
        let n_answers = policy.inspect().flat.map(|flat| flat.n_answers as u64);
        assert_eq!(n_answers, Some(n_rows + 1));

        let (n, nothing) = (policy.handle("n").unwrap(), Refused::nothing());
        let mut facts = policy.no_facts();
        for count in 0..n_rows + 2 {
            facts.set_count(n, count).unwrap();
            let plain = policy.decide_plainly(&facts, &nothing).to_string();
            assert_eq!(plain, if count < n_rows { format!("review q{count}") } else { "stop".into() });
            assert_eq!(policy.decide(&facts).to_string(), plain);
            assert_eq!(loaded.decide(&facts).to_string(), plain);
        }
    }
}
