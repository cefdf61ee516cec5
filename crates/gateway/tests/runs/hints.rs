//! Hints are a courtesy: with them a run begins at once, without them within a second, and with two processes too.

use crate::scene::World;
use crate::support::{Fresh, NOW};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use weftwork_gateway::{Worker, WorkerSettings};
use weftwork_store::{Access, Store, listen};

/// Waits until something is so, for a while.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_worker_looks_when_it_is_hinted_and_now_and_then_without() {
    for (poll, hinted) in [(Duration::from_secs(3600), true), (Duration::from_millis(50), false)] {
        for fresh in Fresh::bare() {
            let world = World::new(fresh, "");
            let space = world.space("team", &["husam", "Analyst"]);
            let settings = WorkerSettings { poll, ..WorkerSettings::default() };
            let worker = world.wait(async { Worker::start(&world.gateway, settings) });
            match hinted {
                true => drop(world.post(&space, "husam", "!send Hi")),
                false => {
                    let node = crate::support::said("husam", "!send Hi");
                    let draft = weftwork_store::Draft::new(node);
                    let post = weftwork_store::runs::Post {
                        space: space.clone(),
                        draft,
                        wake: Default::default(),
                        expects_reply: false,
                    };
                    world.store().post(&post, &Default::default(), world.now()).unwrap();
                }
            }
            until("an answer", || world.said(&space).len() == 2);
            world.wait(worker.drain());
            world.sound();
        }
    }
}

#[test]
fn processes_on_one_server_hint_each_other() {
    let fresh = Fresh::bare_postgres();
    let store = Store::open(&fresh.address, Access::Write, NOW).unwrap();
    let (heard, hear) = mpsc::channel();
    let listener = listen(&fresh.address, move || {
        let _ = heard.send(());
    })
    .expect("a server");
    hear.recv_timeout(Duration::from_secs(10)).expect("it listens");
    store.hint_others().unwrap();
    hear.recv_timeout(Duration::from_secs(10)).expect("a hint");
    drop(listener);
    assert!(store.server_time().unwrap().is_some());
    let embedded = Fresh::bare_sqlite();
    assert!(listen(&embedded.address, || {}).is_none());
    assert_eq!(Store::open(&embedded.address, Access::Write, NOW).unwrap().server_time().unwrap(), None);
}
