//! The choices themselves, and the whole of them after app, space and ask were laid over each other.

use super::{Preset, Settings, Share};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// Every choice, in the order in which they are documented.
            pub const ALL: &[$name] = &[$($name::$variant),+];

            /// The word a person writes for it.
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(word: &str) -> Result<Self, String> {
                $name::ALL.iter().copied().find(|choice| choice.word() == word).ok_or_else(|| {
                    let words: Vec<_> = $name::ALL.iter().map(|choice| choice.word()).collect();
                    format!("{word:?} is none of: {}", words.join(", "))
                })
            }
        }
    };
}
pub(crate) use choice;

choice! {
    /// How the path is read.
    Form {
        /// System text and alternating messages.
        Dialogue = "dialogue",
        /// One continuous document.
        Buffer = "buffer",
        /// A structured account of who said what, when and why.
        Timeline = "timeline",
    }
}
choice! {
    /// What to do when the path does not fit.
    Strategy {
        /// Keep the first turn and the newest nodes; cut between.
        TruncateMiddle = "truncateMiddle",
        /// Keep the newest turns that fit.
        RollingWindow = "rollingWindow",
        /// Never remove; say by how much it is over.
        StopAtLimit = "stopAtLimit",
        /// Drop whole turns, oldest first.
        DropOldest = "dropOldest",
        /// A rolling window that moves rarely, so that the provider's cache is read instead of rewritten.
        StickyWindow = "stickyWindow",
    }
}
choice! {
    /// What `dropOldest` drops at a time.
    Unit {
        /// A whole turn.
        Turn = "turn",
        /// An atom: a message, or a call with its results.
        Message = "message",
    }
}
choice! {
    /// What becomes of reasoning.
    ReasoningPolicy {
        /// Sent back verbatim to the model that signed it, else dropped.
        Keep = "keep",
        /// Put into the text, in its place.
        Concat = "concat",
        /// Dropped.
        Drop = "drop",
    }
}
choice! {
    /// What becomes of nodes that failed.
    Errors {
        /// Left out.
        Exclude = "exclude",
        /// An agent's partial text is kept, with a line that says it failed.
        Note = "note",
    }
}
choice! {
    /// Which tools and tool parts are sent.
    ToolPolicy {
        /// Tool parts of the current turn only.
        Auto = "auto",
        /// All, with cache control.
        Cached = "cached",
        /// All.
        AllOn = "all-on",
        /// None.
        AllOff = "all-off",
        /// Those that were chosen.
        Manual = "manual",
    }
}
choice! {
    /// Where a summary is put.
    SummaryPlacement {
        /// Into the system text, under a heading.
        System = "system",
        /// Into a labelled user message after the system text, which keeps the cached prefix.
        Message = "message",
    }
}
choice! {
    /// On which side of the prompt a summary in the system text stands.
    SummarySide {
        /// After the prompt.
        After = "after",
        /// Before the prompt.
        Before = "before",
    }
}
choice! {
    /// Order of the timeline's sections.
    Layout {
        /// The order of the seed: identity and trigger first.
        Seed = "seed",
        /// From stable to volatile.
        CacheStable = "cacheStable",
    }
}
choice! {
    /// Where the timeline's history is put.
    HistoryPlacement {
        /// Into the system text, an entry a line.
        System = "system",
        /// Into messages: own as assistant, others as user with a prefix.
        Messages = "messages",
    }
}
choice! {
    /// Where cache marks go.
    Cache {
        /// Nowhere.
        Off = "off",
        /// To the newest stable message.
        Advance = "advance",
        /// Where the last reply call had them.
        Freeze = "freeze",
    }
}
choice! {
    /// How tokens are counted.
    Counter {
        /// Exact where the model's vocabulary is known, else an estimate for its family.
        Auto = "auto",
        /// Exact, OpenAI's o200k.
        O200k = "o200k",
        /// Exact, OpenAI's cl100k.
        Cl100k = "cl100k",
        /// Characters divided by four.
        Chars4 = "chars4",
        /// The estimate of the tokenx package.
        Tokenx = "tokenx",
    }
}

/// Whether unknown things are errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Repairs are made and reported.
    Repair,
    /// The first repair is an error.
    Strict,
}

/// Every choice, made.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// See [`Settings::form`]; the space's mode if none.
    pub form: Option<Form>,
    /// See [`Settings::truncation_strategy`].
    pub strategy: Strategy,
    /// See [`Settings::unit`].
    pub unit: Unit,
    /// See [`Settings::minimum_recent_nodes`].
    pub minimum_recent_nodes: u32,
    /// See [`Settings::low_water`].
    pub low_water: Share,
    /// See [`Settings::token_buffer`].
    pub token_buffer: u64,
    /// See [`Settings::max_tokens`].
    pub max_tokens: Option<u64>,
    /// See [`Settings::context_length`].
    pub context_length: Option<u64>,
    /// See [`Settings::window`].
    pub window: Option<u32>,
    /// See [`Settings::counter`].
    pub counter: Counter,
    /// See [`Settings::reasoning`].
    pub reasoning: ReasoningPolicy,
    /// See [`Settings::errors`].
    pub errors: Errors,
    /// See [`Settings::annotations`].
    pub annotations: bool,
    /// See [`Settings::tool_policy`].
    pub tool_policy: ToolPolicy,
    /// See [`Settings::summary`].
    pub summary: SummaryPlacement,
    /// The side of the prompt on which a summary stands; a matter of the preset.
    pub summary_side: SummarySide,
    /// See [`Settings::layout`].
    pub layout: Layout,
    /// See [`Settings::history`].
    pub history: HistoryPlacement,
    /// See [`Settings::cache`].
    pub cache: Cache,
    /// See [`Settings::marker`]; on in dialogues and off in buffers if none.
    pub marker: Option<bool>,
    /// See [`Settings::merge`].
    pub merge: bool,
    /// See [`Settings::default_system_prompt`].
    pub default_system_prompt: Option<String>,
    /// See [`Settings::strict`].
    pub check: Check,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            form: None,
            strategy: Strategy::TruncateMiddle,
            unit: Unit::Turn,
            minimum_recent_nodes: 4,
            low_water: Share::WHOLE,
            token_buffer: 1024,
            max_tokens: None,
            context_length: None,
            window: None,
            counter: Counter::Auto,
            reasoning: ReasoningPolicy::Keep,
            errors: Errors::Exclude,
            annotations: false,
            tool_policy: ToolPolicy::Cached,
            summary: SummaryPlacement::System,
            summary_side: SummarySide::After,
            layout: Layout::Seed,
            history: HistoryPlacement::System,
            cache: Cache::Advance,
            marker: None,
            merge: false,
            default_system_prompt: None,
            check: Check::Repair,
        }
    }
}

impl Policy {
    /// Lays the levels over each other, weakest first.
    pub fn from_levels(levels: &[&Settings]) -> Policy {
        let mut policy = Policy::default();
        for level in levels {
            if let Some(preset) = level.preset {
                policy.preset(preset);
            }
            policy.lay(level);
        }
        policy
    }

    /// A preset makes every choice anew; limits and texts that a weaker level gave are no choices and stay.
    fn preset(&mut self, preset: Preset) {
        *self = Policy {
            summary_side: preset.summary_side(),
            minimum_recent_nodes: self.minimum_recent_nodes,
            token_buffer: self.token_buffer,
            max_tokens: self.max_tokens,
            context_length: self.context_length,
            default_system_prompt: self.default_system_prompt.take(),
            check: self.check,
            ..Policy::default()
        };
        self.lay(&preset.settings());
    }

    fn lay(&mut self, level: &Settings) {
        fn set<T: Clone>(slot: &mut T, choice: Option<&T>) {
            if let Some(choice) = choice {
                *slot = choice.clone();
            }
        }
        fn open<T: Clone>(slot: &mut Option<T>, choice: Option<&T>) {
            if choice.is_some() {
                *slot = choice.cloned();
            }
        }
        open(&mut self.form, level.form.as_ref());
        set(&mut self.strategy, level.truncation_strategy.as_ref());
        if level.truncation_strategy == Some(Strategy::StickyWindow) && level.low_water.is_none() {
            self.low_water = Share::thousandths(600);
        }
        set(&mut self.unit, level.unit.as_ref());
        set(&mut self.minimum_recent_nodes, level.minimum_recent_nodes.as_ref());
        set(&mut self.low_water, level.low_water.as_ref());
        set(&mut self.token_buffer, level.token_buffer.as_ref());
        open(&mut self.max_tokens, level.max_tokens.as_ref());
        open(&mut self.context_length, level.context_length.as_ref());
        open(&mut self.window, level.window.as_ref());
        set(&mut self.counter, level.counter.as_ref());
        set(&mut self.reasoning, level.reasoning.as_ref());
        set(&mut self.errors, level.errors.as_ref());
        set(&mut self.annotations, level.annotations.as_ref());
        set(&mut self.tool_policy, level.tool_policy.as_ref());
        set(&mut self.summary, level.summary.as_ref());
        set(&mut self.layout, level.layout.as_ref());
        set(&mut self.history, level.history.as_ref());
        set(&mut self.cache, level.cache.as_ref());
        open(&mut self.marker, level.marker.as_ref());
        set(&mut self.merge, level.merge.as_ref());
        open(&mut self.default_system_prompt, level.default_system_prompt.as_ref());
        if let Some(strict) = level.strict {
            self.check = if strict { Check::Strict } else { Check::Repair };
        }
    }
}
