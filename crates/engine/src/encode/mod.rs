//! Replies written in a client's API: the mirror of [`decode`](crate::decode).
//!
//! A [`Reply`] becomes a whole body, or [`Delta`]s become events of a stream, as if the client's own provider had answered.
//! What is decoded from the bytes again is the same reply, as far as the API can say it. Everything that is not in the reply
//! comes in through the [`Heading`]: nothing here reads a clock or makes up an id by chance.

mod chat;
mod fault;
mod item;
mod messages;
mod output;
mod responses;
mod sse;
mod usage;

pub use fault::{Fault, FaultKind};

use crate::ask::choice;
use crate::decode::{Delta, Reply, Stop};
use crate::dialect::Dialect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

choice! {
    /// An API that clients speak to us.
    Api {
        /// OpenAI Chat Completions.
        Chat = "chat-completions",
        /// OpenAI Responses.
        Responses = "responses",
        /// Anthropic Messages.
        Messages = "messages",
    }
}

impl Api {
    /// The dialect of its requests and replies.
    pub fn dialect(self) -> Dialect {
        match self {
            Api::Chat => Dialect::OpenAi,
            Api::Responses => Dialect::Responses,
            Api::Messages => Dialect::Anthropic,
        }
    }

    /// The API with this dialect; none of the others is answered in.
    pub fn of(dialect: Dialect) -> Option<Api> {
        Api::ALL.iter().copied().find(|api| api.dialect() == dialect)
    }
}

/// What stands above a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// The id of the response.
    pub id: String,
    /// The model, as the client named it.
    pub model: String,
    /// When it was made, in seconds since 1970.
    pub created: u64,
    /// Whether a stream of Chat Completions ends with a chunk of usage. The other APIs always tell.
    pub include_usage: bool,
}

/// The body of an answer that is not streamed.
pub fn whole(api: Api, heading: &Heading, reply: &Reply) -> Vec<u8> {
    match api {
        Api::Chat => chat::whole(heading, reply),
        Api::Responses => responses::whole(heading, reply),
        Api::Messages => messages::whole(heading, reply),
    }
}

/// The body of an error.
pub fn error(api: Api, fault: &Fault) -> Vec<u8> {
    fault::body(api, fault)
}

/// Writes a reply as it arrives.
#[derive(Clone, Debug)]
pub struct Encoder(Stream);

#[derive(Clone, Debug)]
enum Stream {
    Chat(chat::Stream),
    Responses(Box<responses::Stream>),
    Messages(messages::Stream),
}

impl Encoder {
    /// The beginning of a stream.
    pub fn new(api: Api, heading: Heading) -> Self {
        Encoder(match api {
            Api::Chat => Stream::Chat(chat::Stream::new(heading)),
            Api::Responses => Stream::Responses(Box::new(responses::Stream::new(heading))),
            Api::Messages => Stream::Messages(messages::Stream::new(heading)),
        })
    }

    /// The events of one delta, possibly none.
    pub fn push(&mut self, delta: &Delta) -> Vec<u8> {
        match &mut self.0 {
            Stream::Chat(stream) => stream.push(delta),
            Stream::Responses(stream) => stream.push(delta),
            Stream::Messages(stream) => stream.push(delta),
        }
    }

    /// The events that end the stream: why it ended, and what was used. A reply that was cut off has no such end in any of
    /// the APIs, so it ends as an error does.
    pub fn finish(self, reply: &Reply) -> Vec<u8> {
        if reply.stop == Stop::Cut {
            return self.fail(&Fault::new(FaultKind::Upstream, "the provider's answer was cut off"));
        }
        match self.0 {
            Stream::Chat(stream) => stream.finish(reply),
            Stream::Responses(stream) => stream.finish(reply),
            Stream::Messages(stream) => stream.finish(reply),
        }
    }

    /// The events that end the stream with an error.
    pub fn fail(self, fault: &Fault) -> Vec<u8> {
        match self.0 {
            Stream::Chat(stream) => stream.fail(fault),
            Stream::Responses(stream) => stream.fail(fault),
            Stream::Messages(stream) => stream.fail(fault),
        }
    }
}
