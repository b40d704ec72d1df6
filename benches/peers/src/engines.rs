//! The engines: each turns a table into its own text, reads that text, and answers requests that were put into its own
//! form beforehand.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::str::FromStr;
use std::sync::Arc;

use nisi::compile::{NoSources, Options};
use nisi::decide::{Facts, Raw};
use nisi::text::Source;

use crate::sheet::{Column, Sheet, Test, Value};

/// One engine with a table loaded.
pub trait Engine: Sized {
    /// As it is called in the results.
    const NAME: &'static str;
    /// A request in the engine's own form.
    type Request;

    /// The table as this engine's text.
    fn text(sheet: &Sheet, policy: &str) -> String;
    /// Reads the text: what a program does before its first question. Where the engine refuses it, why.
    fn load(text: &str) -> Result<Self, String>;
    /// Puts a request into the engine's form.
    fn request(&self, columns: &[Column], values: &[Value]) -> Self::Request;
    /// The number of the first row that holds; where the engine cannot tell, why.
    fn ask(&mut self, request: &Self::Request) -> Result<usize, String>;
}

/// A row's tests in a language of expressions; `true` where it has none.
fn condition(
    sheet: &Sheet,
    row: &[Test],
    before: &str,
    and: &str,
    one_of: impl Fn(&str, &[String]) -> String,
) -> String {
    let mut all = Vec::new();
    for (column, test) in sheet.columns.iter().zip(row) {
        let name = format!("{before}{}", column.name);
        match test {
            Test::Any => {}
            Test::Words(words) if words.len() == 1 => all.push(format!("{name} == \"{}\"", words[0])),
            Test::Words(words) => all.push(one_of(&name, words)),
            Test::Range(from, to) => {
                all.extend(from.map(|n| format!("{name} >= {n}")));
                all.extend(to.map(|n| format!("{name} <= {n}")));
            }
        }
    }
    if all.is_empty() { "true".into() } else { all.join(and) }
}

fn quoted(words: &[String]) -> String {
    words.iter().map(|w| format!("\"{w}\"")).collect::<Vec<_>>().join(", ")
}

/// What an error says.
fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Words joined by "or equal to".
fn either(name: &str, words: &[String]) -> String {
    let each: Vec<String> = words.iter().map(|w| format!("{name} == \"{w}\"")).collect();
    format!("({})", each.join(" || "))
}

/// nisi, without the proofs: no other engine has them.
pub struct Nisi {
    policy: nisi::Policy,
    /// The row's number by its name.
    rows: BTreeMap<String, usize>,
}

impl Engine for Nisi {
    const NAME: &'static str = "nisi";
    type Request = Facts;

    fn text(_: &Sheet, policy: &str) -> String {
        policy.to_string()
    }

    fn load(text: &str) -> Result<Self, String> {
        let options = Options { proofs: false, lints: false, ..Options::default() };
        let source = Source::new("bench.nisi", text);
        let policy = nisi::Policy::compile_with(source, &NoSources, &options).map_err(said)?;
        Ok(Nisi { policy, rows: BTreeMap::new() })
    }

    fn request(&self, columns: &[Column], values: &[Value]) -> Facts {
        let raw = |(column, value): (&Column, &Value)| {
            let text = match value {
                Value::Word(word) => word.clone(),
                Value::Number(n) => format!("{n}{}", column.unit),
            };
            let raw = if text.bytes().all(|b| b.is_ascii_digit()) { Raw::Number(text) } else { Raw::Text(text) };
            (column.name.clone(), raw)
        };
        self.policy.read_facts(columns.iter().zip(values).map(raw)).expect("the facts are the policy's")
    }

    fn ask(&mut self, request: &Facts) -> Result<usize, String> {
        Ok(self.policy.decide(request).verb() as usize)
    }
}

impl Nisi {
    /// The number of the row that answers: dearer than [`ask`](Engine::ask), which looks no name up.
    pub fn row(&mut self, request: &Facts) -> Result<usize, String> {
        if self.rows.is_empty() {
            self.rows = self.policy.rows().enumerate().map(|(i, row)| (row.to_string(), i)).collect();
        }
        let name = self.policy.decide(request).row_name().expect("a row answers");
        Ok(self.rows[&name])
    }
}

/// cel: a program for each row, asked in turn.
pub struct Cel(Vec<cel::Program>);

impl Engine for Cel {
    const NAME: &'static str = "cel";
    type Request = cel::Context<'static, 'static>;

    fn text(sheet: &Sheet, _: &str) -> String {
        let one_of = |name: &str, words: &[String]| format!("{name} in [{}]", quoted(words));
        let rows = sheet.rows.iter().map(|row| condition(sheet, row, "", " && ", one_of));
        rows.collect::<Vec<_>>().join("\n")
    }

    fn load(text: &str) -> Result<Self, String> {
        text.lines().map(|line| cel::Program::compile(line).map_err(said)).collect::<Result<_, _>>().map(Cel)
    }

    fn request(&self, columns: &[Column], values: &[Value]) -> Self::Request {
        let mut context = cel::Context::default();
        for (column, value) in columns.iter().zip(values) {
            match value {
                Value::Word(word) => context.add_variable_from_value(column.name.clone(), word.clone()),
                Value::Number(n) => context.add_variable_from_value(column.name.clone(), *n),
            }
        }
        context
    }

    fn ask(&mut self, request: &Self::Request) -> Result<usize, String> {
        let holds = |program: &cel::Program| program.execute(request) == Ok(cel::Value::Bool(true));
        Ok(self.0.iter().position(holds).unwrap_or(self.0.len()))
    }
}

/// rhai: one script, an `if` for each row.
pub struct Rhai(rhai::Engine, rhai::AST);

impl Engine for Rhai {
    const NAME: &'static str = "rhai";
    type Request = rhai::Scope<'static>;

    fn text(sheet: &Sheet, _: &str) -> String {
        let mut text = String::new();
        for (i, row) in sheet.rows.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "if {} {{ return {i}; }}", condition(sheet, row, "", " && ", either));
        }
        text
    }

    fn load(text: &str) -> Result<Self, String> {
        let engine = rhai::Engine::new();
        let ast = engine.compile(text).map_err(said)?;
        Ok(Rhai(engine, ast))
    }

    fn request(&self, columns: &[Column], values: &[Value]) -> Self::Request {
        let mut scope = rhai::Scope::new();
        for (column, value) in columns.iter().zip(values) {
            match value {
                Value::Word(word) => scope.push_constant(column.name.clone(), word.clone()),
                Value::Number(n) => scope.push_constant(column.name.clone(), *n),
            };
        }
        scope
    }

    fn ask(&mut self, request: &Self::Request) -> Result<usize, String> {
        let mut scope = request.clone();
        let row = self.0.eval_ast_with_scope::<i64>(&mut scope, &self.1).map_err(said)?;
        usize::try_from(row).map_err(said)
    }
}

/// cedar: a policy for each row; of those that hold the first is the answer.
pub struct Cedar(cedar_policy::Authorizer, cedar_policy::PolicySet, cedar_policy::Entities);

impl Engine for Cedar {
    const NAME: &'static str = "cedar";
    type Request = cedar_policy::Request;

    fn text(sheet: &Sheet, _: &str) -> String {
        let one_of = |name: &str, words: &[String]| format!("[{}].contains({name})", quoted(words));
        let mut text = String::new();
        for row in &sheet.rows {
            let tests = condition(sheet, row, "context.", " && ", one_of);
            let _ = writeln!(text, "permit(principal, action, resource) when {{ {tests} }};");
        }
        text
    }

    fn load(text: &str) -> Result<Self, String> {
        let set = cedar_policy::PolicySet::from_str(text).map_err(said)?;
        Ok(Cedar(cedar_policy::Authorizer::new(), set, cedar_policy::Entities::empty()))
    }

    fn request(&self, columns: &[Column], values: &[Value]) -> Self::Request {
        use cedar_policy::{Context, EntityUid, RestrictedExpression};
        let pair = |(column, value): (&Column, &Value)| {
            let value = match value {
                Value::Word(word) => RestrictedExpression::new_string(word.clone()),
                Value::Number(n) => RestrictedExpression::new_long(*n),
            };
            (column.name.clone(), value)
        };
        let context = Context::from_pairs(columns.iter().zip(values).map(pair)).expect("a context");
        let uid = |text: &str| EntityUid::from_str(text).expect("an id");
        let (who, what, on) = (uid("User::\"a\""), uid("Action::\"ask\""), uid("Thing::\"t\""));
        cedar_policy::Request::new(who, what, on, context, None).expect("a request")
    }

    fn ask(&mut self, request: &Self::Request) -> Result<usize, String> {
        let answer = self.0.is_authorized(request, &self.1, &self.2);
        let number = |id: &cedar_policy::PolicyId| id.to_string().trim_start_matches("policy").parse::<usize>().ok();
        answer.diagnostics().reason().filter_map(number).min().ok_or_else(|| "no row holds".into())
    }
}

/// regorus: a rule for each row that holds; the least of them is the answer.
pub struct Regorus(regorus::Engine);

impl Engine for Regorus {
    const NAME: &'static str = "regorus";
    type Request = regorus::Value;

    fn text(sheet: &Sheet, _: &str) -> String {
        let one_of = |name: &str, words: &[String]| format!("{name} in {{{}}}", quoted(words));
        let mut text = "package bench\n".to_string();
        for (i, row) in sheet.rows.iter().enumerate() {
            let _ = writeln!(text, "holds contains {i} if {{ {} }}", condition(sheet, row, "input.", "; ", one_of));
        }
        text + "row := min(holds)\n"
    }

    fn load(text: &str) -> Result<Self, String> {
        let mut engine = regorus::Engine::new();
        engine.add_policy("bench.rego".into(), text.into()).map_err(said)?;
        Ok(Regorus(engine))
    }

    fn request(&self, columns: &[Column], values: &[Value]) -> Self::Request {
        regorus::Value::from_json_str(&json(columns, values).to_string()).expect("JSON")
    }

    fn ask(&mut self, request: &Self::Request) -> Result<usize, String> {
        self.0.set_input(request.clone());
        let row = self.0.eval_rule("data.bench.row".into()).map_err(said)?;
        row.as_i64().map_err(said).and_then(|n| usize::try_from(n).map_err(said))
    }
}

fn json(columns: &[Column], values: &[Value]) -> serde_json::Value {
    let pair = |(column, value): (&Column, &Value)| {
        let value = match value {
            Value::Word(word) => serde_json::Value::from(word.as_str()),
            Value::Number(n) => serde_json::Value::from(*n),
        };
        (column.name.clone(), value)
    };
    serde_json::Value::Object(columns.iter().zip(values).map(pair).collect())
}

/// zen: a decision table whose first row that holds wins.
pub struct Zen(zen_engine::Decision);

impl Engine for Zen {
    const NAME: &'static str = "zen";
    type Request = zen_engine::Variable;

    fn text(sheet: &Sheet, _: &str) -> String {
        let input = |(i, column): (usize, &Column)| serde_json::json!({ "id": format!("c{i}"), "name": column.name, "field": column.name });
        let cell = |test: &Test| match test {
            Test::Any | Test::Range(None, None) => String::new(),
            Test::Words(words) => quoted(words),
            Test::Range(Some(from), Some(to)) => format!("[{from}..{to}]"),
            Test::Range(Some(from), None) => format!(">= {from}"),
            Test::Range(None, Some(to)) => format!("<= {to}"),
        };
        let row = |(i, row): (usize, &Vec<Test>)| {
            let cells = row.iter().enumerate().map(|(c, test)| (format!("c{c}"), cell(test).into()));
            let ends = [("_id".to_string(), format!("r{i}").into()), ("o".to_string(), i.to_string().into())];
            serde_json::Value::Object(cells.chain(ends).collect())
        };
        let table = serde_json::json!({
            "hitPolicy": "first",
            "inputs": sheet.columns.iter().enumerate().map(input).collect::<Vec<_>>(),
            "outputs": [{ "id": "o", "name": "row", "field": "row" }],
            "rules": sheet.rows.iter().enumerate().map(row).collect::<Vec<_>>(),
        });
        let position = serde_json::json!({ "x": 0, "y": 0 });
        serde_json::json!({
            "nodes": [
                { "id": "in", "type": "inputNode", "name": "in", "position": position },
                { "id": "t", "type": "decisionTableNode", "name": "t", "position": position, "content": table },
                { "id": "out", "type": "outputNode", "name": "out", "position": position },
            ],
            "edges": [
                { "id": "a", "type": "edge", "sourceId": "in", "targetId": "t" },
                { "id": "b", "type": "edge", "sourceId": "t", "targetId": "out" },
            ],
        })
        .to_string()
    }

    fn load(text: &str) -> Result<Self, String> {
        let content: zen_engine::model::DecisionContent = serde_json::from_str(text).map_err(said)?;
        let mut decision = zen_engine::DecisionEngine::default().create_decision(Arc::new(content)).map_err(said)?;
        decision.compile();
        Ok(Zen(decision))
    }

    fn request(&self, columns: &[Column], values: &[Value]) -> Self::Request {
        json(columns, values).into()
    }

    fn ask(&mut self, request: &Self::Request) -> Result<usize, String> {
        let found = pollster::block_on(self.0.evaluate(request.clone())).map_err(said)?;
        let row = found.result.dot("row").and_then(|row| row.as_number()).ok_or("no row holds")?;
        row.to_string().parse().map_err(said)
    }
}
