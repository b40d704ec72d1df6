//! `once ENGINE FILE FACT=VALUE…`: loads a table and answers one request; a number is `budget=3:` or `deadline=500:ms`.

use std::process::ExitCode;

use nisi_peers::engines::{Cedar, Cel, Engine, Nisi, Regorus, Rhai, Zen};
use nisi_peers::sheet::{Column, Value};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [engine, file, facts @ ..] = words.as_slice() else { return ExitCode::from(2) };
    let Ok(text) = std::fs::read_to_string(file) else { return ExitCode::from(2) };
    let (columns, values): (Vec<Column>, Vec<Value>) = facts.iter().filter_map(|f| fact(f)).unzip();
    let row = match engine.as_str() {
        Nisi::NAME => one::<Nisi>(&text, &columns, &values),
        Cel::NAME => one::<Cel>(&text, &columns, &values),
        Rhai::NAME => one::<Rhai>(&text, &columns, &values),
        Cedar::NAME => one::<Cedar>(&text, &columns, &values),
        Regorus::NAME => one::<Regorus>(&text, &columns, &values),
        Zen::NAME => one::<Zen>(&text, &columns, &values),
        _ => return ExitCode::from(2),
    };
    match row {
        Ok(row) => {
            println!("{row}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn one<E: Engine>(text: &str, columns: &[Column], values: &[Value]) -> Result<usize, String> {
    let mut engine = E::load(text)?;
    let request = engine.request(columns, values);
    engine.ask(&request)
}

fn fact(text: &str) -> Option<(Column, Value)> {
    const UNITS: [&str; 2] = ["ms", ""];
    let (name, value) = text.split_once('=')?;
    let column = |unit| Column { name: name.into(), words: Vec::new(), numbers: (1, 1), unit };
    Some(match value.split_once(':') {
        Some((n, unit)) => (column(UNITS.into_iter().find(|u| *u == unit)?), Value::Number(n.parse().ok()?)),
        None => (column(""), Value::Word(value.into())),
    })
}
