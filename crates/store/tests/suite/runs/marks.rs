//! Goals, memories and the outbox.

use super::support::*;
use crate::on_both;
use crate::support::ent;
use weftwork::model::{Goal, Memory};

on_both! {
    fn goals_and_memories_come_back_as_they_were_set(store: &Fresh) {
        crew(store, "s", &["a", "b"]);
        let goals = [
            Goal { text: "z first".into(), priority: Some(2), long_term: true },
            Goal { text: "a second".into(), priority: None, long_term: false },
        ];
        let memories = [Memory { topic: "husam".into(), text: "likes tea".into() }];
        store.set_goals(&ent("a"), &goals).unwrap();
        store.set_memories(&ent("a"), &memories).unwrap();
        assert_eq!(store.goals(&ent("a")).unwrap(), goals);
        assert_eq!(store.memories(&ent("a")).unwrap(), memories);
        assert_eq!(store.goals(&ent("b")).unwrap(), []);
        store.set_goals(&ent("a"), &goals[1..]).unwrap();
        assert_eq!(store.goals(&ent("a")).unwrap(), goals[1..]);
    }

    fn a_push_is_repeated_under_the_same_key_until_it_is_marked(store: &Fresh) {
        store.push("webhook", "run:1", "{}", NOW).unwrap();
        store.push("webhook", "run:1", "{}", NOW).unwrap();
        let first = store.take_pushes(9, 1_000, NOW).unwrap();
        assert_eq!((first.len(), first[0].key.as_str()), (1, "run:1"));
        assert_eq!(store.take_pushes(9, 1_000, NOW + 999).unwrap(), []);
        // Whoever took it first crashed after the POST and before the mark.
        let second = store.take_pushes(9, 1_000, NOW + 1_000).unwrap();
        assert_eq!((second[0].key.as_str(), second[0].claims), ("run:1", 2));
        assert!(store.pushed(&first[0], NOW).unwrap().is_lost());
        held(store.not_pushed(&second[0], NOW + 5_000).unwrap());
        let third = store.take_pushes(9, 1_000, NOW + 5_000).unwrap();
        held(store.pushed(&third[0], NOW).unwrap());
        assert_eq!(store.take_pushes(9, 1_000, i64::MAX).unwrap(), []);
    }
}
