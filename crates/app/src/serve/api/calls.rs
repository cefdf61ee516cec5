//! Requests to models: what was asked, answered, used and paid. Those of a space are its members'; those that a client made
//! through the drop-in endpoints are its account's.

use super::spaces::{SpacePath, limit};
use crate::serve::mind::may_see_call;
use crate::serve::web::{About, Api, Cx, Done, Input, Problem, Verb};
use crate::serve::who::Need;
use axum::response::{IntoResponse, Response};
use http::header;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use weftwork::catalogue::Prices;
use weftwork::model::{CallOutcome, EntityId, NodeId, Purpose, SpaceId, Timestamp, Usage};
use weftwork::report::Report;
use weftwork_store::{CallRecord, Exchange, Measured};

const GROUP: &str = "Calls";
const USUAL: u32 = 50;
const MOST: u32 = 500;
/// What is kept of requests and responses is JSON, or what a provider streamed.
const BYTES: &str = "application/json";

pub(super) fn routes(api: Api) -> Api {
    let about = |name, says| About::new(GROUP, name, Need::Read, says);
    api.on(Verb::Get, "/api/spaces/{space}/calls", about("spaceCalls", "Requests to models of a space, newest first."), list)
        .on(Verb::Get, "/api/spaces/{space}/calls/{call}", about("spaceCall", "One request to a model."), show)
        .file("/api/spaces/{space}/calls/{call}/request", about("spaceCallRequest", "What was sent, byte for byte."), BYTES, sent)
        .file("/api/spaces/{space}/calls/{call}/response", about("spaceCallResponse", "What came back."), BYTES, came)
        .on(
            Verb::Get,
            "/api/spaces/{space}/calls/{call}/report",
            about("spaceCallReport", "Why the request was what it was, told again from what it was made of."),
            report,
        )
        .on(Verb::Get, "/api/calls", about("calls", "Your requests through the drop-in endpoints, newest first."), list_own)
        .on(Verb::Get, "/api/calls/{call}", about("call", "One of them, with its report."), show_own)
        .file("/api/calls/{call}/request", about("callRequest", "What was sent, byte for byte."), BYTES, sent_own)
        .file("/api/calls/{call}/response", about("callResponse", "What came back."), BYTES, came_own)
        .on(Verb::Get, "/api/calls/{call}/report", about("callReport", "Why the request was what it was."), report_own)
}

/// A call of a space.
#[derive(Deserialize, JsonSchema)]
struct SpaceCallPath {
    /// The space.
    space: SpaceId,
    /// The id of the call.
    call: String,
}

/// A call of your own.
#[derive(Deserialize, JsonSchema)]
struct CallPath {
    /// Its id.
    call: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CallsQuery {
    /// `next` of the page before.
    after: Option<String>,
    /// At most so many.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
}

/// A request to a model.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "CallRecord")]
pub(in crate::serve) struct ShownCall {
    id: String,
    /// Its space; none of those that came through the drop-in endpoints.
    #[serde(skip_serializing_if = "Option::is_none")]
    space: Option<SpaceId>,
    /// What it was for.
    purpose: Purpose,
    /// The model asked, as provider/model.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// The agent that asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<EntityId>,
    /// The node it led to.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<NodeId>,
    /// The run it belonged to.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    /// When it was sent.
    at: Option<Timestamp>,
    /// How long it took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
    /// How it ended; none while it runs.
    outcome: Option<CallOutcome>,
    /// Tokens, in disjoint buckets.
    usage: Option<Usage>,
    /// Whether they were counted here, because the provider told of none.
    estimated: bool,
    /// What it cost in US dollars; none if the price is not known.
    cost_usd: Option<f64>,
    /// The prices of that day.
    #[serde(skip_serializing_if = "Option::is_none")]
    prices: Option<Prices>,
}

impl From<CallRecord> for ShownCall {
    fn from(call: CallRecord) -> ShownCall {
        let CallRecord { space, id, purpose, node, agent, run, model, at, duration_ms, outcome, usage, measured, .. } = call;
        let (cost_usd, prices) = (call.cost.map(|cost| cost.usd()), call.prices);
        let estimated = measured == Measured::Estimated;
        ShownCall { id, space, purpose, model, agent, node, run, at, duration_ms, outcome, usage, estimated, cost_usd, prices }
    }
}

/// A page of calls, newest first.
#[derive(Serialize, JsonSchema)]
struct CallPage {
    calls: Vec<ShownCall>,
    /// Where the list goes on, as `after`; none at its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

impl CallPage {
    /// Of up to one call more than fits.
    fn of(mut calls: Vec<CallRecord>, limit: u32) -> CallPage {
        let more = calls.len() > limit as usize;
        calls.truncate(limit as usize);
        let next = calls.last().filter(|_| more).map(|call| call.id.clone());
        CallPage { calls: calls.into_iter().map(ShownCall::from).collect(), next }
    }
}

async fn list(cx: Cx, input: Input<SpacePath, CallsQuery>) -> Done<CallPage> {
    let limit = limit(input.query.limit, USUAL, MOST)?;
    let (space, after) = (input.path.space, input.query.after);
    cx.house.member(cx.who.entity(), &space).await?;
    let calls = cx.house.stored(move |store| store.calls_back(&space, after.as_deref(), limit + 1)).await?;
    Ok(CallPage::of(calls, limit).into())
}

/// A call of a space that the asker belongs to.
async fn found(cx: &Cx, path: &SpaceCallPath) -> Result<CallRecord, Problem> {
    cx.house.member(cx.who.entity(), &path.space).await?;
    let (space, call) = (path.space.clone(), path.call.clone());
    cx.house.stored(move |store| store.call(&space, &call)).await
}

async fn show(cx: Cx, input: Input<SpaceCallPath>) -> Done<ShownCall> {
    Ok(ShownCall::from(found(&cx, &input.path).await?).into())
}

async fn exchange(cx: &Cx, path: SpaceCallPath) -> Result<Exchange, Problem> {
    may_see_call(cx, &found(cx, &path).await?).await?;
    cx.house.stored(move |store| store.exchange(&path.space, &path.call)).await
}

async fn sent(cx: Cx, input: Input<SpaceCallPath>) -> Result<Response, Problem> {
    bytes(exchange(&cx, input.path).await?.request)
}

async fn came(cx: Cx, input: Input<SpaceCallPath>) -> Result<Response, Problem> {
    bytes(exchange(&cx, input.path).await?.response)
}

/// Bytes as they are kept. Nothing of it is ever shown as a page: a model may have written it.
fn bytes(kept: Option<Vec<u8>>) -> Result<Response, Problem> {
    let kept = kept.ok_or_else(Problem::not_found)?;
    // What was streamed is a line or an event after another, and no JSON as a whole.
    let kind = match serde_json::from_slice::<serde::de::IgnoredAny>(&kept) {
        Ok(_) => BYTES,
        Err(_) => "text/plain; charset=utf-8",
    };
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, "attachment")], kept).into_response())
}

async fn report(cx: Cx, input: Input<SpaceCallPath>) -> Done<Report> {
    may_see_call(&cx, &found(&cx, &input.path).await?).await?;
    let SpaceCallPath { space, call } = input.path;
    let assembly = cx.house.stored(move |store| store.reassemble(&space, &call)).await?;
    Ok(assembly.report.into())
}

async fn list_own(cx: Cx, input: Input<(), CallsQuery>) -> Done<CallPage> {
    let limit = limit(input.query.limit, USUAL, MOST)?;
    let (who, after) = (cx.who.entity().clone(), input.query.after);
    let calls = cx.house.stored(move |store| store.calls_back_of(&who, after.as_deref(), limit + 1)).await?;
    Ok(CallPage::of(calls, limit).into())
}

/// A report as it was kept.
#[derive(Serialize, JsonSchema)]
#[serde(transparent)]
struct KeptReport(#[schemars(with = "Report")] serde_json::Value);

impl KeptReport {
    fn parse(kept: Option<Vec<u8>>) -> Option<KeptReport> {
        serde_json::from_slice(&kept?).ok().map(KeptReport)
    }
}

/// What was done with a request before it went out.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum HandledAs {
    /// It was fitted, repaired and marked, as the report says.
    Assembled,
    /// It was passed through as it came.
    PassedThrough,
}

/// A call of your own.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct OwnCall {
    #[serde(flatten)]
    call: ShownCall,
    /// What was done with what you sent.
    handled_as: HandledAs,
    /// What became of it; none of what was passed through.
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<KeptReport>,
}

async fn show_own(cx: Cx, input: Input<CallPath>) -> Done<OwnCall> {
    let (who, id) = (cx.who.entity().clone(), input.path.call);
    let (call, kept) = cx.house.stored(move |store| Ok((store.call_of(&who, &id)?, store.exchange_of(&who, &id)?))).await?;
    let report = KeptReport::parse(kept.report);
    let handled_as = if report.is_some() { HandledAs::Assembled } else { HandledAs::PassedThrough };
    Ok(OwnCall { call: call.into(), handled_as, report }.into())
}

async fn own(cx: &Cx, path: CallPath) -> Result<Exchange, Problem> {
    let who = cx.who.entity().clone();
    cx.house.stored(move |store| store.exchange_of(&who, &path.call)).await
}

async fn sent_own(cx: Cx, input: Input<CallPath>) -> Result<Response, Problem> {
    bytes(own(&cx, input.path).await?.request)
}

async fn came_own(cx: Cx, input: Input<CallPath>) -> Result<Response, Problem> {
    bytes(own(&cx, input.path).await?.response)
}

async fn report_own(cx: Cx, input: Input<CallPath>) -> Done<KeptReport> {
    let kept = own(&cx, input.path).await?.report;
    Ok(KeptReport::parse(kept).ok_or_else(Problem::not_found)?.into())
}
