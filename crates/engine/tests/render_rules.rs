//! The answers of each dialect to the steps before it.

#[path = "golden/prompt.rs"]
mod prompt;

use prompt::{model, pdf, picture, picture_at};
use weftwork::catalogue::Model;
use weftwork::dialect::{AfterCall, Alternation, Dialect, Limits, Opening, Place, ReasoningCarried, SystemMessages};

#[test]
fn anthropic_and_gemini_alternate_and_begin_with_the_user() {
    for &dialect in Dialect::ALL {
        let strict = matches!(dialect, Dialect::Anthropic | Dialect::Gemini);
        assert_eq!(dialect.alternation() == Alternation::Required, strict, "{dialect}");
        assert_eq!(dialect.opening() == Opening::User, strict, "{dialect}");
        assert_eq!(dialect.after_call() == AfterCall::CallsOnly, strict, "{dialect}");
    }
}

#[test]
fn where_system_messages_and_reasoning_can_go() {
    use Dialect::*;
    let table = [
        (OpenAi, SystemMessages::InPlace, ReasoningCarried::Never),
        (Responses, SystemMessages::InPlace, ReasoningCarried::Signed),
        (Anthropic, SystemMessages::AsUser, ReasoningCarried::Signed),
        (Gemini, SystemMessages::AsUser, ReasoningCarried::Signed),
        (Ollama, SystemMessages::InPlace, ReasoningCarried::Text),
        (Completions, SystemMessages::AsUser, ReasoningCarried::Never),
        (AiSdk, SystemMessages::AsUser, ReasoningCarried::Text),
        (Text, SystemMessages::AsUser, ReasoningCarried::Never),
        (Messages, SystemMessages::AsUser, ReasoningCarried::Text),
    ];
    for (dialect, system, reasoning) in table {
        assert_eq!((dialect.system_messages(), dialect.reasoning()), (system, reasoning), "{dialect}");
    }
}

#[test]
fn case_25_ids_and_names_are_checked_by_the_rules_of_the_api() {
    let long = "x".repeat(65);
    let ids = [
        ("toolu_01-A", "openai responses anthropic gemini ollama"),
        ("functions.Bash:0", "openai responses gemini ollama"),
        (&long, "gemini ollama"),
        ("", ""),
    ];
    let names = [
        ("search_web-2", "openai responses anthropic gemini ollama"),
        ("fs.read", "gemini ollama"),
        ("2nd", "openai responses anthropic ollama"),
        (&long, "anthropic ollama"),
        ("", ""),
    ];
    for dialect in [Dialect::OpenAi, Dialect::Responses, Dialect::Anthropic, Dialect::Gemini, Dialect::Ollama] {
        let listed = |words: &str| words.split(' ').any(|word| word == dialect.word());
        ids.iter().for_each(|(id, who)| assert_eq!(dialect.accepts_call_id(id), listed(who), "{dialect} {id:?}"));
        names.iter().for_each(|(name, who)| assert_eq!(dialect.accepts_tool_name(name), listed(who), "{dialect} {name:?}"));
    }
}

#[test]
fn signatures_belong_to_their_provider() {
    assert!(Dialect::Gemini.speaks_for("google") && Dialect::Gemini.speaks_for("gemini"));
    assert!(Dialect::OpenAi.speaks_for("openai") && Dialect::Responses.speaks_for("openai"));
    assert!(Dialect::Anthropic.speaks_for("anthropic") && !Dialect::Anthropic.speaks_for("openai"));
    assert!(Dialect::Messages.speaks_for("anyone") && !Dialect::Completions.speaks_for("openai"));
    assert!(!Dialect::Responses.reasoning_may_end() && Dialect::Gemini.reasoning_may_end());
}

#[test]
fn pictures_go_where_they_are_taken() {
    use Dialect::*;
    let table = [
        (OpenAi, "user", "user"),
        (Responses, "user result", "user result"),
        (Anthropic, "user result", "user result"),
        (Gemini, "user assistant result", "user assistant result"),
        (Ollama, "user", ""),
        (Completions, "", ""),
        (AiSdk, "user result", "user result"),
        (Text, "", ""),
        (Messages, "user assistant result", "user assistant result"),
    ];
    let places = [(Place::User, "user"), (Place::Assistant, "assistant"), (Place::Result, "result")];
    let (here, there) = (picture(), picture_at("https://e.org/a.jpg"));
    for (dialect, data, url) in table {
        for (place, word) in places {
            let listed = |words: &str| words.split(' ').any(|one| one == word);
            assert_eq!(dialect.accepts_image(place, &here), listed(data), "{dialect} {word}");
            assert_eq!(dialect.accepts_image(place, &there), listed(url), "{dialect} {word}");
        }
    }
    let tiff = weftwork::model::Image { media_type: "image/tiff".into(), ..picture() };
    assert!(!Dialect::Anthropic.accepts_image(Place::User, &tiff));
    let sheet = weftwork::model::File { media_type: "text/csv".into(), ..pdf() };
    assert!(Dialect::Anthropic.accepts_file(Place::User, &pdf()) && !Dialect::Anthropic.accepts_file(Place::User, &sheet));
    assert!(!Dialect::OpenAi.accepts_file(Place::Result, &pdf()) && Dialect::OpenAi.accepts_file(Place::User, &pdf()));
}

#[test]
fn cases_56_and_57_bytes_and_pictures_are_limits_of_their_own() {
    let small = model("anthropic/claude-haiku-4-5");
    let large = Model { context_length: Some(1_000_000), ..small.clone() };
    let limits = Dialect::Anthropic.limits(Some(&small));
    assert_eq!((limits.bytes, limits.images, limits.edge), (Some(32_000_000), Some(100), Some(8_000)));
    assert_eq!((limits.many_images, limits.messages), (Some((20, 2_000)), Some(100_000)));
    assert_eq!(Dialect::Anthropic.limits(Some(&large)).images, Some(600));
    assert_eq!(Dialect::OpenAi.limits(None).images, Some(500));
    assert_eq!(Dialect::Gemini.limits(None).bytes, Some(100_000_000));
    assert_eq!(Dialect::Ollama.limits(None), Limits::default());
}
