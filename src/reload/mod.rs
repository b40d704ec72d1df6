//! Floor 8: a policy on disk, taken up while the program runs.
//!
//! [`Live`] holds the policies of a file or a folder. It looks at the files when it is told to ([`Live::look`]) or when
//! they change ([`Live::watch`]), compiles what changed aside, with all proofs and examples, and puts the new policies in
//! the place of the old ones in one step. Where anything is wrong, the last good ones stay, and [`Live::refusal`] says
//! why. Whoever asks never waits: neither for a compilation nor for another one who asks.

mod files;
mod refusal;
mod watch;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::{ArcSwap, Guard};

use self::files::{Seen, read};
use crate::compare::{CompareOptions, Deny, Mark, compare};
use crate::compile::Options;
use crate::decide::Policy;

pub use self::refusal::Refusal;
pub use self::watch::{Watch, WatchOptions};

/// What a new policy must satisfy to be taken up.
///
/// ```
/// use nisi::reload::LiveOptions;
/// let options = LiveOptions { never_wider: true, ..LiveOptions::default() };
/// assert!(options.compile.proofs && !options.deny_warnings);
/// ```
#[derive(Debug, Clone, Default)]
pub struct LiveOptions {
    /// How it is compiled: proofs, steps, the day on which waivers are judged.
    pub compile: Options,
    /// Whether a warning on a text refuses it as an error does; an artifact was warned about where it was compiled.
    pub deny_warnings: bool,
    /// Whether it is refused where some decision is wider than that of the running policy, for whatever facts, or where
    /// that cannot be told within the steps.
    pub never_wider: bool,
    /// Rows, `table/row`, whose changes are let pass where they are wider.
    pub except: Vec<String>,
    /// Where there are any, only artifacts are taken that one of these keys has signed.
    #[cfg(feature = "sign")]
    pub keys: Vec<crate::artifact::PublicKey>,
}

impl LiveOptions {
    #[cfg(feature = "sign")]
    fn wants_signatures(&self) -> bool {
        !self.keys.is_empty()
    }

    #[cfg(not(feature = "sign"))]
    #[allow(clippy::unused_self, reason = "with the feature it is asked of the keys")]
    fn wants_signatures(&self) -> bool {
        false
    }
}

/// The policies of a file or a folder, as they were last found good. Shared between threads by reference or in an
/// [`Arc`].
pub struct Live {
    path: PathBuf,
    options: LiveOptions,
    current: ArcSwap<Set>,
    /// What the files held when they were last looked at, and why that was refused. Only who looks takes it.
    looked: Mutex<State>,
}

struct State {
    seen: Seen,
    refusal: Option<Arc<Refusal>>,
}

/// Policies by name, in the order of their files; never empty.
type Set = Vec<Policy>;

/// What a look at the files came to.
#[derive(Debug, Clone)]
pub enum Looked {
    /// The files are as they were at the last look.
    Same,
    /// They changed, and their policies are the running ones now.
    Taken,
    /// They changed, and the running policies stay.
    Refused(Arc<Refusal>),
}

/// A policy that stays as it is while it is held, whatever is taken up in the meantime. Hold it for one question, not
/// for ever: it keeps its policies in memory.
pub struct Held {
    set: Guard<Arc<Set>>,
    place: usize,
}

impl Deref for Held {
    type Target = Policy;

    fn deref(&self) -> &Policy {
        &self.set[self.place]
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl Live {
    /// Reads, compiles and proves the policies of a file, or of all `*.nisi` under a folder; vocabularies among them are
    /// checked too. What begins as an artifact is loaded: held to its rows, or to a signature where [`LiveOptions::keys`] ask for it.
    ///
    /// ```
    /// use nisi::reload::{Live, LiveOptions, Looked};
    ///
    /// let folder = std::env::temp_dir().join(format!("nisi-live-{}", std::process::id()));
    /// std::fs::create_dir_all(&folder)?;
    /// let file = folder.join("a.nisi");
    /// let text = |v: u32| format!("policy a\nversion {v}\ntable t, first row wins\n| => action |\n| stop |\n");
    /// std::fs::write(&file, text(1))?;
    ///
    /// let live = Live::open(&folder, LiveOptions::default())?;
    /// let held = live.get("a").ok_or("no policy a")?;
    /// std::fs::write(&file, text(2))?;
    /// assert!(matches!(live.look(), Looked::Taken));
    /// std::fs::write(&file, "policy a\nversion 3\n")?;
    /// assert!(matches!(live.look(), Looked::Refused(_)));
    /// assert_eq!((held.version(), live.get("a").ok_or("no policy a")?.version()), ("1", "2"));
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// What would refuse them later: a path that cannot be read, findings that are errors, no policy at all.
    pub fn open(path: impl AsRef<Path>, options: LiveOptions) -> Result<Live, Refusal> {
        let path = path.as_ref().to_path_buf();
        let seen = read(&path, &Seen::default());
        let (set, seen) = files::compiled(&path, seen, &options);
        let looked = Mutex::new(State { seen, refusal: None });
        Ok(Live { path, options, current: ArcSwap::from_pointee(set?), looked })
    }

    /// The running policy of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Held> {
        let set = self.current.load();
        set.iter().position(|p| p.name() == name).map(|place| Held { set, place })
    }

    /// The running policy of the first file: the only one, where the path is a file.
    #[must_use]
    pub fn first(&self) -> Held {
        Held { set: self.current.load(), place: 0 }
    }

    /// The names of the running policies, in the order of their files.
    pub fn names(&self) -> Vec<String> {
        self.current.load().iter().map(|p| p.name().to_string()).collect()
    }

    /// Why what the files hold now is not what runs; nothing where it is, as far as was looked.
    pub fn refusal(&self) -> Option<Arc<Refusal>> {
        self.state().refusal.clone()
    }

    /// Looks at the files once, and takes up what changed if it may be. Two looks at once follow each other; whoever asks
    /// a policy meanwhile is not held up.
    pub fn look(&self) -> Looked {
        let mut state = self.state();
        let seen = read(&self.path, &state.seen);
        self.take(&mut state, seen)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.looked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, state: &mut State, seen: Seen) -> Looked {
        if seen == state.seen {
            return Looked::Same;
        }
        let (found, seen) = files::compiled(&self.path, seen, &self.options);
        state.seen = seen;
        match found.and_then(|set| self.fits(&set).map(|()| set)) {
            Ok(set) => {
                self.current.store(Arc::new(set));
                state.refusal = None;
                Looked::Taken
            }
            Err(refusal) => {
                let refusal = Arc::new(refusal);
                state.refusal = Some(Arc::clone(&refusal));
                Looked::Refused(refusal)
            }
        }
    }

    /// Whether policies may take the place of the running ones.
    fn fits(&self, new: &Set) -> Result<(), Refusal> {
        let running = self.current.load();
        let by_name: BTreeMap<&str, &Policy> = new.iter().map(|p| (p.name(), p)).collect();
        let gone: Vec<String> =
            running.iter().map(|p| p.name().to_string()).filter(|name| !by_name.contains_key(name.as_str())).collect();
        if !gone.is_empty() {
            return Err(Refusal::Gone(gone));
        }
        for old in running.iter().filter(|_| self.options.never_wider) {
            let new = by_name[old.name()];
            if old.digest() == new.digest() {
                continue;
            }
            let found = compare(old, new, &CompareOptions::default());
            let (changes, budget) = found.denied(&[Deny::Mark(Mark::Wider)], &self.options.except);
            if !changes.is_empty() || !budget.is_empty() || !found.undecided.is_empty() {
                return Err(Refusal::Wider { policy: old.name().to_string(), found: Box::new(found) });
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live")
            .field("path", &self.path)
            .field("policies", &**self.current.load())
            .finish_non_exhaustive()
    }
}
