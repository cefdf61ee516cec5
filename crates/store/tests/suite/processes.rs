//! What a dead process left unfinished ends; what a living one writes does not.

use crate::calls::{done, start, used};
use crate::on_both;
use crate::support::{Fresh, NOW, ent, said, table, team};
use std::time::{Duration, Instant};
use weftwork::model::{Node, NodeId, SpaceId, Status};
use weftwork_store::runs::Scope;
use weftwork_store::{Access, Begun, Cost, Draft, Finish, Names, Outcome, Store};

/// A reply that is being written.
fn reply(store: &Store, space: &SpaceId, call: &str) -> NodeId {
    let draft = Draft::new(said("analyst", "half a"));
    match store.begin_reply(space, draft, start(call), Some(Cost::billionths(10)), NOW).unwrap() {
        Begun::Started { node } => node.node.id,
        Begun::Refused(budget) => panic!("refused: {budget:?}"),
    }
}

fn status(store: &Store, space: &SpaceId, node: &NodeId, call: &str) -> (Status, Option<Outcome>) {
    (store.node(space, node).unwrap().status, store.call(space, call).unwrap().outcome)
}

const OPEN: (Status, Option<Outcome>) = (Status::Pending, None);
const FAILED: (Status, Option<Outcome>) = (Status::Error, Some(Outcome::Failed));

/// Fails what is dead, as soon as the server has noticed.
fn fail(store: &Store) {
    let until = Instant::now() + Duration::from_secs(10);
    while store.fail_pending("the process ended").unwrap() == 0 {
        assert!(Instant::now() < until, "nobody is dead");
        std::thread::yield_now();
    }
}

#[test]
fn what_a_dead_process_left_unfinished_broke_off() {
    for fresh in Fresh::bare() {
        let fresh = fresh.opened();
        let space = team(&fresh);
        fresh.put_budget(&Scope::Agent(ent("analyst")), 0, i64::MAX, 100).unwrap();
        let node = reply(&fresh, &space, "c1");
        assert_eq!(fresh.fail_pending("the process ended").unwrap(), 0, "our own process lives");
        fresh.begin_side_call(&space, &start("c2"), Some(Cost::billionths(20)), NOW).unwrap();
        let fresh = fresh.close().opened();
        fail(&fresh);
        let failed = fresh.node(&space, &node).unwrap();
        assert_eq!((failed.status, failed.error.as_deref()), (Status::Error, Some("the process ended")));
        assert_eq!(failed.parts, said("", "half a").parts);
        for id in ["c1", "c2"] {
            let call = fresh.call(&space, id).unwrap();
            assert_eq!((call.outcome, call.usage, call.cost), (Some(Outcome::Failed), None, None));
        }
        let budget = &fresh.budgets().unwrap()[0];
        assert_eq!((budget.reserved, budget.spent), (0, 30), "nobody knows, so it is spent");
        assert_eq!(fresh.check_invariants(NOW).unwrap(), []);
        assert_eq!(table(&fresh.address, "SELECT node FROM pending"), Vec::<Vec<String>>::new());
    }
}

on_both! {
    fn what_came_unfinished_out_of_a_file_has_nobody_to_end_it(store: &Fresh) {
        let space = team(store);
        let pending = Node { status: Status::Pending, ..said("analyst", "half a") };
        let id = store.append(&space, Draft::new(pending)).unwrap().node.id;
        let mut file = store.export(&space).unwrap();
        file.space.id = "copy".into();
        store.import(&file, Names::Ours, NOW, &mut |_| {}).unwrap();
        assert_eq!(store.fail_pending("never ended").unwrap(), 1);
        assert_eq!(store.node(&file.space.id, &id).unwrap().status, Status::Error);
        assert_eq!(store.node(&space, &id).unwrap().status, Status::Pending);
    }

    fn a_call_of_a_file_that_does_not_tell_its_end_is_left_alone(store: &Fresh) {
        let space = team(store);
        store.import_call(&space, &weftwork::model::Call::new("i1")).unwrap();
        store.fail_pending("the process ended").unwrap();
        assert_eq!(store.call(&space, "i1").unwrap().outcome, None);
    }
}

#[test]
fn of_two_processes_only_the_dead_ones_replies_fail() {
    let one = Fresh::postgres();
    let two = Store::open(&one.address, Access::Write, NOW).unwrap();
    let space = team(&one);
    let (ours, theirs) = (reply(&one, &space, "c1"), reply(&two, &space, "c2"));
    for store in [&*one, &two] {
        assert_eq!(store.fail_pending("the process ended").unwrap(), 0);
    }
    drop(two);
    fail(&one);
    assert_eq!(status(&one, &space, &ours, "c1"), OPEN);
    assert_eq!(status(&one, &space, &theirs, "c2"), FAILED);
    let finish = Finish { parts: said("", "whole").parts, ..Finish::default() };
    one.end_reply(&space, &ours, finish, "c1", &done(used(1, 1))).unwrap();
    assert_eq!(one.check_invariants(NOW).unwrap(), []);
}

/// The lock is lost when its connection is; the next write takes another, and what is under way goes on.
#[test]
fn a_process_that_lost_its_connection_lives_on() {
    let one = Fresh::postgres();
    let two = Store::open(&one.address, Access::Write, NOW).unwrap();
    let space = team(&one);
    let (ours, theirs) = (reply(&one, &space, "c1"), reply(&two, &space, "c2"));
    let numbers = || table(&one.address, "SELECT process FROM pending ORDER BY node");
    let before = numbers();
    one.raw(
        "SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid \
             WHERE l.locktype = 'advisory' AND a.datname = current_database()",
    );
    let until = Instant::now() + Duration::from_secs(10);
    while numbers().iter().zip(&before).any(|(now, before)| now == before) {
        assert!(Instant::now() < until, "nobody noticed");
        for store in [&*one, &two] {
            store.join(&space, &ent("sarah"), None).unwrap();
        }
    }
    for store in [&*one, &two] {
        assert_eq!(store.fail_pending("the process ended").unwrap(), 0);
    }
    for (store, node, call) in [(&*one, &ours, "c1"), (&two, &theirs, "c2")] {
        assert_eq!(status(store, &space, node, call), OPEN);
        let finish = Finish { parts: said("", "whole").parts, ..Finish::default() };
        store.end_reply(&space, node, finish, call, &done(used(1, 1))).unwrap();
    }
}
