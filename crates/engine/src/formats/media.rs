//! Pictures, files and argument texts, as many formats write them.

use super::source::check_depth;
use crate::model::{File, Image, Json, Media, Part};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Arguments of a tool call given as text. Text that is not a JSON object (cut off, or never was one) is kept as a JSON
/// string; none at all is the empty object.
pub(super) fn args(text: &str) -> Json {
    if text.trim().is_empty() {
        return Json::empty_object();
    }
    let valid = check_depth(text).ok().and_then(|()| Json::parse(text.trim()).ok());
    valid.filter(Json::is_object).unwrap_or_else(|| Json::string(text))
}

/// An address as media: bytes if it is a base64 `data:` URL, with the media type it names.
pub(super) fn from_url(url: &str) -> (Media, Option<String>) {
    let data = || {
        let (head, data) = url.strip_prefix("data:")?.split_once(',')?;
        let media_type = head.strip_suffix(";base64")?;
        let media_type = media_type.split(';').next().filter(|media_type| !media_type.is_empty());
        Some((Media::Data(data.to_owned()), media_type.map(str::to_owned)))
    };
    data().unwrap_or_else(|| (Media::Url(url.to_owned()), None))
}

/// A picture behind an address or `data:` URL.
pub(super) fn image(url: &str, media_type: Option<&str>) -> Part {
    let (media, named) = from_url(url);
    let media_type = named
        .or(media_type.map(str::to_owned))
        .unwrap_or_else(|| type_of(url).filter(|t| t.starts_with("image/")).unwrap_or("image/png").into());
    Part::Image(Image { media_type, media, width: None, height: None })
}

/// A picture or file, by its media type; the type is told from the name where the source does not say.
pub(super) fn part(name: &str, media_type: Option<&str>, media: Media) -> Part {
    let media_type = media_type.or_else(|| type_of(name)).unwrap_or("application/octet-stream").to_owned();
    if media_type.starts_with("image/") {
        return Part::Image(Image { media_type, media, width: None, height: None });
    }
    Part::File(File { name: name.to_owned(), media_type, media })
}

/// A picture or file from its bytes.
pub(super) fn from_bytes(name: &str, media_type: Option<&str>, bytes: &[u8]) -> Part {
    part(name, media_type, Media::Data(STANDARD.encode(bytes)))
}

/// The media type that the ending of a name or address stands for.
pub(super) fn type_of(name: &str) -> Option<&'static str> {
    let path = name.split(['?', '#']).next()?;
    let (_, ending) = path.rsplit_once('.')?;
    let media_type = match ending.to_ascii_lowercase().as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "svg" => "image/svg+xml",
        "pdf" => "application/pdf",
        "json" => "application/json",
        "txt" | "log" => "text/plain",
        "md" => "text/markdown",
        "csv" => "text/csv",
        "html" | "htm" => "text/html",
        "mp3" => "audio/mpeg",
        "wav" => "audio/wav",
        "mp4" => "video/mp4",
        _ => return None,
    };
    Some(media_type)
}
