//! What a model would see: the request that would be sent now, and why it is that. Nothing is sent, nothing is kept.

use super::messages::{AnswerBy, is_chat};
use super::spaces::SpacePath;
use crate::serve::mind::{may_see_call, may_see_next, may_see_prompt};
use crate::serve::web::{About, Api, Cx, Done, Input, Problem, Verb};
use crate::serve::who::Need;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use weftwork::ask::{Form, Settings};
use weftwork::dialect::Dialect;
use weftwork::model::{Entity, EntityId, EntityKind, NodeId, Sampling, SpaceId, Usage};
use weftwork::report::Report;
use weftwork::{Assembly, History};
use weftwork_gateway::{Chat, ChatPreview, Figures, How, Imagined, RunPreview, Wire};
use weftwork_store::runs::RunId;

const GROUP: &str = "Assembly";

pub(super) fn routes(api: Api) -> Api {
    let about = |name, says| About::new(GROUP, name, Need::Read, says);
    api.on(
        Verb::Post,
        "/api/spaces/{space}/assemble",
        about("assemble", "The request that would be sent now, with a report on every node. Nothing is sent or kept."),
        assemble,
    )
    .on(
        Verb::Get,
        "/api/spaces/{space}/figures",
        about("figures", "Two windows of a chat, and what was spent: what the last reply used, what the next request takes."),
        figures,
    )
}

/// What is asked; what is not given is the space's, then the agent's.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
struct ToAssemble {
    /// The agent that would reply; the only one, if there is one.
    agent: Option<EntityId>,
    /// A reply in a chat, or a run; as a message posted now would lead to.
    answer: AnswerBy,
    /// Where the path ends; your head if not given. Of a reply only.
    head: Option<NodeId>,
    /// What you would say. Of a reply only.
    #[schemars(length(max = 65536))]
    input: Option<String>,
    /// The model, as provider/model.
    model: Option<String>,
    /// Sampling settings.
    sampling: Option<Sampling>,
    /// Tokens the reply may have.
    max_tokens: Option<u64>,
    /// How the request is assembled. A run is a timeline, whatever else is tried.
    settings: Option<Settings>,
    /// The wire format, if not that of the model.
    dialect: Option<Dialect>,
    /// A call of this space: the report then tells what a cache keeps of it.
    previous: Option<String>,
}

/// A request that was not sent.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Assembled {
    /// The request, byte for byte.
    request: String,
    /// Its wire format.
    dialect: Dialect,
    /// The model that it is for, as provider/model.
    model: String,
    /// The run that is due, where the agent would run; none if it was imagined.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    run: Option<RunId>,
    /// What became of each node, where the window went, what was mended, what a cache keeps.
    report: Report,
}

/// A request that was not sent, and what it is woven from.
pub(in crate::serve) struct Woven {
    pub(in crate::serve) history: History,
    pub(in crate::serve) assembly: Assembly,
    pub(in crate::serve) model: String,
    run: Option<RunId>,
}

impl From<ChatPreview> for Woven {
    fn from(preview: ChatPreview) -> Woven {
        let ChatPreview { history, assembly, model } = preview;
        Woven { history, assembly, model, run: None }
    }
}

impl From<RunPreview> for Woven {
    fn from(preview: RunPreview) -> Woven {
        let RunPreview { history, assembly, model, run, .. } = preview;
        Woven { history, assembly, model, run }
    }
}

async fn assemble(cx: Cx, input: Input<SpacePath, (), ToAssemble>) -> Done<Assembled> {
    let Woven { assembly, model, run, .. } = weave(&cx, &input.path.space, input.body).await?;
    let Assembly { request, report, .. } = assembly;
    let request = String::from_utf8(request).map_err(|error| Problem::internal(&error))?;
    Ok(Assembled { request, dialect: report.dialect, model, run, report }.into())
}

/// What would be sent in a space of the asker, if they said something there.
pub(in crate::serve) async fn weave_next(
    cx: &Cx,
    space: &SpaceId,
    agent: Option<EntityId>,
    input: Option<String>,
) -> Result<Woven, Problem> {
    weave(cx, space, ToAssemble { agent, input, ..ToAssemble::default() }).await
}

async fn weave(cx: &Cx, space: &SpaceId, mut asked: ToAssemble) -> Result<Woven, Problem> {
    cx.house.member(cx.who.entity(), space).await?;
    let place = space.clone();
    let members = cx.house.stored(move |store| store.members(&place)).await?;
    let wire = Wire { dialect: asked.dialect, previous: previous(cx, space, asked.previous.take()).await? };
    let ToAssemble { agent, answer, head, input, model, sampling, max_tokens, settings, .. } = asked;
    let how = How { model, sampling, max_tokens, settings: settings.unwrap_or_default(), ..How::default() };
    if answer.replies(is_chat(&members)) {
        let chat = Chat::of(&cx.house.gateway, space, cx.who.entity(), agent.as_ref()).await?;
        may_see_prompt(cx, chat.agent()).await?;
        return Ok(chat.imagine(Imagined { head, input, how, wire }).await?.into());
    }
    for (name, is_given) in [("head", head.is_some()), ("input", input.is_some())] {
        if is_given {
            return Err(Problem::bad(name, "a run begins where it was woken: only of a reply can this be said (answer: reply)"));
        }
    }
    if how.settings.form.is_some_and(|form| form != Form::Timeline) {
        return Err(Problem::bad("settings.form", "a run is a timeline: only a reply has another form (answer: reply)"));
    }
    let agent = meant(members, agent)?;
    may_see_next(cx, &agent).await?;
    Ok(cx.house.gateway.imagine_run(space, &agent, &how, wire).await?.into())
}

/// The agent that is meant: the named one, or the only one.
fn meant(members: Vec<Entity>, named: Option<EntityId>) -> Result<EntityId, Problem> {
    let mut agents = members.into_iter().filter(|member| member.kind == EntityKind::Agent).map(|agent| agent.id);
    if let Some(named) = named {
        return agents.find(|agent| *agent == named).ok_or_else(Problem::not_found);
    }
    let agents: Vec<EntityId> = agents.collect();
    match agents.as_slice() {
        [agent] => Ok(agent.clone()),
        [] => Err(Problem::bad("agent", "no agent belongs to this space: nothing is ever sent")),
        several => {
            let ids = several.iter().map(EntityId::as_str).collect::<Vec<_>>().join(", ");
            Err(Problem::bad("agent", format!("several agents belong to this space: say which one, {ids}")))
        }
    }
}

/// The request of an earlier call.
async fn previous(cx: &Cx, space: &SpaceId, call: Option<String>) -> Result<Option<Vec<u8>>, Problem> {
    let Some(id) = call else { return Ok(None) };
    let place = space.clone();
    let (record, exchange) = cx.house.stored(move |store| Ok((store.call(&place, &id)?, store.exchange(&place, &id)?))).await?;
    may_see_call(cx, &record).await?;
    let request = exchange.request.ok_or_else(|| Problem::bad("previous", "the request of this call is not kept any more"))?;
    Ok(Some(request))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FiguresQuery {
    /// Where the path ends; your head if not given.
    head: Option<NodeId>,
    /// The agent that would reply; the only one, if there is one.
    agent: Option<EntityId>,
}

/// Numbers of a chat.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShownFigures {
    /// Tokens in the context window, as the last reply reported them.
    window: u64,
    /// Tokens of the next request before anything new is said; none if it would not fit.
    next: Option<u64>,
    /// Tokens the model can take, the reply among them; 0 while nobody knows.
    context_length: u64,
    /// Everything the space has used, left branches and failures among it.
    cumulative: Usage,
    /// What that cost in US dollars, where prices are known.
    cost_usd: f64,
    /// Tokens of calls whose price is not known.
    unpriced: Usage,
}

async fn figures(cx: Cx, input: Input<SpacePath, FiguresQuery>) -> Done<ShownFigures> {
    let FiguresQuery { head, agent } = input.query;
    let chat = Chat::of(&cx.house.gateway, &input.path.space, cx.who.entity(), agent.as_ref()).await?;
    let head = match head {
        Some(head) => Some(head),
        None => chat.head().await?,
    };
    let Figures { window, next, context_length, cumulative, cost, unpriced } = chat.figures_at(head).await?;
    Ok(ShownFigures { window, next, context_length, cumulative, cost_usd: cost.usd(), unpriced }.into())
}
