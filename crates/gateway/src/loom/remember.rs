//! The agent's own memory: pins, and what it puts aside.

use super::arguments::Arguments;
use super::show;
use super::{LoomTurn, Refused};
use weftwork::timeline::Encoded;
use weftwork_store::Stash;

impl LoomTurn {
    pub(super) async fn pin(&self, arguments: &Arguments) -> Result<String, Refused> {
        let spot = self.spot(arguments.node()).await?;
        let id = spot.node.id.clone();
        match self.stored(move |store, space, agent| store.pin_node(space, agent, &id)).await? {
            true => {
                self.trace(format!("pinned {}", spot.local)).await;
                Ok(format!("{} is in your operational memory. loom_drop takes it out.", spot.local))
            }
            false => Ok(format!("{} is in your operational memory already.", spot.local)),
        }
    }

    pub(super) async fn stash(&self, arguments: &Arguments) -> Result<String, Refused> {
        let name = arguments.need("name", "Give it a name.")?.to_owned();
        let stash = match (arguments.text("text"), arguments.node()) {
            (Some(text), None) => Stash::Text(text.to_owned()),
            (None, Some(node)) => Stash::Node(self.spot(Some(node)).await?.node.id),
            (Some(_), Some(_)) | (None, None) => return Err(Refused::Missing { what: "Give either a text or a node." }),
        };
        let (kept, now) = (name.clone(), self.gateway().now());
        let was = self.stored(move |store, space, agent| store.put_stash(space, agent, &kept, &stash, now)).await?;
        self.trace(format!("stashed {name}")).await;
        let told = Encoded::quoted(&name);
        Ok(if was { format!("Stashed as {told}, in place of what was there.") } else { format!("Stashed as {told}.") })
    }

    pub(super) async fn recall(&self, arguments: &Arguments) -> Result<String, Refused> {
        let name = arguments.need("name", "Say which stash.")?.to_owned();
        let asked = name.clone();
        match self.stored(move |store, space, agent| store.stash(space, agent, &asked)).await? {
            None => Err(Refused::NoStash { name }),
            Some(Stash::Text(text)) => Ok(format!("text: {}", Encoded::quoted(&text))),
            Some(Stash::Node(node)) => {
                let spot = self.spot(Some(&format!("msg:{node}"))).await?;
                Ok(format!("{}\n{}", show::facts(&spot, &self.header().await?), show::content(&spot.node, 0)))
            }
        }
    }

    pub(super) async fn drop_it(&self, arguments: &Arguments) -> Result<String, Refused> {
        match (arguments.text("name"), arguments.node()) {
            (Some(name), None) => {
                let (name, asked) = (name.to_owned(), name.to_owned());
                if !self.stored(move |store, space, agent| store.drop_stash(space, agent, &asked)).await? {
                    return Err(Refused::NoStash { name });
                }
                self.trace(format!("dropped {name}")).await;
                Ok(format!("{} is gone.", Encoded::quoted(&name)))
            }
            (None, Some(node)) => {
                let spot = self.spot(Some(node)).await?;
                let id = spot.node.id.clone();
                if !self.stored(move |store, space, agent| store.unpin_node(space, agent, &id)).await? {
                    return Err(Refused::WrongNode { node: spot.local.to_string(), why: "is not pinned" });
                }
                self.trace(format!("unpinned {}", spot.local)).await;
                Ok(format!("{} is out of your operational memory.", spot.local))
            }
            (Some(_), Some(_)) | (None, None) => {
                Err(Refused::Missing { what: "Give either the name of a stash or the node of a pin." })
            }
        }
    }
}
