//! `nisi compile`, and the commands that take an artifact where they take a policy.

use super::{ORDERS, json, nisi, run};
use crate::support::Folder;

const TIMEOUT: [&str; 4] = ["--set", "condition=timeout", "--set", "effect=write"];

fn compiled(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("orders.nisi", ORDERS);
    let given = run(nisi(&folder).args(["compile", "orders.nisi", "-o", "orders.bin"]));
    assert_eq!((given.code, given.out.as_str()), (0, ""), "{}", given.err);
    let told = given.err.trim_end();
    assert!(told.starts_with("wrote orders 1.0.0, proven: ") && told.contains(" bytes, sha256:"), "{told}");
    let size = std::fs::metadata(folder.path().join("orders.bin")).unwrap().len();
    assert!(told.contains(&format!("{size} bytes")), "{told}");
    folder
}

#[test]
fn an_artifact_stands_where_a_policy_stands() {
    let folder = compiled("compile-commands");
    // The text is gone.
    std::fs::rename(folder.path().join("orders.nisi"), folder.path().join("kept")).unwrap();
    let both = |call: &[&str]| {
        let of = |policy: &str| {
            let words = call.iter().map(|word| if *word == "POLICY" { policy } else { word });
            let given = run(nisi(&folder).args(words));
            (given.code, given.out, given.err)
        };
        let (text, artifact) = (of("kept"), of("orders.bin"));
        assert_eq!(text, artifact, "{call:?}");
        text
    };
    let (code, out, _) = both(&[&["eval", "POLICY", "--seed", "1"][..], &TIMEOUT].concat());
    assert!(code == 0 && out.contains("\"reconcile\""), "{out}");
    both(&[&["why", "POLICY"][..], &TIMEOUT].concat());
    both(&[&["why", "POLICY", "--format", "json", "--refuse", "reconcile"][..], &TIMEOUT].concat());
    both(&["eval", "POLICY", "--set", "condition=tomeout"]);
    let same = run(nisi(&folder).args(["diff", "kept", "orders.bin"]));
    assert_eq!(same.code, 0, "{}", same.err);
    assert!(same.out.contains("no decision changes: both say the same"), "{}", same.out);
}

#[test]
fn the_same_policy_gives_the_same_bytes_in_any_folder() {
    let folder = compiled("compile-bytes");
    folder.file("deep/orders.nisi", ORDERS);
    let given = run(nisi(&folder).args(["compile", "deep/orders.nisi", "-o", "deep/orders.bin"]));
    assert_eq!(given.code, 0, "{}", given.err);
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(read("orders.bin") == read("deep/orders.bin"));
    // What is no file stays what it is, and a folder too.
    let given = run(nisi(&folder).args(["compile", "orders.nisi", "-o", "deep"]));
    assert!(given.code == 2 && given.err.contains("it is a folder"), "{}", given.err);
    let output = nisi(&folder).args(["compile", "orders.nisi", "-o", "-"]).output().unwrap();
    assert!(output.status.success() && output.stdout == read("orders.bin"));
}

#[test]
fn what_asks_for_a_text_says_that_an_artifact_is_none() {
    let folder = compiled("compile-no-text");
    let given = run(nisi(&folder).args(["check", "orders.bin"]));
    assert!(given.code == 1 && given.out.contains("what `nisi compile` writes"), "{}{}", given.out, given.err);
    // What says how to prove has nothing to say of it.
    for option in [["--max-steps", "1"], ["--allow", "N0309"]] {
        let given = run(nisi(&folder).args(["doc", "orders.bin"]).args(option));
        assert_eq!((given.code, given.out.as_str()), (2, ""), "{}", given.err);
        assert!(given.err.contains(&format!("`{}` means nothing here", option[0])), "{}", given.err);
        assert_eq!(run(nisi(&folder).args(["doc", "orders.nisi"]).args(["--allow", "N0309"])).code, 0);
    }
}

#[test]
fn inspect_tells_what_an_artifact_says_of_itself() {
    let folder = compiled("compile-inspect");
    let told = json(&run(nisi(&folder).args(["inspect", "orders.bin", "--format", "json"])));
    let artifact = &told["artifact"];
    assert_eq!((&artifact["format"], &artifact["verified"]), (&4.into(), &true.into()), "{artifact}");
    assert_eq!(artifact["nisi"], env!("CARGO_PKG_VERSION"));
    assert_eq!(
        artifact["files"],
        serde_json::json!(["orders.nisi", "std/facts.nisi", "std/safety.nisi"]),
        "{artifact}"
    );
    let text = json(&run(nisi(&folder).args(["inspect", "orders.nisi", "--format", "json"])));
    for key in ["policy", "version", "digest", "proven", "facts", "rows", "bytes", "tables"] {
        assert_eq!(told[key], text[key], "{key}");
    }
    let human = run(nisi(&folder).args(["inspect", "orders.bin"]));
    assert!(human.out.starts_with("artifact of format 4, language edition nisi 1, by nisi "), "{}", human.out);
    assert!(human.out.contains("its digest and its matchers follow from its rows\n"), "{}", human.out);
}

#[test]
fn what_has_errors_is_not_compiled() {
    let folder = Folder::new("compile-errors");
    let gap = "policy a\nversion 1\nfact x : yes, no\ntable t, first row wins\n| x | => action |\n| yes | stop |\n";
    let wrong = ORDERS.replace("| reconcile | lost  |", "| retry     | again |");
    for (name, text, code) in
        [("gap.nisi", gap, "N0301"), ("wrong.nisi", &wrong, "N0801"), ("words.nisi", "fact x : yes, no\n", "")]
    {
        folder.file(name, text);
        let given = run(nisi(&folder).args(["compile", name, "-o", "out.bin"]));
        assert!(given.code == if code.is_empty() { 2 } else { 1 }, "{name}: {}", given.err);
        assert!(given.err.contains(code) && given.err.contains("cannot be compiled"), "{name}: {}", given.err);
        assert!(!folder.path().join("out.bin").exists(), "{name}");
    }
    let given = run(nisi(&folder).args(["compile", "gap.nisi", "-o", "out.bin", "--allow", "N0301"]));
    assert!(given.code == 2 && given.err.contains("means nothing here"), "{}", given.err);
}

/// A proof that was cut short is an error, unless it is let pass; then the policy does not count as proven.
#[test]
fn undecided_is_refused_unless_allowed() {
    let folder = Folder::new("compile-undecided");
    folder.file("orders.nisi", ORDERS);
    let call = ["compile", "orders.nisi", "-o", "o.bin", "--max-steps", "1"];
    let given = run(nisi(&folder).args(call));
    assert!(given.code == 1 && !folder.path().join("o.bin").exists(), "{}", given.err);
    let given = run(nisi(&folder).args(call).args(["--allow", "N0309", "--allow", "N0310"]));
    assert!(given.code == 0 && given.err.contains("not proven"), "{}", given.err);
    let told = json(&run(nisi(&folder).args(["inspect", "o.bin", "--format", "json"])));
    assert_eq!(told["proven"], false);
}

#[test]
fn a_damaged_artifact_is_told_and_answers_nothing() {
    let folder = compiled("compile-damaged");
    let mut bytes = std::fs::read(folder.path().join("orders.bin")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(folder.path().join("broken.bin"), &bytes).unwrap();
    for call in ["eval", "why", "inspect"] {
        let given = run(nisi(&folder).args([call, "broken.bin"]));
        assert_eq!((given.code, given.out.as_str()), (2, ""), "{call}");
        assert!(given.err.contains("`broken.bin` could not be loaded: the artifact is damaged"), "{}", given.err);
    }
    let given = run(nisi(&folder).args(["compile", "orders.bin", "-o", "again.bin"]));
    assert!(given.code == 2 && given.err.contains("is an artifact: it is compiled already"), "{}", given.err);
    let given = run(nisi(&folder).args(["compile", "orders.nisi", "-o", "no/such/folder.bin"]));
    assert!(given.code == 2 && given.err.contains("could not be written"), "{}", given.err);
}

#[cfg(feature = "sign")]
#[test]
fn a_signature_says_who_compiled_it() {
    let folder = compiled("compile-signed");
    // The secret key of 32 sevens, as PKCS #8.
    folder.file("secret.pem", "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH\n-----END PRIVATE KEY-----\n");
    folder.file("secret.hex", format!("{}\n", "07".repeat(32)));
    let sign = |key: &str, to: &str| {
        let given = run(nisi(&folder).args(["compile", "orders.nisi", "-o", to, "--sign", key]));
        assert_eq!(given.code, 0, "{}", given.err);
        std::fs::read(folder.path().join(to)).unwrap()
    };
    let signed = sign("secret.pem", "signed.bin");
    assert!(signed == sign("secret.hex", "again.bin"));
    let public = nisi::artifact::SecretKey::read(&"07".repeat(32)).unwrap().public().to_string();
    folder.file("public.hex", &public);
    folder.file("other.hex", nisi::artifact::SecretKey::read(&"08".repeat(32)).unwrap().public().to_string());
    let inspect = |file: &str, key: &str| run(nisi(&folder).args(["inspect", file, "--verify-key", key]));
    let given = inspect("signed.bin", "public.hex");
    assert!(given.code == 0 && given.out.contains(&format!("signed with {public}")), "{}{}", given.out, given.err);
    for (file, key, why) in [
        ("signed.bin", "other.hex", "is signed with a key that is not among the trusted ones"),
        ("orders.bin", "public.hex", "is not signed"),
    ] {
        let given = inspect(file, key);
        assert!(given.code == 2 && given.err.contains(why), "{}", given.err);
    }
    let given = run(nisi(&folder).args(["eval", "signed.bin"]).args(TIMEOUT));
    assert_eq!(given.code, 0, "{}", given.err);
    let mut forged = signed;
    let last = forged.len() - 1;
    forged[last] ^= 1;
    std::fs::write(folder.path().join("forged.bin"), forged).unwrap();
    let given = inspect("forged.bin", "public.hex");
    assert!(given.code == 2 && given.err.contains("is not of these bytes"), "{}", given.err);
    let given = inspect("signed.bin", "orders.nisi");
    assert!(given.code == 2 && given.err.contains("holds no such key"), "{}", given.err);
}
