//! What the AI SDK passes through for providers, and what its tools answer.

use super::super::error::ImportError;
use super::super::item::{Fields, Item, Shape};
use super::super::media;
use crate::model::{File, Image, Media, Part, ResultContent};

/// Provider data that must come back with a part.
#[derive(Default)]
pub(super) struct Opaque {
    pub(super) signature: Option<String>,
    pub(super) id: Option<String>,
    pub(super) redacted: bool,
}

/// Takes `key` (`providerMetadata`, `providerOptions`, …): signatures of Anthropic, OpenAI and Google are kept.
pub(super) fn opaque(fields: &mut Fields<'_>, key: &str) -> Result<Opaque, ImportError> {
    let mut found = Opaque::default();
    let Some(item) = fields.mapped(key, "signature and id") else { return Ok(found) };
    for (_, provider) in item.entries()? {
        let mut inner = provider.fields()?;
        for key in ["signature", "reasoningEncryptedContent", "thoughtSignature", "redactedData"] {
            if let Some(text) = inner.mapped_text(key, "signature")? {
                found.redacted |= key == "redactedData";
                found.signature = Some(text);
            }
        }
        if let Some(id) = inner.mapped_text("itemId", "the reasoning's id")? {
            found.id = Some(id);
        }
        inner.dropped("cacheControl", "cache marks are set anew for each request");
        inner.end()?;
    }
    Ok(found)
}

/// Any JSON as a tool's answer: a string as it is, anything else as JSON text.
pub(super) fn plain(item: &Item<'_>) -> Result<ResultContent, ImportError> {
    match item.shape() {
        Shape::String => item.text().map(ResultContent::Text),
        _ => Ok(ResultContent::Text(item.raw().to_owned())),
    }
}

/// A typed `output`, and whether it is an error.
pub(super) fn output(item: &Item<'_>) -> Result<(ResultContent, bool), ImportError> {
    let mut fields = item.fields()?;
    let kind = fields.mapped_text("type", "content and isError")?.unwrap_or_default();
    let is_error = ["error-text", "error-json", "execution-denied"].contains(&kind.as_str());
    let value = fields.kept("value");
    let reason = fields.mapped_text("reason", "content")?;
    fields.dropped("providerOptions", "a setting of one request");
    fields.end()?;
    let content = match (value, reason) {
        (Some(value), _) if kind == "content" => {
            let parts: Result<Vec<_>, _> = value.items()?.iter().map(output_part).collect();
            ResultContent::Parts(parts?.into_iter().flatten().collect())
        }
        (Some(value), _) => plain(&value)?,
        (None, reason) => ResultContent::Text(reason.unwrap_or_else(|| kind.clone())),
    };
    Ok((content, is_error))
}

fn output_part(item: &Item<'_>) -> Result<Option<Part>, ImportError> {
    let mut fields = item.fields()?;
    let kind = fields.mapped_text("type", "the part's type")?.unwrap_or_default();
    let media_type = fields.text("mediaType")?;
    let name = fields.text("filename")?.unwrap_or_default();
    let part = match kind.as_str() {
        "text" => Part::text(fields.need("text")?.text()?),
        "media" | "file-data" | "image-data" => {
            let media_type = media_type.as_deref().or((kind == "image-data").then_some("image/png"));
            media::part(&name, media_type, Media::Data(fields.need("data")?.text()?))
        }
        "image-url" => media::image(&fields.need("url")?.text()?, media_type.as_deref()),
        "file-url" => link(&name, &fields.need("url")?.text()?, media_type.as_deref()),
        other => {
            item.unknown(other, "text, media, file-data, image-data, file-url and image-url")?;
            return Ok(None);
        }
    };
    fields.dropped("providerOptions", "a setting of one request");
    fields.end()?;
    Ok(Some(part))
}

/// A picture or file with the name in the field `filename`.
pub(super) fn link_named(fields: &mut Fields<'_>, text: &str, media_type: Option<&str>) -> Result<Part, ImportError> {
    let name = fields.peek("filename").map(|name| name.text()).transpose()?.unwrap_or_default();
    let part = link(&name, text, media_type);
    match part {
        Part::Image(_) => fields.dropped("filename", "a picture has no name"),
        _ => fields.mapped("filename", "name"),
    };
    Ok(part)
}

/// A picture or file behind an address, a `data:` URL, or bare base64.
pub(super) fn link(name: &str, text: &str, media_type: Option<&str>) -> Part {
    let (media, named) = match media::from_url(text) {
        (Media::Url(data), _) if !data.contains(':') && !data.starts_with('/') => (Media::Data(data), None),
        media => media,
    };
    let by_name = || media::type_of(name).or_else(|| media::type_of(text).filter(|_| matches!(media, Media::Url(_))));
    let media_type = named.as_deref().or(media_type).or_else(by_name).unwrap_or("application/octet-stream").to_owned();
    match media_type.starts_with("image/") {
        true => Part::Image(Image { media_type, media, width: None, height: None }),
        false => Part::File(File { name: name.to_owned(), media_type, media }),
    }
}
