//! C. Cache.

use crate::scene::{Talk, errors, settings, talk, tokens, tool};
use serde_json::Value;
use weftwork::dialect::Dialect;
use weftwork::model::{Loom, Part, SpaceMessageTrigger, Trigger};

const CLAUDE: &str = "anthropic/claude-sonnet-4-5";

fn claude(lines: &str) -> Talk {
    talk(lines).to(Dialect::Anthropic).model(CLAUDE)
}

fn marks(talk: &Talk) -> Vec<String> {
    let marks = talk.assemble().report.cache.marks;
    let written = talk.body().to_string().matches("cache_control").count();
    assert_eq!(written, marks.len(), "what is reported is what is written");
    assert_eq!(errors(&talk.assemble(), Dialect::Anthropic), []);
    marks
}

fn stable(talk: Talk, now: &str) -> Talk {
    talk.with(|talk| {
        talk.file.viewer = Some("a".into());
        talk.ask.now = Some(now.parse().expect("a time"));
        talk.ask.settings = settings(r#"{"form":"timeline","layout":"cacheStable"}"#);
        talk.file.trigger = Some(Trigger::SpaceMessage(SpaceMessageTrigger {
            space: "space-1".into(),
            sender: "u".into(),
            message: "hi".into(),
            message_id: "n1".into(),
            timestamp: None,
            sender_expects_reply: false,
            chain_depth: 0,
            also_triggering: Vec::new(),
            waited_on: None,
            resumed_by: None,
            no_reply: Default::default(),
        }));
    })
}

#[test]
fn peers_34_what_changes_on_each_call_stands_after_the_last_mark() {
    let lines = format!("u at=14:50:00: {}\nu at=14:51:00: hi", tokens(3000));
    let one = stable(claude(&lines), "2026-02-18T15:00:00Z");
    let two = stable(claude(&lines), "2026-02-19T16:11:22Z");
    let (one, two) = (one.assemble().request, two.assemble().request);
    let (one, two) = (String::from_utf8(one).expect("text"), String::from_utf8(two).expect("text"));
    let mark = one.rfind("cache_control").expect("a mark");
    assert_eq!(one[..mark], two[..mark]);
}

#[test]
fn peers_35_every_entry_has_its_own_stored_time() {
    let lines = "u at=14:50:00: one\nu at=14:51:00: two";
    let system = |now| stable(talk(lines), now).system();
    for now in ["2026-02-18T15:00:00Z", "2027-01-01T00:00:00Z"] {
        assert!(system(now).contains("[2026-02-18T14:50:00Z]") && system(now).contains("[2026-02-18T14:51:00Z]"));
    }
}

#[test]
fn peers_36_a_side_call_sends_the_same_tools_and_system_text() {
    let lines = format!("u: {}\na marks=n1: two", tokens(1500));
    let with_tools = |talk: Talk| talk.prompt("Be brief.").with(|talk| talk.file.tools = vec![tool("search", "Finds.")]);
    let reply = with_tools(claude(&lines)).body();
    let summary = with_tools(claude(&lines)).set(r#"{"cache":"freeze"}"#).input("Summarise.").body();
    assert_eq!((&reply["tools"], &reply["system"]), (&summary["tools"], &summary["system"]));
}

#[test]
fn peers_38_old_results_are_not_shortened_as_long_as_turns_can_go() {
    let big = "x".repeat(4000);
    let lines = format!("u: a\na: call(t1 one {{}}) | result(t1 {big})\nu: b\na: call(t2 one {{}}) | result(t2 {big})\nu: c");
    let cut = talk(&lines).set(r#"{"strategy":"dropOldest","contextLength":1500}"#);
    assert!(cut.fates().iter().all(|fate| !fate.contains("shortened")));
    assert_eq!(cut.kept(), ["n3", "n4", "n5"]);
}

#[test]
fn peers_39_the_mark_slides_and_never_freezes_by_itself() {
    let mut lines = format!("u: {}\n", tokens(1500));
    for turn in 0..8 {
        lines += &format!("a: answer {turn}\nu: question {turn}\n");
        let newest = format!("n{}", 3 + 2 * turn);
        assert!(marks(&claude(&lines)).contains(&newest), "turn {turn}");
    }
}

#[test]
fn peers_40_more_than_twenty_blocks_get_a_mark_between() {
    let mut lines = format!("u: {}\na marks=n1: ok\nu: go\n", tokens(1500));
    for n in 0..15 {
        lines += &format!("a: call(t{n} one {{}})\na: result(t{n} ok)\n");
    }
    let found = marks(&claude(&lines));
    assert_eq!(found.len(), 2, "{found:?}");
    let few = marks(&claude(&format!("u: {}\na marks=n1: ok\nu: go", tokens(1500))));
    assert_eq!(few.len(), 1);
}

#[test]
fn peers_41_a_mark_is_put_on_what_can_carry_it() {
    let model = format!("model={CLAUDE}");
    let lines = format!("u: {}\na {model}: think(sig hm) | call(t1 one {{}})\na: result(t1 ok)", tokens(1500));
    assert_eq!(marks(&claude(&lines)), ["n3"]);
}

#[test]
fn peers_42_never_more_than_four_marks() {
    let mut lines = format!("u: {}\na marks=n1: ok\nu: go\n", tokens(1500));
    for n in 0..60 {
        lines += &format!("a: call(t{n} one {{}})\na: result(t{n} ok)\n");
    }
    let talk = claude(&lines).prompt(&tokens(1500)).with(|talk| talk.file.tools = vec![tool("one", &tokens(1500))]);
    let found = marks(&talk);
    assert_eq!(found[..2], ["tools", "system"]);
    assert!(found.len() <= 4, "{found:?}");
}

#[test]
fn peers_43_no_mark_on_empty_text() {
    let mut talk = claude(&format!("u: {}\na: ok\nu: x", tokens(1500)));
    talk.node("n3").parts = vec![Part::text("  "), Part::text("")];
    let found = marks(&talk);
    assert!(!found.contains(&"n3".into()), "{found:?}");
}

#[test]
fn peers_44_notes_that_change_each_turn_do_not_break_the_prefix() {
    let noted = |note: &str| {
        claude(&format!("u: {}\na: ok", tokens(1500))).prompt("Be brief.").input("next").with(|talk| {
            talk.file.loom = Some(Loom { position: vec![note.into()], ..Loom::default() });
        })
    };
    let (one, two) = (noted("depth 1").body(), noted("depth 2").body());
    let prefix = |body: &Value| (body["system"].clone(), body["messages"][0].clone(), body["messages"][1].clone());
    assert_eq!(prefix(&one), prefix(&two));
}
