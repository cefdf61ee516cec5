//! Declaring routes: a verb, a path, who may, what it is, and the handler.

use super::answer::{Answer, Done, Given, sent};
use super::body::parse;
use super::cx::{Cx, Input};
use super::doc::{Doc, Plain};
use super::hands::InHand;
use super::idempotent::{Attempt, Turn, key_of};
use super::problem::{Code, Problem};
use crate::serve::house::House;
use crate::serve::who::{Need, Who};
use axum::Router;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequestParts, Path, Query, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, StatusCode};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::any::TypeId;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use tracing::Instrument;

/// Bytes of a body, where a route says nothing else.
const USUAL_BODY: usize = 1 << 20;

/// What is done to a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::serve) enum Verb {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

impl Verb {
    fn filter(self) -> MethodFilter {
        match self {
            Verb::Get => MethodFilter::GET,
            Verb::Post => MethodFilter::POST,
            Verb::Put => MethodFilter::PUT,
            Verb::Patch => MethodFilter::PATCH,
            Verb::Delete => MethodFilter::DELETE,
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Verb::Get => "get",
            Verb::Post => "post",
            Verb::Put => "put",
            Verb::Patch => "patch",
            Verb::Delete => "delete",
        }
    }
}

/// What kind of body a route takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::serve) enum Load {
    /// A request.
    Usual,
    /// A file, which takes several times its size to read.
    File,
}

/// What a reader is told of a route, and what it needs.
#[derive(Clone, Copy, Debug)]
pub(in crate::serve) struct About {
    /// Its name in programs, such as `postMessage`.
    pub(in crate::serve) name: &'static str,
    /// The part of the document it stands in.
    pub(in crate::serve) group: &'static str,
    /// What it does, in a sentence.
    pub(in crate::serve) says: &'static str,
    pub(in crate::serve) need: Need,
    pub(in crate::serve) gives: Given,
    /// Bytes of the body.
    pub(in crate::serve) most: usize,
    /// Where its body has room.
    pub(in crate::serve) load: Load,
}

impl About {
    pub(in crate::serve) const fn new(group: &'static str, name: &'static str, need: Need, says: &'static str) -> About {
        About { name, group, says, need, gives: Given::Ok, most: USUAL_BODY, load: Load::Usual }
    }

    pub(in crate::serve) const fn gives(mut self, gives: Given) -> About {
        self.gives = gives;
        self
    }

    pub(in crate::serve) const fn most(mut self, most: usize) -> About {
        self.most = most;
        self
    }

    pub(in crate::serve) const fn load(mut self, load: Load) -> About {
        self.load = load;
        self
    }
}

/// Routes and their document, grown together.
#[derive(Default)]
pub(in crate::serve) struct Api {
    router: Router<House>,
    doc: Doc,
}

impl Api {
    /// Adds a route.
    pub(in crate::serve) fn on<P, Q, B, A, F, Fut>(mut self, verb: Verb, path: &'static str, about: About, handler: F) -> Api
    where
        P: DeserializeOwned + JsonSchema + Send + 'static,
        Q: DeserializeOwned + JsonSchema + Send + 'static,
        B: DeserializeOwned + JsonSchema + Send + 'static,
        A: Serialize + JsonSchema + Send + 'static,
        F: Fn(Cx, Input<P, Q, B>) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Done<A>> + Send + 'static,
    {
        self.doc.route::<P, Q, B, A>(verb, path, &about);
        let takes = if is_unit::<B>() { Takes::Nothing } else { Takes::Body };
        let act = move |asked: Asked| -> Acting {
            let handler = handler.clone();
            Box::pin(async move {
                let (cx, path, query, bytes) = asked.understood().await?;
                let body = if is_unit::<B>() { unit()? } else { parse(&cx.headers, &bytes)? };
                handler(cx, Input { path, query, body }).await?.acted()
            })
        };
        self.router = self.router.route(path, route(verb, about, takes, Arc::new(act)));
        self
    }

    /// Adds a route that takes a file of any kind, and answers in JSON.
    pub(in crate::serve) fn upload<P, Q, A, F, Fut>(mut self, path: &'static str, about: About, handler: F) -> Api
    where
        P: DeserializeOwned + JsonSchema + Send + 'static,
        Q: DeserializeOwned + JsonSchema + Send + 'static,
        A: Serialize + JsonSchema + Send + 'static,
        F: Fn(Cx, Input<P, Q, Bytes>) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Done<A>> + Send + 'static,
    {
        self.doc.upload::<P, Q, A>(path, &about);
        let act = move |asked: Asked| -> Acting {
            let handler = handler.clone();
            Box::pin(async move {
                let (cx, path, query, body) = asked.understood().await?;
                handler(cx, Input { path, query, body }).await?.acted()
            })
        };
        self.router = self.router.route(path, route(Verb::Post, about, Takes::Body, Arc::new(act)));
        self
    }

    /// Adds a route that gives something as it is kept: bytes, a file. `kind` is its media type in the document.
    pub(in crate::serve) fn file<P, Q, F, Fut>(mut self, path: &'static str, about: About, kind: &'static str, handler: F) -> Api
    where
        P: DeserializeOwned + JsonSchema + Send + 'static,
        Q: DeserializeOwned + JsonSchema + Send + 'static,
        F: Fn(Cx, Input<P, Q>) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Result<Response, Problem>> + Send + 'static,
    {
        self.doc.plain::<P, Q>(&Plain { verb: Verb::Get, path, about, kind, takes: None });
        let give = move |State(house): State<House>, request: Request| {
            let handler = handler.clone();
            let given = async move {
                let (parts, _) = request.into_parts();
                let who = house.admit(&parts, about.need).await?;
                let asked = Asked { house, who, key: None, parts, body: Bytes::new(), room: None };
                let (cx, path, query, _) = asked.understood().await?;
                handler(cx, Input { path, query, body: () }).await
            };
            async move { given.await.unwrap_or_else(Problem::into_response) }
        };
        self.router = self.router.route(path, on(MethodFilter::GET, give));
        self
    }

    /// Adds a route that makes its own response, and what the document says of it.
    pub(in crate::serve) fn raw(mut self, path: &'static str, route: MethodRouter<House>, tell: impl FnOnce(&mut Doc)) -> Api {
        tell(&mut self.doc);
        self.router = self.router.route(path, route);
        self
    }

    pub(in crate::serve) fn apart(self) -> (Router<House>, Doc) {
        (self.router, self.doc)
    }
}

/// Whether a route takes a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    Nothing,
    Body,
}

/// A request that was let in, not yet understood.
struct Asked {
    house: House,
    who: Who,
    key: Option<String>,
    parts: Parts,
    body: Bytes,
    room: Option<Arc<InHand>>,
}

impl Asked {
    /// The names in its path, its query, and its body as it came.
    async fn understood<P, Q>(mut self) -> Result<(Cx, P, Q, Bytes), Problem>
    where
        P: DeserializeOwned + Send + 'static,
        Q: DeserializeOwned + Send + 'static,
    {
        let path = read_path(&mut self.parts).await?;
        let query = read_query(&mut self.parts).await?;
        let cx = Cx { house: self.house, who: self.who, key: self.key, headers: self.parts.headers, room: self.room };
        Ok((cx, path, query, self.body))
    }
}

impl<A: Serialize> Answer<A> {
    fn acted(self) -> Result<Acted, Problem> {
        Ok(Acted { body: self.body()?, kept: self.kept, headers: self.headers, status: self.status })
    }
}

/// What a handler did, written down.
struct Acted {
    body: Vec<u8>,
    kept: Option<serde_json::Value>,
    headers: HeaderMap,
    status: Option<StatusCode>,
}

type Acting = Pin<Box<dyn Future<Output = Result<Acted, Problem>> + Send>>;
type Act = Arc<dyn Fn(Asked) -> Acting + Send + Sync>;

/// One route. Nothing here knows a handler's types: it is compiled once for all of them.
fn route(verb: Verb, about: About, takes: Takes, act: Act) -> MethodRouter<House> {
    let answer = move |State(house): State<House>, request: Request| {
        let act = act.clone();
        async move { respond(house, request, verb, about, takes, act).await.unwrap_or_else(Problem::into_response) }
    };
    on(verb.filter(), answer)
}

async fn respond(house: House, request: Request, verb: Verb, about: About, takes: Takes, act: Act) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let who = house.admit(&parts, about.need).await?;
    let (body, room) = match takes {
        Takes::Nothing => (Bytes::new(), None),
        Takes::Body => {
            let hands = house.limits.hands(about.load);
            let (body, held) = hands.read(who.entity(), body, &parts.headers, about.most).await?;
            (body, Some(Arc::new(held)))
        }
    };
    let key = match (verb, about.need) {
        // Whoever has no account has nowhere to keep a key.
        (_, Need::Nobody) | (Verb::Get | Verb::Put | Verb::Patch | Verb::Delete, _) => None,
        (Verb::Post, _) => key_of(&parts.headers)?,
    };
    let attempt = match &key {
        Some(key) => match Attempt::begin(&house, who.entity(), key, &whole_path(&parts), &body).await? {
            Turn::Fresh(attempt) => Some(attempt),
            Turn::Answered(status, body) => return Ok(sent(status, HeaderMap::new(), body)),
        },
        None => None,
    };
    let acting = act(Asked { house: house.clone(), who, key, parts, body, room });
    let Some(attempt) = attempt else {
        let Acted { body, headers, status, .. } = acting.await?;
        return Ok(sent(status.unwrap_or(about.gives.status()), headers, body));
    };
    // A client that goes away must find its answer when it comes back with the key.
    let finished = house.work.spawn(finish(acting, attempt, about).in_current_span());
    finished.await.unwrap_or_else(|died| Err(Problem::internal(&died)))
}

/// Does what was asked under a key to its end, and keeps the answer.
async fn finish(acting: Acting, attempt: Attempt, about: About) -> Result<Response, Problem> {
    match acting.await {
        Ok(Acted { body, kept, headers, status }) => {
            let status = status.unwrap_or(about.gives.status());
            let kept = kept.map_or_else(|| body.clone(), |kept| kept.to_string().into_bytes());
            attempt.done(status, kept).await?;
            Ok(sent(status, headers, body))
        }
        Err(problem) => {
            attempt.failed().await;
            Err(problem)
        }
    }
}

/// The path and the query: both are part of what is asked.
fn whole_path(parts: &Parts) -> String {
    parts.uri.path_and_query().map_or_else(String::new, ToString::to_string)
}

pub(super) fn is_unit<T: 'static>() -> bool {
    TypeId::of::<T>() == TypeId::of::<()>()
}

/// `()`, for a type that is known to be it.
fn unit<T: DeserializeOwned>() -> Result<T, Problem> {
    T::deserialize(serde_json::Value::Null).map_err(|error| Problem::internal(&error))
}

async fn read_path<P: DeserializeOwned + Send + 'static>(parts: &mut Parts) -> Result<P, Problem> {
    if is_unit::<P>() {
        return unit();
    }
    // No id holds NUL, and PostgreSQL would not even look for one that does.
    if parts.uri.path().contains("%00") {
        return Err(Problem::not_found());
    }
    match Path::<P>::from_request_parts(parts, &()).await {
        Ok(Path(path)) => Ok(path),
        // A name that cannot be one of ours names nothing.
        Err(PathRejection::FailedToDeserializePathParams(_)) => Err(Problem::not_found()),
        Err(error) => Err(Problem::internal(&error)),
    }
}

async fn read_query<Q: DeserializeOwned + Send + 'static>(parts: &mut Parts) -> Result<Q, Problem> {
    if is_unit::<Q>() {
        return unit();
    }
    if parts.uri.query().is_some_and(|query| query.contains("%00")) {
        return Err(Problem::new(Code::BadRequest, "the query: it holds NUL"));
    }
    match Query::<Q>::from_request_parts(parts, &()).await {
        Ok(Query(query)) => Ok(query),
        Err(QueryRejection::FailedToDeserializeQueryString(error)) => {
            let detail = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            Err(Problem::new(Code::BadRequest, format!("the query: {detail}")))
        }
        Err(error) => Err(Problem::new(Code::BadRequest, error.to_string())),
    }
}
