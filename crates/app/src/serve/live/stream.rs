//! The events of one space, for one of its members.

use super::event::{Audience, Event, written};
use super::hub::Channel;
use super::pump::{concerns, events_of};
use crate::serve::house::House;
use crate::serve::shown::shown_in_space;
use crate::serve::web::Problem;
use crate::serve::who::{Need, Who};
use axum::body::Body;
use axum::extract::{Path, Query, Request, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream::{self, Stream};
use http::{HeaderMap, header};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, timeout};
use weftwork::model::SpaceId;
use weftwork_store::Moment;
use weftwork_store::runs::RunQuery;

/// A sign of life is sent when nothing else was for so long.
const ALIVE: Duration = Duration::from_secs(10);
/// How often it is asked whether somebody may still watch: a token may be revoked, an account closed.
pub(super) const ASK: Duration = Duration::from_secs(10);
/// Nodes and changes read in one go.
const BATCH: u32 = 200;
/// Runs that are shown when a stream begins.
const RUNS: u32 = 50;

/// Where a stream of events begins.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::serve) struct EventsQuery {
    /// The number of the last event seen, or a `moment` of another answer; from now on if there is none. The header
    /// `Last-Event-ID` is stronger.
    pub(in crate::serve) after: Option<String>,
}

/// `GET /api/spaces/{space}/events`
pub(in crate::serve) async fn space_events(
    State(house): State<House>,
    Path(space): Path<SpaceId>,
    query: Query<EventsQuery>,
    request: Request,
) -> Response {
    let (parts, _) = request.into_parts();
    open(house, space, &query.0, parts).await.unwrap_or_else(Problem::into_response)
}

async fn open(house: House, space: SpaceId, query: &EventsQuery, parts: http::request::Parts) -> Result<Response, Problem> {
    let who = house.admit(&parts, Need::Read).await?;
    house.member(who.entity(), &space).await?;
    let since = beginning(&parts.headers, query)?;
    let room = house.limits.stream(who.entity())?;
    // Watching begins before reading: nothing falls between.
    let channel = house.hub.channel(&space);
    let events = channel.events.subscribe();
    let _ = channel.ready.subscribe().wait_for(|ready| *ready).await;
    let since = match since {
        Some(since) => since,
        None => {
            let place = space.clone();
            house.stored(move |store| store.moment(&place)).await?.ok_or_else(Problem::not_found)?
        }
    };
    let watcher =
        Watcher { house, who, space, channel, events, since, ready: VecDeque::new(), phase: Phase::Greet, asked: Instant::now() };
    let body = stream::unfold((watcher, room), |(mut watcher, room)| async move {
        let bytes = watcher.next().await?;
        Some((Ok::<Bytes, Infallible>(bytes), (watcher, room)))
    });
    Ok(sse(body))
}

/// Where to begin.
pub(super) fn beginning(headers: &HeaderMap, query: &EventsQuery) -> Result<Option<Moment>, Problem> {
    let header = headers.get("last-event-id").and_then(|id| id.to_str().ok()).filter(|id| !id.is_empty());
    let text = header.or(query.after.as_deref());
    text.map(|text| text.parse().map_err(|error| Problem::bad("after", format!("{error}")))).transpose()
}

/// A response of events.
pub(super) fn sse(body: impl Stream<Item = Result<Bytes, Infallible>> + Send + 'static) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        // Proxies that gather would hold events back.
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (headers, Body::from_stream(body)).into_response()
}

/// What a stream does next.
enum Phase {
    /// Says what is live.
    Greet,
    /// Reads what happened before it began.
    CatchUp,
    /// Waits for what happens.
    Watch,
    /// Says no more.
    Over,
}

/// One who watches a space.
struct Watcher {
    house: House,
    who: Who,
    space: SpaceId,
    channel: Arc<Channel>,
    events: broadcast::Receiver<Arc<Event>>,
    /// How far they have seen.
    since: Moment,
    ready: VecDeque<Bytes>,
    phase: Phase,
    /// When it was last asked whether they may still watch.
    asked: Instant,
}

impl Watcher {
    /// The next bytes; none when the stream is over.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(bytes) = self.ready.pop_front() {
                return Some(bytes);
            }
            match self.phase {
                Phase::Greet => self.greet().await,
                Phase::CatchUp => self.catch_up().await,
                Phase::Watch => self.watch().await,
                Phase::Over => return None,
            }
        }
    }

    async fn greet(&mut self) {
        self.phase = Phase::CatchUp;
        // The first bytes tell the client that it is connected, and after what to wait before it comes back.
        self.ready.push_back(Bytes::from_static(b"retry: 1000\n\n"));
        let place = self.space.clone();
        let open = self.house.stored(move |store| {
            let query = RunQuery { space: Some(place), limit: RUNS, ..RunQuery::default() };
            let open = store.runs(&query)?.into_iter().filter(|run| !run.state.is_over());
            open.map(|run| shown_in_space(store, &run)).collect::<Result<Vec<_>, _>>()
        });
        match open.await {
            Ok(runs) => self.ready.push_back(written(None, "runs", &json!({"runs": runs}))),
            Err(_) => self.phase = Phase::Over,
        }
        for (node, text) in self.channel.drafts.all() {
            self.ready.push_back(written(None, "draft", &json!({"node": node, "text": text})));
        }
        for question in self.house.permissions.open(&self.space, self.who.entity()) {
            self.ready.push_back(written(None, "permission", &question));
        }
    }

    async fn catch_up(&mut self) {
        let (place, who, since) = (self.space.clone(), self.who.entity().clone(), self.since);
        let read = self.house.stored(move |store| {
            let Some(news) = store.news(&place, &who, since, BATCH)? else { return Ok(None) };
            // Whoever asked for a stop was heard by the pump.
            let events = events_of(store, &place, since, &news, &mut Vec::new())?;
            Ok(Some((events, news.upto, news.complete)))
        });
        match read.await {
            Ok(Some((events, upto, complete))) => {
                self.tell(events.iter());
                self.since = upto;
                if complete && matches!(self.phase, Phase::CatchUp) {
                    self.phase = Phase::Watch;
                }
            }
            Ok(None) => self.gone(),
            Err(problem) => {
                tracing::warn!(detail = problem.detail(), "a stream of events ends early");
                self.phase = Phase::Over;
            }
        }
    }

    async fn watch(&mut self) {
        if self.asked.elapsed() >= ASK {
            self.asked = Instant::now();
            if !self.house.still_knows(&self.who).await {
                return self.phase = Phase::Over;
            }
        }
        tokio::select! {
            () = self.house.closing.cancelled() => self.phase = Phase::Over,
            event = timeout(ALIVE, self.events.recv()) => match event {
                Ok(Ok(event)) => self.take(&event),
                // Too slow, or the pump is gone: they come back with the number of what they saw last.
                Ok(Err(RecvError::Lagged(_) | RecvError::Closed)) => self.phase = Phase::Over,
                Err(_) => self.ready.push_back(Bytes::from_static(b": alive\n\n")),
            },
        }
    }

    /// Takes an event of the pump, unless it was seen while catching up.
    fn take(&mut self, event: &Arc<Event>) {
        if let Some(at) = event.at {
            if at.seq <= self.since.seq && at.change <= self.since.change {
                return;
            }
            self.since = Moment { seq: at.seq.max(self.since.seq), change: at.change.max(self.since.change) };
        }
        self.tell(std::iter::once(&**event));
    }

    fn tell<'e>(&mut self, events: impl Iterator<Item = &'e Event>) {
        for event in events.filter(|event| concerns(event, self.who.entity())) {
            self.ready.push_back(event.bytes.clone());
            if matches!(&event.audience, Audience::Leaves(who) if who == self.who.entity()) {
                return self.gone();
            }
        }
    }

    fn gone(&mut self) {
        self.ready.push_back(written(None, "gone", &json!({})));
        self.phase = Phase::Over;
    }
}
