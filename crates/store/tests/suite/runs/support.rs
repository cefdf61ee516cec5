//! Teams, and the few acts that every test is made of.

use crate::support::{NOW, ent, entity, said};
use weftwork::model::{Conversation, EntityKind, NodeId, Space, SpaceId};
use weftwork_store::runs::StepKind;
use weftwork_store::runs::{
    Accept, Caps, Done, Guard, Guarded, How, Intent, NewPlan, Post, Posted, Run, RunId, Send, Sent, WaitFor, Wake, Woken,
};
use weftwork_store::{Draft, Store};

/// A space with one person and these agents.
pub(crate) fn crew(store: &Store, name: &str, agents: &[&str]) -> SpaceId {
    let mut header = Conversation::new(Space::new(name, name));
    header.entities = vec![entity("husam", EntityKind::Human)];
    header.entities.extend(agents.iter().map(|agent| entity(agent, EntityKind::Agent)));
    store.create_space(&header, NOW).expect("a new space");
    header.space.id
}

/// A space with agents only.
pub(crate) fn closed(store: &Store, name: &str, agents: &[&str]) -> SpaceId {
    let space = crew(store, name, agents);
    store.depart(&space, &ent("husam"), NOW).expect("left");
    space
}

pub(crate) fn caps() -> Caps {
    Caps::default()
}

/// A message of a person.
pub(crate) fn note(space: &SpaceId, author: &str, text: &str) -> Post {
    Post { space: space.clone(), draft: Draft::new(said(author, text)), wake: Wake::All, expects_reply: false }
}

pub(crate) fn post(store: &Store, space: &SpaceId, text: &str, now: i64) -> Posted {
    store.post(&note(space, "husam", text), &caps(), now).expect("posted")
}

/// A message of a person that replies to another.
pub(crate) fn reply(store: &Store, space: &SpaceId, author: &str, to: &NodeId, now: i64) -> Posted {
    let mut reply = note(space, author, "a reply");
    reply.draft.node.reply_to = Some(to.clone());
    store.post(&reply, &caps(), now).expect("posted")
}

/// The run of an agent that a message woke.
pub(crate) fn run_of(posted: &Posted, agent: &str) -> RunId {
    let found = posted.woken.iter().find_map(|woken| match woken {
        Woken::Run { agent: who, run, .. } if *who == ent(agent) => Some(run.clone()),
        Woken::Run { .. } | Woken::Refused { .. } => None,
    });
    found.unwrap_or_else(|| panic!("{agent} was not woken: {:?}", posted.woken))
}

/// What a message did to each agent, in short.
pub(crate) fn hows(posted: &Posted) -> Vec<(String, Option<How>)> {
    let short = |woken: &Woken| match woken {
        Woken::Run { agent, how, .. } => (agent.to_string(), Some(*how)),
        Woken::Refused { agent, .. } => (agent.to_string(), None),
    };
    posted.woken.iter().map(short).collect()
}

/// Claims the run that is next.
pub(crate) fn claim(store: &Store, now: i64) -> Run {
    let mut claimed = store.claim("worker", 1, &caps(), now).expect("claimed");
    claimed.pop().expect("a run that is due")
}

/// Claims until this run is claimed.
pub(crate) fn claim_of(store: &Store, run: &RunId, now: i64) -> Guard {
    loop {
        let claimed = claim(store, now);
        if claimed.id == *run {
            return claimed.guard();
        }
    }
}

/// Wakes an agent with a message and claims its run.
pub(crate) fn woken(store: &Store, space: &SpaceId, agent: &str, now: i64) -> Guard {
    let posted = post(store, space, &format!("to {agent}"), now);
    claim_of(store, &run_of(&posted, agent), now)
}

pub(crate) fn message(space: &SpaceId, step: u32, text: &str) -> Send {
    Send { request: None, step, space: space.clone(), draft: Draft::new(said("", text)), wake: Wake::All, wait: None }
}

/// A message that waits for a reply.
pub(crate) fn question(space: &SpaceId, step: u32, accept: Accept) -> Send {
    Send { wait: Some(WaitFor { accept, deadline: None }), ..message(space, step, "a question") }
}

pub(crate) fn send(store: &Store, guard: &Guard, send: &Send, now: i64) -> Sent {
    held(store.agent_send(guard, send, &caps(), now).expect("asked"))
}

pub(crate) fn sent(store: &Store, guard: &Guard, what: &Send, now: i64) -> Posted {
    match send(store, guard, what, now) {
        Sent::Posted(posted) => *posted,
        Sent::Refused(why) => panic!("refused: {why:?}"),
    }
}

pub(crate) fn held<T>(guarded: Guarded<T>) -> T {
    guarded.held().expect("a claim that holds")
}

pub(crate) fn done(cost: i64) -> Done {
    Done { result: "{}".into(), cost, reads: Vec::new() }
}

/// A call of a tool that costs nothing.
pub(crate) fn tool(step: u32) -> Intent {
    Intent { step, kind: StepKind::Tool, request: None, most: Some(0) }
}

/// A plan that is due once.
pub(crate) fn once(id: &str, at: i64) -> NewPlan {
    NewPlan {
        id: id.into(),
        name: "report".into(),
        instruction: "write it".into(),
        schedule: "once".into(),
        next_fire: Some(at),
        chain: None,
    }
}

/// Claims whatever is due and completes it.
pub(crate) fn finish_all(store: &Store, now: i64) {
    for run in store.claim("worker", 9, &caps(), now).expect("claimed") {
        held(store.complete(&run.guard(), now).expect("completed"));
    }
}

/// Nothing is as it must not be.
pub(crate) fn sound(store: &Store, now: i64) {
    assert_eq!(store.check_invariants(now).expect("checked"), []);
}
