//! A call that cannot be read, told as every other trouble: what is wrong, and what to write.

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::out::Trouble;

/// What is wrong with a call; nothing where help or the version was asked for.
pub(super) fn trouble(error: &Error) -> Option<Trouble> {
    let said = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        Some(ContextValue::Strings(texts)) => texts.first().map(String::as_str),
        _ => None,
    };
    let all = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::Strings(texts)) => texts.iter().map(|t| format!("`{t}`")).collect::<Vec<_>>(),
        Some(ContextValue::String(text)) => vec![format!("`{text}`")],
        _ => Vec::new(),
    };
    let whole = said(ContextKind::InvalidArg).unwrap_or_default();
    let argument = whole.split(" <").next().unwrap_or_default();
    let value = said(ContextKind::InvalidValue).unwrap_or_default();
    let near = |kind: ContextKind, list: &str| match said(kind) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("`{list} --help` lists them"),
    };
    Some(match error.kind() {
        ErrorKind::ValueValidation => Trouble::new(format!("`{argument} {value}` is no whole number that can be used"))
            .help(format!("write digits alone, up to {}: `{argument} 1000`", u64::MAX)),
        ErrorKind::InvalidValue if value.is_empty() => Trouble::new(format!("`{argument}` lacks its value"))
            .help(format!("write `{}`", whole.replace(['<', '>'], ""))),
        ErrorKind::InvalidValue => {
            let help = format!("write one of {}", all(ContextKind::ValidValue).join(", "));
            let help = said(ContextKind::SuggestedValue).map_or(help, |near| format!("did you mean `{near}`?"));
            Trouble::new(format!("`{value}` is no value of `{argument}`")).help(help)
        }
        ErrorKind::UnknownArgument if argument.starts_with('-') && argument[1..].parse::<f64>().is_ok() => {
            Trouble::new(format!("`{argument}` is no option, and no number can be negative here"))
                .help("write digits alone")
        }
        ErrorKind::UnknownArgument if argument.starts_with('-') => {
            Trouble::new(format!("`{argument}` is no option of this command"))
                .help(near(ContextKind::SuggestedArg, "nisi"))
        }
        ErrorKind::UnknownArgument => Trouble::new(format!("`{argument}` is one word too many"))
            .help("a name with blanks stands in quotes; a fact is given as `--set FACT=VALUE`"),
        ErrorKind::InvalidSubcommand => {
            let word = said(ContextKind::InvalidSubcommand).unwrap_or_default();
            Trouble::new(format!("`{word}` is no command")).help(near(ContextKind::SuggestedSubcommand, "nisi"))
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = all(ContextKind::InvalidArg).join(" and ").replace(['<', '>'], "").replace("...", "");
            Trouble::new(format!("{missing} is missing in this call")).help(usage(error))
        }
        ErrorKind::ArgumentConflict => {
            let other = all(ContextKind::PriorArg).join(", ");
            let other = other.split(" <").next().unwrap_or_default().trim_matches('`');
            Trouble::new(format!("`{argument}` and `{other}` cannot stand together")).help("keep one of the two")
        }
        _ => return None,
    })
}

/// How the call is written.
fn usage(error: &Error) -> String {
    let usage = error.get(ContextKind::Usage).map(ToString::to_string).unwrap_or_default();
    let call = usage.trim().trim_start_matches("Usage:").trim().replace(['<', '>'], "");
    if call.is_empty() { "`nisi --help` shows how it is written".to_string() } else { format!("write `{call}`") }
}
