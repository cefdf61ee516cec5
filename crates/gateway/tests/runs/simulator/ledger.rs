//! What the simulator knows by itself, beside what the store says: what was closed stays closed, what was said was said
//! once, who has read so far has read so far.

use super::stage::Stage;
use serde_json::Value;
use std::collections::HashMap;
use weftwork::model::{Node, NodeId, Part, RunStatus, SpaceId};
use weftwork_store::Seq;
use weftwork_store::runs::{Run, RunId, RunQuery, RunState, StepKind, StepStatus, WaitState};

#[derive(Default)]
pub(crate) struct Ledger {
    cursors: HashMap<(SpaceId, &'static str), i64>,
    ended: HashMap<RunId, (RunState, Option<i64>)>,
    closed: HashMap<(RunId, u32), WaitState>,
    /// Waits that ended, and how often the runs behind them went on.
    pub(crate) waits: usize,
}

impl Ledger {
    /// Looks at everything and compares it with what was seen before.
    pub(crate) fn look(&mut self, stage: &Stage, spaces: &[SpaceId], everyone: &[&'static str]) {
        assert_eq!(stage.store().check_invariants(stage.now()).expect("a check"), [], "what must always be true");
        for space in spaces {
            for who in everyone {
                let Some(cursor) = stage.cursor(space, who) else { continue };
                let before = self.cursors.insert((space.clone(), who), cursor).unwrap_or(0);
                assert!(before <= cursor, "the cursor of {who} in {space} went back from {before} to {cursor}");
            }
        }
        let runs = stage.store().runs(&RunQuery::default()).expect("runs");
        let mut of_root: HashMap<&str, i64> = HashMap::new();
        for run in &runs {
            *of_root.entry(run.root.as_str()).or_default() += 1;
            self.look_at(stage, run);
        }
        let most = stage.caps.root_runs;
        assert!(of_root.values().all(|count| *count <= most), "more than {most} runs of one root: {of_root:?}");
    }

    fn look_at(&mut self, stage: &Stage, run: &Run) {
        if let Some(before) = self.ended.get(&run.id) {
            assert_eq!((run.state, run.ended_at), *before, "run {} went on after its end", run.id);
            return;
        }
        for wait in stage.store().waits(&run.id).expect("waits") {
            let before = self.closed.get(&(run.id.clone(), wait.step));
            assert!(
                before.is_none_or(|before| *before == wait.state),
                "the wait of {} ended twice: {before:?}, {wait:?}",
                run.id
            );
            if wait.state != WaitState::Open && before.is_none() {
                self.closed.insert((run.id.clone(), wait.step), wait.state);
                self.waits += 1;
            }
        }
        if run.state.is_over() {
            self.ended.insert(run.id.clone(), (run.state, run.ended_at));
        }
    }

    /// Every call of every run said what it said once, and nobody else said anything for an agent.
    pub(crate) fn said_once(&self, stage: &Stage, spaces: &[SpaceId]) -> usize {
        let mut texts: HashMap<NodeId, String> = HashMap::new();
        for space in spaces {
            let nodes = stage.store().after(space, Seq(0), 1_000_000).expect("nodes");
            texts.extend(nodes.iter().filter(|(_, node)| is_agents(node)).map(|(_, node)| (node.id.clone(), text(node))));
        }
        let all = texts.len();
        for run in stage.store().runs(&RunQuery::default()).expect("runs") {
            let steps = stage.store().steps(&run.id).expect("steps");
            let mut asked: HashMap<String, usize> = HashMap::new();
            let thoughts = steps.iter().filter(|step| step.kind == StepKind::Model && step.status == StepStatus::Done);
            for thought in thoughts {
                for text in sends(thought.result.as_deref().unwrap_or_default()) {
                    *asked.entry(text).or_default() += 1;
                }
            }
            for message in steps.iter().filter_map(|step| step.message.as_ref()) {
                let text = texts.remove(message).unwrap_or_else(|| panic!("{message} of run {} is not there once", run.id));
                let left = asked.get_mut(&text).filter(|left| **left > 0);
                *left.unwrap_or_else(|| panic!("run {} said {text:?} more often than its model did", run.id)) -= 1;
            }
        }
        assert!(texts.is_empty(), "nobody's messages: {texts:?}");
        all
    }

    /// Nothing is due, at work or waits.
    pub(crate) fn at_rest(&self, stage: &Stage) {
        for status in [RunStatus::Queued, RunStatus::Running, RunStatus::WaitingReply, RunStatus::WaitingTool] {
            let left = stage.store().runs(&RunQuery { statuses: vec![status], ..RunQuery::default() }).expect("runs");
            assert!(left.is_empty(), "left {status:?}: {left:?}");
        }
    }
}

fn is_agents(node: &Node) -> bool {
    super::stage::kind(node.author.as_str()) == weftwork::model::EntityKind::Agent
}

pub(crate) fn text(node: &Node) -> String {
    node.parts.iter().map(|part| if let Part::Text(text) = part { text.text.as_str() } else { "?" }).collect()
}

/// The messages that a thought asks for.
fn sends(thought: &str) -> Vec<String> {
    let thought: Value = serde_json::from_str(thought).expect("a thought");
    let parts = thought["parts"].as_array().cloned().unwrap_or_default();
    let sends = parts.iter().filter(|part| part["name"] == "send_message");
    sends.filter_map(|part| part["args"]["text"].as_str().map(str::to_owned)).collect()
}
