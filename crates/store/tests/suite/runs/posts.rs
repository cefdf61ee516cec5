//! Messages: whom they wake, into which run, and once.

use super::support::*;
use crate::on_both;
use crate::support::{ent, said};
use weftwork::model::RunStatus;
use weftwork_store::runs::{How, RunQuery, RunState, TriggerKind, Wake, Woken};
use weftwork_store::{Draft, StoreError};

on_both! {
    fn a_message_wakes_every_other_agent(store: &Fresh) {
        let space = crew(store, "s", &["a", "b"]);
        let posted = post(store, &space, "hello", NOW);
        assert_eq!(hows(&posted), [("a".into(), Some(How::Started)), ("b".into(), Some(How::Started))]);
        let guard = claim_of(store, &run_of(&posted, "a"), NOW);
        let said = sent(store, &guard, &message(&space, 1, "hi"), NOW);
        assert!(hows(&said).iter().all(|(agent, _)| agent == "b"));
        sound(store, NOW);
    }

    fn only_those_who_are_mentioned_wake_where_the_space_says_so(store: &Fresh) {
        let space = crew(store, "s", &["a", "b"]);
        let mut only = note(&space, "husam", "@b hello");
        only.wake = Wake::Mentioned(vec![ent("b")]);
        assert_eq!(hows(&store.post(&only, &caps(), NOW).unwrap()), [("b".into(), Some(How::Started))]);
        sound(store, NOW);
    }

    fn more_triggers_join_the_run_that_is_queued(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let first = post(store, &space, "one", NOW);
        let burst: Vec<_> = (0..99).map(|n| post(store, &space, "more", NOW + n)).collect();
        assert!(burst.iter().all(|posted| run_of(posted, "a") == run_of(&first, "a")));
        let triggers = store.triggers(&run_of(&first, "a")).unwrap();
        assert_eq!((triggers.len(), triggers[0].how, triggers[99].how), (100, How::Started, How::Joined));
        assert_eq!(triggers[0].kind, TriggerKind::Message);
        sound(store, NOW);
    }

    fn the_newest_message_is_the_last_trigger_also_after_the_clock_went_back(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let first = post(store, &space, "one", NOW);
        let last = post(store, &space, "two", NOW - 7_200_000);
        let triggers = store.triggers(&run_of(&first, "a")).unwrap();
        assert_eq!(triggers[1].message.as_ref(), Some(&last.message.node.id));
        let open = store.open_runs(&ent("a")).unwrap();
        assert_eq!((open.len(), open[0].triggered_by.as_deref()), (1, Some("husam")));
        sound(store, NOW);
    }

    fn one_run_works_and_one_is_queued_for_each_agent_and_space(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let working = woken(store, &space, "a", NOW);
        let next = post(store, &space, "two", NOW);
        let joined = post(store, &space, "three", NOW);
        assert_ne!(run_of(&next, "a"), working.run);
        assert_eq!(run_of(&next, "a"), run_of(&joined, "a"));
        assert_eq!(store.claim("w", 9, &caps(), NOW).unwrap(), []);
        assert_eq!(held(store.complete(&working, NOW).unwrap()), RunState::Completed);
        assert_eq!(claim(store, NOW).id, run_of(&next, "a"));
        sound(store, NOW);
    }

    fn a_run_that_is_joined_takes_the_lowest_depth_and_charges_every_root(store: &Fresh) {
        let space = crew(store, "s", &["a", "b"]);
        let guard = woken(store, &space, "a", NOW);
        let claimed = store.claim("w", 9, &caps(), NOW).unwrap();
        assert_eq!(claimed.len(), 1);
        held(store.complete(&claimed[0].guard(), NOW).unwrap());
        let deep = sent(store, &guard, &message(&space, 1, "deep"), NOW);
        let run = run_of(&deep, "b");
        let before = store.run(&run).unwrap();
        assert_eq!(before.depth, 1);
        post(store, &space, "shallow", NOW);
        let after = store.run(&run).unwrap();
        assert_eq!(after.depth, 0);
        assert_ne!(after.root, before.root);
        let charged = [&before.root, &after.root].map(|root| store.root(root).unwrap().unwrap().runs);
        assert_eq!(charged, [3, 2]);
        sound(store, NOW);
    }

    fn the_same_key_wakes_once_and_answers_the_same(store: &Fresh) {
        let space = crew(store, "s", &["a", "b"]);
        let mut keyed = note(&space, "husam", "hello");
        keyed.draft = keyed.draft.key("k");
        let first = store.post(&keyed, &caps(), NOW).unwrap();
        held(store.complete(&claim(store, NOW).guard(), NOW).unwrap());
        let again = store.post(&keyed, &caps(), NOW + 1).unwrap();
        assert!(again.message.repeated && !first.message.repeated);
        assert_eq!((&again.message.node.id, &again.woken), (&first.message.node.id, &first.woken));
        assert_eq!(store.runs(&RunQuery::default()).unwrap().len(), 2);
        sound(store, NOW);
    }

    fn who_does_not_belong_posts_nothing(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        store.depart(&space, &ent("husam"), NOW).unwrap();
        let refused = store.post(&note(&space, "husam", "hello"), &caps(), NOW);
        assert!(matches!(refused, Err(StoreError::NoMember { .. })), "{refused:?}");
        assert_eq!(store.head(&space, None).unwrap(), None);
        sound(store, NOW);
    }

    fn an_agent_posts_from_its_runs_only(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let refused = store.post(&note(&space, "a", "hello"), &caps(), NOW);
        assert!(matches!(refused, Err(StoreError::AgentWithoutRun { .. })), "{refused:?}");
        sound(store, NOW);
    }

    fn runs_can_be_found_by_agent_space_and_state(store: &Fresh) {
        let (space, other) = (crew(store, "s", &["a", "b"]), crew(store, "t", &["a"]));
        post(store, &space, "hello", NOW);
        post(store, &other, "hello", NOW);
        claim(store, NOW);
        let count = |query: RunQuery| store.runs(&query).unwrap().len();
        assert_eq!(count(RunQuery { agent: Some(ent("a")), ..RunQuery::default() }), 2);
        assert_eq!(count(RunQuery { space: Some(space), ..RunQuery::default() }), 2);
        assert_eq!(count(RunQuery { statuses: vec![RunStatus::Running], ..RunQuery::default() }), 1);
        let either = vec![RunStatus::Running, RunStatus::Queued];
        assert_eq!(count(RunQuery { statuses: either, ..RunQuery::default() }), 3);
        assert_eq!(count(RunQuery { limit: 1, ..RunQuery::default() }), 1);
        sound(store, NOW);
    }

    fn a_list_of_runs_goes_on_where_it_ended(store: &Fresh) {
        let space = crew(store, "s", &["a", "b", "c"]);
        post(store, &space, "hello", NOW);
        let all: Vec<_> = store.runs(&RunQuery::default()).unwrap().into_iter().map(|run| run.id).collect();
        let (mut seen, mut after) = (Vec::new(), None);
        for more in [true, false] {
            let (runs, next) = store.run_page(&RunQuery { after, limit: 2, ..RunQuery::default() }).unwrap();
            seen.extend(runs.into_iter().map(|run| run.id));
            assert_eq!(next.is_some(), more);
            // A place is a word on its way to a client and back.
            after = next.map(|place| place.to_string().parse().unwrap());
        }
        assert_eq!(seen, all);
    }

    fn a_run_tells_what_woke_it(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let first = post(store, &space, "hello", NOW);
        let run = store.runs(&RunQuery::default()).unwrap().remove(0).id;
        let woken_by = || store.cause(&run).unwrap().map(|cause| (cause.kind, cause.message, cause.name));
        assert_eq!(woken_by(), Some((TriggerKind::Message, Some(first.message.node.id), None)));
        let second = post(store, &space, "and again", NOW + 1);
        assert_eq!(woken_by(), Some((TriggerKind::Message, Some(second.message.node.id), None)), "the newest");
        assert_eq!(store.cause(&"nobody".into()).unwrap(), None);
    }

    fn a_message_below_another_wakes_like_any(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let first = post(store, &space, "one", NOW);
        let mut aside = note(&space, "husam", "beside");
        aside.draft = Draft::new(said("husam", "beside")).on(first.message.node.id.clone());
        let woken = store.post(&aside, &caps(), NOW).unwrap().woken;
        assert!(matches!(&woken[..], [Woken::Run { how: How::Joined, .. }]), "{woken:?}");
        sound(store, NOW);
    }
}
