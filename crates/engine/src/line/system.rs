//! The system text of dialogues and buffers: the agent's prompt, the space's, instructions, and a summary.
//!
//! Left out when empty, and otherwise in every request: no cut removes it.

use super::brief::Brief;
use super::loom;
use super::select::Selection;
use crate::ask::{Form, SummaryPlacement, SummarySide};
use crate::model::{Node, Part};
use crate::prompt::{Block, Section, Stability};
use std::borrow::Cow;

/// What a summary in the system text stands under.
const SUMMARY_HEADING: &str = "Previous Conversation Summary:";
/// What a summary as a message begins with.
const SUMMARY_LABEL: &str = "[Summary of the conversation so far]";

/// The blocks of the system text.
pub(crate) fn system<'h>(brief: &Brief<'h>, selection: &Selection<'h>) -> Vec<Block<'h>> {
    let space = &brief.history.file().space;
    if brief.form == Form::Buffer && !space.buffer_mode_system_context {
        return Vec::new();
    }
    let mut blocks: Vec<Block<'h>> = Vec::new();
    let texts = prompts(brief, selection).into_iter().filter(|text| !text.trim().is_empty());
    blocks.extend(texts.map(|text| block(Section::Prompt, text)));
    blocks.extend(loom::addendum(brief));
    if let Some(summary) = summary_text(brief, selection, SummaryPlacement::System) {
        let summary = block(Section::Summary, Cow::Owned(format!("{SUMMARY_HEADING}\n{summary}")));
        match brief.policy.summary_side {
            SummarySide::After => blocks.push(summary),
            SummarySide::Before => blocks.insert(0, summary),
        }
    }
    separate(&mut blocks);
    blocks
}

/// The summary as a message, if it is placed there.
pub(crate) fn summary_message(brief: &Brief<'_>, selection: &Selection<'_>) -> Option<String> {
    let placed = match brief.form {
        Form::Dialogue => SummaryPlacement::Message,
        Form::Buffer | Form::Timeline => return None,
    };
    summary_text(brief, selection, placed).map(|text| format!("{SUMMARY_LABEL}\n{text}"))
}

fn summary_text(brief: &Brief<'_>, selection: &Selection<'_>, placed: SummaryPlacement) -> Option<String> {
    (brief.policy.summary == placed).then(|| selection.summary.map(|node| text(brief.history.at(node)))).flatten()
}

fn prompts<'h>(brief: &Brief<'h>, selection: &Selection<'h>) -> Vec<Cow<'h, str>> {
    let history = brief.history;
    let own = brief.viewer.and_then(|viewer| history.entity_at(viewer).system_prompt.as_deref()).filter(|text| !text.is_empty());
    let agent = own.or(brief.default_prompt).map(Cow::Borrowed);
    let space = Cow::Borrowed(history.file().space.system_context.as_str());
    let nodes = selection.leading.iter().chain(&selection.instructions);
    agent.into_iter().chain([space]).chain(nodes.map(|&node| Cow::Owned(text(history.at(node))))).collect()
}

/// All text of a node.
pub(crate) fn text(node: &Node) -> String {
    let texts = node.parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.text.as_str()),
        Part::Reasoning(_) | Part::ToolCall(_) | Part::ToolResult(_) | Part::Image(_) | Part::File(_) => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn block(section: Section, text: Cow<'_, str>) -> Block<'_> {
    Block { section, text, stability: Stability::Stable, mark: false }
}

/// Puts a blank line between blocks, into the later one's text.
fn separate(blocks: &mut [Block<'_>]) {
    for block in blocks.iter_mut().skip(1) {
        block.text = Cow::Owned(format!("\n\n{}", block.text));
    }
}
