//! Anthropic Messages: the body around the messages, walked in the order the API hashes it: tools, system, messages.

mod block;
mod cache;
mod image;
mod place;
mod server;
mod thinking;
mod turn;

use std::io;

use serde_json::Value;

use super::finding::Findings;
use super::model::{Version, version};
use super::path::At;
use super::rule::Rule;
use super::shape::{Bound, Need, Object, object, unknown, wrong_type};
use super::text;
use super::tools::{Defined, Naming, schema};
use cache::{Marks, Placement};

/// The API names 32 MB without saying which; the smaller reading is safe.
const MOST_BYTES: usize = 32_000_000;
const SETTINGS: &[(&str, Bound)] =
    &[("temperature", Bound::Between(0.0, 1.0)), ("top_p", Bound::Between(0.0, 1.0)), ("top_k", Bound::Whole(0))];

/// What the settings of a request mean for its messages.
struct Setup {
    model: Option<Version>,
    thinking: Thinking,
}

/// How the request wants the model to think.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Thinking {
    /// Not at all, or not said.
    Off,
    /// With a budget; the API then checks where thinking blocks stand.
    Manual,
    /// As the model sees fit; any turn may go without.
    Adaptive,
}

pub(super) fn lint(body: &Value, at: &At, out: &mut Findings) {
    size(body, at, out);
    let Some(body) = object(body, *at, out) else {
        return;
    };
    let setup = settings(&body, out);
    let mut marks = Marks::default();
    tools(&body, setup.thinking, &mut marks, out);
    system(&body, &mut marks, out);
    if let Some(list) = body.list("messages", Need::Required, out) {
        turn::lint(list, &body.at.key("messages"), &setup, &mut marks, out);
    }
    marks.automatic(&body, out);
    prefix(&body, &marks, out);
    marks.finish(out);
}

fn size(body: &Value, at: &At, out: &mut Findings) {
    let mut count = Count(0);
    // Writing a value to a counter cannot fail: every key is a string.
    let counted = serde_json::to_writer(&mut count, body).is_ok();
    if counted && count.0 > MOST_BYTES {
        out.error(
            at,
            Rule::BodyTooLarge,
            format!("{} bytes, at most {MOST_BYTES} are taken", count.0),
            "send fewer or smaller pictures and files, or upload them first",
        );
    }
}

/// Counts what is written.
struct Count(usize);

impl io::Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn settings(body: &Object, out: &mut Findings) -> Setup {
    let model = body.filled("model", Need::Optional, out);
    let most = body.number("max_tokens", Need::Required, Bound::Whole(1), out);
    body.settings(SETTINGS, out);
    let mut thinking = Thinking::Off;
    if let Some(setting) = body.child("thinking", Need::Optional, out) {
        thinking = match setting.string("type", Need::Required, out) {
            Some("enabled") => Thinking::Manual,
            Some("adaptive") => Thinking::Adaptive,
            Some("disabled") | None => Thinking::Off,
            Some(other) => {
                let known = ["enabled", "adaptive", "disabled"];
                let at = setting.at.key("type");
                unknown(Rule::InvalidValue, other, &known, &at, out);
                Thinking::Off
            }
        };
        if thinking == Thinking::Manual {
            budget(&setting, most, body.value("tools").is_some(), out);
        }
    }
    Setup { model: model.and_then(|model| version(model, "claude")), thinking }
}

/// At least 1,024, and below `max_tokens` unless thinking is interleaved, which takes tools and a header.
fn budget(thinking: &Object, most: Option<f64>, tools: bool, out: &mut Findings) {
    let bound = Bound::Whole(1024);
    let budget = thinking.number("budget_tokens", Need::Required, bound, out);
    if let (Some(budget), Some(most)) = (budget, most)
        && budget >= most
        && !tools
    {
        out.error(
            &thinking.at.key("budget_tokens"),
            Rule::OutOfRange,
            format!("the budget of {budget} is not below max_tokens, {most}"),
            "raise `max_tokens` above the budget",
        );
    }
}

fn tools(body: &Object, thinking: Thinking, marks: &mut Marks, out: &mut Findings) {
    let mut defined = Defined::new(Naming::Anthropic);
    let at = body.at.key("tools");
    let list = body.list("tools", Need::Optional, out).unwrap_or_default();
    for (i, tool) in list.iter().enumerate() {
        let Some(tool) = object(tool, at.index(i), out) else {
            continue;
        };
        marks.visit(&tool, Placement::Allowed, out);
        match tool.string("type", Need::Optional, out) {
            // A set of tools from an MCP server is named after the server.
            Some("mcp_toolset") => {
                tool.filled("mcp_server_name", Need::Required, out);
            }
            None | Some("custom") => {
                defined.name(&tool, out);
                schema(&tool, "input_schema", Need::Required, out);
                properties(&tool, out);
            }
            Some(_) => defined.name(&tool, out),
        }
    }
    choice(body, thinking, &defined, out);
}

/// Keys of a schema's properties are matched against `^[a-zA-Z0-9_.-]{1,64}$`.
fn properties(tool: &Object, out: &mut Findings) {
    let keys = tool.value("input_schema").and_then(|s| s.get("properties"));
    let Some(Value::Object(keys)) = keys else {
        return;
    };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    for key in keys.keys() {
        if key.is_empty() || key.len() > 64 || !key.bytes().all(plain) {
            out.error(
                &tool.at.key("input_schema").key("properties"),
                Rule::BadToolSchema,
                format!("the property {} is refused", super::finding::shown(key)),
                "name properties with 1 to 64 letters, digits, _ . or -",
            );
        }
    }
}

fn choice(body: &Object, thinking: Thinking, defined: &Defined, out: &mut Findings) {
    let Some(choice) = body.child("tool_choice", Need::Optional, out) else {
        return;
    };
    let at = choice.at.key("type");
    let kind = choice.string("type", Need::Required, out);
    match kind {
        Some("tool") => defined.chosen(&choice, out),
        Some("auto" | "any" | "none") | None => {}
        Some(other) => {
            let known = ["auto", "any", "tool", "none"];
            unknown(Rule::InvalidValue, other, &known, &at, out);
        }
    }
    if thinking == Thinking::Manual && matches!(kind, Some("any" | "tool")) {
        out.error(
            &at,
            Rule::ForcedToolWithThinking,
            "a tool cannot be forced while thinking has a budget".to_owned(),
            "choose \"auto\" or \"none\", or think adaptively",
        );
    }
}

fn system(body: &Object, marks: &mut Marks, out: &mut Findings) {
    let at = body.at.key("system");
    match body.value("system") {
        None | Some(Value::String(_)) => {}
        Some(Value::Array(list)) => {
            for (i, block) in list.iter().enumerate() {
                system_block(block, &at.index(i), i, marks, out);
            }
        }
        Some(other) => wrong_type(other, &at, "a string or a list of text blocks", out),
    }
}

fn system_block(block: &Value, at: &At, index: usize, marks: &mut Marks, out: &mut Findings) {
    let Some(block) = object(block, *at, out) else {
        return;
    };
    if let Some(kind) = block.string("type", Need::Required, out)
        && kind != "text"
    {
        unknown(Rule::PartNotAllowed, kind, &["text"], &block.at.key("type"), out);
        return;
    }
    let Some(content) = block.string("text", Need::Required, out) else {
        return;
    };
    text::not_blank(content, &block.at.key("text"), out);
    marks.system(&block, content, index, out);
}

/// A moment or a request id before a mark writes the cache anew with each request.
fn prefix(body: &Object, marks: &Marks, out: &mut Findings) {
    let at = body.at.key("system");
    match body.value("system") {
        Some(Value::String(content)) if marks.covers(0) => text::stable(content, &at, out),
        Some(Value::Array(list)) => {
            for (i, block) in list.iter().enumerate().filter(|(i, _)| marks.covers(*i)) {
                if let Some(content) = block.get("text").and_then(Value::as_str) {
                    text::stable(content, &at.index(i).key("text"), out);
                }
            }
        }
        _ => {}
    }
}
