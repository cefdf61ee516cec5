//! A connection to one MCP server. The protocol library's types do not leave this folder.
//!
//! We offer servers nothing but the reading of what they say: no sampling, no elicitation, no roots. A request for one is
//! answered with a refusal.

mod call;
mod connect;
mod convert;
mod handler;
mod http;
mod lines;
mod process;

use super::described::Described;
use super::error::LastWords;
use super::{ServerError, limits};
pub(super) use call::CallFailed;
pub(super) use handler::Progress;
use handler::{Handler, Shared};
use process::Process;
use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams, ServerResult};
use rmcp::service::{PeerRequestOptions, RunningService};
use rmcp::{RoleClient, ServiceError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Mutex;
use tokio::task::AbortHandle;
use tokio::time::timeout;

/// A server that greeted. Dropping it ends the connection, and the process if there is one.
pub(super) struct Connection {
    service: Mutex<Option<RunningService<RoleClient, Handler>>>,
    peer: rmcp::Peer<RoleClient>,
    shared: Arc<Shared>,
    process: Option<Process>,
    protocol: String,
    listener: Option<AbortHandle>,
    spent: AtomicBool,
}

impl Connection {
    /// The version of the protocol that is spoken.
    pub(super) fn protocol(&self) -> &str {
        &self.protocol
    }

    /// Whether nothing more can be sent on it.
    pub(super) fn is_over(&self) -> bool {
        self.spent.load(Ordering::Acquire) || self.peer.is_transport_closed()
    }

    /// Whether the server said since the last time that its tools changed.
    pub(super) fn take_changed(&self) -> bool {
        self.shared.take_changed()
    }

    /// All tools that the server lists, in some time.
    pub(super) async fn list(&self) -> Result<Vec<Described>, ServerError> {
        let slow = |_| ServerError::Slow { after: limits::LIST, last_words: self.last_words() };
        timeout(limits::LIST, self.pages()).await.map_err(slow)?
    }

    /// Asked for directly: the library would answer from its cache, and in an error even
    /// from an outdated one.
    async fn pages(&self) -> Result<Vec<Described>, ServerError> {
        let mut tools = Vec::new();
        let mut cursor = None;
        for _ in 0..limits::PAGES {
            let page = self.page(cursor).await?;
            tools.extend(page.tools.into_iter().map(convert::described));
            // One more than is used, so that the rest is known to be too much.
            if tools.len() > limits::TOOLS || page.next_cursor.is_none() {
                return Ok(tools);
            }
            cursor = page.next_cursor;
        }
        Err(ServerError::Endless)
    }

    async fn page(&self, cursor: Option<String>) -> Result<rmcp::model::ListToolsResult, ServerError> {
        let mut params = PaginatedRequestParams::default();
        params.cursor = cursor;
        let request = ClientRequest::ListToolsRequest(ListToolsRequest::with_param(params));
        let failed = |error: ServiceError| ServerError::Listing { said: error.to_string(), last_words: self.last_words() };
        let options = PeerRequestOptions::no_options();
        let handle = self.peer.send_request_with_option(request, options).await.map_err(failed)?;
        match handle.await_response().await.map_err(failed)? {
            ServerResult::ListToolsResult(page) => Ok(page),
            _ => Err(failed(ServiceError::UnexpectedResponse)),
        }
    }

    fn last_words(&self) -> LastWords {
        self.process.as_ref().map(Process::last_words).unwrap_or_default()
    }

    /// Closes the server's input and waits a little for it to end by itself.
    pub(super) async fn close(&self) {
        self.spent.store(true, Ordering::Release);
        if let Some(mut service) = self.service.lock().await.take() {
            // An answer that never comes must not hold us: what is left is ended by dropping it.
            let _ = service.close_with_timeout(limits::FAREWELL).await;
        }
        if let Some(process) = &self.process {
            process.wait(limits::FAREWELL).await;
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(listener) = &self.listener {
            listener.abort();
        }
    }
}
