//! The timeline form in the line: nodes into entries, entries into the system text or into messages.

use super::brief::Brief;
use super::error::AssembleError;
use super::repair::{Atom, Messages, Nodes, Said};
use super::select::Selection;
use super::side::{Side, side, voice};
use super::system::text;
use crate::ask::{HistoryPlacement, Layout};
use crate::history::has_media;
use crate::model::{EntityId, EntityKind, Node, Part, ResultContent, ToolResult, Trigger};
use crate::prompt::{Block, Message, Piece, Section};
use crate::report::Reason;
use crate::timeline::{self, Advice, Because, Body, Entry, Here, Mark, Outcome, Post, Seen, Speaker, View};
use smallvec::smallvec;
use std::borrow::Cow;

/// Whether a space is active: a plan or a service starts a run that has to enter one first.
pub(crate) fn is_somewhere(brief: &Brief<'_>) -> bool {
    match &brief.history.file().trigger {
        Some(Trigger::SpaceMessage(_)) | None => true,
        Some(trigger @ (Trigger::Plan(_) | Trigger::Service(_))) => trigger.waited_on().is_some(),
    }
}

/// The user message of the run.
pub(crate) fn closing(brief: &Brief<'_>) -> &'static str {
    timeline::opening(brief.history.file().trigger.as_ref())
}

/// The system text around the history, and where in it the history stands: behind ACTIVE SPACE.
pub(crate) fn around<'h>(brief: &Brief<'h>, selection: &Selection<'h>) -> Result<(Vec<Block<'h>>, usize), AssembleError> {
    let (Some(viewer), Some(now)) = (brief.viewer, brief.ask.now.as_ref()) else {
        return Err(if brief.viewer.is_none() { AssembleError::NoViewer } else { AssembleError::NoTime });
    };
    let file = brief.history.file();
    let history = brief.history;
    let view = View {
        viewer: history.entity_at(viewer),
        now,
        prompt: prompts(brief, selection),
        trigger: file.trigger.as_ref(),
        here: is_somewhere(brief).then_some(Here { space: &file.space, entries: Vec::new() }),
        spaces: &file.spaces,
        goals: &file.goals,
        memories: &file.memories,
        plans: &file.plans,
        runs: &file.runs,
        layout: brief.policy.layout,
        placement: brief.policy.history,
        // A run that has waited already may wait again and again; a fresh one needs no such advice.
        advice: match file.trigger.as_ref().and_then(Trigger::waited_on) {
            Some(_) => Advice::NewRunForNewTask,
            None => Advice::Seed,
        },
    };
    let blocks = timeline::blocks(&view, &|id: &EntityId| history.entity(id.as_str()));
    let blocks = with_loom(brief, blocks.map_err(|error| AssembleError::BadView { error })?);
    let at = blocks.iter().rposition(|block| block.section == Section::ActiveSpace).map_or(blocks.len(), |at| at + 1);
    Ok((blocks, at))
}

/// The system text of `entries`.
pub(crate) fn history<'h>(brief: &Brief<'h>, entries: Vec<Entry<'h>>) -> Vec<Block<'h>> {
    if !is_somewhere(brief) {
        return Vec::new();
    }
    let here = Here { space: &brief.history.file().space, entries };
    timeline::history(&here, brief.policy.layout, brief.policy.history)
}

/// What a loom-aware agent is told beside: behind the prompt.
fn with_loom<'h>(brief: &Brief<'h>, mut blocks: Vec<Block<'h>>) -> Vec<Block<'h>> {
    let Some(mut addendum) = super::loom::addendum(brief) else { return blocks };
    let at = blocks.iter().take_while(|block| block.section == Section::Prompt).count();
    let next = if at == 0 { blocks.first_mut() } else { Some(&mut addendum) };
    if let Some(next) = next {
        next.text = Cow::Owned(format!("\n\n{}", next.text));
    }
    blocks.insert(at, addendum);
    blocks
}

fn prompts<'h>(brief: &Brief<'h>, selection: &Selection<'h>) -> Vec<&'h str> {
    let history = brief.history;
    let own = brief.viewer.and_then(|viewer| history.entity_at(viewer).system_prompt.as_deref()).filter(|text| !text.is_empty());
    let nodes = selection.leading.iter().chain(&selection.instructions);
    let texts = nodes.flat_map(|&node| &history.at(node).parts).filter_map(|part| match part {
        Part::Text(text) => Some(text.text.as_str()),
        Part::Reasoning(_) | Part::ToolCall(_) | Part::ToolResult(_) | Part::Image(_) | Part::File(_) => None,
    });
    own.or(brief.default_prompt).into_iter().chain([file_context(brief)]).chain(texts).collect()
}

fn file_context<'h>(brief: &Brief<'h>) -> &'h str {
    &brief.history.file().space.system_context
}

/// What is told first, if a summary stands for what is no longer shown.
pub(crate) fn summary<'h>(brief: &Brief<'h>, selection: &Selection<'h>) -> Option<Entry<'h>> {
    let node = brief.history.at(selection.summary?);
    Some(Entry::Summary { to: node.covers.clone(), text: Cow::Owned(text(node)) })
}

/// A node as an atom of one entry, or why it makes none.
pub(crate) fn atom<'h>(brief: &Brief<'h>, index: u32) -> Result<(Entry<'h>, Atom<'h>), Reason> {
    let node = brief.history.at(index);
    let body = body(brief, index, node)?;
    let viewer = brief.viewer.map(|viewer| &brief.history.entity_at(viewer).id);
    let author = brief.history.entity_at(voice(brief.history, index));
    let entry = Entry::Post(Post {
        id: node.id.clone(),
        time: node.created_at.as_ref().map(Cow::Borrowed),
        speaker: viewer.map_or(Speaker::You, |viewer| Speaker::of(author, viewer)),
        body,
        seen: Some(seen(brief, index)),
        mark: brief.history.file().trigger.as_ref().and_then(|trigger| Mark::of(&node.id, trigger)),
    });
    let side = side(brief, index);
    let fixed =
        [(brief.reply, Reason::Reply), (brief.trigger, Reason::Trigger)].into_iter().find(|(cause, _)| *cause == Some(index));
    let pinned = node.pinned.then_some(Reason::Pinned);
    let said = said(brief, &entry, index);
    let raw = match brief.policy.history {
        HistoryPlacement::System => brief.ask.recall.text(brief.meter.base(), &line(brief, &entry)) + 1,
        HistoryPlacement::Messages => super::repair::said_cost(&said, brief),
    };
    let atom = Atom { nodes: smallvec![index], side, said, raw, fixed: fixed.map(|(_, reason)| reason).or(pinned) };
    Ok((entry, atom))
}

fn line(brief: &Brief<'_>, entry: &Entry<'_>) -> String {
    match brief.policy.layout {
        Layout::Seed => entry.line(),
        Layout::CacheStable => entry.stable_line(),
    }
}

/// The entry as a message, where history is messages.
pub(crate) fn said<'h>(brief: &Brief<'h>, entry: &Entry<'h>, index: u32) -> Messages<'h> {
    match brief.policy.history {
        HistoryPlacement::System => Messages::new(),
        HistoryPlacement::Messages => smallvec![Said { nodes: smallvec![index], ..message(entry) }],
    }
}

/// Any entry as a message.
pub(crate) fn message<'h>(entry: &Entry<'h>) -> Said<'h> {
    let (role, text) = timeline::message(entry);
    Said { message: Message { role, pieces: Piece::text(text).into(), mark: false }, nodes: Nodes::new() }
}

fn body<'h>(brief: &Brief<'h>, index: u32, node: &'h Node) -> Result<Body<'h>, Reason> {
    let said = text(node);
    if !said.trim().is_empty() {
        return Ok(match &node.origin {
            _ if brief.waited_on == Some(index) => Body::Called(Cow::Owned(said)),
            Some(origin) if side(brief, index) == Side::Assistant => {
                Body::SentBecause { because: Because::from(origin), text: Cow::Owned(said) }
            }
            Some(_) | None => Body::Said(Cow::Owned(said)),
        });
    }
    let foreign = side(brief, index) == Side::User && brief.history.author(index).kind == EntityKind::Agent;
    let result = node.parts.iter().find_map(|part| if let Part::ToolResult(result) = part { Some(result) } else { None });
    match result {
        Some(result) if !foreign => Ok(shown_result(brief, index, result)),
        Some(_) => Err(Reason::ToolPolicy),
        None => match attachment(node) {
            Some(text) => Ok(Body::Said(Cow::Owned(text))),
            None if node.parts.iter().any(|part| matches!(part, Part::ToolCall(_))) => Err(Reason::ToolPolicy),
            None => Err(Reason::Empty),
        },
    }
}

fn shown_result<'h>(brief: &Brief<'h>, index: u32, result: &'h ToolResult) -> Body<'h> {
    let name = result.name.as_deref().or_else(|| called(brief, index, &result.id)).unwrap_or("a tool");
    let text = match &result.content {
        ResultContent::Text(text) => timeline::shortened(text),
        ResultContent::Parts(_) if has_media(&result.content) => Cow::Borrowed("[media]"),
        ResultContent::Parts(parts) => Cow::Owned(parts.iter().filter_map(part_text).collect::<Vec<_>>().join("\n")),
    };
    Body::Result {
        tool: Cow::Borrowed(name),
        outcome: if result.is_error { Outcome::Failed } else { Outcome::Returned },
        text: Cow::Owned(timeline::shortened(&text).into_owned()),
    }
}

fn called<'h>(brief: &Brief<'h>, index: u32, id: &str) -> Option<&'h str> {
    let caller = brief.history.at(brief.history.caller(id, index, |_| true)?);
    caller.parts.iter().find_map(|part| match part {
        Part::ToolCall(call) if call.id == id => Some(call.name.as_str()),
        Part::ToolCall(_) | Part::Text(_) | Part::Reasoning(_) | Part::ToolResult(_) | Part::Image(_) | Part::File(_) => None,
    })
}

fn part_text(part: &Part) -> Option<&str> {
    if let Part::Text(text) = part { Some(&text.text) } else { None }
}

/// What stands for pictures and files: a timeline is text.
fn attachment(node: &Node) -> Option<String> {
    let names = node.parts.iter().filter_map(|part| match part {
        Part::Image(_) => Some("[image]".to_owned()),
        Part::File(file) => Some(format!("[file {}]", file.name)),
        Part::Text(_) | Part::Reasoning(_) | Part::ToolCall(_) | Part::ToolResult(_) => None,
    });
    let names: Vec<_> = names.collect();
    (!names.is_empty()).then(|| names.join(" "))
}

/// Own entries are seen; others up to the viewer's cursor are.
fn seen(brief: &Brief<'_>, index: u32) -> Seen {
    if side(brief, index) == Side::Assistant || brief.waited_on == Some(index) {
        return Seen::Seen;
    }
    let cursor = brief.cursor.map(|cursor| brief.history.place(cursor).depth);
    match cursor {
        Some(depth) if brief.history.place(index).depth <= depth => Seen::Seen,
        Some(_) | None => Seen::New,
    }
}
