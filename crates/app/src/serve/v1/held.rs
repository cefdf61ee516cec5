//! Conversations of clients that a space holds (`weft-space`): what is new is said there, and the answer comes back in the
//! client's own API.
//!
//! A client that goes away stops its answer, as with any server of these APIs; what came of it is kept in the space. What is
//! asked under an `Idempotency-Key` is asked once, and goes on without its client: whoever comes back with the key finds the
//! answer.

use super::door::{self, Caller, faulty, told};
use super::relay::put;
use super::unread::UNREAD;
use crate::serve::house::House;
use crate::serve::run::PATIENCE;
use crate::serve::turn::watch;
use crate::serve::web::{Attempt, Code, InHand, Problem, Turn, key_of};
use crate::serve::who::Need;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::{CancellationToken, DropGuard};
use tracing::Instrument;
use weftwork::encode::{Api, Fault, error};
use weftwork::intake::Answer;
use weftwork::model::{EntityId, NodeId, SpaceId, Status};
use weftwork_gateway::dropin::{Again, Held, HeldAsk, HeldError, HeldTurn, Telling, Told};
use weftwork_gateway::{Event, GatewayError, Live, Replied};

/// Pieces of an answer, and events, that wait to be read.
const QUEUE: usize = 16;

/// What is kept of an answer under its key: the space has the rest.
#[derive(Serialize, Deserialize)]
struct Kept {
    reply: NodeId,
}

/// Answers a client.
pub(super) async fn answer(
    api: Api,
    house: House,
    space: SpaceId,
    caller: Caller,
    parts: &Parts,
    body: Body,
) -> Result<Response, Problem> {
    let Caller::Account(who) = &caller else {
        let detail = "a space is open to its members: send a token of this server as the API key (weft token new NAME)";
        return Err(Problem::new(Code::NotSignedIn, detail));
    };
    if !who.may(Need::Write) {
        return Err(Problem::new(Code::NotAllowed, "this token may not say anything: make one with the scope write"));
    }
    if !who.may(Need::Read) {
        return Err(Problem::new(
            Code::NotAllowed,
            "this token may not read: an answer tells of the space, make one with the scope read",
        ));
    }
    house.member(who.entity(), &space).await?;
    let (body, room) = door::body(&house, &caller, parts, body).await?;
    let text = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
    let again = match text("x-stainless-retry-count") {
        None | Some("0") => Again::First,
        Some(_) => Again::Repeated,
    };
    let (person, agent) = (who.entity().clone(), text("weft-agent").map(EntityId::from));
    let key = key_of(&parts.headers)?;
    let ask = HeldAsk { api, body: body.into(), space: space.clone(), person, agent, again, key: key.clone() };
    let attempt = match key {
        None => None,
        Some(key) => {
            let route = format!("{} {space}", parts.uri.path());
            match Attempt::begin(&house, who.entity(), &key, &route, &ask.body).await? {
                Turn::Fresh(attempt) => Some(attempt),
                Turn::Answered(_, kept) => return before(&house, ask, &kept).await,
            }
        }
    };
    Ok(taken(&house, ask, room, attempt).await)
}

/// The answer that was given before.
async fn before(house: &House, ask: HeldAsk, kept: &[u8]) -> Result<Response, Problem> {
    let api = ask.api;
    let kept: Kept = serde_json::from_slice(kept).map_err(|error| Problem::internal(&error))?;
    Ok(match house.gateway.held_before(ask, kept.reply).await {
        Ok(told) => at_once(told),
        Err(error) => refused(api, &error),
    })
}

fn at_once(told: Told) -> Response {
    let mut headers = heading(told.answer);
    if let Some(model) = &told.model {
        put(&mut headers, "weft-model", model);
    }
    (headers, told.bytes).into_response()
}

fn heading(answer: Answer) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let kind = match answer {
        Answer::Streamed => "text/event-stream",
        Answer::Whole => "application/json",
    };
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    // Proxies that gather would hold a stream back.
    put(&mut headers, "x-accel-buffering", "no");
    headers
}

/// Why there is no answer. The official clients ask again after a conflict unless they are told that it is of no use.
fn refused(api: Api, error: &HeldError) -> Response {
    if let HeldError::Gateway(error) = error {
        tracing::debug!(%error, "no answer in a space");
    }
    let mut response = faults(api, &error.fault());
    let headers = response.headers_mut();
    match error {
        HeldError::Going => {
            put(headers, "x-should-retry", "true");
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        HeldError::Differs(_) | HeldError::NoCall { .. } => put(headers, "x-should-retry", "false"),
        HeldError::Intake(_)
        | HeldError::NothingNew
        | HeldError::TooLong { .. }
        | HeldError::ToolTaken { .. }
        | HeldError::Gateway(_) => {}
    }
    response
}

fn faults(api: Api, fault: &Fault) -> Response {
    faulty(fault.status(api), error(api, fault))
}

/// Takes a turn, and gives the answer as it comes. All of it is done in a task of its own, so that a key that was begun comes
/// to its end whenever its client leaves.
async fn taken(house: &House, ask: HeldAsk, room: InHand, attempt: Option<Attempt>) -> Response {
    let (sender, bytes) = mpsc::channel(QUEUE);
    let (begun, begins) = oneshot::channel();
    let (live, events) = Live::new();
    let (api, cancel) = (ask.api, live.cancel.clone());
    let leaving = if attempt.is_some() { Leaving::GoesOn } else { Leaving::Stops };
    // Held while waiting for the beginning, too: a client that goes meanwhile stops its answer.
    let guard = match leaving {
        Leaving::Stops => Some(cancel.clone().drop_guard()),
        Leaving::GoesOn => None,
    };
    let to = To { space: ask.space.clone(), begun: Some(begun), sender, cancel, leaving };
    let asked = Asked { ask, room };
    house.work.spawn(work(house.clone(), asked, live, events, to, attempt).in_current_span());
    match begins.await {
        Ok(Begun::Answer(headers)) => (headers, streamed(bytes, guard)).into_response(),
        Ok(Begun::Instead(response)) => response,
        Err(_) => told(api, &Problem::internal(&"an answer was given up before it began")),
    }
}

/// What becomes of an answer whose client leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaving {
    /// It is stopped.
    Stops,
    /// It is kept under its key, for when the client comes back.
    GoesOn,
}

/// How an answer begins.
enum Begun {
    /// With these headers; its bytes follow.
    Answer(HeaderMap),
    /// Not at all: this is answered instead.
    Instead(Response),
}

fn streamed(bytes: mpsc::Receiver<Bytes>, guard: Option<DropGuard>) -> Body {
    Body::from_stream(stream::unfold((bytes, guard), |(mut bytes, guard)| async move {
        let piece = bytes.recv().await?;
        Some((Ok::<_, Infallible>(piece), (bytes, guard)))
    }))
}

/// What a client asked, and the room it takes until it is known what of it is new.
struct Asked {
    ask: HeldAsk,
    room: InHand,
}

/// Finds out what is asked, and does it. A key is free again where nothing was.
async fn work(house: House, asked: Asked, live: Live, events: mpsc::Receiver<Event>, mut to: To, attempt: Option<Attempt>) {
    let Asked { ask, room } = asked;
    let api = ask.api;
    let held = house.gateway.held(ask).await;
    drop(room);
    let instead = match held {
        Ok(Held::Asked(turn)) if !live.cancel.is_cancelled() => {
            return drive(house, *turn, live, events, api, to, attempt).await;
        }
        // Its client has gone before anything was said.
        Ok(Held::Asked(_)) => None,
        Ok(Held::Answered(told)) => Some(at_once(*told)),
        Err(error) => Some(refused(api, &error)),
    };
    if let Some(attempt) = attempt {
        attempt.failed().await;
    }
    if let Some(response) = instead {
        to.instead(response);
    }
}

/// Does a turn to its end, tells the client and whoever watches the space, and keeps the answer under its key.
async fn drive(
    house: House,
    turn: HeldTurn,
    live: Live,
    events: mpsc::Receiver<Event>,
    api: Api,
    mut to: To,
    attempt: Option<Attempt>,
) {
    let (telling, person, space) = (turn.telling(), turn.chat().person().clone(), to.space.clone());
    let cancel = live.cancel.clone();
    let (tee, watched) = mpsc::channel(QUEUE);
    // Whoever watches the space sees the answer, too; no request waits for its beginning.
    let (first, _) = oneshot::channel();
    let watching = watch(&house, &space, &person, watched, first, cancel.clone());
    let hearing = hear(events, telling, &mut to, tee);
    let work = async { tokio::join!(turn.take(live), hearing, watching) };
    let (ended, telling, _) = tokio::select! {
        done = work => done,
        () = too_long(&house, &cancel) => return,
    };
    keep(attempt, &ended, cancel.is_cancelled()).await;
    to.end(api, telling, &ended).await;
    house.hub.changed();
}

/// An answer gets a little time when the house closes; what came is kept.
async fn too_long(house: &House, cancel: &CancellationToken) {
    house.closing.cancelled().await;
    tokio::time::sleep(PATIENCE).await;
    cancel.cancel();
    std::future::pending::<()>().await;
}

async fn hear(mut events: mpsc::Receiver<Event>, mut telling: Telling, to: &mut To, tee: mpsc::Sender<Event>) -> Telling {
    while let Some(event) = events.recv().await {
        let bytes = telling.hear(&event);
        // Others who watch do not wait for a client that does not read.
        let _ = tee.send(event).await;
        if !bytes.is_empty() {
            to.tell(&telling, bytes).await;
        }
    }
    telling
}

async fn keep(attempt: Option<Attempt>, ended: &Result<Replied, GatewayError>, stopped: bool) {
    let Some(attempt) = attempt else { return };
    match ended {
        // A turn that was stopped between two replies ends with results, and is no answer.
        Ok(replied) if replied.node.status != Status::Error && !stopped => {
            let kept = serde_json::to_vec(&Kept { reply: replied.node.id.clone() }).unwrap_or_default();
            if let Err(problem) = attempt.done(StatusCode::OK, kept).await {
                tracing::warn!(detail = problem.detail(), "an answer was not kept under its key");
            }
        }
        Ok(_) | Err(_) => attempt.failed().await,
    }
}

/// Where an answer goes.
struct To {
    space: SpaceId,
    /// Told once, when the answer begins or is known never to.
    begun: Option<oneshot::Sender<Begun>>,
    sender: mpsc::Sender<Bytes>,
    cancel: CancellationToken,
    leaving: Leaving,
}

impl To {
    async fn tell(&mut self, telling: &Telling, bytes: Vec<u8>) {
        self.begin(telling);
        // Nobody reads any more: the answer is stopped by then or goes on unheard, and comes to its end.
        let unread = tokio::select! {
            _ = self.sender.send(bytes.into()) => false,
            () = self.cancel.cancelled() => false,
            () = tokio::time::sleep(UNREAD) => true,
        };
        match (unread, self.leaving) {
            (false, _) => {}
            (true, Leaving::Stops) => self.cancel.cancel(),
            // A channel that nobody reads: what is sent into it is gone at once.
            (true, Leaving::GoesOn) => self.sender = mpsc::channel(1).0,
        }
    }

    fn instead(&mut self, response: Response) {
        if let Some(begun) = self.begun.take() {
            let _ = begun.send(Begun::Instead(response));
        }
    }

    fn begin(&mut self, telling: &Telling) {
        let Some(begun) = self.begun.take() else { return };
        let mut headers = heading(telling.answer());
        let (call, model) = telling.sent();
        if let Some(call) = call {
            put(&mut headers, "weft-call", call);
            put(&mut headers, "weft-report", &format!("/api/spaces/{}/calls/{call}", self.space));
        }
        if let Some(model) = model {
            put(&mut headers, "weft-model", model);
        }
        let _ = begun.send(Begun::Answer(headers));
    }

    async fn end(mut self, api: Api, mut telling: Telling, ended: &Result<Replied, GatewayError>) {
        match telling.end(ended) {
            Ok(bytes) => self.tell(&telling, bytes).await,
            Err(fault) => {
                let mut response = faults(api, &fault);
                // What a person stopped is not asked for again.
                if self.cancel.is_cancelled() {
                    put(response.headers_mut(), "x-should-retry", "false");
                }
                self.instead(response);
            }
        }
    }
}
