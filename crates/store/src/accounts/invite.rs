//! Accepting an invitation: a person, their account, a way into a space and a session, all at once, for one who comes first.

use super::pass::{self, NewPass, Pass};
use super::{Role, lock_account};
use crate::error::{Result, StoreError};
use crate::space::{add_entity, entity_row, find_space, is_member, join, lock_space};
use crate::sql::{Tx, args};
use crate::store::Store;
use weftwork::model::{Entity, EntityId, SpaceId};

/// An invitation that was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// Who came.
    pub entity: EntityId,
    /// The space they were led into.
    pub space: Option<SpaceId>,
    /// Their session.
    pub session: Pass,
}

impl Store {
    /// Accepts an invitation: `person` is added and may sign in, or, where the invitation is somebody's own, that one is. They
    /// join the space it leads into, and `session` is theirs. None if it is used, revoked, expired, or never was.
    ///
    /// Nobody becomes somebody who is there already by choosing their id: that is refused, and the invitation stays good.
    pub fn accept_invitation(&self, hash: &[u8; 32], person: &Entity, session: &NewPass, now: i64) -> Result<Option<Accepted>> {
        self.writing(|tx| accept(tx, hash, person, session, now))
    }
}

fn accept(tx: &mut Tx<'_>, hash: &[u8; 32], person: &Entity, session: &NewPass, now: i64) -> Result<Option<Accepted>> {
    // Whoever comes second waits here, and then finds it used.
    const TAKE: &str = "UPDATE passes SET used_at = ?2 WHERE hash = ?1 AND kind = 2 AND used_at IS NULL AND revoked_at IS NULL \
                        AND (expires_at IS NULL OR expires_at > ?2) RETURNING no";
    let Some(no) = tx.first(TAKE, args![hash.as_slice(), now], |row| row.int(0))? else { return Ok(None) };
    let invitation = pass::by_no(tx, no)?;
    if !still_stands(tx, &invitation)? {
        return Ok(None);
    }
    let Some(entity) = admit(tx, &invitation, person, now)? else { return Ok(None) };
    if let Some(space) = &invitation.space {
        let row = lock_space(tx, space)?;
        if !is_member(tx, row.no, &entity)? {
            join(tx, &row, &entity, None)?;
        }
    }
    let session = pass::put(tx, &NewPass { entity: Some(entity.clone()), ..session.clone() }, now)?;
    Ok(Some(Accepted { entity, space: invitation.space, session }))
}

/// Whether whoever made an invitation could make it now: nobody leads others, or themselves, to where they were taken out.
fn still_stands(tx: &mut Tx<'_>, invitation: &Pass) -> Result<bool> {
    const OWNER: &str = "SELECT 1 FROM accounts WHERE entity = ?1 AND role = 0 AND closed_at IS NULL";
    let (Some(maker), Some(space)) = (&invitation.made_by, &invitation.space) else { return Ok(true) };
    let (no, _) = entity_row(tx, maker)?;
    let place = find_space(tx, space)?.no;
    Ok(is_member(tx, place, maker)? || tx.first(OWNER, args![no], |_| Ok(()))?.is_some())
}

/// Who may sign in from now on; none if their account was closed.
fn admit(tx: &mut Tx<'_>, invitation: &Pass, person: &Entity, now: i64) -> Result<Option<EntityId>> {
    let entity = match &invitation.entity {
        Some(entity) => entity.clone(),
        None if add_entity(tx, person)? => person.id.clone(),
        None => return Err(StoreError::Taken { what: "entity", id: person.id.to_string() }),
    };
    let (no, _) = entity_row(tx, &entity)?;
    match lock_account(tx, no)? {
        Some(true) => {}
        Some(false) => return Ok(None),
        None => super::put(tx, no, invitation.role.unwrap_or(Role::Member), now)?,
    }
    Ok(Some(entity))
}
