//! Titles. The request and the title hang beside the conversation, as a remark on the reply they were made after: they are
//! kept and never sent, and whoever speaks meanwhile is not in their way.

use super::call::Slot;
use super::terms::Errand;
use super::{Chat, How};
use crate::error::{GatewayError, Unusable};
use crate::event::{Event, Live, Notice};
use std::sync::atomic::Ordering;
use weftwork::model::{Edge, Kind, Node, Part};
use weftwork_store::MoveHead;

const REQUEST: &str = "Give our conversation a title of three to seven words, in the language of the conversation. Do not call \
    tools. Answer with the title alone, without quotation marks.";
/// Characters of a name.
const LONGEST: usize = 80;

impl Chat {
    /// Gives the conversation a title, and the space its name.
    pub async fn title(&self, live: &Live) -> Result<Node, GatewayError> {
        let head = self.need_head("nothing was said yet that could have a title").await?;
        let errand = Errand::Title { request: REQUEST.to_owned() };
        let request = self.add_request(Kind::TitleRequest, REQUEST.to_owned(), Edge::Annotation, head, live).await?;
        let slot = Slot { parent: request.id, edge: Edge::Continuation, head: MoveHead::Nobody };
        let said = self.call(&errand, slot, &How::default(), live).await?;
        let name = name(&said.node).ok_or(GatewayError::BadTitle(Unusable::Empty))?;
        self.change_space(|header| header.space.name = name).await?;
        Ok(said.node)
    }

    /// Gives it a title if it has none and its space wants one by itself. That is tried once since the chat was opened: a
    /// model that gives no title would be asked, and paid, after every reply.
    pub async fn title_if_due(&self, live: &Live) -> Result<Option<Node>, GatewayError> {
        let header = self.header().await?;
        let wanted = header.space.settings.auto_title.or(self.gateway.settings.auto_title).unwrap_or(true);
        if !wanted || !header.space.name.is_empty() || self.head().await?.is_none() || self.titled.swap(true, Ordering::Relaxed) {
            return Ok(None);
        }
        match self.title(live).await {
            Err(error @ (GatewayError::BadTitle(_) | GatewayError::Send { .. })) => {
                live.tell(Event::Notice(Notice::NoTitle { why: error.to_string() })).await;
                Ok(None)
            }
            title => title.map(Some),
        }
    }
}

/// What a space is called after a title: its first line, without the marks that models put around it.
fn name(title: &Node) -> Option<String> {
    let texts = title.parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(text.text.as_str()) } else { None });
    let text: String = texts.collect();
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let line = line.trim_start_matches('#').trim();
    let line = line.strip_prefix("Title:").unwrap_or(line);
    let bare = line.trim_matches(|c: char| c.is_whitespace() || "\"'“”„«»*_`".contains(c));
    let name: String = bare.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_title_without_its_dress() {
        for (said, expected) in [
            ("Shade trees", Some("Shade trees")),
            ("\n\n  # \"Shade trees\"\nand more", Some("Shade trees")),
            ("Title: **Bees**", Some("Bees")),
            ("„Bienen im Winter“", Some("Bienen im Winter")),
            ("  \n ", None),
            ("\"\"", None),
        ] {
            assert_eq!(name(&Node::new("n", None, "a").text(said)).as_deref(), expected, "{said:?}");
        }
    }
}
