//! A conversation in a few lines, so that a test can show all of it.

use std::fmt::Write;
use weftwork::model::{Conversation, Media, Node, Part, ResultContent};

pub(crate) fn brief(conversation: &Conversation) -> String {
    conversation.nodes.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn line(node: &Node) -> String {
    let parent = node.parent.as_ref().map_or("-", |parent| parent.as_str());
    let mut line = format!("{} < {parent} {}:", node.id, node.author);
    for part in &node.parts {
        let _ = write!(line, " {}", show(part));
    }
    line
}

fn show(part: &Part) -> String {
    let signed = |signature: &Option<String>| signature.as_ref().map(|text| format!("~{text}")).unwrap_or_default();
    match part {
        Part::Text(text) => format!("{:?}{}", text.text, signed(&text.signature)),
        Part::Reasoning(part) => format!("think({:?}{})", part.text, signed(&part.signature)),
        Part::ToolCall(part) => format!("call({} {} {}{})", part.id, part.name, part.args.text(), signed(&part.signature)),
        Part::ToolResult(part) => {
            let mark = if part.is_error { "error" } else { "result" };
            match &part.content {
                ResultContent::Text(text) => format!("{mark}({} {text:?})", part.id),
                ResultContent::Parts(parts) => {
                    format!("{mark}({} [{}])", part.id, parts.iter().map(show).collect::<Vec<_>>().join(" "))
                }
            }
        }
        Part::Image(part) => format!("image({} {})", part.media_type, place(&part.media)),
        Part::File(part) => format!("file({:?} {} {})", part.name, part.media_type, place(&part.media)),
    }
}

fn place(media: &Media) -> &str {
    match media {
        Media::Data(data) | Media::Url(data) => data,
    }
}
