//! Finding what was said: phrases, exclusions, filters, pages, and what must not be found.

use crate::on_both;
use crate::support::{ent, entity, node, said, say, team};
use weftwork::model::{Conversation, EntityKind, Json, Kind, Part, Space, SpaceId, Status, Timestamp};
use weftwork_store::{Access, Draft, Engine, Finish, Flag, MoveHead, Parent, Scope, Search, Store, StoreError};

/// The texts that are found, newest first.
fn texts(store: &Store, search: &Search) -> Vec<String> {
    store.search(search).unwrap().hits.into_iter().map(|hit| hit.snippet.text).collect()
}

fn in_one(store: &Store, space: &SpaceId, query: &str) -> Vec<String> {
    texts(store, &Search::new(query, Scope::one(space)))
}

/// Another space of the same people.
fn room(store: &Store, id: &str) -> SpaceId {
    let mut header = Conversation::new(Space::new(id, id));
    header.entities = vec![entity("husam", EntityKind::Human), entity("sarah", EntityKind::Human)];
    store.create_space(&header, crate::support::NOW).unwrap();
    header.space.id
}

/// Says something at a time.
fn say_at(store: &Store, space: &SpaceId, text: &str, at: i64) {
    let mut said = said("husam", text);
    said.created_at = Timestamp::from_millis(at);
    store.append(space, Draft::new(said)).unwrap();
}

on_both! {
    fn words_are_all_wanted_phrases_in_order_and_exclusions_absent(store: &Fresh) {
        let space = team(store);
        for text in ["the red cat", "the cat is red", "a red dog", "red"] {
            say(store, &space, "husam", text);
        }
        assert_eq!(in_one(store, &space, "red cat"), ["the cat is red", "the red cat"]);
        assert_eq!(in_one(store, &space, "\"red cat\""), ["the red cat"]);
        assert_eq!(in_one(store, &space, "red -cat"), ["red", "a red dog"]);
        assert_eq!(in_one(store, &space, "red -\"red cat\" -dog"), ["red", "the cat is red"]);
        assert!(in_one(store, &space, "red nowhere").is_empty());
        assert!(in_one(store, &space, "-red").is_empty());
    }

    fn no_text_is_a_wrong_query(store: &Fresh) {
        let space = team(store);
        say(store, &space, "husam", "near or and not words: a\"b");
        let hostile = [
            "", " ", "\"", "\"\"", "\"\"\"", "*", "**", "a*b*", "NEAR(", "NEAR(a b, 2)", "' OR 1 --", "words:", "words: near",
            "terms:x", "{a b}:c", "^near", "a AND", "OR", "NOT", "AND OR NOT", "(", ")", "((", "a+b", "\\", "'\\'", "!", "&", "|",
            "<->", ":*", "a:*", "'a':*", "%", "_", "\0", "a\0b", "\u{e000}1", "-", "--", "-*", "-\"", "-- -", "\u{202e}", "🧵",
            "\u{301}", "\u{fdfa}", "½", "a\nb", "--release", "$1", "?1", "/*pg x*/", "“", "«a",
        ];
        for query in hostile {
            for last in [weftwork_store::LastWord::Whole, weftwork_store::LastWord::Begun] {
                let search = Search { last, ..Search::new(query, Scope::one(&space)) };
                store.search(&search).unwrap_or_else(|error| panic!("{query:?}: {error}"));
            }
        }
        assert_eq!(in_one(store, &space, "NOT words").len(), 1);
        store.search(&Search::new("long ".repeat(100_000), Scope::one(&space))).unwrap();
        store.search(&Search::new("語".repeat(100_000), Scope::one(&space))).unwrap();
    }

    fn filters_by_author_time_kind_and_branch(store: &Fresh) {
        let space = team(store);
        let base = say(store, &space, "husam", "plan one").node;
        say(store, &space, "sarah", "plan two");
        say_at(store, &space, "plan three", NOW + 1_000);
        let fork = Draft { head: MoveHead::Nobody, ..Draft::new(said("sarah", "plan elsewhere")) }.on(base.id.clone());
        let fork = store.append(&space, fork).unwrap().node;
        let mut request = said("husam", "plan a title");
        request.kind = Kind::TitleRequest;
        store.append(&space, Draft::new(request)).unwrap();
        let all = Search::new("plan", Scope::one(&space));
        let of = |search: Search| texts(store, &search);
        assert_eq!(of(all.clone()), ["plan elsewhere", "plan three", "plan two", "plan one"]);
        let sarah = Search { author: Some(ent("sarah")), ..all.clone() };
        assert_eq!(of(sarah), ["plan elsewhere", "plan two"]);
        assert_eq!(of(Search { from: Some(NOW + 1), ..all.clone() }), ["plan three"]);
        assert_eq!(of(Search { to: Some(NOW + 1), ..all.clone() }), ["plan elsewhere", "plan two", "plan one"]);
        assert_eq!(of(Search { branch: Some(fork.id), ..all.clone() }), ["plan elsewhere", "plan one"]);
        assert_eq!(of(Search { kind: Some(Kind::TitleRequest), ..all.clone() }), ["plan a title"]);
        assert!(of(Search { branch: Some(node("nowhere")), ..all.clone() }).is_empty());
        let stranger = store.search(&Search { author: Some(ent("stranger")), ..all });
        assert!(matches!(stranger, Err(StoreError::NoEntity { .. })), "{stranger:?}");
    }

    fn only_spaces_that_may_be_seen_are_searched(store: &Fresh) {
        let (a, b, c) = (room(store, "a"), room(store, "b"), room(store, "c"));
        for (space, text) in [(&a, "secret a"), (&b, "secret b"), (&c, "secret c")] {
            for _ in 0..10 {
                say(store, space, "husam", text);
            }
        }
        let both = Scope::Spaces(vec![a.clone(), c.clone(), "gone".into()]);
        let found = store.search(&Search { limit: 100, ..Search::new("secret", both) }).unwrap();
        assert_eq!(found.hits.len(), 20);
        assert!(found.hits.iter().all(|hit| hit.space != b));
        assert!(texts(store, &Search::new("secret", Scope::Spaces(Vec::new()))).is_empty());
        assert_eq!(texts(store, &Search { limit: 100, ..Search::new("secret", Scope::All) }).len(), 30);
    }

    fn many_spaces_are_merged_by_time_and_pages_hold_each_hit_once(store: &Fresh) {
        let spaces: Vec<SpaceId> = (0..30).map(|at| room(store, &format!("room{at:02}"))).collect();
        for turn in 0..10 {
            for (at, space) in spaces.iter().enumerate() {
                // Every third space never says it.
                let word = if at % 3 == 0 { "other" } else { "common" };
                say_at(store, space, &format!("{word} {turn} {at}"), NOW + turn * 1_000 + at as i64);
            }
        }
        let mut search = Search { limit: 7, ..Search::new("common", Scope::All) };
        let mut seen = Vec::new();
        loop {
            let found = store.search(&search).unwrap();
            seen.extend(found.hits.into_iter().map(|hit| (hit.at.unwrap().millis(), hit.space, hit.node)));
            match found.next {
                Some(next) => search.after = Some(next.to_string().parse().unwrap()),
                None => break,
            }
        }
        assert_eq!(seen.len(), 200);
        assert!(seen.windows(2).all(|pair| pair[0].0 > pair[1].0), "newest first, each once");
    }

    fn tools_and_file_names_count_and_reasoning_does_not(store: &Fresh) {
        let space = team(store);
        let parts = vec![
            Part::text("looking"),
            Part::call("c1", "read_mail", Json::parse(r#"{"folder":"inbox","deep":{"who":["zoe"]}}"#).unwrap()),
            Part::result("c1", "nothing from quebec"),
        ];
        let mut reply = said("analyst", "");
        reply.parts = parts;
        let thought = r#"[{"type":"reasoning","text":"hidden"},{"type":"file","name":"budget.xlsx","mediaType":"x/y","url":"u"}]"#;
        reply.parts.extend(serde_json::from_str::<Vec<Part>>(thought).unwrap());
        store.append(&space, Draft::new(reply)).unwrap();
        for query in ["looking", "read_mail", "inbox zoe", "quebec", "budget.xlsx"] {
            assert_eq!(in_one(store, &space, query).len(), 1, "{query}");
        }
        for query in ["hidden", "folder"] {
            assert!(in_one(store, &space, query).is_empty(), "{query}");
        }
    }

    fn edits_are_found_beside_what_they_edit(store: &Fresh) {
        let space = team(store);
        let first = say(store, &space, "husam", "draft alpha").node;
        let mut edit = said("husam", "draft beta");
        edit.edited_from = Some(first.id);
        store.append(&space, Draft { parent: Parent::Root, head: MoveHead::Default, ..Draft::new(edit) }).unwrap();
        assert_eq!(in_one(store, &space, "draft"), ["draft beta", "draft alpha"]);
    }

    fn pruned_and_purged_nodes_are_not_found(store: &Fresh) {
        let space = team(store);
        let keep = say(store, &space, "husam", "word keep").node;
        let prune = say(store, &space, "husam", "word prune").node;
        let purge = say(store, &space, "husam", "word purgeme").node;
        assert_eq!(in_one(store, &space, "word").len(), 3);
        let late = say(store, &space, "husam", "word late").node;
        store.set_flag(&space, &prune.id, Flag::Pruned, true, NOW).unwrap();
        store.purge(&space, &purge.id, NOW).unwrap();
        store.purge(&space, &late.id, NOW).unwrap();
        assert_eq!(in_one(store, &space, "word"), ["word keep"]);
        assert!(in_one(store, &space, "purgeme").is_empty());
        store.set_flag(&space, &prune.id, Flag::Pruned, false, NOW).unwrap();
        assert_eq!(in_one(store, &space, "word"), ["word prune", "word keep"]);
        store.purge(&space, &keep.id, NOW).unwrap();
        assert_eq!(in_one(store, &space, "word"), ["word prune"]);
    }

    fn what_is_being_written_is_found_when_it_ends(store: &Fresh) {
        let space = team(store);
        let mut pending = said("analyst", "half");
        pending.status = Status::Pending;
        let pending = store.append(&space, Draft::new(pending)).unwrap().node;
        say(store, &space, "husam", "half of it");
        assert_eq!(in_one(store, &space, "half"), ["half of it"]);
        let parts = said("analyst", "half and whole").parts;
        store.finish(&space, &pending.id, Finish { parts, ..Finish::default() }).unwrap();
        assert_eq!(in_one(store, &space, "half"), ["half of it", "half and whole"]);
        assert_eq!(in_one(store, &space, "whole"), ["half and whole"]);
        store.purge(&space, &pending.id, NOW).unwrap();
        assert!(in_one(store, &space, "whole").is_empty());
    }

    fn the_index_catches_up_and_adding_does_not_touch_it(store: &Fresh) {
        let space = team(store);
        for at in 0..2_500 {
            say(store, &space, "husam", &format!("message {at}"));
        }
        assert_eq!(store.index(100).unwrap(), 100);
        assert_eq!(in_one(store, &space, "2499"), ["message 2499"]);
        assert_eq!(store.index(u64::MAX).unwrap(), 0);
        say(store, &space, "husam", "one more");
        assert_eq!(store.index(u64::MAX).unwrap(), 1);
        let pages = Search { limit: 3_000, ..Search::new("message", Scope::All) };
        assert_eq!(texts(store, &pages).len(), 2_500);
    }

    fn a_store_that_is_only_read_is_searched_whether_indexed_or_not(store: &Fresh) {
        let space = team(store);
        say(store, &space, "husam", "indexed words");
        store.index(u64::MAX).unwrap();
        for at in 0..100 {
            say(store, &space, "husam", &format!("fresh words {at}"));
        }
        let read = Store::open(&store.address, Access::Read, NOW).unwrap();
        assert_eq!(in_one(&read, &space, "indexed"), ["indexed words"]);
        assert_eq!(in_one(&read, &space, "fresh 7"), ["fresh words 7"]);
        let mut search = Search { limit: 10, ..Search::new("words", Scope::one(&space)) };
        let mut count = 0;
        loop {
            let found = read.search(&search).unwrap();
            count += found.hits.len();
            search.after = found.next;
            if search.after.is_none() {
                break;
            }
        }
        assert_eq!(count, 101);
        assert_eq!(store.index(u64::MAX).unwrap(), 100, "a reader indexes nothing");
    }

    fn purging_leaves_no_trace_in_the_index(store: &Fresh) {
        let space = team(store);
        say(store, &space, "husam", "other words");
        let secret = say(store, &space, "husam", "hunter2hunter2 words").node;
        store.index(u64::MAX).unwrap();
        store.purge(&space, &secret.id, NOW).unwrap();
        if let (Engine::Sqlite, weftwork_store::Address::File(path)) = (store.engine(), &store.address) {
            let conn = rusqlite::Connection::open(path).unwrap();
            let sql = "SELECT count(*) FROM words_data WHERE instr(block, CAST('hunter2' AS BLOB)) > 0";
            assert_eq!(conn.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
        }
        assert_eq!(in_one(store, &space, "words"), ["other words"]);
    }
}
