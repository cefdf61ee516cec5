//! What a message says in OpenAI's two APIs: a string, or parts.

use super::super::error::ImportError;
use super::super::item::{Fields, Item, Shape};
use super::super::media;
use super::super::request::ONE_REQUEST;
use crate::model::{File, Media, Part, ResultContent};

const KINDS: &str = "text, image_url, input_audio, file and refusal; input_text, output_text, input_image and input_file";

/// The parts of the field `content`.
pub(in super::super) fn content(fields: &mut Fields<'_>) -> Result<Vec<Part>, ImportError> {
    fields.kept("content").map_or(Ok(Vec::new()), |content| parts(&content))
}

/// A string or a list of parts.
pub(in super::super) fn parts(content: &Item<'_>) -> Result<Vec<Part>, ImportError> {
    match content.shape() {
        Shape::String => Ok(Some(content.text()?).filter(|text| !text.is_empty()).map(Part::text).into_iter().collect()),
        Shape::Array => {
            let parts: Result<Vec<_>, _> = content.items()?.iter().map(part).collect();
            Ok(parts?.into_iter().flatten().collect())
        }
        _ => Err(content.wrong("must be a string, a list of parts or null")),
    }
}

/// A tool's answer: plain text where it is nothing else.
pub(in super::super) fn result(parts: Vec<Part>) -> ResultContent {
    match parts.as_slice() {
        [] => ResultContent::Text(String::new()),
        [Part::Text(text)] => ResultContent::Text(text.text.clone()),
        _ => ResultContent::Parts(parts),
    }
}

fn part(item: &Item<'_>) -> Result<Option<Part>, ImportError> {
    if item.shape() == Shape::String {
        return Ok(Some(Part::text(item.text()?)));
    }
    let mut fields = item.fields()?;
    let kind = fields.mapped_text("type", "the part's type")?.unwrap_or_default();
    let part = match kind.as_str() {
        "text" | "input_text" | "output_text" => Some(Part::text(fields.need("text")?.text()?)),
        "refusal" => Some(Part::text(fields.need("refusal")?.text()?)),
        "image_url" => Some(image(&fields.need("image_url")?)?),
        "input_image" => fields.mapped_text("image_url", "an image part")?.map(|url| media::image(&url, None)),
        "input_audio" => Some(audio(&fields.need("input_audio")?)?),
        "file" => {
            let mut inner = fields.need("file")?.fields()?;
            let part = file(&mut inner)?;
            inner.end()?;
            part
        }
        "input_file" => file(&mut fields)?,
        other => {
            item.unknown(other, KINDS)?;
            return Ok(None);
        }
    };
    for key in ["cache_control", "prompt_cache_breakpoint"] {
        fields.dropped(key, "cache marks are set anew for each request");
    }
    fields.dropped("annotations", "the text holds the same links");
    fields.dropped_all(&["logprobs", "detail"], ONE_REQUEST);
    fields.dropped("file_id", "only the provider can resolve it");
    fields.end()?;
    Ok(part)
}

fn image(item: &Item<'_>) -> Result<Part, ImportError> {
    if item.shape() == Shape::String {
        return Ok(media::image(&item.text()?, None));
    }
    let mut fields = item.fields()?;
    let part = media::image(&fields.need("url")?.text()?, None);
    fields.dropped("detail", ONE_REQUEST);
    fields.end()?;
    Ok(part)
}

fn audio(item: &Item<'_>) -> Result<Part, ImportError> {
    let mut fields = item.fields()?;
    let data = fields.need("data")?.text()?;
    let format = fields.mapped_text("format", "a file's media type")?.unwrap_or_else(|| "wav".to_owned());
    fields.end()?;
    let media_type = if format == "mp3" { "audio/mpeg".to_owned() } else { format!("audio/{format}") };
    Ok(Part::File(File { name: format!("audio.{format}"), media_type, media: Media::Data(data) }))
}

/// A file on board or behind an address. One that only has an id at the provider is left out.
fn file(fields: &mut Fields<'_>) -> Result<Option<Part>, ImportError> {
    let name = fields.text("filename")?.unwrap_or_default();
    let data = fields.mapped_text("file_data", "a file part")?.map(|data| match media::from_url(&data) {
        // Bare base64 is allowed here beside data: URLs.
        (Media::Url(data), _) if !data.contains(':') => (Media::Data(data), None),
        media => media,
    });
    let link = fields.mapped_text("file_url", "a file part")?.map(|url| media::from_url(&url));
    fields.dropped("file_id", "only the provider can resolve it");
    Ok(data.or(link).map(|(media, media_type)| media::part(&name, media_type.as_deref(), media)))
}
