//! Levels and presets.

use crate::scene::{settings, talk};
use weftwork::ask::{Ask, Cache, Counter, Input, Policy, Preset, ReasoningPolicy, Round, Share, Strategy, ToolPolicy, Unit};
use weftwork::catalogue::{Model, VocabularyOf};
use weftwork::dialect::Dialect;
use weftwork::model::{Part, Purpose, Sampling};

#[test]
fn the_ask_wins_over_the_space_and_the_space_over_the_app() {
    let levels = [r#"{"tokenBuffer":1,"window":1,"unit":"message"}"#, r#"{"tokenBuffer":2,"window":2}"#, r#"{"tokenBuffer":3}"#]
        .map(settings);
    let policy = Policy::from_levels(&[&levels[0], &levels[1], &levels[2]]);
    assert_eq!((policy.token_buffer, policy.window, policy.unit), (3, Some(2), Unit::Message));
}

#[test]
fn a_generation_samples_as_it_says_then_as_its_space_then_as_its_agent() {
    let levels = [r#"{"temperature":0.3,"topP":0.3,"topK":3}"#, r#"{"temperature":0.2,"topP":0.2}"#, r#"{"temperature":0.1}"#];
    let [agent, space, ask] = levels.map(|json| serde_json::from_str::<weftwork::model::Sampling>(json).expect("sampling"));
    let talk = talk("u: hi").with(|talk| {
        talk.entity("a").sampling = Some(agent);
        talk.file.sampling = space;
        talk.ask.sampling = Some(ask);
    });
    let body = talk.body();
    assert_eq!([&body["temperature"], &body["topP"], &body["topK"]], [0.1, 0.2, 3.0]);
}

#[test]
fn defaults() {
    let policy = Policy::default();
    assert_eq!((policy.strategy, policy.minimum_recent_nodes, policy.low_water), (Strategy::TruncateMiddle, 4, Share::WHOLE));
    assert_eq!((policy.reasoning, policy.cache, policy.counter), (ReasoningPolicy::Keep, Cache::Advance, Counter::Auto));
    assert_eq!((policy.token_buffer, policy.tool_policy), (1024, ToolPolicy::Cached));
}

#[test]
fn presets_give_what_their_seed_asks_for() {
    for (preset, strategy, counter, reasoning, cache) in [
        (Preset::Weft, Strategy::TruncateMiddle, Counter::Auto, ReasoningPolicy::Keep, Cache::Advance),
        (Preset::Deepchat, Strategy::DropOldest, Counter::Tokenx, ReasoningPolicy::Concat, Cache::Off),
        (Preset::Netdata, Strategy::TruncateMiddle, Counter::Auto, ReasoningPolicy::Drop, Cache::Advance),
        (Preset::Aspen, Strategy::TruncateMiddle, Counter::Chars4, ReasoningPolicy::Drop, Cache::Off),
    ] {
        let policy = Policy::from_levels(&[&settings(&format!(r#"{{"preset":"{preset}"}}"#))]);
        assert_eq!(
            (policy.strategy, policy.counter, policy.reasoning, policy.cache),
            (strategy, counter, reasoning, cache),
            "{preset}"
        );
    }
}

#[test]
fn what_a_level_says_itself_wins_over_its_preset() {
    let policy = Policy::from_levels(&[&settings(r#"{"preset":"deepchat","counter":"o200k"}"#)]);
    assert_eq!((policy.strategy, policy.counter), (Strategy::DropOldest, Counter::O200k));
}

#[test]
fn sticky_window_means_low_water_unless_it_is_given() {
    let share = |json: &str| Policy::from_levels(&[&settings(json)]).low_water;
    assert_eq!(share(r#"{"strategy":"stickyWindow"}"#), Share::thousandths(600));
    assert_eq!(share(r#"{"strategy":"stickyWindow","lowWater":0.8}"#), Share::thousandths(800));
    assert_eq!(share(r#"{"strategy":"rollingWindow"}"#), Share::WHOLE);
}

#[test]
fn the_spaces_settings_are_used() {
    let mut talk = talk("u: 1\na: 2\nu: 3");
    talk.file.space.settings = settings(r#"{"window":1}"#);
    assert_eq!(talk.said(), ["user: 3"]);
    assert_eq!(talk.set(r#"{"window":2}"#).said().len(), 2);
}

#[test]
fn a_default_system_prompt_is_for_agents_that_have_none() {
    let mut talk = talk("u: 1");
    talk.ask.app.default_system_prompt = Some("App.".into());
    assert_eq!(talk.system(), "App.");
    talk.file.space.settings.default_system_prompt = Some("Space.".into());
    assert_eq!(talk.system(), "Space.");
    assert_eq!(talk.prompt("Own.").system(), "Own.");
}

#[test]
fn an_ask_is_the_same_when_it_is_read_again() {
    let again = |ask: &Ask| serde_json::from_str::<Ask>(&serde_json::to_string(ask).unwrap()).unwrap();
    assert_eq!(serde_json::to_string(&Ask::default()).unwrap(), "{}");
    for input in [Input::None, Input::New(vec![Part::text("a\nb")]), Input::Node("n1".into())] {
        let ask = Ask {
            head: Some("n2".into()),
            viewer: Some("analyst".into()),
            input,
            rounds: vec![Round {
                parts: vec![Part::text("hm")],
                results: vec![Part::result("c1", "x")],
                model: Some("m".into()),
            }],
            buffer: Some("and so".into()),
            tools: Some(Vec::new()),
            sampling: Some(Sampling { temperature: Some(0.1 + 0.2), seed: Some(-1), ..Sampling::default() }),
            model: Some(Model { vocabulary: VocabularyOf::Estimated(1_234), ..Model::unlisted("local/some") }),
            purpose: Purpose::Summary,
            previous: None,
            recall: Default::default(),
            now: Some("2026-02-18T14:50:00.5+01:00".parse().unwrap()),
            dialect: Some(Dialect::AiSdk),
            app: settings(r#"{"preset":"aspen"}"#),
            settings: settings(r#"{"lowWater":0.6,"toolInclusionMode":"all-off"}"#),
        };
        assert_eq!(again(&ask), ask);
        // It changes no byte of a request, and may be large.
        assert_eq!(again(&Ask { previous: Some(b"{}".to_vec()), ..ask.clone() }), ask);
    }
}
