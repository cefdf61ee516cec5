//! Where watchers meet what changes. One look at the store tells which of the watched spaces have moved.

use super::drafts::Drafts;
use super::event::{Audience, Event};
use super::pump::pump;
use super::runs::{Runs, changed_runs};
use serde_json::json;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{Notify, broadcast, watch};
use tokio_util::sync::CancellationToken;
use weftwork::model::{EntityId, NodeId, SpaceId};
use weftwork_gateway::Gateway;
use weftwork_store::Moment;

/// Events that wait for the slowest reader of a space before that reader is let go.
const WAITING: usize = 1024;
/// How often is looked when nobody says that something changed: another process may have.
const LOOK: Duration = Duration::from_secs(1);
/// Looks are at least so far apart.
const APART: Duration = Duration::from_millis(10);

/// Where watchers meet what changes.
pub(in crate::serve) struct Hub {
    pub(super) gateway: Gateway,
    spaces: Mutex<HashMap<SpaceId, Weak<Channel>>>,
    /// Something may have changed.
    look: Notify,
    /// Counts looks that found something.
    pulse: watch::Sender<u64>,
    /// Replies of turns that go on in this process, and what stops them.
    stops: Mutex<HashMap<NodeId, CancellationToken>>,
}

/// One watched space.
pub(super) struct Channel {
    pub(super) space: SpaceId,
    pub(super) events: broadcast::Sender<Arc<Event>>,
    /// How far the space has come, as far as anybody looked.
    pub(super) moved: watch::Sender<Option<Moment>>,
    /// Whether the pump has begun.
    pub(super) ready: watch::Sender<bool>,
    pub(super) drafts: Drafts,
}

impl Channel {
    pub(super) fn tell(&self, events: impl IntoIterator<Item = Event>) {
        for event in events {
            // Nobody watching is no fault.
            let _ = self.events.send(Arc::new(event));
        }
    }
}

impl Hub {
    pub(in crate::serve) fn new(gateway: Gateway) -> Arc<Hub> {
        let (pulse, _) = watch::channel(0);
        Arc::new(Hub { gateway, spaces: Mutex::default(), look: Notify::new(), pulse, stops: Mutex::default() })
    }

    /// Looks when told to, and every second, until the house closes.
    pub(in crate::serve) async fn run(self: Arc<Hub>, closing: CancellationToken) {
        let mut seen = Runs::new(self.gateway.now());
        loop {
            tokio::select! {
                () = closing.cancelled() => return,
                () = self.look.notified() => tokio::time::sleep(APART).await,
                () = tokio::time::sleep(LOOK) => {}
            }
            self.look_around(&mut seen).await;
        }
    }

    /// Says that something may have changed.
    pub(in crate::serve) fn changed(&self) {
        self.look.notify_one();
    }

    /// Ticks when something that is watched has changed.
    pub(super) fn pulse(&self) -> watch::Receiver<u64> {
        self.pulse.subscribe()
    }

    async fn look_around(&self, seen: &mut Runs) {
        let channels = self.channels();
        // Whoever watches an account looks by themselves.
        self.pulse.send_modify(|beats| *beats += 1);
        if channels.is_empty() {
            return seen.rest(self.gateway.now());
        }
        let spaces: Vec<SpaceId> = channels.iter().map(|channel| channel.space.clone()).collect();
        let (since, now) = (seen.since(), self.gateway.now());
        let looked = self.gateway.stored(move |store| Ok((store.moments(&spaces)?, changed_runs(store, &spaces, since)?))).await;
        match looked {
            Ok((moments, runs)) => {
                for (channel, moment) in channels.iter().zip(moments) {
                    channel.moved.send_if_modified(|known| std::mem::replace(known, moment) != moment);
                }
                seen.tell(&channels, runs, now);
            }
            Err(error) => tracing::warn!(%error, "nobody could look for what is new"),
        }
    }

    fn channels(&self) -> Vec<Arc<Channel>> {
        let mut spaces = self.spaces.lock().unwrap_or_else(PoisonError::into_inner);
        spaces.retain(|_, channel| channel.strong_count() > 0);
        spaces.values().filter_map(Weak::upgrade).collect()
    }

    /// The channel of a space; its pump runs for as long as somebody holds it.
    pub(super) fn channel(self: &Arc<Hub>, space: &SpaceId) -> Arc<Channel> {
        let mut spaces = self.spaces.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(channel) = spaces.get(space).and_then(Weak::upgrade) {
            return channel;
        }
        let (events, _) = broadcast::channel(WAITING);
        let (moved, watched) = watch::channel(None);
        let channel = Arc::new(Channel {
            space: space.clone(),
            events,
            moved,
            ready: watch::Sender::new(false),
            drafts: Drafts::default(),
        });
        spaces.insert(space.clone(), Arc::downgrade(&channel));
        tokio::spawn(pump(self.clone(), Arc::downgrade(&channel), space.clone(), watched));
        self.look.notify_one();
        channel
    }

    /// A turn begins in this process.
    pub(in crate::serve) fn turn(self: &Arc<Hub>, space: &SpaceId, stop: CancellationToken) -> UnderWay {
        UnderWay { hub: self.clone(), channel: self.channel(space), stop, replies: Vec::new() }
    }

    /// Stops the turn of a reply, if it goes on in this process. Says whether it does.
    pub(in crate::serve) fn stop(&self, node: &NodeId) -> bool {
        let stops = self.stops.lock().unwrap_or_else(PoisonError::into_inner);
        let stop = stops.get(node);
        stop.inspect(|stop| stop.cancel());
        stop.is_some()
    }
}

/// A turn that goes on in this process: replies, and what happens between them. Its space is watched meanwhile, so that a wish
/// to stop it is heard; whoever asks for any of its replies to stop stops it, also while tools run.
pub(in crate::serve) struct UnderWay {
    hub: Arc<Hub>,
    channel: Arc<Channel>,
    stop: CancellationToken,
    replies: Vec<NodeId>,
}

impl UnderWay {
    /// A reply of it begins.
    pub(in crate::serve) fn begins(&mut self, node: &NodeId) -> Writing {
        self.hub.stops.lock().unwrap_or_else(PoisonError::into_inner).insert(node.clone(), self.stop.clone());
        self.replies.push(node.clone());
        self.channel.drafts.clear(node);
        Writing { hub: self.hub.clone(), channel: self.channel.clone(), node: node.clone() }
    }

    /// Something that happens, whether a reply is being written or not.
    pub(in crate::serve) fn tell(&self, name: &str, data: &serde_json::Value) {
        self.channel.tell([Event::new(None, Audience::All, name, data)]);
    }

    /// Something that concerns one member alone.
    pub(in crate::serve) fn tell_only(&self, who: &EntityId, name: &str, data: &serde_json::Value) {
        self.channel.tell([Event::new(None, Audience::Only(who.clone()), name, data)]);
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.tell("over", &json!({"replies": self.replies}));
        let mut stops = self.hub.stops.lock().unwrap_or_else(PoisonError::into_inner);
        self.replies.iter().for_each(|reply| drop(stops.remove(reply)));
    }
}

/// A reply that is being written in this process.
pub(in crate::serve) struct Writing {
    hub: Arc<Hub>,
    channel: Arc<Channel>,
    node: NodeId,
}

impl Writing {
    /// More of it. What a reader shows of it is right if `at` is how many bytes they have.
    pub(in crate::serve) fn more(&self, what: &'static str, text: &str) {
        let at = if what == "text" { self.channel.drafts.add(&self.node, text) } else { 0 };
        self.tell("delta", &json!({"node": self.node, "at": at, "what": what, "text": text}));
    }

    /// What came so far is void.
    pub(in crate::serve) fn again(&self) {
        self.channel.drafts.clear(&self.node);
        self.tell("draft", &json!({"node": self.node, "text": ""}));
    }

    fn tell(&self, name: &str, data: &serde_json::Value) {
        self.channel.tell([Event::new(None, Audience::All, name, data)]);
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        self.channel.drafts.end(&self.node);
        self.hub.changed();
    }
}
