//! What a tool said.

use weftwork::model::ResultContent;
use weftwork::model::{Part, ToolResult};

/// What a tool said: texts and pictures in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The parts.
    pub parts: Vec<Part>,
    /// Whether the tool says that it failed.
    pub is_error: bool,
}

impl Answer {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { parts: vec![Part::text(text)], is_error: false }
    }

    /// A failure, in words a model can act on.
    pub fn error(text: impl Into<String>) -> Self {
        Self { parts: vec![Part::text(text)], is_error: true }
    }

    /// Adds a text; texts that follow each other are one, parted by an empty line.
    pub(super) fn say(&mut self, text: &str) {
        match self.parts.last_mut() {
            Some(Part::Text(last)) => {
                last.text.push_str("\n\n");
                last.text.push_str(text);
            }
            Some(_) | None => self.parts.push(Part::text(text)),
        }
    }

    /// The result as it is sent: plain text where there is nothing else.
    pub(super) fn into_result(self, id: &str, name: &str) -> ToolResult {
        let content = match <[Part; 1]>::try_from(self.parts) {
            Ok([Part::Text(text)]) => ResultContent::Text(text.text),
            Ok([other]) => ResultContent::Parts(vec![other]),
            Err(parts) if parts.is_empty() => ResultContent::Text(String::new()),
            Err(parts) => ResultContent::Parts(parts),
        };
        let (id, name) = (id.to_owned(), Some(name.to_owned()));
        ToolResult { id, name, content, is_error: self.is_error, included: false, native: None }
    }
}
