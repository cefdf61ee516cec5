//! Services: programs elsewhere that wake an agent. Whoever puts a secret here has sealed it; the store never opens it, and no
//! export holds one.

use crate::error::{Result, StoreError};
use crate::node::check_id;
use crate::space::{check_text, entity_row};
use crate::sql::{Row, args};
use crate::store::Store;
use std::fmt;
use weftwork::model::{EntityId, EntityKind};

/// What may be shown of a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// Its name.
    pub name: String,
    /// Whom it wakes.
    pub agent: EntityId,
    /// The last characters of its secret, to tell it from another.
    pub hint: String,
    /// When it was added, in milliseconds since 1970.
    pub created_at: i64,
    /// When its secret was changed last.
    pub rotated_at: Option<i64>,
    /// From when on its old secret is not taken any more, if it has one.
    pub old_until: Option<i64>,
}

/// A service with its secrets, as they are kept.
#[derive(Clone, PartialEq, Eq)]
pub struct KeptService {
    /// The service.
    pub service: Service,
    /// Its secret, sealed by whoever put it here.
    pub sealed: Vec<u8>,
    /// The secret before, which is taken until [`Service::old_until`].
    pub old: Option<Vec<u8>>,
}

impl fmt::Debug for KeptService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeptService").field("service", &self.service).finish_non_exhaustive()
    }
}

/// The columns that [`read`] reads.
macro_rules! service_columns {
    () => {
        "SELECT s.name, e.id, s.hint, s.created_at, s.rotated_at, s.old_until, s.sealed, s.old_sealed \
         FROM services s JOIN entities e ON e.no = s.agent "
    };
}

fn read(row: &Row<'_>) -> Result<Service> {
    Ok(Service {
        name: row.text(0)?.to_owned(),
        agent: row.text(1)?.into(),
        hint: row.text(2)?.to_owned(),
        created_at: row.int(3)?,
        rotated_at: row.maybe_int(4)?,
        old_until: row.maybe_int(5)?,
    })
}

impl Store {
    /// Adds a service that wakes an agent.
    pub fn add_service(&self, name: &str, agent: &EntityId, sealed: &[u8], hint: &str, now: i64) -> Result<()> {
        const SQL: &str = "INSERT INTO services(name, agent, sealed, hint, created_at) VALUES(?1, ?2, ?3, ?4, ?5) \
                           ON CONFLICT(name) DO NOTHING";
        check_id(name)?;
        check_text("a secret's hint", hint)?;
        self.writing(|tx| {
            let no = match entity_row(tx, agent)? {
                (no, EntityKind::Agent) => no,
                (_, EntityKind::Human | EntityKind::Service) => return Err(StoreError::NoAgent { entity: agent.clone() }),
            };
            let new = tx.run(SQL, args![name, no, sealed, hint, now])?;
            if new == 1 { Ok(()) } else { Err(StoreError::Taken { what: "service", id: name.to_owned() }) }
        })
    }

    /// Changes a service's secret; the one before is taken until a time, and what was before that no more. Says whether the
    /// service is there.
    pub fn rotate_service(&self, name: &str, sealed: &[u8], hint: &str, old_until: i64, now: i64) -> Result<bool> {
        const SQL: &str = "UPDATE services SET old_sealed = sealed, old_until = ?4, sealed = ?2, hint = ?3, rotated_at = ?5 \
                           WHERE name = ?1";
        check_text("a secret's hint", hint)?;
        self.writing(|tx| Ok(tx.run(SQL, args![name, sealed, hint, old_until, now])? == 1))
    }

    /// A service with its sealed secrets.
    pub fn service(&self, name: &str) -> Result<Option<KeptService>> {
        const SQL: &str = concat!(service_columns!(), "WHERE s.name = ?1");
        self.reading(|tx| {
            tx.first(SQL, args![name], |row| {
                let old = row.maybe_bytes(7)?.map(<[u8]>::to_vec);
                Ok(KeptService { service: read(row)?, sealed: row.bytes(6)?.to_vec(), old })
            })
        })
    }

    /// What may be shown of all services, by name.
    pub fn services(&self) -> Result<Vec<Service>> {
        const SQL: &str = concat!(service_columns!(), "ORDER BY s.name");
        self.reading(|tx| tx.list(SQL, &[], read))
    }

    /// Takes a service away; says whether it was there. What it delivered stays, so that nothing of it is taken twice.
    pub fn remove_service(&self, name: &str) -> Result<bool> {
        self.writing(|tx| Ok(tx.run("DELETE FROM services WHERE name = ?1", args![name])? == 1))
    }
}
