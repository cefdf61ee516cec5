//! What the model on board does with what it was given. Pure: the same request, the same acts.

use super::Obedience;
use super::directive::{Args, Directive, directives, rounds};
use super::given::{Choice, Given, Matter, Tool, Turn};
use super::occasion::{Occasion, occasion};
use super::words;
use serde_json::{Value, json};
use std::time::Duration;
use weftwork::timeline::decode;

/// One thing the model does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Act {
    Say(String),
    Call { tool: String, args: String },
    Fail(u16),
    Stall(Duration),
    Pace(f64),
}

/// The tool that speaks in a space.
pub(super) const SEND: &str = "send_message";

/// What the model does.
pub(crate) fn act(given: &Given, obedience: Obedience) -> Vec<Act> {
    let (system, turns) = match &given.matter {
        Matter::Text(text) => return go_on(text, given),
        Matter::Talk { system, turns } => (system.as_str(), turns.as_slice()),
    };
    let scene = Scene { given, system, turns, obedience };
    let acts = scene.act();
    scene.forced(acts)
}

/// A text to go on from: directives in its last lines, else words that say what they are.
fn go_on(text: &str, given: &Given) -> Vec<Act> {
    let tail = text.rsplit("\n\n").next().unwrap_or(text);
    let orders = directives(tail);
    if orders.is_empty() {
        return vec![Act::Say(words::continuation(text, given.seed))];
    }
    let act = |order| match order {
        Directive::Say(text) => Act::Say(text),
        Directive::Fail(status) => Act::Fail(status),
        Directive::Stall(time) => Act::Stall(time),
        Directive::Stream(rate) => Act::Pace(rate),
        Directive::Call { .. } | Directive::Send(_) | Directive::Wait(_) => Act::Say(words::not_in_text()),
    };
    orders.into_iter().map(act).collect()
}

struct Scene<'g> {
    given: &'g Given,
    system: &'g str,
    turns: &'g [Turn],
    obedience: Obedience,
}

/// A script and where it stands.
struct Script {
    orders: Vec<Directive>,
    /// How many rounds of it are done: replies with calls that came after it.
    done: usize,
}

impl Scene<'_> {
    fn act(&self) -> Vec<Act> {
        let run = self.occasion();
        let script = match self.obedience {
            Obedience::AnyText => self.last_script_anywhere(),
            Obedience::LastMessage => self.script(run.as_ref()),
        };
        let rounds = rounds(script.orders);
        match (rounds.get(script.done), rounds.is_empty(), run) {
            (Some(round), _, run) => round.iter().map(|order| self.follow(order.clone(), run.as_ref())).collect(),
            (None, true, Some(run)) if self.has(SEND) => self.in_space(&run, script.done),
            (None, _, _) if script.done > 0 => vec![Act::Say(words::results(self.turns))],
            (None, _, _) => vec![Act::Say(words::answer(self.given, self.system, self.turns))],
        }
    }

    /// Why this run happens, if it is a run in a space.
    fn occasion(&self) -> Option<Occasion> {
        let said = self.turns.iter().filter(|turn| !turn.assistant).flat_map(|turn| &turn.texts);
        let all: Vec<&str> = std::iter::once(self.system).chain(said.map(String::as_str)).collect();
        occasion(&all.join("\n\n"))
    }

    /// The script of the last message: the trigger's or reply's in a space, else of the last user message with words.
    fn script(&self, run: Option<&Occasion>) -> Script {
        let speaks = |turn: &Turn| !turn.assistant && turn.texts.iter().any(|text| !text.trim().is_empty());
        let at = self.turns.iter().rposition(speaks).unwrap_or(0);
        let orders = match run {
            Some(run) => run.orders.clone(),
            None => self.turns.get(at).map(|turn| directives(&turn.texts.join("\n"))).unwrap_or_default(),
        };
        Script { orders, done: self.rounds_since(at) }
    }

    /// The last script in anything the request holds, also in results and inside quotes.
    fn last_script_anywhere(&self) -> Script {
        let in_turn = |turn: &Turn| {
            let texts = turn.results.iter().map(|(_, text)| text).chain(&turn.texts);
            texts.filter_map(|text| last_script(text)).next_back()
        };
        let spoken = self.turns.iter().enumerate().filter(|(_, turn)| !turn.assistant);
        let found = spoken.filter_map(|(at, turn)| Some((at, in_turn(turn)?))).next_back();
        let (at, orders) = found.unwrap_or_else(|| (0, last_script(self.system).unwrap_or_default()));
        Script { orders, done: self.rounds_since(at) }
    }

    fn rounds_since(&self, at: usize) -> usize {
        self.turns.iter().skip(at + 1).filter(|turn| turn.assistant && !turn.calls.is_empty()).count()
    }

    fn has(&self, tool: &str) -> bool {
        self.given.tools.iter().any(|given| given.name == tool)
    }

    fn follow(&self, order: Directive, run: Option<&Occasion>) -> Act {
        match order {
            Directive::Say(text) => Act::Say(text),
            Directive::Fail(status) => Act::Fail(status),
            Directive::Stall(time) => Act::Stall(time),
            Directive::Stream(rate) => Act::Pace(rate),
            Directive::Call { tool, args: Args::Object(args) } => self.call(tool, args),
            Directive::Call { tool, args: Args::Bad(args) } => Act::Say(words::bad_args(&tool, &args)),
            Directive::Send(text) => self.call(SEND.to_owned(), message(&text, false, run)),
            Directive::Wait(text) => self.call(SEND.to_owned(), message(&text, true, None)),
        }
    }

    /// Calls a tool it was given; an obedient one tries any.
    fn call(&self, tool: String, args: String) -> Act {
        if self.given.choice == Choice::None {
            return Act::Say(words::switched_off(&tool));
        }
        if self.has(&tool) || self.obedience == Obedience::AnyText {
            return Act::Call { tool, args };
        }
        Act::Say(words::no_such_tool(&tool, &args, &self.given.tools))
    }

    /// In a space without orders: answers people and those who wait, once, and lets agents be, so that two of its kind
    /// never talk for ever.
    fn in_space(&self, run: &Occasion, done: usize) -> Vec<Act> {
        let silent = (run.by_agent && !run.expects_reply) || done > 0;
        if silent {
            return vec![Act::Say(words::nothing_to_add())];
        }
        let text = words::in_space(self.given, self.system, run);
        vec![self.call(SEND.to_owned(), message(&text, false, Some(run)))]
    }

    /// Whoever demands a call gets one.
    fn forced(&self, mut acts: Vec<Act>) -> Vec<Act> {
        let called = |name: Option<&str>| {
            acts.iter().any(|act| matches!(act, Act::Call { tool, .. } if name.is_none_or(|name| tool == name)))
        };
        let fails = acts.iter().any(|act| matches!(act, Act::Fail(_)));
        let tool = match &self.given.choice {
            Choice::Auto | Choice::None => None,
            Choice::Required if called(None) => None,
            Choice::Required => self.given.tools.first(),
            Choice::Named(name) if called(Some(name)) => None,
            Choice::Named(name) => self.given.tools.iter().find(|tool| tool.name == *name),
        };
        if let Some(tool) = tool.filter(|_| !fails) {
            acts.retain(|act| !matches!(act, Act::Call { .. } | Act::Say(_)));
            acts.push(Act::Call { tool: tool.name.clone(), args: least_args(tool).to_string() });
        }
        acts
    }
}

/// The last script of a text: its own lines, or those of something quoted in it.
fn last_script(text: &str) -> Option<Vec<Directive>> {
    let quoted = text.lines().flat_map(|line| quotes(line)).filter_map(|quote| decode(quote).ok());
    let scripts = quoted.map(|quote| directives(&quote)).chain(std::iter::once(directives(text)));
    scripts.rev().find(|script| !script.is_empty())
}

/// What stands between quotes on a line, escapes and all.
fn quotes(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match (c, open) {
            _ if escaped => escaped = false,
            ('\\', Some(_)) => escaped = true,
            ('"', None) => open = Some(at + 1),
            ('"', Some(from)) => {
                found.push(&line[from..at]);
                open = None;
            }
            _ => {}
        }
    }
    found
}

/// Arguments of a message; as a reply if somebody waits for one.
fn message(text: &str, wait: bool, run: Option<&Occasion>) -> String {
    let mut args = json!({ "text": text });
    if wait {
        args["wait"] = Value::Bool(true);
    }
    if let Some(id) = run.filter(|run| run.expects_reply && !run.resumed).and_then(|run| run.message_id.as_deref()) {
        args["messageId"] = Value::from(id);
    }
    args.to_string()
}

/// The least arguments that a tool's schema asks for.
fn least_args(tool: &Tool) -> Value {
    let required = tool.schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let field = |name: &str| {
        let schema = tool.schema.get("properties").and_then(|fields| fields.get(name)).unwrap_or(&Value::Null);
        (name.to_owned(), least(schema))
    };
    Value::Object(required.map(field).collect())
}

fn least(schema: &Value) -> Value {
    if let Some(first) = schema.get("enum").and_then(|values| values.get(0)) {
        return first.clone();
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("integer" | "number") => json!(0),
        Some("boolean") => json!(false),
        Some("array") => json!([]),
        Some("object") => json!({}),
        Some(_) | None => json!("offline"),
    }
}
