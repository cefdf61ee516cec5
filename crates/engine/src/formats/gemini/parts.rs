//! Parts of a Gemini content.

use super::super::draft::Draft;
use super::super::error::ImportError;
use super::super::item::{Fields, Item};
use super::super::media;
use crate::model::{Json, Media, Part, Reasoning, ResultContent, Text, ToolCall, ToolResult};

const KINDS: &str = "text, inlineData, fileData, functionCall, functionResponse, executableCode and codeExecutionResult";

/// Takes a field under its camel case or its snake case name.
pub(super) fn either<'a>(fields: &mut Fields<'a>, key: &str, into: &str) -> Option<Item<'a>> {
    fields.mapped(key, into).or_else(|| fields.mapped(&snake(key), into))
}

/// Leaves out a known field under either name.
pub(super) fn either_dropped(fields: &mut Fields<'_>, key: &str, why: &str) {
    fields.dropped_all(&[key, &snake(key)], why);
}

fn snake(key: &str) -> String {
    let mut snake = String::with_capacity(key.len() + 2);
    for c in key.chars() {
        if c.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// The parts of the field `parts`.
pub(super) fn parts(fields: &mut Fields<'_>, draft: &mut Draft) -> Result<Vec<Part>, ImportError> {
    let parts: Result<Vec<_>, _> = fields.each("parts")?.iter().map(|item| part(item, draft)).collect();
    Ok(parts?.into_iter().flatten().collect())
}

fn part(item: &Item<'_>, draft: &mut Draft) -> Result<Option<Part>, ImportError> {
    let mut fields = item.fields()?;
    let signature = either(&mut fields, "thoughtSignature", "signature").map(|item| item.text()).transpose()?;
    let thought = fields.mapped("thought", "a reasoning part").map_or(Ok(false), |item| item.truth())?;
    let part = if let Some(text) = fields.kept("text") {
        let text = text.text()?;
        Some(match thought {
            true => Part::Reasoning(Reasoning { text, signature, id: None, redacted: false }),
            false => Part::Text(Text { text, signature }),
        })
    } else if let Some(call) = either(&mut fields, "functionCall", "a toolCall part") {
        Some(function_call(&call, signature, draft)?)
    } else if let Some(response) = either(&mut fields, "functionResponse", "a toolResult part") {
        Some(function_response(&response, draft)?)
    } else if let Some(blob) = either(&mut fields, "inlineData", "an image or file part") {
        Some(bytes(&blob, "data", Media::Data)?)
    } else if let Some(link) = either(&mut fields, "fileData", "an image or file part") {
        Some(bytes(&link, "fileUri", Media::Url)?)
    } else if let Some(code) = either(&mut fields, "executableCode", "a toolCall part, kept whole") {
        let id = draft.called(None, "code_execution");
        let (args, native) = (code.json(), Some(item.json()));
        Some(Part::ToolCall(ToolCall { id, name: "code_execution".into(), args, signature, included: false, native }))
    } else if let Some(result) = either(&mut fields, "codeExecutionResult", "a toolResult part, kept whole") {
        Some(code_result(item, &result, draft)?)
    } else {
        item.unknown("", KINDS)?;
        return Ok(None);
    };
    either_dropped(&mut fields, "videoMetadata", "says how to sample a video");
    either_dropped(&mut fields, "mediaResolution", "says how to sample a picture");
    fields.end()?;
    Ok(part)
}

fn function_call(item: &Item<'_>, signature: Option<String>, draft: &mut Draft) -> Result<Part, ImportError> {
    let mut fields = item.fields()?;
    let name = fields.need("name")?.text()?;
    let id = fields.text("id")?;
    let args = fields.kept("args").map_or_else(Json::empty_object, |args| args.json());
    fields.end()?;
    let id = draft.called(id, &name);
    Ok(Part::ToolCall(ToolCall { id, name, args, signature, included: false, native: None }))
}

/// Without ids, as the API long was, responses come in the order of their calls, tool by tool.
fn function_response(item: &Item<'_>, draft: &mut Draft) -> Result<Part, ImportError> {
    let mut fields = item.fields()?;
    let name = fields.need("name")?.text()?;
    let id = match fields.text("id")?.filter(|id| !id.is_empty()) {
        Some(id) => draft.answered(Some(id), None, item)?,
        None => {
            let known = draft.answered_in_order(&name);
            known.ok_or_else(|| item.wrong(format!("a response of {name:?}, but no open call of it: add the id of its call")))?
        }
    };
    let response = fields.mapped("response", "content").map(|response| response.raw().to_owned()).unwrap_or_default();
    either_dropped(&mut fields, "willContinue", "says how the API should go on");
    fields.dropped("scheduling", "says how the API should go on");
    fields.end()?;
    let content = ResultContent::Text(response);
    Ok(Part::ToolResult(ToolResult { id, name: Some(name), content, is_error: false, included: false, native: None }))
}

fn bytes(item: &Item<'_>, key: &str, media: fn(String) -> Media) -> Result<Part, ImportError> {
    let mut fields = item.fields()?;
    let media_type = either(&mut fields, "mimeType", "mediaType").map(|item| item.text()).transpose()?;
    let name = either(&mut fields, "displayName", "the file's name").map(|item| item.text()).transpose()?;
    let data = either(&mut fields, key, "data or url").ok_or_else(|| item.wrong(format!("needs {key:?}")))?.text()?;
    fields.end()?;
    Ok(media::part(&name.unwrap_or_default(), media_type.as_deref(), media(data)))
}

fn code_result(item: &Item<'_>, result: &Item<'_>, draft: &mut Draft) -> Result<Part, ImportError> {
    let fields = result.fields()?;
    let outcome = fields.peek("outcome").map(|outcome| outcome.text()).transpose()?;
    let output = fields.peek("output").map(|output| output.text()).transpose()?.unwrap_or_default();
    let id = draft.answered_in_order("code_execution");
    Ok(Part::ToolResult(ToolResult {
        id: id.ok_or_else(|| item.wrong("the result of code that is not in the contents: add the executableCode part"))?,
        name: Some("code_execution".into()),
        content: ResultContent::Text(output),
        is_error: outcome.is_some_and(|outcome| outcome != "OUTCOME_OK"),
        included: false,
        native: Some(item.json()),
    }))
}
