//! **select**: which nodes may be sent at all, and why the others may not.
//!
//! Decided by rank: a node gets the first reason that applies. Nodes that nothing but their place decides about are not
//! looked at here; a range stands for them.

use super::brief::{Brief, Question};
use super::path::Path;
use crate::ask::{Errors, Form};
use crate::history::History;
use crate::model::{Edge, ImportedRole, Kind, Node, Part, SourceRole, Status};
use crate::report::{Reason, Warning, WarningKind};

/// What may be sent of a path.
pub(crate) struct Selection<'h> {
    pub(crate) path: Path<'h>,
    /// Nothing above this depth is sent.
    pub(crate) floor: u32,
    /// Why.
    floor_reason: Reason,
    /// Nothing above this depth is sent either, but for what caused the run.
    pub(crate) window: u32,
    /// The summary that stands for what is above the floor.
    pub(crate) summary: Option<u32>,
    /// System messages that begin the path: part of the system text whatever is cut.
    pub(crate) leading: Vec<u32>,
    /// Nodes whose text joins the system text.
    pub(crate) instructions: Vec<u32>,
    /// Nodes that fitting may not remove.
    pub(crate) pinned: Vec<u32>,
    errors: Errors,
    annotations: bool,
    input: Option<u32>,
    kept_besides: [Option<u32>; 3],
    pub(crate) warnings: Vec<Warning>,
}

/// Decides what may be sent.
pub(crate) fn select<'h>(path: Path<'h>, brief: &Brief<'h>) -> Selection<'h> {
    let mut selection = Selection {
        path,
        floor: 0,
        floor_reason: Reason::BeforeCheckpoint,
        window: 0,
        summary: None,
        leading: Vec::new(),
        instructions: Vec::new(),
        pinned: Vec::new(),
        errors: brief.policy.errors,
        annotations: brief.policy.annotations,
        input: match brief.input {
            Question::Node(node) => Some(node),
            Question::None | Question::Parts(_) => None,
        },
        kept_besides: [brief.trigger, brief.reply, brief.waited_on],
        warnings: Vec::new(),
    };
    selection.checkpoint();
    selection.lead();
    selection.count_window(brief);
    selection.specials();
    selection
}

impl<'h> Selection<'h> {
    fn history(&self) -> &'h History {
        self.path.history
    }

    /// The latest valid summary or context edge, whichever stands later.
    fn checkpoint(&mut self) {
        for found in self.path.checkpoints() {
            let node = self.history().at(found);
            let depth = self.history().place(found).depth;
            if node.kind == Kind::Summary && self.input != Some(found) && self.own_reason(node).is_none() && says_something(node)
            {
                self.summary = Some(found);
                // A summary that is an edge too covers all before it.
                self.floor = if node.context_edge { depth + 1 } else { self.covered(node, depth) };
                return;
            }
            if node.context_edge {
                (self.floor, self.floor_reason) = (depth, Reason::ContextEdge);
                return;
            }
        }
    }

    /// The depth after the last node that a summary at `depth` covers.
    fn covered(&mut self, summary: &Node, depth: u32) -> u32 {
        let Some(covers) = &summary.covers else { return depth + 1 };
        let last = self.history().find(covers.as_str());
        match last.filter(|&last| self.path.holds(last) && self.history().place(last).depth < depth) {
            Some(last) => self.history().place(last).depth + 1,
            None => {
                let detail = format!("summary {} covers {covers}, which is not before it on this path", summary.id);
                self.warnings.push(Warning { kind: WarningKind::StraySummary, detail });
                depth + 1
            }
        }
    }

    /// System messages before the first thing said.
    fn lead(&mut self) {
        for depth in 0..self.path.len {
            let index = self.path.at(depth);
            let node = self.history().at(index);
            match (node.role, self.own_reason(node)) {
                _ if self.input == Some(index) => {}
                (_, Some(_)) => {}
                (Some(ImportedRole::System), None) if says_something(node) => self.leading.push(index),
                (Some(ImportedRole::System), None) => {}
                (Some(ImportedRole::User | ImportedRole::Assistant) | None, None) => return,
            }
        }
    }

    /// Pins and instruction sources of what may be sent.
    fn specials(&mut self) {
        let specials: Vec<u32> =
            self.path.specials_before(self.path.len).take_while(|&node| self.history().place(node).depth >= self.floor).collect();
        for index in specials.into_iter().rev() {
            let node = self.history().at(index);
            if self.reason(index).is_some() {
                continue;
            }
            if node.pinned {
                self.pinned.push(index);
            }
            let instructions = node.sources.iter().filter(|source| source.role == SourceRole::Instruction);
            let history = self.history();
            let found = instructions.filter_map(|source| history.find(source.node.as_str()));
            // What was deleted or left out is in no context, whoever draws on it.
            self.instructions.extend(found.filter(|&source| !history.at(source).pruned && !history.at(source).excluded));
        }
    }

    /// Moves the window to the newest so many messages; in steps of 25 where the prefix shall stay the same.
    fn count_window(&mut self, brief: &Brief<'_>) {
        self.window = self.floor;
        if brief.form == Form::Timeline && !super::timeline::is_somewhere(brief) {
            self.window = self.path.len;
            return;
        }
        let Some(newest) = brief.window else { return };
        let shown = |&index: &u32| {
            self.reason(index).is_none()
                && !self.is_aside(index)
                && (brief.form != Form::Timeline || shows(self.history().at(index)))
        };
        let mut back = self.path.back_from(self.path.len).take_while(|&node| self.history().place(node).depth >= self.floor);
        let Some(oldest) = back.by_ref().filter(shown).nth(newest as usize - 1) else { return };
        let depth = self.history().place(oldest).depth;
        self.window = self.floor.max(if brief.steps() { depth - depth % 25 } else { depth });
    }

    /// Whether a node is sent, but not as part of the conversation: the summary, the input, a leading system message.
    pub(crate) fn is_aside(&self, index: u32) -> bool {
        self.summary == Some(index) || self.input == Some(index) || self.leading.contains(&index)
    }

    /// Why a node of the path may not be sent; none if it may.
    pub(crate) fn reason(&self, index: u32) -> Option<Reason> {
        if self.is_aside(index) {
            return None;
        }
        let node = self.history().at(index);
        let depth = self.history().place(index).depth;
        if let Some(reason) = self.own_reason(node) {
            return Some(reason);
        }
        if depth < self.floor || node.kind == Kind::Summary {
            return Some(if node.kind == Kind::Summary && !says_something(node) { Reason::Empty } else { self.floor_reason });
        }
        if depth < self.window && !self.kept_besides.contains(&Some(index)) {
            return Some(Reason::OutsideWindow);
        }
        None
    }

    /// What a plain node at this depth would be dropped for.
    pub(crate) fn reason_of_place(&self, depth: u32) -> Option<Reason> {
        if depth < self.floor {
            Some(self.floor_reason)
        } else if depth < self.window {
            Some(Reason::OutsideWindow)
        } else {
            None
        }
    }

    /// What a node is dropped for wherever it stands.
    fn own_reason(&self, node: &Node) -> Option<Reason> {
        match node.kind {
            Kind::TitleRequest | Kind::Title | Kind::SummaryRequest | Kind::Accounting => return Some(Reason::NotConversation),
            Kind::Message | Kind::Summary => {}
        }
        let failed = match self.errors {
            Errors::Exclude => true,
            Errors::Note => !self.may_note(node),
        };
        match node.status {
            _ if node.pruned => Some(Reason::Pruned),
            _ if node.excluded => Some(Reason::Excluded),
            _ if node.edge == Edge::Annotation && !self.annotations => Some(Reason::Annotation),
            Status::Pending => Some(Reason::NotSent),
            Status::Error if failed || node.kind == Kind::Summary => Some(Reason::Failed),
            Status::Error | Status::Sent => None,
        }
    }

    /// Only an agent's failure is worth a note: what a person failed to send was never said.
    fn may_note(&self, node: &Node) -> bool {
        let author = self.history().entity(node.author.as_str());
        author.is_some_and(|author| author.kind == crate::model::EntityKind::Agent)
    }
}

/// Whether a node holds text that is not blank.
pub(crate) fn says_something(node: &Node) -> bool {
    node.parts.iter().any(|part| matches!(part, Part::Text(text) if !text.text.trim().is_empty()))
}

/// Whether a node makes a line of a timeline.
fn shows(node: &Node) -> bool {
    says_something(node) || node.parts.iter().any(|part| matches!(part, Part::Image(_) | Part::File(_) | Part::ToolResult(_)))
}
