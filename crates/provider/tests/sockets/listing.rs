//! The list of models: configured, found, on board, and never waited for longer than said.

use crate::scene::Scene;
use crate::server::{Act, Server, answer};
use std::sync::Arc;
use std::time::Duration;
use weftwork_provider::{Kind, ListedModel, Providers};

const SOON: Duration = Duration::from_millis(20);
/// Longer than any server takes here.
const LONG: Duration = Duration::from_secs(60);

/// A server of models and nothing else: no Ollama that may run on this machine is asked.
fn config(server: &Server) -> String {
    let gone = "[providers.ollama]\nkind=\"ollama\"\nbase_url=\"http://127.0.0.1:1\"";
    let base = server.address("/v1");
    format!("{gone}\n[providers.here]\nkind=\"openai\"\nbase_url=\"{base}\"\n[providers.here.models.own]\nmax_output=9")
}

fn ids(models: &[ListedModel]) -> Vec<&str> {
    models.iter().map(|model| model.id.as_str()).collect()
}

fn shared(scene: Scene) -> (Arc<Providers>, Arc<crate::scene::TestClock>) {
    (Arc::new(scene.providers), scene.clock)
}

#[tokio::test]
async fn what_is_configured_found_and_on_board_is_listed() {
    let list =
        r#"{"data":[{"id":"m","max_model_len":4096,"created":1700000000},{"id":"offline","created_at":"2026-01-01T00:00:00Z"}]}"#;
    let server = Server::play(vec![answer(200, "", list)]).await;
    let (providers, _) = shared(Scene::configured(&config(&server)));
    let models = providers.listed(LONG).await;
    assert_eq!(ids(&models), ["here/m", "here/offline", "here/own", "offline/offline"]);
    let expected = ListedModel {
        id: "here/m".into(),
        bare: Some("m".into()),
        provider: "here".into(),
        kind: Kind::OpenAi,
        context_length: Some(4096),
        max_output: None,
        created: Some(1_700_000_000),
    };
    assert_eq!(models[0], expected);
    let short: Vec<_> = models.iter().map(|model| (model.bare.as_deref(), model.max_output, model.created)).collect();
    assert_eq!(short[1..3], [(None, None, Some(1_767_225_600)), (Some("own"), Some(9), None)]);
    for model in &models {
        let resolved = providers.resolve(&model.id).expect(&model.id);
        assert_eq!(resolved.model.name, model.id, "what is listed can be asked for");
    }
}

#[tokio::test]
async fn a_silent_server_is_not_waited_for_and_its_answer_is_told_later() {
    let server = Server::play(vec![vec![Act::Hold]]).await;
    let (providers, _) = shared(Scene::configured(&config(&server)));
    assert_eq!(ids(&providers.listed(SOON).await), ["here/own", "offline/offline"]);
}

#[tokio::test]
async fn servers_are_asked_once_in_a_while_behind_the_answer() {
    let list = |name: &str| answer(200, "", &format!(r#"{{"data":[{{"id":"{name}"}}]}}"#));
    let server = Server::play(vec![list("old"), list("new")]).await;
    let (providers, clock) = shared(Scene::configured(&config(&server)));
    let (first, second) = tokio::join!(providers.listed(LONG), providers.listed(LONG));
    assert_eq!((ids(&first)[0], ids(&second)[0]), ("here/old", "here/old"));
    assert_eq!(ids(&providers.listed(LONG).await)[0], "here/old");
    assert_eq!(server.requests().len(), 1, "asked once, by whoever comes first");
    clock.pass(Duration::from_secs(61));
    assert_eq!(ids(&providers.listed(LONG).await)[0], "here/old", "what is known is told at once");
    while ids(&providers.listed_now())[0] != "here/new" {
        tokio::task::yield_now().await;
    }
    assert_eq!(server.requests().len(), 2);
}
