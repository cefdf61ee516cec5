//! The message that somebody means, and `weft spaces delete-message`.

use super::super::args::DeleteMessageArgs;
use crate::chat::nodes_beginning_with;
use crate::exit::Outcome;
use crate::keep::now;
use crate::output;
use crate::remote::Place;
use anyhow::{Result, bail};
use serde_json::json;
use weftwork::model::{NodeId, SpaceId};
use weftwork_store::StoreError;

/// A shorter beginning of an id is a slip.
const LEAST: usize = 4;
/// Characters of an id that are shown.
const SHORT: usize = 8;
/// More are no help.
const LISTED: usize = 5;

/// The message that `wanted` means: by its id, or by how that begins.
pub(super) fn find(place: &Place, space: &SpaceId, wanted: &str) -> Result<NodeId> {
    let wanted = wanted.strip_prefix("msg:").unwrap_or(wanted);
    let known = match place {
        Place::Here(store) => match store.node(space, &wanted.into()) {
            Err(StoreError::NoNode { .. }) => None,
            result => Some(result?),
        },
        Place::There(server) => server.node(space, &wanted.into())?,
    };
    if let Some(node) = known {
        return Ok(node.id);
    }
    let found = match place {
        _ if wanted.len() < LEAST => Vec::new(),
        Place::Here(store) => nodes_beginning_with(store, space, wanted)?,
        Place::There(server) => server.beginning_with(space, wanted)?,
    };
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
    let place = args.list.place.change()?;
    let space = place.find_space(&args.space)?;
    let message = find(&place, &space, &args.message)?;
    match &place {
        Place::Here(store) => drop(store.delete_message(&space, &message, now())?),
        Place::There(server) => server.delete_message(&space, &message)?,
    }
    if args.list.json {
        output::line(&serde_json::to_vec(&json!({"space": space, "deleted": message}))?)?;
    } else {
        output::say(&format!("{} is deleted: nobody is shown it any more\n", short(&message)));
    }
    Ok(Outcome::Ok)
}
