//! A counter as an ask uses it: a base, a factor, and what its numbers may be called.

use super::Base;
use crate::ask::Counter;
use crate::catalogue::{Model, VocabularyOf};
use crate::model::{Image, Part, ResultContent};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a number of tokens rests on. Numbers of different kinds are never compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// A rule of thumb.
    Estimated,
    /// The model's own vocabulary.
    Counted,
    /// The provider said so.
    Reported,
}

/// A counter with the factor of one model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meter {
    base: Base,
    thousandths: u32,
    kind: Kind,
}

/// Tokens of one thing by what they are for: text, tool parts, reasoning, and the messages it is wrapped in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Text, images and files.
    pub text: u64,
    /// Tool calls and results.
    pub tools: u64,
    /// Reasoning.
    pub reasoning: u64,
    /// Messages on the wire that are no tool results.
    pub messages: u64,
    /// Messages on the wire that are tool results.
    pub results: u64,
}

/// An unknown picture costs as much as the largest that common APIs scale down to.
const UNKNOWN_IMAGE: u64 = 1600;

impl Meter {
    /// The counter that `choice` means for `model`.
    pub fn new(choice: Counter, model: Option<&Model>) -> Meter {
        let exact = |base| Meter { base, thousandths: 1000, kind: Kind::Counted };
        let rough = |base| Meter { base, thousandths: 1000, kind: Kind::Estimated };
        match (choice, model.map(|model| model.vocabulary)) {
            (Counter::O200k, _) | (Counter::Auto, Some(VocabularyOf::O200k)) => exact(Base::O200k),
            (Counter::Cl100k, _) | (Counter::Auto, Some(VocabularyOf::Cl100k)) => exact(Base::Cl100k),
            (Counter::Chars4, _) => rough(Base::Chars4),
            (Counter::Tokenx, _) => rough(Base::Tokenx),
            (Counter::Auto, Some(VocabularyOf::Estimated(thousandths))) => {
                Meter { base: Base::O200k, thousandths: thousandths.max(1), kind: Kind::Estimated }
            }
            (Counter::Auto, None) => rough(Base::O200k),
        }
    }

    /// The base whose raw counts it scales.
    pub fn base(self) -> Base {
        self.base
    }

    /// What its numbers may be called.
    pub fn kind(self) -> Kind {
        self.kind
    }

    /// The name shown in reports, with the factor where there is one.
    pub fn name(self) -> String {
        let base = match self.base {
            Base::O200k => "o200k",
            Base::Cl100k => "cl100k",
            Base::Chars4 => "chars4",
            Base::Tokenx => "tokenx",
        };
        match self.thousandths {
            1000 => base.to_owned(),
            n => format!("{base}×{}.{:03}", n / 1000, n % 1000).trim_end_matches('0').to_owned(),
        }
    }

    /// Raw counts into this model's tokens, rounded up.
    pub fn scale(self, raw: u64) -> u64 {
        match raw.checked_mul(u64::from(self.thousandths)) {
            Some(thousandths) => thousandths.div_ceil(1000),
            None => (u128::from(raw) * u128::from(self.thousandths)).div_ceil(1000) as u64,
        }
    }

    /// How many raw counts fit into `tokens`.
    pub fn unscale(self, tokens: u64) -> u64 {
        (u128::from(tokens) * 1000 / u128::from(self.thousandths)) as u64
    }

    /// Raw counts of a text.
    pub fn raw(self, text: &str) -> u64 {
        self.base.text(text)
    }
}

impl Tally {
    /// What the parts of one node cost, raw.
    pub fn of(parts: &[Part], base: Base) -> Tally {
        let mut tally = Tally::default();
        let mut open = Segment::None;
        for part in parts {
            let (segment, slot, cost) = match part {
                Part::Text(text) => (Segment::Said, &mut tally.text, base.text(&text.text)),
                Part::Reasoning(r) => (Segment::Thought, &mut tally.reasoning, base.text(&r.text)),
                Part::Image(image) => (Segment::Said, &mut tally.text, image_cost(image)),
                Part::File(file) => (Segment::Said, &mut tally.text, base.text(&file.name) + UNKNOWN_IMAGE),
                Part::ToolCall(call) => (Segment::Called, &mut tally.tools, base.text(&call.name) + base.text(call.args.text())),
                Part::ToolResult(result) => (Segment::Answered, &mut tally.tools, content_cost(&result.content, base)),
            };
            *slot += cost;
            match (open, segment) {
                (_, Segment::Answered) => tally.results += 1,
                (Segment::None | Segment::Answered, _) | (Segment::Called, Segment::Said | Segment::Thought) => {
                    tally.messages += 1;
                }
                (Segment::Said | Segment::Thought | Segment::Called, _) => {}
            }
            open = segment;
        }
        tally
    }

    /// Everything but reasoning, with the overhead of its messages.
    pub fn spoken(self, base: Base) -> u64 {
        self.text + self.tools + (self.messages + self.results) * base.overhead()
    }
}

impl std::ops::Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        Tally {
            text: self.text + other.text,
            tools: self.tools + other.tools,
            reasoning: self.reasoning + other.reasoning,
            messages: self.messages + other.messages,
            results: self.results + other.results,
        }
    }
}

impl std::ops::Sub for Tally {
    type Output = Tally;

    fn sub(self, other: Tally) -> Tally {
        Tally {
            text: self.text - other.text,
            tools: self.tools - other.tools,
            reasoning: self.reasoning - other.reasoning,
            messages: self.messages - other.messages,
            results: self.results - other.results,
        }
    }
}

/// Which kind of wire message is being filled while a node's parts are walked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Segment {
    None,
    Said,
    Thought,
    Called,
    Answered,
}

/// Raw counts of a tool's answer.
pub(crate) fn content_cost(content: &ResultContent, base: Base) -> u64 {
    match content {
        ResultContent::Text(text) => base.text(text),
        ResultContent::Parts(parts) => Tally::of(parts, base).text,
    }
}

/// Raw counts of a picture: a token for 750 pixels, as the costliest common rule has it.
pub(crate) fn image_cost(image: &Image) -> u64 {
    match (image.width, image.height) {
        (Some(width), Some(height)) => (u64::from(width) * u64::from(height)).div_ceil(750).clamp(85, UNKNOWN_IMAGE),
        (None, _) | (_, None) => UNKNOWN_IMAGE,
    }
}

/// Raw counts of a file that is sent whole.
pub(crate) fn file_cost(name: &str, base: Base) -> u64 {
    base.text(name) + UNKNOWN_IMAGE
}
