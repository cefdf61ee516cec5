//! Ending, standing still, stopping.

use super::support::*;
use crate::on_both;
use weftwork_store::StoreError;
use weftwork_store::runs::{Canceled, Intended, ParkReason, RunState, SendRefusal, Sent, StepRefusal};

on_both! {
    fn a_parked_run_stands_still_until_a_person_acts(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        held(store.park(&guard, ParkReason::Budget, Some("no money"), NOW).unwrap());
        let run = store.run(&guard.run).unwrap();
        assert_eq!((run.state, run.error.as_deref()), (RunState::Parked(ParkReason::Budget), Some("no money")));
        assert_eq!(store.claim("w", 9, &caps(), NOW).unwrap(), []);
        // What comes meanwhile is for a run of its own.
        assert_ne!(run_of(&post(store, &space, "more", NOW), "a"), guard.run);
        held(store.unpark(&guard.run, NOW).unwrap());
        assert_eq!(store.run(&guard.run).unwrap().state, RunState::Queued);
        sound(store, NOW);
    }

    fn a_run_at_work_is_asked_to_stop_and_does_nothing_more(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        assert_eq!(store.cancel(&guard.run, NOW).unwrap(), Canceled::Asked);
        let late = send(store, &guard, &message(&space, 1, "late"), NOW);
        assert!(matches!(late, Sent::Refused(SendRefusal::Canceled)), "{late:?}");
        let late = held(store.step_intent(&guard, &tool(1), &caps(), NOW).unwrap());
        assert_eq!(late, Intended::Refused(StepRefusal::Canceled));
        assert_eq!(held(store.complete(&guard, NOW).unwrap()), RunState::Canceled);
        assert_eq!(store.cancel(&guard.run, NOW).unwrap(), Canceled::Over);
        sound(store, NOW);
    }

    fn a_queued_run_is_stopped_at_once_and_frees_its_place(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let first = run_of(&post(store, &space, "one", NOW), "a");
        assert_eq!(store.cancel(&first, NOW).unwrap(), Canceled::Now);
        assert_ne!(run_of(&post(store, &space, "two", NOW), "a"), first);
        sound(store, NOW);
    }

    fn a_run_that_waits_for_a_tool_can_be_stopped(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        held(store.step_intent(&guard, &tool(1), &caps(), NOW).unwrap());
        held(store.wait_for_tool(&guard, 1, None, &caps(), NOW).unwrap());
        assert_eq!(store.cancel(&guard.run, NOW).unwrap(), Canceled::Now);
        assert!(store.tool_answered(&guard.run, 1, &done(0), NOW).unwrap().is_lost());
        sound(store, NOW);
    }

    fn a_run_that_is_not_there_is_said_by_name(store: &Fresh) {
        let missing = store.cancel(&"nothing".into(), NOW);
        assert!(matches!(missing, Err(StoreError::NoRun { .. })), "{missing:?}");
        assert!(matches!(store.run(&"nothing".into()), Err(StoreError::NoRun { .. })));
        let guard = woken(store, &crew(store, "s", &["a"]), "a", NOW);
        let missing = store.step_done(&guard, 3, &done(0), NOW);
        assert!(matches!(missing, Err(StoreError::NoStep { step: 3, .. })), "{missing:?}");
        sound(store, NOW);
    }
}
