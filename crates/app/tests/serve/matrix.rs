//! Every route of the document × member, former member, stranger, nobody. What is not theirs is not there: the answer is the
//! same, to the last byte, as for something that never was.

use crate::house::{House, Person, text};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A place that is somebody's, and names of what is in it.
struct Place {
    names: BTreeMap<&'static str, String>,
}

/// Bodies that would be good, for those routes that take one.
fn body_of(operation: &str, place: &Place) -> Option<Value> {
    let node = &place.names["node"];
    Some(match operation {
        "changeSpace" => json!({"name": "taken over"}),
        "postMessage" => json!({"text": "let me in"}),
        "readUpTo" => json!({"node": node}),
        "permit" => json!({"allow": true}),
        "flagNode" => json!({"pinned": true}),
        "moveHead" => json!({"node": node}),
        "editNode" => json!({"text": "otherwise"}),
        "retryNode" | "goOn" | "summarize" | "assemble" | "changeAgent" => json!({}),
        "generate" => json!({"ways": [{}]}),
        "setGoals" => json!({"goals": []}),
        "setMemories" => json!({"memories": []}),
        "changeTool" => json!({"approval": "always"}),
        "addPlan" => json!({"name": "p", "instruction": "i", "schedule": {"runAfter": "1h"}}),
        "decideRun" => json!({"allow": true}),
        "keepRun" | "endRun" | "actInRun" => json!({"epoch": 1, "id": "1", "name": "send_message", "args": {}}),
        _ => return None,
    })
}

async fn place(house: &House, owner: &Person, member: &Person, former: &Person) -> Place {
    let space = house.space(owner, "secret", &[member, former]).await;
    let posted = house.post(owner, &format!("/api/spaces/{space}/messages"), &json!({"text": "CANARY"})).await;
    let out = house.ask(owner, Method::DELETE, &format!("/api/spaces/{space}/members/{}", former.id)).send().await.unwrap();
    assert_eq!(out.status(), StatusCode::NO_CONTENT);
    let node = text(&posted["message"]["node"]["id"]);
    let names = [("space", space), ("node", node), ("entity", member.id.clone()), ("call", "call-1".to_owned())];
    Place { names: names.into_iter().collect() }
}

fn filled(path: &str, names: &BTreeMap<&'static str, String>) -> Option<String> {
    let mut filled = path.to_owned();
    for (name, value) in names {
        filled = filled.replace(&format!("{{{name}}}"), value);
    }
    (!filled.contains('{')).then_some(filled)
}

#[tokio::test]
async fn what_is_in_a_space_exists_for_its_members_only() {
    let house = House::with("[server]\nrequests_per_second = 100000.0\n", &[]);
    let owner = house.owner().await;
    let (member, former, stranger) =
        (house.person(&owner, "Mina").await, house.person(&owner, "Fritz").await, house.person(&owner, "Stefan").await);
    let place = place(&house, &owner, &member, &former).await;
    let nowhere: BTreeMap<_, _> = place
        .names
        .iter()
        .map(|(name, value)| (*name, if *name == "space" { "space-0000".to_owned() } else { value.clone() }))
        .collect();
    let doc = house.get(&owner, "/api/openapi.json").await;
    let mut tried = 0;
    for (path, verbs) in doc["paths"].as_object().unwrap() {
        if !path.contains("{space}") {
            continue;
        }
        let here = filled(path, &place.names).unwrap_or_else(|| panic!("{path} has a name that this test does not know"));
        let there = filled(path, &nowhere).unwrap();
        for (verb, route) in verbs.as_object().unwrap() {
            let operation = route["operationId"].as_str().unwrap();
            let method: Method = verb.to_uppercase().parse().unwrap();
            let body = body_of(operation, &place);
            assert!(
                body.is_some() || route.get("requestBody").is_none(),
                "{operation} takes a body: give this test a good one, so that it is refused for who asks and not for what is asked"
            );
            let ask = async |who: Option<&Person>, path: &str| {
                let request = house.nobody(method.clone(), path);
                let request = match who {
                    Some(who) => request.bearer_auth(&who.token),
                    None => request,
                };
                let request = match &body {
                    Some(body) => request.json(body),
                    None => request,
                };
                let response = request.send().await.unwrap();
                (response.status().as_u16(), response.text().await.unwrap())
            };
            let never = ask(Some(&stranger), &there).await;
            assert_eq!(never.0, 404, "{operation}: {}", never.1);
            for (who, one) in [("stranger", &stranger), ("former member", &former)] {
                assert_eq!(ask(Some(one), &here).await, never, "{operation} as {who}");
            }
            assert_eq!(ask(None, &here).await.0, 401, "{operation} as nobody");
            tried += 1;
        }
    }
    assert!(tried >= 20, "only {tried} routes were tried");
    let still = house.get(&owner, &format!("/api/spaces/{}/nodes", place.names["space"])).await;
    assert_eq!(still["nodes"].as_array().map(Vec::len), Some(1), "{still}");
    assert_eq!(house.get(&owner, &format!("/api/spaces/{}", place.names["space"])).await["space"]["name"], "secret");
}

#[tokio::test]
async fn every_other_route_needs_somebody_but_the_ways_in() {
    let house = House::with("[server]\nrequests_per_second = 100000.0\n", &[]);
    let owner = house.owner().await;
    let member = house.person(&owner, "Mina").await;
    let doc = house.get(&owner, "/api/openapi.json").await;
    let open = ["join", "joinDemo", "lookAtInvitation", "deliver"];
    for (path, verbs) in doc["paths"].as_object().unwrap() {
        let path = path.replace(['{', '}'], "");
        for (verb, route) in verbs.as_object().unwrap() {
            let operation = route["operationId"].as_str().unwrap();
            let method: Method = verb.to_uppercase().parse().unwrap();
            let ask = async |token: Option<&str>| {
                let request = house.nobody(method.clone(), &path).json(&json!({}));
                let request = match token {
                    Some(token) => request.bearer_auth(token),
                    None => request,
                };
                let answer: Value = request.send().await.unwrap().json().await.unwrap();
                answer["code"] == "not_signed_in"
            };
            assert_eq!(ask(None).await, !open.contains(&operation), "{operation}");
            // A token that was made up is nobody's.
            assert_eq!(ask(Some("wft_made_up")).await, !open.contains(&operation), "{operation}");
        }
    }
    // What only owners have is not there for others.
    let theirs: Vec<_> = doc["paths"].as_object().unwrap().keys().filter(|path| path.starts_with("/api/services")).collect();
    for path in theirs {
        if doc["paths"][path].get("get").is_some() {
            let asked = house.ask(&member, Method::GET, &path.replace(['{', '}'], "")).send().await.unwrap();
            assert_eq!(asked.status(), StatusCode::NOT_FOUND, "{path}");
        }
    }
}
