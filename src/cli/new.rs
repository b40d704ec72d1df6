//! `nisi new NAME`: a first policy with comments and examples, which passes `nisi check` and `nisi test`. It never writes over a file.

use std::path::{Path, PathBuf};

use super::out::{Answer, Exit, Out, Trouble, io_words, shell_word};
use super::outside;

/// The policy that is written, under another name.
const TEMPLATE: &str = include_str!("template.nisi");

/// The arguments of `nisi new`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The policy's name, such as payment-recovery: NAME.nisi is written
    name: String,
    /// The folder that it is written into; `-` prints it instead
    #[arg(long, value_name = "DIR", default_value = ".")]
    path: PathBuf,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Answer {
    let name = args.name.strip_suffix(".nisi").unwrap_or(&args.name);
    check_name(name)?;
    let text = TEMPLATE.replacen("my-policy", name, 1);
    if outside::is_dash(&args.path) {
        out.result(&text)?;
        return Ok(Exit::Yes);
    }
    let path = if args.path == Path::new(".") { PathBuf::new() } else { args.path.clone() };
    let path = path.join(format!("{name}.nisi"));
    let shown = path.display().to_string();
    outside::write_new(&path, &text).map_err(|error| trouble(&shown, &error))?;
    out.line(&shown)?;
    out.say(&format!("next: nisi check {}", shell_word(&shown)));
    Ok(Exit::Yes)
}

fn trouble(shown: &str, error: &std::io::Error) -> Trouble {
    let trouble = Trouble::new(format!("`{shown}` could not be written: {}", io_words(error)));
    match error.kind() {
        std::io::ErrorKind::AlreadyExists => trouble.help("choose another name: a file that exists is never replaced"),
        std::io::ErrorKind::NotFound => trouble.help("make the folder first"),
        _ => trouble,
    }
}

/// A name is letters, digits, `-` and `_`, and begins with a letter.
fn check_name(name: &str) -> Result<(), Trouble> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let fine = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(plain) && name.len() <= 64;
    if fine {
        return Ok(());
    }
    let trouble = Trouble::new(format!("`{name}` cannot be the name of a policy"));
    let mut meant: String = name.chars().map(|c| if plain(c) { c } else { '-' }).collect();
    meant.truncate(64);
    let meant = meant.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    Err(if meant.starts_with(|c: char| c.is_ascii_alphabetic()) && meant.len() < 64 {
        trouble.help(format!("a name begins with a letter and holds letters, digits, `-` and `_`: `{meant}`"))
    } else {
        trouble.help("a name begins with a letter, holds letters, digits, `-` and `_`, and has at most 64 of them")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked_and_a_better_one_is_offered() {
        assert!(check_name("payment-recovery_2").is_ok());
        for bad in ["", "-", "9lives", "a/b", "../up", "naïve", "a b", &"x".repeat(65)] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
        let help = check_name("a b").err().and_then(|trouble| trouble.help).unwrap_or_default();
        assert!(help.ends_with("`a-b`"), "{help}");
    }

    #[test]
    fn the_template_holds_its_placeholder_once() {
        assert_eq!(TEMPLATE.matches("my-policy").count(), 1);
    }
}
