//! OpenAI Chat Completions: `POST /v1/chat/completions`, and the many servers that speak it.
//!
//! Text-only content is a plain string: every server takes it, not every one takes parts. A message of calls only has
//! `"content":""`, because llama-cpp-python answers 500 to `null` and some templates to a missing key.

use super::Dialect;
use super::json::Writer;
use super::media::Place;
use super::pieces::{
    Turn, each_turn, only_words, words, write_address, write_function_tools, write_model, write_system, write_words,
};
use crate::model::{File, Image};
use crate::prompt::{CallPiece, Message, Piece, Prompt, ResultPiece, Role};

const SELF: Dialect = Dialect::OpenAi;

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
    w.integer(limit_key(prompt), prompt.max_tokens.asked());
    w.float("temperature", prompt.sampling.temperature);
    w.float("top_p", prompt.sampling.top_p);
    w.list("stop", &prompt.sampling.stop);
    w.integer("seed", prompt.sampling.seed);
}

/// OpenAI's reasoning models refuse `max_tokens`; other servers often know nothing else.
fn limit_key(prompt: &Prompt<'_>) -> &'static str {
    match prompt.model.and_then(|model| model.provider()) {
        Some("openai") => "max_completion_tokens",
        Some(_) | None => "max_tokens",
    }
}

fn message(w: &mut Writer, message: &Message<'_>) {
    each_turn(message, |turn| match (turn, message.role) {
        (Turn::Result(result), _) => tool_message(w, result),
        (Turn::Said(pieces), Role::Assistant) => assistant(w, &pieces),
        (Turn::Said(pieces), Role::User) => said(w, r#"{"role":"user","content":"#, &pieces),
        (Turn::Said(pieces), Role::System) => said(w, r#"{"role":"system","content":"#, &pieces),
    });
}

/// One `tool` message for each result; the API takes text only, and the results of an assistant message directly after
/// it.
fn tool_message(w: &mut Writer, result: &ResultPiece<'_>) {
    w.begin(r#"{"role":"tool","tool_call_id":"#);
    w.string(&result.id);
    w.go_on(r#","content":"#);
    write_words(w, &result.content, SELF, Place::Result);
    w.go_on("}");
}

fn assistant(w: &mut Writer, pieces: &[&Piece<'_>]) {
    let calls = || pieces.iter().filter_map(|piece| if let Piece::Call(call) = piece { Some(call) } else { None });
    let any_calls = calls().next().is_some();
    if !any_calls && !pieces.iter().any(|piece| words(piece, SELF, Place::Assistant).is_some()) {
        return;
    }
    w.begin(r#"{"role":"assistant","content":"#);
    write_words(w, pieces.iter().copied(), SELF, Place::Assistant);
    if any_calls {
        w.key("tool_calls").array(|w| calls().for_each(|one| call(w, one)));
    }
    w.go_on("}");
}

fn call(w: &mut Writer, call: &CallPiece<'_>) {
    w.begin(r#"{"id":"#);
    w.string(&call.id);
    w.go_on(r#","type":"function","function":{"name":"#);
    w.string(&call.name);
    // Arguments are a string that holds JSON.
    w.go_on(r#","arguments":"#);
    w.string(&call.args);
    w.go_on("}}");
}

fn said(w: &mut Writer, begin: &'static str, pieces: &[&Piece<'_>]) {
    let whole = only_words(pieces.iter().copied(), SELF, Place::User);
    w.begin(begin);
    if whole {
        write_words(w, pieces.iter().copied(), SELF, Place::User);
    } else {
        w.array(|w| pieces.iter().for_each(|piece| part(w, piece)));
    }
    w.go_on("}");
}

fn part(w: &mut Writer, piece: &Piece<'_>) {
    match (words(piece, SELF, Place::User), piece) {
        (Some(text), _) => w.object(|w| {
            w.key("type").word("text");
            w.key("text").string(&text);
        }),
        (None, Piece::Image(one)) => image(w, one),
        (None, Piece::File(one)) => file(w, one),
        (None, Piece::Text(_) | Piece::Reasoning(_) | Piece::Call(_) | Piece::Result(_)) => {}
    }
}

fn image(w: &mut Writer, image: &Image) {
    w.object(|w| {
        w.key("type").word("image_url");
        w.key("image_url").object(|w| {
            w.key("url");
            write_address(w, &image.media, &image.media_type);
        });
    });
}

fn file(w: &mut Writer, file: &File) {
    w.object(|w| {
        w.key("type").word("file");
        w.key("file").object(|w| {
            w.key("filename").string(&file.name);
            w.key("file_data");
            write_address(w, &file.media, &file.media_type);
        });
    });
}
