//! `source.fixAll`: all mends of a file that need no look, as one edit; what `nisi check --fix` would write.
//!
//! Each mend is held to its word by compiling, so it is work for a thread of its own: the request waits there, typing goes on,
//! and what is taken back or typed over is dropped between two compilations.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};
use gen_lsp_types::{CodeAction, CodeActionKind, CodeActionParams, TextEdit};
use lsp_server::RequestId;

use super::desk::Desk;
use super::documents::Texts;
use super::uri;
use crate::compile::{self, Options};
use crate::files;
use crate::mend::{Around, mended};
use crate::text::Source;

/// The kind of the action.
pub(super) const KIND: &str = "source.fixAll.nisi";

/// A file to be mended for a request.
pub(super) struct Job {
    pub(super) id: RequestId,
    pub(super) source: Source,
    texts: Texts,
    folders: Vec<String>,
    today: Option<String>,
    /// Whether nobody waits any more.
    dropped: Arc<AtomicBool>,
}

/// A request that waits; where it goes, the work for it is dropped.
pub(super) struct Mending {
    pub(super) id: RequestId,
    /// The document.
    pub(super) name: String,
    /// What was asked.
    pub(super) params: CodeActionParams,
    dropped: Arc<AtomicBool>,
}

impl Mending {
    /// Lets the work go: its text is another one by now.
    pub(super) fn give_up(&self) {
        self.dropped.store(true, Ordering::Relaxed);
    }
}

impl Drop for Mending {
    fn drop(&mut self) {
        self.give_up();
    }
}

/// A file as it is mended.
pub(super) struct Done {
    pub(super) id: RequestId,
    pub(super) source: Source,
    /// Its text, and how many mends that took.
    pub(super) text: String,
    pub(super) count: usize,
}

/// The thread. It ends when the jobs' sender is dropped.
pub(super) struct Mender {
    pub(super) jobs: Sender<Job>,
    pub(super) done: Receiver<Done>,
}

impl Mender {
    pub(super) fn start() -> Self {
        let (jobs, asked) = unbounded::<Job>();
        let (answers, done) = unbounded();
        thread::spawn(move || {
            while let Ok(job) = asked.recv() {
                let (text, count) = job.mend();
                // Who asked may be gone.
                let _ = answers.send(Done { id: job.id, source: job.source, text, count });
            }
        });
        Mender { jobs, done }
    }
}

/// Whether a request for actions asks for this one: by its kind or one above it. Without a kind only mends at the place are
/// meant.
pub(super) fn is_wanted(params: &CodeActionParams) -> bool {
    let is_above = |kind: &CodeActionKind| {
        let kind = kind.to_string();
        KIND == kind || KIND.strip_prefix(kind.as_str()).is_some_and(|rest| rest.starts_with('.'))
    };
    params.context.only.as_ref().is_some_and(|kinds| kinds.iter().any(is_above))
}

/// The job of a request; nothing where its document is no policy that is open.
pub(super) fn job(
    desk: &Desk,
    id: RequestId,
    params: CodeActionParams,
    today: Option<String>,
) -> Option<(Job, Mending)> {
    let name = uri::name_of(params.text_document.uri.as_ref());
    let source = desk.documents.get(&name)?.source.clone();
    desk.roots.get(&name)?;
    let dropped = Arc::<AtomicBool>::default();
    let (texts, folders) = (desk.texts(), desk.folders.clone());
    let mending = Mending { id: id.clone(), name, params, dropped: dropped.clone() };
    Some((Job { id, source, texts, folders, today, dropped }, mending))
}

impl Job {
    fn mend(&self) -> (String, usize) {
        let options = Options { today: self.today.clone(), ..Options::default() };
        let goes_on = || !self.dropped.load(Ordering::Relaxed);
        let users = || self.users();
        let around = Around { sources: &self.texts, users: &users, goes_on: &goes_on };
        mended(&self.source, &around, &options)
    }

    /// Every other policy that may use the file: those that are open, and those under the editor's folders.
    fn users(&self) -> Vec<Source> {
        let mut users = self.texts.0.clone();
        let folders: Vec<_> = self.folders.iter().filter(|folder| uri::is_file(folder)).map(Into::into).collect();
        for path in files::find(&folders).files {
            if let Ok(files::Text::Read(source)) = files::policy(&path) {
                users.entry(source.name().to_string()).or_insert(source);
            }
        }
        let reads = |user: &Source| {
            let draft = compile::draft(user.clone(), &self.texts);
            draft.diagnostics.sources.iter().any(|(_, source)| source.name() == self.source.name())
        };
        users.into_values().filter(|user| user.name() != self.source.name() && reads(user)).collect()
    }
}

/// The action; nothing where nothing is mended.
pub(super) fn action(desk: &Desk, done: &Done) -> Option<CodeAction> {
    let document = desk.documents.get(done.source.name())?;
    let (before, after) = (done.source.text(), done.text.as_str());
    if before == after {
        return None;
    }
    let (start, end) = changed(before, after);
    let range = document.lines.range(before, start..before.len() - end, desk.encoding);
    let new_text = after.get(start..after.len() - end)?.to_string();
    let edits = BTreeMap::from([(done.source.name().to_string(), vec![TextEdit { range, new_text }])]);
    let title = match done.count {
        1 => "make the mend that needs no look".to_string(),
        n => format!("make the {n} mends that need no look"),
    };
    Some(CodeAction {
        title,
        kind: Some(CodeActionKind::from(KIND.to_string())),
        edit: Some(desk.workspace_edit(edits)),
        ..CodeAction::default()
    })
}

/// How many bytes of two texts are the same at their beginning and at their end: whole lines.
fn changed(before: &str, after: &str) -> (usize, usize) {
    let same = |a: &mut dyn Iterator<Item = &str>, b: &mut dyn Iterator<Item = &str>| -> usize {
        a.zip(b).take_while(|(x, y)| x == y).map(|(x, _)| x.len()).sum()
    };
    let start = same(&mut before.split_inclusive('\n'), &mut after.split_inclusive('\n'));
    let (old, new) = (&before[start..], &after[start..]);
    let end = same(&mut old.split_inclusive('\n').rev(), &mut new.split_inclusive('\n').rev());
    (start, end)
}

#[cfg(test)]
mod tests {
    use super::changed;

    #[test]
    fn what_is_the_same_is_left_out() {
        for (before, after, piece) in
            [("a\nb\nc\n", "a\nx\nc\n", "b\n"), ("a\na\n", "a\n", "a\n"), ("a", "b", "a"), ("a\n", "a\nb\n", "")]
        {
            let (start, end) = changed(before, after);
            assert_eq!(&before[start..before.len() - end], piece, "{before:?}");
            let made =
                format!("{}{}{}", &before[..start], &after[start..after.len() - end], &before[before.len() - end..]);
            assert_eq!(made, after);
        }
    }
}
