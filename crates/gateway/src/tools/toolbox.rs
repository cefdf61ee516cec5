//! All servers of a configuration: what they offer, and who decides about it.

use super::listing::Listed;
use super::server::{Ready, Server};
use super::{
    Approval, Config, Environment, Fingerprint, Hints, Pin, Pins, PinsFailed, ServerError, ServerName, ServerStatus, described,
};
use futures_util::future::join_all;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::watch;
use weftwork::model::Tool;

/// The tools of all servers. Dropping it ends the servers it started.
pub struct Toolbox {
    pub(super) servers: BTreeMap<ServerName, Server>,
    pub(super) pins: Arc<dyn Pins>,
    changes: watch::Sender<u64>,
}

/// A tool of a server.
#[derive(Clone, Debug, PartialEq)]
pub struct Offered {
    /// As a model is told of it.
    pub tool: Tool,
    /// Its server.
    pub server: ServerName,
    /// Its server's name for it.
    pub original: String,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// Of what its server says of it now.
    pub fingerprint: Fingerprint,
    /// What its server claims about it.
    pub hints: Hints,
    /// Whether it can be offered to a model.
    pub standing: Standing,
    /// What was decided about running it, or else what its server's configuration says; also while it is held back.
    pub approval: Approval,
}

/// How a tool stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is offered to the model.
    Ready {
        /// Whether a person is asked at a call.
        approval: Approval,
    },
    /// Its description is not the trusted one: it is not offered, and calls are refused, until it is approved.
    Changed {
        /// The trusted one.
        was: Fingerprint,
        /// The one it has now.
        now: Fingerprint,
        /// What differs, for a person to read.
        difference: String,
    },
    /// It was decided that it may not run: it is not offered.
    Never,
}

/// A tool could not be approved.
#[derive(Debug, thiserror::Error)]
pub enum ApproveError {
    /// There is no such server or it lists no such tool.
    #[error("there is no tool {tool:?} of a server {server:?}")]
    Unknown {
        /// The server.
        server: String,
        /// The tool.
        tool: String,
    },
    /// The server cannot be asked.
    #[error("the server {server:?} cannot be asked: {why}")]
    Server {
        /// The server.
        server: String,
        /// Why not.
        #[source]
        why: ServerError,
    },
    /// What was approved is not what the server says now.
    #[error("the tool changed again; its fingerprint is now {now}")]
    Again {
        /// What it is now.
        now: Fingerprint,
    },
    /// It could not be kept.
    #[error(transparent)]
    Pins(#[from] PinsFailed),
}

impl Toolbox {
    /// A toolbox that has not connected anywhere. `environment` is ours, for the variables a configuration names and the
    /// few that a server's process needs.
    pub fn new(config: Config, environment: Environment, pins: Arc<dyn Pins>) -> Self {
        let changes = watch::Sender::new(0);
        let environment = Arc::new(environment);
        let server =
            |(name, config): (ServerName, _)| (name.clone(), Server::new(name, config, environment.clone(), changes.clone()));
        Self { servers: config.servers.into_iter().map(server).collect(), pins, changes }
    }

    /// All tools of all servers that can be reached, by server and name. Connects where that is needed, to all at once; why
    /// one has no tools here is told by [`Toolbox::servers`]. A tool that is seen for the first time is trusted as it is.
    pub async fn offered(&self) -> Result<Vec<Offered>, PinsFailed> {
        let all = join_all(self.servers.values().map(|server| async move { (server, server.ready().await) })).await;
        let mut offered = Vec::new();
        for (server, ready) in all {
            let Ok(Ready { listing, .. }) = ready else { continue };
            for listed in listing.tools.values() {
                offered.push(self.offer(server, listed)?);
            }
        }
        Ok(offered)
    }

    fn offer(&self, server: &Server, listed: &Listed) -> Result<Offered, PinsFailed> {
        let standing = self.standing(server, listed)?;
        let decided = self.pins.pin(server.name.as_str(), &listed.described.name)?.and_then(|pin| pin.approval);
        Ok(Offered {
            tool: listed.tool.clone(),
            server: server.name.clone(),
            original: listed.described.name.clone(),
            title: listed.described.title.clone(),
            fingerprint: listed.fingerprint,
            hints: listed.described.hints,
            standing,
            approval: decided.unwrap_or(server.config.approval),
        })
    }

    /// How a tool stands; the first sight of it pins it.
    pub(super) fn standing(&self, server: &Server, listed: &Listed) -> Result<Standing, PinsFailed> {
        let (name, tool) = (server.name.as_str(), &listed.described.name);
        let Some(pin) = self.pins.pin(name, tool)? else {
            self.pins.put(name, tool, listed.pin(None))?;
            return Ok(Standing::of(server.config.approval));
        };
        if pin.fingerprint != listed.fingerprint {
            let difference = described::difference(&pin.described, &listed.canonical);
            return Ok(Standing::Changed { was: pin.fingerprint, now: listed.fingerprint, difference });
        }
        Ok(Standing::of(pin.approval.unwrap_or(server.config.approval)))
    }

    /// Trusts what a server now says of a tool, if that is still what `seen` is the fingerprint of. What was decided about
    /// running it stays.
    pub async fn approve(&self, server: &str, tool: &str, seen: Fingerprint) -> Result<(), ApproveError> {
        let listed = self.listed(server, tool).await?;
        if listed.fingerprint != seen {
            return Err(ApproveError::Again { now: listed.fingerprint });
        }
        let approval = self.pins.pin(server, tool)?.and_then(|pin| pin.approval);
        Ok(self.pins.put(server, tool, listed.pin(approval))?)
    }

    /// Decides whether a tool may run; none goes back to what its server's configuration says. A description that was not
    /// approved is not approved by it.
    pub async fn decide(&self, server: &str, tool: &str, approval: Option<Approval>) -> Result<(), ApproveError> {
        let pin = match self.pins.pin(server, tool)? {
            Some(pin) => Pin { approval, ..pin },
            None => self.listed(server, tool).await?.pin(approval),
        };
        Ok(self.pins.put(server, tool, pin)?)
    }

    async fn listed(&self, server: &str, tool: &str) -> Result<Arc<Listed>, ApproveError> {
        let unknown = || ApproveError::Unknown { server: server.to_owned(), tool: tool.to_owned() };
        let known = self.servers.get(server).ok_or_else(unknown)?;
        let ready = known.ready().await.map_err(|why| ApproveError::Server { server: server.to_owned(), why })?;
        ready.listing.tools.values().find(|listed| listed.described.name == tool).cloned().ok_or_else(unknown)
    }

    /// All servers and how they are, without connecting to any.
    pub fn servers(&self) -> Vec<ServerStatus> {
        self.servers.values().map(Server::status).collect()
    }

    /// Counts how often a server said that its tools changed.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Ends all servers and gives each the chance to end by itself.
    pub async fn close(self) {
        join_all(self.servers.values().map(Server::close)).await;
    }
}

impl Standing {
    fn of(approval: Approval) -> Self {
        match approval {
            Approval::Always | Approval::Ask => Standing::Ready { approval },
            Approval::Never => Standing::Never,
        }
    }
}

impl Listed {
    pub(super) fn pin(&self, approval: Option<Approval>) -> Pin {
        Pin { fingerprint: self.fingerprint, described: self.canonical.clone(), approval }
    }
}
