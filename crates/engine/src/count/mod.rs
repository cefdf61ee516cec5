//! Counting tokens: exact where a vocabulary is on board, estimated and said to be so elsewhere.
//!
//! Exact means equal to `len(encode_ordinary(text))` of Python's tiktoken on every text, so text that looks like a special
//! token counts as plain text. A text is split into pieces (`split`); a piece that is a token counts one (`words`); any
//! other piece is merged byte pair by byte pair (`merge`). Nothing is remembered between calls but in a [`Recall`] that
//! somebody brings: after a vocabulary has been unpacked, on its first use, its tables never change, and the time for a text
//! grows in step with its length whatever it holds.
//!
//! Raw counts are whole numbers; factors come in through the model and are applied in thousandths, so that every platform
//! gets the same budget.

mod class;
mod merge;
mod meter;
mod near;
mod pairs;
mod recall;
mod scan;
mod split;
mod stretch;
mod tokenx;
mod vocabulary;
mod words;

pub use recall::Recall;
pub use tokenx::tokenx;
pub use vocabulary::Vocabulary;

#[cfg(test)]
pub(crate) use meter::content_cost;
pub(crate) use meter::{file_cost, image_cost};

pub use meter::{Kind, Meter, Tally};

/// Counters whose raw numbers are kept beside nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// OpenAI's o200k vocabulary, exactly.
    O200k,
    /// OpenAI's cl100k vocabulary, exactly.
    Cl100k,
    /// Unicode scalar values divided by four, rounded up.
    Chars4,
    /// The estimate of the tokenx package.
    Tokenx,
}

impl Base {
    /// Every base counter.
    pub const ALL: [Base; 4] = [Base::O200k, Base::Cl100k, Base::Chars4, Base::Tokenx];

    /// Raw tokens of a text.
    pub fn text(self, text: &str) -> u64 {
        u64::from(match self {
            Base::O200k => Vocabulary::O200k.count(text),
            Base::Cl100k => Vocabulary::Cl100k.count(text),
            Base::Chars4 => chars4(text),
            Base::Tokenx => tokenx(text),
        })
    }

    /// Raw tokens that a message costs beside its parts.
    pub fn overhead(self) -> u64 {
        match self {
            Base::O200k | Base::Cl100k => 4,
            Base::Chars4 | Base::Tokenx => 0,
        }
    }
}

/// Unicode scalar values divided by four, rounded up: nothing for an empty text.
pub fn chars4(text: &str) -> u32 {
    text.chars().count().div_ceil(4) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chars4_rounds_up_and_counts_scalar_values() {
        for (text, count) in [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("你好你好", 1), ("👨‍👩‍👧‍👦", 2)]
        {
            assert_eq!(chars4(text), count, "{text:?}");
        }
    }
}
