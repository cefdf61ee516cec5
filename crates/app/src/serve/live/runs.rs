//! Runs as they go on. They have no number; each is told when it stands otherwise than when it was told last.

use super::event::{Audience, Event};
use super::hub::Channel;
use crate::serve::shown::{ShownRun, shown_in_space};
use std::collections::HashMap;
use std::sync::Arc;
use weftwork::model::SpaceId;
use weftwork_store::runs::RunId;
use weftwork_store::{Store, StoreError};

/// Clocks of processes may differ by this much, and commits come late by this much, in milliseconds.
const SLACK: i64 = 5_000;
/// Runs that are remembered as told.
const REMEMBERED: usize = 10_000;

/// Runs of some spaces that changed since then.
pub(super) fn changed_runs(store: &Store, spaces: &[SpaceId], since: i64) -> Result<Vec<ShownRun>, StoreError> {
    store.runs_changed(spaces, since)?.iter().map(|run| shown_in_space(store, run)).collect()
}

/// What was told of runs.
pub(super) struct Runs {
    since: i64,
    told: HashMap<RunId, serde_json::Value>,
}

impl Runs {
    pub(super) fn new(now: i64) -> Runs {
        Runs { since: now, told: HashMap::new() }
    }

    /// From when on runs are looked at.
    pub(super) fn since(&self) -> i64 {
        self.since - SLACK
    }

    /// Nobody watches: whoever comes is told of all that are open.
    pub(super) fn rest(&mut self, now: i64) {
        self.since = now;
        self.told.clear();
    }

    pub(super) fn tell(&mut self, channels: &[Arc<Channel>], runs: Vec<ShownRun>, now: i64) {
        self.since = now;
        if self.told.len() > REMEMBERED {
            self.told.clear();
        }
        for run in runs {
            let Ok(shown) = serde_json::to_value(&run) else { continue };
            if self.told.insert(run.id.clone(), shown.clone()).as_ref() == Some(&shown) {
                continue;
            }
            if let Some(channel) = channels.iter().find(|channel| Some(&channel.space) == run.space.as_ref()) {
                channel.tell([Event::new(None, Audience::All, "run", &shown)]);
            }
        }
    }
}
