//! A conversation as lines, so that a test can say what it expects in the fewest words.

use weftwork::model::{Call, Conversation, Edge, Kind, Media, Node, Part, ResultContent, Status};

pub(crate) fn conversation(conversation: &Conversation) -> String {
    let mut lines: Vec<String> = conversation.nodes.iter().map(node).collect();
    lines.extend(conversation.calls.iter().map(call));
    lines.join("\n")
}

/// `id<parent author [what is special] parts`
pub(crate) fn node(node: &Node) -> String {
    let parent = node.parent.as_ref().map(|parent| format!("<{parent}")).unwrap_or_default();
    let mut words = vec![format!("{}{parent}", node.id), node.author.to_string()];
    words.extend((node.kind != Kind::Message).then(|| format!("{:?}", node.kind).to_lowercase()));
    words.extend((node.status != Status::Sent).then(|| format!("{:?}", node.status).to_lowercase()));
    words.extend(node.role.map(|role| format!("as-{role:?}").to_lowercase()));
    words.extend(node.error.as_ref().map(|error| format!("error={error:?}")));
    for (flag, word) in [
        (node.excluded, "excluded"),
        (node.pruned, "pruned"),
        (node.bookmarked, "bookmarked"),
        (node.context_edge, "contextEdge"),
        (node.edge == Edge::Annotation, "annotation"),
    ] {
        words.extend(flag.then(|| word.to_owned()));
    }
    words.extend(node.sources.iter().map(|source| format!("{:?}={}", source.role, source.node).to_lowercase()));
    words.extend(node.edited_from.as_ref().map(|from| format!("editedFrom={from}")));
    words.extend(node.cache_marks.iter().map(|mark| format!("mark={mark}")));
    words.extend(node.parts.iter().map(part));
    words.join(" ")
}

fn part(part: &Part) -> String {
    match part {
        Part::Text(text) => format!("{:?}", text.text),
        Part::Reasoning(reasoning) => {
            let signature = reasoning.signature.as_ref().map(|signature| format!("~{signature}")).unwrap_or_default();
            format!("think({:?}{signature})", reasoning.text)
        }
        Part::ToolCall(call) => {
            let included = if call.included { "+" } else { "" };
            format!(
                "call({included}{} {} {})",
                call.id,
                call.name,
                call.args.text().split_whitespace().collect::<Vec<_>>().join(" ")
            )
        }
        Part::ToolResult(result) => {
            let included = if result.included { "+" } else { "" };
            let failed = if result.is_error { "!" } else { "" };
            let content = match &result.content {
                ResultContent::Text(text) => format!("{text:?}"),
                ResultContent::Parts(parts) => parts.iter().map(self::part).collect::<Vec<_>>().join(" "),
            };
            format!("result({included}{failed}{} {content})", result.id)
        }
        Part::Image(image) => format!("image({} {})", image.media_type, media(&image.media)),
        Part::File(file) => format!("file({:?} {} {})", file.name, file.media_type, media(&file.media)),
    }
}

fn media(media: &Media) -> &str {
    match media {
        Media::Data(data) => data,
        Media::Url(url) => url,
    }
}

/// `$ call id -> node purpose model time cost usage`, the four buckets as input+output+cacheRead+cacheWrite.
fn call(call: &Call) -> String {
    let mut words = vec![format!("$ {}", call.id)];
    words.extend(call.node.as_ref().map(|node| format!("-> {node}")));
    words.push(format!("{:?}", call.purpose).to_lowercase());
    words.extend(call.model.clone());
    words.extend(call.duration_ms.map(|ms| format!("{ms}ms")));
    words.extend(call.cost_usd.map(|cost| format!("${cost}")));
    words.extend(call.usage.map(|u| format!("{}+{}+{}+{}", u.input, u.output, u.cache_read, u.cache_write)));
    words.join(" ")
}
