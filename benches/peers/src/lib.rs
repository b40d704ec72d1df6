//! The same decision table as each engine takes it, and the same requests asked of each.
//!
//! A table is read from the text of a nisi policy: facts by name, cells as sets of words or ranges of whole numbers. Every
//! engine answers with the number of the first row that holds, so that answers can be compared before anything is timed.

pub mod engines;
pub mod sheet;
pub mod table;
#[path = "../../table_a/text.rs"]
pub mod table_a;
#[path = "../../workload/mod.rs"]
pub mod workload;
