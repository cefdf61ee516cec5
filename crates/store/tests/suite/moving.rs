//! Whole spaces in and out, backups, and what `verify` finds.

use crate::on_both;
use crate::support::{entity, said, say, team};
use crate::{dice, support};
use fastrand::Rng;
use weftwork::catalogue::Prices;
use weftwork::model::{Conversation, EntityKind, Json, Node, Purpose, Space, Status, Usage};
use weftwork_store::{
    Access, Address, CallEnd, CallStart, Cost, Draft, Fault, Finish, Imported, Measured, Names, Outcome, Store, StoreError,
};

on_both! {
    fn a_space_goes_out_and_comes_in_unchanged(store: &Fresh) {
        let other = Fresh::sqlite();
        for seed in 0..40 {
            let file = dice::conversation(&mut Rng::with_seed(seed), &format!("space-{seed}"), 60);
            store.import(&file, Names::Ours, NOW, &mut |_| {}).unwrap();
            let out = store.export(&file.space.id).unwrap();
            let plain = |file: &Conversation| file.nodes.iter().map(|node| Node { hash: None, ..node.clone() }).collect::<Vec<_>>();
            assert_eq!(plain(&out), plain(&file), "seed {seed}");
            other.import(&out, Names::Ours, NOW, &mut |_| {}).unwrap();
            assert_eq!(other.export(&file.space.id).unwrap(), out, "seed {seed}");
        }
    }

    fn calls_go_out_and_come_in_with_their_space(store: &Fresh) {
        let mut file = dice::conversation(&mut Rng::with_seed(11), "calls", 20);
        let agent = file.entities[0].id.clone();
        let call = serde_json::json!({"id": "c1", "node": file.nodes[0].id, "agent": agent, "model": "openai/gpt-4o",
            "createdAt": "2026-02-18T14:50:00.000001Z", "durationMs": 12, "costUsd": 0.1,
            "usage": {"input": 10, "output": 5, "cacheRead": 3, "cacheWrite": 0}, "rawUsage": {"prompt_tokens": 13}});
        file.calls = vec![serde_json::from_value(call).unwrap()];
        store.import(&file, Names::Ours, NOW, &mut |_| {}).unwrap();
        store.import(&file, Names::Ours, NOW, &mut |_| {}).unwrap();
        assert_eq!(store.export(&file.space.id).unwrap().calls, file.calls);
    }

    fn importing_the_same_file_again_changes_nothing(store: &Fresh) {
        let file = dice::conversation(&mut Rng::with_seed(7), "again", 200);
        let first = store.import(&file, Names::Ours, NOW, &mut |_| {}).unwrap();
        let out = store.export(&file.space.id).unwrap();
        let second = store.import(&file, Names::Ours, NOW, &mut |_| {}).unwrap();
        assert_eq!(second, Imported { added: 0, known: first.added, new_space: false });
        assert_eq!(store.export(&file.space.id).unwrap(), out);
    }

    fn a_longer_file_adds_what_is_new(store: &Fresh) {
        let whole = dice::conversation(&mut Rng::with_seed(3), "grows", 200);
        let mut half = whole.clone();
        half.nodes.truncate(whole.nodes.len() / 2);
        (half.head, half.heads, half.cursors) = (None, Default::default(), Default::default());
        let first = store.import(&half, Names::Ours, NOW, &mut |_| {}).unwrap();
        let second = store.import(&whole, Names::Ours, NOW, &mut |_| {}).unwrap();
        assert_eq!((second.known, second.known + second.added), (first.added, whole.nodes.len() as u64));
        let mut fresh = whole.clone();
        fresh.space.id = "at-once".into();
        store.import(&fresh, Names::Ours, NOW, &mut |_| {}).unwrap();
        let nodes = |space: &str| store.export(&space.into()).unwrap().nodes;
        assert_eq!(nodes("grows"), nodes("at-once"));
    }

    fn a_file_that_disagrees_with_the_store_is_refused_whole(store: &Fresh) {
        let file = dice::conversation(&mut Rng::with_seed(5), "disagrees", 50);
        store.import(&file, Names::Ours, NOW, &mut |_| {}).unwrap();
        let out = store.export(&file.space.id).unwrap();
        let mut other = file.clone();
        other.nodes[0] = other.nodes[0].clone().text("something else");
        other.nodes.push(Node::new("late", None, "husam").text("new"));
        let refused = store.import(&other, Names::Ours, NOW, &mut |_| {});
        assert!(matches!(refused, Err(StoreError::Differs { .. })), "{refused:?}");
        assert_eq!(store.export(&file.space.id).unwrap(), out);
    }

    fn a_file_whose_hash_does_not_match_is_refused(store: &Fresh) {
        let space = team(store);
        say(store, &space, "husam", "one");
        say(store, &space, "husam", "two");
        let mut file = store.export(&space).unwrap();
        file.space.id = "forged".into();
        let id = file.nodes[1].id.clone();
        file.nodes[1] = Node { hash: file.nodes[1].hash.clone(), ..file.nodes[1].clone().text("!") };
        let refused = store.import(&file, Names::Ours, NOW, &mut |_| {});
        assert!(matches!(refused, Err(StoreError::BadHash { ref node }) if *node == id), "{refused:?}");
    }

    fn entities_of_another_program_do_not_change_ours(store: &Fresh) {
        let chat = |id: &str, prompt: &str| {
            let mut file = Conversation::new(Space::new(id, id));
            file.entities = vec![entity("user", EntityKind::Human), entity("assistant", EntityKind::Agent)];
            file.entities[1].system_prompt = Some(prompt.to_owned());
            file.nodes = vec![Node::new("n1", None, "assistant").text("hello")];
            file
        };
        for (id, prompt) in [("a", "Be kind."), ("b", "Be brief."), ("b", "Be brief.")] {
            store.import(&chat(id, prompt), Names::Foreign, NOW, &mut |_| {}).unwrap();
        }
        let prompt = |id: &str| {
            let file = store.export(&id.into()).unwrap();
            let author = file.nodes[0].author.clone();
            file.entities.into_iter().find(|entity| entity.id == author).unwrap().system_prompt.unwrap()
        };
        assert_eq!((prompt("a"), prompt("b")), ("Be kind.".to_owned(), "Be brief.".to_owned()));
    }

    fn verify_names_the_first_node_that_was_changed(store: &Fresh) {
        let space = team(store);
        let ids: Vec<_> = (0..10).map(|at| say(store, &space, "husam", &format!("message {at}")).node.id).collect();
        assert_eq!(store.verify(&space, &mut |_| {}).unwrap().broken, None);
        store.tamper("UPDATE nodes SET text = 'forged' WHERE id = '{}'", &ids[4]);
        let broken = store.verify(&space, &mut |_| {}).unwrap().broken.unwrap();
        assert_eq!((broken.node, broken.fault), (ids[4].clone(), Fault::Changed));
    }

    fn verify_names_a_node_that_lost_one_before_it(store: &Fresh) {
        let space = team(store);
        let ids: Vec<_> = (0..5).map(|at| say(store, &space, "husam", &format!("message {at}")).node.id).collect();
        store.tamper("DELETE FROM nodes WHERE id = '{}'", &ids[2]);
        let broken = store.verify(&space, &mut |_| {}).unwrap().broken.unwrap();
        assert_eq!((broken.node, broken.fault), (ids[3].clone(), Fault::Gap));
    }

    fn what_was_said_while_a_reply_was_written_keeps_its_hash(store: &Fresh) {
        let space = team(store);
        say(store, &space, "husam", "question");
        let pending = Node { status: Status::Pending, parts: Vec::new(), ..said("analyst", "") };
        let reply = store.append(&space, Draft::new(pending)).unwrap().node;
        say(store, &space, "husam", "meanwhile");
        say(store, &space, "sarah", "me too");
        store.finish(&space, &reply.id, Finish { parts: said("analyst", "done").parts, ..Finish::default() }).unwrap();
        assert_eq!(store.verify(&space, &mut |_| {}).unwrap().broken, None);
        let mut file = store.export(&space).unwrap();
        file.space.id = "copy".into();
        store.import(&file, Names::Ours, NOW, &mut |_| {}).unwrap();
        assert_eq!(store.verify(&"copy".into(), &mut |_| {}).unwrap().broken, None);
    }

    fn a_purged_node_stays_purged_through_export_and_import(store: &Fresh) {
        let space = team(store);
        let secret = say(store, &space, "husam", "secret").node;
        say(store, &space, "husam", "after");
        store.purge(&space, &secret.id, NOW).unwrap();
        let found = store.verify(&space, &mut |_| {}).unwrap();
        assert_eq!((found.purged, found.broken), (1, None));
        let mut file = store.export(&space).unwrap();
        assert!(!serde_json::to_string(&file).unwrap().contains("secret"));
        file.space.id = "copy".into();
        store.import(&file, Names::Ours, NOW, &mut |_| {}).unwrap();
        assert_eq!(store.verify(&"copy".into(), &mut |_| {}).unwrap().broken, None);
    }

    fn calls_go_out_and_come_in_with_every_byte(store: &Fresh) {
        let space = team(store);
        let reply = say(store, &space, "analyst", "answer").node;
        let start = CallStart {
            id: "call-1".into(),
            purpose: Purpose::Reply,
            node: Some(reply.id.clone()),
            agent: Some("analyst".into()),
            run: Some("run-1".into()),
            model: Some("openai/gpt-4o".into()),
            at: NOW,
            prices: Some(Prices { input: 2.5, output: 10.0, cache_read: Some(1.25), cache_write: None }),
            ask: b"{}".to_vec(),
            request: br#"{"messages":[]}"#.to_vec(),
            account: None,
            report: None,
        };
        store.begin_call(&space, &start).unwrap();
        let end = CallEnd {
            outcome: Outcome::Canceled,
            node: None,
            duration_ms: Some(1_234),
            usage: Some(Usage { input: 10, output: 5, cache_read: 3, cache_write: 1 }),
            measured: Measured::Estimated,
            raw_usage: Some(Json::parse(r#"{"prompt_tokens": 1.10}"#).unwrap()),
            cost: Some(Cost::billionths(123_456_789)),
            response: Some(vec![0xff, 0, 1]),
        };
        store.end_call(&space, "call-1", &end).unwrap();
        let other = Fresh::sqlite();
        let out = store.export(&space).unwrap();
        let file: Conversation = serde_json::from_str(&serde_json::to_string(&out).unwrap()).unwrap();
        other.import(&file, Names::Ours, NOW, &mut |_| {}).unwrap();
        other.import(&file, Names::Ours, NOW, &mut |_| {}).unwrap();
        assert_eq!(other.export(&space).unwrap(), out);
        assert_eq!(other.call(&space, "call-1").unwrap(), store.call(&space, "call-1").unwrap());
        assert_eq!(other.exchange(&space, "call-1").unwrap(), store.exchange(&space, "call-1").unwrap());
    }

    fn spaces_are_listed_newest_first(store: &Fresh) {
        let space = team(store);
        say(store, &space, "husam", "hello");
        store.create_space(&Conversation::new(Space::new("empty", "Empty")), NOW - 5).unwrap();
        let listed: Vec<_> = store.spaces().unwrap().into_iter().map(|space| (space.name, space.nodes, space.members)).collect();
        assert_eq!(listed, [("Team".to_owned(), 1, 3), ("Empty".to_owned(), 0, 0)]);
    }
}

#[test]
fn a_backup_is_made_while_others_write() {
    let store = support::Fresh::sqlite();
    let space = team(&store);
    let folder = std::env::temp_dir().join(format!("weft_backup_{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("copy.db");
    std::thread::scope(|scope| {
        scope.spawn(|| (0..200).for_each(|at| drop(say(&store, &space, "husam", &format!("message {at}")))));
        store.backup(&path).unwrap();
    });
    let copy = Store::open(&Address::File(path.clone()), Access::Write, support::NOW).unwrap();
    assert_eq!(copy.verify(&space, &mut |_| {}).unwrap().broken, None);
    assert!(matches!(store.backup(&path), Err(StoreError::Taken { .. })));
    drop(copy);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_second_process_is_refused_and_a_reader_is_not() {
    let store = support::Fresh::sqlite();
    let space = team(&store);
    say(&store, &space, "husam", "hello");
    let second = Store::open(&store.address, Access::Write, support::NOW);
    assert!(matches!(second, Err(StoreError::InUse { .. })));
    let reader = Store::open(&store.address, Access::Read, support::NOW).unwrap();
    assert_eq!(reader.spaces().unwrap().len(), 1);
    let refused = reader.append(&space, Draft::new(said("husam", "x")));
    assert!(matches!(refused, Err(StoreError::ReadOnly)), "{refused:?}");
}
