//! A chat at a server: what is said and done there, and what its events tell.

use super::ask::{Body, Request, query};
use super::server::{Card, Server};
use super::spaces::Said;
use anyhow::{Result, anyhow};
use reqwest::{Method, Response, header};
use serde::Deserialize;
use serde_json::{Value, json};
use weftwork::model::{Edge, Entity, EntityId, EntityKind, Kind, Node, NodeId, Purpose, Space, SpaceId, Status, Usage};
use weftwork::report::Budget;
use weftwork_gateway::tools::Decision;
use weftwork_gateway::{Figures, How, Used};
use weftwork_store::{Cost, Flag};

/// Nodes of a tree that are asked for at a time.
const PAGE: usize = 10_000;

/// A space in which somebody talks.
pub(crate) struct Room {
    pub(crate) space: SpaceId,
    pub(crate) name: String,
    /// The agent that replies, if only one belongs to it.
    pub(crate) agent: Option<Entity>,
    pub(crate) members: Vec<Entity>,
}

#[derive(Deserialize)]
struct ShownRoom {
    space: Space,
    members: Vec<Card>,
    moment: String,
}

impl From<ShownRoom> for Room {
    fn from(shown: ShownRoom) -> Room {
        let members: Vec<Entity> = shown.members.into_iter().map(Entity::from).collect();
        let mut agents = members.iter().filter(|member| member.kind == EntityKind::Agent);
        let agent = agents.next().filter(|_| agents.next().is_none()).cloned();
        Room { space: shown.space.id, name: shown.space.name, agent, members }
    }
}

/// A model that can be asked.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownModel {
    pub(crate) id: String,
    pub(crate) context_length: Option<u64>,
}

impl ShownModel {
    /// Whether it is called so, by its whole name or by its bare one.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.id == name || self.id.split_once('/').is_some_and(|(_, bare)| bare == name)
    }
}

#[derive(Deserialize)]
struct Models {
    models: Vec<ShownModel>,
}

#[derive(Deserialize)]
struct BegunNodes {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Posted {
    message: Said,
    reply: Option<NodeId>,
}

#[derive(Deserialize)]
struct Head {
    node: Option<NodeId>,
}

#[derive(Deserialize)]
struct Stretch {
    nodes: Vec<Said>,
}

#[derive(Deserialize)]
struct Outlines {
    nodes: Vec<Glance>,
}

#[derive(Deserialize)]
struct Glance {
    id: NodeId,
    parent: Option<NodeId>,
    seq: i64,
    author: EntityId,
    kind: Kind,
    status: Status,
    edge: Edge,
    flags: Vec<String>,
    text: String,
}

impl From<Glance> for Node {
    fn from(glance: Glance) -> Node {
        let Glance { id, parent, author, kind, status, edge, flags, text, .. } = glance;
        let has = |word: &str| flags.iter().any(|flag| flag == word);
        let node = Node::new(id, parent, author).text(text);
        let (excluded, pruned, pinned) = (has("excluded"), has("pruned"), has("pinned"));
        Node {
            kind,
            status,
            edge,
            excluded,
            pruned,
            pinned,
            bookmarked: has("bookmarked"),
            context_edge: has("contextEdge"),
            ..node
        }
    }
}

#[derive(Deserialize)]
struct Calls {
    calls: Vec<ShownCall>,
}

/// A request to a model.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownCall {
    id: String,
    purpose: Purpose,
    node: Option<NodeId>,
    usage: Option<Usage>,
    estimated: bool,
    cost_usd: Option<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownFigures {
    window: u64,
    next: Option<u64>,
    context_length: u64,
}

/// What would be sent.
#[derive(Deserialize)]
pub(crate) struct Assembled {
    pub(crate) model: String,
    pub(crate) report: Weighed,
}

/// Where the window goes, and what becomes of each node.
#[derive(Deserialize)]
pub(crate) struct Weighed {
    pub(crate) budget: Budget,
    pub(crate) items: Vec<Weight>,
}

/// What becomes of a node, or of several.
#[derive(Deserialize)]
pub(crate) struct Weight {
    pub(crate) node: Option<NodeId>,
    pub(crate) from: Option<NodeId>,
    pub(crate) nodes: Option<u64>,
    pub(crate) decision: String,
    pub(crate) reason: String,
    pub(crate) tokens: u64,
}

/// How a reply is made, as the API has it.
fn written(how: &How) -> Value {
    let mut body = json!({});
    if let Some(model) = &how.model {
        body["model"] = json!(model);
    }
    if let Some(sampling) = &how.sampling {
        body["sampling"] = json!(sampling);
    }
    if let Some(most) = how.max_tokens {
        body["maxTokens"] = json!(most);
    }
    body
}

impl Server {
    /// A space to talk in.
    pub(crate) fn room(&self, space: &SpaceId) -> Result<Room> {
        Ok(self.get::<ShownRoom>(&["spaces", space.as_str()], Vec::new())?.into())
    }

    /// A new chat, with an agent of its own.
    pub(crate) fn new_room(&self, model: Option<&str>, system: Option<&str>) -> Result<Room> {
        let mut agent = json!({});
        if let Some(model) = model {
            agent["model"] = json!(model);
        }
        if let Some(system) = system {
            agent["systemPrompt"] = json!(system);
        }
        Ok(self.act::<ShownRoom>(Method::POST, &["spaces"], json!({"agent": agent}))?.into())
    }

    /// The models that can be asked there.
    pub(crate) fn models(&self) -> Result<Vec<ShownModel>> {
        Ok(self.get::<Models>(&["models"], Vec::new())?.models)
    }

    /// Says something, and gets a reply.
    pub(crate) fn say(&self, space: &SpaceId, text: &str, afresh: bool, how: &How) -> Result<(Node, Option<NodeId>)> {
        let body = json!({"text": text, "afresh": afresh, "answer": "reply", "how": written(how)});
        let posted: Posted = self.act(Method::POST, &["spaces", space.as_str(), "messages"], body)?;
        Ok((posted.message.node, posted.reply))
    }

    /// Asks for a reply again.
    pub(crate) fn ask_again(&self, space: &SpaceId, node: &NodeId, how: &How) -> Result<Vec<Node>> {
        self.begin(&["spaces", space.as_str(), "nodes", node.as_str(), "retry"], json!({"how": written(how)}))
    }

    /// Says something otherwise.
    pub(crate) fn edit(&self, space: &SpaceId, node: &NodeId, parts: &Value, how: &How) -> Result<Vec<Node>> {
        let body = json!({"parts": parts, "how": written(how)});
        self.begin(&["spaces", space.as_str(), "nodes", node.as_str(), "edit"], body)
    }

    /// Lets the agent go on.
    pub(crate) fn go_on(&self, space: &SpaceId, how: &How) -> Result<Vec<Node>> {
        self.begin(&["spaces", space.as_str(), "continue"], json!({"how": written(how)}))
    }

    /// Asks for several replies.
    pub(crate) fn generate(&self, space: &SpaceId, ways: &[How]) -> Result<Vec<Node>> {
        let ways: Vec<Value> = ways.iter().map(written).collect();
        self.begin(&["spaces", space.as_str(), "generate"], json!({"ways": ways}))
    }

    /// Sums up.
    pub(crate) fn sum_up(&self, space: &SpaceId, keep: u32) -> Result<Vec<Node>> {
        self.begin(&["spaces", space.as_str(), "summaries"], json!({"keep": keep}))
    }

    /// Asks for a title.
    pub(crate) fn entitle(&self, space: &SpaceId) -> Result<Vec<Node>> {
        let path = ["spaces", space.as_str(), "titles"];
        let bytes = self.ask(&Request { method: Method::POST, path: &path, query: Vec::new(), body: Body::Nothing })?;
        Ok(serde_json::from_slice::<BegunNodes>(&bytes)?.nodes)
    }

    fn begin(&self, path: &[&str], body: Value) -> Result<Vec<Node>> {
        Ok(self.act::<BegunNodes>(Method::POST, path, body)?.nodes)
    }

    /// Stops a reply.
    pub(crate) fn stop_reply(&self, space: &SpaceId, node: &NodeId) -> Result<()> {
        self.act_only(Method::POST, &["spaces", space.as_str(), "nodes", node.as_str(), "stop"], Body::Nothing)
    }

    /// Answers whether a tool may run.
    pub(crate) fn permit(&self, space: &SpaceId, call: &str, decision: Decision) -> Result<()> {
        let (allow, always) = match decision {
            Decision::Once => (true, false),
            Decision::Always => (true, true),
            Decision::Refuse => (false, false),
            Decision::Never => (false, true),
        };
        let body = Body::Json(json!({"allow": allow, "always": always}));
        self.act_only(Method::PUT, &["spaces", space.as_str(), "permissions", call], body)
    }

    /// Where one's path ends.
    pub(crate) fn head(&self, space: &SpaceId) -> Result<Option<NodeId>> {
        Ok(self.get::<Head>(&["spaces", space.as_str(), "head"], Vec::new())?.node)
    }

    /// Goes to the newest end of the branch through a node. Whoever talks alone with agents has the head of the space.
    pub(crate) fn switch(&self, room: &Room, node: &NodeId) -> Result<()> {
        let people = room.members.iter().filter(|member| member.kind == EntityKind::Human).count();
        let body = json!({"node": node, "tip": true, "default": people == 1});
        self.act::<Head>(Method::PUT, &["spaces", room.space.as_str(), "head"], body).map(drop)
    }

    /// The newest nodes of one's path, oldest first.
    pub(crate) fn path(&self, space: &SpaceId, most: usize) -> Result<Vec<Node>> {
        let found: Stretch = self.get(&["spaces", space.as_str(), "path"], query([("limit", Some(most.to_string()))]))?;
        Ok(found.nodes.into_iter().map(|said| said.node).collect())
    }

    /// Every node at a glance.
    pub(crate) fn outline(&self, space: &SpaceId) -> Result<Vec<Node>> {
        let (mut all, mut after) = (Vec::new(), 0);
        loop {
            let page: Outlines = self.get(&["spaces", space.as_str(), "tree"], query([("after", Some(after.to_string()))]))?;
            let full = page.nodes.len() == PAGE;
            after = page.nodes.last().map_or(after, |node| node.seq);
            all.extend(page.nodes.into_iter().map(Node::from));
            if !full {
                return Ok(all);
            }
        }
    }

    /// Sets or clears a flag.
    pub(crate) fn set_flag(&self, space: &SpaceId, node: &NodeId, flag: Flag, on: bool) -> Result<Node> {
        let word = match flag {
            Flag::Excluded => "excluded",
            Flag::Pruned => "pruned",
            Flag::Pinned => "pinned",
            Flag::Bookmarked => "bookmarked",
            Flag::ContextEdge => "contextEdge",
        };
        let path = ["spaces", space.as_str(), "nodes", node.as_str()];
        Ok(self.act::<Said>(Method::PATCH, &path, json!({word: on}))?.node)
    }

    /// What a reply used.
    pub(crate) fn used(&self, space: &SpaceId, node: &NodeId) -> Result<Option<Used>> {
        let found: Calls = self.get(&["spaces", space.as_str(), "calls"], query([("limit", Some("20".to_owned()))]))?;
        let call = found.calls.into_iter().find(|call| call.node.as_ref() == Some(node));
        Ok(call.map(|call| Used { usage: call.usage, estimated: call.estimated, cost: call.cost_usd.map(Cost::from_usd) }))
    }

    /// Numbers of a chat.
    pub(crate) fn figures(&self, space: &SpaceId) -> Result<Figures> {
        let ShownFigures { window, next, context_length } = self.get(&["spaces", space.as_str(), "figures"], Vec::new())?;
        Ok(Figures { window, next, context_length, ..Figures::default() })
    }

    /// What would be sent, with this said.
    pub(crate) fn assembled(&self, space: &SpaceId, input: Option<&str>, how: &How) -> Result<Assembled> {
        let mut body = written(how);
        body["answer"] = json!("reply");
        if let Some(input) = input {
            body["input"] = json!(input);
        }
        self.act(Method::POST, &["spaces", space.as_str(), "assemble"], body)
    }

    /// The newest request of a chat and its response; none if no model was asked. A title is made beside the conversation.
    pub(crate) fn exchanged(&self, space: &SpaceId) -> Result<Option<[Option<Vec<u8>>; 2]>> {
        let found: Calls = self.get(&["spaces", space.as_str(), "calls"], query([("limit", Some("20".to_owned()))]))?;
        let Some(call) = found.calls.into_iter().find(|call| call.purpose != Purpose::Title) else { return Ok(None) };
        let bytes = |what: &str| {
            let path = ["spaces", space.as_str(), "calls", &call.id, what];
            let asked = self.ask(&Request { method: Method::GET, path: &path, query: Vec::new(), body: Body::Nothing });
            match asked {
                Err(error) if super::ask::is_missing(&error) => Ok(None),
                bytes => bytes.map(Some),
            }
        };
        Ok(Some([bytes("request")?, bytes("response")?]))
    }

    /// How far a space has come.
    pub(crate) fn moment(&self, space: &SpaceId) -> Result<String> {
        Ok(self.get::<ShownRoom>(&["spaces", space.as_str()], Vec::new())?.moment)
    }

    /// The events of a space after a moment.
    pub(crate) fn events(&self, space: &SpaceId, after: &str) -> Result<Events> {
        let mut url = self.base.clone();
        {
            let mut path = url.path_segments_mut().map_err(|()| anyhow!("{} has no paths", self.address()))?;
            path.pop_if_empty().extend(["api", "spaces", space.as_str(), "events"]);
        }
        let asked = self.http.get(url).bearer_auth(&self.token).header(header::ACCEPT, "text/event-stream");
        let asked = asked.header("last-event-id", after);
        self.runtime.block_on(async {
            let answer = asked.send().await.map_err(|error| self.unreachable(&error))?;
            match answer.status().is_success() {
                true => Ok(Events(answer)),
                false => Err(self.taken(answer).await.err().unwrap_or_else(|| anyhow!("{}: no events", self.address()))),
            }
        })
    }

    /// What comes next of events, unless something else happens first: nothing when they end.
    pub(crate) fn heard<T>(&self, events: &mut Events, other: impl Future<Output = T>) -> Heard<T> {
        self.runtime.block_on(async {
            tokio::select! {
                piece = events.0.chunk() => match piece {
                    Ok(Some(bytes)) => Heard::Bytes(bytes.to_vec()),
                    Ok(None) | Err(_) => Heard::End,
                },
                other = other => Heard::Other(other),
            }
        })
    }

    /// Waits.
    pub(crate) fn rest(&self, time: std::time::Duration) {
        self.runtime.block_on(async { tokio::time::sleep(time).await });
    }
}

/// A stream of events.
pub(crate) struct Events(Response);

/// What came first.
pub(crate) enum Heard<T> {
    Bytes(Vec<u8>),
    /// There is no more.
    End,
    Other(T),
}
