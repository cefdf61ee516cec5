//! What changes in a space is numbered, told to its members, and never skipped.

use crate::on_both;
use crate::racing::{at_once, others};
use crate::support::{ent, node, said, say, table, team};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};
use weftwork::model::{Conversation, Link, LinkKind, Node, NodeId, Space, SpaceId, Status};
use weftwork_store::{ChangeKind, Draft, Finish, Flag, Moment, MoveHead, News, Parent, Seq, Store, StoreError};

fn start(store: &Store, space: &SpaceId) -> Moment {
    store.moment(space).unwrap().unwrap()
}

fn news(store: &Store, space: &SpaceId, since: Moment) -> News {
    store.news(space, &ent("husam"), since, 1_000).unwrap().unwrap()
}

fn pending(store: &Store, space: &SpaceId) -> NodeId {
    let draft = Draft::new(Node { status: Status::Pending, parts: Vec::new(), ..said("analyst", "") });
    store.append(space, draft).unwrap().node.id
}

type Act<'a> = Box<dyn Fn() + 'a>;

fn act<'a, T>(work: impl Fn() -> Result<T, StoreError> + 'a) -> Act<'a> {
    Box::new(move || drop(work().unwrap()))
}

on_both! {
    fn every_act_tells_what_it_changed(store: &Fresh) {
        let space = team(store);
        let [one, two] = ["one", "two"].map(|text| say(store, &space, "husam", text).node.id);
        let reply = pending(store, &space);
        let dead = pending(store, &space);
        store.raw(&format!("UPDATE pending SET process = 7 WHERE node = (SELECT key FROM nodes WHERE id = '{dead}')"));
        let parts = serde_json::from_value(serde_json::json!([{"type": "toolCall", "id": "c", "name": "look", "args": {}}])).unwrap();
        let called = store.append(&space, Draft::new(Node { parts, ..said("analyst", "") })).unwrap().node.id;
        let link = Link {
            from: one.clone(), to: two.clone(), kind: LinkKind::Answers, reason: String::new(), author: ent("husam"), created_at: None,
        };
        let of = |id: &NodeId| ChangeKind::Node(id.clone());
        let sarah = ent("sarah");
        let (member, head) = (ChangeKind::Member(sarah.clone()), ChangeKind::Head(Some(sarah.clone())));
        let edit = Draft { parent: Parent::Root, head: MoveHead::Default, ..Draft::new(said("husam", "edited")) };
        let unlink = || store.remove_link(&space, &one, &two, LinkKind::Answers);
        let acts = [
            ("stop tools", act(|| store.ask_to_stop(&space, &called)), vec![ChangeKind::Stop(called.clone())]),
            ("stop words", act(|| store.ask_to_stop(&space, &two)), vec![]),
            ("append", act(|| store.append(&space, Draft::new(said("husam", "three")))), vec![]),
            ("stop tools late", act(|| store.ask_to_stop(&space, &called)), vec![]),
            ("flag", act(|| store.set_flag(&space, &one, Flag::Pinned, true, NOW)), vec![of(&one)]),
            ("bookmark", act(|| store.put_bookmark(&space, &two, "b")), vec![of(&two)]),
            ("no bookmark", act(|| store.remove_bookmark(&space, &two)), vec![of(&two)]),
            ("link", act(|| store.put_link(&space, &link)), vec![of(&one), of(&two)]),
            ("no link", act(unlink), vec![of(&one), of(&two)]),
            ("no link again", act(unlink), vec![]),
            ("stop", act(|| store.ask_to_stop(&space, &reply)), vec![ChangeKind::Stop(reply.clone())]),
            ("finish", act(|| store.finish(&space, &reply, Finish::default())), vec![of(&reply)]),
            ("stop late", act(|| store.ask_to_stop(&space, &reply)), vec![]),
            ("fail", act(|| store.fail_pending("died")), vec![of(&dead)]),
            ("purge", act(|| store.purge(&space, &two, NOW)), vec![of(&two)]),
            ("delete", act(|| store.delete_message(&space, &one, NOW)), vec![of(&one)]),
            ("head", act(|| store.move_head(&space, None, &one, None)), vec![ChangeKind::Head(None)]),
            ("head again", act(|| store.move_head(&space, None, &one, None)), vec![]),
            ("own head", act(|| store.move_head(&space, Some(&sarah), &two, None)), vec![head.clone()]),
            ("own head again", act(|| store.move_head(&space, Some(&sarah), &two, None)), vec![]),
            ("no own head", act(|| store.drop_head(&space, &sarah)), vec![head]),
            ("no own head again", act(|| store.drop_head(&space, &sarah)), vec![]),
            ("read", act(|| store.read_up_to(&space, &sarah, &two)), vec![ChangeKind::Read(sarah.clone())]),
            ("read back", act(|| store.read_up_to(&space, &sarah, &one)), vec![]),
            ("leave", act(|| store.depart(&space, &sarah, NOW)), vec![member.clone()]),
            ("leave again", act(|| store.depart(&space, &sarah, NOW)), vec![]),
            ("join", act(|| store.join(&space, &sarah, None)), vec![member.clone()]),
            ("depart", act(|| store.depart(&space, &sarah, NOW)), vec![member]),
            ("header", act(|| store.put_header(&Conversation::new(Space::new("team", "Other")))), vec![ChangeKind::Space]),
            ("edit", act(|| store.append(&space, edit.clone())), vec![ChangeKind::Head(None)]),
        ];
        for (name, act, expected) in acts {
            let before = start(store, &space);
            act();
            let told = news(store, &space, before);
            assert_eq!(told.changes.into_iter().map(|change| change.kind).collect::<Vec<_>>(), expected, "{name}");
            assert_eq!((told.upto, told.complete, told.lost), (start(store, &space), true, false), "{name}");
        }
        let missing = store.ask_to_stop(&space, &node("nowhere"));
        assert!(matches!(missing, Err(StoreError::NoNode { .. })), "{missing:?}");
    }

    fn moments_of_many_spaces_are_read_in_one_look(store: &Fresh) {
        let space = team(store);
        for at in 0..200 {
            store.create_space(&Conversation::new(Space::new(format!("s{at}"), "")), NOW).unwrap();
        }
        say(store, &space, "husam", "one");
        let mut asked: Vec<SpaceId> = (0..200).map(|at| SpaceId::from(format!("s{at}"))).collect();
        asked.extend(["nowhere".into(), space.clone(), "s7".into()]);
        let moments = store.moments(&asked).unwrap();
        let empty = Some(Moment { seq: Seq(0), change: 0 });
        assert!(moments[..200].iter().all(|moment| *moment == empty));
        // Three who joined, and the head that came with the first node.
        assert_eq!(moments[200..], [None, Some(Moment { seq: Seq(1), change: 4 }), empty]);
        assert_eq!(store.moment(&space).unwrap(), moments[201]);
    }

    fn news_are_for_members_and_come_in_pieces(store: &Fresh) {
        let space = team(store);
        let since = start(store, &space);
        let ids: Vec<NodeId> = (0..5).map(|at| say(store, &space, "husam", &format!("line {at}")).node.id).collect();
        for flag in [Flag::Pinned, Flag::Excluded] {
            store.set_flag(&space, &ids[0], flag, true, NOW).unwrap();
        }
        store.set_flag(&space, &ids[1], Flag::Pinned, true, NOW).unwrap();
        let (mut at, mut seen, mut changed, mut looks) = (since, Vec::new(), Vec::new(), 0);
        loop {
            let piece = store.news(&space, &ent("sarah"), at, 2).unwrap().unwrap();
            seen.extend(piece.nodes);
            changed.extend(piece.changes.into_iter().map(|change| change.kind));
            (at, looks) = (piece.upto, looks + 1);
            if piece.complete {
                break;
            }
        }
        assert_eq!(seen, store.after(&space, Seq(0), 9).unwrap(), "nodes are as they are now");
        let of = |at: usize| ChangeKind::Node(ids[at].clone());
        assert_eq!((changed, looks), (vec![ChangeKind::Head(None), of(0), of(0), of(1)], 3));
        let folded: Vec<_> = news(store, &space, since).changes.into_iter().map(|change| (change.no - since.change, change.kind)).collect();
        assert_eq!(folded, [(1, ChangeKind::Head(None)), (3, of(0)), (4, of(1))]);
        store.depart(&space, &ent("sarah"), NOW).unwrap();
        for (space, who) in [(&space, "sarah"), (&space, "nobody"), (&"nowhere".into(), "husam")] {
            assert_eq!(store.news(space, &ent(who), since, 9).unwrap(), None);
        }
    }

    fn a_log_that_no_longer_reaches_back_says_so(store: &Fresh) {
        let space = team(store);
        let since = start(store, &space);
        let id = say(store, &space, "husam", "one").node.id;
        store.set_flag(&space, &id, Flag::Pinned, true, NOW).unwrap();
        // As if very much had changed since.
        store.raw("UPDATE changes SET no = no + 11000 WHERE no > 3; DELETE FROM changes WHERE no <= 1000");
        let kept = start(store, &space);
        assert_eq!(news(store, &space, since), News { nodes: Vec::new(), changes: Vec::new(), upto: kept, complete: true, lost: true });
        assert_eq!(news(store, &space, kept), News { nodes: Vec::new(), changes: Vec::new(), upto: kept, complete: true, lost: false });
        let ahead = Moment { seq: Seq(9), ..kept };
        assert!(news(store, &space, ahead).lost && news(store, &space, Moment { change: kept.change + 1, ..kept }).lost);
        // Of what comes from now on, old rows are cut.
        store.raw("UPDATE changes SET no = no + 988 WHERE no = 11005; UPDATE changes SET no = no + 990 WHERE no = 11004");
        for _ in 0..8 {
            store.set_flag(&space, &id, Flag::Pinned, true, NOW).unwrap();
        }
        let rows = table(&store.address, "SELECT no FROM changes WHERE no <= 2000");
        assert_eq!((rows.len(), start(store, &space).change > 11_999), (0, true), "{rows:?}");
    }

    fn readers_of_news_skip_nothing_while_many_write(store: &Fresh) {
        let space = team(store);
        let others = others(store);
        let stores: Vec<&Store> = std::iter::once(&**store).chain(&others).collect();
        let since = start(store, &space);
        let (writers, rounds) = (4, 60);
        let all = writers * rounds;
        let seen = std::thread::scope(|scope| {
            let (stores, space) = (&stores, &space);
            let readers: Vec<_> = (0..2).map(|at| scope.spawn(move || follow(stores[at % stores.len()], space, since, all))).collect();
            at_once(stores, writers, |writer, store| {
                for at in 0..rounds {
                    let id = say(store, space, ["husam", "sarah"][writer % 2], &format!("{writer}/{at}")).node.id;
                    store.set_flag(space, &id, Flag::Bookmarked, true, NOW).unwrap();
                    store.set_flag(space, &id, Flag::Pinned, at % 2 == 0, NOW).unwrap();
                }
            });
            readers.into_iter().map(|reader| reader.join().unwrap()).collect::<Vec<_>>()
        });
        let now: BTreeMap<Seq, Node> = store.after(&space, Seq(0), u32::MAX).unwrap().into_iter().collect();
        assert_eq!(now.len(), all);
        for known in seen {
            assert_eq!(known, now, "every reader ends with all as it is");
        }
    }
}

/// What somebody knows who follows the news, and looks at what changed, until nothing is left to come.
fn follow(store: &Store, space: &SpaceId, since: Moment, until: usize) -> BTreeMap<Seq, Node> {
    let (mut at, mut last, begun) = (since, None::<i64>, Instant::now());
    let (mut known, mut places, mut flagged) = (BTreeMap::new(), HashMap::new(), BTreeSet::new());
    while known.len() < until || flagged.len() < until || last != Some(since.change + 1 + 2 * until as i64) {
        assert!(begun.elapsed() < Duration::from_secs(60), "{} nodes, {} changed, upto {at}", known.len(), flagged.len());
        let news = store.news(space, &ent("husam"), at, 50).unwrap().unwrap();
        assert!(!news.lost);
        for (seq, node) in news.nodes {
            assert_eq!(seq.0, known.len() as i64 + 1, "no node is skipped or told twice");
            places.insert(node.id.clone(), seq);
            known.insert(seq, node);
        }
        for change in news.changes {
            assert!(last.is_none_or(|last| change.no > last));
            last = Some(change.no);
            // One that is not known yet will come as it is now.
            if let ChangeKind::Node(id) = change.kind {
                if let Some(seq) = places.get(&id) {
                    known.insert(*seq, store.node(space, &id).unwrap());
                }
                flagged.insert(id);
            }
        }
        at = news.upto;
    }
    known
}
