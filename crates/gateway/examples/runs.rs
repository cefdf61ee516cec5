//! What runs cost, on a file and on a server: from a message that was accepted to the run that answers it, how many messages
//! and runs fit into a second, and how long it takes to tell an agent of 200 spaces where it stands.
//!
//! The model is the one on board and answers at once, so the numbers are those of the store and of the way through the
//! gateway. The file is on the disk of the temporary folder and every commit reaches it. `make runs-bench` runs this beside a
//! PostgreSQL of its own; without one only the file is measured. `told` as its argument measures the last only. Prints
//! numbers; judges nothing. On a machine that has other things to do the fastest of many says most of what a thing takes.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use weftwork::catalogue::Catalogue;
use weftwork::model::{Conversation, Entity, EntityId, EntityKind, Goal, Memory, Node, Space, SpaceId};
use weftwork_gateway::schedule::{Cron, Schedule};
use weftwork_gateway::tools::{self, Environment, MemoryPins, Toolbox};
use weftwork_gateway::{Gateway, Message, Point, Points, Time, Worker, WorkerSettings};
use weftwork_provider::{Config, Providers};
use weftwork_store::runs::{Caps, NewPlan, RunQuery};
use weftwork_store::{Access, Address, Draft, Store};

/// Messages that are answered one after the other.
const ONE_BY_ONE: usize = 300;
/// Messages that are accepted as fast as they come, by this many at once, and the runs that they wake.
const MESSAGES: usize = 1_500;
const WRITERS: usize = 8;
/// To how many spaces an agent belongs that is told where it stands, and who belongs to each.
const SPACES: [usize; 3] = [1, 20, 200];
const MEMBERS: usize = 5;
/// What was said in the space in which it is woken: a timeline is full.
const SAID: usize = 60;
/// How often it is told.
const TOLD: usize = 300;
/// What is known of it besides.
const KEPT: usize = 10;

/// How fast messages and runs go through.
struct Pace {
    started: Vec<Duration>,
    messages: f64,
    runs: f64,
}

/// What was measured on one database.
struct Numbers {
    pace: Option<Pace>,
    /// From a claim to a request, for each number of spaces.
    told: [Told; 3],
}

/// How long it takes to tell an agent where it stands.
struct Told {
    /// Where it stood before.
    again: Vec<Duration>,
    /// When something of that has changed.
    anew: Vec<Duration>,
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis() as i64
}

fn main() {
    let folder = std::env::temp_dir().join(format!("weft-runs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = measure(&Address::File(folder.join("weft.db")));
    let server = std::env::var("WEFT_TEST_POSTGRES").ok().map(|url| measure(&Address::Postgres(url)));
    std::fs::remove_dir_all(&folder).expect("the folder");
    print(&file, server.as_ref());
}

fn measure(address: &Address) -> Numbers {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let store = Arc::new(Store::open(address, Access::Write, now()).expect("a store"));
    let config = Config::parse("").expect("a configuration");
    let providers = Arc::new(Providers::new(&config, Catalogue::built_in(), |_| None).expect("providers"));
    let servers = tools::Config::parse("").expect("a configuration");
    let toolbox = Toolbox::new(servers, Environment::default(), Arc::new(MemoryPins::default()));
    let time: Time = Arc::new(now);
    let gateway = runtime.block_on(Gateway::open(store, providers, toolbox, "offline", time)).expect("a gateway");
    let bench = Bench { runtime, gateway };
    let pace = std::env::args().all(|arg| arg != "told").then(|| {
        let started = bench.one_by_one();
        let (messages, runs) = bench.all_at_once();
        Pace { started, messages, runs }
    });
    Numbers { pace, told: SPACES.map(|count| bench.told(count)) }
}

struct Bench {
    runtime: tokio::runtime::Runtime,
    gateway: Gateway,
}

/// Tells when a driver comes to its first point: it has read what it needs, and begins.
struct Begins(Mutex<Sender<(Point, Instant)>>);

impl Points for Begins {
    fn pass(&self, point: Point) -> bool {
        let heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = heard.send((point, Instant::now()));
        true
    }
}

fn begins() -> (Begins, Receiver<(Point, Instant)>) {
    let (tell, heard) = channel();
    (Begins(Mutex::new(tell)), heard)
}

impl Bench {
    fn store(&self) -> &Store {
        self.gateway.store()
    }

    fn space(&self, id: &str, members: &[String]) -> SpaceId {
        let mut header = Conversation::new(Space::new(id, id));
        header.entities = members.iter().map(|name| entity(name)).collect();
        self.store().create_space(&header, now()).expect("a space");
        header.space.id
    }

    /// Says something, and says when it was accepted.
    fn post(&self, space: &SpaceId, text: &str) -> Instant {
        let posted = self.runtime.block_on(self.gateway.post(space, &EntityId::from("husam"), Message::text(text)));
        posted.expect("posted");
        Instant::now()
    }

    /// From a message that was accepted to the first step of the run that answers it.
    fn one_by_one(&self) -> Vec<Duration> {
        let space = self.space("one", &["husam".into(), "Ann".into()]);
        let (points, heard) = begins();
        let worker =
            self.runtime.block_on(async { Worker::start_with(&self.gateway, WorkerSettings::default(), Arc::new(points)) });
        let mut started = Vec::new();
        for _ in 0..ONE_BY_ONE {
            let accepted = self.post(&space, "!say Yes.");
            let mut first = None;
            // A run of one step passes four points.
            for (point, at) in heard.iter() {
                first = first.or(Some(at));
                if point == Point::Written {
                    break;
                }
            }
            started.push(first.unwrap_or(accepted).saturating_duration_since(accepted));
            while self.store().runs(&RunQuery { limit: 1, ..RunQuery::default() }).expect("runs")[0].ended_at.is_none() {
                std::thread::yield_now();
            }
        }
        self.runtime.block_on(worker.drain());
        started
    }

    /// Messages accepted in a second, and runs done in one.
    fn all_at_once(&self) -> (f64, f64) {
        let each = MESSAGES / WRITERS;
        let spaces: Vec<SpaceId> =
            (0..MESSAGES).map(|at| self.space(&format!("many-{at}"), &["husam".into(), format!("B{}", at % 40)])).collect();
        let begun = Instant::now();
        std::thread::scope(|scope| {
            for mine in spaces.chunks(each.max(1)) {
                scope.spawn(move || {
                    for space in mine {
                        self.post(space, "!say Yes.");
                    }
                });
            }
        });
        let messages = MESSAGES as f64 / begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        let worker = self.runtime.block_on(async { Worker::start(&self.gateway, WorkerSettings::default()) });
        let last = RunQuery { statuses: vec![weftwork::model::RunStatus::Queued], limit: 1, ..RunQuery::default() };
        while !self.store().runs(&last).expect("runs").is_empty() {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.runtime.block_on(worker.drain());
        (messages, MESSAGES as f64 / begun.elapsed().as_secs_f64())
    }

    /// From a claim to a request that is ready, hash and all, for an agent of so many spaces with five members each, with
    /// goals, memories and plans, in a space in which more was said than a timeline shows. One piece: nothing is left out of
    /// it. The store keeps where an agent stands while that does not change; so it is measured with a change before each
    /// claim, too.
    fn told(&self, count: usize) -> Told {
        let agent = format!("Zoe{count}");
        let spaces: Vec<SpaceId> = (0..count)
            .map(|at| {
                let others = (0..MEMBERS - 2).map(|who| format!("person-{}", (at * 3 + who) % 150));
                let members = ["husam".into(), agent.clone()].into_iter().chain(others).collect::<Vec<_>>();
                self.space(&format!("told-{count}-{at}"), &members)
            })
            .collect();
        let home = &spaces[count / 2];
        for at in 0..SAID {
            let node = Node::new("", None, "husam").text(format!("Message {at} of the team, about as long as people write."));
            self.store().append(home, Draft::new(node)).expect("said");
        }
        let agent = EntityId::from(agent.as_str());
        self.keep(&agent);
        let again = (0..TOLD).map(|_| self.told_once(home)).collect();
        let memories = self.store().memories(&agent).expect("memories");
        let anew = (0..TOLD).map(|_| {
            self.store().set_memories(&agent, &memories).expect("memories");
            self.told_once(home)
        });
        Told { again, anew: anew.collect() }
    }

    fn told_once(&self, home: &SpaceId) -> Duration {
        self.post(home, "!say Yes.");
        let run = self.store().claim("bench", 1, &Caps::default(), now()).expect("a claim").pop().expect("a run");
        let (points, heard) = begins();
        let begun = Instant::now();
        self.runtime.block_on(self.gateway.attend(run, &WorkerSettings::default(), &points)).expect("done");
        heard.recv().expect("a point").1 - begun
    }

    /// Goals, memories and plans of an agent.
    fn keep(&self, agent: &EntityId) {
        let goals: Vec<Goal> = (0..KEPT)
            .map(|at| Goal { text: format!("Goal {at} of the quarter"), priority: Some(at as i64), long_term: at % 2 == 0 })
            .collect();
        let memories: Vec<Memory> = (0..KEPT)
            .map(|at| Memory { topic: format!("topic {at}"), text: format!("What was learned about it, number {at}.") })
            .collect();
        self.store().set_goals(agent, &goals).expect("goals");
        self.store().set_memories(agent, &memories).expect("memories");
        let cron = Cron::parse("0 9 * * 1", Some("Europe/Berlin")).expect("a line");
        for at in 0..KEPT {
            let plan = NewPlan {
                id: format!("plan-{at}"),
                name: format!("Plan {at}"),
                instruction: "Look whether the report is due.".to_owned(),
                schedule: Schedule::Cron(cron.clone()).to_text(),
                next_fire: Some(now() + 86_400_000),
                chain: None,
            };
            self.store().put_plan(agent, &plan).expect("a plan");
        }
    }
}

fn entity(name: &str) -> Entity {
    let kind = if name.starts_with(char::is_uppercase) { EntityKind::Agent } else { EntityKind::Human };
    Entity::new(name, name, kind)
}

/// The value below which this share of them lies, in milliseconds.
fn share(of: &[Duration], share: f64) -> f64 {
    let mut sorted = of.to_vec();
    sorted.sort_unstable();
    let at = (sorted.len() as f64 * share) as usize;
    sorted[at.min(sorted.len() - 1)].as_secs_f64() * 1e3
}

fn print(file: &Numbers, server: Option<&Numbers>) {
    let row = |what: &str, read: &dyn Fn(&Numbers) -> f64| {
        let ours = read(file);
        match server.map(read) {
            Some(theirs) => println!("{what:<50} {ours:>10.2} {theirs:>10.2} {:>8.2}", theirs / ours),
            None => println!("{what:<50} {ours:>10.2} {:>10} {:>8}", "-", "-"),
        }
    };
    println!("{:<50} {:>10} {:>10} {:>8}", "", "SQLite", "PostgreSQL", "ratio");
    type Read = fn(&Pace) -> f64;
    let paces: [(&str, Read); 4] = [
        ("message accepted to run begun, p50, ms", |of| share(&of.started, 0.5)),
        ("message accepted to run begun, p99, ms", |of| share(&of.started, 0.99)),
        ("messages accepted per second", |of| of.messages),
        ("runs done per second", |of| of.runs),
    ];
    for (what, read) in paces.into_iter().filter(|_| file.pace.is_some()) {
        row(what, &|of| of.pace.as_ref().map_or(0.0, read));
    }
    for (at, spaces) in SPACES.into_iter().enumerate() {
        let parts = [("fastest", 0.0), ("p50", 0.5), ("p95", 0.95)];
        for (name, part) in parts {
            row(&format!("claim to request, agent of {spaces} spaces, {name}, ms"), &|of| share(&of.told[at].again, part));
        }
        for (name, part) in parts {
            row(&format!("… after a change, {name}, ms"), &|of| share(&of.told[at].anew, part));
        }
    }
}
