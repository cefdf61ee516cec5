//! Chat Completions messages, a line for each branch, as training files and evaluations read them.

use super::branches::Branches;
use super::weft::push_line;
use super::{LossReport, left_out};
use crate::model::{
    Conversation, Entity, EntityKind, File, Image, ImportedRole, Json, Kind, Media, Node, Part, ResultContent, ToolCall,
    ToolResult,
};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::HashMap;

const SAID: &[&str] = &["space.systemContext", "entities[].systemPrompt", "tools"];

pub(super) fn lines(conversation: &Conversation, out: &mut String, loss: &mut LossReport) {
    left_out::conversation(conversation, SAID, loss);
    for node in &conversation.nodes {
        match left_out::reason(node) {
            Some(why) => loss.dropped("nodes", why, &node.id),
            None => {
                loss.mapped("nodes", "messages", &node.id);
                left_out::node(node, SAID, loss);
            }
        }
    }
    let branches = Branches::new(conversation, |node| left_out::reason(node).is_none());
    let writer = Writer::new(conversation);
    let system = writer.system(loss);
    // A node on several branches is written several times, but what it loses is told once.
    let mut told = vec![false; conversation.nodes.len()];
    for leaf in branches.leaves() {
        let mut messages = system.clone();
        for place in branches.path(leaf) {
            let mut scratch = LossReport::default();
            let report = if std::mem::replace(&mut told[place], true) { &mut scratch } else { &mut *loss };
            writer.node(&conversation.nodes[place], &branches, &mut messages, report);
        }
        let line = Line {
            messages,
            tools: conversation.tools.iter().map(|tool| tool_entry(&tool.name, &tool.description, &tool.input_schema)).collect(),
        };
        push_line(&serde_json::to_string(&line).expect("plain data serialises"), out);
    }
}

#[derive(Serialize)]
struct Line<'c> {
    messages: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<ToolEntry<'c>>,
}

#[derive(Serialize)]
struct ToolEntry<'c> {
    r#type: &'static str,
    function: Function<'c>,
}

#[derive(Serialize)]
struct Function<'c> {
    name: &'c str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'c str,
    parameters: &'c Json,
}

fn tool_entry<'c>(name: &'c str, description: &'c str, parameters: &'c Json) -> ToolEntry<'c> {
    ToolEntry { r#type: "function", function: Function { name, description, parameters } }
}

struct Writer<'c> {
    conversation: &'c Conversation,
    entities: HashMap<&'c str, &'c Entity>,
    several_humans: bool,
}

impl<'c> Writer<'c> {
    fn new(conversation: &'c Conversation) -> Self {
        let entities: HashMap<&str, &Entity> = conversation.entities.iter().map(|entity| (entity.id.as_str(), entity)).collect();
        let several_humans = conversation.entities.iter().filter(|entity| entity.kind == EntityKind::Human).count() > 1;
        Writer { conversation, entities, several_humans }
    }

    /// The agent's prompt and the space's text, as the first message. Of several agents only the viewer's is said.
    fn system(&self, loss: &mut LossReport) -> Vec<Value> {
        let agents: Vec<_> = self.conversation.entities.iter().filter(|entity| entity.kind == EntityKind::Agent).collect();
        let viewer = self.conversation.viewer.as_ref();
        let speaker = match agents.as_slice() {
            [only] => Some(*only),
            several => several.iter().copied().find(|agent| Some(&agent.id) == viewer),
        };
        for other in
            agents.iter().filter(|agent| agent.system_prompt.is_some() && speaker.is_none_or(|speaker| speaker.id != agent.id))
        {
            loss.dropped("entities[].systemPrompt", "one of several agents", &other.id);
        }
        let prompt = speaker.and_then(|agent| agent.system_prompt.as_deref());
        let texts = [prompt, Some(self.conversation.space.system_context.as_str())];
        let texts: Vec<&str> = texts.into_iter().flatten().filter(|text| !text.is_empty()).collect();
        if texts.is_empty() { Vec::new() } else { vec![json!({"role": "system", "content": texts.join("\n\n")})] }
    }

    fn role(&self, node: &Node, branches: &Branches<'_>) -> &'static str {
        let kind = |node: &Node| self.entities.get(node.author.as_str()).map(|entity| entity.kind);
        let original =
            node.edited_from.as_ref().and_then(|id| branches.place(id.as_str())).map(|place| &self.conversation.nodes[place]);
        match (node.role, kind(node)) {
            (Some(ImportedRole::System), _) => "system",
            (Some(ImportedRole::User), _) => "user",
            (Some(ImportedRole::Assistant), _) | (None, Some(EntityKind::Agent)) => "assistant",
            // A person's edit of what an agent said is still said by the agent.
            (None, _) if original.and_then(kind) == Some(EntityKind::Agent) => "assistant",
            (None, Some(EntityKind::Human | EntityKind::Service) | None) => "user",
        }
    }

    fn node(&self, node: &Node, branches: &Branches<'_>, messages: &mut Vec<Value>, loss: &mut LossReport) {
        let role = self.role(node, branches);
        if node.kind == Kind::Summary {
            loss.mapped("nodes[].kind summary", "an ordinary message", &node.id);
        }
        let mut message = Draft::default();
        for part in &node.parts {
            match part {
                Part::Text(text) => message.content.push(json!({"type": "text", "text": text.text})),
                Part::Image(image) => message.content.push(image_part(image)),
                Part::File(file) => match file_part(file) {
                    Some(part) => message.content.push(part),
                    None => loss.dropped("nodes[].parts[] file", "only its address is known", &node.id),
                },
                Part::Reasoning(_) => loss.dropped("nodes[].parts[] reasoning", "the format has no place for it", &node.id),
                Part::ToolCall(call) => message.calls.push(call_entry(call, &node.id, loss)),
                Part::ToolResult(result) => {
                    messages.extend(std::mem::take(&mut message).finish(role, self.name(node)));
                    messages.push(result_message(result, &node.id, loss));
                }
            }
        }
        messages.extend(message.finish(role, self.name(node)));
    }

    /// Who speaks, where several people do. The API takes no blanks in a name.
    fn name(&self, node: &Node) -> Option<String> {
        let entity =
            self.entities.get(node.author.as_str()).filter(|entity| self.several_humans && entity.kind == EntityKind::Human)?;
        let plain = |c: char| if c.is_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
        Some(entity.name.chars().map(plain).take(64).collect())
    }
}

/// A message being written.
#[derive(Default)]
struct Draft {
    content: Vec<Value>,
    calls: Vec<Value>,
}

impl Draft {
    fn finish(self, role: &str, name: Option<String>) -> Option<Value> {
        if self.content.is_empty() && self.calls.is_empty() {
            return None;
        }
        let text = |part: &Value| part.get("text").and_then(Value::as_str).map(str::to_owned);
        let content = match self.content.as_slice() {
            [] => Value::Null,
            [only] => text(only).map_or_else(|| json!([only]), Value::from),
            several => json!(several),
        };
        let mut message = json!({"role": role, "content": content});
        if let Some(name) = name {
            message["name"] = name.into();
        }
        if !self.calls.is_empty() {
            message["tool_calls"] = self.calls.into();
        }
        Some(message)
    }
}

fn call_entry(call: &ToolCall, at: impl std::fmt::Display, loss: &mut LossReport) -> Value {
    for (what, is_there) in [("native", call.native.is_some()), ("signature", call.signature.is_some())] {
        if is_there {
            loss.dropped(&format!("nodes[].parts[] toolCall {what}"), "the format has no place for it", &at);
        }
    }
    // Argument text that never was an object is given back as it came.
    let arguments = call.args.as_string().unwrap_or_else(|| call.args.text().to_owned());
    json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}})
}

fn result_message(result: &ToolResult, at: impl std::fmt::Display, loss: &mut LossReport) -> Value {
    if result.is_error {
        loss.dropped("nodes[].parts[] toolResult isError", "the format has no place for it", &at);
    }
    let text = |part: &Part| match part {
        Part::Text(text) => Some(text.text.clone()),
        _ => None,
    };
    let content = match &result.content {
        ResultContent::Text(text) => text.clone(),
        ResultContent::Parts(parts) => {
            parts.iter().filter(|part| text(part).is_none()).for_each(|_| {
                loss.dropped("nodes[].parts[] toolResult pictures and files", "a tool message takes only text", &at);
            });
            parts.iter().filter_map(text).collect::<Vec<_>>().join("\n")
        }
    };
    json!({"role": "tool", "tool_call_id": result.id, "content": content})
}

fn image_part(image: &Image) -> Value {
    json!({"type": "image_url", "image_url": {"url": address(&image.media, &image.media_type)}})
}

fn file_part(file: &File) -> Option<Value> {
    let Media::Data(data) = &file.media else { return None };
    let audio = match file.media_type.as_str() {
        "audio/wav" => Some("wav"),
        "audio/mpeg" => Some("mp3"),
        _ => None,
    };
    Some(match audio {
        Some(format) => json!({"type": "input_audio", "input_audio": {"data": data, "format": format}}),
        None => json!({"type": "file", "file": {"filename": file.name, "file_data": address(&file.media, &file.media_type)}}),
    })
}

fn address(media: &Media, media_type: &str) -> String {
    match media {
        Media::Data(data) => format!("data:{media_type};base64,{data}"),
        Media::Url(url) => url.clone(),
    }
}
