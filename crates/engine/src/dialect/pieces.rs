//! What the renderers share: the prompt as this model takes it, turns with tool results apart, joined texts.

use super::Dialect;
use super::json::Writer;
use super::media::{Place, file_note, image_note};
use super::rules::JOINT;
use crate::model::{Media, Tool};
use crate::prompt::{Message, Piece, Prompt, ResultPiece, Role, TextPiece};
use smallvec::SmallVec;
use std::borrow::Cow;

/// The prompt as this model takes it. One without a system field gets the system text in its first user message: those
/// models' templates also refuse two user messages in a row, so it joins the first where there is one.
pub(super) fn settle<'p, 'h>(prompt: &'p Prompt<'h>) -> Cow<'p, Prompt<'h>> {
    let takes_system = !prompt.model.is_some_and(|model| model.no_system);
    if takes_system || prompt.system.is_empty() {
        return Cow::Borrowed(prompt);
    }
    let mut prompt = prompt.clone();
    let lead = Piece::Text(TextPiece { text: prompt.system_text().into(), signature: None });
    prompt.system.clear();
    match prompt.messages.first_mut() {
        Some(first) if first.role == Role::User => first.pieces.insert(0, lead),
        _ => prompt.messages.insert(0, Message { role: Role::User, pieces: lead.into(), mark: false }),
    }
    Cow::Owned(prompt)
}

/// Pieces of one message: nearly always few.
pub(super) type Words<'m, 'h> = SmallVec<[&'m Piece<'h>; 4]>;

/// A message as the APIs see it that keep tool results in messages of their own.
pub(super) enum Turn<'m, 'h> {
    /// One tool result.
    Result(&'m ResultPiece<'h>),
    /// What is said, without results; never empty.
    Said(Words<'m, 'h>),
}

/// A user message's results come first, whatever stood between them; an assistant message (a provider ran the tool
/// itself) is parted where they stand.
pub(super) fn each_turn<'m, 'h>(message: &'m Message<'h>, mut write: impl FnMut(Turn<'m, 'h>)) {
    let mut said = Words::new();
    for piece in &message.pieces {
        match piece {
            Piece::Result(result) => {
                if message.role == Role::Assistant && !said.is_empty() {
                    write(Turn::Said(std::mem::take(&mut said)));
                }
                write(Turn::Result(result));
            }
            _ => said.push(piece),
        }
    }
    if !said.is_empty() {
        write(Turn::Said(said));
    }
}

/// The pieces of a message, a user's results first and in their order: Anthropic and Gemini refuse anything before or
/// between them.
pub(super) fn results_first<'m, 'h>(message: &'m Message<'h>) -> Vec<&'m Piece<'h>> {
    let mut pieces: Vec<_> = message.pieces.iter().collect();
    if message.role != Role::Assistant {
        pieces.sort_by_key(|piece| !matches!(piece, Piece::Result(_)));
    }
    pieces
}

/// What this piece says in words: text, or the note on a picture or file that cannot stand here.
pub(super) fn words<'m>(piece: &'m Piece<'_>, dialect: Dialect, place: Place) -> Option<Cow<'m, str>> {
    match piece {
        Piece::Text(text) => Some(Cow::Borrowed(&text.text)),
        Piece::Image(image) if !dialect.accepts_image(place, image) => Some(image_note(image).into()),
        Piece::File(file) if !dialect.accepts_file(place, file) => Some(file_note(file).into()),
        Piece::Image(_) | Piece::File(_) | Piece::Reasoning(_) | Piece::Call(_) | Piece::Result(_) => None,
    }
}

/// Whether a message or result is nothing but words in this dialect.
pub(super) fn only_words<'m, 'h: 'm>(pieces: impl IntoIterator<Item = &'m Piece<'h>>, dialect: Dialect, place: Place) -> bool {
    pieces.into_iter().all(|piece| words(piece, dialect, place).is_some())
}

/// All words as one string.
pub(super) fn write_words<'m, 'h: 'm>(
    w: &mut Writer,
    pieces: impl IntoIterator<Item = &'m Piece<'h>>,
    dialect: Dialect,
    place: Place,
) {
    w.joined(pieces.into_iter().filter_map(|piece| words(piece, dialect, place)), JOINT);
}

/// A picture's or file's bytes as an address: its own, or a `data:` one.
pub(super) fn write_address(w: &mut Writer, media: &Media, media_type: &str) {
    match media {
        Media::Data(data) => w.strings(["data:", media_type, ";base64,", data]),
        Media::Url(url) => w.string(url),
    }
}

/// The system text as one string, under `key`; left out when empty.
pub(super) fn write_system(w: &mut Writer, key: &'static str, prompt: &Prompt<'_>) {
    if !prompt.system.is_empty() {
        w.key(key).strings(prompt.system.iter().map(|block| &block.text));
    }
}

/// The name the API knows the model by; left out when there is none.
pub(super) fn write_model(w: &mut Writer, prompt: &Prompt<'_>) {
    if let Some(model) = prompt.model {
        w.key("model").string(model.wire_name());
    }
}

/// Name and description of a tool, and its schema under `schema`.
pub(super) fn write_tool(w: &mut Writer, tool: &Tool, schema: &'static str) {
    w.key("name").string(&tool.name);
    if !tool.description.is_empty() {
        w.key("description").string(&tool.description);
    }
    w.key(schema).raw(tool.input_schema.text());
}

/// Tools as Chat Completions and Ollama take them; left out when there are none.
pub(super) fn write_function_tools(w: &mut Writer, prompt: &Prompt<'_>) {
    if prompt.tools.is_empty() {
        return;
    }
    w.key("tools").array(|w| {
        for tool in &prompt.tools {
            w.object(|w| {
                w.key("type").word("function");
                w.key("function").object(|w| write_tool(w, tool, "parameters"));
            });
        }
    });
}

/// About how many bytes the body will have: more costs a little memory, less a copy.
pub(super) fn size_hint(prompt: &Prompt<'_>) -> usize {
    let system: usize = prompt.system.iter().map(|block| room(block.text.len())).sum();
    let tools: usize = prompt.tools.iter().map(|tool| room(tool.description.len() + tool.input_schema.text().len())).sum();
    let messages: usize = prompt.messages.iter().flat_map(|message| &message.pieces).map(piece_size).sum();
    512 + system + tools + messages
}

fn piece_size(piece: &Piece<'_>) -> usize {
    room(match piece {
        Piece::Text(text) => text.text.len(),
        Piece::Reasoning(reasoning) => reasoning.text.len() + reasoning.signature.as_ref().map_or(0, String::len),
        Piece::Call(call) => call.args.len() + call.native.map_or(0, str::len),
        Piece::Result(result) => result.content.iter().map(piece_size).sum::<usize>() + result.native.map_or(0, str::len),
        Piece::Image(image) => media_size(&image.media),
        Piece::File(file) => media_size(&file.media),
    })
}

fn media_size(media: &Media) -> usize {
    match media {
        Media::Data(text) | Media::Url(text) => text.len(),
    }
}

/// A text with its escapes and the keys around it.
fn room(text: usize) -> usize {
    text + text / 16 + 160
}
