//! The run that somebody means: by its id, or by how its id begins.

use crate::remote::Place;
use anyhow::{Result, bail};
use weftwork_store::StoreError;
use weftwork_store::runs::{Run, RunId, RunQuery};

/// A shorter beginning of an id is a slip.
const LEAST: usize = 4;
/// Characters of an id that tables show.
pub(super) const SHORT: usize = 8;
/// More are no help.
const LISTED: usize = 5;

/// The run that `wanted` means.
pub(super) fn find(place: &Place, wanted: &str) -> Result<Run> {
    if let Some(run) = known(place, wanted)? {
        return Ok(run);
    }
    if wanted.len() < LEAST {
        bail!("there is no run {wanted:?}: give at least {LEAST} characters of its id; weft runs lists them");
    }
    let mut found = match place {
        Place::Here(store) => store.runs(&RunQuery::default())?,
        Place::There(server) => server.runs(&RunQuery::default())?,
    };
    found.retain(|run| run.id.as_str().starts_with(wanted));
    match found.as_slice() {
        [one] => Ok(one.clone()),
        [] => bail!("there is no run {wanted:?}: weft runs lists them"),
        several => {
            let ids: Vec<&str> = several.iter().take(LISTED).map(|run| run.id.as_str()).collect();
            bail!("{} runs begin with {wanted:?}: {}", several.len(), ids.join(", "))
        }
    }
}

fn known(place: &Place, id: &str) -> Result<Option<Run>> {
    match place {
        Place::Here(store) => match store.run(&RunId::from(id)) {
            Err(StoreError::NoRun { .. }) => Ok(None),
            result => Ok(Some(result?)),
        },
        Place::There(server) => server.run(id),
    }
}

/// As much of an id as tables show.
pub(in crate::team) fn short(run: &RunId) -> String {
    run.as_str().chars().take(SHORT).collect()
}
