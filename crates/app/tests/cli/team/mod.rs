//! The verbs on people and agents in spaces, with the offline model.

mod bad_input;
mod demo;
mod elsewhere;
mod first_use;
mod postgres;
mod runs;
mod services;
mod spaces;
mod tools;

use crate::keep::Db;
use serde_json::Value;

/// A space `alpha` with Husam and these agents.
fn team(name: &str, agents: &[&str]) -> Db {
    let db = Db::new(name);
    for agent in agents {
        assert_eq!(db.ok(&["agents", "add", agent, "--model", "offline"]), format!("{}\n", agent.to_lowercase()));
    }
    let members = agents.iter().flat_map(|agent| ["--member", agent]);
    let args: Vec<&str> = ["spaces", "create", "alpha", "--person", "Husam"].into_iter().chain(members).collect();
    assert_eq!(db.ok(&args), "alpha\n");
    db
}

/// What a verb prints with `--json`.
fn json(db: &Db, args: &[&str]) -> Value {
    db.weft(&[args, &["--json"]].concat()).json()
}

/// The texts of the messages in a space, as `name: text`.
fn said(db: &Db, space: &str) -> Vec<String> {
    let page = json(db, &["spaces", "read", space, "--as", "Husam"]);
    let line =
        |message: &Value| format!("{}: {}", message["name"].as_str().expect("a name"), message["text"].as_str().expect("text"));
    page["messages"].as_array().expect("messages").iter().map(line).collect()
}

/// The id of the newest run.
fn newest(db: &Db) -> String {
    json(db, &["runs"])[0]["id"].as_str().expect("a run").to_owned()
}
