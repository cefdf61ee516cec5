//! Netdata's MCP web client: one chat with its special roles, usage history and accounting nodes.
//!
//! `system-title`, `title`, `system-summary`, `summary` and `accounting` become the kinds of the same meaning, by
//! `error` a node of status error is meant, `tool-results` and `tool-call` are results and calls. `usage` and
//! `responseTime` are facts of calls; what `tokenUsageHistory` has beside them (requests whose messages were discarded)
//! becomes calls without a node. `cacheControlIndex` counts the messages that could be sent since the last summary; it
//! becomes the node's id, since an index does not survive an edit.

use super::ImportError;
use super::draft::Draft;
use super::facts;
use super::item::{Fields, Item};
use super::source::Source;
use crate::ask::ToolPolicy;
use crate::model::{
    Conversation, EntityId, ImportedRole, Json, Kind, Node, NodeId, Part, Purpose, ResultContent, Status, ToolResult,
};
use serde_json::Value;
use std::collections::HashSet;

mod ledger;

use ledger::{Counts, Ledger};

const SPECIAL: &[&str] = &["system-title", "title", "system-summary", "summary", "accounting", "tool-results", "tool-call"];

pub(super) fn detect(docs: &[Value]) -> bool {
    let is_chat = |doc: &Value| {
        let Some(messages) = doc.get("messages").and_then(Value::as_array) else { return false };
        let is_special = |message: &Value| {
            let kind = message.get("role").or(message.get("type")).and_then(Value::as_str);
            kind.is_some_and(|kind| SPECIAL.contains(&kind))
                || message.get("usage").is_some_and(|usage| usage.get("promptTokens").is_some())
        };
        let keys = ["tokenUsageHistory", "toolInclusionMode", "mcpServerId", "llmProviderId"];
        keys.iter().any(|key| doc.get(key).is_some()) || messages.iter().any(is_special)
    };
    !docs.is_empty() && docs.iter().all(is_chat)
}

pub(super) fn import(source: &Source<'_>) -> Result<Vec<Conversation>, ImportError> {
    source.docs.iter().map(conversation).collect()
}

fn conversation(doc: &Item<'_>) -> Result<Conversation, ImportError> {
    let mut fields = doc.fields()?;
    let id = fields.filled("id", "space id");
    let title = fields.string("title", "space name").unwrap_or_default();
    let mut chat = Chat {
        draft: Draft::new(id.as_deref().unwrap_or("imported"), &title),
        sendable: Vec::new(),
        ledger: Ledger::default(),
        included: HashSet::new(),
    };
    let agent = chat.draft.agent("Assistant");
    if let (Some(entity), Some(model)) = (chat.draft.entity_mut(&agent), fields.filled("model", "model of the agent")) {
        entity.model = Some(model.replacen(':', "/", 1));
    }
    if let Some(mode) = fields.string("toolInclusionMode", "tool policy of the space") {
        let policy = serde_json::from_value::<ToolPolicy>(mode.as_str().into()).ok();
        chat.draft.conversation.space.settings.tool_policy = policy;
        if policy.is_none() {
            doc.dropped(&format!("toolInclusionMode {mode:?}"), "not a known mode");
        }
    }
    for message in fields.need("messages")?.items()? {
        if let Some(message_fields) = message.fields_or_drop("message") {
            chat.message(&message, message_fields)?;
        }
    }
    for entry in fields.list("tokenUsageHistory", "calls") {
        chat.history_entry(&entry)?;
    }
    let has_system = chat.draft.conversation.nodes.iter().any(|node| node.role == Some(ImportedRole::System));
    if let Some(prompt) = fields.filled("systemPrompt", "systemContext, unless a message says it").filter(|_| !has_system) {
        chat.draft.conversation.space.system_context = prompt;
    }
    fields.dropped_all(
        &[
            "createdAt",
            "updatedAt",
            "mcpServerId",
            "llmProviderId",
            "currentTurn",
            "isActive",
            "config",
            "contextWindow",
            "totalTokensPrice",
            "perModelTokensPrice",
            "overallTokenUsage",
            "titleGenerated",
            "wasWaitingOnLoad",
            "hasUnreadChanges",
        ],
        "about the app, or follows from the messages",
    );
    fields.end()?;
    Ok(chat.finish())
}

/// A chat being read.
struct Chat {
    draft: Draft,
    /// What an API request could hold, since the last summary.
    sendable: Vec<NodeId>,
    ledger: Ledger,
    /// The calls whose results a person chose to send.
    included: HashSet<String>,
}

impl Chat {
    fn message(&mut self, item: &Item<'_>, mut fields: Fields<'_>) -> Result<(), ImportError> {
        let role = fields.string("role", "kind and author");
        let role = fields.string("type", "kind and author").or(role).unwrap_or_default();
        let Some((kind, author)) = self.kind_and_author(&role) else {
            item.dropped(&format!("message of role {role:?}"), "not a known role");
            return Ok(());
        };
        if role == "user" {
            self.draft.close_calls();
        }
        let mut node = self.draft.node(None, &author);
        node.kind = kind;
        node.created_at = fields.moment("timestamp", "createdAt");
        match role.as_str() {
            "system" => node.role = Some(ImportedRole::System),
            "error" => {
                node.status = Status::Error;
                node.error = fields.filled("content", "error");
            }
            _ => {}
        }
        node.parts.extend(fields.filled("content", "text").map(Part::text));
        for call in fields.list("toolCalls", "toolCall parts") {
            if let Some(call) = call.fields_or_drop("tool call") {
                self.tool_call(&mut node, call)?;
            }
        }
        if role == "tool-call" {
            self.own_call(&mut node, &mut fields);
        }
        for result in fields.list("results", "toolResult parts") {
            self.tool_result(&mut node, &result)?;
        }
        if role == "accounting" {
            node.accounting = self.ledger.accounting(&mut fields)?;
        }
        self.facts_of(item, &mut node, &mut fields, kind)?;
        fields.dropped_all(&["turn", "price", "isError", "errorType", "toolResults"], "follows from the messages");
        fields.end()?;
        self.push(node, &role);
        Ok(())
    }

    fn kind_and_author(&mut self, role: &str) -> Option<(Kind, EntityId)> {
        let draft = &mut self.draft;
        Some(match role {
            "user" => (Kind::Message, draft.human("User")),
            "assistant" | "tool-results" | "tool-call" | "error" => (Kind::Message, draft.agent("Assistant")),
            "system" => (Kind::Message, draft.service("System")),
            "system-title" => (Kind::TitleRequest, draft.service("System")),
            "title" => (Kind::Title, draft.agent("Assistant")),
            "system-summary" => (Kind::SummaryRequest, draft.service("System")),
            "summary" => (Kind::Summary, draft.agent("Assistant")),
            "accounting" => (Kind::Accounting, draft.service("System")),
            _ => return None,
        })
    }

    fn push(&mut self, node: Node, role: &str) {
        let id = self.draft.push(node);
        match role {
            "user" | "assistant" | "system" | "tool-results" | "tool-call" => self.sendable.push(id),
            "summary" => self.sendable.clear(),
            _ => {}
        }
    }

    fn tool_call(&mut self, node: &mut Node, mut fields: Fields<'_>) -> Result<(), ImportError> {
        self.own_call(node, &mut fields);
        fields.end()
    }

    fn own_call(&mut self, node: &mut Node, fields: &mut Fields<'_>) {
        let name = fields.any_string(&["name", "toolName"], "name of the call").unwrap_or_else(|| "unknown".into());
        let id = self.draft.called(fields.any_string(&["id", "toolCallId"], "id of the call"), &name);
        let args = fields.take_as("arguments", "args").map_or_else(Json::empty_object, |item| match item.text() {
            Ok(text) => super::media::args(&text),
            Err(_) => item.json(),
        });
        if fields.flag("includeInContext", "included of the part") {
            self.included.insert(id.clone());
        }
        node.parts.push(Part::call(id, name, args));
    }

    fn tool_result(&mut self, node: &mut Node, item: &Item<'_>) -> Result<(), ImportError> {
        let Some(mut fields) = item.fields_or_drop("result") else { return Ok(()) };
        let name = fields.any_string(&["name", "toolName"], "name of the result");
        let id = fields.filled("toolCallId", "id of the result");
        let included = fields.flag("includeInContext", "included of the parts");
        let content = fields.take_as("result", "content of the result").map(|item| item.as_text()).unwrap_or_default();
        let is_error = fields.flag("isError", "");
        fields.dropped_all(&["subChatId", "subChatCosts", "wasProcessedBySubChat"], "about another chat");
        fields.end()?;
        let Ok(id) = self.draft.answered(id, name.as_deref(), item) else {
            item.dropped("result without an id", "no single open call it could answer");
            return Ok(());
        };
        if included {
            self.included.insert(id.clone());
        }
        let content = ResultContent::Text(content);
        node.parts.push(Part::ToolResult(ToolResult { id, name, content, is_error, included, native: None }));
        Ok(())
    }

    /// What the message tells of the call that wrote it.
    fn facts_of(&mut self, item: &Item<'_>, node: &mut Node, fields: &mut Fields<'_>, kind: Kind) -> Result<(), ImportError> {
        let model = fields.filled("model", "model");
        let usage = fields.peek("usage").map(|item| item.json());
        let counts = fields.object("usage").map(Counts::read).transpose()?;
        let duration = fields.count("responseTime", "durationMs of the call");
        node.model = model.as_deref().map(|model| model.replacen(':', "/", 1));
        node.usage = counts.map(|counts| counts.usage(node.model.as_deref()));
        if let Some(index) = fields.count("cacheControlIndex", "cacheMarks") {
            match usize::try_from(index).ok().and_then(|index| self.sendable.get(index)) {
                Some(marked) => node.cache_marks.push(marked.clone()),
                None => item.dropped("cacheControlIndex", "no message stands there"),
            }
        }
        let mut call = facts::call(format!("{}/{}", self.draft.conversation.space.id, node.id), Some(&node.id));
        call.purpose = match kind {
            Kind::Title => Purpose::Title,
            Kind::Summary => Purpose::Summary,
            Kind::Message | Kind::SummaryRequest | Kind::TitleRequest | Kind::Accounting => Purpose::Reply,
        };
        (call.agent, call.model) = (Some(node.author.clone()), node.model.clone());
        (call.created_at, call.duration_ms) = (node.created_at.clone(), duration);
        (call.usage, call.raw_usage) = (node.usage, usage);
        if let Some(counts) = counts {
            self.ledger.spent(counts);
        }
        if facts::says_something(&call) {
            self.draft.call(call);
        }
        Ok(())
    }

    /// An entry of the usage history: the call of a message still here, or of one that was discarded.
    fn history_entry(&mut self, item: &Item<'_>) -> Result<(), ImportError> {
        let Some(mut fields) = item.fields_or_drop("usage entry") else { return Ok(()) };
        let at = fields.moment("timestamp", "createdAt of the call");
        let model = fields.filled("model", "model of the call").map(|model| model.replacen(':', "/", 1));
        fields.dropped("requestId", "calls are numbered anew");
        let raw = item.json();
        let counts = Counts::read(fields)?;
        if self.ledger.settle(counts) {
            return Ok(());
        }
        let conversation = &self.draft.conversation;
        let mut call = facts::call(format!("{}/request-{}", conversation.space.id, conversation.calls.len() + 1), None);
        call.usage = Some(counts.usage(model.as_deref()));
        (call.model, call.created_at, call.raw_usage) = (model, at, Some(raw));
        self.draft.call(call);
        Ok(())
    }

    fn finish(mut self) -> Conversation {
        // A chosen result is of no use without its call.
        for node in &mut self.draft.conversation.nodes {
            for part in &mut node.parts {
                if let Part::ToolCall(call) = part {
                    call.included = self.included.contains(&call.id);
                }
            }
        }
        self.ledger.read_accounting(&mut self.draft.conversation.nodes);
        self.draft.conversation.head = self.draft.conversation.nodes.last().map(|node| node.id.clone());
        self.draft.finish()
    }
}
