//! Tools that a provider runs itself: its own blocks go back to it verbatim and to nobody else.
//!
//! Call and result of such an exchange stand in one node and go into one message. Half of one is refused, so it becomes an
//! ordinary call; only OpenAI's items hold call and result at once.

use crate::dialect::Dialect;
use crate::prompt::Piece;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// What tells whose block it is.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Block<'n> {
    #[serde(borrow, default)]
    r#type: Option<Cow<'n, str>>,
    #[serde(borrow, default)]
    executable_code: Option<&'n RawValue>,
    #[serde(borrow, default)]
    code_execution_result: Option<&'n RawValue>,
}

/// Whether a block is one of the API's own.
pub(crate) fn is_own(dialect: Dialect, native: &str) -> bool {
    let Ok(block) = serde_json::from_str::<Block<'_>>(native) else { return false };
    let kind = block.r#type.as_deref().unwrap_or_default();
    match dialect {
        Dialect::Anthropic => matches!(kind, "server_tool_use" | "mcp_tool_use") || kind.ends_with("_tool_result"),
        Dialect::Responses => kind.ends_with("_call"),
        Dialect::Gemini => block.executable_code.is_some() || block.code_execution_result.is_some(),
        Dialect::OpenAi | Dialect::Ollama | Dialect::Completions | Dialect::AiSdk | Dialect::Text | Dialect::Messages => false,
    }
}

/// The exchanges of one node that a provider ran itself.
pub(crate) struct Natives {
    dialect: Dialect,
    calls: Vec<String>,
    results: Vec<String>,
}

impl Natives {
    pub(crate) fn of(pieces: &[Piece<'_>], dialect: Dialect) -> Natives {
        let mut natives = Natives { dialect, calls: Vec::new(), results: Vec::new() };
        for piece in pieces {
            match piece {
                Piece::Call(call) if call.native.is_some() => natives.calls.push(call.id.to_string()),
                Piece::Result(result) if result.native.is_some() => natives.results.push(result.id.to_string()),
                Piece::Text(_) | Piece::Reasoning(_) | Piece::Call(_) | Piece::Result(_) | Piece::Image(_) | Piece::File(_) => {}
            }
        }
        natives
    }

    /// Whether a block is sent as it is: it is the API's own, and whole by itself or with its other half.
    pub(crate) fn stay(&self, piece: &Piece<'_>) -> bool {
        let (native, other_half) = match piece {
            Piece::Call(call) => (call.native, self.results.iter().any(|id| *id == call.id)),
            Piece::Result(result) => (result.native, self.calls.iter().any(|id| *id == result.id)),
            Piece::Text(_) | Piece::Reasoning(_) | Piece::Image(_) | Piece::File(_) => return false,
        };
        let own = native.is_some_and(|native| is_own(self.dialect, native));
        own && (other_half || self.dialect == Dialect::Responses)
    }
}
