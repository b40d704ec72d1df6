//! Every request about documents, and who answers it.

use gen_lsp_types::{
    ExecuteCommandParams, Position, Range, ReferenceContext, TextDocumentContentParams, TextDocumentIdentifier,
    WorkspaceSymbolParams,
};
use lsp_server::{ErrorCode, ResponseError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::desk::Desk;
use super::{complete, examples, fixes, formatting, goto, hints, hover, ran, shipped, symbols, tokens, uri};

/// The answer to a request.
pub(super) fn answer(desk: &Desk, method: &str, params: Value) -> Result<Value, ResponseError> {
    match method {
        "textDocument/codeAction" => with(params, |p| fixes::code_actions(desk, &p)),
        "textDocument/definition" => with(params, |p: Place| goto::definition(desk, p.uri(), p.position)),
        "textDocument/references" => with(params, |p: References| {
            goto::references(desk, p.place.uri(), p.place.position, p.context.include_declaration)
        }),
        "textDocument/documentHighlight" => with(params, |p: Place| goto::highlights(desk, p.uri(), p.position)),
        "textDocument/prepareRename" => {
            let place: Place = read(params)?;
            let found = goto::prepare_rename(desk, place.uri(), place.position).map_err(failed)?;
            give(json!({ "range": found.0, "placeholder": found.1 }))
        }
        "textDocument/rename" => {
            let Rename { place, new_name } = read(params)?;
            give(goto::rename(desk, place.uri(), place.position, &new_name).map_err(failed)?)
        }
        "textDocument/formatting" => {
            let document: Whole = read(params)?;
            give(formatting::format(desk, document.uri(), None).map_err(failed)?)
        }
        "textDocument/rangeFormatting" => {
            let part: Part = read(params)?;
            give(formatting::format(desk, part.uri(), Some(part.range)).map_err(failed)?)
        }
        "textDocument/onTypeFormatting" => {
            let place: Place = read(params)?;
            give(formatting::on_type(desk, place.uri(), place.position).map_err(failed)?)
        }
        "textDocument/hover" => with(params, |p: Place| hover::hover(desk, p.uri(), p.position)),
        "textDocument/completion" => with(params, |p: Place| complete::complete(desk, p.uri(), p.position)),
        "textDocument/documentSymbol" => with(params, |p: Whole| symbols::document(desk, p.uri())),
        "textDocument/foldingRange" => with(params, |p: Whole| symbols::folding(desk, p.uri())),
        "workspace/symbol" => with(params, |p: WorkspaceSymbolParams| symbols::workspace(desk, &p.query)),
        "textDocument/semanticTokens/full" => with(params, |p: Whole| tokens::tokens(desk, p.uri(), None)),
        "textDocument/semanticTokens/range" => with(params, |p: Part| tokens::tokens(desk, p.uri(), Some(p.range))),
        "textDocument/inlayHint" => with(params, |p: Part| hints::hints(desk, p.uri(), p.range)),
        "workspace/textDocumentContent" => {
            let wanted: TextDocumentContentParams = read(params)?;
            give(shipped::content(wanted.uri.as_ref()).map_err(failed)?)
        }
        "textDocument/codeLens" => with(params, |p: Whole| examples::lenses(desk, p.uri())),
        _ => Err(error(ErrorCode::MethodNotFound, format!("`{method}` is not served"))),
    }
}

/// A place in a document; what else a request says has no bearing on its answer.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    text_document: TextDocumentIdentifier,
    position: Position,
}

impl Place {
    fn uri(&self) -> &str {
        self.text_document.uri.as_ref()
    }
}

/// A place, and whether the declaration counts.
#[derive(Deserialize)]
struct References {
    #[serde(flatten)]
    place: Place,
    context: ReferenceContext,
}

/// A place, and the name to come.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Rename {
    #[serde(flatten)]
    place: Place,
    new_name: String,
}

/// A whole document.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Whole {
    text_document: TextDocumentIdentifier,
}

impl Whole {
    fn uri(&self) -> &str {
        self.text_document.uri.as_ref()
    }
}

/// A part of a document.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part {
    text_document: TextDocumentIdentifier,
    range: Range,
}

impl Part {
    fn uri(&self) -> &str {
        self.text_document.uri.as_ref()
    }
}

/// The document whose examples a command asks for.
pub(super) fn command(desk: &Desk, params: Value) -> Result<String, ResponseError> {
    let params: ExecuteCommandParams = read(params)?;
    if params.command != examples::COMMAND {
        return Err(error(ErrorCode::InvalidParams, format!("there is no command `{}`", params.command)));
    }
    let uri = params.arguments.as_ref().and_then(|list| list.first()?.as_str());
    let uri = uri.ok_or_else(|| error(ErrorCode::InvalidParams, "the address of a policy is missing".into()))?;
    let name = uri::name_of(uri);
    // Of a case file its policy is meant.
    let policy = if ran::is_case_file(&name) {
        let source = ran::policy_of(&name, &desk.texts());
        source.map_err(|why| error(ErrorCode::InvalidParams, why))?.name().to_string()
    } else {
        name
    };
    let open = desk.roots.contains_key(&policy);
    let closed = || error(ErrorCode::InvalidParams, format!("`{}` is not open", desk.uri(&policy)));
    if open { Ok(policy) } else { Err(closed()) }
}

fn read<P: DeserializeOwned>(params: Value) -> Result<P, ResponseError> {
    serde_json::from_value(params)
        .map_err(|why| error(ErrorCode::InvalidParams, format!("this cannot be understood: {why}")))
}

fn with<P: DeserializeOwned, R: Serialize>(params: Value, act: impl FnOnce(P) -> R) -> Result<Value, ResponseError> {
    give(act(read(params)?))
}

pub(super) fn give(answer: impl Serialize) -> Result<Value, ResponseError> {
    serde_json::to_value(answer).map_err(|why| error(ErrorCode::InternalError, why.to_string()))
}

fn failed(why: String) -> ResponseError {
    error(ErrorCode::RequestFailed, why)
}

/// A refusal.
pub(super) fn error(code: ErrorCode, message: String) -> ResponseError {
    ResponseError { code: code as i32, message, data: None }
}
