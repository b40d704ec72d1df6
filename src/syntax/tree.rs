//! What is written, item by item. Every piece keeps its span.

use std::rc::Rc;

use crate::text::Span;

/// A file, as written. Items that could not be read are missing; their findings stand beside the tree.
#[derive(Debug, Clone, Default)]
pub struct File {
    /// The items in file order.
    pub items: Vec<Item>,
    /// Every comment, `#` and `##`, in file order: for the formatter and for documentation.
    pub comments: Vec<Span>,
    /// Names that items would have declared whose heads could not be read: nothing may be said of their use.
    pub broken: Vec<Word>,
    /// Whether an item could not be read that is a table, or may have been one: then none may be missed.
    pub lost_table: bool,
    /// Whether a `use` or `restricts` could not be read: what it names is missing.
    pub lost_use: bool,
}

/// A name or a word, with its place. Quoted ones are without their quotes and escapes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The text meant.
    pub text: Rc<str>,
    /// Its place, quotes included.
    pub span: Span,
    /// Whether it was written in quotes.
    pub quoted: bool,
}

/// An item: its documentation (`##` lines above it, joined by line ends), its place, and what it is.
#[derive(Debug, Clone)]
pub struct Item {
    /// Text of the `##` comments right above.
    pub doc: String,
    /// From its first word to its last line.
    pub span: Span,
    /// What it is.
    pub kind: ItemKind,
}

/// The kinds of items.
#[allow(missing_docs, reason = "the shape above a variant names its fields")]
#[derive(Debug, Clone)]
pub enum ItemKind {
    /// `policy NAME`
    Policy(Word),
    /// `version V`
    Version(Word),
    /// `owner NAME`
    Owner(Word),
    /// `use std.facts`
    Use(Word),
    /// `restricts NAME VERSION`
    Restricts { base: Word, version: Word },
    /// `fact NAME : TYPE [or POINT, …]`
    Fact { name: Word, ty: TypeExpr, points: Vec<Word> },
    /// `extend FACT : a, b`
    Extend { fact: Word, values: Vec<Word> },
    /// `budget { … }`
    Budget(Block),
    /// `backoff NAME { … }`
    Backoff { name: Word, block: Block },
    /// `locator NAME { … }`
    Locator { name: Word, block: Block },
    /// `parity NAME { … }`
    Parity { name: Word, block: Block },
    /// `group NAME of FACT : values`
    Group { name: Word, fact: Word, values: Vec<Word> },
    /// `action NAME : ACTION`
    Action { name: Word, action: ActionExpr },
    /// `derive NAME : TYPE ; NAME : TYPE, HIT` and its table
    Derive { outputs: Vec<(Word, TypeExpr)>, hit: HitExpr, table: Grid },
    /// `classify NAME -> FACT, …, HIT` and its table
    Classify { name: Word, outputs: Vec<Word>, hit: HitExpr, table: Grid },
    /// `table NAME [when TESTS], HIT [, if refused, ACTION]` and its table
    Table { name: Word, promise: Vec<Test>, hit: HitExpr, refused: Option<ActionExpr>, table: Grid },
    /// `tighten NAME, HIT` and its table
    Tighten { name: Word, hit: HitExpr, refused: Option<ActionExpr>, table: Grid },
    /// `rule NAME: never|only ACTION, … [when TESTS | unless TESTS]`
    Rule { name: Word, only: bool, verbs: Vec<VerbExpr>, unless: bool, tests: Vec<Test> },
    /// `waive RULE|CODE [for TABLE/ROW, …] because "…" [owner NAME] [until DATE]`
    Waive { what: Word, rows: Vec<RowRef>, because: Word, owner: Option<Word>, until: Option<Word> },
    /// `examples TABLE`, `given TESTS`, and its table
    Examples { table_name: Word, given: Vec<Test>, table: Grid },
}

/// `TABLE/ROW`, `TABLE/#3`.
#[derive(Debug, Clone)]
pub struct RowRef {
    /// The table.
    pub table: Word,
    /// The row's name, or `#3`.
    pub row: Word,
}

/// A type as written after `fact NAME :`.
#[allow(missing_docs, reason = "the shape above a variant names its fields")]
#[derive(Debug, Clone)]
pub enum TypeExpr {
    /// `a, b, c` (two or more, or one) in written order; `yes, no` is a flag.
    Choice { values: Vec<Word>, span: Span },
    /// `low < medium < high`
    Ordered { values: Vec<Word>, span: Span },
    /// `count`, `integer`, `decimal`, `duration`, `instant`, `version`, `text`, with bounds and step:
    /// `decimal 0..10 step 0.1`, `decimal 0.. step 0.01`.
    Basic { name: Word, lo: Option<Word>, hi: Option<Word>, step: Option<Word>, span: Span },
}

/// `{ key words, … }`: entries one a line, or parted by commas on a single line.
#[derive(Debug, Clone, Default)]
pub struct Block {
    /// The entries, as words. `permissions, tools` in a parity entry gives commas as words of their own text `,`.
    pub entries: Vec<Entry>,
    /// Whether an entry is missing here because it could not be read: then nothing may be called missing.
    pub damaged: bool,
    /// From `{` to `}`.
    pub span: Span,
}

/// One entry of a block: the words of its line. `no broader permissions, tools` is
/// `[no, broader, permissions, tools]` with commas dropped; `10% of intents, at least 5 per second` keeps `10%`.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The words, never empty; commas are dropped.
    pub words: Vec<Word>,
    /// The whole entry.
    pub span: Span,
}

/// A hit policy as written.
#[derive(Debug, Clone, Copy)]
pub struct HitExpr {
    /// Which.
    pub hit: Hit,
    /// Where.
    pub span: Span,
}

/// The hit policies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hit {
    /// `first row wins`
    First,
    /// `at most one row`
    AtMostOne,
    /// `rows agree`
    Agree,
    /// `most cautious wins`
    MostCautious,
    /// `highest wins`
    Highest,
    /// `lowest wins`
    Lowest,
}

impl Hit {
    /// As written.
    pub fn as_str(self) -> &'static str {
        match self {
            Hit::First => "first row wins",
            Hit::AtMostOne => "at most one row",
            Hit::Agree => "rows agree",
            Hit::MostCautious => "most cautious wins",
            Hit::Highest => "highest wins",
            Hit::Lowest => "lowest wins",
        }
    }
}

/// A table's grid: header, rows, reasons. Rows whose number of cells does not fit the header are not in it.
#[derive(Debug, Clone, Default)]
pub struct Grid {
    /// The columns, in order.
    pub columns: Vec<Column>,
    /// The header line.
    pub header: Span,
    /// The rows, in file order.
    pub rows: Vec<Row>,
    /// `- row: text` lines below the table.
    pub reasons: Vec<Reason>,
    /// Whether a row was dropped because it could not be read: then nothing may be said of what rows are missing.
    pub damaged: bool,
}

/// A column.
#[derive(Debug, Clone)]
pub struct Column {
    /// What it holds.
    pub kind: ColumnKind,
    /// Its header as written, without `=>`.
    pub name: Word,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// `row` (in `examples`, before `=>`: `name`): the row's name.
    Name,
    /// A fact.
    Fact,
    /// `also`: tests.
    Also,
    /// After `=>`: in a table `action`, in a derive the fact, in examples `action` or `row`.
    Output,
}

/// A row.
#[derive(Debug, Clone)]
pub struct Row {
    /// From the first bar to the last.
    pub span: Span,
    /// `otherwise`, `any unknown`, or a plain row.
    pub kind: RowKind,
    /// The name, where one was written.
    pub name: Option<Word>,
    /// One for each column of the grid, in order.
    pub cells: Vec<Cell>,
    /// Whether a cell of the row could not be read: the row is kept, and `Cell::Bad` stands in its place.
    pub damaged: bool,
}

/// What a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowKind {
    /// It tests its cells.
    Plain,
    /// `any unknown`.
    AnyUnknown,
    /// `otherwise`.
    Otherwise,
}

/// A cell, by its column's kind.
#[derive(Debug, Clone)]
pub struct Cell {
    /// What stands between the bars, trimmed; where nothing does, the empty span between them.
    pub span: Span,
    /// What it says.
    pub kind: CellKind,
}

/// What a cell says: small, because large tables hold very many.
#[derive(Debug, Clone)]
pub enum CellKind {
    /// Nothing stands there.
    Blank,
    /// The row's name, or the fixed words: already in [`Row`].
    Name,
    /// `-`
    Any,
    /// A test of the column's fact. Spans inside count from the start of the cell's span, so that equal texts share.
    Test(Rc<CellExpr>),
    /// Tests of the `also` column.
    Also(Rc<Vec<Test>>),
    /// An action (table), or `see NAME`. Spans inside count from the start of the cell's span, so that equal texts share.
    Action(Rc<ActionExpr>),
    /// One word: an output of a derive or classify, or an expected row.
    Word(Box<Word>),
    /// It could not be read; the finding stands beside the tree.
    Bad,
}

/// `FACT is CELL`
#[derive(Debug, Clone)]
pub struct Test {
    /// The fact.
    pub fact: Word,
    /// Where the cell stands: spans inside `cell` count from its start.
    pub at: Span,
    /// The cell; `-` is not allowed here.
    pub cell: Rc<CellExpr>,
}

/// A cell's test: alternatives (`or`) of conjunctions (`and`) of atoms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellExpr {
    /// Joined by `or`; never empty, nor is any of its parts.
    pub alternatives: Vec<Vec<Atom>>,
}

/// The smallest test, with its place counted from the start of its cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Atom {
    /// First byte, from the cell's start.
    pub start: u32,
    /// One past the last.
    pub end: u32,
    /// What it says.
    pub kind: AtomKind,
}

/// The kinds of atoms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AtomKind {
    /// `known`
    Known,
    /// `a, b, 1..5`; `unknown` may stand first.
    List(Vec<Element>),
    /// `not a, b`: none of them.
    Not(Vec<Element>),
    /// `>= 3`
    Compare(Comparison, Literal),
    /// `starts "po:"`
    Starts(Literal),
}

/// A member of a list.
#[allow(missing_docs, reason = "the shape above a variant names its fields")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Element {
    /// `unknown`
    Unknown(Literal),
    /// A value, a group's name, a number, a duration…
    One(Literal),
    /// `1..5`, `1..<5`
    Range { lo: Literal, hi: Literal, open: bool },
}

/// `<`, `<=`, `>`, `>=`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// A literal as written: what it is depends on the fact that it is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal {
    /// Its text; without quotes and escapes where it was quoted.
    pub text: Rc<str>,
    /// Whether it was written in quotes.
    pub quoted: bool,
    /// First byte, from the cell's start.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

/// An action, and what follows if it is refused.
#[derive(Debug, Clone)]
pub struct ActionExpr {
    /// What is wanted.
    pub verb: ActionKind,
    /// The words of this action alone.
    pub span: Span,
    /// `; if refused, ACTION`
    pub refused: Option<Box<ActionExpr>>,
}

/// What an action says.
#[allow(missing_docs, reason = "the shape above a variant names its fields")]
#[derive(Debug, Clone)]
pub enum ActionKind {
    /// `stop "reason"`
    Stop(Option<Word>),
    /// `done "reason"`
    Done(Option<Word>),
    /// `wait`
    Wait,
    /// `review queue`
    Review(Option<Word>),
    /// `reconcile by NAME|event within 4s`; bare, where only a verb is asked for (examples).
    Reconcile { by: Option<Word>, within: Option<Word> },
    /// `retry now`, `retry after NAME`, `, spend 2`; bare in examples.
    Retry { when: Option<RetryWhen>, spend: Option<Word> },
    /// `hedge 2 after 300ms`; bare in examples.
    Hedge { copies: Option<Word>, after: Option<Word> },
    /// `failover to NAME`; bare in examples.
    Failover(Option<Word>),
    /// `see TABLE`
    See(Word),
    /// A name that an `action` item gives.
    Named(Word),
}

/// When to retry.
#[derive(Debug, Clone)]
pub enum RetryWhen {
    /// `now`
    Now,
    /// `after NAME`
    After(Word),
}

/// A verb of a rule: `retry`, `failover`, `failover to equivalent`.
#[derive(Debug, Clone)]
pub struct VerbExpr {
    /// The verb.
    pub verb: Word,
    /// The parity after `to`, for failover.
    pub to: Option<Word>,
}

/// `- row: text`
#[derive(Debug, Clone)]
pub struct Reason {
    /// The row's name or `#3`.
    pub row: Word,
    /// The text.
    pub text: Word,
}
