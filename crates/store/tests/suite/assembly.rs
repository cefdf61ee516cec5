//! Reading a part of a space gives what reading the whole gives.

use crate::{dice, on_both, support};
use fastrand::Rng;
use weftwork::ask::{Ask, Counter, Form, Input, Layout, Settings, Share, Strategy, ToolPolicy};
use weftwork::dialect::Dialect;
use weftwork::model::{Conversation, EntityKind, Node, Part, Timestamp};
use weftwork::{History, assemble};
use weftwork_store::{Names, Store, StoreError};

/// Conversations on each database; WEFT_CASES for more.
pub(crate) fn cases(usual: u64) -> u64 {
    std::env::var("WEFT_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(usual)
}

on_both! {
    fn a_part_of_a_history_is_assembled_like_the_whole(store: &Fresh) {
        let usual = match store.engine() {
            weftwork_store::Engine::Sqlite => 400,
            weftwork_store::Engine::Postgres => 60,
        };
        for seed in 0..cases(usual) {
            let mut rng = Rng::with_seed(seed);
            let most = *rng.choice(&[3, 30, 400]).unwrap();
            let file = dice::conversation(&mut rng, &format!("space-{seed}"), most);
            store.import(&file, Names::Ours, NOW, &mut |_| {}).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            let history = History::new(file.clone()).unwrap();
            for ask in (0..6).map(|_| ask(&mut rng, &file)) {
                compare(store, &history, &ask, seed);
            }
        }
    }
}

on_both! {
    fn a_long_history_is_read_in_part(store: &Fresh) {
        let mut file = Conversation::new(weftwork::model::Space::new("long", "Long"));
        file.entities = vec![support::entity("husam", EntityKind::Human), support::entity("analyst", EntityKind::Agent)];
        for at in 0..5_000 {
            let parent = file.nodes.last().map(|node| node.id.clone());
            let author = if at % 2 == 0 { "husam" } else { "analyst" };
            file.nodes.push(Node::new(format!("n{at}"), parent, author).text(format!("message {at} of the long history")));
        }
        store.import(&file, Names::Ours, NOW, &mut |_| {}).unwrap();
        let settings = Settings { context_length: Some(1_000), max_tokens: Some(100), ..Settings::default() };
        let ask = Ask { settings, ..Ask::default() };
        let history = store.load(&"long".into(), &ask).unwrap();
        assert!(!history.is_whole() && history.nodes().len() < 200, "{} nodes were read", history.nodes().len());
        compare(store, &History::new(file).unwrap(), &ask, 0);
        assemble(&history, &ask).expect("the first reading is enough");
    }
}

on_both! {
    fn a_path_with_a_purged_node_is_assembled_under_every_counter(store: &Fresh) {
        let space = support::team(store);
        let ids: Vec<_> = (0..9).map(|at| support::say(store, &space, "husam", &format!("message {at}")).node.id).collect();
        for counter in [Counter::Auto, Counter::Chars4, Counter::Cl100k] {
            let settings = Settings { counter: Some(counter), context_length: Some(8_000), ..Settings::default() };
            let ask = Ask { settings, viewer: Some("analyst".into()), ..Ask::default() };
            store.assemble(&space, &ask).unwrap();
        }
        store.purge(&space, &ids[4], NOW).unwrap();
        for counter in [Counter::Auto, Counter::Chars4, Counter::Cl100k] {
            let settings = Settings { counter: Some(counter), context_length: Some(8_000), ..Settings::default() };
            let ask = Ask { settings, viewer: Some("analyst".into()), ..Ask::default() };
            let request = text(&store.assemble(&space, &ask).unwrap().request);
            assert!(request.contains("message 3") && !request.contains("message 4"), "{counter:?}");
        }
    }
}

fn compare(store: &Store, history: &History, ask: &Ask, seed: u64) {
    let space = &history.file().space.id;
    let whole = assemble(history, ask).map(|assembly| (text(&assembly.request), json(&assembly.report)));
    let part = store.assemble(space, ask).map(|assembly| (text(&assembly.request), json(&assembly.report)));
    match (whole, part) {
        (Ok((request, report)), Ok((from_part, report_from_part))) => {
            assert_eq!(request, from_part, "seed {seed}, request of {ask:#?}");
            assert_eq!(report, report_from_part, "seed {seed}, report of {ask:#?}");
        }
        (Err(whole), Err(StoreError::Assemble(part))) => assert_eq!(whole, part, "seed {seed}, {ask:#?}"),
        (whole, part) => panic!("seed {seed}: {whole:?} and {part:?} of {ask:#?}"),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(report: &weftwork::report::Report) -> String {
    serde_json::to_string_pretty(report).unwrap()
}

pub(crate) fn ask(rng: &mut Rng, file: &Conversation) -> Ask {
    let form = *rng.choice(&[Form::Dialogue, Form::Dialogue, Form::Dialogue, Form::Buffer, Form::Timeline]).unwrap();
    let strategies = [Strategy::TruncateMiddle, Strategy::TruncateMiddle, Strategy::RollingWindow, Strategy::DropOldest];
    let node = |rng: &mut Rng| file.nodes[rng.usize(..file.nodes.len())].id.clone();
    Ask {
        viewer: (form == Form::Timeline || rng.bool()).then(|| "analyst".into()),
        head: rng.bool().then(|| node(rng)),
        dialect: Some(*rng.choice(&[Dialect::OpenAi, Dialect::Anthropic, Dialect::Gemini, Dialect::Messages]).unwrap()),
        now: Some(Timestamp::from_millis(crate::support::NOW).unwrap()),
        input: match rng.u8(..4) {
            0 => Input::New(vec![Part::text("And now?")]),
            1 => Input::Node(node(rng)),
            _ => Input::None,
        },
        settings: Settings {
            form: Some(form),
            context_length: Some(*rng.choice(&[200, 700, 2_000, 8_000]).unwrap()),
            max_tokens: Some(64),
            truncation_strategy: if rng.u8(..10) == 0 { Some(Strategy::StickyWindow) } else { rng.choice(&strategies).copied() },
            low_water: (rng.u8(..10) == 0).then(|| Share::thousandths(600)),
            tool_policy: (rng.u8(..5) == 0).then(|| *rng.choice(&[ToolPolicy::Auto, ToolPolicy::AllOff]).unwrap()),
            window: (rng.u8(..5) == 0).then(|| rng.u32(1..30)),
            layout: rng.bool().then_some(Layout::CacheStable),
            annotations: rng.bool().then_some(true),
            errors: rng.bool().then_some(weftwork::ask::Errors::Note),
            counter: (rng.u8(..6) == 0).then_some(Counter::Chars4),
            ..Settings::default()
        },
        ..Ask::default()
    }
}
