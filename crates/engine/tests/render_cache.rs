//! What changed since the previous request, and what the provider still has of it.

#[path = "golden/prompt.rs"]
mod prompt;

use prompt::*;
use proptest::prelude::*;
use weftwork::cache::{CachedPrefix, WireSection, blocks, common_marked_prefix, first_change};
use weftwork::dialect::{Dialect, render};
use weftwork::model::Tool;
use weftwork::prompt::{Block, Message, Prompt, Role};

fn asked<'h>(tools: &[&'h Tool], system_text: &'h str, messages: Vec<Message<'h>>) -> Prompt<'h> {
    Prompt {
        tools: tools.to_vec(),
        tools_mark: true,
        system: vec![Block { mark: true, ..system(system_text) }],
        ..prompt(messages)
    }
}

/// The section that changed first, and what the current body says from there on.
fn change(previous: &Prompt<'_>, current: &Prompt<'_>, dialect: Dialect) -> Option<(&'static str, String)> {
    let (previous, current) = (render(previous, dialect), render(current, dialect));
    let change = first_change(&previous, &current, dialect).expect("bodies of the dialect")?;
    Some((change.section.word(), String::from_utf8_lossy(&current[change.byte..]).into_owned()))
}

fn read(previous: &Prompt<'_>, current: &Prompt<'_>, dialect: Dialect) -> usize {
    common_marked_prefix(&render(previous, dialect), &render(current, dialect), dialect).expect("bodies of the dialect").blocks
}

const PROVIDERS: [Dialect; 5] = [Dialect::OpenAi, Dialect::Responses, Dialect::Anthropic, Dialect::Gemini, Dialect::Ollama];

#[test]
fn the_first_new_message_is_the_change_when_a_conversation_grows() {
    let tool = tool("search");
    let before = asked(&[&tool], "S", vec![user("one")]);
    let after = asked(&[&tool], "S", vec![user("one"), assistant("two"), user("three")]);
    for dialect in PROVIDERS {
        let (section, rest) = change(&before, &after, dialect).expect("a change");
        assert_eq!(section, "history", "{dialect}");
        assert!(rest.contains("two") && !rest.contains("one"), "{dialect}: {rest}");
        assert_eq!(change(&after, &after, dialect), None, "{dialect}");
        assert_eq!(change(&after, &before, dialect), None, "{dialect}: what was cut off at the end changes no prefix");
    }
}

#[test]
fn a_mark_that_moves_is_no_change() {
    let before = asked(&[], "S", vec![marked(user("one")), assistant("two")]);
    let after = asked(&[], "S", vec![user("one"), marked(assistant("two"))]);
    assert_eq!(change(&before, &after, Dialect::Anthropic), None);
}

#[test]
fn tools_come_before_system_text_before_messages() {
    let (search, chart) = (tool("search"), tool("chart"));
    let before = asked(&[&search], "S one", vec![user("x")]);
    for dialect in PROVIDERS {
        let tools = change(&before, &asked(&[&search, &chart], "S two", vec![user("y")]), dialect);
        assert_eq!(tools.map(|(section, _)| section), Some("tools"), "{dialect}");
        let (section, rest) = change(&before, &asked(&[&search], "S two", vec![user("y")]), dialect).expect("a change");
        assert_eq!(section, "system", "{dialect}");
        assert!(rest.starts_with("two"), "{dialect}: the first byte that differs, not the block: {rest}");
    }
}

#[test]
fn the_same_words_of_another_speaker_are_a_change() {
    let before = asked(&[], "S", vec![user("x"), assistant("y")]);
    let after = asked(&[], "S", vec![user("x"), user("y")]);
    for dialect in PROVIDERS {
        assert_eq!(change(&before, &after, dialect).map(|(section, _)| section), Some("history"), "{dialect}");
    }
}

#[test]
fn anthropic_reads_up_to_the_last_mark_of_the_previous_request() {
    let before = asked(&[], "S", vec![marked(user("one"))]);
    let grown = asked(&[], "S", vec![user("one"), assistant("two"), marked(user("three"))]);
    assert_eq!(read(&before, &grown, Dialect::Anthropic), 2, "system and the first message");
    let edited = asked(&[], "S", vec![user("ONE"), assistant("two"), marked(user("three"))]);
    assert_eq!(read(&before, &edited, Dialect::Anthropic), 1, "system only");
    let unmarked = Prompt { system: vec![system("S")], ..asked(&[], "", vec![user("one"), assistant("two")]) };
    assert_eq!(read(&before, &unmarked, Dialect::Anthropic), 0, "who asks without a mark reads nothing");
}

#[test]
fn case_40_an_entry_more_than_twenty_blocks_back_is_not_found() {
    let turns = |count: usize| {
        let mut messages: Vec<_> = (0..count).map(|_| user("x")).collect();
        messages.push(marked(user("last")));
        Prompt { system: vec![system("S")], ..prompt(messages) }
    };
    let before = Prompt { system: vec![system("S")], ..prompt(vec![marked(user("x"))]) };
    assert_eq!(read(&before, &turns(19), Dialect::Anthropic), 2);
    assert_eq!(read(&before, &turns(20), Dialect::Anthropic), 0);
}

#[test]
fn others_keep_every_prefix_by_themselves() {
    let before = asked(&[], "S", vec![user("one"), assistant("two")]);
    let after = asked(&[], "S", vec![user("one"), assistant("TWO")]);
    for dialect in [Dialect::OpenAi, Dialect::Responses, Dialect::Gemini] {
        assert_eq!(read(&before, &after, dialect), 2, "{dialect}");
    }
}

#[test]
fn blocks_tell_where_they_begin() {
    let tool = tool("search");
    let body = render(&asked(&[&tool], "S", vec![user("é"), marked(assistant("two"))]), Dialect::Anthropic);
    let found = blocks(&body, Dialect::Anthropic).expect("a body");
    let sections: Vec<_> = found.iter().map(|block| block.section).collect();
    let history = |message| WireSection::History { message };
    assert_eq!(sections, [WireSection::Tools, WireSection::System, history(0), history(1)]);
    assert_eq!(found.iter().map(|block| block.marked).collect::<Vec<_>>(), [true, true, false, true]);
    for block in &found {
        assert_eq!(body[block.start], b'{');
        let unmarked = block.text.strip_suffix('}').expect("an object");
        assert!(body[block.start..].starts_with(unmarked.as_bytes()), "{}", block.text);
    }
    assert_eq!(found[3].role.as_deref(), Some("assistant"));
}

#[test]
fn marks_inside_a_result_are_marks_and_those_inside_arguments_are_not() {
    let body = br#"{"messages":[{"role":"user","content":[{"type":"tool_result","content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}]},{"type":"tool_use","input":{"cache_control":1}}]}]}"#;
    let found = blocks(body, Dialect::Anthropic).expect("a body");
    assert_eq!(found[0].text, r#"{"type":"tool_result","content":[{"type":"text","text":"x"}]}"#);
    assert!(found[0].marked && !found[1].marked);
    assert_eq!(found[1].text, r#"{"type":"tool_use","input":{"cache_control":1}}"#);
}

#[test]
fn a_body_of_something_else_is_an_error() {
    let error = blocks(b"[1", Dialect::OpenAi).expect_err("not an object");
    assert!(error.to_string().starts_with("not a request body in the dialect openai: "), "{error}");
    assert_eq!(blocks(b"{}", Dialect::OpenAi).expect("empty"), []);
}

#[test]
fn a_document_that_grew_changes_where_it_grew() {
    let (before, after) = (prompt(vec![user("Once upon")]), prompt(vec![user("Once upon a time")]));
    assert_eq!(change(&before, &after, Dialect::Text), Some(("history", " a time".into())));
    assert_eq!(change(&before, &after, Dialect::Completions), Some(("history", " a time\"}".into())));
}

proptest! {
    #[test]
    fn any_texts_give_json_that_reads_back_and_equals_itself(texts in prop::collection::vec(any::<String>(), 1..6), mark in 0usize..6) {
        let said = |text| { let role = if mark % 2 == 0 { Role::User } else { Role::Assistant }; says(role, vec![weftwork::prompt::Piece::text(text)]) };
        let mut messages: Vec<_> = texts.iter().map(|text| said(text.as_str())).collect();
        if let Some(message) = messages.get_mut(mark) {
            message.mark = true;
        }
        let prompt = Prompt { system: vec![system(&texts[0])], ..prompt(messages) };
        for &dialect in Dialect::ALL {
            let body = render(&prompt, dialect);
            prop_assert!(first_change(&body, &body, dialect).expect("a body").is_none());
            let whole = common_marked_prefix(&body, &body, dialect).expect("a body");
            prop_assert!(whole == CachedPrefix::default() || whole.bytes <= body.len());
        }
    }
}
