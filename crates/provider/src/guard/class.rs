//! What an address is. Whatever is not plainly public has a class, and the class is why it is not connected to.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Why an address is not public.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// This machine.
    Loopback,
    /// A private net.
    Private,
    /// One wire. Clouds put credentials there.
    LinkLocal,
    /// Where a cloud answers questions about a machine, and hands out its credentials.
    Metadata,
    /// Shared by customers of one carrier.
    Shared,
    /// No address: most systems take it for this machine.
    Unspecified,
    /// Many at once.
    Multicast,
    /// All of a net.
    Broadcast,
    /// For examples in documents.
    Documentation,
    /// For measurements.
    Benchmark,
    /// A private net of IPv6.
    UniqueLocal,
    /// A private net of IPv6, as it was once.
    SiteLocal,
    /// IPv4 in the clothes of IPv6.
    Mapped,
    /// IPv4 in IPv6, as it was once.
    Compatible,
    /// IPv4 behind a translator.
    Nat64,
    /// IPv4 behind a tunnel (6to4).
    SixToFour,
    /// IPv4 behind a tunnel (Teredo).
    Teredo,
    /// IPv4 behind a tunnel (ISATAP).
    Isatap,
    /// Kept for something else.
    Reserved,
}

impl Class {
    /// The class of an address; none if it is public.
    pub fn of(address: IpAddr) -> Option<Class> {
        match address {
            IpAddr::V4(address) => of_v4(address),
            IpAddr::V6(address) => of_v6(address),
        }
    }

    /// Whether an owner can open it. Not where credentials are kept, not what reaches others than it names, and not IPv4 in
    /// disguise, which could be any of these.
    pub fn can_be_opened(self) -> bool {
        match self {
            Class::Loopback | Class::Private | Class::Shared | Class::UniqueLocal | Class::SiteLocal => true,
            Class::Documentation | Class::Benchmark | Class::Reserved => true,
            Class::LinkLocal | Class::Metadata => false,
            Class::Unspecified | Class::Multicast | Class::Broadcast => false,
            Class::Mapped | Class::Compatible | Class::Nat64 | Class::SixToFour | Class::Teredo | Class::Isatap => false,
        }
    }

    /// A word for it.
    pub fn word(self) -> &'static str {
        match self {
            Class::Loopback => "loopback",
            Class::Private => "private",
            Class::LinkLocal => "link-local",
            Class::Metadata => "metadata",
            Class::Shared => "shared",
            Class::Unspecified => "unspecified",
            Class::Multicast => "multicast",
            Class::Broadcast => "broadcast",
            Class::Documentation => "documentation",
            Class::Benchmark => "benchmark",
            Class::UniqueLocal => "unique-local",
            Class::SiteLocal => "site-local",
            Class::Mapped => "mapped",
            Class::Compatible => "compatible",
            Class::Nat64 => "nat64",
            Class::SixToFour => "6to4",
            Class::Teredo => "teredo",
            Class::Isatap => "isatap",
            Class::Reserved => "reserved",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Where AWS (also for containers), Alibaba, Oracle and Azure answer; some of it lies in nets that look public.
const METADATA_V4: [[u8; 4]; 6] =
    [[169, 254, 169, 254], [169, 254, 170, 2], [169, 254, 170, 23], [100, 100, 100, 200], [192, 0, 0, 192], [168, 63, 129, 16]];
/// The same in IPv6: AWS (also for containers) and Google.
const METADATA_V6: [[u16; 8]; 3] =
    [[0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254], [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23], [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254]];

fn of_v4(address: Ipv4Addr) -> Option<Class> {
    let octets = address.octets();
    if METADATA_V4.contains(&octets) {
        return Some(Class::Metadata);
    }
    Some(match octets {
        [0, ..] => Class::Unspecified,
        [127, ..] => Class::Loopback,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => Class::Private,
        [169, 254, ..] => Class::LinkLocal,
        [100, 64..=127, ..] => Class::Shared,
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => Class::Documentation,
        [198, 18..=19, ..] => Class::Benchmark,
        [224..=239, ..] => Class::Multicast,
        [255, 255, 255, 255] => Class::Broadcast,
        // Protocol assignments, relays of 6to4, and the last sixteenth.
        [192, 0, 0, _] | [192, 88, 99, _] | [240..=255, ..] => Class::Reserved,
        _ => return None,
    })
}

fn of_v6(address: Ipv6Addr) -> Option<Class> {
    let parts = address.segments();
    if METADATA_V6.contains(&parts) {
        return Some(Class::Metadata);
    }
    Some(match parts {
        [0, 0, 0, 0, 0, 0, 0, 0] => Class::Unspecified,
        [0, 0, 0, 0, 0, 0, 0, 1] => Class::Loopback,
        [0, 0, 0, 0, 0, 0xffff, ..] | [0, 0, 0, 0, 0xffff, 0, ..] => Class::Mapped,
        [0, 0, 0, 0, 0, 0, ..] => Class::Compatible,
        [0x64, 0xff9b, ..] => Class::Nat64,
        [0xfc00..=0xfdff, ..] => Class::UniqueLocal,
        [0xfe80..=0xfebf, ..] => Class::LinkLocal,
        [0xfec0..=0xfeff, ..] => Class::SiteLocal,
        [0xff00..=0xffff, ..] => Class::Multicast,
        [0x2002, ..] => Class::SixToFour,
        [0x2001, 0, ..] => Class::Teredo,
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => Class::Documentation,
        [0x2001, 2, 0, ..] => Class::Benchmark,
        [0x2001, 0..=0x1ff, ..] => Class::Reserved,
        [_, _, _, _, 0 | 0x200, 0x5efe, ..] => Class::Isatap,
        // What is public begins with these three bits.
        [0x2000..=0x3fff, ..] => return None,
        _ => Class::Reserved,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_range_has_its_class_up_to_its_last_address() {
        for (text, expected) in [
            ("0.255.255.255", "unspecified"),
            ("1.0.0.0", "public"),
            ("9.255.255.255", "public"),
            ("10.255.255.255", "private"),
            ("11.0.0.0", "public"),
            ("100.63.255.255", "public"),
            ("100.64.0.0", "shared"),
            ("100.127.255.255", "shared"),
            ("100.128.0.0", "public"),
            ("100.100.100.200", "metadata"),
            ("126.255.255.255", "public"),
            ("127.255.255.255", "loopback"),
            ("128.0.0.0", "public"),
            ("168.63.129.16", "metadata"),
            ("169.253.255.255", "public"),
            ("169.254.0.0", "link-local"),
            ("169.254.169.254", "metadata"),
            ("169.255.0.0", "public"),
            ("172.15.255.255", "public"),
            ("172.16.0.0", "private"),
            ("172.31.255.255", "private"),
            ("172.32.0.0", "public"),
            ("192.0.0.1", "reserved"),
            ("192.0.1.0", "public"),
            ("192.0.2.9", "documentation"),
            ("192.88.99.1", "reserved"),
            ("192.167.255.255", "public"),
            ("192.168.255.255", "private"),
            ("192.169.0.0", "public"),
            ("198.17.255.255", "public"),
            ("198.19.255.255", "benchmark"),
            ("198.20.0.0", "public"),
            ("223.255.255.255", "public"),
            ("239.255.255.255", "multicast"),
            ("240.0.0.0", "reserved"),
            ("255.255.255.255", "broadcast"),
            ("::", "unspecified"),
            ("::1", "loopback"),
            ("::2", "compatible"),
            ("::127.0.0.1", "compatible"),
            ("::ffff:8.8.8.8", "mapped"),
            ("::ffff:0:127.0.0.1", "mapped"),
            ("64:ff9b::7f00:1", "nat64"),
            ("64:ff9b:1::1", "nat64"),
            ("100::1", "reserved"),
            ("1fff::1", "reserved"),
            ("2000::1", "public"),
            ("2001::1", "teredo"),
            ("2001:1::1", "reserved"),
            ("2001:2::1", "benchmark"),
            ("2001:1ff::1", "reserved"),
            ("2001:200::1", "public"),
            ("2001:db8::1", "documentation"),
            ("2001:db9::1", "public"),
            ("2002:7f00:1::", "6to4"),
            ("2606:4700::1111", "public"),
            ("2606:4700::5efe:7f00:1", "isatap"),
            ("2606:4700::200:5efe:7f00:1", "isatap"),
            ("3fff:fff::1", "documentation"),
            ("3fff:1000::1", "public"),
            ("4000::1", "reserved"),
            ("fc00::1", "unique-local"),
            ("fd00:ec2::254", "metadata"),
            ("fdff::1", "unique-local"),
            ("fe80::1", "link-local"),
            ("febf::1", "link-local"),
            ("fec0::1", "site-local"),
            ("ff02::1", "multicast"),
        ] {
            let class = Class::of(text.parse().expect(text));
            assert_eq!(class.map_or("public", Class::word), expected, "{text}");
        }
    }
}
