//! How agents stand, kept in memory while nothing of it changes: an agent may belong to hundreds of spaces, and each of its
//! requests tells of them.
//!
//! Whatever changes a space's name or members, somebody in it, or what an agent carries writes down for whom that is, with the
//! number of its transaction. What was read at one moment is true at another if each of the two sees the changes that the other
//! sees. So nobody waits for anybody, what is kept is never old, and no process has to hear of it from another.

use crate::error::{Result, StoreError};
use crate::runs::Standing;
use crate::sql::{Row, Tx, args};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use weftwork::model::EntityId;

/// Spaces, members, entities, goals, memories and plans of all agents together that are kept: some megabytes.
const MOST: usize = 100_000;

/// The changes to how somebody stands, and which transactions are seen by whoever asks. A server that only follows another does
/// not say which: then nothing is kept.
pub(crate) const CHANGES: &str = "SELECT /*pg CAST(pg_current_snapshot() AS TEXT)*/ \
     /*lite (SELECT next || ':' || next || ':' FROM (SELECT coalesce(max(change), 0) + 1 AS next FROM around))*/, a.change \
     FROM entities e LEFT JOIN around a ON a.entity /*pg = ANY(ARRAY[e.no, 0])*/ /*lite IN (e.no, 0)*/ \
     WHERE e.id = ?1 /*pg AND NOT pg_is_in_recovery()*/";

/// Writes down a change for some. On a server it takes the place of earlier ones, unless somebody else is just doing that, and
/// waits for nobody.
macro_rules! changed {
    ($whom:literal) => {
        concat!(
            "/*pg WITH old AS (DELETE FROM around WHERE (entity, change) IN (SELECT a.entity, a.change FROM around a \
             WHERE a.change <> CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT) AND a.entity IN (",
            $whom,
            ") FOR UPDATE SKIP LOCKED))*/ INSERT INTO around(entity, change) \
             SELECT c.no, /*pg CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT)*/ \
             /*lite (SELECT coalesce(max(change), 0) + 1 FROM around)*/ FROM (",
            $whom,
            ") c WHERE 1 = 1 /*pg ON CONFLICT DO NOTHING*/ /*lite ON CONFLICT(entity) DO UPDATE SET change = excluded.change*/"
        )
    };
}

/// Writes down that a space or its members changed, for all of them, those who left included. The space is locked.
pub(crate) fn space_changed(tx: &mut Tx<'_>, space: i64) -> Result<()> {
    const SQL: &str = changed!("SELECT m.entity AS no FROM members m WHERE m.space = ?1");
    tx.run(SQL, args![space]).map(drop)
}

/// Writes down that an agent's goals, memories or plans changed.
pub(crate) fn agent_changed(tx: &mut Tx<'_>, agent: i64) -> Result<()> {
    const SQL: &str = changed!("SELECT CAST(?1 AS BIGINT) AS no");
    tx.run(SQL, args![agent]).map(drop)
}

/// Writes down that somebody changed, for everybody: who is with them may be changing, too.
pub(crate) fn somebody_changed(tx: &mut Tx<'_>) -> Result<()> {
    const SQL: &str = changed!("SELECT 0 AS no");
    tx.run(SQL, args![]).map(drop)
}

/// Which transactions a reader has seen.
struct Snapshot {
    /// Everything before this one.
    all_before: i64,
    /// Nothing from this one on.
    none_from: i64,
    /// Nor these between them.
    running: Vec<i64>,
}

impl Snapshot {
    /// From `xmin:xmax:xip,…`, as PostgreSQL writes a snapshot.
    fn parse(text: &str) -> Result<Snapshot> {
        let number = |text: &str| text.parse::<i64>().ok();
        let read = || {
            let [all_before, none_from, running] = text.split(':').collect::<Vec<_>>().try_into().ok()?;
            let running = running.split(',').filter(|text| !text.is_empty()).map(number).collect::<Option<_>>()?;
            Some(Snapshot { all_before: number(all_before)?, none_from: number(none_from)?, running })
        };
        read().ok_or_else(|| StoreError::Unreadable { detail: format!("no snapshot: {text:?}") })
    }

    fn saw(&self, change: i64) -> bool {
        change < self.all_before || (change < self.none_from && !self.running.contains(&change))
    }
}

/// The changes to how somebody stands that are seen at a moment.
pub(crate) struct Seen {
    now: Snapshot,
    changes: Vec<i64>,
}

impl Seen {
    /// From the rows of [`CHANGES`].
    pub(crate) fn read(ask: impl FnOnce(&mut dyn FnMut(&Row<'_>) -> Result<()>) -> Result<()>) -> Result<Option<Seen>> {
        let mut seen: Option<Seen> = None;
        ask(&mut |row| {
            let seen = match &mut seen {
                Some(seen) => seen,
                None => seen.insert(Seen { now: Snapshot::parse(row.text(0)?)?, changes: Vec::new() }),
            };
            // What is there and has not begun is of a server from which this one was restored.
            seen.changes.extend(row.maybe_int(1)?.filter(|change| *change < seen.now.none_from));
            Ok(())
        })?;
        Ok(seen)
    }

    fn agrees_with(&self, other: &Seen) -> bool {
        let saw = |one: &Seen, changes: &[i64]| changes.iter().all(|change| one.now.saw(*change));
        saw(self, &other.changes) && saw(other, &self.changes)
    }
}

/// What is kept.
#[derive(Default)]
pub(crate) struct Around(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    standings: HashMap<EntityId, (Seen, Arc<Standing>)>,
    /// How often everything was forgotten.
    age: u64,
}

impl Around {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How often everything was forgotten.
    pub(crate) fn age(&self) -> u64 {
        self.lock().age
    }

    /// Whether something is kept of an agent, old or not.
    pub(crate) fn knows(&self, agent: &EntityId) -> bool {
        self.lock().standings.contains_key(agent)
    }

    /// What is kept of an agent, if it is so at this moment.
    pub(crate) fn still(&self, agent: &EntityId, seen: &Seen) -> Option<Arc<Standing>> {
        let kept = self.lock();
        let (then, standing) = kept.standings.get(agent)?;
        then.agrees_with(seen).then(|| standing.clone())
    }

    /// Keeps what was read, unless everything was forgotten since that began.
    pub(crate) fn keep(&self, agent: &EntityId, seen: Seen, standing: &Arc<Standing>, begun: u64) {
        let mut kept = self.lock();
        if kept.age != begun {
            return;
        }
        kept.standings.remove(agent);
        if kept.standings.values().map(|(_, standing)| size(standing)).sum::<usize>() + size(standing) > MOST {
            kept.standings.clear();
        }
        kept.standings.insert(agent.clone(), (seen, standing.clone()));
    }

    /// Forgets everything: whoever answers now may have forgotten some of it.
    pub(crate) fn forget(&self) {
        let mut kept = self.lock();
        *kept = Kept { age: kept.age + 1, ..Kept::default() };
    }
}

fn size(Standing { carried, belonging }: &Standing) -> usize {
    let carried = carried.goals.len() + carried.memories.len() + carried.plans.len();
    let members: usize = belonging.spaces.iter().map(|space| 1 + space.members.len()).sum();
    carried + members + belonging.entities.len()
}
