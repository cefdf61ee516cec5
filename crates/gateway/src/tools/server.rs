//! One server: connected when it is first needed, listed, and connected again after it was lost.
//!
//! Whoever needs a server waits for the one attempt that is under way; other servers are not held up by it.

use super::listing::{Listing, list};
use super::mcp::Connection;
use super::{Environment, LeftOut, ServerConfig, ServerError, ServerName, limits};
use std::sync::Arc;
use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

pub(super) struct Server {
    pub(super) name: ServerName,
    pub(super) config: ServerConfig,
    environment: Arc<Environment>,
    changes: watch::Sender<u64>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    open: Option<Open>,
    failed: Option<Failed>,
}

struct Open {
    connection: Arc<Connection>,
    listing: Arc<Listing>,
    listed: Instant,
}

struct Failed {
    attempts: u32,
    until: Instant,
    error: ServerError,
}

/// A server that can be spoken to, with the list it last gave.
pub(super) struct Ready {
    pub(super) connection: Arc<Connection>,
    pub(super) listing: Arc<Listing>,
}

/// A server and how it is.
#[derive(Clone, Debug)]
pub struct ServerStatus {
    /// Its name.
    pub name: ServerName,
    /// How it is.
    pub state: ServerState,
}

/// How a server is.
#[derive(Clone, Debug)]
pub enum ServerState {
    /// Not needed yet.
    Idle,
    /// Someone is waiting for it right now.
    Busy,
    /// Connected.
    Ready {
        /// The protocol that is spoken.
        protocol: String,
        /// How many of its tools can be used.
        tools: usize,
        /// Those that cannot.
        left_out: Vec<LeftOut>,
    },
    /// It failed; it is tried again when it is next needed, but not at once.
    Failed {
        /// Why.
        error: ServerError,
    },
}

impl Server {
    pub(super) fn new(
        name: ServerName,
        config: ServerConfig,
        environment: Arc<Environment>,
        changes: watch::Sender<u64>,
    ) -> Self {
        Self { name, config, environment, changes, state: Mutex::default() }
    }

    /// Connects and lists as far as that is needed.
    pub(super) async fn ready(&self) -> Result<Ready, ServerError> {
        let mut state = self.state.lock().await;
        state.open.take_if(|open| open.connection.is_over());
        if state.open.is_none() {
            state.may_try()?;
        }
        let open = match self.refresh(state.open.take()).await {
            Ok(open) => open,
            Err(error) => return Err(state.fail(error)),
        };
        state.failed = None;
        let ready = Ready { connection: open.connection.clone(), listing: open.listing.clone() };
        state.open = Some(open);
        Ok(ready)
    }

    async fn refresh(&self, open: Option<Open>) -> Result<Open, ServerError> {
        let connection = match open {
            Some(open) if !open.connection.take_changed() && open.listed.elapsed() < limits::FRESH => return Ok(open),
            Some(open) => open.connection,
            None => Arc::new(Connection::open(&self.config, &self.environment, self.changes.clone()).await?),
        };
        let listed = Instant::now();
        let listing = Arc::new(list(&self.name, &self.config, connection.list().await?));
        Ok(Open { connection, listing, listed })
    }

    pub(super) fn status(&self) -> ServerStatus {
        let state = match self.state.try_lock() {
            Err(_) => ServerState::Busy,
            Ok(state) => state.told(),
        };
        ServerStatus { name: self.name.clone(), state }
    }

    /// Ends the connection as the protocol asks: the server first gets the chance to end by itself.
    pub(super) async fn close(&self) {
        if let Some(open) = self.state.lock().await.open.take() {
            open.connection.close().await;
        }
    }
}

impl State {
    fn may_try(&self) -> Result<(), ServerError> {
        match &self.failed {
            Some(failed) if Instant::now() < failed.until => {
                let again_in = failed.until - Instant::now();
                Err(ServerError::Resting { last: Box::new(failed.error.clone()), again_in })
            }
            Some(_) | None => Ok(()),
        }
    }

    fn fail(&mut self, error: ServerError) -> ServerError {
        let attempts = self.failed.as_ref().map_or(0, |failed| failed.attempts) + 1;
        let until = Instant::now() + limits::back_off(attempts);
        self.failed = Some(Failed { attempts, until, error: error.clone() });
        error
    }

    fn told(&self) -> ServerState {
        match (&self.open, &self.failed) {
            (Some(open), _) => ServerState::Ready {
                protocol: open.connection.protocol().to_owned(),
                tools: open.listing.tools.len(),
                left_out: open.listing.left_out.clone(),
            },
            (None, Some(failed)) => ServerState::Failed { error: failed.error.clone() },
            (None, None) => ServerState::Idle,
        }
    }
}
