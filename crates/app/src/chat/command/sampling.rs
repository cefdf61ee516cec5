//! Sampling settings as a person writes them: `temperature=0.2 seed=7`, and `temperature=` to leave it open again.

use weftwork::model::Sampling;
use weftwork_gateway::How;

/// One setting; none leaves it open.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Setting {
    Temperature(Option<f64>),
    TopP(Option<f64>),
    TopK(Option<u64>),
    Seed(Option<i64>),
    MaxTokens(Option<u64>),
    Stop(Option<String>),
}

impl Setting {
    /// Reads `key=value`.
    pub(super) fn read(word: &str) -> Result<Setting, String> {
        let (key, value) = word.split_once('=').ok_or_else(|| format!("{word:?} is no key=value"))?;
        match key {
            "temperature" => number(word, value).map(Setting::Temperature),
            "top_p" => number(word, value).map(Setting::TopP),
            "top_k" => number(word, value).map(Setting::TopK),
            "seed" => number(word, value).map(Setting::Seed),
            "max_tokens" => Ok(Setting::MaxTokens(if value.is_empty() { None } else { Some(amount(word, value)?) })),
            "stop" => Ok(Setting::Stop((!value.is_empty()).then(|| value.to_owned()))),
            other => Err(format!("{other:?} is no setting")),
        }
    }
}

fn amount(word: &str, value: &str) -> Result<u64, String> {
    crate::words::amount(value).map_err(|_| format!("{word:?} is no number of its kind"))
}

fn number<T: std::str::FromStr>(word: &str, value: &str) -> Result<Option<T>, String> {
    match value {
        "" => Ok(None),
        value => value.parse().map(Some).map_err(|_| format!("{word:?} is no number of its kind")),
    }
}

/// Writes settings over how replies are made.
pub(crate) fn lay_over(how: &mut How, settings: Vec<Setting>) {
    let mut sampling = how.sampling.take().unwrap_or_default();
    for setting in settings {
        match setting {
            Setting::Temperature(value) => sampling.temperature = value,
            Setting::TopP(value) => sampling.top_p = value,
            Setting::TopK(value) => sampling.top_k = value,
            Setting::Seed(value) => sampling.seed = value,
            Setting::MaxTokens(value) => how.max_tokens = value,
            Setting::Stop(None) => sampling.stop.clear(),
            Setting::Stop(Some(text)) => sampling.stop.push(text),
        }
    }
    how.sampling = (sampling != Sampling::default()).then_some(sampling);
}

/// The settings in force, in one line.
pub(crate) fn shown(how: &How) -> String {
    let sampling = how.sampling.clone().unwrap_or_default();
    let stop = (!sampling.stop.is_empty()).then(|| format!("stop={:?}", sampling.stop));
    let all = [
        sampling.temperature.map(|value| format!("temperature={value}")),
        sampling.top_p.map(|value| format!("top_p={value}")),
        sampling.top_k.map(|value| format!("top_k={value}")),
        sampling.seed.map(|value| format!("seed={value}")),
        how.max_tokens.map(|value| format!("max_tokens={value}")),
        stop,
    ];
    let all: Vec<String> = all.into_iter().flatten().collect();
    if all.is_empty() { "all as the agent and the space have it".to_owned() } else { all.join(" ") }
}
