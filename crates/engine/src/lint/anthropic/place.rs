//! Places: how many messages there are, who may speak where, and how the last one may end.

use serde_json::Value;

use super::Setup;
use super::block::Role;
use crate::lint::finding::{Findings, Severity};
use crate::lint::model::{CLAUDE_NO_PREFILL, CLAUDE_SYSTEM_ROLE};
use crate::lint::path::At;
use crate::lint::rule::Rule;
use crate::lint::shape::{Need, Object, unknown};
use crate::lint::text;

const MOST_MESSAGES: usize = 100_000;

/// One message and its neighbours.
pub(super) struct Turn<'v, 'p> {
    pub(super) message: Object<'v, 'p>,
    pub(super) role: Role,
    pub(super) before: Option<Role>,
    pub(super) after_server_tool: bool,
    pub(super) next: Option<Role>,
    pub(super) last: bool,
    pub(super) last_assistant: bool,
}

pub(super) fn length(list: &[Value], at: &At, out: &mut Findings) {
    let (rule, message, fix) = match list.len() {
        0 => (Rule::EmptyMessages, "there is no message".to_owned(), "send at least one"),
        1..=MOST_MESSAGES => return,
        count => (
            Rule::TooManyMessages,
            format!("{count} messages, at most {MOST_MESSAGES} are taken"),
            "summarise or cut the history",
        ),
    };
    out.error(at, rule, message, fix);
}

pub(super) fn role(message: &Value) -> Option<Role> {
    match message.get("role")?.as_str()? {
        "user" => Some(Role::User),
        "assistant" => Some(Role::Assistant),
        "system" => Some(Role::System),
        _ => None,
    }
}

pub(super) fn named(message: &Object, role: Option<Role>, out: &mut Findings) -> Option<Role> {
    let name = message.string("role", Need::Required, out)?;
    if role.is_none() {
        let at = message.at.key("role");
        unknown(Rule::UnknownRole, name, &["user", "assistant"], &at, out);
    }
    role
}

/// Check who speaks here, given who spoke before.
pub(super) fn lint(turn: &Turn, index: usize, setup: &Setup, out: &mut Findings) {
    let at = turn.message.at.key("role");
    match turn.role {
        Role::System => system_role(turn, setup, out),
        Role::Assistant if index == 0 => {
            out.error(&at, Rule::FirstNotUser, "the first message is the assistant's".to_owned(), "begin with a user message");
        }
        role if turn.before == Some(role) => out.error(
            &at,
            Rule::NotAlternating,
            format!("two {role:?} messages in a row").to_lowercase(),
            "merge the two messages into one",
        ),
        Role::User | Role::Assistant => {}
    }
    if turn.last && turn.role == Role::Assistant {
        prefill(turn, setup, out);
    }
}

/// `system` is a role from Opus 4.8 on: behind a user message or a paused server tool, and before an assistant's.
fn system_role(turn: &Turn, setup: &Setup, out: &mut Findings) {
    let at = turn.message.at.key("role");
    if setup.model.is_none_or(|model| model < CLAUDE_SYSTEM_ROLE) {
        out.error(
            &at,
            Rule::SystemRole,
            "only Claude 4.8 and later take the role system among messages".to_owned(),
            "move the text to `system`, or make it a labelled user message",
        );
        return;
    }
    let followed = turn.last || turn.next == Some(Role::Assistant);
    if !(turn.before == Some(Role::User) || turn.after_server_tool) || !followed {
        out.error(
            &at,
            Rule::MisplacedSystem,
            "a system message follows a user's and is last or before an assistant's".to_owned(),
            "move it behind the user message",
        );
    }
}

/// A final assistant message is a beginning for the model to go on from; newer models refuse it.
fn prefill(turn: &Turn, setup: &Setup, out: &mut Findings) {
    let severity = match setup.model {
        Some(model) if model < CLAUDE_NO_PREFILL => return,
        Some(_) => Severity::Error,
        None => Severity::Warning,
    };
    // A paused server tool is sent back last on every model.
    if turn.message.value("content").is_some_and(ends_in_server_call) {
        return;
    }
    out.add(
        severity,
        turn.message.at.to_string(),
        Rule::PrefillRefused,
        "Claude 4.6 and later refuse a final assistant message".to_owned(),
        "end with a user message",
    );
}

pub(super) fn ends_in_server_tool(message: &Value) -> bool {
    role(message) == Some(Role::Assistant) && message.get("content").is_some_and(ends_in_server_call)
}

fn ends_in_server_call(content: &Value) -> bool {
    let last = content.as_array().and_then(|blocks| blocks.last());
    let kind = last.and_then(|block| block.get("type")?.as_str());
    matches!(kind, Some("server_tool_use" | "mcp_tool_use"))
}

/// The last word of a final assistant message is where the model goes on, so it may not be a blank.
pub(super) fn trailing(turn: &Turn, content: &str, at: &At, out: &mut Findings) {
    if !turn.last || turn.role != Role::Assistant || text::is_blank(content) {
        return;
    }
    if content.ends_with(char::is_whitespace) {
        out.error(
            at,
            Rule::TrailingWhitespace,
            "the final assistant text ends in whitespace".to_owned(),
            "trim the end of the text",
        );
    }
}
