//! A tool of a real MCP server that an agent may only use with a person's leave.

use super::{newest, team};
use crate::keep::Db;
use crate::run::{Ran, Scratch, command, finish};
use std::path::Path;

/// A verb with a server of tools called `s` in the configuration.
fn with_tools(db: &Db, config: &Scratch, args: &[&str]) -> Ran {
    let mut command = command(&[args, &["--db", &db.file()]].concat());
    command.env("WEFT_CONFIG", config.path());
    finish(command, "")
}

#[test]
fn a_call_waits_until_a_person_decides() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let python = std::env::var("WEFT_MCP_PYTHON").unwrap_or_else(|_| format!("{root}/target/mcp-servers/python/bin/python"));
    assert!(Path::new(&python).exists(), "no {python}: run scripts/mcp-servers.sh");
    let server = format!("{root}/crates/gateway/tests/mcp/servers/server.py");
    let config = Scratch::new("tools.toml", format!("[mcp.s]\ncommand = [{python:?}, {server:?}, \"stdio\"]\n"));
    let db = team("tools", &["Analyst"]);
    let ask = ["spaces", "post", "alpha", "!call s__echo {\"text\": \"hi\"}\n!say So.\n!send Done."];
    for (verb, more, told, steps) in [
        ("refuse", [].as_slice(), "may not run this time", "A person refused this call."),
        ("allow", &[], "may run this once", "← s__echo: hi"),
        ("allow", &["--always"], "may always run from now on", "← s__echo: hi"),
    ] {
        let asked = with_tools(&db, &config, &ask);
        let id = newest(&db);
        assert!(asked.stdout.is_empty() && asked.stderr.contains("waits for leave to run s__echo until "), "{}", asked.stderr);
        assert!(db.ok(&["runs"]).contains("leave to run s__echo"));
        let decided = with_tools(&db, &config, &[&["runs", verb, &id[..8]], more].concat());
        assert_eq!((decided.code, decided.stdout.as_str()), (0, "Analyst: Done.\n"), "{}", decided.stderr);
        assert!(decided.stderr.contains(&format!("s__echo({{\"text\": \"hi\"}}) {told}")), "{}", decided.stderr);
        let shown = db.ok(&["runs", "show", &id]);
        assert!(shown.contains(steps) && shown.contains(" by Husam"), "{shown}");
    }
    assert_eq!(with_tools(&db, &config, &ask).stdout, "Analyst: Done.\n", "nobody is asked any more");
}
