//! A conversation from a few lines of text, and the one helper that touches the API.
//!
//! A line is a node: `AUTHOR flags: part | part`. Nodes are n1, n2, … and continue the line above. Authors: `u` and `v`
//! are people, `a` and `b` agents, `s` a service. `a` and `b` are agents only if they speak, so that most scenes have
//! one agent, who is then the viewer. Flags and parts are read by [`flag`] and [`part`].
#![allow(dead_code, reason = "each test target uses its part of it")]

use serde_json::Value;
use weftwork::ask::{Ask, Input, Settings};
use weftwork::dialect::Dialect;
use weftwork::lint::{Finding, Severity, lint};
use weftwork::model::*;
use weftwork::{AssembleError, Assembly, History, assemble};

/// A conversation and what is asked of it.
#[derive(Clone)]
pub(crate) struct Talk {
    pub(crate) file: Conversation,
    pub(crate) ask: Ask,
}

const PEOPLE: [(&str, &str, EntityKind); 5] = [
    ("u", "Husam", EntityKind::Human),
    ("v", "Ahmad", EntityKind::Human),
    ("a", "Analyst", EntityKind::Agent),
    ("b", "Designer", EntityKind::Agent),
    ("s", "jira", EntityKind::Service),
];

/// Reads a conversation. Four characters are a token and the window is large, unless a test says otherwise.
pub(crate) fn talk(lines: &str) -> Talk {
    let mut file = Conversation::new(Space::new("space-1", "Project Alpha"));
    let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    for (number, line) in (1..).zip(lines) {
        let above = (number > 1).then(|| NodeId::from(format!("n{}", number - 1)));
        let (head, body) = line.split_once(": ").unwrap_or((line.trim_end_matches(':'), ""));
        let mut words = head.split_whitespace();
        let author = words.next().expect("a line names its author");
        let mut node = Node::new(format!("n{number}"), above, author);
        words.for_each(|word| flag(&mut node, word));
        let parts = body.trim_start();
        if !parts.is_empty() {
            node.parts.extend(parts.split(" | ").map(part));
        }
        file.nodes.push(node);
    }
    let speaks = |id: &str| file.nodes.iter().any(|node| node.author.as_str() == id);
    let known = PEOPLE.into_iter().filter(|(id, _, kind)| *kind != EntityKind::Agent || *id == "a" || speaks(id));
    file.entities = known.map(|(id, name, kind)| entity(id, name, kind)).collect();
    let settings = settings(r#"{"counter":"chars4","contextLength":100000,"tokenBuffer":0}"#);
    Talk { file, ask: Ask { app: settings, ..Ask::default() } }
}

pub(crate) fn entity(id: &str, name: &str, kind: EntityKind) -> Entity {
    Entity::new(id, name, kind)
}

pub(crate) fn settings(json: &str) -> Settings {
    serde_json::from_str(json).expect("settings")
}

fn flag(node: &mut Node, word: &str) {
    let (name, value) = word.split_once('=').unwrap_or((word, ""));
    match name {
        "excluded" => node.excluded = true,
        "pruned" => node.pruned = true,
        "pinned" => node.pinned = true,
        "edge" => node.context_edge = true,
        "annotation" => node.edge = Edge::Annotation,
        "pending" => node.status = Status::Pending,
        "error" => {
            node.status = Status::Error;
            node.error = (!value.is_empty()).then(|| value.replace('_', " "));
        }
        "summary" => node.kind = Kind::Summary,
        "summaryRequest" => node.kind = Kind::SummaryRequest,
        "title" => node.kind = Kind::Title,
        "titleRequest" => node.kind = Kind::TitleRequest,
        "accounting" => node.kind = Kind::Accounting,
        "covers" => node.covers = Some(value.into()),
        "system" => node.role = Some(ImportedRole::System),
        "user" => node.role = Some(ImportedRole::User),
        "assistant" => node.role = Some(ImportedRole::Assistant),
        "on" => node.parent = Some(value.into()),
        "edits" => node.edited_from = Some(value.into()),
        "model" => node.model = Some(value.into()),
        "marks" => node.cache_marks = value.split(',').map(NodeId::from).collect(),
        "at" => node.created_at = Some(format!("2026-02-18T{value}Z").parse().expect("a time")),
        "ctx" => node.sources.push(Source { node: value.into(), role: SourceRole::Context }),
        "ins" => node.sources.push(Source { node: value.into(), role: SourceRole::Instruction }),
        other => panic!("no such flag: {other}"),
    }
}

/// `call(id name args)`, `result(id text)`, `failed(id text)`, `think(signature text)`, `image`, `file`, `blank`, or text.
fn part(word: &str) -> Part {
    let inside = |name: &str| word.strip_prefix(name).and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')'));
    let two = |text: &str| text.split_once(' ').map_or((text.to_owned(), String::new()), |(a, b)| (a.to_owned(), b.to_owned()));
    if let Some(text) = inside("call") {
        let (id, rest) = two(text);
        let (name, args) = two(&rest);
        let args = if args.is_empty() { "{}".to_owned() } else { args };
        let args = Json::parse(args.clone()).unwrap_or_else(|_| Json::string(&args));
        return Part::call(id, name, args);
    }
    if let Some(text) = inside("result") {
        let (id, content) = two(text);
        return Part::result(id, content);
    }
    if let Some(text) = inside("failed") {
        let (id, content) = two(text);
        let Part::ToolResult(mut result) = Part::result(id, content) else { unreachable!() };
        result.is_error = true;
        return Part::ToolResult(result);
    }
    if let Some(text) = inside("think") {
        let (signature, text) = two(text);
        let signature = (signature != "-").then_some(signature);
        return Part::Reasoning(Reasoning { text, signature, ..Reasoning::default() });
    }
    match word {
        "image" => Part::Image(image(100, 75)),
        "file" => {
            Part::File(File { name: "a.pdf".into(), media_type: "application/pdf".into(), media: Media::Data("AAAA".into()) })
        }
        "blank" => Part::text("  \n"),
        text => Part::text(text),
    }
}

pub(crate) fn image(width: u32, height: u32) -> Image {
    let media = Media::Data("iVBORw0KGgoAAAANSUhEUgAA".into());
    Image { media_type: "image/png".into(), media, width: Some(width), height: Some(height) }
}

pub(crate) fn tool(name: &str, description: &str) -> Tool {
    let input_schema = Json::parse(r#"{"type":"object"}"#).expect("JSON");
    Tool { name: name.into(), description: description.into(), input_schema }
}

impl Talk {
    /// The choices of the ask, as JSON.
    pub(crate) fn set(mut self, json: &str) -> Talk {
        self.ask.settings = settings(json);
        self
    }

    /// The dialect of the ask.
    pub(crate) fn to(mut self, dialect: Dialect) -> Talk {
        self.ask.dialect = Some(dialect);
        self
    }

    /// A new input of text.
    pub(crate) fn input(mut self, text: &str) -> Talk {
        self.ask.input = Input::New(vec![Part::text(text)]);
        self
    }

    /// A stored input.
    pub(crate) fn input_node(mut self, id: &str) -> Talk {
        self.ask.input = Input::Node(id.into());
        self
    }

    /// The model, by name.
    pub(crate) fn model(mut self, name: &str) -> Talk {
        self.ask.model = weftwork::catalogue::find(name);
        assert!(self.ask.model.is_some(), "{name} is in the catalogue");
        self
    }

    /// Any other change.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Talk)) -> Talk {
        change(&mut self);
        self
    }

    /// The system prompt of `a`.
    pub(crate) fn prompt(self, text: &str) -> Talk {
        self.with(|talk| talk.entity("a").system_prompt = Some(text.to_owned()))
    }

    pub(crate) fn entity(&mut self, id: &str) -> &mut Entity {
        self.file.entities.iter_mut().find(|entity| entity.id.as_str() == id).expect("an entity")
    }

    pub(crate) fn node(&mut self, id: &str) -> &mut Node {
        self.file.nodes.iter_mut().find(|node| node.id.as_str() == id).expect("a node")
    }

    pub(crate) fn history(&self) -> History {
        History::new(self.file.clone()).expect("a history")
    }

    pub(crate) fn run(&self) -> Result<Assembly, AssembleError> {
        assemble(&self.history(), &self.ask)
    }

    pub(crate) fn assemble(&self) -> Assembly {
        self.run().unwrap_or_else(|error| panic!("{error}"))
    }

    /// The first word of the error.
    pub(crate) fn error(&self) -> AssembleError {
        self.run().expect_err("an error")
    }

    /// The request body.
    pub(crate) fn body(&self) -> Value {
        let assembly = self.assemble();
        serde_json::from_slice(&assembly.request).expect("the request is JSON")
    }

    /// System text and messages of the neutral dialect, a line each.
    pub(crate) fn sent(&self) -> Vec<String> {
        let body = self.clone().to(Dialect::Messages).body();
        let system = body["system"].as_str().map(|text| format!("system: {text}"));
        let messages = body["messages"].as_array().expect("messages").iter().map(message_line);
        system.into_iter().chain(messages).collect()
    }

    /// The messages alone.
    pub(crate) fn said(&self) -> Vec<String> {
        self.sent().into_iter().filter(|line| !line.starts_with("system: ")).collect()
    }

    /// The system text alone.
    pub(crate) fn system(&self) -> String {
        self.clone().to(Dialect::Messages).body()["system"].as_str().unwrap_or_default().to_owned()
    }

    /// What became of each node: `n1 included firstTurn`.
    pub(crate) fn fates(&self) -> Vec<String> {
        let history = self.history();
        let assembly = assemble(&history, &self.ask).unwrap_or_else(|error| panic!("{error}"));
        assembly.each_node(&history).iter().map(|item| format!("{} {} {}", item.from, item.decision, item.reason)).collect()
    }

    /// What became of one node.
    pub(crate) fn fate(&self, id: &str) -> String {
        let prefix = format!("{id} ");
        self.fates().iter().find_map(|line| line.strip_prefix(&prefix).map(str::to_owned)).expect("a node of the path")
    }

    /// Nodes that were sent.
    pub(crate) fn kept(&self) -> Vec<String> {
        let fates = self.fates();
        let sent = fates.iter().filter(|line| !line.contains(" dropped "));
        sent.map(|line| line.split(' ').next().unwrap_or_default().to_owned()).collect()
    }

    /// Kinds of repairs, in order.
    pub(crate) fn repairs(&self) -> Vec<&'static str> {
        self.assemble().report.repairs.iter().map(|repair| repair.kind.word()).collect()
    }

    /// Kinds of warnings, in order.
    pub(crate) fn warnings(&self) -> Vec<&'static str> {
        self.assemble().report.warnings.iter().map(|warning| warning.kind.word()).collect()
    }
}

fn message_line(message: &Value) -> String {
    let role = message["role"].as_str().unwrap_or("?");
    match &message["content"] {
        Value::String(text) => format!("{role}: {text}"),
        parts => {
            let parts: Vec<_> = parts.as_array().into_iter().flatten().map(part_word).collect();
            format!("{role}: {}", parts.join(" | "))
        }
    }
}

fn part_word(part: &Value) -> String {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        parts => parts.as_array().into_iter().flatten().map(part_word).collect::<Vec<_>>().join("+"),
    };
    match part["type"].as_str().unwrap_or("?") {
        "text" => text(&part["text"]),
        "reasoning" => format!("think({} {})", part["signature"].as_str().unwrap_or("-"), text(&part["text"])),
        "toolCall" => format!("call({} {} {})", text(&part["id"]), text(&part["name"]), part["args"]),
        "toolResult" => format!("result({} {})", text(&part["id"]), text(&part["content"])),
        other => other.to_owned(),
    }
}

/// What the API would refuse.
pub(crate) fn errors(assembly: &Assembly, dialect: Dialect) -> Vec<Finding> {
    if dialect == Dialect::Text {
        return Vec::new();
    }
    let body: Value = serde_json::from_slice(&assembly.request).expect("the request is JSON");
    lint(&body, dialect).into_iter().filter(|finding| finding.severity == Severity::Error).collect()
}

/// Every dialect that is JSON.
pub(crate) fn wire_dialects() -> impl Iterator<Item = Dialect> {
    Dialect::ALL.iter().copied().filter(|dialect| *dialect != Dialect::Text)
}

/// A text of so many tokens under `chars4`.
pub(crate) fn tokens(count: usize) -> String {
    "abc ".repeat(count)
}
