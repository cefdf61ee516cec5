//! What the model on board is told in the demo: words for people, and below them lines for the model.

use serde_json::Value;

/// A message: words, and what the agent is to do about them.
pub(super) struct Script(String);

impl Script {
    /// Words alone.
    pub(super) fn new(words: &str) -> Script {
        Script(words.to_owned())
    }

    /// Then the agent answers.
    pub(super) fn send(self, text: &str) -> Script {
        self.line(&format!("!send {text}"))
    }

    /// Then the agent asks, and waits.
    pub(super) fn wait(self, text: &str) -> Script {
        self.line(&format!("!wait {text}"))
    }

    /// Then the model says something.
    pub(super) fn say(self, text: &str) -> Script {
        self.line(&format!("!say {text}"))
    }

    /// Then the agent uses a tool.
    pub(super) fn call(self, tool: &str, arguments: &Value) -> Script {
        self.line(&format!("!call {tool} {arguments}"))
    }

    /// All of it.
    pub(super) fn text(self) -> String {
        self.0
    }

    fn line(self, line: &str) -> Script {
        Script(format!("{}\n{line}", self.0))
    }
}
