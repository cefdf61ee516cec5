//! What keeps agents from storming.

use super::support::*;
use crate::on_both;
use crate::support::ent;
use weftwork_store::Store;
use weftwork_store::runs::{Chain, How, NewPlan, Refusal, RunQuery, SendRefusal, Sent, Woken};

/// Every agent answers whatever wakes it, until nobody is awake. Says how many messages agents sent.
fn storm(store: &Store, space: &weftwork::model::SpaceId, start: i64) -> usize {
    let (mut now, mut messages) = (start, 0);
    loop {
        let claimed = store.claim("w", 16, &caps(), now).unwrap();
        if claimed.is_empty() {
            return messages;
        }
        for run in claimed {
            let result = held(store.agent_send(&run.guard(), &message(space, 1, "me too"), &caps(), now).unwrap());
            messages += usize::from(matches!(result, Sent::Posted(_)));
            held(store.complete(&run.guard(), now).unwrap());
            now += 1;
        }
    }
}

fn refusals(woken: &[Woken]) -> Vec<Refusal> {
    let why = |woken: &Woken| match woken {
        Woken::Refused { why, .. } => Some(*why),
        Woken::Run { .. } => None,
    };
    woken.iter().filter_map(why).collect()
}

on_both! {
    fn a_message_at_the_deepest_wakes_nobody_and_says_so(store: &Fresh) {
        let space = crew(store, "s", &["a", "b"]);
        let posted = post(store, &space, "go", NOW);
        let mut guard = claim_of(store, &run_of(&posted, "a"), NOW);
        let other = claim_of(store, &run_of(&posted, "b"), NOW);
        held(store.complete(&other, NOW).unwrap());
        for depth in 1..=5 {
            let next = sent(store, &guard, &message(&space, 1, "and you?"), NOW);
            let awake = hows(&next).iter().any(|(_, how)| how.is_some());
            assert_eq!(awake, depth < 5, "{depth}: {:?}", next.woken);
            if !awake {
                assert_eq!(refusals(&next.woken), [Refusal::Depth]);
                assert_eq!(store.refusals(&guard.run).unwrap(), next.woken);
                break;
            }
            held(store.complete(&guard, NOW).unwrap());
            let run = claim(store, NOW);
            assert_eq!(run.depth, depth);
            guard = run.guard();
        }
        sound(store, NOW);
    }

    fn ten_agents_who_always_answer_stop(store: &Fresh) {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
        let space = crew(store, "s", &names);
        let posted = post(store, &space, "go", NOW);
        let root = store.run(&run_of(&posted, "a")).unwrap().root;
        let messages = storm(store, &space, NOW);
        let runs = store.runs(&RunQuery::default()).unwrap().len();
        assert!(messages <= 25 && runs <= 50, "{messages} messages, {runs} runs");
        let used = store.root(&root).unwrap().unwrap();
        assert_eq!((used.runs as usize, used.messages as usize), (runs, messages));
        sound(store, NOW);
    }

    fn the_twenty_sixth_message_of_a_root_is_refused(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        for step in 1..=25 {
            sent(store, &guard, &message(&space, step, "on and on"), NOW);
        }
        let refused = send(store, &guard, &message(&space, 26, "and on"), NOW);
        assert!(matches!(refused, Sent::Refused(SendRefusal::RootMessages)), "{refused:?}");
        assert_eq!(refusals(&store.refusals(&guard.run).unwrap()), [Refusal::RootMessages]);
        sound(store, NOW);
    }

    fn a_root_has_its_runs_and_no_more(store: &Fresh) {
        let space = crew(store, "s", &["a", "b", "c"]);
        let few = weftwork_store::runs::Caps { root_runs: 4, ..caps() };
        let posted = store.post(&note(&space, "husam", "go"), &few, NOW).unwrap();
        let guard = claim_of(store, &run_of(&posted, "a"), NOW);
        for run in store.claim("w", 9, &caps(), NOW).unwrap() {
            held(store.complete(&run.guard(), NOW).unwrap());
        }
        let said = sent(store, &guard, &message(&space, 1, "go on"), NOW);
        assert_eq!(hows(&said), [("b".into(), Some(How::Started)), ("c".into(), None)]);
        assert_eq!(refusals(&said.woken), [Refusal::RootRuns]);
        sound(store, NOW);
    }

    fn two_agents_wake_each_other_six_times_in_ninety_seconds(store: &Fresh) {
        let space = crew(store, "s", &["a", "b"]);
        let mut wakes = 0;
        // A person speaks between them: the count goes on.
        for n in 0..9 {
            let guard = woken(store, &space, "a", NOW + n);
            let said = sent(store, &guard, &message(&space, 1, "b?"), NOW + n);
            wakes += hows(&said).iter().filter(|(_, how)| how.is_some()).count();
            held(store.complete(&guard, NOW + n).unwrap());
            finish_all(store, NOW + n);
        }
        assert_eq!(wakes, 6);
        let later = NOW + 91_000;
        let guard = woken(store, &space, "a", later);
        let said = sent(store, &guard, &message(&space, 1, "b?"), later);
        assert_eq!(refusals(&said.woken), []);
        sound(store, later);
    }

    fn a_plan_made_in_a_chain_stays_in_it(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let mut run = store.run(&woken(store, &space, "a", NOW).run).unwrap();
        let root = run.root.clone();
        for depth in 1..=5 {
            let chain = Some(Chain { root: run.root.clone(), depth: run.depth + 1 });
            let plan = NewPlan { chain, ..once(&format!("p{depth}"), NOW) };
            store.put_plan(&ent("a"), &plan).unwrap();
            let fired = store.fire_plans(9, &caps(), NOW, &|_, first, _| (first, None)).unwrap().pop().unwrap();
            assert_eq!(fired.run.is_ok(), depth < 5, "{depth}: {fired:?}");
            let Ok(next) = fired.run else { break };
            run = store.run(&next).unwrap();
            assert_eq!((&run.root, run.depth), (&root, depth));
        }
        sound(store, NOW);
    }
}
