//! Crashes between any two acts: what was sent is sent once.

use super::support::*;
use crate::on_both;
use crate::support::ent;
use weftwork_store::runs::{Accept, RunState, SendRefusal, Sent, StepKind, StepStatus};

on_both! {
    fn a_run_done_again_after_a_crash_sends_each_message_once(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let old = woken(store, &space, "a", NOW);
        let first = sent(store, &old, &message(&space, 1, "said before the crash"), NOW);
        store.reclaim(&caps(), NOW + 36_000).unwrap();
        let now = NOW + 36_000;
        let new = claim(store, now).guard();
        // The model was asked again, and says it otherwise.
        let again = sent(store, &new, &message(&space, 1, "said after it"), now);
        assert!(again.message.repeated);
        assert_eq!(again.message.node.id, first.message.node.id);
        assert_eq!(store.head(&space, None).unwrap(), Some(first.message.node.id));
        let steps = store.steps(&new.run).unwrap();
        assert_eq!((steps.len(), steps[0].kind, steps[0].status), (1, StepKind::Send, StepStatus::Done));
        sound(store, now);
    }

    fn what_was_waiting_when_the_process_died_still_waits(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        let asked = sent(store, &guard, &question(&space, 1, Accept::Reply), NOW);
        store.reclaim_foreign("a new process", NOW + 1).unwrap();
        store.reclaim(&caps(), NOW + 99_000).unwrap();
        assert_eq!(store.run(&guard.run).unwrap().state, RunState::WaitingReply);
        let month = NOW + 30 * 86_400_000;
        assert_eq!(reply(store, &space, "husam", &asked.message.node.id, month).resumed, [guard.run]);
        sound(store, month);
    }

    fn a_message_to_a_space_that_is_not_yours_is_refused_like_one_that_is_not_there(store: &Fresh) {
        let (space, secret) = (crew(store, "s", &["a"]), crew(store, "secret", &["b"]));
        let guard = woken(store, &space, "a", NOW);
        for place in [secret, "nowhere".into()] {
            let refused = send(store, &guard, &message(&place, 1, "hello?"), NOW);
            assert!(matches!(refused, Sent::Refused(SendRefusal::NoSpace)), "{refused:?}");
        }
        store.depart(&space, &ent("a"), NOW).unwrap();
        let refused = send(store, &guard, &message(&space, 1, "hello?"), NOW);
        assert!(matches!(refused, Sent::Refused(SendRefusal::NoSpace)), "{refused:?}");
        sound(store, NOW);
    }

    fn an_agent_cannot_speak_as_another(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        let mut forged = message(&space, 1, "wire the money");
        forged.draft.node.author = ent("husam");
        assert_eq!(sent(store, &guard, &forged, NOW).message.node.author, ent("a"));
        sound(store, NOW);
    }

    fn a_message_into_another_space_carries_its_chain(store: &Fresh) {
        let (space, other) = (crew(store, "s", &["a"]), crew(store, "t", &["a", "b"]));
        let guard = woken(store, &space, "a", NOW);
        let said = sent(store, &guard, &message(&other, 1, "over here"), NOW);
        let (from, to) = (store.run(&guard.run).unwrap(), store.run(&run_of(&said, "b")).unwrap());
        assert_eq!((&to.root, to.depth), (&from.root, 1));
        sound(store, NOW);
    }

    fn a_broken_rule_is_found(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        woken(store, &space, "a", NOW);
        sound(store, NOW);
        let found = store.check_invariants(NOW + 90_001).unwrap();
        assert!(matches!(&found[..], [one] if one.invariant == weftwork_store::runs::Invariant::Leases), "{found:?}");
    }
}
