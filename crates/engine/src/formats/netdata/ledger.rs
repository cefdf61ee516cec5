//! Counts of the client's messages, usage history and accounting nodes.
//!
//! Accounting nodes are found in two readings that look alike: the client's documentation says a node holds the total so
//! far, its code stored only what was discarded. A node that names its reading is believed. Otherwise a file is read as
//! cumulative as long as its numbers can be that: no node below what was spent before it.

use super::super::ImportError;
use super::super::facts::{inclusive, peek_count};
use super::super::item::{Fields, Shape};
use crate::model::{Accounting, AccountingReading, CumulativeTokens, Kind, Node, Usage};
use std::collections::HashMap;

/// The four counts of a request, as the client writes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Counts {
    prompt: u64,
    completion: u64,
    cache_read: u64,
    cache_creation: u64,
}

impl Counts {
    pub(super) fn read(mut fields: Fields<'_>) -> Result<Counts, ImportError> {
        let mut count = |key: &str| fields.count(key, "usage").unwrap_or(0);
        let counts = Counts {
            prompt: count("promptTokens"),
            completion: count("completionTokens"),
            cache_read: count("cacheReadInputTokens"),
            cache_creation: count("cacheCreationInputTokens"),
        };
        fields.dropped_all(&["totalTokens", "price"], "follows from the other numbers");
        fields.end()?;
        Ok(counts)
    }

    /// Disjoint buckets. OpenAI's and Google's prompt counts include what was read from the cache.
    pub(super) fn usage(self, model: Option<&str>) -> Usage {
        let provider = model.and_then(|model| model.split('/').next());
        if matches!(provider, Some("openai" | "google" | "gemini")) {
            return inclusive(self.prompt, self.cache_read, self.completion);
        }
        Usage { input: self.prompt, output: self.completion, cache_read: self.cache_read, cache_write: self.cache_creation }
    }

    fn add(self, other: Counts) -> Counts {
        Counts {
            prompt: self.prompt.saturating_add(other.prompt),
            completion: self.completion.saturating_add(other.completion),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            cache_creation: self.cache_creation.saturating_add(other.cache_creation),
        }
    }

    fn covers(self, other: Counts) -> bool {
        self.prompt >= other.prompt
            && self.completion >= other.completion
            && self.cache_read >= other.cache_read
            && self.cache_creation >= other.cache_creation
    }
}

impl From<CumulativeTokens> for Counts {
    fn from(tokens: CumulativeTokens) -> Counts {
        Counts {
            prompt: tokens.input_tokens,
            completion: tokens.output_tokens,
            cache_read: tokens.cache_read_tokens,
            cache_creation: tokens.cache_creation_tokens,
        }
    }
}

/// What was spent, and what the accounting nodes say of it.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    unsettled: HashMap<Counts, usize>,
    so_far: Counts,
    named: Option<AccountingReading>,
    must_be_delta: bool,
}

impl Ledger {
    /// Notes the usage of a message.
    pub(super) fn spent(&mut self, counts: Counts) {
        *self.unsettled.entry(counts).or_default() += 1;
        self.so_far = self.so_far.add(counts);
    }

    /// Whether a message has the usage of this entry; each message settles one entry.
    pub(super) fn settle(&mut self, counts: Counts) -> bool {
        match self.unsettled.get_mut(&counts) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }

    /// Reads an accounting node.
    pub(super) fn accounting(&mut self, fields: &mut Fields<'_>) -> Result<Option<Accounting>, ImportError> {
        let named = fields.string("reading", "").or_else(|| fields.string("kind", "reading"));
        match named.as_deref() {
            Some("delta") => self.named = Some(AccountingReading::Delta),
            Some("cumulative") => self.named = Some(AccountingReading::Cumulative),
            Some(_) | None => {}
        }
        // Nodes for one model each came with the versions that stored only what was discarded.
        if fields.peek("model").is_some_and(|model| model.shape() == Shape::String) {
            self.must_be_delta = true;
        }
        let Some(mut tokens) = fields.object("cumulativeTokens") else { return Ok(None) };
        let count = |key: &str| peek_count(&tokens, key).unwrap_or(0);
        let counts = CumulativeTokens {
            input_tokens: count("inputTokens"),
            output_tokens: count("outputTokens"),
            cache_read_tokens: count("cacheReadTokens"),
            cache_creation_tokens: count("cacheCreationTokens"),
        };
        for key in ["inputTokens", "outputTokens", "cacheReadTokens", "cacheCreationTokens"] {
            tokens.kept(key);
        }
        tokens.end()?;
        self.must_be_delta |= !Counts::from(counts).covers(self.so_far);
        self.so_far = counts.into();
        Ok(Some(Accounting {
            cumulative_tokens: counts,
            reading: AccountingReading::Cumulative,
            reason: fields.string("reason", ""),
            discarded_messages: fields.count("discardedMessages", ""),
        }))
    }

    /// Gives all accounting nodes the reading that fits them all.
    pub(super) fn read_accounting(&self, nodes: &mut [Node]) {
        let guessed = if self.must_be_delta { AccountingReading::Delta } else { AccountingReading::Cumulative };
        let reading = self.named.unwrap_or(guessed);
        for node in nodes.iter_mut().filter(|node| node.kind == Kind::Accounting) {
            if let Some(accounting) = &mut node.accounting {
                accounting.reading = reading;
            }
        }
    }
}
