//! Messages of an API, read as they come: for a caller who keeps a conversation and adds to it.
//!
//! What was heard before is not read again. Nodes have the ids and parents they would have if all messages had been imported
//! at once; only a reply that Responses cuts into items is not continued from one hearing to the next.

use super::draft::Draft;
use super::error::ImportError;
use super::item::Item;
use super::loss::LossReport;
use super::source::{self, Document};
use super::{Format, ai_sdk, anthropic, gemini, openai, responses};
use crate::ask::Check;
use crate::model::{Entity, Node};
use std::{cell::RefCell, ops::Range, rc::Rc};

/// Somebody who listens to a conversation.
#[derive(Debug, Default)]
pub struct Listener {
    draft: Draft,
    /// Nodes handed out so far.
    heard: u32,
}

/// What was heard at once.
#[derive(Debug)]
pub struct Heard {
    /// The nodes, each continuing the one before.
    pub nodes: Vec<Node>,
    /// For each message, which nodes hold it, counted from the first ever heard. Empty where nothing of it is known here.
    pub places: Vec<Range<u32>>,
    /// For each message, where its text stands in the list.
    pub texts: Vec<Range<usize>>,
}

impl Listener {
    /// Reads a JSON list of messages in one of the APIs' formats. An error names the message (`$[3].role`) and nothing of the
    /// list is taken in.
    pub fn hear(&mut self, messages: &str, format: Format) -> Result<Heard, ImportError> {
        let document = Document { name: None, text: messages.into() };
        let (docs, _) = source::items(&document, Check::Repair, &Rc::new(RefCell::new(LossReport::unread())))?;
        let (mut places, mut texts) = (Vec::new(), Vec::new());
        let mut hearing = Hearing { reader: responses::Reader::new(std::mem::take(&mut self.draft)), format };
        let heard = docs.iter().try_for_each(|doc| {
            doc.items()?.iter().try_for_each(|item| {
                places.push(hearing.message(item, self.heard)?);
                let start = item.offset().unwrap_or_default();
                texts.push(start..start + item.raw().len());
                Ok(())
            })
        });
        self.draft = hearing.reader.draft;
        let nodes = std::mem::take(&mut self.draft.conversation.nodes);
        if let Err(error) = heard {
            if let Some(first) = nodes.into_iter().next() {
                self.draft.go_on_from(first.parent);
            }
            return Err(error);
        }
        self.heard += nodes.len() as u32;
        Ok(Heard { nodes, places, texts })
    }

    /// Who was heard so far.
    pub fn entities(&self) -> &[Entity] {
        &self.draft.conversation.entities
    }
}

struct Hearing {
    reader: responses::Reader,
    format: Format,
}

impl Hearing {
    /// Reads one message; says which nodes hold it.
    fn message(&mut self, item: &Item<'_>, heard: u32) -> Result<Range<u32>, ImportError> {
        let (before, said) = self.so_far();
        let draft = &mut self.reader.draft;
        match self.format {
            Format::OpenAi => openai::message(item, draft)?,
            Format::Responses => self.reader.item(item)?,
            Format::Anthropic => anthropic::message(item, draft)?,
            Format::Gemini => gemini::content(item, draft)?,
            Format::AiSdk => ai_sdk::message(item, draft)?,
            Format::Weft
            | Format::Deepchat
            | Format::Superdesign
            | Format::Netdata
            | Format::Aspen
            | Format::ChatGpt
            | Format::Claude
            | Format::OpenWebUi
            | Format::LibreChat
            | Format::ClaudeCode
            | Format::Codex => return Err(item.wrong(format!("{} is not the format of an API's messages", self.format))),
        }
        let (after, says) = self.so_far();
        let grown = u32::from(after == before && says > said);
        Ok(heard + before - grown..heard + after)
    }

    /// How many nodes there are, and how many parts the last of them has.
    fn so_far(&self) -> (u32, usize) {
        let nodes = &self.reader.draft.conversation.nodes;
        (nodes.len() as u32, nodes.last().map_or(0, |node| node.parts.len()))
    }
}
