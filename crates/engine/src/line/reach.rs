//! How much of a path an ask can make use of, told before anything is read: for stores that read no more than that.

use super::brief::{UNKNOWN_WINDOW, window};
use crate::ask::{Ask, Form, Layout, Policy, Share, Strategy, ToolPolicy};
use crate::catalogue::{self, Model};
use crate::count::{Base, Meter};
use crate::model::{Conversation, Entity, EntityKind, Mode};

/// What to read of a path. A guess that saves work: assembly says when it was not enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The counter that is needed.
    pub base: Base,
    /// Read the newest nodes until they hold more raw tokens than this…
    pub tokens: u64,
    /// …and at least so many nodes…
    pub least: u32,
    /// …but no more than this.
    pub most: u32,
    /// Nothing less than the whole path will do.
    pub whole: bool,
}

/// Newest nodes that are read beyond what is needed, so that the border of what is left out can be named.
const BEYOND: u32 = 4;

/// What `ask` can make use of in a space with this header.
pub fn reach(file: &Conversation, ask: &Ask) -> Reach {
    let policy = Policy::from_levels(&[&ask.app, &file.space.settings, &ask.settings]);
    let model = ask.model.clone().or_else(|| {
        let name = viewer(file, ask)?.model.as_deref()?;
        Some(catalogue::find(name).unwrap_or_else(|| Model::unlisted(name)))
    });
    let meter = Meter::new(policy.counter, model.as_ref());
    let length = policy.context_length.or(model.as_ref().and_then(|model| model.context_length)).unwrap_or(UNKNOWN_WINDOW);
    let form = policy.form.unwrap_or(match file.space.mode {
        Mode::Dialogue => Form::Dialogue,
        Mode::Buffer => Form::Buffer,
    });
    let counted = window(&policy, form);
    let stepped = form == Form::Timeline && policy.layout == Layout::CacheStable;
    Reach {
        base: meter.base(),
        tokens: meter.unscale(length),
        least: policy.minimum_recent_nodes + BEYOND,
        most: counted.map_or(u32::MAX, |newest| newest + if stepped { 25 } else { 0 } + BEYOND),
        whole: counted.is_none() && needs_all(&policy),
    }
}

fn needs_all(policy: &Policy) -> bool {
    let by_node = match policy.tool_policy {
        ToolPolicy::Cached | ToolPolicy::AllOn => false,
        ToolPolicy::Auto | ToolPolicy::AllOff | ToolPolicy::Manual => true,
    };
    by_node || policy.strategy == Strategy::StopAtLimit || policy.low_water < Share::WHOLE
}

fn viewer<'f>(file: &'f Conversation, ask: &Ask) -> Option<&'f Entity> {
    match ask.viewer.as_ref().or(file.viewer.as_ref()) {
        Some(id) => file.entities.iter().find(|entity| entity.id == *id),
        None => {
            let mut agents = file.entities.iter().filter(|entity| entity.kind == EntityKind::Agent);
            agents.next().filter(|_| agents.next().is_none())
        }
    }
}
