//! A table with its columns, read from a policy's text, and requests to it.

use std::collections::BTreeMap;

use crate::workload::Draw;

/// A table of rows of which the first that holds answers.
pub struct Sheet {
    /// The columns.
    pub columns: Vec<Column>,
    /// By row, a test for each column.
    pub rows: Vec<Vec<Test>>,
}

/// A column.
pub struct Column {
    /// The fact's name.
    pub name: String,
    /// The fact's words; none where it is a number.
    pub words: Vec<String>,
    /// Requests draw numbers as a multiple of the step, below so many steps.
    pub numbers: (i64, i64),
    /// Behind a number, in the policy's cells and facts.
    pub unit: &'static str,
}

/// What a cell admits.
pub enum Test {
    /// Anything.
    Any,
    /// One of these words.
    Words(Vec<String>),
    /// From, to, both inside.
    Range(Option<i64>, Option<i64>),
}

/// What a request says of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Word(String),
    Number(i64),
}

impl Sheet {
    /// Reads the one table of a policy. Words of a fact come from its declaration or, for the standard facts, from `std`;
    /// a fact that has none is a number, drawn as `numbers` says, with its unit.
    pub fn read(
        text: &str,
        std: &BTreeMap<&str, Vec<&str>>,
        numbers: &BTreeMap<&str, (i64, i64, &'static str)>,
    ) -> Sheet {
        let declared = |name: &str| {
            let line = text.lines().find_map(|l| l.strip_prefix(&format!("fact {name} : ")));
            let words = |list: &str| list.split([',', '<']).map(|w| w.trim().to_string()).collect::<Vec<_>>();
            line.map(words).unwrap_or_else(|| std.get(name).into_iter().flatten().map(|w| (*w).to_string()).collect())
        };
        let mut lines = text.lines().filter(|l| l.starts_with('|'));
        let header = cells(lines.next().expect("a policy with a table"));
        let column = |name: &String| {
            let (step, n, unit) = numbers.get(name.as_str()).copied().unwrap_or_default();
            let words = if n > 0 { Vec::new() } else { declared(name) };
            assert!(n > 0 || !words.is_empty(), "the words of `{name}`");
            Column { name: name.clone(), words, numbers: (step, n), unit }
        };
        let columns: Vec<Column> = header[1..header.len() - 1].iter().map(column).collect();
        let row = |line: &str| {
            let cells = cells(line);
            if cells[0] == "otherwise" {
                return columns.iter().map(|_| Test::Any).collect();
            }
            columns.iter().zip(&cells[1..]).map(|(column, cell)| Test::read(column, cell)).collect()
        };
        Sheet { rows: lines.map(row).collect(), columns }
    }

    /// So many requests, seeded.
    pub fn requests(&self, n: usize) -> Vec<Vec<Value>> {
        let mut draw = Draw(3);
        let mut value = |column: &Column| match column.words.as_slice() {
            [] => Value::Number(draw.below(column.numbers.1 as u64) as i64 * column.numbers.0),
            words => Value::Word(words[draw.place(words.len())].clone()),
        };
        (0..n).map(|_| self.columns.iter().map(&mut value).collect()).collect()
    }

    /// The first row that holds, tested cell by cell.
    pub fn scan(&self, request: &[Value]) -> usize {
        let holds = |row: &Vec<Test>| row.iter().zip(request).all(|(test, value)| test.admits(value));
        self.rows.iter().position(holds).unwrap_or(self.rows.len())
    }
}

impl Test {
    fn read(column: &Column, cell: &str) -> Test {
        if matches!(cell, "" | "-") {
            return Test::Any;
        }
        if column.words.is_empty() {
            let number = |text: &str| text.trim().trim_end_matches(column.unit).parse().expect("a number");
            return match cell.split_once("..") {
                Some((from, to)) => Test::Range(Some(number(from)), Some(number(to))),
                None => Test::Range(Some(number(cell.strip_prefix(">=").expect("a bound"))), None),
            };
        }
        let place = |word: &str| column.words.iter().position(|w| w == word.trim()).expect("a word of the fact");
        Test::Words(match cell.split_once("..") {
            Some((from, to)) => column.words[place(from)..=place(to)].to_vec(),
            None => cell.split(',').map(|w| column.words[place(w)].clone()).collect(),
        })
    }

    /// Whether it admits a value.
    pub fn admits(&self, value: &Value) -> bool {
        match (self, value) {
            (Test::Any, _) => true,
            (Test::Words(words), Value::Word(word)) => words.contains(word),
            (Test::Range(from, to), Value::Number(n)) => from.is_none_or(|f| f <= *n) && to.is_none_or(|t| *n <= t),
            _ => false,
        }
    }
}

fn cells(line: &str) -> Vec<String> {
    line.trim().trim_matches('|').split('|').map(|c| c.trim().to_string()).collect()
}
