//! The rules, and an address held against them. Pure: nothing is resolved here.

use super::allow::Allow;
use super::class::Class;
use super::error::Refused;
use reqwest::Url;
use std::collections::BTreeSet;
use std::net::IpAddr;

const LONGEST: usize = 8 << 10;

/// Ports above 1023 where something other than HTTP listens: what browsers refuse, databases, caches, orchestration.
const ODD: [u16; 45] = [
    1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3128, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5601, 5672,
    5900, 5985, 6000, 6379, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 8500, 8600, 9042, 9092, 9200, 9300, 10080,
    10250, 10255, 11211, 27017,
];

/// Which ports are asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Ports {
    /// 80, 443, and those above 1023 where nothing but HTTP is expected.
    #[default]
    Usual,
    /// These only.
    Only(BTreeSet<u16>),
}

/// The rules for addresses that did not come from the owner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guard {
    /// What the owner opens.
    pub allow: Allow,
    /// Which ports are asked.
    pub ports: Ports,
}

impl Guard {
    /// Reads an address and holds it against the rules. A name passes here; its addresses are held against them when it is
    /// resolved.
    pub fn check(&self, text: &str) -> Result<Url, Refused> {
        if text.len() > LONGEST {
            return Err(Refused::Unreadable { why: format!("it is longer than {LONGEST} bytes") });
        }
        let url = Url::parse(text).map_err(|error| Refused::Unreadable { why: error.to_string() })?;
        self.check_url(&url)?;
        Ok(url)
    }

    pub(super) fn check_url(&self, url: &Url) -> Result<(), Refused> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Refused::Scheme { scheme: url.scheme().to_owned() });
        }
        let host = url.host_str().unwrap_or_default();
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Refused::Credentials { host: host.to_owned() });
        }
        let port = url.port_or_known_default().unwrap_or_default();
        if !self.ports.hold(port) {
            return Err(Refused::Port { host: host.to_owned(), port });
        }
        match literal(url) {
            Some(address) => self.judge(address, host),
            None if is_this_machine(host) && !self.allow.opens_host(host) => {
                Err(Refused::NotPublic { host: host.to_owned(), class: Class::Loopback })
            }
            None => Ok(()),
        }
    }

    /// Whether an address may be connected to in the name of `host`.
    pub(super) fn judge(&self, address: IpAddr, host: &str) -> Result<(), Refused> {
        let Some(class) = Class::of(address) else { return Ok(()) };
        let is_opened = class.can_be_opened() && (self.allow.opens_address(address) || self.allow.opens_host(host));
        if is_opened { Ok(()) } else { Err(Refused::NotPublic { host: host.to_owned(), class }) }
    }
}

/// The address a host is, if it is one: a connector takes it as it is and resolves nothing. The parser has made plain
/// what was written in other bases, with fewer parts or in other digits.
fn literal(url: &Url) -> Option<IpAddr> {
    url.host_str()?.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

fn is_this_machine(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    host == "localhost" || host.ends_with(".localhost")
}

impl Ports {
    fn hold(&self, port: u16) -> bool {
        match self {
            Ports::Usual => matches!(port, 80 | 443) || (port > 1023 && !ODD.contains(&port)),
            Ports::Only(ports) => ports.contains(&port),
        }
    }
}
