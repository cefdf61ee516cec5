//! What must always be true, asked of the database itself. Tests, soaks and `weft verify` ask it.

use crate::error::Result;
use crate::sql::args;
use crate::store::Store;

/// Something that must always be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invariant {
    /// I1: what was accepted is there.
    Accepted,
    /// I2: a sender's key names one message.
    Once,
    /// I3: a space counts from 1 without gaps.
    Order,
    /// I4: whoever a message was meant for has a run or a refusal, once.
    Triggers,
    /// I5: a run waits if and only if it has one open wait.
    Waiting,
    /// I6: no wait is open that a message has answered.
    Answered,
    /// I7: whoever works on a run was heard of lately.
    Leases,
    /// I8: an agent's message is one step of one run.
    Sent,
    /// I9: no cursor is beyond the last message.
    Cursors,
    /// I10: a plan's firing is one run, and the other way round.
    Fires,
    /// I11: budgets are the sum of their steps and calls.
    Budgets,
    /// I12: roots are within their caps, and are the sum of their runs and messages.
    Roots,
    /// I13: what has ended holds nothing.
    Ended,
    /// I14: whoever spoke belonged to the space.
    Members,
    /// I15: a space knows who is in it, in the order they came.
    Here,
}

impl Invariant {
    /// What should be true, for a person.
    pub fn word(self) -> &'static str {
        match self {
            Invariant::Accepted => "what was accepted is there",
            Invariant::Once => "a sender's key names one message",
            Invariant::Order => "a space counts from 1 without gaps",
            Invariant::Triggers => "whoever a message was meant for has a run or a refusal, once",
            Invariant::Waiting => "a run waits if and only if it has one open wait",
            Invariant::Answered => "no wait is open that a message has answered",
            Invariant::Leases => "whoever works on a run was heard of lately",
            Invariant::Sent => "an agent's message is one step of one run",
            Invariant::Cursors => "no cursor is beyond the last message",
            Invariant::Fires => "a plan's firing is one run, and the other way round",
            Invariant::Budgets => "budgets are the sum of their steps and calls",
            Invariant::Roots => "roots are within their caps, and are the sum of their runs and messages",
            Invariant::Ended => "what has ended holds nothing",
            Invariant::Members => "whoever spoke belonged to the space",
            Invariant::Here => "a space knows who is in it, in the order they came",
        }
    }
}

/// One thing that is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What should be true.
    pub invariant: Invariant,
    /// Where it is not.
    pub at: String,
}

/// Each statement finds what breaks a rule: no rows, no violation. Those that look at the time have it as `?1`.
const RULES: &[(Invariant, &str)] = &[
    (Invariant::Accepted, "SELECT CAST(p.node AS TEXT) FROM posts p LEFT JOIN nodes n ON n.key = p.node WHERE n.key IS NULL"),
    (Invariant::Once, "SELECT n.id FROM posts p JOIN nodes n ON n.key = p.node GROUP BY n.id, n.author HAVING count(*) > 1"),
    (
        Invariant::Order,
        "SELECT s.id FROM spaces s JOIN nodes n ON n.key > s.no * 4294967296 AND n.key < (s.no + 1) * 4294967296 \
         GROUP BY s.no, s.id HAVING count(*) <> max(n.key) - s.no * 4294967296",
    ),
    (
        Invariant::Triggers,
        "SELECT CAST(p.node AS TEXT) FROM posts p WHERE p.meant <> (SELECT count(*) FROM run_triggers t WHERE t.node = p.node) \
         + (SELECT count(*) FROM refusals f WHERE f.node = p.node)",
    ),
    (
        Invariant::Triggers,
        "SELECT r.id FROM runs r WHERE NOT EXISTS (SELECT 1 FROM run_triggers t WHERE t.run = r.no AND t.agent = r.agent)",
    ),
    (
        Invariant::Waiting,
        "SELECT r.id FROM runs r LEFT JOIN waits w ON w.run = r.no AND w.state = 0 GROUP BY r.no, r.id, r.state \
         HAVING count(w.no) <> CASE WHEN r.state IN (2, 3) THEN 1 ELSE 0 END",
    ),
    (
        Invariant::Answered,
        "SELECT r.id FROM waits w JOIN runs r ON r.no = w.run JOIN posts p ON p.node > w.node \
         AND p.node < (w.space + 1) * 4294967296 JOIN nodes n ON n.key = p.node AND n.author <> w.agent AND n.kind = 0 \
         LEFT JOIN nodes m ON m.key = w.node WHERE w.state = 0 AND w.kind = 0 AND (w.accept = 0 \
         OR w.accept = 1 AND p.reply_to = m.id OR w.accept = 2 AND EXISTS \
         (SELECT 1 FROM wait_from f WHERE f.wait = w.no AND f.entity = n.author))",
    ),
    (Invariant::Leases, "SELECT r.id FROM runs r WHERE r.state = 1 AND r.lease + 60000 <= ?1"),
    (
        Invariant::Sent,
        "SELECT CAST(p.node AS TEXT) FROM posts p JOIN nodes n ON n.key = p.node JOIN runs r ON r.no = p.run \
         WHERE n.author <> r.agent OR (SELECT count(*) FROM run_steps s WHERE s.node = p.node AND s.run = p.run \
         AND s.step = p.step AND s.status = 1) <> 1",
    ),
    (
        Invariant::Sent,
        "SELECT r.id FROM run_steps s JOIN runs r ON r.no = s.run LEFT JOIN posts p ON p.node = s.node AND p.run = s.run \
         WHERE s.node IS NOT NULL AND p.node IS NULL",
    ),
    (
        Invariant::Sent,
        "SELECT CAST(p.node AS TEXT) FROM posts p JOIN nodes n ON n.key = p.node JOIN entities e ON e.no = n.author \
         WHERE e.kind = 1 AND p.run IS NULL",
    ),
    (
        Invariant::Cursors,
        "SELECT s.id || ' ' || e.id FROM members m JOIN spaces s ON s.no = m.space JOIN entities e ON e.no = m.entity \
         WHERE m.cursor > coalesce((SELECT max(n.key) FROM nodes n WHERE n.key > s.no * 4294967296 \
         AND n.key < (s.no + 1) * 4294967296) - s.no * 4294967296, 0)",
    ),
    (
        Invariant::Here,
        "SELECT s.id FROM spaces s WHERE s.here <> coalesce((SELECT string_agg(CAST(m.entity AS TEXT), ',' \
         ORDER BY m.joined, m.entity) FROM members m WHERE m.space = s.no AND m.gone IS NULL), '')",
    ),
    (Invariant::Fires, "SELECT r.id FROM plan_fires f JOIN runs r ON r.no = f.run GROUP BY r.no, r.id HAVING count(*) <> 1"),
    (
        Invariant::Fires,
        "SELECT r.id FROM run_triggers t JOIN runs r ON r.no = t.run LEFT JOIN plan_fires f ON f.run = r.no \
         WHERE t.kind = 1 AND f.plan IS NULL",
    ),
    (
        Invariant::Budgets,
        "SELECT CAST(b.no AS TEXT) FROM budgets b WHERE b.reserved <> coalesce((SELECT CAST(sum(s.reserved) AS INTEGER) \
         FROM holds h JOIN run_steps s ON s.run = h.run AND s.step = h.step WHERE h.budget = b.no AND s.status = 0), 0) \
         + coalesce((SELECT CAST(sum(h.reserved) AS INTEGER) FROM call_holds h WHERE h.budget = b.no AND h.spent IS NULL), 0) \
         OR b.spent <> coalesce((SELECT CAST(sum(s.cost) AS INTEGER) FROM holds h JOIN run_steps s ON s.run = h.run \
         AND s.step = h.step WHERE h.budget = b.no AND s.status <> 0), 0) \
         + coalesce((SELECT CAST(sum(h.spent) AS INTEGER) FROM call_holds h WHERE h.budget = b.no), 0)",
    ),
    (
        Invariant::Budgets,
        "SELECT c.id FROM call_holds h JOIN calls c ON c.no = h.call WHERE (c.outcome IS NULL) <> (h.spent IS NULL)",
    ),
    (
        Invariant::Roots,
        "SELECT o.id FROM roots o WHERE o.runs > o.runs_cap OR o.messages > o.messages_cap \
         OR o.runs <> (SELECT count(*) FROM run_roots c WHERE c.root = o.no)",
    ),
    (
        Invariant::Roots,
        "SELECT r.id FROM runs r WHERE NOT EXISTS (SELECT 1 FROM run_roots c WHERE c.run = r.no AND c.root = r.root)",
    ),
    (
        Invariant::Ended,
        "SELECT r.id FROM runs r WHERE r.state >= 5 AND (r.lease IS NOT NULL \
         OR EXISTS (SELECT 1 FROM waits w WHERE w.run = r.no AND w.state = 0) \
         OR EXISTS (SELECT 1 FROM run_steps s WHERE s.run = r.no AND s.status = 0))",
    ),
    (
        Invariant::Members,
        "SELECT n.id FROM posts p JOIN nodes n ON n.key = p.node LEFT JOIN members m ON m.space = n.space \
         AND m.entity = n.author AND m.joined < n.key - n.space * 4294967296 \
         AND (m.gone IS NULL OR m.gone >= n.key - n.space * 4294967296) WHERE m.entity IS NULL",
    ),
];

impl Store {
    /// Looks for anything that is not as it must be. An empty list is good news.
    pub fn check_invariants(&self, now: i64) -> Result<Vec<Violation>> {
        self.reading(|tx| {
            let mut found = Vec::new();
            for &(invariant, sql) in RULES {
                let args = if sql.contains("?1") { args![now] } else { &[][..] };
                found.extend(tx.list(sql, args, |row| Ok(Violation { invariant, at: row.text(0)?.to_owned() }))?);
            }
            Ok(found)
        })
    }
}
