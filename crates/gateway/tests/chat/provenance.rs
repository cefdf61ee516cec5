//! What the model saw can be made again, and what may be spent is never overspent.

use crate::scene::{Scene, unwatched};
use crate::server::{Server, fixture, ok, send};
use weftwork::model::{Part, Sampling};
use weftwork_gateway::{GatewayError, How, Seal, hand_out_keys, keep_key};
use weftwork_provider::{Config, Providers};
use weftwork_store::Flag;
use weftwork_store::runs::Scope;

#[tokio::test]
async fn every_call_is_assembled_again_to_the_same_bytes() {
    let config = "[providers.small]\nkind = \"offline\"\n[providers.small.models.offline]\ncontext_length = 3000";
    let scene = Scene::configured(config, "small/offline").await;
    for turn in 0..12 {
        scene.say(&format!("!say {}", format!("turn{turn} ").repeat(60))).await;
    }
    let head = scene.chat.head().await.expect("a head").expect("a node");
    scene.chat.title(&unwatched()).await.expect("a title");
    scene.chat.summarize(4, &unwatched()).await.expect("a summary");
    scene.chat.summarize(0, &unwatched()).await.expect("another");
    // Everything that may change changes.
    scene.chat.flag(&head, Flag::Excluded, true).await.expect("a flag");
    scene.chat.set_system_prompt(Some("Be brief.".into())).await.expect("a prompt");
    scene.chat.set_sampling(Some(Sampling { temperature: Some(0.1), ..Sampling::default() })).await.expect("sampling");
    scene.chat.change_space(|file| file.space.system_context = "Changed.".into()).await.expect("a space");
    let message = scene.node(&head).parent.expect("a message");
    scene.chat.edit(&message, vec![Part::text("!say otherwise")], &How::default(), &unwatched()).await.expect("an edit");
    let calls = scene.calls();
    assert!(calls.len() > 15);
    for call in calls {
        let again = scene.store().reassemble(scene.chat.space(), &call.id).unwrap_or_else(|error| panic!("{call:?}: {error}"));
        assert_eq!(again.request, scene.request(&call), "{call:?}");
    }
}

#[tokio::test]
async fn a_budget_is_reserved_before_a_call_settled_after_it_and_refused_when_it_is_used_up() {
    let server = Server::play(vec![vec![ok(), send(fixture("openai-plain.sse"))]; 3]).await;
    let scene = Scene::at("openai", &server).await;
    let space = Scope::Space(scene.chat.space().clone());
    // A call may cost a few cents: its reply is priced at the tokens kept for it.
    scene.store().put_budget(&space, 0, i64::MAX, 10_500_000).expect("a budget");
    scene.say("one").await;
    let spent = scene.store().budgets().expect("budgets")[0].clone();
    let cost = scene.calls()[0].cost.expect("a cost").as_billionths();
    assert_eq!((spent.reserved, spent.spent), (0, cost));
    let refused = scene.try_say("two").await.expect_err("used up");
    assert!(matches!(&refused, GatewayError::Budget(_)), "{refused}");
    assert_eq!((scene.calls().len(), server.requests().len()), (1, 1), "nothing was sent");
    assert_eq!(scene.path().await.last().map(String::as_str), Some("me: two"), "what was said stays");
}

#[tokio::test]
async fn a_model_without_a_price_is_refused_where_there_is_a_budget() {
    let scene = Scene::offline().await;
    let space = Scope::Space(scene.chat.space().clone());
    scene.store().put_budget(&space, 0, i64::MAX, 1_000_000_000).expect("a budget");
    let refused = scene.try_say("one").await.expect_err("nobody knows the price");
    assert!(refused.to_string().contains("nobody knows what this model costs"), "{refused}");
}

#[tokio::test]
async fn a_sealed_key_makes_its_service_be_there_and_is_nowhere_in_the_clear() {
    let scene = Scene::offline().await;
    let seal = Seal::parse(&"ab".repeat(32)).expect("a seal");
    keep_key(scene.store(), &seal, "anthropic", "sk-ant-very-secret", 0).expect("kept");
    let providers = Providers::new(&Config::default(), weftwork::catalogue::Catalogue::built_in(), |_| None).expect("providers");
    assert!(providers.resolve("anthropic/claude-sonnet-5-5").is_err());
    assert_eq!(hand_out_keys(scene.store(), &seal, &providers).expect("handed out"), [] as [String; 0]);
    assert!(providers.resolve("anthropic/claude-sonnet-5-5").is_ok());
    assert_eq!(scene.store().secrets().expect("secrets")[0].hint, "cret");
    let export = serde_json::to_string(&scene.export()).expect("JSON");
    assert!(!export.contains("secret") && !format!("{providers:?}").contains("sk-ant"));
    let other = Seal::parse(&"cd".repeat(32)).expect("a seal");
    let refused = hand_out_keys(scene.store(), &other, &providers).expect_err("another seal");
    assert!(refused.to_string().contains("anthropic"), "{refused}");
}
