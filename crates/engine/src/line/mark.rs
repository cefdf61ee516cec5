//! **mark**: where the provider's cache may hold on.
//!
//! At most as many marks as the API takes, none on what cannot carry one, none on a prefix that is too short to be
//! cached. `advance` marks the newest stable message; `freeze` repeats the marks of the last reply, so that a side call
//! reads the cache without writing it.

use super::brief::Brief;
use super::frame::Frame;
use super::repair::Said;
use crate::ask::{Cache, ToolPolicy};
use crate::model::NodeId;
use crate::prompt::Stability;
use crate::report::{Warning, WarningKind};

/// How far back from a mark the provider looks for an earlier one, in blocks.
const LOOKBACK: usize = 20;
/// The shortest cached prefix of models that nobody told us about.
const USUAL_MINIMUM: u64 = 1024;

/// The marks that were placed.
pub(crate) struct Marks {
    pub(crate) tools: bool,
    /// By name: `tools`, `system`, a node, or `input`.
    pub(crate) names: Vec<String>,
    pub(crate) warnings: Vec<Warning>,
}

/// Places marks on system blocks and messages.
pub(crate) fn mark(frame: &mut Frame<'_>, said: &mut [Said<'_>], brief: &Brief<'_>, raw: u64) -> Marks {
    let mut marks = Marks { tools: false, names: Vec::new(), warnings: Vec::new() };
    if brief.policy.cache == Cache::Off || brief.dialect.cache_marks() == 0 {
        return marks;
    }
    let least = brief.model.as_ref().and_then(|model| model.min_cacheable).unwrap_or(USUAL_MINIMUM);
    let long = |raw: u64| brief.meter.scale(raw) >= least;
    let tools_raw = frame.tools_raw();
    if brief.policy.tool_policy == ToolPolicy::Cached && !brief.tools.is_empty() && long(tools_raw) {
        marks.tools = true;
        marks.names.push("tools".to_owned());
    }
    if let Some(last) =
        frame.system.iter().rposition(|block| block.stability == Stability::Stable && !block.text.trim().is_empty())
    {
        let stable: String = frame.system[..=last].iter().map(|block| &*block.text).collect();
        if long(tools_raw + brief.meter.raw(&stable)) {
            frame.system[last].mark = true;
            marks.names.push("system".to_owned());
        }
    }
    if !long(raw) {
        let detail = format!("the request is shorter than the {least} tokens that are cached");
        marks.warnings.push(Warning { kind: WarningKind::NoCacheMark, detail });
        return marks;
    }
    match brief.policy.cache {
        Cache::Off => {}
        Cache::Advance => advance(frame, said, brief, &mut marks),
        Cache::Freeze => freeze(said, brief, &mut marks),
    }
    marks
}

/// Marks the newest stable message, and one between when an earlier mark lies too far back to be found from there.
fn advance(frame: &Frame<'_>, said: &mut [Said<'_>], brief: &Brief<'_>, marks: &mut Marks) {
    let volatile = frame.volatile_messages();
    let stable = said.len() - volatile.min(said.len());
    let Some(newest) = said[..stable].iter().rposition(|said| brief.dialect.can_mark(&said.message)) else { return };
    let earlier = last_marks(said, brief).iter().filter_map(|id| find(said, brief, id)).max();
    let blocks = |from: usize, to: usize| said[from..to].iter().map(|said| said.message.pieces.len()).sum::<usize>();
    let between = match earlier.filter(|&earlier| earlier < newest) {
        Some(earlier) if blocks(earlier + 1, newest + 1) > LOOKBACK => {
            let near = |at: &usize| blocks(earlier + 1, *at + 1) <= LOOKBACK && brief.dialect.can_mark(&said[*at].message);
            (earlier + 1..newest).rev().find(near)
        }
        Some(_) => None,
        None if blocks(0, newest + 1) > LOOKBACK => {
            let near = |at: &usize| blocks(*at + 1, newest + 1) >= LOOKBACK && brief.dialect.can_mark(&said[*at].message);
            (0..newest).rev().find(near)
        }
        None => None,
    };
    for at in between.into_iter().chain([newest]) {
        put(&mut said[at], brief, marks);
    }
}

/// Repeats the marks of the last reply. If their node is gone, there is no mark.
fn freeze(said: &mut [Said<'_>], brief: &Brief<'_>, marks: &mut Marks) {
    let before = last_marks(said, brief);
    for id in before {
        match find(said, brief, id) {
            Some(at) if brief.dialect.can_mark(&said[at].message) => put(&mut said[at], brief, marks),
            Some(_) | None => {
                let detail = format!("the last reply's mark was on {id}, which is not in this request");
                marks.warnings.push(Warning { kind: WarningKind::NoCacheMark, detail });
            }
        }
    }
    if before.is_empty() {
        let detail = "no reply on this path says where its marks were".to_owned();
        marks.warnings.push(Warning { kind: WarningKind::NoCacheMark, detail });
    }
}

fn put(said: &mut Said<'_>, brief: &Brief<'_>, marks: &mut Marks) {
    if said.message.mark || marks.names.len() >= brief.dialect.cache_marks() {
        return;
    }
    said.message.mark = true;
    marks.names.push(said.nodes.last().map_or_else(|| "input".to_owned(), |&node| brief.history.at(node).id.to_string()));
}

/// The marks that the last reply in this request had.
fn last_marks<'h>(said: &[Said<'_>], brief: &Brief<'h>) -> &'h [NodeId] {
    let nodes = said.iter().rev().flat_map(|said| said.nodes.iter().rev()).map(|&node| brief.history.at(node));
    nodes.map(|node| node.cache_marks.as_slice()).find(|marks| !marks.is_empty()).unwrap_or(&[])
}

fn find(said: &[Said<'_>], brief: &Brief<'_>, id: &NodeId) -> Option<usize> {
    let node = brief.history.find(id.as_str())?;
    said.iter().position(|said| said.nodes.contains(&node))
}
