//! What was used: cumulative, in the window, by group, and the lines that edits and retries leave.

use crate::calls::{done, start, used};
use crate::on_both;
use crate::support::{said, say, team};
use weftwork::model::{Accounting, Kind, Node, NodeId, Purpose, SpaceId, Usage};
use weftwork_store::{
    By, CallEnd, CallStart, Cost, Draft, Finish, Flag, Line, LineReason, MoveHead, Outcome, Parent, Period, Scope, Store,
};

/// A reply on the default head with a call of its own.
fn reply(store: &Store, space: &SpaceId, id: &str, usage: Usage) -> Node {
    let node = say(store, space, "analyst", id).node;
    called(store, space, &node, id, Purpose::Reply, usage);
    node
}

fn called(store: &Store, space: &SpaceId, node: &Node, id: &str, purpose: Purpose, usage: Usage) {
    store.begin_call(space, &CallStart { purpose, node: Some(node.id.clone()), ..start(id) }).unwrap();
    store.end_call(space, id, &done(usage)).unwrap();
}

/// A node of a kind on the default head.
fn of_kind(store: &Store, space: &SpaceId, kind: Kind, text: &str) -> Node {
    let node = Node { kind, ..said("analyst", text) };
    store.append(space, Draft::new(node)).unwrap().node
}

/// A sibling of what hangs on `parent`, which the head follows.
fn beside(store: &Store, space: &SpaceId, parent: Option<&NodeId>, node: Node) -> Node {
    let parent = parent.map_or(Parent::Root, |id| Parent::Node(id.clone()));
    store.append(space, Draft { parent, head: MoveHead::Default, ..Draft::new(node) }).unwrap().node
}

fn accounting(store: &Store, space: &SpaceId, json: &str) -> Node {
    let line: Accounting = serde_json::from_str(json).unwrap();
    let node = Node { kind: Kind::Accounting, accounting: Some(line), ..said("husam", "") };
    store.append(space, Draft::new(node)).unwrap().node
}

fn window(store: &Store, space: &SpaceId) -> u64 {
    store.context_window(space, None).unwrap()
}

on_both! {
    fn the_window_is_the_last_replys_input_cache_and_output(store: &Fresh) {
        let space = team(store);
        assert_eq!(window(store, &space), 0);
        say(store, &space, "husam", "question");
        reply(store, &space, "c1", Usage { input: 100, output: 20, cache_read: 30, cache_write: 4 });
        assert_eq!(window(store, &space), 154);
        say(store, &space, "husam", "more");
        assert_eq!(window(store, &space), 154);
        let plain = Node { usage: Some(used(200, 10)), ..said("analyst", "a file's reply") };
        store.append(&space, Draft::new(plain)).unwrap();
        assert_eq!(window(store, &space), 210);
    }

    fn the_window_is_unchanged_by_titles_and_requests_for_summaries(store: &Fresh) {
        let space = team(store);
        let answer = reply(store, &space, "c1", used(100, 20));
        of_kind(store, &space, Kind::TitleRequest, "title?");
        let title = of_kind(store, &space, Kind::Title, "A title");
        called(store, &space, &title, "c2", Purpose::Title, used(999, 9));
        of_kind(store, &space, Kind::SummaryRequest, "sum up");
        called(store, &space, &answer, "c3", Purpose::Title, used(777, 7));
        assert_eq!(window(store, &space), 120);
    }

    fn after_a_summary_the_window_is_its_output(store: &Fresh) {
        let space = team(store);
        reply(store, &space, "c1", used(100, 20));
        let summary = of_kind(store, &space, Kind::Summary, "in short");
        assert_eq!(window(store, &space), 0);
        called(store, &space, &summary, "c2", Purpose::Summary, used(500, 33));
        assert_eq!(window(store, &space), 33);
        for flag in [Flag::Pruned, Flag::Excluded] {
            store.set_flag(&space, &summary.id, flag, true, NOW).unwrap();
            assert_eq!(window(store, &space), 120, "taken back, it stands for nothing");
            store.set_flag(&space, &summary.id, flag, false, NOW).unwrap();
        }
    }

    fn the_window_is_that_of_the_head_however_far_back_its_reply_is(store: &Fresh) {
        let space = team(store);
        let first = reply(store, &space, "c1", used(1, 1));
        let second = reply(store, &space, "c2", used(5, 5));
        for at in 0..150 {
            say(store, &space, "husam", &format!("{at}"));
        }
        assert_eq!(window(store, &space), 10);
        assert_eq!(store.context_window(&space, Some(&first.id)).unwrap(), 2);
        beside(store, &space, Some(&first.id), said("husam", "elsewhere"));
        assert_eq!(window(store, &space), 2);
        assert_eq!(store.context_window(&space, Some(&second.id)).unwrap(), 10);
    }

    fn cumulative_counts_left_branches_and_canceled_and_failed_calls(store: &Fresh) {
        let space = team(store);
        let question = say(store, &space, "husam", "question").node;
        reply(store, &space, "c1", used(100, 10));
        let retry = beside(store, &space, Some(&question.id), said("analyst", "again"));
        called(store, &space, &retry, "c2", Purpose::Reply, used(100, 20));
        for (id, outcome) in [("c3", Outcome::Canceled), ("c4", Outcome::Failed)] {
            store.begin_call(&space, &start(id)).unwrap();
            store.end_call(&space, id, &CallEnd { outcome, ..done(used(1, 0)) }).unwrap();
        }
        store.begin_call(&space, &start("c5")).unwrap();
        assert_eq!(store.cumulative(&space).unwrap(), used(202, 30));
    }

    fn a_nodes_own_usage_counts_where_no_call_tells_of_it(store: &Fresh) {
        let space = team(store);
        let own = Node { usage: Some(used(50, 5)), ..said("analyst", "imported") };
        store.append(&space, Draft::new(own.clone())).unwrap();
        let both = store.append(&space, Draft::new(own)).unwrap().node;
        called(store, &space, &both, "c1", Purpose::Reply, used(50, 5));
        assert_eq!(store.cumulative(&space).unwrap(), used(100, 10));
    }

    fn accounting_nodes_of_a_file_are_honoured_in_both_readings(store: &Fresh) {
        let space = team(store);
        reply(store, &space, "c1", used(100, 10));
        accounting(store, &space, r#"{"cumulativeTokens":{"inputTokens":7},"reading":"delta"}"#);
        assert_eq!(store.cumulative(&space).unwrap(), used(107, 10));
        accounting(store, &space, r#"{"cumulativeTokens":{"inputTokens":1000,"outputTokens":50}}"#);
        reply(store, &space, "c2", used(1, 1));
        assert_eq!(store.cumulative(&space).unwrap(), used(1_001, 51));
    }

    fn total_usage_never_falls_whatever_is_done(store: &Fresh) {
        let space = team(store);
        let question = say(store, &space, "husam", "question").node;
        let answer = reply(store, &space, "c1", used(100, 10));
        let mut last = 0;
        let mut check = |what: &str| {
            let total = store.cumulative(&space).unwrap().total();
            assert!(total >= last, "{what}: {total} < {last}");
            last = total;
        };
        check("a reply");
        let edit = Node { edited_from: Some(question.id.clone()), ..said("husam", "better") };
        beside(store, &space, None, edit);
        check("an edit");
        reply(store, &space, "c2", used(50, 5));
        check("its answer");
        store.move_head(&space, None, &answer.id, None).unwrap();
        check("going back");
        let retry = beside(store, &space, Some(&question.id), said("analyst", "again"));
        called(store, &space, &retry, "c3", Purpose::Reply, used(100, 1));
        check("a retry");
        store.begin_call(&space, &start("c4")).unwrap();
        check("a call");
        store.end_call(&space, "c4", &CallEnd { outcome: Outcome::Canceled, ..done(used(9, 0)) }).unwrap();
        check("stopped");
        let pending = Node { status: weftwork::model::Status::Pending, ..said("analyst", "") };
        let pending = store.append(&space, Draft::new(pending)).unwrap().node;
        store.finish(&space, &pending.id, Finish { usage: Some(used(3, 3)), ..Finish::default() }).unwrap();
        check("a finished reply");
        of_kind(store, &space, Kind::Summary, "in short");
        check("a summary");
        for node in [&answer, &retry, &pending] {
            store.set_flag(&space, &node.id, weftwork_store::Flag::Pruned, true, NOW).unwrap();
            check("pruned");
            store.purge(&space, &node.id, NOW).unwrap();
            check("purged");
        }
        assert_eq!(last, 110 + 55 + 101 + 9 + 6);
    }

    fn totals_by_call_run_space_agent_model_and_day(store: &Fresh) {
        let space = team(store);
        const DAY: i64 = 86_400_000;
        let price = |usd| CallEnd { cost: Some(Cost::from_usd(usd)), ..done(used(10, 1)) };
        store.begin_call(&space, &start("c1")).unwrap();
        store.end_call(&space, "c1", &price(0.5)).unwrap();
        store.begin_call(&space, &CallStart { at: NOW + DAY, model: Some("m2".into()), ..start("c2") }).unwrap();
        store.end_call(&space, "c2", &done(used(20, 2))).unwrap();
        store.begin_call(&space, &CallStart { run: None, agent: None, ..start("c3") }).unwrap();
        let totals = |by| store.totals(&Scope::All, Period::default(), by).unwrap();
        let keys = |by| totals(by).into_iter().map(|it| (it.key.unwrap_or_default(), it.usage.input)).collect::<Vec<_>>();
        let pairs = |list: &[(&str, u64)]| list.iter().map(|(key, input)| ((*key).to_owned(), *input)).collect::<Vec<_>>();
        assert_eq!(keys(By::Call), pairs(&[("team/c1", 10), ("team/c2", 20), ("team/c3", 0)]));
        assert_eq!(keys(By::Run), pairs(&[("", 0), ("run1", 30)]));
        assert_eq!(keys(By::Agent), pairs(&[("", 0), ("analyst", 30)]));
        assert_eq!(keys(By::Model), pairs(&[("m2", 20), ("openai/gpt-5", 10)]));
        let utc = By::Day { offset_minutes: 0 };
        assert_eq!(keys(utc), pairs(&[("2026-02-18", 10), ("2026-02-19", 20)]));
        assert_eq!(keys(By::Day { offset_minutes: 600 }), pairs(&[("2026-02-19", 10), ("2026-02-20", 20)]));
        let all = totals(By::Space).remove(0);
        assert_eq!((all.calls, all.cost, all.unpriced, all.unreported), (3, Cost::from_usd(0.5), used(20, 2), 1));
        assert_eq!(store.totals(&Scope::one(&space), Period::default(), By::Space).unwrap(), [all]);
        let first = Period { from: None, to: Some(NOW + 1) };
        assert_eq!(store.totals(&Scope::one(&space), first, utc).unwrap().len(), 1);
        assert!(store.totals(&Scope::Spaces(vec!["gone".into()]), Period::default(), utc).unwrap().is_empty());
    }

    fn no_report_of_a_provider_breaks_a_sum(store: &Fresh) {
        let space = team(store);
        for at in 0..3 {
            store.begin_call(&space, &start(&format!("c{at}"))).unwrap();
            let end = CallEnd { cost: Some(Cost::from_usd(f64::INFINITY)), ..done(used(u64::MAX, u64::MAX)) };
            store.end_call(&space, &format!("c{at}"), &end).unwrap();
        }
        assert!(store.totals(&Scope::All, Period::default(), By::Space).unwrap()[0].usage.input > 0);
        assert!(store.cumulative(&space).unwrap().input > 0);
    }

    fn an_edit_and_a_retry_leave_a_line_with_what_was_left(store: &Fresh) {
        let space = team(store);
        let question = say(store, &space, "husam", "question").node;
        reply(store, &space, "c1", used(100, 10));
        say(store, &space, "husam", "thanks");
        let retry = beside(store, &space, Some(&question.id), said("analyst", "again"));
        called(store, &space, &retry, "c2", Purpose::Reply, used(100, 20));
        let retried = Line { node: retry.id.clone(), reason: LineReason::Retry, left: Some(2), so_far: used(100, 10) };
        assert_eq!(store.accounting_lines(&space, None).unwrap(), [retried]);
        let edit = Node { edited_from: Some(question.id.clone()), ..said("husam", "better question") };
        let edit = beside(store, &space, None, edit);
        let edited = Line { node: edit.id.clone(), reason: LineReason::Edit, left: Some(4), so_far: used(200, 30) };
        assert_eq!(store.accounting_lines(&space, None).unwrap(), std::slice::from_ref(&edited));
        reply(store, &space, "c3", used(1, 1));
        assert_eq!(store.accounting_lines(&space, None).unwrap(), [edited]);
    }

    fn what_others_say_beside_it_is_neither_an_edit_nor_a_retry(store: &Fresh) {
        let space = team(store);
        let question = say(store, &space, "husam", "question").node;
        say(store, &space, "analyst", "answer");
        beside(store, &space, Some(&question.id), said("sarah", "I know it"));
        assert!(store.accounting_lines(&space, None).unwrap().is_empty());
        beside(store, &space, None, said("husam", "another thread"));
        assert!(store.accounting_lines(&space, None).unwrap().is_empty());
    }

    fn lines_of_a_file_are_shown_as_told(store: &Fresh) {
        let space = team(store);
        reply(store, &space, "c1", used(1, 1));
        let json = r#"{"cumulativeTokens":{"inputTokens":70},"reading":"cumulative","reason":"summary","discardedMessages":9}"#;
        let node = accounting(store, &space, json);
        let told = LineReason::Told(Some("summary".to_owned()));
        let line = Line { node: node.id, reason: told, left: Some(9), so_far: used(70, 0) };
        assert_eq!(store.accounting_lines(&space, None).unwrap(), [line]);
        let missing = store.accounting_lines(&space, Some(&"nowhere".into()));
        assert!(missing.is_err());
    }
}
