//! Usage in buckets, the context window, the ledger and the cost.

use weftwork::{
    catalogue::Prices,
    dialect::Dialect,
    model::{Accounting, AccountingReading, Call, CumulativeTokens, Json, Kind, Node, Usage},
    usage::{context_window, cost, cumulative, ledger, normalise, spend},
};

fn usage(input: u64, output: u64, cache_read: u64, cache_write: u64) -> Usage {
    Usage { input, output, cache_read, cache_write }
}

/// A node of `kind` with the usage of the call that wrote it.
fn node(id: &str, kind: Kind, usage: impl Into<Option<Usage>>) -> Node {
    Node { kind, usage: usage.into(), ..Node::new(id, None, "someone") }
}

fn said(id: &str) -> Node {
    node(id, Kind::Message, None)
}

fn line(id: &str, reading: AccountingReading, (input, output, read, written): (u64, u64, u64, u64)) -> Node {
    let cumulative_tokens =
        CumulativeTokens { input_tokens: input, output_tokens: output, cache_read_tokens: read, cache_creation_tokens: written };
    let accounting =
        Accounting { cumulative_tokens, reading, reason: Some("Message edited".into()), discarded_messages: Some(2) };
    Node { accounting: Some(accounting), ..node(id, Kind::Accounting, None) }
}

fn at(mut node: Node, time: &str) -> Node {
    node.created_at = Some(time.parse().expect("a time"));
    node
}

fn call(id: &str, node: Option<&str>, usage: impl Into<Option<Usage>>) -> Call {
    Call { node: node.map(Into::into), model: Some("p/m".into()), usage: usage.into(), ..Call::new(id) }
}

#[track_caller]
fn window(path: &[Node], expected: u64) {
    assert_eq!(context_window(&path.iter().collect::<Vec<_>>()), expected);
}

#[track_caller]
fn total(nodes: &[Node], calls: &[Call], expected: Usage) {
    assert_eq!(cumulative(&nodes.iter().collect::<Vec<_>>(), calls), expected);
}

#[track_caller]
fn buckets(dialect: Dialect, raw: &str, expected: impl Into<Option<Usage>>) {
    assert_eq!(normalise(&Json::parse(raw).expect("JSON"), dialect), expected.into(), "{raw}");
}

#[test]
fn prompt_counts_of_openai_and_gemini_include_cached_tokens_and_those_of_anthropic_do_not() {
    buckets(
        Dialect::OpenAi,
        r#"{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":60}}"#,
        usage(40, 7, 60, 0),
    );
    buckets(
        Dialect::Responses,
        r#"{"input_tokens":100,"output_tokens":7,"input_tokens_details":{"cached_tokens":60}}"#,
        usage(40, 7, 60, 0),
    );
    buckets(
        Dialect::Gemini,
        r#"{"promptTokenCount":100,"candidatesTokenCount":7,"cachedContentTokenCount":60}"#,
        usage(40, 7, 60, 0),
    );
    buckets(
        Dialect::Anthropic,
        r#"{"input_tokens":40,"output_tokens":7,"cache_read_input_tokens":60,"cache_creation_input_tokens":5}"#,
        usage(40, 7, 60, 5),
    );
    buckets(Dialect::Ollama, r#"{"prompt_eval_count":40,"eval_count":7}"#, usage(40, 7, 0, 0));
    buckets(Dialect::Completions, r#"{"prompt_tokens":40,"completion_tokens":7}"#, usage(40, 7, 0, 0));
}

#[test]
fn cache_writes_are_a_bucket_of_their_own() {
    for key in ["cache_write_tokens", "cache_creation_tokens"] {
        let raw =
            format!(r#"{{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{{"cached_tokens":60,"{key}":30}}}}"#);
        buckets(Dialect::OpenAi, &raw, usage(10, 7, 60, 30));
    }
    let raw = r#"{"input_tokens":100,"output_tokens":7,"input_tokens_details":{"cached_tokens":60,"cache_write_tokens":30}}"#;
    buckets(Dialect::Responses, raw, usage(10, 7, 60, 30));
}

#[test]
fn reasoning_is_output() {
    let raw = r#"{"prompt_tokens":1,"completion_tokens":9,"completion_tokens_details":{"reasoning_tokens":8}}"#;
    buckets(Dialect::OpenAi, raw, usage(1, 9, 0, 0));
    buckets(
        Dialect::Gemini,
        r#"{"promptTokenCount":1,"candidatesTokenCount":1,"thoughtsTokenCount":8,"totalTokenCount":10}"#,
        usage(1, 9, 0, 0),
    );
    buckets(Dialect::Gemini, r#"{"promptTokenCount":10,"thoughtsTokenCount":30}"#, usage(10, 30, 0, 0));
}

#[test]
fn buckets_never_go_below_zero_and_unknown_usage_is_none() {
    buckets(
        Dialect::OpenAi,
        r#"{"prompt_tokens":10,"prompt_tokens_details":{"cached_tokens":60,"cache_write_tokens":9}}"#,
        usage(0, 0, 10, 0),
    );
    buckets(Dialect::OpenAi, r#"{"prompt_tokens":-10,"completion_tokens":"many"}"#, usage(0, 0, 0, 0));
    buckets(Dialect::OpenAi, r#"{"tokens":3}"#, None);
    buckets(Dialect::OpenAi, "[1]", None);
    buckets(Dialect::Text, r#"{"prompt_tokens":10}"#, None);
}

#[test]
fn seed_003_context_is_prompt_plus_cache_read_plus_cache_creation_plus_completion() {
    window(&[said("u"), node("a", Kind::Message, usage(10, 5, 200, 30))], 245);
    window(&[], 0);
    window(&[said("u")], 0);
}

#[test]
fn seed_003_the_context_window_is_that_of_the_latest_request() {
    window(
        &[
            said("u"),
            node("a", Kind::Message, usage(10, 5, 0, 0)),
            said("u2"),
            node("a2", Kind::Message, usage(30, 6, 0, 0)),
            said("u3"),
        ],
        36,
    );
}

#[test]
fn seed_003_title_messages_leave_the_context_window_unchanged() {
    window(
        &[
            said("u"),
            node("a", Kind::Message, usage(10, 5, 0, 0)),
            node("tr", Kind::TitleRequest, usage(1, 1, 1, 1)),
            node("t", Kind::Title, usage(900, 9, 0, 0)),
        ],
        15,
    );
}

#[test]
fn seed_003_a_summary_request_leaves_the_context_window_unchanged() {
    window(&[node("a", Kind::Message, usage(10, 5, 0, 0)), node("sr", Kind::SummaryRequest, usage(900, 9, 0, 0))], 15);
}

#[test]
fn seed_003_a_summary_resets_the_context_window_to_its_completion_tokens() {
    let path = [node("a", Kind::Message, usage(9000, 500, 0, 0)), node("s", Kind::Summary, usage(9500, 300, 40, 2))];
    window(&path, 300);
    window(&[path[0].clone(), path[1].clone(), said("u")], 300);
    window(&[path[0].clone(), path[1].clone(), said("u"), node("a2", Kind::Message, usage(400, 20, 0, 0))], 420);
    window(&[path[0].clone(), node("s", Kind::Summary, None)], 0);
    let changed = |change: fn(&mut Node)| {
        let mut summary = path[1].clone();
        change(&mut summary);
        [path[0].clone(), summary]
    };
    window(&changed(|summary| summary.status = weftwork::model::Status::Error), 9500);
    window(&changed(|summary| summary.pruned = true), 9500);
    window(&changed(|summary| summary.excluded = true), 9500);
}

#[test]
fn seed_003_accounting_nodes_do_not_affect_the_context_window() {
    window(&[node("a", Kind::Message, usage(10, 5, 0, 0)), line("c", AccountingReading::Cumulative, (9, 9, 9, 9))], 15);
}

#[test]
fn seed_003_the_cumulative_total_starts_from_the_last_accounting_node() {
    total(
        &[
            node("a", Kind::Message, usage(100, 10, 0, 0)),
            line("c1", AccountingReading::Cumulative, (500, 50, 5, 1)),
            node("b", Kind::Message, usage(100, 10, 0, 0)),
            line("c2", AccountingReading::Cumulative, (12_500, 8_300, 5_000, 1_200)),
            node("d", Kind::Message, usage(7, 3, 2, 1)),
            node("e", Kind::Message, usage(7, 3, 2, 1)),
        ],
        &[],
        usage(12_514, 8_306, 5_004, 1_202),
    );
}

#[test]
fn seed_003_titles_and_summaries_count_in_the_cumulative_total() {
    total(
        &[
            node("a", Kind::Message, usage(100, 10, 0, 0)),
            node("t", Kind::Title, usage(5, 1, 0, 0)),
            node("s", Kind::Summary, usage(110, 20, 0, 0)),
        ],
        &[],
        usage(215, 31, 0, 0),
    );
}

#[test]
fn seed_003_delta_accounting_nodes_are_all_added_to_all_messages() {
    total(
        &[
            node("a", Kind::Message, usage(100, 10, 0, 0)),
            line("c1", AccountingReading::Delta, (30, 3, 0, 0)),
            line("c2", AccountingReading::Delta, (40, 4, 0, 0)),
            node("b", Kind::Message, usage(200, 20, 0, 0)),
        ],
        &[],
        usage(370, 37, 0, 0),
    );
}

#[test]
fn seed_003_a_total_so_far_holds_the_deltas_before_it() {
    total(
        &[
            line("c1", AccountingReading::Delta, (30, 3, 0, 0)),
            line("c2", AccountingReading::Cumulative, (1000, 100, 0, 0)),
            line("c3", AccountingReading::Delta, (1, 1, 0, 0)),
        ],
        &[],
        usage(1001, 101, 0, 0),
    );
}

#[test]
fn an_accounting_line_covers_calls_and_branches_before_its_time() {
    let early =
        Call { created_at: Some("2026-01-01T10:00:00Z".parse().expect("a time")), ..call("c1", None, usage(50, 5, 0, 0)) };
    let late = Call { created_at: Some("2026-01-01T12:00:00Z".parse().expect("a time")), ..call("c2", None, usage(7, 1, 0, 0)) };
    total(
        &[
            at(line("acc", AccountingReading::Cumulative, (1000, 100, 0, 0)), "2026-01-01T11:00:00Z"),
            at(node("left", Kind::Message, usage(50, 5, 0, 0)), "2026-01-01T09:00:00Z"),
            at(node("new", Kind::Message, usage(2, 2, 0, 0)), "2026-01-01T11:30:00Z"),
        ],
        &[early, late],
        usage(1009, 103, 0, 0),
    );
}

#[test]
fn each_call_counts_once_however_often_it_was_copied() {
    let calls = [
        call("c1", Some("a"), usage(10, 1, 0, 0)),
        call("c1", Some("fork-of-a"), usage(10, 1, 0, 0)),
        call("c2", Some("b"), usage(20, 2, 0, 0)),
        call("c1", Some("a"), None),
    ];
    assert_eq!(ledger(&calls).len(), 2);
    total(&[], &calls, usage(30, 3, 0, 0));
}

#[test]
fn left_branches_retries_and_failed_calls_stay_in_the_total() {
    let nodes = [node("a", Kind::Message, usage(10, 1, 0, 0)), node("left", Kind::Message, usage(10, 2, 0, 0))];
    let calls = [
        call("c1", Some("a"), usage(10, 1, 0, 0)),
        call("retry", Some("gone"), usage(10, 3, 0, 0)),
        call("failed", None, usage(10, 0, 0, 0)),
    ];
    total(&nodes, &calls, usage(40, 6, 0, 0));
}

#[test]
fn a_nodes_usage_counts_only_where_no_call_tells_of_it() {
    let nodes = [node("a", Kind::Message, usage(10, 1, 0, 0)), node("b", Kind::Message, usage(20, 2, 0, 0))];
    total(&nodes, &[call("c1", Some("a"), usage(11, 1, 0, 0)), call("c2", Some("b"), None)], usage(31, 3, 0, 0));
}

#[test]
fn sums_saturate() {
    let huge = usage(u64::MAX, u64::MAX, 0, 0);
    total(&[node("a", Kind::Message, huge), node("b", Kind::Message, huge)], &[], huge);
    window(&[node("a", Kind::Message, huge)], u64::MAX);
}

const PRICES: Prices = Prices { input: 3.0, output: 15.0, cache_read: Some(0.3), cache_write: Some(3.75) };

#[track_caller]
fn dollars(usage: Usage, prices: Prices, expected: f64) {
    let found = cost(usage, &prices);
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

#[test]
fn cost_has_a_price_for_each_bucket_and_a_missing_cache_price_is_the_input_price() {
    let million = usage(1_000_000, 1_000_000, 1_000_000, 1_000_000);
    dollars(million, PRICES, 3.0 + 15.0 + 0.3 + 3.75);
    dollars(million, Prices { cache_write: None, ..PRICES }, 3.0 + 15.0 + 0.3 + 3.0);
    dollars(million, Prices { cache_read: None, ..PRICES }, 3.0 + 15.0 + 3.0 + 3.75);
    dollars(million, Prices { cache_read: None, cache_write: None, ..PRICES }, 3.0 + 15.0 + 3.0 + 3.0);
}

#[test]
fn spend_counts_stated_costs_as_stated_and_shows_what_has_no_price() {
    let calls = [
        call("a", None, usage(1_000_000, 0, 0, 0)),
        call("a", None, usage(1_000_000, 0, 0, 0)),
        Call { cost_usd: Some(0.5), ..call("b", None, usage(5, 5, 0, 0)) },
        Call { model: Some("p/unknown".into()), ..call("c", None, usage(7, 8, 0, 0)) },
        call("d", None, None),
    ];
    let spent = spend(&calls, |model| (model == "p/m").then_some(PRICES));
    assert!((spent.usd - 3.5).abs() < 1e-9);
    assert_eq!((spent.usage, spent.unpriced, spent.unreported), (usage(1_000_012, 13, 0, 0), usage(7, 8, 0, 0), 1));
}
