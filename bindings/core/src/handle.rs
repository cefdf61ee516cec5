//! A handle: a conversation that was read once and is assembled often.
//!
//! Nodes and counts stay; what is added is read and counted, nothing else is again. Assembly costs what the window holds.

use crate::messages::Messages;
use crate::{Fault, Fitted, Options, Shape, file, fit};
use serde_json::Value;
use weftwork::ask::{Ask, Check};
use weftwork::count::Meter;
use weftwork::formats::{Format, import};
use weftwork::model::{Conversation, NodeId};
use weftwork::{History, assemble};

/// A conversation that was read once.
#[derive(Debug)]
pub struct Handle {
    pub(crate) history: History,
    kind: Said,
}

#[derive(Debug)]
enum Said {
    /// Messages of an API.
    Messages(Box<Messages>),
    /// A conversation file; the head since something was added.
    File { moved: Option<NodeId> },
}

/// A request and its report.
#[derive(Clone, Debug)]
pub struct Assembled {
    /// The bytes to be sent.
    pub request: Vec<u8>,
    /// The report, as JSON.
    pub report: String,
}

impl Handle {
    /// An empty handle for messages.
    pub fn messages(options: &Options) -> Result<Handle, Fault> {
        let (messages, history) = Messages::new(options)?;
        Ok(Handle { history, kind: Said::Messages(Box::new(messages)) })
    }

    /// Whatever conversation is in these bytes: messages, a request body, a conversation file, an export.
    pub fn read(bytes: &[u8], options: &Options) -> Result<Handle, Fault> {
        let format = match options.named_shape()? {
            Some(shape) => Some(shape.format()),
            None => options.format,
        };
        let conversation = one(bytes, format)?;
        Ok(Handle { history: History::new(conversation)?, kind: Said::File { moved: None } })
    }

    /// Adds a JSON list: messages, or nodes of a conversation file.
    pub fn append(&mut self, list: &str) -> Result<(), Fault> {
        match &mut self.kind {
            Said::Messages(messages) => messages.append(list, &mut self.history),
            Said::File { moved } => {
                *moved = file::append(list, moved.clone(), &mut self.history)?;
                Ok(())
            }
        }
    }

    /// Adds a summary that stands for the first `until` messages.
    pub fn summarize(&mut self, text: &str, until: usize) -> Result<(), Fault> {
        match &mut self.kind {
            Said::Messages(messages) => messages.summarize(text, until, &mut self.history),
            Said::File { .. } => Err(Fault::option("a summary of a conversation file is a node of the kind \"summary\"")),
        }
    }

    /// The number of messages, or of nodes.
    pub fn len(&self) -> usize {
        match &self.kind {
            Said::Messages(messages) => messages.len(),
            Said::File { .. } => self.history.nodes().len(),
        }
    }

    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The shape of its messages; none for a conversation file.
    pub fn shape(&self) -> Option<Shape> {
        match &self.kind {
            Said::Messages(messages) => Some(messages.shape()),
            Said::File { .. } => None,
        }
    }

    /// Counts everything now instead of at the first call that needs it.
    pub fn count_ahead(&self, options: &Options) {
        let model = options.named_model();
        self.history.count(Meter::new(options.counter(), model.as_ref()).base());
    }

    /// Fits the messages into a budget and gives them back in their shape.
    pub fn fit(&self, options: &Options) -> Result<Fitted, Fault> {
        match &self.kind {
            Said::Messages(messages) => fit::fit(messages, &self.history, options),
            Said::File { .. } => Err(Fault::option("a conversation file is not fitted but assembled: use assemble")),
        }
    }

    /// Assembles a request.
    pub fn assemble(&self, options: &Options) -> Result<Assembled, Fault> {
        let assembly = assemble(&self.history, &self.ask(options)?)?;
        let report = serde_json::to_string(&assembly.report).unwrap_or_default();
        Ok(Assembled { request: assembly.request, report })
    }

    /// Every item of the report on its own instead of in runs, with the request.
    pub fn explain(&self, options: &Options) -> Result<Assembled, Fault> {
        let mut assembly = assemble(&self.history, &self.ask(options)?)?;
        assembly.report.items = assembly.each_node(&self.history);
        let report = serde_json::to_string(&assembly.report).unwrap_or_default();
        Ok(Assembled { request: assembly.request, report })
    }

    fn ask(&self, options: &Options) -> Result<Ask, Fault> {
        let mut ask = options.ask()?;
        match &self.kind {
            Said::Messages(messages) => {
                ask.model = ask.model.or_else(|| messages.model());
                ask.dialect = ask.dialect.or(Some(messages.shape().dialect()));
            }
            Said::File { moved } => ask.head = ask.head.or_else(|| moved.clone()),
        }
        Ok(ask)
    }
}

/// The only conversation in these bytes.
pub(crate) fn one(bytes: &[u8], format: Option<Format>) -> Result<Conversation, Fault> {
    let format = match (format, std::str::from_utf8(bytes)) {
        // A list is messages of an API more often than not, and these are told apart by all of them.
        (None, Ok(text)) if text.starts_with('[') => Shape::tell(text).map(Shape::format),
        (format, _) => format,
    };
    let mut found = import(bytes, format, Check::Repair)?.conversations;
    match found.len() {
        1 => Ok(found.swap_remove(0)),
        several => Err(Fault::InvalidInput { what: format!("{several} conversations, and one is needed: take one out of them") }),
    }
}

/// A JSON value of the report with the places of messages added.
pub(crate) fn report_value(report: &weftwork::report::Report) -> Value {
    serde_json::to_value(report).unwrap_or_default()
}
