//! What a person does in a chat: say, retry, edit, let go on, ask for several, switch, flag.

use super::branch::{is_question, question};
use super::undo::Act;
use super::{Chat, How, Replied, Say};
use crate::error::GatewayError;
use crate::event::{Event, Live};
use weftwork::ask::Errors;
use weftwork::decode::Stop;
use weftwork::model::{Kind, Node, NodeId, Part, Status, Timestamp};
use weftwork_store::{Appended, Draft, Flag, MoveHead, Parent};

/// How many replies can be asked for at once.
const MOST_AT_ONCE: u64 = 10;
const NOTHING_SAID: &str = "nothing was said yet";

impl Chat {
    /// Says something and gets a reply. Where a space sums up by itself and is full enough, it does so before.
    pub async fn say(&self, say: Say, how: &How, live: &Live) -> Result<Replied, GatewayError> {
        say.is_something()?;
        // A model that is not there is told of before anything is said.
        self.target(&self.header().await?, how)?;
        if !say.afresh {
            self.summarize_if_due(&say, how, live).await?;
        }
        let before = self.head().await?;
        let added = self.put(say, live).await?;
        if added.repeated
            && let Some(node) = self.answer_to(&added.node.id).await?
        {
            return Ok(Replied { node, stop: Stop::End });
        }
        self.remember(Act::Head(before));
        // A head on a message follows its first reply; whoever spoke meanwhile keeps theirs.
        self.reply_to(added.node.id, MoveHead::Nobody, how, live).await
    }

    /// Says something that nobody is to answer.
    pub async fn write(&self, say: Say, live: &Live) -> Result<Node, GatewayError> {
        say.is_something()?;
        let before = self.head().await?;
        let added = self.put(say, live).await?;
        if !added.repeated {
            self.remember(Act::Head(before));
        }
        Ok(added.node)
    }

    /// Adds what a person says at the head.
    async fn put(&self, say: Say, live: &Live) -> Result<Appended, GatewayError> {
        let mut node = Node::new("", None, self.person.clone());
        (node.parts, node.context_edge) = (say.parts, say.afresh);
        self.add(Draft { node, parent: self.at_head(), head: self.moves(), key: say.key }, live).await
    }

    /// Asks for a reply again, as a sibling: for the last one if none is named.
    pub async fn retry(&self, reply: Option<&NodeId>, how: &How, live: &Live) -> Result<Replied, GatewayError> {
        let head = self.need_head(NOTHING_SAID).await?;
        let asked = self.question_of(reply.unwrap_or(&head)).await?;
        self.remember(Act::Head(Some(head)));
        self.reply_to(asked, self.moves(), how, live).await
    }

    /// Says something otherwise, as a sibling, and gets a reply to it. What an agent said is said otherwise and waits for
    /// the person; a summary gets a new version, which stands for the same.
    pub async fn edit(&self, id: &NodeId, parts: Vec<Part>, how: &How, live: &Live) -> Result<Replied, GatewayError> {
        let added = self.reword(id, parts, live).await?;
        if added.kind == Kind::Message && self.asks(&added.id).await? {
            self.reply_to(added.id, self.moves(), how, live).await
        } else {
            Ok(Replied { node: added, stop: Stop::End })
        }
    }

    /// Says something otherwise, as a sibling that nobody is to answer.
    pub async fn reword(&self, id: &NodeId, parts: Vec<Part>, live: &Live) -> Result<Node, GatewayError> {
        if parts.is_empty() {
            return Err(GatewayError::NothingThere { what: "there is nothing to say" });
        }
        let old = self.node(id).await?;
        let before = self.head().await?;
        let mut node = Node::new("", None, self.person.clone());
        (node.parts, node.kind, node.edge, node.edited_from) = (parts, old.kind, old.edge, Some(old.id.clone()));
        let parent = match old.kind {
            Kind::Message => {
                (node.context_edge, node.sources, node.reply_to) = (old.context_edge, old.sources.clone(), old.reply_to.clone());
                old.parent.clone().map_or(Parent::Root, Parent::Node)
            }
            Kind::Summary if self.checkpoint().await?.is_none_or(|holds| holds.id != old.id) => {
                return Err(GatewayError::WrongNode {
                    node: old.id,
                    why: "is not the summary that holds here: switch to it first",
                });
            }
            Kind::Summary => {
                node.covers = Some(old.covers.clone().unwrap_or_else(|| old.id.clone()));
                self.at_head()
            }
            Kind::SummaryRequest | Kind::Title | Kind::TitleRequest | Kind::Accounting => {
                return Err(GatewayError::WrongNode { node: old.id, why: "is not something said: it cannot be edited" });
            }
        };
        let added = self.add(Draft { node, parent, head: self.moves(), key: None }, live).await?.node;
        match old.kind {
            Kind::Summary => self.remember(Act::Summary(added.id.clone())),
            _ => self.remember(Act::Head(before)),
        }
        Ok(added)
    }

    /// Lets the agent go on from where the conversation is. What broke off is shown to it as far as it came.
    pub async fn go_on(&self, how: &How, live: &Live) -> Result<Replied, GatewayError> {
        let head = self.need_head(NOTHING_SAID).await?;
        let mut how = how.clone();
        if self.node(&head).await?.status == Status::Error {
            how.settings.errors = Some(Errors::Note);
        }
        self.remember(Act::Head(Some(head.clone())));
        self.reply_to(head, self.moves(), &how, live).await
    }

    /// Asks for several replies to the last message at once, each in its own way: from 1 to 10. The head goes to the first,
    /// unless it was moved elsewhere meanwhile. If none could begin, why the first could not.
    pub async fn generate(&self, ways: &[How], live: &Live) -> Result<Vec<Result<Replied, GatewayError>>, GatewayError> {
        let given = ways.len() as u64;
        if given == 0 || given > MOST_AT_ONCE {
            return Err(GatewayError::OutOfRange { what: "the number of replies", least: 1, most: MOST_AT_ONCE, given });
        }
        let head = self.need_head(NOTHING_SAID).await?;
        let asked = self.place_of_reply(&head).await?;
        let going = ways.iter().map(|how| self.reply_to(asked.clone(), MoveHead::Nobody, how, live));
        let replies = futures_util::future::join_all(going).await;
        let good = |reply: &&Replied| reply.node.status == Status::Sent;
        let mut came = replies.iter().filter_map(|reply| reply.as_ref().ok());
        let first = came.clone().find(good).or_else(|| came.next()).map(|reply| reply.node.id.clone());
        // None began: then why the first did not.
        let Some(first) = first else { return replies.into_iter().map(|reply| reply.map(Ok)).collect() };
        let now = self.head().await?;
        if now.as_ref().is_some_and(|now| *now == head || came_with(&replies, now)) {
            self.move_head(&first).await?;
        }
        self.remember(Act::Head(Some(head)));
        Ok(replies)
    }

    /// Goes to the branch that runs through a node, to its newest end.
    pub async fn switch(&self, node: &NodeId) -> Result<NodeId, GatewayError> {
        let before = self.head().await?;
        let (space, through) = (self.space.clone(), node.clone());
        let tip = self.gateway.stored(move |store| store.tip_below(&space, &through)).await?;
        self.move_head(&tip).await?;
        self.remember(Act::Head(before));
        Ok(tip)
    }

    /// Sets or clears a flag.
    pub async fn flag(&self, node: &NodeId, flag: Flag, on: bool) -> Result<Node, GatewayError> {
        let was = has(&self.node(node).await?, flag);
        let changed = self.set_flag(node, flag, on).await?;
        if was != on {
            self.remember(Act::Flag { node: node.clone(), flag, was });
        }
        Ok(changed)
    }

    pub(super) async fn set_flag(&self, node: &NodeId, flag: Flag, on: bool) -> Result<Node, GatewayError> {
        let (space, node, now) = (self.space.clone(), node.clone(), self.gateway.now());
        self.gateway.stored(move |store| store.set_flag(&space, &node, flag, on, now)).await
    }

    pub(super) async fn move_head(&self, to: &NodeId) -> Result<(), GatewayError> {
        let (space, viewer, to) = (self.space.clone(), self.viewer(), to.clone());
        self.gateway.stored(move |store| store.move_head(&space, viewer.as_ref(), &to, None)).await
    }

    pub(crate) async fn add(&self, mut draft: Draft, live: &Live) -> Result<Appended, GatewayError> {
        let (space, now) = (self.space.clone(), self.gateway.now());
        draft.node.created_at = Timestamp::from_millis(now);
        let said = self.gateway.stored(move |store| store.say(&space, &draft, now)).await?;
        if !said.resumed.is_empty() {
            self.gateway.hint();
        }
        if !said.message.repeated {
            live.tell(Event::Added(said.message.node.clone())).await;
        }
        Ok(said.message)
    }

    /// One node.
    pub async fn node(&self, id: &NodeId) -> Result<Node, GatewayError> {
        let (space, id) = (self.space.clone(), id.clone());
        self.gateway.stored(move |store| store.node(&space, &id)).await
    }

    /// Whether somebody else than the agent speaks in a node.
    async fn asks(&self, id: &NodeId) -> Result<bool, GatewayError> {
        let (space, agent, id) = (self.space.clone(), self.agent.clone(), id.clone());
        self.gateway.stored(move |store| is_question(store, &space, &agent, &store.node(&space, &id)?)).await
    }

    /// The message that a node answers, or is.
    async fn question_of(&self, from: &NodeId) -> Result<NodeId, GatewayError> {
        let (space, agent, from) = (self.space.clone(), self.agent.clone(), from.clone());
        let found = self.gateway.stored(move |store| question(store, &space, &agent, from)).await?;
        found.ok_or(GatewayError::NothingThere { what: "there is no message to reply to" })
    }

    /// What several replies hang on: the last message, or in a text the text so far.
    async fn place_of_reply(&self, head: &NodeId) -> Result<NodeId, GatewayError> {
        match self.header().await?.space.mode {
            weftwork::model::Mode::Dialogue => self.question_of(head).await,
            weftwork::model::Mode::Buffer => Ok(head.clone()),
        }
    }

    /// The end of what was replied to a message, if anything was.
    pub(crate) async fn answer_to(&self, message: &NodeId) -> Result<Option<Node>, GatewayError> {
        let (space, message) = (self.space.clone(), message.clone());
        let answer = move |store: &weftwork_store::Store| {
            let tip = store.tip_below(&space, &message)?;
            if tip == message { Ok(None) } else { store.node(&space, &tip).map(Some) }
        };
        self.gateway.stored(answer).await
    }
}

fn has(node: &Node, flag: Flag) -> bool {
    match flag {
        Flag::Excluded => node.excluded,
        Flag::Pruned => node.pruned,
        Flag::Pinned => node.pinned,
        Flag::Bookmarked => node.bookmarked,
        Flag::ContextEdge => node.context_edge,
    }
}

/// Whether a node is one of these replies: a head follows the first of them by itself.
fn came_with(replies: &[Result<Replied, GatewayError>], node: &NodeId) -> bool {
    replies.iter().any(|reply| reply.as_ref().is_ok_and(|reply| reply.node.id == *node))
}

impl Say {
    /// Whether there is anything in it.
    fn is_something(&self) -> Result<(), GatewayError> {
        if self.parts.is_empty() { Err(GatewayError::NothingThere { what: "there is nothing to say" }) } else { Ok(()) }
    }
}
