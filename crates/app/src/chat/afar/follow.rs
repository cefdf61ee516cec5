//! A turn as the events of a space tell of it: what is to be seen, in order, and when it is over.
//!
//! Others may talk in the same space meanwhile, on other branches. Only what hangs on what was begun here is followed; what
//! comes of a node before it is known where it hangs is kept until then.

use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use weftwork::decode::{Delta, Event as Frame, Stop};
use weftwork::model::{Edge, Json, Node, NodeId, Part, Status, ToolCall};
use weftwork_gateway::{Event, Used};

/// Something to be seen.
pub(super) enum Seen {
    Event(Box<Event>),
    /// A few words beside.
    Note(String),
    Ask(Question),
}

fn event(event: Event) -> Seen {
    Seen::Event(Box::new(event))
}

/// Whether a tool may run.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Question {
    pub(super) call: String,
    pub(super) name: String,
    pub(super) args: Json,
    pub(super) server: Option<String>,
    #[serde(default)]
    pub(super) description: String,
}

impl Question {
    pub(super) fn tool_call(&self) -> ToolCall {
        let Question { call, name, args, .. } = self.clone();
        ToolCall { id: call, name, args, signature: None, included: false, native: None }
    }
}

#[derive(Deserialize)]
struct Said {
    node: Node,
}

#[derive(Deserialize)]
struct More {
    node: NodeId,
    at: usize,
    what: String,
    text: String,
}

#[derive(Deserialize)]
struct Draft {
    node: NodeId,
    text: String,
}

#[derive(Deserialize)]
struct Tool {
    call: String,
    state: String,
    message: Option<String>,
    took: Option<u64>,
}

#[derive(Deserialize)]
struct Told {
    text: String,
}

/// A turn that is over, by its replies.
#[derive(Deserialize)]
struct Over {
    replies: Vec<NodeId>,
}

/// How much of a turn is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// A reply is being written, or tools run.
    Going,
    /// Tools were run; another reply follows as a rule.
    Between,
    /// Nothing that is known of.
    Resting,
}

/// What is known of a node that is followed.
#[derive(Default)]
struct Writing {
    /// Its text, as far as it was seen.
    text: String,
    ended: bool,
}

/// A turn that is followed.
pub(super) struct Turn {
    nodes: HashMap<NodeId, Writing>,
    /// What several replies hang on that are made at once.
    forks: HashSet<NodeId>,
    /// What came of nodes that are not known yet.
    early: HashMap<NodeId, Vec<More>>,
    /// Calls that have no result yet, of which reply, and how long those took that do not run any more.
    running: HashMap<String, NodeId>,
    took: HashMap<String, u64>,
    /// Questions about calls that are not known: they may be another turn's.
    questions: HashMap<String, Question>,
    /// Calls whose question was handed out.
    asked: HashSet<String>,
    /// Whether the server said that this was all.
    over: bool,
    /// Replies that are still to come to their end.
    left: usize,
    /// Whether the head has gone to one of several replies.
    moved: bool,
    /// The last reply that came to its end.
    pub(super) last: Option<Node>,
}

impl Turn {
    /// Of so many replies, which begin with these nodes.
    pub(super) fn new(replies: usize, begun: Vec<Node>) -> (Turn, Vec<Seen>) {
        let mut turn = Turn {
            nodes: HashMap::new(),
            forks: HashSet::new(),
            early: HashMap::new(),
            running: HashMap::new(),
            took: HashMap::new(),
            questions: HashMap::new(),
            asked: HashSet::new(),
            over: false,
            left: replies,
            moved: false,
            last: None,
        };
        let mut seen = Vec::new();
        if replies > 1 {
            turn.forks.extend(begun.iter().filter(|node| node.status == Status::Pending).filter_map(|node| node.parent.clone()));
        }
        begun.into_iter().for_each(|node| turn.add(node, &mut seen));
        (turn, seen)
    }

    /// Whether nothing more can come. After a tool's answer another reply follows as a rule; if it does not, see [`Turn::stage`].
    pub(super) fn is_over(&self) -> bool {
        self.left == 0 && (self.forks.is_empty() || self.moved)
    }

    /// How much is under way.
    pub(super) fn stage(&self) -> Stage {
        match self.running.is_empty() && self.nodes.values().all(|writing| writing.ended) {
            false => Stage::Going,
            true if self.left > 0 && !self.over => Stage::Between,
            true => Stage::Resting,
        }
    }

    /// Replies that can be stopped: those that are being written, and those whose tools run.
    pub(super) fn under_way(&self) -> HashSet<NodeId> {
        self.pending().into_iter().chain(self.running.values().cloned()).collect()
    }

    /// Replies that are being written.
    pub(super) fn pending(&self) -> Vec<NodeId> {
        self.nodes.iter().filter(|(_, writing)| !writing.ended).map(|(node, _)| node.clone()).collect()
    }

    /// Takes an event.
    pub(super) fn take(&mut self, frame: &Frame) -> Vec<Seen> {
        let mut seen = Vec::new();
        match frame.name.as_str() {
            "node" => read(frame, |Said { node }| self.node(node, &mut seen)),
            "head" => self.moved |= self.left == 0,
            "delta" => read(frame, |more| self.more(more, &mut seen)),
            "draft" => read(frame, |draft| self.draft(draft, &mut seen)),
            "tool" => read(frame, |tool| self.tool(tool, &mut seen)),
            "notice" => read(frame, |Told { text }| seen.push(Seen::Note(format!("[{text}]")))),
            "permission" => read(frame, |question| self.question(question, &mut seen)),
            "over" => read(frame, |Over { replies }| self.over |= replies.iter().any(|reply| self.nodes.contains_key(reply))),
            _ => {}
        }
        seen
    }

    /// Takes a node as it is now, where events of it may have been missed.
    pub(super) fn catch_up(&mut self, node: Node) -> Vec<Seen> {
        let mut seen = Vec::new();
        self.node(node, &mut seen);
        seen
    }

    fn node(&mut self, node: Node, seen: &mut Vec<Seen>) {
        if self.nodes.contains_key(&node.id) {
            if node.status != Status::Pending {
                self.end(node, seen);
            }
            return;
        }
        let hangs = node.parent.as_ref().is_some_and(|parent| self.nodes.contains_key(parent));
        let beside = node.parent.as_ref().is_some_and(|parent| self.forks.contains(parent));
        if node.edge == Edge::Continuation && (hangs || beside) {
            self.add(node, seen);
        }
    }

    fn add(&mut self, node: Node, seen: &mut Vec<Seen>) {
        // What was written before it was seen begins here all the same.
        let is_reply = node.parts.is_empty() || node.model.is_some() || node.status == Status::Pending;
        let status = if is_reply { Status::Pending } else { node.status };
        let first = Node { status, parts: Vec::new(), ..node.clone() };
        seen.push(event(Event::Added(first)));
        self.nodes.insert(node.id.clone(), Writing::default());
        for more in self.early.remove(&node.id).unwrap_or_default() {
            self.more(more, seen);
        }
        match node.status {
            Status::Pending => {}
            _ if is_reply => self.end(node, seen),
            Status::Sent | Status::Error => self.said(&node, seen),
        }
    }

    /// A message of a person, or answers of tools: nothing of it is still to come.
    fn said(&mut self, node: &Node, seen: &mut Vec<Seen>) {
        for part in &node.parts {
            if let Part::ToolResult(result) = part {
                self.running.remove(&result.id);
                self.asked.remove(&result.id);
                let took = Duration::from_millis(self.took.get(&result.id).copied().unwrap_or_default());
                seen.push(event(Event::ToolEnded { result: result.clone(), took }));
            }
        }
        if let Some(writing) = self.nodes.get_mut(&node.id) {
            writing.ended = true;
        }
    }

    fn more(&mut self, more: More, seen: &mut Vec<Seen>) {
        let Some(writing) = self.nodes.get_mut(&more.node) else {
            return self.early.entry(more.node.clone()).or_default().push(more);
        };
        let delta = match more.what.as_str() {
            "reasoning" => Delta::Reasoning(more.text),
            // What was missed comes when the reply has ended; what was seen does not come again.
            _ => match writing.text.len().checked_sub(more.at).and_then(|known| more.text.get(known..)) {
                Some(new) if !new.is_empty() && !writing.ended => {
                    writing.text.push_str(new);
                    Delta::Text(new.to_owned())
                }
                Some(_) | None => return,
            },
        };
        seen.push(event(Event::Delta { node: more.node, delta }));
    }

    /// A reply as far as it is written, for whoever comes late; an empty one begins anew.
    fn draft(&mut self, draft: Draft, seen: &mut Vec<Seen>) {
        let Some(writing) = self.nodes.get_mut(&draft.node).filter(|writing| !writing.ended) else { return };
        if !draft.text.starts_with(&writing.text) {
            seen.push(Seen::Note("[once more; what came so far does not count]".to_owned()));
            writing.text.clear();
        }
        let (node, at) = (draft.node, writing.text.len());
        let text = draft.text[at..].to_owned();
        self.more(More { node, at, what: "text".to_owned(), text }, seen);
    }

    /// That a tool runs is known by its call, and that it ran by its result: other turns in the space have tools, too.
    fn tool(&mut self, tool: Tool, seen: &mut Vec<Seen>) {
        match (tool.state.as_str(), tool.message) {
            ("running", Some(message)) if self.running.contains_key(&tool.call) => {
                seen.push(event(Event::ToolProgress { call: tool.call, message }));
            }
            ("running", _) => {}
            _ => _ = self.took.insert(tool.call, tool.took.unwrap_or_default()),
        }
    }

    /// A question comes to whoever is asked wherever they are: it is answered by whoever follows its call.
    fn question(&mut self, question: Question, seen: &mut Vec<Seen>) {
        if !self.running.contains_key(&question.call) {
            self.questions.insert(question.call.clone(), question);
        } else if self.asked.insert(question.call.clone()) {
            seen.push(Seen::Ask(question));
        }
    }

    fn end(&mut self, node: Node, seen: &mut Vec<Seen>) {
        let Some(writing) = self.nodes.get_mut(&node.id).filter(|writing| !writing.ended) else { return };
        writing.ended = true;
        let whole = super::super::talk::text_of(&node.parts);
        // What was not seen as it came.
        match whole.strip_prefix(writing.text.as_str()) {
            Some("") => {}
            Some(rest) => seen.push(text(&node.id, rest)),
            None => {
                seen.push(Seen::Note("[what was seen of it is not what was kept:]".to_owned()));
                seen.push(text(&node.id, &whole));
            }
        }
        let calls: Vec<ToolCall> = node.parts.iter().filter_map(called).collect();
        let goes_on = !calls.is_empty() && node.status == Status::Sent;
        let stop = if goes_on { Stop::ToolCalls } else { Stop::End };
        let used = Used { usage: node.usage, ..Used::default() };
        seen.push(event(Event::Ended { node: node.clone(), stop, used }));
        if goes_on {
            for call in calls {
                let early = self.questions.remove(&call.id);
                self.running.insert(call.id.clone(), node.id.clone());
                seen.push(event(Event::ToolStarted { node: node.id.clone(), call }));
                early.into_iter().for_each(|question| self.question(question, seen));
            }
        } else {
            self.left = self.left.saturating_sub(1);
        }
        self.last = Some(node);
    }
}

fn called(part: &Part) -> Option<ToolCall> {
    if let Part::ToolCall(call) = part { Some(call.clone()) } else { None }
}

fn text(node: &NodeId, text: &str) -> Seen {
    event(Event::Delta { node: node.clone(), delta: Delta::Text(text.to_owned()) })
}

/// Events that cannot be read are of a newer server, and not for us.
fn read<T: for<'d> Deserialize<'d>>(frame: &Frame, take: impl FnOnce(T)) {
    if let Ok(data) = serde_json::from_str(&frame.data) {
        take(data);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn frame((name, data): &(&str, Value)) -> Frame {
        Frame { name: (*name).to_owned(), data: data.to_string(), id: "".into(), offset: 0 }
    }

    fn node(id: &str, parent: &str, status: &str, parts: Value) -> (&'static str, Value) {
        ("node", json!({"seq": 1, "node": {"id": id, "parent": parent, "author": "a", "status": status, "parts": parts}}))
    }

    fn ended(id: &str, text: &str) -> (&'static str, Value) {
        node(id, "m", "sent", json!([{"type": "text", "text": text}]))
    }

    fn delta(id: &str, at: usize, text: &str) -> (&'static str, Value) {
        ("delta", json!({"node": id, "at": at, "what": "text", "text": text}))
    }

    /// What is seen of a turn that began with the message `m` and the reply `r`.
    fn seen(events: &[(&str, Value)]) -> String {
        let message = Node::new("m", None, "h").text("hello");
        let reply = Node { status: Status::Pending, ..Node::new("r", Some("m".into()), "a") };
        let (mut turn, _) = Turn::new(1, vec![message, reply]);
        let all: Vec<Seen> = events.iter().flat_map(|event| turn.take(&frame(event))).collect();
        let word = |seen: &Seen| match seen {
            Seen::Event(event) => match &**event {
                Event::Delta { delta: Delta::Text(text), .. } => Some(text.clone()),
                Event::Ended { .. } => Some("/".to_owned()),
                Event::ToolStarted { call, .. } => Some(format!("→{}", call.name)),
                Event::ToolEnded { result, .. } => Some(format!("←{}", result.id)),
                _ => None,
            },
            Seen::Note(_) => Some("!".to_owned()),
            Seen::Ask(question) => Some(format!("?{}", question.name)),
        };
        let stands = match (turn.is_over(), turn.stage()) {
            (true, _) => "over",
            (false, Stage::Going) => "on",
            (false, Stage::Between) => "between",
            (false, Stage::Resting) => "rests",
        };
        all.iter().filter_map(word).chain([stands.to_owned()]).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_reply_is_seen_once_and_whole_whatever_comes_how_often() {
        let draft = |text: &str| ("draft", json!({"node": "r", "text": text}));
        for (events, expected) in [
            (vec![delta("r", 0, "he"), delta("r", 2, "y"), ended("r", "hey")], "he y / over"),
            (vec![delta("r", 0, "he"), delta("r", 0, "hey"), ended("r", "hey"), ended("r", "hey")], "he y / over"),
            (vec![delta("r", 0, "he"), delta("r", 3, "z"), ended("r", "heyz")], "he yz / over"),
            (vec![delta("r", 0, "he"), draft("hey"), delta("r", 3, "z")], "he y z on"),
            (vec![delta("r", 0, "he"), draft(""), delta("r", 0, "yo"), ended("r", "yo")], "he ! yo / over"),
            (vec![ended("r", "hey")], "hey / over"),
            (vec![delta("x", 0, "else"), node("x", "y", "sent", json!([{"type": "text", "text": "else"}]))], "on"),
            (vec![("unheard", json!({})), ("delta", json!("odd"))], "on"),
        ] {
            assert_eq!(seen(&events), expected, "{events:?}");
        }
    }

    #[test]
    fn what_comes_of_a_node_before_it_is_known_waits_for_it() {
        let call = json!([{"type": "toolCall", "id": "c1", "name": "look", "args": {}}]);
        let result = json!([{"type": "toolResult", "id": "c1", "content": "seen"}]);
        let ask = ("permission", json!({"call": "c1", "name": "look", "args": {}, "server": null, "description": ""}));
        let events = [
            node("r", "m", "sent", call.clone()),
            ask.clone(),
            node("t", "r", "sent", result.clone()),
            delta("s", 0, "so"),
            node("s", "t", "pending", json!([])),
            node("s", "t", "sent", json!([{"type": "text", "text": "so"}])),
        ];
        assert_eq!(seen(&events[..3]), "/ →look ?look ←c1 between");
        assert_eq!(seen(&events), "/ →look ?look ←c1 so / over");
        // A question that comes before its call waits for it, and is asked once.
        assert_eq!(seen(&[ask.clone(), events[0].clone(), ask.clone()]), "/ →look ?look on");
        // The call of another turn is asked about there; its tools do not keep us.
        let other = ("permission", json!({"call": "c2", "name": "else", "args": {}, "server": null}));
        let runs = ("tool", json!({"node": "x", "call": "c2", "name": "else", "state": "running"}));
        assert_eq!(seen(&[other.clone(), events[0].clone(), other, runs, events[2].clone()]), "/ →look ←c1 between");
    }

    #[test]
    fn after_tools_it_goes_on_until_it_is_said_to_be_over() {
        let calls = json!([{"type": "toolCall", "id": "c1", "name": "look", "args": {}}]);
        let results = json!([{"type": "toolResult", "id": "c1", "content": "seen"}]);
        let (called, ran) = (node("r", "m", "sent", calls), node("t", "r", "sent", results));
        let over = |reply: &str| ("over", json!({"replies": [reply]}));
        for (events, expected) in [
            (vec![called.clone()], "/ →look on"),
            (vec![called.clone(), ran.clone()], "/ →look ←c1 between"),
            (vec![called.clone(), ran.clone(), over("x")], "/ →look ←c1 between"),
            (vec![called.clone(), ran.clone(), over("r")], "/ →look ←c1 rests"),
            (vec![over("r"), called, ran], "/ →look ←c1 rests"),
        ] {
            assert_eq!(seen(&events), expected, "{events:?}");
        }
    }
}
