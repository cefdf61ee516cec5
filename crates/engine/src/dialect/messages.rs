//! Weft's own neutral messages: what a program reads that speaks to a model in its own way.
//!
//! `{"system","messages","tools"}` and the settings that were asked for. Parts have the names they have in a
//! conversation file; content that is nothing but text is a plain string.

use super::Dialect;
use super::json::Writer;
use super::media::Place;
use super::pieces::{only_words, results_first, write_system, write_tool, write_words};
use crate::model::{Media, Reasoning};
use crate::prompt::{CallPiece, Message, Piece, Prompt, ResultPiece, Role};

const SELF: Dialect = Dialect::Messages;

pub(super) fn body(w: &mut Writer, prompt: &Prompt<'_>) {
    if !prompt.tools.is_empty() {
        w.key("tools").array(|w| prompt.tools.iter().for_each(|tool| w.object(|w| write_tool(w, tool, "inputSchema"))));
    }
    write_system(w, "system", prompt);
    w.key("messages").array(|w| prompt.messages.iter().for_each(|one| message(w, one)));
    w.integer("maxTokens", prompt.max_tokens.asked());
    w.float("temperature", prompt.sampling.temperature);
    w.float("topP", prompt.sampling.top_p);
    w.integer("topK", prompt.sampling.top_k);
    w.list("stop", &prompt.sampling.stop);
    w.integer("seed", prompt.sampling.seed);
}

fn message(w: &mut Writer, message: &Message<'_>) {
    let pieces = results_first(message);
    let signed = pieces.iter().any(|piece| matches!(piece, Piece::Text(text) if text.signature.is_some()));
    w.object(|w| {
        w.key("role").string(match message.role {
            Role::Assistant => "assistant",
            Role::User | Role::System => "user",
        });
        content(w, &pieces, signed);
    });
}

fn content(w: &mut Writer, pieces: &[&Piece<'_>], signed: bool) {
    w.key("content");
    if !signed && only_words(pieces.iter().copied(), SELF, Place::User) {
        write_words(w, pieces.iter().copied(), SELF, Place::User);
    } else {
        w.array(|w| pieces.iter().for_each(|piece| part(w, piece)));
    }
}

fn part(w: &mut Writer, piece: &Piece<'_>) {
    w.object(|w| match piece {
        Piece::Text(text) => {
            w.key("type").word("text");
            w.key("text").string(&text.text);
            signature(w, text.signature);
        }
        Piece::Reasoning(one) => reasoning(w, one),
        Piece::Call(one) => call(w, one),
        Piece::Result(one) => result(w, one),
        Piece::Image(image) => {
            w.key("type").word("image");
            w.key("mediaType").string(&image.media_type);
            media(w, &image.media);
            w.integer("width", image.width);
            w.integer("height", image.height);
        }
        Piece::File(file) => {
            w.key("type").word("file");
            w.key("name").string(&file.name);
            w.key("mediaType").string(&file.media_type);
            media(w, &file.media);
        }
    });
}

fn reasoning(w: &mut Writer, reasoning: &Reasoning) {
    w.key("type").word("reasoning");
    w.key("text").string(&reasoning.text);
    signature(w, reasoning.signature.as_deref());
    if let Some(id) = &reasoning.id {
        w.key("id").string(id);
    }
    if reasoning.redacted {
        w.key("redacted").boolean(true);
    }
}

fn call(w: &mut Writer, call: &CallPiece<'_>) {
    w.key("type").word("toolCall");
    w.key("id").string(&call.id);
    w.key("name").string(&call.name);
    w.key("args").raw(&call.args);
    signature(w, call.signature);
    native(w, call.native);
}

fn result(w: &mut Writer, result: &ResultPiece<'_>) {
    let pieces: Vec<_> = result.content.iter().collect();
    w.key("type").word("toolResult");
    w.key("id").string(&result.id);
    w.key("name").string(&result.name);
    content(w, &pieces, false);
    if result.is_error {
        w.key("isError").boolean(true);
    }
    native(w, result.native);
}

fn media(w: &mut Writer, media: &Media) {
    match media {
        Media::Data(data) => w.key("data").string(data),
        Media::Url(url) => w.key("url").string(url),
    }
}

fn signature(w: &mut Writer, signature: Option<&str>) {
    if let Some(signature) = signature {
        w.key("signature").string(signature);
    }
}

fn native(w: &mut Writer, native: Option<&str>) {
    if let Some(native) = native {
        w.key("native").raw(native);
    }
}
