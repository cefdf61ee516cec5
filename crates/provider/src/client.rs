//! The HTTP clients, and what they never do: follow a redirect, or ask this machine through a proxy.

use crate::address::Address;
use reqwest::{Client, ClientBuilder, redirect::Policy};
use std::time::Duration;

const CONNECT: Duration = Duration::from_secs(10);
const KEEP_ALIVE: Duration = Duration::from_secs(30);
const IDLE: Duration = Duration::from_secs(60);

/// One client that uses the proxy of the environment, one that uses none.
#[derive(Clone, Debug)]
pub(crate) struct Clients {
    direct: Client,
    by_environment: Client,
}

impl Clients {
    pub(crate) fn new() -> Result<Self, String> {
        let built = |builder: ClientBuilder| builder.build().map_err(|error| because(&error));
        Ok(Self { direct: built(plain().no_proxy())?, by_environment: built(plain())? })
    }

    /// The client to reach `address` with.
    pub(crate) fn reaching(&self, address: &Address) -> &Client {
        if address.is_loopback() { &self.direct } else { &self.by_environment }
    }
}

fn plain() -> ClientBuilder {
    Client::builder()
        .user_agent(concat!("weft/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::none())
        .referer(false)
        .tcp_nodelay(true)
        .tcp_keepalive(KEEP_ALIVE)
        .connect_timeout(CONNECT)
        .pool_idle_timeout(IDLE)
        // We decide what is sent twice, and when.
        .retry(reqwest::retry::never())
}

/// An error with its causes, without the address.
pub(crate) fn because(error: &reqwest::Error) -> String {
    let mut texts: Vec<String> = Vec::new();
    let mut next: Option<&(dyn std::error::Error + 'static)> = std::error::Error::source(error);
    while let Some(cause) = next {
        let text = cause.to_string();
        if !texts.last().is_some_and(|last| last.contains(&text)) {
            texts.push(text);
        }
        next = cause.source();
    }
    match texts.is_empty() {
        true if error.is_timeout() => "timed out".to_owned(),
        true => "the connection failed".to_owned(),
        false => texts.join(": "),
    }
}
