//! Which model answers when nobody names one.

use weftwork_provider::{Kind, OFFLINE, Providers};

/// A model, and why it is this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// Its name.
    pub(crate) model: String,
    /// Why.
    pub(crate) because: Because,
}

/// Why a model was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Because {
    /// It was named, in an argument or in the chat.
    Named,
    /// The configuration names it.
    Configured,
    /// It was found on this machine.
    Found,
    /// The key of its service is set.
    Key,
    /// There is no other.
    Nothing,
}

/// What services are asked for when only their key is known: neither the dearest nor the smallest of theirs.
const SERVICES: [(&str, &str); 3] = [("anthropic", "claude-sonnet-5-5"), ("gemini", "gemini-3.8-flash"), ("openai", "gpt-5.6")];

/// What there is to choose from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Offer {
    /// The configuration's `model`.
    pub(crate) configured: Option<String>,
    /// Models that configured providers name, as `provider/model`.
    pub(crate) own: Vec<String>,
    /// Models of Ollama on this machine.
    pub(crate) found: Vec<String>,
    /// Services whose key is set.
    pub(crate) services: Vec<String>,
}

impl Offer {
    /// What the providers offer, as far as they were asked.
    pub(crate) fn of(providers: &Providers, config: &crate::config::Config) -> Offer {
        let own = config
            .providers
            .iter()
            .flat_map(|(name, provider)| provider.models.keys().map(move |model| format!("{name}/{model}")));
        let kind = |name: &str| providers.all().iter().find(|provider| provider.name() == name).map(|provider| provider.kind());
        let found = providers.models().into_iter().map(|model| model.name);
        let found = found.filter(|name| name.split('/').next().and_then(kind) == Some(Kind::Ollama));
        let all = providers.all();
        let usable = all.iter().filter(|provider| provider.missing_key().is_none());
        Offer {
            configured: config.model.clone(),
            own: own.collect(),
            found: found.collect(),
            services: usable.map(|provider| provider.name().to_owned()).collect(),
        }
    }

    /// The model of somebody who names none.
    pub(crate) fn choose(&self) -> Choice {
        let first = |names: &[String]| names.first().cloned();
        let service = SERVICES.iter().find(|(name, _)| self.services.iter().any(|service| service == name));
        let all = [
            (self.configured.clone(), Because::Configured),
            (first(&self.own), Because::Configured),
            (first(&self.found), Because::Found),
            (service.map(|(name, model)| format!("{name}/{model}")), Because::Key),
        ];
        let found = all.into_iter().find_map(|(model, because)| model.map(|model| Choice { model, because }));
        found.unwrap_or(Choice { model: OFFLINE.to_owned(), because: Because::Nothing })
    }
}

/// One friendly line about the model on board, for whoever did not ask for it.
pub(crate) const ABOUT_OFFLINE: &str = "No key is set and no Ollama runs here, so the offline model answers: it is part of Weft, \
says what it was given and follows directives such as \"!say Hello\". For a real model set OPENAI_API_KEY, \
ANTHROPIC_API_KEY or GEMINI_API_KEY, or start Ollama.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nearer_to_the_owner_wins() {
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let all = Offer {
            configured: Some("mine".into()),
            own: list(&["local/tiny"]),
            found: list(&["ollama/llama3:latest"]),
            services: list(&["offline", "ollama", "openai"]),
        };
        let none = Offer::default();
        let cases = [
            (all.clone(), "mine", Because::Configured),
            (Offer { configured: None, ..all.clone() }, "local/tiny", Because::Configured),
            (Offer { configured: None, own: list(&[]), ..all.clone() }, "ollama/llama3:latest", Because::Found),
            (Offer { services: all.services.clone(), ..none.clone() }, "openai/gpt-5.6", Because::Key),
            (none, "offline", Because::Nothing),
        ];
        for (offer, model, because) in cases {
            assert_eq!(offer.choose(), Choice { model: model.into(), because });
        }
    }

    #[test]
    fn what_services_are_asked_for_is_in_the_catalogue() {
        for (service, model) in SERVICES {
            assert!(weftwork::catalogue::find(model).is_some(), "{service}/{model}");
        }
    }
}
