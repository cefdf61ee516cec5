//! Existing clients through the gateway: requests of three APIs, a scripted provider or the model on board behind it.

mod offline;
mod providers;
#[path = "../chat/scene.rs"]
#[allow(dead_code, reason = "the tests of chats use the rest")]
mod scene;
#[path = "../../../provider/tests/sockets/server.rs"]
#[allow(dead_code, reason = "the tests of the provider use the rest")]
mod server;

use scene::Scene;
use weftwork::encode::Api;
use weftwork_gateway::Gateway;
use weftwork_gateway::dropin::{Relay, RelayAsk, RelayError};

/// A request of an API with one message, and more fields.
fn body(api: Api, model: &str, text: &str, more: &str) -> Vec<u8> {
    let text = serde_json::to_string(text).expect("a string");
    let said = match api {
        Api::Chat | Api::Messages => format!(r#""messages":[{{"role":"user","content":{text}}}]"#),
        Api::Responses => format!(r#""input":{text}"#),
    };
    let limit = if api == Api::Messages { r#","max_tokens":500"# } else { "" };
    format!(r#"{{"model":"{model}",{said}{limit}{more}}}"#).into_bytes()
}

fn gateway(scene: &Scene) -> &Gateway {
    scene.chat.gateway()
}

async fn relay(scene: &Scene, api: Api, body: Vec<u8>) -> Result<Relay, RelayError> {
    gateway(scene).relay(RelayAsk { api, body, headers: Default::default(), account: None, key: None }).await
}
