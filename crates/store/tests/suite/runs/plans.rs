//! Plans and deliveries: never twice.

use super::support::*;
use crate::on_both;
use crate::support::ent;
use weftwork_store::runs::{Delivered, Delivery, Refusal, RunQuery, StoredPlan, TriggerKind};

/// Due every hour.
fn hourly(_: &StoredPlan, first: i64, now: i64) -> (i64, Option<i64>) {
    let latest = first + (now - first) / HOUR * HOUR;
    (latest, Some(latest + HOUR))
}

/// Due once.
fn never_again(_: &StoredPlan, first: i64, _: i64) -> (i64, Option<i64>) {
    (first, None)
}

const HOUR: i64 = 3_600_000;

fn delivery(id: &str, body: u8) -> Delivery {
    Delivery { source: "ci".into(), id: id.into(), hash: [body; 32], agent: ent("a"), payload: r#"{"ok":true}"#.into() }
}

on_both! {
    fn a_plan_fires_when_it_is_due_and_once(store: &Fresh) {
        crew(store, "s", &["a"]);
        store.put_plan(&ent("a"), &once("p", NOW + 5)).unwrap();
        assert_eq!(store.fire_plans(9, &caps(), NOW + 4, &never_again).unwrap(), []);
        let fired = store.fire_plans(9, &caps(), NOW + 7, &never_again).unwrap();
        assert_eq!((fired.len(), fired[0].scheduled_for), (1, NOW + 5));
        let run = store.run(fired[0].run.as_ref().unwrap()).unwrap();
        assert_eq!((run.space, run.depth), (None, 0));
        assert_eq!(store.triggers(&run.id).unwrap()[0].kind, TriggerKind::Plan);
        assert_eq!(store.fire_plans(9, &caps(), NOW + HOUR, &never_again).unwrap(), []);
        sound(store, NOW);
    }

    fn of_missed_times_the_latest_fires_once(store: &Fresh) {
        crew(store, "s", &["a"]);
        store.put_plan(&ent("a"), &once("p", NOW)).unwrap();
        let fired = store.fire_plans(9, &caps(), NOW + 3 * HOUR + 1, &hourly).unwrap();
        assert_eq!(fired.iter().map(|fire| fire.scheduled_for).collect::<Vec<_>>(), [NOW + 3 * HOUR]);
        assert_eq!(store.plans(&ent("a")).unwrap()[0].next_fire, Some(NOW + 4 * HOUR));
        sound(store, NOW);
    }

    fn a_plan_that_stands_still_has_ended(store: &Fresh) {
        crew(store, "s", &["a"]);
        store.put_plan(&ent("a"), &once("p", NOW)).unwrap();
        assert_eq!(store.fire_plans(9, &caps(), NOW + HOUR, &|_, first, now| (first, Some(now))).unwrap().len(), 1);
        assert_eq!(store.plans(&ent("a")).unwrap()[0].next_fire, None);
        sound(store, NOW);
    }

    fn a_clock_that_goes_back_repeats_nothing(store: &Fresh) {
        crew(store, "s", &["a"]);
        store.put_plan(&ent("a"), &once("p", NOW)).unwrap();
        assert_eq!(store.fire_plans(9, &caps(), NOW, &hourly).unwrap().len(), 1);
        store.put_plan(&ent("a"), &once("p", NOW)).unwrap();
        assert_eq!(store.fire_plans(9, &caps(), NOW, &hourly).unwrap(), []);
        assert_eq!(store.runs(&RunQuery::default()).unwrap().len(), 1);
        sound(store, NOW);
    }

    fn a_plan_whose_run_has_not_ended_skips_a_turn(store: &Fresh) {
        crew(store, "s", &["a"]);
        store.put_plan(&ent("a"), &once("p", NOW)).unwrap();
        store.fire_plans(9, &caps(), NOW, &hourly).unwrap();
        let second = store.fire_plans(9, &caps(), NOW + HOUR, &hourly).unwrap();
        assert_eq!(second[0].run, Err(Refusal::Overlap));
        held(store.complete(&claim(store, NOW).guard(), NOW).unwrap());
        assert!(store.fire_plans(9, &caps(), NOW + 2 * HOUR, &hourly).unwrap()[0].run.is_ok());
        sound(store, NOW);
    }

    fn a_plan_that_was_removed_or_moved_does_not_fire(store: &Fresh) {
        crew(store, "s", &["a"]);
        store.put_plan(&ent("a"), &once("gone", NOW)).unwrap();
        store.put_plan(&ent("a"), &once("moved", NOW)).unwrap();
        assert!(store.remove_plan(&ent("a"), "gone").unwrap());
        assert!(!store.remove_plan(&ent("a"), "gone").unwrap());
        store.put_plan(&ent("a"), &once("moved", NOW + HOUR)).unwrap();
        assert_eq!(store.fire_plans(9, &caps(), NOW, &never_again).unwrap(), []);
        assert_eq!(store.plans(&ent("a")).unwrap()[0].version, 2);
        sound(store, NOW);
    }

    fn many_workers_fire_a_plan_once(store: &Fresh) {
        crew(store, "s", &["a"]);
        for n in 0..50 {
            store.put_plan(&ent("a"), &once(&format!("p{n}"), NOW)).unwrap();
        }
        let fired: usize = std::thread::scope(|scope| {
            let worker = |_| {
                let store = &**store;
                scope.spawn(move || (0..20).map(|_| store.fire_plans(7, &caps(), NOW, &hourly).unwrap().len()).sum::<usize>())
            };
            let workers: Vec<_> = (0..6).map(worker).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).sum()
        });
        assert_eq!((fired, store.runs(&RunQuery::default()).unwrap().len()), (50, 50));
        sound(store, NOW);
    }

    fn a_delivery_begins_one_run(store: &Fresh) {
        crew(store, "s", &["a"]);
        let Delivered::Started(run) = store.deliver(&delivery("d1", 1), &caps(), NOW).unwrap() else { panic!() };
        assert_eq!(store.deliver(&delivery("d1", 1), &caps(), NOW).unwrap(), Delivered::Before(run.clone()));
        assert_eq!(store.deliver(&delivery("d1", 2), &caps(), NOW).unwrap(), Delivered::Differs);
        assert_eq!(store.triggers(&run).unwrap()[0].body.as_deref(), Some(r#"{"service":"ci","payload":{"ok":true}}"#));
        assert_eq!(store.runs(&RunQuery::default()).unwrap().len(), 1);
        assert!(store.deliver(&delivery("", 1), &caps(), NOW).is_err());
        sound(store, NOW);
    }

    fn a_delivery_repeated_by_many_at_once_begins_one_run(store: &Fresh) {
        crew(store, "s", &["a"]);
        let started: usize = std::thread::scope(|scope| {
            let worker = |_| {
                let store = &**store;
                let one = move |n: usize| matches!(
                    store.deliver(&delivery(&format!("d{n}"), 1), &caps(), NOW).unwrap(),
                    Delivered::Started(_)
                );
                scope.spawn(move || (0..30).filter(|n| one(*n)).count())
            };
            let workers: Vec<_> = (0..6).map(worker).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).sum()
        });
        assert_eq!(started, 30);
        sound(store, NOW);
    }
}
