//! Passes: sessions, tokens and invitations. Whoever makes one keeps the secret; here is only its hash, and nothing that is
//! listed holds even that.

use super::scopes::Scopes;
use super::{Role, lock_account};
use crate::error::{Result, StoreError};
use crate::node::spell;
use crate::runs::numbered;
use crate::space::{check_text, entity_row, find_space};
use crate::sql::{Row, Tx, args};
use crate::store::Store;
use sha2::{Digest as _, Sha256};
use std::fmt;
use weftwork::model::{EntityId, SpaceId};

/// How often it is written down that a pass was used, in milliseconds.
const OFTEN: i64 = 60_000;

/// What a pass is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassKind {
    /// Of somebody at a page.
    Session,
    /// Of a program.
    Token,
    /// A link that is good once: it makes an account, or lets somebody sign in again.
    Invitation,
}
numbered!(PassKind { Session = 0, Token = 1, Invitation = 2 });

/// A pass that is to be kept.
#[derive(Clone, PartialEq, Eq)]
pub struct NewPass {
    /// What it is.
    pub kind: PassKind,
    /// SHA-256 of its secret.
    pub hash: [u8; 32],
    /// Who is behind it; none for an invitation of somebody new.
    pub entity: Option<EntityId>,
    /// What its maker calls it.
    pub name: String,
    /// What it lets its bearer do.
    pub scopes: Scopes,
    /// The space that an invitation leads into.
    pub space: Option<SpaceId>,
    /// What an invitation makes of somebody who has no account; a member if it does not say.
    pub role: Option<Role>,
    /// Who made it.
    pub made_by: Option<EntityId>,
    /// From when on it opens nothing.
    pub expires_at: Option<i64>,
}

impl NewPass {
    /// A pass of nobody yet, that opens nothing and lasts.
    pub fn new(kind: PassKind, hash: [u8; 32]) -> NewPass {
        let (entity, space, role, made_by, expires_at) = (None, None, None, None, None);
        NewPass { kind, hash, entity, name: String::new(), scopes: Scopes::NONE, space, role, made_by, expires_at }
    }
}

impl fmt::Debug for NewPass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewPass").field("kind", &self.kind).field("entity", &self.entity).finish_non_exhaustive()
    }
}

/// A pass as it is kept, without its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pass {
    /// Its id, which may be shown.
    pub id: String,
    /// What it is.
    pub kind: PassKind,
    /// Who is behind it.
    pub entity: Option<EntityId>,
    /// What its maker calls it.
    pub name: String,
    /// What it lets its bearer do.
    pub scopes: Scopes,
    /// The space that an invitation leads into.
    pub space: Option<SpaceId>,
    /// What an invitation gives; of others, the role of their account.
    pub role: Option<Role>,
    /// Who made it.
    pub made_by: Option<EntityId>,
    /// When it was made, in milliseconds since 1970.
    pub created_at: i64,
    /// From when on it opens nothing.
    pub expires_at: Option<i64>,
    /// When it was used last, to the minute.
    pub used_at: Option<i64>,
    /// When it was revoked.
    pub revoked_at: Option<i64>,
}

/// The columns that [`read`] reads.
macro_rules! pass_columns {
    () => {
        "SELECT p.id, p.kind, e.id, p.name, p.scopes, s.id, CASE p.kind WHEN 2 THEN p.role ELSE a.role END, m.id, p.created_at, \
         p.expires_at, p.used_at, p.revoked_at FROM passes p LEFT JOIN entities e ON e.no = p.entity \
         LEFT JOIN accounts a ON a.entity = p.entity LEFT JOIN spaces s ON s.no = p.space \
         LEFT JOIN entities m ON m.no = p.made_by "
    };
}

pub(super) fn read(row: &Row<'_>) -> Result<Pass> {
    Ok(Pass {
        id: row.text(0)?.to_owned(),
        kind: PassKind::of(row.int(1)?)?,
        entity: row.maybe_text(2)?.map(EntityId::from),
        name: row.text(3)?.to_owned(),
        scopes: Scopes::of_bits(row.int(4)?),
        space: row.maybe_text(5)?.map(SpaceId::from),
        role: row.maybe_int(6)?.map(Role::of).transpose()?,
        made_by: row.maybe_text(7)?.map(EntityId::from),
        created_at: row.int(8)?,
        expires_at: row.maybe_int(9)?,
        used_at: row.maybe_int(10)?,
        revoked_at: row.maybe_int(11)?,
    })
}

impl Store {
    /// Keeps a pass. A session or a token needs an account that is open.
    pub fn put_pass(&self, pass: &NewPass, now: i64) -> Result<Pass> {
        self.writing(|tx| put(tx, pass, now))
    }

    /// The pass with this hash if it opens anything: not expired, not revoked, its account not closed, an invitation not
    /// used.
    pub fn pass(&self, hash: &[u8; 32], kind: Option<PassKind>, now: i64) -> Result<Option<Pass>> {
        const SQL: &str = concat!(
            pass_columns!(),
            "WHERE p.hash = ?1 AND (p.kind = ?2 OR CAST(?2 AS INTEGER) IS NULL) AND p.revoked_at IS NULL \
             AND (p.expires_at IS NULL OR p.expires_at > ?3) AND a.closed_at IS NULL \
             AND (p.kind = 2 AND p.used_at IS NULL OR p.kind <> 2 AND a.entity IS NOT NULL)"
        );
        self.reading(|tx| tx.first(SQL, args![hash.as_slice(), kind.map(PassKind::number), now], read))
    }

    /// Writes down that a session or a token was used, once a minute at most: else nothing is asked of the database.
    pub fn use_pass(&self, pass: &Pass, now: i64) -> Result<()> {
        const SQL: &str = "UPDATE passes SET used_at = ?2 WHERE id = ?1 AND kind <> 2 AND (used_at IS NULL OR used_at <= ?3)";
        let before = now.saturating_sub(OFTEN);
        if pass.kind == PassKind::Invitation || pass.used_at.is_some_and(|used| used > before) {
            return Ok(());
        }
        self.writing(|tx| tx.run(SQL, args![&pass.id, now, before]).map(drop))
    }

    /// Revokes a pass: one that an owner of it has or made, or anybody's if none is named. Says whether it was there and was
    /// not revoked.
    pub fn revoke_pass(&self, id: &str, owner: Option<&EntityId>, now: i64) -> Result<bool> {
        const SQL: &str = "UPDATE passes SET revoked_at = ?3 WHERE id = ?1 AND revoked_at IS NULL \
                           AND (CAST(?2 AS INTEGER) IS NULL OR entity = ?2 OR made_by = ?2)";
        self.writing(|tx| {
            let owner = owner.map(|owner| entity_row(tx, owner)).transpose()?;
            Ok(tx.run(SQL, args![id, owner.map(|(no, _)| no), now])? == 1)
        })
    }

    /// The passes of an entity that were not revoked, newest first.
    pub fn passes(&self, entity: &EntityId, kind: PassKind) -> Result<Vec<Pass>> {
        const SQL: &str = concat!(pass_columns!(), "WHERE e.id = ?1 AND p.kind = ?2 AND p.revoked_at IS NULL ORDER BY p.no DESC");
        self.reading(|tx| tx.list(SQL, args![entity.as_str(), kind.number()], read))
    }

    /// Invitations that are still good, newest first: those that somebody made, or all of them.
    pub fn open_invitations(&self, made_by: Option<&EntityId>, now: i64) -> Result<Vec<Pass>> {
        const SQL: &str = concat!(
            pass_columns!(),
            "WHERE p.kind = 2 AND p.used_at IS NULL AND p.revoked_at IS NULL AND (p.expires_at IS NULL OR p.expires_at > ?2) \
             AND (m.id = ?1 OR CAST(?1 AS TEXT) IS NULL) AND a.closed_at IS NULL ORDER BY p.no DESC"
        );
        self.reading(|tx| tx.list(SQL, args![made_by.map(EntityId::as_str), now], read))
    }
}

pub(super) fn put(tx: &mut Tx<'_>, pass: &NewPass, now: i64) -> Result<Pass> {
    const SQL: &str = "INSERT INTO passes(id, kind, hash, entity, name, scopes, space, role, made_by, created_at, expires_at) \
                       VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT DO NOTHING RETURNING no";
    check_text("a pass's name", &pass.name)?;
    let id = id_of(&pass.hash);
    let entity = behind(tx, pass)?;
    let space = pass.space.as_ref().map(|space| find_space(tx, space)).transpose()?;
    let made_by = pass.made_by.as_ref().map(|maker| entity_row(tx, maker)).transpose()?;
    let args = args![
        &id,
        pass.kind.number(),
        pass.hash.as_slice(),
        entity,
        &pass.name,
        pass.scopes.bits(),
        space.map(|row| row.no),
        pass.role.map(Role::number),
        made_by.map(|(no, _)| no),
        now,
        pass.expires_at,
    ];
    match tx.first(SQL, args, |row| row.int(0))? {
        Some(no) => by_no(tx, no),
        None => Err(StoreError::Taken { what: "pass", id }),
    }
}

/// The number of who is behind a pass, with an account that stays open until the transaction ends.
fn behind(tx: &mut Tx<'_>, pass: &NewPass) -> Result<Option<i64>> {
    let Some(entity) = &pass.entity else {
        return if pass.kind == PassKind::Invitation { Ok(None) } else { Err(StoreError::NobodysPass) };
    };
    let (no, _) = entity_row(tx, entity)?;
    match (pass.kind, lock_account(tx, no)?) {
        (_, Some(true)) | (PassKind::Invitation, None) => Ok(Some(no)),
        (_, Some(false)) | (PassKind::Session | PassKind::Token, None) => Err(StoreError::NoAccount { entity: entity.clone() }),
    }
}

pub(super) fn by_no(tx: &mut Tx<'_>, no: i64) -> Result<Pass> {
    const SQL: &str = concat!(pass_columns!(), "WHERE p.no = ?1");
    tx.first(SQL, args![no], read)?.ok_or_else(|| StoreError::Unreadable { detail: format!("pass {no} is gone") })
}

/// The id of a pass: another hash, so that showing it tells nothing of the first.
fn id_of(hash: &[u8; 32]) -> String {
    spell(Sha256::new().chain_update(b"pass").chain_update(hash).finalize().as_slice()).to_string()
}
