//! Sends what is in the outbox.

use super::again::after;
use crate::error::GatewayError;
use crate::gateway::Gateway;
use crate::services::{ID, SIGNATURE, SigningSecret, TIMESTAMP, sign};
use futures_util::future::join_all;
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use weftwork::model::EntityId;
use weftwork_provider::guard::{GuardError, Request};
use weftwork_store::StoreError;
use weftwork_store::runs::{Push, RUN_DUE, RunId, RunState};

/// Hints that are sent at once.
const AT_ONCE: i64 = 16;
/// How long whoever took a hint has to say what came of it, in milliseconds: longer than any answer is waited for.
const LEASE: i64 = 120_000;

/// What was done with hints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pushed {
    /// Sent and taken.
    pub sent: usize,
    /// Not sent, because nobody needs them any more.
    pub moot: usize,
    /// Not taken, to be sent again.
    pub again: usize,
    /// Not taken, and not sent again.
    pub given_up: usize,
}

/// What came of one hint.
enum Fate {
    Sent,
    Moot,
    Failed { why: String, then: Then },
}

/// What follows a failure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    Again,
    GiveUp,
}

#[derive(Deserialize)]
struct Hint {
    agent: EntityId,
    run: String,
}

impl Gateway {
    /// Sends hints that are due, some at once, and writes down what came of each. To be called again at once when it did
    /// something, else after a while.
    pub async fn push_due(&self) -> Result<Pushed, GatewayError> {
        self.guard()?;
        let now = self.now();
        let taken = self.stored(move |store| store.take_pushes(AT_ONCE, LEASE, now)).await?;
        let mut pushed = Pushed::default();
        for done in join_all(taken.into_iter().map(|push| self.push(push))).await {
            match done? {
                Some(Fate::Sent) => pushed.sent += 1,
                Some(Fate::Moot) => pushed.moot += 1,
                Some(Fate::Failed { then: Then::Again, .. }) => pushed.again += 1,
                Some(Fate::Failed { then: Then::GiveUp, .. }) => pushed.given_up += 1,
                // Another has it by now, and says what came of it.
                None => {}
            }
        }
        Ok(pushed)
    }

    /// Sends one hint and writes down what came of it; none if it is another's by now.
    async fn push(&self, push: Push) -> Result<Option<Fate>, GatewayError> {
        let mut fate = match serde_json::from_str::<Hint>(&push.payload) {
            Ok(hint) if push.topic == RUN_DUE => self.tell(&push, &hint).await?,
            Ok(_) | Err(_) => Fate::Failed { why: format!("nobody knows what {:?} is", push.topic), then: Then::GiveUp },
        };
        let next = after(push.claims, fastrand::f64());
        if let Fate::Failed { why, then } = &mut fate {
            *then = if next.is_none() { Then::GiveUp } else { *then };
            if *then == Then::GiveUp {
                self.note(format!("the hint {} was given up after {} attempts: {why}", push.key, push.claims));
            }
        }
        let now = self.now();
        let held = match (&fate, next) {
            (Fate::Sent | Fate::Moot, _) => self.stored(move |store| store.pushed(&push, now)).await?,
            (Fate::Failed { then: Then::Again, .. }, Some(wait)) => {
                let at = now.saturating_add(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX));
                self.stored(move |store| store.not_pushed(&push, at)).await?
            }
            // It stays in the outbox, where a person can find it, and is never due.
            (Fate::Failed { .. }, _) => self.stored(move |store| store.not_pushed(&push, i64::MAX)).await?,
        };
        Ok((!held.is_lost()).then_some(fate))
    }

    async fn tell(&self, push: &Push, hint: &Hint) -> Result<Fate, GatewayError> {
        if !self.is_due(hint).await? {
            return Ok(Fate::Moot);
        }
        let kept = match self.kept_push(&hint.agent).await {
            Ok(Some((kept, _))) => kept,
            Ok(None) => return Ok(Fate::Moot),
            // One agent's broken seal keeps no other from being told.
            Err(GatewayError::Seal(error)) => return Ok(failed(error.to_string(), Then::Again)),
            Err(error) => return Err(error),
        };
        let secret = match SigningSecret::parse(&kept.secret) {
            Ok(secret) => secret,
            Err(error) => return Ok(failed(error.to_string(), Then::GiveUp)),
        };
        let body = push.payload.clone().into_bytes();
        let request = Request {
            method: Method::POST,
            address: kept.address,
            headers: self.signed(&secret, &push.key, &body),
            body: body.into(),
        };
        Ok(match self.guard()?.send(request).await {
            Ok(answer) if answer.status.is_success() => Fate::Sent,
            // The receiver says that it will never want anything there.
            Ok(answer) if answer.status.as_u16() == 410 => failed("it is gone (410)", Then::GiveUp),
            Ok(answer) => failed(format!("it answered {}", answer.status.as_u16()), Then::Again),
            Err(error) => failed(error.to_string(), next_after(&error)),
        })
    }

    /// Whether the run still waits to be taken: a program that polls may have it already.
    async fn is_due(&self, hint: &Hint) -> Result<bool, GatewayError> {
        let run = RunId::from(hint.run.as_str());
        self.stored(move |store| match store.run(&run) {
            Ok(run) => Ok(run.state == RunState::Queued),
            Err(StoreError::NoRun { .. }) => Ok(false),
            Err(error) => Err(error),
        })
        .await
    }

    fn signed(&self, secret: &SigningSecret, id: &str, body: &[u8]) -> HeaderMap {
        let seconds = self.now().div_euclid(1_000);
        let text = |text: &str| HeaderValue::from_str(text).expect("ids, numbers and base64 are visible ASCII");
        HeaderMap::from_iter([
            (CONTENT_TYPE, HeaderValue::from_static("application/json")),
            (HeaderName::from_static(ID), text(id)),
            (HeaderName::from_static(TIMESTAMP), text(&seconds.to_string())),
            (HeaderName::from_static(SIGNATURE), text(&sign(secret, id, seconds, body))),
        ])
    }
}

fn failed(why: impl Into<String>, then: Then) -> Fate {
    Fate::Failed { why: why.into(), then }
}

/// A name may get another address and a server come back.
fn next_after(error: &GuardError) -> Then {
    match error {
        GuardError::Refused(_) | GuardError::Peer { .. } | GuardError::UnknownPeer { .. } => Then::Again,
        GuardError::Unreachable { .. } | GuardError::TimedOut { .. } | GuardError::TooLarge { .. } => Then::Again,
        GuardError::TooManyRedirects | GuardError::Client { .. } => Then::GiveUp,
    }
}
