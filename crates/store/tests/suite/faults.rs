//! A disk that is full, and one that fails: clean errors, nothing acknowledged that is not there, nothing damaged.
//!
//! What is injected is what the system answers, so this shows what the store makes of it. A disk that lies, and says that
//! all is written when it is not, cannot be shown here.

use crate::support::{Fresh, NOW, again, said, spelled, team};
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output};
use weftwork::ask::{Ask, Counter, Settings};
use weftwork::model::{Conversation, Node, Space, SpaceId};
use weftwork_store::{Access, Address, Draft, Flag, Names, Scope, Search, Store, StoreError};

/// Runs a command; a tool that this machine does not have or allow is named, and in CI it must be there.
fn tool(name: &str, try_out: &[&str]) -> bool {
    let works = || Command::new(name).args(try_out).output().is_ok_and(|out| out.status.success());
    if !works() && name == "strace" {
        let _ = Command::new("apt-get").args(["install", "-qy", "--no-install-recommends", "strace"]).output();
    }
    if !works() {
        let why = format!("{name} {} does not work here: a test of {} was left out\n", try_out.join(" "), file!());
        assert!(std::env::var("CI").is_err(), "{why}");
        // Past the harness, which would keep it to itself.
        std::io::stderr().write_all(why.as_bytes()).unwrap();
    }
    works()
}

fn succeeded(out: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(out.status.success(), "{}{}", text(&out.stdout), text(&out.stderr));
    text(&out.stdout)
}

/// The file itself is undamaged.
fn undamaged(address: &Address) {
    let conn = rusqlite::Connection::open(spelled(address)).unwrap();
    let found: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(found, "ok");
}

#[test]
fn a_full_disk_gives_clean_errors_and_writing_goes_on_when_there_is_room() {
    let own = std::fs::metadata("/proc/self").map(|me| std::os::unix::fs::MetadataExt::uid(&me)).unwrap();
    let unshare = if own == 0 { "-m" } else { "-rm" };
    let folder = Fresh::bare_sqlite();
    let home = Path::new(&spelled(&folder.address)).parent().unwrap().display().to_string();
    let mount = format!("mount -t tmpfs -o size=4m tmpfs '{home}'");
    if !tool("unshare", &[unshare, "sh", "-c", &mount]) {
        return;
    }
    let this = again("faults::on_a_small_disk", "WEFT_SMALL_DISK", &spelled(&folder.address));
    let mut command = Command::new("unshare");
    command.args([unshare, "sh", "-c", &format!("{mount} && exec \"$@\""), "sh"]);
    command.arg(this.get_program()).args(this.get_args()).env("WEFT_SMALL_DISK", spelled(&folder.address));
    succeeded(&command.output().unwrap());
}

/// Leaves so many bytes free on the disk.
fn leave(ballast: &Path, bytes: u64) {
    let mut file = File::create(ballast).unwrap();
    while file.write_all(&[0; 4096]).is_ok() {}
    let length = file.metadata().unwrap().len();
    file.set_len(length.saturating_sub(bytes)).unwrap();
}

#[test]
fn on_a_small_disk() {
    let Ok(address) = std::env::var("WEFT_SMALL_DISK") else { return };
    let address = Address::parse(&address);
    let ballast = Path::new(&spelled(&address)).with_file_name("ballast");
    let open = |access| Store::open(&address, access, NOW).unwrap();
    let mut store = open(Access::Write);
    let space = team(&store);
    let mut kept = vec![store.append(&space, Draft::new(said("husam", "findable"))).unwrap().node];
    for round in 0..32 {
        leave(&ballast, round * 6 * 1024);
        if round % 4 == 3 {
            drop(store);
            store = open(Access::Write);
        }
        kept.append(&mut fill(&store, &space, round));
        still_readable(&store, &space, &kept);
        still_readable(&open(Access::Read), &space, &kept);
        std::fs::remove_file(&ballast).unwrap();
        kept.push(store.append(&space, Draft::new(said("husam", "room again"))).unwrap().node);
        if round % 3 == 0 {
            store.checkpoint().unwrap();
        }
    }
    drop(store);
    undamaged(&address);
    let store = open(Access::Write);
    assert_eq!(store.verify(&space, &mut |_| {}).unwrap().broken, None);
    assert_eq!(store.export(&space).unwrap().nodes, kept, "what was acknowledged, and nothing else");
    assert_eq!(store.spaces().unwrap().len(), 1);
}

/// Writes until nothing more fits; says what did.
fn fill(store: &Store, space: &SpaceId, round: u64) -> Vec<Node> {
    let mut kept = Vec::new();
    let mut file = Conversation::new(Space::new("large", "Large"));
    file.entities = vec![crate::support::entity("husam", weftwork::model::EntityKind::Human)];
    file.nodes = (0..400).map(|at| Node { id: format!("n{at}").into(), ..said("husam", &"large ".repeat(500)) }).collect();
    let refused = store.import(&file, Names::Ours, NOW, &mut |_| {});
    assert!(matches!(refused, Err(StoreError::Full { .. })), "{refused:?}");
    for size in [4_000, 400, 4] {
        let full = loop {
            assert!(kept.len() < 2_000, "the disk is never full");
            match store.append(space, Draft::new(said("husam", &format!("{round} {}", "word ".repeat(size))))) {
                Ok(done) => kept.push(done.node),
                Err(error) => break error,
            }
        };
        assert!(matches!(full, StoreError::Full { .. }), "{full:?}");
    }
    kept
}

fn still_readable(store: &Store, space: &SpaceId, kept: &[Node]) {
    assert_eq!(store.export(space).unwrap().nodes, kept);
    for counter in [Counter::Auto, Counter::Chars4] {
        let settings = Settings { counter: Some(counter), context_length: Some(1_000_000), ..Settings::default() };
        store.assemble(space, &Ask { settings, viewer: Some("analyst".into()), ..Ask::default() }).unwrap();
    }
    store.search(&Search::new("findable", Scope::one(space))).unwrap();
}

#[test]
fn a_failing_disk_is_not_written_to_again() {
    if !tool("strace", &["-o", "/dev/null", "-e", "trace=fsync", "-e", "inject=fsync:error=EIO", "true"]) {
        return;
    }
    let mut spared = Vec::new();
    for calls in ["fsync,fdatasync", "pwrite64"] {
        for when in ["1", "2", "3", "5", "8", "8+", "13", "13+", "21", "34+", "55", "89+"] {
            if fail(calls, when) == Outcome::Spared {
                spared.push((calls, when));
            }
        }
    }
    println!("spared: {spared:?}");
    assert!(spared.len() <= 2, "{spared:?}");
}

/// What became of a process on a failing disk.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    /// It was told of a failure, when it opened the store or when it wrote.
    Told,
    /// What failed was of no consequence: SQLite does it again later, or need not do it.
    Spared,
}

/// Lets the system calls with these numbers fail, and looks at what is left.
fn fail(calls: &str, when: &str) -> Outcome {
    let fresh = Fresh::sqlite();
    let space = team(&fresh);
    let fresh = fresh.close();
    let address = fresh.address.clone();
    let this = again("faults::on_a_failing_disk", "WEFT_BAD_DISK", &spelled(&address));
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={calls}")]);
    command.args(["-e", &format!("inject={calls}:error=EIO:when={when}")]);
    command.arg(this.get_program()).args(this.get_args()).env("WEFT_BAD_DISK", spelled(&address));
    let out = succeeded(&command.output().unwrap());
    let acked: Vec<&str> = out.lines().filter_map(|line| line.split("ack ").nth(1)).collect();
    let at = format!("{calls} {when}: {out}");
    undamaged(&address);
    let store = Store::open(&address, Access::Write, NOW).unwrap();
    assert_eq!(store.verify(&space, &mut |_| {}).unwrap().broken, None, "{at}");
    let kept: Vec<String> = store.export(&space).unwrap().nodes.iter().map(|node| node.id.to_string()).collect();
    assert_eq!(kept[..acked.len()], acked, "{at}");
    assert!(kept.len() <= acked.len() + 1, "{at}");
    // Whoever got no answer tries again and gets one.
    let next = acked.len();
    let done = store.append(&space, numbered(next)).unwrap();
    assert_eq!((done.seq.0 as usize, done.repeated), (next + 1, kept.len() > next), "{at}");
    if out.contains("spared") { Outcome::Spared } else { Outcome::Told }
}

fn numbered(at: usize) -> Draft {
    Draft::new(said("husam", &format!("{at} {}", "word ".repeat(at * 20)))).key(format!("k{at}"))
}

#[test]
fn on_a_failing_disk() {
    let Ok(address) = std::env::var("WEFT_BAD_DISK") else { return };
    let store = match Store::open(&Address::parse(&address), Access::Write, NOW) {
        Ok(store) => store,
        // Of the index of its log, which holds no data, SQLite does not say why it could not be made.
        Err(StoreError::Disk { .. } | StoreError::Full { .. }) => return,
        Err(error) => panic!("{error:?}"),
    };
    let space = SpaceId::from("team");
    for at in 0..60 {
        match store.append(&space, numbered(at)) {
            Ok(done) => println!("ack {}", done.node.id),
            Err(StoreError::Disk { .. }) => return broken(&store, &space),
            // The first opens the connection.
            Err(StoreError::Full { .. }) if at == 0 => return,
            Err(error) => panic!("{error:?}"),
        }
    }
    println!("spared");
}

/// From now on nothing is written, also where the system says that it can be.
fn broken(store: &Store, space: &SpaceId) {
    let first = store.after(space, weftwork_store::Seq(0), 1).expect("what is there can be read");
    let refused = store.append(space, numbered(1_000));
    assert!(matches!(refused, Err(StoreError::Broken { .. })), "{refused:?}");
    let refused = store.checkpoint();
    assert!(matches!(refused, Err(StoreError::Broken { .. })), "{refused:?}");
    if let Some((_, node)) = first.first() {
        let refused = store.set_flag(space, &node.id, Flag::Pinned, true, NOW);
        assert!(matches!(refused, Err(StoreError::Broken { .. })), "{refused:?}");
    }
}
