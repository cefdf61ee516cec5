//! Deliveries of services over HTTP: only whoever has the secret wakes an agent, and each delivery once.

use crate::house::{House, Person, text};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};
use weftwork_gateway::services::{SigningSecret, sign};

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() as i64
}

struct Service<'h> {
    house: &'h House,
    secret: SigningSecret,
}

impl Service<'_> {
    /// Delivers these bytes with these headers; gives the status and what was said.
    async fn deliver(&self, body: &str, headers: &[(&str, String)]) -> (u16, Value) {
        let mut request = self.house.nobody(Method::POST, "/api/services/build").header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let answer = request.body(body.to_owned()).send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap_or(Value::Null))
    }

    fn signed(&self, id: &str, at: i64, body: &str) -> Vec<(&'static str, String)> {
        let signature = sign(&self.secret, id, at, body.as_bytes());
        vec![("webhook-id", id.to_owned()), ("webhook-timestamp", at.to_string()), ("webhook-signature", signature)]
    }
}

async fn runs(house: &House, owner: &Person, agent: &str) -> usize {
    let page = house.get(owner, &format!("/api/runs?agent={agent}")).await;
    page["runs"].as_array().unwrap_or_else(|| panic!("{page}")).len()
}

#[tokio::test]
async fn a_forged_altered_or_old_delivery_wakes_nobody_and_a_good_one_wakes_once() {
    // No worker: what is counted is what was begun.
    let house = House::with("", &["--no-worker"]);
    let owner = house.owner().await;
    let agent = text(&house.post(&owner, "/api/agents", &json!({"name": "Robo", "model": "offline"})).await["id"]);
    let made = house.post(&owner, "/api/services", &json!({"name": "build", "agent": agent})).await;
    let service = Service { house: &house, secret: SigningSecret::parse(&text(&made["secret"])).unwrap() };
    let (body, altered) = (r#"{"build": 7}"#, r#"{"build": 8}"#);
    let good = service.signed("d-1", now(), body);
    let other = SigningSecret::generate().unwrap();
    let with = |name: &str, value: String| {
        let mut headers = good.clone();
        headers.iter_mut().filter(|(known, _)| *known == name).for_each(|(_, old)| *old = value.clone());
        headers
    };
    let without = |name: &str| good.iter().filter(|(known, _)| *known != name).cloned().collect::<Vec<_>>();
    let forged = [
        ("nothing signed", body, without("webhook-signature")),
        ("no id", body, without("webhook-id")),
        ("no time", body, without("webhook-timestamp")),
        ("another secret", body, with("webhook-signature", sign(&other, "d-1", now(), body.as_bytes()))),
        ("an altered body", altered, good.clone()),
        ("an altered id", body, with("webhook-id", "d-2".into())),
        ("an altered time", body, with("webhook-timestamp", (now() + 1).to_string())),
        ("no signature at all", body, with("webhook-signature", "v1,".into())),
        ("another scheme", body, with("webhook-signature", good[2].1.replace("v1,", "v0,"))),
        ("an old delivery", body, service.signed("d-1", now() - 3600, body)),
        ("one of the future", body, service.signed("d-1", now() + 3600, body)),
    ];
    for (what, body, headers) in &forged {
        let (status, told) = service.deliver(body, headers).await;
        assert_eq!((status, &told["code"]), (401, &json!("bad_signature")), "{what}: {told}");
    }
    assert_eq!(runs(&house, &owner, &agent).await, 0);
    // Whoever asks for a service that is not there learns no more than a forger.
    let nowhere = house.nobody(Method::POST, "/api/services/nowhere").body(body).send().await.unwrap();
    assert_eq!(nowhere.status(), StatusCode::UNAUTHORIZED);

    let (status, first) = service.deliver(body, &good).await;
    assert_eq!(status, 202, "{first}");
    // Replayed, by the service or by somebody who saw it pass: the run is the same.
    let (status, again) = service.deliver(body, &good).await;
    assert_eq!((status, &again["run"]), (202, &first["run"]));
    let (status, later) = service.deliver(body, &service.signed("d-1", now() - 60, body)).await;
    assert_eq!((status, &later["run"]), (202, &first["run"]));
    assert_eq!(service.deliver(altered, &service.signed("d-1", now(), altered)).await.0, 409, "an id names one delivery");
    assert_eq!(runs(&house, &owner, &agent).await, 1);
    assert_eq!(service.deliver(body, &service.signed("d-2", now(), body)).await.0, 202);
    assert_eq!(runs(&house, &owner, &agent).await, 2);
}
