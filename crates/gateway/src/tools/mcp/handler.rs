//! What a server may say to us unasked: that its tools changed, and how far a call is.

use crate::tools::limits;
use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, ErrorCode, ErrorData, Implementation, ProgressNotificationParam, ProgressToken,
    ProtocolVersion,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{mpsc, watch};

/// How far a call is.
pub(in crate::tools) struct Progress {
    pub(in crate::tools) done: f64,
    pub(in crate::tools) total: Option<f64>,
    pub(in crate::tools) message: Option<String>,
}

/// What the connection and the tasks that listen for it share.
pub(super) struct Shared {
    changed: AtomicBool,
    changes: watch::Sender<u64>,
    calls: Mutex<HashMap<ProgressToken, mpsc::Sender<Progress>>>,
}

impl Shared {
    pub(super) fn new(changes: watch::Sender<u64>) -> Self {
        Self { changed: AtomicBool::new(false), changes, calls: Mutex::default() }
    }

    pub(super) fn tools_changed(&self) {
        self.changed.store(true, Ordering::Release);
        self.changes.send_modify(|count| *count += 1);
    }

    pub(super) fn take_changed(&self) -> bool {
        self.changed.swap(false, Ordering::AcqRel)
    }

    pub(super) fn listen(&self, token: ProgressToken, to: mpsc::Sender<Progress>) {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).insert(token, to);
    }

    pub(super) fn forget(&self, token: &ProgressToken) {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).remove(token);
    }

    fn progress(&self, said: ProgressNotificationParam) {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(to) = calls.get(&said.progress_token) else { return };
        let message = said.message.map(|message| message.chars().take(limits::PROGRESS).collect());
        // Progress is for looking at: what is not read in time is left out.
        let _ = to.try_send(Progress { done: said.progress, total: said.total, message });
    }
}

/// Answers for us.
pub(super) struct Handler {
    pub(super) shared: Arc<Shared>,
    pub(super) version: ProtocolVersion,
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let us = Implementation::new("weft", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), us).with_protocol_version(self.version.clone())
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.shared.tools_changed();
    }

    async fn on_progress(&self, said: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.shared.progress(said);
    }

    /// The library would answer with an empty list, as if we had roots and none were open.
    #[expect(deprecated, reason = "servers of the older protocol may still ask")]
    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<rmcp::model::ListRootsResult, ErrorData> {
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "roots are not offered", None))
    }
}
