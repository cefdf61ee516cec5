//! `/tools`: which tools there are, and when they may run.

use super::command::Tools;
use super::session::{Place, Session};
use crate::keep::near;
use crate::preview::{cut, plain};
use crate::style::Ink;
use crate::table::{Align, Table};
use anyhow::{Result, anyhow};
use weftwork_gateway::GatewayError;
use weftwork_gateway::tools::{Approval, Offered, ServerState, ServerStatus, Standing};

/// Columns of what a tool says of itself.
const DESCRIPTION: usize = 70;

impl Session {
    pub(super) fn tools(&mut self, act: Tools) -> Result<()> {
        match act {
            Tools::List => self.list_tools(),
            Tools::Mode(mode) => self.tool_mode(mode),
            Tools::Approve(name) => self.trust_tool(&name),
            Tools::Choose(name, on) => self.choose_tool(&name, on),
            Tools::Set(name, approval) => self.decide_tool(&name, approval),
        }
    }

    fn list_tools(&mut self) -> Result<()> {
        let offered = self.offered()?;
        let servers = self.gateway.tools().servers();
        if servers.is_empty() {
            return self.screen.note("there are no servers of tools: [mcp.NAME] tables in the configuration name them");
        }
        let mut table = Table::of_ids(&[Align::Left, Align::Left, Align::Left]);
        for offered in &offered {
            let (word, ink) = standing(&offered.standing);
            let says = cut(&plain(&offered.tool.description), DESCRIPTION);
            table.row(ink, [plain(&offered.tool.name), word.to_owned(), says]);
        }
        let mut text = table.show(self.screen.style());
        servers.iter().filter_map(trouble).for_each(|line| text += &format!("  {line}\n"));
        text += &format!("  which are sent: {}\n", self.tool_mode_word()?);
        self.screen.data(&text)
    }

    /// Trusts a tool as it is described now, after showing what changed.
    fn trust_tool(&mut self, name: &str) -> Result<()> {
        let tool = self.tool(name)?;
        if let Standing::Changed { difference, .. } = &tool.standing {
            self.screen.data(&format!("{}\n", crate::preview::message(difference)))?;
        }
        let tools = self.gateway.tools().clone();
        self.runtime.block_on(tools.approve(tool.server.as_str(), &tool.original, tool.fingerprint))?;
        self.screen.note(&format!("[{} is trusted as it is described now]", plain(name)))
    }

    fn decide_tool(&mut self, name: &str, approval: Approval) -> Result<()> {
        let tool = self.tool(name)?;
        let tools = self.gateway.tools().clone();
        self.runtime.block_on(tools.decide(tool.server.as_str(), &tool.original, Some(approval)))?;
        let told = match approval {
            Approval::Always => "runs without asking",
            Approval::Ask => "runs when you say so",
            Approval::Never => "never runs",
        };
        self.screen.note(&format!("[{} {told}]", plain(name)))
    }

    /// Puts a tool among those that `manual` sends, or takes it out.
    fn choose_tool(&mut self, name: &str, on: bool) -> Result<()> {
        let name = self.tool(name)?.tool.name;
        let chat = self.chat()?;
        self.wait(chat.change_space(|file| {
            file.included_tools.retain(|known| *known != name);
            file.included_tools.extend(on.then(|| name.clone()));
        }))?;
        let told = if on { "is sent" } else { "is not sent" };
        self.screen.note(&format!("[{} {told} where /tools manual holds]", plain(&name)))
    }

    fn tool(&self, name: &str) -> Result<Offered> {
        let offered = self.offered()?;
        if let Some(found) = offered.iter().find(|offered| offered.tool.name == name) {
            return Ok(found.clone());
        }
        let like: Vec<String> =
            near(name, offered.iter().map(|offered| offered.tool.name.as_str())).into_iter().map(plain).collect();
        Err(match like.as_slice() {
            [] => anyhow!("there is no tool {name:?}: /tools lists what there is"),
            like => anyhow!("there is no tool {name:?}: did you mean {}?", like.join(" or ")),
        })
    }

    /// All tools of all servers that can be reached.
    fn offered(&self) -> Result<Vec<Offered>> {
        let offered = self.runtime.block_on(self.gateway.tools().offered());
        Ok(offered.map_err(GatewayError::Tools)?)
    }

    fn tool_mode_word(&self) -> Result<&'static str> {
        let Place::In(chat) = &self.place else { return Ok("cached") };
        let header = self.gateway.store().header(chat.space())?;
        Ok(header.space.settings.tool_policy.map_or("cached", |policy| policy.word()))
    }
}

fn standing(standing: &Standing) -> (&'static str, Ink) {
    match standing {
        Standing::Ready { approval: Approval::Always } => ("always", Ink::Plain),
        Standing::Ready { approval: Approval::Ask } => ("ask", Ink::Plain),
        Standing::Ready { approval: Approval::Never } | Standing::Never => ("never", Ink::Faint),
        Standing::Changed { .. } => ("changed", Ink::Notice),
    }
}

/// What a person should know of a server; nothing if all is well.
fn trouble(server: &ServerStatus) -> Option<String> {
    let name = plain(server.name.as_str());
    match &server.state {
        ServerState::Failed { error } => Some(format!("{name} cannot be used: {}", plain(&error.to_string()))),
        ServerState::Ready { left_out, .. } if !left_out.is_empty() => {
            Some(format!("{name} has {} more that cannot be used", left_out.len()))
        }
        ServerState::Idle | ServerState::Busy | ServerState::Ready { .. } => None,
    }
}
