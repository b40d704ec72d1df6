//! What differs and changes no decision by itself: rules, and the tables that a decision is not read from.

use crate::model::{Cond, Model, Outcome, Rule, Table, parity_name, show_set, show_value};

use super::sheet::{Ground, LayerName};

/// The notes, in a fixed order.
pub(super) fn notes(ground: &Ground) -> Vec<String> {
    let [old, new] = ground.models;
    let mut out = rules(old, new);
    for (i, name) in ground.names.iter().enumerate() {
        if let LayerName::Derive { outputs, .. } = name
            && !ground.common[i]
            && i < old.derives.len()
            && outputs.iter().all(|o| new.fact_id(o).is_some_and(|f| !new.fact(f).is_callers()))
        {
            let names = outputs.iter().map(|o| format!("`{o}`")).collect::<Vec<_>>().join(", ");
            out.push(format!("the derive of {names} reads otherwise: it was compared by the facts that it comes from"));
        }
    }
    out.extend(classifies(old, new));
    out
}

fn rules(old: &Model, new: &Model) -> Vec<String> {
    let find = |model: &'_ Model, name: &str| model.rules.iter().position(|r| &*r.name == name);
    let mut out = Vec::new();
    for rule in &old.rules {
        match find(new, &rule.name) {
            None => out.push(format!("rule `{}` is gone: nothing holds the new policy to it", rule.name)),
            Some(i) if rule_text(old, rule) != rule_text(new, &new.rules[i]) => {
                out.push(format!("rule `{}` reads otherwise", rule.name));
            }
            Some(_) => {}
        }
    }
    let added = new.rules.iter().filter(|r| find(old, &r.name).is_none());
    out.extend(added.map(|r| format!("rule `{}` is new", r.name)));
    out
}

fn rule_text(model: &Model, rule: &Rule) -> String {
    let verbs = rule.verbs.iter().map(|(verb, parity)| match parity {
        Some(p) => format!("{verb} to {}", parity_name(model, *p)),
        None => verb.to_string(),
    });
    let verbs: Vec<String> = verbs.collect();
    format!("{} {} {} {}", rule.only, verbs.join(", "), rule.unless, conds(model, &rule.tests))
}

fn conds(model: &Model, conds: &[Cond]) -> String {
    let text = |c: &Cond| format!("{} is {}", model.fact(c.fact).name, show_set(model.fact(c.fact), &c.set));
    let mut texts: Vec<String> = conds.iter().map(text).collect();
    texts.sort_unstable();
    texts.join(" and ")
}

fn classifies(old: &Model, new: &Model) -> Vec<String> {
    let mut out = Vec::new();
    for classify in &old.classifies {
        let name = &classify.table.name;
        match new.classifies.iter().find(|c| c.table.name == *name) {
            None => out.push(format!("classify `{name}` is gone")),
            Some(other) if table_text(old, &classify.table) != table_text(new, &other.table) => out.push(format!(
                "classify `{name}` reads otherwise: it is no part of a decision, and its answers were not compared"
            )),
            Some(_) => {}
        }
    }
    let added = new.classifies.iter().filter(|c| !old.classifies.iter().any(|o| o.table.name == c.table.name));
    out.extend(added.map(|c| format!("classify `{}` is new", c.table.name)));
    out
}

fn table_text(model: &Model, table: &Table) -> String {
    let outputs = model.classifies.iter().find(|c| c.table.name == table.name).map_or(&[][..], |c| &c.outputs);
    let row = |row: &crate::model::Row| {
        let values = match &row.outcome {
            Outcome::Values(values) => {
                values.iter().zip(outputs).map(|(v, o)| show_value(model.fact(o.fact), v)).collect()
            }
            _ => Vec::new(),
        };
        format!("{:?} {} => {}", row.kind, conds(model, &row.conds), values.join(", "))
    };
    let rows: Vec<String> = table.rows.iter().map(row).collect();
    let names: Vec<&str> = outputs.iter().map(|o| &*model.fact(o.fact).name).collect();
    format!("{:?} {} {}", table.hit, names.join(", "), rows.join("\n"))
}
