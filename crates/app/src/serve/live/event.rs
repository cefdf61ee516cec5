//! One event, in the words of server-sent events.

use bytes::Bytes;
use serde::Serialize;
use weftwork::model::EntityId;
use weftwork_store::Moment;

/// Who is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Audience {
    All,
    /// One member alone.
    Only(EntityId),
    /// All; and for this one it is the last.
    Leaves(EntityId),
}

/// An event of a space.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// Its number; none for what is live only.
    pub(super) at: Option<Moment>,
    pub(super) audience: Audience,
    pub(super) bytes: Bytes,
}

impl Event {
    pub(super) fn new(at: Option<Moment>, audience: Audience, name: &str, data: &impl Serialize) -> Event {
        let id = at.map(|at| at.to_string());
        Event { at, audience, bytes: written(id.as_deref(), name, data) }
    }
}

/// An event as it is sent. JSON has no line breaks of its own, so the data is one line.
pub(super) fn written(id: Option<&str>, name: &str, data: &impl Serialize) -> Bytes {
    let mut text = String::new();
    if let Some(id) = id {
        text.push_str(&format!("id: {id}\n"));
    }
    let data = serde_json::to_string(data).unwrap_or_else(|_| "null".to_owned());
    text.push_str(&format!("event: {name}\ndata: {data}\n\n"));
    text.into()
}
