//! The model that a policy holds: whole, as compiling made it, or packed, as an artifact brings it.

use crate::artifact::Packed;
use crate::model::{Chain, Model, Outcome, Row, RowHead, TableId};

/// A model, whole or packed.
#[derive(Debug)]
pub(super) enum Held {
    Whole(Box<Model>),
    Packed(Box<Packed>),
}

impl Held {
    /// The model, maybe without the rows of its tables: what deciding needs of it.
    #[inline]
    pub(super) fn head(&self) -> &Model {
        match self {
            Held::Whole(model) => model,
            Held::Packed(packed) => packed.head(),
        }
    }

    /// The model with all its rows; of an artifact they are made when they are asked for first.
    pub(super) fn whole(&self) -> &Model {
        match self {
            Held::Whole(model) => model,
            Held::Packed(packed) => packed.whole(),
        }
    }

    /// How many rows a table has.
    pub(super) fn n_rows(&self, table: TableId) -> usize {
        match self {
            Held::Whole(model) => model.tables.get(table.0).map_or(0, |table| table.rows.len()),
            Held::Packed(packed) => packed.n_rows(table),
        }
    }

    /// A row without its tests.
    pub(super) fn row(&self, table: TableId, row: usize) -> Option<RowHead<'_>> {
        match self {
            Held::Whole(model) => model.tables.get(table.0)?.rows.get(row).map(Row::head),
            Held::Packed(packed) => packed.row(table, row),
        }
    }

    /// The actions of a row that acts.
    #[inline]
    pub(super) fn chain(&self, table: TableId, row: usize) -> Option<&Chain> {
        match self {
            Held::Whole(model) => match &model.tables.get(table.0)?.rows.get(row)?.outcome {
                Outcome::Act(chain) => Some(chain),
                Outcome::See(_) | Outcome::Values(_) => None,
            },
            Held::Packed(packed) => packed.chain(table, row),
        }
    }

    /// What all rows of all tables want, in any order.
    pub(super) fn chains(&self) -> impl Iterator<Item = &Chain> {
        let (whole, packed) = match self {
            Held::Whole(model) => (&model.tables[..], &[][..]),
            Held::Packed(packed) => (&[][..], packed.chains()),
        };
        let outcomes = whole.iter().flat_map(|table| &table.rows).map(|row| &row.outcome);
        outcomes
            .filter_map(|outcome| if let Outcome::Act(chain) = outcome { Some(&**chain) } else { None })
            .chain(packed)
    }
}
