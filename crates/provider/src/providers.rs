//! All providers: those of the configuration, those whose key is set, Ollama on this machine, and the model on board.

use crate::Kind;
use crate::client::Clients;
use crate::clock::{Clock, SystemClock};
use crate::config::{Config, ProviderConfig};
use crate::discover::FoundModel;
use crate::key::Key;
use crate::listing::Looking;
use crate::provider::{Env, Provider, SetupError, own_variable};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError, RwLock};
use weftwork::catalogue::{Catalogue, Model};

/// All providers.
pub struct Providers {
    /// Replaced as a whole: whoever was given it keeps what there was.
    list: RwLock<List>,
    pub(crate) catalogue: Catalogue,
    pub(crate) found: RwLock<BTreeMap<String, Vec<FoundModel>>>,
    pub(crate) looking: Looking,
    pub(crate) clients: Clients,
    pub(crate) clock: Arc<dyn Clock>,
}

/// Providers, by name.
pub(crate) type List = Arc<BTreeMap<String, Arc<Provider>>>;

/// The name of the provider on board, and of its model.
pub const OFFLINE: &str = "offline";

/// Services that are there as soon as their key is.
pub(crate) const SERVICES: [(&str, Kind); 3] =
    [("openai", Kind::OpenAi), ("anthropic", Kind::Anthropic), ("gemini", Kind::Gemini)];

impl Providers {
    /// Sets up what the configuration and the environment name. `catalogue` is the one on board, extended by what the owner
    /// knows. Nothing is asked over the network.
    pub fn new(config: &Config, catalogue: Catalogue, env: impl Fn(&str) -> Option<String>) -> Result<Self, SetupError> {
        let mut list = BTreeMap::new();
        for (name, config) in built_in(&env).iter().chain(&config.providers) {
            let provider = Provider::configured(checked(name, config)?, config, &env)?;
            list.insert(name.clone(), Arc::new(provider));
        }
        let clients = Clients::new().map_err(|why| SetupError::Client { why })?;
        let list = RwLock::new(Arc::new(list));
        Ok(Self { list, catalogue, found: RwLock::default(), looking: Looking::default(), clients, clock: Arc::new(SystemClock) })
    }

    /// The same with another clock.
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Gives a provider a key from elsewhere, or takes it back; one of the environment is stronger. A service is there as soon
    /// as it has a key. It holds for whatever is asked from now on. False if there is no such provider.
    pub fn set_key(&self, name: &str, key: Option<Key>) -> bool {
        let mut list = self.list.write().unwrap_or_else(PoisonError::into_inner);
        let service = SERVICES.iter().find(|(service, _)| *service == name).map(|(_, kind)| Provider::service(name, *kind));
        let Some(provider) = list.get(name).map(|provider| (**provider).clone()).or(service) else { return false };
        Arc::make_mut(&mut list).insert(name.to_owned(), Arc::new(Provider { kept_key: key, ..provider }));
        true
    }

    /// The providers there are now.
    pub(crate) fn list(&self) -> List {
        self.list.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Services that are there as soon as their key is, by name.
    pub fn services() -> impl Iterator<Item = (&'static str, Kind)> {
        SERVICES.into_iter()
    }

    /// Every provider, by name.
    pub fn all(&self) -> Vec<Arc<Provider>> {
        self.list().values().cloned().collect()
    }

    /// What is known of models in general.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Every model that is known to be there: named in the configuration, found on a server, or in the catalogue of a
    /// service whose key is set.
    pub fn models(&self) -> Vec<Model> {
        self.list()
            .values()
            .flat_map(|provider| self.names_of(provider).into_iter().map(|bare| self.model(provider, &bare)))
            .collect()
    }

    /// What is known of a provider's model: the catalogue's word, over it what its server says, over it the owner's word.
    pub(crate) fn model(&self, provider: &Provider, bare: &str) -> Model {
        let mut model = provider.model(bare, &self.catalogue);
        let found = self.found.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = found.get(&provider.name).and_then(|models| models.iter().find(|model| model.name == bare)) {
            model.context_length = found.context_length.or(model.context_length);
            model.max_output = found.max_output.or(model.max_output);
        }
        if let Some(config) = provider.models.get(bare) {
            config.lay_over(&mut model);
        }
        model
    }

    /// The models a provider is known to have, by the names it knows them by.
    pub(crate) fn names_of(&self, provider: &Provider) -> BTreeSet<String> {
        let mut names: BTreeSet<String> = provider.models.keys().cloned().collect();
        let found = self.found.read().unwrap_or_else(PoisonError::into_inner);
        names.extend(found.get(&provider.name).into_iter().flatten().map(|model| model.name.clone()));
        if provider.kind == Kind::Offline {
            names.insert(OFFLINE.to_owned());
        }
        if let Some(word) = provider.kind.catalogued_as().filter(|_| provider.at_home && provider.missing_key().is_none()) {
            let own = self.catalogue.models().iter().filter(|model| model.provider() == Some(word));
            names.extend(own.map(|model| model.bare_name().to_owned()));
        }
        names
    }
}

impl std::fmt::Debug for Providers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.list().iter()).finish()
    }
}

/// Services whose key is set, Ollama wherever it is, and the model on board.
fn built_in(env: Env<'_>) -> BTreeMap<String, ProviderConfig> {
    let set = |kind: Kind| own_variable(kind, env).and_then(|variable| env(&variable)).is_some_and(|key| !key.trim().is_empty());
    let services = SERVICES.into_iter().filter(|(_, kind)| set(*kind));
    let always = [("ollama", Kind::Ollama), (OFFLINE, Kind::Offline)];
    services.chain(always).map(|(name, kind)| (name.to_owned(), ProviderConfig::of(kind))).collect()
}

fn checked<'n>(name: &'n str, config: &ProviderConfig) -> Result<&'n str, SetupError> {
    if name.is_empty() || name.contains('/') || name.contains(char::is_whitespace) {
        return Err(SetupError::BadName { name: name.to_owned() });
    }
    if name == OFFLINE && config.kind != Kind::Offline {
        return Err(SetupError::Taken { kind: config.kind });
    }
    Ok(name)
}
