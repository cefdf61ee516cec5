//! What an owner sets up once: the model to use, providers, servers of tools. TOML in the folder for configuration.

use crate::serve::ServeConfig;
use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use weftwork_gateway::KeptPins;
use weftwork_gateway::tools::{self, Environment, ServerConfig, ServerName, Toolbox};
use weftwork_provider::ProviderConfig;

/// The whole file. A word that nobody knows is an error: a setting that is misspelled would be one that is not there.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    /// The model of chats that name none.
    #[serde(default)]
    pub(crate) model: Option<String>,
    /// Servers of models.
    #[serde(default)]
    pub(crate) providers: BTreeMap<String, ProviderConfig>,
    /// How the server is set up.
    #[serde(default)]
    pub(crate) server: ServeConfig,
    /// Servers of tools.
    #[serde(default)]
    pub(crate) mcp: BTreeMap<ServerName, ServerConfig>,
}

impl Config {
    /// Reads the file that `WEFT_CONFIG` names, or the usual one. Only the usual one may be missing.
    pub(crate) fn read() -> Result<Config> {
        match std::env::var_os("WEFT_CONFIG").filter(|name| !name.is_empty()).map(PathBuf::from) {
            Some(named) => Config::from_file(&named)?.ok_or_else(|| anyhow!("{}: there is no such file", named.display())),
            None => match usual() {
                Some(path) => Ok(Config::from_file(&path)?.unwrap_or_default()),
                None => Ok(Config::default()),
            },
        }
    }

    fn from_file(path: &Path) -> Result<Option<Config>> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
        };
        match toml::from_str(&text) {
            Ok(config) => Ok(Some(config)),
            Err(error) => bail!("{}: {}", path.display(), error.to_string().trim_end()),
        }
    }

    /// The part that is about providers.
    pub(crate) fn providers(&self) -> weftwork_provider::Config {
        weftwork_provider::Config { providers: self.providers.clone() }
    }
}

impl Config {
    /// The servers of tools; what is decided about tools is kept in `pins`.
    pub(crate) fn toolbox(&self, pins: KeptPins) -> Toolbox {
        let written = |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
        let environment: Environment = std::env::vars_os().filter_map(written).collect();
        Toolbox::new(tools::Config { servers: self.mcp.clone() }, environment, Arc::new(pins))
    }
}

fn usual() -> Option<PathBuf> {
    folder("XDG_CONFIG_HOME", ".config").map(|folder| folder.join("weft/config.toml"))
}

/// A folder of the XDG rules: the variable's, if it is absolute as the rules demand, or the usual one below home.
pub(crate) fn folder(variable: &str, below_home: &str) -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    absolute(variable).or_else(|| absolute("HOME").map(|home| home.join(below_home)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelled_word_is_named_with_its_place() {
        let cases = [
            ("model = \"offline\"\nmodle = 1\n", "line 2, column 1"),
            ("model = 1\n", "line 1, column 9"),
            ("[providers.x]\nkind = \"magic\"\n", "line 2, column 8"),
            ("[providers.x\n", "line 1, column 13"),
        ];
        for (text, place) in cases {
            let error = toml::from_str::<Config>(text).map_or_else(|error| error.to_string(), |config| format!("{config:?}"));
            assert!(error.contains(place), "{text:?}: {error}");
        }
    }
}
