//! Who may sign in, and with what.
//!
//! An account is an entity that may; a pass is what it signs in with. There is always an owner once there was one, and the
//! passes of a closed account open nothing.

mod invite;
mod pass;
mod scopes;

pub use invite::Accepted;
pub use pass::{NewPass, Pass, PassKind};
pub use scopes::Scopes;

use crate::error::{Result, StoreError};
use crate::runs::numbered;
use crate::space::entity_row;
use crate::sql::{Row, Tx, args};
use crate::store::Store;
use weftwork::model::EntityId;

/// Somebody who may sign in, or could once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Who: a person, an agent that lives elsewhere, or a service.
    pub entity: EntityId,
    /// What they may do to others.
    pub role: Role,
    /// Since when, in milliseconds since 1970.
    pub created_at: i64,
    /// Until when; none while it is open.
    pub closed_at: Option<i64>,
}

/// What an account may do to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Lets others in and keeps them out.
    Owner,
    /// Minds their own affairs.
    Member,
}
numbered!(Role { Owner = 0, Member = 1 });

macro_rules! account_columns {
    () => {
        "SELECT e.id, a.role, a.created_at, a.closed_at FROM accounts a JOIN entities e ON e.no = a.entity "
    };
}

fn read(row: &Row<'_>) -> Result<Account> {
    Ok(Account {
        entity: row.text(0)?.into(),
        role: Role::of(row.int(1)?)?,
        created_at: row.int(2)?,
        closed_at: row.maybe_int(3)?,
    })
}

impl Store {
    /// Lets an entity sign in, gives it another role, or opens its account again. The last owner stays one.
    pub fn put_account(&self, entity: &EntityId, role: Role, now: i64) -> Result<()> {
        self.writing(|tx| {
            let (no, _) = entity_row(tx, entity)?;
            if role != Role::Owner {
                keep_an_owner(tx, entity, no)?;
            }
            put(tx, no, role, now)
        })
    }

    /// The account of an entity, open or closed.
    pub fn account(&self, entity: &EntityId) -> Result<Option<Account>> {
        const SQL: &str = concat!(account_columns!(), "WHERE e.id = ?1");
        self.reading(|tx| tx.first(SQL, args![entity.as_str()], read))
    }

    /// All accounts, open and closed, in the order they came.
    pub fn accounts(&self) -> Result<Vec<Account>> {
        const SQL: &str = concat!(account_columns!(), "ORDER BY a.created_at, a.entity");
        self.reading(|tx| tx.list(SQL, &[], read))
    }

    /// Whether there is an owner. Whoever comes first is made one.
    pub fn has_owner(&self) -> Result<bool> {
        const SQL: &str = "SELECT 1 FROM accounts WHERE role = 0 AND closed_at IS NULL LIMIT 1";
        self.reading(|tx| Ok(tx.first(SQL, &[], |_| Ok(()))?.is_some()))
    }

    /// Closes an account and revokes its passes and its open invitations. Says whether it was open.
    pub fn close_account(&self, entity: &EntityId, now: i64) -> Result<bool> {
        const CLOSE: &str = "UPDATE accounts SET closed_at = ?2 WHERE entity = ?1 AND closed_at IS NULL";
        const REVOKE: &str = "UPDATE passes SET revoked_at = ?2 WHERE revoked_at IS NULL AND (entity = ?1 \
                              OR made_by = ?1 AND kind = 2 AND used_at IS NULL)";
        self.writing(|tx| {
            let (no, _) = entity_row(tx, entity)?;
            keep_an_owner(tx, entity, no)?;
            let closed = tx.run(CLOSE, args![no, now])? == 1;
            tx.run(REVOKE, args![no, now])?;
            Ok(closed)
        })
    }
}

fn put(tx: &mut Tx<'_>, entity: i64, role: Role, now: i64) -> Result<()> {
    const SQL: &str = "INSERT INTO accounts(entity, role, created_at) VALUES(?1, ?2, ?3) \
                       ON CONFLICT(entity) DO UPDATE SET role = excluded.role, closed_at = NULL";
    tx.run(SQL, args![entity, role.number(), now]).map(drop)
}

/// Refuses what would leave nobody who may let others in. All owners are locked: two who go at once see each other.
fn keep_an_owner(tx: &mut Tx<'_>, entity: &EntityId, no: i64) -> Result<()> {
    const SQL: &str = "SELECT entity FROM accounts WHERE role = 0 AND closed_at IS NULL ORDER BY entity /*pg FOR UPDATE*/";
    match tx.list(SQL, &[], |row| row.int(0))?.as_slice() {
        [last] if *last == no => Err(StoreError::LastOwner { entity: entity.clone() }),
        _ => Ok(()),
    }
}

/// Whether an entity has an account and it is open, locked so that it stays so; none if it has none.
fn lock_account(tx: &mut Tx<'_>, entity: i64) -> Result<Option<bool>> {
    const SQL: &str = "SELECT closed_at FROM accounts WHERE entity = ?1 /*pg FOR UPDATE*/";
    tx.first(SQL, args![entity], |row| Ok(row.maybe_int(0)?.is_none()))
}
