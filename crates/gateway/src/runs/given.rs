//! What an agent's runs are given to do: the tools of a run, those of servers, and those that look at a tree.
//!
//! What a run is sent is made of the same list, so what is told of an agent is what its runs get. A tool of a server that is
//! held back stands in it too, with the reason.

use super::think::read_result;
use super::tools::Own;
use crate::error::GatewayError;
use crate::gateway::Gateway;
use crate::loom;
use crate::tools::{Offered, Standing};
use weftwork::model::{Entity, LoomAccess, Tool};

/// The tools of a tree that a run has: those that look. What would change the tree goes by a chat, for here it would wake and
/// resume nobody, and say what was read in confidence.
pub(super) const LOOKS: [&str; 4] = ["loom_view", "loom_list", "loom_tree", "loom_search"];

/// A tool of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// Of the house: nobody is asked.
    House(Tool),
    /// Of the house, where the agent is shown a tree.
    Tree(Tool),
    /// Of a server; sent only while it is ready.
    Server(Box<Offered>),
}

impl Given {
    /// As a model is told of it.
    pub fn tool(&self) -> &Tool {
        match self {
            Given::House(tool) | Given::Tree(tool) => tool,
            Given::Server(offered) => &offered.tool,
        }
    }

    /// As a model is told of it; none if it is held back.
    pub(super) fn sent(self) -> Option<Tool> {
        match self {
            Given::House(tool) | Given::Tree(tool) => Some(tool),
            Given::Server(offered) => match offered.standing {
                Standing::Ready { .. } => Some(offered.tool),
                Standing::Changed { .. } | Standing::Never => None,
            },
        }
    }
}

impl Gateway {
    /// What runs of an agent are given, and what is held back. Connects to servers where that is needed.
    pub async fn given(&self, agent: &Entity) -> Result<Vec<Given>, GatewayError> {
        if agent.external {
            // A program elsewhere acts through these; it has tools of its own.
            return Ok(of_house());
        }
        let mut given = self.given_anywhere().await?;
        if agent.loom_aware {
            given.extend(looks());
        }
        Ok(given)
    }

    /// The tools that every run has, in the order in which they are sent.
    pub(super) async fn given_anywhere(&self) -> Result<Vec<Given>, GatewayError> {
        let mut given = of_house();
        let offered = self.tools.offered().await?;
        let is_any_ready = offered.iter().any(|offered| matches!(offered.standing, Standing::Ready { .. }));
        given.extend(offered.into_iter().map(|offered| Given::Server(Box::new(offered))));
        if is_any_ready {
            given.push(Given::House(read_result()));
        }
        Ok(given)
    }
}

fn of_house() -> Vec<Given> {
    Own::tools().into_iter().map(Given::House).collect()
}

/// Those that look at a tree.
pub(super) fn looks() -> impl Iterator<Item = Given> {
    loom::offered(LoomAccess::Read).into_iter().filter(|tool| LOOKS.contains(&tool.name.as_str())).map(Given::Tree)
}
