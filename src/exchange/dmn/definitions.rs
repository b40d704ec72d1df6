//! Definitions as they stand in the file: decisions, what each needs, inputs, types.

use std::collections::BTreeMap;

use roxmltree::Node;

use super::xml::{child, children, inner, place, said};
use crate::exchange::grid::clean;
use crate::exchange::import::Import;
use crate::exchange::names::folded;
use crate::exchange::place::{Notices, Refused};

/// The namespaces of the models that are read, and their versions.
const VERSIONS: [(&str, &str); 4] = [
    ("http://www.omg.org/spec/DMN/20180521/MODEL/", "1.2"),
    ("https://www.omg.org/spec/DMN/20191111/MODEL/", "1.3"),
    ("https://www.omg.org/spec/DMN/20211108/MODEL/", "1.4"),
    ("https://www.omg.org/spec/DMN/20230324/MODEL/", "1.5"),
];

/// What is part of a model and cannot be part of a policy.
const FOREIGN: [(&str, &str); 6] = [
    ("import", "another model"),
    ("businessKnowledgeModel", "a function"),
    ("decisionService", "a decision service"),
    ("knowledgeSource", "a knowledge source"),
    ("textAnnotation", "an annotation of the diagram"),
    ("performanceIndicator", "a performance indicator"),
];

/// A decision.
pub(super) struct Decision<'a, 't> {
    pub(super) node: Node<'a, 't>,
    pub(super) id: String,
    pub(super) name: String,
    /// What its answer is called where another asks it.
    pub(super) variable: String,
    /// Its table, where it is one.
    pub(super) table: Option<Node<'a, 't>>,
    /// The decisions that it needs, by place.
    pub(super) needs: Vec<usize>,
}

/// A type that the file defines.
#[derive(Debug, Clone, Default)]
pub(super) struct TypeDef {
    /// The type that it is made from.
    pub(super) base: String,
    /// The values that it allows, in FEEL.
    pub(super) allowed: String,
    /// Its parts, by their names.
    pub(super) parts: BTreeMap<String, TypeDef>,
}

/// A file.
pub(super) struct Definitions<'a, 't> {
    pub(super) node: Node<'a, 't>,
    pub(super) name: String,
    pub(super) decisions: Vec<Decision<'a, 't>>,
    /// The types of inputs and of answers, by their folded names.
    pub(super) variables: BTreeMap<String, String>,
    pub(super) types: BTreeMap<String, TypeDef>,
}

impl<'a, 't: 'a> Definitions<'a, 't> {
    /// Takes stock of a file.
    ///
    /// # Errors
    /// It is no DMN, or of a version that is not read.
    pub(super) fn of(root: Node<'a, 't>, how: &Import<'_>, notices: &mut Notices) -> Result<Self, Refused> {
        let namespace = root.tag_name().namespace().unwrap_or_default();
        if root.tag_name().name() != "definitions" || !namespace.contains("/DMN/") {
            let message = format!("`{}` is XML, but no DMN: it begins with `<{}>`", how.file, root.tag_name().name());
            return Err(Refused::new(message, "export the model as DMN 1.3 or later from its modeler"));
        }
        if !VERSIONS.iter().any(|(known, _)| *known == namespace) {
            let message =
                format!("`{}` is DMN of a version that is not read: its namespace is `{namespace}`", how.file);
            return Err(Refused::new(message, "versions 1.2 to 1.5 are read: export it as one of them"));
        }
        let mut found = Definitions {
            node: root,
            name: root.attribute("name").unwrap_or_default().to_string(),
            decisions: Vec::new(),
            variables: BTreeMap::new(),
            types: BTreeMap::new(),
        };
        for node in root.children().filter(Node::is_element) {
            match node.tag_name().name() {
                "decision" => found.decisions.push(decision(node)),
                "inputData" => {
                    let variable = child(node, "variable");
                    let name =
                        variable.and_then(|v| v.attribute("name")).or(node.attribute("name")).unwrap_or_default();
                    let ty = variable.and_then(|v| v.attribute("typeRef")).unwrap_or_default();
                    found.variables.insert(folded(name), ty.to_string());
                }
                "itemDefinition" => {
                    found.types.insert(node.attribute("name").unwrap_or_default().to_string(), type_def(node, 0));
                }
                kind => {
                    if let Some((_, told)) = FOREIGN.iter().find(|(name, _)| *name == kind) {
                        let shown =
                            if kind == "textAnnotation" { format!(": `{}`", said(node)) } else { String::new() };
                        notices.left(&place(node), format!("{told} is no part of a policy{shown}"));
                    }
                }
            }
        }
        found.link();
        Ok(found)
    }

    /// Finds the decisions that each needs.
    fn link(&mut self) {
        let ids: BTreeMap<String, usize> = self.decisions.iter().enumerate().map(|(i, d)| (d.id.clone(), i)).collect();
        for decision in &mut self.decisions {
            let needed = children(decision.node, "informationRequirement").filter_map(|n| child(n, "requiredDecision"));
            let hrefs = needed.filter_map(|n| n.attribute("href")).map(|href| href.trim_start_matches('#').to_string());
            decision.needs = hrefs.filter_map(|href| ids.get(&href).copied()).collect();
        }
    }

    /// A type with what it is made from worked out: a plain type of FEEL, and what is allowed of it.
    pub(super) fn resolve(&self, type_ref: &str) -> TypeDef {
        let mut ty = TypeDef { base: type_ref.to_string(), ..TypeDef::default() };
        for _ in 0..16 {
            let name = ty.base.rsplit(':').next().unwrap_or_default();
            let Some(next) = self.types.get(&ty.base).or_else(|| self.types.get(name)) else { break };
            let allowed = if ty.allowed.is_empty() { next.allowed.clone() } else { ty.allowed };
            ty = TypeDef { base: next.base.clone(), allowed, parts: next.parts.clone() };
        }
        ty.base = ty.base.rsplit(':').next().unwrap_or_default().trim_start_matches("feel.").to_string();
        ty
    }

    /// The type of what an expression names: an input, an answer, or a part of one (`Applicant.Age`).
    pub(super) fn type_of(&self, expression: &str) -> Option<TypeDef> {
        let mut names = expression.split('.');
        let mut ty = self.resolve(self.variables.get(&folded(names.next()?))?);
        for name in names {
            let part = ty.parts.iter().find(|(part, _)| folded(part) == folded(name)).map(|(_, ty)| ty.clone())?;
            let resolved = self.resolve(&part.base);
            let allowed = if part.allowed.is_empty() { resolved.allowed } else { part.allowed };
            let parts = if part.parts.is_empty() { resolved.parts } else { part.parts };
            ty = TypeDef { base: resolved.base, allowed, parts };
        }
        Some(ty)
    }
}

fn decision<'a, 't: 'a>(node: Node<'a, 't>) -> Decision<'a, 't> {
    let name = clean(node.attribute("name").or(node.attribute("id")).unwrap_or_default());
    let variable = child(node, "variable").and_then(|v| v.attribute("name")).unwrap_or(&name).to_string();
    Decision {
        node,
        id: node.attribute("id").unwrap_or_default().to_string(),
        name,
        variable,
        table: child(node, "decisionTable"),
        needs: Vec::new(),
    }
}

fn type_def(node: Node<'_, '_>, depth: usize) -> TypeDef {
    let mut ty = TypeDef {
        base: child(node, "typeRef").map(inner).unwrap_or_default().trim().to_string(),
        allowed: child(node, "allowedValues").map(said).unwrap_or_default(),
        parts: BTreeMap::new(),
    };
    if depth < 16 {
        for part in children(node, "itemComponent") {
            ty.parts.insert(part.attribute("name").unwrap_or_default().to_string(), type_def(part, depth + 1));
        }
    }
    ty
}
