//! Names to addresses, of which only those that may be connected to reach the connector.

use super::rules::Guard;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

/// The addresses of a name, when they are known.
pub type LookUp = Pin<Box<dyn Future<Output = std::io::Result<Vec<IpAddr>>> + Send>>;

/// Who knows the addresses of names.
pub trait Names: Send + Sync + 'static {
    /// The addresses of a name.
    fn look_up(&self, host: &str) -> LookUp;
}

/// The names of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemNames;

impl Names for SystemNames {
    fn look_up(&self, host: &str) -> LookUp {
        let host = host.to_owned();
        Box::pin(async move { Ok(tokio::net::lookup_host((host, 0)).await?.map(|address| address.ip()).collect()) })
    }
}

/// What stands between a client and names.
pub(super) struct Checked {
    pub(super) guard: Arc<Guard>,
    pub(super) names: Arc<dyn Names>,
}

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let (guard, looking) = (self.guard.clone(), self.names.look_up(name.as_str()));
        Box::pin(async move {
            let (mut passed, mut refused) = (Vec::new(), None);
            for address in looking.await? {
                match guard.judge(address, name.as_str()) {
                    Ok(()) => passed.push(SocketAddr::new(address, 0)),
                    Err(error) => refused = Some(error),
                }
            }
            match refused {
                Some(error) if passed.is_empty() => Err(error.into()),
                Some(_) | None => Ok(Box::new(passed.into_iter()) as Addrs),
            }
        })
    }
}
