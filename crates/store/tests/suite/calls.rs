//! Calls: kept whole, once, and never lost.

use crate::on_both;
use crate::support::{ent, node, say, team};
use weftwork::catalogue::Prices;
use weftwork::model::{Call, Json, Purpose, Usage};
use weftwork_store::{By, CallEnd, CallStart, CallsOf, Cost, Exchange, Measured, Outcome, Period, Scope, StoreError};

/// A call that begins now.
pub(crate) fn start(id: &str) -> CallStart {
    CallStart {
        id: id.to_owned(),
        purpose: Purpose::Reply,
        node: None,
        agent: Some(ent("analyst")),
        run: Some("run1".to_owned()),
        model: Some("openai/gpt-5".to_owned()),
        at: crate::support::NOW,
        prices: Some(Prices { input: 1.25, output: 10.0, cache_read: Some(0.125), cache_write: None }),
        ask: br#"{"head":null}"#.to_vec(),
        request: br#"{"messages":[]}"#.to_vec(),
        account: None,
        report: None,
    }
}

/// A call that was answered.
pub(crate) fn done(usage: Usage) -> CallEnd {
    CallEnd {
        outcome: Outcome::Done,
        node: None,
        duration_ms: Some(1_200),
        usage: Some(usage),
        measured: Measured::Reported,
        raw_usage: None,
        cost: None,
        response: None,
    }
}

pub(crate) fn used(input: u64, output: u64) -> Usage {
    Usage { input, output, cache_read: 0, cache_write: 0 }
}

on_both! {
    fn a_call_comes_back_as_it_was(store: &Fresh) {
        let space = team(store);
        let reply = say(store, &space, "analyst", "answer").node;
        store.begin_call(&space, &CallStart { node: Some(reply.id.clone()), ..start("c1") }).unwrap();
        let response: Vec<u8> = (0..=255).cycle().take(100_000).collect();
        let end = CallEnd {
            raw_usage: Some(Json::parse(r#"{"prompt_tokens":10.0}"#).unwrap()),
            cost: Some(Cost::from_usd(0.012_345_678_9)),
            response: Some(response.clone()),
            measured: Measured::Estimated,
            ..done(Usage { input: 7, output: 5, cache_read: 2, cache_write: 1 })
        };
        store.end_call(&space, "c1", &end).unwrap();
        let call = store.call(&space, "c1").unwrap();
        assert_eq!((call.node, call.agent, call.run.as_deref()), (Some(reply.id), Some(ent("analyst")), Some("run1")));
        assert_eq!((call.usage, call.outcome, call.measured), (end.usage, Some(Outcome::Done), Measured::Estimated));
        assert_eq!(call.raw_usage.unwrap().text(), r#"{"prompt_tokens":10.0}"#);
        assert_eq!((call.cost, call.prices), (Some(Cost::billionths(12_345_679)), start("c1").prices));
        assert_eq!((call.at.unwrap().millis(), call.duration_ms), (NOW, Some(1_200)));
        let exchange = store.exchange(&space, "c1").unwrap();
        assert_eq!(exchange, Exchange { ask: Some(start("").ask), request: Some(start("").request), response: Some(response), report: None });
    }

    fn a_call_that_never_ended_is_there(store: &Fresh) {
        let space = team(store);
        store.begin_call(&space, &start("c1")).unwrap();
        let call = store.call(&space, "c1").unwrap();
        assert_eq!((call.outcome, call.usage), (None, None));
        assert_eq!(store.exchange(&space, "c1").unwrap().request, Some(start("").request));
    }

    fn a_call_begins_and_ends_once(store: &Fresh) {
        let space = team(store);
        store.begin_call(&space, &start("c1")).unwrap();
        let again = store.begin_call(&space, &start("c1"));
        assert!(matches!(again, Err(StoreError::Taken { .. })), "{again:?}");
        store.end_call(&space, "c1", &done(used(1, 2))).unwrap();
        let again = store.end_call(&space, "c1", &done(used(0, 0)));
        assert!(matches!(again, Err(StoreError::CallEnded { .. })), "{again:?}");
        assert_eq!(store.call(&space, "c1").unwrap().usage, Some(used(1, 2)));
        let missing = store.end_call(&space, "c2", &done(used(1, 2)));
        assert!(matches!(missing, Err(StoreError::NoCall { .. })), "{missing:?}");
        let missing = store.exchange(&space, "c2");
        assert!(matches!(missing, Err(StoreError::NoCall { .. })), "{missing:?}");
    }

    fn calls_are_listed_by_space_node_and_run(store: &Fresh) {
        let space = team(store);
        let reply = say(store, &space, "analyst", "answer").node;
        store.begin_call(&space, &CallStart { node: Some(reply.id.clone()), ..start("c1") }).unwrap();
        store.begin_call(&space, &CallStart { run: Some("run2".to_owned()), ..start("c2") }).unwrap();
        let ids = |of| store.calls(of).unwrap().into_iter().map(|call| call.id).collect::<Vec<_>>();
        assert_eq!(ids(CallsOf::Space(&space)), ["c1", "c2"]);
        assert_eq!(ids(CallsOf::Node(&space, &reply.id)), ["c1"]);
        assert_eq!(ids(CallsOf::Run("run2")), ["c2"]);
        let missing = store.calls(CallsOf::Node(&space, &node("nowhere")));
        assert!(matches!(missing, Err(StoreError::NoNode { .. })), "{missing:?}");
    }

    fn a_call_in_no_space_belongs_to_the_account_that_asked(store: &Fresh) {
        let space = team(store);
        let report = Some(b"{\"nodes\":[]}".to_vec());
        let alone = |id: &str, who: &str| CallStart { account: Some(ent(who)), report: report.clone(), agent: None, run: None, ..start(id) };
        store.begin_call(None, &alone("c1", "husam")).unwrap();
        store.begin_call(None, &alone("c1", "sarah")).unwrap();
        store.begin_call(&space, &alone("c2", "husam")).unwrap();
        let again = store.begin_call(None, &alone("c1", "husam"));
        assert!(matches!(again, Err(StoreError::Taken { what: "call", .. })), "{again:?}");
        let call = store.call_of(&ent("husam"), "c1").unwrap();
        assert_eq!((call.space, call.account, call.model.as_deref()), (None, Some(ent("husam")), Some("openai/gpt-5")));
        let exchange = store.exchange_of(&ent("husam"), "c1").unwrap();
        assert_eq!((exchange.report, exchange.request), (report.clone(), Some(start("").request)));
        assert_eq!(store.exchange(&space, "c2").unwrap().report, None, "what was said there tells it again");
        for missing in [store.call_of(&ent("analyst"), "c1").err(), store.exchange_of(&ent("analyst"), "c1").err(), store.call_of(&ent("husam"), "c2").err()] {
            assert!(matches!(missing, Some(StoreError::NoCall { .. })), "{missing:?}");
        }
        let listed: Vec<_> = store.calls(CallsOf::Account(&ent("husam"))).unwrap().into_iter().map(|call| call.id).collect();
        assert_eq!(listed, ["c1", "c2"]);
        let totals = store.totals(&Scope::All, Period::default(), By::Account).unwrap();
        assert_eq!(totals.iter().map(|total| (total.key.as_deref(), total.calls)).collect::<Vec<_>>(), [(Some("husam"), 2), (Some("sarah"), 1)]);
    }

    fn equal_bytes_are_kept_once_and_outlive_one_of_their_calls(store: &Fresh) {
        let space = team(store);
        say(store, &space, "husam", "before");
        let [early, late] = [("c1", "early"), ("c2", "late")].map(|(id, text)| {
            let reply = say(store, &space, "analyst", text).node;
            store.begin_call(&space, &CallStart { node: Some(reply.id.clone()), ..start(id) }).unwrap();
            let response = Some(b"the same".to_vec());
            store.end_call(&space, id, &CallEnd { response, ..done(used(1, 1)) }).unwrap();
            reply
        });
        store.purge(&space, &late.id, NOW).unwrap();
        assert_eq!(store.exchange(&space, "c2").unwrap(), Exchange::default());
        let kept = store.exchange(&space, "c1").unwrap();
        assert_eq!((kept.request, kept.response.as_deref()), (Some(start("").request), Some(&b"the same"[..])));
        store.purge(&space, &early.id, NOW).unwrap();
        assert_eq!(store.exchange(&space, "c1").unwrap(), Exchange::default());
    }

    fn purging_a_message_takes_every_later_request_with_it(store: &Fresh) {
        let space = team(store);
        let first = say(store, &space, "analyst", "first").node;
        store.begin_call(&space, &CallStart { node: Some(first.id), ..start("before") }).unwrap();
        let secret = say(store, &space, "husam", "secret").node;
        let reply = say(store, &space, "analyst", "answer").node;
        store.begin_call(&space, &CallStart { node: Some(reply.id), ..start("after") }).unwrap();
        store.end_call(&space, "after", &CallEnd { response: Some(b"answer".to_vec()), ..done(used(3, 4)) }).unwrap();
        store.purge(&space, &secret.id, NOW).unwrap();
        let after = store.exchange(&space, "after").unwrap();
        assert_eq!((after.ask, after.request, after.response.as_deref()), (None, None, Some(&b"answer"[..])));
        assert_eq!(store.call(&space, "after").unwrap().usage, Some(used(3, 4)));
        assert!(store.exchange(&space, "before").unwrap().request.is_some());
    }

    fn a_call_of_a_file_is_taken_over_once_and_the_one_that_knows_more_stays(store: &Fresh) {
        let space = team(store);
        let mut call: Call = serde_json::from_str(r#"{"id":"i1","model":"m","createdAt":"2026-02-18T14:50:00.5+01:00"}"#).unwrap();
        store.import_call(&space, &call).unwrap();
        call.usage = Some(used(5, 6));
        call.cost_usd = Some(0.25);
        store.import_call(&space, &call).unwrap();
        store.import_call(&space, &Call { usage: None, ..call.clone() }).unwrap();
        let kept = store.calls(CallsOf::Space(&space)).unwrap();
        assert_eq!(kept.len(), 1);
        assert_eq!((kept[0].usage, kept[0].cost), (Some(used(5, 6)), Some(Cost::from_usd(0.25))));
        assert_eq!(kept[0].at, call.created_at);
    }
}
