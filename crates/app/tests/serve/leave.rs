//! Tools in a turn on a server: whoever follows it is asked and told as it happens, and it stops when asked to.

use crate::agents::{configured, with_tools};
use crate::house::{House, Person, good, text};
use crate::live::Events;
use crate::remote::{Hand, ended, runtime};
use reqwest::Method;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Command;
use std::time::{Duration, Instant};

/// Somebody in a chat who follows it, and said something.
async fn following(house: &House, words: &str) -> (Person, String, Events, String) {
    let owner = house.owner().await;
    let space = house.chat(&owner).await;
    let mut events = Events::open(house, &owner, &space, None).await;
    events.named("runs").await;
    let said = house.post(&owner, &format!("/api/spaces/{space}/messages"), &json!({"text": words})).await;
    (owner, space, events, text(&said["reply"]))
}

/// The parts of all nodes of the newest space, as text.
async fn all(house: &House, who: &Person) -> Vec<String> {
    let space = text(&house.get(who, "/api/spaces").await["spaces"][0]["id"]);
    let nodes = house.get(who, &format!("/api/spaces/{space}/nodes?limit=100")).await;
    nodes["nodes"].as_array().unwrap().iter().map(|said| said["node"]["parts"].to_string()).collect()
}

const ECHO: &str = "!call s__echo {\"text\": \"hi\"}\n!say done";

#[tokio::test]
async fn whoever_follows_a_turn_is_asked_at_once_and_told_what_its_tools_do() {
    let house = with_tools();
    let (owner, space, mut events, reply) = following(&house, ECHO).await;
    let asked = events.named("permission").await.data;
    assert_eq!((&asked["name"], &asked["server"]), (&json!("s__echo"), &json!("s")));
    let call = text(&asked["call"]);
    let answer = house.ask(&owner, Method::PUT, &format!("/api/spaces/{space}/permissions/{call}"));
    good(answer.json(&json!({"allow": true, "always": false}))).await;
    let mut states = Vec::new();
    while states.last().is_none_or(|state| state != "done") {
        let tool = events.named("tool").await.data;
        assert_eq!(tool["call"], json!(call));
        states.push(text(&tool["state"]));
    }
    assert_eq!(states, ["running", "done"]);
    let over = events.named("over").await.data;
    assert_eq!((&over["replies"][0], over["replies"].as_array().map(Vec::len)), (&json!(reply), Some(2)));
    assert!(all(&house, &owner).await.last().unwrap().contains("done"));
}

#[tokio::test]
async fn a_turn_stops_while_a_question_is_open_and_while_tools_run() {
    for (approval, words, sign) in
        [("ask", ECHO, "permission"), ("always", "!call s__slow {\"seconds\": 100}\n!say done", "tool")]
    {
        let house = configured(&format!("approval = {approval:?}\n"));
        let (owner, space, mut events, reply) = following(&house, words).await;
        events.named(sign).await;
        let stop = format!("/api/spaces/{space}/nodes/{reply}/stop");
        let stopped: Value = house.post(&owner, &stop, &json!({})).await;
        assert_eq!(stopped["stopping"], true, "{approval}");
        events.named("over").await;
        let all = all(&house, &owner).await;
        assert!(all.len() == 3 && all[2].contains("toolResult"), "{approval}: {all:?}");
        assert_eq!(house.post(&owner, &stop, &json!({})).await["stopping"], false, "{approval}");
    }
}

#[test]
fn in_a_pipe_nobody_allows_a_tool_and_the_reply_goes_on() {
    let house = with_tools();
    let owner = runtime().block_on(house.owner());
    let ran = Hand::there(&house, &owner).piped(&["chat", "--model", "offline"], &format!("{}\n", ECHO.replace('\n', "\\\n")));
    assert!(ran.code == 0 && ran.stdout.ends_with("done\n"), "{ran:?}");
    assert!(ran.stderr.contains("was not run: nobody is here to allow it"), "{ran:?}");
}

#[test]
fn ctrl_c_stops_a_turn_while_its_tools_run() {
    let house = configured("approval = \"always\"\n");
    let owner = runtime().block_on(house.owner());
    let mut child = Hand::there(&house, &owner).begin(&["chat", "--model", "offline"]);
    let (mut stdin, mut stderr) = (child.stdin.take().unwrap(), BufReader::new(child.stderr.take().unwrap()));
    writeln!(stdin, "!call s__slow {{\"seconds\": 100}}\\\n!say never").unwrap();
    let mut shown = String::new();
    while !shown.contains("s__slow") {
        assert_ne!(stderr.read_line(&mut shown).unwrap(), 0, "{shown}");
    }
    let began = Instant::now();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    while !shown.contains("[stopped]") {
        assert_ne!(stderr.read_line(&mut shown).unwrap(), 0, "{shown}");
    }
    assert!(began.elapsed() < Duration::from_secs(30), "{shown}");
    writeln!(stdin, "!say and on").unwrap();
    drop(stdin);
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    let ran = ended(child);
    assert!(ran.code == 0 && ran.stdout.ends_with("and on\n"), "{ran:?} {shown}{rest}");
    let all = runtime().block_on(all(&house, &owner));
    // What was said, the call, what became of it; and the next turn.
    assert!(all.len() == 5 && all[2].contains("toolResult"), "{all:?}");
}
