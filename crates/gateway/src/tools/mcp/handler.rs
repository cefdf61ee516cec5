//! What a server may say to us unasked: that its tools changed, and how far a call is.

use crate::tools::limits;
use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, ErrorCode, ErrorData, Implementation, ProgressNotificationParam, ProgressToken,
    ProtocolVersion,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient};
use std::collections::{HashMap, VecDeque};
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
    calls: Mutex<Calls>,
}

/// Who is told how far which call is.
#[derive(Default)]
struct Calls {
    listening: HashMap<ProgressToken, mpsc::Sender<Progress>>,
    /// A call's token is known when it was sent, and a quick server speaks before that; also what comes after its end is here.
    early: VecDeque<(ProgressToken, Progress)>,
}

/// How much is kept of what nobody listens to yet.
const EARLY: usize = 64;

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
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        for (of, progress) in std::mem::take(&mut calls.early) {
            if of == token {
                let _ = to.try_send(progress);
            } else {
                calls.early.push_back((of, progress));
            }
        }
        calls.listening.insert(token, to);
    }

    pub(super) fn forget(&self, token: &ProgressToken) {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).listening.remove(token);
    }

    fn progress(&self, said: ProgressNotificationParam) {
        let message = said.message.map(|message| message.chars().take(limits::PROGRESS).collect());
        let progress = Progress { done: said.progress, total: said.total, message };
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(to) = calls.listening.get(&said.progress_token) {
            // Progress is for looking at: what is not read in time is left out.
            let _ = to.try_send(progress);
            return;
        }
        if calls.early.len() == EARLY {
            calls.early.pop_front();
        }
        calls.early.push_back((said.progress_token, progress));
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

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::NumberOrString;

    #[test]
    fn what_a_server_said_before_anybody_listened_is_told_and_not_much_of_it_is_kept() {
        let shared = Shared::new(watch::Sender::new(0));
        let token = |number| ProgressToken(NumberOrString::Number(number));
        let far = |of, done| shared.progress(ProgressNotificationParam::new(token(of), done));
        far(2, 0.5);
        for done in 0..200 {
            far(1, f64::from(done));
        }
        far(2, 0.7);
        let (to, mut told) = mpsc::channel(64);
        shared.listen(token(2), to);
        far(2, 0.9);
        let told: Vec<f64> = std::iter::from_fn(|| told.try_recv().ok()).map(|progress| progress.done).collect();
        assert_eq!(told, [0.7, 0.9]);
        assert_eq!(shared.calls.lock().unwrap().early.len(), EARLY - 1);
    }
}
