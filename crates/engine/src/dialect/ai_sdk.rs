//! The AI SDK's model messages: `{"system","messages"}`, what `generateText` and `streamText` take.
//!
//! Tools and settings are code on that side and are not written. Signatures go under the options of the provider that
//! the model belongs to, where its adapter looks for them.

use super::Dialect;
use super::json::Writer;
use super::media::Place;
use super::pieces::{only_words, words, write_system, write_words};
use crate::model::{File, Image, Media, Reasoning};
use crate::prompt::{CallPiece, Message, Piece, Prompt, ResultPiece, Role};

const SELF: Dialect = Dialect::AiSdk;

pub(super) fn body(w: &mut Writer, prompt: &Prompt<'_>) {
    let provider = prompt.model.and_then(|model| model.provider());
    write_system(w, "system", prompt);
    w.key("messages").array(|w| prompt.messages.iter().for_each(|one| message(w, one, provider)));
}

/// Results of a user message are one `tool` message before it. In an assistant message they stay where they are: the
/// provider ran the tool.
fn message(w: &mut Writer, message: &Message<'_>, provider: Option<&str>) {
    if message.role == Role::Assistant {
        let pieces: Vec<_> = message.pieces.iter().collect();
        return said(w, "assistant", &pieces, Place::Assistant, provider);
    }
    let (results, rest): (Vec<_>, Vec<_>) = message.pieces.iter().partition(|piece| matches!(piece, Piece::Result(_)));
    if !results.is_empty() {
        w.object(|w| {
            w.key("role").word("tool");
            w.key("content").array(|w| results.iter().for_each(|piece| part(w, piece, Place::User, provider)));
        });
    }
    if !rest.is_empty() {
        said(w, "user", &rest, Place::User, provider);
    }
}

fn said(w: &mut Writer, role: &'static str, pieces: &[&Piece<'_>], place: Place, provider: Option<&str>) {
    let signed = pieces.iter().any(|piece| matches!(piece, Piece::Text(text) if text.signature.is_some()));
    let whole = !signed && only_words(pieces.iter().copied(), SELF, place);
    w.object(|w| {
        w.key("role").word(role);
        w.key("content");
        if whole {
            write_words(w, pieces.iter().copied(), SELF, place);
        } else {
            w.array(|w| pieces.iter().for_each(|piece| part(w, piece, place, provider)));
        }
    });
}

fn part(w: &mut Writer, piece: &Piece<'_>, place: Place, provider: Option<&str>) {
    match (words(piece, SELF, place), piece) {
        (Some(said), _) => w.object(|w| {
            w.key("type").word("text");
            w.key("text").string(&said);
            if let Piece::Text(text) = piece {
                google_signature(w, text.signature, provider);
            }
        }),
        (None, Piece::Reasoning(one)) => reasoning(w, one, provider),
        (None, Piece::Call(one)) => call(w, one, provider),
        (None, Piece::Result(one)) => result(w, one),
        (None, Piece::Image(one)) => image(w, one),
        (None, Piece::File(one)) => file(w, one),
        (None, Piece::Text(_)) => {}
    }
}

/// Each adapter has its own name for what proves the reasoning.
fn reasoning(w: &mut Writer, reasoning: &Reasoning, provider: Option<&str>) {
    if !SELF.accepts_reasoning(reasoning) {
        return;
    }
    let key = match provider {
        Some("anthropic") => Some(("anthropic", if reasoning.redacted { "redactedData" } else { "signature" })),
        Some("openai") => Some(("openai", "reasoningEncryptedContent")),
        Some("google" | "gemini") => Some(("google", "thoughtSignature")),
        Some(_) | None => None,
    };
    w.object(|w| {
        w.key("type").word("reasoning");
        w.key("text").string(&reasoning.text);
        if let (Some((provider, key)), Some(signature)) = (key, &reasoning.signature) {
            option(w, provider, key, signature);
        }
    });
}

fn call(w: &mut Writer, call: &CallPiece<'_>, provider: Option<&str>) {
    w.object(|w| {
        w.key("type").word("tool-call");
        w.key("toolCallId").string(&call.id);
        w.key("toolName").string(&call.name);
        w.key("input").raw(&call.args);
        if call.native.is_some() {
            w.key("providerExecuted").boolean(true);
        }
        google_signature(w, call.signature, provider);
    });
}

fn result(w: &mut Writer, result: &ResultPiece<'_>) {
    let whole = only_words(&result.content, SELF, Place::Result);
    w.object(|w| {
        w.key("type").word("tool-result");
        w.key("toolCallId").string(&result.id);
        w.key("toolName").string(&result.name);
        w.key("output").object(|w| match (result.is_error, whole) {
            (false, false) => {
                w.key("type").word("content");
                w.key("value").array(|w| result.content.iter().for_each(|piece| output_part(w, piece)));
            }
            // An error has no form with pictures: its words are kept.
            (is_error, _) => {
                w.key("type").string(if is_error { "error-text" } else { "text" });
                w.key("value");
                write_words(w, &result.content, SELF, Place::Result);
            }
        });
    });
}

fn output_part(w: &mut Writer, piece: &Piece<'_>) {
    let (kinds, media, media_type, name) = match piece {
        Piece::Text(text) => {
            return w.object(|w| {
                w.key("type").word("text");
                w.key("text").string(&text.text);
            });
        }
        Piece::Image(image) => (("image-data", "image-url"), &image.media, &image.media_type, ""),
        Piece::File(file) => (("file-data", "file-url"), &file.media, &file.media_type, file.name.as_str()),
        Piece::Reasoning(_) | Piece::Call(_) | Piece::Result(_) => return,
    };
    w.object(|w| match media {
        Media::Data(data) => {
            w.key("type").string(kinds.0);
            w.key("data").string(data);
            w.key("mediaType").string(media_type);
            if !name.is_empty() {
                w.key("filename").string(name);
            }
        }
        Media::Url(url) => {
            w.key("type").string(kinds.1);
            w.key("url").string(url);
        }
    });
}

fn image(w: &mut Writer, image: &Image) {
    w.object(|w| {
        w.key("type").word("image");
        w.key("image").string(address(&image.media));
        w.key("mediaType").string(&image.media_type);
    });
}

fn file(w: &mut Writer, file: &File) {
    w.object(|w| {
        w.key("type").word("file");
        w.key("data").string(address(&file.media));
        if !file.name.is_empty() {
            w.key("filename").string(&file.name);
        }
        w.key("mediaType").string(&file.media_type);
    });
}

/// Base64 and addresses are told apart on the other side.
fn address(media: &Media) -> &str {
    match media {
        Media::Data(text) | Media::Url(text) => text,
    }
}

fn google_signature(w: &mut Writer, signature: Option<&str>, provider: Option<&str>) {
    if let (Some(signature), Some("google" | "gemini")) = (signature, provider) {
        option(w, "google", "thoughtSignature", signature);
    }
}

fn option(w: &mut Writer, provider: &'static str, key: &'static str, value: &str) {
    w.key("providerOptions").object(|w| w.key(provider).object(|w| w.key(key).string(value)));
}
