//! Processes on one database tell each other to look, and go by its clock. What they say is a hint: without it, everybody
//! looks every second.

use super::house::House;
use std::sync::Arc;
use std::time::Duration;
use weftwork_store::{Address, Listener, listen};

/// How often the clock of the server is asked for.
const CLOCK: Duration = Duration::from_secs(60);

/// Tells those who watch of everything this process writes, and listens to others for as long as the listener lives.
pub(super) fn start(house: &House, address: &Address) -> Option<Listener> {
    let (hub, gateway) = (Arc::downgrade(&house.hub), house.gateway.clone());
    house.gateway.store().on_change(move || {
        if let Some(hub) = hub.upgrade() {
            hub.changed();
            gateway.hint_others();
        }
    });
    tokio::spawn(keep_time(house.clone()));
    let (hub, gateway) = (house.hub.clone(), house.gateway.clone());
    listen(address, move || {
        hub.changed();
        gateway.look();
    })
}

async fn keep_time(house: House) {
    loop {
        tokio::select! {
            () = house.closing.cancelled() => return,
            () = tokio::time::sleep(CLOCK) => {}
        }
        if let Err(error) = house.gateway.keep_server_time().await {
            tracing::warn!(%error, "the clock of the database could not be read");
        }
    }
}
