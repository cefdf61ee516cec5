//! OpenAI Responses: a request or response body, or a list of items.
//!
//! The API cuts one reply into items: reasoning, then a message, then calls. They belong together and are one node
//! here; an item that cannot continue the reply before it begins the next.

use super::draft::Draft;
use super::error::ImportError;
use super::item::{Fields, Item, Shape};
use super::openai::{self, content};
use super::request;
use super::source::Source;
use crate::model::{Conversation, Json, Node, Part, Reasoning, Status, ToolCall, ToolResult};
use serde_json::Value;

const ROLES: &str = "system, developer, user or assistant";
const PER_REQUEST: &str = "stream stream_options store include reasoning text tool_choice parallel_tool_calls truncation user \
    metadata service_tier background prompt prompt_cache_key prompt_cache_retention safety_identifier max_tool_calls top_logprobs \
    context_management conversation verbosity object created_at completed_at status error incomplete_details usage";
/// Items in which the provider ran a tool itself.
const NATIVE: &[&str] = &[
    "web_search_call",
    "file_search_call",
    "computer_call",
    "code_interpreter_call",
    "image_generation_call",
    "mcp_call",
    "local_shell_call",
];

pub(super) fn detect(docs: &[Value]) -> bool {
    let kinds = ["function_call", "function_call_output", "reasoning", "compaction", "item_reference", "message"];
    let item = |value: &Value| {
        value.get("type").and_then(Value::as_str).is_some_and(|kind| kinds.contains(&kind) || NATIVE.contains(&kind))
    };
    match docs.first() {
        Some(Value::Array(items)) => items.iter().any(item),
        Some(body) if body.get("messages").is_none() => {
            let list = |key: &str| body.get(key).is_some_and(Value::is_array);
            list("input") || body.get("input").is_some_and(Value::is_string) || list("output") || docs.iter().any(item)
        }
        Some(_) | None => false,
    }
}

pub(super) fn import(source: &Source<'_>) -> Result<Vec<Conversation>, ImportError> {
    let mut conversations = Vec::new();
    let mut loose = Reader::new(Draft::new("imported", ""));
    for (n, doc) in source.docs.iter().enumerate() {
        let mut reader = Reader::new(Draft::new(&request::space_id(n), ""));
        match doc.shape() {
            Shape::Array => {
                reader.items(doc)?;
                conversations.push(reader.draft.finish());
            }
            _ => match doc.fields()? {
                fields if fields.has("input") || fields.has("output") => conversations.push(body(fields, reader)?),
                _ => loose.item(doc)?,
            },
        }
    }
    let loose = loose.draft.finish();
    conversations.extend((!loose.nodes.is_empty()).then_some(loose));
    Ok(conversations)
}

fn body(mut fields: Fields<'_>, mut reader: Reader) -> Result<Conversation, ImportError> {
    if let Some(text) = fields.mapped_text("instructions", "a system message")?.filter(|text| !text.is_empty()) {
        let node = reader.draft.system_node(None).text(text);
        reader.draft.push(node);
    }
    match fields.kept("input") {
        Some(input) if input.shape() == Shape::String => reader.say(None, Speaker::Human, vec![Part::text(input.text()?)]),
        Some(input) => reader.items(&input)?,
        None => {}
    }
    if let Some(output) = fields.kept("output") {
        reader.items(&output)?;
    }
    let mut draft = reader.draft;
    request::model(&mut fields, "openai", &mut draft)?;
    for item in fields.each("tools")? {
        draft.conversation.tools.extend(openai::tool(&item)?);
    }
    request::sampling(&mut fields, &mut draft.conversation)?;
    request::max_tokens(&mut fields, &["max_output_tokens"], &mut draft.conversation)?;
    fields.dropped("previous_response_id", "the messages before it lie with the provider");
    fields.dropped("id", "names one response");
    request::one_request(&mut fields, PER_REQUEST);
    fields.end()?;
    Ok(draft.finish())
}

#[derive(Clone, Copy)]
enum Speaker {
    System,
    Human,
    Agent,
}

/// How far the reply that is being read has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reply {
    /// None is being read.
    None,
    /// It has only thought so far, or had the provider look something up.
    Thought,
    /// It has said something.
    Said,
    /// It has called a tool.
    Called,
}

pub(super) struct Reader {
    pub(super) draft: Draft,
    reply: Reply,
}

impl Reader {
    pub(super) fn new(draft: Draft) -> Self {
        Reader { draft, reply: Reply::None }
    }

    fn items(&mut self, list: &Item<'_>) -> Result<(), ImportError> {
        list.items()?.iter().try_for_each(|item| self.item(item))
    }

    pub(super) fn item(&mut self, item: &Item<'_>) -> Result<(), ImportError> {
        let mut fields = item.fields()?;
        let kind = fields.mapped_text("type", "the part's type")?.unwrap_or_else(|| "message".to_owned());
        match kind.as_str() {
            "message" => self.message(&mut fields)?,
            "reasoning" => self.reasoning(&mut fields)?,
            "function_call" | "custom_tool_call" => self.call(&mut fields)?,
            "function_call_output" | "custom_tool_call_output" => self.output(&mut fields)?,
            "compaction" => {
                item.dropped(&item.sort(&kind), "opaque; what it stands for is not in the file");
                return Ok(());
            }
            "item_reference" => {
                item.dropped(&item.sort(&kind), "only the provider can resolve it");
                return Ok(());
            }
            native if NATIVE.contains(&native) => {
                self.native(native, &mut fields, item.json())?;
                item.mapped(&item.sort(native), "a toolCall part, the item kept whole");
                return Ok(());
            }
            other => {
                return item.unknown(other, "message, reasoning, function_call and function_call_output");
            }
        }
        fields.end()
    }

    fn message(&mut self, fields: &mut Fields<'_>) -> Result<(), ImportError> {
        let role = fields.mapped("role", "author").ok_or_else(|| fields.of().wrong(format!("needs \"role\": {ROLES}")))?;
        let speaker = match role.text()?.as_str() {
            "system" | "developer" => Speaker::System,
            "user" => Speaker::Human,
            "assistant" => Speaker::Agent,
            other => return Err(role.wrong(format!("unknown role {other:?}: use {ROLES}"))),
        };
        let id = fields.mapped_text("id", "the node's id")?;
        let parts = content::content(fields)?;
        self.say(id.as_deref(), speaker, parts);
        fields.dropped("phase", request::ONE_REQUEST);
        self.status(fields)
    }

    fn say(&mut self, id: Option<&str>, speaker: Speaker, parts: Vec<Part>) {
        let mut node = match speaker {
            Speaker::System => self.draft.system_node(id),
            Speaker::Human => {
                self.draft.close_calls();
                let author = self.draft.human("User");
                self.draft.node(id, &author)
            }
            Speaker::Agent => return self.reply(id, Reply::Said, parts),
        };
        node.parts = parts;
        self.draft.push(node);
        self.reply = Reply::None;
    }

    /// Adds to the reply being read if `step` can still come in it, else begins a new one.
    fn reply(&mut self, id: Option<&str>, step: Reply, parts: Vec<Part>) {
        let goes_on = self.reply < step || (self.reply == step && step != Reply::Said);
        match self.draft.last_mut().filter(|_| self.reply != Reply::None && goes_on) {
            Some(node) => node.parts.extend(parts),
            None => {
                let author = self.draft.agent("Assistant");
                let node = self.draft.node(id, &author);
                self.draft.push(Node { parts, ..node });
            }
        }
        self.reply = step;
    }

    fn reasoning(&mut self, fields: &mut Fields<'_>) -> Result<(), ImportError> {
        let mut texts = Vec::new();
        for key in ["summary", "content"] {
            for item in fields.each(key)? {
                let mut piece = item.fields()?;
                piece.mapped("type", "the part's type");
                texts.push(piece.need("text")?.text()?);
                piece.end()?;
            }
        }
        let part = Reasoning {
            text: texts.join("\n\n"),
            signature: fields.mapped_text("encrypted_content", "signature")?,
            id: fields.text("id")?,
            redacted: false,
        };
        self.reply(None, Reply::Thought, vec![Part::Reasoning(part)]);
        self.status(fields)
    }

    fn call(&mut self, fields: &mut Fields<'_>) -> Result<(), ImportError> {
        let id = fields.mapped_text("call_id", "id")?;
        fields.dropped("id", "the call_id joins it to its result");
        let part = match fields.mapped_text("input", "args")? {
            None => openai::function_call(fields, id, &mut self.draft)?,
            // A custom tool takes free text, which is kept as a JSON string.
            Some(input) => {
                let name = fields.need("name")?.text()?;
                Part::call(self.draft.called(id, &name), name, Json::string(&input))
            }
        };
        self.reply(None, Reply::Called, vec![part]);
        self.status(fields)
    }

    fn output(&mut self, fields: &mut Fields<'_>) -> Result<(), ImportError> {
        let id = fields.mapped_text("call_id", "id")?;
        let id = self.draft.answered(id, None, fields.of())?;
        fields.dropped("id", "the call_id joins it to its call");
        let parts = fields.mapped("output", "content").map_or(Ok(Vec::new()), |output| content::parts(&output))?;
        let author = self.draft.agent("Assistant");
        let content = content::result(parts);
        let part = ToolResult { id, name: None, content, is_error: false, included: false, native: None };
        let node = self.draft.node(None, &author).part(Part::ToolResult(part));
        self.draft.push(node);
        self.reply = Reply::None;
        fields.dropped("status", "a result is whole");
        Ok(())
    }

    /// A tool that the provider ran on its way to the reply.
    fn native(&mut self, kind: &str, fields: &mut Fields<'_>, native: Json) -> Result<(), ImportError> {
        let name = kind.strip_suffix("_call").unwrap_or(kind).to_owned();
        let id = fields.text("id")?.unwrap_or_else(|| name.clone());
        let call = ToolCall { id, name, args: Json::empty_object(), signature: None, included: false, native: Some(native) };
        self.reply(None, Reply::Thought, vec![Part::ToolCall(call)]);
        Ok(())
    }

    /// An item that is not completed makes its node one that broke off.
    fn status(&mut self, fields: &mut Fields<'_>) -> Result<(), ImportError> {
        let status = fields.mapped_text("status", "the node's status")?;
        if let Some(node) = self.draft.last_mut().filter(|_| status.is_some_and(|status| status != "completed")) {
            node.status = Status::Error;
        }
        Ok(())
    }
}
