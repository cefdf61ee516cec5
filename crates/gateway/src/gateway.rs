//! Everything that a chat needs: the store, the models, the tools, the time.

use crate::error::GatewayError;
use crate::keys::Seal;
use crate::tools::Toolbox;
use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, Semaphore};
use weftwork::ask::{Settings, Share};
use weftwork::count::Recall;
use weftwork::model::Timestamp;
use weftwork_provider::{Providers, guard};
use weftwork_store::runs::Caps;
use weftwork_store::{Engine, Store, StoreError};

/// Why a reply is an error that a dead process was writing.
pub(crate) const DIED: &str = "the process ended before the reply did";
/// To which share of the window a cut goes down: the prefix then stays the same for many turns.
const LOW_WATER: Share = Share::thousandths(700);

/// Hints to other processes are at least so far apart: each takes a lock that all commits share.
const BETWEEN_HINTS: Duration = Duration::from_millis(50);
/// Failures that are remembered until somebody reads them.
const MOST_NOTES: usize = 100;
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
    /// What was counted for requests of runs.
    pub(crate) counted: Recall,
    /// What bounds runs.
    pub(crate) caps: Arc<Caps>,
    /// What secrets of services are sealed with.
    pub(crate) seal: Option<Arc<Seal>>,
    /// What addresses of members are reached with.
    pub(crate) guard: Option<Arc<guard::Client>>,
    time: Time,
    /// How far the clock that counts is ahead of ours.
    ahead: Arc<AtomicI64>,
    /// Makes workers of this process look at once.
    look: Arc<Notify>,
    /// Whether other processes are about to be told to look.
    hinting: Arc<AtomicBool>,
    /// Failures that are nobody's in particular, the newest last.
    notes: Arc<Mutex<VecDeque<String>>>,
    /// Turns of clients that are going on.
    pub(crate) goings: crate::dropin::Goings,
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
        let (caps, ahead, look, hinting, notes) =
            (Arc::new(Caps::default()), Arc::default(), Arc::default(), Arc::default(), Arc::default());
        let gateway = Gateway {
            store,
            providers,
            tools,
            told,
            model,
            settings,
            counted: Recall::new(),
            caps,
            seal: None,
            guard: None,
            time,
            ahead,
            look,
            hinting,
            notes,
            goings: Arc::default(),
            doors,
        };
        gateway.stored(|store| store.fail_pending(DIED)).await?;
        Ok(gateway)
    }

    /// With other choices that every space may make otherwise.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> Gateway {
        self.settings = Arc::new(settings);
        self
    }

    /// With other bounds for runs.
    #[must_use]
    pub fn with_caps(mut self, caps: Caps) -> Gateway {
        self.caps = Arc::new(caps);
        self
    }

    /// Makes workers look at once: something may be due. Those of this process now, those of others on the same server
    /// within a twentieth of a second.
    pub fn hint(&self) {
        self.look();
        self.hint_others();
    }

    /// Makes those who wait for work in this process look at once. For one who heard a hint of another process: passing it on
    /// would make it go round for ever.
    pub fn look(&self) {
        self.look.notify_waiters();
        self.look.notify_one();
    }

    /// Tells other processes on the same server, within a twentieth of a second, that something changed.
    pub fn hint_others(&self) {
        if self.store.engine() == Engine::Sqlite || self.hinting.swap(true, Ordering::AcqRel) {
            return;
        }
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            self.hinting.store(false, Ordering::Release);
            return;
        };
        let gateway = self.clone();
        runtime.spawn(async move {
            tokio::time::sleep(BETWEEN_HINTS).await;
            gateway.hinting.store(false, Ordering::Release);
            // A hint that is lost costs a second.
            let _ = gateway.stored(Store::hint_others).await;
        });
    }

    /// Goes by the clock of the database server from now on, so that all processes agree on what is due. An embedded
    /// database has none.
    pub async fn keep_server_time(&self) -> Result<(), GatewayError> {
        let before = (self.time)();
        if let Some(there) = self.stored(Store::server_time).await? {
            let here = before + ((self.time)() - before) / 2;
            self.ahead.store(there - here, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Waits for a hint.
    pub(crate) async fn hinted(&self) {
        self.look.notified().await;
    }

    /// Failures that workers met and that are nobody's in particular, oldest first; each is told once.
    pub fn notes(&self) -> Vec<String> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).drain(..).collect()
    }

    pub(crate) fn note(&self, note: String) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        if notes.len() == MOST_NOTES {
            notes.pop_front();
        }
        notes.push_back(note);
    }

    /// With a seal, which services need for their secrets.
    #[must_use]
    pub fn with_seal(mut self, seal: Arc<Seal>) -> Gateway {
        self.seal = Some(seal);
        self
    }

    /// With a client for addresses that did not come from the owner, which pushing needs.
    #[must_use]
    pub fn with_guard(mut self, guard: guard::Client) -> Gateway {
        self.guard = Some(Arc::new(guard));
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
        (self.time)() + self.ahead.load(Ordering::Relaxed)
    }

    pub(crate) fn timestamp(&self) -> Option<Timestamp> {
        Timestamp::from_millis(self.now())
    }

    /// Does something in the store, on a thread that may block.
    pub async fn stored<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, GatewayError> {
        let _door = self.doors.acquire().await.expect("doors are never closed");
        let store = self.store.clone();
        let done = tokio::task::spawn_blocking(move || work(&store)).await;
        done.unwrap_or_else(|died| std::panic::resume_unwind(died.into_panic())).map_err(GatewayError::from)
    }
}
