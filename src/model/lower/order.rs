//! Order: derives after those they need, no circle of derives or of `see`, every table reachable.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::model::{Derive, FactId, FactSource, Outcome, TableId};

use super::tables::derive_of;
use super::{Lowering, Role, findings};

impl Lowering<'_> {
    /// Puts the derives in order and checks that what leads from table to table ends.
    pub(super) fn order(&mut self) {
        self.order_derives();
        self.check_sees();
    }

    fn order_derives(&mut self) {
        let needs: Vec<Vec<usize>> = self.model.derives.iter().map(|d| self.needs(d)).collect();
        let mut order: Vec<usize> = Vec::new();
        let mut left: Vec<usize> = (0..needs.len()).collect();
        while let Some(i) = left.iter().position(|d| needs[*d].iter().all(|n| order.contains(n))) {
            order.push(left.remove(i));
        }
        if let Some(circle) = find_circle(&left, |d| needs[d].clone()) {
            let name = |d: &usize| self.model.derives[*d].table.name.to_string();
            let names: Vec<String> = circle.iter().map(name).collect();
            let spans: Vec<_> = circle.iter().map(|d| self.model.derives[*d].table.span).collect();
            self.report(findings::derive_circle(&names, &spans));
            // What stands in the circle has no value: nothing may be asked of it.
            for d in &left {
                self.model.derives[*d].table.damaged = true;
            }
        }
        order.extend(left);
        let places: HashMap<usize, usize> = order.iter().enumerate().map(|(new, old)| (*old, new)).collect();
        let mut derives: Vec<Option<Derive>> = std::mem::take(&mut self.model.derives).into_iter().map(Some).collect();
        self.model.derives = order.iter().filter_map(|old| derives[*old].take()).collect();
        for fact in self.model.facts.values_mut() {
            if let FactSource::Derived { derive, .. } = &mut fact.source {
                *derive = places.get(derive).copied().unwrap_or(*derive);
            }
        }
    }

    fn needs(&self, derive: &Derive) -> Vec<usize> {
        let facts = derive.table.rows.iter().flat_map(|r| r.conds.iter().map(|c| c.fact));
        let mut needs: Vec<usize> = facts.filter_map(|f: FactId| derive_of(self, f)).collect();
        needs.sort_unstable();
        needs.dedup();
        needs
    }

    fn check_sees(&self) {
        let tables = &self.model.tables;
        let sees = |t: usize| -> Vec<usize> {
            let rows = tables[t].rows.iter();
            rows.filter_map(|r| if let Outcome::See(next) = r.outcome { Some(next.0) } else { None }).collect()
        };
        let all: Vec<usize> = (0..tables.len()).collect();
        if let Some(circle) = find_circle(&all, sees) {
            let (mut names, mut spans) = (Vec::new(), Vec::new());
            for (i, t) in circle.iter().enumerate() {
                let next = circle[(i + 1) % circle.len()];
                let row = tables[*t].rows.iter().find(|r| matches!(r.outcome, Outcome::See(n) if n.0 == next));
                names.push(tables[*t].name.to_string());
                spans.push(row.map_or(tables[*t].span, |r| r.span));
            }
            return self.report(findings::see_circle(&names, &spans));
        }
        if !self.is_policy() || tables.is_empty() {
            return;
        }
        let mut depth = vec![0usize; tables.len()];
        let deepen = |depth: &mut Vec<usize>, mut open: Vec<(usize, usize)>| {
            while let Some((t, d)) = open.pop() {
                if depth[t] < d {
                    depth[t] = d;
                    open.extend(sees(t).into_iter().map(|n| (n, d + 1)));
                }
            }
        };
        deepen(&mut depth, vec![(0, 1)]);
        // What tightens a table is asked after the whole way of the base.
        let base = depth.iter().copied().max().unwrap_or(0);
        let tighten = self.model.overlay.iter().flat_map(|o| o.tighten.iter().map(|(_, own)| (own.0, base + 1)));
        deepen(&mut depth, tighten.collect());
        if let Some((t, d)) = depth.iter().enumerate().max_by_key(|(t, d)| (**d, std::cmp::Reverse(*t))) {
            self.check_depth(*d, TableId(t));
        }
        let damaged = tables.iter().any(|t| t.damaged);
        for (t, _) in depth.iter().enumerate().filter(|(_, d)| **d == 0) {
            // A row that could not be read may have been the one that leads here; a table that a vocabulary brings
            // may lie unused.
            let own = self.names.get(&*tables[t].name).is_some_and(|d| d.role == Role::Main);
            if !damaged && own {
                self.report(findings::unreachable_table(
                    &tables[t].name,
                    tables[t].span,
                    &tables[0].name,
                    tables[0].span,
                ));
            }
        }
    }
}

/// A circle among some nodes, from its first node on; the first found in order.
fn find_circle(nodes: &[usize], next: impl Fn(usize) -> Vec<usize>) -> Option<Vec<usize>> {
    let mut done: HashMap<usize, bool> = HashMap::new();
    for &start in nodes {
        let mut way: Vec<(usize, Vec<usize>)> = Vec::new();
        if let Entry::Vacant(new) = done.entry(start) {
            new.insert(false);
            way.push((start, next(start)));
        }
        while let Some((node, rest)) = way.last_mut() {
            let node = *node;
            match rest.pop() {
                None => {
                    done.insert(node, true);
                    way.pop();
                }
                Some(to) => match done.get(&to) {
                    Some(true) => {}
                    Some(false) => {
                        let from = way.iter().position(|(n, _)| *n == to)?;
                        return Some(way[from..].iter().map(|(n, _)| *n).collect());
                    }
                    None => {
                        done.insert(to, false);
                        way.push((to, next(to)));
                    }
                },
            }
        }
    }
    None
}
