//! What is known of models: windows, vocabularies, prices, cache rules. Data, not code, and open to extension.
//!
//! A name is looked up as it is, then by the longest known name it begins with, then by family. What is not known is
//! not guessed: an unlisted variant keeps window and vocabulary of the model it is named after but not its price, and a
//! name that fits nothing gives nothing.

use crate::model::is_false;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// What is known of one model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Model {
    /// `provider/model`.
    pub name: String,
    /// What its server calls it, where that is not the name without a known provider's word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served_as: Option<String>,
    /// Tokens of its window, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_length: Option<u64>,
    /// Tokens it can write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output: Option<u64>,
    /// How its tokens are counted.
    pub vocabulary: VocabularyOf,
    /// The shortest prefix its provider caches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_cacheable: Option<u64>,
    /// Whether it takes no system field, so that the system text must be its first user message.
    #[serde(default, skip_serializing_if = "is_false")]
    pub no_system: bool,
    /// US dollars for a million tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prices: Option<Prices>,
}

/// How a model's tokens are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum VocabularyOf {
    /// Exactly, with o200k.
    O200k,
    /// Exactly, with cl100k.
    Cl100k,
    /// As an estimate: o200k times so many thousandths.
    #[serde(rename = "o200kTimes")]
    Estimated(u32),
}

/// US dollars for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Prices {
    /// Read afresh.
    pub input: f64,
    /// Written.
    pub output: f64,
    /// Read from a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read: Option<f64>,
    /// Put into a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
}

impl Model {
    /// A model of which only the name is known. It is sent under that name; nothing else is guessed.
    pub fn unlisted(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            served_as: None,
            context_length: None,
            max_output: None,
            vocabulary: VocabularyOf::Estimated(1000),
            min_cacheable: None,
            no_system: false,
            prices: None,
        }
    }

    /// The part of the name before the first slash, if there is one.
    pub fn provider(&self) -> Option<&str> {
        self.name.split_once('/').map(|(provider, _)| provider)
    }

    /// The name to send: what its server calls it, else without the provider where the first word is one.
    /// `meta-llama/Llama-3` is a whole name.
    pub fn wire_name(&self) -> &str {
        match (&self.served_as, self.name.split_once('/')) {
            (Some(name), _) => name,
            (None, Some((provider, bare))) if PROVIDERS.contains(&provider) => bare,
            (None, Some(_) | None) => &self.name,
        }
    }

    /// The name without its first word.
    pub fn bare_name(&self) -> &str {
        self.name.split_once('/').map_or(&self.name, |(_, bare)| bare)
    }
}

/// First words of names that say who serves a model.
const PROVIDERS: [&str; 10] =
    ["local", "openai", "anthropic", "google", "gemini", "ollama", "mistral", "deepseek", "xai", "offline"];

static BUILT_IN: LazyLock<Catalogue> = LazyLock::new(|| {
    Catalogue::parse(include_str!("catalogue/models.json")).expect("the catalogue on board is valid: a test reads it")
});

/// What the catalogue on board knows of a model.
pub fn find(name: &str) -> Option<Model> {
    BUILT_IN.find(name)
}

/// A list of known models.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Catalogue {
    /// Models by their whole name; also found with a date or another variant behind it.
    #[serde(default)]
    models: Vec<Model>,
    /// Models by the beginning of their name, whoever serves them.
    #[serde(default)]
    families: Vec<Model>,
}

impl Catalogue {
    /// Reads `{"models":[…],"families":[…]}`.
    pub fn parse(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }

    /// The catalogue on board.
    pub fn built_in() -> Self {
        BUILT_IN.clone()
    }

    /// Adds what another one knows; of two entries with one name its own gives way.
    pub fn extend(&mut self, other: Catalogue) {
        for (mine, theirs) in [(&mut self.models, other.models), (&mut self.families, other.families)] {
            mine.retain(|model| !theirs.iter().any(|other| other.name == model.name));
            mine.extend(theirs);
        }
    }

    /// The models known by their whole name.
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// What is known of a model, under the name it was asked for.
    pub fn find(&self, name: &str) -> Option<Model> {
        let asked = Asked::new(name);
        self.exact(&asked).or_else(|| self.variant(&asked)).or_else(|| self.family(&asked))
    }

    fn exact(&self, asked: &Asked<'_>) -> Option<Model> {
        let whole = self.models.iter().find(|model| asked.is(&model.name));
        let found = whole.or_else(|| only(self.models.iter().filter(|model| asked.is_bare(model.bare_name()))))?;
        Some(asked.named(found))
    }

    fn variant(&self, asked: &Asked<'_>) -> Option<Model> {
        let rests = self.models.iter().filter_map(|model| Some((model, asked.rest(model.bare_name())?)));
        let nearest = rests.clone().map(|(_, rest)| rest.len()).min()?;
        let mut nearest_ones = rests.filter(|(_, rest)| rest.len() == nearest);
        let own = nearest_ones.clone().find(|(model, _)| model.provider() == asked.provider);
        let (model, rest) = own.or_else(|| only(&mut nearest_ones))?;
        let mut found = asked.named(model);
        if !is_release(rest) {
            found.prices = None;
        }
        Some(found)
    }

    fn family(&self, asked: &Asked<'_>) -> Option<Model> {
        let families = self.families.iter().filter(|family| asked.bare.starts_with(&normal(family.bare_name())));
        families.max_by_key(|family| family.bare_name().len()).map(|family| asked.named(family))
    }
}

/// A name somebody asked for.
struct Asked<'n> {
    name: &'n str,
    provider: Option<&'n str>,
    /// Without provider and gateway, in normal form.
    bare: String,
}

impl<'n> Asked<'n> {
    fn new(name: &'n str) -> Self {
        let provider = name.split_once('/').map(|(provider, _)| provider);
        let bare = name.rsplit('/').next().unwrap_or(name);
        Self { name, provider, bare: normal(bare) }
    }

    fn is(&self, name: &str) -> bool {
        normal(self.name) == normal(name)
    }

    fn is_bare(&self, bare: &str) -> bool {
        self.bare == normal(bare)
    }

    /// What the asked name has behind a known one, if it is a variant of it and not another version.
    fn rest(&self, known: &str) -> Option<&str> {
        let rest = self.bare.strip_prefix(&normal(known))?;
        let word = rest.strip_prefix(['-', ':', '@'])?;
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let another_version = (1..=2).contains(&digits) && word[digits..].chars().next().is_none_or(|next| next == '-');
        (!another_version).then_some(rest)
    }

    /// A known model under the asked name. Another provider's price is not known.
    fn named(&self, known: &Model) -> Model {
        let mut model = known.clone();
        match self.provider {
            Some(provider) => {
                if known.provider() != Some(provider) {
                    model.prices = None;
                }
                model.name = self.name.to_owned();
            }
            None => model.name = known.provider().map_or(self.name.to_owned(), |provider| format!("{provider}/{}", self.name)),
        }
        model
    }
}

/// Case and the choice between dot and dash differ between those who serve a model.
fn normal(name: &str) -> String {
    name.to_ascii_lowercase().replace('.', "-")
}

/// Whether what stands behind a name is only its date or `latest`: the same model at the same price.
fn is_release(rest: &str) -> bool {
    rest == "-latest" || rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-' || byte == b'@')
}

fn only<T>(mut found: impl Iterator<Item = T>) -> Option<T> {
    let first = found.next()?;
    found.next().is_none().then_some(first)
}
