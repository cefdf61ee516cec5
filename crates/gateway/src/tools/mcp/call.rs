//! One call of a tool: sent once, and taken back when no one waits for it any more.

use super::connect::chain;
use super::handler::Shared;
use super::{Connection, Progress, convert};
use crate::tools::Answer;
use crate::tools::error::LastWords;
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest, ServerResult};
use rmcp::service::{PeerRequestOptions, RequestHandle};
use rmcp::transport::streamable_http_client::StreamableHttpError;
use rmcp::{RoleClient, ServiceError};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::mpsc;

/// Why a call has no answer from its tool.
pub(in crate::tools) enum CallFailed {
    /// The server answered with an error of the protocol.
    Answered { message: String },
    /// It certainly did not reach the server.
    NotSent { said: String },
    /// It may have reached the server.
    Lost { said: String, last_words: LastWords },
    /// The server answered with something we do not offer.
    Unusable { what: &'static str },
}

impl Connection {
    /// Calls a tool. Dropping the future tells the server that the answer is no longer wanted.
    pub(in crate::tools) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        tell: &(dyn Fn(Progress) + Send + Sync),
    ) -> Result<Answer, CallFailed> {
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(
            CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments),
        ));
        let sent = self.peer.send_request_with_option(request, PeerRequestOptions::no_options()).await;
        let handle = match sent {
            Ok(handle) => handle,
            Err(error) => return Err(self.failed(&error).await),
        };
        let (to, mut progress) = mpsc::channel(64);
        self.shared.listen(handle.progress_token.clone(), to);
        let mut running = Running { shared: self.shared.clone(), handle: Some(handle) };
        let answer = loop {
            tokio::select! {
                biased;
                Some(how_far) = progress.recv() => tell(how_far),
                answer = running.answer() => break answer,
            }
        };
        match answer {
            Ok(ServerResult::CallToolResult(result)) => Ok(convert::answer(result)),
            Ok(ServerResult::InputRequiredResult(_)) => Err(CallFailed::Unusable { what: "a question" }),
            Ok(ServerResult::CreateTaskResult(_)) => Err(CallFailed::Unusable { what: "a task to wait for" }),
            Ok(_) => Err(CallFailed::Unusable { what: "something that is no result of a tool" }),
            Err(error) => Err(self.failed(&error).await),
        }
    }

    async fn failed(&self, error: &ServiceError) -> CallFailed {
        if let ServiceError::McpError(error) = error {
            return CallFailed::Answered { message: format!("{} ({})", error.message, error.code.0) };
        }
        // What is known of this connection is that something is wrong with it; the next call makes a new one.
        self.spent.store(true, Ordering::Release);
        if not_sent(error) {
            return CallFailed::NotSent { said: chain(error) };
        }
        let last_words = match &self.process {
            None => LastWords::default(),
            Some(process) => process.last_words_at_end().await,
        };
        CallFailed::Lost { said: chain(error), last_words }
    }
}

/// Whether the server cannot have seen the call: there was no connection, or it does not know our session.
fn not_sent(error: &ServiceError) -> bool {
    let ServiceError::TransportSend(error) = error else { return false };
    match error.error.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
        Some(StreamableHttpError::SessionExpired) => true,
        Some(StreamableHttpError::Client(error)) => error.is_connect(),
        Some(_) | None => false,
    }
}

/// A call that was sent.
struct Running {
    shared: Arc<Shared>,
    handle: Option<RequestHandle<RoleClient>>,
}

impl Running {
    async fn answer(&mut self) -> Result<ServerResult, ServiceError> {
        let Some(handle) = &mut self.handle else { return Err(ServiceError::TransportClosed) };
        let answer = (&mut handle.rx).await.unwrap_or(Err(ServiceError::TransportClosed));
        if let Some(handle) = self.handle.take() {
            self.shared.forget(&handle.progress_token);
        }
        answer
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let Some(handle) = self.handle.take() else { return };
        self.shared.forget(&handle.progress_token);
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { handle.cancel(Some("no longer wanted".to_owned())).await });
        }
    }
}
