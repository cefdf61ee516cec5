//! Formats of APIs, and what holds for every format: it is detected, and nothing vanishes unmentioned.

#[path = "formats_api/brief.rs"]
mod brief;
#[path = "formats_api/vanish.rs"]
mod vanish;

use brief::brief;
use std::path::{Path, PathBuf};
use weftwork::ask::{Ask, Check, Settings};
use weftwork::formats::{Format, Import, ImportError, Outcome, import};
use weftwork::model::{Conversation, ImportedRole, Kind, Part};
use weftwork::report::{Decision, Reason};
use weftwork::{History, assemble};

fn fixtures() -> Vec<(Format, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/formats");
    let mut found = Vec::new();
    for folder in std::fs::read_dir(root).expect("fixtures").map(|entry| entry.expect("entry").path()) {
        let word = folder.file_name().expect("name").to_string_lossy().into_owned();
        let format: Format = word.parse().expect("each folder is named after a format");
        let files = std::fs::read_dir(&folder).expect("folder").map(|entry| entry.expect("entry").path());
        found.extend(files.map(|file| (format, file)));
    }
    found.sort_by_key(|(_, file)| file.clone());
    found
}

fn read(name: &str) -> Import {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/formats").join(name);
    read_text(std::fs::read(path).expect("fixture")).expect("imports")
}

fn read_one(name: &str) -> Conversation {
    read(name).conversations.remove(0)
}

fn read_text(text: impl AsRef<[u8]>) -> Result<Import, ImportError> {
    import(text.as_ref(), None, Check::Repair)
}

#[test]
fn every_fixture_is_detected_as_its_own_format() {
    for (format, file) in fixtures() {
        let found = read_text(std::fs::read(&file).expect("fixture")).map(|import| import.format);
        assert_eq!(found, Ok(format), "{}", file.display());
    }
}

#[test]
fn nothing_vanishes_unmentioned() {
    for (_, file) in fixtures().into_iter().filter(|(_, file)| file.extension().is_some_and(|ending| ending != "zip")) {
        let text = std::fs::read_to_string(&file).expect("fixture");
        let import = read_text(&text).expect("imports");
        let vanished = vanish::vanished(&text, &import);
        assert!(vanished.is_empty(), "{}: {vanished:#?}\n{}", file.display(), import.loss);
    }
}

#[test]
fn documented_fields_are_known() {
    let ours = [Format::Weft, Format::OpenAi, Format::Responses, Format::Anthropic, Format::Gemini, Format::AiSdk];
    for (_, file) in fixtures().into_iter().filter(|(format, _)| ours.contains(format)) {
        let strict = import(&std::fs::read(&file).expect("fixture"), None, Check::Strict);
        assert_eq!(strict.err(), None, "{}", file.display());
    }
}

/// Every prefix of every fixture is read or refused, and never a panic.
#[test]
fn cut_files_never_panic() {
    for (format, file) in fixtures() {
        let bytes = std::fs::read(&file).expect("fixture");
        for end in (0..bytes.len()).step_by(37) {
            let _ = import(&bytes[..end], None, Check::Repair);
            let _ = import(&bytes[..end], Some(format), Check::Strict);
        }
        for &other in Format::ALL {
            let _ = import(&bytes, Some(other), Check::Repair);
        }
    }
}

/// Every value of every fixture, one at a time, becomes something else: read or refused, and never a panic.
#[test]
fn odd_values_never_panic() {
    let odd = [r#"null"#, "-1", "1e999", r#""\ud800""#, "[]", "[[{}]]", "{}", r#"{"type":7,"id":null,"role":[],"parts":{}}"#];
    for (format, file) in fixtures().into_iter().filter(|(_, file)| file.extension().is_some_and(|ending| ending == "json")) {
        let text = std::fs::read_to_string(&file).expect("fixture");
        for (n, (start, end)) in vanish::values(&text).into_iter().enumerate() {
            let odd = odd[n % odd.len()];
            let text = format!("{}{odd}{}", &text[..start], &text[end..]);
            let _ = import(text.as_bytes(), Some(format), Check::Repair);
            let _ = import(text.as_bytes(), None, Check::Strict);
        }
    }
}

#[test]
fn fixtures_become_these_nodes() {
    let cases = [
        (
            "openai/request.json",
            r#"n1 < - system: "You are a weather bot."
n2 < n1 alice: "Weather in Paris?"
n3 < n2 assistant: call(call_abc get_weather {"city": "Paris", "days": 1.10}) call(call_def get_weather "{\"city\": \"Pa")
n4 < n3 assistant: result(call_abc "18 degrees")
n5 < n4 assistant: result(call_def "not run")
n6 < n5 assistant: "18 degrees in Paris."
n7 < n6 bob: "And here?" image(image/jpeg /9j/4AAQ) image(image/png https://example.com/map.png) file("audio.wav" audio/wav UklGRg==) file("notes.pdf" application/pdf JVBERi0=)
n8 < n7 system: "Be brief from now on."
n9 < n8 assistant: "I cannot tell where that is.""#,
        ),
        (
            "openai/functions.json",
            r#"n1 < - system: "You call functions."
n2 < n1 user: "Add 1 and 2"
n3 < n2 assistant: call(call_1 add {"a":1,"b":2})
n4 < n3 assistant: result(call_1 "3")
n5 < n4 assistant: think("The function said 3.") "3""#,
        ),
        ("openai/messages.jsonl", "n1 < - user: \"Hello\"\nn2 < n1 assistant: \"Hi there\""),
        ("openai/training.jsonl", "n1 < - user: \"2+2\"\nn2 < n1 assistant: \"4\""),
        (
            "responses/request.json",
            r#"n1 < - system: "You are terse."
n2 < n1 user: "What is k1?"
n3 < n2 assistant: think("I should look."~gAAAA) call(call_1 lookup {"key":"k1"})
n4 < n3 assistant: result(call_1 "forty-two")
n5 < n4 assistant: think("") call(ws_1 web_search {}) "Forty-two."
n6 < n5 user: "And this picture?" image(image/png iVBORw0=) file("a.txt" text/plain aGk=)"#,
        ),
        (
            "anthropic/request.json",
            r#"n1 < - system: "You are careful." "Long manual."
n2 < n1 user: "Read these." image(image/png iVBORw0KGgo=) image(image/jpeg https://example.com/photo.jpg) file("Report" application/pdf JVBERi0x) file("document" text/plain cGxhaW4gd29yZHM=)
n3 < n2 assistant: think("Let me read it."~EqQB) think(""~EmwK) "Reading." call(toolu_1 read_file {"path": "a.txt", "ratio": 1.10}) call(toolu_2 read_file {"path": "b.txt"})
n4 < n3 assistant: result(toolu_1 "alpha") error(toolu_2 "no such file")
n5 < n4 user: "Now search."
n6 < n5 assistant: call(srvtoolu_1 web_search {"query": "weft"}) result(srvtoolu_1 "[\n        {\"type\": \"web_search_result\", \"url\": \"https://example.com\", \"title\": \"Weft\", \"encrypted_content\": \"Eo8P\", \"page_age\": null}]") "Found it."
n7 < n6 user: "Thanks"
n8 < n7 assistant: "They read two files and searched."
n9 < n8 assistant: "You are welcome.""#,
        ),
        (
            "gemini/request.json",
            r#"n1 < - system: "You are helpful."
n2 < n1 user: "Weather in Paris and Rome?" image(image/png iVBORw0KGgo=) file("" application/pdf https://generativelanguage.googleapis.com/v1beta/files/abc)
n3 < n2 assistant: think("Two calls are needed.") call(call_1 weather {"city": "Paris", "days": 1.10}~CtwB) call(call_2 weather {"city": "Rome"})
n4 < n3 assistant: result(call_1 "{\"temp\": 18}") result(call_2 "{\"temp\": 24}")
n5 < n4 assistant: "18 and 24 degrees."~CtwC
n6 < n5 user: "Compute the mean."
n7 < n6 assistant: call(call_3 code_execution {"language": "PYTHON", "code": "print((18+24)/2)"}) result(call_3 "21.0\n") "21""#,
        ),
        (
            "ai-sdk/ui.json",
            r#"sys-1 < - system: "You plan trips."
msg-1 < sys-1 user: "Plan a day in Oslo." image(image/png iVBORw0=)
msg-2 < msg-1 assistant: think("Weather first."~EqQC) "Checking." call(c1 weather {"city": "Oslo", "n": 1.10}) call(c2 museums {"city": "Oslo"})
n1 < msg-2 assistant: result(c1 "{\"temp\": -2}") error(c2 "timeout")
n2 < n1 assistant: "Dress warmly." call(c3 book {"what": "sauna"})"#,
        ),
        (
            "ai-sdk/model.json",
            r#"n1 < - system: "You are a guide."
n2 < n1 user: "What is this?" image(image/jpeg https://example.com/tower.jpg) file("a.pdf" application/pdf JVBERi0=)
n3 < n2 assistant: think("A tower."~gAAA) call(t1 identify {"guess": "Eiffel"}) call(t2 height {"of": "Eiffel"})
n4 < n3 assistant: result(t1 "{\"ok\": true}") error(t2 "unknown unit")
n5 < n4 assistant: "The Eiffel tower.""#,
        ),
        (
            "ai-sdk/fourth.json",
            r#"a < - user: "Time in Tokyo?" file("n.txt" text/plain aGk=)
b < a assistant: call(k1 clock {"zone": "Asia/Tokyo"})
n1 < b assistant: result(k1 "17:00")
n2 < n1 assistant: "It is five.""#,
        ),
        ("weft/lines.jsonl", "n1 < - h: \"Ping\"\nn2 < n1 a: \"Pong\""),
    ];
    for (name, expected) in cases {
        assert_eq!(brief(&read_one(name)), expected, "{name}");
    }
}

#[test]
fn a_request_body_brings_its_model_tools_and_settings() {
    for (name, model, tool, max_tokens) in [
        ("openai/request.json", "openai/gpt-4o", "get_weather", 512),
        ("responses/request.json", "openai/gpt-5", "lookup", 2048),
        ("anthropic/request.json", "anthropic/claude-sonnet-4-5", "read_file", 1024),
        ("gemini/request.json", "google/gemini-2.5-pro", "weather", 800),
    ] {
        let conversation = read_one(name);
        let agent = conversation.entities.iter().find(|entity| entity.id.as_str() == "assistant").expect("an agent");
        assert_eq!(agent.model.as_deref(), Some(model), "{name}");
        assert_eq!(conversation.tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), [tool], "{name}");
        assert_eq!(conversation.space.settings.max_tokens, Some(max_tokens), "{name}");
        assert!(conversation.sampling.temperature.is_some(), "{name}");
    }
}

#[test]
fn a_named_provider_is_kept() {
    let import = read_text(r#"{"model":"mistral/large","messages":[{"role":"user","content":"hi"}]}"#).expect("imports");
    let models: Vec<_> = import.conversations[0].entities.iter().filter_map(|entity| entity.model.as_deref()).collect();
    assert_eq!(models, ["mistral/large"]);
}

#[test]
fn system_messages_are_nodes_by_a_service() {
    let conversation = read_one("openai/request.json");
    let system: Vec<_> = conversation.nodes.iter().filter(|node| node.role == Some(ImportedRole::System)).collect();
    assert_eq!(system.iter().map(|node| node.author.as_str()).collect::<Vec<_>>(), ["system", "system"]);
}

#[test]
fn a_line_with_messages_is_a_conversation_of_its_own() {
    let ids: Vec<_> = read("openai/training.jsonl").conversations.iter().map(|each| each.space.id.to_string()).collect();
    assert_eq!(ids, ["imported", "imported-2"]);
}

#[test]
fn a_compaction_block_becomes_a_summary() {
    let conversation = read_one("anthropic/request.json");
    let summaries: Vec<_> =
        conversation.nodes.iter().filter(|node| node.kind == Kind::Summary).map(|node| node.id.as_str()).collect();
    assert_eq!(summaries, ["n8"]);
}

#[test]
fn what_a_person_says_beside_tool_results_is_a_node_of_its_own() {
    let anthropic = r#"{"messages":[{"role":"user","content":"go"},
        {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"f","input":{}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"},{"type":"tool_result","tool_use_id":"b","content":"y"},{"type":"text","text":"and now?"}]}]}"#;
    let gemini = r#"{"contents":[{"role":"user","parts":[{"text":"go"}]},
        {"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{}}},{"functionCall":{"id":"b","name":"f","args":{}}}]},
        {"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":{}}},{"functionResponse":{"id":"b","name":"f","response":{}}},{"text":"and now?"}]}]}"#;
    for (text, format) in [(anthropic, Format::Anthropic), (gemini, Format::Gemini)] {
        let import = read_text(text).expect("imports");
        assert_eq!(import.format, format);
        let nodes: Vec<_> = import.conversations[0]
            .nodes
            .iter()
            .map(|node| (node.author.as_str(), node.parent.as_ref().map(|parent| parent.as_str()), node.parts.len()))
            .collect();
        let chain = [("user", None, 1), ("assistant", Some("n1"), 2), ("assistant", Some("n2"), 2), ("user", Some("n3"), 1)];
        assert_eq!(nodes, chain, "{format}");
        assert!(vanish::vanished(text, &import).is_empty(), "{format}");
    }
}

/// So it begins a turn, and fitting may not remove it.
#[test]
fn what_a_person_says_beside_tool_results_is_protected_as_a_question() {
    let long = "word ".repeat(200);
    let text = format!(
        r#"{{"messages":[{{"role":"user","content":"go"}},
        {{"role":"assistant","content":[{{"type":"tool_use","id":"a","name":"f","input":{{}}}}]}},
        {{"role":"user","content":[{{"type":"tool_result","tool_use_id":"a","content":"{long}"}},{{"type":"text","text":"and now?"}}]}}]}}"#
    );
    let file = read_text(text).expect("imports").conversations.remove(0);
    let history = History::new(file).expect("a tree");
    let settings = Settings { context_length: Some(100), token_buffer: Some(0), ..Settings::default() };
    let assembly = assemble(&history, &Ask { settings, ..Ask::default() }).expect("the question fits");
    let last = assembly.each_node(&history).pop().map(|item| (item.from.to_string(), item.decision, item.reason));
    assert_eq!(last, Some(("n4".to_owned(), Decision::Included, Reason::OpenExchange)));
}

#[test]
fn blocks_of_provider_tools_are_kept_whole() {
    let conversation = read_one("anthropic/request.json");
    let native = |part: &Part| match part {
        Part::ToolCall(call) => call.native.clone(),
        Part::ToolResult(result) => result.native.clone(),
        _ => None,
    };
    let blocks: Vec<_> = conversation.nodes.iter().flat_map(|node| &node.parts).filter_map(native).collect();
    let kinds: Vec<_> =
        blocks.iter().map(|block| block.value().unwrap_or_default()["type"].as_str().unwrap_or_default().to_owned()).collect();
    assert_eq!(kinds, ["server_tool_use", "web_search_tool_result"]);
}

#[test]
fn wrong_data_is_refused_with_its_path() {
    let call = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":"b","function":{"name":"f","arguments":"{}"}}]}"#;
    let two_open = format!(r#"[{{"role":"user","content":"x"}},{call},{{"role":"tool","content":"y"}}]"#);
    for (format, text, error) in [
        (
            Format::OpenAi,
            r#"[{"role":"user","content":"a"},{"role":"narrator","content":"b"}]"#,
            r#"$[1].role (line 1, column 40): unknown role "narrator": use system, developer, user, assistant, tool or function"#,
        ),
        (
            Format::OpenAi,
            r#"{"messages":[{"content":"a"}]}"#,
            r#"$.messages[0] (line 1, column 14): needs "role": system, developer, user, assistant, tool or function"#,
        ),
        (
            Format::OpenAi,
            r#"{"messages":[{"role":"user","content":7}]}"#,
            "$.messages[0].content (line 1, column 39): must be a string, a list of parts or null",
        ),
        (Format::OpenAi, r#"{"messages":{}}"#, "$.messages (line 1, column 13): must be an array, is an object"),
        (
            Format::OpenAi,
            two_open.as_str(),
            "$[2] (line 1, column 187): a tool result without the id of its call, and several calls are open (a, b): add the id",
        ),
        (
            Format::OpenAi,
            r#"[{"role":"tool","content":"y"}]"#,
            "$[0] (line 1, column 2): a tool result without the id of its call, and no open call it could answer: add the id",
        ),
        (
            Format::Anthropic,
            r#"[{"role":"tool","content":"y"}]"#,
            r#"$[0].role (line 1, column 10): unknown role "tool": use user, assistant or system"#,
        ),
        (
            Format::Gemini,
            r#"{"contents":[{"role":"bot","parts":[]}]}"#,
            r#"$.contents[0].role (line 1, column 22): unknown role "bot": use user, model or function"#,
        ),
        (
            Format::Responses,
            r#"{"input":[{"role":"bot","content":"x"}]}"#,
            r#"$.input[0].role (line 1, column 19): unknown role "bot": use system, developer, user or assistant"#,
        ),
        (
            Format::AiSdk,
            r#"[{"role":"bot","parts":[]}]"#,
            r#"$[0].role (line 1, column 10): unknown role "bot": use system, user, assistant or tool"#,
        ),
    ] {
        let found = import(text.as_bytes(), Some(format), Check::Repair).map(|_| ()).map_err(|error| error.to_string());
        assert_eq!(found, Err(error.to_owned()), "{text}");
    }
}

#[test]
fn a_result_without_an_id_answers_the_only_open_call() {
    let text = r#"[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":""}}]},{"role":"tool","content":"y"}]"#;
    let import = import(text.as_bytes(), Some(Format::OpenAi), Check::Repair).expect("imports");
    assert_eq!(brief(&import.conversations[0]), "n1 < - assistant: call(a f {})\nn2 < n1 assistant: result(a \"y\")");
}

#[test]
fn unknown_fields_are_reported_or_in_strict_refused() {
    let text = r#"[{"role":"user","content":"a","mood":"good"}]"#;
    let import = read_text(text).expect("imports");
    let dropped: Vec<_> = import.loss.lines.iter().filter(|line| line.outcome == Outcome::Dropped).collect();
    assert_eq!(
        dropped.iter().map(|line| (line.what.as_str(), line.first.as_str())).collect::<Vec<_>>(),
        [("[].mood", "$[0].mood")]
    );
    let error = weftwork::formats::import(text.as_bytes(), None, Check::Strict).map(|_| ()).map_err(|error| error.to_string());
    assert_eq!(error, Err("$[0].mood (line 1, column 38): is not a known field: remove it, or import without strict".to_owned()));
}

#[test]
fn text_cut_inside_a_character_is_mended() {
    let import = read_text(r#"[{"role":"user","content":"smile \ud83d"}]"#).expect("imports");
    assert_eq!(brief(&import.conversations[0]), "n1 < - user: \"smile \u{FFFD}\"");
}

#[test]
fn other_input_is_refused_with_a_reason() {
    let deep = format!("{}1{}", "[".repeat(500), "]".repeat(500));
    for (bytes, error) in [
        (&b""[..], "nothing to import: the input is empty"),
        (b"  \n", "nothing to import: the input is empty"),
        (b"{\"a\":\xff}", "byte 5 is not UTF-8: save the file as UTF-8"),
        (b"{\"messages\":\n [}", "line 2, column 3: expected value"),
        (deep.as_bytes(), "line 1, column 101: nested deeper than 100 levels"),
        (
            b"{\"hello\":1}",
            "not a conversation in a known format: name one of weft, openai, responses, anthropic, gemini, ai-sdk, deepchat, superdesign, \
             netdata, aspen, chatgpt, claude, open-webui, librechat, claude-code, codex",
        ),
        (b"PK\x03\x04 not really", "zip archive: invalid Zip archive: Could not find EOCD"),
    ] {
        assert_eq!(read_text(bytes).map(|_| ()).map_err(|error| error.to_string()), Err(error.to_owned()));
    }
}

#[test]
fn detection_tells_alike_shapes_apart() {
    for (text, format) in [
        (r#"[{"role":"user","content":"hi"}]"#, Format::OpenAi),
        (r#"{"messages":[]}"#, Format::OpenAi),
        (
            r#"{"model":"gpt-4o","messages":[{"role":"system","content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}]}]}"#,
            Format::OpenAi,
        ),
        (r#"{"model":"claude-opus-4-5","max_tokens":5,"messages":[{"role":"user","content":"hi"}]}"#, Format::Anthropic),
        (r#"{"system":"s","max_tokens":5,"messages":[{"role":"user","content":"hi"}]}"#, Format::Anthropic),
        (r#"[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"}]}]"#, Format::Anthropic),
        (r#"{"system":"s","messages":[{"role":"user","content":"hi"}]}"#, Format::AiSdk),
        (
            r#"[{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"f","output":{"type":"text","value":"x"}}]}]"#,
            Format::AiSdk,
        ),
        (r#"{"input":"hi","model":"gpt-5"}"#, Format::Responses),
        (r#"[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}]"#, Format::Responses),
        (r#"{"contents":[{"parts":[{"text":"hi"}]}]}"#, Format::Gemini),
        (r#"{"space":{"id":"s"},"weft":1}"#, Format::Weft),
    ] {
        let found = read_text(text).map(|import| import.format).map_err(|error| error.to_string());
        // A result without its call is refused by content, but only after its format was told.
        assert!(found == Ok(format) || import(text.as_bytes(), Some(format), Check::Repair).is_err(), "{text}: {found:?}");
    }
}
