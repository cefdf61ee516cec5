//! Tools of the gateway itself.

use super::{Answer, Approval};
use serde_json::{Map, Value};
use std::pin::Pin;
use weftwork::model::{Tool, ToolCall};

/// An answer that is being worked on.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A tool of the gateway. It is given to a round, so it can belong to one conversation.
pub trait BuiltIn: Send + Sync {
    /// What a model is told of it. The name holds no `__`: such names are servers'.
    fn tool(&self) -> Tool;

    /// Whether it may run, where nothing was decided.
    fn approval(&self) -> Approval {
        Approval::Always
    }

    /// Runs it. The arguments match its schema.
    fn call<'a>(&'a self, call: &'a ToolCall, arguments: Map<String, Value>) -> Pending<'a, Answer>;
}
