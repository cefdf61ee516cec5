//! Seed 001 with live data: each block and rule as a run really sees it. The blocks' forms themselves are proved in the
//! engine's `tests/timeline`.

use crate::scene::World;
use crate::support::ent;
use crate::worlds;
use std::path::Path;
use weftwork::ask::Preset;
use weftwork::model::{Goal, Memory, Purpose, SpaceId};
use weftwork_gateway::Message;
use weftwork_store::CallsOf;
use weftwork_store::runs::{Delivery, RunState, Scope};

/// Ids that are made by chance or hash, replaced by what they stand for, in the order in which they come.
fn named(world: &World, spaces: &[&SpaceId], text: &str) -> String {
    let mut text = text.to_owned();
    let mut at = 0;
    for space in spaces {
        for (_, node) in world.store().after(space, weftwork_store::Seq(0), 1_000).unwrap() {
            at += 1;
            text = text.replace(node.id.as_str(), &format!("n{at}"));
        }
    }
    for (at, run) in world.runs("analyst-1").iter().enumerate() {
        text = text.replace(run.id.as_str(), &format!("run-{}", at + 1));
    }
    for (at, plan) in world.store().plans(&ent("analyst-1")).unwrap().iter().enumerate() {
        text = text.replace(&plan.id, &format!("plan-{}", at + 1));
    }
    text
}

/// Compares a text with its golden file; WEFT_BLESS=1 writes it anew.
fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runs/golden").join(name);
    if std::env::var_os("WEFT_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "{name} differs: if that is right, WEFT_BLESS=1");
}

/// The seed's cast: an analyst in three spaces, with goals, memories and plans.
fn cast(world: &World, preset: Option<Preset>) -> [SpaceId; 3] {
    let spaces = [
        ("space-xyz", "Project Alpha", &["husam", "ahmad", "Designer", "Analyst"][..]),
        ("space-abc", "Daily Reports", &["Analyst", "sarah"]),
        ("space-def", "1:1 with Husam", &["husam", "Analyst"]),
    ];
    let people =
        [("husam", "Husam"), ("ahmad", "Ahmad"), ("sarah", "Sarah"), ("Designer", "Designer"), ("Analyst", "DataAnalyst")];
    let made = spaces.map(|(id, name, members)| {
        let members: Vec<&str> = members.iter().map(|who| if *who == "Analyst" { "analyst-1" } else { who }).collect();
        world.space_with(id, &members, |space| {
            (space.name, space.settings.preset) = (name.to_owned(), preset);
            space.wake = weftwork::model::Wake::Mentioned;
        })
    });
    let store = world.store();
    for (id, name) in people {
        let id = if id == "Analyst" { "analyst-1" } else { id };
        let mut entity = store.entity(&ent(id)).unwrap();
        entity.name = name.to_owned();
        if id == "analyst-1" {
            entity.kind = weftwork::model::EntityKind::Agent;
        }
        store.put_entity(&entity).unwrap();
    }
    let goal = |text: &str, priority, long_term| Goal { text: text.to_owned(), priority: Some(priority), long_term };
    store
        .set_goals(
            &ent("analyst-1"),
            &[goal("Complete Q4 revenue analysis", 2, false), goal("Maintain daily report pipeline", 1, true)],
        )
        .unwrap();
    let memory = |topic: &str, text: &str| Memory { topic: topic.to_owned(), text: text.to_owned() };
    store
        .set_memories(
            &ent("analyst-1"),
            &[
                memory("Q4", "Revenue source breakdown uses the new categorization from October"),
                memory("reports", "Sarah prefers charts over tables"),
            ],
        )
        .unwrap();
    made
}

/// A conversation in which the analyst plans, waits for Designer, is answered by a person meanwhile, and goes on.
fn resumed(world: &World, preset: Option<Preset>) -> String {
    let [alpha, daily, direct] = cast(world, preset);
    world.post(&daily, "sarah", "@DataAnalyst\n!wait Shall I use charts?");
    world.settle();
    world.post(&alpha, "husam", "Let's finalize the Q4 report");
    world.post(&alpha, "ahmad", "Looks good. Can you add the revenue breakdown?");
    world.post(&alpha, "husam", concat!(
        "@DataAnalyst Pull the Q4 revenue numbers\n",
        "!call set_plans {\"add\": [{\"name\": \"Daily Report\", \"instruction\": \"Post the metrics\", \"cron\": \"0 9 * * *\"}, ",
        "{\"name\": \"Follow up with Designer\", \"instruction\": \"Ask again\", \"runAfter\": \"2 hours\"}]}\n",
        "!say Now I ask.\n",
        "!call send_message {\"text\": \"Designer, please review the mockup\", \"wait\": true, \"accept\": [\"Designer\"]}\n",
    ));
    let done = world.settle();
    assert!(!done.is_empty());
    world.pass(60_000);
    world.post(&alpha, "ahmad", "I am off for lunch.");
    world.pass(120_000);
    let asked = world.store().waits(&world.runs("analyst-1")[1].id).unwrap()[0].message.clone().unwrap();
    world.send(
        &alpha,
        "husam",
        Message { reply_to: Some(asked), ..Message::text("@Designer your turn\n!send looks good, ship it") },
    );
    world.settle();
    let run = world.runs("analyst-1")[1].clone();
    assert_eq!(run.state, RunState::Completed);
    let request = world.requests(&run.id).iter().rev().find(|request| request.contains("Continue this run.")).cloned().unwrap();
    let request: serde_json::Value = serde_json::from_str(&request).unwrap();
    assert_eq!(request["messages"].as_array().unwrap()[0]["content"], "Continue this run.", "a fresh invocation");
    named(world, &[&alpha, &daily, &direct], request["system"].as_str().unwrap()) + "\n"
}

worlds! {
    fn seed_001_the_timeline_of_a_resumed_run(world: World) {
        golden("resumed.txt", &resumed(&world, Some(Preset::Hsafa)));
        world.sound();
    }

    fn seed_001_the_same_in_an_order_that_caches_well(world: World) {
        golden("resumed-stable.txt", &resumed(&world, None));
    }

    fn seed_001_what_is_confidential_is_shown_elsewhere_by_its_id_alone(world: World) {
        let [alpha, daily, direct] = cast(&world, Some(Preset::Hsafa));
        let mut header = world.store().header(&daily).unwrap();
        header.space.confidential = true;
        world.store().put_header(&header).unwrap();
        world.post(&daily, "sarah", "@DataAnalyst\n!wait Shall I use charts?");
        world.settle();
        world.post(&alpha, "husam", "@DataAnalyst\n!say Fine.");
        world.settle();
        let [inside, outside] = [0, 1].map(|at| world.system(&world.runs("analyst-1")[at].id));
        assert!(inside.contains("\n  - \"Daily Reports\" (id: space-abc) [ACTIVE] — You, Sarah (human)\n"), "{inside}");
        golden("confidential.txt", &(named(&world, &[&alpha, &daily, &direct], &outside) + "\n"));
        world.sound();
    }

    fn seed_001_a_service_trigger_shows_its_payload_and_no_space(world: World) {
        let [_, daily, _] = cast(&world, Some(Preset::Hsafa));
        let payload = r#"{ "issue": "PROJ-123", "action": "status_changed", "newStatus": "done" }"#;
        let delivery = Delivery { source: "jira-webhook".into(), id: "d1".into(), hash: [0; 32], agent: ent("analyst-1"), payload: payload.into() };
        world.store().deliver(&delivery, &Default::default(), world.now()).unwrap();
        world.settle();
        let run = world.runs("analyst-1")[0].clone();
        golden("service.txt", &(named(&world, &[&daily], &world.system(&run.id)) + "\n"));
        assert_eq!(run.state, RunState::Completed);
        for call in world.store().calls(weftwork_store::CallsOf::Run(run.id.as_str())).unwrap() {
            assert_eq!(call.space, None);
            world.store().reassemble(None, &call.id).expect("the same bytes");
        }
    }

    fn seed_001_the_cursor_moves_when_a_run_completes_and_not_when_it_fails(world: World) {
        let [alpha, ..] = cast(&world, None);
        world.post(&alpha, "husam", "One");
        world.post(&alpha, "husam", "@DataAnalyst\n!fail 400");
        world.settle();
        assert!(matches!(world.states("analyst-1")[0], RunState::Parked(_)));
        assert_eq!(world.cursor(&alpha, "analyst-1"), 2);
        world.post(&alpha, "husam", "@DataAnalyst\n!say ok");
        world.settle();
        let system = world.system(&world.runs("analyst-1")[1].id);
        assert!(system.contains("NEW since msg:"), "{system}");
        assert_eq!(world.cursor(&alpha, "analyst-1"), 0);
        world.post(&alpha, "husam", "@DataAnalyst\n!say ok");
        world.settle();
        let system = world.system(&world.runs("analyst-1")[2].id);
        let new = system.lines().find(|line| line.contains("NEW since")).unwrap();
        let last = world.store().after(&alpha, weftwork_store::Seq(0), 100).unwrap().pop().unwrap().1;
        assert!(new.ends_with(last.id.as_str()), "{system}");
    }

    fn seed_001_what_arrives_during_a_run_is_new_to_the_next(world: World) {
        let [alpha, ..] = cast(&world, None);
        world.post(&alpha, "husam", "@DataAnalyst\n!wait Which?\n!say x");
        world.settle();
        world.post(&alpha, "ahmad", "Q4");
        world.settle();
        assert_eq!(world.cursor(&alpha, "analyst-1"), 0, "the reply was in its context");
    }

    fn seed_001_a_human_reads_with_a_receipt(world: World) {
        let [alpha, ..] = cast(&world, None);
        let first = world.post(&alpha, "husam", "One").message.node.id;
        world.post(&alpha, "husam", "Two");
        assert_eq!(world.cursor(&alpha, "ahmad"), 2);
        world.store().read_up_to(&alpha, &ent("ahmad"), &first).unwrap();
        assert_eq!(world.cursor(&alpha, "ahmad"), 1);
    }

    fn seed_001_a_long_timeline_is_summed_up_like_a_chat(world: World) {
        let world = world.configured("[providers.offline]\nkind = \"offline\"\n[providers.offline.models.offline]\nprices = { input = 1.0, output = 1.0 }");
        let space = world.space_with("team", &["husam", "analyst-1"], |space| {
            space.wake = weftwork::model::Wake::Mentioned;
            space.settings.auto_summary = Some(weftwork::ask::Share::thousandths(800));
        });
        let mut agent = world.store().entity(&ent("analyst-1")).unwrap();
        (agent.kind, agent.name) = (weftwork::model::EntityKind::Agent, "Analyst".to_owned());
        world.store().put_entity(&agent).unwrap();
        let said: Vec<_> = (0..120).map(|at| world.post(&space, "husam", &format!("line {at}")).message.node.id).collect();
        world.post(&space, "husam", "@Analyst\n!say ok");
        let run = world.runs("analyst-1")[0].clone();
        world.store().put_budget(&Scope::Root(run.root.clone()), 0, i64::MAX, i64::MAX).unwrap();
        world.settle();
        let calls = world.store().calls(CallsOf::Run(run.id.as_str())).unwrap();
        assert_eq!(calls.iter().map(|call| call.purpose).collect::<Vec<_>>(), [Purpose::Summary, Purpose::Reply]);
        let cost: i64 = calls.iter().map(|call| call.cost.unwrap().as_billionths()).sum();
        assert_eq!(world.store().budgets().unwrap()[0].spent, cost, "what it asks aside is its root's to pay");
        let system = world.system(&run.id);
        let summary = format!("  [summary to msg:{}] \"Summary by", said[70]);
        assert!(system.contains(&summary), "{summary}: {system}");
        assert!(system.contains("\"line 71\"") && !system.contains("\"line 70\""), "{system}");
        world.post(&space, "husam", "@Analyst\n!say ok");
        world.settle();
        let summaries = world.store().export(&space).unwrap().nodes.iter().filter(|node| node.kind == weftwork::model::Kind::Summary).count();
        assert_eq!(summaries, 1, "and not again so soon");
        world.sound();
    }
}
