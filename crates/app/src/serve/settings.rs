//! How the server is set up: `[server]` in the configuration, arguments stronger than it.

use super::args::ServeArgs;
use super::host::is_loopback;
use super::limits::Allowed;
use super::listen::Listening;
use anyhow::{Result, bail};
use serde::Deserialize;
use std::net::SocketAddr;
use std::time::Duration;
use weftwork_provider::guard::{Allow, Guard};

/// `[server]` of the configuration file.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ServeConfig {
    /// Where to listen.
    bind: Option<SocketAddr>,
    /// How the world reaches it: `https://weft.example.org`.
    public_url: Option<String>,
    /// Requests of one account in a second.
    requests_per_second: Option<f64>,
    /// Requests under way at once.
    requests_at_once: Option<usize>,
    /// Event streams at once.
    streams: Option<usize>,
    /// Mebibytes of large requests in hand at once.
    body_mebibytes: Option<usize>,
    /// Connections at once.
    connections: Option<usize>,
    /// Seconds for the head of the first request on a connection.
    head_seconds: Option<u64>,
    /// Hosts and nets that are not public, where programs of external agents may be told of their runs.
    open_addresses: Vec<String>,
}

/// How the server is set up.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) bind: SocketAddr,
    pub(super) public: Option<Public>,
    pub(super) allowed: Allowed,
    pub(super) listening: Listening,
    /// Whether the demo is shown, and looked at without signing in.
    pub(super) demo: bool,
    /// The rules for addresses of programs elsewhere.
    pub(super) guard: Guard,
}

/// Where the page and the API are.
const USUAL: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 8787);

impl Settings {
    pub(super) fn new(args: &ServeArgs, config: &ServeConfig) -> Result<Settings> {
        let bind = args.bind.or(config.bind).unwrap_or(USUAL);
        let public = args.public_url.as_deref().or(config.public_url.as_deref()).map(Public::parse).transpose()?;
        if args.demo && !bind.ip().is_loopback() {
            bail!("--demo lets everybody in who can connect, so it listens on this machine only: leave --bind out");
        }
        let usual = Allowed::default();
        let per_second = config.requests_per_second.unwrap_or(usual.per_second);
        if per_second.is_nan() || per_second <= 0.0 {
            bail!("[server] requests_per_second must be more than 0");
        }
        let allowed = Allowed {
            per_second,
            burst: per_second * usual.burst / usual.per_second,
            under_way: config.requests_at_once.unwrap_or(usual.under_way),
            streams: config.streams.unwrap_or(usual.streams),
            bodies: config.body_mebibytes.unwrap_or(usual.bodies),
        };
        let guard = Guard { allow: Allow::parse(&config.open_addresses)?, ..Guard::default() };
        let listening = Listening {
            connections: config.connections.unwrap_or(Listening::default().connections),
            head: config.head_seconds.map_or(Listening::default().head, Duration::from_secs),
        };
        Ok(Settings { bind, public, allowed, listening, demo: args.demo, guard })
    }

    /// Whether more than this machine can connect.
    pub(super) fn is_open(&self) -> bool {
        !self.bind.ip().is_loopback()
    }

    /// Whether cookies may only travel encrypted.
    pub(super) fn is_secure(&self) -> bool {
        self.public.as_ref().is_some_and(|public| public.scheme == Scheme::Https)
    }
}

/// How the world reaches the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Public {
    scheme: Scheme,
    authority: http::uri::Authority,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheme {
    Http,
    Https,
}

impl Public {
    fn parse(text: &str) -> Result<Public> {
        let wrong =
            || anyhow::anyhow!("{text:?} is no public address: give one such as https://weft.example.org, without a path");
        let uri: http::Uri = text.trim_end_matches('/').parse().map_err(|_| wrong())?;
        let scheme = match uri.scheme_str() {
            Some("https") => Scheme::Https,
            Some("http") => Scheme::Http,
            _ => return Err(wrong()),
        };
        let authority = uri.authority().cloned().filter(|authority| !authority.as_str().contains('@')).ok_or_else(wrong)?;
        if !uri.path().trim_matches('/').is_empty() || uri.query().is_some() {
            return Err(wrong());
        }
        if scheme == Scheme::Http && !is_loopback(authority.host()) {
            bail!("{text:?}: a session's cookie would travel in the clear: give an https:// address");
        }
        Ok(Public { scheme, authority })
    }

    pub(super) fn host(&self) -> &str {
        self.authority.host()
    }

    pub(super) fn origin(&self) -> String {
        let scheme = match self.scheme {
            Scheme::Http => "http",
            Scheme::Https => "https",
        };
        format!("{scheme}://{}", self.authority)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_address_is_an_origin_and_nothing_more() {
        for good in ["https://weft.example.org", "https://weft.example.org:8443/", "http://localhost:8787"] {
            assert_eq!(Public::parse(good).map(|public| public.origin()).ok().as_deref(), Some(good.trim_end_matches('/')));
        }
        for bad in ["weft.example.org", "https://", "https://a@b", "https://a/b", "ftp://a", "http://weft.example.org"] {
            assert!(Public::parse(bad).is_err(), "{bad}");
        }
    }
}
