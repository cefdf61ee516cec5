//! D. Budgets and tokens.

use crate::scene::{image, talk, tokens, tool};
use weftwork::AssembleError;
use weftwork::dialect::Dialect;
use weftwork::model::{Image, Media, Part};

#[test]
fn peers_46_the_context_size_is_that_of_the_request_not_of_the_history() {
    let lines = format!("u: {}\na summary: Short.\nu: next", tokens(5000));
    let budget = talk(&lines).assemble().report.budget;
    assert_eq!((budget.history, budget.system), (1, 10));
}

#[test]
fn peers_47_system_tools_and_every_part_are_counted() {
    let empty = talk("u: 1234").assemble().report.budget;
    assert_eq!((empty.system, empty.tools, empty.history), (0, 0, 1));
    let full = talk("u: 1234 | image | file\na: call(t1 name {\"q\":12345})\na: result(t1 12345678)")
        .prompt("12345678")
        .input("1234")
        .with(|talk| talk.file.tools = vec![tool("name", "12345678")])
        .assemble()
        .report
        .budget;
    assert_eq!((full.system, full.tools, full.input), (2, 1 + 2 + 5, 1));
    // Text 1, picture 85, file 2 + 1600, call 1 + 3, result 2.
    assert_eq!(full.history, 1 + 85 + 1602 + 4 + 2);
}

#[test]
fn peers_48_and_53_a_long_tool_loop_is_fitted_too_and_the_system_prompt_stays() {
    let mut lines = String::from("u: do it all\n");
    for n in 0..300 {
        lines += &format!("a: call(t{n} step {{\"n\":{n}}})\na: result(t{n} {})\n", tokens(200));
    }
    for dialect in [Dialect::OpenAi, Dialect::Anthropic, Dialect::Gemini] {
        let talk = talk(&lines).prompt("Be brief.").set(r#"{"contextLength":8000,"tokenBuffer":1024}"#).to(dialect);
        let report = talk.assemble().report;
        assert!(report.budget.history <= report.budget.available);
        assert_eq!(talk.fate("n1"), "included openExchange", "{dialect}");
        assert!(talk.kept().contains(&"n601".to_owned()));
        assert_eq!(crate::scene::errors(&talk.assemble(), dialect), []);
        assert_eq!(talk.system(), "Be brief.");
    }
}

#[test]
fn peers_53_a_local_server_is_told_the_window_so_that_it_never_trims_itself() {
    let body = talk("u: hi").set(r#"{"contextLength":9000}"#).to(Dialect::Ollama).body();
    assert_eq!(body["options"]["num_ctx"], 9000);
}

#[test]
fn peers_50_a_floor_above_the_window_is_an_error_that_says_what_is_largest() {
    let lines = format!("u pinned: {}\na: ok\nu: {}", tokens(50), tokens(40));
    match talk(&lines).set(r#"{"contextLength":60}"#).error() {
        AssembleError::DoesNotFit { needed, budget, largest } => {
            assert_eq!((needed, budget.available), (90, 60));
            assert_eq!((largest[0].what.as_str(), largest[0].tokens), ("n1", 50));
        }
        other => panic!("{other}"),
    }
}

#[test]
fn peers_51_errors_are_never_context() {
    let failed = talk("u: go\na summary error=overflow: partial\na error=overloaded: x\nu: again");
    assert_eq!(failed.sent(), ["user: go", "user: again"]);
}

#[test]
fn peers_54_the_newest_question_stays_whatever_else_is_cut() {
    let lines = format!("u: {}\na: {}\nu: why?", tokens(500), tokens(500));
    for strategy in ["truncateMiddle", "rollingWindow", "dropOldest", "stickyWindow"] {
        let talk = talk(&lines).set(&format!(r#"{{"strategy":"{strategy}","contextLength":40}}"#));
        assert_eq!(talk.said().last().map(String::as_str), Some("user: why?"), "{strategy}");
    }
}

fn pictures(count: usize, edge: u32) -> crate::scene::Talk {
    talk("u: look").to(Dialect::Anthropic).with(|talk| {
        talk.node("n1").parts.extend((0..count).map(|_| Part::Image(image(edge, edge))));
    })
}

#[test]
fn peers_56_bytes_pictures_and_pixels_have_their_own_limits() {
    for (talk, what) in [
        (pictures(1, 8001), Some("pixels along a picture's side")),
        (pictures(1, 8000), None),
        (pictures(21, 2001), Some("pixels along a picture's side")),
        (pictures(21, 2000), None),
        (pictures(101, 100), Some("images")),
    ] {
        let talk = talk.set(r#"{"contextLength":1000000}"#);
        match (talk.run(), what) {
            (Ok(_), None) => {}
            (Err(AssembleError::OverDialectLimit { what: found, .. }), Some(what)) => assert_eq!(found, what),
            (other, _) => panic!("{what:?}: {:?}", other.map(|_| ())),
        }
    }
    let huge = Image { media: Media::Data("A".repeat(32_000_001)), ..image(100, 100) };
    let talk = talk("u: look").to(Dialect::Anthropic).with(|talk| talk.node("n1").parts.push(Part::Image(huge)));
    assert!(matches!(talk.error(), AssembleError::OverDialectLimit { what: "bytes", .. }));
}

#[test]
fn peers_57_base64_is_not_counted_as_text() {
    let large = Image { media: Media::Data("A".repeat(400_000)), ..image(750, 1000) };
    let talk = talk("u: look").with(|talk| talk.node("n1").parts.push(Part::Image(large)));
    assert_eq!(talk.assemble().report.budget.history, 1 + 1000);
}
