//! Ten agents who always answer, whatever starts them: they stop by themselves, and everybody is told why.
//!
//! The model is the obedient one: it follows the last order that stands anywhere in what it is shown, so one message that
//! says `!send Again.` makes every agent of the space say something every time it wakes. Between two runs more time passes
//! than the limit of a pair looks back, so that nothing but the caps of the root can end it.

use crate::scene::World;
use crate::support::ent;
use crate::worlds;
use weftwork::model::SpaceId;
use weftwork_gateway::schedule::When;
use weftwork_gateway::{Message, Point, Points};
use weftwork_store::runs::{Caps, Delivery, NewPlan, Refusal, Run, RunQuery, Woken};

const AGENTS: [&str; 10] = ["Ann", "Ben", "Cem", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon"];
const TWO_MINUTES: i64 = 120_000;

struct Onward;

impl Points for Onward {
    fn pass(&self, _: Point) -> bool {
        true
    }
}

fn team(world: &World) -> SpaceId {
    let members: Vec<&str> = ["husam"].into_iter().chain(AGENTS).collect();
    world.space("team", &members)
}

/// Does one run after another, with a pause after each, until nothing comes any more.
fn rage(world: &World, pause: i64) {
    let caps = Caps::default();
    let mut idle = 0;
    for _ in 0..1_000 {
        world.wait(world.gateway.look_at_the_clock()).expect("a look");
        match world.store().claim("worker", 1, &caps, world.now()).expect("a claim").pop() {
            Some(run) => drop(world.wait(world.gateway.attend(run, &world.settings, &Onward)).expect("done")),
            // A plan may still be due.
            None if idle == 5 => return,
            None => idle += 1,
        }
        world.pass(pause);
    }
    panic!("it never ends");
}

/// All runs, and what was refused to them.
fn sums(world: &World) -> (Vec<Run>, Vec<Refusal>) {
    let runs = world.store().runs(&RunQuery::default()).expect("runs");
    let refused = |run: &Run| world.store().refusals(&run.id).expect("refusals");
    let why = |woken| match woken {
        Woken::Refused { why, .. } => Some(why),
        Woken::Run { .. } => None,
    };
    let refusals = runs.iter().flat_map(refused).filter_map(why).collect();
    (runs, refusals)
}

fn said_by_agents(world: &World, space: &SpaceId) -> usize {
    world.said(space).iter().filter(|line| line.starts_with(char::is_uppercase)).count()
}

/// Within the caps of one root, at an end, and with reasons that can be read.
fn stopped(world: &World, space: &SpaceId) -> Vec<Refusal> {
    let (runs, refusals) = sums(world);
    assert!(runs.len() <= 50, "{} runs", runs.len());
    assert!(said_by_agents(world, space) <= 25, "{:?}", world.said(space));
    assert!(runs.iter().all(|run| run.state.is_over()), "{runs:?}");
    assert!(runs.iter().all(|run| run.root == runs[0].root), "all of it has one root");
    assert!(!refusals.is_empty(), "nobody is told why it stopped");
    world.sound();
    refusals
}

/// What the tools have answered, in all requests of all runs.
fn told(world: &World) -> String {
    sums(world).0.iter().map(|run| world.requests(&run.id).concat()).collect()
}

worlds! {
    fn one_message_to_ten_agents_ends_within_the_caps_of_its_root(world: World) {
        let world = world.obedient();
        let space = team(&world);
        world.post(&space, "husam", "!send Again.");
        rage(&world, TWO_MINUTES);
        let refusals = stopped(&world, &space);
        assert_eq!(said_by_agents(&world, &space), 25, "as many as may be");
        assert!(refusals.contains(&Refusal::RootMessages), "{refusals:?}");
        let told = told(&world);
        assert!(told.contains("Not sent: the agents have said as much as they may"), "the agents are told");
        // A person who speaks begins anew.
        world.post(&space, "husam", "Go on.");
        world.settle();
        assert!(said_by_agents(&world, &space) > 25);
    }

    fn two_who_answer_each_other_stop_at_the_limit_of_a_pair(world: World) {
        let world = world.obedient();
        let space = world.space("team", &["husam", "Ann", "Ben"]);
        world.post(&space, "husam", "!send Again.");
        rage(&world, 1_000);
        let refusals = stopped(&world, &space);
        assert!(refusals.contains(&Refusal::Pair) || refusals.contains(&Refusal::Depth), "{refusals:?}");
        // Somebody who speaks in between changes nothing of what the two have done.
        world.post(&space, "husam", "And?");
        rage(&world, 1_000);
        let (_, refusals) = sums(&world);
        assert!(refusals.contains(&Refusal::Pair), "{refusals:?}");
        assert!(told(&world).contains("(these two have written to each other too often of late)"));
        world.sound();
    }

    fn a_chain_ends_where_it_is_as_long_as_it_may_be(world: World) {
        let space = world.space("team", &["husam", "Ann", "Ben"]);
        world.post(&space, "husam", "!send !send !send !send !send !send !send !send deep");
        rage(&world, TWO_MINUTES);
        let refusals = stopped(&world, &space);
        assert!(refusals.contains(&Refusal::Depth), "{refusals:?}");
        assert!(told(&world).contains("the chain of agents is as long as it may be"));
    }

    fn a_storm_begun_by_a_plan_ends_as_well(world: World) {
        let world = world.obedient();
        let space = team(&world);
        let soon = When { run_after: Some("1 minute".into()), ..When::default() }.read(world.now()).expect("a time");
        let plan = NewPlan {
            id: "p".into(),
            name: "start".into(),
            instruction: "!call send_message {\"text\": \"!send Again.\", \"spaceId\": \"team\"}".into(),
            schedule: soon.to_text(),
            next_fire: soon.first(world.now()),
            chain: None,
        };
        world.store().put_plan(&ent("Ann"), &plan).expect("a plan");
        world.pass(60_000);
        rage(&world, TWO_MINUTES);
        stopped(&world, &space);
        assert_eq!(said_by_agents(&world, &space), 25);
    }

    fn a_storm_begun_by_a_service_ends_as_well(world: World) {
        let world = world.obedient();
        let space = team(&world);
        let payload = serde_json::json!("!call send_message {\"text\": \"!send Again.\", \"spaceId\": \"team\"}").to_string();
        let delivery = Delivery { source: "ci".into(), id: "1".into(), hash: [1; 32], agent: ent("Ann"), payload };
        world.store().deliver(&delivery, &Caps::default(), world.now()).expect("delivered");
        rage(&world, TWO_MINUTES);
        stopped(&world, &space);
        assert_eq!(said_by_agents(&world, &space), 25);
    }

    fn plans_do_not_lead_out_of_a_chain(world: World) {
        let world = world.obedient();
        let space = team(&world);
        // Whoever reads this speaks, and plans to read it again.
        world.post(&space, "husam", concat!(
            "!call send_message {\"text\": \"Again.\", \"spaceId\": \"team\"}\n",
            "!call set_plans {\"add\": [{\"name\": \"again\", \"runAfter\": \"1 minute\", ",
            "\"instruction\": \"!call enter_space {\\\"spaceId\\\": \\\"team\\\"}\"}]}",
        ));
        rage(&world, TWO_MINUTES);
        let refusals = stopped(&world, &space);
        let (runs, _) = sums(&world);
        assert!(runs.iter().any(|run| run.space.is_none()), "no plan has fired");
        assert!(refusals.contains(&Refusal::RootMessages) || refusals.contains(&Refusal::RootRuns), "{refusals:?}");
        let plans: usize = AGENTS.iter().map(|agent| world.store().plans(&ent(agent)).expect("plans").len()).sum();
        assert!(plans > 0, "no plan was made");
    }

    fn a_hundred_messages_in_a_burst_wake_an_agent_once_more_at_most(world: World) {
        let space = world.space("team", &["husam", "Ann"]);
        world.post(&space, "husam", "!say one");
        let run = world.store().claim("worker", 1, &Caps::default(), world.now()).expect("a claim").pop().expect("a run");
        for at in 0..100 {
            let posted = world.wait(world.gateway.post(&space, &ent("husam"), Message::text(format!("!say {at}"))));
            posted.expect("posted");
        }
        assert_eq!(world.runs("Ann").len(), 2);
        world.wait(world.gateway.attend(run, &world.settings, &Onward)).expect("done");
        world.settle();
        assert_eq!(world.runs("Ann").len(), 2);
        let system = world.system(&world.runs("Ann")[1].id);
        assert!(system.contains("message: \"!say 99\""), "the newest is the trigger: {system}");
        assert_eq!(system.matches("alsoTriggering").count(), 1);
        assert_eq!(world.cursor(&space, "Ann"), 0);
        world.sound();
    }
}
