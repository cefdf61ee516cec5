//! A result finds its call, and the nodes of both become one atom.

use super::{Atom, Bench, is_media};
use crate::dialect::Dialect;
use crate::line::convert::NO_OUTPUT;
use crate::prompt::{Piece, ResultPiece};
use crate::report::RepairKind;

impl<'h> Bench<'_, 'h> {
    /// Gives a result to its call; tells whether there was one.
    pub(super) fn answer(&mut self, node: u32, own: usize, result: ResultPiece<'h>) -> bool {
        let Some(index) = self.asked(&result.id) else {
            self.touch(own);
            let detail = format!("a result for {:?} had no call: dropped", result.id);
            self.note(node, RepairKind::OrphanResult, &detail);
            return false;
        };
        let message = self.opens[index].message;
        let group = self.group_of_draft[message];
        if self.opens[index].answer.is_some() {
            self.touch(own);
            self.touch(group);
            self.note(node, RepairKind::DuplicateResult, &format!("{:?} was answered twice: the later result stands", result.id));
        } else if self.strays(message, index) {
            self.touch(own);
            self.note(
                node,
                RepairKind::Reordered,
                &format!("the result for {:?} was put directly after its call, in call order", result.id),
            );
        }
        let result = self.only_text_if_failed(node, own, result);
        let open = &mut self.opens[index];
        let name = open.name.clone();
        open.answer = Some((node, ResultPiece { id: open.id.clone(), name, native: None, ..result }));
        self.join(own, group);
        true
    }

    fn only_text_if_failed(&mut self, node: u32, own: usize, mut result: ResultPiece<'h>) -> ResultPiece<'h> {
        if only_text(self.brief.dialect, &mut result) {
            self.touch(own);
            self.note(node, RepairKind::Media, "a failed result holds text only: pictures and files were dropped");
        }
        result
    }

    /// The call a result belongs to: the first unanswered one in the latest message that uses the id, else the last.
    fn asked(&self, id: &str) -> Option<usize> {
        let last = self.newest(id).or_else(|| self.by_id.get(id).copied())?;
        let latest = self.opens[last].message;
        let calls = std::iter::successors(Some(last), |&call| self.opens[call].earlier);
        let waiting =
            calls.take_while(|&call| self.opens[call].message == latest).filter(|&call| self.opens[call].answer.is_none());
        Some(waiting.last().unwrap_or(last))
    }

    /// The last call with this id if it is in the newest message with calls, as it nearly always is: no need to look it up.
    fn newest(&self, id: &str) -> Option<usize> {
        let calls = self.drafts.last().filter(|_| !self.served)?.calls.clone();
        calls.rev().find(|&call| self.opens[call].id == id)
    }

    /// Whether a result does not follow its call directly and in order.
    fn strays(&self, message: usize, call: usize) -> bool {
        let later_message = self.drafts[message].at + 1 != self.messages;
        let later = call + 1..self.drafts[message].calls.end;
        let later_answered = self.opens[later].iter().any(|open| open.answer.is_some());
        later_message || later_answered
    }

    /// Joins two groups into the earlier one.
    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        let (first, second) = (one.min(other), one.max(other));
        if first == second {
            return;
        }
        self.groups[second].joined = Some(first);
        self.groups[first].recount |= self.groups[second].recount;
        let nodes = std::mem::take(&mut self.atoms[second].nodes);
        let Atom { raw, fixed, .. } = self.atoms[second];
        let into = &mut self.atoms[first];
        into.nodes.extend(nodes);
        into.raw += raw;
        into.fixed = into.fixed.or(fixed);
    }
}

/// Takes pictures out of a failed result where only text may be in it (Anthropic); tells whether there were any.
pub(crate) fn only_text(dialect: Dialect, result: &mut ResultPiece<'_>) -> bool {
    let refused = dialect == Dialect::Anthropic && result.is_error && result.content.iter().any(is_media);
    if refused {
        result.content.retain(|piece| !is_media(piece));
        if result.content.is_empty() {
            result.content.push(Piece::text(NO_OUTPUT));
        }
    }
    refused
}
