//! What a caller may ask for, and the ask that it makes.

use crate::{Fault, Shape, model, tools};
use serde::Deserialize;
use serde_json::Value;
use weftwork::ask::{
    Ask, Cache, Counter, Errors, Form, HistoryPlacement, Input, Layout, Preset, ReasoningPolicy, Settings, Share, Strategy,
    SummaryPlacement, ToolPolicy, Unit,
};
use weftwork::catalogue::Model;
use weftwork::dialect::Dialect;
use weftwork::formats::Format;
use weftwork::model::{Part, Sampling, Timestamp};

/// Kept free for the reply where only the input was limited.
const REPLY: u64 = 1024;

/// What a caller may ask for. Both languages document these; here they are written in camel case.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Options {
    /// The model, by name.
    pub model: Option<String>,
    /// Tokens that system text, tools and messages may have together.
    pub max_input: Option<u64>,
    context_length: Option<u64>,
    max_tokens: Option<u64>,
    preset: Option<Preset>,
    form: Option<Form>,
    strategy: Option<Strategy>,
    unit: Option<Unit>,
    min_recent: Option<u32>,
    low_water: Option<Share>,
    window: Option<u32>,
    counter: Option<Counter>,
    reasoning: Option<ReasoningPolicy>,
    errors: Option<Errors>,
    annotations: Option<bool>,
    tool_policy: Option<ToolPolicy>,
    summary: Option<SummaryPlacement>,
    layout: Option<Layout>,
    history: Option<HistoryPlacement>,
    cache: Option<Cache>,
    marker: Option<bool>,
    merge: Option<bool>,
    strict: Option<bool>,
    /// The system text, where it is no message.
    pub system: Option<String>,
    tools: Option<Vec<Value>>,
    sampling: Option<Sampling>,
    head: Option<String>,
    viewer: Option<String>,
    input: Option<String>,
    input_node: Option<String>,
    buffer: Option<String>,
    previous: Option<String>,
    now: Option<Timestamp>,
    /// The dialect of the request.
    pub to: Option<Dialect>,
    /// The format of a file.
    pub format: Option<Format>,
    /// The shape of messages.
    pub shape: Option<String>,
}

impl Options {
    /// Reads options from a JSON object.
    pub fn parse(json: &str) -> Result<Options, Fault> {
        let mut reader = serde_json::Deserializer::from_str(json);
        serde_path_to_error::deserialize(&mut reader).map_err(|error| {
            let path = error.path().to_string();
            let text = error.into_inner().to_string();
            let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
            Fault::option(if path == "." { text.to_owned() } else { format!("option {path}: {text}") })
        })
    }

    pub(crate) fn counter(&self) -> Counter {
        self.counter.unwrap_or(Counter::Auto)
    }

    pub(crate) fn named_shape(&self) -> Result<Option<Shape>, Fault> {
        self.shape.as_deref().map(Shape::named).transpose()
    }

    pub(crate) fn named_model(&self) -> Option<Model> {
        self.model.as_deref().map(model::named)
    }

    /// The ask for a whole request. A limit of the input leaves room for the reply beside it.
    pub(crate) fn ask(&self) -> Result<Ask, Fault> {
        let mut settings = self.settings();
        if let Some(most) = self.max_input {
            let reply = self.max_tokens.unwrap_or(REPLY);
            // More than half the window is never kept free.
            settings.context_length = Some(most.saturating_add(reply.min(most)));
        }
        Ok(Ask {
            head: self.head.as_deref().map(Into::into),
            viewer: self.viewer.as_deref().map(Into::into),
            input: match (&self.input, &self.input_node) {
                (Some(text), _) => Input::New(vec![Part::text(text)]),
                (None, Some(node)) => Input::Node(node.as_str().into()),
                (None, None) => Input::None,
            },
            buffer: self.buffer.clone(),
            tools: self.tools.as_deref().map(tools::tools).transpose()?,
            sampling: self.sampling.clone(),
            model: self.named_model(),
            previous: self.previous.clone().map(String::into_bytes),
            now: self.now.clone(),
            dialect: self.to,
            settings,
            ..Ask::default()
        })
    }

    /// The ask for messages that go back to their owner: nothing is kept free beside a limit of the input, marks are
    /// placed only on request, and a summary is a message like the others.
    pub(crate) fn fitting(&self, dialect: Dialect) -> Result<Ask, Fault> {
        let mut ask = self.ask()?;
        if let Some(most) = self.max_input {
            ask.settings.context_length = Some(most);
            ask.settings.token_buffer = Some(0);
            ask.settings.max_tokens = None;
        }
        ask.settings.cache = Some(self.cache.unwrap_or(Cache::Off));
        ask.settings.summary = Some(self.summary.unwrap_or(SummaryPlacement::Message));
        ask.dialect = Some(dialect);
        Ok(ask)
    }

    fn settings(&self) -> Settings {
        Settings {
            preset: self.preset,
            form: self.form,
            truncation_strategy: self.strategy,
            unit: self.unit,
            minimum_recent_nodes: self.min_recent,
            low_water: self.low_water,
            max_tokens: self.max_tokens,
            context_length: self.context_length,
            window: self.window,
            counter: self.counter,
            reasoning: self.reasoning,
            errors: self.errors,
            annotations: self.annotations,
            tool_policy: self.tool_policy,
            summary: self.summary,
            layout: self.layout,
            history: self.history,
            cache: self.cache,
            marker: self.marker,
            merge: self.merge,
            default_system_prompt: self.system.clone(),
            strict: self.strict,
            ..Settings::default()
        }
    }
}
