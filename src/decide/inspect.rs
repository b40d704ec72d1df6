//! What a policy was compiled to: the matcher of each table, what a question costs of it, and its room.
//!
//! The choice changes no answer; this tells what it was. The same policy gives the same figures on every machine of one
//! word size.

pub use crate::program::FlatTable;
use crate::program::{Seen, Shape};

use super::Policy;

/// What a policy was compiled to; [`Policy::inspect`] gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inspection<'a> {
    /// How many facts a caller can give.
    pub n_facts: usize,
    /// How many rows its tables and derives have.
    pub n_rows: usize,
    /// The array of the whole policy, where its facts have so few values that matter that one look answers.
    pub flat: Option<FlatTable>,
    /// Whether a batch is answered a thousand questions at a time; else question by question, where the entry table has more
    /// than 63 rows, asks derives or hands over.
    pub has_joint_keys: bool,
    /// Its derives, then its tables, each in the policy's order.
    pub tables: Vec<TableMatcher<'a>>,
}

/// How one table, or one derive, finds its row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableMatcher<'a> {
    /// The table's name; of a derive that of the first fact that it gives.
    pub name: &'a str,
    /// Whether it is a derive.
    pub is_derive: bool,
    /// Its rows.
    pub n_rows: usize,
    /// Its bitmaps; nothing where the policy is one array, or of a derive that no table needs.
    pub bitmaps: Option<Bitmaps<'a>>,
    /// Whether the policy is one array.
    is_flat: bool,
}

/// Bitmaps over rows, one for each class of values of each fact that the table looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bitmaps<'a> {
    /// The fact that the rows are grouped by, where they are many and it sets them apart; of a derive the first fact
    /// that it gives.
    pub grouped_by: Option<&'a str>,
    /// Its columns: the facts that each is looked up by, joined where they are few of few values; a derive by the first
    /// fact that it gives.
    pub columns: Vec<Vec<&'a str>>,
    /// The columns whose bitmaps admit too much, so that each row that they leave is checked.
    pub n_checked: usize,
    /// Whether rows are passed over 128 at a time, by a bit for each 128 of them.
    pub has_tops: bool,
    /// The words of 64 bits that a question reads at most.
    pub n_words: usize,
    /// The room that they take, with the order of the rows.
    pub n_bytes: usize,
}

impl TableMatcher<'_> {
    /// The kind of matcher in one word: `flat`, `bitmaps`, `groups` of bitmaps; `unused` of a derive that no table needs.
    pub fn kind(&self) -> &'static str {
        match &self.bitmaps {
            None if self.is_flat => "flat",
            None => "unused",
            Some(bitmaps) if bitmaps.grouped_by.is_some() => "groups",
            Some(_) => "bitmaps",
        }
    }
}

impl Inspection<'_> {
    /// The room of the array or of all bitmaps, in bytes; names, reasons and the cuts of the facts are beside it.
    pub fn n_bytes(&self) -> usize {
        let bitmaps = self.tables.iter().filter_map(|table| table.bitmaps.as_ref());
        self.flat.map_or(0, |flat| flat.n_bytes) + bitmaps.map(|bitmaps| bitmaps.n_bytes).sum::<usize>()
    }
}

impl Policy {
    /// What the policy was compiled to.
    ///
    /// ```
    /// let text = "policy a\nversion 1\nfact region : eu, us\ntable t, first row wins\n| region | => action |\n\
    ///     | eu | stop |\n| otherwise | review desk |\n";
    /// let policy = nisi::Policy::compile(text)?;
    /// let inspection = policy.inspect();
    /// assert_eq!((inspection.n_facts, inspection.n_rows), (1, 2));
    /// // Two values matter: `eu`, and all else with unknown.
    /// assert_eq!(inspection.flat.map(|flat| flat.n_points), Some(2));
    /// assert_eq!((inspection.tables[0].name, inspection.tables[0].kind()), ("t", "flat"));
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    pub fn inspect(&self) -> Inspection<'_> {
        let (model, program) = (self.model(), self.program());
        let mut shapes = program.shapes();
        let derives = model.derives.iter().map(|derive| (&derive.table, true));
        let tables = derives.chain(model.tables.iter().map(|table| (table, false)));
        let is_flat = program.flat_shape().is_some();
        let tables: Vec<_> = tables
            .map(|(table, is_derive)| TableMatcher {
                name: &table.name,
                is_derive,
                n_rows: table.rows.len(),
                bitmaps: shapes.next().flatten().map(|shape| self.bitmaps(shape)),
                is_flat,
            })
            .collect();
        Inspection {
            n_facts: self.fact_names().count(),
            n_rows: tables.iter().map(|table| table.n_rows).sum(),
            flat: program.flat_shape(),
            has_joint_keys: program.has_rules(),
            tables,
        }
    }

    fn bitmaps(&self, shape: Shape) -> Bitmaps<'_> {
        let Shape { groups, columns, n_checked, has_tops, n_words, n_bytes } = shape;
        let name = |seen: Seen| match seen {
            Seen::Fact(fact) => self.model().facts.get_index(fact).map_or("", |(_, fact)| &*fact.name),
            Seen::Derive(derive) => self.model().derives.get(derive).map_or("", |derive| &*derive.table.name),
        };
        let columns = columns.into_iter().map(|seen| seen.into_iter().map(name).collect()).collect();
        Bitmaps { grouped_by: groups.map(name), columns, n_checked, has_tops, n_words, n_bytes }
    }
}
