//! The pieces of a node: text, reasoning, tool calls and results, images and files.

use super::Json;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _, ser::SerializeMap};

/// One piece of what a node says.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(tag = "type", rename_all = "camelCase")]
pub enum Part {
    /// Plain text.
    Text(Text),
    /// A model's thinking, with the signature that lets its provider trust it again.
    Reasoning(Reasoning),
    /// A request to run a tool.
    ToolCall(ToolCall),
    /// What the tool answered.
    ToolResult(ToolResult),
    /// A picture.
    Image(Image),
    /// A document or other file.
    File(File),
}

impl Part {
    /// A text part without a signature.
    pub fn text(text: impl Into<String>) -> Self {
        Part::Text(Text { text: text.into(), signature: None })
    }

    /// A tool call; `args` is any JSON.
    pub fn call(id: impl Into<String>, name: impl Into<String>, args: Json) -> Self {
        Part::ToolCall(ToolCall { id: id.into(), name: name.into(), args, signature: None, included: false, native: None })
    }

    /// A successful tool result.
    pub fn result(id: impl Into<String>, content: impl Into<String>) -> Self {
        Part::ToolResult(ToolResult {
            id: id.into(),
            name: None,
            content: ResultContent::Text(content.into()),
            is_error: false,
            included: false,
            native: None,
        })
    }
}

/// Plain text.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema)]
pub struct Text {
    /// The text.
    pub text: String,
    /// Opaque provider data that must come back with this part (Gemini's thought signature).
    pub signature: Option<String>,
}

/// A model's thinking.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema)]
pub struct Reasoning {
    /// What is readable of it; may be empty.
    pub text: String,
    /// Opaque provider data: Anthropic's signature or redacted data, OpenAI's encrypted content.
    pub signature: Option<String>,
    /// The provider's item id.
    pub id: Option<String>,
    /// Whether the provider hid the text.
    pub redacted: bool,
}

/// A request to run a tool.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct ToolCall {
    /// Joins the call to its result.
    pub id: String,
    /// The tool.
    pub name: String,
    /// An object; a JSON string here is argument text that was cut off or never was an object.
    pub args: Json,
    /// Opaque provider data that must come back with this part.
    pub signature: Option<String>,
    /// Chosen under the `manual` tool policy.
    pub included: bool,
    /// The provider's own block, when the provider runs the tool itself.
    pub native: Option<Json>,
}

/// What a tool answered.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct ToolResult {
    /// The id of the call.
    pub id: String,
    /// The tool, where the source names it.
    pub name: Option<String>,
    /// The answer.
    pub content: ResultContent,
    /// Whether the tool failed.
    pub is_error: bool,
    /// Chosen under the `manual` tool policy.
    pub included: bool,
    /// The provider's own block, when the provider ran the tool itself.
    pub native: Option<Json>,
}

/// A tool's answer: text, or parts where it holds pictures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ResultContent {
    /// Plain text.
    Text(String),
    /// Several parts.
    Parts(Vec<Part>),
}

/// A picture.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct Image {
    /// For instance `image/png`.
    pub media_type: String,
    /// Where the bytes are.
    #[schemars(flatten)]
    pub media: Media,
    /// Pixels, if known.
    pub width: Option<u32>,
    /// Pixels, if known.
    pub height: Option<u32>,
}

/// A document or other file.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct File {
    /// Shown name.
    pub name: String,
    /// For instance `application/pdf`.
    pub media_type: String,
    /// Where the bytes are.
    #[schemars(flatten)]
    pub media: Media,
}

/// Bytes of an image or file: on board as base64, or elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub enum Media {
    /// Base64 without a `data:` prefix.
    Data(String),
    /// An address. Never fetched by the engine.
    Url(String),
}

/// Every field a part may have. Read through one flat struct because a tagged enum would buffer, and buffered JSON
/// loses the exact text of arguments.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wire {
    r#type: String,
    text: Option<String>,
    signature: Option<String>,
    id: Option<String>,
    #[serde(default)]
    redacted: bool,
    name: Option<String>,
    args: Option<Json>,
    content: Option<Json>,
    #[serde(default)]
    is_error: bool,
    #[serde(default)]
    included: bool,
    native: Option<Json>,
    media_type: Option<String>,
    data: Option<String>,
    url: Option<String>,
    width: Option<u32>,
    height: Option<u32>,
}

impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wire = Wire::deserialize(deserializer)?;
        match wire.r#type.as_str() {
            "text" => Ok(Part::Text(Text { text: need(wire.text, "text", "text")?, signature: wire.signature })),
            "reasoning" => Ok(Part::Reasoning(Reasoning {
                text: wire.text.unwrap_or_default(),
                signature: wire.signature,
                id: wire.id,
                redacted: wire.redacted,
            })),
            "toolCall" => Ok(Part::ToolCall(ToolCall {
                id: need(wire.id, "toolCall", "id")?,
                name: need(wire.name, "toolCall", "name")?,
                args: wire.args.unwrap_or_else(Json::empty_object),
                signature: wire.signature,
                included: wire.included,
                native: wire.native,
            })),
            "toolResult" => Ok(Part::ToolResult(ToolResult {
                id: need(wire.id, "toolResult", "id")?,
                name: wire.name,
                content: result_content(wire.content)?,
                is_error: wire.is_error,
                included: wire.included,
                native: wire.native,
            })),
            "image" => Ok(Part::Image(Image {
                media_type: wire.media_type.unwrap_or_else(|| "image/png".into()),
                media: media(wire.data, wire.url, "image")?,
                width: wire.width,
                height: wire.height,
            })),
            "file" => Ok(Part::File(File {
                name: wire.name.unwrap_or_default(),
                media_type: wire.media_type.unwrap_or_else(|| "application/octet-stream".into()),
                media: media(wire.data, wire.url, "file")?,
            })),
            other => Err(D::Error::custom(format!(
                "unknown part type {other:?}: use text, reasoning, toolCall, toolResult, image or file"
            ))),
        }
    }
}

fn need<E: serde::de::Error>(field: Option<String>, part: &str, name: &str) -> Result<String, E> {
    field.ok_or_else(|| E::custom(format!("a {part} part needs {name:?}")))
}

fn media<E: serde::de::Error>(data: Option<String>, url: Option<String>, part: &str) -> Result<Media, E> {
    match (data, url) {
        (Some(data), None) => Ok(Media::Data(data)),
        (None, Some(url)) => Ok(Media::Url(url)),
        (None, None) => Err(E::custom(format!("a {part} part needs \"data\" or \"url\""))),
        (Some(_), Some(_)) => Err(E::custom(format!("a {part} part has both \"data\" and \"url\": keep one"))),
    }
}

fn result_content<E: serde::de::Error>(content: Option<Json>) -> Result<ResultContent, E> {
    let Some(json) = content else { return Ok(ResultContent::Text(String::new())) };
    match json.text().as_bytes().first() {
        // Not through the untagged enum, which would buffer: arguments would lose their text, and faults their reason.
        Some(b'"') => serde_json::from_str(json.text()).map(ResultContent::Text).map_err(E::custom),
        Some(b'[') => serde_json::from_str(json.text()).map(ResultContent::Parts).map_err(E::custom),
        _ => Ok(ResultContent::Text(json.text().to_owned())),
    }
}

impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Part::Text(part) => {
                map.serialize_entry("type", "text")?;
                map.serialize_entry("text", &part.text)?;
                some(&mut map, "signature", part.signature.as_ref())?;
            }
            Part::Reasoning(part) => {
                map.serialize_entry("type", "reasoning")?;
                map.serialize_entry("text", &part.text)?;
                some(&mut map, "signature", part.signature.as_ref())?;
                some(&mut map, "id", part.id.as_ref())?;
                truth(&mut map, "redacted", part.redacted)?;
            }
            Part::ToolCall(part) => {
                map.serialize_entry("type", "toolCall")?;
                map.serialize_entry("id", &part.id)?;
                map.serialize_entry("name", &part.name)?;
                map.serialize_entry("args", &part.args)?;
                some(&mut map, "signature", part.signature.as_ref())?;
                truth(&mut map, "included", part.included)?;
                some(&mut map, "native", part.native.as_ref())?;
            }
            Part::ToolResult(part) => {
                map.serialize_entry("type", "toolResult")?;
                map.serialize_entry("id", &part.id)?;
                some(&mut map, "name", part.name.as_ref())?;
                map.serialize_entry("content", &part.content)?;
                truth(&mut map, "isError", part.is_error)?;
                truth(&mut map, "included", part.included)?;
                some(&mut map, "native", part.native.as_ref())?;
            }
            Part::Image(part) => {
                map.serialize_entry("type", "image")?;
                map.serialize_entry("mediaType", &part.media_type)?;
                media_entry(&mut map, &part.media)?;
                some(&mut map, "width", part.width.as_ref())?;
                some(&mut map, "height", part.height.as_ref())?;
            }
            Part::File(part) => {
                map.serialize_entry("type", "file")?;
                map.serialize_entry("name", &part.name)?;
                map.serialize_entry("mediaType", &part.media_type)?;
                media_entry(&mut map, &part.media)?;
            }
        }
        map.end()
    }
}

fn some<M: SerializeMap, T: Serialize>(map: &mut M, key: &'static str, value: Option<&T>) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(key, value))
}

fn truth<M: SerializeMap>(map: &mut M, key: &'static str, value: bool) -> Result<(), M::Error> {
    if value { map.serialize_entry(key, &true) } else { Ok(()) }
}

fn media_entry<M: SerializeMap>(map: &mut M, media: &Media) -> Result<(), M::Error> {
    match media {
        Media::Data(data) => map.serialize_entry("data", data),
        Media::Url(url) => map.serialize_entry("url", url),
    }
}
