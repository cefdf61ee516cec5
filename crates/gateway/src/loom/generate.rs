//! Letting the agent's model write what comes after a node.
//!
//! The model is given the path to the node as any agent is, without tools and without the loom: what is generated cannot
//! generate. Each node is a call like any other: written down, paid for, within the budgets of the agent and the space.

use super::act::goes_on;
use super::arguments::Arguments;
use super::show;
use super::{LoomTurn, Refused};
use crate::chat::{Chat, How};
use crate::event::Live;
use futures_util::future::join_all;
use tokio::sync::MutexGuard;
use weftwork::model::{Node, NodeId, Status};
use weftwork::timeline::Encoded;

/// Tokens that a generated node may have.
const MOST_TOKENS: u64 = 4096;
/// Characters of a generated text that are shown at once.
const SHOWN: usize = 2_000;

impl LoomTurn {
    pub(super) async fn go_on(&self, arguments: &Arguments, order: MutexGuard<'_, ()>) -> Result<String, Refused> {
        let on = self.spot(arguments.node()).await?;
        goes_on(&on)?;
        let count = self.take_generated(arguments.number("count", 1))?;
        // What takes long must not hold up the others, nor let them run out of time while they wait for it.
        drop(order);
        let written = join_all((0..count).map(|_| self.generate(&on.node.id))).await;
        let mut lines = Vec::new();
        let mut ids = Vec::new();
        let mut why = None;
        for written in written {
            match written {
                Ok(node) => {
                    let local = self.spot(Some(&format!("msg:{}", node.id))).await?.local.to_string();
                    lines.push(format!("{local}: {}", Encoded::quoted(&show::glimpse(&show::text(&node), SHOWN))));
                    ids.push(local);
                }
                Err(refused) => why = Some(refused),
            }
        }
        match why {
            Some(why) if ids.is_empty() => return Err(why),
            Some(why) => lines.push(format!("Not all of them came about. {why}")),
            None => {}
        }
        self.trace(format!("continued {} as {}", on.local, ids.join(", "))).await;
        lines.insert(0, format!("{} written below {}:", show::counted(ids.len(), "continuation"), on.local));
        Ok(lines.join("\n"))
    }

    async fn generate(&self, on: &NodeId) -> Result<Node, Refused> {
        let chat = Chat::as_agent(self.gateway(), self.space(), self.agent());
        let how = How { max_tokens: Some(MOST_TOKENS), ..How::default() };
        // Whoever gives up waiting stops it: nobody would read what it goes on to write.
        let cancel = self.cancel().child_token();
        let _stop = cancel.clone().drop_guard();
        let (mut live, _) = Live::new();
        live.cancel = cancel;
        let not = |why: String| Refused::NotGenerated { why };
        let said = chat.reply_plainly(on.clone(), &how, &live).await.map_err(|error| not(error.to_string()))?;
        match said.status {
            Status::Sent => Ok(said),
            Status::Pending | Status::Error => Err(not("it was stopped.".to_owned())),
        }
    }
}
