//! Every guarded write, with a claim that is no longer ours: nothing happens.

use super::support::*;
use crate::on_both;
use weftwork_store::runs::{Again, Guard, ParkReason, RunState};

on_both! {
    fn a_stale_claim_writes_nothing(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let old = woken(store, &space, "a", NOW);
        held(store.step_intent(&old, &tool(1), &caps(), NOW).unwrap());
        store.reclaim(&caps(), NOW + 36_000).unwrap();
        let now = NOW + 36_000;
        let new = claim(store, now);
        let picture = || (store.run(&new.id).unwrap(), store.steps(&new.id).unwrap(), store.head(&space, None).unwrap());
        let before = picture();
        let ahead = Guard { epoch: new.epoch + 1, ..new.guard() };
        for guard in [old, ahead] {
            assert!(store.heartbeat(&guard, &caps(), now).unwrap().is_lost());
            assert!(store.step_intent(&guard, &tool(2), &caps(), now).unwrap().is_lost());
            assert!(store.step_done(&guard, 1, &done(1), now).unwrap().is_lost());
            assert!(store.step_unknown(&guard, 1, now).unwrap().is_lost());
            assert!(store.agent_send(&guard, &message(&space, 2, "x"), &caps(), now).unwrap().is_lost());
            assert!(store.agent_send(&guard, &question(&space, 2, Default::default()), &caps(), now).unwrap().is_lost());
            assert!(store.agent_send(&guard, &message(&"nowhere".into(), 2, "x"), &caps(), now).unwrap().is_lost());
            assert!(store.wait_for_tool(&guard, 1, None, &caps(), now).unwrap().is_lost());
            assert!(store.complete(&guard, now).unwrap().is_lost());
            assert!(store.fail(&guard, "x", now).unwrap().is_lost());
            assert!(store.stop(&guard, now).unwrap().is_lost());
            assert!(store.retry(&guard, now, Again::Counted, "x", now).unwrap().is_lost());
            assert!(store.park(&guard, ParkReason::Config, None, now).unwrap().is_lost());
            assert_eq!(picture(), before);
        }
        sound(store, now);
    }

    fn what_has_ended_is_written_no_more(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        held(store.complete(&guard, NOW).unwrap());
        assert!(store.agent_send(&guard, &message(&space, 1, "x"), &caps(), NOW).unwrap().is_lost());
        assert!(store.fail(&guard, "x", NOW).unwrap().is_lost());
        assert!(store.unpark(&guard.run, NOW).unwrap().is_lost());
        assert_eq!(store.run(&guard.run).unwrap().state, RunState::Completed);
        sound(store, NOW);
    }

    fn who_waits_has_let_go_of_the_claim(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        sent(store, &guard, &question(&space, 1, Default::default()), NOW);
        assert!(store.agent_send(&guard, &message(&space, 2, "x"), &caps(), NOW).unwrap().is_lost());
        assert!(store.heartbeat(&guard, &caps(), NOW).unwrap().is_lost());
        assert!(store.complete(&guard, NOW).unwrap().is_lost());
        sound(store, NOW);
    }
}
