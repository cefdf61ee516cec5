//! The scene of seed 001, and the one helper that touches the API.

use std::borrow::Cow;
use weftwork::ask::{HistoryPlacement, Layout};
use weftwork::model::*;
use weftwork::prompt::{Block, Section};
use weftwork::timeline::*;

/// What a view borrows from.
pub(crate) struct Scene {
    pub(crate) entities: Vec<Entity>,
    pub(crate) space: Space,
    pub(crate) now: Timestamp,
    pub(crate) trigger: Option<Trigger>,
    pub(crate) entries: Option<Vec<Entry<'static>>>,
    pub(crate) spaces: Vec<SpaceRef>,
    pub(crate) goals: Vec<Goal>,
    pub(crate) memories: Vec<Memory>,
    pub(crate) plans: Vec<Plan>,
    pub(crate) runs: Vec<Run>,
    pub(crate) prompt: Vec<&'static str>,
    pub(crate) layout: Layout,
    pub(crate) placement: HistoryPlacement,
    pub(crate) advice: Advice,
}

impl Scene {
    /// An agent that nothing is known of: no trigger, no space, no belongings.
    pub(crate) fn empty() -> Self {
        Scene {
            entities: [
                ("entity-abc-123", "DataAnalyst", EntityKind::Agent),
                ("ent-husam-01", "Husam", EntityKind::Human),
                ("ent-designer-02", "Designer", EntityKind::Agent),
                ("ent-ahmad-03", "Ahmad", EntityKind::Human),
                ("ent-sarah-04", "Sarah", EntityKind::Human),
            ]
            .map(|(id, name, kind)| entity(id, name, kind))
            .into(),
            space: Space::new("space-xyz", "Project Alpha"),
            now: time("2026-02-18T15:07:00Z"),
            trigger: None,
            entries: None,
            spaces: vec![],
            goals: vec![],
            memories: vec![],
            plans: vec![],
            runs: vec![],
            prompt: vec![],
            layout: Layout::Seed,
            placement: HistoryPlacement::System,
            advice: Advice::Seed,
        }
    }

    /// The whole of the seed's example.
    pub(crate) fn seed() -> Self {
        Scene {
            trigger: Some(message_trigger()),
            entries: Some(history()),
            spaces: spaces(),
            goals: goals(),
            memories: memories(),
            plans: plans(),
            runs: runs(),
            ..Scene::empty()
        }
    }

    pub(crate) fn try_blocks(&self) -> Result<Vec<Block<'_>>, ViewError> {
        let view = View {
            viewer: &self.entities[0],
            now: &self.now,
            prompt: self.prompt.clone(),
            trigger: self.trigger.as_ref(),
            here: self.entries.clone().map(|entries| Here { space: &self.space, entries }),
            spaces: &self.spaces,
            goals: &self.goals,
            memories: &self.memories,
            plans: &self.plans,
            runs: &self.runs,
            layout: self.layout,
            placement: self.placement,
            advice: self.advice,
        };
        blocks(&view, &|id| self.entities.iter().find(|entity| entity.id == *id))
    }

    pub(crate) fn blocks(&self) -> Vec<Block<'_>> {
        self.try_blocks().expect("everything is known")
    }

    /// The whole system text.
    pub(crate) fn text(&self) -> String {
        self.blocks().iter().map(|block| &*block.text).collect()
    }

    /// One section, without the separator before it.
    pub(crate) fn section(&self, section: Section) -> String {
        let blocks = self.blocks();
        let text: String = blocks.iter().filter(|block| block.section == section).map(|block| &*block.text).collect();
        text.trim_start_matches('\n').to_owned()
    }
}

pub(crate) fn time(text: &str) -> Timestamp {
    text.parse().expect("a time")
}

pub(crate) fn entity(id: &str, name: &str, kind: EntityKind) -> Entity {
    Entity::new(id, name, kind)
}

pub(crate) fn other(name: &'static str, kind: EntityKind, id: &str) -> Speaker<'static> {
    Speaker::Other { name: name.into(), kind, id: id.into() }
}

pub(crate) fn husam() -> Speaker<'static> {
    other("Husam", EntityKind::Human, "ent-husam-01")
}

pub(crate) fn designer() -> Speaker<'static> {
    other("Designer", EntityKind::Agent, "ent-designer-02")
}

pub(crate) fn ahmad() -> Speaker<'static> {
    other("Ahmad", EntityKind::Human, "ent-ahmad-03")
}

/// A post on the day of the seed, at `clock`.
pub(crate) fn post(id: &str, clock: &str, speaker: Speaker<'static>, body: Body<'static>, seen: Seen) -> Post<'static> {
    let time = Some(Cow::Owned(time(&format!("2026-02-18T{clock}Z"))));
    Post { id: id.into(), time, speaker, body, seen: Some(seen), mark: None }
}

pub(crate) fn said(text: &'static str) -> Body<'static> {
    Body::Said(text.into())
}

pub(crate) fn marked(post: Post<'static>, mark: Mark) -> Entry<'static> {
    Entry::Post(Post { mark: Some(mark), ..post })
}

pub(crate) fn history() -> Vec<Entry<'static>> {
    vec![
        Entry::Post(post("a1b2", "14:50:00", husam(), said("Let's finalize the Q4 report"), Seen::Seen)),
        Entry::Post(post("c3d4", "14:51:23", designer(), said("I've updated the charts. See attached."), Seen::Seen)),
        Entry::Post(post("e5f6", "14:55:10", ahmad(), said("Looks good. Can you add the revenue breakdown?"), Seen::New)),
        marked(post("g7h8", "15:06:55", husam(), said("Pull the Q4 revenue numbers"), Seen::New), Mark::Trigger),
    ]
}

pub(crate) fn message_trigger() -> Trigger {
    Trigger::SpaceMessage(SpaceMessageTrigger {
        space: "space-xyz".into(),
        sender: "ent-husam-01".into(),
        message: "Pull the Q4 revenue numbers".into(),
        message_id: "msg-g7h8".into(),
        timestamp: Some(time("2026-02-18T15:06:55Z")),
        sender_expects_reply: true,
        chain_depth: 0,
        also_triggering: Vec::new(),
        waited_on: None,
        resumed_by: None,
        no_reply: Default::default(),
    })
}

pub(crate) fn plan_trigger() -> Trigger {
    Trigger::Plan(PlanTrigger {
        plan: "plan-abc".into(),
        name: "Daily Report".into(),
        instruction: "Generate and post the daily metrics summary".into(),
        scheduled_at: Some(time("2026-02-18T09:00:00Z")),
        waited_on: None,
        resumed_by: None,
        no_reply: Default::default(),
    })
}

pub(crate) fn service_trigger(payload: &str) -> Trigger {
    Trigger::Service(ServiceTrigger {
        service: "jira-webhook".into(),
        payload: Json::parse(payload).expect("JSON"),
        waited_on: None,
        resumed_by: None,
        no_reply: Default::default(),
    })
}

fn spaces() -> Vec<SpaceRef> {
    [
        ("space-xyz", "Project Alpha", &["ent-husam-01", "ent-ahmad-03", "ent-designer-02", "entity-abc-123"][..]),
        ("space-abc", "Daily Reports", &["entity-abc-123", "ent-sarah-04"]),
        ("space-def", "1:1 with Husam", &["ent-husam-01", "entity-abc-123"]),
    ]
    .map(|(id, name, members)| SpaceRef {
        id: id.into(),
        name: name.into(),
        members: members.iter().map(|&id| id.into()).collect(),
    })
    .into()
}

fn goals() -> Vec<Goal> {
    [("Complete Q4 revenue analysis", 2, false), ("Maintain daily report pipeline", 1, true)]
        .map(|(text, priority, long_term)| Goal { text: text.into(), priority: Some(priority), long_term })
        .into()
}

fn memories() -> Vec<Memory> {
    [("Q4", "Revenue source breakdown uses the new categorization from October"), ("reports", "Sarah prefers charts over tables")]
        .map(|(topic, text)| Memory { topic: topic.into(), text: text.into() })
        .into()
}

pub(crate) fn one_time(name: &str, at: &str, run_after: Option<&str>) -> Plan {
    Plan {
        id: "plan-2".into(),
        name: name.into(),
        kind: PlanKind::OneTime,
        cron: None,
        next: None,
        scheduled_at: Some(time(at)),
        run_after: run_after.map(Into::into),
    }
}

fn plans() -> Vec<Plan> {
    vec![
        Plan {
            id: "plan-1".into(),
            name: "Daily Report".into(),
            kind: PlanKind::Recurring,
            cron: Some("0 9 * * *".into()),
            next: Some(time("2026-02-19T09:00:00Z")),
            scheduled_at: None,
            run_after: None,
        },
        one_time("Follow up with Designer", "2026-02-18T17:07:00Z", Some("2 hours")),
    ]
}

pub(crate) fn run(id: &str, status: RunStatus) -> Run {
    Run { id: id.into(), status, current: false, triggered_by: None, space: None, waiting_for: None }
}

fn runs() -> Vec<Run> {
    vec![
        Run {
            current: true,
            triggered_by: Some("Husam".into()),
            space: Some("Project Alpha".into()),
            ..run("abc-123", RunStatus::Running)
        },
        Run { space: Some("Daily Reports".into()), waiting_for: Some("Sarah".into()), ..run("def-456", RunStatus::WaitingReply) },
    ]
}
