//! OpenAI Responses: a list of items, matched by `call_id`, with reasoning kept next to what it led to.

mod call;
mod message;
mod reasoning;

use std::collections::HashSet;

use serde_json::Value;

use super::finding::{Findings, shown};
use super::pairs::{Order, Pairs};
use super::path::At;
use super::rule::Rule;
use super::shape::{Bound, Need, Object, missing, object, unknown, wrong_type};
use super::text::{not_empty, not_longer};
use super::tools::{Defined, Naming, schema};

const SETTINGS: &[(&str, Bound)] =
    &[("max_output_tokens", Bound::Whole(1)), ("temperature", Bound::Between(0.0, 2.0)), ("top_p", Bound::Between(0.0, 1.0))];
/// The longest text of an item.
const LONGEST_TEXT: usize = 10_485_760;
/// The longest id of an item or a call.
const LONGEST_ID: usize = 64;
/// Calls whose output the client sends, by the type of the call.
const CLIENT_CALLS: &[&str] = &["function_call", "custom_tool_call", "computer_call", "shell_call", "apply_patch_call"];
/// Items the API makes and takes back as they are.
const OPAQUE: &[&str] = &[
    "compaction",
    "compaction_summary",
    "item_reference",
    "file_search_call",
    "web_search_call",
    "image_generation_call",
    "code_interpreter_call",
    "local_shell_call",
    "local_shell_call_output",
    "mcp_list_tools",
    "mcp_approval_request",
    "mcp_approval_response",
    "mcp_call",
    "tool_search_call",
    "tool_search_output",
];

/// What an item is in the walk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    Message,
    Reasoning,
    Call,
    Output,
    Opaque,
}

impl Item {
    fn of(item: &Value) -> Option<Self> {
        let Some(kind) = item.get("type") else {
            return item.get("role").map(|_| Self::Message);
        };
        let kind = kind.as_str()?;
        Some(match kind {
            "message" => Self::Message,
            "reasoning" => Self::Reasoning,
            _ if CLIENT_CALLS.contains(&kind) => Self::Call,
            _ if OPAQUE.contains(&kind) => Self::Opaque,
            _ if CLIENT_CALLS.contains(&kind.strip_suffix("_output")?) => Self::Output,
            _ => return None,
        })
    }
}

/// What the settings mean for the items.
struct Setup {
    /// Earlier items are on the server, so a call may be there.
    continued: bool,
    /// Nothing is kept on the server, so ids lead nowhere.
    unstored: bool,
}

pub(super) fn lint(body: &Value, at: &At, out: &mut Findings) {
    let Some(body) = object(body, *at, out) else {
        return;
    };
    body.filled("model", Need::Optional, out);
    body.settings(SETTINGS, out);
    body.string("instructions", Need::Optional, out);
    tools(&body, out);
    let setup = Setup {
        continued: ["previous_response_id", "conversation"].iter().any(|key| body.value(key).is_some()),
        unstored: body.flag("store", out) == Some(false),
    };
    let at = body.at.key("input");
    match body.value("input") {
        // A continued or templated request may have nothing new to say.
        None if setup.continued || body.value("prompt").is_some() => {}
        None => missing(&at, "input", out),
        Some(Value::String(text)) => {
            not_empty(text, &at, out);
            not_longer(text, LONGEST_TEXT, &at, out);
        }
        Some(Value::Array(list)) => items(list, &at, &setup, out),
        Some(other) => wrong_type(other, &at, "a string or a list of items", out),
    }
}

fn tools(body: &Object, out: &mut Findings) {
    let mut defined = Defined::new(Naming::OpenAi);
    let at = body.at.key("tools");
    let list = body.list("tools", Need::Optional, out).unwrap_or_default();
    for (i, tool) in list.iter().enumerate() {
        let Some(tool) = object(tool, at.index(i), out) else {
            continue;
        };
        match tool.string("type", Need::Required, out) {
            Some("function") => {
                defined.name(&tool, out);
                schema(&tool, "parameters", Need::Optional, out);
            }
            Some("custom") => defined.name(&tool, out),
            _ => {}
        }
    }
    if let Some(Value::Object(choice)) = body.value("tool_choice")
        && choice.get("type").and_then(Value::as_str) == Some("function")
        && let Some(choice) = body.child("tool_choice", Need::Optional, out)
    {
        defined.chosen(&choice, out);
    }
}

fn items(list: &[Value], at: &At, setup: &Setup, out: &mut Findings) {
    if list.is_empty() && !setup.continued {
        out.error(at, Rule::EmptyMessages, "there is no item".to_owned(), "send at least one");
    }
    let mut pairs = Pairs::new(Order::Advised);
    let mut ids = HashSet::new();
    for (i, value) in list.iter().enumerate() {
        let Some(item) = object(value, at.index(i), out) else {
            continue;
        };
        item_id(&item, &mut ids, out);
        match Item::of(value) {
            Some(Item::Message) => message::lint(&item, out),
            Some(Item::Reasoning) => {
                reasoning::lint(&item, setup, out);
                reasoning::followed(list.get(i + 1), &item, out);
            }
            Some(Item::Call) => call::lint(&item, &mut pairs, out),
            Some(Item::Output) => call::output(&item, setup, &mut pairs, out),
            Some(Item::Opaque) => {}
            None => no_item(&item, out),
        }
    }
    pairs.close(out);
}

fn no_item(item: &Object, out: &mut Findings) {
    if let Some(kind) = item.string("type", Need::Required, out) {
        let known = ["message", "reasoning", "function_call", "function_call_output"];
        unknown(Rule::UnknownPart, kind, &known, &item.at.key("type"), out);
    }
}

/// Ids are of the API's making: letters, digits, `_` and `-`, at most 64, with the prefix of their kind, each once.
fn item_id<'v>(item: &Object<'v, '_>, ids: &mut HashSet<&'v str>, out: &mut Findings) {
    let Some(id) = item.string("id", Need::Optional, out) else {
        return;
    };
    let at = item.at.key("id");
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let prefix = match item.value("type").and_then(Value::as_str) {
        Some("message") => "msg",
        Some("function_call") => "fc",
        Some("reasoning") => "rs",
        _ => "",
    };
    let fits = !id.is_empty() && id.len() <= LONGEST_ID && id.bytes().all(plain);
    if !fits || !id.starts_with(prefix) {
        out.error(
            &at,
            Rule::BadItemId,
            format!("the item id {} is refused", shown(id)),
            "leave the id out, or send the one the API gave",
        );
    }
    // A replayed item stands in the input once (agent-framework-go#784).
    if !ids.insert(id) {
        out.error(&at, Rule::DuplicateItemId, format!("the item {} is there twice", shown(id)), "send each item once");
    }
}
