//! Heads: what stands behind an item's first word.
//!
//! Takes the keyword and the text behind it, gives the item with its table or block still blank. A head that cannot be
//! read gives one finding; so much of the item is kept as other items can hold on to.

use pest::iterators::Pair;

use super::findings::{self, Mistake};
use super::grammar::{self, Rule, inner};
use super::head_mistakes;
use super::place::{At, local};
use super::tree::{Block, Grid, Hit, HitExpr, ItemKind, RowRef, Test, TypeExpr, VerbExpr, Word};
use super::words::word;
use super::{actions, conditions};

/// A head that was read, or what is left of it.
#[derive(Debug, Default)]
pub(super) struct Head {
    /// The item, without its table or block.
    pub(super) kind: Option<ItemKind>,
    /// The finding of a head that cannot be read, in its place in the file.
    pub(super) mistake: Option<Mistake>,
    /// Names that the item would have declared.
    pub(super) broken: Vec<Word>,
}

/// Reads a head.
pub(super) fn read(keyword: &str, text: &str, at: At<'_>) -> Head {
    if keyword == "budget" && text.trim().is_empty() {
        return Head { kind: Some(ItemKind::Budget(Block::default())), ..Head::default() };
    }
    let result = match rule_of(keyword) {
        Some(rule) => grammar::run(rule, text).map_err(|furthest| head_mistakes::find(keyword, text, furthest)),
        None => Err(head_mistakes::find(keyword, text, 0)),
    };
    let built = result.and_then(|pair| {
        let kind = build(keyword, text, &pair, at)?;
        head_mistakes::in_item(&kind, text, at).map_or(Ok(kind), Err)
    });
    match built {
        Ok(kind) => Head { kind: Some(kind), ..Head::default() },
        Err(mistake) => {
            let mut head = rest(keyword, text, at);
            head.mistake = Some(at.finding(*mistake).into());
            head
        }
    }
}

fn rule_of(keyword: &str) -> Option<Rule> {
    Some(match keyword {
        "policy" | "use" | "backoff" | "locator" | "parity" | "examples" => Rule::name_only,
        "version" => Rule::version,
        "owner" => Rule::owner,
        "restricts" => Rule::restricts,
        "fact" => Rule::fact,
        "extend" => Rule::extend,
        "group" => Rule::group,
        "action" => Rule::action,
        "derive" => Rule::derive,
        "classify" => Rule::classify,
        "table" => Rule::table,
        "tighten" => Rule::tighten,
        "rule" => Rule::rule_head,
        "waive" => Rule::waive,
        _ => return None,
    })
}

/// The words of a head by their rule.
struct Parts<'p, 'a> {
    pair: &'p Pair<'a, Rule>,
    text: &'p str,
    at: At<'p>,
}

impl Parts<'_, '_> {
    fn all(&self, rule: Rule) -> Vec<Word> {
        grammar::all(self.pair, rule).map(|p| word(&p, self.at)).collect()
    }

    fn one(&self, rule: Rule) -> Result<Word, Mistake> {
        inner(self.pair, rule).map(|p| word(&p, self.at)).ok_or_else(|| self.missing())
    }

    /// A part that the grammar asks for is always there; should it not be, the head counts as unreadable.
    fn missing(&self) -> Mistake {
        findings::head(local(0, self.text.len()), "this cannot be read", "write the item again").into()
    }

    fn tests(&self) -> Result<Vec<Test>, Mistake> {
        inner(self.pair, Rule::tests).map_or(Ok(Vec::new()), |t| conditions::build(self.text, &t, self.at))
    }

    fn hit(&self) -> Result<HitExpr, Mistake> {
        inner(self.pair, Rule::hit).map(|h| hit(&h, self.at)).ok_or_else(|| self.missing())
    }

    /// A word inside an inner pair.
    fn nested(&self, outer: Rule, rule: Rule) -> Option<Word> {
        inner(self.pair, outer).and_then(|o| inner(&o, rule)).map(|p| word(&p, self.at))
    }
}

fn build(keyword: &str, text: &str, pair: &Pair<'_, Rule>, at: At<'_>) -> Result<ItemKind, Mistake> {
    let parts = Parts { pair, text, at };
    let name = || parts.one(Rule::name);
    let block = Block::default;
    Ok(match keyword {
        "policy" => ItemKind::Policy(name()?),
        "use" => ItemKind::Use(name()?),
        "backoff" => ItemKind::Backoff { name: name()?, block: block() },
        "locator" => ItemKind::Locator { name: name()?, block: block() },
        "parity" => ItemKind::Parity { name: name()?, block: block() },
        "examples" => ItemKind::Examples { table_name: name()?, given: Vec::new(), table: Grid::default() },
        "version" => ItemKind::Version(parts.one(Rule::literal)?),
        "owner" => ItemKind::Owner(parts.one(Rule::value)?),
        "restricts" => ItemKind::Restricts { base: name()?, version: parts.one(Rule::literal)? },
        "fact" => {
            let ty = inner(pair, Rule::r#type).ok_or_else(|| parts.missing())?;
            let points = inner(pair, Rule::points);
            let points =
                points.map_or_else(Vec::new, |p| grammar::all(&p, Rule::value).map(|v| word(&v, at)).collect());
            ItemKind::Fact { name: name()?, ty: type_of(&ty, at).ok_or_else(|| parts.missing())?, points }
        }
        "extend" => ItemKind::Extend { fact: name()?, values: parts.all(Rule::value) },
        "group" => {
            let [name, fact] = <[Word; 2]>::try_from(parts.all(Rule::name)).map_err(|_| parts.missing())?;
            ItemKind::Group { name, fact, values: parts.all(Rule::literal) }
        }
        "action" => {
            let chain = inner(pair, Rule::chain).ok_or_else(|| parts.missing())?;
            ItemKind::Action { name: name()?, action: actions::build(&chain, at)? }
        }
        "waive" => waive(&parts)?,
        "rule" => rule(&parts)?,
        _ => with_table(keyword, &parts)?,
    })
}

fn with_table(keyword: &str, parts: &Parts<'_, '_>) -> Result<ItemKind, Mistake> {
    let (pair, at, table) = (parts.pair, parts.at, Grid::default());
    let hit = parts.hit()?;
    let refused = || {
        let chain = inner(pair, Rule::refusal).and_then(|r| inner(&r, Rule::chain));
        chain.map(|c| actions::build(&c, at)).transpose()
    };
    Ok(match keyword {
        "derive" => ItemKind::Derive { outputs: derived(pair, at), hit, table },
        "classify" => {
            let mut names = parts.all(Rule::name).into_iter();
            let name = names.next().ok_or_else(|| parts.missing())?;
            ItemKind::Classify { name, outputs: names.collect(), hit, table }
        }
        "tighten" => ItemKind::Tighten { name: parts.one(Rule::name)?, hit, refused: refused()?, table },
        _ => ItemKind::Table { name: parts.one(Rule::name)?, promise: parts.tests()?, hit, refused: refused()?, table },
    })
}

fn rule(parts: &Parts<'_, '_>) -> Result<ItemKind, Mistake> {
    let verbs = grammar::all(parts.pair, Rule::verb).filter_map(|v| {
        let mut names = grammar::all(&v, Rule::name).map(|n| word(&n, parts.at));
        Some(VerbExpr { verb: names.next()?, to: names.next() })
    });
    Ok(ItemKind::Rule {
        name: parts.one(Rule::name)?,
        only: inner(parts.pair, Rule::ban).is_some_and(|b| b.as_str() == "only"),
        verbs: verbs.collect(),
        unless: inner(parts.pair, Rule::reach).is_some_and(|r| r.as_str() == "unless"),
        tests: parts.tests()?,
    })
}

fn waive(parts: &Parts<'_, '_>) -> Result<ItemKind, Mistake> {
    let rows = grammar::all(parts.pair, Rule::row_ref).filter_map(|r| {
        let one = |rule| inner(&r, rule).map(|p| word(&p, parts.at));
        Some(RowRef { table: one(Rule::name)?, row: one(Rule::row_name)? })
    });
    Ok(ItemKind::Waive {
        what: parts.one(Rule::name)?,
        rows: rows.collect(),
        because: parts.one(Rule::quoted)?,
        owner: parts.nested(Rule::signed, Rule::value),
        until: parts.nested(Rule::until, Rule::literal),
    })
}

/// The hit policy of a pair `hit`.
fn hit(pair: &Pair<'_, Rule>, at: At<'_>) -> HitExpr {
    let hit = match pair.clone().into_inner().next().map(|p| p.as_rule()) {
        Some(Rule::at_most) => Hit::AtMostOne,
        Some(Rule::agree) => Hit::Agree,
        Some(Rule::cautious) => Hit::MostCautious,
        Some(Rule::highest) => Hit::Highest,
        Some(Rule::lowest) => Hit::Lowest,
        _ => Hit::First,
    };
    let start = pair.as_span().start();
    HitExpr { hit, span: at.span(start, start + pair.as_str().trim_end().len()) }
}

fn derived(pair: &Pair<'_, Rule>, at: At<'_>) -> Vec<(Word, TypeExpr)> {
    grammar::all(pair, Rule::derived)
        .filter_map(|d| Some((word(&inner(&d, Rule::name)?, at), type_of(&inner(&d, Rule::r#type)?, at)?)))
        .collect()
}

/// The type of a pair `type`.
fn type_of(pair: &Pair<'_, Rule>, at: At<'_>) -> Option<TypeExpr> {
    let found = pair.clone().into_inner().next()?;
    let start = found.as_span().start();
    let span = at.span(start, start + found.as_str().trim_end().len());
    let values = || grammar::all(&found, Rule::value).map(|v| word(&v, at)).collect();
    Some(match found.as_rule() {
        Rule::choice => TypeExpr::Choice { values: values(), span },
        Rule::ordered => TypeExpr::Ordered { values: values(), span },
        _ => {
            let bounds = inner(&found, Rule::bounds);
            let bound = |rule| bounds.as_ref().and_then(|b| inner(b, rule)).map(|p| word(&p, at));
            let step = inner(&found, Rule::unit).and_then(|u| u.into_inner().nth(1)).map(|p| word(&p, at));
            TypeExpr::Basic {
                name: word(&inner(&found, Rule::basic_name)?, at),
                lo: bound(Rule::low),
                hi: bound(Rule::high),
                step,
                span,
            }
        }
    })
}

/// What can be kept of a head that cannot be read: its names, and for a table all but its conditions.
fn rest(keyword: &str, text: &str, at: At<'_>) -> Head {
    let name = head_mistakes::first_name(text).map(|(start, end)| Word {
        text: text.get(start..end).unwrap_or("").into(),
        span: at.span(start, end),
        quoted: false,
    });
    let Some(name) = name else { return Head::default() };
    let table = Grid { damaged: true, ..Grid::default() };
    let hit = HitExpr { hit: Hit::First, span: name.span };
    let before_hit = head_mistakes::before_hit(text);
    let kind = match keyword {
        "table" => Some(ItemKind::Table { name: name.clone(), promise: Vec::new(), hit, refused: None, table }),
        "tighten" => Some(ItemKind::Tighten { name: name.clone(), hit, refused: None, table }),
        "examples" => Some(ItemKind::Examples { table_name: name.clone(), given: Vec::new(), table }),
        "derive" => grammar::run(Rule::derive_outputs, before_hit).ok().map(|pair| ItemKind::Derive {
            outputs: derived(&pair, at),
            hit,
            table,
        }),
        "classify" => grammar::run(Rule::classify_outputs, before_hit).ok().map(|pair| {
            let outputs = grammar::all(&pair, Rule::name).skip(1).map(|n| word(&n, at)).collect();
            ItemKind::Classify { name: name.clone(), outputs, hit, table }
        }),
        _ => None,
    };
    let declares = !matches!(keyword, "use" | "owner" | "version" | "extend" | "waive" | "restricts");
    Head { broken: if declares && kind.is_none() { vec![name] } else { Vec::new() }, kind, mistake: None }
}
