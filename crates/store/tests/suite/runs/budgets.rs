//! Money: reserved before, settled after, never overspent.

use super::support::*;
use crate::on_both;
use crate::support::ent;
use weftwork_store::runs::{Caps, Intended, Intent, Scope, Settled, StepKind, StepRefusal, StepStatus};

fn call(step: u32, most: i64) -> Intent {
    Intent { step, kind: StepKind::Model, request: Some([7; 32]), most: Some(most) }
}

on_both! {
    fn a_step_is_reserved_and_settled(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        store.put_budget(&Scope::Agent(ent("a")), 0, i64::MAX, 100).unwrap();
        store.put_budget(&Scope::Space(space.clone()), 0, i64::MAX, 1_000).unwrap();
        let guard = woken(store, &space, "a", NOW);
        assert_eq!(held(store.step_intent(&guard, &call(1, 60), &caps(), NOW).unwrap()), Intended::Begun);
        let refused = held(store.step_intent(&guard, &call(2, 60), &caps(), NOW).unwrap());
        assert!(matches!(&refused, Intended::Refused(StepRefusal::Budget(budget)) if budget.cap == 100), "{refused:?}");
        sound(store, NOW);
        assert_eq!(held(store.step_done(&guard, 1, &done(10), NOW).unwrap()), Settled::Now);
        assert_eq!(held(store.step_done(&guard, 1, &done(10), NOW).unwrap()), Settled::Before);
        assert_eq!(held(store.step_intent(&guard, &call(2, 60), &caps(), NOW).unwrap()), Intended::Begun);
        let money: Vec<_> = store.budgets().unwrap().iter().map(|budget| (budget.reserved, budget.spent)).collect();
        assert_eq!(money, [(60, 10), (60, 10)]);
        sound(store, NOW);
    }

    fn what_may_cost_anything_is_refused_where_there_is_a_budget(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        let unknown = |step| Intent { most: None, ..call(step, 0) };
        assert_eq!(held(store.step_intent(&guard, &unknown(1), &caps(), NOW).unwrap()), Intended::Begun);
        store.put_budget(&Scope::Agent(ent("a")), 0, i64::MAX, 100).unwrap();
        let refused = held(store.step_intent(&guard, &unknown(2), &caps(), NOW).unwrap());
        assert!(matches!(refused, Intended::Refused(StepRefusal::Budget(_))), "{refused:?}");
        // What was begun before the budget is settled outside of it.
        held(store.step_done(&guard, 1, &done(50), NOW).unwrap());
        assert_eq!(store.budgets().unwrap()[0].spent, 0);
        sound(store, NOW);
    }

    fn a_budget_counts_in_its_own_stretch_of_time(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        store.put_budget(&Scope::Agent(ent("a")), NOW, NOW + 10, 100).unwrap();
        store.put_budget(&Scope::Agent(ent("a")), NOW + 10, NOW + 20, 100).unwrap();
        let guard = woken(store, &space, "a", NOW);
        held(store.step_intent(&guard, &call(1, 100), &caps(), NOW + 9).unwrap());
        assert_eq!(held(store.step_intent(&guard, &call(2, 100), &caps(), NOW + 10).unwrap()), Intended::Begun);
        held(store.step_done(&guard, 1, &done(30), NOW + 15).unwrap());
        let money: Vec<_> = store.budgets().unwrap().iter().map(|budget| (budget.reserved, budget.spent)).collect();
        assert_eq!(money, [(0, 30), (100, 0)]);
        sound(store, NOW);
    }

    fn a_root_may_have_money_of_its_own(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let poor = Caps { root_cost: Some(5), ..caps() };
        store.post(&note(&space, "husam", "go"), &poor, NOW).unwrap();
        let guard = claim(store, NOW).guard();
        let refused = held(store.step_intent(&guard, &call(1, 6), &caps(), NOW).unwrap());
        assert!(matches!(refused, Intended::Refused(StepRefusal::Budget(_))), "{refused:?}");
        assert_eq!(held(store.step_intent(&guard, &call(1, 5), &caps(), NOW).unwrap()), Intended::Begun);
        sound(store, NOW);
    }

    fn what_nobody_knows_the_end_of_is_spent(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        store.put_budget(&Scope::Agent(ent("a")), 0, i64::MAX, 100).unwrap();
        let guard = woken(store, &space, "a", NOW);
        held(store.step_intent(&guard, &call(1, 40), &caps(), NOW).unwrap());
        held(store.fail(&guard, "gone", NOW).unwrap());
        assert_eq!(store.steps(&guard.run).unwrap()[0].status, StepStatus::Unknown);
        let budget = &store.budgets().unwrap()[0];
        assert_eq!((budget.reserved, budget.spent), (0, 40));
        sound(store, NOW);
    }

    fn a_step_begun_by_a_worker_that_died_is_known_to_the_next(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        store.put_budget(&Scope::Agent(ent("a")), 0, i64::MAX, 100).unwrap();
        let old = woken(store, &space, "a", NOW);
        held(store.step_intent(&old, &call(1, 40), &caps(), NOW).unwrap());
        store.reclaim(&caps(), NOW + 36_000).unwrap();
        let now = NOW + 36_000;
        let new = claim(store, now).guard();
        let again = held(store.step_intent(&new, &call(1, 40), &caps(), now).unwrap());
        assert!(matches!(&again, Intended::Before(step) if step.status == StepStatus::Intent && step.epoch == 1), "{again:?}");
        assert_eq!(store.budgets().unwrap()[0].reserved, 40);
        held(store.step_done(&new, 1, &done(4), now).unwrap());
        sound(store, now);
    }

    fn a_run_has_fifty_steps_and_no_more(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        for step in 1..=50 {
            assert_eq!(held(store.step_intent(&guard, &tool(step), &caps(), NOW).unwrap()), Intended::Begun);
        }
        let refused = held(store.step_intent(&guard, &tool(51), &caps(), NOW).unwrap());
        assert_eq!(refused, Intended::Refused(StepRefusal::Steps));
        sound(store, NOW);
    }

    fn a_model_that_failed_costs_what_it_cost_and_takes_no_step(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        store.put_budget(&Scope::Agent(ent("a")), 0, i64::MAX, 100).unwrap();
        let guard = woken(store, &space, "a", NOW);
        for step in 1..=60 {
            assert_eq!(held(store.step_intent(&guard, &call(step, 40), &caps(), NOW).unwrap()), Intended::Begun);
            held(store.step_failed(&guard, step, i64::from(step == 1), NOW).unwrap());
        }
        let budget = &store.budgets().unwrap()[0];
        assert_eq!((budget.reserved, budget.spent), (0, 1));
        held(store.complete(&guard, NOW).unwrap());
        assert_eq!(store.budgets().unwrap()[0].spent, 1);
        sound(store, NOW);
    }

    fn sixty_four_threads_never_overspend(store: &Fresh) {
        store.put_entity(&crate::support::entity("a", weftwork::model::EntityKind::Agent)).unwrap();
        store.put_budget(&Scope::Agent(ent("a")), 0, i64::MAX, 300).unwrap();
        let many = Caps { running: 100, ..caps() };
        for n in 0..64 {
            post(store, &crew(store, &format!("s{n}"), &["a"]), "go", NOW);
        }
        let runs = store.claim("w", 64, &many, NOW).unwrap();
        assert_eq!(runs.len(), 64);
        let begun: usize = std::thread::scope(|scope| {
            let begin = |run: weftwork_store::runs::Run| {
                let store = &**store;
                scope.spawn(move || {
                    let began = held(store.step_intent(&run.guard(), &call(1, 100), &caps(), NOW).unwrap());
                    usize::from(began == Intended::Begun)
                })
            };
            let threads: Vec<_> = runs.into_iter().map(begin).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(begun, 3);
        sound(store, NOW);
    }
}
