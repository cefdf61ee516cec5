//! What a ChatGPT message holds, by its `content_type`.

use super::super::item::{Fields, Item, Shape};
use super::super::{ImportError, media};
use super::assets::Assets;
use crate::model::{Json, Part, Reasoning};
use serde_json::json;

/// What was read from a message's content.
pub(super) struct Content {
    pub(super) parts: Vec<Part>,
    /// The same as arguments, if the message turns out to be a call.
    pub(super) args: Json,
    /// The files shown in the content.
    pub(super) assets: Vec<String>,
    /// Whether these are the person's standing instructions, not something said.
    pub(super) is_instructions: bool,
    pub(super) error: Option<String>,
}

impl Default for Content {
    fn default() -> Self {
        Content { parts: Vec::new(), args: Json::empty_object(), assets: Vec::new(), is_instructions: false, error: None }
    }
}

impl Content {
    pub(super) fn read(assets: &Assets<'_>, mut fields: Fields<'_>) -> Result<Content, ImportError> {
        let mut content = Content::default();
        let kind = fields.string("content_type", "type of the parts").unwrap_or_default();
        match kind.as_str() {
            "text" | "multimodal_text" => content.read_parts(assets, &mut fields)?,
            "code" => content.code(&mut fields),
            "thoughts" => content.thoughts(&mut fields)?,
            "reasoning_recap" => {
                fields.dropped("content", "how long it took is a fact of the call");
                fields.dropped("parts", "how long it took is a fact of the call");
            }
            "system_error" => {
                content.error = fields.filled("text", "error");
                fields.dropped("name", "the error's text says it");
            }
            "user_editable_context" | "model_editable_context" => {
                content.is_instructions = true;
                for key in ["user_profile", "user_instructions", "model_set_context"] {
                    content.parts.extend(fields.filled(key, "system text").map(Part::text));
                }
            }
            _ => content.page(&mut fields),
        }
        fields.dropped_all(
            &[
                "language",
                "response_format_name",
                "source_analysis_msg_id",
                "assets",
                "tether_id",
                "domain",
                "snippet",
                "pub_date",
                "crawl_date",
                "pub_timestamp",
                "ref_id",
                "repository",
                "repo_summary",
                "structured_context",
            ],
            "a note of the app",
        );
        fields.end()?;
        Ok(content)
    }

    fn read_parts(&mut self, assets: &Assets<'_>, fields: &mut Fields<'_>) -> Result<(), ImportError> {
        for part in fields.list("parts", "parts") {
            match part.shape() {
                Shape::String => self.parts.extend(part.text().ok().filter(|text| !text.is_empty()).map(Part::text)),
                Shape::Object => self.part(assets, &part)?,
                Shape::Null | Shape::Bool | Shape::Number | Shape::Array => part.dropped("part", "neither text nor an object"),
            }
        }
        let texts: Vec<&str> = self.parts.iter().filter_map(text_of).collect();
        let text = texts.join("\n");
        self.args = object_or(&text, "input");
        Ok(())
    }

    fn part(&mut self, assets: &Assets<'_>, item: &Item<'_>) -> Result<(), ImportError> {
        let Some(mut fields) = item.fields_or_drop("part") else { return Ok(()) };
        let kind = fields.string("content_type", "type of the part").unwrap_or_default();
        self.parts.extend(fields.filled("text", "").map(Part::text));
        if let Some(pointer) = fields.filled("asset_pointer", "file in the archive") {
            let mut part = assets.pointer(&pointer, item);
            if let Some(Part::Image(image)) = &mut part {
                let mut side = |key: &str| fields.count(key, "").and_then(|side| u32::try_from(side).ok());
                (image.width, image.height) = (side("width"), side("height"));
            }
            self.parts.extend(part);
            self.assets.push(pointer.rsplit("://").next().unwrap_or(&pointer).to_owned());
        } else if self.parts.is_empty() {
            item.dropped(&format!("part of type {kind:?}"), "there is no text in it");
        }
        fields.drop_rest("a note of the app");
        Ok(())
    }

    fn code(&mut self, fields: &mut Fields<'_>) {
        if let Some(text) = fields.filled("text", "args of a call, or text") {
            self.args = object_or(&text, "code");
            self.parts.push(Part::text(text));
        }
    }

    fn thoughts(&mut self, fields: &mut Fields<'_>) -> Result<(), ImportError> {
        for thought in fields.list("thoughts", "reasoning parts") {
            let Some(mut thought) = thought.fields_or_drop("thought") else { continue };
            let said = [thought.filled("summary", "text of the reasoning"), thought.filled("content", "text of the reasoning")];
            let text = said.into_iter().flatten().collect::<Vec<_>>().join("\n");
            if !text.is_empty() {
                self.parts.push(Part::Reasoning(Reasoning { text, ..Reasoning::default() }));
            }
            thought.dropped_all(&["chunks", "finished"], "a note of the app");
            thought.end()?;
        }
        Ok(())
    }

    /// What a tool found: whatever text it has.
    fn page(&mut self, fields: &mut Fields<'_>) {
        let mut texts = Vec::new();
        for key in ["title", "url", "text", "result", "summary", "output_str", "content"] {
            texts.extend(fields.filled(key, "text of the result"));
        }
        self.args = object_or(&texts.join("\n"), "input");
        if !texts.is_empty() {
            self.parts.push(Part::text(texts.join("\n")));
        }
    }
}

fn text_of(part: &Part) -> Option<&str> {
    match part {
        Part::Text(text) => Some(&text.text),
        Part::Reasoning(_) | Part::ToolCall(_) | Part::ToolResult(_) | Part::Image(_) | Part::File(_) => None,
    }
}

/// Arguments of a call: the text if it is an object, else an object that holds it.
fn object_or(text: &str, key: &str) -> Json {
    let args = media::args(text);
    if args.is_object() { args } else { Json::of(&json!({ key: text })) }
}
