//! Who there is, as far as one knows of them.

use super::server::{Card, Server};
use crate::team::People;
use anyhow::{Result, bail};
use serde::Deserialize;
use weftwork::model::{Entity, SpaceId};

#[derive(Deserialize)]
struct Neighbour {
    person: Card,
}

impl Server {
    /// Everybody one knows of.
    pub(crate) fn people(&self) -> Result<People> {
        let people: Vec<Neighbour> = self.get(&["people"], Vec::new())?;
        let mut all: Vec<Entity> = people.into_iter().map(|one| one.person.into()).collect();
        all.extend(self.minds()?.into_iter().map(|mind| mind.agent));
        Ok(People::from(all))
    }

    /// Who belongs to a space.
    pub(crate) fn members(&self, space: &SpaceId) -> Result<Vec<Entity>> {
        Ok(self.header(space)?.entities)
    }

    /// People by name, all of whom are known: nobody is made from afar.
    pub(crate) fn known_people(&self, people: &People, names: &[String]) -> Result<Vec<Entity>> {
        let known = |name: &String| match people.find(name) {
            Ok(entity) => Ok(entity.clone()),
            Err(error) => bail!("{error:#}; nobody is made through a server: invite them on its page"),
        };
        names.iter().map(known).collect()
    }
}
