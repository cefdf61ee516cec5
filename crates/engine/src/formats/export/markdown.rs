//! A transcript for people: the path to the head, and a list of the branches that leave it.

use super::branches::Branches;
use super::{LossReport, left_out};
use crate::model::{Conversation, Entity, Image, Json, Kind, Media, Node, Part, ResultContent, Status};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

const SAID: &[&str] = &[
    "space.name",
    "space.systemContext",
    "entities[].systemPrompt",
    "nodes[].createdAt",
    "nodes[].error",
    "nodes[].excluded",
    "nodes[].pinned",
    "nodes[].bookmarked",
];
/// Characters of a branch's first words that are shown.
const SHOWN: usize = 80;

pub(super) fn transcript(conversation: &Conversation, out: &mut String, loss: &mut LossReport) {
    left_out::conversation(conversation, SAID, loss);
    let entities = conversation.entities.iter().map(|entity| (entity.id.as_str(), entity)).collect();
    let mut page = Page { out, entities };
    let title = if conversation.space.name.is_empty() { conversation.space.id.as_str() } else { &conversation.space.name };
    page.block(&format!("# {}", one_line(title)));
    page.system(conversation);
    let branches = Branches::new(conversation, is_shown);
    let head = conversation.head.as_ref().and_then(|id| branches.place(id.as_str())).or(conversation.nodes.len().checked_sub(1));
    let path = head.map(|head| branches.path(head)).unwrap_or_default();
    for &place in &path {
        let Some(node) = conversation.nodes.get(place) else { continue };
        if is_shown(node) {
            loss.mapped("nodes", "a section of the transcript", &node.id);
            left_out::node(node, SAID, loss);
            page.node(node, loss);
        } else {
            loss.dropped("nodes", "not something said", &node.id);
        }
    }
    page.branches(conversation, &branches, &path, loss);
}

/// Whether a reader wants to see it. What was excluded or failed was said all the same.
fn is_shown(node: &Node) -> bool {
    !node.pruned && matches!(node.kind, Kind::Message | Kind::Summary)
}

struct Page<'p> {
    out: &'p mut String,
    entities: HashMap<&'p str, &'p Entity>,
}

impl Page<'_> {
    /// Adds a block, with a blank line before it.
    fn block(&mut self, text: &str) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out.push_str(text.trim_end_matches('\n'));
        self.out.push('\n');
    }

    fn system(&mut self, conversation: &Conversation) {
        let prompts =
            conversation.entities.iter().filter_map(|entity| Some((entity.name.as_str(), entity.system_prompt.as_deref()?)));
        let space = Some(("this space", conversation.space.system_context.as_str())).filter(|(_, text)| !text.is_empty());
        let texts: Vec<_> = prompts.chain(space).collect();
        for (whose, text) in texts {
            self.block(&format!("System text of {}:", one_line(whose)));
            self.block(&quoted(text));
        }
    }

    fn node(&mut self, node: &Node, loss: &mut LossReport) {
        self.block(&self.heading(node));
        for part in &node.parts {
            self.part(part, node, loss);
        }
        match (node.status, &node.error) {
            (Status::Error, Some(error)) => self.block(&format!("*Failed: {}*", one_line(error))),
            (Status::Error, None) => self.block("*Stopped.*"),
            (Status::Pending, _) => self.block("*Not sent.*"),
            (Status::Sent, _) => {}
        }
    }

    fn heading(&self, node: &Node) -> String {
        let name = self.entities.get(node.author.as_str()).map_or(node.author.as_str(), |entity| entity.name.as_str());
        let mut heading = format!("## {}", one_line(name));
        if let Some(time) = &node.created_at {
            let _ = write!(heading, " · {time}");
        }
        let marks = [
            ("summary", node.kind == Kind::Summary),
            ("excluded", node.excluded),
            ("pinned", node.pinned),
            ("bookmarked", node.bookmarked),
        ];
        for (mark, _) in marks.iter().filter(|(_, is_set)| *is_set) {
            let _ = write!(heading, " · {mark}");
        }
        heading
    }

    fn part(&mut self, part: &Part, node: &Node, loss: &mut LossReport) {
        match part {
            Part::Text(text) => self.block(&text.text),
            Part::Reasoning(reasoning) if reasoning.text.is_empty() => {
                loss.dropped("nodes[].parts[] reasoning", "nothing of it can be read", &node.id);
            }
            Part::Reasoning(reasoning) => self.block(&quoted(&reasoning.text)),
            Part::ToolCall(call) => {
                self.block(&format!("Call of `{}` ({}):", one_line(&call.name), one_line(&call.id)));
                self.block(&fenced(args(&call.args).as_ref(), "json"));
            }
            Part::ToolResult(result) => {
                let word = if result.is_error { "Error" } else { "Result" };
                self.block(&format!("{word} ({}):", one_line(&result.id)));
                match &result.content {
                    ResultContent::Text(text) => self.block(&fenced(text, "")),
                    ResultContent::Parts(parts) => parts.iter().for_each(|part| self.part(part, node, loss)),
                }
            }
            Part::Image(Image { media: Media::Url(url), .. }) => self.block(&format!("![image](<{}>)", one_line(url))),
            Part::Image(image) => {
                loss.dropped("nodes[].parts[] image", "its bytes are not in the transcript", &node.id);
                self.block(&format!("*[{}]*", one_line(&image.media_type)));
            }
            Part::File(file) => {
                let link = match &file.media {
                    Media::Url(url) => format!("[{}](<{}>)", one_line(&file.name), one_line(url)),
                    Media::Data(_) => {
                        loss.dropped("nodes[].parts[] file", "its bytes are not in the transcript", &node.id);
                        format!("*[{}: {}]*", one_line(&file.media_type), one_line(&file.name))
                    }
                };
                self.block(&link);
            }
        }
    }

    /// A line for each branch that is not the one shown.
    fn branches(&mut self, conversation: &Conversation, branches: &Branches<'_>, path: &[usize], loss: &mut LossReport) {
        let shown: HashSet<usize> = path.iter().copied().collect();
        let others: Vec<usize> = branches.leaves().filter(|leaf| !shown.contains(leaf)).collect();
        if others.is_empty() {
            return;
        }
        self.block("## Branches");
        let mut list = String::new();
        for leaf in others {
            let own: Vec<usize> = branches.path(leaf).into_iter().filter(|place| !shown.contains(place)).collect();
            let Some(first) = own.first().and_then(|&place| conversation.nodes.get(place)) else { continue };
            let after = first.parent.as_ref().map_or_else(|| "the beginning".to_owned(), |parent| format!("`{parent}`"));
            let count = if own.len() == 1 { "1 node".to_owned() } else { format!("{} nodes", own.len()) };
            let _ = writeln!(list, "- after {after}, {count}: {}", first_words(first));
            loss.dropped("branches", "only their first words are in the transcript", &first.id);
        }
        self.block(&list);
    }
}

fn first_words(node: &Node) -> String {
    let text = node.parts.iter().find_map(|part| match part {
        Part::Text(text) => Some(one_line(&text.text)),
        _ => None,
    });
    let text = text.unwrap_or_default();
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n")
}

fn args(args: &Json) -> String {
    args.as_string().unwrap_or_else(|| args.text().to_owned())
}

/// A fenced block, its fence longer than any run of backticks inside.
fn fenced(text: &str, language: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}", text.trim_end_matches('\n'))
}
