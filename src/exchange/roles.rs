//! What each column of a spreadsheet is: the names of rows, a fact that is tested, what follows, why.
//!
//! A column that could be a fact is one, unless its place says otherwise: a test that is taken for a remark would be lost.

use std::collections::BTreeSet;

use super::grid::{Field, Grid};
use super::names::folded;
use super::place::{Notices, Place, Refused};
use crate::syntax::tree::Hit;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Name,
    Fact,
    Also,
    Action,
    Reason,
    /// A further output.
    Other,
    /// Nothing at all.
    Empty,
}

const NAMES: [&str; 8] = ["row", "name", "id", "#", "no", "nr", "rule", "row_name"];
const ACTIONS: [&str; 8] = ["action", "actions", "output", "outcome", "decision", "result", "then", "next_step"];
const REASONS: [&str; 11] = [
    "reason",
    "reasons",
    "because",
    "why",
    "comment",
    "comments",
    "annotation",
    "annotations",
    "note",
    "notes",
    "rationale",
];

/// The hit policy that a text says: DMN's letter, or the language's words.
///
/// # Errors
/// A letter of DMN that the language has no like for.
pub(super) fn hit_of(text: &str) -> Result<Option<Hit>, String> {
    let words = text.trim().to_lowercase();
    let all = [Hit::First, Hit::AtMostOne, Hit::Agree, Hit::MostCautious, Hit::Highest, Hit::Lowest];
    if let Some(hit) = all.into_iter().find(|hit| hit.as_str() == words) {
        return Ok(Some(hit));
    }
    match text.trim() {
        "F" => Ok(Some(Hit::First)),
        "U" => Ok(Some(Hit::AtMostOne)),
        "A" => Ok(Some(Hit::Agree)),
        "P" => Ok(Some(Hit::MostCautious)),
        "C" | "C+" | "C<" | "C>" | "C#" | "R" | "O" => {
            Err(format!("the hit policy `{}` answers with several rows, and a policy answers with one", text.trim()))
        }
        _ => Ok(None),
    }
}

/// What the columns hold, and the hit policy where the first corner says it.
///
/// # Errors
/// No column for what follows, two columns of one name, a hit policy that answers with several rows.
pub(super) fn of(grid: &Grid, notices: &mut Notices) -> Result<(Vec<Role>, Option<Hit>), Refused> {
    let head = |field: &Field| folded(&field.text).trim_end_matches(['.', ':', '_']).to_string();
    let heads: Vec<String> = grid.header.iter().map(head).collect();
    let hit = corner(grid, notices)?;
    let is_named = |head: &str| hit.is_some() || head == "row" || NAMES.contains(&head) && are_names(grid);
    let mut roles: Vec<Role> = Vec::new();
    for (i, head) in heads.iter().enumerate() {
        roles.push(match &**head {
            _ if i == 0 && is_named(head) => Role::Name,
            "" if grid.rows.iter().all(|row| row[i].is_blank()) => Role::Empty,
            "" => {
                let message = format!("the column at {} has no name", grid.header[i].place);
                return Err(Refused::new(message, "write the fact that it tests in its header"));
            }
            "also" => Role::Also,
            _ => Role::Fact,
        });
    }
    let is_reason = |i: usize| REASONS.contains(&heads[i].trim_start_matches(['=', '>', '_']));
    let arrow = heads.iter().position(|head| head.starts_with("=>"));
    let named = || (0..heads.len()).rev().find(|i| roles[*i] == Role::Fact && ACTIONS.contains(&&*heads[*i]));
    let last = || (0..heads.len()).rev().find(|i| roles[*i] == Role::Fact && !is_reason(*i));
    let Some(action) = arrow.or_else(named).or_else(last).filter(|_| heads.len() > 1) else {
        return Err(Refused::new("no column says what follows", "name the column of what follows `action`"));
    };
    roles[action] = Role::Action;
    // Only behind what follows a remark is a remark: before it, `reason` may be what is tested.
    for (i, role) in roles.iter_mut().enumerate().skip(action + 1) {
        match role {
            Role::Fact | Role::Also if is_reason(i) => *role = Role::Reason,
            Role::Fact | Role::Also if arrow.is_some() => {
                *role = Role::Other;
                let field = &grid.header[i];
                let text = "a row has one answer: what the column says stands in the reasons of the rows";
                notices.left(&field.place, format!("`{}`: {text}", field.text.trim()));
            }
            _ => {}
        }
    }
    distinct(grid, &roles)?;
    Ok((roles, hit))
}

/// The hit policy in the first corner. A letter is one where numbers, or nothing, stand below it, as in a table of DMN;
/// otherwise it is a fact's name.
fn corner(grid: &Grid, notices: &mut Notices) -> Result<Option<Hit>, Refused> {
    let Some(first) = grid.header.first() else { return Ok(None) };
    let text = first.text.trim();
    let numbered = |(i, row): (usize, &Vec<Field>)| {
        row.first().is_none_or(|field| field.is_blank() || field.text.trim() == (i + 1).to_string())
    };
    if text.len() <= 2 && !grid.rows.iter().enumerate().all(numbered) {
        return Ok(None);
    }
    match hit_of(text) {
        Ok(Some(hit)) => {
            if text.len() == 1 {
                notices.note(&first.place, format!("`{text}` is taken for the hit policy `{}`", hit.as_str()));
            }
            Ok(Some(hit))
        }
        Ok(None) => Ok(None),
        Err(why) => Err(Refused::new(why, "part it into tables that each have one answer")),
    }
}

/// Whether the first column can hold the names of the rows: each is there once, and none is a test.
fn are_names(grid: &Grid) -> bool {
    let mut seen = BTreeSet::new();
    let texts = grid.rows.iter().filter_map(|row| row.first()).map(|field| field.text.trim()).filter(|t| !t.is_empty());
    let is_test = |text: &str| text == "-" || text == "*" || text.starts_with(['<', '>', '=', '[', '(']);
    texts.into_iter().all(|text| !is_test(text) && seen.insert(text))
}

/// No two columns test one fact: one of them could not be carried over, and what its cells say would be lost.
fn distinct(grid: &Grid, roles: &[Role]) -> Result<(), Refused> {
    let mut seen: Vec<(String, &Place)> = Vec::new();
    for (field, _) in grid.header.iter().zip(roles).filter(|(_, role)| **role == Role::Fact) {
        let key = folded(&field.text);
        if let Some((_, first)) = seen.iter().find(|(before, _)| *before == key) {
            let message = format!("two columns are headed `{}`, at {first} and {}", field.text.trim(), field.place);
            return Err(Refused::new(message, "give one of them another name, or say both tests in one cell"));
        }
        seen.push((key, &field.place));
    }
    Ok(())
}
