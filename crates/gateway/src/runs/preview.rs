//! What an agent would be sent if it ran now. Nothing is sent, and nothing is written.

use super::context::{Look, Mind, Start, look, sight, start};
use super::drive::Drive;
use super::kept::Sight;
use super::tools::words;
use crate::chat::{How, Wire};
use crate::error::GatewayError;
use crate::gateway::Gateway;
use weftwork::ask::{Ask, Round};
use weftwork::dialect::Dialect;
use weftwork::model::{
    Conversation, EntityId, EntityKind, NoReply, Node, RunStatus, SpaceId, SpaceMessageTrigger, Trigger as ShownTrigger,
};
use weftwork::{Assembly, History, assemble};
use weftwork_store::runs::{Glance, Page, Run, RunId, RunQuery, RunState};
use weftwork_store::{Store, StoreError};

/// Messages that are looked at for one that could wake the agent.
const LOOKED_AT: u32 = 200;

/// What an agent would be sent.
#[derive(Debug)]
pub struct RunPreview {
    /// What was read for it.
    pub history: History,
    /// The request and its report: each node that is sent on its own, and those that are left out where all were read.
    pub assembly: Assembly,
    /// The same in the neutral dialect, for people to read.
    pub neutral: Vec<u8>,
    /// The model, as `provider/model`.
    pub model: String,
    /// The run that is due; none if one was imagined, as if the newest message of somebody else had woken it.
    pub run: Option<RunId>,
}

impl Gateway {
    /// What an agent of a space would be sent if it ran now: the run that is due there, or else one that the newest message
    /// of somebody else would begin.
    pub async fn preview_run(&self, space: &SpaceId, agent: &EntityId) -> Result<RunPreview, GatewayError> {
        self.imagine_run(space, agent, &How::default(), Wire::default()).await
    }

    /// The same, made and written as somebody wants to see it. A run is a timeline, whatever else is tried.
    pub async fn imagine_run(
        &self,
        space: &SpaceId,
        agent: &EntityId,
        how: &How,
        wire: Wire,
    ) -> Result<RunPreview, GatewayError> {
        let (at, who, now) = (space.clone(), agent.clone(), self.now());
        let found = self.stored(move |store| match due(store, &at, &who, now)? {
            Some(due) => Ok(Some((due, true))),
            None => Ok(imagined(store, &at, &who, now)?.map(|imagined| (imagined, false))),
        });
        let nothing = GatewayError::NothingThere { what: "nobody else has said anything here yet: nothing would wake the agent" };
        let (Previewed { run, start, mut mind, view, rounds }, is_due) = found.await?.ok_or(nothing)?;
        let drive = Drive::new(self, run, start);
        mind.loom = drive.tree(&mind, &view).await.map_err(plain)?;
        let terms = drive.terms(&mind, &view, rounds, how).await.map_err(plain)?;
        let (trigger, model) = (drive.start.trigger.clone(), terms.target.model.name.clone());
        let (at, mut ask) = (space.clone(), terms.ask);
        (ask.dialect, ask.previous) = (wire.dialect.or(ask.dialect), wire.previous);
        let run = is_due.then(|| drive.run.id.clone());
        self.stored(move |store| {
            let place = view.space.as_ref().unwrap_or(&at);
            let lay = |file: &mut Conversation| mind.lay(file, &trigger);
            let neutral = Ask { dialect: Some(Dialect::Messages), previous: None, ..ask.clone() };
            let both = |history: &History| Ok((assemble(history, &ask)?, assemble(history, &neutral)?.request));
            let (history, (mut assembly, neutral)) = store.look(place, &ask, &lay, both)?;
            assembly.report.items = assembly.each_node(&history);
            Ok(RunPreview { history, assembly, neutral, model, run })
        })
        .await
    }
}

/// What went wrong, where no claim can be lost.
fn plain(error: super::DriveError) -> GatewayError {
    match error {
        super::DriveError::Gateway(error) => error,
        _ => GatewayError::Stopped,
    }
}

/// A run, and what it would be told now: all of one moment.
struct Previewed {
    run: Run,
    start: Start,
    mind: Mind,
    view: Sight,
    rounds: Vec<Round>,
}

impl Previewed {
    fn of(glance: &mut Glance<'_, '_>, run: Run, start: Start, now: i64) -> Result<Previewed, StoreError> {
        let Look { course, told } = look(glance, &run, &start, now)?;
        let (mind, view) = match told {
            Some(told) => told,
            // It has calls to do first.
            None => {
                let view = course.view.map_or_else(|| sight(glance, &start, now), Ok)?;
                (Mind::of(glance, &run, start.space.as_ref())?, view)
            }
        };
        Ok(Previewed { run, start, mind, view, rounds: course.rounds })
    }
}

/// The run of the agent that is due in the space.
fn due(store: &Store, space: &SpaceId, agent: &EntityId, now: i64) -> Result<Option<Previewed>, StoreError> {
    let (agent, space) = (Some(agent.clone()), Some(space.clone()));
    let query = RunQuery { agent, space, statuses: vec![RunStatus::Queued], ..RunQuery::default() };
    let Some(run) = store.runs(&query)?.pop() else { return Ok(None) };
    store.glance(|glance| match start(glance, &run)? {
        Ok(start) => Previewed::of(glance, run, start, now).map(Some),
        Err(_) => Ok(None),
    })
}

/// A run that the newest message of somebody else would begin.
fn imagined(store: &Store, space: &SpaceId, agent: &EntityId, now: i64) -> Result<Option<Previewed>, StoreError> {
    let no_member = || StoreError::NoMember { space: space.clone(), entity: agent.clone() };
    let page = store.page(space, agent, None, LOOKED_AT)?.ok_or_else(no_member)?;
    let Some((_, node)) = page.messages.iter().rev().find(|(_, node)| node.author != *agent) else { return Ok(None) };
    let sender = page.space.entities.iter().find(|entity| entity.id == node.author);
    let run = Run {
        id: RunId::from("preview"),
        agent: agent.clone(),
        space: Some(space.clone()),
        root: String::new(),
        depth: u32::from(sender.is_some_and(|sender| sender.kind == EntityKind::Agent)),
        state: RunState::Running,
        epoch: 0,
        owner: None,
        lease: None,
        claims: 0,
        progress: 0,
        waits: 0,
        available_at: now,
        cancel: false,
        error: None,
        created_at: now,
        ended_at: None,
        changed_at: now,
    };
    let name = sender.map_or_else(|| node.author.to_string(), |sender| sender.name.clone());
    let start = woken_by(&page, node, &run);
    let previewed = store.glance(|glance| Previewed::of(glance, run, start, now))?;
    Ok(Some(Previewed { mind: previewed.mind.running(&previewed.run, name), ..previewed }))
}

fn woken_by(page: &Page, node: &Node, run: &Run) -> Start {
    let trigger = ShownTrigger::SpaceMessage(SpaceMessageTrigger {
        space: page.space.space.id.clone(),
        sender: node.author.clone(),
        message: words(node),
        message_id: node.id.clone(),
        timestamp: node.created_at.clone(),
        sender_expects_reply: false,
        chain_depth: run.depth,
        also_triggering: Vec::new(),
        waited_on: None,
        resumed_by: None,
        no_reply: NoReply::default(),
    });
    let home = Some(page.space.space.clone());
    Start { trigger, space: run.space.clone(), home, branch: Some(node.id.clone()), since: 0 }
}
