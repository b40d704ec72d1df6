//! `nisi explain CODE`: the page of a code: what it means, an example, the mend. `nisi explain std.facts` prints a
//! vocabulary that ships with the command; without a name every code is listed with its title.

use serde_json::json;

use super::format::Format;
use super::out::{Answer, Exit, Out, Trouble, n};
use crate::compile::shipped;
use crate::diag::{self, Code};

/// The vocabularies that ship inside.
pub(super) const STD: [&str; 2] = ["std.facts", "std.safety"];

/// The arguments of `nisi explain`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A code such as N0203, or a vocabulary such as std.facts; without it, every code is listed
    name: Option<String>,
    /// For people or for programs
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Answer {
    let Some(name) = &args.name else {
        list(args.format, out)?;
        return Ok(Exit::Yes);
    };
    if let Some(code) = diag::code(name) {
        match args.format {
            Format::Human => out.result(code.page)?,
            Format::Json => out.line(&format!("{:#}", page(code)))?,
        }
        return Ok(Exit::Yes);
    }
    if let Some(text) = shipped(name) {
        match args.format {
            Format::Human => out.result(text)?,
            Format::Json => out.line(&format!("{:#}", json!({ "name": name, "text": text })))?,
        }
        return Ok(Exit::Yes);
    }
    Err(nothing_to_explain(name).into())
}

fn list(format: Format, out: &mut Out) -> std::io::Result<()> {
    match format {
        Format::Human => {
            for code in diag::ALL {
                out.line(&format!("{}  {:7}  {}", code.id, code.severity.as_str(), code.title))?;
            }
            for name in STD {
                out.line(&format!("{name}  (a vocabulary)"))?;
            }
            out.say(&format!("{}; `nisi explain CODE` prints one's page", n(diag::ALL.len(), "code", "codes")));
        }
        Format::Json => {
            let codes: Vec<_> = diag::ALL.iter().map(|code| entry(*code)).collect();
            out.line(&format!("{:#}", json!(codes)))?;
        }
    }
    Ok(())
}

fn entry(code: Code) -> serde_json::Value {
    json!({ "code": code.id, "severity": code.severity.as_str(), "title": code.title })
}

fn page(code: Code) -> serde_json::Value {
    let mut value = entry(code);
    value["page"] = code.page.into();
    value
}

fn nothing_to_explain(name: &str) -> Trouble {
    let trouble = Trouble::new(format!("there is nothing to explain under `{name}`"));
    let names = diag::ALL.iter().map(|c| c.id).chain(STD.iter().copied());
    match diag::nearest(name, names) {
        Some(near) => trouble.help(format!("did you mean `{near}`? `nisi explain` lists every code")),
        None => trouble.help("`nisi explain` lists every code"),
    }
}
