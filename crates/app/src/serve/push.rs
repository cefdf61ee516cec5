//! Tells programs of external agents that a run is due: every second, and again at once while there is something to tell.

use super::house::House;
use std::time::Duration;
use weftwork_gateway::push::Pushed;

const LOOK: Duration = Duration::from_secs(1);

/// Pushes until the house closes. What is under way then is sent again by whoever comes next.
pub(super) async fn run(house: House) {
    loop {
        tokio::select! {
            () = house.closing.cancelled() => return,
            () = tokio::time::sleep(LOOK) => {}
        }
        while !house.closing.is_cancelled() {
            match house.gateway.push_due().await {
                Ok(pushed) if pushed == Pushed::default() => break,
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(%error, "programs elsewhere could not be told of their runs");
                    break;
                }
            }
        }
    }
}
