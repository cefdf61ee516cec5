//! The system text of a timeline, in blocks.
//!
//! Invariants: the texts of the blocks, one after the other, are the system text; a block is [`Stability::Stable`] only if
//! all before it are, because a provider's cache reads prefixes. In layout `cacheStable` each entry of the history is a
//! block of its own, so a run that sees one more entry sends the earlier blocks byte for byte.
//!
//! The system text of agent and space comes first in both layouts: it is what changes least. ACTIVE SPACE stands before
//! the history, as in the seed: it changes exactly when the history becomes another one.

use super::history::{Told, of_the_run, write_heading, write_line};
use super::text::Text;
use super::view::{FindEntity, Here, View, ViewError};
use super::{agent, instructions, sections};
use crate::ask::{HistoryPlacement, Layout};
use crate::prompt::{Block, Section, Stability};
use std::borrow::Cow;

const SEED: &[Section] = &[
    Section::Prompt,
    Section::Identity,
    Section::Trigger,
    Section::ActiveSpace,
    Section::History,
    Section::Spaces,
    Section::Goals,
    Section::Memories,
    Section::Plans,
    Section::Runs,
    Section::Instructions,
];

const CACHE_STABLE: &[Section] = &[
    Section::Prompt,
    Section::Instructions,
    Section::Identity,
    Section::Goals,
    Section::Memories,
    Section::Spaces,
    Section::ActiveSpace,
    Section::History,
    Section::Runs,
    Section::Plans,
    Section::Trigger,
    Section::Time,
];

/// Writes the system text of a run.
pub fn blocks<'h>(view: &View<'h>, find: FindEntity<'_, 'h>) -> Result<Vec<Block<'h>>, ViewError> {
    let mut blocks = Blocks(Vec::new());
    let order = match view.layout {
        Layout::Seed => SEED,
        Layout::CacheStable => CACHE_STABLE,
    };
    for &section in order {
        let text = match section {
            Section::Prompt => {
                blocks.prompt(&view.prompt);
                None
            }
            Section::History => {
                blocks.0.extend(view.here.as_ref().map(|here| history(here, view.layout, view.placement)).unwrap_or_default());
                None
            }
            Section::Identity => Some(sections::identity(view)),
            Section::Trigger => sections::trigger(view, find)?,
            Section::ActiveSpace => Some(sections::active_space(view)),
            Section::Spaces => sections::spaces(view, find)?,
            Section::Goals => agent::goals(view.goals),
            Section::Memories => agent::memories(view.memories),
            Section::Plans => agent::plans(view.plans, view.now),
            Section::Runs => agent::runs(view.runs),
            Section::Instructions => Some(instructions::instructions(view.advice)),
            Section::Time => Some(sections::time(view)),
            // Blocks of other forms.
            Section::Summary | Section::Addendum => None,
        };
        if let Some(text) = text {
            blocks.section(section, stability(view.layout, section), text);
        }
    }
    Ok(blocks.0)
}

/// Whether a section will be the same next time, and all before it too.
fn stability(layout: Layout, section: Section) -> Stability {
    let volatile = match section {
        Section::Prompt | Section::Summary | Section::Addendum => false,
        Section::Runs | Section::Plans | Section::Trigger | Section::Time => true,
        Section::Instructions
        | Section::Identity
        | Section::Goals
        | Section::Memories
        | Section::Spaces
        | Section::ActiveSpace
        // Only what is appended changes; what the run adds to it is written apart.
        | Section::History => match layout {
            // The time stands in the identity, before all of them.
            Layout::Seed => true,
            Layout::CacheStable => false,
        },
    };
    if volatile { Stability::Volatile } else { Stability::Stable }
}

struct Blocks<'h>(Vec<Block<'h>>);

impl<'h> Blocks<'h> {
    fn push(&mut self, section: Section, stability: Stability, text: impl Into<Cow<'h, str>>) {
        self.0.push(Block { section, text: text.into(), stability, mark: false });
    }

    /// What stands between a section and what is there already.
    fn separator(&self) -> &'static str {
        if self.0.is_empty() { "" } else { "\n\n" }
    }

    fn section(&mut self, section: Section, stability: Stability, text: Text) {
        self.push(section, stability, self.separator().to_owned() + &text.into_string());
    }

    fn prompt(&mut self, texts: &[&'h str]) {
        for &text in texts.iter().filter(|text| !text.is_empty()) {
            let text = if self.0.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(self.separator().to_owned() + text) };
            self.push(Section::Prompt, Stability::Stable, text);
        }
    }
}

/// What stands between the history and the section before it: ACTIVE SPACE, in every layout.
const BEFORE_HISTORY: &str = "\n\n";

/// The blocks of a space's history, to stand behind ACTIVE SPACE.
pub(crate) fn history<'h>(here: &Here<'_>, layout: Layout, placement: HistoryPlacement) -> Vec<Block<'h>> {
    match (placement, layout) {
        (HistoryPlacement::Messages, _) => Vec::new(),
        (HistoryPlacement::System, _) if here.entries.is_empty() => Vec::new(),
        (HistoryPlacement::System, Layout::Seed) => vec![marked_history(here)],
        (HistoryPlacement::System, Layout::CacheStable) => stable_history(here),
    }
}

fn marked_history<'h>(here: &Here<'_>) -> Block<'h> {
    let mut text = Text::begin(BEFORE_HISTORY);
    write_heading(&mut text, &here.space.name);
    for entry in &here.entries {
        write_line(text.word("\n"), entry, Told::WithMarks);
    }
    history_block(Stability::Volatile, text)
}

/// The heading with the first line, then a block for each line that stays, then one for what only this run is told.
fn stable_history<'h>(here: &Here<'_>) -> Vec<Block<'h>> {
    let mut blocks = Vec::with_capacity(here.entries.len() + 1);
    let mut text = Text::begin(BEFORE_HISTORY);
    write_heading(&mut text, &here.space.name);
    for entry in here.entries.iter().filter(|entry| !entry.is_of_the_run()) {
        write_line(text.word("\n"), entry, Told::Plainly);
        blocks.push(history_block(Stability::Stable, std::mem::take(&mut text)));
    }
    let told = of_the_run(&here.entries);
    for entry in &told {
        write_line(text.word("\n"), entry, Told::Plainly);
    }
    if !told.is_empty() {
        blocks.push(history_block(Stability::Volatile, text));
    }
    blocks
}

fn history_block<'h>(stability: Stability, text: Text) -> Block<'h> {
    Block { section: Section::History, text: Cow::Owned(text.into_string()), stability, mark: false }
}
