//! Faults of models and of those who provide them (F31 to F43).

use super::*;

worlds! {
    fn a_provider_that_asks_for_patience_gets_it_and_nothing_is_charged(world: World) {
        let world = hurried(world, "[providers.offline]\nkind = \"offline\"\n[providers.offline.models.offline]\nprices = { input = 1000.0, output = 1000.0 }");
        let space = world.space("team", &["husam", "Ann"]);
        world.store().put_budget(&Scope::Agent(ent("Ann")), 0, i64::MAX, 1 << 50).expect("a budget");
        world.post(&space, "husam", "!fail 429");
        for attempt in 1..=60 {
            world.settle();
            let run = world.runs("Ann")[0].clone();
            assert_eq!((run.state, run.claims), (RunState::Queued, 0), "attempt {attempt}: {run:?}");
            assert!(run.available_at >= world.now() + 30_000, "attempt {attempt}: {run:?}");
            let budget = &world.store().budgets().expect("budgets")[0];
            assert_eq!((budget.reserved, budget.spent), (0, 0), "attempt {attempt}");
            world.pass(MINUTE);
        }
        world.sound();
    }

    fn what_another_attempt_cannot_mend_waits_for_a_person(world: World) {
        let world = hurried(world, "");
        for status in [400, 401, 402, 403, 404] {
            let space = world.space(&format!("s{status}"), &["husam", &format!("Ann{status}")]);
            world.post(&space, "husam", &format!("!fail {status}"));
            world.settle();
            let run = world.runs(&format!("Ann{status}"))[0].clone();
            assert_eq!(run.state, RunState::Parked(ParkReason::Provider), "{status}: {run:?}");
            assert_eq!(run.epoch, 1, "{status}: one claim");
            assert!(run.error.as_deref().is_some_and(|why| why.contains(&status.to_string())), "{status}: {run:?}");
        }
        // What is too large is made smaller once; here it cannot be.
        let space = world.space("s413", &["husam", "Ann413"]);
        world.post(&space, "husam", "!fail 413");
        world.settle();
        assert_eq!(world.states("Ann413"), [RunState::Failed]);
        assert!(world.runs("Ann413")[0].error.as_deref().is_some_and(|why| why.contains("does not fit")));
        world.sound();
    }

    fn what_another_attempt_may_mend_gets_five(world: World) {
        let world = hurried(world, "");
        for status in [500, 502, 503, 504, 529] {
            let name = format!("Ann{status}");
            let space = world.space(&format!("s{status}"), &["husam", &name]);
            world.post(&space, "husam", &format!("!fail {status}"));
            let mut waits = Vec::new();
            while world.settle().len() == 1 && world.states(&name) == [RunState::Queued] {
                waits.push(world.runs(&name)[0].available_at - world.now());
                world.pass(6 * MINUTE);
            }
            assert_eq!(world.states(&name), [RunState::Parked(ParkReason::Provider)], "{status}");
            let longest = [2_000, 4_000, 8_000, 16_000];
            assert!(waits.len() == 4 && waits.iter().zip(longest).all(|(wait, most)| (most / 2..=most).contains(wait)), "{status}: {waits:?}");
        }
        world.sound();
    }

    fn a_model_that_says_nothing_ends_its_run(world: World) {
        let space = world.space("team", &["husam", "Ann"]);
        world.post(&space, "husam", "!stall 0");
        world.settle();
        assert_eq!(world.states("Ann"), [RunState::Completed]);
        assert_eq!(world.said(&space).len(), 1);
        world.sound();
    }

    fn a_model_that_goes_in_circles_is_stopped(world: World) {
        let world = world.obedient();
        let (one, two) = (world.space("one", &["husam", "Ann"]), world.space("two", &["sarah", "Ann"]));
        // Each result orders the next call: the same one, or the other one.
        world.post(&two, "sarah", "!call enter_space {\"spaceId\": \"one\", \"limit\": 1}");
        let same = world.runs("Ann")[0].clone();
        world.post(&one, "husam", "!call enter_space {\"spaceId\": \"one\", \"limit\": 1}");
        world.settle();
        let results = world.results(&same.id);
        assert!(results.last().expect("results").starts_with("Not run: you have made this very call three times"), "{results:?}");
        world.post(&one, "husam", "!call enter_space {\"spaceId\": \"two\", \"limit\": 1}");
        world.settle();
        let run = world.runs("Ann").pop().expect("a run");
        assert_eq!((run.state, run.error.as_deref()), (RunState::Failed, Some("the run has had all its steps")));
        assert_eq!(world.store().steps(&run.id).expect("steps").len(), 50);
        world.sound();
    }

    fn a_run_that_is_stopped_while_its_model_speaks_says_nothing(world: World) {
        let space = world.space("team", &["husam", "Ann"]);
        let worker = world.wait(async { Worker::start(&world.gateway, quick("w")) });
        world.post(&space, "husam", "!stall 60\n!send Too late.");
        until("it is at work", || !world.store().calls(CallsOf::Run(world.runs("Ann")[0].id.as_str())).expect("calls").is_empty());
        let begun = Instant::now();
        world.store().cancel(&world.runs("Ann")[0].id, world.now()).expect("canceled");
        until("it stops", || world.states("Ann") == [RunState::Canceled]);
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        world.wait(worker.drain());
        assert_eq!(world.said(&space).len(), 1);
        world.sound();
    }
}
