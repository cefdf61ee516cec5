//! Working the tree with words of one's own: respond, annotate, edit; and marking it: link, bookmark, prune, restore.

use super::arguments::Arguments;
use super::{LoomTurn, Refused};
use weftwork::model::{Edge, Kind, Link, Node, NodeId, Part, Status};
use weftwork::timeline::Encoded;
use weftwork_store::{Draft, Flag, LocalId, MoveHead, Parent, Spot};

/// Versions of a text that are looked back through: a file may name them in a circle.
const MOST_EDITS: usize = 64;

impl LoomTurn {
    pub(super) async fn respond(&self, arguments: &Arguments) -> Result<String, Refused> {
        let on = self.spot(arguments.node()).await?;
        goes_on(&on)?;
        let node = self.words(arguments)?;
        let added = self.add(node, Parent::Node(on.node.id.clone())).await?;
        self.trace(format!("responded to {} as {added}", on.local)).await;
        Ok(format!("Added as {added}, below {}.", on.local))
    }

    pub(super) async fn annotate(&self, arguments: &Arguments) -> Result<String, Refused> {
        let on = self.spot(arguments.node()).await?;
        let node = Node { edge: Edge::Annotation, ..self.words(arguments)? };
        let added = self.add(node, Parent::Node(on.node.id.clone())).await?;
        self.trace(format!("annotated {} as {added}", on.local)).await;
        Ok(format!("Added as {added}, a remark on {}.", on.local))
    }

    pub(super) async fn edit(&self, arguments: &Arguments) -> Result<String, Refused> {
        let old = self.spot(arguments.node()).await?;
        let wrong = |why| Err(Refused::WrongNode { node: old.local.to_string(), why });
        let says = old.node.parts.iter().any(|part| matches!(part, Part::Text(_)));
        match (old.node.kind, old.node.status) {
            (_, Status::Pending) => return wrong("is still being written"),
            (Kind::Message, Status::Sent | Status::Error) if says => {}
            (Kind::Message, Status::Sent | Status::Error) => return wrong("holds no text"),
            (Kind::Summary | Kind::SummaryRequest | Kind::Title | Kind::TitleRequest | Kind::Accounting, _) => {
                return wrong("is nothing that was said");
            }
        }
        // A version keeps the voice of what it is a version of: an agent that edits others would speak in their name.
        if self.voice(&old.node).await? != *self.agent() {
            return wrong("was said by somebody else: respond to it, or annotate it");
        }
        let mut node = self.words(arguments)?;
        (node.edge, node.edited_from) = (old.node.edge, Some(old.node.id.clone()));
        let parent = old.node.parent.clone().map_or(Parent::Root, Parent::Node);
        let added = self.add(node, parent).await?;
        self.trace(format!("edited {} as {added}", old.local)).await;
        Ok(format!("Added as {added}, a version beside {}.", old.local))
    }

    /// Whose words a node holds.
    async fn voice(&self, node: &Node) -> Result<weftwork::model::EntityId, Refused> {
        let mut said = node.clone();
        for _ in 0..MOST_EDITS {
            let Some(from) = said.edited_from.clone() else { break };
            said = self.stored(move |store, space, _| store.node(space, &from)).await?;
        }
        Ok(said.author)
    }

    /// A new node with the words of a call.
    fn words(&self, arguments: &Arguments) -> Result<Node, Refused> {
        let text = arguments.need("text", "Say something: the text is empty.")?;
        let mut node = Node::new("", None, self.agent().clone()).text(text);
        node.created_at = self.gateway().timestamp();
        Ok(node)
    }

    /// Adds a node. No head follows it, but one that stands at the end of that branch, as when anybody speaks there.
    async fn add(&self, node: Node, parent: Parent) -> Result<LocalId, Refused> {
        self.take_added()?;
        let draft = Draft { node, parent, head: MoveHead::Nobody, key: None };
        let added = self.stored(move |store, space, _| store.append(space, draft)).await?;
        Ok(LocalId::of(added.seq))
    }

    pub(super) async fn link(&self, arguments: &Arguments) -> Result<String, Refused> {
        let from = self.spot(Some(arguments.need("from", "Say which node the link begins at.")?)).await?;
        let to = self.spot(Some(arguments.need("to", "Say which node the link ends at.")?)).await?;
        if from.local == to.local {
            return Err(Refused::WrongNode { node: from.local.to_string(), why: "cannot be linked to itself" });
        }
        let kind = arguments.link_kind();
        let told = format!("{} {} {}", from.local, kind.word(), to.local);
        let (begin, end) = (from.node.id, to.node.id);
        if arguments.is_set("remove") {
            let was = self.stored(move |store, space, _| store.remove_link(space, &begin, &end, kind)).await?;
            return match was {
                true => {
                    self.trace(format!("removed the link {told}")).await;
                    Ok(format!("The link is gone: {told}."))
                }
                false => Err(Refused::Missing { what: "There is no such link." }),
            };
        }
        let reason = arguments.need("reason", "Say why they are linked: give a reason.")?.to_owned();
        let (author, created_at) = (self.agent().clone(), self.gateway().timestamp());
        let link = Link { from: begin, to: end, kind, reason, author, created_at };
        self.stored(move |store, space, _| store.put_link(space, &link)).await?;
        self.trace(format!("linked {told}")).await;
        Ok(format!("Linked: {told}."))
    }

    pub(super) async fn bookmark(&self, arguments: &Arguments) -> Result<String, Refused> {
        let spot = self.spot(arguments.node()).await?;
        let (id, local) = (spot.node.id, spot.local);
        if arguments.is_set("remove") {
            let was = self.stored(move |store, space, _| store.remove_bookmark(space, &id)).await?;
            self.trace(format!("took the bookmark from {local}")).await;
            return Ok(format!("{local} {}.", if was { "is no longer bookmarked" } else { "was not bookmarked" }));
        }
        let name = arguments.need("name", "Give the bookmark a name.")?.to_owned();
        let (kept, told) = (name.clone(), Encoded::quoted(&name).to_string());
        self.stored(move |store, space, _| store.put_bookmark(space, &id, &kept)).await?;
        self.trace(format!("bookmarked {local}: {name}")).await;
        Ok(format!("{local} is bookmarked as {told}."))
    }

    pub(super) async fn prune(&self, arguments: &Arguments) -> Result<String, Refused> {
        let spot = self.spot(arguments.node()).await?;
        let wrong = |why| Err(Refused::WrongNode { node: spot.local.to_string(), why });
        if spot.node.status == Status::Pending {
            return wrong("is still being written");
        }
        if self.carries(&spot.node.id).await? {
            return wrong("carries the conversation: what people are reading cannot be pruned");
        }
        self.flag(&spot, true).await?;
        self.trace(format!("pruned {}", spot.local)).await;
        Ok(format!("{} is pruned. loom_restore brings it back.", spot.local))
    }

    pub(super) async fn restore(&self, arguments: &Arguments) -> Result<String, Refused> {
        let spot = self.spot(arguments.node()).await?;
        let wrong = |why| Err(Refused::WrongNode { node: spot.local.to_string(), why });
        if spot.node.purged {
            return wrong("was taken out for good");
        }
        if !spot.node.pruned {
            return wrong("is not pruned");
        }
        self.flag(&spot, false).await?;
        self.trace(format!("restored {}", spot.local)).await;
        Ok(format!("{} is back.", spot.local))
    }

    async fn flag(&self, spot: &Spot, on: bool) -> Result<(), Refused> {
        let (id, now) = (spot.node.id.clone(), self.gateway().now());
        self.stored(move |store, space, _| store.set_flag(space, &id, Flag::Pruned, on, now)).await.map(drop)
    }

    /// Whether the conversation stands on a node, or this very turn does.
    async fn carries(&self, node: &NodeId) -> Result<bool, Refused> {
        let (node, at) = (node.clone(), self.at().clone());
        self.stored(move |store, space, _| {
            let tip = store.tip_below(space, &at)?;
            Ok(store.is_on_path(space, &node, &at)? || store.is_on_path(space, &node, &tip)?)
        })
        .await
    }
}

/// Whether something can go on from a node.
pub(super) fn goes_on(spot: &Spot) -> Result<(), Refused> {
    let node = &spot.node;
    let calls = node.parts.iter().any(|part| matches!(part, Part::ToolCall(call) if call.native.is_none()));
    let why = match (node.kind, node.status, node.edge) {
        (_, Status::Pending, _) => "is still being written",
        (_, Status::Error, _) => "broke off: go on from what it hangs on",
        (_, _, Edge::Annotation) => "is a remark: nothing goes on from it",
        (Kind::Message, Status::Sent, Edge::Continuation) if calls => "calls tools: their results come after it",
        (Kind::Message | Kind::Summary, Status::Sent, Edge::Continuation) => return Ok(()),
        (Kind::SummaryRequest | Kind::Title | Kind::TitleRequest | Kind::Accounting, _, _) => "is nothing that was said",
    };
    Err(Refused::WrongNode { node: spot.local.to_string(), why })
}
