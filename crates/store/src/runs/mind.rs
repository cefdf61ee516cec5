//! What an agent is after and what it remembers.

use crate::error::Result;
use crate::space::{check_text, entity_row};
use crate::sql::args;
use crate::store::Store;
use weftwork::model::{EntityId, Goal, Memory};

impl Store {
    /// Sets what an agent is after, all of it.
    pub fn set_goals(&self, agent: &EntityId, goals: &[Goal]) -> Result<()> {
        self.writing(|tx| {
            let (no, _) = entity_row(tx, agent)?;
            tx.run("DELETE FROM goals WHERE agent = ?1", args![no])?;
            for (place, goal) in goals.iter().enumerate() {
                check_text("a goal", &goal.text)?;
                tx.run(
                    "INSERT INTO goals(agent, place, text, priority, long_term) VALUES(?1, ?2, ?3, ?4, ?5)",
                    args![no, place as i64, &goal.text, goal.priority, goal.long_term],
                )?;
            }
            Ok(())
        })
    }

    /// What an agent is after, in its own order.
    pub fn goals(&self, agent: &EntityId) -> Result<Vec<Goal>> {
        const SQL: &str = "SELECT g.text, g.priority, g.long_term FROM goals g JOIN entities e ON e.no = g.agent \
                           WHERE e.id = ?1 ORDER BY g.place";
        self.reading(|tx| {
            tx.list(SQL, args![agent.as_str()], |row| {
                Ok(Goal { text: row.text(0)?.to_owned(), priority: row.maybe_int(1)?, long_term: row.int(2)? != 0 })
            })
        })
    }

    /// Sets what an agent remembers, all of it.
    pub fn set_memories(&self, agent: &EntityId, memories: &[Memory]) -> Result<()> {
        self.writing(|tx| {
            let (no, _) = entity_row(tx, agent)?;
            tx.run("DELETE FROM memories WHERE agent = ?1", args![no])?;
            for (place, memory) in memories.iter().enumerate() {
                check_text("a memory", &memory.topic)?;
                check_text("a memory", &memory.text)?;
                tx.run(
                    "INSERT INTO memories(agent, place, topic, text) VALUES(?1, ?2, ?3, ?4)",
                    args![no, place as i64, &memory.topic, &memory.text],
                )?;
            }
            Ok(())
        })
    }

    /// What an agent remembers, in its own order.
    pub fn memories(&self, agent: &EntityId) -> Result<Vec<Memory>> {
        const SQL: &str = "SELECT m.topic, m.text FROM memories m JOIN entities e ON e.no = m.agent \
                           WHERE e.id = ?1 ORDER BY m.place";
        self.reading(|tx| {
            tx.list(SQL, args![agent.as_str()], |row| {
                Ok(Memory { topic: row.text(0)?.to_owned(), text: row.text(1)?.to_owned() })
            })
        })
    }
}
