//! Everything that a chat needs: the store, the models, the tools, the time.

use crate::error::GatewayError;
use crate::tools::Toolbox;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;
use weftwork::ask::{Settings, Share};
use weftwork::model::Timestamp;
use weftwork_provider::Providers;
use weftwork_store::{Store, StoreError};

/// Why a reply is an error that a dead process was writing.
const DIED: &str = "the process ended before the reply did";
/// To which share of the window a cut goes down: the prefix then stays the same for many turns.
const LOW_WATER: Share = Share::thousandths(700);

/// Threads that work with the store at once: a file has one writer, and each thread keeps memory of its own.
const DOORS: usize = 4;

/// The time, in milliseconds since 1970.
pub type Time = Arc<dyn Fn() -> i64 + Send + Sync>;

/// Everything that a chat needs. Cheap to clone.
#[derive(Clone)]
pub struct Gateway {
    pub(crate) store: Arc<Store>,
    pub(crate) providers: Arc<Providers>,
    pub(crate) tools: Arc<Toolbox>,
    /// What was told of tools already.
    pub(crate) told: Arc<Mutex<BTreeSet<String>>>,
    /// The model of agents that have none.
    pub(crate) model: Arc<str>,
    /// Choices that every space may make otherwise.
    pub(crate) settings: Arc<Settings>,
    time: Time,
    /// How many may wait for the store at once: each of them takes a thread.
    doors: Arc<Semaphore>,
}

impl Gateway {
    /// Puts them together. Replies that a dead process left unfinished become errors. `model` is that of agents that have
    /// none.
    pub async fn open(
        store: Arc<Store>,
        providers: Arc<Providers>,
        tools: Toolbox,
        model: &str,
        time: Time,
    ) -> Result<Gateway, GatewayError> {
        let settings = Arc::new(Settings { low_water: Some(LOW_WATER), ..Settings::default() });
        let (tools, told, model) = (Arc::new(tools), Arc::default(), model.into());
        let doors = Arc::new(Semaphore::new(DOORS));
        let gateway = Gateway { store, providers, tools, told, model, settings, time, doors };
        gateway.stored(|store| store.fail_pending(DIED)).await?;
        Ok(gateway)
    }

    /// With other choices that every space may make otherwise.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> Gateway {
        self.settings = Arc::new(settings);
        self
    }

    /// The store.
    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// The models.
    pub fn providers(&self) -> &Arc<Providers> {
        &self.providers
    }

    /// The tools of servers.
    pub fn tools(&self) -> &Arc<Toolbox> {
        &self.tools
    }

    /// The time, in milliseconds since 1970.
    pub fn now(&self) -> i64 {
        (self.time)()
    }

    pub(crate) fn timestamp(&self) -> Option<Timestamp> {
        Timestamp::from_millis(self.now())
    }

    /// Does something in the store, on a thread that may block.
    pub(crate) async fn stored<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, GatewayError> {
        let _door = self.doors.acquire().await.expect("doors are never closed");
        let store = self.store.clone();
        let done = tokio::task::spawn_blocking(move || work(&store)).await;
        done.unwrap_or_else(|died| std::panic::resume_unwind(died.into_panic())).map_err(GatewayError::from)
    }
}
