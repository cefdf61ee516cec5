//! What holds for every history, however hostile.

#[path = "../assembly/scene.rs"]
mod scene;

mod dice;
mod fitting;
mod recount;
mod telling;
mod wire;

use dice::Dice;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};
use weftwork::ask::Ask;
use weftwork::model::Conversation;
use weftwork::{AssembleError, Assembly, History, assemble};

/// How often each property is tried, unless `PROPTEST_CASES` says otherwise.
const CASES: u32 = 10_000;

/// A history and an ask.
pub(crate) struct Case {
    pub(crate) file: Conversation,
    pub(crate) ask: Ask,
}

impl Case {
    pub(crate) fn history(&self) -> History {
        History::new(self.file.clone()).expect("the file holds together")
    }

    pub(crate) fn run(&self) -> Result<Assembly, AssembleError> {
        assemble(&self.history(), &self.ask)
    }
}

/// Throws the dice ten thousand times. `check` says what is wrong.
pub(crate) fn for_all(check: impl Fn(&mut Case, &mut Dice<'_>) -> Result<(), String>) {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(CASES);
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() };
    let outcome = TestRunner::new_with_rng(config, deterministic()).run(&bytes(), |bytes| {
        let backwards: Vec<u8> = bytes.iter().rev().copied().collect();
        let mut dice = Dice::new(&backwards);
        let ask_bytes: Vec<u8> = bytes.iter().take(40).copied().collect();
        let mut own = Dice::new(bytes.get(40..).unwrap_or(&[]));
        let file = dice::conversation(&mut own);
        let ask = dice::ask(&mut Dice::new(&ask_bytes), &file);
        let mut case = Case { file, ask };
        check(&mut case, &mut dice).map_err(|wrong| TestCaseError::fail(format!("{wrong}\n{}", shown(&case))))
    });
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(wrong, _)) => panic!("{wrong}"),
        Err(TestError::Abort(why)) => panic!("{why}"),
    }
}

fn deterministic() -> proptest::test_runner::TestRng {
    proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha)
}

fn bytes() -> impl proptest::strategy::Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 40..400)
}

fn shown(case: &Case) -> String {
    let nodes: Vec<_> = case.file.nodes.iter().map(|node| serde_json::to_string(node).expect("JSON")).collect();
    let Ask { head, viewer, input, model, dialect, settings, .. } = &case.ask;
    let model = model.as_ref().map(|model| &model.name);
    let settings = serde_json::to_string(settings).expect("JSON");
    format!(
        "{}\nhead {head:?} viewer {viewer:?} input {input:?} model {model:?} dialect {dialect:?}\n{settings}",
        nodes.join("\n")
    )
}
