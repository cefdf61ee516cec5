//! One server: what it is, where it stands, its key, and what its owner says of its models.

use crate::address::{Address, BadAddress};
use crate::config::{ModelConfig, ProviderConfig};
use crate::key::{BadKey, Key};
use crate::patience::Patience;
use crate::{Kind, Obedience};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::time::Duration;
use weftwork::catalogue::{Catalogue, Model, VocabularyOf};

/// Tokens of the window of the model on board. It could read any number; a window is what people come to see.
const OFFLINE_WINDOW: u64 = 128_000;

/// One server.
#[derive(Clone, Debug)]
pub struct Provider {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// None for the model on board.
    pub(crate) address: Option<Address>,
    /// That of the environment.
    pub(crate) key: Option<Key>,
    /// One from elsewhere, for want of that.
    pub(crate) kept_key: Option<Key>,
    /// Where a key is expected; a provider that names one is not asked without it.
    pub(crate) key_variable: Option<String>,
    pub(crate) patience: Patience,
    pub(crate) obedience: Obedience,
    pub(crate) models: BTreeMap<String, ModelConfig>,
    /// Whether it stands where its kind's own service stands.
    pub(crate) at_home: bool,
}

/// Why a configuration cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The name cannot be the first word of a model's name.
    #[error("{name:?} cannot name a provider: a name has no slash, no blank and at least one character")]
    BadName {
        /// The name.
        name: String,
    },
    /// `offline` always means the model on board.
    #[error("the name \"offline\" is taken by the model on board: give the provider of kind {} another name", kind.word())]
    Taken {
        /// What it was to be.
        kind: Kind,
    },
    /// The kind has no address of its own.
    #[error("provider {name:?} of kind {} needs a base_url", kind.word())]
    NoAddress {
        /// The provider.
        name: String,
        /// Its kind.
        kind: Kind,
    },
    /// The address cannot be used.
    #[error("provider {name:?}: {error}")]
    BadAddress {
        /// The provider.
        name: String,
        /// What is wrong with it.
        error: BadAddress,
    },
    /// The key cannot be used.
    #[error("provider {name:?}, variable {variable}: {error}")]
    BadKey {
        /// The provider.
        name: String,
        /// Where the key came from.
        variable: String,
        /// What is wrong with it.
        error: BadKey,
    },
    /// The client could not be made.
    #[error("no HTTP client could be made: {why}")]
    Client {
        /// What went wrong.
        why: String,
    },
}

/// Looks up an environment variable.
pub(crate) type Env<'e> = &'e dyn Fn(&str) -> Option<String>;

impl Provider {
    /// Its name: the first word of its models' names.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Where it stands; none for the model on board.
    pub fn address(&self) -> Option<&Address> {
        self.address.as_ref()
    }

    /// The environment variable whose key is missing, if it cannot be asked for want of one.
    pub fn missing_key(&self) -> Option<&str> {
        self.key_variable.as_deref().filter(|_| self.key.is_none() && self.kept_key.is_none())
    }

    /// Whether it was given a key from elsewhere than the environment.
    pub fn has_kept_key(&self) -> bool {
        self.kept_key.is_some()
    }

    /// A provider as its owner describes it.
    pub(crate) fn configured(name: &str, config: &ProviderConfig, env: Env<'_>) -> Result<Self, SetupError> {
        let (address, at_home) = place(name, config, env)?;
        let variable = match &config.api_key_env {
            Some(variable) => Some(variable.clone()),
            // The service's own key goes to the service's own address only.
            None if at_home => own_variable(config.kind, env),
            None => None,
        };
        let key =
            variable.as_deref().and_then(|variable| Some((variable, env(variable)?))).filter(|(_, key)| !key.trim().is_empty());
        let key = key.map(|(variable, text)| {
            Key::new(&text).map_err(|error| SetupError::BadKey { name: name.to_owned(), variable: variable.to_owned(), error })
        });
        Ok(Self {
            name: name.to_owned(),
            kind: config.kind,
            patience: patience(address.as_ref(), config),
            address,
            key: key.transpose()?,
            kept_key: None,
            key_variable: variable,
            obedience: if config.obedient { Obedience::AnyText } else { Obedience::LastMessage },
            models: config.models.clone(),
            at_home,
        })
    }

    /// A service at its own address, without a key.
    pub(crate) fn service(name: &str, kind: Kind) -> Self {
        Self::configured(name, &ProviderConfig::of(kind), &|_| None).expect("a service has an address of its own")
    }

    /// What is known of one of its models, by the catalogue and by its owner.
    pub(crate) fn model(&self, bare: &str, catalogue: &Catalogue) -> Model {
        let name = format!("{}/{bare}", self.name);
        let own = self.kind.catalogued_as().filter(|_| self.at_home).map(|word| format!("{word}/{bare}"));
        let mut model =
            own.and_then(|own| catalogue.find(&own)).or_else(|| catalogue.find(&name)).unwrap_or_else(|| Model::unlisted(&name));
        if self.kind == Kind::Offline {
            (model.vocabulary, model.context_length) = (VocabularyOf::O200k, Some(OFFLINE_WINDOW));
        }
        model.name = name;
        model.served_as = Some(bare.to_owned());
        model
    }

    /// The headers that every request to it has, with its own key or one that was given in its place.
    pub(crate) fn headers(&self, given: Option<&Key>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if let Some(key) = given.or(self.key.as_ref()).or(self.kept_key.as_ref()) {
            let (name, before) = match self.kind {
                Kind::Anthropic => (HeaderName::from_static("x-api-key"), ""),
                Kind::Gemini => (HeaderName::from_static("x-goog-api-key"), ""),
                Kind::OpenAi | Kind::Responses | Kind::Ollama | Kind::Completions | Kind::Offline => (AUTHORIZATION, "Bearer "),
            };
            headers.insert(name, key.header(before));
        }
        if self.kind == Kind::Anthropic {
            headers.insert(HeaderName::from_static("anthropic-version"), HeaderValue::from_static("2023-06-01"));
        }
        headers
    }
}

/// Where it stands, and whether that is its kind's own service.
fn place(name: &str, config: &ProviderConfig, env: Env<'_>) -> Result<(Option<Address>, bool), SetupError> {
    let bad = |error| SetupError::BadAddress { name: name.to_owned(), error };
    if config.kind == Kind::Offline {
        return Ok((None, false));
    }
    let home = config.kind.home().map(|home| Address::parse(home).expect("our own addresses are valid"));
    if let Some(text) = &config.base_url {
        let address = Address::parse(text).map_err(bad)?;
        let at_home = home.as_ref() == Some(&address);
        return Ok((Some(address), at_home));
    }
    if let (Kind::Ollama, Some(host)) = (config.kind, env("OLLAMA_HOST").filter(|host| !host.trim().is_empty())) {
        return Ok((Some(Address::of_ollama(&host).map_err(bad)?), false));
    }
    match home {
        Some(home) => Ok((Some(home), true)),
        None => Err(SetupError::NoAddress { name: name.to_owned(), kind: config.kind }),
    }
}

/// The variable that is set, else the first: an error names it.
pub(crate) fn own_variable(kind: Kind, env: Env<'_>) -> Option<String> {
    let variables = kind.key_variables();
    let set = variables.iter().find(|variable| env(variable).is_some_and(|key| !key.trim().is_empty()));
    set.or_else(|| variables.first()).map(|variable| (*variable).to_owned())
}

fn patience(address: Option<&Address>, config: &ProviderConfig) -> Patience {
    let local = address.is_none_or(Address::is_loopback);
    let mut patience = if local { Patience::LOCAL } else { Patience::DEFAULT };
    let seconds = |number: NonZeroU64| Duration::from_secs(number.get());
    if let Some(stall) = config.stall_seconds.map(seconds) {
        patience.stall = stall;
        patience.first_byte = stall;
    }
    patience.total = config.total_seconds.map_or(patience.total, seconds);
    patience
}
