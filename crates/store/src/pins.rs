//! What tools said of themselves when a person approved them, so that a change is noticed.

use crate::error::Result;
use crate::space::check_text;
use crate::sql::{Row, args};
use crate::store::Store;

/// What is known of one tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolPin {
    /// The server that has it; none of a tool of our own.
    pub server: String,
    /// Its name there.
    pub tool: String,
    /// How it described itself, word for word.
    pub described: String,
    /// When it may be called, in the words of whoever asks; none if nobody decided.
    pub approval: Option<String>,
    /// When that was, in milliseconds since 1970.
    pub at: i64,
}

macro_rules! columns {
    () => {
        "SELECT server, tool, described, approval, at FROM tool_pins "
    };
}

impl Store {
    /// Pins a tool. What was pinned before is replaced.
    pub fn put_tool_pin(&self, pin: &ToolPin) -> Result<()> {
        const SQL: &str = "INSERT INTO tool_pins(server, tool, described, approval, at) VALUES(?1, ?2, ?3, ?4, ?5) \
                           ON CONFLICT(server, tool) DO UPDATE SET described = excluded.described, \
                           approval = excluded.approval, at = excluded.at";
        for (what, text) in [("a server's name", &pin.server), ("a tool's name", &pin.tool), ("a description", &pin.described)] {
            check_text(what, text)?;
        }
        check_text("an approval", pin.approval.as_deref().unwrap_or(""))?;
        let args = args![&pin.server, &pin.tool, &pin.described, pin.approval.as_deref(), pin.at];
        self.writing(|tx| tx.run(SQL, args).map(drop))
    }

    /// What is pinned of a tool.
    pub fn tool_pin(&self, server: &str, tool: &str) -> Result<Option<ToolPin>> {
        const SQL: &str = concat!(columns!(), "WHERE server = ?1 AND tool = ?2");
        self.reading(|tx| tx.first(SQL, args![server, tool], read))
    }

    /// All that is pinned, by server and tool.
    pub fn tool_pins(&self) -> Result<Vec<ToolPin>> {
        const SQL: &str = concat!(columns!(), "ORDER BY server, tool");
        self.reading(|tx| tx.list(SQL, &[], read))
    }
}

fn read(row: &Row<'_>) -> Result<ToolPin> {
    Ok(ToolPin {
        server: row.text(0)?.to_owned(),
        tool: row.text(1)?.to_owned(),
        described: row.text(2)?.to_owned(),
        approval: row.maybe_text(3)?.map(str::to_owned),
        at: row.int(4)?,
    })
}
