//! What concerns one account: its spaces as a list shows them, each whenever it changes, and the runs that wait for its person.
//!
//! A stream begins with all of them, whoever comes back or not: so nothing that happened meanwhile is missed, a space that was
//! left least of all. The runs that wait are told whole whenever they are others: they are few.

use super::event::written;
use super::stream::{ASK, sse};
use crate::serve::api::spaces::{SpaceCard, cards};
use crate::serve::house::House;
use crate::serve::manage::Asker;
use crate::serve::shown::ShownRun;
use crate::serve::tale::Standings;
use crate::serve::web::Problem;
use crate::serve::who::{Need, Who};
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use serde_json::json;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};
use weftwork::model::{EntityKind, RunStatus, SpaceId};
use weftwork_store::runs::{Among, OpenMark, RunQuery};
use weftwork_store::{Store, StoreError};

/// A sign of life is sent when nothing else was for so long.
const ALIVE: Duration = Duration::from_secs(10);
/// Looks for one account are at least so far apart.
const APART: Duration = Duration::from_millis(500);
/// Without any sign of a change it is looked so often: another process may have changed something.
const LOOK: Duration = Duration::from_secs(3);
/// Spaces that are watched: those with the newest messages.
const WATCHED: u32 = 500;
/// Waiting runs that are looked at, of those that one may see; the newest of them.
const LOOKED_AT: u32 = 500;
/// Waiting runs that one is told of.
const WAITING: usize = 100;

/// `GET /api/events`
pub(in crate::serve) async fn account_events(State(house): State<House>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    open(house, &parts).await.unwrap_or_else(Problem::into_response)
}

async fn open(house: House, parts: &http::request::Parts) -> Result<Response, Problem> {
    let who = house.admit(parts, Need::Read).await?;
    let room = house.limits.stream(who.entity())?;
    let pulse = house.hub.pulse();
    let ready = VecDeque::from([Bytes::from_static(b"retry: 1000\n\n")]);
    let watcher = Watcher {
        house,
        who,
        pulse,
        told: HashMap::new(),
        waiting: Vec::new(),
        mark: None,
        looked: None,
        asked: Instant::now(),
        ready,
    };
    let body = stream::unfold((watcher, room), |(mut watcher, room)| async move {
        let bytes = watcher.next().await?;
        Some((Ok::<Bytes, Infallible>(bytes), (watcher, room)))
    });
    Ok(sse(body))
}

/// One who watches an account.
struct Watcher {
    house: House,
    who: Who,
    pulse: watch::Receiver<u64>,
    told: HashMap<SpaceId, SpaceCard>,
    /// How open runs stood when it was looked who waits, and in which spaces.
    mark: Option<(OpenMark, BTreeSet<SpaceId>)>,
    /// The runs that waited when it was told last.
    waiting: Vec<ShownRun>,
    looked: Option<Instant>,
    /// When it was last asked whether they may still watch.
    asked: Instant,
    ready: VecDeque<Bytes>,
}

impl Watcher {
    async fn next(&mut self) -> Option<Bytes> {
        let began = Instant::now();
        loop {
            if let Some(bytes) = self.ready.pop_front() {
                return Some(bytes);
            }
            if let Some(looked) = self.looked {
                tokio::select! {
                    () = self.house.closing.cancelled() => return None,
                    changed = timeout(LOOK, self.pulse.changed()) => if matches!(changed, Ok(Err(_))) { return None },
                }
                tokio::time::sleep_until(looked + APART).await;
            }
            self.look().await?;
            if self.ready.is_empty() && began.elapsed() > ALIVE {
                return Some(Bytes::from_static(b": alive\n\n"));
            }
        }
    }

    async fn look(&mut self) -> Option<()> {
        if self.asked.elapsed() >= ASK {
            self.asked = Instant::now();
            if !self.house.still_knows(&self.who).await {
                return None;
            }
        }
        let (who, first) = (self.who.entity().clone(), self.looked.is_none());
        let (asker, known) = (Asker::from(&self.who), self.mark.take());
        let told: Vec<SpaceId> = self.told.keys().cloned().collect();
        let looked = self.house.stored(move |store| {
            let (spaces, _) = cards(store, &who, None, WATCHED)?;
            // A space that is not among the newest any more was not left for that.
            let missing = told.into_iter().filter(|space| spaces.iter().all(|card| card.id != *space));
            let left: Vec<SpaceId> = missing
                .map(|space| Ok((store.is_member(&space, &who)?, space)))
                .collect::<Result<Vec<_>, StoreError>>()?
                .into_iter()
                .filter(|(here, _)| !here)
                .map(|(_, space)| space)
                .collect();
            // Who waits for whom is many questions: they are asked when something about it changed.
            let mark = (store.open_mark()?, spaces.iter().map(|card| card.id.clone()).collect());
            let waiting = if known.as_ref() == Some(&mark) { None } else { Some(awaited(store, &asker)?) };
            Ok((spaces, left, mark, waiting))
        });
        let (spaces, left, mark, waiting) = looked.await.ok()?;
        self.mark = Some(mark);
        self.looked = Some(Instant::now());
        if first {
            let all: Vec<_> = spaces.iter().map(|card| &card.id).collect();
            self.ready.push_back(written(None, "spaces", &json!({"spaces": all})));
        }
        for card in spaces {
            if self.told.get(&card.id) != Some(&card) {
                self.ready.push_back(written(None, "space", &card));
                self.told.insert(card.id.clone(), card);
            }
        }
        for space in left {
            self.ready.push_back(written(None, "left", &json!({"space": space})));
            self.told.remove(&space);
        }
        if let Some(waiting) = waiting
            && (first || self.waiting != waiting)
        {
            self.ready.push_back(written(None, "waiting", &json!({"runs": waiting})));
            self.waiting = waiting;
        }
        Some(())
    }
}

/// The runs that go on only when the asker does something, newest first. Only people are waited for.
fn awaited(store: &Store, asker: &Asker) -> Result<Vec<ShownRun>, StoreError> {
    if store.entity(&asker.entity)?.kind != EntityKind::Human {
        return Ok(Vec::new());
    }
    let statuses = vec![RunStatus::WaitingReply, RunStatus::WaitingTool, RunStatus::Parked];
    let (mut standings, mut awaited) = (Standings::of(store, asker)?, Vec::new());
    // An agent that was woken elsewhere may wait for a message here.
    let among = asker.among(store)?.map(|among| Among { waiting_in: among.spaces.clone(), ..among });
    for run in store.runs(&RunQuery { statuses, among, limit: LOOKED_AT, ..RunQuery::default() })? {
        if awaited.len() == WAITING {
            break;
        }
        let Some(standing) = standings.to(store, &run)? else { continue };
        let line = standing.line(store, &run)?;
        if standing.is_awaited(store, &asker.entity, &run, &line)? {
            awaited.push(line);
        }
    }
    Ok(awaited)
}
