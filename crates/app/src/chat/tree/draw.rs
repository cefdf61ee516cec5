//! A tree on a screen.

use super::{Place, Row, Tree};
use crate::preview::{self, cut, plain};
use crate::style::{Ink, Style};
use weftwork::model::{Entity, Kind, Node, Status};

/// Characters of an id that are shown; enough to name it as a rule.
const ID: usize = 8;

/// A line for each node, numbered from 1.
pub(crate) fn draw(tree: &Tree, entities: &[Entity], style: Style) -> String {
    let mut text = String::new();
    if tree.earlier {
        text += &style.paint(Ink::Faint, "      … what was said before");
        text.push('\n');
    }
    for (number, row) in (1..).zip(&tree.rows) {
        text += &style.paint(ink(row), &cut(&line(number, row, entities), style.width()));
        text.push('\n');
    }
    if tree.more {
        text += &style.paint(Ink::Faint, "      … and more: /switch to a branch shows what is there");
        text.push('\n');
    }
    text
}

fn ink(row: &Row) -> Ink {
    match row.place {
        Place::Head => Ink::Strong,
        Place::Path => Ink::Plain,
        Place::Beside => Ink::Faint,
    }
}

fn line(number: usize, row: &Row, entities: &[Entity]) -> String {
    let mark = match row.place {
        Place::Head => '●',
        Place::Path => '│',
        Place::Beside => ' ',
    };
    let id: String = plain(row.node.id.as_str()).chars().take(ID).collect();
    let author = entities.iter().find(|entity| entity.id == row.node.author);
    let author = author.map_or_else(|| plain(row.node.author.as_str()), |entity| plain(&entity.name));
    let sibling = match row.sibling {
        (_, 0 | 1) => String::new(),
        (at, count) => format!(" ‹{at}/{count}›"),
    };
    let indent = "  ".repeat(row.depth);
    format!("{number:>4} {mark} {indent}{id} {author}{sibling}{}: {}", signs(&row.node), preview::node(&row.node))
}

/// What is special about a node, in words.
fn signs(node: &Node) -> String {
    let kind = match node.kind {
        Kind::Message => None,
        Kind::Summary => Some("summary"),
        Kind::SummaryRequest => Some("asks for a summary"),
        Kind::Title => Some("title"),
        Kind::TitleRequest => Some("asks for a title"),
        Kind::Accounting => Some("accounting"),
    };
    let status = match node.status {
        Status::Sent => None,
        Status::Pending => Some("being written"),
        Status::Error => Some(if node.error.is_some() { "failed" } else { "stopped" }),
    };
    let flags = [
        (node.bookmarked, "bookmarked"),
        (node.pinned, "pinned"),
        (node.excluded, "excluded"),
        (node.pruned, "deleted"),
        (node.context_edge, "begins afresh"),
    ];
    let flags = flags.into_iter().filter(|(on, _)| *on).map(|(_, word)| word);
    let words: Vec<&str> = kind.into_iter().chain(status).chain(flags).collect();
    if words.is_empty() { String::new() } else { format!(" [{}]", words.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::tree::Source;
    use anyhow::Result;
    use weftwork::model::{EntityKind, NodeId};

    struct InMemory(Vec<Node>);

    impl Source for InMemory {
        fn look(&self, id: &NodeId) -> Result<Option<Node>> {
            Ok(self.0.iter().find(|node| node.id == *id).cloned())
        }
        fn beginning_with(&self, _: &str) -> Result<Vec<NodeId>> {
            Ok(Vec::new())
        }
        fn children(&self, parent: Option<&NodeId>) -> Result<Vec<Node>> {
            Ok(self.0.iter().filter(|node| node.parent.as_ref() == parent).cloned().collect())
        }
    }

    fn node(id: &str, parent: &str, author: &str, text: &str) -> Node {
        Node::new(id, (!parent.is_empty()).then(|| parent.into()), author).text(text)
    }

    fn drawn(nodes: Vec<Node>, head: &str) -> Result<String> {
        let entity = |id: &str, name: &str| Entity::new(id, name, EntityKind::Human);
        let tree = Tree::gather(&InMemory(nodes), Some(&head.into()))?;
        Ok(draw(&tree, &[entity("h", "you"), entity("a", "weft")], Style::bare(80)))
    }

    #[test]
    fn branches_stand_beside_the_path() -> Result<()> {
        let mut nodes = vec![
            node("aaaaaaaaaaaa", "", "h", "Hello"),
            node("b1", "aaaaaaaaaaaa", "a", "Hi"),
            node("c1", "b1", "h", "More"),
            node("d1", "c1", "a", "one"),
            node("d2", "c1", "a", "two"),
            node("b2", "aaaaaaaaaaaa", "a", "Good day"),
            node("e1", "b2", "h", "Thanks"),
        ];
        nodes[5].pinned = true;
        nodes[5].bookmarked = true;
        insta::assert_snapshot!(drawn(nodes, "e1")?, @r#"
           1 │ aaaaaaaa you: "Hello"
           2     b1 weft ‹1/2›: "Hi"
           3     c1 you: "More"
           4       d1 weft ‹1/2›: "one"
           5     d2 weft ‹2/2›: "two"
           6 │ b2 weft ‹2/2› [bookmarked, pinned]: "Good day"
           7 ● e1 you: "Thanks"
        "#);
        Ok(())
    }

    #[test]
    fn a_long_path_shows_its_end() -> Result<()> {
        let nodes: Vec<Node> = (0..200)
            .map(|at| node(&format!("n{at}"), &if at == 0 { String::new() } else { format!("n{}", at - 1) }, "h", "x"))
            .collect();
        let text = drawn(nodes, "n199")?;
        assert_eq!(text.lines().count(), 41, "{text}");
        assert!(text.lines().next().is_some_and(|line| line.contains("before")) && text.contains("● n199"), "{text}");
        Ok(())
    }
}
