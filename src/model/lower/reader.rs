//! Cells that stand outside a policy, read with the words that some files declare.

use std::rc::Rc;
use std::sync::Arc;

use crate::diag::Diagnostic;
use crate::model::{Fact, FactId, Model, ValueSet};
use crate::syntax::tree::CellExpr;
use crate::text::Span;

use super::{Lowering, Unit};

/// Reads cells with the facts and groups of some files.
pub struct CellReader<'u> {
    lowering: Lowering<'u>,
}

impl<'u> CellReader<'u> {
    /// A reader of the words of these files; what is wrong with the files is not told here.
    pub fn new(units: &'u [Unit]) -> Self {
        let mut lowering = Lowering::of(units, Model::default());
        lowering.declare();
        lowering.headers();
        lowering.facts();
        lowering.extends();
        lowering.groups();
        lowering.findings.get_mut().clear();
        CellReader { lowering }
    }

    /// The facts, with their places.
    pub fn facts(&self) -> impl Iterator<Item = (FactId, &Fact)> {
        self.lowering.model.facts.values().enumerate().map(|(i, fact)| (FactId(i as u32), fact))
    }

    /// Whether a name is a group of a fact's values.
    pub fn is_group(&self, fact: FactId, name: &str) -> bool {
        self.lowering.groups.get(name).is_some_and(|group| group.fact == fact)
    }

    /// What a cell of a fact's column takes.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn read(&self, fact: FactId, cell: CellExpr) -> Result<Arc<ValueSet>, Box<Diagnostic>> {
        // Cells are told apart by their place in memory, and the one before is gone.
        self.lowering.cells.borrow_mut().clear();
        let set = self.lowering.cell(fact, &Rc::new(cell), Span::default());
        let first = std::mem::take(&mut *self.lowering.findings.borrow_mut()).into_iter().next();
        let unsaid = || Diagnostic::new(crate::diag::N0117, "this is no cell of the column");
        set.ok_or_else(|| Box::new(first.unwrap_or_else(unsaid)))
    }
}
