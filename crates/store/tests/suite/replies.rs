//! A reply begins and ends as one: its node, its call, its money.

use crate::calls::{done, start, used};
use crate::on_both;
use crate::support::{ent, node, said, say, table, team};
use weftwork::model::{Node, Purpose, SpaceId, Status};
use weftwork_store::runs::Scope;
use weftwork_store::{
    Appended, Begun, BegunCall, CallEnd, CallStart, CallsOf, Cost, Draft, Finish, MoveHead, Outcome, Parent, Store, StoreError,
};

/// A reply of the analyst, empty.
fn draft() -> Draft {
    Draft::new(Node { parts: Vec::new(), ..said("analyst", "") })
}

fn most(billionths: i64) -> Option<Cost> {
    Some(Cost::billionths(billionths))
}

fn begin(store: &Store, space: &SpaceId, call: &str, cost: Option<Cost>) -> Begun {
    store.begin_reply(space, draft(), start(call), cost, crate::support::NOW).unwrap()
}

fn begun(store: &Store, space: &SpaceId, call: &str, cost: Option<Cost>) -> Appended {
    match begin(store, space, call, cost) {
        Begun::Started { node } => *node,
        Begun::Refused(budget) => panic!("refused: {budget:?}"),
    }
}

fn finish(text: &str) -> Finish {
    Finish { parts: said("", text).parts, ..Finish::default() }
}

fn cost(billionths: i64) -> CallEnd {
    CallEnd { cost: most(billionths), ..done(used(10, 2)) }
}

/// What each budget has reserved and spent.
fn money(store: &Store) -> Vec<(i64, i64)> {
    crate::runs::support::sound(store, crate::support::NOW);
    store.budgets().unwrap().iter().map(|budget| (budget.reserved, budget.spent)).collect()
}

on_both! {
    fn a_reply_begins_with_its_node_its_call_and_its_money(store: &Fresh) {
        let space = team(store);
        store.put_budget(&Scope::Agent(ent("analyst")), 0, i64::MAX, 100).unwrap();
        store.put_budget(&Scope::Space(space.clone()), 0, i64::MAX, 1_000).unwrap();
        store.put_budget(&Scope::Agent(ent("sarah")), 0, i64::MAX, 1).unwrap();
        store.put_budget(&Scope::Space(space.clone()), NOW + 1, NOW + 2, 1).unwrap();
        say(store, &space, "husam", "question");
        let reply = begun(store, &space, "c1", most(60));
        assert_eq!(reply.node.status, Status::Pending);
        assert_eq!(store.call(&space, "c1").unwrap().node, Some(reply.node.id.clone()));
        assert_eq!(money(store), [(60, 0), (60, 0), (0, 0), (0, 0)]);
        let ended = store.end_reply(&space, &reply.node.id, finish("answer"), "c1", &cost(7)).unwrap();
        assert_eq!((ended.status, ended.parts), (Status::Sent, said("", "answer").parts));
        let call = store.call(&space, "c1").unwrap();
        assert_eq!((call.outcome, call.cost), (Some(Outcome::Done), most(7)));
        assert_eq!(money(store), [(0, 7), (0, 7), (0, 0), (0, 0)]);
    }

    fn what_a_budget_refuses_leaves_no_trace(store: &Fresh) {
        let space = team(store);
        store.put_budget(&Scope::Space(space.clone()), 0, i64::MAX, 1_000).unwrap();
        store.put_budget(&Scope::Agent(ent("analyst")), 0, i64::MAX, 100).unwrap();
        say(store, &space, "husam", "question");
        for cost in [most(101), None] {
            let refused = begin(store, &space, "c1", cost);
            assert!(matches!(&refused, Begun::Refused(budget) if budget.cap == 100 || cost.is_none()), "{refused:?}");
            let refused = store.begin_side_call(&space, &start("c1"), cost, NOW).unwrap();
            assert!(matches!(refused, BegunCall::Refused(_)), "{refused:?}");
        }
        assert_eq!(store.calls(CallsOf::Space(&space)).unwrap(), []);
        assert_eq!(store.export(&space).unwrap().nodes.len(), 1);
        assert_eq!(table(&store.address, "SELECT hash FROM blobs"), Vec::<Vec<String>>::new());
        assert_eq!(money(store), [(0, 0), (0, 0)]);
    }

    fn what_nobody_knows_the_cost_of_has_cost_all_that_was_reserved(store: &Fresh) {
        let space = team(store);
        store.put_budget(&Scope::Agent(ent("analyst")), 0, i64::MAX, 100).unwrap();
        let begun = store.begin_side_call(&space, &CallStart { purpose: Purpose::Title, ..start("c1") }, most(40), NOW).unwrap();
        assert_eq!(begun, BegunCall::Started);
        store.end_call(&space, "c1", &CallEnd { outcome: Outcome::Canceled, usage: None, ..done(used(0, 0)) }).unwrap();
        assert_eq!(money(store), [(0, 40)]);
        let again = store.end_call(&space, "c1", &cost(1));
        assert!(matches!(again, Err(StoreError::CallEnded { .. })), "{again:?}");
        store.begin_side_call(&space, &start("c2"), most(60), NOW).unwrap();
        store.end_call(&space, "c2", &cost(75)).unwrap();
        assert_eq!(money(store), [(0, 115)], "what was spent is told, also above the cap");
        assert!(matches!(begin(store, &space, "c3", most(0)), Begun::Refused(_)));
    }

    fn an_end_that_fails_ends_nothing(store: &Fresh) {
        let space = team(store);
        store.put_budget(&Scope::Agent(ent("analyst")), 0, i64::MAX, 100).unwrap();
        let reply = begun(store, &space, "c1", most(50)).node.id;
        let missing = store.end_reply(&space, &reply, finish("answer"), "c2", &cost(7));
        assert!(matches!(missing, Err(StoreError::NoCall { .. })), "{missing:?}");
        let missing = store.end_reply(&space, &node("nowhere"), finish("answer"), "c1", &cost(7));
        assert!(matches!(missing, Err(StoreError::NoNode { .. })), "{missing:?}");
        assert_eq!(store.node(&space, &reply).unwrap().status, Status::Pending);
        assert_eq!((store.call(&space, "c1").unwrap().outcome, money(store)), (None, vec![(50, 0)]));
        store.end_reply(&space, &reply, finish("answer"), "c1", &cost(7)).unwrap();
        let again = store.end_reply(&space, &reply, finish("answer"), "c1", &cost(7));
        assert!(matches!(again, Err(StoreError::Final { .. })), "{again:?}");
        assert_eq!(money(store), [(0, 7)]);
    }

    fn the_same_reply_is_begun_once(store: &Fresh) {
        let space = team(store);
        store.put_budget(&Scope::Agent(ent("analyst")), 0, i64::MAX, 100).unwrap();
        say(store, &space, "husam", "question");
        let begin = |call: &str, key: &str| store.begin_reply(&space, draft().key(key), start(call), most(40), NOW);
        let ids = [begin("c1", "k1"), begin("c1", "k1")].map(|begun| match begun.unwrap() {
            Begun::Started { node } => (node.node.id, node.repeated),
            Begun::Refused(budget) => panic!("refused: {budget:?}"),
        });
        assert_eq!((&ids[0].0, ids[0].1, ids[1].1), (&ids[1].0, false, true));
        for other in [begin("c2", "k1"), begin("c1", "k2")] {
            assert!(matches!(other, Err(StoreError::Taken { .. })), "{other:?}");
        }
        assert_eq!((store.export(&space).unwrap().nodes.len(), money(store)), (2, vec![(40, 0)]));
    }

    fn replies_begun_at_once_never_overspend(store: &Fresh) {
        let space = team(store);
        store.put_budget(&Scope::Space(space.clone()), 0, i64::MAX, 300).unwrap();
        let started: usize = std::thread::scope(|scope| {
            let begin = |at: i32| {
                let (store, space) = (&**store, &space);
                scope.spawn(move || match at % 2 {
                    0 => matches!(begin(store, space, &format!("c{at}"), most(100)), Begun::Started { .. }),
                    _ => {
                        let begun = store.begin_side_call(space, &start(&format!("c{at}")), most(100), NOW).unwrap();
                        begun == BegunCall::Started
                    }
                })
            };
            let threads: Vec<_> = (0..16).map(begin).collect();
            threads.into_iter().map(|thread| usize::from(thread.join().unwrap())).sum()
        });
        assert_eq!((started, money(store)), (3, vec![(300, 0)]));
    }

    fn a_request_for_an_older_node_is_purged_with_what_it_may_hold(store: &Fresh) {
        let space = team(store);
        let first = say(store, &space, "husam", "first").node.id;
        let before = CallStart { node: Some(first.clone()), ..start("before") };
        store.begin_side_call(&space, &before, None, NOW).unwrap();
        let secret = say(store, &space, "husam", "secret").node.id;
        store.begin_side_call(&space, &CallStart { node: Some(first), ..start("after") }, None, NOW).unwrap();
        store.purge(&space, &secret, NOW).unwrap();
        assert!(store.exchange(&space, "before").unwrap().request.is_some());
        assert_eq!(store.exchange(&space, "after").unwrap().request, None);
    }

    fn the_tip_below_a_node_is_where_its_lane_ends(store: &Fresh) {
        let space = team(store);
        let main: Vec<_> = ["a", "b", "c"].map(|text| say(store, &space, "husam", text).node.id).into();
        let fork = Draft { parent: Parent::Node(main[0].clone()), head: MoveHead::Nobody, ..Draft::new(said("sarah", "d")) };
        let fork = store.append(&space, fork).unwrap().node.id;
        let end = store.append(&space, Draft { head: MoveHead::Nobody, ..Draft::new(said("sarah", "e")).on(fork.clone()) });
        let end = end.unwrap().node.id;
        for (node, tip) in [(&main[0], &main[2]), (&main[1], &main[2]), (&main[2], &main[2]), (&fork, &end), (&end, &end)] {
            assert_eq!(store.tip_below(&space, node).unwrap(), *tip);
        }
        assert!(matches!(store.tip_below(&space, &node("nowhere")), Err(StoreError::NoNode { .. })));
    }
}
