//! When a run last changed, so that whoever watches a space finds what moved.

use super::support::*;
use crate::on_both;
use crate::support::ent;
use weftwork::model::SpaceId;
use weftwork_store::runs::{Accept, Again, Among, ParkReason, RunQuery};

on_both! {
    fn every_move_of_a_run_is_found_by_its_time(store: &Fresh) {
        let (space, other) = (crew(store, "s", &["a"]), crew(store, "t", &["a"]));
        let guard = woken(store, &space, "a", NOW);
        let run = guard.run.clone();
        let moved = |at: i64| {
            let found = store.runs_changed(std::slice::from_ref(&space), NOW + at).unwrap();
            assert_eq!(found.iter().map(|run| (&run.id, run.changed_at)).collect::<Vec<_>>(), [(&run, NOW + at)], "{at}");
            assert_eq!(store.runs_changed(std::slice::from_ref(&space), NOW + at + 1).unwrap(), [], "{at}");
            assert_eq!(store.runs_changed(std::slice::from_ref(&other), 0).unwrap(), []);
        };
        moved(0);
        let _ = held(store.step_intent(&guard, &tool(1), &caps(), NOW + 1).unwrap());
        held(store.step_done(&guard, 1, &done(0), NOW + 2).unwrap());
        moved(2);
        let asked = sent(store, &guard, &question(&space, 2, Accept::Any), NOW + 3);
        moved(3);
        reply(store, &space, "husam", &asked.message.node.id, NOW + 4);
        moved(4);
        let guard = claim_of(store, &run, NOW + 5);
        moved(5);
        held(store.retry(&guard, NOW + 7, Again::Counted, "later", NOW + 6).unwrap());
        moved(6);
        let guard = claim_of(store, &run, NOW + 7);
        held(store.park(&guard, ParkReason::Config, None, NOW + 8).unwrap());
        moved(8);
        held(store.unpark(&run, NOW + 9).unwrap());
        moved(9);
        let guard = claim_of(store, &run, NOW + 10);
        let _ = held(store.step_intent(&guard, &tool(3), &caps(), NOW + 10).unwrap());
        held(store.wait_for_tool(&guard, 3, None, &caps(), NOW + 11).unwrap());
        moved(11);
        held(store.tool_answered(&run, 3, &done(0), NOW + 12).unwrap());
        moved(12);
        let guard = claim_of(store, &run, NOW + 13);
        assert_eq!(store.reclaim_foreign("me", NOW + 14).unwrap(), 1);
        moved(14);
        assert!(store.complete(&guard, NOW + 15).unwrap().is_lost());
        let guard = claim_of(store, &run, NOW + 16);
        store.cancel(&run, NOW + 17).unwrap();
        moved(17);
        held(store.complete(&guard, NOW + 18).unwrap());
        moved(18);
    }

    fn runs_are_shown_of_some_spaces(store: &Fresh) {
        let spaces = ["s", "t", "u"].map(|name| crew(store, name, &["a"]));
        for space in &spaces {
            post(store, space, "go", NOW);
        }
        let count = |among: Option<Among>| store.runs(&RunQuery { among, ..RunQuery::default() }).unwrap().len();
        let of = |spaces: &[SpaceId], agents: &[&str]| {
            let agents = agents.iter().copied().map(ent).collect();
            Some(Among { spaces: spaces.to_vec(), agents, ..Among::default() })
        };
        let counts = [None, of(&[], &[]), of(&spaces[..2], &[]), of(&["nowhere".into()], &["b"]), of(&spaces[..1], &["a"])];
        assert_eq!(counts.map(count), [3, 0, 2, 0, 3]);
        assert_eq!(store.runs(&RunQuery { agent: Some(ent("b")), ..RunQuery::default() }).unwrap(), []);
    }
}
