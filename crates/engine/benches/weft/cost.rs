//! What 500 turns cost in input tokens when the provider caches prefixes, for each strategy and timeline layout.
//!
//! The cache is played by Anthropic's rules: an entry for each marked prefix, found from a mark by looking back at most
//! twenty blocks, nothing below the minimum; reading costs 0.1, writing 1.25, everything else 1. Time to live is not
//! played: turns follow each other quickly.

use crate::corpus;
use crate::results::Results;
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use weftwork::ask::{Ask, Counter, Form, Input, Layout, Settings, Strategy};
use weftwork::cache;
use weftwork::count::Base;
use weftwork::dialect::Dialect;
use weftwork::model::{Conversation, EntityKind, Node, NodeId, SpaceMessageTrigger, SpaceRef, Trigger};
use weftwork::{History, assemble};

const TURNS: usize = 500;
const WINDOW: u64 = 8_000;
const MINIMUM: f64 = 1_024.0;

pub(crate) fn run(results: &mut Results) {
    for &strategy in Strategy::ALL.iter().filter(|strategy| **strategy != Strategy::StopAtLimit) {
        results.add(format!("cost/{strategy}"), dialogue(strategy, None), "tokens/turn");
    }
    results.add("cost/truncateMiddle-lowWater0.7", dialogue(Strategy::TruncateMiddle, Some(0.7)), "tokens/turn");
    for &layout in Layout::ALL {
        results.add(format!("cost/timeline-{layout}"), timeline(layout), "tokens/turn");
    }
}

/// A chat that grows turn by turn, a request for each turn's question.
fn dialogue(strategy: Strategy, low_water: Option<f64>) -> f64 {
    let Conversation { nodes, mut entities, space, .. } = corpus::chat(10_000);
    let mut file = Conversation::new(space);
    file.entities.append(&mut entities);
    let mut history = History::new(file).expect("an empty tree is a tree");
    let mut provider = Provider::default();
    let (mut turns, mut marks) = (0, Vec::new());
    for mut node in nodes {
        let asks = node.author.as_str() == "user";
        if asks && turns == TURNS {
            break;
        }
        if !asks {
            node.cache_marks.clone_from(&marks);
        }
        let id = node.id.clone();
        history.append(node).expect("the corpus is a tree");
        if asks {
            turns += 1;
            let request = assemble(&history, &ask(Input::Node(id), strategy, low_water)).expect("a turn fits");
            marks = marked(&request.report.cache.marks);
            provider.read(&request.request);
        }
    }
    provider.cost / turns as f64
}

fn ask(input: Input, strategy: Strategy, low_water: Option<f64>) -> Ask {
    Ask {
        dialect: Some(Dialect::Anthropic),
        input,
        settings: Settings {
            context_length: Some(WINDOW),
            counter: Some(Counter::O200k),
            truncation_strategy: Some(strategy),
            low_water: low_water.and_then(|share| share.try_into().ok()),
            ..Settings::default()
        },
        ..Ask::default()
    }
}

fn marked(names: &[String]) -> Vec<NodeId> {
    names.iter().filter(|name| !matches!(name.as_str(), "tools" | "system" | "input")).map(|name| name.as_str().into()).collect()
}

/// A space of people, a run of one agent for each message.
fn timeline(layout: Layout) -> f64 {
    let chat = corpus::chat(10_000);
    let mut provider = Provider::default();
    let mut file = Conversation::new(chat.space);
    file.entities = chat.entities;
    file.entities[1].kind = EntityKind::Agent;
    file.spaces = vec![SpaceRef { id: "bench".into(), name: "Bench".into(), members: vec!["user".into(), "agent".into()] }];
    file.viewer = Some("agent".into());
    let said: Vec<Node> = chat.nodes.into_iter().filter(|node| weft_text(node).is_some()).take(2 * TURNS).collect();
    let mut parent: Option<NodeId> = None;
    let mut turns = 0;
    for (index, source) in said.iter().enumerate() {
        let author = if index % 2 == 0 { "user" } else { "agent" };
        let text: String = weft_text(source).unwrap_or_default().chars().take(400).collect();
        let mut node = Node::new(source.id.clone(), parent.take(), author).text(text);
        node.created_at = format!("2026-02-18T{:02}:{:02}:00Z", 8 + index / 60 % 12, index % 60).parse().ok();
        parent = Some(node.id.clone());
        file.nodes.push(node);
        if index % 2 == 0 {
            turns += 1;
            provider.read(&run_of(&mut file, index, layout));
        }
    }
    provider.cost / turns as f64
}

fn run_of(file: &mut Conversation, index: usize, layout: Layout) -> Vec<u8> {
    let newest = &file.nodes[index];
    file.trigger = Some(Trigger::SpaceMessage(SpaceMessageTrigger {
        space: "bench".into(),
        sender: "user".into(),
        message: weft_text(newest).unwrap_or_default().to_owned(),
        message_id: newest.id.clone(),
        timestamp: newest.created_at.clone(),
        sender_expects_reply: false,
        chain_depth: 0,
        also_triggering: Vec::new(),
        waited_on: None,
        resumed_by: None,
        no_reply: Default::default(),
    }));
    file.cursors = index.checked_sub(1).map(|seen| ("agent".into(), file.nodes[seen].id.clone())).into_iter().collect();
    let now = newest.created_at.clone();
    let history = History::new(file.clone()).expect("the space is a tree");
    let settings = Settings {
        form: Some(Form::Timeline),
        layout: Some(layout),
        context_length: Some(WINDOW),
        counter: Some(Counter::O200k),
        ..Settings::default()
    };
    let ask = Ask { dialect: Some(Dialect::Anthropic), now, settings, ..Ask::default() };
    assemble(&history, &ask).expect("a run fits").request
}

fn weft_text(node: &Node) -> Option<&str> {
    node.parts.iter().find_map(|part| if let weftwork::model::Part::Text(text) = part { Some(text.text.as_str()) } else { None })
}

/// A provider that caches prefixes.
#[derive(Default)]
struct Provider {
    known: HashSet<[u8; 32]>,
    cost: f64,
}

impl Provider {
    fn read(&mut self, request: &[u8]) {
        let blocks = cache::blocks(request, Dialect::Anthropic).expect("our own request");
        let mut hash = Sha256::new();
        let mut tokens = 0.0;
        let mut prefixes = Vec::with_capacity(blocks.len());
        for block in &blocks {
            hash.update(block.text.as_bytes());
            tokens += Base::O200k.text(&block.text) as f64;
            prefixes.push((<[u8; 32]>::from(hash.clone().finalize()), tokens));
        }
        let marks: Vec<usize> = (0..blocks.len()).filter(|&at| blocks[at].marked && prefixes[at].1 >= MINIMUM).collect();
        let found = |mark: usize| {
            (mark.saturating_sub(cache::LOOKBACK - 1)..=mark).rev().find(|&at| self.known.contains(&prefixes[at].0))
        };
        let read = marks.iter().filter_map(|&mark| found(mark)).map(|at| prefixes[at].1).fold(0.0, f64::max);
        let written = marks.last().map_or(read, |&mark| prefixes[mark].1).max(read);
        self.cost += read * 0.1 + (written - read) * 1.25 + (tokens - written);
        self.known.extend(marks.iter().map(|&mark| prefixes[mark].0));
    }
}
