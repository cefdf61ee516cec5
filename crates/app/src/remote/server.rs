//! A server, and who one is there.

use super::refused::Refused;
use crate::output;
use anyhow::{Context, Result, anyhow, bail};
use reqwest::{Client, Url, redirect};
use serde::Deserialize;
use std::time::Duration;
use tokio::runtime::Runtime;
use weftwork::model::{Entity, EntityId, EntityKind};

/// Where the token is. It is no argument: those are seen by everybody on the machine, and kept by shells.
const TOKEN: &str = "WEFT_TOKEN";
/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);
/// How long nothing may come: a large file is read before it is answered.
const SILENCE: Duration = Duration::from_secs(300);

/// A server that is talked to as somebody.
pub(crate) struct Server {
    pub(super) runtime: Runtime,
    pub(super) http: Client,
    pub(super) base: Url,
    pub(super) token: String,
    me: Option<Me>,
}

/// Who one is.
#[derive(Deserialize)]
struct Me {
    me: Card,
    version: String,
}

/// Somebody, as the API shows them.
#[derive(Clone, Deserialize)]
pub(super) struct Card {
    pub(super) id: EntityId,
    pub(super) name: String,
    #[serde(rename = "type")]
    kind: EntityKind,
    model: Option<String>,
    #[serde(default)]
    external: bool,
}

impl From<Card> for Entity {
    fn from(card: Card) -> Entity {
        let Card { id, name, kind, model, external } = card;
        Entity { model, external, ..Entity::new(id, name, kind) }
    }
}

impl Server {
    /// The server at an address, with the token of the environment.
    pub(crate) fn connect(address: &str) -> Result<Server> {
        let token = std::env::var(TOKEN).ok().map(|token| token.trim().to_owned()).filter(|token| !token.is_empty());
        let base = parse(address)?;
        let Some(token) = token else {
            bail!(
                "{TOKEN} is not set: make a token with weft token new NAME on the server's machine, or in the settings of its \
                 page, and put it there"
            );
        };
        if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            bail!("{TOKEN} holds no token: those are letters, digits, hyphens and lines, and begin with wft_");
        }
        if base.scheme() == "http" && !is_this_machine(&base) {
            output::warn(&format!("{} is not encrypted: everybody on the way can read the token", address.trim()));
        }
        Server::open(base, token)
    }

    /// The server at an address, as whoever a token belongs to.
    pub(super) fn at(address: &str, token: &str) -> Result<Server> {
        Server::open(parse(address)?, token.to_owned())
    }

    fn open(base: Url, token: String) -> Result<Server> {
        let mut server = Server::unknown(base, token)?;
        let me: Me = server.get(&["session"], Vec::new())?;
        if line(&me.version) != line(env!("CARGO_PKG_VERSION")) {
            let ours = env!("CARGO_PKG_VERSION");
            output::warn(&format!("the server is weft {} and this is {ours}: some things may not work", me.version));
        }
        server.me = Some(me);
        Ok(server)
    }

    fn unknown(base: Url, token: String) -> Result<Server> {
        let builder = Client::builder()
            .user_agent(concat!("weft/", env!("CARGO_PKG_VERSION")))
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT)
            .read_timeout(SILENCE);
        // A proxy is for what is elsewhere.
        let builder = if is_this_machine(&base) { builder.no_proxy() } else { builder };
        let http = builder.build().context("HTTP")?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("threads")?;
        Ok(Server { runtime, http, base, token, me: None })
    }

    /// Where it is, as it is written.
    pub(crate) fn address(&self) -> &str {
        self.base.as_str().trim_end_matches('/')
    }

    /// Who one is here.
    pub(crate) fn me(&self) -> Result<Entity> {
        self.me.as_ref().map(|me| me.me.clone().into()).ok_or_else(|| anyhow!("nobody is signed in at {}", self.address()))
    }

    /// Who one is here, if that is who is named.
    pub(crate) fn myself(&self, wanted: Option<&str>) -> Result<Entity> {
        let me = self.me()?;
        match wanted {
            Some(wanted) if me.id.as_str() != wanted && me.name != wanted => bail!(
                "at {} you are {}: nobody speaks for somebody else through a server; use a token of {wanted:?}, or leave --as out",
                self.address(),
                me.name
            ),
            _ => Ok(me),
        }
    }

    /// Why the token opens nothing.
    pub(super) fn not_let_in(&self, refused: Refused) -> anyhow::Error {
        anyhow::Error::from(refused)
            .context(format!("{} does not know this token: it may be revoked, or of another server ({TOKEN})", self.address()))
    }

    /// Refuses what is only done on the database.
    pub(crate) fn refuse<T>(&self, what: &str, instead: &str) -> Result<T> {
        bail!("{what} does not go through a server: {instead}")
    }
}

/// Versions that understand each other begin alike.
fn line(version: &str) -> Option<(&str, &str)> {
    let mut parts = version.split('.');
    Some((parts.next()?, parts.next()?))
}

/// An address without a path, and with nothing secret in it.
fn parse(text: &str) -> Result<Url> {
    let wrong =
        || anyhow!("{text:?} is no address of a server: give one such as https://weft.example.org or http://127.0.0.1:8787");
    let url = Url::parse(text.trim()).map_err(|_| wrong())?;
    let is_plain = url.username().is_empty() && url.password().is_none() && url.query().is_none() && url.fragment().is_none();
    let is_http = matches!(url.scheme(), "http" | "https") && url.has_host();
    if is_http && is_plain && url.path().trim_matches('/').is_empty() { Ok(url) } else { Err(wrong()) }
}

fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// 128 random bits.
pub(super) fn random() -> Result<String> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_an_origin() {
        for good in ["http://127.0.0.1:8787", "https://weft.example.org/", "http://[::1]:1"] {
            assert!(parse(good).is_ok(), "{good}");
        }
        for bad in
            ["", "weft.example.org", "localhost:8787", "ftp://a", "https://a/b", "https://u:p@a", "http://a?x=1", "postgres://a"]
        {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn versions_of_one_line_understand_each_other() {
        for (one, other, alike) in [("0.1.0", "0.1.9", true), ("0.1.0", "0.2.0", false), ("1.0.0", "x", false)] {
            assert_eq!(line(one) == line(other), alike);
        }
    }
}
