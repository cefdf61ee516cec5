//! Arguments of `serve`.

use crate::keep::DbArgs;
use clap::{Args, ValueEnum};
use std::net::SocketAddr;

/// Arguments of `serve`.
#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    pub(crate) db: DbArgs,
    /// Where to listen [default: 127.0.0.1:8787].
    #[arg(long, value_name = "ADDRESS:PORT", env = "WEFT_BIND", hide_env = true)]
    pub(crate) bind: Option<SocketAddr>,
    /// How the world reaches it, as `https://weft.example.org`.
    #[arg(long, value_name = "URL", env = "WEFT_PUBLIC_URL", hide_env = true)]
    pub(crate) public_url: Option<String>,
    /// Show the demo, without signing in, on this machine only.
    #[arg(long)]
    pub(crate) demo: bool,
    /// Do no runs in this process: others on the same database do them.
    #[arg(long)]
    pub(crate) no_worker: bool,
    /// How the log is written.
    #[arg(long, value_enum, default_value_t = LogFormat::Text, env = "WEFT_LOG_FORMAT", hide_env = true)]
    pub(crate) log: LogFormat,
}

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// A JSON object a line.
    Json,
}
