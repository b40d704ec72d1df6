//! Findings about actions, tables, rules, waivers, examples and overlays.

use std::rc::Rc;

use super::list;
use super::words::cells_of;
use crate::diag::{self, Code, Diagnostic, nearest};
use crate::model::{Fact, Table, quote};
use crate::syntax::tree::{Hit, HitExpr, Word};
use crate::text::Span;
use crate::words::Verb;

pub(in crate::model::lower) fn incomplete(verb: Verb, example: &str, span: Span) -> Diagnostic {
    let lacks = match verb {
        Verb::Retry => "say when to retry",
        Verb::Reconcile => "say how the result can be found, and for how long",
        Verb::Hedge => "say how many copies, and after how long",
        _ => "say which parity the other release must meet",
    };
    Diagnostic::new(diag::N0226, format!("`{verb}` is not complete: {lacks}"))
        .at(span, "not complete")
        .help(format!("write it like `{example}`"))
}

pub(in crate::model::lower) fn needs_std(verb: Verb, span: Span) -> Diagnostic {
    let facts = match verb {
        Verb::Done | Verb::Wait => "`condition`",
        _ => "facts such as `budget`, `deadline` and `authorization`",
    };
    Diagnostic::new(diag::N0227, format!("`{verb}` is judged by {facts}, which this policy does not have"))
        .at(span, "cannot be judged")
        .help("add `use std.facts` at the top")
}

pub(in crate::model::lower) fn second_way(action: Span, way: Span) -> Diagnostic {
    Diagnostic::new(diag::N0228, "this action already states what follows if it is refused")
        .at(way, "a second way for refusal")
        .and(action, "it has one where it is declared")
        .help("drop `; if refused, …` here, or write the action out in full")
}

pub(in crate::model::lower) fn cannot_be_refused(verb: Verb, way: Span, action: Span) -> Diagnostic {
    Diagnostic::new(diag::N0228, format!("`{verb}` is never refused"))
        .at(way, "never follows")
        .and(action, "this is always done")
        .help("drop `; if refused, …`: only retry, hedge, failover and reconcile can be refused")
}

pub(in crate::model::lower) fn refused_see(way: Span) -> Diagnostic {
    Diagnostic::new(diag::N0228, "`see` hands over for good and is never refused")
        .at(way, "never follows")
        .help("say what follows a refusal in the other table")
}

pub(in crate::model::lower) fn way_without_way(verb: Verb, span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0229, format!("this `{verb}` follows a refusal and can itself be refused"))
        .at(span, "what if this is refused too?")
        .help("end it with a way of its own, such as `; if refused, review operations`")
}

pub(in crate::model::lower) fn action_circle(word: &Word, names: &[Rc<str>]) -> Diagnostic {
    let way: Vec<&str> = names.iter().map(|n| &**n).chain([&*word.text]).collect();
    Diagnostic::new(diag::N0230, format!("the action `{}` leads back to itself", word.text))
        .at(word.span, way.join(" → "))
        .help("let one of them end in `stop`, `review` or `reconcile`")
}

pub(in crate::model::lower) fn see_here(word: &Word) -> Diagnostic {
    Diagnostic::new(diag::N0231, format!("`see {}` cannot stand here", word.text))
        .at(word.span, "only as a row's whole answer")
        .help("write an action, and `see` alone in a row of a table")
}

pub(in crate::model::lower) fn cautious_see(span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0231, "`see` cannot be weighed where the most cautious row wins")
        .at(span, "which verb it leads to is not written here")
        .help("write the action itself, or use `first row wins`")
}

pub(in crate::model::lower) fn way_in_example(span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0242, "an example expects what is left, not a way for refusal")
        .at(span, "drop this")
        .help("write the one action that these facts end in")
}

fn at_hit(hit: HitExpr, message: &str, help: &str) -> Diagnostic {
    Diagnostic::new(diag::N0232, message).at(hit.span, "does not fit here").help(help)
}

pub(in crate::model::lower) fn hit_of_table(hit: HitExpr) -> Diagnostic {
    let word = hit.hit.as_str();
    at_hit(
        hit,
        &format!("`{word}` is for derived facts, and a table answers with actions"),
        "write `first row wins`, `at most one row`, `rows agree` or `most cautious wins`",
    )
}

pub(in crate::model::lower) fn cautious_derive(hit: HitExpr) -> Diagnostic {
    let word = Hit::MostCautious.as_str();
    at_hit(
        hit,
        &format!("`{word}` is for actions, and a derived fact is none"),
        "write `first row wins`, `at most one row`, `rows agree`, `highest wins` or `lowest wins`",
    )
}

pub(in crate::model::lower) fn highest_of_unordered(hit: HitExpr) -> Diagnostic {
    let word = hit.hit.as_str();
    at_hit(
        hit,
        &format!("`{word}` needs one fact whose values have an order"),
        "declare the values with an order, such as `low < medium < high`, or write `first row wins`",
    )
}

pub(in crate::model::lower) fn classify_derived(word: &Word, declared: Span) -> Diagnostic {
    Diagnostic::new(diag::N0239, format!("`{}` is derived: nobody sets it", word.text))
        .at(word.span, "cannot be given here")
        .and(declared, "derived here")
        .help("classify into facts that a caller gives")
}

pub(in crate::model::lower) fn outputs_differ(header: Span, want: &[&str], head: Option<Span>) -> Diagnostic {
    let columns = want.join(" | ");
    let finding = Diagnostic::new(diag::N0233, "the columns after `=>` are not the facts of the head")
        .at(header, "the header")
        .help(format!("end the header with `| => {columns} |`"));
    match head {
        Some(span) => finding.and(span, "these are to be given"),
        None => finding,
    }
}

pub(in crate::model::lower) fn no_rows(header: Span) -> Diagnostic {
    Diagnostic::new(diag::N0235, "this table has no rows").at(header, "nothing follows").help("write at least one row")
}

pub(in crate::model::lower) fn unreachable_table(name: &str, span: Span, entry: &str, entry_span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0234, format!("nothing leads to the table `{name}`"))
        .at(span, "never asked")
        .and(entry_span, format!("`{entry}` is the entry: the first table of the file"))
        .help(format!("let a row say `see {name}`, or remove the table"))
}

pub(in crate::model::lower) fn derive_circle(names: &[String], spans: &[Span]) -> Diagnostic {
    circle("derived facts", names, spans)
}

pub(in crate::model::lower) fn see_circle(names: &[String], spans: &[Span]) -> Diagnostic {
    circle("tables", names, spans)
}

fn circle(what: &str, names: &[String], spans: &[Span]) -> Diagnostic {
    let mut way = names.to_vec();
    way.extend(names.first().cloned());
    let mut finding =
        Diagnostic::new(diag::N0230, format!("these {what} lead back to themselves: {}", way.join(" → ")));
    for (i, span) in spans.iter().enumerate() {
        let text = format!("leads on to `{}`", way[i + 1]);
        finding = if i == 0 { finding.at(*span, text) } else { finding.and(*span, text) };
    }
    finding.help("break the circle at one place")
}

pub(in crate::model::lower) fn unknown_verb(word: &Word) -> Diagnostic {
    let verbs = Verb::ALL.map(Verb::as_str);
    let finding =
        Diagnostic::new(diag::N0236, format!("`{}` is no action", word.text)).at(word.span, "not one of the eight");
    match nearest(&word.text, verbs) {
        Some(near) => {
            finding.help(format!("did you mean `{near}`?")).fix(format!("write `{near}`"), false, word.span, near)
        }
        None => finding.help(format!("a rule speaks of {}", verbs.map(|v| format!("`{v}`")).join(", "))),
    }
}

pub(in crate::model::lower) fn to_of_another(verb: Verb, to: &Word) -> Diagnostic {
    Diagnostic::new(diag::N0236, format!("`{verb}` goes to no parity"))
        .at(to.span, "only `failover to NAME`")
        .help(format!("write `{verb}` alone"))
}

pub(in crate::model::lower) fn waived_error(word: &Word, code: Code) -> Diagnostic {
    Diagnostic::new(diag::N0237, format!("`{code}` is an error and cannot be waived"))
        .at(word.span, code.title)
        .help("only warnings and rules can be waived: mend the policy instead")
}

pub(in crate::model::lower) fn unknown_code(word: &Word) -> Diagnostic {
    Diagnostic::new(diag::N0237, format!("there is no finding `{}`", word.text))
        .at(word.span, "no such code")
        .help("write a rule's name, or a code such as `N0312`; `nisi explain` lists them")
}

pub(in crate::model::lower) fn waiver_lacks(rule: &str, missing: &[&str], span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0237, format!("the waiver of `{rule}` lacks {}", list(missing.iter().copied(), "and")))
        .at(span, "not complete")
        .help(format!("write `waive {rule} for TABLE/ROW because \"…\" owner NAME until 2027-01-31`: a rule is lifted for named rows, by somebody, until a day"))
}

pub(in crate::model::lower) fn bad_date(word: &Word) -> Diagnostic {
    Diagnostic::new(diag::N0237, format!("`{}` is not a day", word.text))
        .at(word.span, "not a day")
        .help("write year, month and day, such as `2027-01-31`")
}

pub(in crate::model::lower) fn unknown_row(word: &Word, table: &Table, in_full: bool) -> Diagnostic {
    let finding = Diagnostic::new(diag::N0238, format!("`{}` has no row `{}`", table.name, word.text))
        .at(word.span, "no such row")
        .and(table.span, "the table");
    if let Some(near) = table.nearest_row(&word.text) {
        let row = table.rows[near].written(near);
        let near = if in_full { format!("{}/{row}", table.name) } else { row };
        finding.help(format!("did you mean `{near}`?")).fix(format!("write `{near}`"), false, word.span, near)
    } else {
        let labels: Vec<String> = table.rows.iter().enumerate().map(|(i, row)| row.label(i)).collect();
        finding.help(format!("its rows are {}", list(labels.iter().map(String::as_str), "and")))
    }
}

pub(in crate::model::lower) fn ambiguous_row(word: &Word, tables: [&str; 2]) -> Diagnostic {
    let [a, b] = tables;
    let row = if word.quoted { quote(&word.text) } else { word.text.to_string() };
    Diagnostic::new(diag::N0238, format!("two tables have a row `{}`", word.text))
        .at(word.span, "which one?")
        .help(format!("write `{a}/{row}` or `{b}/{row}`"))
}

pub(in crate::model::lower) fn derived_given(fact: &Fact, from: &[&str], span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0239, format!("`{}` is derived: nobody sets it", fact.name))
        .at(span, "cannot be given")
        .and(fact.span, "derived here")
        .help(format!("give the facts that it comes from: {}", list(from.iter().copied(), "and")))
}

pub(in crate::model::lower) fn not_one_value(fact: &Fact, span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0240, format!("an example gives `{}` one value", fact.name))
        .at(span, "not one value")
        .help(format!("write a single value, or `unknown`; {}", cells_of(fact)))
}

pub(in crate::model::lower) fn any_in_example(span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0240, "an example gives facts, and `-` is none")
        .at(span, "not a value")
        .help("leave the cell blank for what is given above, else unknown; or write a value")
        .fix("leave it blank", true, span, "")
}

pub(in crate::model::lower) fn given_twice(name: &str, second: Span, first: Span) -> Diagnostic {
    Diagnostic::new(diag::N0241, format!("`{name}` is given twice"))
        .at(second, "a second time")
        .and(first, "already here")
        .help("give each fact once")
}

pub(in crate::model::lower) fn expects_nothing(span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0242, "this example expects nothing")
        .at(span, "neither an action nor a row")
        .help("write the expected action, the expected row, or both")
}

pub(in crate::model::lower) fn example_output(word: &Word) -> Diagnostic {
    Diagnostic::new(diag::N0242, format!("an example cannot expect `{}`", word.text))
        .at(word.span, "after `=>` stand `action` and `row`")
        .help("end the header with `| => action | row |`")
}

pub(in crate::model::lower) fn tighten_own(name: &Word, declared: Span) -> Diagnostic {
    Diagnostic::new(diag::N0243, format!("`{}` is not a table of the policy that is restricted", name.text))
        .at(name.span, "nothing to tighten")
        .and(declared, "declared here")
        .help("tighten a table of the base; a table of your own is simply changed")
}

pub(in crate::model::lower) fn tighten_without_base(span: Span) -> Diagnostic {
    Diagnostic::new(diag::N0243, "`tighten` stands in a policy that restricts no other")
        .at(span, "nothing to tighten")
        .help("write `restricts NAME VERSION` at the top")
}

pub(in crate::model::lower) fn waived_of_base(word: &Word, rule: Span) -> Diagnostic {
    Diagnostic::new(diag::N0245, format!("`{}` is a rule of the base, and an overlay lifts none of them", word.text))
        .at(word.span, "cannot be lifted here")
        .and(rule, "the rule")
        .help("keep the rule, or let the base waive it")
}

pub(in crate::model::lower) fn wider_budget(entries: &[&str], own: Span, base: Span) -> Diagnostic {
    let what = list(entries.iter().copied(), "and");
    Diagnostic::new(diag::N0244, format!("this budget is wider than that of the base: {what}"))
        .at(own, "wider here")
        .and(base, "the base allows this much")
        .help("in an overlay attempts, refill and deadline may only fall, reserve and least only rise")
}
