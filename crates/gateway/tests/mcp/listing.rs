//! What servers offer.

use crate::bench::{
    ANY, Bench, Kind, Sdk, Way, named, new_file, node_packages, on_every_server, program, server_file, stdio, text,
};
use weftwork_gateway::tools::{Approval, ServerError, ServerState, Standing, Unfit};

on_every_server!(all_tools_are_listed_in_order);

async fn all_tools_are_listed_in_order(kind: Kind) {
    let bench = Bench::with(kind, "disabled = [\"spawn\"]");
    let offered = bench.toolbox.offered().await.unwrap();
    let names: Vec<&str> = offered.iter().map(|offered| offered.tool.name.as_str()).collect();
    let all = ["big", "change", "counter", "crash", "echo", "env", "fail", "meet", "picture", "slow", "structured"];
    assert_eq!(names, all.map(|name| format!("s__{name}")), "{:?}", bench.toolbox.servers());
    let echo = &offered[4];
    assert_eq!((echo.hints.read_only, echo.original.as_str()), (Some(true), "echo"));
    assert_eq!(echo.standing, Standing::Ready { approval: Approval::Ask }, "a server's claim permits nothing");
    assert!(echo.tool.input_schema.text().contains("\"text\""), "{:?}", echo.tool);
    let state = bench.toolbox.servers().remove(0).state;
    let ServerState::Ready { protocol, tools, left_out } = state else { panic!("{state:?}") };
    assert_eq!((protocol.as_str(), tools), (kind.protocol, all.len()));
    assert_eq!((left_out.len(), &left_out[0].why), (1, &Unfit::Disabled));
}

/// Without a configured protocol the newest that both speak is found.
#[tokio::test(flavor = "multi_thread")]
async fn the_newest_common_protocol_is_spoken() {
    for (sdk, expected) in [(Sdk::Python, "2026-07-28"), (Sdk::Node, "2025-11-25"), (Sdk::Node2, "2026-07-28")] {
        for way in [Way::Stdio, Way::Http] {
            let bench = Bench::with(Kind { sdk, way, protocol: "" }, "");
            bench.tool("echo").await;
            let state = bench.toolbox.servers().remove(0).state;
            let ServerState::Ready { protocol, .. } = state else { panic!("{state:?}") };
            assert_eq!(protocol, expected, "{sdk:?} {way:?}");
        }
    }
}

/// A server may be installed when it is first started. The library takes one that is silent for ten seconds for an old one;
/// when its answer comes after all, it is greeted anew in what it speaks.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_starts_slowly_is_understood() {
    let slowly = |name: &str, sdk: Sdk| {
        let once = format!("if mkdir '{}' 2>/dev/null; then sleep 11; fi; exec \"$@\"", new_file().display());
        let command = serde_json::json!(["sh", "-c", once, "sh", program(sdk), server_file(sdk), "stdio"]);
        format!("[mcp.{name}]\ncommand = {command}\nenv = {{ MCP_PACKAGES = {:?} }}\n", node_packages())
    };
    let bench = Bench::of(&(slowly("newer", Sdk::Python) + &slowly("older", Sdk::Node)));
    bench.toolbox.offered().await.unwrap();
    let states: Vec<String> = bench.toolbox.servers().iter().map(|server| format!("{:?}", server.state)).collect();
    assert!(states[0].contains("2026-07-28") && states[1].contains("2025-11-25"), "{states:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_fails_says_why_and_breaks_no_other() {
    let bench = Bench::of(&format!(
        r#"
        [mcp.missing]
        command = ["there-is-no-such-program"]
        [mcp.dying]
        command = ["sh", "-c", "echo no licence >&2; exit 1"]
        [mcp.mute]
        command = ["sh", "-c", "echo thinking >&2; sleep 600"]
        connect_seconds = 1
        [mcp.nowhere]
        url = "http://127.0.0.1:1/mcp"
        [mcp.unset]
        url = "http://127.0.0.1:1/mcp"
        headers = {{ Authorization = "Bearer $THERE_IS_NO_SUCH_VARIABLE" }}
        [mcp.s]
        {}"#,
        stdio(ANY.sdk)
    ));
    let offered = bench.toolbox.offered().await.unwrap();
    assert!(!offered.is_empty() && offered.iter().all(|offered| offered.server.as_str() == "s"), "{:?}", bench.toolbox.servers());
    let said: Vec<String> = bench.toolbox.servers().iter().map(|server| format!("{}: {:?}", server.name, server.state)).collect();
    for (server, part) in [
        ("dying", "no licence"),
        ("missing", "there-is-no-such-program"),
        ("mute", "Slow { after: 1s, last_words: LastWords(\"thinking\") }"),
        ("nowhere", "Greeting"),
        ("s", "Ready"),
        ("unset", "THERE_IS_NO_SUCH_VARIABLE"),
    ] {
        assert!(said.iter().any(|line| line.starts_with(server) && line.contains(part)), "{server} {part}: {said:#?}");
    }
    bench.run(&[named("c", "missing__x", "{}")]).await;
    let ran = bench.run(&[named("c", "missing__x", "{}")]).await;
    let told = text(&ran[0]);
    assert!(told.contains("cannot be reached") && told.contains("tried again in"), "{told}");
    let ServerState::Failed { error: ServerError::Start { .. } } = &bench.toolbox.servers()[1].state else {
        panic!("{:?}", bench.toolbox.servers())
    };
}
