//! Mends put into the text: a finding says what a mend means, and here it becomes edits of what is written.
//!
//! A row or an item that goes takes its lines with it; a test of `also` is no cell, and is written with its fact. A
//! mend that would pull the ground from under an example, a waiver or a reason is dropped.

use std::collections::{BTreeSet, HashMap};

use crate::diag::{Diagnostic, Edit, Fix, Severity};
use crate::model::{Cond, Model, Table, TableId};
use crate::text::{SourceMap, Span};

/// Fits the mends of all findings of the analysis. Beside an error none of them is safe: nothing is said of what comes of
/// facts that a table leaves open.
pub fn fit(model: &Model, sources: &SourceMap, findings: &mut [Diagnostic]) {
    let sound = findings.iter().all(|f| f.severity != Severity::Error);
    let ours = |f: &&mut Diagnostic| ["N03", "N04", "N05"].iter().any(|group| f.code.id.starts_with(group));
    let mut findings = findings.iter_mut().filter(ours).filter(|f| !f.fixes.is_empty()).peekable();
    if findings.peek().is_none() {
        return;
    }
    let written = Written::new(model, sources);
    for finding in findings {
        let fixes = std::mem::take(&mut finding.fixes).into_iter();
        let fixes = fixes.map(|fix| Fix { safe: fix.safe && sound, ..fix });
        finding.fixes = fixes.filter_map(|fix| written.fix(fix)).collect();
    }
}

/// Where rows and tests of a model stand.
struct Written<'a> {
    model: &'a Model,
    sources: &'a SourceMap,
    /// Each row, and whether it can go.
    rows: HashMap<Span, bool>,
    tests: HashMap<Span, &'a Cond>,
}

impl<'a> Written<'a> {
    fn new(model: &'a Model, sources: &'a SourceMap) -> Written<'a> {
        let mut written = Written { model, sources, rows: HashMap::new(), tests: HashMap::new() };
        let derives = model.derives.iter().map(|d| &d.table);
        let alone = derives.chain(model.classifies.iter().map(|c| &c.table)).map(|t| (None, t));
        for (id, table) in model.tables.iter().enumerate().map(|(i, t)| (Some(TableId(i)), t)).chain(alone) {
            let spoken = spoken_of(model, id, table);
            // Where a row goes, the numbers of those below it change.
            let numbered = spoken.iter().rfind(|r| table.rows.get(**r).is_some_and(|r| r.name.is_none()));
            for (i, row) in table.rows.iter().enumerate() {
                let may_go = table.rows.len() > 1 && !spoken.contains(&i) && numbered.is_none_or(|last| i > *last);
                written.rows.insert(row.span, may_go);
                written.tests.extend(row.conds.iter().map(|c| (c.span, c)));
            }
        }
        written
    }

    fn fix(&self, fix: Fix) -> Option<Fix> {
        let edits: Option<Vec<Edit>> = fix.edits.into_iter().map(|edit| self.edit(edit)).collect();
        Some(Fix { edits: edits?, ..fix })
    }

    fn edit(&self, edit: Edit) -> Option<Edit> {
        let Edit { span, replacement } = edit;
        if let Some(may_go) = self.rows.get(&span) {
            return may_go.then(|| Edit { span: lines(self.sources, span), replacement });
        }
        if let Some(cond) = self.tests.get(&span) {
            return Some(test(self.model, self.sources, cond, replacement));
        }
        if replacement.is_empty() {
            return item(self.sources, span).map(|span| Edit { span, replacement });
        }
        Some(Edit { span, replacement })
    }
}

/// The rows of a table that examples, waivers or reasons speak of.
fn spoken_of(model: &Model, id: Option<TableId>, table: &Table) -> BTreeSet<usize> {
    let in_examples = model.examples.iter().flat_map(|e| &e.rows).filter_map(|e| e.expected.row);
    let in_waivers = model.waivers.iter().flat_map(|w| &w.rows).copied();
    let others = in_examples.map(|(t, r, _)| (t, r)).chain(in_waivers);
    let reasons = table.rows.iter().enumerate().filter(|(_, r)| r.reason.is_some()).map(|(i, _)| i);
    others.filter(|(t, _)| Some(*t) == id).map(|(_, r)| r).chain(reasons).collect()
}

/// A test that is left out (`-`) or written anew.
fn test(model: &Model, sources: &SourceMap, cond: &Cond, replacement: String) -> Edit {
    let (span, fact) = (cond.span, model.fact(cond.fact));
    let written = sources.slice(span);
    let rest = written.strip_prefix(&*fact.name).map(str::trim_start).and_then(|r| r.strip_prefix("is"));
    if !rest.is_some_and(|r| r.starts_with(|c: char| c.is_whitespace())) {
        return Edit { span, replacement };
    }
    if replacement != "-" {
        return Edit { span, replacement: format!("{} is {replacement}", fact.name) };
    }
    // The `and` that joins it to its neighbour goes too.
    let text = sources.get(span.file).text();
    let (before, after) = (&text[..span.start as usize], &text[span.end as usize..]);
    if let Some(head) = before.trim_end().strip_suffix("and").filter(|h| h.ends_with(|c: char| c.is_whitespace())) {
        let start = head.trim_end().len();
        return Edit { span: Span { start: start as u32, ..span }, replacement: String::new() };
    }
    let gap = after.len() - after.trim_start().len();
    if let Some(tail) = after.trim_start().strip_prefix("and").filter(|t| t.starts_with(|c: char| c.is_whitespace())) {
        let end = span.end as usize + gap + 3 + (tail.len() - tail.trim_start().len());
        return Edit { span: Span { end: end as u32, ..span }, replacement: String::new() };
    }
    Edit { span, replacement: String::new() }
}

/// The lines of a span, with their end.
fn lines(sources: &SourceMap, span: Span) -> Span {
    let text = sources.get(span.file).text();
    let start = text[..span.start as usize].rfind('\n').map_or(0, |i| i + 1);
    let end = text[span.end as usize..].find('\n').map_or(text.len(), |i| span.end as usize + i + 1);
    // The last line of a file may have no end: then the end of the line before it goes.
    let start = if end == text.len() && !text.ends_with('\n') { start.saturating_sub(1) } else { start };
    Span { start: start as u32, end: end as u32, ..span }
}

/// The lines of the item that a place begins or stands in the head of, its documentation included; nothing where its
/// end cannot be seen.
fn item(sources: &SourceMap, span: Span) -> Option<Span> {
    let text = sources.get(span.file).text();
    let mut whole = lines(sources, span);
    let head = text.get(whole.start as usize..whole.end as usize)?;
    if head.contains('{') && !head.contains('}') {
        let from = whole.end as usize;
        let close = text[from..].split_inclusive('\n').scan(0, |at, line| {
            *at += line.len();
            Some((*at, line))
        });
        let (end, _) = close.into_iter().find(|(_, line)| line.trim_start().starts_with('}'))?;
        whole.end = (from + end) as u32;
    }
    while let Some(above) = (whole.start as usize).checked_sub(1) {
        let start = text[..above].rfind('\n').map_or(0, |i| i + 1);
        if !text[start..above].starts_with("##") {
            break;
        }
        whole.start = start as u32;
    }
    Some(whole)
}
