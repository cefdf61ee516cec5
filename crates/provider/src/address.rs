//! Where requests go.
//!
//! The owner may name any server, private and loopback ones too. What no address may hold is a key: not as a user's
//! password, not as a query.

use crate::Kind;
use crate::path::{self, BadPath};
use crate::send::Form;
use reqwest::Url;
use std::fmt;
use weftwork::{catalogue::Model, dialect::Dialect};

/// The address of a server, without what is behind it.
#[derive(Clone, PartialEq, Eq)]
pub struct Address(Url);

/// Why an address cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadAddress {
    /// It is no address.
    #[error("{text:?} is no address: {why}")]
    Unreadable {
        /// What was given.
        text: String,
        /// What is wrong.
        why: String,
    },
    /// It is not one of HTTP.
    #[error("{scheme:?} is not spoken here: an address begins with http:// or https://")]
    Scheme {
        /// What it begins with.
        scheme: String,
    },
    /// It holds more than a server and a path. The address itself is not repeated: it may hold a key.
    #[error("the address of {host:?} holds a user, a password, a query or a fragment: a key belongs into api_key_env")]
    Excess {
        /// The server.
        host: String,
    },
}

impl Address {
    /// Reads an address.
    pub fn parse(text: &str) -> Result<Self, BadAddress> {
        let unreadable = |why: String| BadAddress::Unreadable { text: text.to_owned(), why };
        let url = Url::parse(text).map_err(|error| unreadable(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(BadAddress::Scheme { scheme: url.scheme().to_owned() });
        }
        let host = url.host_str().unwrap_or_default().to_owned();
        let excess = !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some();
        if excess { Err(BadAddress::Excess { host }) } else { Ok(Self(url)) }
    }

    /// Reads what Ollama takes as `OLLAMA_HOST`: a host, a port, both, or an address. `0.0.0.0` is where a server listens,
    /// not where one reaches it.
    pub(crate) fn of_ollama(host: &str) -> Result<Self, BadAddress> {
        let host = host.trim().trim_end_matches('/');
        let (scheme, rest) = host.split_once("://").unwrap_or(("http", host));
        let rest = match rest.strip_prefix(':') {
            Some(port) => format!("127.0.0.1:{port}"),
            None => rest.replacen("0.0.0.0", "127.0.0.1", 1),
        };
        let with_port = rest.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let port = if with_port || host.contains("://") { "" } else { ":11434" };
        Self::parse(&format!("{scheme}://{rest}{port}"))
    }

    /// Whether it is this machine. Such a server is never asked through a proxy.
    pub fn is_loopback(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default();
        let ip = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
        host == "localhost" || host.ends_with(".localhost") || ip.is_ok_and(|ip| ip.is_loopback())
    }

    /// The address of `path` behind it.
    pub(crate) fn join(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path.split('/'));
        }
        url
    }

    /// The address of a caller's path and query behind it.
    pub(crate) fn below(&self, path: &str) -> Result<Url, BadPath> {
        path::below(&self.0, path)
    }

    /// Where a server of `kind` takes a request in `dialect`.
    pub(crate) fn endpoint(&self, kind: Kind, dialect: Dialect, model: &Model, form: Form) -> Url {
        match (kind, dialect) {
            (Kind::Ollama, Dialect::Completions) => self.join("v1/completions"),
            (Kind::Ollama, _) => self.join("api/chat"),
            (_, Dialect::Completions) => self.join("completions"),
            (Kind::Responses, _) => self.join("responses"),
            // Anthropic's own address has no version, those of servers like it sometimes do.
            (Kind::Anthropic, _) if self.0.path().trim_end_matches('/').ends_with("/v1") => self.join("messages"),
            (Kind::Anthropic, _) => self.join("v1/messages"),
            (Kind::Gemini, _) => self.gemini(model, form),
            (Kind::OpenAi | Kind::Completions | Kind::Offline, _) => self.join("chat/completions"),
        }
    }

    /// Gemini has the model in the address, and streams at an address of its own.
    fn gemini(&self, model: &Model, form: Form) -> Url {
        let (verb, query) = match form {
            Form::Streamed => ("streamGenerateContent", Some("alt=sse")),
            Form::Whole => ("generateContent", None),
        };
        let mut url = self.join("models");
        if let Ok(mut segments) = url.path_segments_mut() {
            let name = model.wire_name();
            segments.push(&format!("{}:{verb}", name.strip_prefix("models/").unwrap_or(name)));
        }
        url.set_query(query);
        url
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_endpoint() {
        for (kind, dialect, base, expected) in [
            (Kind::OpenAi, Dialect::OpenAi, "https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions"),
            (Kind::OpenAi, Dialect::OpenAi, "http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1/chat/completions"),
            (Kind::OpenAi, Dialect::Completions, "http://[::1]:8080/v1", "http://[::1]:8080/v1/completions"),
            (Kind::Completions, Dialect::Completions, "http://h/v1", "http://h/v1/completions"),
            (Kind::Responses, Dialect::Responses, "https://api.openai.com/v1", "https://api.openai.com/v1/responses"),
            (Kind::Anthropic, Dialect::Anthropic, "https://api.anthropic.com", "https://api.anthropic.com/v1/messages"),
            (Kind::Anthropic, Dialect::Anthropic, "http://h/v1", "http://h/v1/messages"),
            (Kind::Ollama, Dialect::Ollama, "http://127.0.0.1:11434", "http://127.0.0.1:11434/api/chat"),
            (Kind::Ollama, Dialect::Completions, "http://h:1", "http://h:1/v1/completions"),
            (Kind::Gemini, Dialect::Gemini, "https://g/v1beta", "https://g/v1beta/models/m%2F1:streamGenerateContent?alt=sse"),
        ] {
            let address = Address::parse(base).expect("an address");
            assert_eq!(address.endpoint(kind, dialect, &Model::unlisted("gemini/m/1"), Form::Streamed).as_str(), expected);
        }
    }

    #[test]
    fn gemini_answers_whole_at_an_address_of_its_own() {
        let address = Address::parse("https://g/v1beta").expect("an address");
        let url = address.endpoint(Kind::Gemini, Dialect::Gemini, &Model::unlisted("gemini/m"), Form::Whole);
        assert_eq!(url.as_str(), "https://g/v1beta/models/m:generateContent");
    }

    #[test]
    fn ollama_host_is_read_as_ollama_reads_it() {
        for (host, expected) in [
            ("127.0.0.1:11434", "http://127.0.0.1:11434"),
            ("0.0.0.0", "http://127.0.0.1:11434"),
            (":8000", "http://127.0.0.1:8000"),
            ("box", "http://box:11434"),
            ("https://box.example/ollama/", "https://box.example/ollama"),
            ("[::1]:1234", "http://[::1]:1234"),
        ] {
            assert_eq!(Address::of_ollama(host).expect(host).to_string(), expected);
        }
    }

    #[test]
    fn an_address_holds_no_key_and_its_error_does_not_repeat_one() {
        for text in ["http://user:sk-1@h/v1", "http://h/v1?key=sk-1", "http://h/#sk-1"] {
            let error = Address::parse(text).expect_err(text);
            assert!(matches!(error, BadAddress::Excess { .. }) && !error.to_string().contains("sk-1"), "{error}");
        }
        assert!(matches!(Address::parse("file:///etc/passwd"), Err(BadAddress::Scheme { .. })));
        assert!(matches!(Address::parse("127.0.0.1:8080"), Err(BadAddress::Unreadable { .. } | BadAddress::Scheme { .. })));
    }

    #[test]
    fn loopback_is_told_from_everything_else() {
        for (text, expected) in [
            ("http://127.0.0.1:1", true),
            ("http://127.8.9.1", true),
            ("http://[::1]:1", true),
            ("http://localhost:1/v1", true),
            ("http://10.0.0.1", false),
            ("http://localhost.example.com", false),
        ] {
            assert_eq!(Address::parse(text).expect(text).is_loopback(), expected, "{text}");
        }
    }
}
