//! What a service signs with, shown as `whsec_` and base64.

use crate::keys::{Seal, SealError};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt;

/// What stands before a secret, so that everybody knows one.
const PREFIX: &str = "whsec_";
/// What stands before a signature.
pub(super) const VERSION: &str = "v1,";
const LENGTH: usize = 32;
/// What Standard Webhooks allows.
const LENGTHS: std::ops::RangeInclusive<usize> = 24..=64;
/// Characters of a secret that are shown, so that its owner knows it again.
const SHOWN: usize = 4;

/// What a service signs with. It never prints but by [`SigningSecret::reveal`].
#[derive(Clone, PartialEq, Eq)]
pub struct SigningSecret(Vec<u8>);

/// The text is no secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a secret is whsec_ and 24 to 64 bytes in base64, for example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw: make a new one")]
pub struct BadSecret;

impl SigningSecret {
    /// A secret that nobody ever had.
    pub fn generate() -> Result<SigningSecret, SealError> {
        let mut bytes = vec![0; LENGTH];
        getrandom::fill(&mut bytes).map_err(|_| SealError::NoDice)?;
        Ok(SigningSecret(bytes))
    }

    /// A secret that the service gave out: some have their own.
    pub fn parse(text: &str) -> Result<SigningSecret, BadSecret> {
        let bytes = text.trim().strip_prefix(PREFIX).and_then(|rest| STANDARD.decode(rest).ok());
        bytes.filter(|bytes| LENGTHS.contains(&bytes.len())).map(SigningSecret).ok_or(BadSecret)
    }

    /// The secret of nobody: to do for an unknown service what is done for a known one.
    pub(super) fn of_nobody() -> SigningSecret {
        SigningSecret(vec![0; LENGTH])
    }

    /// The secret, to be shown once to whoever signs with it.
    pub fn reveal(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(&self.0))
    }

    /// Its last characters.
    pub(crate) fn hint(&self) -> String {
        let text = self.reveal();
        text[text.len() - SHOWN..].to_owned()
    }

    /// Sealed for a service, and for none but it.
    pub(super) fn sealed(&self, seal: &Seal, service: &str) -> Result<Vec<u8>, SealError> {
        seal.seal(&kept_as(service), &self.reveal())
    }

    pub(super) fn open(seal: &Seal, service: &str, sealed: &[u8]) -> Result<SigningSecret, SealError> {
        let name = kept_as(service);
        SigningSecret::parse(&seal.open(&name, sealed)?).map_err(|BadSecret| SealError::Broken { name })
    }

    /// The sum over what is signed.
    pub(super) fn sum(&self, id: &str, timestamp: &str, body: &[u8]) -> Hmac<Sha256> {
        let mut sum = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key of any length is one");
        for part in [id.as_bytes(), b".", timestamp.as_bytes(), b".", body] {
            sum.update(part);
        }
        sum
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningSecret([secret])")
    }
}

/// Under what a secret is sealed: no provider has such a name.
fn kept_as(service: &str) -> String {
    format!("service:{service}")
}

/// Signs a delivery, for the header `webhook-signature`. The time is in seconds since 1970.
pub fn sign(secret: &SigningSecret, id: &str, timestamp: i64, body: &[u8]) -> String {
    let sum = secret.sum(id, &timestamp.to_string(), body).finalize();
    format!("{VERSION}{}", STANDARD.encode(sum.into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    /// The example that the libraries of Standard Webhooks are tested with.
    #[test]
    fn a_signature_is_that_of_the_standard() {
        let secret = SigningSecret::parse(SECRET).expect("a secret");
        let signed = sign(&secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, br#"{"test": 2432232314}"#);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn a_secret_is_shown_only_when_it_is_to_be() {
        let secret = SigningSecret::parse(&format!(" {SECRET}\n")).expect("a secret");
        assert_eq!((secret.reveal().as_str(), secret.hint().as_str()), (SECRET, "LaSw"));
        assert_eq!(format!("{secret:?}"), "SigningSecret([secret])");
        let made = SigningSecret::generate().expect("dice");
        assert_eq!(SigningSecret::parse(&made.reveal()), Ok(made.clone()));
        assert_ne!(SigningSecret::generate().expect("dice"), made);
    }

    #[test]
    fn what_is_no_secret_is_refused() {
        let of = |length: usize| format!("whsec_{}", STANDARD.encode(vec![7; length]));
        for (text, expected) in [
            (of(23), false),
            (of(24), true),
            (of(64), true),
            (of(65), false),
            (String::new(), false),
            ("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".to_owned(), false),
            ("whsec_not base64 at all, whatever it says".to_owned(), false),
        ] {
            assert_eq!(SigningSecret::parse(&text).is_ok(), expected, "{text}");
        }
    }
}
