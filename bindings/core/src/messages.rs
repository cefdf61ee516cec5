//! The messages a caller has, kept beside the nodes they were read into.

use crate::{Fault, Options, Shape, model, shape};
use std::collections::HashSet;
use std::ops::Range;
use weftwork::History;
use weftwork::catalogue::Model;
use weftwork::formats::Listener;
use weftwork::model::{Conversation, Entity, EntityId, EntityKind, ImportedRole, Kind, Node, NodeId, Space, Status};

const PERSON: &str = "user";
const AGENT: &str = "assistant";

/// Messages in one shape.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    listener: Listener,
    /// How many of those who were heard are sorted into agents and others.
    met: usize,
    agents: HashSet<EntityId>,
    /// The shape, once something told it.
    told: Option<Shape>,
    /// Whose replies these are.
    model: Option<String>,
    /// The texts of all messages, one after another.
    text: String,
    texts: Vec<Range<usize>>,
    /// The first that is a UI message of the AI SDK: what it holds is many messages to a model.
    pub(crate) first_ui: Option<usize>,
    /// Which nodes hold each message, by what the listener counted.
    places: Vec<Range<u32>>,
    /// For each node of the history, what the listener counted it as; none for a summary.
    heard: Vec<Option<u32>>,
    count: u32,
}

impl Messages {
    pub(crate) fn new(options: &Options) -> Result<(Messages, History), Fault> {
        let mut file = Conversation::new(Space::new("messages", ""));
        file.entities.push(Entity::new(PERSON, "User", EntityKind::Human));
        file.entities.push(Entity::new(AGENT, "Assistant", EntityKind::Agent));
        let model = options.model.as_deref().map(|name| model::named(name).name);
        Ok((Messages { told: options.named_shape()?, model, ..Messages::default() }, History::new(file)?))
    }

    pub(crate) fn shape(&self) -> Shape {
        self.told.unwrap_or(Shape::OpenAi)
    }

    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    /// Reads a JSON list of messages into the history; all of them or, on an error, none.
    pub(crate) fn append(&mut self, list: &str, history: &mut History) -> Result<(), Fault> {
        let told = self.told.or_else(|| Shape::tell(list));
        let heard = self.listener.hear(list, told.unwrap_or(Shape::OpenAi).format())?;
        self.told = told;
        let met = self.met;
        self.met = self.listener.entities().len();
        let agents = self.listener.entities()[met..].iter().filter(|entity| entity.kind == EntityKind::Agent);
        self.agents.extend(agents.map(|agent| agent.id.clone()));
        if self.shape() == Shape::AiSdk && self.first_ui.is_none() {
            let ui = heard.texts.iter().position(|text| shape::is_ui(&list[text.clone()]));
            self.first_ui = ui.map(|at| self.len() + at);
        }
        let start = self.text.len();
        self.text.push_str(list);
        self.texts.extend(heard.texts.into_iter().map(|text| text.start + start..text.end + start));
        self.places.extend(heard.places);
        for node in heard.nodes {
            let node = self.voiced(node, history);
            history.append(node)?;
            self.heard.push(Some(self.count));
            self.count += 1;
        }
        Ok(())
    }

    /// Says whose a node is. Only two speak: names of people are their messages' own, and no prefix is put before them.
    fn voiced(&self, node: Node, history: &History) -> Node {
        let agent = node.role != Some(ImportedRole::System) && self.agents.contains(&node.author);
        Node {
            author: if agent { AGENT } else { PERSON }.into(),
            // A reply that broke off at its limit was said all the same.
            status: Status::Sent,
            model: if agent { Some(self.written_by()) } else { None },
            // A summary may stand between.
            parent: history.nodes().last().map(|last| last.id.clone()),
            ..node
        }
    }

    /// The model that the caller named for all of them.
    pub(crate) fn model(&self) -> Option<Model> {
        self.model.as_deref().map(model::named)
    }

    /// A caller sends thinking back to the model it talks to.
    pub(crate) fn written_by(&self) -> String {
        self.model.clone().unwrap_or_else(|| format!("{}/unnamed", self.shape().provider()))
    }

    /// Adds a summary that stands for the messages before `until`.
    pub(crate) fn summarize(&mut self, text: &str, until: usize, history: &mut History) -> Result<(), Fault> {
        let last = self.places.get(..until).and_then(|places| places.iter().map(|place| place.end).max()).unwrap_or(0);
        let covered = last.checked_sub(1).and_then(|last| self.heard.iter().position(|heard| *heard == Some(last)));
        let Some(covered) = covered else {
            let what = format!("a summary stands for 1 to {} messages, not for {until}", self.len());
            return Err(Fault::option(what));
        };
        let parent = history.nodes().last().map(|last| last.id.clone());
        let id = NodeId::from(format!("summary-{}", self.heard.len()));
        let node = Node {
            kind: Kind::Summary,
            covers: Some(history.nodes()[covered].id.clone()),
            ..Node::new(id, parent, AGENT).text(text)
        };
        history.append(node)?;
        self.heard.push(None);
        Ok(())
    }

    /// The messages that hold any of these nodes of the history, in order, and those before them that nothing is known of.
    pub(crate) fn holding(&self, nodes: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut found: Vec<usize> = nodes.filter_map(|node| self.heard[node]).flat_map(|heard| self.of(heard)).collect();
        found.sort_unstable();
        found.dedup();
        let unknown = |at: &usize| self.places[*at].is_empty();
        let mut with_unknown = Vec::with_capacity(found.len());
        for at in found {
            let first = (0..at).rev().take_while(unknown).last().unwrap_or(at);
            with_unknown.extend(first..=at);
        }
        let behind = with_unknown.last().map_or(0, |last| last + 1);
        if (behind..self.len()).all(|at| unknown(&at)) {
            with_unknown.extend(behind..self.len());
        }
        with_unknown.dedup();
        with_unknown
    }

    fn of(&self, heard: u32) -> impl Iterator<Item = usize> + '_ {
        let first = self.places.partition_point(|place| place.end <= heard);
        (first..self.len())
            .take_while(move |&at| self.places[at].start <= heard)
            .filter(move |&at| self.places[at].contains(&heard))
    }

    /// The first and the last message of a run of nodes of the history.
    pub(crate) fn span(&self, from: usize, to: usize) -> Option<(usize, usize)> {
        let first = self.heard[from..=to].iter().flatten().next().and_then(|&heard| self.of(heard).next())?;
        let last = self.heard[from..=to].iter().rev().flatten().next().and_then(|&heard| self.of(heard).last())?;
        Some((first, last))
    }

    /// The text of a message.
    pub(crate) fn text(&self, at: usize) -> &str {
        &self.text[self.texts[at].clone()]
    }
}
