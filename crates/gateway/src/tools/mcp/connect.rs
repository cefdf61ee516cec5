//! Opening a connection: reach the server, greet, listen for changes.

use super::handler::{Handler, Shared};
use super::lines::Bounded;
use super::process::Process;
use super::{Connection, http};
use crate::tools::error::LastWords;
use crate::tools::{Environment, Protocol, Reach, ServerConfig, ServerError, limits};
use rmcp::model::{ProtocolVersion, ServerNotification, SubscriptionFilter};
use rmcp::service::{ClientInitializeError, ClientLifecycleMode, ClientServiceExt, RunningService};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{Peer, RoleClient};
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tokio::sync::{Mutex, watch};
use tokio::task::AbortHandle;
use tokio::time::timeout;

/// How long a server may take to confirm that it will tell of changes. It can be used without.
const CONFIRM: Duration = Duration::from_secs(5);

/// Why there is no connection.
enum Unopened {
    Error(ServerError),
    /// The server answered the newer greeting after the library had gone on to the older one. The two are now confused, but
    /// it is known what the server speaks.
    TooLate(Protocol),
}

impl From<ServerError> for Unopened {
    fn from(error: ServerError) -> Self {
        Unopened::Error(error)
    }
}

impl Connection {
    /// Reaches a server and greets it. What was begun ends when this is dropped.
    pub(in crate::tools) async fn open(
        config: &ServerConfig,
        environment: &Environment,
        changes: watch::Sender<u64>,
    ) -> Result<Self, ServerError> {
        let said = |protocol| ServerError::Greeting {
            said: format!("it answered in {protocol:?} when that was no longer waited for"),
            last_words: LastWords::default(),
        };
        match Self::greet(config, environment, changes.clone(), config.protocol).await {
            Ok(connection) => Ok(connection),
            Err(Unopened::Error(error)) => Err(error),
            Err(Unopened::TooLate(protocol)) => match Self::greet(config, environment, changes, Some(protocol)).await {
                Ok(connection) => Ok(connection),
                Err(Unopened::Error(error)) => Err(error),
                Err(Unopened::TooLate(protocol)) => Err(said(protocol)),
            },
        }
    }

    async fn greet(
        config: &ServerConfig,
        environment: &Environment,
        changes: watch::Sender<u64>,
        protocol: Option<Protocol>,
    ) -> Result<Self, Unopened> {
        let shared = Arc::new(Shared::new(changes));
        let (version, lifecycle) = lifecycle(protocol);
        let handler = Handler { shared: shared.clone(), version };
        let within = config.connect.unwrap_or(limits::CONNECT);
        let (greeting, process) = match &config.reach {
            Reach::Process(program) => {
                let (process, output, input) = Process::start(program, environment)?;
                let output = Bounded::new(output, limits::MESSAGE);
                let transport = AsyncRwTransport::new_client(output, input).with_max_line_length(usize::MAX);
                (timeout(within, handler.serve_with_lifecycle(transport, lifecycle)).await, Some(process))
            }
            Reach::Http(address) => {
                let transport = http::transport(address, environment)?;
                (timeout(within, handler.serve_with_lifecycle(transport, lifecycle)).await, None)
            }
        };
        match greeting {
            Ok(Ok(service)) => Ok(Self::greeted(service, shared, process).await),
            Ok(Err(error)) => Err(failed(&error, process).await),
            Err(_) => {
                let last_words = process.as_ref().map(Process::last_words).unwrap_or_default();
                Err(ServerError::Slow { after: within, last_words }.into())
            }
        }
    }

    async fn greeted(service: RunningService<RoleClient, Handler>, shared: Arc<Shared>, process: Option<Process>) -> Self {
        let peer = service.peer().clone();
        let version = peer.peer_info().map(|info| info.protocol_version.clone()).unwrap_or_default();
        let listener = listener(&peer, &version, shared.clone()).await;
        Self {
            service: Mutex::new(Some(service)),
            peer,
            shared,
            process,
            protocol: version.as_str().to_owned(),
            listener,
            spent: AtomicBool::new(false),
        }
    }
}

fn lifecycle(protocol: Option<Protocol>) -> (ProtocolVersion, ClientLifecycleMode) {
    let (older, newer) = (ProtocolVersion::V_2025_11_25, vec![ProtocolVersion::V_2026_07_28]);
    let mode = match protocol {
        None => ClientLifecycleMode::Auto { preferred_versions: newer, legacy_version: Some(older.clone()) },
        Some(Protocol::November2025) => ClientLifecycleMode::Initialize,
        Some(Protocol::July2026) => ClientLifecycleMode::Discover { preferred_versions: newer },
    };
    (older, mode)
}

async fn failed(error: &ClientInitializeError, process: Option<Process>) -> Unopened {
    match error {
        ClientInitializeError::ConflictInitResponseId(..) => return Unopened::TooLate(Protocol::July2026),
        ClientInitializeError::UncorrelatedErrorResponse { .. } => return Unopened::TooLate(Protocol::November2025),
        _ => {}
    }
    let last_words = match process {
        None => LastWords::default(),
        Some(process) => process.last_words_at_end().await,
    };
    Unopened::Error(ServerError::Greeting { said: chain(error), last_words })
}

/// An error with its causes: the library's outermost text often says only that something failed.
pub(super) fn chain(error: &dyn Error) -> String {
    let mut said = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !said.contains(&text) {
            said = format!("{said}: {text}");
        }
        cause = error.source();
    }
    said.chars().take(1000).collect()
}

/// In the newer protocol a server tells of changes only on a stream that we open for it.
async fn listener(peer: &Peer<RoleClient>, version: &ProtocolVersion, shared: Arc<Shared>) -> Option<AbortHandle> {
    let tells = peer.peer_info().and_then(|info| info.capabilities.tools.clone()?.list_changed).unwrap_or(false);
    if !tells || *version < ProtocolVersion::V_2026_07_28 {
        return None;
    }
    let filter = SubscriptionFilter::builder().tools_list_changed().build();
    let mut subscription = timeout(CONFIRM, peer.listen(filter)).await.ok()?.ok()?;
    let listening = tokio::spawn(async move {
        while let Ok(Some(notification)) = subscription.next().await {
            if matches!(notification, ServerNotification::ToolListChangedNotification(_)) {
                shared.tools_changed();
            }
        }
        // What happens from now on is not told, so look again.
        shared.tools_changed();
    });
    Some(listening.abort_handle())
}
