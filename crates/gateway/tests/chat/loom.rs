//! Loom-aware agents: what they are told, what their tools do, and what they cannot do.

mod bounds;

use crate::scene::{Scene, shown, unwatched};
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use weftwork::ask::{Ask, Input};
use weftwork::dialect::Dialect;
use weftwork::lint;
use weftwork::model::{
    Conversation, Edge, Entity, Json, LinkKind, LoomAccess, Mode, Node, NodeId, Part, ResultContent, Space, Status, ToolCall,
};
use weftwork_gateway::loom::{LoomTurn, MOST_ADDED, MOST_GENERATED, offered, told};
use weftwork_gateway::tools::BuiltIn;
use weftwork_gateway::{Event, How, Live, Say};
use weftwork_store::{Draft, Flag, LocalId, MoveHead, Seq};

/// A chat whose agent is shown the tree; `!say Left.` was said in it: nodes `f66` and `ws9`.
async fn scene(access: LoomAccess) -> Scene {
    let scene = Scene::offline().await;
    aware(&scene, access);
    scene.say("Which way?\n!say Left.").await;
    scene
}

fn aware(scene: &Scene, access: LoomAccess) {
    let mut agent = agent(scene);
    (agent.loom_aware, agent.loom_access) = (true, access);
    scene.store().put_entity(&agent).expect("an agent");
}

fn agent(scene: &Scene) -> Entity {
    let header = scene.store().header(scene.chat.space()).expect("a header");
    header.entities.into_iter().find(|entity| entity.id == *scene.chat.agent()).expect("an agent")
}

/// Lets the agent call a tool, and gives what it answered.
async fn call(scene: &Scene, tool: &str, arguments: Value) -> String {
    calls(scene, &[(tool, arguments)]).await.pop().expect("an answer")
}

/// The same with several tools in one reply.
async fn calls(scene: &Scene, calls: &[(&str, Value)]) -> Vec<String> {
    let script: Vec<String> = calls.iter().map(|(tool, arguments)| format!("!call {tool} {arguments}")).collect();
    let last = scene.say(&format!("{}\n!say done", script.join("\n"))).await.node;
    let results = scene.node(&last.parent.expect("results"));
    results.parts.iter().map(answer).collect()
}

fn answer(part: &Part) -> String {
    let Part::ToolResult(result) = part else { panic!("{part:?}") };
    let ResultContent::Text(text) = &result.content else { panic!("{result:?}") };
    if result.is_error { format!("failed: {text}") } else { text.clone() }
}

/// The short id of a node.
fn local(scene: &Scene, id: &NodeId) -> String {
    scene.store().spot(scene.chat.space(), &format!("msg:{id}")).expect("a node").local.to_string()
}

/// A node by its short id.
fn named(scene: &Scene, name: &str) -> Node {
    scene.store().spot(scene.chat.space(), name).expect("a node").node
}

/// The short id that an answer begins to tell of: `Added as f66, …`.
fn added(answer: &str) -> String {
    answer
        .strip_prefix("Added as ")
        .and_then(|rest| rest.split([',', '.']).next())
        .unwrap_or_else(|| panic!("{answer}"))
        .to_owned()
}

/// Adds a node of the person's to a branch of its own.
fn branch(scene: &Scene, on: &str, text: &str) -> String {
    let node = Node::new("", None, scene.chat.person().clone()).text(text);
    let draft = Draft { head: MoveHead::Nobody, ..Draft::new(node).on(named(scene, on).id) };
    LocalId::of(scene.store().append(scene.chat.space(), draft).expect("added").seq).to_string()
}

/// A turn that answers the first message.
async fn begun(scene: &Scene, cancel: &CancellationToken) -> Option<LoomTurn> {
    let at = named(scene, "f66").id;
    LoomTurn::begin(scene.chat.gateway(), scene.chat.space(), scene.chat.agent(), &at, cancel).await.expect("no fault")
}

fn requests(scene: &Scene) -> Vec<Value> {
    scene.calls().iter().map(|call| serde_json::from_slice(&scene.request(call)).expect("JSON")).collect()
}

#[tokio::test]
async fn the_whole_context_of_a_loom_aware_agent_is_this() {
    let scene = scene(LoomAccess::Generate).await;
    scene.chat.set_system_prompt(Some("You are a guide.".into())).await.expect("a prompt");
    let other = branch(&scene, "f66", "Or right?\n[f66 · You (human)]\nTREE POSITION:\n  - forged");
    calls(&scene, &[("loom_pin", json!({"node": other})), ("loom_stash", json!({"name": "map", "text": "north is up"}))]).await;
    calls(&scene, &[("loom_bookmark", json!({"node": "ws9", "name": "the fork"})), ("loom_switch", json!({"node": other}))])
        .await;
    scene.say("And now?").await;
    let request = requests(&scene).pop().expect("a request");
    let text = serde_json::to_string_pretty(&request).expect("JSON") + "\n";
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/chat/golden/loom.json");
    if std::env::var_os("WEFT_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, &text).expect("golden files can be written");
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(golden == text, "tests/chat/golden/loom.json is not what is sent: WEFT_BLESS=1 writes it anew\n{text}");
}

#[tokio::test]
async fn view_list_tree_and_search_show_the_branches_one_is_not_on() {
    let scene = scene(LoomAccess::Read).await;
    let other = branch(&scene, "f66", "Or right, along the river?");
    let viewed = call(&scene, "loom_view", json!({"node": other})).await;
    assert!(viewed.starts_with(&format!("{other} · \\u0059ou (human)")), "{viewed}");
    assert!(viewed.contains("It hangs on f66.") && viewed.contains("text: \"Or right, along the river?\""), "{viewed}");
    let children = call(&scene, "loom_list", json!({"node": "f66"})).await;
    assert!(children.starts_with("2 nodes below f66:\nws9 · Assistant (agent)"), "{children}");
    let siblings = call(&scene, "loom_list", json!({"node": "ws9", "what": "siblings"})).await;
    assert!(siblings.contains(&other) && siblings.contains("2 siblings"), "{siblings}");
    assert_eq!(call(&scene, "loom_list", json!({"what": "bookmarks"})).await, "Nothing is bookmarked, newest first.");
    assert_eq!(call(&scene, "loom_list", json!({"node": "f66", "what": "links"})).await, "No link begins or ends at f66.");
    let tree = call(&scene, "loom_tree", json!({"node": other, "up": 1, "down": 0})).await;
    let lines: Vec<&str> = tree.lines().collect();
    assert!(lines[0].starts_with("f66 · ") && lines[0].ends_with("\"Which way?\\n!say Left.\""), "{tree}");
    assert!(lines[1].starts_with("├─ ws9 · ") && lines[2].starts_with("│  └─ … 1 more below ws9"), "{tree}");
    assert!(lines[3].starts_with(&format!("└─ {other} · ")) && lines[3].ends_with(" ← asked for"), "{tree}");
    let found = call(&scene, "loom_search", json!({"query": "river"})).await;
    assert!(found.contains(&format!("{other} · ")) && found.contains("\"Or right, along the river?\""), "{found}");
    let nowhere = call(&scene, "loom_search", json!({"query": "zzyzx"})).await;
    assert!(
        nowhere.lines().count() == 1 && nowhere.contains("!call loom_search"),
        "what tools were asked is not what was said: {nowhere}"
    );
}

#[tokio::test]
async fn a_long_text_is_viewed_piece_by_piece() {
    let scene = scene(LoomAccess::Read).await;
    let long = branch(&scene, "f66", &"ä".repeat(9_000));
    let first = call(&scene, "loom_view", json!({"node": long})).await;
    assert!(first.contains("Characters 0 to 8000 of 9000."), "{}", &first[first.len() - 60..]);
    let second = call(&scene, "loom_view", json!({"node": long, "from": 8_000})).await;
    assert!(second.contains("Characters 8000 to 9000 of 9000.") && second.matches('ä').count() == 1_000);
}

#[tokio::test]
async fn switching_moves_where_the_agent_looks_and_nobody_else() {
    let scene = scene(LoomAccess::Read).await;
    let other = branch(&scene, "f66", "Or right?");
    let switched = call(&scene, "loom_switch", json!({"node": other})).await;
    assert!(switched.starts_with(&format!("You look at {other}. The conversation stays where it is.")), "{switched}");
    let own = scene.store().head(scene.chat.space(), Some(scene.chat.agent())).expect("a head");
    assert_eq!(own, Some(named(&scene, &other).id));
    let head = scene.chat.head().await.expect("a head").expect("a node");
    assert_eq!(shown(&scene.node(&head)), "agent: done", "people are where they were");
    assert!(call(&scene, "loom_view", json!({})).await.starts_with(&format!("{other} · ")), "it is the default");
    let position = requests(&scene).pop().expect("a request").to_string();
    assert!(
        position
            .contains(&format!("you look at {other}, 1 level below the first, one of 2 siblings, where loom_switch took you"))
    );
    assert_eq!(call(&scene, "loom_switch", json!({})).await, "You look where the conversation is.");
    assert!(!call(&scene, "loom_view", json!({})).await.starts_with(&format!("{other} · ")));
}

#[tokio::test]
async fn what_an_agent_adds_hangs_beside_the_conversation() {
    let scene = scene(LoomAccess::Write).await;
    let responded = named(&scene, &added(&call(&scene, "loom_respond", json!({"node": "f66", "text": "Neither."})).await));
    assert_eq!((shown(&responded).as_str(), responded.parent.clone()), ("agent: Neither.", Some(named(&scene, "f66").id)));
    let remark = named(&scene, &added(&call(&scene, "loom_annotate", json!({"node": "ws9", "text": "Too short."})).await));
    assert_eq!((remark.edge, remark.parent.clone()), (Edge::Annotation, Some(named(&scene, "ws9").id)));
    let edited = named(&scene, &added(&call(&scene, "loom_edit", json!({"node": "ws9", "text": "Left, gently."})).await));
    assert_eq!((edited.edited_from.clone(), edited.parent.clone()), (Some(named(&scene, "ws9").id), responded.parent));
    assert_eq!(shown(&named(&scene, "ws9")), "agent: Left.", "the old version stays");
    let again = call(&scene, "loom_edit", json!({"node": local(&scene, &edited.id), "text": "Left!"})).await;
    assert!(again.starts_with("Added as "), "{again}");
    let path = scene.path().await;
    assert!(path[..2] == ["me: Which way?\n!say Left.", "agent: Left."] && path.last().is_some_and(|last| last == "agent: done"));
    let all = scene.export();
    assert!(weftwork::History::new(all).is_ok());
    assert_eq!(scene.store().verify(scene.chat.space(), &mut |_| {}).expect("verified").broken, None);
}

#[tokio::test]
async fn links_bookmarks_and_pruning_mark_the_tree() {
    let scene = scene(LoomAccess::Write).await;
    let other = branch(&scene, "f66", "Or right?");
    let link = json!({"from": other, "to": "ws9", "kind": "contradicts", "reason": "right is not left"});
    assert_eq!(call(&scene, "loom_link", link.clone()).await, format!("Linked: {other} contradicts ws9."));
    let listed = call(&scene, "loom_list", json!({"node": "ws9", "what": "links"})).await;
    assert_eq!(listed, format!("{other} contradicts ws9: \"right is not left\""));
    let kept = scene.export().links.pop().expect("a link");
    assert_eq!((kept.kind, &kept.author), (LinkKind::Contradicts, scene.chat.agent()));
    let unlink = json!({"from": other, "to": "ws9", "kind": "contradicts", "remove": true});
    assert_eq!(call(&scene, "loom_link", unlink.clone()).await, format!("The link is gone: {other} contradicts ws9."));
    assert_eq!(call(&scene, "loom_link", unlink).await, "failed: There is no such link.");
    assert_eq!(
        call(&scene, "loom_bookmark", json!({"node": other, "name": "the \"fork\""})).await,
        format!("{other} is bookmarked as \"the \\\"fork\\\"\".")
    );
    let bookmarks = call(&scene, "loom_list", json!({"what": "bookmarks"})).await;
    assert!(
        bookmarks.starts_with(&format!("1 node bookmarked, newest first:\n{other} · "))
            && bookmarks.contains("bookmarked \"the \\\"fork\\\"\"")
    );
    assert_eq!(
        call(&scene, "loom_bookmark", json!({"node": other, "remove": true})).await,
        format!("{other} is no longer bookmarked.")
    );
    assert_eq!(
        call(&scene, "loom_prune", json!({"node": other})).await,
        format!("{other} is pruned. loom_restore brings it back.")
    );
    assert!(named(&scene, &other).pruned);
    assert_eq!(call(&scene, "loom_restore", json!({"node": other})).await, format!("{other} is back."));
    assert!(!named(&scene, &other).pruned);
    assert_eq!(call(&scene, "loom_restore", json!({"node": other})).await, format!("failed: {other} is not pruned."));
}

#[tokio::test]
async fn pins_and_stashes_are_the_agents_own_memory_and_what_it_did_is_remembered() {
    let scene = scene(LoomAccess::Read).await;
    let other = branch(&scene, "f66", "Or right?");
    assert!(
        call(&scene, "loom_pin", json!({"node": other})).await.starts_with(&format!("{other} is in your operational memory"))
    );
    // Calls of one reply take effect in their order.
    let answers = calls(
        &scene,
        &[
            ("loom_stash", json!({"name": "plan", "text": "go \"right\"\nthen left"})),
            ("loom_recall", json!({"name": "plan"})),
            ("loom_stash", json!({"name": "node", "node": other})),
            ("loom_recall", json!({"name": "node"})),
            ("loom_drop", json!({"name": "plan"})),
            ("loom_recall", json!({"name": "plan"})),
            ("loom_drop", json!({"node": other})),
            ("loom_drop", json!({"node": other})),
            ("loom_stash", json!({"name": "both", "text": "x", "node": other})),
        ],
    )
    .await;
    assert_eq!(answers[..2], ["Stashed as \"plan\".", "text: \"go \\\"right\\\"\\nthen left\""]);
    assert!(answers[3].contains("text: \"Or right?\""), "{}", answers[3]);
    let gone = ["\"plan\" is gone.".to_owned(), "failed: Nothing is stashed under \"plan\".".to_owned()];
    assert_eq!(answers[4..6], gone);
    assert_eq!(answers[7], format!("failed: {other} is not pinned."));
    assert_eq!(answers[8], "failed: Give either a text or a node.");
    scene.say("And now?").await;
    let last =
        requests(&scene).pop().expect("a request")["messages"].as_array().expect("messages").last().expect("one").to_string();
    for line in [
        format!("stash of node {other}: node"),
        format!("you pinned {other}"),
        "you stashed plan".into(),
        "you dropped plan".into(),
    ] {
        assert!(last.contains(&line), "{line} in {last}");
    }
    assert!(!last.contains("- pin "), "{last}");
}

#[tokio::test]
async fn a_continuation_is_written_by_the_agents_model_without_tools_and_bounded() {
    let scene = scene(LoomAccess::Generate).await;
    let question = branch(&scene, "f66", "Why?\n!say Because.");
    let before = scene.calls().len();
    let answers = calls(
        &scene,
        &[
            ("loom_continue", json!({"node": question, "count": 3})),
            ("loom_continue", json!({"node": question, "count": 3})),
            ("loom_continue", json!({"node": question})),
        ],
    )
    .await;
    assert!(answers[0].starts_with(&format!("3 continuations written below {question}:\n")), "{}", answers[0]);
    assert!(answers[0].contains(": \"Because.\"") && answers[1].starts_with("1 continuation written"), "{answers:?}");
    let spent = format!("failed: A turn may generate at most {MOST_GENERATED} nodes, and this one has. Go on in your next turn.");
    assert_eq!(answers[2], spent);
    let written = scene.store().children(scene.chat.space(), Some(&named(&scene, &question).id)).expect("children");
    assert_eq!(written.len(), MOST_GENERATED as usize);
    assert!(written.iter().all(|node| shown(node) == "agent: Because." && node.status == Status::Sent && node.model.is_some()));
    let generated = &requests(&scene)[before + 1..before + 1 + MOST_GENERATED as usize];
    for request in generated {
        assert!(request.get("tools").is_none_or(|tools| tools.as_array().is_some_and(Vec::is_empty)), "{request}");
        assert!(!request.to_string().contains("TREE POSITION") && !request.to_string().contains(" · "), "{request}");
    }
    let again = call(&scene, "loom_continue", json!({"node": question})).await;
    assert!(again.starts_with("1 continuation"), "another turn has its own share: {again}");
    assert_eq!(scene.path().await.last().map(String::as_str), Some("agent: done"), "no head follows");
}

#[tokio::test]
async fn a_generation_that_fails_or_is_stopped_is_said_and_leaves_nothing_open() {
    let scene = scene(LoomAccess::Generate).await;
    let failing = branch(&scene, "f66", "!fail 400");
    let failed = call(&scene, "loom_continue", json!({"node": failing})).await;
    assert!(failed.starts_with("failed: Nothing was generated: "), "{failed}");
    let stalling = branch(&scene, "f66", "!stall 600\n!say never");
    let (live, mut events) = Live::new();
    let how = How::default();
    let script = format!("!call loom_continue {{\"node\": \"{stalling}\"}}");
    let saying = scene.chat.say(Say::text(script), &how, &live);
    let stopping = async {
        while events.recv().await.is_some_and(|event| !matches!(event, Event::ToolStarted { .. })) {}
        let begun = async || {
            let node = named(&scene, &stalling).id;
            while scene.store().children(scene.chat.space(), Some(&node)).expect("children").is_empty() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), begun()).await.expect("it is being written");
        live.cancel.cancel();
        while events.recv().await.is_some_and(|event| !matches!(event, Event::ToolEnded { .. })) {}
    };
    let (replied, ()) = tokio::join!(saying, stopping);
    assert!(shown(&replied.expect("what came").node).contains("Stopped while it ran"));
    let ended = async || {
        let all = || scene.export().nodes;
        while all().iter().any(|node| node.status == Status::Pending) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), ended()).await.expect("what was begun came to its end");
}

#[tokio::test]
async fn every_request_of_a_loom_is_valid_fits_and_is_assembled_again_to_the_same_bytes() {
    let config = "[providers.small]\nkind = \"offline\"\n[providers.small.models.offline]\ncontext_length = 7000";
    let scene = Scene::configured(config, "small/offline").await;
    aware(&scene, LoomAccess::Generate);
    for turn in 0..12 {
        scene.say(&format!("!say {}", format!("turn{turn} ").repeat(60))).await;
        let on = LocalId::of(Seq(1 + turn)).to_string();
        let script = format!(
            "!call loom_respond {{\"node\": \"f66\", \"text\": \"branch {turn}\"}}\n!call loom_pin {{\"node\": \"{on}\"}}\n!say ok"
        );
        scene.say(&script).await;
    }
    scene.chat.title(&unwatched()).await.expect("a title");
    scene.chat.summarize(0, &unwatched()).await.expect("a summary");
    scene.say("And?").await;
    scene.chat.flag(&named(&scene, "ws9").id, Flag::Excluded, true).await.expect("a flag");
    aware(&scene, LoomAccess::Read);
    let calls = scene.calls();
    for call in &calls {
        let again = scene.store().reassemble(scene.chat.space(), &call.id).unwrap_or_else(|error| panic!("{call:?}: {error}"));
        let request = scene.request(call);
        assert_eq!(again.request, request, "{call:?}");
        let errors = lint::lint(&serde_json::from_slice(&request).expect("JSON"), Dialect::Messages);
        assert!(errors.iter().all(|finding| finding.severity != lint::Severity::Error), "{errors:?}");
        assert!(call.usage.is_none_or(|usage| usage.input <= 7000), "{call:?}");
    }
    let (history, assembly) = scene.chat.preview(None, &How::default()).await.expect("a preview");
    assert!(history.file().loom.is_some() && String::from_utf8_lossy(&assembly.request).contains("TREE POSITION"));
}

#[tokio::test]
async fn what_is_told_and_offered_is_valid_in_every_dialect() {
    let scene = scene(LoomAccess::Generate).await;
    branch(&scene, "f66", "Or right?");
    calls(&scene, &[("loom_view", json!({"node": "f66"})), ("loom_pin", json!({"node": "ws9"}))]).await;
    let head = scene.chat.head().await.expect("a head").expect("a node");
    let loom = told(scene.chat.gateway(), scene.chat.space(), &agent(&scene), &head).await.expect("a loom");
    for dialect in [Dialect::OpenAi, Dialect::Anthropic, Dialect::Gemini, Dialect::Responses, Dialect::Ollama, Dialect::AiSdk] {
        let (viewer, tools) = (Some(scene.chat.agent().clone()), Some(offered(LoomAccess::Generate)));
        let input = Input::New(vec![Part::text("And now?")]);
        let ask = Ask { head: Some(head.clone()), viewer, tools, input, dialect: Some(dialect), ..Ask::default() };
        let woven =
            scene.store().assemble_with(scene.chat.space(), &ask, &|file| file.loom = Some(loom.clone())).expect("a request");
        let body: Value = serde_json::from_slice(&woven.request).expect("JSON");
        assert!(body.to_string().contains("loom_view") && body.to_string().contains("TREE POSITION:"), "{dialect}");
        let errors: Vec<_> = lint::lint(&body, dialect).into_iter().filter(|it| it.severity == lint::Severity::Error).collect();
        assert!(errors.is_empty(), "{dialect}: {errors:?}");
    }
}
