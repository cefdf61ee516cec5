//! Agents that live elsewhere: a program takes a run of its agent, keeps it, acts in it and ends it, with a token of the
//! agent. Every act names the claim; who has lost it does nothing more.

use super::agents::AgentPath;
use super::runs::RunPath;
use crate::serve::web::{About, Api, Code, Cx, Done, Given, Input, Problem, Verb};
use crate::serve::who::Need;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;
use tokio::time::Instant;
use weftwork::model::{EntityId, EntityKind, Json, SpaceId, Tool, ToolCall};
use weftwork_gateway::services::SigningSecret;
use weftwork_gateway::{Deeded, DriveError, Handed};
use weftwork_store::runs::{Guard, Guarded, Pulse, RunId, RunState};

const GROUP: &str = "External agents";
/// Where runs are asked for.
pub(super) const TAKE: &str = "/api/runs/take";
/// Seconds that one question for a run may wait.
const MOST_WAIT: u64 = 60;
/// How long is waited before it is looked whether the house closes.
const SLICE: Duration = Duration::from_secs(1);
/// Bytes of the id of an act, and of the reason of a failure.
const LONGEST_ID: usize = 200;
const LONGEST_WHY: usize = 4_000;

pub(super) fn routes(api: Api) -> Api {
    let about = |name, need, says| About::new(GROUP, name, need, says);
    api.on(
        Verb::Post,
        TAKE,
        about("takeRun", Need::Act, "Take the next run of your agent; waits for one, if asked to. Empty if none came."),
        take,
    )
    .on(
        Verb::Post,
        "/api/runs/{run}/keep",
        about("keepRun", Need::Act, "Keep a run: say within 30 seconds, again and again, that you are at work."),
        keep,
    )
    .on(
        Verb::Post,
        "/api/runs/{run}/act",
        about("actInRun", Need::Act, "Do one of the tools of a run. The same id is done once, and answered alike."),
        act,
    )
    .on(Verb::Post, "/api/runs/{run}/end", about("endRun", Need::Act, "End a run: well, or badly for a reason."), end)
    .on(
        Verb::Put,
        "/api/agents/{agent}/push",
        about("setPush", Need::Owner, "Say where an external agent's program is told of due runs. The secret is shown once."),
        set_push,
    )
    .on(
        Verb::Delete,
        "/api/agents/{agent}/push",
        about("removePush", Need::Owner, "Tell an agent's program nothing any more.").gives(Given::Nothing),
        remove_push,
    )
}

/// The external agent that asks.
async fn external(cx: &Cx) -> Result<EntityId, Problem> {
    let who = cx.who.entity().clone();
    let entity = cx.house.stored(move |store| store.entity(&who)).await?;
    match entity.kind {
        EntityKind::Agent if entity.external => Ok(entity.id),
        EntityKind::Agent | EntityKind::Human | EntityKind::Service => {
            Err(Problem::new(Code::NotAllowed, "this is for programs of external agents: use a token of the agent"))
        }
    }
}

/// The claim on a run of the agent that asks.
async fn claim(cx: &Cx, run: &str, epoch: i64) -> Result<Guard, Problem> {
    let (agent, id) = (external(cx).await?, RunId::from(run));
    let run = cx.house.stored(move |store| store.run(&id)).await?;
    if run.agent == agent { Ok(Guard { run: run.id, epoch }) } else { Err(Problem::not_found()) }
}

fn lost() -> Problem {
    Problem::from(DriveError::Lost)
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TakeQuery {
    /// For how many seconds to wait for a run.
    #[schemars(range(max = 60))]
    wait: Option<u64>,
}

/// A run that was taken, if one came.
#[derive(Serialize, JsonSchema)]
struct Taken {
    /// None if nothing came.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<TakenRun>,
}

/// A run to be done.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct TakenRun {
    /// The run.
    #[schemars(with = "String")]
    id: RunId,
    /// The number of the claim: every act names it.
    epoch: i64,
    agent: EntityId,
    /// Where it was woken; none for plans and deliveries.
    #[serde(skip_serializing_if = "Option::is_none")]
    space: Option<SpaceId>,
    /// What a model would be sent now.
    request: Value,
    /// What happened to every node.
    report: Value,
    /// What may be done.
    tools: Vec<Tool>,
}

async fn take(cx: Cx, input: Input<(), TakeQuery>) -> Done<Taken> {
    let wait = input.query.wait.unwrap_or(0);
    if wait > MOST_WAIT {
        return Err(Problem::bad("wait", format!("at most {MOST_WAIT}")));
    }
    let agent = external(&cx).await?;
    let _room = cx.house.limits.stream(cx.who.entity())?;
    let owner = format!("elsewhere-{}", cx.who.pass().unwrap_or_default());
    let until = Instant::now() + Duration::from_secs(wait);
    loop {
        // A wait in slices ends between two of them: what was claimed is never dropped on the way.
        let slice = SLICE.min(until.saturating_duration_since(Instant::now()));
        let handed = cx.house.gateway.take_run(&agent, &owner, slice).await?;
        let run = handed.map(taken).transpose()?;
        if run.is_some() || Instant::now() >= until || cx.house.closing.is_cancelled() {
            return Ok(Taken { run }.into());
        }
    }
}

fn taken(handed: Handed) -> Result<TakenRun, Problem> {
    let Handed { run, request, report, tools } = handed;
    Ok(TakenRun {
        id: run.id,
        epoch: run.epoch,
        agent: run.agent,
        space: run.space,
        request: serde_json::from_slice(&request).map_err(|error| Problem::internal(&error))?,
        report: serde_json::to_value(&report).map_err(|error| Problem::internal(&error))?,
        tools,
    })
}

/// A claim.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Claim {
    /// The number it was taken with.
    epoch: i64,
}

/// What a program that keeps its run learns.
#[derive(Serialize, JsonSchema)]
struct Kept {
    /// Whether somebody asked the run to stop: end it.
    stop: bool,
}

async fn keep(cx: Cx, input: Input<RunPath, (), Claim>) -> Done<Kept> {
    let guard = claim(&cx, &input.path.run, input.body.epoch).await?;
    match cx.house.gateway.keep_run(&guard).await? {
        Guarded::Held(pulse) => Ok(Kept { stop: pulse == Pulse::Stop }.into()),
        Guarded::Lost => Err(lost()),
    }
}

/// A tool to be done.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Act {
    /// The number the run was taken with.
    epoch: i64,
    /// Your own name for this act.
    #[schemars(length(min = 1, max = 200))]
    id: String,
    /// The tool.
    #[schemars(length(min = 1, max = 200))]
    name: String,
    /// Its arguments.
    #[serde(default)]
    args: serde_json::Map<String, Value>,
}

/// What came of an act.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ActAnswer {
    /// Whether the run waits now: it is handed out again when it goes on, and is nobody's until then.
    waits: bool,
    /// What the tool said.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// Whether it failed.
    is_error: bool,
}

async fn act(cx: Cx, input: Input<RunPath, (), Act>) -> Done<ActAnswer> {
    let Act { epoch, id, name, args } = input.body;
    for (at, text) in [("id", &id), ("name", &name)] {
        if text.is_empty() || text.len() > LONGEST_ID {
            return Err(Problem::bad(at, format!("from 1 to {LONGEST_ID} bytes")));
        }
    }
    let guard = claim(&cx, &input.path.run, epoch).await?;
    let call = ToolCall { id, name, args: Json::of(&args), signature: None, included: false, native: None };
    match cx.house.gateway.act(&guard, &call).await {
        Ok(Deeded::Answered { text, is_error }) => Ok(ActAnswer { waits: false, text: Some(text), is_error }.into()),
        Ok(Deeded::Waits) => Ok(ActAnswer { waits: true, text: None, is_error: false }.into()),
        Err(DriveError::Stopped) => Err(stopped(&cx, guard).await?),
        Err(error) => Err(error.into()),
    }
}

/// Ends a run that was asked to stop: its program is told that it has it no more.
async fn stopped(cx: &Cx, guard: Guard) -> Result<Problem, Problem> {
    let now = cx.house.gateway.now();
    let _ = cx.house.stored(move |store| store.stop(&guard, now)).await?;
    cx.house.gateway.hint();
    Ok(DriveError::Stopped.into())
}

/// How a run is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum RunOutcome {
    /// All is done.
    Completed,
    /// It cannot be done.
    Failed,
}

/// How a run is left.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RunEnd {
    /// The number it was taken with.
    epoch: i64,
    outcome: RunOutcome,
    /// Why it failed.
    #[schemars(length(max = 4000))]
    why: Option<String>,
}

/// Where a run stands after it was ended.
#[derive(Serialize, JsonSchema)]
struct RunEnded {
    /// completed, failed, or canceled if somebody had asked it to stop
    status: weftwork::model::RunStatus,
}

async fn end(cx: Cx, input: Input<RunPath, (), RunEnd>) -> Done<RunEnded> {
    let RunEnd { epoch, outcome, why } = input.body;
    if why.as_ref().is_some_and(|why| why.len() > LONGEST_WHY || why.contains('\0')) {
        return Err(Problem::bad("why", format!("at most {LONGEST_WHY} bytes, none of them NUL")));
    }
    let guard = claim(&cx, &input.path.run, epoch).await?;
    let failed = match outcome {
        RunOutcome::Completed => None,
        RunOutcome::Failed => Some(why.unwrap_or_else(|| "its program says so".to_owned())),
    };
    match cx.house.gateway.end_run(&guard, failed.as_deref()).await? {
        Guarded::Held(state) => Ok(RunEnded { status: RunState::status(state) }.into()),
        Guarded::Lost => Err(lost()),
    }
}

/// Where a program is told.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PushTo {
    /// Its address; on a private net only if the configuration opens it.
    #[schemars(length(min = 1, max = 8192))]
    url: String,
}

/// Where a program is told from now on.
#[derive(Serialize, JsonSchema)]
struct PushSet {
    url: String,
    /// What hints are signed with, as Standard Webhooks has it. Shown once.
    secret: String,
}

async fn set_push(cx: Cx, input: Input<AgentPath, (), PushTo>) -> Done<PushSet> {
    let agent = cx.house.managed(&cx.who, &input.path.agent).await?.agent.id;
    let secret = SigningSecret::generate().map_err(|error| Problem::internal(&error))?;
    cx.house.gateway.set_push(&agent, &input.body.url, &secret).await?;
    Ok(PushSet { url: input.body.url, secret: secret.reveal() }.into())
}

async fn remove_push(cx: Cx, input: Input<AgentPath>) -> Done<()> {
    let agent = cx.house.managed(&cx.who, &input.path.agent).await?.agent.id;
    if cx.house.gateway.remove_push(&agent).await? { Ok(().into()) } else { Err(Problem::not_found()) }
}
