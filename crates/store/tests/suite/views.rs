//! Trees and lists as members read them.

use crate::dice;
use crate::on_both;
use crate::support::{ent, entity, node, said, say, team};
use fastrand::Rng;
use std::collections::{BTreeSet, HashMap};
use weftwork::model::{Conversation, Edge, EntityKind, Kind, Mode, Node, NodeId, Part, Space, SpaceId, Status, Wake};
use weftwork_store::{Draft, Flag, ListPlace, Names, Seq, Store, StoreError};

/// The path to a node, oldest first.
fn path<'f>(file: &'f Conversation, head: &NodeId) -> Vec<&'f Node> {
    let nodes: HashMap<&NodeId, &Node> = file.nodes.iter().map(|node| (&node.id, node)).collect();
    let mut path: Vec<&Node> =
        std::iter::successors(nodes.get(head).copied(), |node| node.parent.as_ref().map(|id| nodes[id])).collect();
    path.reverse();
    path
}

/// Which of its siblings a node is, and how many there are.
fn place(file: &Conversation, node: &Node) -> (u32, u32) {
    if node.edge == Edge::Annotation {
        return (1, 1);
    }
    let beside =
        |other: &&Node| other.parent == node.parent && other.edge == Edge::Continuation && (!other.pruned || other.id == node.id);
    let beside: Vec<&NodeId> = file.nodes.iter().filter(beside).map(|other| &other.id).collect();
    let at = beside.iter().position(|id| **id == node.id).expect("among its siblings");
    (at as u32 + 1, beside.len() as u32)
}

fn ids(store: &Store, space: &SpaceId, head: Option<&NodeId>, before: Option<&NodeId>, limit: u32) -> (Vec<NodeId>, bool) {
    let stretch = store.stretch(space, head, &ent("reader"), before, limit).unwrap().unwrap();
    (stretch.nodes.into_iter().map(|placed| placed.node.id).collect(), stretch.earlier)
}

on_both! {
    fn a_stretch_is_the_path_with_all_that_is_on_it(store: &Fresh) {
        store.put_entity(&entity("reader", EntityKind::Human)).unwrap();
        for seed in 0..20 {
            let file = dice::conversation(&mut Rng::with_seed(seed), &format!("tree-{seed}"), 60);
            let space = file.space.id.clone();
            store.import(&file, Names::Ours, NOW, &mut |_| {}).unwrap();
            store.join(&space, &ent("reader"), None).unwrap();
            for node in file.nodes.iter().skip(2).step_by(3) {
                store.set_flag(&space, &node.id, Flag::Pruned, true, NOW).unwrap();
            }
            let file = store.export(&space).unwrap();
            for head in file.nodes.iter().step_by(9) {
                let expected = path(&file, &head.id);
                let whole = store.stretch(&space, Some(&head.id), &ent("reader"), None, u32::MAX).unwrap().unwrap();
                let read: Vec<(Node, (u32, u32))> = whole.nodes.iter().map(|it| (it.node.clone(), (it.place, it.siblings))).collect();
                let counted: Vec<(Node, (u32, u32))> = expected.iter().map(|node| ((*node).clone(), place(&file, node))).collect();
                assert_eq!(read, counted, "{} of seed {seed}", head.id);
                let direct = file.nodes.iter()
                    .filter(|node| node.edge == Edge::Annotation && expected.iter().any(|on| node.parent.as_ref() == Some(&on.id)));
                let going_on = |node: &&Node| {
                    let on_path = expected.iter().any(|on| on.id == node.id);
                    let below = |on: &Node| file.nodes.iter().find(|node| node.edge != Edge::Annotation && node.parent.as_ref() == Some(&on.id));
                    let most = if on_path { 1 } else { 9 };
                    std::iter::successors(Some(*node), |on| below(on)).take(most).map(|node| node.id.clone()).collect::<Vec<_>>()
                };
                let remarks: BTreeSet<NodeId> = direct.flat_map(|node| going_on(&node)).collect();
                let told: BTreeSet<NodeId> = whole.remarks.iter().map(|(_, node)| node.id.clone()).collect();
                assert_eq!((&told, told.len()), (&remarks, whole.remarks.len()), "{} of seed {seed}", head.id);
                for (_, node) in &whole.remarks {
                    assert_eq!(node, file.nodes.iter().find(|one| one.id == node.id).unwrap());
                }
                assert!(!whole.earlier && whole.head.as_ref() == Some(&head.id));
                // The same in pieces.
                let (mut before, mut pieces) = (None, Vec::new());
                loop {
                    let (mut piece, earlier) = ids(store, &space, Some(&head.id), before.as_ref(), 7);
                    before = piece.first().cloned();
                    piece.extend(pieces);
                    pieces = piece;
                    if !earlier {
                        break;
                    }
                }
                assert_eq!(pieces, expected.iter().map(|node| node.id.clone()).collect::<Vec<_>>(), "{} of seed {seed}", head.id);
            }
        }
    }

    fn a_stretch_follows_the_viewer_s_own_head_and_says_from_when_it_is(store: &Fresh) {
        let space = team(store);
        let empty = store.stretch(&space, None, &ent("sarah"), None, 9).unwrap().unwrap();
        assert_eq!((empty.nodes.len(), empty.head, empty.earlier), (0, None, false));
        let one = say(store, &space, "husam", "one").node.id;
        let two = say(store, &space, "husam", "two").node.id;
        let failed = store.append(&space, Draft::new(Node { status: Status::Error, ..said("analyst", "half") })).unwrap().node.id;
        let title = Node { kind: Kind::Title, edge: Edge::Annotation, ..said("analyst", "Lighthouses") };
        let title = store.append(&space, Draft::new(title).on(two.clone())).unwrap();
        store.move_head(&space, Some(&ent("sarah")), &two, None).unwrap();
        store.read_up_to(&space, &ent("sarah"), &one).unwrap();
        let of = |who: &str| {
            let stretch = store.stretch(&space, None, &ent(who), None, 9).unwrap().unwrap();
            assert_eq!(Some(stretch.upto), store.moment(&space).unwrap());
            assert_eq!(stretch.remarks.iter().map(|(seq, node)| (*seq, &node.id)).collect::<Vec<_>>(), [(title.seq, &title.node.id)]);
            (stretch.nodes.into_iter().map(|placed| placed.node.id).collect::<Vec<_>>(), stretch.cursor)
        };
        assert_eq!(of("sarah"), (vec![one.clone(), two.clone()], Seq(1)));
        assert_eq!(of("husam"), (vec![one, two, failed], Seq(0)));
        store.depart(&space, &ent("sarah"), NOW).unwrap();
        assert_eq!(store.stretch(&space, None, &ent("sarah"), None, 9).unwrap(), None);
        assert_eq!(store.outline(&space, &ent("sarah"), Seq(0), 9).unwrap(), None);
        assert_eq!(store.stretch(&"nowhere".into(), None, &ent("husam"), None, 9).unwrap(), None);
        let missing = [store.stretch(&space, Some(&node("x")), &ent("husam"), None, 9), store.stretch(&space, None, &ent("husam"), Some(&node("x")), 9)];
        assert!(missing.iter().all(|missing| matches!(missing, Err(StoreError::NoNode { .. }))), "{missing:?}");
    }

    fn an_outline_is_the_tree_at_a_glance(store: &Fresh) {
        store.put_entity(&entity("reader", EntityKind::Human)).unwrap();
        for seed in 0..10 {
            let file = dice::conversation(&mut Rng::with_seed(seed), &format!("tree-{seed}"), 60);
            let space = file.space.id.clone();
            store.import(&file, Names::Ours, NOW, &mut |_| {}).unwrap();
            store.join(&space, &ent("reader"), None).unwrap();
            let mut seen = Vec::new();
            while let Some(piece) = store.outline(&space, &ent("reader"), seen.last().map_or(Seq(0), |(seq, _)| *seq), 25).unwrap().filter(|it| !it.is_empty()) {
                seen.extend(piece.into_iter().map(|it| (it.seq, it)));
            }
            let nodes = store.after(&space, Seq(0), u32::MAX).unwrap();
            assert_eq!(seen.len(), nodes.len());
            for ((seq, it), (expected, node)) in seen.iter().zip(&nodes) {
                let text: String = crate::support::text(node).chars().take(80).collect();
                assert_eq!((seq, &it.id, &it.parent, &it.author, &it.text), (expected, &node.id, &node.parent, &node.author, &text));
                assert_eq!((it.kind, it.status, it.edge, it.purged), (node.kind, node.status, node.edge, node.purged));
                let flags = [(Flag::Excluded, node.excluded), (Flag::Pruned, node.pruned), (Flag::Pinned, node.pinned),
                    (Flag::Bookmarked, node.bookmarked), (Flag::ContextEdge, node.context_edge)];
                assert_eq!(it.flags, flags.into_iter().filter(|(_, on)| *on).map(|(flag, _)| flag).collect::<Vec<_>>());
            }
        }
    }

    fn spaces_are_listed_for_their_members_newest_first(store: &Fresh) {
        team(store);
        for at in 0..7_i64 {
            let mut header = Conversation::new(Space { confidential: at == 2, ..Space::new(format!("s{at}"), format!("S{at}")) });
            (header.space.wake, header.space.mode) = if at == 3 { (Wake::Mentioned, Mode::Buffer) } else { Default::default() };
            header.entities = vec![entity("husam", EntityKind::Human), entity("sarah", EntityKind::Human)];
            store.create_space(&header, NOW - 1000).unwrap();
            let at_time = |offset: i64, text: &str| Node { created_at: weftwork::model::Timestamp::from_millis(NOW + offset), ..said("husam", text) };
            let first = store.append(&header.space.id, Draft::new(at_time(10 * (at % 3), "first"))).unwrap().node.id;
            store.append(&header.space.id, Draft::new(at_time(10 * (at % 3) + 1, &"long ".repeat(40)))).unwrap();
            store.read_up_to(&header.space.id, &ent("sarah"), &first).unwrap();
        }
        let last = Node { parts: vec![Part::text("found "), Part::text("it")], ..said("husam", "") };
        store.append(&"s5".into(), Draft { parent: weftwork_store::Parent::Head, ..Draft::new(Node { created_at: weftwork::model::Timestamp::from_millis(NOW + 50), ..last }) }).unwrap();
        let gone = store.append(&"s5".into(), Draft::new(Node { created_at: weftwork::model::Timestamp::from_millis(NOW + 60), ..said("husam", "x") })).unwrap();
        store.delete_message(&"s5".into(), &gone.node.id, NOW).unwrap();
        store.depart(&"s1".into(), &ent("sarah"), NOW).unwrap();
        let (all, next) = store.listed_for(&ent("sarah"), None, 100).unwrap();
        assert_eq!(all.iter().map(|it| it.listed.id.as_str()).collect::<Vec<_>>(), ["s5", "s2", "s4", "s6", "s3", "s0", "team"]);
        assert_eq!(next, None);
        let first = &all[0];
        assert_eq!((first.listed.nodes, first.listed.members, first.listed.last, first.unread), (4, 2, NOW + 60, 2));
        let said = |at: usize| all[at].last_message.as_ref().map(|last| (last.author.as_str(), last.text.as_str()));
        assert_eq!((said(0), said(1).unwrap().1.chars().count(), said(6)), (Some(("husam", "found it")), 120, None));
        assert_eq!(all.iter().map(|it| it.confidential).collect::<Vec<_>>(), [false, true, false, false, false, false, false]);
        assert_eq!((all[4].wake, all[4].mode, all[3].wake, all[3].mode), (Wake::Mentioned, Mode::Buffer, Wake::All, Mode::Dialogue));
        for it in &all {
            assert_eq!(it.unread, store.unread(&it.listed.id, &ent("sarah")).unwrap(), "{}", it.listed.id);
        }
        let (mut place, mut pieces) = (None, Vec::new());
        loop {
            let (piece, next) = store.listed_for(&ent("sarah"), place, 2).unwrap();
            pieces.extend(piece);
            match next {
                Some(next) => place = Some(next.to_string().parse::<ListPlace>().unwrap()),
                None => break,
            }
        }
        assert_eq!(pieces, all);
        assert!("x".parse::<ListPlace>().is_err());
    }
}
