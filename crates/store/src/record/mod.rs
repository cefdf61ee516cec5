//! Calls that can be assembled again: what was asked is written down as it was, with everything that may change later.
//!
//! What never changes is not in it: nodes that were final. What may change is: the ask, the header of the space, who had
//! written in it, flags, and nodes that were still being written. A record is two lines of JSON: the frame, which is
//! mostly the same from call to call and is kept once, and the rest.

mod format;

pub(crate) use format::{Marked, Record};

use crate::calls;
use crate::error::{Result, StoreError};
use crate::load::load_again;
use crate::store::Store;
use weftwork::ask::Ask;
use weftwork::dialect::{Dialect, streamed};
use weftwork::model::{Conversation, SpaceId};
use weftwork::{Assembly, History, assemble};

/// Why a call cannot be assembled again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unrepeatable {
    /// Nobody wrote down what it was made of.
    #[error("what it was made of was not recorded")]
    Unrecorded,
    /// Something it was made of is gone for good.
    #[error("content that it was made of was purged")]
    Purged,
    /// It comes out otherwise.
    #[error("it differs from the stored request at byte {at}")]
    Differs {
        /// The first byte that is not the same.
        at: usize,
    },
}

/// What a request is made of that was woven from a conversation of its own: all of it.
pub fn record_of_file(file: &Conversation, ask: &Ask) -> Vec<u8> {
    Record::of_file(file.clone(), ask).to_bytes()
}

impl Store {
    /// Weaves a request, and says what it is made of: that goes into [`CallStart::ask`](crate::CallStart::ask). Both come
    /// from one unchanging view.
    pub fn assemble_recorded(&self, space: &SpaceId, ask: &Ask, more: &dyn Fn(&mut Conversation)) -> Result<(Assembly, Vec<u8>)> {
        self.weave(space, ask, more, |loaded| Record::of(ask, loaded).to_bytes())
    }

    /// Weaves the request of a call again, out of what it was made of. It equals the stored one byte for byte, whatever
    /// was changed since, or it is an error.
    pub fn reassemble<'s>(&self, space: impl Into<Option<&'s SpaceId>>, call: &str) -> Result<Assembly> {
        let space = space.into();
        let no = |why| StoreError::Unreproducible { call: call.to_owned(), why };
        let (assembly, purged, request, dialect) = self.reading(|tx| {
            let (exchange, ours) = calls::exchange(tx, space, call)?;
            let (Some(ask), Some(request)) = (exchange.ask, exchange.request) else {
                return Err(no(if ours { Unrepeatable::Purged } else { Unrepeatable::Unrecorded }));
            };
            let record = Record::parse(&ask).ok_or_else(|| no(Unrepeatable::Unrecorded))?;
            let dialect = record.ask().dialect.unwrap_or(Dialect::Messages);
            // What was asked in no space has no nodes but those that are recorded.
            let Some(space) = space.filter(|_| !record.is_whole()) else {
                let history = History::new(record.header().clone())?;
                return Ok((assemble(&history, record.ask()), false, request, dialect));
            };
            let again = load_again(tx, space, &record)?;
            Ok((assemble(&again.history, record.ask()), again.purged, request, dialect))
        })?;
        let assembly = match assembly {
            Err(_) if purged => return Err(no(Unrepeatable::Purged)),
            assembly => assembly?,
        };
        match first_difference(&assembly.request, &request, dialect) {
            None => Ok(assembly),
            Some(_) if purged => Err(no(Unrepeatable::Purged)),
            Some(at) => Err(no(Unrepeatable::Differs { at })),
        }
    }
}

/// The first byte in which a request is not the stored one. That may ask for a stream besides.
fn first_difference(request: &[u8], stored: &[u8], dialect: Dialect) -> Option<usize> {
    if request == stored || streamed(request.to_vec(), dialect) == stored {
        return None;
    }
    Some(request.iter().zip(stored).take_while(|(a, b)| a == b).count())
}
