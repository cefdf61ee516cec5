//! The same on PostgreSQL, where several processes write at once. On the server of `scripts/with-postgres.sh`.

use crate::run::{Ran, weft};

#[test]
fn everything_works_on_a_server() {
    let server =
        std::env::var("WEFT_TEST_POSTGRES").expect("no PostgreSQL: run `make test`, or scripts/with-postgres.sh cargo test");
    let name = format!("weft_team_{}", std::process::id());
    let mut client = postgres::Client::connect(&server, postgres::NoTls).expect("the test server");
    client.batch_execute(&format!("CREATE DATABASE {name}")).expect("a new database");
    let url = format!("{}/{name}", server.rsplit_once('/').expect("a database in the address").0);
    let run = |args: &[&str]| -> Ran { weft(&[args, &["--db", &url]].concat()) };
    let ok = |args: &[&str]| {
        let ran = run(args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.stderr);
        ran.stdout
    };
    assert!(ok(&["demo"]).contains("The demo is in the database of --db"));
    assert_eq!(ok(&["spaces", "post", "demo-team", "Blue", "--as", "Mira"]), "Editor: Thank you. The poster is written.\n");
    assert!(ok(&["spaces", "read", "demo-team", "--as", "Mira", "--mark-read"]).contains("Night market"));
    ok(&["agents", "add", "Analyst", "--space", "demo-team", "--model", "offline"]);
    ok(&["plans", "add", "Later", "--agent", "Analyst", "--do", "x", "--after", "2 hours"]);
    ok(&["spaces", "post", "demo-team", "@Analyst\n!fail 401", "--as", "Mira"]);
    let parked = run(&["runs", "--status", "parked", "--json"]).json();
    let id = parked[0]["id"].as_str().expect("a parked run");
    for args in [
        ["runs", "show", id].as_slice(),
        &["runs", "retry", id],
        &["runs", "stop", id],
        &["runs", "work", "--once"],
        &["runs"],
        &["agents"],
        &["agents", "show", "Analyst"],
        &["plans"],
        &["spaces", "context", "demo-team", "--agent", "Analyst"],
        &["spaces", "leave", "demo-team", "Analyst"],
        &["verify"],
    ] {
        ok(args);
    }
    let reset = run(&["demo", "--reset"]);
    assert!(reset.code == 2 && reset.stderr.contains("this is a server"), "{}", reset.stderr);
    client.batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)")).expect("dropped");
}
