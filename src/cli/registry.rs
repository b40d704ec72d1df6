//! Release passports on disk: the `*.yaml` and `*.yml` files under a folder, or one file, and the moment that their dates
//! are held against.

use std::path::{Path, PathBuf};

use super::disk::unreadable;
use super::out::{Failure, Out, Trouble};
use super::outside::{self, Content, Kind};
use crate::judge::{Moment, RegistryError, Releases};

/// The largest file, in bytes.
const LIMIT: u64 = 1024 * 1024;

/// Reads every passport; of their faults the last is the failure, and those before it are told on standard error.
pub(super) fn releases(path: &Path, out: &mut Out) -> Result<Releases, Failure> {
    let mut files = Vec::new();
    match outside::kind(path).map_err(|error| unreadable(path, &error))? {
        Kind::Folder => under(path, 0, &mut files)?,
        _ => files.push(path.to_path_buf()),
    }
    if files.is_empty() {
        let text = format!("no release passport under `{}`", path.display());
        return Err(Trouble::new(text).help("passports are files whose names end in `.yaml` or `.yml`").into());
    }
    let texts =
        files.iter().map(|file| Ok((file.display().to_string(), text(file)?))).collect::<Result<Vec<_>, Trouble>>()?;
    Releases::read(texts.iter().map(|(name, text)| (name.as_str(), text.as_str()))).map_err(|errors| {
        let told = |error: RegistryError| Trouble { message: error.to_string(), help: error.error.help };
        let mut troubles: Vec<Trouble> = errors.into_iter().map(told).collect();
        let last = troubles.pop().unwrap_or_else(|| Trouble::new(format!("`{}` could not be read", path.display())));
        for trouble in &troubles {
            out.trouble(trouble);
        }
        last.into()
    })
}

fn under(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), Trouble> {
    // Deeper than anybody nests folders: a link that leads back into one of its own ends here.
    if depth > 16 {
        return Ok(());
    }
    for path in outside::entries(folder).map_err(|error| unreadable(folder, &error))? {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let is_yaml = path.extension().is_some_and(|e| e == "yaml" || e == "yml");
        match outside::kind(&path) {
            _ if hidden => {}
            Ok(Kind::Folder) => under(&path, depth + 1, files)?,
            Ok(Kind::File) if is_yaml => files.push(path),
            Err(error) if is_yaml => return Err(unreadable(&path, &error)),
            _ => {}
        }
    }
    Ok(())
}

fn text(file: &Path) -> Result<String, Trouble> {
    match outside::read_file(file, LIMIT).map_err(|error| unreadable(file, &error))? {
        Content::Whole(bytes) => String::from_utf8(bytes).map_err(|_| {
            Trouble::new(format!("`{}` is not written in UTF-8", file.display())).help("save it as UTF-8")
        }),
        Content::TooLong(_) => {
            let text =
                format!("`{}` has more than the {LIMIT} bytes that a file of passports may have", file.display());
            Err(Trouble::new(text).help("part it into several files"))
        }
    }
}

/// The moment that dates are held against: the end of a day that is given, else the clock's.
pub(super) fn moment(today: Option<&str>) -> Result<Moment, Trouble> {
    let Some(day) = today else { return Ok(Moment::from_ms(outside::now_ms())) };
    let moment = if day.len() == 10 { format!("{day}T23:59:59Z").parse() } else { day.parse() };
    moment.map_err(|_| {
        Trouble::new(format!("`{day}` is not a day")).help("write year, month and day, such as `2026-08-01`")
    })
}
