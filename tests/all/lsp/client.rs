//! A client that speaks the protocol, over memory or over the pipes of a process.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request, Response};
use nisi::lsp::{Ended, serve};
use serde_json::{Value, json};

/// How long a client waits for a word before the test fails.
const PATIENCE: Duration = Duration::from_secs(120);

/// A client with a server of its own in this process.
pub(crate) struct Client {
    connection: Connection,
    serving: Option<JoinHandle<Ended>>,
    next: i32,
    /// The last findings of each document.
    pub(crate) found: BTreeMap<String, Value>,
    /// Every publication: address, version, how many findings.
    pub(crate) published: Vec<(String, Option<i64>, usize)>,
    /// Other notifications.
    pub(crate) told: Vec<(String, Value)>,
    /// Requests of the server.
    pub(crate) asked: Vec<String>,
}

impl Client {
    /// A client that nobody has introduced yet.
    pub(crate) fn new() -> Self {
        let (server, connection) = Connection::memory();
        let serving = Some(std::thread::spawn(move || serve(&server, || Some("2026-08-01".into()))));
        Client {
            connection,
            serving,
            next: 0,
            found: BTreeMap::new(),
            published: Vec::new(),
            told: Vec::new(),
            asked: Vec::new(),
        }
    }

    /// A client that was introduced with these capabilities.
    pub(crate) fn with(capabilities: &Value, folders: &[String]) -> Self {
        let mut client = Client::new();
        let folders: Vec<Value> = folders.iter().map(|uri| json!({ "uri": uri, "name": "x" })).collect();
        client.ask("initialize", json!({ "capabilities": capabilities, "workspaceFolders": folders })).unwrap();
        client.tell("initialized", json!({}));
        client
    }

    /// A client as plain as can be.
    pub(crate) fn plain() -> Self {
        Client::with(&json!({}), &[])
    }

    /// Sends a request and does not wait; gives its number.
    pub(crate) fn send(&mut self, method: &str, params: Value) -> i32 {
        self.next += 1;
        let request = Request { id: self.next.into(), method: method.into(), params };
        self.connection.sender.send(request.into()).unwrap();
        self.next
    }

    pub(crate) fn tell(&self, method: &str, params: Value) {
        self.connection.sender.send(Message::Notification(Notification { method: method.into(), params })).unwrap();
    }

    /// Waits for the answer to a request, and takes in all that comes before it: the result, or the error's code.
    pub(crate) fn answer(&mut self, id: i32) -> Result<Value, i32> {
        loop {
            match self.connection.receiver.recv_timeout(PATIENCE).expect("the server says nothing") {
                Message::Response(Response { id: answered, response_result }) => {
                    assert_eq!(answered, id.into(), "answers come in order");
                    return response_result.map_err(|error| error.code);
                }
                Message::Notification(n) if n.method == "textDocument/publishDiagnostics" => {
                    let uri = n.params["uri"].as_str().unwrap().to_string();
                    let found = n.params["diagnostics"].clone();
                    let n_found = found.as_array().unwrap().len();
                    self.published.push((uri.clone(), n.params["version"].as_i64(), n_found));
                    self.found.insert(uri, found);
                }
                Message::Notification(n) => self.told.push((n.method, n.params)),
                Message::Request(request) => {
                    self.asked.push(request.method);
                    let answer = Response { id: request.id, response_result: Ok(Value::Null) };
                    self.connection.sender.send(answer.into()).unwrap();
                }
            }
        }
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Result<Value, i32> {
        let id = self.send(method, params);
        self.answer(id)
    }

    pub(crate) fn open(&self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "nisi", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(crate) fn change(&self, uri: &str, version: i32, changes: &Value) {
        let document = json!({ "uri": uri, "version": version });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// Waits until a document is proven; gives what came of its examples.
    pub(crate) fn prove(&mut self, uri: &str) -> Value {
        self.ask("workspace/executeCommand", json!({ "command": "nisi.runExamples", "arguments": [uri] })).unwrap()
    }

    /// The codes found in a document, with line and column from 0.
    pub(crate) fn codes(&self, uri: &str) -> Vec<(String, u64, u64)> {
        let found = self.found.get(uri).and_then(Value::as_array).cloned().unwrap_or_default();
        let code = |d: &Value| {
            let start = &d["range"]["start"];
            let at = |key: &str| start[key].as_u64().unwrap();
            (d["code"].as_str().unwrap().to_string(), at("line"), at("character"))
        };
        found.iter().map(code).collect()
    }

    /// Says good-bye; how the server ended.
    pub(crate) fn leave(mut self) -> Ended {
        assert_eq!(self.ask("shutdown", Value::Null), Ok(Value::Null));
        self.exit()
    }

    pub(crate) fn exit(mut self) -> Ended {
        self.tell("exit", Value::Null);
        self.serving.take().unwrap().join().expect("the server panicked")
    }
}

/// A client with a server in a process of its own.
pub(crate) struct Piped {
    pub(crate) child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Piped {
    pub(crate) fn new() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_nisi"))
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Piped { child, input, output }
    }

    /// Sends bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    /// Sends the body of a message under a head.
    pub(crate) fn body(&mut self, body: &str) {
        self.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.body(&message.to_string());
    }

    /// The next message of the server.
    pub(crate) fn next(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server is gone");
            if line == "\r\n" {
                break;
            }
            let (name, value) = line.trim().split_once(": ").unwrap();
            if name == "Content-Length" {
                length = value.parse().unwrap();
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    /// The next message that answers, or is called by, this.
    pub(crate) fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.next();
            if wanted(&message) {
                return message;
            }
        }
    }

    /// Closes the pipe and waits; exit code and standard error.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        drop(self.input.take());
        let code = self.child.wait().unwrap().code();
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (code, said)
    }
}
