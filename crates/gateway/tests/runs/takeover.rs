//! Several processes on one PostgreSQL, some of them killed or frozen while their models speak: others take over in time, and
//! nothing is said twice.
//!
//! WEFT_TAKEOVERS rounds with short leases (6); the numbers that are shipped, once.

use crate::support::{Fresh, again, ent, entity, from_env, said, spelled};
use fastrand::Rng;
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use weftwork::catalogue::Catalogue;
use weftwork::model::{Conversation, EntityKind, RunStatus, Space, SpaceId};
use weftwork_gateway::tools::{self, Environment, Toolbox};
use weftwork_gateway::{Gateway, KeptPins, Time, Worker, WorkerSettings};
use weftwork_provider::{Config, Providers};
use weftwork_store::runs::{Caps, Post, Run, RunQuery, RunState};
use weftwork_store::{Access, Address, Draft, Seq, Store, StoreError};

/// Takeover with the numbers that are shipped: a lease of 30 s, 5 s of grace, a look every 5 s, and a little for the rest.
const IN_TIME: Duration = Duration::from_secs(45);

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis() as i64
}

/// What a process goes by.
#[derive(Clone, Copy)]
enum Numbers {
    Shipped,
    Short,
}

impl Numbers {
    fn caps(self) -> Caps {
        match self {
            Numbers::Shipped => Caps::default(),
            Numbers::Short => Caps { lease: 1_500, grace: 250, ..Caps::default() },
        }
    }

    fn settings(self, owner: &str) -> WorkerSettings {
        let slots = from_env("WEFT_SLOTS", 2) as usize;
        let usual = WorkerSettings { owner: owner.to_owned(), slots, ..WorkerSettings::default() };
        match self {
            Numbers::Shipped => usual,
            Numbers::Short => {
                let [poll, heartbeat, fence, reclaim] = [100, 400, 1_000, 250].map(Duration::from_millis);
                WorkerSettings { poll, heartbeat, fence, reclaim, ..usual }
            }
        }
    }
}

/// A process that works until it is killed, or until whoever started it is gone.
#[test]
fn worker() {
    let Ok(address) = std::env::var("WEFT_WORKER") else { return };
    let owner = std::env::var("WEFT_OWNER").expect("a name");
    let numbers =
        if std::env::var("WEFT_NUMBERS").is_ok_and(|numbers| numbers == "short") { Numbers::Short } else { Numbers::Shipped };
    let store = Arc::new(Store::open(&Address::parse(&address), Access::Write, now()).expect("a store"));
    let providers = Providers::new(&Config::parse("").expect("a configuration"), Catalogue::built_in(), |_| None);
    let time: Time = Arc::new(now);
    let pins = Arc::new(KeptPins::new(store.clone(), time.clone()));
    let tools = Toolbox::new(tools::Config::parse("").expect("a configuration"), Environment::default(), pins);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let open = Gateway::open(store, Arc::new(providers.expect("providers")), tools, "offline", time);
    let gateway = runtime.block_on(open).expect("a gateway").with_caps(numbers.caps());
    let _worker = runtime.block_on(async { Worker::start(&gateway, numbers.settings(&owner)) });
    println!("at work");
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
    std::process::exit(0);
}

/// A process of ours.
struct Process {
    child: Child,
    owner: String,
}

impl Process {
    fn start(fresh: &Fresh, numbers: Numbers, owner: &str, slots: usize) -> Process {
        let mut command = again("takeover::worker", "WEFT_WORKER", &spelled(&fresh.address));
        let word = match numbers {
            Numbers::Shipped => "shipped",
            Numbers::Short => "short",
        };
        command.env("WEFT_OWNER", owner).env("WEFT_NUMBERS", word).env("WEFT_SLOTS", slots.to_string());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("a process");
        let lines = BufReader::new(child.stdout.as_mut().expect("its words")).lines();
        let ready = lines.map_while(Result::ok).any(|line| line.contains("at work"));
        assert!(ready, "{owner} never began");
        Process { child, owner: owner.to_owned() }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("a signal");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A space of its own for each agent.
fn spaces(store: &Store, count: usize) -> Vec<SpaceId> {
    let make = |at: usize| {
        let mut header = Conversation::new(Space::new(format!("s{at}"), "Space"));
        header.entities = vec![entity("husam", EntityKind::Human), entity(&format!("A{at}"), EntityKind::Agent)];
        store.create_space(&header, now()).expect("a space");
        header.space.id
    };
    (0..count).map(make).collect()
}

fn post(store: &Store, space: &SpaceId, text: &str) {
    let draft = Draft::new(said("husam", text));
    let post = Post {
        space: space.clone(),
        draft: draft.key(text.to_owned().replace('\n', " ")),
        wake: Default::default(),
        expects_reply: false,
    };
    // Somebody who is frozen may hold the space for a while.
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        match store.post(&post, &Caps::default(), now()) {
            Err(StoreError::Busy { .. } | StoreError::Conflict { .. }) if Instant::now() < end => {}
            posted => return drop(posted.expect("posted")),
        }
    }
}

fn runs(store: &Store, status: Option<RunStatus>) -> Vec<Run> {
    store.runs(&RunQuery { statuses: status.into_iter().collect(), ..RunQuery::default() }).expect("runs")
}

/// How long it takes until something is so.
fn until(what: &str, most: Duration, mut so: impl FnMut() -> bool) -> Duration {
    let begun = Instant::now();
    while !so() {
        assert!(begun.elapsed() < most, "not within {most:?}: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
    begun.elapsed()
}

/// What agents said, and how often.
fn said_by_agents(store: &Store, spaces: &[SpaceId]) -> BTreeMap<String, usize> {
    let mut said = BTreeMap::new();
    for space in spaces {
        for (_, node) in store.after(space, Seq(0), 100_000).expect("nodes") {
            if node.author != ent("husam") {
                *said.entry(crate::scene::text(&node)).or_default() += 1;
            }
        }
    }
    said
}

#[test]
fn who_is_killed_or_frozen_is_replaced_and_nothing_is_said_twice() {
    let (rounds, seed) = (from_env("WEFT_TAKEOVERS", 6), from_env("WEFT_TAKEOVER_SEED", 1));
    let mut rng = Rng::with_seed(seed);
    let fresh = Fresh::postgres();
    let spaces = spaces(&fresh, 4);
    let mut count = 0;
    let mut start = |fresh: &Fresh| {
        count += 1;
        Process::start(fresh, Numbers::Short, &format!("process-{count}"), 2)
    };
    let mut processes: Vec<Process> = (0..2).map(|_| start(&fresh)).collect();
    let mut slowest = Duration::ZERO;
    for round in 0..rounds {
        for (at, space) in spaces.iter().enumerate() {
            let slow = if rng.bool() { "!stall 0.4" } else { "!stream 20\n!say one two three four five six seven eight" };
            post(&fresh, space, &format!("{slow}\n!send r{round}a{at}\n!say x\n!stall 0.2\n!send r{round}b{at}"));
        }
        std::thread::sleep(Duration::from_millis(rng.u64(20..1_200)));
        let victim = rng.usize(..processes.len());
        let frozen = rng.bool();
        processes[victim].signal(if frozen { Signal::STOP } else { Signal::KILL });
        // Nothing of a round is left when the next begins, so the time is that of the takeover and of the work itself.
        let all_done = || runs(&fresh, None).iter().all(|run| run.state == RunState::Completed);
        slowest = slowest.max(until(&format!("seed {seed}, round {round}: all runs end"), Duration::from_secs(40), all_done));
        if frozen {
            processes[victim].signal(Signal::CONT);
        } else {
            processes[victim] = start(&fresh);
        }
    }
    // Those who were frozen have had their say, if they had any.
    drop(processes);
    let said = said_by_agents(&fresh, &spaces);
    assert_eq!(said.len() as u64, rounds * 8, "seed {seed}: {said:?}");
    assert!(said.values().all(|count| *count == 1), "seed {seed}: {said:?}");
    assert_eq!(fresh.check_invariants(now()).expect("a check"), [], "seed {seed}");
    let again = runs(&fresh, None).iter().filter(|run| run.epoch > 1).count();
    eprintln!("{rounds} rounds, {again} runs taken over, the slowest round {slowest:?}");
}

#[test]
fn with_the_numbers_that_are_shipped_a_run_is_taken_over_within_45_seconds() {
    let fresh = Fresh::postgres();
    let spaces = spaces(&fresh, 2);
    let start = |owner, slots| Process::start(&fresh, Numbers::Shipped, owner, slots);
    let (killed, frozen) = (start("killed", 1), start("frozen", 1));
    let at_work =
        |owner: &str| runs(&fresh, Some(RunStatus::Running)).into_iter().find(|run| run.owner.as_deref() == Some(owner));
    for (at, space) in spaces.iter().enumerate() {
        post(&fresh, space, &format!("!stall 20\n!send word {at}"));
    }
    until("both are at work", Duration::from_secs(20), || {
        [&killed, &frozen].iter().all(|process| at_work(&process.owner).is_some())
    });
    let mut third = start("third", 4);
    let theirs: Vec<Run> = [&killed, &frozen].iter().filter_map(|process| at_work(&process.owner)).collect();
    killed.signal(Signal::KILL);
    frozen.signal(Signal::STOP);
    let taken = || theirs.iter().all(|run| fresh.run(&run.id).expect("a run").epoch > run.epoch);
    let took = until("others have the runs", IN_TIME, taken);
    until("all is said", Duration::from_secs(60), || runs(&fresh, None).iter().all(|run| run.state == RunState::Completed));
    let before = said_by_agents(&fresh, &spaces);
    frozen.signal(Signal::CONT);
    // Whatever it was about to do it has done when it takes up something new.
    third.signal(Signal::KILL);
    third.child.wait().expect("its end");
    post(&fresh, &spaces[0], "!send afterwards");
    until("it goes on", Duration::from_secs(30), || said_by_agents(&fresh, &spaces).contains_key("afterwards"));
    let mut after = said_by_agents(&fresh, &spaces);
    assert_eq!(after.remove("afterwards"), Some(1));
    assert_eq!((after, before.len()), (before.clone(), 2));
    assert!(before.values().all(|count| *count == 1), "{before:?}");
    assert_eq!(fresh.check_invariants(now()).expect("a check"), []);
    eprintln!("taken over after {took:?}");
}
