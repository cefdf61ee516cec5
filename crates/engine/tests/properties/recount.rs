//! Tokens of a neutral request, counted again from its bytes.

use serde_json::Value;
use serde_json::value::RawValue;
use weftwork::Assembly;
use weftwork::ask::Form;
use weftwork::count::Base;

/// What a request in neutral messages costs under the counter that its report names.
pub(crate) fn recount(assembly: &Assembly) -> u64 {
    let base = match assembly.report.counter.name.as_str() {
        "o200k" => Base::O200k,
        "cl100k" => Base::Cl100k,
        "chars4" => Base::Chars4,
        "tokenx" => Base::Tokenx,
        other => panic!("{other}"),
    };
    let overhead = if assembly.report.form == Form::Buffer { 0 } else { base.overhead() };
    let body: Value = serde_json::from_slice(&assembly.request).expect("JSON");
    let list = |name: &str| body[name].as_array().cloned().unwrap_or_default();
    let system = body["system"].as_str().map_or(0, |text| base.text(text) + overhead);
    let text = |value: &Value| base.text(value.as_str().unwrap_or_default());
    let tool =
        |tool: &Value| text(&tool["name"]) + text(&tool["description"]) + base.text(&tool["inputSchema"].to_string()) + overhead;
    let tools: u64 = list("tools").iter().map(tool).sum();
    let messages: u64 = list("messages").iter().map(|message| content(&message["content"], base, overhead)).sum();
    system + tools + messages
}

fn content(content: &Value, base: Base, overhead: u64) -> u64 {
    match content {
        Value::String(text) => base.text(text) + overhead,
        parts => {
            let parts = parts.as_array().cloned().unwrap_or_default();
            let results = parts.iter().filter(|part| part["type"] == "toolResult").count();
            let wrapped = results + usize::from(results < parts.len());
            parts.iter().map(|one| part(one, base)).sum::<u64>() + overhead * wrapped as u64
        }
    }
}

fn part(part: &Value, base: Base) -> u64 {
    let text = |value: &Value| base.text(value.as_str().unwrap_or_default());
    match part["type"].as_str().unwrap_or_default() {
        "text" | "reasoning" => text(&part["text"]),
        "toolCall" => {
            let args: Box<RawValue> = serde_json::value::to_raw_value(&part["args"]).expect("JSON");
            text(&part["name"]) + base.text(args.get())
        }
        "toolResult" => match &part["content"] {
            Value::String(said) => base.text(said),
            parts => parts.as_array().into_iter().flatten().map(|one| self::part(one, base)).sum(),
        },
        "image" => match (part["width"].as_u64(), part["height"].as_u64()) {
            (Some(width), Some(height)) => (width * height).div_ceil(750).clamp(85, 1600),
            _ => 1600,
        },
        "file" => text(&part["name"]) + 1600,
        other => panic!("{other}"),
    }
}
