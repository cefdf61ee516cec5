//! The message that somebody means, and `weft spaces delete-message`.

use super::super::args::DeleteMessageArgs;
use crate::chat::nodes_beginning_with;
use crate::exit::Outcome;
use crate::keep::{find_space, now};
use crate::output;
use anyhow::{Result, bail};
use serde_json::json;
use weftwork::model::{NodeId, SpaceId};
use weftwork_store::{Store, StoreError};

/// A shorter beginning of an id is a slip.
const LEAST: usize = 4;
/// Characters of an id that are shown.
const SHORT: usize = 8;
/// More are no help.
const LISTED: usize = 5;

/// The message that `wanted` means: by its id, or by how that begins.
pub(super) fn find(store: &Store, space: &SpaceId, wanted: &str) -> Result<NodeId> {
    let wanted = wanted.strip_prefix("msg:").unwrap_or(wanted);
    match store.node(space, &wanted.into()) {
        Ok(node) => return Ok(node.id),
        Err(StoreError::NoNode { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    let found = if wanted.len() < LEAST { Vec::new() } else { nodes_beginning_with(store, space, wanted)? };
    match found.as_slice() {
        [one] => Ok(one.clone()),
        [] => bail!("there is no message {wanted:?} in {space}: weft spaces read {space} shows their ids"),
        several => {
            let ids: Vec<&str> = several.iter().take(LISTED).map(NodeId::as_str).collect();
            bail!("{} messages begin with {wanted:?}: {}", several.len(), ids.join(", "))
        }
    }
}

/// As much of an id as is shown.
pub(super) fn short(id: &NodeId) -> String {
    crate::preview::plain(id.as_str()).chars().take(SHORT).collect()
}

/// Deletes a message.
pub(super) fn delete(args: &DeleteMessageArgs) -> Result<Outcome> {
    let store = args.list.db.change()?;
    let space = find_space(&store, &args.space)?;
    let message = find(&store, &space, &args.message)?;
    store.delete_message(&space, &message, now())?;
    if args.list.json {
        output::line(&serde_json::to_vec(&json!({"space": space, "deleted": message}))?)?;
    } else {
        output::say(&format!("{} is deleted: nobody is shown it any more\n", short(&message)));
    }
    Ok(Outcome::Ok)
}
