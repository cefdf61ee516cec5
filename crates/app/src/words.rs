//! What a person may write for an argument: words, amounts with a suffix, shares.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use weftwork::ask::Share;
use weftwork::formats::{ExportFormat, Format};
use weftwork::model::Timestamp;

/// One of the engine's choices by its word; help and completions list them.
pub(crate) fn choice<T>(all: &'static [T], word: fn(T) -> &'static str) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    PossibleValuesParser::new(all.iter().map(move |&choice| word(choice))).try_map(move |given| {
        let found = all.iter().copied().find(|&choice| word(choice) == given);
        found.ok_or_else(|| format!("{given:?} is not known"))
    })
}

/// A format to read, or a look at the file to find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    /// The format is detected.
    Auto,
    /// The format is this one.
    Named(Format),
}

impl From {
    /// The format, if one was named.
    pub(crate) fn format(self) -> Option<Format> {
        match self {
            From::Auto => None,
            From::Named(format) => Some(format),
        }
    }
}

/// `auto` or a format to read.
pub(crate) fn from() -> impl TypedValueParser<Value = From> {
    let words = std::iter::once("auto").chain(Format::ALL.iter().map(|format| format.word()));
    PossibleValuesParser::new(words).try_map(|given| match given.as_str() {
        "auto" => Ok(From::Auto),
        word => word.parse().map(From::Named),
    })
}

/// A format to write. `openai` is short for its only file format, JSON Lines.
pub(crate) fn to() -> impl TypedValueParser<Value = ExportFormat> {
    let value = |format: ExportFormat| match format {
        ExportFormat::OpenAiJsonl => PossibleValue::new("openai").alias(format.word()),
        ExportFormat::Weft | ExportFormat::WeftJsonl | ExportFormat::Markdown => PossibleValue::new(format.word()),
    };
    PossibleValuesParser::new(ExportFormat::ALL.iter().map(move |&format| value(format))).try_map(|given| match given.as_str() {
        "openai" => Ok(ExportFormat::OpenAiJsonl),
        word => word.parse(),
    })
}

/// A number of tokens: digits, with `k` for thousands and `m` for millions.
pub(crate) fn amount(given: &str) -> Result<u64, String> {
    let (digits, unit) = match given.as_bytes().last() {
        Some(b'k' | b'K') => (&given[..given.len() - 1], 1_000),
        Some(b'm' | b'M') => (&given[..given.len() - 1], 1_000_000),
        Some(_) | None => (given, 1),
    };
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = plain.then(|| digits.parse::<u64>().ok()?.checked_mul(unit)).flatten();
    number.ok_or_else(|| "write a whole number such as 8192, 8k or 1m".to_owned())
}

/// A number of messages.
pub(crate) fn small_amount(given: &str) -> Result<u32, String> {
    amount(given)?.try_into().map_err(|_| format!("at most {}", u32::MAX))
}

/// A share of the budget.
pub(crate) fn share(given: &str) -> Result<Share, String> {
    let number: f64 = given.parse().map_err(|_| "write a number above 0 and up to 1, such as 0.7".to_owned())?;
    Share::try_from(number).map_err(|error| error.to_string())
}

/// A moment.
pub(crate) fn time(given: &str) -> Result<Timestamp, String> {
    given.parse().map_err(|error: weftwork::model::BadTimestamp| error.to_string())
}
