//! One line on standard error while a long run goes on: how far it is, at what, since when.
//!
//! It is there only on a terminal, only after a second, and gone before anything else is written: whoever starts it writes
//! nothing until it is dropped. The line is indicatif's, which knows how wide terminals are and which of them are none.

use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::out::visible;
use super::outside;

/// A run that ends sooner shows nothing.
const LATE: Duration = Duration::from_secs(1);
/// How often the line is drawn anew.
const TICK: Duration = Duration::from_millis(200);

/// The line; it goes when this is dropped.
pub(super) struct Progress {
    bar: ProgressBar,
    waiting: Option<(Sender<()>, JoinHandle<()>)>,
}

/// Does one thing, with the line while it goes on.
pub(super) fn during<T>(what: &str, path: &Path, work: impl FnOnce() -> T) -> T {
    let progress = Progress::start(what, 1);
    progress.at(&path.display().to_string());
    work()
}

impl Progress {
    /// Begins a run of `n` steps; `what` says what is done: `checking`.
    pub(super) fn start(what: &str, n: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(n as u64), ProgressDrawTarget::hidden());
        let count = if n > 1 { " {pos} of {len}" } else { "" };
        // What cannot be a template is drawn as indicatif has it.
        if let Ok(style) =
            ProgressStyle::with_template(&format!("{{spinner}} {what}{count} ({{elapsed}}) {{wide_msg}}"))
        {
            bar.set_style(style);
        }
        let waiting = outside::errors_on_terminal().then(|| {
            let (stop, stopped) = mpsc::channel();
            let late = bar.clone();
            let draw = move || {
                if stopped.recv_timeout(LATE) == Err(RecvTimeoutError::Timeout) {
                    late.set_draw_target(ProgressDrawTarget::stderr());
                    late.enable_steady_tick(TICK);
                }
            };
            (stop, thread::spawn(draw))
        });
        Progress { bar, waiting }
    }

    /// Names what is at work.
    pub(super) fn at(&self, name: &str) {
        if self.waiting.is_some() {
            self.bar.set_message(visible(name).replace(['\n', '\t'], " "));
        }
    }

    /// One step is done.
    pub(super) fn step(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, waiting)) = self.waiting.take() {
            drop(stop);
            // It draws nothing more once it has ended; how it ended changes nothing here.
            let _ = waiting.join();
        }
        self.bar.finish_and_clear();
    }
}
