//! Replies that are written at once, put in order: one is seen as it comes, the others wait for their turn.

use std::collections::HashMap;
use weftwork::decode::Stop;
use weftwork::model::NodeId;
use weftwork_gateway::Event;

/// Which reply an event belongs to, and whose turn it is.
#[derive(Default)]
pub(crate) struct Strands {
    of_node: HashMap<NodeId, usize>,
    of_call: HashMap<String, usize>,
    /// Events of each reply that were not seen yet.
    held: Vec<Vec<Event>>,
    turn: usize,
    /// Whether the reply whose turn it is has ended, and no other was there yet.
    free: bool,
}

impl Strands {
    /// What is to be seen now, in order, each with the reply it belongs to.
    pub(crate) fn take(&mut self, event: Event) -> Vec<(usize, Event)> {
        let strand = self.strand(&event);
        if std::mem::take(&mut self.free) {
            self.turn = self.turn.max(strand);
        }
        if strand != self.turn {
            self.held[strand].push(event);
            return Vec::new();
        }
        let is_over = matches!(&event, Event::Ended { stop, .. } if *stop != Stop::ToolCalls);
        let mut seen = vec![(strand, event)];
        self.free = is_over && self.turn + 1 == self.held.len();
        if is_over && self.turn + 1 < self.held.len() {
            self.turn += 1;
            let next = self.turn;
            let waiting = std::mem::take(&mut self.held[next]);
            waiting.into_iter().for_each(|event| seen.extend(self.take(event)));
        }
        seen
    }

    /// Whatever still waits.
    pub(crate) fn rest(&mut self) -> Vec<(usize, Event)> {
        let held = std::mem::take(&mut self.held);
        held.into_iter().enumerate().flat_map(|(strand, events)| events.into_iter().map(move |event| (strand, event))).collect()
    }

    fn strand(&mut self, event: &Event) -> usize {
        let strand = match event {
            Event::Added(node) => match node.parent.as_ref().and_then(|parent| self.of_node.get(parent)) {
                Some(strand) => *strand,
                None => self.of_node.get(&node.id).copied().unwrap_or(self.held.len()),
            },
            Event::Sent { node, .. } | Event::Delta { node, .. } | Event::Again { node, .. } => self.known(node),
            Event::Smaller { node } | Event::ToolStarted { node, .. } => self.known(node),
            Event::Ended { node, .. } => self.known(&node.id),
            Event::ToolProgress { call, .. } => self.of_call.get(call).copied().unwrap_or(self.turn),
            Event::ToolEnded { result, .. } => self.of_call.get(&result.id).copied().unwrap_or(self.turn),
            Event::Permission(_) | Event::Notice(_) => self.turn,
        };
        self.remember(event, strand);
        strand
    }

    fn known(&self, node: &NodeId) -> usize {
        self.of_node.get(node).copied().unwrap_or(self.turn)
    }

    fn remember(&mut self, event: &Event, strand: usize) {
        match event {
            Event::Added(node) => drop(self.of_node.insert(node.id.clone(), strand)),
            Event::ToolStarted { call, .. } => drop(self.of_call.insert(call.id.clone(), strand)),
            _ => {}
        }
        while self.held.len() <= strand {
            self.held.push(Vec::new());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weftwork::decode::Delta;
    use weftwork::model::Node;
    use weftwork_gateway::Used;

    fn added(id: &str, parent: &str) -> Event {
        Event::Added(Node::new(id, Some(parent.into()), "a"))
    }

    fn text(node: &str, text: &str) -> Event {
        Event::Delta { node: node.into(), delta: Delta::Text(text.into()) }
    }

    fn ended(id: &str, stop: Stop) -> Event {
        Event::Ended { node: Node::new(id, None, "a"), stop, used: Used::default() }
    }

    /// The order in which texts are seen.
    fn seen(events: Vec<Event>) -> String {
        let mut strands = Strands::default();
        let mut all: Vec<(usize, Event)> = events.into_iter().flat_map(|event| strands.take(event)).collect();
        all.extend(strands.rest());
        let word = |(strand, event): &(usize, Event)| match event {
            Event::Delta { delta: Delta::Text(text), .. } => Some(format!("{strand}{text}")),
            _ => None,
        };
        all.iter().filter_map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn siblings_that_come_mixed_are_seen_one_after_the_other() {
        let mixed = vec![added("x", "m"), added("y", "m"), text("y", "c"), text("x", "a"), text("y", "d"), text("x", "b")];
        assert_eq!(seen(mixed), "0a 0b 1c 1d");
        let done = vec![added("x", "m"), added("y", "m"), text("y", "c"), text("x", "a"), ended("x", Stop::End), text("y", "d")];
        assert_eq!(seen(done), "0a 1c 1d");
    }

    #[test]
    fn one_that_begins_after_the_others_ended_has_its_turn() {
        let mut strands = Strands::default();
        let late = vec![added("x", "m"), text("x", "a"), ended("x", Stop::End), added("y", "m"), text("y", "b")];
        let now =
            late.into_iter().flat_map(|event| strands.take(event)).filter(|(_, event)| matches!(event, Event::Delta { .. }));
        assert_eq!(now.map(|(strand, _)| strand).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn a_reply_that_calls_tools_keeps_its_turn() {
        let events = vec![
            added("x", "m"),
            added("y", "m"),
            text("x", "a"),
            ended("x", Stop::ToolCalls),
            text("y", "z"),
            added("r", "x"),
            added("x2", "r"),
            text("x2", "b"),
            ended("x2", Stop::End),
        ];
        assert_eq!(seen(events), "0a 0b 1z");
    }
}
