//! What a client asks of the reply beside its sampling, in neutral words, read from any of the three APIs.

use super::Rest;
use crate::decode::object::{Object, string};
use crate::encode::Api;
use crate::model::Json;

/// Which tool is to be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ToolChoice {
    Auto,
    None,
    Required,
    Named(String),
}

/// The shape that the reply must have.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ReplyFormat {
    AnyJson,
    Schema { name: String, schema: Json, strict: Option<bool> },
}

/// What was asked for, and the fields that said so.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices {
    pub(super) tool_choice: Option<ToolChoice>,
    pub(super) parallel: Option<bool>,
    pub(super) format: Option<ReplyFormat>,
    pub(super) effort: Option<String>,
    pub(super) user: Option<String>,
}

impl Choices {
    pub(super) fn of(rest: &Rest) -> Choices {
        let word = |key: &str| rest.field(key).and_then(string);
        let object = |key: &str| rest.field(key).and_then(|raw| Object::parse(raw.get()).ok());
        let mut choices = Choices { tool_choice: tool_choice(rest), ..Choices::default() };
        match rest.api {
            Api::Chat => {
                choices.parallel = truth(rest, "parallel_tool_calls");
                choices.effort = word("reasoning_effort");
                choices.user = word("user");
                choices.format = object("response_format").and_then(|format| {
                    let schema = format.object("json_schema");
                    reply_format(&format.word("type")?, schema.as_ref())
                });
            }
            Api::Responses => {
                choices.parallel = truth(rest, "parallel_tool_calls");
                choices.effort = object("reasoning").and_then(|reasoning| reasoning.word("effort"));
                choices.user = word("user");
                choices.format = object("text").and_then(|text| text.object("format")).and_then(|format| {
                    let kind = format.word("type")?;
                    reply_format(&kind, Some(&format))
                });
            }
            Api::Messages => {
                choices.parallel = object("tool_choice")
                    .and_then(|choice| choice.get("disable_parallel_tool_use").map(|raw| raw.get() != "true"));
                choices.user = object("metadata").and_then(|metadata| metadata.word("user_id"));
                let config = object("output_config").and_then(|config| config.object("format"));
                choices.format = config.or_else(|| object("output_format")).and_then(|format| {
                    let kind = format.word("type")?;
                    reply_format(&kind, Some(&format))
                });
            }
        }
        choices
    }
}

fn truth(rest: &Rest, key: &str) -> Option<bool> {
    rest.field(key).and_then(|raw| raw.get().parse().ok())
}

fn tool_choice(rest: &Rest) -> Option<ToolChoice> {
    let raw = rest.field("tool_choice")?;
    let word = |word: &str| match word {
        "auto" => Some(ToolChoice::Auto),
        "none" => Some(ToolChoice::None),
        "required" | "any" => Some(ToolChoice::Required),
        _ => None,
    };
    if let Some(text) = string(raw) {
        return word(&text);
    }
    let choice = Object::parse(raw.get()).ok()?;
    let name = choice.object("function").and_then(|function| function.word("name")).or_else(|| choice.word("name"));
    match choice.word("type")?.as_str() {
        "function" | "tool" => name.map(ToolChoice::Named),
        kind => word(kind),
    }
}

fn reply_format(kind: &str, schema: Option<&Object<'_>>) -> Option<ReplyFormat> {
    match kind {
        "json_object" => Some(ReplyFormat::AnyJson),
        "json_schema" => {
            let described = schema?;
            Some(ReplyFormat::Schema {
                name: described.word("name").unwrap_or_else(|| "reply".to_owned()),
                schema: described.json("schema")?,
                strict: described.get("strict").and_then(|raw| raw.get().parse().ok()),
            })
        }
        _ => None,
    }
}
