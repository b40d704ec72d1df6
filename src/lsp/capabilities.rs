//! The first question: what the client can do, and what this server can.

use serde_json::{Value, json};

use super::desk::{Client, Desk};
use super::place::Encoding;
use super::{examples, formatting, mending, shipped, tokens, uri};

/// Takes what the client says of itself, and answers what is served. What it leaves out, or writes in another shape,
/// counts as not there.
pub(super) fn initialize(desk: &mut Desk, params: &Value) -> Value {
    let can = |path: &str| params.pointer(&format!("/capabilities{path}"));
    let has = |path: &str| can(path).and_then(Value::as_bool).unwrap_or(false);
    let encodings = can("/general/positionEncodings").and_then(Value::as_array);
    let utf8 = encodings.is_some_and(|list| list.iter().any(|e| e.as_str() == Some(Encoding::Utf8.as_str())));
    desk.encoding = if utf8 { Encoding::Utf8 } else { Encoding::Utf16 };
    desk.client = Client {
        versioned_edits: has("/workspace/workspaceEdit/documentChanges"),
        refreshes_lenses: has("/workspace/codeLens/refreshSupport"),
        watches_files: has("/workspace/didChangeWatchedFiles/dynamicRegistration"),
        opens_content: can("/workspace/textDocumentContent").is_some(),
    };
    let folders = params.get("workspaceFolders").and_then(Value::as_array);
    let folders = folders.into_iter().flatten().filter_map(|folder| folder.get("uri")?.as_str());
    desk.folders = folders.map(uri::name_of).collect();
    if desk.folders.is_empty() {
        desk.folders.extend(params.get("rootUri").and_then(Value::as_str).map(uri::name_of));
    }
    json!({
        "serverInfo": { "name": "nisi", "version": env!("CARGO_PKG_VERSION") },
        "capabilities": {
            "positionEncoding": desk.encoding.as_str(),
            "textDocumentSync": { "openClose": true, "change": 2 },
            "codeActionProvider": { "codeActionKinds": ["quickfix", mending::KIND] },
            "definitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "renameProvider": { "prepareProvider": true },
            "hoverProvider": true,
            "completionProvider": { "triggerCharacters": ["|", " ", ","] },
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "foldingRangeProvider": true,
            "documentFormattingProvider": true,
            "documentRangeFormattingProvider": true,
            "documentOnTypeFormattingProvider": { "firstTriggerCharacter": formatting::TRIGGER },
            "semanticTokensProvider": {
                "legend": { "tokenTypes": tokens::TYPES, "tokenModifiers": tokens::MODIFIERS },
                "full": true,
                "range": true
            },
            "inlayHintProvider": true,
            "codeLensProvider": {},
            "executeCommandProvider": { "commands": [examples::COMMAND] },
            "workspace": {
                "workspaceFolders": { "supported": true, "changeNotifications": true },
                "textDocumentContent": { "schemes": [shipped::SCHEME] }
            }
        }
    })
}
