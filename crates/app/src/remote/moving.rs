//! Taking conversations in and out.

use super::ask::{Body, Request, query};
use super::server::Server;
use anyhow::{Context, Result, anyhow};
use reqwest::Method;
use serde::Deserialize;
use weftwork::ask::Check;
use weftwork::formats::{Format, LossLine, LossReport, Outcome, import};
use weftwork::model::{Conversation, SpaceId};

#[derive(Deserialize)]
struct CameIn {
    format: Format,
    spaces: Vec<CameSpace>,
    loss: Vec<Lost>,
}

/// A conversation that came in.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CameSpace {
    /// The space it is now; none if it was not taken in.
    pub(crate) id: Option<SpaceId>,
    pub(crate) name: String,
    pub(crate) added: u64,
    pub(crate) known: u64,
    pub(crate) new_space: bool,
    /// Why it was not taken in.
    pub(crate) error: Option<String>,
}

#[derive(Deserialize)]
struct Lost {
    outcome: Fate,
    what: String,
    note: String,
    count: u64,
    first: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Fate {
    Kept,
    Mapped,
    Dropped,
}

impl From<Lost> for LossLine {
    fn from(lost: Lost) -> LossLine {
        let Lost { outcome, what, note, count, first } = lost;
        let outcome = match outcome {
            Fate::Kept => Outcome::Kept,
            Fate::Mapped => Outcome::Mapped,
            Fate::Dropped => Outcome::Dropped,
        };
        LossLine { outcome, what, note, count, first }
    }
}

/// What a server made of a file.
pub(crate) struct Came {
    pub(crate) format: Format,
    pub(crate) spaces: Vec<CameSpace>,
    pub(crate) loss: LossReport,
}

impl Server {
    /// A whole space, with nothing lost.
    pub(crate) fn export(&self, space: &SpaceId) -> Result<Conversation> {
        let path = ["spaces", space.as_str(), "export"];
        let bytes = self.ask(&Request { method: Method::GET, path: &path, query: Vec::new(), body: Body::Nothing })?;
        let read = import(&bytes, Some(Format::Weft), Check::Repair);
        let read = read.with_context(|| format!("the server's file of {space} cannot be read"))?;
        read.conversations.into_iter().next().ok_or_else(|| anyhow!("the server's file of {space} is empty"))
    }

    /// Takes in a file.
    pub(crate) fn import(&self, bytes: Vec<u8>, format: Option<Format>) -> Result<Came> {
        let asked = query([("from", format.map(|format| format.word().to_owned()))]);
        let request = Request { method: Method::POST, path: &["import"], query: asked, body: Body::File(bytes) };
        let CameIn { format, spaces, loss: lines } = serde_json::from_slice(&self.ask(&request)?)?;
        let mut loss = LossReport::default();
        loss.lines = lines.into_iter().map(LossLine::from).collect();
        Ok(Came { format, spaces, loss })
    }
}
