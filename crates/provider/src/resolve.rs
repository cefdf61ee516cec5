//! From a model's name to where it is asked.

use crate::providers::{OFFLINE, Providers, SERVICES};
use crate::{Kind, Provider};
use std::sync::Arc;
use weftwork::{catalogue::Model, dialect::Dialect};

/// A model, and the provider that has it.
#[derive(Clone, Debug)]
pub struct Target {
    pub(crate) provider: Arc<Provider>,
    /// What is known of the model. It goes into the ask: its name on the wire is in it.
    pub model: Model,
}

impl Target {
    /// The provider.
    pub fn provider(&self) -> &Provider {
        &self.provider
    }

    /// The dialect to assemble conversations in.
    pub fn dialect(&self) -> Dialect {
        self.provider.kind.dialect()
    }

    /// The dialect to assemble buffers in: plain text completion where there is one.
    pub fn buffer_dialect(&self) -> Dialect {
        if self.provider.kind.completes_text() { Dialect::Completions } else { self.dialect() }
    }
}

/// Whose key pays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Payer {
    /// The provider's own key, which must be there.
    #[default]
    Owner,
    /// Whoever asks brings a key ([`Order::key`](crate::Order::key)): a service is there without one of ours.
    Caller,
}

/// Why a name leads to no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// Nobody has it.
    #[error("no provider has a model {name:?}{}. Name it provider/model; providers here: {}", nearest(near), providers.join(", "))]
    Unknown {
        /// The name asked for.
        name: String,
        /// Names like it.
        near: Vec<String>,
        /// Providers there are.
        providers: Vec<String>,
    },
    /// More than one has it.
    #[error("more than one provider has a model {name:?}: say which, {}", choices.join(" or "))]
    Ambiguous {
        /// The name asked for.
        name: String,
        /// The whole names it could mean.
        choices: Vec<String>,
    },
    /// There is no such provider.
    #[error("there is no provider {name:?}; providers here: {}", providers.join(", "))]
    NoProvider {
        /// The name asked for.
        name: String,
        /// Providers there are.
        providers: Vec<String>,
    },
    /// Its provider needs a key.
    #[error("{provider} needs a key: put it into the environment variable {variable}, or use the model \"offline\"")]
    NoKey {
        /// The provider.
        provider: String,
        /// Where its key belongs.
        variable: String,
    },
}

fn nearest(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) }
}

impl Providers {
    /// Finds a model by `provider/model`, or by its bare name where only one provider has it.
    pub fn resolve(&self, name: &str) -> Result<Target, ResolveError> {
        self.resolve_for(name, Payer::Owner)
    }

    /// The same, where a caller may bring a key of its own.
    pub fn resolve_for(&self, name: &str, payer: Payer) -> Result<Target, ResolveError> {
        let name = name.trim();
        if name == OFFLINE
            && let Some(offline) = self.list().get(OFFLINE)
        {
            return Ok(self.target(offline.clone(), OFFLINE));
        }
        if let Some((word, bare)) = name.split_once('/')
            && !bare.is_empty()
            && let Some(found) = self.by_word(word, payer)
        {
            return Ok(self.target(found?, bare));
        }
        self.by_bare_name(name, payer)
    }

    /// Finds a provider by its name, or by that of its service.
    pub fn provider(&self, name: &str, payer: Payer) -> Result<Arc<Provider>, ResolveError> {
        let unknown = || ResolveError::NoProvider { name: name.to_owned(), providers: self.names() };
        self.by_word(name, payer).ok_or_else(unknown)?
    }

    fn names(&self) -> Vec<String> {
        self.list().keys().cloned().collect()
    }

    fn target(&self, provider: Arc<Provider>, bare: &str) -> Target {
        Target { model: self.model(&provider, &self.listed_as(&provider, bare)), provider }
    }

    /// The name under which a provider lists a model: Ollama's `llama3` is `llama3:latest`.
    fn listed_as(&self, provider: &Provider, bare: &str) -> String {
        let latest = format!("{bare}:latest");
        let names = self.names_of(provider);
        let is_latest = provider.kind == Kind::Ollama && !names.contains(bare) && names.contains(&latest);
        if is_latest { latest } else { bare.to_owned() }
    }

    /// The provider that a name's first word means: its own name, or what the catalogue calls its service.
    fn by_word(&self, word: &str, payer: Payer) -> Option<Result<Arc<Provider>, ResolveError>> {
        let list = self.list();
        let served = || list.values().find(|provider| provider.at_home && provider.kind.catalogued_as() == Some(word));
        if let Some(provider) = list.get(word).or_else(served) {
            return Some(paid(provider, payer));
        }
        let is_meant = |kind: &Kind| kind.word() == word || kind.catalogued_as() == Some(word);
        let (name, kind) = SERVICES.into_iter().find(|(_, kind)| is_meant(kind))?;
        Some(match payer {
            Payer::Owner => Err(no_key(kind)),
            Payer::Caller => Ok(Arc::new(Provider::service(name, kind))),
        })
    }

    fn by_bare_name(&self, name: &str, payer: Payer) -> Result<Target, ResolveError> {
        let list = self.list();
        let having: Vec<_> = list.values().filter(|provider| self.has(provider, name)).collect();
        match having.as_slice() {
            [one] => Ok(self.target(paid(one, payer)?, name)),
            [] => self.by_catalogue(name, payer),
            many => Err(ResolveError::Ambiguous {
                name: name.to_owned(),
                choices: many.iter().map(|provider| format!("{}/{name}", provider.name)).collect(),
            }),
        }
    }

    /// Whether a provider is known to have the model.
    fn has(&self, provider: &Provider, name: &str) -> bool {
        self.names_of(provider).contains(&self.listed_as(provider, name))
    }

    /// A name no provider lists, but which the catalogue knows as a variant of a service's model.
    fn by_catalogue(&self, name: &str, payer: Payer) -> Result<Target, ResolveError> {
        let word =
            self.catalogue.find(name).filter(|_| !name.contains('/')).and_then(|model| model.provider().map(str::to_owned));
        match word.as_deref().and_then(|word| self.by_word(word, payer)) {
            Some(Ok(provider)) if provider.at_home && provider.kind != Kind::Ollama => Ok(self.target(provider, name)),
            Some(Err(error)) => Err(error),
            Some(Ok(_)) | None => {
                Err(ResolveError::Unknown { name: name.to_owned(), near: self.near(name), providers: self.names() })
            }
        }
    }

    /// Names that hold the asked one, or are held by it.
    fn near(&self, name: &str) -> Vec<String> {
        const MOST: usize = 3;
        let asked = name.rsplit('/').next().unwrap_or(name).to_lowercase();
        let is_like = |model: &Model| {
            let known = model.bare_name().to_lowercase();
            asked.len() > 2 && (known.contains(&asked) || asked.contains(&known))
        };
        self.models().into_iter().filter(is_like).map(|model| model.name).take(MOST).collect()
    }
}

/// The provider, if it can be asked.
fn paid(provider: &Arc<Provider>, payer: Payer) -> Result<Arc<Provider>, ResolveError> {
    match (provider.missing_key(), payer) {
        (Some(variable), Payer::Owner) => {
            Err(ResolveError::NoKey { provider: provider.name.clone(), variable: variable.to_owned() })
        }
        (Some(_), Payer::Caller) | (None, _) => Ok(provider.clone()),
    }
}

fn no_key(kind: Kind) -> ResolveError {
    let variable = kind.key_variables().first().copied().unwrap_or_default();
    ResolveError::NoKey { provider: kind.word().to_owned(), variable: variable.to_owned() }
}
