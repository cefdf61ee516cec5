//! Who may look into an agent's mind: what it is sent and answers in its runs.
//!
//! The rule, here and nowhere else. A request of a run tells of every space the agent belongs to, of its goals and its
//! memories, whichever space it is made in. So what it would be sent now is shown to owners, and to whoever belongs to
//! every space that it does. What it was sent before is shown to owners alone: it may have left a space since, and nobody
//! could tell from the bytes. A reply in a chat is woven from that chat alone; it holds what the agent is told, and so is for
//! whoever manages the agent.

use super::web::{Code, Cx, Problem};
use std::collections::HashSet;
use weftwork::model::{Call, Conversation, EntityId, EntityKind};
use weftwork_store::{CallRecord, Store, StoreError};

const CLOSED: &str = "a run tells of all the agent's spaces: owners see this, and of what is next whoever is in all of them";

/// Nothing, if the asker may see what the agent would be sent now.
pub(super) async fn may_see_next(cx: &Cx, agent: &EntityId) -> Result<(), Problem> {
    if cx.who.is_owner() {
        return Ok(());
    }
    let (who, whose) = (cx.who.entity().clone(), agent.clone());
    match cx.house.stored(move |store| shares_all(store, &who, &whose)).await? {
        true => Ok(()),
        false => Err(Problem::new(Code::NotAllowed, CLOSED)),
    }
}

/// Nothing, if the asker may see what an agent is told: whoever manages it may.
pub(super) async fn may_see_prompt(cx: &Cx, agent: &EntityId) -> Result<(), Problem> {
    match cx.house.managed(&cx.who, agent).await {
        Ok(_) => Ok(()),
        Err(_) => Err(Problem::new(Code::NotAllowed, "what an agent is told is shown to whoever manages it")),
    }
}

/// Nothing, if the asker may see what went over the wire in a call of a space of theirs.
pub(super) async fn may_see_call(cx: &Cx, call: &CallRecord) -> Result<(), Problem> {
    match (&call.run, &call.agent) {
        _ if cx.who.is_owner() => Ok(()),
        (Some(_), _) => Err(Problem::new(Code::NotAllowed, CLOSED)),
        (None, Some(agent)) => may_see_prompt(cx, agent).await,
        (None, None) => Ok(()),
    }
}

/// Takes out of a file what the asker may not see of it.
pub(super) async fn close(cx: &Cx, file: &mut Conversation) {
    if cx.who.is_owner() {
        return;
    }
    let mut closed = HashSet::new();
    for agent in file.entities.iter_mut().filter(|entity| entity.kind == EntityKind::Agent) {
        if cx.house.managed(&cx.who, &agent.id).await.is_err() {
            (agent.system_prompt, agent.sampling) = (None, None);
            closed.insert(agent.id.clone());
        }
    }
    let hidden = |call: &&mut Call| call.run.is_some() || call.agent.as_ref().is_some_and(|agent| closed.contains(agent));
    for call in file.calls.iter_mut().filter(hidden) {
        (call.ask, call.request, call.response) = (None, None, None);
    }
}

fn shares_all(store: &Store, who: &EntityId, agent: &EntityId) -> Result<bool, StoreError> {
    let mine: HashSet<_> = store.belonging(who)?.spaces.into_iter().map(|space| space.id).collect();
    Ok(store.belonging(agent)?.spaces.iter().all(|space| mine.contains(&space.id)))
}
