//! Whole spaces from one database to another, and into a request.

use super::{Db, fixtures};
use crate::run::{RESEARCH, TIMELINE, weft};

/// A database with one file of every format, as far as their ids differ.
fn everything(name: &str) -> Db {
    let db = Db::new(name);
    for file in fixtures() {
        db.weft(&["import", file.to_str().expect("UTF-8")]);
    }
    db.ok(&["import", RESEARCH, TIMELINE]);
    db
}

#[test]
fn what_goes_out_and_in_and_out_is_the_same_bytes() {
    let from = everything("from");
    let out = from.all();
    assert!(out.contains("\"hash\"") && out.contains("\"calls\"") && out.lines().count() > 20);
    for format in ["weft", "weft-jsonl"] {
        let to = Db::new(&format!("to-{format}"));
        to.take(from.ok(&["export", "--all", "--to", format]));
        assert_eq!(to.ok(&["export", "--all", "--to", format]), from.ok(&["export", "--all", "--to", format]));
        assert_eq!(to.weft(&["verify"]).code, 0);
    }
    let folder = from.beside("folder/");
    from.ok(&["export", "--all", "--out", &folder]);
    let to = Db::new("to-folder");
    for file in std::fs::read_dir(&folder).expect("a folder").flatten() {
        to.ok(&["import", file.path().to_str().expect("UTF-8")]);
    }
    assert_eq!(to.all(), out);
    assert_eq!(from.weft(&["export", "--all", "--out", &folder]).code, 2, "nothing is written over");
}

#[test]
fn a_space_assembles_as_its_exported_file_does() {
    let db = everything("assembled");
    let spaces: serde_json::Value = serde_json::from_str(&db.ok(&["spaces", "--json"])).expect("JSON");
    let report = db.beside("report.json");
    for space in spaces.as_array().expect("a list").iter().filter_map(|space| space["id"].as_str()) {
        let file = db.beside(&format!("{space}.json"));
        db.ok(&["export", space, "--out", &file]);
        for more in [["--to", "anthropic", "--context-length", "2k"].as_slice(), &["--to", "openai", "--input", "And now?"]] {
            let more = [more, &["--counter", "chars4", "--now", "2026-04-15T00:00:00Z"]].concat();
            let of_file = weft(&[&["assemble", &file], more.as_slice()].concat());
            let of_space = db.weft(&[&["assemble", "--space", space], more.as_slice()].concat());
            assert_eq!(of_space.stdout, of_file.stdout, "{space} {more:?}");
            assert_eq!((of_space.code, &of_space.stderr), (of_file.code, &of_file.stderr), "{space} {more:?}");
            let whole = db.weft(&[&["assemble", "--space", space, "--report", &report], more.as_slice()].concat());
            assert_eq!((whole.code, whole.stdout), (of_file.code, of_file.stdout), "{space} {more:?}");
        }
    }
}

/// On the server of `scripts/with-postgres.sh`.
#[test]
fn sqlite_to_postgres_and_back() {
    let server =
        std::env::var("WEFT_TEST_POSTGRES").expect("no PostgreSQL: run `make test`, or scripts/with-postgres.sh cargo test");
    let name = format!("weft_cli_{}", std::process::id());
    let mut client = postgres::Client::connect(&server, postgres::NoTls).expect("the test server");
    client.batch_execute(&format!("CREATE DATABASE {name}")).expect("a new database");
    let url = format!("{}/{name}", server.rsplit_once('/').expect("a database in the address").0);
    let empty = weft(&["spaces", "--db", &url]);
    assert_eq!((empty.code, empty.stderr.contains("begin with weft import FILE")), (2, true), "{}", empty.stderr);

    let db = everything("sqlite");
    let file = db.beside("all.jsonl");
    db.ok(&["export", "--all", "--out", &file]);
    assert_eq!(weft(&["import", &file, "--db", &url]).code, 0);
    let out = weft(&["export", "--all", "--db", &url]).stdout;
    assert_eq!(out, db.all());
    let back = Db::new("back");
    back.take(out.as_str());
    assert_eq!(back.all(), out);
    assert_eq!(weft(&["verify", "--db", &url]).code, 0);
    assert_eq!(weft(&["search", "weather", "--json", "--db", &url]).stdout, db.ok(&["search", "weather", "--json"]));
    let backup = weft(&["backup", &db.beside("x.db"), "--db", &url]);
    assert!(backup.code == 2 && backup.stderr.contains("pg_dump"), "{}", backup.stderr);
    client.batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)")).expect("dropped");
}
