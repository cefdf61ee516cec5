//! The headers of a delivery, and whether they are those of somebody who has the secret.

use super::error::Reason;
use super::secret::{SigningSecret, VERSION};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::Mac;

/// The header with the delivery's own id.
pub const ID: &str = "webhook-id";
/// The header with the time it was sent, in seconds since 1970.
pub const TIMESTAMP: &str = "webhook-timestamp";
/// The header with the signatures, blanks between.
pub const SIGNATURE: &str = "webhook-signature";

/// How far a delivery's time may be from ours, in milliseconds.
pub const TOLERANCE: i64 = 5 * 60 * 1_000;
const LONGEST_ID: usize = 200;
/// Signatures that are looked at: one for each secret, and a few to spare.
const MOST_SIGNATURES: usize = 8;

/// The headers of a delivery.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    /// [`ID`].
    pub id: Option<String>,
    /// [`TIMESTAMP`].
    pub timestamp: Option<String>,
    /// [`SIGNATURE`].
    pub signature: Option<String>,
}

impl Headers {
    /// Takes them from wherever they are, by name.
    pub fn find(header: impl Fn(&str) -> Option<String>) -> Headers {
        Headers { id: header(ID), timestamp: header(TIMESTAMP), signature: header(SIGNATURE) }
    }

    /// The delivery's id, if one of the secrets signed all of this and not long ago.
    pub(super) fn check(&self, secrets: &[SigningSecret], body: &[u8], now: i64) -> Result<&str, Reason> {
        let id = given(&self.id, ID)?;
        let timestamp = given(&self.timestamp, TIMESTAMP)?;
        let signatures: Vec<_> =
            given(&self.signature, SIGNATURE)?.split(' ').filter_map(spelled).take(MOST_SIGNATURES).collect();
        check_id(id)?;
        check_time(timestamp, now)?;
        let mut is_right = false;
        for secret in secrets {
            let sum = secret.sum(id, timestamp, body);
            for signature in &signatures {
                // Compares in constant time, and goes on: how long it takes does not tell which was right.
                is_right |= sum.clone().verify_slice(signature).is_ok();
            }
        }
        if is_right { Ok(id) } else { Err(Reason::Signature { offered: signatures.len(), secrets: secrets.len() }) }
    }
}

fn given<'a>(header: &'a Option<String>, name: &'static str) -> Result<&'a str, Reason> {
    header.as_deref().filter(|text| !text.is_empty()).ok_or(Reason::Missing { header: name })
}

/// An id that can be kept, without a dot: with one, the same bytes could be read as another id, time and body.
fn check_id(id: &str) -> Result<(), Reason> {
    let fits = id.len() <= LONGEST_ID && id.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'.');
    if fits { Ok(()) } else { Err(Reason::BadId { id: id.chars().take(LONGEST_ID).collect() }) }
}

/// The bytes of a signature; none if it is of another kind.
fn spelled(signature: &str) -> Option<Vec<u8>> {
    STANDARD.decode(signature.strip_prefix(VERSION)?).ok()
}

fn check_time(timestamp: &str, now: i64) -> Result<(), Reason> {
    let digits = timestamp.bytes().all(|byte| byte.is_ascii_digit());
    let sent = timestamp.parse::<i64>().ok().filter(|_| digits).and_then(|seconds| seconds.checked_mul(1_000));
    let Some(sent) = sent else { return Err(Reason::BadTimestamp { text: timestamp.to_owned() }) };
    let late = now.saturating_sub(sent);
    if late > TOLERANCE {
        return Err(Reason::Old { seconds: late / 1_000 });
    }
    if late < -TOLERANCE {
        return Err(Reason::Early { seconds: late / -1_000 });
    }
    Ok(())
}
