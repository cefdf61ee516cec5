//! Ways in: links that are good once, sessions, tokens, and what each may do.

use crate::house::{House, cookie, good, text};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

#[tokio::test]
async fn the_first_link_makes_an_owner_and_is_good_once() {
    let house = House::new();
    let body = json!({"invitation": house.invitation(), "name": "Olga"});
    let first = house.nobody(Method::POST, "/api/session").json(&body).send().await.unwrap();
    assert_eq!(first.status(), StatusCode::CREATED);
    let kept = first.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(kept.contains("HttpOnly") && kept.contains("SameSite=Lax"), "{kept}");
    let me: Value = first.json().await.unwrap();
    assert_eq!((&me["role"], &me["me"]["name"]), (&json!("owner"), &json!("Olga")));
    let second = house.nobody(Method::POST, "/api/session").json(&body).send().await.unwrap();
    assert_eq!(second.status(), StatusCode::GONE);
}

#[tokio::test]
async fn looking_at_an_invitation_does_not_use_it_up() {
    let house = House::new();
    let shown = json!({"invitation": house.invitation()});
    for _ in 0..2 {
        let seen = good(house.nobody(Method::POST, "/api/session/invitation").json(&shown)).await;
        assert_eq!(seen, json!({"known": false}));
    }
    let body = json!({"invitation": house.invitation(), "name": "Olga"});
    let joined = house.nobody(Method::POST, "/api/session").json(&body).send().await.unwrap();
    let me = good(house.nobody(Method::GET, "/api/session").header("cookie", cookie(&joined))).await;
    assert_eq!(me["me"]["name"], "Olga");
    let used = house.nobody(Method::POST, "/api/session/invitation").json(&shown).send().await.unwrap();
    assert_eq!(used.status(), StatusCode::GONE);
}

#[tokio::test]
async fn a_token_does_what_its_scopes_say_until_it_is_revoked() {
    let house = House::new();
    let owner = house.owner().await;
    let made = house.post(&owner, "/api/tokens", &json!({"name": "reader", "scopes": ["read"]})).await;
    let (id, token) = (text(&made["id"]), text(&made["secret"]));
    let status = async |method: Method, path: &str, body: Option<Value>| {
        let mut request = house.nobody(method, path).header("x-api-key", &token);
        if let Some(body) = body {
            request = request.json(&body);
        }
        request.send().await.unwrap().status().as_u16()
    };
    assert_eq!(status(Method::GET, "/api/spaces", None).await, 200);
    assert_eq!(status(Method::POST, "/api/spaces", Some(json!({}))).await, 403);
    assert_eq!(status(Method::POST, "/v1/chat/completions", Some(json!({}))).await, 403);
    let listed = house.get(&owner, "/api/tokens").await.to_string();
    assert!(listed.contains("reader") && !listed.contains(&token), "{listed}");
    let gone = house.ask(&owner, Method::DELETE, &format!("/api/tokens/{id}")).send().await.unwrap();
    assert_eq!(gone.status(), StatusCode::NO_CONTENT);
    assert_eq!(status(Method::GET, "/api/spaces", None).await, 401);
}

#[tokio::test]
async fn nobody_gives_more_than_they_have() {
    let house = House::new();
    let owner = house.owner().await;
    let member = house.person(&owner, "Mina").await;
    let reader = house.post(&member, "/api/tokens", &json!({"name": "r", "scopes": ["read", "write"]})).await;
    let more = json!({"name": "more", "scopes": ["models"]});
    let asked = house.nobody(Method::POST, "/api/tokens").bearer_auth(text(&reader["secret"])).json(&more).send().await.unwrap();
    assert_eq!(asked.status(), StatusCode::FORBIDDEN);
    let for_another = json!({"name": "other", "entity": owner.id});
    let asked = house.ask(&member, Method::POST, "/api/tokens").json(&for_another).send().await.unwrap();
    assert_eq!(asked.status(), StatusCode::FORBIDDEN);
    for invitation in [json!({"owner": true}), json!({}), json!({"entity": owner.id})] {
        let asked = house.ask(&member, Method::POST, "/api/invitations").json(&invitation).send().await.unwrap();
        assert_eq!(asked.status(), StatusCode::FORBIDDEN, "{invitation}");
    }
}

#[tokio::test]
async fn an_invitation_leads_into_its_space() {
    let house = House::new();
    let owner = house.owner().await;
    let space = house.space(&owner, "The garden", &[]).await;
    let made = house.post(&owner, "/api/invitations", &json!({"space": space})).await;
    let secret = text(&made["secret"]).rsplit('/').next().unwrap().to_owned();
    let body = json!({"invitation": secret, "name": "Gero"});
    let joined = good(house.nobody(Method::POST, "/api/session").json(&body)).await;
    assert_eq!(joined["space"], json!(space));
    let members = house.get(&owner, &format!("/api/spaces/{space}")).await["members"].to_string();
    assert!(members.contains("Gero"), "{members}");
}

#[tokio::test]
async fn a_name_that_looks_like_anothers_is_refused_and_the_invitation_stays_good() {
    let house = House::new();
    let owner = house.owner().await;
    let made = house.post(&owner, "/api/invitations", &json!({})).await;
    let secret = text(&made["secret"]).rsplit('/').next().unwrap().to_owned();
    for (name, status) in [("0lga", 400), ("system", 400), ("a\nb", 400), ("", 400), ("Berta", 201)] {
        let body = json!({"invitation": secret, "name": name});
        let asked = house.nobody(Method::POST, "/api/session").json(&body).send().await.unwrap();
        assert_eq!(asked.status().as_u16(), status, "{name:?}");
    }
}

#[tokio::test]
async fn the_demo_lets_this_machine_in_by_itself() {
    let house = House::with("", &["--demo"]);
    let joined = house.nobody(Method::POST, "/api/session/demo").send().await.unwrap();
    assert_eq!(joined.status(), StatusCode::CREATED);
    let spaces = good(house.nobody(Method::GET, "/api/spaces").header("cookie", cookie(&joined))).await;
    assert_eq!(spaces["spaces"].as_array().map(Vec::len), Some(4));
    let through_a_proxy =
        house.nobody(Method::POST, "/api/session/demo").header("x-forwarded-for", "1.2.3.4").send().await.unwrap();
    assert_eq!(through_a_proxy.status(), StatusCode::NOT_FOUND);
    let without = House::new();
    let asked = without.nobody(Method::POST, "/api/session/demo").send().await.unwrap();
    assert_eq!(asked.status(), StatusCode::NOT_FOUND);
}
