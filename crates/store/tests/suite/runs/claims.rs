//! Claims, heartbeats and what becomes of those who fall silent.

use super::support::*;
use crate::on_both;
use crate::support::said;
use weftwork_store::Draft;
use weftwork_store::runs::{Again, Canceled, Caps, Intended, ParkReason, Pulse, RunState};

on_both! {
    fn a_claim_raises_the_epoch_and_holds_for_thirty_seconds(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        post(store, &space, "hello", NOW);
        assert_eq!(store.claim("w", 9, &caps(), NOW - 1).unwrap(), []);
        let run = claim(store, NOW);
        assert_eq!((run.epoch, run.claims, run.lease, run.state), (1, 1, Some(NOW + 30_000), RunState::Running));
        assert_eq!(held(store.heartbeat(&run.guard(), &caps(), NOW + 10_000).unwrap()), Pulse::GoOn);
        assert_eq!(store.run(&run.id).unwrap().lease, Some(NOW + 40_000));
        sound(store, NOW);
    }

    fn who_falls_silent_loses_the_run_and_can_write_nothing(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let old = woken(store, &space, "a", NOW);
        assert_eq!(store.reclaim(&caps(), NOW + 35_000).unwrap(), 0);
        assert_eq!(store.reclaim(&caps(), NOW + 35_001).unwrap(), 1);
        let later = NOW + 35_001;
        let new = claim(store, later);
        assert_eq!((&new.id, new.epoch), (&old.run, 2));
        assert!(store.agent_send(&old, &message(&space, 1, "late"), &caps(), later).unwrap().is_lost());
        assert!(store.heartbeat(&old, &caps(), later).unwrap().is_lost());
        sent(store, &new.guard(), &message(&space, 1, "in time"), later);
        sound(store, later);
    }

    fn a_lease_that_has_run_out_begins_nothing_new(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        let late = NOW + 30_000;
        assert!(store.step_intent(&guard, &tool(1), &caps(), late).unwrap().is_lost());
        assert!(store.agent_send(&guard, &message(&space, 1, "late"), &caps(), late).unwrap().is_lost());
        assert_eq!(held(store.heartbeat(&guard, &caps(), late).unwrap()), Pulse::GoOn);
        assert_eq!(held(store.step_intent(&guard, &tool(1), &caps(), late).unwrap()), Intended::Begun);
        sound(store, late);
    }

    fn a_run_that_kills_its_worker_is_parked_after_five_claims(store: &Fresh) {
        let space = crew(store, "s", &["a", "b"]);
        let poison = run_of(&post(store, &space, "boom", NOW), "a");
        let mut now = NOW;
        for turn in 1..=5 {
            let claimed = store.claim("w", 9, &caps(), now).unwrap();
            assert!(claimed.iter().any(|run| run.id == poison && run.claims == turn), "{turn}: {claimed:?}");
            claimed.iter().filter(|run| run.id != poison).for_each(|run| drop(store.complete(&run.guard(), now).unwrap()));
            now += 36_000;
            store.reclaim(&caps(), now).unwrap();
        }
        assert_eq!(store.claim("w", 9, &caps(), now).unwrap(), []);
        assert_eq!(store.run(&poison).unwrap().state, RunState::Parked(ParkReason::Poison));
        held(store.unpark(&poison, now).unwrap());
        assert_eq!(claim(store, now).claims, 1);
        sound(store, now);
    }

    fn coming_further_forgets_earlier_claims(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let mut guard = woken(store, &space, "a", NOW);
        let mut now = NOW;
        for step in 1..=12 {
            sent(store, &guard, &message(&space, step, "one step"), now);
            now += 36_000;
            store.reclaim(&caps(), now).unwrap();
            guard = claim(store, now).guard();
        }
        assert_eq!(store.run(&guard.run).unwrap().claims, 1);
        sound(store, now);
    }

    fn a_provider_that_asks_for_patience_does_not_poison(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let mut guard = woken(store, &space, "a", NOW);
        for turn in 1..20 {
            let at = NOW + turn * 10;
            held(store.retry(&guard, at, Again::Uncounted, "429", at - 5).unwrap());
            assert_eq!(store.claim("w", 9, &caps(), at - 1).unwrap(), []);
            guard = claim(store, at).guard();
        }
        assert_eq!(held(store.complete(&guard, NOW).unwrap()), RunState::Completed);
        sound(store, NOW);
    }

    fn retries_that_count_poison_in_the_end(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let run = woken(store, &space, "a", NOW).run;
        for _ in 1..5 {
            let guard = store.run(&run).unwrap().guard();
            held(store.retry(&guard, NOW, Again::Counted, "tool broke", NOW).unwrap());
            claim(store, NOW);
        }
        held(store.retry(&store.run(&run).unwrap().guard(), NOW, Again::Counted, "tool broke", NOW).unwrap());
        assert_eq!(store.claim("w", 9, &caps(), NOW).unwrap(), []);
        assert_eq!(store.run(&run).unwrap().state, RunState::Parked(ParkReason::Poison));
        sound(store, NOW);
    }

    fn a_start_takes_runs_from_those_who_are_gone_and_from_nobody_else(store: &Fresh) {
        let (space, other) = (crew(store, "s", &["a"]), crew(store, "t", &["b"]));
        post(store, &space, "hello", NOW);
        let old = store.claim("before the crash", 9, &caps(), NOW).unwrap();
        post(store, &other, "hello", NOW);
        let own = store.claim("after it", 9, &caps(), NOW).unwrap();
        assert_eq!(store.reclaim_foreign("after it", NOW).unwrap(), 1);
        assert_eq!(store.run(&old[0].id).unwrap().state, RunState::Queued);
        assert_eq!(store.run(&own[0].id).unwrap().state, RunState::Running);
        sound(store, NOW);
    }

    fn no_agent_takes_all_workers(store: &Fresh) {
        let few = Caps { running: 2, ..caps() };
        for n in 0..4 {
            post(store, &crew(store, &format!("s{n}"), &["busy"]), "hello", NOW);
        }
        post(store, &crew(store, "quiet", &["rare"]), "hello", NOW + 1);
        let claimed = store.claim("w", 9, &few, NOW + 1).unwrap();
        let agents: Vec<_> = claimed.iter().map(|run| run.agent.as_str()).collect();
        assert_eq!(agents, ["busy", "busy", "rare"]);
        sound(store, NOW);
    }

    fn many_workers_never_claim_the_same_run(store: &Fresh) {
        for n in 0..40 {
            post(store, &crew(store, &format!("s{n}"), &["a", "b"]), "hello", NOW);
        }
        let all = Caps { running: 100, ..caps() };
        let claimed: Vec<_> = std::thread::scope(|scope| {
            let worker = |n: usize| {
                let (store, all) = (&**store, &all);
                scope.spawn(move || {
                    let mut mine = Vec::new();
                    loop {
                        let more = store.claim(&format!("w{n}"), 3, all, NOW).unwrap();
                        if more.is_empty() {
                            return mine;
                        }
                        mine.extend(more.into_iter().map(|run| (run.id, run.epoch)));
                    }
                })
            };
            let workers: Vec<_> = (0..8).map(worker).collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
        });
        let ids: std::collections::BTreeSet<_> = claimed.iter().map(|(id, _)| id).collect();
        assert_eq!((claimed.len(), ids.len()), (80, 80));
        assert!(claimed.iter().all(|(_, epoch)| *epoch == 1));
        sound(store, NOW);
    }

    fn a_resumed_run_and_a_queued_one_never_work_side_by_side(store: &Fresh) {
        let ask = |n: usize| {
            let (name, agent) = (format!("s{n}"), format!("a{n}"));
            let space = crew(store, &name, &[&agent]);
            let guard = woken(store, &space, &agent, NOW);
            let asked = sent(store, &guard, &question(&space, 1, weftwork_store::runs::Accept::Reply), NOW);
            (space, asked.message.node.id)
        };
        let asked: Vec<_> = (0..20).map(ask).collect();
        for (space, question) in &asked {
            post(store, space, "more", NOW);
            reply(store, space, "husam", question, NOW);
        }
        let claimed: usize = std::thread::scope(|scope| {
            let worker = |n: usize| {
                let store = &**store;
                scope.spawn(move || store.claim(&format!("w{n}"), 40, &caps(), NOW).unwrap().len())
            };
            let workers: Vec<_> = (0..6).map(worker).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).sum()
        });
        assert_eq!(claimed, 20);
        sound(store, NOW);
    }

    fn a_run_that_is_to_stop_is_not_claimed_again_after_a_crash(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        assert_eq!(store.cancel(&guard.run, NOW).unwrap(), Canceled::Asked);
        assert_eq!(held(store.heartbeat(&guard, &caps(), NOW).unwrap()), Pulse::Stop);
        store.reclaim(&caps(), NOW + 60_000).unwrap();
        assert_eq!(store.run(&guard.run).unwrap().state, RunState::Canceled);
        sound(store, NOW + 60_000);
    }

    fn an_id_that_is_empty_is_refused(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let mut bad = note(&space, "husam", "x");
        bad.draft = Draft::new(weftwork::model::Node { id: "a\0b".into(), ..said("husam", "x") });
        assert!(store.post(&bad, &caps(), NOW).is_err());
        assert!(store.put_plan(&crate::support::ent("a"), &once("", NOW)).is_err());
        sound(store, NOW);
    }
}
