//! A program elsewhere is told whenever a run of its agent becomes due, in the transaction that makes it so.

use super::support::*;
use crate::on_both;
use crate::support::{NOW, ent};
use weftwork_store::Store;
use weftwork_store::runs::{Accept, Again, ParkReason, RUN_DUE, RunId, push_name};

/// Makes an agent one that lives elsewhere.
fn external(store: &Store, agent: &str) {
    let mut entity = store.entity(&ent(agent)).unwrap();
    entity.external = true;
    store.put_entity(&entity).unwrap();
}

/// The same, with a place to be told at.
fn told(store: &Store, agent: &str) {
    external(store, agent);
    store.put_secret(&push_name(&ent(agent)), b"sealed", "", NOW).unwrap();
}

/// What is in the outbox up to a time, and takes it.
fn pushes(store: &Store, now: i64) -> Vec<(RunId, i64)> {
    let taken = store.take_pushes(99, i64::MAX - now, now).unwrap();
    let read = |push: weftwork_store::runs::Push| {
        let payload: serde_json::Value = serde_json::from_str(&push.payload).unwrap();
        assert_eq!(
            (push.topic.as_str(), payload["type"].as_str(), payload["agent"].as_str()),
            (RUN_DUE, Some(RUN_DUE), Some("a"))
        );
        assert!(push.key.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'.'), "{}", push.key);
        (RunId::from(payload["run"].as_str().unwrap()), payload["at"].as_i64().unwrap())
    };
    taken.into_iter().map(read).collect()
}

fn taken(store: &Store, now: i64) -> weftwork_store::runs::Guard {
    store.claim_for(&ent("a"), "program", 1, &caps(), now).unwrap().pop().expect("a run that is due").guard()
}

on_both! {
    fn whoever_lives_elsewhere_is_told_each_time_a_run_becomes_due(store: &Fresh) {
        let space = crew(store, "s", &["a", "b"]);
        told(store, "a");
        let run = run_of(&post(store, &space, "hello", NOW), "a");
        assert_eq!(pushes(store, NOW), [(run.clone(), NOW)], "b lives here and is not told");
        post(store, &space, "and more", NOW + 1);
        assert_eq!(pushes(store, NOW + 1), [], "what joins a run that was told is not told again");
        // It waits, and a reply lets it go on.
        let guard = taken(store, NOW + 2);
        let asked = sent(store, &guard, &question(&space, 1, Accept::Reply), NOW + 2);
        assert_eq!(pushes(store, NOW + 2), []);
        reply(store, &space, "husam", &asked.message.node.id, NOW + 3);
        assert_eq!(pushes(store, NOW + 3), [(run.clone(), NOW + 3)]);
        // Its program asks for patience: it is told when that is over.
        let guard = taken(store, NOW + 4);
        held(store.retry(&guard, NOW + 100, Again::Uncounted, "busy", NOW + 4).unwrap());
        assert_eq!(pushes(store, NOW + 99), []);
        assert_eq!(pushes(store, NOW + 100), [(run.clone(), NOW + 100)]);
        // Its program falls silent.
        taken(store, NOW + 101);
        let late = NOW + 101 + caps().lease + caps().grace + 1;
        assert_eq!(store.reclaim(&caps(), late).unwrap(), 1);
        assert_eq!(pushes(store, late), [(run.clone(), late)]);
        // A person lets it go on.
        let guard = taken(store, late);
        held(store.park(&guard, ParkReason::Poison, None, late).unwrap());
        assert_eq!(pushes(store, late + 1), []);
        held(store.unpark(&run, late + 2).unwrap());
        assert_eq!(pushes(store, late + 2), [(run, late + 2)]);
        sound(store, late + 2);
    }

    fn a_wait_that_ends_by_itself_is_told_too(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        told(store, "a");
        post(store, &space, "hello", NOW);
        pushes(store, NOW);
        let guard = taken(store, NOW);
        sent(store, &guard, &question(&space, 1, Accept::Reply), NOW);
        let deadline = store.waits(&guard.run).unwrap()[0].deadline;
        assert_eq!(store.expire_waits(9, deadline).unwrap(), std::slice::from_ref(&guard.run));
        assert_eq!(pushes(store, deadline), [(guard.run, deadline)]);
    }

    fn nobody_is_told_without_a_place_and_what_is_due_is_told_when_there_is_one(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        external(store, "a");
        let run = run_of(&post(store, &space, "hello", NOW), "a");
        assert_eq!(pushes(store, NOW), []);
        told(store, "a");
        store.announce_runs(&ent("a")).unwrap();
        store.announce_runs(&ent("a")).unwrap();
        assert_eq!(pushes(store, NOW), [(run, NOW)]);
        // Who has a place but lives here is done by our workers.
        let mut entity = store.entity(&ent("a")).unwrap();
        entity.external = false;
        store.put_entity(&entity).unwrap();
        let other = crew(store, "t", &["a"]);
        post(store, &other, "hello", NOW);
        assert_eq!(pushes(store, NOW), []);
    }
}
