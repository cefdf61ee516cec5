//! The same request, sent again: answered as it was the first time, and done once.
//!
//! A key is kept for good with a hash of what it came with. The same key with something else is refused. Who repeats a
//! request that is still being worked on is told to wait.

use super::problem::{Code, Problem};
use crate::serve::house::House;
use http::{HeaderMap, StatusCode};
use sha2::{Digest, Sha256};
use weftwork::model::EntityId;
use weftwork_store::Requested;

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

/// One attempt at a request with a key.
pub(in crate::serve) struct Attempt {
    house: House,
    who: EntityId,
    key: String,
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
        let (by, name, way, now) = (who.clone(), key.to_owned(), route.to_owned(), house.gateway.now());
        let begun = house.stored(move |store| store.begin_request(&by, &name, &way, &hash, now)).await?;
        match begun {
            Requested::Fresh => Ok(Turn::Fresh(Attempt { house: house.clone(), who: who.clone(), key: key.to_owned() })),
            Requested::Done { status, answer } => {
                Ok(Turn::Answered(StatusCode::from_u16(status).unwrap_or(StatusCode::OK), answer))
            }
            Requested::OtherBody => {
                Err(Problem::new(Code::KeyReused, "this idempotency key came with another request before: use a new one"))
            }
            Requested::Busy => Err(Problem::new(Code::InProgress, "the same request is being worked on: ask again").after(1)),
        }
    }

    pub(in crate::serve) async fn done(self, status: StatusCode, answer: Vec<u8>) -> Result<(), Problem> {
        let (who, key, status) = (self.who, self.key, status.as_u16());
        self.house.stored(move |store| store.end_request(&who, &key, status, &answer)).await.map(drop)
    }

    /// Nothing was done: the key is free again.
    pub(in crate::serve) async fn failed(self) {
        let (who, key) = (self.who, self.key);
        if let Err(problem) = self.house.stored(move |store| store.drop_request(&who, &key)).await {
            tracing::warn!(detail = problem.detail(), "an idempotency key stays taken for a while");
        }
    }
}
