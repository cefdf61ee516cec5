//! A client's choices in another API: mapped where that has a counterpart, named where it has none.

use super::choices::{Choices, ReplyFormat, ToolChoice};
use super::{Laid, Rest, list};
use crate::decode::object::Object;
use crate::dialect::Dialect;
use crate::encode::Api;
use crate::model::Json;

/// Fields that the engine carries itself.
const CARRIED: &[&str] = &[
    "model",
    "messages",
    "input",
    "instructions",
    "system",
    "tools",
    "functions",
    "stream",
    "stream_options",
    "temperature",
    "top_p",
    "top_k",
    "stop",
    "stop_sequences",
    "seed",
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
];

/// Lays a client's choices over a request in another dialect. Everything rendered stays byte for byte.
pub(super) fn lay_over(rest: &Rest, request: Vec<u8>, dialect: Dialect) -> Laid {
    let choices = Choices::of(rest);
    let mut laying = Laying { members: Vec::new(), done: Vec::new() };
    let offers = Object::parse(&String::from_utf8_lossy(&request)).is_ok_and(|body| body.get("tools").is_some());
    match dialect {
        Dialect::OpenAi => laying.chat(&choices, offers),
        Dialect::Responses => laying.responses(&choices, offers),
        Dialect::Anthropic => laying.messages(&choices, offers),
        Dialect::Ollama => laying.ollama(&choices),
        Dialect::Messages => laying.neutral(&choices, offers),
        Dialect::Gemini | Dialect::Completions | Dialect::AiSdk | Dialect::Text => {}
    }
    let left_out = left_out(rest, &laying.done);
    Laid { request: laying.over(request), left_out }
}

/// What a field asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    Tool,
    Parallel,
    Format,
    Effort,
    User,
}

struct Laying {
    members: Vec<String>,
    done: Vec<Wish>,
}

impl Laying {
    fn add(&mut self, wish: Wish, member: Option<String>) {
        if let Some(member) = member {
            self.members.push(member);
            self.done.push(wish);
        }
    }

    fn over(self, mut request: Vec<u8>) -> Vec<u8> {
        if !self.members.is_empty() && request.pop_if(|last| *last == b'}').is_some() {
            for member in self.members {
                request.push(b',');
                request.extend_from_slice(member.as_bytes());
            }
            request.push(b'}');
        }
        request
    }

    fn chat(&mut self, choices: &Choices, offers: bool) {
        if offers {
            self.add(Wish::Tool, openai_choice(choices, |name| format!(r#"{{"type":"function","function":{{"name":{name}}}}}"#)));
            self.add(Wish::Parallel, choices.parallel.map(|parallel| format!(r#""parallel_tool_calls":{parallel}"#)));
        }
        self.add(
            Wish::Format,
            choices.format.as_ref().map(|format| match format {
                ReplyFormat::AnyJson => r#""response_format":{"type":"json_object"}"#.to_owned(),
                ReplyFormat::Schema { .. } => {
                    format!(r#""response_format":{{"type":"json_schema","json_schema":{{{}}}}}"#, schema(format))
                }
            }),
        );
        self.add(Wish::Effort, choices.effort.as_deref().map(|effort| format!(r#""reasoning_effort":{}"#, text(effort))));
        self.add(Wish::User, choices.user.as_deref().map(|user| format!(r#""user":{}"#, text(user))));
    }

    fn responses(&mut self, choices: &Choices, offers: bool) {
        if offers {
            self.add(Wish::Tool, openai_choice(choices, |name| format!(r#"{{"type":"function","name":{name}}}"#)));
            self.add(Wish::Parallel, choices.parallel.map(|parallel| format!(r#""parallel_tool_calls":{parallel}"#)));
        }
        self.add(
            Wish::Format,
            choices.format.as_ref().map(|format| match format {
                ReplyFormat::AnyJson => r#""text":{"format":{"type":"json_object"}}"#.to_owned(),
                ReplyFormat::Schema { .. } => format!(r#""text":{{"format":{{"type":"json_schema",{}}}}}"#, schema(format)),
            }),
        );
        self.add(Wish::Effort, choices.effort.as_deref().map(|effort| format!(r#""reasoning":{{"effort":{}}}"#, text(effort))));
        self.add(Wish::User, choices.user.as_deref().map(|user| format!(r#""user":{}"#, text(user))));
    }

    fn messages(&mut self, choices: &Choices, offers: bool) {
        if offers && (choices.tool_choice.is_some() || choices.parallel == Some(false)) {
            let kind = match choices.tool_choice.as_ref().unwrap_or(&ToolChoice::Auto) {
                ToolChoice::Auto => r#""type":"auto""#.to_owned(),
                ToolChoice::None => r#""type":"none""#.to_owned(),
                ToolChoice::Required => r#""type":"any""#.to_owned(),
                ToolChoice::Named(name) => format!(r#""type":"tool","name":{}"#, text(name)),
            };
            // `none` takes no such word: nothing is called at all.
            let one = if choices.parallel == Some(false) && choices.tool_choice != Some(ToolChoice::None) {
                r#","disable_parallel_tool_use":true"#
            } else {
                ""
            };
            self.add(Wish::Tool, Some(format!(r#""tool_choice":{{{kind}{one}}}"#)));
        }
        if choices.parallel.is_some() && offers {
            self.done.push(Wish::Parallel);
        }
        if let Some(ReplyFormat::Schema { schema, .. }) = &choices.format {
            let member = format!(r#""output_config":{{"format":{{"type":"json_schema","schema":{}}}}}"#, schema.text());
            self.add(Wish::Format, Some(member));
        }
        self.add(Wish::User, choices.user.as_deref().map(|user| format!(r#""metadata":{{"user_id":{}}}"#, text(user))));
    }

    fn neutral(&mut self, choices: &Choices, offers: bool) {
        let word = |choice: &ToolChoice| match choice {
            ToolChoice::Auto => text("auto"),
            ToolChoice::None => text("none"),
            ToolChoice::Required => text("required"),
            ToolChoice::Named(name) => text(name),
        };
        self.add(
            Wish::Tool,
            choices.tool_choice.as_ref().filter(|_| offers).map(|choice| format!(r#""toolChoice":{}"#, word(choice))),
        );
    }

    fn ollama(&mut self, choices: &Choices) {
        self.add(
            Wish::Format,
            choices.format.as_ref().map(|format| match format {
                ReplyFormat::AnyJson => r#""format":"json""#.to_owned(),
                ReplyFormat::Schema { schema, .. } => format!(r#""format":{}"#, schema.text()),
            }),
        );
    }
}

fn text(text: &str) -> String {
    Json::string(text).text().to_owned()
}

fn openai_choice(choices: &Choices, named: impl FnOnce(String) -> String) -> Option<String> {
    Some(match choices.tool_choice.as_ref()? {
        ToolChoice::Auto => r#""tool_choice":"auto""#.to_owned(),
        ToolChoice::None => r#""tool_choice":"none""#.to_owned(),
        ToolChoice::Required => r#""tool_choice":"required""#.to_owned(),
        ToolChoice::Named(name) => format!(r#""tool_choice":{}"#, named(text(name))),
    })
}

fn schema(format: &ReplyFormat) -> String {
    let ReplyFormat::Schema { name, schema, strict } = format else { return String::new() };
    let strict = strict.map(|strict| format!(r#","strict":{strict}"#)).unwrap_or_default();
    format!(r#""name":{},"schema":{}{strict}"#, text(name), schema.text())
}

/// The client's fields that found no place.
fn left_out(rest: &Rest, done: &[Wish]) -> Vec<String> {
    let set = |key: &&str| rest.field(key).is_some();
    let keys = rest.object().into_iter().map(|(key, _)| key).filter(|key| !CARRIED.contains(key) && *key != list(rest.api));
    let lost = |key: &&str| !wishes(rest.api, key).is_some_and(|wish| done.contains(&wish));
    keys.filter(set).filter(lost).map(str::to_owned).collect()
}

/// What a field asks for, if that can be mapped at all.
fn wishes(api: Api, key: &str) -> Option<Wish> {
    match (api, key) {
        (_, "tool_choice") => Some(Wish::Tool),
        (Api::Chat | Api::Responses, "parallel_tool_calls") => Some(Wish::Parallel),
        (Api::Chat, "response_format") | (Api::Responses, "text") | (Api::Messages, "output_config" | "output_format") => {
            Some(Wish::Format)
        }
        (Api::Chat, "reasoning_effort") | (Api::Responses, "reasoning") => Some(Wish::Effort),
        (Api::Chat | Api::Responses, "user") | (Api::Messages, "metadata") => Some(Wish::User),
        _ => None,
    }
}
