//! What the gateway keeps beside conversations: secrets, services, pins, learned factors, whole answers.

use crate::on_both;
use crate::support::{ent, node, say, table, team};
use weftwork::ask::Check;
use weftwork::formats::{self, ExportFormat};
use weftwork::model::{Bytes, SpaceId, Whole};
use weftwork_store::{Learned, Names, Service, Store, StoreError, ToolPin};

on_both! {
    fn a_secret_is_kept_sealed_replaced_and_removed(store: &Fresh) {
        store.put_secret("openai", &[0, 255, 1], "9xyz", NOW).unwrap();
        store.put_secret("anthropic", b"sealed", "1abc", NOW).unwrap();
        store.put_secret("openai", &[7], "2new", NOW + 1).unwrap();
        let secret = store.secret("openai").unwrap().unwrap();
        assert_eq!((secret.sealed.as_slice(), secret.name.hint.as_str(), secret.name.created_at), (&[7][..], "2new", NOW + 1));
        let names: Vec<_> = store.secrets().unwrap().into_iter().map(|secret| (secret.name, secret.hint)).collect();
        assert_eq!(names, [("anthropic".into(), "1abc".into()), ("openai".into(), "2new".into())]);
        assert!(!format!("{secret:?}").contains('['), "{secret:?}");
        assert!(store.remove_secret("openai").unwrap() && !store.remove_secret("openai").unwrap());
        assert_eq!(store.secret("openai").unwrap(), None);
        let bad = store.put_secret("", b"", "", NOW);
        assert!(matches!(bad, Err(StoreError::BadId { .. })), "{bad:?}");
    }

    fn a_service_has_a_secret_and_for_a_while_the_one_before(store: &Fresh) {
        team(store);
        store.add_service("shop", &ent("analyst"), b"first", "irst", NOW).unwrap();
        store.add_service("ci", &ent("analyst"), &[0, 255], "0255", NOW + 1).unwrap();
        let kept = |name: &str| store.service(name).unwrap().unwrap();
        assert_eq!((kept("shop").sealed.as_slice(), kept("shop").old), (&b"first"[..], None));
        assert!(store.rotate_service("shop", b"second", "cond", NOW + 9, NOW + 2).unwrap());
        assert!(store.rotate_service("shop", b"third", "hird", NOW + 10, NOW + 3).unwrap());
        assert_eq!((kept("shop").sealed, kept("shop").old), (b"third".to_vec(), Some(b"second".to_vec())));
        let service = |name: &str, hint: &str, created_at, rotated_at, old_until| Service {
            name: name.into(), agent: ent("analyst"), hint: hint.into(), created_at, rotated_at, old_until,
        };
        let all = [service("ci", "0255", NOW + 1, None, None), service("shop", "hird", NOW, Some(NOW + 3), Some(NOW + 10))];
        assert_eq!(store.services().unwrap(), all);
        assert!(!format!("{:?}", kept("shop")).contains("116"), "{:?}", kept("shop"));
        assert!(store.remove_service("shop").unwrap() && !store.remove_service("shop").unwrap());
        assert!(!store.rotate_service("shop", b"", "", NOW, NOW).unwrap());
        assert_eq!(store.service("shop").unwrap(), None);
    }

    fn a_service_that_cannot_be_is_refused(store: &Fresh) {
        team(store);
        store.add_service("ci", &ent("analyst"), b"sealed", "", NOW).unwrap();
        for (name, agent, expected) in [
            ("ci", "analyst", "there is a service \"ci\" already"),
            ("", "analyst", "\"\" cannot be an id"),
            ("shop", "nobody", "there is no entity \"nobody\""),
            ("shop", "husam", "\"husam\" is no agent"),
        ] {
            let said = store.add_service(name, &ent(agent), b"other", "", NOW).unwrap_err().to_string();
            assert!(said.starts_with(expected), "{name} {agent}: {said}");
        }
        assert_eq!(store.service("ci").unwrap().unwrap().sealed, b"sealed");
        assert_eq!(store.services().unwrap().len(), 1);
    }

    fn a_tool_is_pinned_by_server_and_name(store: &Fresh) {
        let pin = |server: &str, tool: &str, described: &str, approval: Option<&str>| ToolPin {
            server: server.into(),
            tool: tool.into(),
            described: described.into(),
            approval: approval.map(str::to_owned),
            at: NOW,
        };
        for pin in [pin("web", "get", "a", None), pin("", "read", "b", Some("always")), pin("web", "get", "c", Some("ask"))] {
            store.put_tool_pin(&pin).unwrap();
        }
        assert_eq!(store.tool_pins().unwrap(), [pin("", "read", "b", Some("always")), pin("web", "get", "c", Some("ask"))]);
        assert_eq!(store.tool_pin("web", "get").unwrap(), Some(pin("web", "get", "c", Some("ask"))));
        assert_eq!(store.tool_pin("web", "read").unwrap(), None);
    }

    fn what_models_report_is_learned(store: &Fresh) {
        assert_eq!(store.learn("local/some", 150, 300).unwrap(), None);
        assert_eq!(store.learned("local/some").unwrap(), None);
        std::thread::scope(|scope| {
            (0..8).for_each(|_| drop(scope.spawn(|| store.learn("local/some", 1_000, 1_250).unwrap())));
        });
        let learned = store.learned("local/some").unwrap();
        assert_eq!(learned, Some(Learned { thousandths: 1_250, samples: 8 }));
        let other = store.learn("local/other", 1_000, 9_000).unwrap();
        assert_eq!(other, Some(Learned { thousandths: 3_000, samples: 1 }));
    }

    fn a_whole_answer_is_kept_beside_its_node(store: &Fresh) {
        let space = team(store);
        let nodes = ["one", "two"].map(|text| say(store, &space, "analyst", text).node.id);
        let long = b"all of it \0\xff ".repeat(10_000);
        store.keep_whole(&space, &nodes[0], "call_1", &long).unwrap();
        store.keep_whole(&space, &nodes[0], "call_1", &long).unwrap();
        store.keep_whole(&space, &nodes[1], "call_1", b"second").unwrap();
        let other = store.keep_whole(&space, &nodes[1], "call_1", b"third");
        assert!(matches!(other, Err(StoreError::Taken { .. })), "{other:?}");
        let missing = store.keep_whole(&space, &node("nowhere"), "call_1", b"");
        assert!(matches!(missing, Err(StoreError::NoNode { .. })), "{missing:?}");
        assert_eq!(store.whole(&space, Some(&nodes[0]), "call_1").unwrap(), Some(long));
        assert_eq!(store.whole(&space, None, "call_1").unwrap().as_deref(), Some(&b"second"[..]));
        assert_eq!(store.whole(&space, None, "call_2").unwrap(), None);
        assert_eq!(store.whole(&space, Some(&node("nowhere")), "call_1").unwrap(), None);
    }

    fn a_whole_answer_is_purged_with_its_node(store: &Fresh) {
        let space = team(store);
        let nodes = ["one", "two"].map(|text| say(store, &space, "analyst", text).node.id);
        for node in &nodes {
            store.keep_whole(&space, node, "call_1", b"the same").unwrap();
        }
        store.purge(&space, &nodes[1], NOW).unwrap();
        assert_eq!(store.whole(&space, Some(&nodes[1]), "call_1").unwrap(), None);
        assert!(store.whole(&space, Some(&nodes[0]), "call_1").unwrap().is_some());
        store.keep_whole(&space, &nodes[1], "call_1", b"again").unwrap();
        assert_eq!(store.whole(&space, Some(&nodes[1]), "call_1").unwrap(), None);
        store.purge(&space, &nodes[0], NOW).unwrap();
        assert_eq!(table(&store.address, "SELECT hash FROM blobs"), Vec::<Vec<String>>::new());
    }

    fn whole_answers_travel_in_files_and_secrets_do_not(store: &Fresh) {
        let space = team(store);
        let id = say(store, &space, "analyst", "short").node.id;
        for (call, content) in [("call_1", &b"text"[..]), ("call_2", b"\xff\0")] {
            store.keep_whole(&space, &id, call, content).unwrap();
        }
        store.put_secret("openai", b"sealed-secret", "cret", NOW).unwrap();
        let mut file = store.export(&space).unwrap();
        let whole = |call: &str, content: &[u8]| Whole { node: id.clone(), call: call.into(), content: Bytes(content.to_vec()) };
        assert_eq!(file.wholes, [whole("call_1", b"text"), whole("call_2", b"\xff\0")]);
        file.space.id = SpaceId::from("copy");
        for format in [ExportFormat::Weft, ExportFormat::WeftJsonl] {
            let (bytes, _) = formats::export(&file, format);
            assert!(!String::from_utf8_lossy(&bytes).contains("cret"), "no secret leaves the store");
            assert_eq!(again(store, &bytes).wholes, file.wholes, "{format}");
        }
    }
}

/// The file as it is after it was taken in and given out again.
fn again(store: &Store, bytes: &[u8]) -> weftwork::model::Conversation {
    let file = formats::import(bytes, None, Check::Strict).unwrap().conversations.pop().unwrap();
    store.import(&file, Names::Ours, crate::support::NOW, &mut |_| {}).unwrap();
    store.export(&file.space.id).unwrap()
}
