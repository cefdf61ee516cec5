//! A reply against the wait it is for, from several threads: no reply is ever lost.

use super::support::*;
use crate::on_both;
use crate::support::ent;
use std::sync::Barrier;
use weftwork_store::runs::{Accept, RunQuery, RunState, Send, WaitFor, WaitState};

/// How many rounds: as many as a person waits for, or as many as WEFT_RACES says.
fn rounds() -> usize {
    std::env::var("WEFT_RACES").ok().and_then(|count| count.parse().ok()).unwrap_or(300)
}

on_both! {
    fn a_reply_and_a_wait_in_one_moment_lose_nothing(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        for round in 0..rounds() {
            let now = NOW + round as i64;
            let guard = woken(store, &space, "a", now);
            let start = Barrier::new(2);
            let (asked, said) = std::thread::scope(|scope| {
                let ask = scope.spawn(|| {
                    start.wait();
                    sent(store, &guard, &question(&space, 1, Accept::Any), now)
                });
                let say = scope.spawn(|| {
                    start.wait();
                    post(store, &space, "word", now)
                });
                (ask.join().unwrap(), say.join().unwrap())
            });
            // Said before the question it wakes another run; said after it, it is the answer.
            let answered = said.message.seq > asked.message.seq;
            assert_eq!(said.resumed.contains(&guard.run), answered, "round {round}");
            assert_eq!(store.run(&guard.run).unwrap().state == RunState::Queued, answered, "round {round}");
            store.cancel(&guard.run, now).unwrap();
            let left = RunQuery { agent: Some(ent("a")), status: Some(weftwork::model::RunStatus::Queued), ..RunQuery::default() };
            for run in store.runs(&left).unwrap() {
                store.cancel(&run.id, now).unwrap();
            }
        }
        sound(store, NOW);
    }

    fn replies_deadline_and_cancel_from_many_threads_have_one_winner(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        for round in 0..rounds() / 2 {
            let now = NOW + round as i64;
            let guard = woken(store, &space, "a", now);
            let soon = WaitFor { accept: Accept::Any, deadline: Some(now) };
            sent(store, &guard, &Send { wait: Some(soon), ..message(&space, 1, "?") }, now);
            let start = Barrier::new(4);
            let resumed: usize = std::thread::scope(|scope| {
                let reply = || {
                    start.wait();
                    post(store, &space, "reply", now).resumed.len()
                };
                let (one, two) = (scope.spawn(reply), scope.spawn(reply));
                let expired = scope.spawn(|| {
                    start.wait();
                    store.expire_waits(9, now).unwrap().len()
                });
                let canceled = scope.spawn(|| {
                    start.wait();
                    store.cancel(&guard.run, now).unwrap();
                });
                canceled.join().unwrap();
                one.join().unwrap() + two.join().unwrap() + expired.join().unwrap()
            });
            let wait = store.waits(&guard.run).unwrap().remove(0);
            let expected = usize::from(matches!(wait.state, WaitState::Resolved(_) | WaitState::Expired));
            assert_eq!(resumed, expected, "round {round}: {:?}", wait.state);
            assert_eq!(store.run(&guard.run).unwrap().state, RunState::Canceled);
            let left = RunQuery { status: Some(weftwork::model::RunStatus::Queued), ..RunQuery::default() };
            for run in store.runs(&left).unwrap() {
                store.cancel(&run.id, now).unwrap();
            }
        }
        sound(store, NOW);
    }

    fn agents_and_people_who_talk_at_once_break_no_rule(store: &Fresh) {
        let spaces: Vec<_> = (0..3).map(|n| crew(store, &format!("s{n}"), &["a", "b", "c"])).collect();
        let each = rounds() / 6;
        std::thread::scope(|scope| {
            for space in &spaces {
                scope.spawn(move || (0..each).for_each(|round| drop(post(store, space, "word", NOW + round as i64))));
            }
            for n in 0..3 {
                let spaces = &spaces;
                scope.spawn(move || {
                    for round in 0..each * 3 {
                        let now = NOW + round as i64;
                        for run in store.claim(&format!("w{n}"), 2, &caps(), now).unwrap() {
                            let place = &spaces[(round + n) % 3];
                            let step = run.progress + 1;
                            let what = if round % 2 == 0 { message(place, step, "hm") } else { question(place, step, Accept::Any) };
                            let _ = store.agent_send(&run.guard(), &what, &caps(), now).unwrap();
                            let _ = store.complete(&run.guard(), now).unwrap();
                        }
                        store.expire_waits(2, now).unwrap();
                    }
                });
            }
        });
        sound(store, NOW);
    }
}
