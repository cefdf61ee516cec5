//! Many at once: one order, one node for a key, and nobody in anybody's way for good.

use crate::support::{Fresh as Place, ent, entity, from_env, said, say, table, team};
use crate::{on_both, sound};
use std::panic::AssertUnwindSafe;
use std::sync::Barrier;
use std::time::{Duration, Instant};
use weftwork::ask::{Ask, Counter, Settings};
use weftwork::model::{Conversation, EntityKind, Node, Space, SpaceId, Status};
use weftwork_store::{Access, Draft, Engine, Finish, Imported, Names, Seq, Store, StoreError};

const WRITERS: u64 = 8;
const READERS: usize = 4;

/// More processes' worth of connections to the same database, where it can have them.
pub(crate) fn others(fresh: &Place) -> Vec<Store> {
    match fresh.engine() {
        Engine::Sqlite => Vec::new(),
        Engine::Postgres => (0..3).map(|_| Store::open(&fresh.address, Access::Write, crate::support::NOW).unwrap()).collect(),
    }
}

/// Runs `work` at the same moment with each of these stores, in turn, in so many threads.
pub(crate) fn at_once<T: Send>(stores: &[&Store], threads: usize, work: impl Fn(usize, &Store) -> T + Sync) -> Vec<T> {
    let start = Barrier::new(threads);
    std::thread::scope(|scope| {
        let (start, work) = (&start, &work);
        let threads = (0..threads).map(|at| {
            let store = stores[at % stores.len()];
            scope.spawn(move || {
                start.wait();
                work(at, store)
            })
        });
        let threads: Vec<_> = threads.collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn file(id: &str, entities: &[(&str, &str)], nodes: u32) -> Conversation {
    let mut file = Conversation::new(Space::new(id, id));
    file.entities = entities.iter().map(|(id, _)| entity(id, EntityKind::Human)).collect();
    for (entity, (_, name)) in file.entities.iter_mut().zip(entities) {
        entity.name = (*name).to_owned();
    }
    for at in 0..nodes {
        let parent = file.nodes.last().map(|node: &Node| node.id.clone());
        file.nodes.push(Node { parent, id: format!("n{at}").into(), ..said(entities[0].0, &format!("line {at}")) });
    }
    file
}

/// An append, and when it was asked for and acknowledged.
struct Sent {
    seq: Seq,
    id: String,
    from: Instant,
    to: Instant,
}

fn write(store: &Store, space: &SpaceId, writer: u64, count: u64) -> Vec<Sent> {
    let author = ["husam", "sarah"][writer as usize % 2];
    let send = |at: u64| {
        let from = Instant::now();
        let draft = Draft::new(said(author, &format!("{writer} says {at}"))).key(format!("{writer}/{at}"));
        let done = store.append(space, draft).unwrap();
        assert!(!done.repeated);
        Sent { seq: done.seq, id: done.node.id.to_string(), from, to: Instant::now() }
    };
    (0..count).map(send).collect()
}

/// What a reader sees who asks again and again for what is new.
fn read(store: &Store, space: &SpaceId, until: usize) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    let mut last = Instant::now();
    while seen.len() < until {
        assert!(last.elapsed() < Duration::from_secs(30), "nothing more comes after {} of {until}", seen.len());
        std::thread::sleep(Duration::from_millis(1));
        for (seq, node) in store.after(space, Seq(seen.len() as i64), 100).unwrap() {
            assert_eq!(seq, Seq(seen.len() as i64 + 1), "nothing is skipped");
            seen.push(node.id.to_string());
            last = Instant::now();
        }
    }
    seen
}

on_both! {
    fn eight_writers_and_four_readers_see_one_order(store: &Fresh) {
        let space = team(store);
        let others = others(store);
        let stores: Vec<&Store> = std::iter::once(&**store).chain(&others).collect();
        let count = from_env("WEFT_APPENDS", 2_000) / WRITERS;
        let all = (count * WRITERS) as usize;
        let (sent, seen) = std::thread::scope(|scope| {
            let (stores, space) = (&stores, &space);
            let readers = (0..READERS).map(|at| scope.spawn(move || read(stores[at % stores.len()], space, all)));
            let readers: Vec<_> = readers.collect();
            let sent = at_once(stores, WRITERS as usize, |writer, store| write(store, space, writer as u64, count));
            (sent, readers.into_iter().map(|reader| reader.join().unwrap()).collect::<Vec<_>>())
        });
        let kept: Vec<String> = sound::check(store, &store.address, &space).nodes.iter().map(|node| node.id.to_string()).collect();
        assert_eq!(kept.len(), all);
        for seen in seen {
            assert_eq!(seen, kept, "every reader sees the same");
        }
        let mut sent: Vec<Sent> = sent.into_iter().flatten().collect();
        sent.sort_by_key(|sent| sent.seq);
        let mut latest = None;
        for (at, sent) in sent.iter().enumerate() {
            assert_eq!((sent.seq, &sent.id), (Seq(at as i64 + 1), &kept[at]));
            assert!(latest.is_none_or(|latest| sent.to >= latest), "what was acknowledged before comes before");
            latest = latest.max(Some(sent.from));
        }
    }

    fn retries_at_once_give_one_node_and_one_answer(store: &Fresh) {
        let space = team(store);
        let others = others(store);
        let stores: Vec<&Store> = std::iter::once(&**store).chain(&others).collect();
        for round in 0..from_env("WEFT_RETRIES", 50) {
            let send = |at: usize, store: &Store| {
                let text = if at.is_multiple_of(2) { "this" } else { "that" };
                store.append(&space, Draft::new(said("husam", text)).key(format!("k{round}")))
            };
            let (done, refused): (Vec<_>, Vec<_>) = at_once(&stores, 8, send).into_iter().partition(Result::is_ok);
            let done: Vec<_> = done.into_iter().map(Result::unwrap).collect();
            assert_eq!((done.len(), refused.len()), (4, 4));
            assert!(refused.iter().all(|refused| matches!(refused, Err(StoreError::KeyReused { .. }))), "{refused:?}");
            assert_eq!(done.iter().filter(|done| !done.repeated).count(), 1);
            assert!(done.iter().all(|one| (&one.node, one.seq) == (&done[0].node, Seq(round as i64 + 1))));
        }
    }

    fn a_key_that_is_used_in_two_spaces_at_once_is_used_once(store: &Fresh) {
        let spaces: Vec<SpaceId> = ["a", "b"].map(SpaceId::from).into();
        for space in &spaces {
            store.import(&file(space.as_str(), &[("husam", "Husam")], 1), Names::Ours, NOW, &mut |_| {}).unwrap();
        }
        for round in 0..50 {
            let send = |at: usize, store: &Store| store.append(&spaces[at], Draft::new(said("husam", "x")).key(format!("k{round}")));
            let done = at_once(&[store], 2, send);
            assert_eq!(done.iter().filter(|done| done.is_ok()).count(), 1, "{done:?}");
            assert!(done.iter().any(|done| matches!(done, Err(StoreError::KeyReused { .. }))), "{done:?}");
        }
    }

    fn the_same_file_taken_in_by_several_at_once_is_there_once(store: &Fresh) {
        for round in 0..10 {
            let file = file(&format!("file-{round}"), &[("husam", "Husam")], 20);
            let done = at_once(&[store], 4, |_, store| store.import(&file, Names::Ours, NOW, &mut |_| {}).unwrap());
            let first = Imported { added: 20, known: 0, new_space: true };
            assert_eq!(done.iter().filter(|done| **done == first).count(), 1, "{done:?}");
            assert_eq!(done.iter().filter(|done| done.known == 20).count(), 3, "{done:?}");
            sound::check(store, &store.address, &file.space.id);
        }
    }

    fn writers_who_lock_in_opposite_order_both_get_through(store: &Fresh) {
        // PostgreSQL takes a second to notice.
        for round in 0..3 {
            let name = format!("Round {round}");
            at_once(&[store], 2, |at, store| {
                let mut entities = vec![("ada", &*name), ("bob", &*name), ("cleo", &*name), ("dan", &*name)];
                if at % 2 == 0 {
                    entities.reverse();
                }
                store.import(&file(&format!("{round}-{at}"), &entities, 1), Names::Ours, NOW, &mut |_| {}).unwrap()
            });
        }
    }

    fn work_that_panics_leaves_nothing_behind(store: &Fresh) {
        let space = team(store);
        let file = file("half", &[("husam", "Husam")], 20);
        let import = || store.import(&file, Names::Ours, NOW, &mut |done| assert!(done < 10, "on purpose"));
        assert!(std::panic::catch_unwind(AssertUnwindSafe(import)).is_err());
        say(store, &space, "husam", "the next one commits");
        let half = store.export(&"half".into());
        assert!(matches!(half, Err(StoreError::NoSpace { .. })), "{half:?}");
    }

    fn a_reply_ends_once_whoever_ends_it(store: &Fresh) {
        let space = team(store);
        for _ in 0..20 {
            let pending = Node { status: Status::Pending, parts: Vec::new(), ..said("analyst", "") };
            let id = store.append(&space, Draft::new(pending)).unwrap().node.id;
            // As if another process had begun it and died.
            store.raw("UPDATE pending SET process = 7");
            let done = at_once(&[store], 2, |at, store| match at {
                0 => store.fail_pending("the process ended").map(|failed| failed == 1),
                _ => match store.finish(&space, &id, Finish { parts: said("", "done").parts, ..Finish::default() }) {
                    Err(StoreError::Final { .. }) => Ok(false),
                    result => result.map(|_| true),
                },
            });
            let done: Vec<bool> = done.into_iter().map(Result::unwrap).collect();
            assert_eq!(done.iter().filter(|ended| **ended).count(), 1, "{done:?}");
        }
        sound::check(store, &store.address, &space);
    }

    fn counts_that_are_taken_while_a_reply_ends_are_those_of_its_end(store: &Fresh) {
        let space = team(store);
        let settings = Settings { counter: Some(Counter::Chars4), context_length: Some(100_000), ..Settings::default() };
        let ask = Ask { settings, viewer: Some(ent("analyst")), ..Ask::default() };
        for _ in 0..20 {
            let pending = Node { status: Status::Pending, parts: Vec::new(), ..said("analyst", "") };
            let id = store.append(&space, Draft::new(pending)).unwrap().node.id;
            say(store, &space, "husam", "meanwhile");
            at_once(&[store], 2, |at, store| match at {
                0 => drop(store.assemble(&space, &ask).unwrap()),
                _ => drop(store.finish(&space, &id, Finish { parts: said("", "a long reply").parts, ..Finish::default() }).unwrap()),
            });
        }
        sound::check(store, &store.address, &space);
        let counts = |space: &str| {
            store.assemble(&space.into(), &ask).unwrap();
            let sql = format!(
                "SELECT t.node - n.space * 4294967296, t.counter, t.tally FROM tallies t JOIN nodes n ON n.key = t.node \
                 JOIN spaces s ON s.no = n.space WHERE s.id = '{space}' ORDER BY 1, 2"
            );
            table(&store.address, &sql)
        };
        assert_eq!(counts("team"), counts("copy of team"));
    }
}
