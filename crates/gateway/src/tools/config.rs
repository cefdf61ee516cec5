//! What an owner writes about tool servers, as TOML.
//!
//! ```toml
//! [mcp.files]
//! command = ["my-mcp-server", "--stdio"]
//! env = { TOKEN = "$FILES_TOKEN" }       # $NAME is taken from our environment
//! cwd = "/srv/files"
//! approval = "ask"                       # always | ask | never, for its tools
//! timeout_seconds = 60
//! disabled = ["delete_everything"]
//!
//! [mcp.search]
//! url = "https://example.com/mcp"
//! headers = { Authorization = "Bearer $SEARCH_KEY" }
//! protocol = "2025-11-25"                # without it, what both sides speak
//! ```

use super::{Approval, ServerName, Template};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::Duration;

/// The part of a configuration file that is about tool servers.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Config {
    /// Servers by the first word of their tools' names.
    #[serde(default, rename = "mcp")]
    pub servers: BTreeMap<ServerName, ServerConfig>,
}

/// One server.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Written")]
pub struct ServerConfig {
    /// How it is reached.
    pub reach: Reach,
    /// Whether its tools may run, where nothing was decided for one of them.
    pub approval: Approval,
    /// How long a call may take.
    pub timeout: Option<Duration>,
    /// How long it may take to start and greet.
    pub connect: Option<Duration>,
    /// Its tools, by its own names, that are not to be used.
    pub disabled: BTreeSet<String>,
    /// The protocol to speak; without it the newest that both sides know.
    pub protocol: Option<Protocol>,
}

/// How a server is reached.
#[derive(Clone, Debug, PartialEq)]
pub enum Reach {
    /// A program of ours, spoken to over its input and output.
    Process(ProcessConfig),
    /// A server, spoken to over streamable HTTP.
    Http(HttpConfig),
}

/// A program that is a server.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessConfig {
    /// The program.
    pub program: String,
    /// What it is given.
    pub arguments: Vec<String>,
    /// Variables it gets besides the few that every program needs.
    pub env: BTreeMap<String, Template>,
    /// Where it runs.
    pub cwd: Option<PathBuf>,
}

/// A server elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct HttpConfig {
    /// Its address.
    pub url: String,
    /// What is sent with every request.
    pub headers: BTreeMap<String, Template>,
}

/// A version of the Model Context Protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Protocol {
    /// With a greeting and, over HTTP, a session.
    #[serde(rename = "2025-11-25")]
    November2025,
    /// Every request stands alone.
    #[serde(rename = "2026-07-28")]
    July2026,
}

/// The text is not what a configuration may be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct BadConfig {
    /// What is wrong, with its place in the file.
    pub what: String,
}

impl Config {
    /// Reads the `[mcp]` tables of a file; its other tables are others' business.
    pub fn parse(text: &str) -> Result<Self, BadConfig> {
        toml::from_str(text).map_err(|error| BadConfig { what: error.to_string() })
    }
}

impl ServerConfig {
    /// A server of which only the way to it is said.
    pub fn of(reach: Reach) -> Self {
        let disabled = BTreeSet::new();
        Self { reach, approval: Approval::default(), timeout: None, connect: None, disabled, protocol: None }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    command: Option<Vec<String>>,
    url: Option<String>,
    env: Option<BTreeMap<String, Template>>,
    cwd: Option<PathBuf>,
    headers: Option<BTreeMap<String, Template>>,
    #[serde(default)]
    approval: Approval,
    timeout_seconds: Option<NonZeroU64>,
    connect_seconds: Option<NonZeroU64>,
    #[serde(default)]
    disabled: BTreeSet<String>,
    protocol: Option<Protocol>,
}

#[derive(Debug, thiserror::Error)]
enum BadServer {
    #[error("a server has a `command` or a `url`; this one has neither")]
    Neither,
    #[error("a server has a `command` or a `url`; this one has both")]
    Both,
    #[error("`command` is empty: write the program and what it is given, as in [\"my-mcp-server\", \"--stdio\"]")]
    EmptyCommand,
    #[error("`url` must begin with http:// or https://")]
    BadUrl,
    #[error("`{key}` is for servers with a `{with}`")]
    Misplaced { key: &'static str, with: &'static str },
}

impl TryFrom<Written> for ServerConfig {
    type Error = BadServer;

    fn try_from(mut written: Written) -> Result<Self, BadServer> {
        let seconds = |seconds: Option<NonZeroU64>| seconds.map(|seconds| Duration::from_secs(seconds.get()));
        Ok(Self {
            timeout: seconds(written.timeout_seconds),
            connect: seconds(written.connect_seconds),
            reach: reach(&mut written)?,
            approval: written.approval,
            disabled: written.disabled,
            protocol: written.protocol,
        })
    }
}

fn reach(written: &mut Written) -> Result<Reach, BadServer> {
    match (written.command.take(), written.url.take()) {
        (None, None) => Err(BadServer::Neither),
        (Some(_), Some(_)) => Err(BadServer::Both),
        (Some(command), None) => process(command, written),
        (None, Some(url)) => http(url, written),
    }
}

fn process(command: Vec<String>, written: &mut Written) -> Result<Reach, BadServer> {
    if written.headers.is_some() {
        return Err(BadServer::Misplaced { key: "headers", with: "url" });
    }
    let mut words = command.into_iter();
    let program = words.next().filter(|program| !program.is_empty()).ok_or(BadServer::EmptyCommand)?;
    let env = written.env.take().unwrap_or_default();
    Ok(Reach::Process(ProcessConfig { program, arguments: words.collect(), env, cwd: written.cwd.take() }))
}

fn http(url: String, written: &mut Written) -> Result<Reach, BadServer> {
    for (key, is_there) in [("env", written.env.is_some()), ("cwd", written.cwd.is_some())] {
        if is_there {
            return Err(BadServer::Misplaced { key, with: "command" });
        }
    }
    if !url.starts_with("http://") && !url.starts_with("https://") {
        return Err(BadServer::BadUrl);
    }
    Ok(Reach::Http(HttpConfig { url, headers: written.headers.take().unwrap_or_default() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_and_other_tables_are_others_business() {
        let config = Config::parse(
            r#"
            [providers.local]
            kind = "offline"
            [mcp.files]
            command = ["serve", "--stdio"]
            env = { TOKEN = "$T" }
            approval = "never"
            timeout_seconds = 5
            disabled = ["rm"]
            [mcp.search]
            url = "https://example.com/mcp"
            protocol = "2025-11-25"
            "#,
        )
        .unwrap();
        let files = &config.servers["files"];
        let Reach::Process(process) = &files.reach else { panic!("{files:?}") };
        assert_eq!((process.program.as_str(), process.arguments.as_slice()), ("serve", ["--stdio".to_owned()].as_slice()));
        assert_eq!((files.approval, files.timeout), (Approval::Never, Some(Duration::from_secs(5))));
        let search = &config.servers["search"];
        assert_eq!((search.approval, search.protocol), (Approval::Ask, Some(Protocol::November2025)));
    }

    #[test]
    fn what_cannot_be_meant_is_refused_and_says_why() {
        for (server, reason) in [
            ("", "this one has neither"),
            ("command = [\"a\"]\nurl = \"http://b\"", "this one has both"),
            ("command = []", "`command` is empty"),
            ("url = \"ftp://b\"", "must begin with http"),
            ("command = [\"a\"]\nheaders = { A = \"b\" }", "`headers` is for servers with a `url`"),
            ("url = \"http://b\"\ncwd = \"/\"", "`cwd` is for servers with a `command`"),
            ("command = [\"a\"]\ntimeout = 5", "unknown field `timeout`"),
            ("command = [\"a\"]\napproval = \"yes\"", "unknown variant `yes`"),
            ("command = [\"a\"]\nprotocol = \"2020-01-01\"", "unknown variant `2020-01-01`"),
        ] {
            let error = Config::parse(&format!("[mcp.x]\n{server}")).unwrap_err().to_string();
            assert!(error.contains(reason), "{server}: {error}");
        }
        let error = Config::parse("[mcp.a__b]\ncommand = [\"a\"]").unwrap_err().to_string();
        assert!(error.contains("a server cannot be called \"a__b\""), "{error}");
    }
}
