//! Reads what is new in one space and hands it to all who watch.

use super::event::{Audience, Event};
use super::hub::{Channel, Hub};
use crate::serve::shown::Said;
use serde_json::json;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::watch;
use weftwork::model::{EntityId, SpaceId};
use weftwork_store::{Change, ChangeKind, Moment, News, Store, StoreError};

/// Nodes and changes read in one go.
const BATCH: u32 = 200;
/// How long after a failure is tried again.
const AGAIN: Duration = Duration::from_secs(1);

/// Runs until nobody watches any more.
pub(super) async fn pump(hub: Arc<Hub>, channel: Weak<Channel>, space: SpaceId, mut moved: watch::Receiver<Option<Moment>>) {
    let Some(mut since) = begin(&hub, &channel, &space).await else { return };
    // Holding the channel while waiting would keep it alive for nobody.
    while moved.changed().await.is_ok() {
        let Some(newest) = *moved.borrow_and_update() else { continue };
        while since != newest {
            let (place, from) = (space.clone(), since);
            match hub.gateway.stored(move |store| read(store, &place, from)).await {
                Ok((events, upto, stops)) => {
                    stops.iter().for_each(|node| _ = hub.stop(node));
                    let Some(channel) = channel.upgrade() else { return };
                    channel.tell(events);
                    if upto == since {
                        break;
                    }
                    since = upto;
                }
                Err(error) => {
                    if channel.strong_count() == 0 {
                        return;
                    }
                    tracing::warn!(%error, %space, "what is new could not be read");
                    tokio::time::sleep(AGAIN).await;
                }
            }
        }
    }
}

/// Where the pump begins. Whoever watches reads what was before it by themselves.
async fn begin(hub: &Hub, channel: &Weak<Channel>, space: &SpaceId) -> Option<Moment> {
    loop {
        let place = space.clone();
        match hub.gateway.stored(move |store| store.moment(&place)).await {
            Ok(moment) => {
                channel.upgrade()?.ready.send_replace(true);
                return moment;
            }
            Err(error) => tracing::warn!(%error, %space, "a space cannot be watched yet"),
        }
        channel.upgrade()?;
        tokio::time::sleep(AGAIN).await;
    }
}

type Read = (Vec<Event>, Moment, Vec<weftwork::model::NodeId>);

/// What is new since a moment, as events.
fn read(store: &Store, space: &SpaceId, since: Moment) -> Result<Read, StoreError> {
    let news = store.all_news(space, since, BATCH)?;
    let mut stops = Vec::new();
    let events = events_of(store, space, since, &news, &mut stops)?;
    Ok((events, news.upto, stops))
}

/// The events of what is new. An event's number is how far one has come who has seen it and all before it.
pub(super) fn events_of(
    store: &Store,
    space: &SpaceId,
    since: Moment,
    news: &News,
    stops: &mut Vec<weftwork::model::NodeId>,
) -> Result<Vec<Event>, StoreError> {
    if news.lost {
        return Ok(vec![Event::new(Some(news.upto), Audience::All, "resync", &json!({}))]);
    }
    let mut events = Vec::new();
    for (seq, node) in &news.nodes {
        let at = Moment { seq: *seq, change: since.change };
        events.push(Event::new(Some(at), Audience::All, "node", &Said::new(*seq, node)));
    }
    for Change { no, kind } in &news.changes {
        let at = Some(Moment { seq: news.upto.seq, change: *no });
        if let ChangeKind::Stop(node) = kind {
            stops.push(node.clone());
            continue;
        }
        events.extend(change(store, space, at, kind)?);
    }
    Ok(events)
}

/// A change, told as how things are now.
fn change(store: &Store, space: &SpaceId, at: Option<Moment>, kind: &ChangeKind) -> Result<Option<Event>, StoreError> {
    let all = Audience::All;
    Ok(Some(match kind {
        ChangeKind::Node(node) => {
            let seq = store.seq(space, node)?;
            Event::new(at, all, "node", &Said::new(seq, &store.node(space, node)?))
        }
        ChangeKind::Head(viewer) => {
            let head = store.head(space, viewer.as_ref())?;
            let audience = viewer.clone().map_or(Audience::All, Audience::Only);
            Event::new(at, audience, "head", &json!({"head": head, "own": viewer.is_some()}))
        }
        ChangeKind::Member(entity) => {
            let here = store.is_member(space, entity)?;
            let audience = if here { Audience::All } else { Audience::Leaves(entity.clone()) };
            let name = store.entity(entity).map_or_else(|_| String::new(), |entity| entity.name);
            Event::new(at, audience, "member", &json!({"entity": entity, "name": name, "here": here}))
        }
        ChangeKind::Space => {
            let header = store.header(space)?;
            Event::new(at, all, "space", &json!({"space": header.space}))
        }
        ChangeKind::Read(entity) => {
            let seq = store.reads(space)?.into_iter().find(|(who, _)| who == entity).map(|(_, seq)| seq.0);
            Event::new(at, all, "read", &json!({"entity": entity, "seq": seq}))
        }
        ChangeKind::Stop(_) => return Ok(None),
    }))
}

/// Whether somebody is told of an event.
pub(super) fn concerns(event: &Event, who: &EntityId) -> bool {
    match &event.audience {
        Audience::All | Audience::Leaves(_) => true,
        Audience::Only(one) => one == who,
    }
}
