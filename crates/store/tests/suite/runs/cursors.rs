//! Cursors of agents: moved when a run completes, to what it has read, never back.

use super::support::*;
use crate::on_both;
use crate::support::ent;
use weftwork_store::runs::{Done, Guard};
use weftwork_store::{Seq, Store};

/// A step that has read so far.
fn read(store: &Store, guard: &Guard, step: u32, reads: &[(&weftwork::model::SpaceId, i64)]) {
    let now = crate::support::NOW;
    held(store.step_intent(guard, &tool(step), &caps(), now).unwrap());
    let reads = reads.iter().map(|(space, seq)| ((*space).clone(), Seq(*seq))).collect();
    held(store.step_done(guard, step, &Done { reads, ..done(0) }, now).unwrap());
}

on_both! {
    fn completing_moves_the_cursor_to_what_was_in_the_context(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        read(store, &guard, 1, &[(&space, 1)]);
        post(store, &space, "while it ran", NOW);
        assert_eq!(store.unread(&space, &ent("a")).unwrap(), 2);
        held(store.complete(&guard, NOW).unwrap());
        assert_eq!(store.unread(&space, &ent("a")).unwrap(), 1);
        sound(store, NOW);
    }

    fn a_cursor_never_moves_back(store: &Fresh) {
        let (space, other) = (crew(store, "s", &["a"]), crew(store, "t", &["a"]));
        let first = woken(store, &space, "a", NOW);
        let second = woken(store, &other, "a", NOW);
        (0..3).for_each(|_| drop(post(store, &space, "more", NOW)));
        read(store, &second, 1, &[(&space, 4), (&other, 1)]);
        held(store.complete(&second, NOW).unwrap());
        assert_eq!(store.unread(&space, &ent("a")).unwrap(), 0);
        read(store, &first, 1, &[(&space, 2)]);
        read(store, &first, 2, &[(&space, 1)]);
        held(store.complete(&first, NOW).unwrap());
        assert_eq!(store.unread(&space, &ent("a")).unwrap(), 0);
        sound(store, NOW);
    }

    fn failing_and_stopping_move_no_cursor(store: &Fresh) {
        let space = crew(store, "s", &["a"]);
        let guard = woken(store, &space, "a", NOW);
        read(store, &guard, 1, &[(&space, 1)]);
        held(store.fail(&guard, "no", NOW).unwrap());
        let guard = woken(store, &space, "a", NOW);
        read(store, &guard, 1, &[(&space, 2)]);
        store.cancel(&guard.run, NOW).unwrap();
        held(store.complete(&guard, NOW).unwrap());
        assert_eq!(store.unread(&space, &ent("a")).unwrap(), 2);
        sound(store, NOW);
    }

    fn a_run_has_had_to_do_with_what_it_read_and_where_it_spoke(store: &Fresh) {
        let spaces = ["s", "t", "u", "v"].map(|name| crew(store, name, &["a"]));
        let guard = woken(store, &spaces[0], "a", NOW);
        assert_eq!(store.run_spaces(&guard.run).unwrap(), spaces[..1]);
        read(store, &guard, 1, &[(&spaces[1], 0)]);
        sent(store, &guard, &question(&spaces[2], 2, weftwork_store::runs::Accept::Any), NOW);
        assert_eq!(store.run_spaces(&guard.run).unwrap(), spaces[..3]);
    }
}
