//! The space that somebody means: by its id, or by a name that only one has.

use super::near::near;
use crate::preview::plain;
use crate::remote::Place;
use anyhow::{Result, bail};
use weftwork::model::SpaceId;
use weftwork_store::{Listed, Scope, Store};

/// The space that `wanted` means.
pub(crate) fn find(store: &Store, wanted: &str) -> Result<SpaceId> {
    pick(&store.spaces()?, wanted)
}

/// The spaces that are meant; all of them if none is named.
pub(super) fn scope(place: &Place, wanted: &[String]) -> Result<Scope> {
    if wanted.is_empty() {
        return Ok(Scope::All);
    }
    let all = place.spaces()?;
    let ids: Result<Vec<SpaceId>> = wanted.iter().map(|wanted| pick(&all, wanted)).collect();
    ids.map(Scope::Spaces)
}

/// The one of `all` that `wanted` means.
pub(crate) fn pick(all: &[Listed], wanted: &str) -> Result<SpaceId> {
    if let Some(space) = all.iter().find(|space| space.id.as_str() == wanted) {
        return Ok(space.id.clone());
    }
    let named: Vec<&Listed> = all.iter().filter(|space| space.name == wanted).collect();
    match named.as_slice() {
        [one] => Ok(one.id.clone()),
        [] if all.is_empty() => bail!("there is no space {wanted:?}, nor any other: begin with weft import FILE"),
        [] => {
            let names = all.iter().flat_map(|space| [space.id.as_str(), space.name.as_str()]).filter(|name| !name.is_empty());
            let near: Vec<String> = near(wanted, names).into_iter().map(|name| format!("{:?}", plain(name))).collect();
            match near.as_slice() {
                [] => bail!("there is no space {wanted:?}: weft spaces lists all {}", all.len()),
                near => bail!("there is no space {wanted:?}: did you mean {}? weft spaces lists all", near.join(", ")),
            }
        }
        several => {
            let ids: Vec<&str> = several.iter().take(20).map(|space| space.id.as_str()).collect();
            bail!("{} spaces are called {wanted:?}: use the id, one of {}", several.len(), ids.join(", "))
        }
    }
}
