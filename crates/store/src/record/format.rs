//! The two lines of a record.

use crate::load::{Loaded, viewer};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use weftwork::ask::Ask;
use weftwork::catalogue::{self, Model};
use weftwork::history::{Traits, Voice};
use weftwork::model::{Conversation, EntityId, Loom, Node, NodeId, Run, Status, Tool, Trigger};

/// What a request was made of, beside nodes that never change.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    frame: Frame,
    rest: Rest,
}

/// What is mostly the same from call to call.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Frame {
    header: Conversation,
    /// The ask's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tools: Option<Vec<Tool>>,
    /// Who had written in the space, and whether they wrote nodes of nothing but tools.
    voices: BTreeMap<EntityId, bool>,
    textless: bool,
    only_tools_for_another: bool,
}

/// What is not.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Rest {
    ask: Ask,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    head: Option<NodeId>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    heads: BTreeMap<EntityId, NodeId>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    cursors: BTreeMap<EntityId, NodeId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    buffer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trigger: Option<Trigger>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    runs: Vec<Run>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    loom: Option<Loom>,
    /// Nodes with flags, and nodes that were being written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<Marked>,
    /// Nodes that were named and not there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    absent: Vec<NodeId>,
}

/// A node of which something may have changed since.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Marked {
    pub(crate) id: NodeId,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    excluded: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pruned: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pinned: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    context_edge: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    purged: bool,
    /// The whole of it, while it was being written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pending: Option<Node>,
}

impl Marked {
    /// What is to be recorded of a node; none of one that cannot change.
    pub(crate) fn of(node: &Node) -> Option<Marked> {
        let marked = Marked {
            id: node.id.clone(),
            excluded: node.excluded,
            pruned: node.pruned,
            pinned: node.pinned,
            context_edge: node.context_edge,
            purged: node.purged,
            pending: (node.status == Status::Pending).then(|| node.clone()),
        };
        (marked != Marked::unmarked(&node.id)).then_some(marked)
    }

    fn unmarked(id: &NodeId) -> Marked {
        let (excluded, pruned, pinned, context_edge, purged) = (false, false, false, false, false);
        Marked { id: id.clone(), excluded, pruned, pinned, context_edge, purged, pending: None }
    }

    pub(crate) fn was_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// Makes a node what it was. Says whether its content is gone since.
    pub(crate) fn restore(then: Option<&Marked>, node: &mut Node) -> bool {
        let unmarked = Marked::unmarked(&node.id);
        let then = then.unwrap_or(&unmarked);
        let gone = node.purged && !then.purged && then.pending.is_none();
        if let Some(pending) = &then.pending {
            *node = pending.clone();
        }
        (node.excluded, node.pruned, node.pinned) = (then.excluded, then.pruned, then.pinned);
        (node.context_edge, node.purged) = (then.context_edge, then.purged);
        gone
    }
}

impl Record {
    /// What `ask` was answered with.
    pub(crate) fn of(ask: &Ask, loaded: Loaded) -> Record {
        let mut header = loaded.history.into_conversation();
        // They never change.
        header.nodes = Vec::new();
        let mut ask = Ask { previous: None, ..ask.clone() };
        // What a catalogue knows of a model may change.
        ask.model = ask.model.take().or_else(|| model(&header, &ask));
        let rest = Rest {
            head: header.head.take(),
            heads: std::mem::take(&mut header.heads),
            cursors: std::mem::take(&mut header.cursors),
            buffer: header.buffer.take(),
            trigger: header.trigger.take(),
            runs: std::mem::take(&mut header.runs),
            loom: header.loom.take().and(loaded.loom),
            nodes: loaded.marked,
            absent: loaded.absent,
            ask: Ask::default(),
        };
        ask.head = rest.head.clone().or(ask.head);
        let frame = Frame {
            header,
            tools: ask.tools.take(),
            voices: loaded.voices.into_iter().map(|voice| (voice.entity, voice.only_tools)).collect(),
            textless: loaded.traits.textless,
            only_tools_for_another: loaded.traits.only_tools_for_another,
        };
        Record { frame, rest: Rest { ask, ..rest } }
    }

    /// A conversation that is in no store: its nodes are recorded with it.
    pub(crate) fn of_file(mut file: Conversation, ask: &Ask) -> Record {
        let ask = Ask { previous: None, ..ask.clone() };
        let rest = Rest {
            head: file.head.take(),
            heads: std::mem::take(&mut file.heads),
            cursors: std::mem::take(&mut file.cursors),
            buffer: file.buffer.take(),
            trigger: file.trigger.take(),
            runs: std::mem::take(&mut file.runs),
            loom: file.loom.take(),
            nodes: Vec::new(),
            absent: Vec::new(),
            ask: Ask { tools: None, ..ask.clone() },
        };
        let (voices, tools) = (BTreeMap::new(), ask.tools);
        Record { frame: Frame { header: file, tools, voices, textless: false, only_tools_for_another: false }, rest }
    }

    /// Whether the nodes are recorded too.
    pub(crate) fn is_whole(&self) -> bool {
        !self.frame.header.nodes.is_empty()
    }

    /// Two lines of JSON.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(&self.frame).expect("plain data serialises");
        bytes.push(b'\n');
        bytes.extend(serde_json::to_vec(&self.rest).expect("plain data serialises"));
        bytes
    }

    /// Reads what [`Record::to_bytes`] wrote; none of anything else.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Record> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let mut frame: Frame = serde_json::from_slice(&bytes[..end]).ok()?;
        let mut rest: Rest = serde_json::from_slice(&bytes[end + 1..]).ok()?;
        rest.ask.tools = frame.tools.take();
        let header = &mut frame.header;
        header.head.clone_from(&rest.head);
        (header.heads, header.cursors) = (std::mem::take(&mut rest.heads), std::mem::take(&mut rest.cursors));
        (header.buffer, header.trigger, header.loom) = (rest.buffer.take(), rest.trigger.take(), rest.loom.take());
        header.runs = std::mem::take(&mut rest.runs);
        Some(Record { frame, rest })
    }

    pub(crate) fn ask(&self) -> &Ask {
        &self.rest.ask
    }

    /// The header as it was.
    pub(crate) fn header(&self) -> &Conversation {
        &self.frame.header
    }

    pub(crate) fn marked(&self) -> &[Marked] {
        &self.rest.nodes
    }

    pub(crate) fn absent(&self) -> &[NodeId] {
        &self.rest.absent
    }

    pub(crate) fn voices(&self) -> Vec<Voice> {
        let voices = self.frame.voices.iter();
        voices.map(|(entity, &only_tools)| Voice { entity: entity.clone(), only_tools }).collect()
    }

    pub(crate) fn traits(&self) -> Traits {
        let Frame { textless, only_tools_for_another, .. } = self.frame;
        Traits { textless, only_tools_for_another, ..Traits::default() }
    }
}

/// The model of whom it is read for, where an ask names none.
fn model(file: &Conversation, ask: &Ask) -> Option<Model> {
    let viewer = viewer(file, ask)?;
    let name = file.entities.iter().find(|entity| entity.id == *viewer)?.model.as_deref()?;
    Some(catalogue::find(name).unwrap_or_else(|| Model::unlisted(name)))
}
