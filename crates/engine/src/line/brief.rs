//! Everything that is settled before the first node is looked at.

use super::error::AssembleError;
use super::path::path;
use crate::ask::{Ask, Check, Form, Input, Layout, Policy, Share, Strategy, ToolPolicy};
use crate::catalogue::{self, Model};
use crate::count::Meter;
use crate::dialect::{Alternation, Dialect};
use crate::history::{Counts, History, is_said};
use crate::model::{EntityKind, Mode, NodeId, Part, Sampling, Tool, Trigger};
use crate::report::{Warning, WarningKind};

/// Tokens of a window nobody knows.
pub(crate) const UNKNOWN_WINDOW: u64 = 128_000;
/// Newest messages that a timeline looks at.
const TIMELINE_WINDOW: u32 = 50;

/// What was asked, with every open choice made and every name looked up.
pub(crate) struct Brief<'a> {
    pub(crate) history: &'a History,
    pub(crate) ask: &'a Ask,
    pub(crate) policy: Policy,
    pub(crate) form: Form,
    pub(crate) dialect: Dialect,
    pub(crate) viewer: Option<u32>,
    pub(crate) head: Option<u32>,
    pub(crate) model: Option<Model>,
    pub(crate) meter: Meter,
    pub(crate) counts: &'a Counts,
    pub(crate) tools: Vec<&'a Tool>,
    pub(crate) sampling: Sampling,
    pub(crate) input: Question<'a>,
    /// Uncommitted text of a buffer.
    pub(crate) buffer: Option<&'a str>,
    pub(crate) context_length: u64,
    pub(crate) reserve: u64,
    /// Messages that a timeline or an ask looks at; none for all.
    pub(crate) window: Option<u32>,
    pub(crate) trigger: Option<u32>,
    pub(crate) reply: Option<u32>,
    pub(crate) waited_on: Option<u32>,
    /// The last node of the path that the viewer has read.
    pub(crate) cursor: Option<u32>,
    /// System prompt of agents that have none.
    pub(crate) default_prompt: Option<&'a str>,
    /// Whether neighbours of one role become one message.
    pub(crate) merges: bool,
    /// Whether several senders speak as the user and must be told apart.
    pub(crate) user_prefixes: bool,
    /// Whether several agents speak as the assistant, as they do when nobody is the viewer.
    pub(crate) assistant_prefixes: bool,
    /// Whether nodes that look like any other have nothing to say to this viewer in this form.
    pub(crate) has_mute_nodes: bool,
    pub(crate) warnings: Vec<Warning>,
}

/// What the model is asked next.
#[derive(Clone, Copy)]
pub(crate) enum Question<'a> {
    None,
    Parts(&'a [Part]),
    Node(u32),
}

impl<'a> Brief<'a> {
    pub(crate) fn new(history: &'a History, ask: &'a Ask) -> Result<Brief<'a>, AssembleError> {
        let file = history.file();
        let mut policy = Policy::from_levels(&[&ask.app, &file.space.settings, &ask.settings]);
        let viewer = viewer(history, ask)?;
        let form = policy.form.unwrap_or(match file.space.mode {
            Mode::Dialogue => Form::Dialogue,
            Mode::Buffer => Form::Buffer,
        });
        if form == Form::Timeline && policy.layout == Layout::CacheStable && policy.low_water == Share::WHOLE {
            // A layout that shall keep its prefix is of no use with a cut that moves on each run.
            policy.low_water = Share::thousandths(600);
        }
        if form == Form::Timeline && viewer.is_none() {
            return Err(AssembleError::NoViewer);
        }
        let dialect = ask.dialect.unwrap_or(Dialect::Messages);
        let model = ask.model.clone().or_else(|| {
            let name = viewer.and_then(|viewer| history.entity_at(viewer).model.as_deref())?;
            Some(catalogue::find(name).unwrap_or_else(|| Model::unlisted(name)))
        });
        let meter = Meter::new(policy.counter, model.as_ref());
        let mut warnings = Vec::new();
        let context_length = context_length(&policy, model.as_ref(), &mut warnings);
        let merges = policy.merge || dialect.alternation() == Alternation::Required;
        let trigger = file.trigger.as_ref();
        let sampling = sampling(history, ask, viewer);
        for setting in dialect.unsupported_sampling(&sampling) {
            let detail = format!("{dialect} has no field for {setting}: it is not sent");
            warnings.push(Warning { kind: WarningKind::Unsupported, detail });
        }
        let head = head(history, ask, viewer)?;
        let own = |writer: u32| viewer.map_or(history.entity_at(writer).kind == EntityKind::Agent, |viewer| viewer == writer);
        Ok(Brief {
            history,
            ask,
            form,
            dialect,
            viewer,
            head,
            meter,
            counts: history.counts(meter.base()),
            tools: tools(history, ask, policy.tool_policy),
            sampling,
            input: question(history, ask)?,
            buffer: ask.buffer.as_deref().or(file.buffer.as_deref()),
            reserve: reserve(&policy, model.as_ref(), context_length, &mut warnings).max(least_reply(dialect)),
            context_length,
            window: window(&policy, form),
            trigger: trigger.and_then(|trigger| match trigger {
                Trigger::SpaceMessage(message) => history.find(message.message_id.as_str()),
                Trigger::Plan(_) | Trigger::Service(_) => None,
            }),
            reply: trigger.and_then(Trigger::resumed_by).and_then(|id| history.find(id.as_str())),
            waited_on: trigger.and_then(Trigger::waited_on).and_then(|id| history.find(id.as_str())),
            cursor: viewer.and_then(|viewer| {
                let cursor = history.find(file.cursors.get(&history.entity_at(viewer).id)?.as_str())?;
                path(history, head).fork(cursor)
            }),
            default_prompt: [&ask.settings, &file.space.settings, &ask.app]
                .into_iter()
                .find_map(|level| level.default_system_prompt.as_deref()),
            merges,
            user_prefixes: merges && form == Form::Dialogue && several(history, |writer| !own(writer)),
            assistant_prefixes: merges && form == Form::Dialogue && several(history, own),
            has_mute_nodes: match form {
                Form::Dialogue => history.writes_only_tools(|writer| !own(writer)),
                Form::Buffer => history.has_textless_nodes(),
                Form::Timeline => false,
            },
            model,
            policy,
            warnings,
        })
    }

    /// Whether a repair is an error.
    pub(crate) fn strict(&self) -> bool {
        match self.policy.check {
            Check::Strict => true,
            Check::Repair => false,
        }
    }

    /// Whether the count window moves in steps.
    pub(crate) fn steps(&self) -> bool {
        match self.policy.layout {
            Layout::CacheStable => self.form == Form::Timeline,
            Layout::Seed => false,
        }
    }

    /// Whether a cut is held until the path is over again.
    pub(crate) fn holds(&self) -> bool {
        self.policy.low_water < Share::WHOLE && self.policy.strategy != Strategy::StopAtLimit
    }

    /// Raw counts that a message costs beside its parts.
    pub(crate) fn overhead(&self) -> u64 {
        match self.form {
            Form::Dialogue | Form::Timeline => self.meter.base().overhead(),
            Form::Buffer => 0,
        }
    }
}

fn viewer(history: &History, ask: &Ask) -> Result<Option<u32>, AssembleError> {
    match ask.viewer.as_ref().or(history.file().viewer.as_ref()) {
        Some(id) => {
            let found = history.find_entity(id.as_str());
            found.map(Some).ok_or_else(|| AssembleError::UnknownViewer { viewer: id.clone() })
        }
        None => Ok(history.only_agent()),
    }
}

fn head(history: &History, ask: &Ask, viewer: Option<u32>) -> Result<Option<u32>, AssembleError> {
    let file = history.file();
    let own = viewer.and_then(|viewer| file.heads.get(&history.entity_at(viewer).id));
    match ask.head.as_ref().or(own).or(file.head.as_ref()) {
        Some(id) => node(history, "the head", id).map(Some),
        None => Ok(history.last()),
    }
}

fn node(history: &History, what: &'static str, id: &NodeId) -> Result<u32, AssembleError> {
    history.find(id.as_str()).ok_or_else(|| AssembleError::UnknownNode { what, node: id.clone() })
}

fn question<'a>(history: &History, ask: &'a Ask) -> Result<Question<'a>, AssembleError> {
    match &ask.input {
        Input::None => Ok(Question::None),
        // What says nothing is no input: a stored node then stays in its place, and a tool's answer with its call.
        Input::New(parts) if parts.iter().any(is_said) => Ok(Question::Parts(parts)),
        Input::New(_) => Ok(Question::None),
        Input::Node(id) => {
            let found = node(history, "the input", id)?;
            Ok(if history.has_words(found) { Question::Node(found) } else { Question::None })
        }
    }
}

/// The ask's settings over the space's over the agent's.
fn sampling(history: &History, ask: &Ask, viewer: Option<u32>) -> Sampling {
    let space = &history.file().sampling;
    let asked = ask.sampling.as_ref().map_or_else(|| space.clone(), |asked| asked.over(space));
    match viewer.and_then(|viewer| history.entity_at(viewer).sampling.as_ref()) {
        Some(agent) => asked.over(agent),
        None => asked,
    }
}

/// A tool policy governs schemas and parts alike.
fn tools<'a>(history: &'a History, ask: &'a Ask, policy: ToolPolicy) -> Vec<&'a Tool> {
    let all = ask.tools.as_deref().unwrap_or(&history.file().tools).iter();
    match policy {
        ToolPolicy::Auto | ToolPolicy::Cached | ToolPolicy::AllOn => all.collect(),
        ToolPolicy::AllOff => Vec::new(),
        ToolPolicy::Manual => all.filter(|tool| history.file().included_tools.contains(&tool.name)).collect(),
    }
}

fn context_length(policy: &Policy, model: Option<&Model>, warnings: &mut Vec<Warning>) -> u64 {
    policy.context_length.or(model.and_then(|model| model.context_length)).unwrap_or_else(|| {
        let detail = format!("the model's window is unknown: {UNKNOWN_WINDOW} tokens are assumed");
        warnings.push(Warning { kind: WarningKind::UnknownWindow, detail });
        UNKNOWN_WINDOW
    })
}

/// Tokens kept free for the reply: never more than half the window, or nothing would be left to reply to.
fn reserve(policy: &Policy, model: Option<&Model>, context_length: u64, warnings: &mut Vec<Warning>) -> u64 {
    let most = model.and_then(|model| model.max_output).unwrap_or(u64::MAX);
    let wished = policy.max_tokens.unwrap_or(policy.token_buffer.min(most));
    let half = context_length / 2;
    if wished > half {
        let detail = format!("{wished} tokens for the reply are more than half of {context_length}: {half} are kept");
        warnings.push(Warning { kind: WarningKind::ReserveCapped, detail });
    }
    wished.min(half)
}

/// Anthropic must be told how long the reply may be, and refuses nothing.
fn least_reply(dialect: Dialect) -> u64 {
    u64::from(dialect == Dialect::Anthropic)
}

/// Newest messages that are looked at; none for all.
pub(crate) fn window(policy: &Policy, form: Form) -> Option<u32> {
    let usual = match form {
        Form::Timeline => TIMELINE_WINDOW,
        Form::Dialogue | Form::Buffer => 0,
    };
    Some(policy.window.unwrap_or(usual)).filter(|&window| window > 0)
}

fn several(history: &History, on_this_side: impl Fn(u32) -> bool) -> bool {
    history.writers().filter(|&writer| on_this_side(writer)).take(2).count() == 2
}
