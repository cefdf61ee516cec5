//! Deliveries of services: each id begins one run, however often it comes.

use super::caps::Caps;
use super::root::{lock_root, new_root};
use super::row::RunId;
use super::start::{NewTrigger, start};
use super::state::TriggerKind;
use crate::error::Result;
use crate::node::check_id;
use crate::space::{check_text, entity_row};
use crate::sql::{Tx, args};
use crate::store::Store;
use weftwork::model::EntityId;

/// Something that a service delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The service.
    pub source: String,
    /// The service's own id for it.
    pub id: String,
    /// Hash of the raw body.
    pub hash: [u8; 32],
    /// Who is to be woken.
    pub agent: EntityId,
    /// The body, as JSON. Data, never instructions.
    pub payload: String,
}

/// What came of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivered {
    /// It began this run.
    Started(RunId),
    /// It came before, and began this run then.
    Before(RunId),
    /// Its id came before with another body: it began nothing.
    Differs,
}

impl Store {
    /// Accepts a delivery.
    pub fn deliver(&self, delivery: &Delivery, caps: &Caps, now: i64) -> Result<Delivered> {
        check_id(&delivery.source)?;
        check_id(&delivery.id)?;
        check_text("a delivery", &delivery.payload)?;
        self.writing(|tx| accept(tx, delivery, caps, now))
    }
}

fn accept(tx: &mut Tx<'_>, delivery: &Delivery, caps: &Caps, now: i64) -> Result<Delivered> {
    const BEFORE: &str = "SELECT d.body, r.id FROM deliveries d JOIN runs r ON r.no = d.run WHERE d.source = ?1 AND d.id = ?2";
    let (source, id) = (delivery.source.as_str(), delivery.id.as_str());
    // The row comes first: whoever else has the same id waits here, and then finds it.
    let new = tx.run(
        "INSERT INTO deliveries(source, id, body, at) VALUES(?1, ?2, ?3, ?4) ON CONFLICT(source, id) DO NOTHING",
        args![source, id, delivery.hash.as_slice(), now],
    )?;
    if new == 0 {
        let before =
            tx.first(BEFORE, args![source, id], |row| Ok((row.bytes(0)? == delivery.hash, RunId::from(row.text(1)?))))?;
        return Ok(match before {
            Some((true, run)) => Delivered::Before(run),
            Some((false, _)) | None => Delivered::Differs,
        });
    }
    let run = begin(tx, delivery, caps, now)?;
    tx.run(
        "UPDATE deliveries SET run = (SELECT no FROM runs WHERE id = ?3) WHERE source = ?1 AND id = ?2",
        args![source, id, run.as_str()],
    )?;
    Ok(Delivered::Started(run))
}

fn begin(tx: &mut Tx<'_>, delivery: &Delivery, caps: &Caps, now: i64) -> Result<RunId> {
    let (agent, _) = entity_row(tx, &delivery.agent)?;
    let key = format!("delivery:{}:{}", delivery.source, delivery.id);
    let root = new_root(tx, &key, caps, now)?;
    let mut root = lock_root(tx, root)?;
    root.runs += 1;
    root.save(tx)?;
    let body = format!(r#"{{"service":{},"payload":{}}}"#, serde_json::json!(delivery.source), delivery.payload);
    let trigger = NewTrigger {
        key: &key,
        kind: TriggerKind::Delivery,
        node: None,
        sender: None,
        body: Some(&body),
        root: root.no,
        depth: 0,
        at: now,
    };
    start(tx, (agent, delivery.agent.as_str()), None, &trigger)
}
