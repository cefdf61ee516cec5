//! **render**: the neutral request into the bytes of its dialect, within the dialect's other limits.

use super::brief::Brief;
use super::error::AssembleError;
use super::frame::Frame;
use super::mark::Marks;
use super::names::tool_name;
use crate::cache;
use crate::dialect;
use crate::model::{Image, Tool};
use crate::prompt::{MaxTokens, Message, Piece, Prompt};
use crate::report::{Budget, CacheReport, FirstChange, Repair, RepairKind};
use sha2::{Digest, Sha256};
use std::borrow::Cow;

/// The bytes and what is known of them.
pub(crate) struct Rendered {
    pub(crate) bytes: Vec<u8>,
    pub(crate) digest: [u8; 32],
    pub(crate) cache: CacheReport,
    pub(crate) budget: Budget,
    pub(crate) repairs: Vec<Repair>,
}

/// Writes the request.
pub(crate) fn render<'h>(
    messages: Vec<Message<'h>>,
    frame: Frame<'h>,
    marks: &Marks,
    tokens: u64,
    brief: &Brief<'h>,
) -> Result<Rendered, AssembleError> {
    let budget = frame.budget(brief, true);
    let mut repairs = Vec::new();
    let tools = tools(brief, &mut repairs);
    let prompt = Prompt {
        system: frame.system,
        messages,
        tools: tools.iter().map(|tool| &**tool).collect(),
        tools_mark: marks.tools,
        sampling: &brief.sampling,
        model: brief.model.as_ref(),
        max_tokens: match brief.policy.max_tokens {
            Some(_) => MaxTokens::Asked(brief.reserve),
            None => MaxTokens::Reserved(brief.reserve),
        },
        context_length: brief.context_length,
    };
    let bytes = dialect::render(&prompt, brief.dialect);
    limits(&prompt, bytes.len() as u64, brief)?;
    let digest = Sha256::digest(&bytes).into();
    let cache = predict(&bytes, brief, &marks.names, tokens)?;
    Ok(Rendered { bytes, digest, cache, budget, repairs })
}

/// Tools under names that the API accepts, the same as in the calls of the history.
fn tools<'h>(brief: &Brief<'h>, repairs: &mut Vec<Repair>) -> Vec<Cow<'h, Tool>> {
    let accepted = |tool: &&'h Tool| match tool_name(&tool.name, brief.dialect) {
        None => Cow::Borrowed(*tool),
        Some(name) => {
            let detail = format!("{} refuses tool name {:?}: now {name:?}", brief.dialect, tool.name);
            repairs.push(Repair { node: None, kind: RepairKind::MappedName, detail });
            Cow::Owned(Tool { name, ..(*tool).clone() })
        }
    };
    brief.tools.iter().map(accepted).collect()
}

/// In hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes everything");
        text
    })
}

fn limits(prompt: &Prompt<'_>, bytes: u64, brief: &Brief<'_>) -> Result<(), AssembleError> {
    let limits = brief.dialect.limits(brief.model.as_ref());
    let mut images: Vec<&Image> = Vec::new();
    for piece in prompt.messages.iter().flat_map(|message| &message.pieces) {
        match piece {
            Piece::Image(image) => images.push(image),
            Piece::Result(result) => images.extend(result.content.iter().filter_map(picture)),
            Piece::Text(_) | Piece::Reasoning(_) | Piece::Call(_) | Piece::File(_) => {}
        }
    }
    let edge = images.iter().filter_map(|image| image.width.max(image.height)).max().unwrap_or(0);
    let small = limits.many_images.filter(|(many, _)| images.len() as u32 > *many).map(|(_, edge)| edge);
    let found = [
        ("bytes", bytes, limits.bytes),
        ("images", images.len() as u64, limits.images.map(u64::from)),
        ("pixels along a picture's side", u64::from(edge), small.or(limits.edge).map(u64::from)),
        ("messages", prompt.messages.len() as u64, limits.messages.map(u64::from)),
    ];
    for (what, found, limit) in found {
        if let Some(limit) = limit.filter(|limit| found > *limit) {
            return Err(AssembleError::OverDialectLimit { what, found, limit, dialect: brief.dialect });
        }
    }
    Ok(())
}

fn picture<'p>(piece: &'p Piece<'_>) -> Option<&'p Image> {
    if let Piece::Image(image) = piece { Some(image) } else { None }
}

/// What changed since the previous request, and what the provider's cache will make of that.
fn predict(bytes: &[u8], brief: &Brief<'_>, marks: &[String], tokens: u64) -> Result<CacheReport, AssembleError> {
    let mut report = CacheReport { marks: marks.to_vec(), ..CacheReport::default() };
    let Some(previous) = &brief.ask.previous else { return Ok(report) };
    let bad = |error: cache::BadBody| AssembleError::BadPrevious { error: error.to_string() };
    let change = cache::first_change(previous, bytes, brief.dialect).map_err(bad)?;
    report.first_change =
        change.map(|change| FirstChange { section: change.section.word().to_owned(), byte: change.byte as u64 });
    let read = cache::common_marked_prefix(previous, bytes, brief.dialect).map_err(bad)?;
    let blocks = cache::blocks(bytes, brief.dialect).map_err(bad)?;
    let size = |until: usize| blocks[..until].iter().map(|block| block.text.len() as u64).sum::<u64>();
    let share = |bytes: u64| (u128::from(tokens) * u128::from(bytes) / u128::from(size(blocks.len()).max(1))) as u64;
    let marked = blocks.iter().rposition(|block| block.marked).map_or(0, |at| at + 1);
    report.predicted_read = Some(share(size(read.blocks)));
    report.predicted_write = Some(share(size(marked.max(read.blocks)) - size(read.blocks)));
    Ok(report)
}
