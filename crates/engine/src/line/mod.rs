//! The line: path → select → convert → repair → fit → merge → mark → render.
//!
//! One function calls the steps in this order. Nothing here reads a clock, a file or a global: same input, same bytes.

mod brief;
mod buffer;
mod convert;
mod error;
mod fit;
mod frame;
mod join;
mod loom;
mod mark;
mod merge;
mod names;
pub(crate) mod native;
mod path;
mod reach;
mod read;
mod render;
mod repair;
mod rounds;
mod select;
mod side;
mod speech;
mod system;
mod tell;
mod timeline;
mod weave;

pub use error::{AssembleError, Sized};
pub use reach::{Reach, reach};

use crate::ask::Ask;
use crate::count::Meter;
use crate::history::History;
use crate::report::{Item, Report};
use brief::Brief;
use frame::Frame;
use join::join;
use mark::mark;
use merge::merge;
use names::name_calls;
use path::path;
use render::render;
use select::select;
use tell::{Sent, Stretch, tell};
use weave::weave;

/// A request and the report of how it came about.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The request body, ready to be sent.
    pub request: Vec<u8>,
    /// The SHA-256 of the request: what the report's hash is written from.
    pub digest: [u8; 32],
    /// What happened to every node.
    pub report: Report,
    head: Option<u32>,
    singles: Vec<Stretch>,
    meter: Meter,
}

/// Weaves a request out of a history.
///
/// The same history and ask give the same bytes, on every platform. From a part of a history
/// ([`History::partial`](crate::History::partial)) it gives what it gives from the whole, or [`AssembleError::Unread`].
pub fn assemble(history: &History, ask: &Ask) -> Result<Assembly, AssembleError> {
    let assembly = line(history, ask);
    if history.fell_short() { Err(AssembleError::Unread) } else { assembly }
}

fn line(history: &History, ask: &Ask) -> Result<Assembly, AssembleError> {
    let brief = Brief::new(history, ask)?;
    let selection = select(path(history, brief.head), &brief);
    let mut frame = Frame::new(&brief, &selection)?;
    let mut slack = 0;
    let (woven, mut merged, joined) = loop {
        // Reads, converts, repairs and fits.
        let mut woven = weave(&selection, &brief, &frame, slack)?;
        let mut joined = join(&mut woven, &selection, &brief, &mut frame);
        woven.repairs.extend(name_calls(&mut joined.said, &brief, woven.repeats || rounds::repeat_ids(&brief)));
        let merged = merge(joined.said, &brief);
        // What was joined is counted again before it is called fitting.
        let over = frame.over(&brief, joined.raw, merged.added);
        if over == 0 {
            break (woven, merged, joined.facts);
        }
        slack += woven.spare + least_cut(over);
        if slack > brief.context_length {
            return Err(frame.too_small(&brief, joined.raw.saturating_add_signed(merged.added)));
        }
    };
    if merged.said.is_empty() {
        return Err(AssembleError::NothingToSend);
    }
    let raw = frame.raw() + joined.raw;
    let marks = mark(&mut frame, &mut merged.said, &brief, raw);
    let (messages, nodes): (Vec<_>, Vec<_>) = merged.said.into_iter().map(|said| (said.message, said.nodes)).unzip();
    let rendered = render(messages, frame, &marks, brief.meter.scale(raw), &brief)?;
    let sent = Sent { nodes, added: merged.added, repairs: merged.repairs };
    let assembly = tell(&selection, &brief, woven, sent, joined, marks, rendered);
    match assembly.report.repairs.first() {
        Some(repair) if brief.strict() => Err(AssembleError::Strict { repair: repair.clone() }),
        Some(_) | None => Ok(assembly),
    }
}

/// What must go at least when joining went over by so much. Joining costs little for each message and once for the
/// opener, so that most of the excess is saved by what is removed itself. To take more than needed would let a larger
/// budget keep less.
fn least_cut(over: u64) -> u64 {
    const ONCE: u64 = 32;
    const A_MESSAGE: u64 = 3;
    (over.saturating_sub(ONCE) / A_MESSAGE).max(1)
}

impl Assembly {
    /// The nodes that are sent, in path order, by their place in [`History::nodes`].
    pub fn sent(&self) -> impl Iterator<Item = usize> + '_ {
        self.singles.iter().filter(|stretch| stretch.is_sent()).map(Stretch::place)
    }

    /// The report's items in path order, with every node on its own where the whole path was read.
    pub fn each_node(&self, history: &History) -> Vec<Item> {
        tell::each_node(history, self.head, &self.singles, self.meter)
    }
}
