//! Anthropic Messages: `POST /v1/messages`.
//!
//! Content is always a list of blocks, never a plain string: a mark that moves must not change the shape of what it
//! leaves, or the prefix before it would no longer be the one that was cached. Marks are the last key of their block
//! for the same reason. Thinking and the provider's own blocks go back verbatim and in their place.

use super::Dialect;
use super::json::Writer;
use super::media::{Place, plain_text};
use super::pieces::{results_first, words, write_model, write_tool};
use super::rules::cacheable;
use crate::model::{File, Image, Media, Reasoning};
use crate::prompt::{CallPiece, Message, Piece, Prompt, ResultPiece, Role};

const SELF: Dialect = Dialect::Anthropic;

pub(super) fn body(w: &mut Writer, prompt: &Prompt<'_>) {
    write_model(w, prompt);
    tools(w, prompt);
    system(w, prompt);
    w.key("messages").array(|w| prompt.messages.iter().for_each(|one| message(w, one)));
    // The one API that cannot do without: the reserve stands in where the caller named no number.
    w.integer("max_tokens", Some(prompt.max_tokens.tokens()));
    w.float("temperature", prompt.sampling.temperature);
    w.float("top_p", prompt.sampling.top_p);
    w.integer("top_k", prompt.sampling.top_k);
    w.list("stop_sequences", &prompt.sampling.stop);
}

fn tools(w: &mut Writer, prompt: &Prompt<'_>) {
    let Some(last) = prompt.tools.len().checked_sub(1) else { return };
    w.key("tools").array(|w| {
        for (index, tool) in prompt.tools.iter().enumerate() {
            w.object(|w| {
                write_tool(w, tool, "input_schema");
                mark(w, prompt.tools_mark && index == last);
            });
        }
    });
}

/// Blank blocks are refused, and so are marks on them.
fn system(w: &mut Writer, prompt: &Prompt<'_>) {
    let blocks = || prompt.system.iter().filter(|block| SELF.accepts_text(&block.text));
    if blocks().next().is_none() {
        return;
    }
    w.key("system").array(|w| blocks().for_each(|block| text(w, &block.text, block.mark)));
}

fn message(w: &mut Writer, message: &Message<'_>) {
    let pieces = results_first(message);
    let marked = if message.mark { pieces.iter().rposition(|piece| cacheable(piece)) } else { None };
    let place = match message.role {
        Role::Assistant => Place::Assistant,
        Role::User | Role::System => Place::User,
    };
    w.object(|w| {
        w.key("role").string(match message.role {
            Role::Assistant => "assistant",
            Role::User | Role::System => "user",
        });
        w.key("content").array(|w| {
            for (index, piece) in pieces.iter().enumerate() {
                block(w, piece, place, marked == Some(index));
            }
        });
    });
}

fn block(w: &mut Writer, piece: &Piece<'_>, place: Place, marked: bool) {
    match (words(piece, SELF, place), piece) {
        (Some(said), _) => {
            if SELF.accepts_text(&said) {
                text(w, &said, marked);
            }
        }
        (None, Piece::Reasoning(one)) => thinking(w, one),
        (None, Piece::Call(one)) => call(w, one, marked),
        (None, Piece::Result(one)) => result(w, one, marked),
        (None, Piece::Image(one)) => image(w, one, marked),
        (None, Piece::File(one)) => document(w, one, marked),
        (None, Piece::Text(_)) => {}
    }
}

fn text(w: &mut Writer, text: &str, marked: bool) {
    w.object(|w| {
        w.key("type").word("text");
        w.key("text").string(text);
        mark(w, marked);
    });
}

/// Unsigned thinking is a 400, so it is left out.
fn thinking(w: &mut Writer, reasoning: &Reasoning) {
    let Some(signature) = reasoning.signature.as_deref().filter(|_| SELF.accepts_reasoning(reasoning)) else { return };
    w.object(|w| {
        if reasoning.redacted {
            w.key("type").word("redacted_thinking");
            w.key("data").string(signature);
        } else {
            w.key("type").word("thinking");
            w.key("thinking").string(&reasoning.text);
            w.key("signature").string(signature);
        }
    });
}

fn call(w: &mut Writer, call: &CallPiece<'_>, marked: bool) {
    if let Some(native) = call.native {
        return w.raw(native);
    }
    w.object(|w| {
        w.key("type").word("tool_use");
        w.key("id").string(&call.id);
        w.key("name").string(&call.name);
        w.key("input").raw(&call.args);
        mark(w, marked);
    });
}

fn result(w: &mut Writer, result: &ResultPiece<'_>, marked: bool) {
    if let Some(native) = result.native {
        return w.raw(native);
    }
    w.object(|w| {
        w.key("type").word("tool_result");
        w.key("tool_use_id").string(&result.id);
        w.key("content").array(|w| result.content.iter().for_each(|piece| block(w, piece, Place::Result, false)));
        if result.is_error {
            w.key("is_error").boolean(true);
        }
        mark(w, marked);
    });
}

fn image(w: &mut Writer, image: &Image, marked: bool) {
    w.object(|w| {
        w.key("type").word("image");
        w.key("source").object(|w| source(w, &image.media, &image.media_type));
        mark(w, marked);
    });
}

/// A plain text file is sent as its text: base64 is for PDF only.
fn document(w: &mut Writer, file: &File, marked: bool) {
    w.object(|w| {
        w.key("type").word("document");
        w.key("source").object(|w| match plain_text(file) {
            Some(text) => {
                w.key("type").word("text");
                w.key("media_type").word("text/plain");
                w.key("data").string(&text);
            }
            None => source(w, &file.media, &file.media_type),
        });
        if !file.name.is_empty() {
            w.key("title").string(&file.name);
        }
        mark(w, marked);
    });
}

fn source(w: &mut Writer, media: &Media, media_type: &str) {
    match media {
        Media::Data(data) => {
            w.key("type").word("base64");
            w.key("media_type").string(media_type);
            w.key("data").string(data);
        }
        Media::Url(url) => {
            w.key("type").word("url");
            w.key("url").string(url);
        }
    }
}

fn mark(w: &mut Writer, marked: bool) {
    if marked {
        w.key("cache_control").object(|w| w.key("type").word("ephemeral"));
    }
}
