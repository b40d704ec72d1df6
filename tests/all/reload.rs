//! Policies that change on disk while they run.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use nisi::reload::{Live, LiveOptions, Looked, Refusal, WatchOptions};

use crate::support::Folder;

fn text(name: &str, version: u32, action: &str) -> String {
    format!(
        "policy {name}\nversion {version}\nfact n : count\ntable t, first row wins\n| row | n | => action |\n| low | <= 3 | {action} |\n| rest | - | review desk |\n"
    )
}

fn open(folder: &Folder, options: LiveOptions) -> Live {
    Live::open(folder.path(), options).unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn version(live: &Live, name: &str) -> String {
    live.get(name).unwrap().version().to_string()
}

/// What a look refuses.
fn refused(live: &Live) -> String {
    let Looked::Refused(refusal) = live.look() else { panic!("it is taken") };
    assert_eq!(live.refusal().unwrap().to_string(), refusal.to_string());
    assert!(matches!(live.look(), Looked::Same), "it is told once");
    refusal.to_string()
}

#[test]
fn what_is_good_is_taken_and_what_is_not_is_refused_with_the_reason() {
    let folder = Folder::new("reload-takes");
    folder.file("a.nisi", text("a", 1, "stop"));
    let live = open(&folder, LiveOptions::default());
    assert!(matches!(live.look(), Looked::Same) && live.refusal().is_none());
    folder.file("a.nisi", text("a", 2, "review back"));
    assert!(matches!(live.look(), Looked::Taken));
    assert_eq!(version(&live, "a"), "2");

    folder.file("a.nisi", text("a", 3, "stopp"));
    let told = refused(&live);
    assert!(told.contains("a.nisi:6:") && told.contains("did you mean `stop`"), "{told}");
    folder.file("a.nisi", text("a", 3, "stop") + "examples t\n| n | => action |\n| 1 | review desk |\n");
    assert!(refused(&live).contains("1 | review desk") || live.refusal().unwrap().to_string().contains("example"));
    std::fs::write(folder.path().join("a.nisi"), b"policy \xff").unwrap();
    assert!(refused(&live).contains("UTF-8"));
    std::fs::remove_file(folder.path().join("a.nisi")).unwrap();
    assert!(refused(&live).contains("no policy under"));
    assert_eq!(version(&live, "a"), "2");

    folder.file("a.nisi", text("a", 4, "stop"));
    assert!(matches!(live.look(), Looked::Taken) && live.refusal().is_none());
    assert_eq!((version(&live, "a"), live.first().version()), ("4".into(), "4"));
}

#[test]
fn a_folder_is_taken_whole_or_not_at_all() {
    let folder = Folder::new("reload-folder");
    folder.file("a.nisi", text("a", 1, "stop"));
    folder.file("more/b.nisi", text("b", 1, "stop"));
    let live = open(&folder, LiveOptions::default());
    assert_eq!(live.names(), ["a", "b"]);
    folder.file("a.nisi", text("a", 2, "stop"));
    folder.file("more/b.nisi", text("b", 2, "stopp"));
    refused(&live);
    assert_eq!((version(&live, "a"), version(&live, "b")), ("1".into(), "1".into()));
    folder.file("more/b.nisi", text("b", 2, "stop"));
    assert!(matches!(live.look(), Looked::Taken));
    assert_eq!((version(&live, "a"), version(&live, "b")), ("2".into(), "2".into()));
    folder.file("more/b.nisi", text("a", 2, "stop"));
    assert!(refused(&live).contains("two files hold a policy `a`"));
    std::fs::remove_file(folder.path().join("more/b.nisi")).unwrap();
    assert!(refused(&live).contains("`b` runs, and no file holds it any more"));
}

#[test]
fn what_a_policy_names_is_looked_at_too() {
    let folder = Folder::new("reload-named");
    folder.file("p/a.nisi", "policy a\nversion 1\nuse team\ntable t, first row wins\n| area | => action |\n| north | stop |\n| - | review desk |\n");
    assert!(matches!(Live::open(folder.path().join("p"), LiveOptions::default()), Err(Refusal::Findings(_))));
    folder.file("p/team.nisi", "fact area : north, south\n");
    let live = Live::open(folder.path().join("p/a.nisi"), LiveOptions::default()).unwrap();
    folder.file("p/team.nisi", "fact area : east, south\n");
    assert!(refused(&live).contains("north"));
    std::fs::remove_file(folder.path().join("p/team.nisi")).unwrap();
    assert!(refused(&live).contains("team"));
    folder.file("p/team.nisi", "fact area : north, east\n");
    assert!(matches!(live.look(), Looked::Taken));
}

#[test]
fn nothing_wider_comes_in_where_that_is_asked() {
    let folder = Folder::new("reload-wider");
    folder.file("a.nisi", text("a", 1, "stop"));
    let options = LiveOptions { never_wider: true, ..LiveOptions::default() };
    let live = open(&folder, options.clone());
    folder.file("a.nisi", text("a", 2, "review desk"));
    assert!(matches!(live.look(), Looked::Taken), "tighter");
    folder.file("a.nisi", text("a", 3, "stop"));
    let told = refused(&live);
    assert!(told.contains("`a` would be wider") && told.contains("n is <= 3: review desk -> stop (t/low)"), "{told}");
    folder.file("a.nisi", text("a", 2, "review desk"));
    let live = open(&folder, LiveOptions { except: vec!["t/low".into()], ..options });
    folder.file("a.nisi", text("a", 4, "stop"));
    assert!(matches!(live.look(), Looked::Taken), "excepted");
}

#[test]
fn a_warning_refuses_where_that_is_asked() {
    let folder = Folder::new("reload-warnings");
    let idle = |v: u32| text("a", v, "stop").replace("| rest ", "| twin | <= 2 | stop |\n| rest ");
    folder.file("a.nisi", text("a", 1, "stop"));
    let live = open(&folder, LiveOptions { deny_warnings: true, ..LiveOptions::default() });
    folder.file("a.nisi", idle(2));
    assert!(refused(&live).contains("N0311"));
    let live = open(&folder, LiveOptions::default());
    assert_eq!(version(&live, "a"), "2");
}

#[test]
fn who_asks_sees_one_policy_or_the_other() {
    let folder = Folder::new("reload-threads");
    folder.file("a.nisi", text("a", 1, "stop"));
    let live = Arc::new(open(&folder, LiveOptions::default()));
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let ask = || {
            let mut n = 0u64;
            while !done.load(Ordering::Relaxed) {
                let held = live.get("a").unwrap();
                let wanted = if held.version().parse::<u32>().unwrap() % 2 == 1 { "stop" } else { "review back" };
                let facts = held.read_facts([("n".to_string(), nisi::decide::Raw::Number("1".into()))]).unwrap();
                assert_eq!(held.decide(&facts).to_string(), wanted);
                n += 1;
            }
            n
        };
        let asking: Vec<_> = (0..2).map(|_| scope.spawn(ask)).collect();
        let take = |v: u32| {
            folder.file("a.nisi", text("a", v, if v % 2 == 1 { "stop" } else { "review back" }));
            matches!(live.look(), Looked::Taken)
        };
        let all_taken = (2..30).all(take);
        done.store(true, Ordering::Relaxed);
        assert!(all_taken);
        assert!(asking.into_iter().all(|thread| thread.join().unwrap() > 0));
    });
}

#[test]
fn a_watch_waits_until_files_stay_as_they_are() {
    let folder = Folder::new("reload-watch");
    folder.file("a.nisi", text("a", 1, "stop"));
    let live = Arc::new(open(&folder, LiveOptions::default()));
    let (tell, told) = mpsc::channel();
    let options = WatchOptions { settle: Duration::from_millis(500), poll: Duration::from_secs(2) };
    let watch = live.watch(options, move |looked| tell.send(looked.clone()).unwrap_or(()));
    folder.file("a.nisi", text("a", 2, "stop").replace("| rest | - | review desk |\n", ""));
    folder.file("a.nisi", text("a", 2, "review back"));
    assert!(matches!(told.recv_timeout(Duration::from_secs(30)), Ok(Looked::Taken)), "the half of it was never seen");
    folder.file("a.nisi", text("a", 3, "stopp"));
    assert!(matches!(told.recv_timeout(Duration::from_secs(30)), Ok(Looked::Refused(_))));
    drop(watch);
    assert_eq!(version(&live, "a"), "2");
}

#[test]
fn an_artifact_is_taken_where_it_is_whole_and_proven() {
    let folder = Folder::new("reload-artifact");
    let compiled = |version: u32| nisi::Policy::compile(&text("a", version, "stop")).unwrap().to_artifact();
    let put = |bytes: &[u8]| std::fs::write(folder.path().join("a.nisi"), bytes).unwrap();
    put(&compiled(1));
    let live = open(&folder, LiveOptions { never_wider: true, ..LiveOptions::default() });
    put(&compiled(2));
    assert!(matches!(live.look(), Looked::Taken));
    assert_eq!(version(&live, "a"), "2");
    // From an artifact to a text and back, whatever it is stored as.
    folder.file("a.nisi", text("a", 3, "stop"));
    assert!(matches!(live.look(), Looked::Taken));
    let mut broken = compiled(4);
    let middle = broken.len() / 2;
    broken[middle] ^= 1;
    put(&broken);
    assert!(refused(&live).starts_with('`') && live.refusal().unwrap().to_string().contains("a.nisi` is not taken: "));
    let options = nisi::compile::Options { proofs: false, ..nisi::compile::Options::default() };
    let source = nisi::text::Source::new("a.nisi", text("a", 4, "stop"));
    put(&nisi::Policy::compile_with(source, &nisi::compile::NoSources, &options).unwrap().to_artifact());
    assert!(refused(&live).contains("without its proofs"));
    assert_eq!(version(&live, "a"), "3");
    put(&compiled(5));
    assert!(matches!(live.look(), Looked::Taken));
}

#[cfg(feature = "sign")]
#[test]
fn only_what_is_signed_comes_in_where_that_is_asked() {
    use nisi::artifact::SecretKey;

    let folder = Folder::new("reload-signed");
    let (ours, other) = (SecretKey::read(&"07".repeat(32)).unwrap(), SecretKey::read(&"08".repeat(32)).unwrap());
    let policy = |version: u32| nisi::Policy::compile(&text("a", version, "stop")).unwrap();
    let put = |bytes: &[u8]| std::fs::write(folder.path().join("a.nisi"), bytes).unwrap();
    put(&policy(1).to_signed_artifact(&ours));
    let live = open(&folder, LiveOptions { keys: vec![ours.public()], ..LiveOptions::default() });
    put(&policy(2).to_signed_artifact(&other));
    assert!(refused(&live).contains("a.nisi` is not taken: "));
    put(&policy(2).to_artifact());
    assert!(refused(&live).contains("a.nisi` is not taken: "));
    folder.file("a.nisi", text("a", 2, "stop"));
    assert!(refused(&live).contains("it is a text"));
    assert_eq!(version(&live, "a"), "1");
    put(&policy(2).to_signed_artifact(&ours));
    assert!(matches!(live.look(), Looked::Taken));
    assert_eq!(version(&live, "a"), "2");
}
