//! Gemini generateContent.
//!
//! The model is in the address, not in the body. Signatures go back on exactly the part they came with. Tool schemas
//! go as `parametersJsonSchema`, which takes JSON Schema as it is; `parameters` would take a subset only. Pictures in a
//! result stand beside it, after all results: every model takes that, parts inside a response only the newest.

use super::Dialect;
use super::json::Writer;
use super::media::Place;
use super::pieces::{results_first, words, write_tool, write_words};
use crate::model::Media;
use crate::prompt::{CallPiece, Message, Piece, Prompt, ResultPiece, Role};

const SELF: Dialect = Dialect::Gemini;

/// What Google's own clients send where another model's call has no signature.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

pub(super) fn body(w: &mut Writer, prompt: &Prompt<'_>) {
    tools(w, prompt);
    if !prompt.system.is_empty() {
        w.key("systemInstruction").object(|w| {
            w.key("parts").array(|w| {
                w.object(|w| w.key("text").strings(prompt.system.iter().map(|block| &block.text)));
            });
        });
    }
    let strict = strict_from(prompt);
    w.key("contents").array(|w| {
        for (index, message) in prompt.messages.iter().enumerate() {
            content(w, message, index >= strict);
        }
    });
    config(w, prompt);
}

fn tools(w: &mut Writer, prompt: &Prompt<'_>) {
    if prompt.tools.is_empty() {
        return;
    }
    w.key("tools").array(|w| {
        w.object(|w| {
            w.key("functionDeclarations").array(|w| {
                prompt.tools.iter().for_each(|tool| w.object(|w| write_tool(w, tool, "parametersJsonSchema")));
            });
        });
    });
}

fn config(w: &mut Writer, prompt: &Prompt<'_>) {
    let sampling = prompt.sampling;
    let silent = prompt.max_tokens.asked().is_none() && *sampling == Default::default();
    if silent {
        return;
    }
    w.key("generationConfig").object(|w| {
        w.integer("maxOutputTokens", prompt.max_tokens.asked());
        w.float("temperature", sampling.temperature);
        w.float("topP", sampling.top_p);
        w.integer("topK", sampling.top_k);
        w.list("stopSequences", &sampling.stop);
        w.integer("seed", sampling.seed);
    });
}

/// The first message in which a missing signature is refused: from Gemini 3 on, in the current turn, which begins after
/// the last user message that says something besides results.
fn strict_from(prompt: &Prompt<'_>) -> usize {
    if prompt.model.and_then(|model| generation(model.bare_name())).is_none_or(|number| number < 3) {
        return usize::MAX;
    }
    let speaks = |message: &Message<'_>| {
        message.role != Role::Assistant && message.pieces.iter().any(|piece| !matches!(piece, Piece::Result(_)))
    };
    prompt.messages.iter().rposition(speaks).map_or(0, |last| last + 1)
}

fn generation(name: &str) -> Option<u32> {
    let rest = name.rsplit('/').next()?.strip_prefix("gemini-")?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn content(w: &mut Writer, message: &Message<'_>, strict: bool) {
    let pieces = results_first(message);
    let first_call = message.pieces.iter().find(|piece| matches!(piece, Piece::Call(call) if call.native.is_none()));
    w.object(|w| {
        w.key("role").string(match message.role {
            Role::Assistant => "model",
            Role::User | Role::System => "user",
        });
        w.key("parts").array(|w| {
            let results = pieces.iter().take_while(|piece| matches!(piece, Piece::Result(_))).count();
            let (results, rest) = pieces.split_at(results);
            results.iter().for_each(|piece| part(w, piece, false));
            results.iter().for_each(|piece| result_media(w, piece));
            for piece in rest {
                let first = first_call.is_some_and(|first| std::ptr::eq(first, *piece));
                part(w, piece, strict && first);
            }
        });
    });
}

/// Of parallel calls only the first carries a signature.
fn part(w: &mut Writer, piece: &Piece<'_>, must_sign: bool) {
    match piece {
        Piece::Text(text) => w.object(|w| {
            w.key("text").string(&text.text);
            sign(w, text.signature);
        }),
        Piece::Reasoning(reasoning) => {
            if SELF.accepts_reasoning(reasoning) {
                w.object(|w| {
                    w.key("text").string(&reasoning.text);
                    w.key("thought").boolean(true);
                    sign(w, reasoning.signature.as_deref());
                });
            }
        }
        Piece::Call(one) => call(w, one, must_sign),
        Piece::Result(one) => response(w, one),
        Piece::Image(_) | Piece::File(_) => media(w, piece),
    }
}

fn call(w: &mut Writer, call: &CallPiece<'_>, must_sign: bool) {
    if let Some(native) = call.native {
        return w.raw(native);
    }
    w.object(|w| {
        w.key("functionCall").object(|w| {
            w.key("id").string(&call.id);
            w.key("name").string(&call.name);
            w.key("args").raw(&call.args);
        });
        sign(w, call.signature.or(must_sign.then_some(NO_SIGNATURE)));
    });
}

/// A response is an object: `output` for what came back, `error` for what went wrong.
fn response(w: &mut Writer, result: &ResultPiece<'_>) {
    if let Some(native) = result.native {
        return w.raw(native);
    }
    let said = result.content.iter().filter(|piece| words(piece, SELF, Place::Result).is_some());
    w.object(|w| {
        w.key("functionResponse").object(|w| {
            w.key("id").string(&result.id);
            w.key("name").string(&result.name);
            w.key("response").object(|w| {
                w.key(if result.is_error { "error" } else { "output" });
                write_words(w, said, SELF, Place::Result);
            });
        });
    });
}

fn result_media(w: &mut Writer, piece: &Piece<'_>) {
    if let Piece::Result(result) = piece {
        result.content.iter().for_each(|piece| media(w, piece));
    }
}

fn media(w: &mut Writer, piece: &Piece<'_>) {
    let (media, media_type) = match piece {
        Piece::Image(image) => (&image.media, &image.media_type),
        Piece::File(file) => (&file.media, &file.media_type),
        Piece::Text(_) | Piece::Reasoning(_) | Piece::Call(_) | Piece::Result(_) => return,
    };
    w.object(|w| match media {
        Media::Data(data) => w.key("inlineData").object(|w| {
            w.key("mimeType").string(media_type);
            w.key("data").string(data);
        }),
        Media::Url(url) => w.key("fileData").object(|w| {
            w.key("mimeType").string(media_type);
            w.key("fileUri").string(url);
        }),
    });
}

fn sign(w: &mut Writer, signature: Option<&str>) {
    if let Some(signature) = signature {
        w.key("thoughtSignature").string(signature);
    }
}
