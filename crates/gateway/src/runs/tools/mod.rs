//! What an agent can do in a run: talk, read, look at its runs, change its mind. Each is one step of the run.
//!
//! What is not the agent's own does not exist for it: a space it does not belong to, another's run, a message of either.

mod mind;
mod plans;
mod read;
mod runs;
mod send;

pub(crate) use read::said as words;
pub use send::not_woken;
pub(crate) use send::{sent, waits};

use super::drive::{Drive, DriveError};
use super::kept::Answered;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::LazyLock;
use weftwork::model::{Json, Tool, ToolCall};

/// The tools of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Own {
    EnterSpace,
    SendMessage,
    ReadMessages,
    GetMyRuns,
    StopRun,
    SetGoals,
    SetMemories,
    SetPlans,
}

const ALL: [Own; 8] = [
    Own::EnterSpace,
    Own::SendMessage,
    Own::ReadMessages,
    Own::GetMyRuns,
    Own::StopRun,
    Own::SetGoals,
    Own::SetMemories,
    Own::SetPlans,
];

/// What came of a call.
pub(crate) enum Came {
    /// An answer, which is still to be written down.
    Answer(Answered),
    /// It was written down in one with what it did.
    Kept,
    /// The message was sent, and the run waits.
    Waits,
}

impl Own {
    /// The tool of a name.
    pub(crate) fn named(name: &str) -> Option<Own> {
        ALL.into_iter().find(|own| own.name() == name)
    }

    /// All of them, as a model is told of them.
    pub(crate) fn tools() -> Vec<Tool> {
        // They are in every request, and never change.
        static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| ALL.into_iter().map(Own::tool).collect());
        TOOLS.clone()
    }

    fn name(self) -> &'static str {
        match self {
            Own::EnterSpace => "enter_space",
            Own::SendMessage => "send_message",
            Own::ReadMessages => "read_messages",
            Own::GetMyRuns => "get_my_runs",
            Own::StopRun => "stop_run",
            Own::SetGoals => "set_goals",
            Own::SetMemories => "set_memories",
            Own::SetPlans => "set_plans",
        }
    }

    fn tool(self) -> Tool {
        let (description, properties, required) = match self {
            Own::EnterSpace => (
                "Makes one of your spaces the active one and shows its newest messages.",
                json!({"spaceId": text("The id of the space, as YOUR SPACES shows it."), "limit": limit(50)}),
                json!(["spaceId"]),
            ),
            Own::SendMessage => (
                "Says something in the active space, or in another of your spaces. With wait, this run pauses until \
                 somebody replies and then goes on.",
                json!({
                    "text": text("What to say."),
                    "messageId": text("The message this replies to; whoever waits for a reply to it goes on."),
                    "wait": {"type": "boolean", "description": "Pause this run until somebody replies."},
                    "accept": {
                        "description": "What ends the wait: \"any\" message of another (the default), a \"reply\" that names \
                                        this message, or a message of one of these entity ids.",
                        "anyOf": [{"enum": ["any", "reply"]}, {"type": "array", "items": {"type": "string"}, "minItems": 1}],
                    },
                    "timeout": text("How long to wait, such as \"2 hours\". After that this run goes on without a reply."),
                    "spaceId": text("The space to say it in, if it is not the active one."),
                }),
                json!(["text"]),
            ),
            Own::ReadMessages => (
                "Shows the newest messages of a space, or those before a message.",
                json!({
                    "spaceId": text("The space, if it is not the active one."),
                    "limit": limit(50),
                    "before": text("The id of a message: those before it are shown."),
                }),
                json!([]),
            ),
            Own::GetMyRuns => (
                "Lists your runs, the newest first.",
                json!({
                    "status": {"enum": ["queued", "running", "waiting_reply", "waiting_tool", "parked", "completed", "failed", "canceled"]},
                    "limit": limit(10),
                }),
                json!([]),
            ),
            Own::StopRun => ("Stops one of your other runs.", json!({"runId": text("The id of the run.")}), json!(["runId"])),
            Own::SetGoals => (
                "Changes your goals: adds, changes or removes some, or sets all of them.",
                edits(json!({
                    "type": "object",
                    "properties": {
                        "text": text("The goal. One with the same text is changed."),
                        "priority": {"type": "integer"},
                        "longTerm": {"type": "boolean", "description": "Whether it never ends."},
                    },
                    "required": ["text"],
                })),
                json!([]),
            ),
            Own::SetMemories => (
                "Changes what you remember in later runs: adds, changes or removes some, or sets all of it.",
                edits(json!({
                    "type": "object",
                    "properties": {"topic": text("What it is about, in a word."), "text": text("What to remember.")},
                    "required": ["topic", "text"],
                })),
                json!([]),
            ),
            Own::SetPlans => {
                ("Adds, changes or removes plans: what you will do later, in a run of its own.", plans::schema(), json!([]))
            }
        };
        let schema = json!({"type": "object", "properties": properties, "required": required});
        Tool { name: self.name().to_owned(), description: description.to_owned(), input_schema: Json::of(&schema) }
    }
}

fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

fn limit(default: u32) -> Value {
    json!({"type": "integer", "minimum": 1, "maximum": 200, "description": format!("How many, at most. Default {default}.")})
}

fn edits(item: Value) -> Value {
    json!({
        "add": {"type": "array", "items": item, "description": "Those to add or change."},
        "remove": {"type": "array", "items": {"type": "string"}, "description": "The texts of those to remove."},
        "all": {"type": "array", "items": item, "description": "Replaces all there are."},
    })
}

/// The arguments of a call, or what is wrong with them, in words a model can act on.
fn arguments<T: DeserializeOwned>(call: &ToolCall) -> Result<T, Box<Answered>> {
    let given: Value = serde_json::from_str(call.args.text()).unwrap_or(Value::Null);
    // Models fill in every field of a form: what is null is not given.
    let given = match given {
        Value::Object(fields) => Value::Object(fields.into_iter().filter(|(_, value)| !value.is_null()).collect()),
        other => {
            let why = format!("The arguments must be a JSON object, not {}.", short(&other));
            return Err(Box::new(Answered::error(call, why)));
        }
    };
    serde_json::from_value(given)
        .map_err(|error| Box::new(Answered::error(call, format!("The arguments of {} are wrong: {error}.", call.name))))
}

fn short(value: &Value) -> String {
    value.to_string().chars().take(80).collect()
}

impl Drive<'_> {
    /// Does one of the run's own calls as the step `step`.
    pub(super) async fn act(&self, own: Own, call: &ToolCall, mark: [u8; 32], step: u32) -> Result<Came, DriveError> {
        match own {
            Own::EnterSpace => self.enter_space(call).await,
            Own::SendMessage => self.send_message(call, mark, step).await,
            Own::ReadMessages => self.read_messages(call).await,
            Own::GetMyRuns => self.get_my_runs(call).await,
            Own::StopRun => self.stop_run(call).await,
            Own::SetGoals => self.set_goals(call, mark, step).await,
            Own::SetMemories => self.set_memories(call, mark, step).await,
            Own::SetPlans => self.set_plans(call, mark, step).await,
        }
    }
}
