//! A ChatGPT message on its way into the tree.

use super::super::ImportError;
use super::super::draft::Draft;
use super::super::facts;
use super::super::item::Fields;
use super::assets::Assets;
use super::content::Content;
use crate::model::{EntityId, ImportedRole, Json, Node, NodeId, Part, Reasoning, ResultContent, Status, ToolResult};
use std::collections::HashMap;

/// Where a message leaves the conversation: what the next one continues, and which call waits for its answer.
#[derive(Clone, Debug, Default)]
pub(super) struct After {
    pub(super) node: Option<NodeId>,
    /// A call without an answer yet.
    open: Option<Open>,
    /// A call whose answer was given in this node, and may go on in the next message.
    answer: Option<(Open, usize)>,
}

#[derive(Clone, Debug)]
struct Open {
    id: String,
    tool: String,
}

pub(super) struct Reading<'a> {
    pub(super) draft: Draft,
    pub(super) assets: &'a Assets<'a>,
    pub(super) after: HashMap<String, After>,
}

impl Reading<'_> {
    pub(super) fn message(&mut self, id: &str, before: &After, mut fields: Fields<'_>) -> Result<After, ImportError> {
        let (role, name) = author(&mut fields)?;
        let mut node = self.draft.node(Some(id), &EntityId::from(""));
        node.parent.clone_from(&before.node);
        node.created_at = fields.moment("create_time", "createdAt");
        node.excluded = fields.decimal("weight", "excluded, if it is 0") == Some(0.0);
        if fields.string("status", "").as_deref() == Some("in_progress") {
            node.status = Status::Error;
        }
        let recipient = fields.filled("recipient", "name of a call").filter(|recipient| recipient != "all");
        let content = match fields.object("content") {
            Some(content) => Content::read(self.assets, content)?,
            None => Content::default(),
        };
        let meta = Meta::read(&mut fields, self.assets, &content)?;
        fields.mapped("id", "id of the node");
        fields.dropped_all(&["update_time", "end_turn", "channel"], "a node does not change, and is whole");
        let of = fields.of().clone();
        fields.end()?;
        node.model = meta.model.map(|model| format!("openai/{model}"));
        if content.error.is_some() {
            (node.status, node.error) = (Status::Error, content.error);
        }
        let mut parts = content.parts;
        parts.extend(meta.files);
        if let Some(seconds) = meta.seconds {
            self.took(&node, before, seconds);
        }
        let after = match role.as_str() {
            "tool" => return Ok(self.tool(node, name, parts, before)),
            "user" if !content.is_instructions => {
                node.author = self.draft.human("User");
                self.said(node, parts)
            }
            "assistant" => {
                node.author = self.draft.agent("ChatGPT");
                match recipient {
                    Some(tool) => Some(self.call(node, tool, parts, content.args)),
                    None => self.said(node, parts),
                }
            }
            "user" | "system" | "developer" => {
                node.author = self.draft.service("System");
                node.role = Some(ImportedRole::System);
                self.said(node, parts)
            }
            other => {
                of.dropped(&format!("message of role {other:?}"), "not a known role");
                None
            }
        };
        Ok(after.unwrap_or_else(|| before.clone()))
    }

    /// Pushes what somebody said; a message without anything in it leaves no node.
    fn said(&mut self, mut node: Node, parts: Vec<Part>) -> Option<After> {
        if parts.is_empty() && node.status == Status::Sent {
            return None;
        }
        node.parts = parts;
        Some(After { node: Some(self.draft.push(node)), ..After::default() })
    }

    fn call(&mut self, mut node: Node, tool: String, parts: Vec<Part>, args: Json) -> After {
        let id = self.draft.called(None, &tool);
        node.parts = parts.into_iter().filter(|part| matches!(part, Part::Reasoning(Reasoning { .. }))).collect();
        node.parts.push(Part::call(id.clone(), tool.clone(), args));
        After { node: Some(self.draft.push(node)), open: Some(Open { id, tool }), answer: None }
    }

    /// A tool's message answers the call above it. Several in a row are one answer; one that no call waits for is told
    /// by the tool itself.
    fn tool(&mut self, mut node: Node, name: Option<String>, parts: Vec<Part>, before: &After) -> After {
        if parts.is_empty() {
            return before.clone();
        }
        if let Some((open, index)) = &before.answer
            && name.as_deref().is_none_or(|name| name == open.tool)
            && self.draft.conversation.nodes.len() == index + 1
            && let Some(Part::ToolResult(result)) = self.draft.last_mut().and_then(|node| node.parts.last_mut())
            && let ResultContent::Parts(said) = &mut result.content
        {
            said.extend(parts);
            return before.clone();
        }
        match &before.open {
            Some(open) => {
                node.author = self.draft.agent("ChatGPT");
                let content = ResultContent::Parts(parts);
                let (id, name) = (open.id.clone(), name.or_else(|| Some(open.tool.clone())));
                let is_error = node.status == Status::Error;
                node.parts = vec![Part::ToolResult(ToolResult { id, name, content, is_error, included: false, native: None })];
                let node = self.draft.push(node);
                let index = self.draft.conversation.nodes.len() - 1;
                After { node: Some(node), open: None, answer: Some((open.clone(), index)) }
            }
            None => {
                node.author = self.draft.service(name.as_deref().unwrap_or("Tool"));
                node.parts = parts;
                After { node: Some(self.draft.push(node)), ..After::default() }
            }
        }
    }

    /// How long the model thought is a fact of its call.
    fn took(&mut self, node: &Node, before: &After, seconds: f64) {
        let mut call = facts::call(format!("{}/{}", self.draft.conversation.space.id, node.id), before.node.as_ref());
        call.model.clone_from(&node.model);
        call.created_at.clone_from(&node.created_at);
        call.duration_ms = (seconds >= 0.0).then_some((seconds * 1000.0) as u64);
        self.draft.call(call);
    }
}

fn author(fields: &mut Fields<'_>) -> Result<(String, Option<String>), ImportError> {
    let Some(mut author) = fields.object("author") else { return Ok((String::new(), None)) };
    let role = author.string("role", "author").unwrap_or_default();
    let name = author.filled("name", "name of the tool");
    author.dropped("metadata", "about the account, not the conversation");
    author.end()?;
    Ok((role, name))
}

/// What a message's metadata adds to it.
#[derive(Default)]
struct Meta {
    model: Option<String>,
    seconds: Option<f64>,
    files: Vec<Part>,
}

impl Meta {
    fn read(fields: &mut Fields<'_>, assets: &Assets<'_>, content: &Content) -> Result<Meta, ImportError> {
        let Some(item) = fields.mapped("metadata", "model, files, facts of the call") else { return Ok(Meta::default()) };
        let Some(mut metadata) = item.fields_or_drop("metadata") else { return Ok(Meta::default()) };
        let mut meta = Meta {
            model: metadata.filled("model_slug", "model"),
            seconds: metadata.decimal("finished_duration_sec", "durationMs of the call"),
            files: Vec::new(),
        };
        for attachment in metadata.list("attachments", "image and file parts") {
            meta.files.extend(assets.attachment(&attachment, &content.assets)?);
        }
        // The app's own notes come and go with its versions: all of them are about the screen.
        metadata.drop_rest("a note of the app");
        Ok(meta)
    }
}
