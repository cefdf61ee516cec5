//! What a provider's cache can keep of the previous request.
//!
//! Two bodies of one dialect are compared block by block in the order in which providers hash a prefix: tools, system
//! text, messages. Marks are not part of it: moving one changes nothing that was cached. Texts are compared as they
//! stand; a number written otherwise is a change, as it is to the provider.

mod read;

use crate::dialect::Dialect;
pub use read::BadBody;
use std::borrow::Cow;

/// One block of a request body: a tool, a block of system text, a content block or a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireBlock<'b> {
    /// Where it belongs.
    pub section: WireSection,
    /// Who speaks, in the words of the dialect; nobody in tools and system text.
    pub role: Option<Cow<'b, str>>,
    /// Where it begins in the body.
    pub start: usize,
    /// The JSON of it without its mark.
    pub text: Cow<'b, str>,
    /// Whether it carries a cache mark.
    pub marked: bool,
}

/// A part of the request, in the order in which providers hash it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WireSection {
    /// Tools.
    Tools,
    /// System text.
    System,
    /// The conversation.
    History {
        /// The message, counted from zero, a leading system message not among them.
        message: usize,
    },
}

impl WireSection {
    /// The word a report uses.
    pub fn word(self) -> &'static str {
        match self {
            WireSection::Tools => "tools",
            WireSection::System => "system",
            WireSection::History { .. } => "history",
        }
    }
}

/// The first thing that differs from the previous request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where it is.
    pub section: WireSection,
    /// Its first byte in the current body.
    pub byte: usize,
}

/// A leading part of the current request that the provider has read before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CachedPrefix {
    /// Blocks.
    pub blocks: usize,
    /// Bytes of these blocks, marks not counted.
    pub bytes: usize,
}

/// How many blocks before a mark Anthropic looks for an earlier entry, the marked one included.
pub const LOOKBACK: usize = 20;

/// The blocks of a request body, in the order in which providers hash them.
pub fn blocks(body: &[u8], dialect: Dialect) -> Result<Vec<WireBlock<'_>>, BadBody> {
    read::blocks(body, dialect)
}

/// The first thing in `current` that `previous` does not have; none if `previous` begins with all of it.
pub fn first_change(previous: &[u8], current: &[u8], dialect: Dialect) -> Result<Option<Change>, BadBody> {
    let (previous, current) = (blocks(previous, dialect)?, blocks(current, dialect)?);
    let same = common(&previous, &current);
    Ok(current.get(same).map(|block| Change { section: block.section, byte: first_byte(previous.get(same), block) }))
}

/// The leading blocks of `current` that the provider can take from what `previous` left in its cache.
///
/// Anthropic keeps entries where a mark stood and looks for them from each mark back; the others keep every prefix by
/// themselves.
pub fn common_marked_prefix(previous: &[u8], current: &[u8], dialect: Dialect) -> Result<CachedPrefix, BadBody> {
    let (previous, current) = (blocks(previous, dialect)?, blocks(current, dialect)?);
    let same = common(&previous, &current);
    let read = match dialect {
        Dialect::Anthropic => {
            (0..same).rev().find(|&at| previous[at].marked && seen_from_a_mark(&current, at)).map_or(0, |at| at + 1)
        }
        Dialect::OpenAi
        | Dialect::Responses
        | Dialect::Gemini
        | Dialect::Ollama
        | Dialect::Completions
        | Dialect::AiSdk
        | Dialect::Text
        | Dialect::Messages => same,
    };
    Ok(CachedPrefix { blocks: read, bytes: current[..read].iter().map(|block| block.text.len()).sum() })
}

fn seen_from_a_mark(current: &[WireBlock<'_>], entry: usize) -> bool {
    current.iter().skip(entry).take(LOOKBACK).any(|block| block.marked)
}

fn common(previous: &[WireBlock<'_>], current: &[WireBlock<'_>]) -> usize {
    previous.iter().zip(current).take_while(|(a, b)| same(a, b)).count()
}

fn same(a: &WireBlock<'_>, b: &WireBlock<'_>) -> bool {
    a.section == b.section && a.role == b.role && a.text == b.text
}

/// Inside the block where it has a counterpart, so that a document that grew is told from one that was rewritten. A mark
/// is the last key of a block that we wrote: nothing before it moves.
fn first_byte(previous: Option<&WireBlock<'_>>, current: &WireBlock<'_>) -> usize {
    let shared = previous
        .filter(|block| block.section == current.section && block.role == current.role)
        .map_or(0, |block| block.text.bytes().zip(current.text.bytes()).take_while(|(a, b)| a == b).count());
    current.start + shared
}
