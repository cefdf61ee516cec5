//! The same request, sent again: answered as it was the first time, and done once.
//!
//! A key is kept for good with a hash of what it came with. The same key with something else is refused. Who repeats a
//! request that is still being worked on is told to wait.

use super::problem::{Code, Problem};
use crate::serve::house::House;
use http::{HeaderMap, StatusCode};
use sha2::{Digest, Sha256};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio_util::task::AbortOnDropHandle;
use weftwork::model::EntityId;
use weftwork_store::{REQUEST_PATIENCE, Requested};

const LONGEST: usize = 200;

/// The key of a request.
pub(in crate::serve) fn key_of(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let key = value.to_str().unwrap_or_default();
    check_key(key)?;
    Ok(Some(key.to_owned()))
}

/// Nothing, if this can be a key.
pub(in crate::serve) fn check_key(key: &str) -> Result<(), Problem> {
    if key.is_empty() || key.len() > LONGEST || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        let detail = format!("an idempotency key has 1 to {LONGEST} visible ASCII characters");
        return Err(Problem::bad("Idempotency-Key", detail));
    }
    Ok(())
}

/// One attempt at a request with a key. One that is given up, because its client left or it broke, leaves its key free.
pub(in crate::serve) struct Attempt {
    house: House,
    who: EntityId,
    key: String,
    state: State,
    /// Says now and then that it is still being done: an answer may take longer than keys are held in silence.
    _renewing: AbortOnDropHandle<()>,
}

/// How often.
const RENEWED: Duration = Duration::from_millis(REQUEST_PATIENCE as u64 / 4);

/// Whether the key still waits for its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    Ended,
}

/// What is to be done about a request.
pub(in crate::serve) enum Turn {
    /// It is new.
    Fresh(Attempt),
    /// It was answered before.
    Answered(StatusCode, Vec<u8>),
}

impl Attempt {
    pub(in crate::serve) async fn begin(
        house: &House,
        who: &EntityId,
        key: &str,
        route: &str,
        body: &[u8],
    ) -> Result<Turn, Problem> {
        let hash: [u8; 32] = Sha256::digest(body).into();
        let (house, by, name, way) = (house.clone(), who.clone(), key.to_owned(), route.to_owned());
        // In a task of its own: a client that leaves while the key is being taken leaves an attempt that is given up.
        let turn = house.clone().work.spawn(async move { Attempt::taken(house, by, name, way, hash).await });
        turn.await.unwrap_or_else(|died| Err(Problem::internal(&died)))
    }

    async fn taken(house: House, who: EntityId, key: String, route: String, hash: [u8; 32]) -> Result<Turn, Problem> {
        let (by, name, now) = (who.clone(), key.clone(), house.gateway.now());
        let begun = house.stored(move |store| store.begin_request(&by, &name, &route, &hash, now)).await?;
        match begun {
            Requested::Fresh => {
                let _renewing = AbortOnDropHandle::new(tokio::spawn(renew(house.clone(), who.clone(), key.clone())));
                Ok(Turn::Fresh(Attempt { house, who, key, state: State::Open, _renewing }))
            }
            Requested::Done { status, answer } => {
                Ok(Turn::Answered(StatusCode::from_u16(status).unwrap_or(StatusCode::OK), answer))
            }
            Requested::OtherBody => {
                Err(Problem::new(Code::KeyReused, "this idempotency key came with another request before: use a new one"))
            }
            Requested::Busy => Err(Problem::new(Code::InProgress, "the same request is being worked on: ask again").after(1)),
        }
    }

    /// Keeps the answer.
    pub(in crate::serve) async fn done(mut self, status: StatusCode, answer: Vec<u8>) -> Result<(), Problem> {
        // It was done, also if that cannot be written down: it must not be done again.
        self.state = State::Ended;
        let (who, key, status) = (self.who.clone(), self.key.clone(), status.as_u16());
        self.house.stored(move |store| store.end_request(&who, &key, status, &answer)).await.map(drop)
    }

    /// Nothing was done: the key is free again.
    pub(in crate::serve) async fn failed(mut self) {
        self.state = State::Ended;
        free(self.house.clone(), self.who.clone(), self.key.clone()).await;
    }
}

async fn renew(house: House, who: EntityId, key: String) {
    loop {
        tokio::time::sleep(RENEWED).await;
        let (who, key, now) = (who.clone(), key.clone(), house.gateway.now());
        match house.stored(move |store| store.renew_request(&who, &key, now)).await {
            Ok(true) => {}
            // It has its answer, or is somebody else's.
            Ok(false) => return,
            Err(problem) => tracing::warn!(detail = problem.detail(), "an idempotency key may be taken by another"),
        }
    }
}

async fn free(house: House, who: EntityId, key: String) {
    if let Err(problem) = house.stored(move |store| store.drop_request(&who, &key)).await {
        tracing::warn!(detail = problem.detail(), "an idempotency key stays taken for a while");
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        if let (State::Open, Ok(runtime)) = (self.state, Handle::try_current()) {
            let freeing = free(self.house.clone(), self.who.clone(), self.key.clone());
            self.house.work.spawn_on(freeing, &runtime);
        }
    }
}
