//! Runs: what agents do, wait for and have done, and what a person does about it.
//!
//! A run is for the members of the space it was woken in, and for whoever manages its agent. People act on it; agents only
//! look.

use super::spaces::limit;
use crate::serve::manage::Asker;
use crate::serve::shown::ShownRun;
use crate::serve::tale::{RunTale, Standings, standing};
use crate::serve::web::{About, Api, Code, Cx, Done, Input, Problem, Verb};
use crate::serve::who::Need;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::IntoDeserializer;
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use weftwork::model::{EntityId, RunStatus, SpaceId};
use weftwork_gateway::tools::Decision;
use weftwork_store::NoPlace;
use weftwork_store::runs::{Canceled, Guarded, RunId, RunQuery};

const GROUP: &str = "Runs";
const USUAL: u32 = 50;
const MOST: u32 = 200;

pub(super) fn routes(api: Api) -> Api {
    let about = |name, need, says| About::new(GROUP, name, need, says);
    api.on(
        Verb::Get,
        "/api/runs",
        about("listRuns", Need::Read, "Runs of your spaces and of agents you manage, newest first."),
        list,
    )
    .on(Verb::Get, "/api/runs/{run}", about("run", Need::Read, "A run: what woke it, what it did, what it waits for."), show)
    .on(Verb::Post, "/api/runs/{run}/cancel", about("cancelRun", Need::Write, "Stop a run."), cancel)
    .on(Verb::Post, "/api/runs/{run}/retry", about("retryRun", Need::Write, "Let a run go on that is parked."), retry)
    .on(
        Verb::Put,
        "/api/runs/{run}/decision",
        about("decideRun", Need::Write, "Allow or refuse the call that a run waits with. For people."),
        decide,
    )
}

/// A run.
#[derive(Deserialize, JsonSchema)]
pub(super) struct RunPath {
    /// Its id.
    pub(super) run: String,
}

/// Several places where a run may stand, in one word.
#[derive(Default)]
struct Statuses(Vec<RunStatus>);

impl<'de> Deserialize<'de> for Statuses {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Statuses, D::Error> {
        let text = String::deserialize(from)?;
        let word = |word: &str| RunStatus::deserialize(word.into_deserializer());
        text.split(',').map(word).collect::<Result<_, _>>().map(Statuses)
    }
}

impl JsonSchema for Statuses {
    fn schema_name() -> Cow<'static, str> {
        "RunStatuses".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let word = "(queued|running|waiting_reply|waiting_tool|parked|completed|failed|canceled)";
        json_schema!({"type": "string", "pattern": format!("^{word}(,{word})*$")})
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RunsQuery {
    /// Those woken in this space.
    space: Option<SpaceId>,
    /// Those of this agent.
    agent: Option<EntityId>,
    /// Those that stand here; several with commas between them, such as `queued,running`.
    #[serde(default)]
    status: Option<Statuses>,
    /// `next` of the page before.
    after: Option<String>,
    /// At most so many.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u32>,
}

/// A page of runs.
#[derive(Serialize, JsonSchema)]
struct RunPage {
    runs: Vec<ShownRun>,
    /// Where the list goes on, as `after`; none at its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

async fn list(cx: Cx, input: Input<(), RunsQuery>) -> Done<RunPage> {
    let RunsQuery { space, agent, status, after, limit: most } = input.query;
    let after = after.map(|text| text.parse()).transpose();
    let after = after.map_err(|error: NoPlace| Problem::bad("after", error.to_string()))?;
    let Statuses(statuses) = status.unwrap_or_default();
    let query = RunQuery { agent, space, among: None, statuses, after, limit: limit(most, USUAL, MOST)? };
    if let Some(space) = &query.space {
        cx.house.member(cx.who.entity(), space).await?;
    }
    if let Some(agent) = &query.agent {
        cx.house.agent(&cx.who, agent).await?;
    }
    let asker = Asker::from(&cx.who);
    let page = cx.house.stored(move |store| {
        let among = asker.among(store)?;
        let (found, next) = store.run_page(&RunQuery { among, ..query })?;
        let (mut standings, mut runs) = (Standings::of(store, &asker)?, Vec::new());
        for run in found {
            if let Some(standing) = standings.to(store, &run)? {
                runs.push(standing.line(store, &run)?);
            }
        }
        Ok(RunPage { runs, next: next.map(|next| next.to_string()) })
    });
    Ok(page.await?.into())
}

async fn show(cx: Cx, input: Input<RunPath>) -> Done<RunTale> {
    let (asker, id) = (Asker::from(&cx.who), RunId::from(input.path.run.as_str()));
    let tale = cx.house.stored(move |store| {
        let found = standing(store, &asker, &id)?;
        found.map(|(run, standing)| standing.tale(store, &run)).transpose()
    });
    Ok(tale.await?.ok_or_else(Problem::not_found)?.into())
}

async fn line(cx: &Cx, id: RunId) -> Result<ShownRun, Problem> {
    let asker = Asker::from(&cx.who);
    let line = cx.house.stored(move |store| {
        let found = standing(store, &asker, &id)?;
        found.map(|(run, standing)| standing.line(store, &run)).transpose()
    });
    line.await?.ok_or_else(Problem::not_found)
}

/// A run that the asker may do something about, and whether they may read every word of it.
async fn acted_on(cx: &Cx, id: &str) -> Result<(RunId, bool), Problem> {
    let (asker, id) = (Asker::from(&cx.who), RunId::from(id));
    let found = cx.house.stored(move |store| {
        let Some((run, standing)) = standing(store, &asker, &id)? else { return Ok(None) };
        let reads = standing.reads(store, &run)?;
        Ok(Some((run.id, reads)))
    });
    let found = found.await?.ok_or_else(Problem::not_found)?;
    match cx.house.person(&cx.who).await? {
        Some(_) => Ok(found),
        None => Err(Problem::new(Code::NotAllowed, "only people decide about runs")),
    }
}

/// What came of stopping a run.
#[derive(Serialize, JsonSchema)]
struct StoppedRun {
    /// now; asked, if it is at work and stops after what it is doing; over, if it had ended before
    stopped: &'static str,
}

async fn cancel(cx: Cx, input: Input<RunPath>) -> Done<StoppedRun> {
    let (id, _) = acted_on(&cx, &input.path.run).await?;
    let now = cx.house.gateway.now();
    let stopped = match cx.house.stored(move |store| store.cancel(&id, now)).await? {
        Canceled::Now => "now",
        Canceled::Asked => "asked",
        Canceled::Over => "over",
    };
    cx.house.gateway.hint();
    Ok(StoppedRun { stopped }.into())
}

async fn retry(cx: Cx, input: Input<RunPath>) -> Done<ShownRun> {
    let (id, _) = acted_on(&cx, &input.path.run).await?;
    let (now, run) = (cx.house.gateway.now(), id.clone());
    match cx.house.stored(move |store| store.unpark(&run, now)).await? {
        Guarded::Held(()) => cx.house.gateway.hint(),
        Guarded::Lost => return Err(Problem::new(Code::Conflict, "only a run that is parked can be tried again")),
    }
    Ok(line(&cx, id).await?.into())
}

/// Whether a call may run.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RunDecision {
    allow: bool,
    /// Whether this holds for the tool from now on.
    #[serde(default)]
    always: bool,
}

async fn decide(cx: Cx, input: Input<RunPath, (), RunDecision>) -> Done<ShownRun> {
    let (id, reads) = acted_on(&cx, &input.path.run).await?;
    if input.body.always && !cx.who.is_owner() {
        return Err(Problem::new(Code::NotAllowed, "what holds for a tool from now on is an owner's to say"));
    }
    let decision = match (input.body.allow, input.body.always) {
        (true, true) => Decision::Always,
        (true, false) => Decision::Once,
        (false, true) => Decision::Never,
        (false, false) => Decision::Refuse,
    };
    if input.body.allow && !reads {
        let detail = "this run had to do with spaces you do not belong to: nobody allows what they cannot read";
        return Err(Problem::new(Code::NotAllowed, detail));
    }
    cx.house.gateway.decide(&id, decision, cx.who.entity()).await?;
    Ok(line(&cx, id).await?.into())
}
