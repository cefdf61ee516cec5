//! Adding nodes: order, parents, keys, heads, flags.

use crate::on_both;
use crate::support::{ent, node, said, say, team};
use weftwork::model::Status;
use weftwork_store::{Draft, Finish, Flag, MoveHead, Parent, Seq, StoreError};

on_both! {
    fn messages_get_consecutive_numbers_and_continue_the_head(store: &Fresh) {
        let space = team(store);
        let first = say(store, &space, "husam", "one");
        let second = say(store, &space, "analyst", "two");
        assert_eq!((first.seq, second.seq), (Seq(1), Seq(2)));
        assert_eq!(first.node.parent, None);
        assert_eq!(second.node.parent.as_ref(), Some(&first.node.id));
        assert_eq!(store.head(&space, None).unwrap(), Some(second.node.id));
    }

    fn the_same_key_is_done_once(store: &Fresh) {
        let space = team(store);
        let draft = Draft::new(said("husam", "hello")).key("k1");
        let first = store.append(&space, draft.clone()).unwrap();
        let again = store.append(&space, draft).unwrap();
        assert!(!first.repeated && again.repeated);
        assert_eq!((first.node.id, first.seq), (again.node.id, again.seq));
    }

    fn the_same_key_with_another_body_is_refused(store: &Fresh) {
        let space = team(store);
        store.append(&space, Draft::new(said("husam", "hello")).key("k1")).unwrap();
        let other = store.append(&space, Draft::new(said("husam", "other")).key("k1"));
        assert!(matches!(other, Err(StoreError::KeyReused { .. })), "{other:?}");
        // Keys are each sender's own.
        store.append(&space, Draft::new(said("sarah", "other")).key("k1")).unwrap();
    }

    fn an_edit_is_a_sibling_and_the_head_may_follow_it(store: &Fresh) {
        let space = team(store);
        let question = say(store, &space, "husam", "question");
        let answer = say(store, &space, "analyst", "answer");
        let mut edit = said("husam", "better question");
        edit.edited_from = Some(question.node.id.clone());
        let draft = Draft { parent: Parent::Root, head: MoveHead::Default, ..Draft::new(edit) };
        let edit = store.append(&space, draft).unwrap();
        assert_eq!(store.head(&space, None).unwrap(), Some(edit.node.id.clone()));
        let siblings: Vec<_> = store.siblings(&space, &question.node.id).unwrap().into_iter().map(|node| node.id).collect();
        assert_eq!(siblings, [question.node.id.clone(), edit.node.id.clone()]);
        assert_eq!(store.children(&space, Some(&question.node.id)).unwrap()[0].id, answer.node.id);
        store.move_head(&space, None, &answer.node.id, Some(&edit.node.id)).unwrap();
        let late = store.move_head(&space, None, &edit.node.id, Some(&edit.node.id));
        assert!(matches!(late, Err(StoreError::HeadMoved { .. })), "{late:?}");
    }

    fn a_viewer_who_moved_their_head_leaves_the_others_alone(store: &Fresh) {
        let space = team(store);
        let first = say(store, &space, "husam", "one");
        let second = say(store, &space, "husam", "two");
        store.move_head(&space, Some(&ent("sarah")), &first.node.id, None).unwrap();
        let draft = Draft { parent: Parent::HeadOf(ent("sarah")), ..Draft::new(said("sarah", "elsewhere")) };
        let own = store.append(&space, draft).unwrap();
        assert_eq!(own.node.parent.as_ref(), Some(&first.node.id));
        assert_eq!(store.head(&space, Some(&ent("sarah"))).unwrap(), Some(own.node.id));
        assert_eq!(store.head(&space, None).unwrap(), Some(second.node.id.clone()));
        assert_eq!(store.head(&space, Some(&ent("husam"))).unwrap(), Some(second.node.id));
    }

    fn a_reply_that_is_being_written_ends_once(store: &Fresh) {
        let space = team(store);
        say(store, &space, "husam", "question");
        let mut pending = said("analyst", "");
        (pending.status, pending.parts) = (Status::Pending, Vec::new());
        let pending = store.append(&space, Draft::new(pending)).unwrap();
        assert_eq!(pending.node.hash, None);
        let meanwhile = say(store, &space, "husam", "are you there?");
        let parts = said("analyst", "yes").parts;
        let node = store.finish(&space, &pending.node.id, Finish { parts, ..Finish::default() }).unwrap();
        assert_eq!(node.status, Status::Sent);
        assert!(node.hash.is_some() && meanwhile.node.hash.is_some());
        let again = store.finish(&space, &pending.node.id, Finish::default());
        assert!(matches!(again, Err(StoreError::Final { .. })), "{again:?}");
    }

    fn flags_change_and_content_does_not(store: &Fresh) {
        let space = team(store);
        let one = say(store, &space, "husam", "one").node;
        for flag in [Flag::Excluded, Flag::Pruned, Flag::Pinned, Flag::Bookmarked, Flag::ContextEdge] {
            store.set_flag(&space, &one.id, flag, true, NOW).unwrap();
        }
        let flagged = store.node(&space, &one.id).unwrap();
        assert!(flagged.excluded && flagged.pruned && flagged.pinned && flagged.bookmarked && flagged.context_edge);
        assert_eq!((flagged.hash, flagged.parts), (one.hash, one.parts));
        assert!(!store.set_flag(&space, &one.id, Flag::Pinned, false, NOW).unwrap().pinned);
    }

    fn a_cursor_only_moves_forward_and_unread_is_derived(store: &Fresh) {
        let space = team(store);
        let ids: Vec<_> = ["a", "b", "c"].into_iter().map(|text| say(store, &space, "husam", text).node.id).collect();
        say(store, &space, "sarah", "own words are read");
        assert_eq!(store.unread(&space, &ent("sarah")).unwrap(), 3);
        assert_eq!(store.read_up_to(&space, &ent("sarah"), &ids[1]).unwrap(), Seq(2));
        assert_eq!(store.read_up_to(&space, &ent("sarah"), &ids[0]).unwrap(), Seq(2));
        assert_eq!(store.unread(&space, &ent("sarah")).unwrap(), 1);
        store.set_flag(&space, &ids[2], Flag::Pruned, true, NOW).unwrap();
        assert_eq!(store.unread(&space, &ent("sarah")).unwrap(), 0);
    }

    fn purging_takes_the_content_and_leaves_the_place(store: &Fresh) {
        let space = team(store);
        let secret = say(store, &space, "husam", "secret").node;
        let after = say(store, &space, "husam", "after").node;
        store.purge(&space, &secret.id, NOW).unwrap();
        let gone = store.node(&space, &secret.id).unwrap();
        assert!(gone.parts.is_empty() && gone.pruned);
        assert_eq!(gone.hash, secret.hash);
        assert_eq!(store.node(&space, &after.id).unwrap(), after);
    }

    fn a_retry_is_known_whatever_became_of_the_node(store: &Fresh) {
        let space = team(store);
        let draft = |text: &str| Draft::new(said("husam", text)).key("k1");
        let first = store.append(&space, draft("hello")).unwrap();
        let again = || store.append(&space, draft("hello")).map(|again| (again.node.id, again.seq, again.repeated));
        for flag in [Flag::Excluded, Flag::Pruned, Flag::Pinned, Flag::Bookmarked, Flag::ContextEdge] {
            store.set_flag(&space, &first.node.id, flag, true, NOW).unwrap();
            assert_eq!(again().unwrap(), (first.node.id.clone(), first.seq, true), "{flag:?}");
        }
        store.purge(&space, &first.node.id, NOW).unwrap();
        assert_eq!(again().unwrap(), (first.node.id.clone(), first.seq, true), "purged");
        let other = store.append(&space, draft("other"));
        assert!(matches!(other, Err(StoreError::KeyReused { .. })), "{other:?}");
    }

    fn what_is_not_there_is_said_by_name(store: &Fresh) {
        let space = team(store);
        let missing = store.append(&space, Draft::new(said("husam", "x")).on(node("nowhere")));
        assert!(matches!(missing, Err(StoreError::NoNode { .. })), "{missing:?}");
        let stranger = store.append(&space, Draft::new(said("stranger", "x")));
        assert!(matches!(stranger, Err(StoreError::NoEntity { .. })), "{stranger:?}");
        let nowhere = store.append(&"nowhere".into(), Draft::new(said("husam", "x")));
        assert!(matches!(nowhere, Err(StoreError::NoSpace { .. })), "{nowhere:?}");
        assert_eq!(store.head(&space, None).unwrap(), None);
    }

    fn every_character_comes_back(store: &Fresh) {
        let space = team(store);
        for text in ["", "\0", "a\0b", "\u{1F9F5}", "line\r\nline\t", "\u{202E}forged", "'\"\\ %s ?1 $1"] {
            let said = say(store, &space, "husam", text).node;
            assert_eq!(store.node(&space, &said.id).unwrap(), said, "{text:?}");
        }
    }
}
