//! OpenAI Responses: `POST /v1/responses`, stateless.
//!
//! `store` is false: the history is ours. Ids of stored items cannot be resolved then, so reasoning goes back as
//! encrypted content without its id. `summary` is required even when empty. A reasoning item stands directly before
//! the item it led to, as it does in the prompt.

use super::Dialect;
use super::json::Writer;
use super::media::Place;
use super::pieces::{Turn, each_turn, only_words, words, write_address, write_model, write_system, write_tool, write_words};
use crate::model::{File, Image, Media, Reasoning};
use crate::prompt::{CallPiece, Message, Piece, Prompt, ResultPiece, Role};

const SELF: Dialect = Dialect::Responses;

pub(super) fn body(w: &mut Writer, prompt: &Prompt<'_>) {
    write_model(w, prompt);
    tools(w, prompt);
    write_system(w, "instructions", prompt);
    w.key("input").array(|w| prompt.messages.iter().for_each(|one| message(w, one)));
    w.integer("max_output_tokens", prompt.max_tokens.asked());
    w.float("temperature", prompt.sampling.temperature);
    w.float("top_p", prompt.sampling.top_p);
    w.key("store").boolean(false);
    if prompt.model.is_some_and(|model| reasons(model.bare_name())) {
        w.key("include").array(|w| w.word("reasoning.encrypted_content"));
    }
}

/// Whether the model thinks before it answers: asking others for encrypted reasoning is a 400. Told by the name's
/// pattern, o1 and later, gpt-5 and later without the chat variants.
fn reasons(name: &str) -> bool {
    let number = |rest: &str| rest.split(|c: char| !c.is_ascii_digit()).next().and_then(|digits| digits.parse::<u32>().ok());
    match name.strip_prefix("gpt-") {
        Some(rest) => number(rest).is_some_and(|generation| generation >= 5) && !rest.contains("chat"),
        None => name.strip_prefix('o').and_then(number).is_some(),
    }
}

/// `strict` is true unless said otherwise, and most schemas are not strict ones.
fn tools(w: &mut Writer, prompt: &Prompt<'_>) {
    if prompt.tools.is_empty() {
        return;
    }
    w.key("tools").array(|w| {
        for tool in &prompt.tools {
            w.object(|w| {
                w.key("type").word("function");
                write_tool(w, tool, "parameters");
                w.key("strict").boolean(false);
            });
        }
    });
}

fn message(w: &mut Writer, message: &Message<'_>) {
    each_turn(message, |turn| match (turn, message.role) {
        (Turn::Result(result), _) => output(w, result),
        (Turn::Said(pieces), Role::Assistant) => assistant(w, &pieces),
        (Turn::Said(pieces), Role::User) => said(w, "user", &pieces),
        (Turn::Said(pieces), Role::System) => said(w, "system", &pieces),
    });
}

/// Reasoning, texts and calls are items of their own, in the order in which the model wrote them; texts that follow
/// each other are one message.
fn assistant(w: &mut Writer, pieces: &[&Piece<'_>]) {
    let is_said = |piece: &&Piece<'_>| words(piece, SELF, Place::Assistant).is_some();
    for run in pieces.chunk_by(|a, b| is_said(a) && is_said(b)) {
        match run {
            [Piece::Reasoning(one)] => reasoning(w, one),
            [Piece::Call(one)] => call(w, one),
            texts => w.object(|w| {
                w.key("role").word("assistant");
                w.key("content").array(|w| {
                    for text in texts.iter().filter_map(|piece| words(piece, SELF, Place::Assistant)) {
                        typed_text(w, "output_text", &text);
                    }
                });
            }),
        }
    }
}

fn reasoning(w: &mut Writer, reasoning: &Reasoning) {
    let Some(encrypted) = reasoning.signature.as_deref().filter(|_| SELF.accepts_reasoning(reasoning)) else { return };
    w.object(|w| {
        w.key("type").word("reasoning");
        w.key("summary").array(|w| {
            if !reasoning.text.is_empty() {
                typed_text(w, "summary_text", &reasoning.text);
            }
        });
        w.key("encrypted_content").string(encrypted);
    });
}

fn call(w: &mut Writer, call: &CallPiece<'_>) {
    if let Some(native) = call.native {
        return w.raw(native);
    }
    w.object(|w| {
        w.key("type").word("function_call");
        w.key("call_id").string(&call.id);
        w.key("name").string(&call.name);
        w.key("arguments").string(&call.args);
    });
}

fn output(w: &mut Writer, result: &ResultPiece<'_>) {
    if let Some(native) = result.native {
        return w.raw(native);
    }
    let whole = only_words(&result.content, SELF, Place::Result);
    w.object(|w| {
        w.key("type").word("function_call_output");
        w.key("call_id").string(&result.id);
        w.key("output");
        if whole {
            write_words(w, &result.content, SELF, Place::Result);
        } else {
            w.array(|w| result.content.iter().for_each(|piece| part(w, piece, Place::Result)));
        }
    });
}

fn said(w: &mut Writer, role: &'static str, pieces: &[&Piece<'_>]) {
    w.object(|w| {
        w.key("role").word(role);
        w.key("content").array(|w| pieces.iter().for_each(|piece| part(w, piece, Place::User)));
    });
}

fn part(w: &mut Writer, piece: &Piece<'_>, place: Place) {
    match (words(piece, SELF, place), piece) {
        (Some(text), _) => typed_text(w, "input_text", &text),
        (None, Piece::Image(one)) => image(w, one),
        (None, Piece::File(one)) => file(w, one),
        (None, Piece::Text(_) | Piece::Reasoning(_) | Piece::Call(_) | Piece::Result(_)) => {}
    }
}

fn typed_text(w: &mut Writer, kind: &'static str, text: &str) {
    w.object(|w| {
        w.key("type").string(kind);
        w.key("text").string(text);
    });
}

fn image(w: &mut Writer, image: &Image) {
    w.object(|w| {
        w.key("type").word("input_image");
        w.key("image_url");
        write_address(w, &image.media, &image.media_type);
    });
}

fn file(w: &mut Writer, file: &File) {
    w.object(|w| {
        w.key("type").word("input_file");
        match &file.media {
            Media::Data(_) => {
                w.key("filename").string(&file.name);
                w.key("file_data");
            }
            Media::Url(_) => {
                w.key("file_url");
            }
        }
        write_address(w, &file.media, &file.media_type);
    });
}
