//! Named sets of choices: what each of the five seeds asks for, and Weft's own.

use super::policy::choice;
use super::{Cache, Counter, Form, HistoryPlacement, Layout, ReasoningPolicy, Settings, Strategy, SummarySide, ToolPolicy, Unit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

choice! {
    /// A named set of choices.
    ///
    /// The presets named after a seed give what its text asks for, without its slips: the system prompt is always sent,
    /// and tool results have the role that their API needs.
    Preset {
        /// The best of all.
        Weft = "weft",
        /// Multi-turn context: drop the oldest turns, count with tokenx, put reasoning into the text.
        Deepchat = "deepchat",
        /// The timeline of a multi-party space.
        Hsafa = "hsafa",
        /// A chat with its tool calls and results, all of them.
        Superdesign = "superdesign",
        /// Summary checkpoints before the prompt, cached tools.
        Netdata = "netdata",
        /// A path through a tree: middle truncation, four characters a token, merged authors.
        Aspen = "aspen",
    }
}

impl Preset {
    /// What the preset says.
    pub fn settings(self) -> Settings {
        match self {
            Preset::Weft => Settings::default(),
            Preset::Deepchat => Settings {
                truncation_strategy: Some(Strategy::DropOldest),
                unit: Some(Unit::Turn),
                counter: Some(Counter::Tokenx),
                reasoning: Some(ReasoningPolicy::Concat),
                cache: Some(Cache::Off),
                ..Settings::default()
            },
            Preset::Hsafa => Settings {
                form: Some(Form::Timeline),
                layout: Some(Layout::Seed),
                history: Some(HistoryPlacement::System),
                window: Some(50),
                ..Settings::default()
            },
            Preset::Superdesign => Settings {
                reasoning: Some(ReasoningPolicy::Drop),
                tool_policy: Some(ToolPolicy::AllOn),
                cache: Some(Cache::Off),
                ..Settings::default()
            },
            Preset::Netdata => Settings {
                tool_policy: Some(ToolPolicy::Cached),
                reasoning: Some(ReasoningPolicy::Drop),
                cache: Some(Cache::Advance),
                ..Settings::default()
            },
            Preset::Aspen => Settings {
                truncation_strategy: Some(Strategy::TruncateMiddle),
                counter: Some(Counter::Chars4),
                reasoning: Some(ReasoningPolicy::Drop),
                cache: Some(Cache::Off),
                merge: Some(true),
                ..Settings::default()
            },
        }
    }

    /// On which side of the prompt the preset puts a summary.
    pub(crate) fn summary_side(self) -> SummarySide {
        match self {
            Preset::Netdata => SummarySide::Before,
            Preset::Weft | Preset::Deepchat | Preset::Hsafa | Preset::Superdesign | Preset::Aspen => SummarySide::After,
        }
    }
}
