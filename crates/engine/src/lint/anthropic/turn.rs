//! Turns: what a message must hold because of the one before it.

use serde_json::Value;

use super::block::{self, Block, Role};
use super::cache::{Marks, Placement};
use super::image::Pictures;
use super::place::{self, Turn};
use super::server::{Ending, ServerTools};
use super::{Setup, thinking};
use crate::lint::finding::Findings;
use crate::lint::pairs::{Order, Pairs};
use crate::lint::path::At;
use crate::lint::rule::Rule;
use crate::lint::shape::{Need, Object, missing, object, wrong_type};
use crate::lint::text;

/// The walk over the messages.
struct Walk<'v, 's> {
    setup: &'s Setup,
    marks: &'s mut Marks,
    pictures: Pictures,
    pairs: Pairs<'v>,
    servers: ServerTools<'v>,
    /// The open calls came from code, which takes nothing but their results.
    programmatic: bool,
}

/// What a message held so far; kept as flags so that a message of many blocks is read once.
#[derive(Default)]
struct Held {
    calls: bool,
    content: bool,
}

pub(super) fn lint(list: &[Value], at: &At, setup: &Setup, marks: &mut Marks, out: &mut Findings) {
    place::length(list, at, out);
    let roles: Vec<_> = list.iter().map(place::role).collect();
    let last_assistant = roles.iter().rposition(|role| *role == Some(Role::Assistant));
    let mut walk = Walk {
        setup,
        marks,
        pictures: Pictures::default(),
        pairs: Pairs::new(Order::Advised),
        servers: ServerTools::default(),
        programmatic: false,
    };
    for (i, message) in list.iter().enumerate() {
        let Some(message) = object(message, at.index(i), out) else {
            continue;
        };
        let Some(role) = place::named(&message, roles[i], out) else {
            continue;
        };
        let previous = i.checked_sub(1);
        let turn = Turn {
            message,
            role,
            before: previous.and_then(|i| roles[i]),
            after_server_tool: previous.is_some_and(|i| place::ends_in_server_tool(&list[i])),
            next: roles.get(i + 1).copied().flatten(),
            last: i + 1 == list.len(),
            last_assistant: last_assistant == Some(i),
        };
        place::lint(&turn, i, setup, out);
        walk.turn(&turn, out);
    }
    walk.pairs.close(out);
    walk.pictures.finish(out);
}

impl<'v> Walk<'v, '_> {
    fn turn(&mut self, turn: &Turn<'v, '_>, out: &mut Findings) {
        // A mark on the message itself is refused, but it counts.
        if turn.message.value("cache_control").is_some() {
            let on = Placement::Message;
            self.marks.message_block(&turn.message, on, out);
        }
        if turn.role == Role::Assistant {
            self.pairs.close(out);
            self.programmatic = false;
        }
        let at = turn.message.at.key("content");
        match turn.message.value("content") {
            None => missing(&at, "content", out),
            Some(Value::String(content)) => self.text(turn, content, &at, out),
            Some(Value::Array(list)) => self.blocks(turn, list, &at, out),
            Some(other) => wrong_type(other, &at, "a string or a list of blocks", out),
        }
        if turn.role == Role::User {
            self.pairs.close(out);
        }
    }

    fn text(&mut self, turn: &Turn, content: &str, at: &At, out: &mut Findings) {
        self.marks.plain_text();
        // The API takes an empty assistant message in the last place.
        if !(turn.last && turn.role == Role::Assistant && content.is_empty()) {
            text::not_blank(content, at, out);
        }
        place::trailing(turn, content, at, out);
    }

    fn blocks(&mut self, turn: &Turn<'v, '_>, list: &'v [Value], at: &At, out: &mut Findings) {
        if list.is_empty() && !(turn.last && turn.role == Role::Assistant) {
            out.error(at, Rule::EmptyContent, "the message has no block".to_owned(), "leave the message out");
        }
        let mut kinds = Vec::with_capacity(list.len());
        let mut held = Held::default();
        for (i, block) in list.iter().enumerate() {
            let Some(block) = object(block, at.index(i), out) else {
                continue;
            };
            let Some(kind) = block::kind(&block, turn.role, out) else {
                continue;
            };
            block::fields(&block, kind, self.marks, &mut self.pictures, out);
            self.pairing(&block, kind, &held, out);
            held.calls |= kind == Block::ToolUse;
            held.content |= kind != Block::ToolResult;
            kinds.push(kind);
        }
        if turn.role == Role::Assistant {
            self.assistant(turn, list, &kinds, at, out);
        }
    }

    fn pairing(&mut self, block: &Object<'v, '_>, kind: Block, held: &Held, out: &mut Findings) {
        match kind {
            Block::ToolUse => self.call(block, out),
            Block::ToolResult => self.result(block, held, out),
            Block::ServerToolUse => self.servers.call(block, out),
            Block::ServerToolResult => self.servers.result(block, out),
            _ if held.calls => out.error(
                &block.at,
                Rule::ContentAfterCall,
                "nothing but calls may follow a tool_use in its message".to_owned(),
                "end the message with its calls; put the rest after their results",
            ),
            _ if self.programmatic && self.pairs.is_open() => out.error(
                &block.at,
                Rule::MixedProgrammaticResults,
                "calls from code are answered by results alone".to_owned(),
                "send the rest in a later message",
            ),
            _ => {}
        }
    }

    fn call(&mut self, block: &Object<'v, '_>, out: &mut Findings) {
        let name = block.value("name").and_then(Value::as_str);
        if let Some(id) = block.filled("id", Need::Required, out) {
            self.pairs.call(id, name, &block.at, out);
        }
        self.programmatic |= called_by_code(block);
    }

    fn result(&mut self, block: &Object<'v, '_>, held: &Held, out: &mut Findings) {
        if let Some(id) = block.value("tool_use_id").and_then(Value::as_str) {
            self.pairs.result(id, None, &block.at, out);
        }
        if held.content {
            out.error(
                &block.at,
                Rule::ContentBeforeResult,
                "a tool_result stands behind other content".to_owned(),
                "put all results first in their message, then the rest",
            );
        }
    }

    fn assistant(&mut self, turn: &Turn, list: &[Value], kinds: &[Block], at: &At, out: &mut Findings) {
        let ending = if kinds.contains(&Block::ToolUse) {
            Ending::Waiting
        } else if turn.last || turn.next == Some(Role::System) {
            Ending::Paused
        } else {
            Ending::Answered
        };
        self.servers.close(ending, out);
        // Blocks that could not be read would shift the places.
        if kinds.len() == list.len() {
            thinking::order(kinds, turn.last_assistant, self.setup, at, out);
        }
        if let Some(block) = list.last()
            && let Some(content) = block.get("text").and_then(Value::as_str)
        {
            place::trailing(turn, content, &at.index(list.len() - 1).key("text"), out);
        }
    }
}

/// A call that the code execution tool made, and not the model itself.
fn called_by_code(block: &Object) -> bool {
    let caller = block.value("caller").and_then(|caller| caller.get("type"));
    caller.and_then(Value::as_str).is_some_and(|by| by != "direct")
}
