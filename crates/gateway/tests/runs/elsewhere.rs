//! Agents that live elsewhere (4.7): a program takes their runs and acts through the same tools.

use crate::support::ent;
use crate::worlds;
use std::time::Duration;
use weftwork::model::{Json, ToolCall};
use weftwork_gateway::{Deeded, DriveError, Handed};
use weftwork_store::runs::{Guarded, RunState};

fn call(id: &str, name: &str, arguments: serde_json::Value) -> ToolCall {
    let part = weftwork::model::Part::call(id, name, Json::of(&arguments));
    let weftwork::model::Part::ToolCall(call) = part else { unreachable!() };
    call
}

fn take(world: &crate::scene::World) -> Option<Handed> {
    world.wait(world.gateway.take_run(&ent("Remote"), "program-1", Duration::ZERO)).expect("taken")
}

fn remote(world: &crate::scene::World) {
    let mut agent = world.store().entity(&ent("Remote")).unwrap();
    agent.external = true;
    world.store().put_entity(&agent).unwrap();
}

worlds! {
    fn a_program_takes_a_run_acts_waits_and_goes_on(world: World) {
        let space = world.space("team", &["husam", "Remote", "Analyst"]);
        remote(&world);
        world.post(&space, "husam", "!say Hello");
        world.settle();
        assert_eq!(world.states("Remote"), [RunState::Queued], "no worker of ours does it");
        let handed = take(&world).expect("a run");
        let request = String::from_utf8(handed.request).unwrap();
        assert!(request.contains("SPACE HISTORY (\\\"team\\\")") && request.contains("Begin this run."), "{request}");
        assert_eq!(handed.tools.len(), 8);
        let guard = handed.run.guard();
        assert!(take(&world).is_none(), "it is handed out once");
        let say = call("1", "send_message", serde_json::json!({"text": "Which one?", "wait": true}));
        assert_eq!(world.wait(world.gateway.act(&guard, &say)).unwrap(), Deeded::Waits);
        let late = call("2", "send_message", serde_json::json!({"text": "Too late"}));
        assert!(matches!(world.wait(world.gateway.act(&guard, &late)), Err(DriveError::Lost)), "who waits has let go");
        world.post(&space, "husam", "!say The second.");
        let again = take(&world).expect("the run goes on");
        assert_eq!(again.run.id, handed.run.id);
        assert!(String::from_utf8(again.request).unwrap().contains("Continue this run."));
        // The same id after a wait is another act.
        let answer = call("1", "send_message", serde_json::json!({"text": "Thanks"}));
        let guard = again.run.guard();
        let told = world.wait(world.gateway.act(&guard, &answer)).unwrap();
        assert!(matches!(&told, Deeded::Answered { text, is_error: false } if text.starts_with("Sent as msg:")), "{told:?}");
        assert_eq!(world.wait(world.gateway.act(&guard, &answer)).unwrap(), told, "and repeated it is the same");
        assert_eq!(world.wait(world.gateway.end_run(&guard, None)).unwrap(), Guarded::Held(RunState::Completed));
        world.settle();
        let said = world.said(&space);
        assert_eq!(said.iter().filter(|line| line.starts_with("Remote:")).collect::<Vec<_>>(), ["Remote: Which one?", "Remote: Thanks"]);
        world.sound();
    }

    fn a_program_that_falls_silent_loses_its_run_and_does_nothing_twice(world: World) {
        let space = world.space("team", &["husam", "Remote"]);
        remote(&world);
        world.post(&space, "husam", "Hello");
        let first = take(&world).expect("a run").run.guard();
        let say = call("1", "send_message", serde_json::json!({"text": "Hi"}));
        world.wait(world.gateway.act(&first, &say)).unwrap();
        assert!(!world.wait(world.gateway.keep_run(&first)).unwrap().is_lost());
        world.pass(40_000);
        let second = take(&world).expect("the run again").run.guard();
        assert!(world.wait(world.gateway.keep_run(&first)).unwrap().is_lost());
        assert!(matches!(world.wait(world.gateway.act(&first, &say)), Err(DriveError::Lost)));
        world.wait(world.gateway.act(&second, &say)).unwrap();
        assert!(!world.wait(world.gateway.end_run(&second, None)).unwrap().is_lost());
        assert_eq!(world.said(&space), ["husam: Hello", "Remote: Hi"]);
        world.sound();
    }

    fn what_a_program_may_not_do_is_answered_like_any_agents(world: World) {
        let space = world.space("team", &["husam", "Remote"]);
        world.space("secret", &["sarah"]);
        remote(&world);
        world.post(&space, "husam", "Hello");
        let guard = take(&world).expect("a run").run.guard();
        for (name, arguments, expected) in [
            ("read_messages", serde_json::json!({"spaceId": "secret"}), "There is no space with this id"),
            ("s__echo", serde_json::json!({}), "There is no tool"),
            ("send_message", serde_json::json!({}), "missing field"),
        ] {
            let told = world.wait(world.gateway.act(&guard, &call(name, name, arguments))).unwrap();
            assert!(matches!(&told, Deeded::Answered { text, is_error: true } if text.contains(expected)), "{told:?}");
        }
        assert!(!world.wait(world.gateway.end_run(&guard, Some("gave up"))).unwrap().is_lost());
        assert_eq!(world.runs("Remote")[0].error.as_deref(), Some("gave up"));
        world.sound();
    }

    fn what_a_program_does_at_once_is_all_done(world: World) {
        let space = world.space("team", &["husam", "Remote"]);
        remote(&world);
        world.post(&space, "husam", "Hello");
        let guard = take(&world).expect("a run").run.guard();
        let calls: Vec<_> = (0..6).map(|at| call(&at.to_string(), "send_message", serde_json::json!({"text": format!("part {at}")}))).collect();
        let done = world.wait(futures_util::future::join_all(calls.iter().map(|call| world.gateway.act(&guard, call))));
        for done in done {
            assert!(matches!(done, Ok(Deeded::Answered { is_error: false, .. })), "{done:?}");
        }
        assert!(!world.wait(world.gateway.end_run(&guard, None)).unwrap().is_lost());
        let mut said = world.said(&space)[1..].to_vec();
        said.sort();
        assert_eq!(said, (0..6).map(|at| format!("Remote: part {at}")).collect::<Vec<_>>());
        world.sound();
    }

    fn a_program_that_dies_each_time_is_parked(world: World) {
        let space = world.space("team", &["husam", "Remote"]);
        remote(&world);
        world.post(&space, "husam", "Hello");
        for _ in 0..5 {
            assert!(take(&world).is_some());
            world.pass(40_000);
        }
        assert!(take(&world).is_none());
        assert_eq!(world.states("Remote"), [RunState::Parked(weftwork_store::runs::ParkReason::Poison)]);
        world.sound();
    }
}
