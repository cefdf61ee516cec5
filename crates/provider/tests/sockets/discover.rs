//! Servers asked for their models, and what names resolve to then.

use crate::scene::Scene;
use crate::server::{Server, answer};
use weftwork_provider::{FoundModel, ResolveError};

fn found(name: &str, context_length: Option<u64>, max_output: Option<u64>) -> FoundModel {
    FoundModel { name: name.into(), context_length, max_output, created: None }
}

async fn models(kind: &str, answers: &[&str]) -> (Vec<FoundModel>, Vec<String>) {
    let server = Server::play(answers.iter().map(|body| answer(200, "", body)).collect()).await;
    let scene = Scene::at(kind, &server);
    let all = scene.providers.discover().await;
    let own = all.into_iter().find(|discovery| discovery.provider == "test").expect("asked");
    let lines = server.requests().iter().map(|request| format!("{} {}", request.line(), request.body)).collect();
    (own.models.expect("models"), lines)
}

#[tokio::test]
async fn ollama_tells_its_models_and_their_windows() {
    let tags = r#"{"models":[{"name":"llama3.2:latest"},{"name":"tiny:1b"}]}"#;
    let show = r#"{"model_info":{"general.architecture":"llama","llama.context_length":131072}}"#;
    let tuned =
        r#"{"parameters":"stop \"x\"\nnum_ctx                        8192","model_info":{"llama.context_length":131072}}"#;
    let (models, lines) = models("ollama", &[tags, show, tuned]).await;
    assert_eq!(models, [found("llama3.2:latest", Some(131_072), None), found("tiny:1b", Some(8192), None)]);
    assert_eq!(
        lines,
        ["GET /api/tags ", r#"POST /api/show {"model":"llama3.2:latest"}"#, r#"POST /api/show {"model":"tiny:1b"}"#]
    );
}

#[tokio::test]
async fn servers_list_their_models_each_with_its_own_word_for_the_window() {
    for (kind, list, expected, line) in [
        (
            "openai",
            r#"{"data":[{"id":"a","max_model_len":4096},{"id":"b/c"}]}"#,
            vec![found("a", Some(4096), None), found("b/c", None, None)],
            "GET /v1/models ",
        ),
        ("openai", r#"{"data":[{"id":"g","meta":{"n_ctx_train":1024}}]}"#, vec![found("g", Some(1024), None)], "GET /v1/models "),
        (
            "anthropic",
            r#"{"data":[{"id":"claude-x","max_input_tokens":200000,"max_tokens":64000}]}"#,
            vec![found("claude-x", Some(200_000), Some(64_000))],
            "GET /v1/models ",
        ),
        (
            "gemini",
            r#"{"models":[{"name":"models/gem","inputTokenLimit":1048576,"outputTokenLimit":8192}]}"#,
            vec![found("gem", Some(1_048_576), Some(8192))],
            "GET /models ",
        ),
    ] {
        assert_eq!(models(kind, &[list]).await, (expected, vec![line.to_owned()]), "{kind}");
    }
}

#[tokio::test]
async fn a_found_model_is_named_bare_and_knows_its_window() {
    let server = Server::play(vec![answer(200, "", r#"{"data":[{"id":"my-model","max_model_len":4096}]}"#)]).await;
    let scene = Scene::at("openai", &server);
    assert!(matches!(scene.providers.resolve("my-model"), Err(ResolveError::Unknown { .. })));
    scene.providers.discover().await;
    let target = scene.providers.resolve("my-model").expect("found");
    assert_eq!((target.model.name.as_str(), target.model.wire_name()), ("test/my-model", "my-model"));
    assert_eq!(target.model.context_length, Some(4096));
}

#[tokio::test]
async fn a_server_that_does_not_answer_hides_no_other() {
    let gone = Server::play(vec![]).await.address("/v1");
    let here = Server::play(vec![answer(200, "", r#"{"data":[{"id":"m"}]}"#)]).await;
    let text = format!(
        "[providers.gone]\nkind=\"openai\"\nbase_url=\"{gone}\"\n[providers.here]\nkind=\"openai\"\nbase_url=\"{}\"",
        here.address("/v1")
    );
    let scene = Scene::configured(&text);
    let all = scene.providers.discover().await;
    let models = |name: &str| all.iter().find(|one| one.provider == name).map(|one| one.models.is_ok());
    assert_eq!((models("gone"), models("here")), (Some(false), Some(true)));
    assert_eq!(here.requests()[0].header("authorization"), None, "a server without api_key_env gets no key");
}

#[tokio::test]
async fn ollamas_latest_need_not_be_said() {
    let show = r#"{"model_info":{"llama.context_length":131072}}"#;
    let server = Server::play(vec![answer(200, "", r#"{"models":[{"name":"llama3.2:latest"}]}"#), answer(200, "", show)]).await;
    let scene = Scene::at("ollama", &server);
    scene.providers.discover().await;
    for name in ["llama3.2", "test/llama3.2", "llama3.2:latest"] {
        let model = scene.providers.resolve(name).expect(name).model;
        assert_eq!((model.wire_name(), model.context_length), ("llama3.2:latest", Some(131_072)), "{name}");
    }
}
