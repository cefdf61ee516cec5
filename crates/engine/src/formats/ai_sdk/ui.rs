//! UI messages: what an app of the AI SDK stores.
//!
//! A reply of several steps is one message there, each tool part holding call and result. Here it becomes what was
//! sent: words and calls, their results, then the next step.

use super::super::draft::Draft;
use super::super::error::ImportError;
use super::super::item::{Fields, Item, Shape};
use super::super::media;
use super::provider;
use crate::model::{EntityId, Node, Part, Reasoning, ResultContent, Text, Timestamp, ToolCall, ToolResult};

const KINDS: &str = "text, reasoning, tool-NAME, dynamic-tool, file, source-url, source-document, step-start and data-NAME";

pub(super) fn system(fields: &mut Fields<'_>, draft: &mut Draft) -> Result<(), ImportError> {
    let head = Head::take(fields)?;
    let parts = words(fields, draft)?;
    let node = draft.system_node(head.id.as_deref());
    draft.push(Node { parts, created_at: head.time, ..node });
    Ok(())
}

pub(super) fn user(fields: &mut Fields<'_>, draft: &mut Draft) -> Result<(), ImportError> {
    draft.close_calls();
    let head = Head::take(fields)?;
    let author = draft.human("User");
    let parts = words(fields, draft)?;
    let node = draft.node(head.id.as_deref(), &author);
    draft.push(Node { parts, created_at: head.time, ..node });
    Ok(())
}

pub(super) fn assistant(fields: &mut Fields<'_>, draft: &mut Draft) -> Result<(), ImportError> {
    let author = draft.agent("Assistant");
    let mut reply = Reply { head: Head::take(fields)?, author, said: Vec::new(), results: Vec::new(), pushed: false };
    for piece in pieces(fields, draft)? {
        match piece {
            Piece::Step => reply.push(draft),
            Piece::Said(part) => {
                if !reply.results.is_empty() {
                    reply.push(draft);
                }
                reply.said.push(part);
            }
            Piece::Tool { call, result } => {
                reply.said.push(call);
                reply.results.extend(result);
            }
        }
    }
    reply.push(draft);
    if !reply.pushed {
        let node = draft.node(reply.head.id.as_deref(), &reply.author);
        draft.push(Node { created_at: reply.head.time, ..node });
    }
    Ok(())
}

/// What stands beside the parts.
struct Head {
    id: Option<String>,
    time: Option<Timestamp>,
}

impl Head {
    fn take(fields: &mut Fields<'_>) -> Result<Head, ImportError> {
        let id = fields.mapped_text("id", "the node's id")?;
        let mut time = fields.kept("createdAt").map(|item| item.time()).transpose()?;
        if let Some(metadata) = fields.dropped("metadata", "the app's own, but for a time") {
            let inner = (metadata.shape() == Shape::Object).then(|| metadata.fields()).transpose()?;
            time = time.or(inner.and_then(|inner| inner.peek("createdAt")?.time().ok()));
        }
        fields.dropped_all(&["annotations", "data", "revisionId", "status"], "the app's own");
        Ok(Head { id, time })
    }
}

/// A reply being cut into steps.
struct Reply {
    head: Head,
    author: EntityId,
    said: Vec<Part>,
    results: Vec<Part>,
    pushed: bool,
}

impl Reply {
    fn push(&mut self, draft: &mut Draft) {
        for parts in [std::mem::take(&mut self.said), std::mem::take(&mut self.results)] {
            if !parts.is_empty() {
                let node = draft.node(self.head.id.as_deref(), &self.author);
                draft.push(Node { parts, created_at: self.head.time.clone(), ..node });
                self.pushed = true;
            }
        }
    }
}

enum Piece {
    Step,
    Said(Part),
    Tool { call: Part, result: Option<Part> },
}

/// The parts of a message that calls no tools.
fn words(fields: &mut Fields<'_>, draft: &mut Draft) -> Result<Vec<Part>, ImportError> {
    let flat = |piece| match piece {
        Piece::Step => Vec::new(),
        Piece::Said(part) => vec![part],
        Piece::Tool { call, result } => std::iter::once(call).chain(result).collect(),
    };
    Ok(pieces(fields, draft)?.into_iter().flat_map(flat).collect())
}

fn pieces(fields: &mut Fields<'_>, draft: &mut Draft) -> Result<Vec<Piece>, ImportError> {
    let mut pieces = Vec::new();
    if fields.has("parts") {
        for item in fields.each("parts")? {
            pieces.extend(piece(&item, draft)?);
        }
        fields.dropped_all(&["content", "toolInvocations", "reasoning"], "the parts hold the same");
    } else {
        let thought = fields.mapped_text("reasoning", "a reasoning part")?.filter(|text| !text.is_empty());
        pieces.extend(thought.map(|text| Piece::Said(Part::Reasoning(Reasoning { text, ..Reasoning::default() }))));
        for item in fields.each("toolInvocations")? {
            pieces.push(invocation(&item, draft)?);
        }
        let text = fields.text("content")?.filter(|text| !text.is_empty());
        pieces.extend(text.map(|text| Piece::Said(Part::text(text))));
    }
    for item in fields.each("experimental_attachments")? {
        let mut inner = item.fields()?;
        let name = inner.text("name")?.unwrap_or_default();
        let media_type = inner.mapped_text("contentType", "mediaType")?;
        pieces.push(Piece::Said(provider::link(&name, &inner.need("url")?.text()?, media_type.as_deref())));
        inner.end()?;
    }
    Ok(pieces)
}

fn piece(item: &Item<'_>, draft: &mut Draft) -> Result<Option<Piece>, ImportError> {
    let mut fields = item.fields()?;
    let kind = fields.mapped_text("type", "the part's type")?.unwrap_or_default();
    let piece = match kind.as_str() {
        "text" => {
            let signature = provider::opaque(&mut fields, "providerMetadata")?.signature;
            Piece::Said(Part::Text(Text { text: fields.need("text")?.text()?, signature }))
        }
        "reasoning" => {
            let opaque = provider::opaque(&mut fields, "providerMetadata")?;
            let text = fields.text("text")?.or(fields.mapped_text("reasoning", "text")?).unwrap_or_default();
            fields.dropped("details", "the text is the same");
            let (signature, id, redacted) = (opaque.signature, opaque.id, opaque.redacted);
            Piece::Said(Part::Reasoning(Reasoning { text, signature, id, redacted }))
        }
        "file" => {
            let media_type = fields.text("mediaType")?.or(fields.mapped_text("mimeType", "mediaType")?);
            let url = fields.mapped_text("url", "data or url")?.or(fields.text("data")?);
            let url = url.ok_or_else(|| item.wrong("needs \"url\""))?;
            fields.dropped("providerMetadata", "the provider's own");
            Piece::Said(provider::link_named(&mut fields, &url, media_type.as_deref())?)
        }
        "step-start" => Piece::Step,
        "tool-invocation" => invocation(&fields.need("toolInvocation")?, draft)?,
        "dynamic-tool" => {
            let name = fields.mapped_text("toolName", "name")?.ok_or_else(|| item.wrong("needs \"toolName\""))?;
            tool(&name, &mut fields, draft)?
        }
        "source-url" | "source-document" | "source" => return drop(item, &kind, "says what a reply drew on, and is not sent"),
        data if data.starts_with("data-") => return drop(item, data, "the app's own data"),
        tagged => match tagged.strip_prefix("tool-") {
            Some(name) => tool(name, &mut fields, draft)?,
            None => return item.unknown(tagged, KINDS).map(|()| None),
        },
    };
    fields.dropped("state", "says how far it was streamed");
    fields.end()?;
    Ok(Some(piece))
}

fn drop(item: &Item<'_>, kind: &str, why: &str) -> Result<Option<Piece>, ImportError> {
    item.dropped(&item.sort(kind), why);
    Ok(None)
}

/// A tool part. It is answered if it holds an answer, whatever its state says: the names of states change.
fn tool(name: &str, fields: &mut Fields<'_>, draft: &mut Draft) -> Result<Piece, ImportError> {
    let id = fields.mapped_text("toolCallId", "id")?;
    let id = draft.called(id, name);
    let signature = provider::opaque(fields, "callProviderMetadata")?.signature;
    let input = fields.mapped("input", "args").or_else(|| fields.mapped("rawInput", "args"));
    let args = input.map_or_else(|| media::args(""), |input| input.json());
    fields.dropped("rawInput", "the input is the same");
    let denied = fields.peek("state").is_some_and(|state| state.raw() == "\"output-denied\"");
    let approval = fields.mapped("approval", "the answer of a denied call").map(|item| item.fields()).transpose()?;
    let reason = approval.and_then(|approval| approval.peek("reason")?.text().ok());
    let answer = match (fields.mapped_text("errorText", "content")?, fields.mapped("output", "content")) {
        (Some(error), _) => Some((ResultContent::Text(error), true)),
        (None, Some(output)) => Some((provider::plain(&output)?, false)),
        (None, None) => denied.then(|| (ResultContent::Text(reason.unwrap_or_else(|| "denied".to_owned())), true)),
    };
    fields.dropped_all(&["providerExecuted", "preliminary", "title", "resultProviderMetadata"], "about how the tool was run");
    Ok(answered(draft, id, name, args, signature, answer))
}

/// A tool call as the fourth version had it.
fn invocation(item: &Item<'_>, draft: &mut Draft) -> Result<Piece, ImportError> {
    let mut fields = item.fields()?;
    let name = fields.mapped_text("toolName", "name")?.ok_or_else(|| item.wrong("needs \"toolName\""))?;
    let id = fields.mapped_text("toolCallId", "id")?;
    let id = draft.called(id, &name);
    let args = fields.kept("args").map_or_else(|| media::args(""), |args| args.json());
    let answer = fields.mapped("result", "content").map(|result| provider::plain(&result)).transpose()?;
    fields.dropped_all(&["state", "step"], "says how far it was streamed");
    fields.end()?;
    Ok(answered(draft, id, &name, args, None, answer.map(|answer| (answer, false))))
}

fn answered(
    draft: &mut Draft,
    id: String,
    name: &str,
    args: crate::model::Json,
    signature: Option<String>,
    answer: Option<(ResultContent, bool)>,
) -> Piece {
    if answer.is_some() {
        draft.call_answered(&id);
    }
    let result = answer.map(|(content, is_error)| {
        Part::ToolResult(ToolResult {
            id: id.clone(),
            name: Some(name.to_owned()),
            content,
            is_error,
            included: false,
            native: None,
        })
    });
    let call = Part::ToolCall(ToolCall { id, name: name.to_owned(), args, signature, included: false, native: None });
    Piece::Tool { call, result }
}
