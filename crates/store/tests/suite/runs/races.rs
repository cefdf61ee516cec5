//! A reply against the wait it is for, from several threads: no reply is ever lost.

use super::support::*;
use crate::on_both;
use crate::support::{Fresh, NOW, ent, from_env};
use fastrand::Rng;
use std::sync::Barrier;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use weftwork_store::Store;
use weftwork_store::runs::{Accept, Caps, RunQuery, RunState, Send, Sent, WaitFor, WaitState};

/// How many rounds: as many as a person waits for, or as many as WEFT_RACES says.
fn rounds() -> u64 {
    from_env("WEFT_RACES", WORLD)
}

/// Rounds in one database: no run lives to see as many in earnest, and what it did is counted again in each.
const WORLD: u64 = 10_000;

/// Passes a moment, so that now one side comes first and now the other.
fn dawdle(rng: &mut Rng) {
    let until = Instant::now() + Duration::from_micros(rng.u64(..400));
    while Instant::now() < until {
        std::hint::spin_loop();
    }
}

/// Spaces in which the same goes on at once, on connections of their own.
const PLACES: u64 = 4;

fn race(fresh: fn() -> Fresh) {
    for _ in 0..rounds().div_ceil(WORLD) {
        race_once(&fresh(), rounds().min(WORLD));
    }
}

fn race_once(store: &Store, rounds: u64) {
    let answers: u64 = std::thread::scope(|scope| {
        let race = |place: u64| scope.spawn(move || race_in(store, place, rounds / PLACES));
        (0..PLACES).map(race).collect::<Vec<_>>().into_iter().map(|racer| racer.join().unwrap()).sum()
    });
    assert!(answers > rounds / 20 && answers < rounds / 20 * 19, "{answers} of {rounds} came after the question");
    sound(store, NOW);
}

/// One run asks again and again, and each time somebody says a word in the same moment. Said before the question, the word
/// wakes another run; said after it, it is the answer. Says how often it was.
fn race_in(store: &Store, place: u64, rounds: u64) -> u64 {
    let endless = Caps { waits: i64::MAX, root_messages: i64::MAX, ..caps() };
    let agent = format!("a{place}");
    let space = crew(store, &format!("s{place}"), &[&agent]);
    let run = run_of(&store.post(&note(&space, "husam", "begin"), &endless, NOW).unwrap(), &agent);
    // Others are at work beside this one: only its own agent's runs are claimed.
    let claim = |now| store.claim_for(&ent(&agent), "worker", 1, &caps(), now).unwrap().remove(0);
    let mut guard = claim(NOW).guard();
    let mut answers = 0;
    std::thread::scope(|scope| {
        let (go, gone) = channel::<i64>();
        let (tell, said) = channel();
        let place_of_word = &space;
        scope.spawn(move || {
            let mut rng = Rng::with_seed(place);
            for now in gone {
                dawdle(&mut rng);
                if tell.send(post(store, place_of_word, "word", now)).is_err() {
                    break;
                }
            }
        });
        let mut rng = Rng::with_seed(place + PLACES);
        for round in 1..=rounds {
            let now = NOW + round as i64;
            go.send(now).unwrap();
            dawdle(&mut rng);
            let question = question(&space, round as u32, Accept::Any);
            let Sent::Posted(asked) = held(store.agent_send(&guard, &question, &endless, now).unwrap()) else {
                panic!("{space}, round {round}: refused")
            };
            let word = said.recv().unwrap();
            let answered = word.message.seq > asked.message.seq;
            assert_eq!(word.resumed.contains(&run), answered, "{space}, round {round}");
            if !answered {
                assert_eq!(post(store, &space, "at last", now).resumed, std::slice::from_ref(&run), "{space}, round {round}");
            }
            answers += u64::from(answered);
            guard = loop {
                let claimed = claim(now);
                if claimed.id == run {
                    break claimed.guard();
                }
                held(store.complete(&claimed.guard(), now).unwrap());
            };
        }
    });
    let waits = store.waits(&run).unwrap();
    assert!(waits.iter().all(|wait| matches!(wait.state, WaitState::Resolved(Some(_)))), "{space}");
    assert_eq!(waits.len() as u64, rounds, "{space}");
    answers
}

#[test]
fn a_reply_and_a_wait_in_one_moment_lose_nothing_sqlite() {
    race(|| Fresh::swift_sqlite().opened());
}

#[test]
fn a_reply_and_a_wait_in_one_moment_lose_nothing_postgres() {
    race(Fresh::postgres);
}

on_both! {
    fn replies_deadline_and_cancel_from_many_threads_have_one_winner(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        for round in 0..rounds() / 50 {
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
            let left = RunQuery { statuses: vec![weftwork::model::RunStatus::Queued], ..RunQuery::default() };
            for run in store.runs(&left).unwrap() {
                store.cancel(&run.id, now).unwrap();
            }
        }
        sound(store, NOW);
    }

    fn agents_and_people_who_talk_at_once_break_no_rule(store: &Fresh) {
        let spaces: Vec<_> = (0..3).map(|n| crew(store, &format!("s{n}"), &["a", "b", "c"])).collect();
        let each = rounds() as usize / 200;
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
