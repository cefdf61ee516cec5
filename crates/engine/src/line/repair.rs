//! **repair**: calls and results into pairs that every API accepts, and nodes into atoms that may not be parted.
//!
//! After this step no call is without its result and no result without its call; results follow their calls directly, in
//! call order. Every change is reported. Nothing repaired is ever stored: a repair is a view.

mod answer;

pub(crate) use answer::only_text;

use super::brief::Brief;
use super::convert::{Saying, cost, piece_cost};
use super::native::Natives;
use super::side::Side;
use crate::dialect::{Place, SystemMessages};
use crate::prompt::{CallPiece, Message, Piece, Pieces, ResultPiece, Role};
use crate::report::{Reason, Repair, RepairKind};
use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// What a call without a result is answered with.
pub(crate) const INTERRUPTED: &str = "[interrupted: no result was recorded; its effects are unknown]";
/// What a system message begins with where it has to be a user's.
const SYSTEM_LABEL: &str = "[System message]";

/// Nodes of an atom or a message: nearly always one or two.
pub(crate) type Nodes = SmallVec<[u32; 4]>;

/// Messages of an atom: nearly always one, or a call and its answer.
pub(crate) type Messages<'h> = SmallVec<[Said<'h>; 2]>;

/// What may not be parted: a message, or calls with their results.
#[derive(Debug)]
pub(crate) struct Atom<'h> {
    /// Its nodes, in path order.
    pub(crate) nodes: Nodes,
    /// Side of its first node.
    pub(crate) side: Side,
    /// What it says.
    pub(crate) said: Messages<'h>,
    /// What it costs, raw.
    pub(crate) raw: u64,
    /// Why it may not be removed.
    pub(crate) fixed: Option<Reason>,
}

/// A message and the nodes it came from.
#[derive(Debug)]
pub(crate) struct Said<'h> {
    pub(crate) message: Message<'h>,
    pub(crate) nodes: Nodes,
}

/// Atoms, and what had to be mended. Each repair names the node it happened in.
pub(crate) struct Repaired<'h> {
    /// Whether a call id was used twice.
    pub(crate) repeats: bool,
    pub(crate) atoms: Vec<Atom<'h>>,
    pub(crate) repairs: Vec<(u32, Repair)>,
    /// Nodes that had nothing to say, and why.
    pub(crate) silent: Vec<(u32, Reason)>,
}

/// A call that is on its way to be answered.
struct Open<'h> {
    /// The call before it with the same id.
    earlier: Option<usize>,
    /// The message it is in.
    message: usize,
    id: Cow<'h, str>,
    name: Cow<'h, str>,
    answer: Option<(u32, ResultPiece<'h>)>,
}

/// A message with calls, or beside one, under construction.
struct Draft<'h> {
    /// How many messages there were before it.
    at: usize,
    role: Role,
    pieces: Pieces<'h>,
    node: u32,
    /// Its calls among all, which stand side by side.
    calls: Range<usize>,
}

/// Makes pairs and atoms.
pub(crate) fn repair<'h>(sayings: impl IntoIterator<Item = Saying<'h>>, brief: &Brief<'h>) -> Repaired<'h> {
    let sayings = sayings.into_iter();
    let mut bench = Bench::new(brief, sayings.size_hint().0);
    for saying in sayings {
        bench.take(saying);
    }
    bench.finish()
}

/// Where the pairs are put together.
struct Bench<'b, 'h> {
    brief: &'b Brief<'h>,
    drafts: Vec<Draft<'h>>,
    opens: Vec<Open<'h>>,
    /// The last call with an id.
    by_id: HashMap<Cow<'h, str>, usize>,
    /// Whether a call was taken out of it because a provider had run it.
    served: bool,
    /// Messages so far.
    messages: usize,
    /// An atom for each node that says something, also for those that were joined to another.
    atoms: Vec<Atom<'h>>,
    groups: Vec<Group>,
    group_of_draft: Vec<usize>,
    repairs: Vec<(u32, Repair)>,
    silent: Vec<(u32, Reason)>,
}

/// What becomes of an atom under construction.
struct Group {
    recount: bool,
    /// The group it was joined to.
    joined: Option<usize>,
}

impl<'b, 'h> Bench<'b, 'h> {
    fn new(brief: &'b Brief<'h>, nodes: usize) -> Self {
        // Even where agents work for hours a call is not much more than every third message.
        let calls = nodes / 3;
        Bench {
            brief,
            drafts: Vec::with_capacity(calls),
            opens: Vec::with_capacity(calls),
            by_id: HashMap::with_capacity(calls),
            served: false,
            messages: 0,
            atoms: Vec::with_capacity(nodes),
            groups: Vec::with_capacity(nodes),
            group_of_draft: Vec::with_capacity(calls),
            repairs: Vec::new(),
            silent: Vec::new(),
        }
    }

    fn take(&mut self, saying: Saying<'h>) {
        if let Some(reason) = saying.silent {
            self.silent.push((saying.node, reason));
            return;
        }
        let own = self.groups.len();
        let Saying { node, side, mut pieces, raw, fixed, .. } = saying;
        self.groups.push(Group { recount: false, joined: None });
        let role = self.role(side, node, &pieces);
        self.media(node, role, &pieces);
        if side == Side::System && role == Role::User {
            label(&mut pieces);
            self.touch(own);
        }
        if !pieces.iter().any(|piece| matches!(piece, Piece::Call(_) | Piece::Result(_))) {
            self.messages += 1;
            let said = smallvec![Said { message: Message { role, pieces, mark: false }, nodes: smallvec![node] }];
            self.atoms.push(Atom { nodes: smallvec![node], side, said, raw, fixed });
            return;
        }
        self.atoms.push(Atom { nodes: smallvec![node], side, said: Messages::new(), raw, fixed });
        self.exchange(node, own, role, pieces);
    }

    /// Tells of pictures and files that the API does not take there: they are shown as a line that names them.
    fn media(&mut self, node: u32, role: Role, pieces: &[Piece<'h>]) {
        let place = if role == Role::Assistant { Place::Assistant } else { Place::User };
        for piece in pieces {
            match piece {
                Piece::Result(result) => result.content.iter().for_each(|piece| self.medium(node, Place::Result, piece)),
                Piece::Image(_) | Piece::File(_) => self.medium(node, place, piece),
                Piece::Text(_) | Piece::Reasoning(_) | Piece::Call(_) => {}
            }
        }
    }

    fn medium(&mut self, node: u32, place: Place, piece: &Piece<'h>) {
        let dialect = self.brief.dialect;
        let (accepted, what) = match piece {
            Piece::Image(image) => (dialect.accepts_image(place, image), "picture"),
            Piece::File(file) => (dialect.accepts_file(place, file), "file"),
            Piece::Text(_) | Piece::Reasoning(_) | Piece::Call(_) | Piece::Result(_) => return,
        };
        if !accepted {
            self.note(node, RepairKind::Media, &format!("{dialect} does not take this {what} here: a line names it"));
        }
    }

    /// Takes a node with calls or results in it.
    fn exchange(&mut self, node: u32, own: usize, role: Role, pieces: Pieces<'h>) {
        if let Some(first) = calls_at_the_end(&pieces) {
            return self.calls(node, own, role, pieces, first);
        }
        let before = self.drafts.len();
        let mut answered = false;
        let mut open: Option<usize> = None;
        let natives = Natives::of(&pieces, self.brief.dialect);
        let mut served: Vec<(Cow<'h, str>, usize)> = Vec::new();
        let room = pieces.len();
        for piece in pieces {
            match piece {
                Piece::Call(CallPiece { native: Some(_), .. }) | Piece::Result(ResultPiece { native: Some(_), .. })
                    if natives.stay(&piece) =>
                {
                    let draft = *open.get_or_insert_with(|| self.draft(role, node, own, Pieces::with_capacity(room)));
                    self.drafts[draft].pieces.push(piece);
                }
                Piece::Result(result) => {
                    answered |= self.answer(node, own, result);
                    open = None;
                }
                Piece::Call(mut call) => {
                    let draft = *open.get_or_insert_with(|| self.draft(role, node, own, Pieces::with_capacity(room)));
                    served.extend(call.native.map(|_| (call.id.clone(), self.opens.len())));
                    self.call(draft, node, own, &mut call);
                    self.drafts[draft].calls.end = self.opens.len();
                    self.drafts[draft].pieces.push(Piece::Call(call));
                }
                Piece::Text(_) | Piece::Reasoning(_) | Piece::Image(_) | Piece::File(_) => {
                    let closed = open.is_some_and(|draft| !self.drafts[draft].calls.is_empty());
                    if closed {
                        // Nothing but calls may follow a call in one message: the exchange is closed first.
                        open = None;
                    }
                    let draft = *open.get_or_insert_with(|| self.draft(role, node, own, Pieces::with_capacity(room)));
                    self.drafts[draft].pieces.push(piece);
                }
            }
        }
        // What a provider ran itself is answered in its own node or nowhere.
        for (id, index) in served.into_iter().rev() {
            self.served = true;
            match self.opens[index].earlier {
                Some(earlier) => self.by_id.insert(id, earlier),
                None => self.by_id.remove(&id),
            };
        }
        if self.drafts.len() == before && !answered {
            self.groups.pop();
            self.atoms.pop();
            self.silent.push((node, Reason::OrphanResult));
        }
    }

    fn role(&mut self, side: Side, node: u32, pieces: &[Piece<'h>]) -> Role {
        let place = match self.brief.dialect.system_messages() {
            // A system message is text: with a picture in it, it has to be a user's.
            SystemMessages::InPlace if pieces.iter().any(is_media) => SystemMessages::AsUser,
            place @ (SystemMessages::InPlace | SystemMessages::AsUser) => place,
        };
        match (side, place) {
            (Side::System, SystemMessages::AsUser) if !pieces.iter().all(|piece| matches!(piece, Piece::Result(_))) => {
                self.note(
                    node,
                    RepairKind::SystemMessage,
                    "a system message inside the conversation became a labelled user message",
                );
                Role::User
            }
            (Side::System, SystemMessages::AsUser) => Role::User,
            (Side::System, SystemMessages::InPlace) | (Side::User | Side::Assistant, _) => side.role(),
        }
    }

    /// Takes a node with nothing but calls from `first` on: a message as it stands.
    fn calls(&mut self, node: u32, own: usize, role: Role, mut pieces: Pieces<'h>, first: usize) {
        let draft = self.drafts.len();
        let begin = self.opens.len();
        for piece in &mut pieces[first..] {
            if let Piece::Call(call) = piece {
                self.call(draft, node, own, call);
            }
        }
        self.draft(role, node, own, pieces);
        self.drafts[draft].calls = begin..self.opens.len();
    }

    fn draft(&mut self, role: Role, node: u32, group: usize, pieces: Pieces<'h>) -> usize {
        let calls = self.opens.len()..self.opens.len();
        self.drafts.push(Draft { at: self.messages, role, pieces, node, calls });
        self.messages += 1;
        self.group_of_draft.push(group);
        self.drafts.len() - 1
    }

    fn call(&mut self, draft: usize, node: u32, group: usize, call: &mut CallPiece<'h>) {
        if call.native.is_some() {
            call.native = None;
            self.touch(group);
            self.note(
                node,
                RepairKind::ForeignTool,
                &format!("{} was run by a provider and cannot go back to it: shown as an ordinary call", call.name),
            );
        }
        if let Some(name) = super::names::tool_name(&call.name, self.brief.dialect) {
            self.touch(group);
            self.note(
                node,
                RepairKind::MappedName,
                &format!("{} refuses tool name {:?}: now {name:?}", self.brief.dialect, call.name),
            );
            call.name = name.into();
        }
        if let Some(args) = super::names::valid_args(&call.args) {
            self.touch(group);
            self.note(node, RepairKind::BadArguments, &format!("arguments of {} were no JSON object: now {args}", call.name));
            call.args = args.into();
        }
        let index = self.opens.len();
        let earlier = self.by_id.insert(call.id.clone(), index);
        self.opens.push(Open { earlier, message: draft, id: call.id.clone(), name: call.name.clone(), answer: None });
    }

    fn touch(&mut self, group: usize) {
        let group = self.root(group);
        self.groups[group].recount = true;
    }

    fn note(&mut self, node: u32, kind: RepairKind, detail: &str) {
        let id = self.brief.history.at(node).id.clone();
        self.repairs.push((node, Repair { node: Some(id), kind, detail: detail.to_owned() }));
    }

    fn root(&self, mut group: usize) -> usize {
        while let Some(next) = self.groups[group].joined {
            group = next;
        }
        group
    }

    fn finish(mut self) -> Repaired<'h> {
        let repeats = self.opens.iter().any(|open| open.earlier.is_some());
        self.interrupt();
        let drafts = std::mem::take(&mut self.drafts);
        for (at, draft) in drafts.into_iter().enumerate() {
            let group = self.root(self.group_of_draft[at]);
            let calls = &mut self.opens[draft.calls.clone()];
            say(&mut self.atoms[group], draft, calls);
        }
        let mut groups = self.groups.into_iter();
        self.atoms.retain_mut(|atom| match groups.next() {
            Some(Group { joined: Some(_), .. }) | None => false,
            Some(Group { joined: None, recount }) => {
                if recount {
                    atom.raw = said_cost(&atom.said, self.brief);
                }
                true
            }
        });
        Repaired { atoms: self.atoms, repairs: self.repairs, silent: self.silent, repeats }
    }

    /// Answers the calls that nobody answered. They are kept: what they did is unknown, and hiding that would mislead.
    fn interrupt(&mut self) {
        for index in 0..self.opens.len() {
            let Open { message, id, name, answer, .. } = &self.opens[index];
            if answer.is_some() {
                continue;
            }
            let (message, detail) = (*message, format!("{name} ({id}) had no result"));
            let node = self.drafts[message].node;
            let content = vec![Piece::text(INTERRUPTED)];
            let result = ResultPiece { id: id.clone(), name: name.clone(), content, is_error: true, native: None };
            self.opens[index].answer = Some((node, result));
            self.touch(self.group_of_draft[message]);
            self.note(node, RepairKind::InterruptedCall, &detail);
        }
    }
}

/// Puts a message and the answers to its calls into an atom.
fn say<'h>(atom: &mut Atom<'h>, draft: Draft<'h>, calls: &mut [Open<'h>]) {
    let message = Message { role: draft.role, pieces: draft.pieces, mark: false };
    atom.said.push(Said { message, nodes: smallvec![draft.node] });
    if calls.is_empty() {
        return;
    }
    let mut nodes = Nodes::new();
    let mut pieces = Pieces::with_capacity(calls.len());
    for (node, result) in calls.iter_mut().filter_map(|call| call.answer.take()) {
        nodes.push(node);
        pieces.push(Piece::Result(result));
    }
    nodes.dedup();
    atom.said.push(Said { message: Message { role: Role::User, pieces, mark: false }, nodes });
}

/// Says of a user message that it was a system message.
pub(crate) fn label(pieces: &mut Pieces<'_>) {
    let has_media = pieces.iter().any(is_media);
    match pieces.iter_mut().find_map(|piece| if let Piece::Text(text) = piece { Some(text) } else { None }) {
        Some(text) => text.text = Cow::Owned(format!("{SYSTEM_LABEL}\n{}", text.text)),
        None if has_media => pieces.insert(0, Piece::text(SYSTEM_LABEL)),
        None => {}
    }
}

/// Where the calls begin in what is said and then called, with nothing behind it: nearly every message with calls.
fn calls_at_the_end(pieces: &[Piece<'_>]) -> Option<usize> {
    let first = pieces.iter().position(|piece| matches!(piece, Piece::Call(_) | Piece::Result(_)))?;
    pieces[first..].iter().all(|piece| matches!(piece, Piece::Call(CallPiece { native: None, .. }))).then_some(first)
}

fn is_media(piece: &Piece<'_>) -> bool {
    matches!(piece, Piece::Image(_) | Piece::File(_))
}

/// What messages cost, raw.
pub(crate) fn said_cost(said: &[Said<'_>], brief: &Brief<'_>) -> u64 {
    let base = brief.meter.base();
    said.iter().map(|said| cost(&said.message.pieces, base, brief.overhead())).sum()
}

/// What one piece costs under the brief's counter, raw.
pub(crate) fn raw_piece(piece: &Piece<'_>, brief: &Brief<'_>) -> u64 {
    piece_cost(piece, brief.meter.base())
}
