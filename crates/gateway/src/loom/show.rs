//! How nodes are shown to an agent. Everything that somebody wrote is encoded: what is shown cannot be forged.

use std::fmt::Write as _;
use weftwork::model::{Conversation, Edge, EntityKind, Kind, Node, Part, ResultContent, Status};
use weftwork::timeline::Encoded;
use weftwork_store::{Drawn, LocalId, Spot};

/// Characters of a text where it stands beside others.
const GLIMPSE: usize = 120;
/// Characters of what a tool was asked or answered.
const EXCHANGE: usize = 500;
/// Characters that are viewed at once.
pub(super) const VIEWED: usize = 8_000;

/// A node on a line: its facts, and how it begins.
pub(super) fn line(spot: &Spot, header: &Conversation) -> String {
    format!("{} · {}", facts(spot, header), Encoded::quoted(&glimpse(&text(&spot.node), GLIMPSE)))
}

/// What is known of a node.
pub(super) fn facts(spot: &Spot, header: &Conversation) -> String {
    let node = &spot.node;
    let mut line = format!("{} · {}", spot.local, author(node, header));
    if let Some(time) = &node.created_at {
        let _ = write!(line, " · {}", time.utc());
    }
    let counts = [(spot.continuations, "continuation"), (spot.remarks, "remark"), (spot.links, "link")];
    if spot.siblings > 1 {
        let _ = write!(line, " · {} siblings", spot.siblings);
    }
    for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
        let _ = write!(line, " · {}", counted(count as usize, what));
    }
    if let Some(name) = &spot.bookmark {
        let _ = write!(line, " · bookmarked {}", Encoded::quoted(name));
    } else if node.bookmarked {
        line.push_str(" · bookmarked");
    }
    for mark in marks(node) {
        let _ = write!(line, " · {mark}");
    }
    line
}

fn marks(node: &Node) -> impl Iterator<Item = &'static str> {
    let kind = match node.kind {
        Kind::Message => None,
        Kind::Summary => Some("summary"),
        Kind::SummaryRequest | Kind::TitleRequest => Some("request"),
        Kind::Title => Some("title"),
        Kind::Accounting => Some("accounting"),
    };
    let status = match node.status {
        Status::Sent => None,
        Status::Pending => Some("still being written"),
        Status::Error => Some("broke off"),
    };
    let edge = match node.edge {
        Edge::Continuation => None,
        Edge::Annotation => Some("a remark"),
    };
    let flags = [(node.pruned, "pruned"), (node.excluded, "excluded"), (node.pinned, "kept in every request")];
    let flags = flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, word)| word);
    kind.into_iter().chain(status).chain(edge).chain(flags)
}

/// Who said it, as they are called.
pub(super) fn author(node: &Node, header: &Conversation) -> String {
    let found = header.entities.iter().find(|entity| entity.id == node.author);
    let name = found.map_or(node.author.as_str(), |entity| entity.name.as_str());
    format!("{} ({})", Encoded::name(name), kind(node, header).word())
}

/// What they are.
pub(super) fn kind(node: &Node, header: &Conversation) -> EntityKind {
    let found = header.entities.iter().find(|entity| entity.id == node.author);
    found.map_or(EntityKind::Service, |entity| entity.kind)
}

/// All text of a node.
pub(super) fn text(node: &Node) -> String {
    let texts = node.parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(text.text.as_str()) } else { None });
    texts.collect::<Vec<_>>().join("\n")
}

/// The beginning of a text.
pub(super) fn glimpse(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// What a node says, from a character on: its text, then what tools were asked and answered.
pub(super) fn content(node: &Node, from: usize) -> String {
    let text = text(node);
    let total = text.chars().count();
    let shown: String = text.chars().skip(from).take(VIEWED).collect();
    let to = from.saturating_add(VIEWED).min(total);
    let mut lines = Vec::new();
    if node.purged {
        lines.push("What it said was taken out for good.".to_owned());
    }
    if !shown.is_empty() {
        lines.push(format!("text: {}", Encoded::quoted(&shown)));
    }
    if from > 0 || to < total {
        lines.push(format!("Characters {} to {to} of {total}.", from.min(total)));
    }
    lines.extend(node.parts.iter().filter_map(other));
    lines.join("\n")
}

/// A part that is no text.
fn other(part: &Part) -> Option<String> {
    match part {
        Part::Text(_) | Part::Reasoning(_) => None,
        Part::ToolCall(call) => {
            let args = glimpse(call.args.text(), EXCHANGE);
            Some(format!("calls {} with {}", Encoded::name(&call.name), Encoded::quoted(&args)))
        }
        Part::ToolResult(result) => {
            let text = match &result.content {
                ResultContent::Text(text) => glimpse(text, EXCHANGE),
                ResultContent::Parts(parts) => counted(parts.len(), "part"),
            };
            let name = result.name.as_deref().unwrap_or("a tool");
            Some(format!("{} answered {}", Encoded::name(name), Encoded::quoted(&text)))
        }
        Part::Image(image) => Some(format!("a picture, {}", Encoded::name(&image.media_type))),
        Part::File(file) => Some(format!("a file, {}", Encoded::quoted(&file.name))),
    }
}

/// What is still to be drawn.
enum Line {
    /// A node, what stands before it, and what stands before all below it.
    Node(usize, String, String),
    /// What is not drawn.
    More(String),
}

/// A drawn tree. `centre` is what it was drawn around, `here` where the conversation is.
pub(super) fn tree(drawn: &[Drawn], centre: LocalId, here: LocalId, header: &Conversation) -> String {
    let mut out = String::new();
    let mut open = vec![Line::Node(0, String::new(), String::new())];
    while let Some(next) = open.pop() {
        let (at, lead, below) = match next {
            Line::Node(at, lead, below) => (at, lead, below),
            Line::More(line) => {
                out.push_str(&line);
                continue;
            }
        };
        let Drawn { spot, below: children, hidden } = &drawn[at];
        let marks = [(here, " ← the conversation is here"), (centre, " ← asked for")];
        let marks: String = marks.into_iter().filter(|(node, _)| *node == spot.local).map(|(_, mark)| mark).collect();
        let _ = writeln!(out, "{lead}{}{marks}", line(spot, header));
        if *hidden > 0 {
            open.push(Line::More(format!("{below}└─ … {hidden} more below {}\n", spot.local)));
        }
        let last = children.len().checked_sub(1).filter(|_| *hidden == 0);
        open.extend(children.iter().enumerate().rev().map(|(place, child)| match Some(place) == last {
            true => Line::Node(*child, format!("{below}└─ "), format!("{below}   ")),
            false => Line::Node(*child, format!("{below}├─ "), format!("{below}│  ")),
        }));
    }
    out.trim_end().to_owned()
}

/// `1 link`, `2 links`.
pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
