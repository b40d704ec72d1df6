//! Right texts in every place where the language has a rule of its own, and all texts that are one word away from them:
//! the tree has an error where `grammar/nisi.pest` refuses, none where it reads, and the same words then.

use std::collections::BTreeSet;

use crate::pest_words::{Rule, pest_words, tree_words};
use crate::trees;

/// The words that are put in, at every place.
const WORDS: &str = "a b.c-d and or not known unknown starts is if refused when \
    first row rows agree most at wins any count text \
    stop retry see after now by to owner 5 -2s 2026-08-01 \"t\" b/#3 , ; : / .. ..< < >= => ->";

/// The rules, and texts that each reads.
const RIGHT: &[(Rule, &[&str])] = &[
    (
        Rule::cell,
        &[
            "a",
            "a , 400 , b",
            "unknown , a",
            "1 .. 5 , 7",
            "1 ..< 5",
            "> 75 and <= 95",
            "unknown or not a , b",
            "known and a",
            "starts \"po:\"",
            ">= 2026-08-01T12:00:00+02:00 or \"a\\|b\"",
        ],
    ),
    (
        Rule::also,
        &[
            "a is b",
            "a is b , c and d is not e",
            "a is known and >= 5 and b is 1 .. 2",
            "first is first or known and is is is",
        ],
    ),
    (
        Rule::action_cell,
        &[
            "stop \"why\"",
            "done",
            "wait",
            "review",
            "review desk ; if refused , stop",
            "reconcile by key within 4s",
            "retry after slow , spend 2 ; if refused , look-up",
            "retry now",
            "hedge 2 after 300ms",
            "failover to p ; if refused , see t",
        ],
    ),
    (Rule::entry, &["attempts 3", "refill 10% of intents , at least 5 per second", "same a.b , \"c d\" , e:f"]),
    (Rule::output, &["a", "5", "\"t\"", "2026-08-01"]),
    (Rule::row_cell, &["a", "\"a b\""]),
    (Rule::expected, &["a", "any unknown", "#3", "t / a", "t/#3", "t / any unknown", "\"t/#3\""]),
    (Rule::column, &["a", "=> action"]),
    (Rule::name_only, &["a.b"]),
    (Rule::version, &["2026.8.1", "a"]),
    (Rule::owner, &["a", "\"a b\""]),
    (Rule::restricts, &["a 2026.8.1"]),
    (
        Rule::fact,
        &[
            "a : count",
            "a : decimal 0 .. 10 step 0.1",
            "a : duration .. 5s or none , \"never\"",
            "a : integer -5 ..",
            "a : low < medium < high",
            "a : count < text",
            "a : yes , no",
            "a : version , \"b c\" or d",
        ],
    ),
    (Rule::extend, &["a : b , \"c\""]),
    (Rule::group, &["a of b : c , 400 , \"d\""]),
    (Rule::action, &["a : retry after b , spend 2 ; if refused , stop"]),
    (
        Rule::derive,
        &[
            "a : b , c , first row wins",
            "a : count 0 .. 9 step 3 , highest wins",
            "a : b < c ; d : count , rows agree",
            "a : count , first , at most one row",
        ],
    ),
    (Rule::classify, &["a -> b , first , most cautious wins", "a -> b , rows agree"]),
    (
        Rule::table,
        &[
            "a , first row wins",
            "a when b is c , d and e is >= 5 , at most one row",
            "a when b is first , rows , lowest wins , if refused , retry now , spend 2 ; if refused , stop",
            "when when when is when , rows agree",
        ],
    ),
    (Rule::tighten, &["a , first row wins", "a , rows agree , if refused , wait"]),
    (
        Rule::rule_head,
        &["a : never b , failover to c when d is e , f and g is known", "a : only review , wait unless b is not c"],
    ),
    (
        Rule::waive,
        &[
            "a because \"t\"",
            "a for b / c , d/#3 because \"t\" owner e until 2027-01-31",
            "N0312 because \"t\" until 5 owner \"u\"",
            "a for b / any unknown because \"t\" owner owner",
        ],
    ),
];

/// A small policy with a text in the place that a rule reads.
fn policy(rule: Rule, text: &str) -> (String, usize) {
    let (before, after) = match rule {
        Rule::cell => ("table t, rows agree\n| row | f | => action |\n|---|---|---|\n| r | ", " | stop |\n"),
        Rule::also => ("table t, rows agree\n| f | also | => action |\n|---|---|---|\n| - | ", " | stop |\n"),
        Rule::action_cell => ("tighten t, rows agree\n| f | => action |\n| - | ", " |\n"),
        Rule::output => ("derive f : a, rows agree\n| f | => g |\n| - | ", " |\n"),
        Rule::row_cell => ("table t, rows agree\n| row | f | => action |\n| ", " | - | stop |\n"),
        Rule::expected => ("examples t\n| name | f | => row | action |\n| x y | - | ", " | stop |\n"),
        Rule::column => ("table t, rows agree\n| row | ", " | g | => action |\n"),
        Rule::entry => ("parity p {\n  same a\n  ", "\n}\n"),
        Rule::name_only => ("use ", "\n"),
        Rule::version => ("version ", "\n"),
        Rule::owner => ("owner ", "\n"),
        Rule::restricts => ("restricts ", "\n"),
        Rule::fact => ("fact ", "\n"),
        Rule::extend => ("extend ", "\n"),
        Rule::group => ("group ", "\n"),
        Rule::action => ("action ", "\n"),
        Rule::derive => ("derive ", "\n"),
        Rule::classify => ("classify ", "\n"),
        Rule::table => ("table ", "\n| f | => action |\n"),
        Rule::tighten => ("tighten ", "\n"),
        Rule::rule_head => ("rule ", "\n"),
        Rule::waive => ("waive ", "\n"),
        _ => unreachable!("no place is read by {rule:?}"),
    };
    (format!("{before}{text}{after}owner x\n"), before.len())
}

/// Compares one text in one place; a fault is told.
fn fault(rule: Rule, text: &str) -> Option<String> {
    // A cell that begins with `#` is a comment before any rule sees it, unless `#3` is all of it. And a value that is
    // called `is` behind `or not` has no rule that reads it: whoever writes it meant a test.
    if text.starts_with("#3 ") || text.contains("or not is") {
        return None;
    }
    let (policy, start) = policy(rule, text);
    let (expected, tree) = (pest_words(rule, text), trees::parse(&policy));
    let told = || format!("{rule:?} {text:?}");
    match (expected, tree.root_node().has_error()) {
        (None, true) => None,
        (None, false) => Some(format!("{}: pest refuses it, the tree has no error", told())),
        (Some(_), true) => Some(format!("{}: pest reads it; {:?}", told(), trees::errors(&policy))),
        (Some(expected), false) => {
            let found = tree_words(&tree, &policy, &(start..start + text.len()));
            (found != expected).then(|| format!("{}: pest has {expected:?}, the tree {found:?}", told()))
        }
    }
}

/// A text and all that are one word away from it.
fn near(text: &str, mut each: impl FnMut(&str)) {
    let own: Vec<&str> = text.split(' ').collect();
    each(text);
    for at in 0..=own.len() {
        for word in WORDS.split_whitespace() {
            each(&[&own[..at], &[word], &own[at..]].concat().join(" "));
            if at < own.len() {
                each(&[&own[..at], &[word], &own[at + 1..]].concat().join(" "));
            }
        }
        if (1..own.len()).contains(&at) {
            each(&[&own[..at], &own[at + 1..]].concat().join(" "));
            each(&own[..at].join(" "));
        }
    }
}

#[test]
fn texts_are_read_as_the_language_reads_them() {
    let (mut faults, mut n_read, mut n_refused) = (BTreeSet::new(), 0, 0);
    for (rule, right) in RIGHT {
        for text in *right {
            assert!(pest_words(*rule, text).is_some(), "{rule:?} does not read {text:?}");
            near(text, |text| {
                faults.extend(fault(*rule, text));
                if pest_words(*rule, text).is_some() { n_read += 1 } else { n_refused += 1 }
            });
        }
    }
    assert!(n_read > 2_000 && n_refused > 20_000, "{n_read} read, {n_refused} refused");
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.into_iter().collect::<Vec<_>>().join("\n"));
}
