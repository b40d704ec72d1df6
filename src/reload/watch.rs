//! Looking whenever files change.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use notify::{RecursiveMode, Watcher};

use super::{Live, Looked};

/// How files are watched.
///
/// ```
/// use nisi::reload::WatchOptions;
/// assert!(WatchOptions::default().settle < WatchOptions::default().poll);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct WatchOptions {
    /// How long the files must stay as they are before they are taken up, so that a file that is half written is not.
    pub settle: Duration,
    /// How often they are looked at even where the system reports no change: some file systems report none, and files
    /// that a policy names may lie elsewhere.
    pub poll: Duration,
}

impl Default for WatchOptions {
    fn default() -> Self {
        WatchOptions { settle: Duration::from_millis(200), poll: Duration::from_secs(5) }
    }
}

/// A watch; it ends when this is dropped.
#[derive(Debug)]
pub struct Watch {
    stop: Sender<Event>,
    thread: Option<JoinHandle<()>>,
    reports: Result<(), String>,
}

impl Watch {
    /// Whether the system reports changes; where it does not, why, and files are looked at every
    /// [`poll`](WatchOptions::poll).
    ///
    /// # Errors
    /// What the system said.
    pub fn reports(&self) -> Result<(), &str> {
        self.reports.as_ref().copied().map_err(String::as_str)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // A thread that is gone needs no word.
        let _ = self.stop.send(Event::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

enum Event {
    Changed,
    Stop,
}

impl Live {
    /// Looks whenever the files change, on a thread of its own, and tells what came of each look but `Same`.
    ///
    /// ```
    /// use std::sync::{Arc, mpsc};
    /// use nisi::reload::{Live, LiveOptions, Looked, WatchOptions};
    ///
    /// let file = std::env::temp_dir().join(format!("nisi-watch-{}.nisi", std::process::id()));
    /// let text = |v: u32| format!("policy a\nversion {v}\ntable t, first row wins\n| => action |\n| stop |\n");
    /// std::fs::write(&file, text(1))?;
    /// let live = Arc::new(Live::open(&file, LiveOptions::default())?);
    /// let (tell, told) = mpsc::channel();
    /// let watch = live.watch(WatchOptions::default(), move |looked| tell.send(looked.clone()).unwrap_or(()));
    /// std::fs::write(&file, text(2))?;
    /// assert!(matches!(told.recv()?, Looked::Taken));
    /// assert_eq!(live.first().version(), "2");
    /// drop(watch);
    /// # std::fs::remove_file(&file)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn watch(self: &Arc<Self>, options: WatchOptions, tell: impl Fn(&Looked) + Send + 'static) -> Watch {
        let (stop, events) = mpsc::channel();
        let live = Arc::clone(self);
        let (watcher, reports) = match reporter(&live.path, stop.clone()) {
            Ok(watcher) => (Some(watcher), Ok(())),
            Err(error) => (None, Err(error.to_string())),
        };
        let thread = std::thread::spawn(move || {
            // It reports for as long as it lives.
            let _watcher = watcher;
            run(&live, options, &events, tell);
        });
        Watch { stop, thread: Some(thread), reports }
    }
}

/// What reports changes of a path: of a file's folder, since editors put a new file in the place of the old one.
fn reporter(path: &Path, tell: Sender<Event>) -> notify::Result<notify::RecommendedWatcher> {
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Reading is what we do ourselves.
        if !event.is_ok_and(|event| event.kind.is_access()) {
            let _ = tell.send(Event::Changed);
        }
    })?;
    if path.is_dir() {
        watcher.watch(path, RecursiveMode::Recursive)?;
    } else {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        watcher.watch(folder, RecursiveMode::NonRecursive)?;
    }
    Ok(watcher)
}

fn run(live: &Live, options: WatchOptions, events: &Receiver<Event>, tell: impl Fn(&Looked)) {
    loop {
        match events.recv_timeout(options.poll) {
            Ok(Event::Stop) | Err(RecvTimeoutError::Disconnected) => return,
            Ok(Event::Changed) | Err(RecvTimeoutError::Timeout) => {}
        }
        let Some(looked) = settled(live, options.settle, events) else { return };
        if !matches!(looked, Looked::Same) {
            tell(&looked);
        }
    }
}

/// Looks once the files stay as they are; nothing where the watch ends meanwhile.
fn settled(live: &Live, settle: Duration, events: &Receiver<Event>) -> Option<Looked> {
    let read = || super::read(&live.path, &live.state().seen);
    let mut before = read();
    loop {
        if before == live.state().seen {
            return Some(Looked::Same);
        }
        match events.recv_timeout(settle) {
            Ok(Event::Stop) | Err(RecvTimeoutError::Disconnected) => return None,
            Ok(Event::Changed) => {}
            Err(RecvTimeoutError::Timeout) => {
                let now = read();
                if now == before {
                    return Some(live.take(&mut live.state(), now));
                }
                before = now;
            }
        }
    }
}
