//! kill -9: what was acknowledged is there, once, and nothing is there in half.
//!
//! A process writes and says what was acknowledged; it is killed at any moment and started again, and tries again what it
//! does not know to be done, under the same keys. On PostgreSQL the server is killed too, now and then.
//!
//! This shows that a commit is whole and that a retry is harmless. It cannot show that a commit is on disk: what a killed
//! process wrote is kept by the system. For that see `faults`, and the settings that each connection makes.

use crate::sound;
use crate::support::{Fresh, NOW, again, entity, from_env, said, spelled, table};
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use weftwork::model::{Conversation, EntityKind, Node, Space, SpaceId, Status};
use weftwork_store::{Access, Address, Appended, Draft, Finish, Flag, Names, Seq, Store, StoreError};

/// Threads of the process that is killed.
const THREADS: usize = 3;
/// Steps that belong together: an edit, a reply that is written and ends, a flag, a file.
const BLOCK: u64 = 8;
const NODES_OF_FILE: i64 = 5;
const FLAGS: [Flag; 5] = [Flag::ContextEdge, Flag::Excluded, Flag::Pruned, Flag::Pinned, Flag::Bookmarked];

/// The next step of each thread.
type Next = [u64; THREADS];

/// An acknowledgement.
#[derive(Clone, Debug)]
struct Ack {
    thread: usize,
    step: u64,
    id: String,
    seq: i64,
}

fn space(step: u64) -> SpaceId {
    format!("s{}", step / BLOCK % 3).into()
}

fn text(thread: usize, step: u64) -> String {
    format!("{thread} says {step}{}", " and so on".repeat((step * 37 % 200) as usize))
}

/// What a step adds, if it adds a node.
fn draft(thread: usize, step: u64) -> Option<Draft> {
    let author = if thread.is_multiple_of(2) { "husam" } else { "sarah" };
    let node = match step % BLOCK {
        0 | 1 | 2 | 7 => said(author, &text(thread, step)),
        3 => Node { status: Status::Pending, parts: Vec::new(), ..said("analyst", "") },
        _ => return None,
    };
    Some(Draft::new(node).key(format!("{thread}/{step}")))
}

/// The process that is killed: it writes for ever, or until a step.
#[test]
fn writer() {
    let Ok(address) = std::env::var("WEFT_WRITER") else { return };
    let address = Address::parse(&address);
    let from: Vec<u64> = std::env::var("WEFT_FROM").unwrap().split(',').map(|step| step.parse().unwrap()).collect();
    let until = from_env("WEFT_UNTIL", u64::MAX);
    let store = patiently(|| Store::open(&address, Access::Write, NOW));
    for at in 0..3 {
        let mut header = Conversation::new(Space::new(space(at * BLOCK), "Crash"));
        header.entities =
            vec![entity("husam", EntityKind::Human), entity("sarah", EntityKind::Human), entity("analyst", EntityKind::Agent)];
        patiently(|| match store.create_space(&header, NOW) {
            Err(StoreError::Taken { .. }) => Ok(()),
            result => result,
        });
    }
    std::thread::scope(|scope| {
        for (thread, &from) in from.iter().enumerate() {
            let store = &store;
            scope.spawn(move || {
                for step in from..until {
                    let (id, Seq(seq)) = patiently(|| take(store, thread, step));
                    println!("ack {thread} {step} {id} {seq}");
                }
            });
        }
    });
}

/// Tries again while the server cannot be reached.
fn patiently<T>(mut work: impl FnMut() -> Result<T, StoreError>) -> T {
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        match work() {
            Ok(value) => return value,
            Err(StoreError::Unreachable { .. }) if Instant::now() < until => std::thread::sleep(Duration::from_millis(20)),
            Err(error) => {
                eprintln!("the writer gave up: {error:?}");
                std::process::exit(1);
            }
        }
    }
}

/// Does one step; done twice, it does nothing more.
fn take(store: &Store, thread: usize, step: u64) -> Result<(String, Seq), StoreError> {
    let space = space(step);
    let before = |step: u64| -> Result<Appended, StoreError> {
        let found = store.append(&space, draft(thread, step).unwrap())?;
        assert!(found.repeated, "step {step} of thread {thread} was acknowledged and is gone");
        Ok(found)
    };
    match step % BLOCK {
        4 => {
            let pending = before(step - 1)?;
            let end = Finish { parts: said("analyst", &text(thread, step)).parts, ..Finish::default() };
            match store.finish(&space, &pending.node.id, end) {
                Ok(_) | Err(StoreError::Final { .. }) => Ok((pending.node.id.to_string(), pending.seq)),
                Err(error) => Err(error),
            }
        }
        5 => {
            let flagged = before(step - 4)?;
            store.set_flag(&space, &flagged.node.id, FLAGS[(step / BLOCK) as usize % FLAGS.len()], true, NOW)?;
            before(step - 4).map(|found| (found.node.id.to_string(), found.seq))
        }
        6 => {
            let file = file(thread, step);
            let done = store.import(&file, Names::Ours, NOW, &mut |_| {})?;
            assert_eq!(done.added + done.known, NODES_OF_FILE as u64);
            Ok((file.space.id.to_string(), Seq(NODES_OF_FILE)))
        }
        7 => {
            let draft = draft(thread, step).unwrap().on(before(step - 7)?.node.id);
            store.append(&space, draft).map(|done| (done.node.id.to_string(), done.seq))
        }
        _ => store.append(&space, draft(thread, step).unwrap()).map(|done| (done.node.id.to_string(), done.seq)),
    }
}

fn file(thread: usize, step: u64) -> Conversation {
    let mut file = Conversation::new(Space::new(format!("file-{thread}-{step}"), "File"));
    file.entities = vec![entity("husam", EntityKind::Human)];
    for at in 0..NODES_OF_FILE {
        let parent = file.nodes.last().map(|node: &Node| node.id.clone());
        file.nodes.push(Node { parent, id: format!("n{at}").into(), ..said("husam", &text(thread, step)) });
    }
    file
}

/// When a process is killed.
enum Moment {
    /// So long after it was started.
    Time(Duration),
    /// After so many acknowledgements.
    Acks(u64),
    /// When it is done.
    End,
}

/// Starts the writer and kills it; says what was acknowledged.
fn life(address: &Address, next: &Next, until: u64, moment: &Moment, meanwhile: Option<&dyn Fn()>) -> Vec<Ack> {
    let mut command = again("crash::writer", "WEFT_WRITER", &spelled(address));
    let from: Vec<String> = next.iter().map(u64::to_string).collect();
    command.env("WEFT_FROM", from.join(",")).env("WEFT_UNTIL", until.to_string());
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let (send, acks) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut line = String::new();
        while out.read_line(&mut line).unwrap_or(0) > 0 {
            // A line that was cut off acknowledges nothing.
            if let Some(ack) = line.strip_suffix('\n').and_then(parse) {
                let _ = send.send(ack);
            }
            line.clear();
        }
    });
    let mut got = Vec::new();
    if let Some(meanwhile) = meanwhile {
        got.extend(acks.iter().take(5));
        meanwhile();
    }
    match moment {
        Moment::Time(after) => std::thread::sleep(*after),
        Moment::Acks(count) => got.extend(acks.iter().take(*count as usize)),
        Moment::End => got.extend(acks.iter()),
    }
    if let Moment::End = moment {
        assert!(child.wait().unwrap().success(), "the writer failed");
    } else {
        assert!(child.try_wait().unwrap().is_none(), "the writer ended by itself");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    reader.join().unwrap();
    got.extend(acks.try_iter());
    got
}

/// Other lines come from the test harness.
fn parse(line: &str) -> Option<Ack> {
    let mut words = line.split("ack ").nth(1)?.split(' ');
    let (thread, step) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    Some(Ack { thread, step, id: words.next()?.to_owned(), seq: words.next()?.parse().ok()? })
}

/// Kills the writer so many times; every 25th time `meanwhile` happens to it as well.
fn kills(address: &Address, count: u64, meanwhile: Option<&dyn Fn()>) {
    let seed = from_env("WEFT_SEED", u64::from(std::process::id()));
    let mut rng = fastrand::Rng::with_seed(seed);
    let most = from_env("WEFT_ACKS", 60);
    let (mut next, mut acks): (Next, Vec<Ack>) = Default::default();
    let mut note = |next: &mut Next, got: Vec<Ack>| {
        for ack in got {
            assert_eq!(ack.step, next[ack.thread], "steps are acknowledged in order (seed {seed})");
            next[ack.thread] += 1;
            acks.push(ack);
        }
    };
    for round in 0..count {
        let moment = match rng.bool() {
            true => Moment::Time(Duration::from_micros(rng.u64(..80_000))),
            false => Moment::Acks(rng.u64(1..most)),
        };
        let got = life(address, &next, u64::MAX, &moment, meanwhile.filter(|_| round % 25 == 24));
        note(&mut next, got);
    }
    let until = next.into_iter().max().unwrap().next_multiple_of(BLOCK);
    let got = life(address, &next, until, &Moment::End, None);
    note(&mut next, got);
    assert_eq!(next, [until; THREADS]);
    check(address, &acks, until);
    println!("{count} kills, {} acknowledged steps, seed {seed}", acks.len());
}

/// Every acknowledged step is there once, as it was acknowledged, and nothing else is.
fn check(address: &Address, acks: &[Ack], until: u64) {
    let store = Store::open(address, Access::Write, NOW).expect("no lock is left behind");
    let spaces: Vec<_> = (0..3).map(|at| space(at * BLOCK)).collect();
    let files: HashMap<_, _> = spaces.iter().map(|space| (space.clone(), sound::check(&store, address, space))).collect();
    let added = files.values().map(|file| file.nodes.len() as u64).sum::<u64>();
    assert_eq!(added, until / BLOCK * 5 * THREADS as u64, "nothing is doubled");
    for ack in acks {
        let (thread, step) = (ack.thread, ack.step);
        if step % BLOCK == 6 {
            let found = store.verify(&file(thread, step).space.id, &mut |_| {}).unwrap();
            assert_eq!((found.nodes, found.broken), (NODES_OF_FILE as u64, None), "{ack:?}");
            continue;
        }
        let node = &files[&space(step)].nodes[ack.seq as usize - 1];
        assert_eq!(node.id.as_str(), ack.id, "{ack:?}");
        let said_by = |step| said("", &text(thread, step)).parts;
        match step % BLOCK {
            3 | 4 => assert_eq!((&node.parts, node.status), (&said_by(step / BLOCK * BLOCK + 4), Status::Sent), "{ack:?}"),
            5 => {
                let flags = [node.context_edge, node.excluded, node.pruned, node.pinned, node.bookmarked];
                assert!(flags[(step / BLOCK) as usize % flags.len()], "{ack:?}");
            }
            _ => assert_eq!(node.parts, said_by(step), "{ack:?}"),
        }
    }
}

#[test]
fn sqlite() {
    let fresh = Fresh::bare_sqlite();
    kills(&fresh.address, from_env("WEFT_KILLS", 50), None);
}

/// On a server of its own, which writes through to the disk and can be killed.
#[test]
fn postgres() {
    if std::env::var("WEFT_OWN_SERVER").is_err() {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/with-postgres.sh");
        let mut command = Command::new(script);
        command.arg(std::env::current_exe().unwrap()).args(["crash::postgres", "--exact", "--nocapture"]);
        command.env("WEFT_OWN_SERVER", "1").env("FSYNC", "on").env_remove("WEFT_TEST_POSTGRES");
        let out = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(out.status.success(), "{}{}", text(&out.stdout), text(&out.stderr));
        println!("{}", text(&out.stdout));
        return;
    }
    let fresh = Fresh::bare_postgres();
    kills(&fresh.address, from_env("WEFT_KILLS", 50), Some(&kill_server));
    let name = spelled(&fresh.address).rsplit_once('/').unwrap().1.to_owned();
    let held = format!("SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE d.datname = '{name}'");
    let server = Address::Postgres(crate::support::server());
    let until = Instant::now() + Duration::from_secs(10);
    while table(&server, &held) != [["Some(0)"]] {
        assert!(Instant::now() < until, "locks are left behind");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// As if its machine had crashed, and back again.
fn kill_server() {
    let env = |name: &str| std::env::var(name).expect("scripts/with-postgres.sh sets it");
    let data = format!("{}/data", env("WEFT_TEST_POSTGRES_HOME"));
    let owner = std::fs::metadata(&data).unwrap();
    let mut command = Command::new(format!("{}/pg_ctl", env("WEFT_TEST_POSTGRES_BIN")));
    command.args(["-D", &data, "-m", "immediate", "-w", "-l", &format!("{data}/../log"), "restart"]);
    if owner.uid() != std::fs::metadata("/proc/self").unwrap().uid() {
        command.uid(owner.uid()).gid(owner.gid());
    }
    let out = command.current_dir(&data).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
}
