//! Faults (reliability §B) as they look from a gateway. What the store alone answers for is proved in its own suite
//! (`crates/store/tests/suite`, written with a slash below), what a process answers for in `takeover`.
//!
//! | case | test |
//! |---|---|
//! | F1 | a_message_sent_again_under_its_key_is_one_message; crash/what_was_acknowledged_is_there_once |
//! | F2, F3 | a_run_that_dies_at_any_point_says_everything_once; runs/faults, crash |
//! | F4, F5 | runs/races, 10,000 on each database; runs/waits |
//! | F6 | of_two_replies_the_first_resumes_and_the_second_is_new |
//! | F7 | two_workers_do_every_run_once; runs/claims |
//! | F8 | simulator; takeover; runs/stale |
//! | F9 | whose_heart_cannot_beat_stops_by_itself |
//! | F10, F11 | runs/claims/a_start_takes_runs_from_those_who_are_gone_and_from_nobody_else |
//! | F12 | what_cannot_be_kept_is_refused; runs/claims/an_id_that_is_empty_is_refused |
//! | F13 | a_run_that_kills_its_worker_each_time_is_parked_and_the_others_go_on |
//! | F14 | a_reply_to_a_run_that_was_stopped_is_a_message_like_any |
//! | F15 | acting/who_leaves_the_space_of_its_run_reads_nothing_of_it_any_more; runs/waits |
//! | F16 | two_who_would_wait_for_each_other_are_told |
//! | F17 | a_reply_after_a_month_and_a_restart_goes_on |
//! | F18 | what_was_deleted_meanwhile_is_not_shown |
//! | F19 | what_comes_while_a_run_works_is_new_to_the_next |
//! | F20 | without_any_hint_a_worker_finds_its_work |
//! | F21 | runs/marks/a_push_is_repeated_under_the_same_key_until_it_is_marked |
//! | F31 | models/a_provider_that_asks_for_patience_gets_it_and_nothing_is_charged |
//! | F32 | models/what_another_attempt_cannot_mend_waits_for_a_person |
//! | F33 | models/what_another_attempt_may_mend_gets_five |
//! | F41 | models/a_model_that_says_nothing_ends_its_run |
//! | F42 | models/a_model_that_goes_in_circles_is_stopped |
//! | F43 | models/a_run_that_is_stopped_while_its_model_speaks_says_nothing |
//! | F44 | a_long_history_never_hides_the_trigger |
//! | F48, F49, F50 | a_clock_that_jumps_fires_a_plan_once; runs/plans |
//! | F51 | a_plan_that_its_agent_took_back_never_fires |
//! | F52 | none: the next time is computed from the schedule each time, with the rules on board |
//! | F53 | a_plan_that_is_slower_than_its_period_skips_a_turn |
//! | F55 to F58 | storm |

mod models;

use crate::scene::World;
use crate::simulator::hand::Hand;
use crate::simulator::stage;
use crate::support::ent;
use crate::worlds;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use weftwork::model::Goal;
use weftwork_gateway::{Ended, Message, Point, Points, PostError, Worker, WorkerSettings};
use weftwork_store::runs::{Caps, ParkReason, Run, RunQuery, RunState, Scope, WaitState};
use weftwork_store::{CallsOf, Draft, Outcome};

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;

/// Dies at one point, counted from the first, and goes on at all others.
struct DiesAt {
    point: usize,
    passed: AtomicUsize,
}

impl DiesAt {
    fn point(point: usize) -> DiesAt {
        DiesAt { point, passed: AtomicUsize::new(0) }
    }

    fn has_died(&self) -> bool {
        self.passed.load(Ordering::SeqCst) > self.point
    }
}

impl Points for DiesAt {
    fn pass(&self, _: Point) -> bool {
        self.passed.fetch_add(1, Ordering::SeqCst) != self.point
    }
}

fn never() -> DiesAt {
    DiesAt::point(usize::MAX)
}

fn claim(world: &World) -> Option<Run> {
    world.store().claim("worker", 1, &Caps::default(), world.now()).expect("a claim").pop()
}

/// Does whatever is due with a driver that may die, and lets its claims run out when it did.
fn work(world: &World, points: &DiesAt) {
    while let Some(run) = claim(world) {
        if world.wait(world.gateway.attend(run, &world.settings, points)).is_err() {
            world.pass(36_000);
            world.store().reclaim(&Caps::default(), world.now()).expect("reclaimed");
        }
    }
}

/// The same world with models that lose no time.
fn hurried(world: World, config: &str) -> World {
    let World { gateway, fresh, time, settings, runtime } = world;
    drop(gateway);
    let gateway = stage::gateway(&runtime, &fresh, &time, config);
    World { gateway, fresh, time, settings, runtime }
}

/// Waits until something is so.
fn until(what: &str, mut so: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(30);
    while !so() {
        assert!(Instant::now() < end, "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn quick(owner: &str) -> WorkerSettings {
    let [poll, heartbeat, fence] = [20, 50, 5_000].map(Duration::from_millis);
    WorkerSettings { owner: owner.into(), poll, heartbeat, fence, ..WorkerSettings::default() }
}

worlds! {
    fn a_message_sent_again_under_its_key_is_one_message(world: World) {
        let space = world.space("team", &["husam", "Ann"]);
        let message = Message { key: Some("k1".into()), ..Message::text("!send Hi.") };
        let first = world.send(&space, "husam", message.clone());
        world.settle();
        let again = world.send(&space, "husam", message.clone());
        assert!(again.message.repeated);
        assert_eq!((again.message.node.id, again.woken), (first.message.node.id, first.woken));
        let other = Message { text: "something else".into(), ..message };
        assert!(world.wait(world.gateway.post(&space, &ent("husam"), other)).is_err());
        world.settle();
        assert_eq!(world.said(&space), ["husam: !send Hi.", "Ann: Hi."]);
        world.sound();
    }

    fn a_run_that_dies_at_any_point_says_everything_once(world: World) {
        let script = "!send one\n!say x\n!call set_goals {\"add\": [{\"text\": \"GOAL\"}]}\n!send two\n!say y\n!wait three\n!send four";
        for point in 0.. {
            let space = world.space(&format!("s{point}"), &["husam", "Ann"]);
            let driver = DiesAt::point(point);
            world.post(&space, "husam", &script.replace("GOAL", &format!("g{point}")));
            work(&world, &driver);
            let run = world.runs("Ann").pop().expect("a run");
            assert_eq!(run.state, RunState::WaitingReply, "point {point}");
            world.post(&space, "husam", "go on");
            work(&world, &driver);
            let said = ["Ann: one", "Ann: two", "Ann: three", "husam: go on", "Ann: four"];
            assert_eq!(world.said(&space)[1..], said, "point {point}");
            assert_eq!(world.store().run(&run.id).expect("the run").state, RunState::Completed, "point {point}");
            let goal = |goal: &&Goal| goal.text == format!("g{point}");
            assert_eq!(world.store().goals(&ent("Ann")).expect("goals").iter().filter(goal).count(), 1, "point {point}");
            assert_eq!(world.runs("Ann").len(), point + 1, "nothing else was woken");
            world.store().set_goals(&ent("Ann"), &[]).expect("no goals");
            if !driver.has_died() {
                assert!(point > 20, "{point} points");
                break;
            }
        }
        world.sound();
    }

    fn of_two_replies_the_first_resumes_and_the_second_is_new(world: World) {
        let space = world.space("team", &["husam", "sarah", "Ann"]);
        world.post(&space, "husam", "!wait Which quarter?\n!send Thanks.");
        world.settle();
        world.post(&space, "husam", "Q4");
        world.post(&space, "sarah", "Q3");
        world.settle();
        let run = world.runs("Ann")[0].clone();
        let system = world.system(&run.id);
        assert!(system.contains("← RESUME: husam replied."), "{system}");
        let (before, new) = system.split_once("NEW since msg:").expect("a mark");
        assert!(before.contains("sarah (human, id:sarah): \"Q3\"\n") && !new.starts_with("Q3"), "{system}");
        assert_eq!(world.store().waits(&run.id).expect("waits").len(), 1);
        assert_eq!(world.said(&space).iter().filter(|line| *line == "Ann: Thanks.").count(), 1);
        world.sound();
    }

    fn two_workers_do_every_run_once(world: World) {
        let spaces: Vec<_> = (0..8).map(|at| world.space(&format!("s{at}"), &["husam", "Ann", "Ben"])).collect();
        let workers: Vec<Worker> = ["one", "two"].map(|owner| world.wait(async { Worker::start(&world.gateway, quick(owner)) })).into();
        for space in &spaces {
            world.post(space, "husam", "!call get_my_runs {}");
        }
        let runs = || world.store().runs(&RunQuery::default()).expect("runs");
        until("all runs end", || runs().iter().all(|run| run.state == RunState::Completed));
        workers.into_iter().for_each(|worker| world.wait(worker.drain()));
        assert_eq!(runs().len(), 16);
        for run in runs() {
            assert_eq!((run.epoch, world.store().calls(CallsOf::Run(run.id.as_str())).expect("calls").len()), (1, 2), "{run:?}");
        }
        assert_eq!(world.gateway.notes(), [""; 0]);
        world.sound();
    }

    fn what_cannot_be_kept_is_refused(world: World) {
        let space = world.space("team", &["husam", "Ann"]);
        let text = Message::text("hello");
        let bad = [
            Message { key: Some(String::new()), ..text.clone() },
            Message { key: Some("k".repeat(1_000)), ..text.clone() },
            Message { key: Some("a\0b".into()), ..text.clone() },
            Message { reply_to: Some("nothing".into()), ..text.clone() },
            Message { parent: Some("nothing".into()), ..text.clone() },
        ];
        for message in bad {
            let refused = world.wait(world.gateway.post(&space, &ent("husam"), message.clone()));
            assert!(matches!(refused, Err(PostError::Gateway(_))), "{message:?}: {refused:?}");
        }
        for who in ["nobody", "", "Ann"] {
            let refused = world.wait(world.gateway.post(&space, &ent(who), text.clone()));
            assert!(refused.is_err(), "{who}: {refused:?}");
        }
        assert_eq!(world.said(&space), [""; 0]);
        assert!(world.runs("Ann").is_empty());
        world.sound();
    }

    fn a_run_that_kills_its_worker_each_time_is_parked_and_the_others_go_on(world: World) {
        let space = world.space("team", &["husam", "Ann", "Ben"]);
        world.post(&space, "husam", "!say Hm.");
        let mut deaths = 0;
        while let Some(run) = claim(&world) {
            let points = if run.agent == ent("Ann") { DiesAt::point(0) } else { never() };
            deaths += usize::from(world.wait(world.gateway.attend(run, &world.settings, &points)).is_err());
            world.pass(36_000);
            world.store().reclaim(&Caps::default(), world.now()).expect("reclaimed");
        }
        assert_eq!(deaths, 5);
        assert_eq!(world.states("Ann"), [RunState::Parked(ParkReason::Poison)]);
        assert_eq!(world.states("Ben"), [RunState::Completed]);
        world.sound();
    }

    fn a_reply_to_a_run_that_was_stopped_is_a_message_like_any(world: World) {
        let space = world.space("team", &["husam", "Ann"]);
        world.post(&space, "husam", "!wait Which quarter?\n!send Thanks.");
        world.settle();
        let stopped = world.runs("Ann")[0].clone();
        world.store().cancel(&stopped.id, world.now()).expect("canceled");
        let question = world.store().waits(&stopped.id).expect("waits")[0].message.clone();
        let reply = world.send(&space, "husam", Message { reply_to: question, ..Message::text("!say Q4") });
        assert_eq!((reply.resumed.len(), reply.woken.len()), (0, 1));
        world.settle();
        assert_eq!(world.states("Ann"), [RunState::Canceled, RunState::Completed]);
        assert_eq!(world.said(&space).len(), 3);
        world.sound();
    }

    fn two_who_would_wait_for_each_other_are_told(world: World) {
        let named = |space: &mut weftwork::model::Space| space.wake = weftwork::model::Wake::Mentioned;
        let (one, two) = (world.space_with("one", &["husam", "Ann", "Ben"], named), world.space_with("two", &["husam", "Ann", "Ben"], named));
        world.post(&one, "husam", "@Ann\n!call send_message {\"text\": \"Ben?\", \"wait\": true, \"accept\": [\"Ben\"]}");
        world.settle();
        world.post(&two, "husam", "@Ben\n!call send_message {\"text\": \"Ann?\", \"wait\": true, \"accept\": [\"Ann\"]}");
        world.settle();
        let results = world.results(&world.runs("Ben")[0].id);
        assert!(results[0].contains("everyone who could reply is waiting for you"), "{results:?}");
        assert_eq!((world.states("Ann"), world.states("Ben")), (vec![RunState::WaitingReply], vec![RunState::Completed]));
        world.sound();
    }

    fn a_reply_after_a_month_and_a_restart_goes_on(world: World) {
        let space = world.space("team", &["husam", "Ann"]);
        world.post(&space, "husam", "!call send_message {\"text\": \"When?\", \"wait\": true, \"timeout\": \"60 days\"}");
        world.settle();
        world.pass(30 * DAY);
        let world = world.configured("");
        world.settle();
        assert_eq!(world.states("Ann"), [RunState::WaitingReply]);
        world.post(&space, "husam", "!send Today, then.");
        world.settle();
        assert_eq!(world.states("Ann"), [RunState::Completed]);
        assert_eq!(world.said(&space)[1..], ["Ann: When?", "husam: !send Today, then.", "Ann: Today, then."]);
        world.sound();
    }

    fn what_was_deleted_meanwhile_is_not_shown(world: World) {
        let space = world.space("team", &["husam", "Ann"]);
        let secret = world.post(&space, "husam", "the secret word");
        let trigger = world.post(&space, "husam", "the other secret");
        for posted in [&secret, &trigger] {
            world.store().delete_message(&space, &posted.message.node.id, world.now()).expect("deleted");
        }
        world.settle();
        let runs = world.runs("Ann");
        assert_eq!(runs.len(), 1);
        for request in world.requests(&runs[0].id) {
            assert!(!request.contains("secret"), "{request}");
        }
        world.sound();
    }

    fn what_comes_while_a_run_works_is_new_to_the_next(world: World) {
        let space = world.space("team", &["husam", "Ann"]);
        world.post(&space, "husam", "!say first");
        let mut hand = Hand::new("hand", &world.gateway, world.runtime.handle());
        assert!(hand.take(claim(&world).expect("a run")).is_none());
        while hand.point != Some(Point::Done) {
            assert!(hand.go_on().is_none());
        }
        let second = world.post(&space, "husam", "!say second").message.node.id;
        assert!(matches!(hand.finish(), Ok(Ended::In(RunState::Completed))));
        assert_eq!(world.cursor(&space, "Ann"), 1, "only what it has seen is read");
        world.settle();
        let system = world.system(&world.runs("Ann")[1].id);
        assert!(system.contains(&format!("NEW since msg:{second}")), "{system}");
        assert_eq!(world.cursor(&space, "Ann"), 0);
        world.sound();
    }

    fn without_any_hint_a_worker_finds_its_work(world: World) {
        let space = world.space("team", &["husam", "Ann"]);
        let worker = world.wait(async { Worker::start(&world.gateway, quick("w")) });
        // Straight into the store, as another process would: nobody tells the worker.
        let post = weftwork_store::runs::Post {
            space: space.clone(),
            draft: Draft::new(crate::support::said("husam", "!send Here.")),
            wake: Default::default(),
            expects_reply: false,
        };
        world.store().post(&post, &Caps::default(), world.now()).expect("posted");
        until("it is found", || world.states("Ann") == [RunState::Completed]);
        world.wait(worker.drain());
        assert_eq!(world.said(&space)[1..], ["Ann: Here."]);
    }

    fn whose_heart_cannot_beat_stops_by_itself(world: World) {
        let space = world.space("team", &["husam", "Ann"]);
        world.post(&space, "husam", "!stall 60\n!send Too late.");
        let run = claim(&world).expect("a run");
        let [heartbeat, fence] = [50, 300].map(Duration::from_millis);
        let settings = WorkerSettings { heartbeat, fence, ..quick("w") };
        let (gateway, driver) = (world.gateway.clone(), run.clone());
        let driving = world.runtime.spawn(async move { gateway.attend(driver, &settings, &never()).await });
        until("it is at work", || !world.store().calls(CallsOf::Run(run.id.as_str())).expect("calls").is_empty());
        // Nobody can write: the heart cannot beat, though the process is well.
        let locked = Locked::new(&world.fresh.address);
        std::thread::sleep(Duration::from_secs(1));
        drop(locked);
        until("it gives up, long before its model has spoken", || driving.is_finished());
        let left = world.wait(driving).expect("a driver");
        assert!(matches!(left, Ok(Ended::Lost)), "{left:?}");
        let calls = world.store().calls(CallsOf::Run(run.id.as_str())).expect("calls");
        assert_eq!(calls.iter().map(|call| call.outcome).collect::<Vec<_>>(), [Some(Outcome::Canceled)]);
        assert_eq!(world.said(&space).len(), 1);
        world.pass(36_000);
        // A beat that comes too late may hold the run for a moment: it is passed over then.
        until("it is given back", || {
            world.store().reclaim(&Caps::default(), world.now()).expect("reclaimed");
            world.states("Ann") == [RunState::Queued]
        });
        world.sound();
    }

    fn a_long_history_never_hides_the_trigger(world: World) {
        let world = hurried(world, "[providers.offline]\nkind = \"offline\"\n[providers.offline.models.offline]\ncontext_length = 8000");
        let space = world.space("team", &["husam", "sarah", "Ann"]);
        for at in 0..40 {
            world.post(&space, "sarah", &format!("{at} {}", "and so on ".repeat(200)));
        }
        world.post(&space, "husam", "!wait Which quarter?");
        world.settle();
        let run = world.runs("Ann")[0].clone();
        assert_eq!(run.state, RunState::WaitingReply, "{run:?}");
        let answer = world.post(&space, "husam", "!send The fourth.").message.node.id;
        for at in 0..20 {
            world.post(&space, "sarah", &format!("{at} {}", "and so on ".repeat(200)));
        }
        world.settle();
        let system = world.requests(&run.id).concat();
        assert!(system.contains("omitted"), "nothing had to go");
        assert!(system.contains(&format!("msg:{answer}")), "the answer that resumed it is there");
        assert!(world.said(&space).iter().any(|line| line == "Ann: The fourth."));
        world.sound();
    }

    fn a_clock_that_jumps_fires_a_plan_once(world: World) {
        let space = world.space("team", &["husam", "Ann"]);
        world.post(&space, "husam", "!call set_plans {\"add\": [{\"name\": \"often\", \"instruction\": \"!say tick\", \"cron\": \"*/10 * * * *\"}]}");
        world.settle();
        let fired = || world.runs("Ann").len() - 1;
        for (jump, expected) in [(10 * MINUTE, 1), (DAY, 2), (-2 * 60 * MINUTE, 2), (2 * 60 * MINUTE, 2), (10 * MINUTE, 3)] {
            world.pass(jump);
            world.settle();
            world.settle();
            assert_eq!(fired(), expected, "after {jump} ms");
        }
        world.sound();
    }

    fn a_plan_that_its_agent_took_back_never_fires(world: World) {
        let space = world.space("team", &["husam", "Ann"]);
        world.post(&space, "husam", "!call set_plans {\"add\": [{\"name\": \"soon\", \"instruction\": \"!say no\", \"runAfter\": \"5 minutes\"}]}");
        world.settle();
        let plan = world.store().plans(&ent("Ann")).expect("plans").remove(0);
        world.post(&space, "husam", &format!("!call set_plans {{\"remove\": [\"{}\"]}}", plan.id));
        world.settle();
        world.pass(DAY);
        world.settle();
        assert_eq!(world.runs("Ann").len(), 2);
        world.sound();
    }

    fn a_plan_that_is_slower_than_its_period_skips_a_turn(world: World) {
        let space = world.space("team", &["husam", "Ann"]);
        let slow = "!call send_message {\\\"text\\\": \\\"Well?\\\", \\\"spaceId\\\": \\\"team\\\", \\\"wait\\\": true}";
        world.post(&space, "husam", &format!("!call set_plans {{\"add\": [{{\"name\": \"slow\", \"instruction\": \"{slow}\", \"cron\": \"*/10 * * * *\"}}]}}"));
        world.settle();
        for _ in 0..3 {
            world.pass(10 * MINUTE);
            world.settle();
        }
        assert_eq!(world.states("Ann"), [RunState::Completed, RunState::WaitingReply]);
        world.post(&space, "husam", "!say Well.");
        world.settle();
        world.pass(10 * MINUTE);
        world.settle();
        assert_eq!(world.states("Ann"), [RunState::Completed, RunState::Completed, RunState::WaitingReply]);
        let waits = world.store().waits(&world.runs("Ann")[2].id).expect("waits");
        assert_eq!(waits[0].state, WaitState::Open);
        world.sound();
    }
}

/// Somebody who lets nobody write.
enum Locked {
    File(#[allow(dead_code)] rusqlite::Connection),
    Server(#[allow(dead_code)] Box<postgres::Client>),
}

impl Locked {
    fn new(address: &weftwork_store::Address) -> Locked {
        match address {
            weftwork_store::Address::File(path) => {
                let conn = rusqlite::Connection::open(path).expect("the file");
                conn.busy_timeout(Duration::from_secs(5)).expect("patience");
                conn.execute_batch("BEGIN IMMEDIATE").expect("the lock");
                Locked::File(conn)
            }
            weftwork_store::Address::Postgres(url) => {
                let mut client = postgres::Client::connect(url, postgres::NoTls).expect("the server");
                client.batch_execute("BEGIN; LOCK TABLE runs IN SHARE MODE").expect("the lock");
                Locked::Server(Box::new(client))
            }
        }
    }
}
