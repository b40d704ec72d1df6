//! The loop: one message after the other, in their order; between them, what is left to be read again.
//!
//! Before `initialize` and after `shutdown` a request is refused; what is unknown is answered so; what cannot be
//! understood changes nothing. A request that is still in the queue, or waits for a proof, can be taken back.

use std::collections::{BTreeSet, VecDeque};

use crossbeam_channel::{never, select};
use gen_lsp_types as lsp;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::desk::{Desk, Root};
use super::documents::Document;
use super::mending::{self, Mender, Mending};
use super::prove::{Job, Proven, Prover, Said};
use super::ran::{self, Ran};
use super::wire::UNREADABLE;
use super::{answers, capabilities, examples, fixes, publish, uri};

/// How a session came to its end; see [`serve`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// `exit` after `shutdown`.
    Orderly,
    /// `exit` without `shutdown`, or the client is gone.
    Cut,
}

/// Gives the day that waivers are held against, `2026-08-01`, or nothing; see [`serve`].
pub type Today = fn() -> Option<String>;

/// Serves one client until it leaves.
///
/// Texts of open documents come from the client, all others from disk. The engine has no clock: `today` gives the day
/// on which waivers are judged.
///
/// ```
/// use lsp_server::{Connection, Message, Notification, Request};
/// use nisi::lsp::{Ended, serve};
/// use serde_json::json;
///
/// let (server, client) = Connection::memory();
/// let serving = std::thread::spawn(move || serve(&server, || None));
/// let request = |id, method: &str, params| Message::from(Request { id, method: method.into(), params });
/// client.sender.send(request(1.into(), "initialize", json!({ "capabilities": {} })))?;
/// assert!(matches!(client.receiver.recv()?, Message::Response(_)));
/// client.sender.send(request(2.into(), "shutdown", json!(null)))?;
/// client.sender.send(Message::Notification(Notification { method: "exit".into(), params: json!(null) }))?;
/// assert_eq!(serving.join().unwrap(), Ended::Orderly);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn serve(connection: &Connection, today: Today) -> Ended {
    let server = Server {
        connection,
        today,
        phase: Phase::Fresh,
        desk: Desk::default(),
        queue: VecDeque::new(),
        dirty: BTreeSet::new(),
        prover: Prover::start(),
        waiting: Vec::new(),
        mender: Mender::start(),
        mending: Vec::new(),
        asked: 0,
    };
    server.run()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Fresh,
    Running,
    ShutDown,
}

struct Server<'c> {
    connection: &'c Connection,
    today: Today,
    phase: Phase,
    desk: Desk,
    /// Messages that have come and are not looked at yet.
    queue: VecDeque<Message>,
    /// Open documents that are to be read again.
    dirty: BTreeSet<String>,
    prover: Prover,
    /// Requests that wait for a document's proof.
    waiting: Vec<(RequestId, String)>,
    mender: Mender,
    /// Requests that wait until a document is mended.
    mending: Vec<Mending>,
    /// Requests to the client so far.
    asked: i32,
}

impl Server<'_> {
    fn run(mut self) -> Ended {
        loop {
            self.gather();
            if let Some(message) = self.queue.pop_front() {
                if let Some(ended) = self.message(message) {
                    return ended;
                }
            } else if let Some(name) = self.dirty.first().cloned() {
                self.read(&name);
            } else {
                select! {
                    recv(self.connection.receiver) -> message => match message {
                        Ok(message) => self.queue.push_back(message),
                        Err(_) => return Ended::Cut,
                    },
                    recv(self.prover.proofs) -> proven => match proven {
                        Ok(Said::Proven(proven)) => self.proven(*proven),
                        Ok(Said::Ran(ran)) => self.ran(*ran),
                        Err(_) => self.prover.proofs = never(),
                    },
                    recv(self.mender.done) -> done => match done {
                        Ok(done) => self.mended(&done),
                        Err(_) => self.mender.done = never(),
                    },
                }
            }
        }
    }

    /// Takes in what has come, and takes out what is taken back.
    fn gather(&mut self) {
        while let Ok(message) = self.connection.receiver.try_recv() {
            match message {
                Message::Notification(n) if n.method == "$/cancelRequest" => self.cancel(&n.params),
                message => self.queue.push_back(message),
            }
        }
    }

    fn cancel(&mut self, params: &Value) {
        let id = params.get("id").cloned().and_then(|id| serde_json::from_value::<RequestId>(id).ok());
        let Some(id) = id else { return };
        let queued = |m: &Message| matches!(m, Message::Request(request) if request.id == id);
        let was_queued = self.queue.iter().position(queued).and_then(|i| self.queue.remove(i)).is_some();
        let n_waiting = self.waiting.len() + self.mending.len();
        self.waiting.retain(|(other, _)| *other != id);
        self.mending.retain(|mending| mending.id != id);
        if was_queued || self.waiting.len() + self.mending.len() < n_waiting {
            self.refuse(id, ErrorCode::RequestCanceled, "taken back");
        }
    }

    fn message(&mut self, message: Message) -> Option<Ended> {
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(notification) => return self.notification(notification),
            // What we ask of the client are favours: whether it does them changes nothing here.
            Message::Response(_) => {}
        }
        None
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        match (self.phase, method.as_str()) {
            (Phase::Fresh, "initialize") => {
                let answer = capabilities::initialize(&mut self.desk, &params);
                self.phase = Phase::Running;
                self.answer(id, Ok(answer));
            }
            (Phase::Fresh, _) => self.refuse(id, ErrorCode::ServerNotInitialized, "`initialize` comes first"),
            (Phase::ShutDown, _) => self.refuse(id, ErrorCode::InvalidRequest, "the server is shut down"),
            (Phase::Running, "initialize") => self.refuse(id, ErrorCode::InvalidRequest, "`initialize` comes once"),
            (Phase::Running, "shutdown") => {
                self.phase = Phase::ShutDown;
                let mending = std::mem::take(&mut self.mending).into_iter().map(|mending| mending.id.clone());
                let waiting = std::mem::take(&mut self.waiting).into_iter().map(|(id, _)| id);
                for id in waiting.chain(mending).collect::<Vec<_>>() {
                    self.refuse(id, ErrorCode::RequestCanceled, "the server is shut down");
                }
                self.answer(id, Ok(Value::Null));
            }
            (Phase::Running, method) => self.ask(id, method, params),
        }
    }

    /// A request about documents: what it may look at is read first, where it has changed.
    fn ask(&mut self, id: RequestId, method: &str, params: Value) {
        let everywhere =
            matches!(method, "textDocument/references" | "textDocument/rename") || method.starts_with("workspace/");
        let own = params.pointer("/textDocument/uri").and_then(Value::as_str).map(uri::name_of);
        let touched = |name: &&String| everywhere || own.as_ref() == Some(*name);
        for name in self.dirty.iter().filter(touched).cloned().collect::<Vec<_>>() {
            self.read(&name);
        }
        if method == "textDocument/codeAction" {
            return self.ask_for_mends(id, params);
        }
        if method != "workspace/executeCommand" {
            let answer = answers::answer(&self.desk, method, params);
            return self.answer(id, answer);
        }
        match answers::command(&self.desk, params) {
            Ok(name) => {
                self.waiting.push((id, name));
                self.answer_waiting();
            }
            Err(error) => self.answer(id, Err(error)),
        }
    }

    /// Mends at a place are known; all mends of a file are made by a thread, and the request waits for it.
    fn ask_for_mends(&mut self, id: RequestId, params: Value) {
        let read: Result<lsp::CodeActionParams, _> = serde_json::from_value(params.clone());
        let wanted = read.ok().filter(mending::is_wanted);
        let job = wanted.and_then(|wanted| mending::job(&self.desk, id.clone(), wanted, (self.today)()));
        if let Some((job, mending)) = job {
            self.mending.push(mending);
            // The thread ends only with this one.
            let _ = self.mender.jobs.send(job);
        } else {
            let answer = answers::answer(&self.desk, "textDocument/codeAction", params);
            self.answer(id, answer);
        }
    }

    /// Answers a request whose document is mended, unless its text is another one by now.
    fn mended(&mut self, done: &mending::Done) {
        let Some(place) = self.mending.iter().position(|mending| mending.id == done.id) else { return };
        let mending = self.mending.remove(place);
        if self.desk.documents.get(done.source.name()).is_none_or(|document| !document.is(&done.source)) {
            return self.refuse(done.id.clone(), ErrorCode::ContentModified, "the text has changed: ask again");
        }
        let mut actions = fixes::code_actions(&self.desk, &mending.params);
        actions.extend(mending::action(&self.desk, done));
        self.answer(done.id.clone(), answers::give(actions));
    }

    fn notification(&mut self, notification: Notification) -> Option<Ended> {
        let Notification { method, params } = notification;
        if method == "exit" {
            return Some(if self.phase == Phase::ShutDown { Ended::Orderly } else { Ended::Cut });
        }
        if method == UNREADABLE {
            self.log(params.as_str().unwrap_or("a message could not be read"));
            return None;
        }
        if self.phase != Phase::Running {
            return None;
        }
        match method.as_str() {
            "initialized" => self.watch(),
            "textDocument/didOpen" => self.told(&method, params, Self::open),
            "textDocument/didChange" => self.told(&method, params, Self::change),
            "textDocument/didClose" => self.told(&method, params, Self::close),
            "workspace/didChangeWatchedFiles" => {
                self.dirty.extend(self.desk.documents.keys().cloned());
            }
            "workspace/didChangeWorkspaceFolders" => self.told(&method, params, Self::folders),
            // The protocol lets a server pass over notifications that it does not know.
            _ => {}
        }
        None
    }

    fn told<P: DeserializeOwned>(&mut self, method: &str, params: Value, act: fn(&mut Self, &P)) {
        match serde_json::from_value(params) {
            Ok(params) => act(self, &params),
            Err(error) => self.log(&format!("`{method}` cannot be understood: {error}")),
        }
    }

    fn open(&mut self, params: &lsp::DidOpenTextDocumentParams) {
        let item = &params.text_document;
        let document = Document::new(item.uri.as_ref(), item.version, item.text.clone());
        let name = document.source.name().to_string();
        self.desk.documents.insert(name.clone(), document);
        self.changed(&name);
    }

    fn change(&mut self, params: &lsp::DidChangeTextDocumentParams) {
        let name = uri::name_of(params.text_document.text_document_identifier.uri.as_ref());
        let version = params.text_document.version;
        let encoding = self.desk.encoding;
        match self.desk.documents.get_mut(&name) {
            None => self.log(&format!("`{name}` is changed and was never opened")),
            Some(document) if version <= document.version => {
                let known = document.version;
                self.log(&format!("`{name}` is changed to version {version}, and {known} is known already"));
            }
            Some(document) => {
                document.change(version, &params.content_changes, encoding);
                self.changed(&name);
            }
        }
    }

    fn close(&mut self, params: &lsp::DidCloseTextDocumentParams) {
        let name = uri::name_of(params.text_document.uri.as_ref());
        let Some(document) = self.desk.documents.remove(&name) else { return };
        self.dirty.remove(&name);
        self.mending.iter().filter(|mending| mending.name == name).for_each(Mending::give_up);
        self.desk.ran.remove(&name);
        if ran::is_case_file(&name) {
            // What its policy is asked now is what the disk says.
            let policy = ran::policy_of(&name, &self.desk.texts());
            if let Ok(policy) = policy {
                self.desk.renew(policy.name());
                self.prove(policy.name());
            }
        }
        let shown = self.desk.roots.remove(&name).map(|root| root.shown).unwrap_or_default();
        self.dirty.extend(self.desk.dependents(&name));
        for file in shown.into_iter().filter(|file| *file != name) {
            let found = publish::of_file(&self.desk, &file);
            self.notify("textDocument/publishDiagnostics", found);
        }
        let mut own = publish::of_file(&self.desk, &name);
        own.uri = document.uri.into();
        self.notify("textDocument/publishDiagnostics", own);
        self.answer_waiting();
    }

    fn folders(&mut self, params: &lsp::DidChangeWorkspaceFoldersParams) {
        let gone: Vec<String> = params.event.removed.iter().map(|f| uri::name_of(f.uri.as_ref())).collect();
        self.desk.folders.retain(|folder| !gone.contains(folder));
        self.desk.folders.extend(params.event.added.iter().map(|f| uri::name_of(f.uri.as_ref())));
    }

    /// A document's text is another one: it is to be read again, and so are those that use it.
    fn changed(&mut self, name: &str) {
        self.mending.iter().filter(|mending| mending.name == name).for_each(Mending::give_up);
        self.dirty.insert(name.to_string());
        self.dirty.extend(self.desk.dependents(name));
        if !ran::is_case_file(name) {
            self.dirty.extend(self.desk.documents.keys().filter(|name| ran::is_case_file(name)).cloned());
        }
    }

    /// Reads a document again, tells what is wrong with its words, and has it proven.
    fn read(&mut self, name: &str) {
        self.dirty.remove(name);
        if ran::is_case_file(name) {
            return self.read_cases(name);
        }
        if self.desk.read(name).is_some() {
            self.publish(name);
            self.prove(name);
        }
    }

    /// Has a document proven as it was read.
    fn prove(&self, name: &str) {
        let (Some(root), Some(document)) = (self.desk.roots.get(name), self.desk.documents.get(name)) else { return };
        let (reading, source, texts) = (root.reading, document.source.clone(), self.desk.texts());
        self.send_job(Job { name: name.to_string(), reading, source, texts, today: (self.today)(), cases: None });
    }

    /// Has a case file run, and its policy counted anew where that is open.
    fn read_cases(&mut self, name: &str) {
        let Some(document) = self.desk.documents.get(name) else { return };
        let (cases, texts) = (document.source.clone(), self.desk.texts());
        match ran::policy_of(name, &texts) {
            Ok(source) => {
                self.desk.renew(source.name());
                self.prove(source.name());
                let (name, today) = (name.to_string(), (self.today)());
                self.send_job(Job { name, reading: 0, source, texts, today, cases: Some(cases) });
            }
            Err(why) => self.ran(Ran::not_asked(cases, &why)),
        }
    }

    fn send_job(&self, job: Job) {
        // The thread ends only with this one.
        let _ = self.prover.jobs.send(job);
    }

    /// Takes what came of a case file, if it is still what is open.
    fn ran(&mut self, ran: Ran) {
        let name = ran.source.name().to_string();
        if self.desk.documents.get(&name).is_some_and(|document| document.is(&ran.source)) {
            self.desk.ran.insert(name.clone(), ran);
            let found = publish::of_file(&self.desk, &name);
            self.notify("textDocument/publishDiagnostics", found);
        }
    }

    /// Takes a proof, if it is still of what is read.
    fn proven(&mut self, proven: Proven) {
        let name = proven.name.clone();
        let Some(root) = self.desk.roots.get_mut(&name).filter(|root| root.reading == proven.reading) else { return };
        root.proven = Some(proven);
        self.publish(&name);
        self.answer_waiting();
        // What a proof brings, lenses show.
        if self.desk.client.refreshes_lenses {
            self.ask_client("workspace/codeLens/refresh", Value::Null);
        }
    }

    /// Answers requests whose proof is there, and those whose document is gone.
    fn answer_waiting(&mut self) {
        for (id, name) in std::mem::take(&mut self.waiting) {
            match self.desk.roots.get(&name).map(Root::current) {
                None => self.refuse(id, ErrorCode::RequestFailed, "the document was closed"),
                Some(None) => self.waiting.push((id, name)),
                Some(Some(proven)) => {
                    let run = examples::run(proven);
                    self.notify("window/showMessage", json!({ "type": run.level, "message": run.message }));
                    self.answer(id, Ok(run.answer));
                }
            }
        }
    }

    fn publish(&mut self, name: &str) {
        for found in publish::publish(&mut self.desk, name) {
            self.notify("textDocument/publishDiagnostics", found);
        }
    }

    /// Has the client tell of policies that change on disk.
    fn watch(&mut self) {
        if self.desk.client.watches_files {
            let options = json!({ "watchers": [{ "globPattern": "**/*.{nisi,nisi.md,cases.yaml}" }] });
            let method = "workspace/didChangeWatchedFiles";
            let registration = json!({ "id": "policies", "method": method, "registerOptions": options });
            self.ask_client("client/registerCapability", json!({ "registrations": [registration] }));
        }
    }

    fn ask_client(&mut self, method: &str, params: Value) {
        self.asked += 1;
        self.send(Request { id: self.asked.into(), method: method.into(), params });
    }

    fn log(&self, text: &str) {
        self.notify("window/logMessage", json!({ "type": 2, "message": format!("{text}; it is passed over") }));
    }

    fn notify(&self, method: &str, params: impl Serialize) {
        // What this room makes is text, numbers and lists: it can always be written as JSON.
        let params = serde_json::to_value(params).unwrap_or_default();
        self.send(Message::Notification(Notification { method: method.into(), params }));
    }

    fn answer(&self, id: RequestId, answer: Result<Value, ResponseError>) {
        self.send(Response { id, response_result: answer });
    }

    fn refuse(&self, id: RequestId, code: ErrorCode, why: &str) {
        self.send(Response::new_err(id, code as i32, why.to_string()));
    }

    fn send(&self, message: impl Into<Message>) {
        // A client that is gone is noticed when its messages end.
        let _ = self.connection.sender.send(message.into());
    }
}
