//! The demo: every feature is really there, and a second time changes nothing.

use crate::World;
use crate::support::Fresh;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use weftwork::model::{Conversation, EntityId, Kind, Mode, Node, RunStatus, Space, SpaceId};
use weftwork::report::Reason;
use weftwork_gateway::{Chat, Demo, DemoError, How, Made, Open, Seal};
use weftwork_store::Store;
use weftwork_store::runs::{Run, RunQuery, RunState, TriggerKind, WaitState};

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis() as i64
}

fn world(fresh: Fresh) -> World {
    let mut world = World::new(fresh, Arc::new(now));
    let seal = Seal::parse(&"5e".repeat(32)).expect("a seal");
    world.gateway = world.gateway.clone().with_seal(Arc::new(seal));
    world
}

fn make(world: &World) -> Demo {
    world.runtime.block_on(world.gateway.make_demo()).expect("a demo")
}

fn nodes(store: &Store, space: &SpaceId) -> Vec<Node> {
    store.export(space).expect("a space").nodes
}

fn runs(store: &Store) -> Vec<Run> {
    store.runs(&RunQuery::default()).expect("runs")
}

/// Everything in the store that a demo makes.
fn all(world: &World, demo: &Demo) -> String {
    let spaces = [&demo.team, &demo.reports, &demo.chat, &demo.loom].map(|space| world.store().export(space).expect("a space"));
    format!("{spaces:?} {:?}", runs(world.store()))
}

#[test]
fn every_feature_is_really_there_and_twice_is_once() {
    for fresh in [Fresh::bare_sqlite(), Fresh::bare_postgres()] {
        let world = world(fresh);
        let begun = Instant::now();
        let demo = make(&world);
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
        assert_eq!(demo.made, Made::Now);
        the_team(&world, &demo);
        the_chat(&world, &demo);
        the_loom(world.store(), &demo);
        assert_eq!(world.store().check_invariants(now()).expect("a check"), []);
        let before = all(&world, &demo);
        assert_eq!(make(&world), Demo { made: Made::Before, ..demo.clone() });
        assert_eq!(all(&world, &demo), before);
    }
}

fn the_team(world: &World, demo: &Demo) {
    let store = world.store();
    let runs = runs(store);
    let author = |id| nodes(store, &demo.team).into_iter().find(|node: &Node| node.id == id).map(|node| node.author.to_string());
    let resumed_by = |run: &Run| {
        let ended = store.waits(&run.id).expect("waits").into_iter().find_map(|wait| match wait.state {
            WaitState::Resolved(by) => by,
            WaitState::Open | WaitState::Expired | WaitState::Canceled(_) => None,
        });
        ended.and_then(author)
    };
    let waited = runs.iter().filter(|run| run.state == RunState::Completed).filter_map(resumed_by).collect::<Vec<_>>();
    assert_eq!(waited, ["demo-editor", "demo-jonas"], "an agent and a person ended a wait each");
    let open = runs.iter().filter(|run| run.state.status() == RunStatus::WaitingReply).count();
    assert!(open == 1 && runs.iter().all(|run| run.state == RunState::Completed || run.state == RunState::WaitingReply));
    let woken_by = |kind| {
        let by = |run: &&Run| store.triggers(&run.id).expect("triggers").iter().any(|woken| woken.kind == kind);
        runs.iter().filter(by).count()
    };
    assert_eq!(woken_by(TriggerKind::Plan), 1, "a plan fired");
    assert_eq!(woken_by(TriggerKind::Delivery), 1, "a service delivered something");
    let plans = store.plans(&EntityId::from("demo-keeper")).expect("plans");
    assert_eq!(plans.iter().filter(|plan| plan.next_fire.is_some_and(|next| next > now())).count(), 1);
    let editor = EntityId::from("demo-editor");
    assert!(!store.goals(&editor).expect("goals").is_empty() && !store.memories(&editor).expect("memories").is_empty());
    let told = nodes(store, &demo.reports);
    let origin = told[0].origin.as_ref().expect("an origin");
    assert_eq!((told.len(), origin.space.as_ref(), origin.sender_name.as_str()), (1, Some(&demo.team), "Mira"));
    assert!(store.unread(&demo.team, &demo.person).expect("a number") > 0);
}

fn the_chat(world: &World, demo: &Demo) {
    let said = nodes(world.store(), &demo.chat);
    assert!(said.iter().any(|node| node.edited_from.is_some()), "an edit");
    let siblings = |node: &&Node| said.iter().filter(|other| other.parent == node.parent).count() > 1;
    assert!(said.iter().filter(siblings).count() >= 4, "two forks");
    let look = async {
        let chat = Chat::open(&world.gateway, Open { space: Some(demo.chat.clone()), ..Open::default() }).await?;
        chat.preview(None, &How::default()).await
    };
    let (_, assembly) = world.runtime.block_on(look).expect("a preview");
    let summary = said.iter().find(|node| node.kind == Kind::Summary).expect("a summary");
    let holds = assembly.report.items.iter().any(|item| item.from == summary.id && item.reason == Reason::Summary);
    let before = assembly.report.items.iter().filter(|item| item.reason == Reason::BeforeCheckpoint).count();
    assert!(holds && before >= 4, "{:?}", assembly.report.items);
}

fn the_loom(store: &Store, demo: &Demo) {
    let file = store.export(&demo.loom).expect("a space");
    assert_eq!(file.space.mode, Mode::Buffer);
    let marked = file.nodes.iter().find(|node| node.bookmarked).expect("a bookmark");
    assert_eq!(file.nodes.iter().filter(|node| node.parent.as_ref() == Some(&marked.id)).count(), 3, "three ways on");
}

#[test]
fn a_demo_that_was_interrupted_says_so() {
    let world = world(Fresh::bare_sqlite());
    let header = Conversation::new(Space::new("demo-team", "Night market"));
    world.store().create_space(&header, now()).expect("a space");
    let half = world.runtime.block_on(world.gateway.make_demo());
    assert!(matches!(half, Err(DemoError::Half { missing }) if missing.as_str() == "demo-reports"));
}
