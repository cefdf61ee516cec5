//! Search in every script.

use crate::on_both;
use crate::support::{say, team};
use weftwork::model::SpaceId;
use weftwork_store::{LastWord, Scope, Search, Store};

/// Where a query finds something, in the marked words of the original text.
fn marks(store: &Store, space: &SpaceId, query: &str, last: LastWord) -> Vec<String> {
    let search = Search { last, ..Search::new(query, Scope::one(space)) };
    let found = store.search(&search).unwrap();
    let marked =
        |hit: &weftwork_store::Hit| hit.snippet.marks.iter().map(|mark| hit.snippet.text[mark.clone()].to_owned()).collect();
    found.hits.iter().map(marked).map(|marks: Vec<String>| marks.join("|")).collect()
}

/// A text, a query, and the marks it leaves; none if it is not found.
const CASES: &[(&str, &str, Option<&str>)] = &[
    ("Das Café in der Straße", "cafe STRASSE", Some("Café|Straße")),
    ("Nguyễn Văn A", "nguyen van", Some("Nguyễn|Văn")),
    ("e\u{301}te\u{301} decomposed", "été", Some("e\u{301}te\u{301}")),
    ("L'homme a dit l’eau", "homme eau", Some("homme|eau")),
    ("Ο Ὀδυσσεύς γύρισε", "οδυσσευς", Some("Ὀδυσσεύς")),
    ("Ёлка стоит в лесу", "ЕЛКА", Some("Ёлка")),
    ("قَرَأْتُ كِتَابًا جديدًا", "كتابا", Some("كِتَابًا")),
    ("שָׁלוֹם לכולם", "שלום", Some("שָׁלוֹם")),
    ("मुझे हिन्दी पसंद है", "हिन्दी", Some("हिन्दी")),
    ("मुझे हिन्दी पसंद है", "हन्द", None),
    ("我昨天在北京大学看书", "北京大学", Some("北京大学")),
    ("我昨天在北京大学看书", "书", Some("书")),
    ("我昨天在北京大学看书", "我", Some("我")),
    ("我昨天在北京大学看书", "京北", None),
    ("我昨天在北京大学看书", "北学", None),
    ("東京でRustを学ぶ", "rust 東京", Some("東京|Rust")),
    ("カタカナのテスト", "ｶﾀｶﾅ", Some("カタカナ")),
    ("がぎぐ", "か", None),
    ("저는 한국어를 공부합니다", "한국어", Some("한국어")),
    ("\u{1112}\u{1161}\u{11ab}국", "한국", Some("\u{1112}\u{1161}\u{11ab}국")),
    ("วันนี้อากาศดีมาก", "อากาศ", Some("อากาศ")),
    ("ខ្ញុំរៀនភាសាខ្មែរ", "ភាសា", Some("ភាសា")),
    ("party 🎉🎉 time", "🎉", Some("🎉|🎉")),
    ("thumbs 👍🏽 up", "👍", Some("👍🏽")),
    ("flag 🇩🇪 here", "🇩🇪", Some("🇩🇪")),
    ("flag 🇩🇪 here", "🇪🇩", None),
    ("call parseHttpHeader() now", "header", Some("parseHttpHeader")),
    ("call parse_http_header() now", "parse_http", Some("parse_http")),
    ("version 1.96.0 is out", "1.96.0", Some("1.96.0")),
    ("ﬁne ＦＵＬＬ", "fine full", Some("ﬁne|ＦＵＬＬ")),
];

on_both! {
    fn a_text_is_found_in_every_script_and_marked_as_it_was_written(store: &Fresh) {
        let space = team(store);
        for (at, (text, query, expected)) in CASES.iter().enumerate() {
            // Under a word of its own, so that a case sees its own text only.
            let own = format!("own{at}");
            say(store, &space, "husam", &format!("{text} {own}"));
            let found = marks(store, &space, &format!("{query} {own}"), LastWord::Whole);
            let expected: Vec<String> = expected.iter().map(|marks| format!("{marks}|{own}")).collect();
            assert_eq!(found, expected, "{query}");
        }
    }

    fn the_beginning_of_a_word_finds_it(store: &Fresh) {
        let space = team(store);
        say(store, &space, "husam", "Überraschung im Garten");
        assert_eq!(marks(store, &space, "uberr*", LastWord::Whole), ["Überraschung"]);
        assert_eq!(marks(store, &space, "garten uberr", LastWord::Begun), ["Überraschung|Garten"]);
        assert!(marks(store, &space, "uberr", LastWord::Whole).is_empty());
        assert!(marks(store, &space, "uberr garten", LastWord::Whole).is_empty());
        assert!(marks(store, &space, "uberr ", LastWord::Begun).is_empty());
    }

    fn very_long_words_are_found_by_all_of_them(store: &Fresh) {
        let space = team(store);
        let long = "x".repeat(300);
        say(store, &space, "husam", &format!("a {long}y"));
        say(store, &space, "husam", &format!("a {long}z"));
        assert_eq!(marks(store, &space, &format!("{long}y"), LastWord::Whole).len(), 1);
        assert_eq!(marks(store, &space, &format!("{long}*"), LastWord::Whole).len(), 2);
        assert_eq!(marks(store, &space, &format!("a -{long}y"), LastWord::Whole).len(), 1);
    }
}
