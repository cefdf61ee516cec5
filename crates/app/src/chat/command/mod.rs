//! What a person may type: a message, or a command that begins with a slash.
//!
//! Reading is pure: it knows neither the chat nor the terminal.

mod list;
mod read;
mod sampling;

pub(crate) use list::COMMANDS;
pub(crate) use read::read;
pub(crate) use sampling::{Setting, lay_over, shown as sampling_shown};

use weftwork::ask::ToolPolicy;
use weftwork::formats::ExportFormat;
use weftwork_gateway::tools::Approval;
use weftwork_store::Flag;

/// What was typed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Typed {
    /// Nothing.
    Nothing,
    /// Something to say.
    Say(String),
    /// Something to do.
    Do(Command),
}

/// Something to do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Command {
    Help,
    /// What would be sent now, with this text said.
    Context(Option<String>),
    Tree,
    Switch(To),
    /// The last reply again, by this model.
    Retry(Option<String>),
    Edit {
        node: Option<String>,
        with: With,
    },
    Continue,
    /// So many replies, by these models in turn.
    Generate {
        count: u32,
        models: Vec<String>,
    },
    /// So many newest messages stay as they are.
    Summarize(u32),
    Title,
    Undo,
    /// The next message begins afresh.
    Clear,
    Tools(Tools),
    Cost,
    Model(Option<String>),
    System(Option<String>),
    Sampling(Vec<Setting>),
    Reasoning(Option<Showing>),
    Flag {
        flag: Flag,
        on: bool,
        node: Option<String>,
    },
    Export {
        format: ExportFormat,
        file: Option<String>,
    },
    Open(Option<String>),
    New,
    Raw,
    Quit,
}

/// Where to go in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum To {
    /// The branch through a node.
    Node(String),
    /// The next of the siblings nearest to the end.
    Next,
    /// The one before.
    Previous,
}

/// What a text is edited with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum With {
    /// The line of the chat.
    Line,
    /// The program in VISUAL or EDITOR.
    Editor,
}

/// Whether thinking is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Showing {
    On,
    Off,
}

/// What to do about tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tools {
    List,
    /// A tool's description is trusted as it is now.
    Approve(String),
    /// When a tool may run.
    Set(String, Approval),
    /// Which tools and tool parts are sent.
    Mode(ToolPolicy),
    /// Whether a tool is among those that `manual` sends.
    Choose(String, bool),
}

/// Why a line is no command. A fact that a person can act on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Misread {
    /// There is no such command.
    Unknown { name: String, near: Vec<&'static str> },
    /// The command takes something else.
    Usage { usage: String, why: Option<String> },
}

impl std::error::Error for Misread {}

impl std::fmt::Display for Misread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Misread::Unknown { name, near } if near.is_empty() => write!(f, "there is no command /{name}: /help lists all.")?,
            Misread::Unknown { name, near } => {
                let near: Vec<String> = near.iter().map(|near| format!("/{near}")).collect();
                write!(f, "there is no command /{name}: did you mean {}?", near.join(" or "))?;
            }
            Misread::Usage { usage, why: None } => write!(f, "write {usage}")?,
            Misread::Usage { usage, why: Some(why) } => write!(f, "{why}: write {usage}")?,
        }
        match self {
            Misread::Unknown { .. } => f.write_str(" Write two slashes to send text that begins with one"),
            Misread::Usage { .. } => Ok(()),
        }
    }
}
