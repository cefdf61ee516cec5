//! Names of services: they stand in addresses.

use crate::error::GatewayError;

const LONGEST: usize = 64;

/// Refuses what cannot be a name.
pub(super) fn check(name: &str) -> Result<(), GatewayError> {
    if fits(name) { Ok(()) } else { Err(GatewayError::BadServiceName { name: name.to_owned(), most: LONGEST }) }
}

/// Whether a service can be called this.
pub(super) fn fits(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    name.len() <= LONGEST
        && name.bytes().all(plain)
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && !name.ends_with('-')
        && !name.contains("--")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_stand_in_an_address() {
        for (name, expected) in [
            ("ci", true),
            ("build-server-2", true),
            ("", false),
            ("CI", false),
            ("2fast", false),
            ("-a", false),
            ("a-", false),
            ("a--b", false),
            ("a b", false),
            ("a/b", false),
            ("ä", false),
            ("a\0", false),
        ] {
            assert_eq!(fits(name), expected, "{name:?}");
        }
        assert!(fits(&"a".repeat(64)) && !fits(&"a".repeat(65)));
    }
}
