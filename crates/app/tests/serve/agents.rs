//! What agents are given to do, what their runs would be sent, and how their runs are listed and told.

use crate::house::{House, Person, good, text};
use crate::live::Events;
use reqwest::Method;
use serde_json::{Value, json};
use std::path::Path;

/// A house with the tests' server of tools, called `s`.
pub(crate) fn with_tools() -> House {
    configured("")
}

/// The same, with more said about that server.
pub(crate) fn configured(lines: &str) -> House {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let python = std::env::var("WEFT_MCP_PYTHON").unwrap_or_else(|_| format!("{root}/target/mcp-servers/python/bin/python"));
    assert!(Path::new(&python).exists(), "no {python}: run scripts/mcp-servers.sh");
    let server = format!("{root}/crates/gateway/tests/mcp/servers/server.py");
    House::with(&format!("[mcp.s]\ncommand = [{python:?}, {server:?}, \"stdio\"]\n{lines}"), &[])
}

async fn agent(house: &House, owner: &Person, name: &str) -> String {
    text(&house.post(owner, "/api/agents", &json!({"name": name, "model": "offline"})).await["id"])
}

/// A space of people in which agents run.
async fn team(house: &House, owner: &Person, others: &[&str]) -> String {
    text(&house.post(owner, "/api/spaces", &json!({"name": "Team", "members": others})).await["space"]["id"])
}

async fn say(house: &House, who: &Person, space: &str, words: &str) -> Value {
    house.post(who, &format!("/api/spaces/{space}/messages"), &json!({"text": words})).await
}

/// Waits until a run of a space stands there.
async fn until(events: &mut Events, status: &str) {
    while events.named("run").await.data["status"] != status {}
}

#[tokio::test]
async fn an_agent_tells_its_tools_and_an_owner_decides_about_those_of_servers() {
    let house = with_tools();
    let owner = house.owner().await;
    let member = house.person(&owner, "Mina").await;
    let robo = agent(&house, &owner, "Robo").await;
    let space = team(&house, &owner, &[&robo, &member.id]).await;
    let path = format!("/api/agents/{robo}/tools");
    let tool = async |name: &str| {
        let told = house.get(&owner, &path).await;
        let found = told["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == name).cloned();
        found.unwrap_or_else(|| panic!("no {name} in {told}"))
    };
    let send = tool("send_message").await;
    assert_eq!((&send["from"], &send["approval"], &send["offered"]), (&json!("house"), &json!("always"), &json!(true)));
    let echo = tool("s__echo").await;
    assert_eq!(
        (&echo["server"], &echo["approval"], &echo["description"]),
        (&json!("s"), &json!("ask"), &json!("Says what it is told."))
    );
    let refused = house.ask(&member, Method::GET, &path).send().await.unwrap();
    assert_eq!(refused.status(), 404, "what an agent is given is for whoever manages it");

    // What is decided is the owner's to say, and holds from then on.
    let put = |who: &Person, tool: &str, body: Value| house.ask(who, Method::PATCH, &format!("/api/tools/{tool}")).json(&body);
    assert_ne!(put(&member, "s__echo", json!({"approval": "always"})).send().await.unwrap().status(), 200);
    assert_eq!(put(&owner, "s__nothing", json!({"approval": "always"})).send().await.unwrap().status(), 404);
    for (word, offered) in [("never", false), ("always", true), ("ask", true)] {
        let kept = good(put(&owner, "s__echo", json!({"approval": word}))).await;
        assert_eq!((&kept["approval"], &kept["offered"]), (&json!(word), &json!(offered)), "{kept}");
    }
    good(put(&owner, "s__echo", json!({"approval": "configured"}))).await;
    good(put(&owner, "s__change", json!({"approval": "always"}))).await;

    // A server that says something else of a tool than was trusted.
    let mut events = Events::open(&house, &owner, &space, None).await;
    say(&house, &owner, &space, "!call s__change {}\n!say Changed.").await;
    until(&mut events, "completed").await;
    let changed = tool("s__echo").await;
    let (seen, difference) = (text(&changed["changed"]["fingerprint"]), text(&changed["changed"]["difference"]));
    assert_eq!((&changed["offered"], &changed["approval"]), (&json!(false), &json!("ask")), "{changed}");
    assert!(difference.contains("tells it to others"), "{difference}");
    assert_eq!(put(&owner, "s__echo", json!({"trust": "0".repeat(64)})).send().await.unwrap().status(), 409);
    let trusted = good(put(&owner, "s__echo", json!({"trust": seen}))).await;
    assert_eq!((&trusted["offered"], trusted.get("changed")), (&json!(true), None), "{trusted}");
}

#[tokio::test]
async fn a_run_is_looked_at_with_other_settings_and_nothing_is_sent() {
    let second = "[providers.second]\nkind = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\n\
                  [providers.second.models.m]\ncontext_length = 9000\n";
    let house = House::with(second, &["--no-worker"]);
    let owner = house.owner().await;
    let member = house.person(&owner, "Mina").await;
    let (robo, other) = (agent(&house, &owner, "Robo").await, agent(&house, &owner, "Otto").await);
    let space = team(&house, &owner, &[&robo, &other, &member.id]).await;
    for number in 0..30 {
        say(&house, &owner, &space, &format!("number {number}: {}", "the tide comes in and goes out again. ".repeat(24))).await;
    }
    let path = format!("/api/spaces/{space}/assemble");
    let ask = |body: Value| house.ask(&owner, Method::POST, &path).json(&body);
    let left_out = |told: &Value| {
        let items = told["report"]["items"].as_array().unwrap_or_else(|| panic!("{told}"));
        items.iter().filter(|item| item["decision"] == "dropped").count()
    };
    let now = good(ask(json!({"agent": robo}))).await;
    assert_eq!(left_out(&now), 0, "all fits");
    let small = json!({"contextLength": 6000, "maxTokens": 500, "truncationStrategy": "dropOldest"});
    let tried = good(ask(json!({"agent": robo, "settings": small}))).await;
    assert!(left_out(&tried) > 0, "{}", tried["report"]["budget"]);
    assert_eq!(tried["report"]["budget"]["contextLength"], 6000);
    assert_eq!(tried["report"]["budget"]["reserve"], 500);
    let model = good(ask(json!({"agent": robo, "model": "second/m"}))).await;
    assert_eq!((&model["model"], &model["report"]["budget"]["contextLength"]), (&json!("second/m"), &json!(9000)));
    // Looking changes nothing.
    assert_eq!(good(ask(json!({"agent": robo}))).await["report"]["items"], now["report"]["items"]);
    assert_eq!(house.get(&owner, &format!("/api/spaces/{space}/calls")).await["calls"], json!([]));
    let bad = [
        (json!({"agent": robo, "head": "x"}), "head"),
        (json!({"agent": robo, "input": "x"}), "input"),
        (json!({"agent": robo, "settings": {"form": "dialogue"}}), "settings.form"),
    ];
    for (body, at) in bad {
        let answer = ask(body).send().await.unwrap();
        assert_eq!(answer.status(), 400);
        assert_eq!(answer.json::<Value>().await.unwrap()["at"], at);
    }

    // Of a reply too: what is said of its tokens among the settings holds.
    let chat = house.chat(&owner).await;
    let path = format!("/api/spaces/{chat}/assemble");
    let reply = house.ask(&owner, Method::POST, &path).json(&json!({"input": "hello", "settings": {"maxTokens": 300}}));
    assert_eq!(good(reply).await["report"]["budget"]["reserve"], 300);

    // What does not fit says by how much.
    let cases = [
        (json!({"contextLength": 6000, "maxTokens": 500, "truncationStrategy": "stopAtLimit"}), "everything"),
        (json!({"contextLength": 700, "maxTokens": 500}), "system"),
    ];
    for (settings, what) in cases {
        let answer = ask(json!({"agent": robo, "settings": settings})).send().await.unwrap();
        assert_eq!(answer.status(), 422);
        let told: Value = answer.json().await.unwrap();
        assert_eq!((&told["code"], &told["what"]), (&json!("does_not_fit"), &json!(what)), "{told}");
        assert!(told["needed"].as_u64() > told["limit"].as_u64() && !told["largest"].as_array().unwrap().is_empty(), "{told}");
    }
}

#[tokio::test]
async fn runs_are_listed_page_by_page_with_what_woke_them_and_since_when_they_wait() {
    let house = House::new();
    let owner = house.owner().await;
    let (member, stranger) = (house.person(&owner, "Mina").await, house.person(&owner, "Stefan").await);
    let robo = agent(&house, &owner, "Robo").await;
    let space = team(&house, &owner, &[&robo, &member.id]).await;
    let mut account = Events::account(&house, &member).await;
    assert_eq!(account.named("waiting").await.data, json!({"runs": []}), "nobody is waited for yet");
    let mut events = Events::open(&house, &owner, &space, None).await;
    for _ in 0..3 {
        say(&house, &owner, &space, "!say Done.").await;
        until(&mut events, "completed").await;
    }
    let posted = say(&house, &owner, &space, "!wait Which colour?\n!send Thank you.").await;
    let waiting = account.named("waiting").await.data["runs"].clone();
    let run = &waiting[0];
    assert_eq!((&run["status"], &run["agent"]), (&json!("waiting_reply"), &json!(robo)), "{waiting}");
    assert!(run["waitsSince"].is_string() && run["createdAt"].as_str() <= run["waitsSince"].as_str(), "{run}");
    let message = posted["message"]["node"]["id"].clone();
    assert_eq!(run["cause"], json!({"kind": "message", "space": space, "message": message, "author": owner.id}));

    // Both places at once, one page after the other, and each run once.
    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let page = house.get(&member, &format!("/api/runs?status=completed,waiting_reply&limit=2{after}")).await;
        seen.extend(page["runs"].as_array().unwrap().iter().map(|run| text(&run["id"])));
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => break,
        }
    }
    let all = house.get(&owner, "/api/runs").await;
    let all: Vec<_> = all["runs"].as_array().unwrap().iter().map(|run| text(&run["id"])).collect();
    assert_eq!(seen, all);
    assert_eq!(house.get(&member, "/api/runs?status=failed,parked").await["runs"], json!([]));
    for bad in ["status=nowhere", "status=", "status=failed,,parked", "after=x"] {
        let answer = house.ask(&member, Method::GET, &format!("/api/runs?{bad}")).send().await.unwrap();
        assert_eq!(answer.status(), 400, "{bad}");
    }
    assert_eq!(house.get(&stranger, "/api/runs").await, json!({"runs": []}), "they share no space with it");
    let theirs = Events::account(&house, &stranger).await.named("waiting").await;
    assert_eq!(theirs.data, json!({"runs": []}));

    // Whoever is waited for is told when nobody is any more.
    say(&house, &member, &space, "Blue.").await;
    assert_eq!(account.named("waiting").await.data, json!({"runs": []}));
}

/// An agent that was woken elsewhere may wait for a message here: whoever is here is told of that, and of nothing else.
#[tokio::test]
async fn members_know_that_a_run_waits_in_their_space_wherever_it_was_woken() {
    let house = House::new();
    let owner = house.owner().await;
    let member = house.person(&owner, "Mina").await;
    let robo = agent(&house, &owner, "Robo").await;
    let (elsewhere, here) = (team(&house, &owner, &[&robo]).await, team(&house, &owner, &[&robo, &member.id]).await);
    let mut account = Events::account(&house, &member).await;
    assert_eq!(account.named("waiting").await.data, json!({"runs": []}));
    let script = format!("!call send_message {}", json!({"spaceId": here, "text": "Which colour?", "wait": true}));
    // One person and one agent are a chat, unless the agent is to wake.
    house.post(&owner, &format!("/api/spaces/{elsewhere}/messages"), &json!({"text": script, "answer": "wake"})).await;
    let waiting = account.named("waiting").await.data["runs"].clone();
    let run = &waiting[0];
    assert_eq!((&run["agent"], &run["status"], &run["waitsIn"]), (&json!(robo), &json!("waiting_reply"), &json!(here)), "{run}");
    let silent = ["cause", "error", "asksFor"].iter().all(|name| run.get(name).is_none());
    assert!(silent && run["space"].is_null() && run["createdAt"].is_null() && run["steps"] == 0, "{run}");
    let answer = house.ask(&member, Method::GET, &format!("/api/runs/{}", text(&run["id"]))).send().await.unwrap();
    assert_eq!(answer.status(), 404, "what it did elsewhere is not theirs");
    assert_eq!(house.get(&member, "/api/runs").await, json!({"runs": []}));
    say(&house, &member, &here, "Blue.").await;
    assert_eq!(account.named("waiting").await.data, json!({"runs": []}));
}
