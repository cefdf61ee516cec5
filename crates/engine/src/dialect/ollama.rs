//! Ollama's chat: `POST /api/chat`.
//!
//! The window is always sent: left to itself the server takes one that depends on the machine's memory, and cuts the
//! prompt from the front in silence. Pictures are base64 in a list beside the text. A body without `stream` streams.

use super::Dialect;
use super::json::Writer;
use super::media::Place;
use super::pieces::{Turn, each_turn, words, write_function_tools, write_model, write_system, write_words};
use crate::model::{Image, Media};
use crate::prompt::{CallPiece, Message, Piece, Prompt, ResultPiece, Role};

const SELF: Dialect = Dialect::Ollama;

pub(super) fn body(w: &mut Writer, prompt: &Prompt<'_>) {
    write_model(w, prompt);
    write_function_tools(w, prompt);
    w.key("messages").array(|w| {
        if !prompt.system.is_empty() {
            w.object(|w| {
                w.key("role").word("system");
                write_system(w, "content", prompt);
            });
        }
        prompt.messages.iter().for_each(|one| message(w, one));
    });
    options(w, prompt);
}

fn options(w: &mut Writer, prompt: &Prompt<'_>) {
    w.key("options").object(|w| {
        w.integer("num_ctx", Some(prompt.context_length));
        w.integer("num_predict", prompt.max_tokens.asked());
        w.float("temperature", prompt.sampling.temperature);
        w.float("top_p", prompt.sampling.top_p);
        w.integer("top_k", prompt.sampling.top_k);
        w.list("stop", &prompt.sampling.stop);
        w.integer("seed", prompt.sampling.seed);
    });
}

fn message(w: &mut Writer, message: &Message<'_>) {
    each_turn(message, |turn| match (turn, message.role) {
        (Turn::Result(result), _) => tool_message(w, result),
        (Turn::Said(pieces), Role::Assistant) => said(w, "assistant", &pieces, Place::Assistant),
        (Turn::Said(pieces), Role::User) => said(w, "user", &pieces, Place::User),
        (Turn::Said(pieces), Role::System) => said(w, "system", &pieces, Place::User),
    });
}

/// Templates find the call by the tool's name, newer servers by its id.
fn tool_message(w: &mut Writer, result: &ResultPiece<'_>) {
    w.object(|w| {
        w.key("role").word("tool");
        w.key("tool_name").string(&result.name);
        w.key("tool_call_id").string(&result.id);
        w.key("content");
        write_words(w, &result.content, SELF, Place::Result);
    });
}

fn said(w: &mut Writer, role: &'static str, pieces: &[&Piece<'_>], place: Place) {
    let mut thoughts = Vec::new();
    let mut calls = Vec::new();
    let mut images = Vec::new();
    let mut texts = Vec::new();
    for piece in pieces {
        match (words(piece, SELF, place), piece) {
            (Some(text), _) => texts.push(text),
            (None, Piece::Reasoning(reasoning)) if !reasoning.text.is_empty() => thoughts.push(&reasoning.text),
            (None, Piece::Call(call)) => calls.push(call),
            (None, Piece::Image(image)) => images.push(*image),
            (None, Piece::Text(_) | Piece::Reasoning(_) | Piece::Result(_) | Piece::File(_)) => {}
        }
    }
    if texts.is_empty() && thoughts.is_empty() && images.is_empty() && calls.is_empty() {
        return;
    }
    w.object(|w| {
        w.key("role").word(role);
        w.key("content").joined(&texts, super::JOINT);
        if !thoughts.is_empty() {
            w.key("thinking").joined(&thoughts, super::JOINT);
        }
        if !images.is_empty() {
            w.key("images").array(|w| images.iter().for_each(|one| image(w, one)));
        }
        if !calls.is_empty() {
            w.key("tool_calls").array(|w| calls.iter().for_each(|one| call(w, one)));
        }
    });
}

fn call(w: &mut Writer, call: &CallPiece<'_>) {
    w.object(|w| {
        w.key("id").string(&call.id);
        w.key("function").object(|w| {
            w.key("name").string(&call.name);
            w.key("arguments").raw(&call.args);
        });
    });
}

fn image(w: &mut Writer, image: &Image) {
    match &image.media {
        Media::Data(data) => w.string(data),
        Media::Url(_) => {}
    }
}
