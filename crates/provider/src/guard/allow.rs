//! What an owner opens: hosts by name, addresses, and nets.

use super::class::Class;
use std::collections::BTreeSet;
use std::net::IpAddr;

/// What an owner opens although it is not public.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allow {
    hosts: BTreeSet<String>,
    nets: Vec<Net>,
}

/// Why an entry opens nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadAllow {
    /// It is neither.
    #[error("{entry:?} is neither a host's name nor an address nor a net such as 192.168.0.0/16")]
    Unreadable {
        /// The entry.
        entry: String,
    },
    /// It is one that nobody can open.
    #[error("{entry:?} is {class} and is never opened")]
    NeverOpened {
        /// The entry.
        entry: String,
        /// What it is.
        class: Class,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Net {
    address: IpAddr,
    length: u8,
}

impl Allow {
    /// Reads entries such as `10.0.0.5`, `192.168.0.0/16`, `fd12::/48` and `ollama.local`.
    pub fn parse<S: AsRef<str>>(entries: impl IntoIterator<Item = S>) -> Result<Self, BadAllow> {
        let mut allow = Allow::default();
        for entry in entries {
            let entry = entry.as_ref().trim();
            match Net::parse(entry) {
                Some(net) => match Class::of(net.address).filter(|class| !class.can_be_opened()) {
                    Some(class) => return Err(BadAllow::NeverOpened { entry: entry.to_owned(), class }),
                    None => allow.nets.push(net),
                },
                None if is_name(entry) => drop(allow.hosts.insert(plain(entry))),
                None => return Err(BadAllow::Unreadable { entry: entry.to_owned() }),
            }
        }
        Ok(allow)
    }

    pub(super) fn opens_host(&self, host: &str) -> bool {
        self.hosts.contains(&plain(host))
    }

    pub(super) fn opens_address(&self, address: IpAddr) -> bool {
        self.nets.iter().any(|net| net.holds(address))
    }
}

/// A name as all its spellings are: without the dot of the root, in small letters.
fn plain(host: &str) -> String {
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

/// A name, and no number in disguise: a name's last part has a letter.
fn is_name(text: &str) -> bool {
    let text = text.strip_suffix('.').unwrap_or(text);
    let part =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let last = text.rsplit('.').next().unwrap_or_default();
    text.split('.').all(part) && !last.starts_with(|first: char| first.is_ascii_digit())
}

impl Net {
    fn parse(text: &str) -> Option<Net> {
        let (address, length) = text.split_once('/').map_or((text, None), |(address, length)| (address, Some(length)));
        let address: IpAddr = address.parse().ok()?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let length = length.map_or(Some(most), |length| length.parse().ok().filter(|length| *length <= most))?;
        Some(Net { address, length })
    }

    fn holds(self, address: IpAddr) -> bool {
        let same = |a: u128, b: u128, bits: u32| (a ^ b).checked_shr(bits - u32::from(self.length)).unwrap_or(0) == 0;
        match (self.address, address) {
            (IpAddr::V4(net), IpAddr::V4(address)) => same(net.to_bits().into(), address.to_bits().into(), 32),
            (IpAddr::V6(net), IpAddr::V6(address)) => same(net.to_bits(), address.to_bits(), 128),
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_opens_hosts_addresses_and_nets() {
        let allow = Allow::parse(["10.0.0.5", "192.168.0.0/16", "fd12::/48", " Ollama.Local. "]).expect("entries");
        for (address, expected) in [
            ("10.0.0.5", true),
            ("10.0.0.4", false),
            ("192.168.255.1", true),
            ("192.169.0.1", false),
            ("fd12::9", true),
            ("fd12:0:1::9", false),
            ("::ffff:10.0.0.5", false),
        ] {
            assert_eq!(allow.opens_address(address.parse().expect(address)), expected, "{address}");
        }
        for (host, expected) in [("ollama.local", true), ("OLLAMA.local.", true), ("x.ollama.local", false), ("local", false)] {
            assert_eq!(allow.opens_host(host), expected, "{host}");
        }
    }

    #[test]
    fn what_nobody_can_open_and_what_is_no_entry_is_told() {
        for entry in ["169.254.169.254", "169.254.0.0/16", "0.0.0.0/0", "::/0", "fe80::/10", "::ffff:10.0.0.5", "fd00:ec2::254"] {
            assert!(matches!(Allow::parse([entry]), Err(BadAllow::NeverOpened { .. })), "{entry}");
        }
        for entry in ["", "10.0.0", "10.0.0.0/33", "http://x", "a b", "a..b", "x/8", "0x7f.1", "2130706433", "*.local", "[::1]"] {
            assert!(matches!(Allow::parse([entry]), Err(BadAllow::Unreadable { .. })), "{entry}");
        }
    }
}
