//! Levels and presets.

use crate::scene::{settings, talk};
use weftwork::ask::{Cache, Counter, Policy, Preset, ReasoningPolicy, Share, Strategy, ToolPolicy, Unit};

#[test]
fn the_ask_wins_over_the_space_and_the_space_over_the_app() {
    let levels = [r#"{"tokenBuffer":1,"window":1,"unit":"message"}"#, r#"{"tokenBuffer":2,"window":2}"#, r#"{"tokenBuffer":3}"#]
        .map(settings);
    let policy = Policy::from_levels(&[&levels[0], &levels[1], &levels[2]]);
    assert_eq!((policy.token_buffer, policy.window, policy.unit), (3, Some(2), Unit::Message));
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
