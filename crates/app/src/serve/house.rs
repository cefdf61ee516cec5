//! What every handler can reach: the gateway, the limits, what is live.

use super::limits::Limits;
use super::live::Hub;
use super::permit::Permissions;
use super::settings::Settings;
use super::web::Problem;
use std::ops::Deref;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use weftwork::model::{EntityId, SpaceId};
use weftwork_gateway::Gateway;
use weftwork_store::{Store, StoreError};

/// The house. Cheap to clone.
#[derive(Clone)]
pub(super) struct House(Arc<Rooms>);

/// What is in it.
pub(super) struct Rooms {
    pub(super) gateway: Gateway,
    pub(super) settings: Settings,
    pub(super) limits: Limits,
    pub(super) hub: Arc<Hub>,
    /// Tools that wait for somebody's leave.
    pub(super) permissions: Permissions,
    /// What lets the user of this machine in as the owner, as it is kept; none where the database is no file.
    pub(super) neighbour: Option<[u8; 32]>,
    /// What was counted.
    pub(super) numbers: metrics_exporter_prometheus::PrometheusHandle,
    /// Work that goes on after its request was answered.
    pub(super) work: TaskTracker,
    /// Canceled when the house closes.
    pub(super) closing: CancellationToken,
}

impl Deref for House {
    type Target = Rooms;

    fn deref(&self) -> &Rooms {
        &self.0
    }
}

impl House {
    pub(super) fn new(rooms: Rooms) -> House {
        House(Arc::new(rooms))
    }

    /// Does something in the store.
    pub(super) async fn stored<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Problem> {
        self.gateway.stored(work).await.map_err(Problem::from)
    }

    /// Nothing, if somebody belongs to a space; else it does not exist for them.
    pub(super) async fn member(&self, who: &EntityId, space: &SpaceId) -> Result<(), Problem> {
        let (whose, place) = (who.clone(), space.clone());
        match self.stored(move |store| store.is_member(&place, &whose)).await? {
            true => Ok(()),
            false => Err(Problem::not_found()),
        }
    }
}
