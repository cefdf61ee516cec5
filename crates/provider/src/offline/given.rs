//! What the model was given: read from the bytes of the request, so that it tells of what was really sent.

use crate::estimate::raw_input;
use serde_json::Value;
use weftwork::ask::Counter;
use weftwork::count::Meter;
use weftwork::dialect::Dialect;
use weftwork::timeline::{LOOM_MEMORY, TREE_POSITION};

/// A request, as the model on board reads it.
#[derive(Debug)]
pub(crate) struct Given {
    pub(crate) matter: Matter,
    pub(crate) tools: Vec<Tool>,
    pub(crate) choice: Choice,
    pub(crate) max_tokens: Option<u64>,
    pub(crate) stop: Vec<String>,
    pub(crate) seed: i64,
    /// About how many tokens it has.
    pub(crate) tokens: u64,
    /// The same for the same bytes.
    pub(crate) fingerprint: u64,
}

/// What it is about.
#[derive(Debug)]
pub(crate) enum Matter {
    /// A conversation.
    Talk { system: String, turns: Vec<Turn> },
    /// A text to go on from.
    Text(String),
}

/// One message.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    pub(crate) assistant: bool,
    /// What it says.
    pub(crate) texts: Vec<String>,
    /// The tools it calls.
    pub(crate) calls: Vec<String>,
    /// What tools answered: name and text.
    pub(crate) results: Vec<(String, String)>,
}

#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) schema: Value,
}

/// Whether tools may, must or must not be called.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    Auto,
    None,
    Required,
    Named(String),
}

impl Given {
    /// Reads a request. The error says what is wrong with it.
    pub(crate) fn read(body: &[u8], dialect: Dialect) -> Result<Self, String> {
        let value: Value = serde_json::from_slice(body).map_err(|error| format!("the request is not JSON: {error}"))?;
        let matter = match dialect {
            Dialect::Completions => Matter::Text(text(&value, "prompt").ok_or("the request has no prompt")?),
            _ => Matter::Talk {
                system: text(&value, "system").unwrap_or_default(),
                turns: list(&value, "messages").ok_or("the request has no messages")?.iter().filter_map(turn).collect(),
            },
        };
        let number = |keys: [&str; 2]| keys.iter().find_map(|key| value.get(*key)?.as_u64());
        Ok(Self {
            matter,
            tools: list(&value, "tools").unwrap_or_default().iter().filter_map(tool).collect(),
            choice: choice(value.get("toolChoice").or_else(|| value.get("tool_choice"))),
            max_tokens: number(["maxTokens", "max_tokens"]),
            stop: list(&value, "stop").unwrap_or_default().iter().filter_map(|stop| Some(stop.as_str()?.to_owned())).collect(),
            seed: value.get("seed").and_then(Value::as_i64).unwrap_or(0),
            tokens: raw_input(body, Meter::new(Counter::O200k, None)),
            fingerprint: fingerprint(body),
        })
    }
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_str().map(str::to_owned)
}

fn list<'v>(value: &'v Value, key: &str) -> Option<&'v [Value]> {
    value.get(key)?.as_array().map(Vec::as_slice)
}

fn tool(value: &Value) -> Option<Tool> {
    Some(Tool { name: text(value, "name")?, schema: value.get("inputSchema").cloned().unwrap_or_default() })
}

/// `"none"`, `"required"`, or the name of a tool, plain or in one of the shapes APIs have for it.
fn choice(value: Option<&Value>) -> Choice {
    let Some(value) = value else { return Choice::Auto };
    let name = || ["/name", "/toolName", "/function/name"].iter().find_map(|at| value.pointer(at)?.as_str());
    match value.as_str().or_else(|| name().is_none().then(|| value.get("type")?.as_str()).flatten()) {
        Some("none") => Choice::None,
        Some("required" | "any") => Choice::Required,
        Some(_) => Choice::Auto,
        None => name().map_or(Choice::Auto, |name| Choice::Named(name.to_owned())),
    }
}

/// A text without what nobody said: what a loom-aware agent is told of the tree it stands in.
fn said(text: &str) -> String {
    let is_told = |block: &&str| block.starts_with(LOOM_MEMORY) || block.starts_with(TREE_POSITION);
    if !text.split("\n\n").any(|block| is_told(&block)) {
        return text.to_owned();
    }
    text.split("\n\n").filter(|block| !is_told(block)).collect::<Vec<_>>().join("\n\n")
}

/// A message; none if nobody says it.
fn turn(message: &Value) -> Option<Turn> {
    let mut turn = Turn { assistant: text(message, "role").as_deref() == Some("assistant"), ..Turn::default() };
    turn.texts.extend(text(message, "content"));
    for part in list(message, "content").unwrap_or_default() {
        match part.get("type").and_then(Value::as_str) {
            Some("text") => turn.texts.extend(text(part, "text")),
            Some("toolCall") => turn.calls.extend(text(part, "name")),
            Some("toolResult") => turn.results.push((text(part, "name").unwrap_or_default(), result(part))),
            Some(_) | None => {}
        }
    }
    let before = turn.texts.len();
    turn.texts = turn.texts.iter().map(|text| said(text)).filter(|text| !text.is_empty()).collect();
    let is_empty = turn.texts.is_empty() && turn.calls.is_empty() && turn.results.is_empty();
    (!is_empty || before == 0).then_some(turn)
}

fn result(part: &Value) -> String {
    let texts = list(part, "content").unwrap_or_default().iter().filter_map(|part| text(part, "text"));
    text(part, "content").unwrap_or_else(|| texts.collect::<Vec<_>>().join("\n"))
}

/// FNV-1a: short, and the same on every machine.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
