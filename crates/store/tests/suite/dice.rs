//! Random conversations with everything in them that makes reading hard.

use crate::support::{NOW, entity};
use fastrand::Rng;
use weftwork::model::{
    Conversation, Edge, EntityKind, ImportedRole, Json, Kind, Node, NodeId, Part, Source, SourceRole, Space, Status, Timestamp,
};

const WORDS: &[&str] = &["loom", "warp", "weft", "thread", "shuttle", "紡ぐ", "нить", "🧵", "a\nb", "the quick brown fox"];

/// A conversation of up to `most` nodes.
pub(crate) fn conversation(rng: &mut Rng, id: &str, most: usize) -> Conversation {
    let mut file = Conversation::new(Space::new(id, "Dice"));
    file.space.system_context = if rng.bool() { "Be brief.".into() } else { String::new() };
    file.entities = ["husam", "sarah"].map(|id| entity(id, EntityKind::Human)).into();
    file.entities.extend(["analyst", "writer"].map(|id| entity(id, EntityKind::Agent)));
    let wild = rng.u8(..10) < 7;
    let mut calls: Vec<(NodeId, String)> = Vec::new();
    for at in 0..rng.usize(1..=most) {
        let node = node(rng, at, &file.nodes, wild, &mut calls);
        file.nodes.push(node);
    }
    if rng.bool() {
        file.head = Some(pick(rng, &file.nodes).id.clone());
    }
    for viewer in ["analyst", "sarah"] {
        if rng.u8(..4) == 0 {
            file.heads.insert(viewer.into(), pick(rng, &file.nodes).id.clone());
            file.cursors.insert(viewer.into(), pick(rng, &file.nodes).id.clone());
        }
    }
    file
}

fn pick<'n>(rng: &mut Rng, nodes: &'n [Node]) -> &'n Node {
    &nodes[rng.usize(..nodes.len())]
}

fn node(rng: &mut Rng, at: usize, before: &[Node], wild: bool, calls: &mut Vec<(NodeId, String)>) -> Node {
    let parent = match before {
        [] => None,
        _ if wild && rng.u16(..200) == 0 => None,
        _ if wild && rng.u8(..12) == 0 => Some(pick(rng, before).id.clone()),
        [.., last] => Some(last.id.clone()),
    };
    let author = if at.is_multiple_of(2) { *rng.choice(&["husam", "husam", "sarah"]).unwrap() } else { "analyst" };
    let author = if rng.u8(..30) == 0 { "writer" } else { author };
    let mut node = Node::new(format!("n{at}"), parent, author);
    node.created_at = Timestamp::from_millis(NOW + at as i64 * 1000);
    let agent = matches!(author, "analyst" | "writer");
    if rng.u8(..12) > 0 {
        node = node.text(text(rng));
    }
    if agent && rng.u8(..4) == 0 {
        for call in 0..rng.usize(1..3) {
            // Some programs count their calls anew in every turn.
            let id = if rng.u8(..5) == 0 { format!("call_{call}") } else { format!("c{at}_{call}") };
            calls.push((node.id.clone(), id.clone()));
            node = node.part(Part::call(id, "search", Json::parse(r#"{"q":"x"}"#).unwrap()));
        }
    } else if rng.u8(..4) == 0
        && let Some((_, id)) = calls.last()
    {
        node = node.part(Part::result(id.clone(), text(rng)));
        if rng.bool() {
            calls.pop();
        }
    }
    if wild {
        odd(rng, &mut node, before);
    }
    node
}

fn odd(rng: &mut Rng, node: &mut Node, before: &[Node]) {
    match rng.u16(..120) {
        0 => node.pinned = true,
        1 | 2 => node.excluded = true,
        3 => node.pruned = true,
        4 => node.status = Status::Error,
        5 => node.kind = Kind::Title,
        6 => node.kind = Kind::SummaryRequest,
        7 | 8 => {
            node.kind = Kind::Summary;
            if rng.bool() && !before.is_empty() {
                node.covers = Some(pick(rng, before).id.clone());
            }
        }
        9 => node.context_edge = rng.bool(),
        10 => node.edge = Edge::Annotation,
        11 => node.role = Some(ImportedRole::System),
        12 => node.role = Some(ImportedRole::User),
        13 if !before.is_empty() => node.edited_from = Some(pick(rng, before).id.clone()),
        14 | 15 if !before.is_empty() => {
            let role = if rng.bool() { SourceRole::Context } else { SourceRole::Instruction };
            node.sources.push(Source { node: pick(rng, before).id.clone(), role });
        }
        16 => node.cache_marks = before.last().map(|last| vec![last.id.clone()]).unwrap_or_default(),
        17 => node.parts.clear(),
        _ => {}
    }
}

fn text(rng: &mut Rng) -> String {
    let words = rng.usize(1..40);
    (0..words).map(|_| *rng.choice(WORDS).unwrap()).collect::<Vec<_>>().join(" ")
}
