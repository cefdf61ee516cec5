//! Why a server did not do it, in words.

use serde::Deserialize;
use std::fmt;

/// A fault that a server told of.
#[derive(Debug)]
pub(crate) struct Refused {
    /// The status of its answer.
    pub(super) status: u16,
    /// Its word to act on.
    pub(super) code: String,
    detail: String,
    at: Option<String>,
    /// Seconds after which to try again.
    pub(super) after: Option<u64>,
}

/// `application/problem+json`.
#[derive(Deserialize)]
struct Problem {
    code: String,
    detail: String,
    at: Option<String>,
}

impl Refused {
    /// What an answer that is no good says; nothing if no Weft server wrote it.
    pub(super) fn read(status: u16, after: Option<u64>, body: &[u8]) -> Option<Refused> {
        let Problem { code, detail, at } = serde_json::from_slice(body).ok()?;
        Some(Refused { status, code, detail, at, after })
    }

    /// What a server would say of a name that nothing can have.
    pub(super) fn nameless() -> Refused {
        let (code, detail) = ("not_found".to_owned(), "there is nothing here by that name that you may see".to_owned());
        Refused { status: 404, code, detail, at: None, after: None }
    }

    /// Whether there is no such thing, as far as the asker may know.
    pub(super) fn is_missing(&self) -> bool {
        self.status == 404
    }

    /// Whether the server does not know who asks.
    pub(super) fn is_stranger(&self) -> bool {
        self.code == "not_signed_in"
    }

    /// Whether a request does not fit into a model's window.
    pub(crate) fn is_misfit(&self) -> bool {
        self.code == "does_not_fit"
    }

    /// Whether the same may be asked again in a moment.
    pub(super) fn is_passing(&self) -> bool {
        matches!(self.code.as_str(), "busy" | "too_many" | "in_progress")
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.at {
            Some(at) => write!(f, "the server says: {} (at {at})", self.detail),
            None => write!(f, "the server says: {}", self.detail),
        }
    }
}

impl std::error::Error for Refused {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_says_what_and_where() {
        let body = br#"{"type":"/api/docs#bad_request","title":"t","status":400,"code":"bad_request","detail":"from 1 to 9","at":"limit"}"#;
        let told = Refused::read(400, None, body).map(|refused| refused.to_string());
        assert_eq!(told.as_deref(), Some("the server says: from 1 to 9 (at limit)"));
        for other in [&b"<html>"[..], b"", b"{}", b"null"] {
            assert!(Refused::read(502, None, other).is_none());
        }
    }
}
