//! Pictures and documents: their source, how many, and how large in pixels.

use crate::lint::finding::{Findings, Severity, shown};
use crate::lint::path::At;
use crate::lint::picture::{self, Alphabet, Header, MEDIA_TYPES};
use crate::lint::rule::Rule;
use crate::lint::shape::{Need, Object, unknown};

/// The longest edge of any picture.
const LONGEST_EDGE: u32 = 8000;
/// The longest edge when there are many pictures (claude-code#50430, peers 56).
const LONGEST_EDGE_OF_MANY: u32 = 2000;
/// More pictures than this are many.
const MANY: usize = 20;
/// What models with a window of 200,000 tokens take.
const MOST_SMALL_WINDOW: usize = 100;
/// What the others take.
const MOST: usize = 600;

/// The pictures of a request; whether one is too large depends on how many there are.
#[derive(Default)]
pub(super) struct Pictures {
    count: usize,
    wide: Vec<(String, u32, u32)>,
    beyond: Option<String>,
}

impl Pictures {
    /// An image block, in a message or in a tool result.
    pub(super) fn visit(&mut self, block: &Object, out: &mut Findings) {
        self.count += 1;
        if self.count == MOST_SMALL_WINDOW + 1 {
            self.beyond = Some(block.at.to_string());
        }
        let Some(source) = block.child("source", Need::Required, out) else {
            return;
        };
        if let Some(header) = read(&source, out)
            && header.width.max(header.height) > LONGEST_EDGE_OF_MANY
        {
            let path = block.at.to_string();
            self.wide.push((path, header.width, header.height));
        }
    }

    /// Judge count and size, now that the count is known.
    pub(super) fn finish(self, out: &mut Findings) {
        if let Some(path) = self.beyond {
            let (severity, most) =
                if self.count > MOST { (Severity::Error, MOST) } else { (Severity::Warning, MOST_SMALL_WINDOW) };
            let message = format!(
                "{} pictures, at most {most} are taken ({MOST_SMALL_WINDOW} by models with a window of 200k)",
                self.count
            );
            out.add(severity, path, Rule::TooManyImages, message, "drop older pictures");
        }
        let edge = if self.count > MANY { LONGEST_EDGE_OF_MANY } else { LONGEST_EDGE };
        for (path, width, height) in self.wide {
            if width.max(height) > edge {
                out.add(
                    Severity::Error,
                    path,
                    Rule::ImageTooLarge,
                    format!("{width}x{height} pixels, at most {edge}x{edge} with {} pictures", self.count),
                    "scale the picture down, or send fewer",
                );
            }
        }
    }
}

fn read(source: &Object, out: &mut Findings) -> Option<Header> {
    match source.string("type", Need::Required, out)? {
        "base64" => base64(source, out),
        "url" => {
            web(source, out);
            None
        }
        "file" => {
            source.filled("file_id", Need::Required, out);
            None
        }
        other => {
            let at = source.at.key("type");
            unknown(Rule::InvalidValue, other, &["base64", "url", "file"], &at, out);
            None
        }
    }
}

fn base64(source: &Object, out: &mut Findings) -> Option<Header> {
    let media_type = source.string("media_type", Need::Required, out);
    let at = source.at.key("media_type");
    if let Some(media_type) = media_type
        && !MEDIA_TYPES.contains(&media_type)
    {
        unknown(Rule::UnknownMediaType, media_type, MEDIA_TYPES, &at, out);
    }
    let data = source.string("data", Need::Required, out)?;
    picture::base64(data, Alphabet::Standard, &source.at.key("data"), out);
    let header = picture::header(data)?;
    if let Some(media_type) = media_type {
        same_type(media_type, header.media_type, &at, out);
    }
    Some(header)
}

/// The API looks at the bytes and refuses a picture that is not what it says.
fn same_type(said: &str, is: &str, at: &At, out: &mut Findings) {
    if said != is && MEDIA_TYPES.contains(&said) {
        out.error(at, Rule::MediaTypeMismatch, format!("the bytes are {is}, not {said}"), &format!("set media_type to {is}"));
    }
}

fn web(source: &Object, out: &mut Findings) {
    if let Some(url) = source.string("url", Need::Required, out)
        && !url.starts_with("https://")
        && !url.starts_with("http://")
    {
        out.error(
            &source.at.key("url"),
            Rule::BadImageUrl,
            format!("{} is not http(s)", shown(url)),
            "use an https URL, or a base64 source",
        );
    }
}

/// A document block: a PDF, plain text, blocks, a URL or an uploaded file.
pub(super) fn document(block: &Object, out: &mut Findings) {
    let Some(source) = block.child("source", Need::Required, out) else {
        return;
    };
    match source.string("type", Need::Required, out) {
        Some("base64") => {
            source.filled("media_type", Need::Required, out);
            if let Some(data) = source.string("data", Need::Required, out) {
                picture::base64(data, Alphabet::Standard, &source.at.key("data"), out);
            }
        }
        Some("text") => {
            source.filled("media_type", Need::Required, out);
            source.filled("data", Need::Required, out);
        }
        Some("url") => web(&source, out),
        Some("file") => {
            source.filled("file_id", Need::Required, out);
        }
        Some("content") | None => {}
        Some(other) => {
            let known = ["base64", "text", "content", "url", "file"];
            let at = source.at.key("type");
            unknown(Rule::InvalidValue, other, &known, &at, out);
        }
    }
}
