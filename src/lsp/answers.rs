//! Every request about documents, and who answers it.

use gen_lsp_types::ExecuteCommandParams;
use lsp_server::{ErrorCode, ResponseError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::desk::Desk;
use super::{examples, fixes, uri};

/// The answer to a request.
pub(super) fn answer(desk: &Desk, method: &str, params: Value) -> Result<Value, ResponseError> {
    match method {
        "textDocument/codeAction" => with(params, |p| fixes::code_actions(desk, &p)),
        _ => Err(error(ErrorCode::MethodNotFound, format!("`{method}` is not served"))),
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
    let open = desk.roots.contains_key(&name);
    open.then_some(name).ok_or_else(|| error(ErrorCode::InvalidParams, format!("`{uri}` is not open")))
}

fn read<P: DeserializeOwned>(params: Value) -> Result<P, ResponseError> {
    serde_json::from_value(params)
        .map_err(|why| error(ErrorCode::InvalidParams, format!("this cannot be understood: {why}")))
}

fn with<P: DeserializeOwned, R: Serialize>(params: Value, act: impl FnOnce(P) -> R) -> Result<Value, ResponseError> {
    give(act(read(params)?))
}

fn give(answer: impl Serialize) -> Result<Value, ResponseError> {
    serde_json::to_value(answer).map_err(|why| error(ErrorCode::InternalError, why.to_string()))
}

/// A refusal.
pub(super) fn error(code: ErrorCode, message: String) -> ResponseError {
    ResponseError { code: code as i32, message, data: None }
}
