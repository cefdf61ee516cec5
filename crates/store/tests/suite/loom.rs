//! What loom-aware agents need of a tree: short ids, what stands around a node, and what is kept beside it.

use crate::on_both;
use crate::support::{ent, node, said, say, table, team};
use crate::{dice, support};
use fastrand::Rng;
use std::collections::{BTreeMap, HashSet};
use weftwork::ask::{Ask, Check};
use weftwork::formats::{self, ExportFormat};
use weftwork::model::{Bookmark, Conversation, Edge, Kind, Link, LinkKind, Loom, LoomNode, Node, NodeId, SpaceId, Timestamp};
use weftwork_store::{Draft, Flag, LocalId, MOST_PINS, MOST_STASHES, Names, Seq, Stash, Store, StoreError, TRACED, Tree};

on_both! {
    fn every_node_has_a_short_id_of_its_own_that_leads_back(store: &Fresh) {
        for seed in 0..20 {
            let file = dice::conversation(&mut Rng::with_seed(seed), &format!("tree-{seed}"), 60);
            store.import(&file, Names::Ours, NOW, &mut |_| {}).unwrap();
            let mut seen = HashSet::new();
            for node in &file.nodes {
                let spot = store.spot(&file.space.id, &format!("msg:{}", node.id)).unwrap();
                assert!(seen.insert(spot.local.to_string()), "{} of seed {seed}", spot.local);
                assert_eq!(store.spot(&file.space.id, &spot.local.to_string()).unwrap(), spot);
            }
        }
    }

    fn short_ids_survive_going_out_and_coming_in(store: &Fresh) {
        let file = dice::conversation(&mut Rng::with_seed(5), "first", 60);
        store.import(&file, Names::Ours, NOW, &mut |_| {}).unwrap();
        let mut out = store.export(&file.space.id).unwrap();
        out.space.id = "second".into();
        store.import(&out, Names::Ours, NOW, &mut |_| {}).unwrap();
        let local = |space: &str, node: &Node| store.spot(&space.into(), &format!("id:{}", node.id)).unwrap().local;
        for node in &out.nodes {
            assert_eq!(local("first", node), local("second", node));
        }
    }

    fn what_stands_around_a_node_is_what_the_tree_says(store: &Fresh) {
        for seed in 0..20 {
            let file = dice::conversation(&mut Rng::with_seed(seed), &format!("tree-{seed}"), 60);
            let space = file.space.id.clone();
            store.import(&file, Names::Ours, NOW, &mut |_| {}).unwrap();
            for node in &file.nodes {
                let spot = store.spot(&space, &format!("msg:{}", node.id)).unwrap();
                let counted = (spot.siblings, spot.continuations, spot.remarks);
                let expected = (going_on(&file, node.parent.as_ref()), going_on(&file, Some(&node.id)), remarks(&file, &node.id));
                assert_eq!(counted, expected, "{} of seed {seed}", node.id);
                let below = store.spots_below(&space, Some(&node.id), 3).unwrap();
                assert!(below.0.len() <= 3 && below.0.iter().all(|below| below.parent == Some(spot.local)));
            }
            for head in file.nodes.iter().step_by(7) {
                let ask = Ask { head: Some(head.id.clone()), ..Ask::default() };
                let Some(nodes) = told(store, &space, &ask) else { continue };
                for (id, known) in &nodes {
                    let spot = store.spot(&space, &format!("msg:{id}")).unwrap();
                    let LoomNode { local_id, siblings, children } = known;
                    assert_eq!((local_id, siblings, children), (&spot.local.to_string(), &spot.siblings, &spot.continuations));
                    assert!(store.is_on_path(&space, id, &head.id).unwrap());
                }
                let spot = store.spot(&space, &format!("msg:{}", head.id)).unwrap();
                let is_fork = spot.siblings > 1 || spot.continuations > 1;
                assert_eq!(nodes.contains_key(&head.id), is_fork, "{} of seed {seed}", head.id);
            }
        }
    }

    fn a_stranger_s_node_does_not_exist(store: &Fresh) {
        let (space, other) = (team(store), SpaceId::from("other"));
        store.create_space(&Conversation::new(weftwork::model::Space::new("other", "")), NOW).unwrap();
        say(store, &space, "husam", "ours");
        let theirs = store.append(&other, Draft::new(Node { id: "theirs".into(), ..said("husam", "secret") })).unwrap().node.id;
        let later = store.append(&other, Draft::new(said("husam", "secret"))).unwrap();
        let agent = ent("analyst");
        let link = Link { from: node("x"), to: theirs.clone(), kind: LinkKind::Relates, reason: String::new(), author: agent.clone(), created_at: None };
        let own = store.spot(&space, &LocalId::of(Seq(1)).to_string()).unwrap().node.id;
        let unknown = [
            store.spot(&space, "theirs").err(),
            store.spot(&space, "msg:theirs").err(),
            store.spot(&space, &LocalId::of(later.seq).to_string()).err(),
            store.tree_around(&space, "theirs", Tree { up: 1, down: 1, most: 9 }).err(),
            store.put_bookmark(&space, &theirs, "mine").err(),
            store.put_link(&space, &Link { from: own.clone(), ..link.clone() }).err(),
            store.put_link(&space, &Link { from: theirs.clone(), to: own, ..link }).err(),
            store.pin_node(&space, &agent, &theirs).err(),
            store.put_stash(&space, &agent, "s", &Stash::Node(theirs.clone()), NOW).err(),
            store.links(&space, &theirs, 9).err(),
        ];
        for error in unknown {
            assert!(matches!(error, Some(StoreError::NoNode { .. })), "{error:?}");
        }
        assert!(!store.is_on_path(&space, &theirs, &theirs).unwrap());
    }

    fn bookmarks_have_names_and_links_have_reasons(store: &Fresh) {
        let space = team(store);
        let nodes = ["one", "two", "three"].map(|text| say(store, &space, "husam", text).node.id);
        store.put_bookmark(&space, &nodes[0], "begin").unwrap();
        store.put_bookmark(&space, &nodes[2], "end").unwrap();
        store.put_bookmark(&space, &nodes[2], "the end").unwrap();
        store.set_flag(&space, &nodes[1], Flag::Pinned, true, NOW).unwrap();
        let named = || -> Vec<_> { store.bookmarks(&space, 9).unwrap().into_iter().map(|spot| (spot.node.id, spot.bookmark)).collect() };
        assert_eq!(named(), [(nodes[2].clone(), Some("the end".into())), (nodes[0].clone(), Some("begin".into()))]);
        assert!(store.remove_bookmark(&space, &nodes[0]).unwrap() && !store.remove_bookmark(&space, &nodes[0]).unwrap());
        assert_eq!(named().len(), 1);
        let link = |from: usize, to: usize, kind, reason: &str| Link {
            from: nodes[from].clone(),
            to: nodes[to].clone(),
            kind,
            reason: reason.into(),
            author: ent("analyst"),
            created_at: Timestamp::from_millis(NOW),
        };
        assert!(store.put_link(&space, &link(2, 0, LinkKind::Answers, "why")).unwrap());
        assert!(!store.put_link(&space, &link(2, 0, LinkKind::Answers, "because")).unwrap());
        assert!(store.put_link(&space, &link(2, 0, LinkKind::Repeats, "")).unwrap());
        assert!(store.put_link(&space, &link(1, 2, LinkKind::Supports, "so")).unwrap());
        let linked: Vec<_> = store.links(&space, &nodes[2], 9).unwrap().into_iter().map(|linked| linked.link).collect();
        let all = [link(1, 2, LinkKind::Supports, "so"), link(2, 0, LinkKind::Answers, "because"), link(2, 0, LinkKind::Repeats, "")];
        assert_eq!(linked, all);
        assert_eq!(store.spot(&space, &format!("msg:{}", nodes[2])).unwrap().links, 3);
        assert!(store.remove_link(&space, &nodes[2], &nodes[0], LinkKind::Repeats).unwrap());
        assert!(!store.remove_link(&space, &nodes[2], &nodes[0], LinkKind::Repeats).unwrap());
        let mut file = store.export(&space).unwrap();
        assert_eq!(file.bookmarks, [Bookmark { node: nodes[2].clone(), name: "the end".into() }]);
        assert_eq!(file.links, all[..2]);
        file.space.id = "copy".into();
        for format in [ExportFormat::Weft, ExportFormat::WeftJsonl] {
            let (bytes, _) = formats::export(&file, format);
            let read = formats::import(&bytes, None, Check::Strict).unwrap().conversations.pop().unwrap();
            store.import(&read, Names::Ours, NOW, &mut |_| {}).unwrap();
            let copy = store.export(&"copy".into()).unwrap();
            assert_eq!((copy.bookmarks, copy.links), (file.bookmarks.clone(), file.links.clone()), "{format}");
        }
    }

    fn each_agent_has_a_memory_of_its_own(store: &Fresh) {
        let space = team(store);
        let (one, two) = (ent("analyst"), ent("sarah"));
        let nodes: Vec<NodeId> = (0..=MOST_PINS).map(|n| say(store, &space, "husam", &format!("node {n}")).node.id).collect();
        for node in &nodes[..MOST_PINS as usize] {
            assert!(store.pin_node(&space, &one, node).unwrap());
        }
        assert!(!store.pin_node(&space, &one, &nodes[0]).unwrap(), "it is pinned");
        let full = store.pin_node(&space, &one, nodes.last().unwrap());
        assert!(matches!(full, Err(StoreError::TooMany { what: "pins", most: MOST_PINS })), "{full:?}");
        assert!(store.unpin_node(&space, &one, &nodes[3]).unwrap() && !store.unpin_node(&space, &one, &nodes[3]).unwrap());
        assert!(store.pin_node(&space, &one, nodes.last().unwrap()).unwrap());
        let pinned: Vec<_> = store.loom_memory(&space, &one).unwrap().pins.into_iter().map(|spot| spot.node.id).collect();
        assert_eq!(pinned, [0, 1, 2, 4, 5, 6, 7, 8].map(|at| nodes[at].clone()));
        let text = Stash::Text("häagen".into());
        assert!(!store.put_stash(&space, &one, "a", &Stash::Text("x".into()), NOW).unwrap());
        assert!(store.put_stash(&space, &one, "a", &text, NOW).unwrap());
        store.put_stash(&space, &one, "b", &Stash::Node(nodes[1].clone()), NOW).unwrap();
        assert_eq!(store.stash(&space, &one, "a").unwrap(), Some(text));
        assert_eq!(store.stash(&space, &one, "b").unwrap(), Some(Stash::Node(nodes[1].clone())));
        assert_eq!(store.stash(&space, &two, "a").unwrap(), None, "another agent's");
        let listed = store.loom_memory(&space, &one).unwrap().stashes;
        assert_eq!(listed.iter().map(|it| (it.name.as_str(), it.length, it.node)).collect::<Vec<_>>(), [
            ("a", Some(6), None),
            ("b", None, Some(LocalId::of(Seq(2)))),
        ]);
        for n in 2..MOST_STASHES {
            store.put_stash(&space, &one, &format!("s{n}"), &Stash::Text(String::new()), NOW).unwrap();
        }
        let full = store.put_stash(&space, &one, "more", &Stash::Text(String::new()), NOW);
        assert!(matches!(full, Err(StoreError::TooMany { what: "stashes", .. })), "{full:?}");
        assert!(store.drop_stash(&space, &one, "a").unwrap() && !store.drop_stash(&space, &one, "a").unwrap());
        assert_eq!(store.loom_memory(&space, &two).unwrap(), Default::default());
    }

    fn only_the_last_acts_are_remembered(store: &Fresh) {
        let space = team(store);
        let agent = ent("analyst");
        for n in 0..TRACED + 7 {
            store.trace(&space, &agent, &format!("act {n}"), NOW + n).unwrap();
        }
        let trace = store.loom_memory(&space, &agent).unwrap().trace;
        let lines: Vec<_> = trace.iter().map(|traced| traced.line.clone()).collect();
        assert_eq!(lines, (7..TRACED + 7).map(|n| format!("act {n}")).collect::<Vec<_>>());
        assert_eq!(table(&store.address, "SELECT no FROM loom_trace").len() as i64, TRACED);
    }

    fn what_is_purged_is_gone_from_memories_too(store: &Fresh) {
        let space = team(store);
        let agent = ent("analyst");
        let id = say(store, &space, "husam", "secret").node.id;
        store.pin_node(&space, &agent, &id).unwrap();
        store.put_stash(&space, &agent, "s", &Stash::Node(id.clone()), NOW).unwrap();
        store.put_bookmark(&space, &id, "about the secret").unwrap();
        store.purge(&space, &id, NOW).unwrap();
        assert_eq!(store.loom_memory(&space, &agent).unwrap(), Default::default());
        assert_eq!(store.stash(&space, &agent, "s").unwrap(), None);
        assert_eq!(store.export(&space).unwrap().bookmarks, []);
    }

    fn a_drawn_tree_is_bounded_and_says_what_is_hidden(store: &Fresh) {
        let space = team(store);
        let root = say(store, &space, "husam", "root").node.id;
        let below = |parent: &NodeId, text: &str| store.append(&space, Draft::new(said("husam", text)).on(parent.clone())).unwrap().node.id;
        let middle = below(&root, "middle");
        let leaves: Vec<NodeId> = (0..5).map(|n| below(&middle, &format!("leaf {n}"))).collect();
        below(&leaves[0], "deep");
        let drawn = |name: &NodeId, up, down, most| {
            let (_, drawn) = store.tree_around(&space, &format!("msg:{name}"), Tree { up, down, most }).unwrap();
            let text = |node: &Node| support::text(node);
            drawn.into_iter().map(|it| (text(&it.spot.node), it.below, it.hidden)).collect::<Vec<_>>()
        };
        assert_eq!(drawn(&leaves[0], 9, 0, 4), [
            ("root".to_owned(), vec![1], 0),
            ("middle".to_owned(), vec![2, 3], 3),
            ("leaf 0".to_owned(), vec![], 1),
            ("leaf 1".to_owned(), vec![], 0),
        ]);
        assert_eq!(drawn(&leaves[0], 0, 1, 9), [("leaf 0".to_owned(), vec![1], 0), ("deep".to_owned(), vec![], 0)]);
    }

    fn a_viewer_can_look_elsewhere_and_come_back(store: &Fresh) {
        let space = team(store);
        let agent = ent("analyst");
        let nodes = ["one", "two", "three"].map(|text| say(store, &space, "husam", text).node.id);
        store.append(&space, Draft::new(said("husam", "two again")).on(nodes[0].clone())).unwrap();
        let position = store.position(&space, &agent, &nodes[2]).unwrap();
        assert_eq!((position.nodes, position.own, position.here.depth), (4, None, 2));
        assert_eq!(position.forks.iter().map(|fork| (fork.node, fork.continuations)).collect::<Vec<_>>(), [(LocalId::of(Seq(1)), 2)]);
        store.move_head(&space, Some(&agent), &nodes[1], None).unwrap();
        let own = store.position(&space, &agent, &nodes[2]).unwrap().own;
        assert_eq!(own.map(|spot| spot.node.id), Some(nodes[1].clone()));
        assert_eq!(store.head(&space, None).unwrap(), Some(nodes[2].clone()), "nobody else is moved");
        assert!(store.drop_head(&space, &agent).unwrap() && !store.drop_head(&space, &agent).unwrap());
        assert_eq!(store.position(&space, &agent, &nodes[2]).unwrap().own, None);
    }
}

/// What is written down of the forks that a request tells of.
fn told(store: &Store, space: &SpaceId, ask: &Ask) -> Option<BTreeMap<NodeId, LoomNode>> {
    let (_, record) = store.assemble_recorded(space, ask, &|file| file.loom = Some(Loom::default())).ok()?;
    let rest = record.split(|byte| *byte == b'\n').nth(1).expect("two lines");
    let rest: serde_json::Value = serde_json::from_slice(rest).expect("JSON");
    Some(serde_json::from_value(rest["loom"].clone()).map(|loom: Loom| loom.nodes).expect("a loom"))
}

fn hung<'f>(file: &'f Conversation, parent: Option<&'f NodeId>) -> impl Iterator<Item = &'f Node> {
    file.nodes.iter().filter(move |node| node.parent.as_ref() == parent && !node.pruned)
}

fn going_on(file: &Conversation, parent: Option<&NodeId>) -> u32 {
    hung(file, parent).filter(|node| node.edge == Edge::Continuation).count() as u32
}

fn remarks(file: &Conversation, parent: &NodeId) -> u32 {
    hung(file, Some(parent)).filter(|node| node.edge == Edge::Annotation && node.kind == Kind::Message).count() as u32
}
