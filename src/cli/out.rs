//! What a command gives back: results on standard output, everything else on standard error, and an exit code.
//!
//! A reader that closes its end (`nisi check | head`) ends the command quietly, with the exit code that is known by
//! then: a no stays a no. Any other failure to write is told.

use std::io::{self, BufWriter, Write};

use super::outside;
pub(super) use crate::files::Trouble;
pub(super) use crate::files::door::io_words;

/// The answer of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Exit {
    /// Yes.
    Yes = 0,
    /// The policy has errors, or a test or comparison says no.
    No = 1,
    /// The question could not be put.
    Unasked = 2,
}

/// Why a command ends before its answer.
pub(super) enum Failure {
    /// Standard output could not be written.
    Write(io::Error),
    /// The question could not be put.
    Unasked(Trouble),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Write(error)
    }
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Self {
        Failure::Unasked(trouble)
    }
}

/// How a command ends.
pub(super) type Answer = Result<Exit, Failure>;

/// How what is meant for people is shown on a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    /// Whether it has colours.
    pub(super) color: bool,
    /// How many columns there are.
    pub(super) columns: usize,
}

impl Look {
    /// The columns of what is no terminal.
    pub(super) const COLUMNS: usize = 80;
    /// On less, words would be broken in two.
    pub(super) const NARROWEST: usize = 40;
    /// No line is longer.
    pub(super) const WIDEST: usize = 1_000;
}

/// The two streams of a command.
pub(super) struct Out {
    results: BufWriter<io::Stdout>,
    /// How results are shown.
    pub(super) look: Look,
    /// How all else is shown.
    pub(super) beside: Look,
    /// The exit code where the reader of the results has gone.
    pub(super) unread: Exit,
    /// The troubles that were told, for results that hold them too.
    pub(super) told: Vec<Trouble>,
}

impl Out {
    /// The streams of this process; `color` is what the call says of colours.
    pub(super) fn new(color: Option<bool>) -> Self {
        let [look, beside] = outside::looks(color);
        Out { results: BufWriter::new(io::stdout()), look, beside, unread: Exit::Yes, told: Vec::new() }
    }

    /// A result, as it is.
    pub(super) fn result(&mut self, text: &str) -> io::Result<()> {
        self.results.write_all(text.as_bytes())
    }

    /// A result that is no text.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.results.write_all(bytes)
    }

    /// A result and the end of its line.
    pub(super) fn line(&mut self, text: &str) -> io::Result<()> {
        self.result(text)?;
        self.result("\n")
    }

    /// Hands on what was written so far.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.results.flush()
    }

    /// A word beside the results. That nobody reads it is no failure.
    pub(super) fn say(&mut self, text: &str) {
        let _ = self.results.flush();
        let _ = writeln!(io::stderr().lock(), "{}", visible(text));
    }

    /// Findings beside the results, drawn already.
    pub(super) fn say_as_is(&mut self, text: &str) {
        let _ = self.results.flush();
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Tells a trouble.
    pub(super) fn trouble(&mut self, trouble: &Trouble) {
        self.told.push(trouble.clone());
        self.say(&format!("error: {}", trouble.message));
        if let Some(help) = &trouble.help {
            self.say(&format!("  help: {}", help.replace('\n', "\n        ")));
        }
    }

    /// Ends the command: tells what went wrong, and gives its exit code.
    pub(super) fn end(&mut self, answer: Answer) -> Exit {
        let answer = answer.and_then(|exit| {
            self.flush()?;
            Ok(exit)
        });
        match answer {
            Ok(exit) => exit,
            Err(Failure::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => self.unread,
            Err(Failure::Write(error)) => {
                self.trouble(&Trouble::new(format!("the result could not be written: {}", io_words(&error))));
                Exit::Unasked
            }
            Err(Failure::Unasked(trouble)) => {
                self.trouble(&trouble);
                Exit::Unasked
            }
        }
    }
}

/// A text without what could steer a terminal: control characters and the marks that turn the direction of writing
/// are shown by a sign as long as they were, so that places in the text stay where they are.
pub(super) fn visible(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\t' => c,
            '\r' => ' ',
            '\u{0}'..='\u{1f}' | '\u{7f}' => '?',
            '\u{80}'..='\u{9f}' => '¿',
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}' => {
                '\u{fffd}'
            }
            _ => c,
        })
        .collect()
}

/// A word as a shell reads it back: bare where it can be, else in single quotes.
pub(super) fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A call that puts a question, for a shell: `nisi why POLICY --table T --set FACT=VALUE --refuse VERB`.
pub(super) fn call<'w>(
    command: &str,
    policy: &str,
    table: Option<&str>,
    facts: impl IntoIterator<Item = (&'w str, String)>,
    refuse: &[String],
) -> String {
    let mut words = vec!["nisi".to_string(), command.into(), shell_word(policy)];
    if let Some(table) = table {
        words.extend(["--table".into(), shell_word(table)]);
    }
    for (name, value) in facts {
        words.extend(["--set".into(), shell_word(&format!("{name}={value}"))]);
    }
    for verb in refuse {
        words.extend(["--refuse".into(), shell_word(verb)]);
    }
    words.join(" ")
}

/// `1 row`, `3 rows`.
pub(super) fn n(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown_as_long_as_it_was() {
        let text = "a\u{1b}[31m\u{202e}b\u{85}\tc\r\n";
        assert_eq!(visible(text).len(), text.len());
        assert!(!visible(text).contains(['\u{1b}', '\u{202e}', '\u{85}']));
    }

    #[test]
    fn shell_words_come_back_as_they_were() {
        assert_eq!(shell_word("condition=timeout"), "condition=timeout");
        assert_eq!(shell_word("desk=14 days"), "'desk=14 days'");
        assert_eq!(shell_word("it's"), r"'it'\''s'");
    }
}
