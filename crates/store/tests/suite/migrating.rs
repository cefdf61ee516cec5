//! Databases of every earlier version, made as they were made then, opened by the program of today.

use crate::sound;
use crate::support::{Fresh, NOW, said, table};
use weftwork::ask::Ask;
use weftwork::model::SpaceId;
use weftwork_store::{Access, Address, CallsOf, Draft, Flag, Scope, Search, Seq, Store, StoreError, VERSION, make_at};

/// What a database of a version holds, in the words of that version. Never changed, only added to.
const OLD: &[(i64, &str)] = &[(1, include_str!("old/1.sql")), (7, include_str!("old/7.sql"))];

/// A database as a version left it.
fn fill(fresh: &Fresh, version: i64) {
    make_at(version, &fresh.address, NOW).unwrap();
    for (_, sql) in OLD.iter().filter(|(since, _)| *since <= version) {
        match fresh.address {
            Address::File(_) => fresh.raw(sql),
            Address::Postgres(_) => fresh.raw(&sql.replace("X'", "'\\x")),
        }
    }
}

fn versions(fresh: &Fresh) -> Vec<Vec<String>> {
    table(&fresh.address, "SELECT version, name FROM migrations ORDER BY 1")
}

/// It has been through every version, once.
fn is_current(fresh: &Fresh) -> bool {
    let sql = format!("SELECT count(*) FROM migrations HAVING count(*) = {VERSION} AND max(version) = {VERSION}");
    !table(&fresh.address, &sql).is_empty()
}

/// Names of all that is in a database, and the versions it has been through.
fn everything(fresh: &Fresh) -> Vec<Vec<String>> {
    let sql = match fresh.address {
        Address::File(_) => "SELECT name FROM sqlite_schema ORDER BY 1",
        Address::Postgres(_) => "SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1",
    };
    table(&fresh.address, sql)
}

#[test]
fn a_database_of_every_earlier_version_is_brought_up_and_works() {
    for from in 0..=VERSION {
        for fresh in Fresh::bare() {
            fill(&fresh, from);
            let before = versions(&fresh);
            if from > 0 && from < VERSION {
                let reader = Store::open(&fresh.address, Access::Read, NOW).err();
                assert!(matches!(reader, Some(StoreError::Older { found, .. }) if found == from), "{reader:?}");
                assert_eq!(versions(&fresh), before, "a reader changes nothing");
            }
            let fresh = fresh.opened();
            if from > 0 {
                works(&fresh);
                if from == 7 {
                    serves(&fresh);
                }
            } else {
                crate::support::team(&fresh);
            }
            assert!(is_current(&fresh), "{from}");
        }
    }
}

fn works(fresh: &Fresh) {
    let space = SpaceId::from("team");
    let file = sound::check(fresh, &fresh.address, &space);
    let said_before: Vec<_> = file.nodes.iter().map(|node| node.id.clone()).collect();
    let hits = fresh.search(&Search::new("lighthouse", Scope::one(&space))).unwrap().hits;
    assert_eq!(hits.len(), 1);
    let next = fresh.append(&space, Draft::new(said("husam", "after the migration")).key("new")).unwrap();
    assert_eq!((next.seq, next.node.parent), (Seq(said_before.len() as i64 + 1), file.head));
    // Keys of long ago are still known.
    let again = fresh.append(&space, Draft::new(said("husam", "a question about the lighthouse")).key("k1")).unwrap();
    assert_eq!((again.seq, again.repeated), (Seq(1), true));
    fresh.assemble(&space, &Ask { viewer: Some("analyst".into()), ..Ask::default() }).unwrap();
    assert_eq!(fresh.verify(&space, &mut |_| {}).unwrap().broken, None);
}

/// What version 7 knew of agents and calls is there, and what came later begins from it.
fn serves(fresh: &Fresh) {
    let space = SpaceId::from("demo-team");
    let (run, ended) = (runs(fresh, "ended_at IS NULL"), runs(fresh, "ended_at IS NOT NULL"));
    assert!(!run.is_empty() && !ended.is_empty());
    assert!(run.iter().all(|row| row[0] == row[1]) && ended.iter().all(|row| row[0] == row[2]), "{run:?} {ended:?}");
    let oldest = fresh.runs_changed(std::slice::from_ref(&space), 0).unwrap();
    assert!(
        !oldest.is_empty()
            && fresh.runs_changed(std::slice::from_ref(&space), oldest.last().unwrap().changed_at + 1).unwrap().is_empty()
    );
    assert_eq!(fresh.check_invariants(NOW).unwrap(), []);
    for space in ["demo-team", "demo-reports", "demo-chat", "demo-loom"].map(SpaceId::from) {
        let (nodes, moment) = (fresh.export(&space).unwrap().nodes.len(), fresh.moment(&space).unwrap().unwrap());
        assert_eq!((moment.seq, moment.change), (Seq(nodes as i64), 0));
        assert_eq!(fresh.verify(&space, &mut |_| {}).unwrap().broken, None);
    }
    let reader = fresh.members(&space).unwrap().remove(0).id;
    let (spaces, _) = fresh.listed_for(&reader, None, 9).unwrap();
    assert!(spaces.iter().any(|it| it.listed.id == space && it.last_message.is_some()));
    let read = fresh.stretch(&space, None, &reader, None, 9).unwrap().unwrap();
    let node = read.nodes.last().unwrap().node.id.clone();
    fresh.set_flag(&space, &node, Flag::Pinned, true, NOW).unwrap();
    let news = fresh.news(&space, &reader, read.upto, 9).unwrap().unwrap();
    assert_eq!(news.changes.len(), 1);
    let kept = fresh.calls(CallsOf::Space(&space)).unwrap();
    let bytes = kept.iter().filter(|call| fresh.exchange(&space, &call.id).unwrap().response.is_some()).count();
    assert!(bytes > 0 && kept.iter().all(|call| call.account.is_none()));
}

fn runs(fresh: &Fresh, which: &str) -> Vec<Vec<String>> {
    table(&fresh.address, &format!("SELECT changed_at, created_at, ended_at FROM runs WHERE {which}"))
}

#[test]
fn a_newer_database_is_refused_and_left_untouched() {
    for fresh in Fresh::bare() {
        fill(&fresh, VERSION);
        fresh.raw(&format!("INSERT INTO migrations(version, name, at) VALUES({}, 'later', 0)", VERSION + 1));
        let bytes = || match &fresh.address {
            Address::File(path) => std::fs::read(path).unwrap(),
            Address::Postgres(_) => format!("{:?}", everything(&fresh)).into_bytes(),
        };
        let before = bytes();
        for access in [Access::Write, Access::Read] {
            let refused = Store::open(&fresh.address, access, NOW).err();
            let expected =
                matches!(refused, Some(StoreError::Newer { found, known }) if (found, known) == (VERSION + 1, VERSION));
            assert!(expected, "{refused:?}");
            assert!(bytes() == before, "nothing was changed");
        }
    }
}

#[test]
fn processes_that_migrate_at_once_all_succeed() {
    for from in 0..VERSION {
        let fresh = Fresh::bare_postgres();
        fill(&fresh, from);
        std::thread::scope(|scope| {
            let opening: Vec<_> =
                (0..6).map(|_| scope.spawn(|| Store::open(&fresh.address, Access::Write, NOW).map(drop))).collect();
            opening.into_iter().for_each(|opened| opened.join().unwrap().unwrap());
        });
        assert!(is_current(&fresh));
    }
}

/// Something is in the way of what a migration makes last, after it has made other things.
#[test]
fn a_migration_that_breaks_off_leaves_the_old_version() {
    for from in 0..=1 {
        for fresh in Fresh::bare() {
            fill(&fresh, from);
            let obstacle = match fresh.address {
                Address::File(_) => "words_config",
                Address::Postgres(_) => "words_terms",
            };
            fresh.raw(&format!("CREATE TABLE {obstacle}(x INTEGER)"));
            let before = everything(&fresh);
            let failed = Store::open(&fresh.address, Access::Write, NOW).err();
            assert!(matches!(failed, Some(StoreError::Database { .. })), "{failed:?}");
            assert_eq!(everything(&fresh), before, "nothing of it was kept");
            fresh.raw(&format!("DROP TABLE {obstacle}"));
            let fresh = fresh.opened();
            if from > 0 {
                works(&fresh);
            }
        }
    }
}
