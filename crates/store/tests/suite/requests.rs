//! Requests under an idempotency key: done by one, answered the same to all.

use crate::on_both;
use crate::racing::{at_once, others};
use crate::support::{ent, team};
use weftwork_store::{Requested, Store, StoreError};

const LATE: i64 = 10 * 60_000;

on_both! {
    fn a_request_is_done_once_and_answered_the_same_ever_after(store: &Fresh) {
        team(store);
        let begin = |who: &str, key: &str, route: &str, body: u8, now| store.begin_request(&ent(who), key, route, &[body; 32], now);
        assert_eq!(begin("husam", "k", "POST /a", 1, NOW).unwrap(), Requested::Fresh);
        for (who, route, body, expected) in [
            ("husam", "POST /a", 1, Requested::Busy),
            ("husam", "POST /a", 2, Requested::OtherBody),
            ("husam", "POST /b", 1, Requested::OtherBody),
            ("sarah", "POST /b", 2, Requested::Fresh),
        ] {
            assert_eq!(begin(who, "k", route, body, NOW).unwrap(), expected, "{who} {route} {body}");
        }
        assert!(store.end_request(&ent("husam"), "k", 201, b"\0\xff").unwrap());
        assert!(!store.end_request(&ent("husam"), "k", 500, b"").unwrap() && !store.drop_request(&ent("husam"), "k").unwrap());
        let done = Requested::Done { status: 201, answer: b"\0\xff".to_vec() };
        assert_eq!(begin("husam", "k", "POST /a", 1, NOW + 100 * LATE).unwrap(), done);
        assert_eq!(begin("husam", "k", "POST /a", 2, NOW + 100 * LATE).unwrap(), Requested::OtherBody);
        assert!(store.drop_request(&ent("sarah"), "k").unwrap());
        assert_eq!(begin("sarah", "k", "POST /c", 3, NOW).unwrap(), Requested::Fresh);
        for bad in [String::new(), "x".repeat(201), "a\nb".into()] {
            let refused = begin("husam", &bad, "", 0, NOW);
            assert!(matches!(refused, Err(StoreError::BadId { .. })), "{bad:?} {refused:?}");
        }
    }

    fn what_a_dead_process_or_nobody_ends_in_time_may_be_done_again(store: &Fresh) {
        team(store);
        let begin = |now| store.begin_request(&ent("husam"), "k", "r", &[1; 32], now).unwrap();
        assert_eq!((begin(NOW), begin(NOW + LATE - 1), begin(NOW + LATE)), (Requested::Fresh, Requested::Busy, Requested::Fresh));
        assert_eq!(begin(NOW + LATE), Requested::Busy);
        // As if another process had begun it and died.
        store.raw("UPDATE requests SET process = 7");
        assert!(!store.end_request(&ent("husam"), "k", 200, b"").unwrap(), "it is not ours");
        assert_eq!((begin(NOW + LATE), begin(NOW + LATE)), (Requested::Fresh, Requested::Busy));
    }

    fn a_request_that_is_renewed_is_nobody_elses(store: &Fresh) {
        team(store);
        let begin = |now| store.begin_request(&ent("husam"), "k", "r", &[1; 32], now).unwrap();
        let renew = |now| store.renew_request(&ent("husam"), "k", now).unwrap();
        assert_eq!((begin(NOW), renew(NOW + LATE - 1)), (Requested::Fresh, true));
        assert_eq!(begin(NOW + LATE), Requested::Busy);
        assert!(store.end_request(&ent("husam"), "k", 200, b"done").unwrap());
        assert!(!renew(NOW + LATE), "it has its answer");
        assert!(matches!(begin(NOW + 3 * LATE), Requested::Done { .. }));
    }

    fn of_all_who_begin_a_request_at_once_one_does_it(store: &Fresh) {
        team(store);
        let others = others(store);
        let stores: Vec<&Store> = std::iter::once(&**store).chain(&others).collect();
        for round in 0..20 {
            let begin = |_: usize, store: &Store| store.begin_request(&ent("husam"), &format!("k{round}"), "r", &[1; 32], NOW).unwrap();
            let done = at_once(&stores, 8, begin);
            assert_eq!(done.iter().filter(|done| **done == Requested::Fresh).count(), 1, "{done:?}");
            assert_eq!(done.iter().filter(|done| **done == Requested::Busy).count(), 7, "{done:?}");
        }
    }
}
