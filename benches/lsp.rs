//! A keystroke in a policy of two thousand rows, from the message that tells of it to the findings: alone, beside twenty
//! open policies, and held against a whole check of the same file.
#![allow(missing_docs, reason = "criterion's macros write the items")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on has failed")]

mod workload;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use lsp_server::{Connection, Message, Notification, Request};
use nisi::compile::{NoSources, Options, compile};
use nisi::lsp::serve;
use nisi::text::Source;
use serde_json::{Value, json};

const N_ROWS: usize = 2_000;

/// An editor with a document open, typing in the middle of it.
struct Editor {
    connection: Connection,
    version: i64,
}

impl Editor {
    fn new() -> Self {
        let (server, connection) = Connection::memory();
        std::thread::spawn(move || serve(&server, || None));
        let editor = Editor { connection, version: 1 };
        let params = json!({ "capabilities": {} });
        editor.connection.sender.send(Request { id: 1.into(), method: "initialize".into(), params }.into()).unwrap();
        editor
    }

    fn tell(&self, method: &str, params: Value) {
        self.connection.sender.send(Message::Notification(Notification { method: method.into(), params })).unwrap();
    }

    fn open(&self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "nisi", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        self.found(uri, 1);
    }

    /// Waits for the findings of a version; how many they are.
    fn found(&self, uri: &str, version: i64) -> usize {
        loop {
            if let Message::Notification(n) = self.connection.receiver.recv().unwrap()
                && n.params["uri"] == uri
                && n.params["version"] == version
            {
                return n.params["diagnostics"].as_array().unwrap().len();
            }
        }
    }

    /// One letter more, or that letter gone again, in the name of a row in the middle.
    fn keystroke(&mut self, uri: &str) -> usize {
        self.version += 1;
        let at = |character: u32| json!({ "line": N_ROWS / 2, "character": character });
        let (end, put) = if self.version % 2 == 0 { (2, "x") } else { (3, "") };
        let change = json!([{ "range": { "start": at(2), "end": at(end) }, "text": put }]);
        let document = json!({ "uri": uri, "version": self.version });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": change }));
        self.found(uri, self.version)
    }
}

fn keystroke(c: &mut Criterion) {
    let mut group = c.benchmark_group("2000-rows");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(3));
    let text = workload::policy(&workload::rows(N_ROWS));
    let uri = "file:///bench.nisi";
    let mut editor = Editor::new();
    editor.open(uri, &text);
    group.bench_function("keystroke", |b| b.iter(|| black_box(editor.keystroke(uri))));
    for i in 0..20 {
        editor.open(&format!("file:///other-{i}.nisi"), include_str!("../policies/field-guide.nisi"));
    }
    group.bench_function("keystroke-beside-20", |b| b.iter(|| black_box(editor.keystroke(uri))));
    let check = || compile(Source::new("bench.nisi", &*text), &NoSources, &Options::default());
    group.bench_function("whole-check", |b| b.iter(|| black_box(check().diagnostics.items.len())));
    group.finish();
}

criterion_group!(benches, keystroke);
criterion_main!(benches);
