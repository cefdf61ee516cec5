//! Who speaks in which role, and what a node says.

use crate::scene::{errors, talk, wire_dialects};
use weftwork::AssembleError;
use weftwork::dialect::Dialect;

#[test]
fn roles_are_relative_to_the_viewer() {
    let lines = "u: 1\na: 2\nb: 3\ns: 4";
    for (viewer, roles) in [
        (Some("a"), ["user", "assistant", "user", "user"]),
        (Some("b"), ["user", "user", "assistant", "user"]),
        (Some("u"), ["assistant", "user", "user", "user"]),
        (None, ["user", "assistant", "assistant", "user"]),
    ] {
        let talk = talk(lines).with(|talk| talk.ask.viewer = viewer.map(Into::into));
        let found: Vec<_> = talk.said().iter().filter_map(|line| line.split(':').next().map(str::to_owned)).collect();
        assert_eq!(found, roles, "{viewer:?}");
    }
}

#[test]
fn the_viewer_is_the_asks_else_the_files_else_the_only_agent_else_none() {
    let mut team = talk("a: 1\nb: 2");
    assert_eq!(team.said(), ["assistant: 1", "assistant: 2"]);
    team.file.viewer = Some("b".into());
    assert_eq!(team.said(), ["user: 1", "assistant: 2"]);
    team.ask.viewer = Some("a".into());
    assert_eq!(team.said(), ["assistant: 1", "user: 2"]);
    assert_eq!(talk("a: 1\ns: 2").said(), ["assistant: 1", "user: 2"]);
    team.ask.viewer = Some("z".into());
    assert!(matches!(team.error(), AssembleError::UnknownViewer { .. }));
}

#[test]
fn an_edit_keeps_the_role_of_what_it_edits() {
    let edited = talk("u: 1\na: 2\nu on=n1 edits=n2: better\nu on=n1 edits=n3: best\nv on=n1: mine");
    let at = |head: &str| edited.clone().with(|talk| talk.ask.head = Some(head.into())).said()[1].clone();
    assert_eq!((at("n3"), at("n4"), at("n5")), ("assistant: better".into(), "assistant: best".into(), "user: mine".into()));
}

#[test]
fn leading_system_messages_join_the_system_text_and_later_ones_keep_their_place_where_allowed() {
    let lines = "u system: First.\nu system: Second.\nu: 1\nu system: Third.\na: 2";
    let talk = talk(lines).prompt("Agent.");
    assert_eq!(talk.system(), "Agent.\n\nFirst.\n\nSecond.");
    for (dialect, place) in [
        (Dialect::OpenAi, Some("system")),
        (Dialect::Ollama, Some("system")),
        (Dialect::Messages, None),
        (Dialect::Anthropic, None),
        (Dialect::AiSdk, None),
    ] {
        let body = talk.clone().to(dialect).body();
        let third = body["messages"].as_array().into_iter().flatten().find(|message| message.to_string().contains("Third."));
        let third = third.expect("a message");
        assert_eq!(third["role"], place.unwrap_or("user"), "{dialect}");
        assert_eq!(third.to_string().contains("[System message]"), place.is_none(), "{dialect}");
    }
    assert_eq!(talk.repairs(), ["systemMessage"]);
    assert_eq!(talk.to(Dialect::OpenAi).repairs(), [""; 0]);
}

#[test]
fn a_system_message_with_a_picture_is_a_labelled_user_message_everywhere() {
    for dialect in wire_dialects() {
        let talk = talk("u: 1\na: 2\nu system: image | Look.").to(dialect);
        assert_eq!(errors(&talk.assemble(), dialect), [], "{dialect}");
    }
}

#[test]
fn reasoning_is_kept_joined_or_dropped() {
    let lines = "u: 1\na model=anthropic/claude-sonnet-4-5: think(sig Hm.) | 2";
    for (policy, said) in [("keep", "assistant: think(sig Hm.) | 2"), ("concat", "assistant: Hm.\n\n2"), ("drop", "assistant: 2")]
    {
        let talk = talk(lines).model("anthropic/claude-sonnet-4-5").set(&format!(r#"{{"reasoning":"{policy}"}}"#));
        assert_eq!(talk.said()[1], said, "{policy}");
    }
    assert_eq!(talk(lines).model("openai/gpt-4o").said()[1], "assistant: 2", "another model's thoughts are not sent");
    assert_eq!(talk(lines).said()[1], "assistant: 2", "nor to a model nobody named");
}

#[test]
fn failed_nodes_are_excluded_or_noted() {
    let lines = "u error=network: not sent\na error=overloaded: Half an\na error: Stopped he\na error=gone:\nu: go on";
    assert_eq!(talk(lines).said(), ["user: go on"]);
    assert_eq!(
        talk(lines).set(r#"{"errors":"note"}"#).said(),
        [
            "assistant: Half an\n\n[generation failed: overloaded]",
            "assistant: Stopped he\n\n[generation stopped]",
            "assistant: [generation failed: gone]",
            "user: go on"
        ]
    );
}

#[test]
fn tools_of_other_agents_are_their_own_affair() {
    let talk = talk("u: 1\nb: Let me see. | call(t1 look {})\nb: result(t1 seen)\nb: call(t2 look {})\na: 2")
        .with(|talk| talk.ask.viewer = Some("a".into()));
    assert_eq!(talk.said(), ["user: 1", "user: Let me see.", "assistant: 2"]);
    assert_eq!(talk.fate("n3"), "dropped toolPolicy");
    assert_eq!(talk.fate("n4"), "dropped toolPolicy");
}

#[test]
fn senders_are_told_apart_where_they_are_merged_and_only_there() {
    let two = "u: 1\nv: 2\na: 3\nu: 4";
    assert_eq!(talk(two).said()[0], "user: 1");
    assert_eq!(
        talk(two).set(r#"{"merge":true}"#).said(),
        ["user: [Husam (human)] 1\n\n[Ahmad (human)] 2", "assistant: 3", "user: [Husam (human)] 4"]
    );
    let one = talk("u: 1\nu: 2\na: 3").set(r#"{"merge":true}"#);
    assert_eq!(one.said()[0], "user: 1\n\n2");
}

#[test]
fn neighbours_are_merged_where_the_api_wants_alternation() {
    let lines = "u: 1\nu: 2\na: 3\na: 4";
    for (dialect, list, messages) in [
        (Dialect::Anthropic, "messages", 2),
        (Dialect::OpenAi, "messages", 4),
        (Dialect::Ollama, "messages", 4),
        (Dialect::AiSdk, "messages", 4),
    ] {
        assert_eq!(talk(lines).to(dialect).body()[list].as_array().map(Vec::len), Some(messages), "{dialect}");
    }
    let gemini = talk(lines).input("5").to(Dialect::Gemini).body();
    assert_eq!(gemini["contents"].as_array().map(Vec::len), Some(3));
}

#[test]
fn sampling_and_the_reply_length_pass_through() {
    let mut talk = talk("u: 1").set(r#"{"maxTokens":77}"#);
    talk.file.sampling.temperature = Some(0.3);
    talk.file.sampling.stop = vec!["END".into()];
    let openai = talk.clone().to(Dialect::OpenAi).body();
    assert_eq!((&openai["temperature"], &openai["stop"][0]), (&0.3.into(), &"END".into()));
    assert_eq!(talk.clone().to(Dialect::Anthropic).body()["max_tokens"], 77);
    talk.ask.sampling = Some(weftwork::model::Sampling { temperature: Some(0.9), ..Default::default() });
    assert_eq!(talk.to(Dialect::OpenAi).body()["temperature"], 0.9);
}
