//! A gateway on a database, with the models and tools of the configuration.

use crate::chat::usual;
use crate::config::Config;
use crate::keep;
use crate::{key, output};
use anyhow::{Context, Result};
use std::future::Future;
use std::sync::Arc;
use tokio::runtime::Runtime;
use weftwork::catalogue::Catalogue;
use weftwork_gateway::{Ended, Gateway, KeptPins, WorkerSettings};
use weftwork_provider::Providers;
use weftwork_store::runs::{Caps, RunId};
use weftwork_store::{Engine, Store};

/// A gateway, and threads for it to work on.
pub(crate) struct Gate {
    pub(crate) runtime: Runtime,
    pub(crate) gateway: Gateway,
}

impl Gate {
    /// Opens one on a store.
    pub(crate) fn on(store: Store) -> Result<Gate> {
        let config = Config::read()?;
        let providers = providers(&config)?;
        let store = Arc::new(store);
        key::hand_out(&store, &providers)?;
        let runtime = Runtime::new().context("threads")?;
        let choice = usual(&config, &providers, &runtime);
        let tools = config.toolbox(KeptPins::new(store.clone(), Arc::new(keep::now)));
        let open = Gateway::open(store, Arc::new(providers), tools, &choice.model, Arc::new(keep::now));
        let gateway = runtime.block_on(open)?;
        Ok(Gate { runtime, gateway })
    }

    /// Opens one on a store, with the seal that secrets of services are kept under.
    pub(crate) fn sealed(store: Store) -> Result<Gate> {
        let Gate { runtime, gateway } = Gate::on(store)?;
        Ok(Gate { runtime, gateway: gateway.with_seal(Arc::new(key::seal()?)) })
    }

    /// The store, for calls outside of the runtime.
    pub(crate) fn store(&self) -> &Store {
        self.gateway.store()
    }

    /// Waits for something.
    pub(crate) fn wait<T, E: Into<anyhow::Error>>(&self, work: impl Future<Output = Result<T, E>>) -> Result<T> {
        self.runtime.block_on(work).map_err(Into::into)
    }

    /// How a worker of this process works.
    pub(crate) fn settings(&self) -> WorkerSettings {
        worker_settings(self.store())
    }

    /// Does everything that is due now. What a process left that died is taken up first.
    pub(crate) fn work_off(&self) -> Result<Vec<(RunId, Ended)>> {
        let settings = self.settings();
        self.take_up(&settings.owner)?;
        let done = self.wait(self.gateway.work_off(&settings));
        self.tell_notes();
        done
    }

    /// Frees what a process had that died: whoever is alone need not wait for its leases.
    pub(crate) fn take_up(&self, owner: &str) -> Result<()> {
        match self.store().engine() {
            Engine::Sqlite => drop(self.store().reclaim_foreign(owner, keep::now())?),
            Engine::Postgres => drop(self.store().reclaim(&Caps::default(), keep::now())?),
        }
        Ok(())
    }

    /// Says what failed and is nobody's in particular.
    pub(crate) fn tell_notes(&self) {
        self.gateway.notes().iter().for_each(|note| output::warn(note));
    }
}

/// How a worker of this process works. A file has one process that writes, so it is the only one there.
pub(crate) fn worker_settings(store: &Store) -> WorkerSettings {
    WorkerSettings { alone: store.engine() == Engine::Sqlite, ..WorkerSettings::default() }
}

/// The providers of the configuration and of the environment.
pub(crate) fn providers(config: &Config) -> Result<Providers> {
    Ok(Providers::new(&config.providers(), Catalogue::built_in(), |name| std::env::var(name).ok())?)
}
