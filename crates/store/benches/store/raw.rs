//! The physical reference: one table, one INSERT and COMMIT an append, the newest rows by index, each parsed as JSON.

use rusqlite::Connection;
use serde_json::{Value, json};
use std::path::Path;
use weftwork::model::{Conversation, Node, Part, ResultContent};

pub(crate) struct Raw {
    db: Connection,
    next: i64,
}

impl Raw {
    pub(crate) fn new(path: &Path, file: &Conversation) -> Raw {
        let db = Connection::open(path).expect("a new database");
        db.pragma_update(None, "journal_mode", "WAL").expect("WAL");
        db.pragma_update(None, "synchronous", "FULL").expect("FULL");
        db.execute_batch(
            "CREATE TABLE m(id INTEGER PRIMARY KEY, session INTEGER, ts INTEGER, body TEXT); CREATE INDEX ms ON m(session);
             BEGIN",
        )
        .expect("a table");
        let mut raw = Raw { db, next: 0 };
        file.nodes.iter().for_each(|node| raw.append(node));
        raw.db.execute_batch("COMMIT").expect("filled");
        raw
    }

    pub(crate) fn append(&mut self, node: &Node) {
        let mut insert = self.db.prepare_cached("INSERT INTO m VALUES(?1, 1, 0, ?2)").expect("prepared");
        insert.execute((self.next, body(node))).expect("inserted");
        self.next += 1;
    }

    pub(crate) fn last(&mut self, count: usize) -> Vec<Value> {
        const SQL: &str = "SELECT body FROM m WHERE session = 1 ORDER BY id DESC LIMIT ?1";
        let mut select = self.db.prepare_cached(SQL).expect("prepared");
        let mut rows = select.query([count as i64]).expect("read");
        let mut values = Vec::with_capacity(count);
        while let Some(row) = rows.next().expect("a row") {
            values.push(serde_json::from_str(row.get_ref(0).expect("a body").as_str().expect("text")).expect("JSON"));
        }
        values.reverse();
        values
    }

    pub(crate) fn checkpoint(&mut self) {
        self.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).expect("a checkpoint");
    }
}

/// A message as the peers keep it.
pub(crate) fn body(node: &Node) -> String {
    let text = |part: &Part| if let Part::Text(text) = part { Some(text.text.clone()) } else { None };
    let content: String = node.parts.iter().filter_map(text).collect();
    let calls: Vec<Value> = node.parts.iter().filter_map(call).collect();
    let result = node.parts.iter().find_map(|part| if let Part::ToolResult(result) = part { Some(result) } else { None });
    let message = match (result, calls.is_empty()) {
        (Some(result), _) => {
            let ResultContent::Text(content) = &result.content else { unreachable!("the corpus has text results") };
            json!({"role": "tool", "tool_call_id": result.id, "content": content})
        }
        (None, true) => json!({"role": if node.author.as_str() == "user" { "user" } else { "assistant" }, "content": content}),
        (None, false) => json!({"role": "assistant", "content": content, "tool_calls": calls}),
    };
    message.to_string()
}

fn call(part: &Part) -> Option<Value> {
    let Part::ToolCall(call) = part else { return None };
    Some(json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.args.text()}}))
}
