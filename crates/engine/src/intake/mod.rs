//! Intake: the body of a client's request becomes what the line takes, and what the line does not hold comes back over it.
//!
//! A body is imported like any file; beside the conversation stays the [`Rest`]: every field as the client wrote it, byte for
//! byte. After assembly it is laid over the request. In the client's own dialect each message that was sent unchanged stands
//! there again in the client's own words, with whatever fields nobody here knows; in another dialect what has a counterpart
//! is mapped and the others are named. What cannot be carried is in [`Taken::loss`]: nothing vanishes unmentioned.

mod across;
mod back;
mod choices;
mod error;
mod essence;
mod loss;
mod model_message;
mod rest;

pub use back::{Wording, wording};
pub use error::IntakeError;
pub use loss::Lost;
pub use rest::{Laid, Rest};

use crate::ask::{Ask, Cache, Check, Settings};
use crate::decode::object::Object;
use crate::encode::Api;
use crate::formats::{self, Format, LossReport};
use crate::model::{Conversation, EntityKind, ImportedRole, Json, Status};

/// How the client wants its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// As events while it is written.
    Streamed,
    /// As one body.
    Whole,
}

/// A client's request, taken apart.
#[derive(Clone, Debug)]
pub struct Taken {
    /// What was said so far.
    pub conversation: Conversation,
    /// Tools, sampling, limits and dialect as the client asked. The model is to be added by whoever knows where its name
    /// leads.
    pub ask: Ask,
    /// The model, as the client named it.
    pub model: String,
    /// How the answer is to come.
    pub answer: Answer,
    /// Whether a stream of Chat Completions is to tell its usage.
    pub include_usage: bool,
    /// Every field as it was sent.
    pub rest: Rest,
    /// What cannot be carried even to the same API: such a body is better handed on untouched.
    pub loss: Vec<Lost>,
    /// What became of each field of the messages on the way into the conversation.
    pub imported: LossReport,
}

/// Reads the body of a request to `api`.
pub fn take(body: &[u8], api: Api) -> Result<Taken, IntakeError> {
    let text = std::str::from_utf8(body).map_err(|error| IntakeError::NotUtf8 { offset: error.valid_up_to() })?;
    let object = Object::parse(text).map_err(|error| IntakeError::NotAnObject { what: error.to_string() })?;
    let model = object.word("model").ok_or(IntakeError::Missing { field: "model" })?;
    check_list(&object, api)?;
    let import = formats::import(body, Some(format(api)), Check::Repair)?;
    let mut conversation = import.conversations.into_iter().next().ok_or(IntakeError::Missing { field: list(api) })?;
    // A reply that broke off at its limit was said all the same: the client sends it on purpose.
    conversation.nodes.iter_mut().for_each(|node| node.status = Status::Sent);
    unvoiced(&mut conversation);
    let rest = Rest::new(api, &object);
    Ok(Taken {
        ask: ask(&mut conversation, &rest, api),
        conversation,
        model,
        answer: if object.is_true("stream") { Answer::Streamed } else { Answer::Whole },
        include_usage: object.object("stream_options").is_some_and(|options| options.is_true("include_usage")),
        loss: loss::of(&object, api),
        rest,
        imported: import.loss,
    })
}

impl Taken {
    /// Whether everything the client sent can be carried to the same API.
    pub fn is_lossless(&self) -> bool {
        self.loss.is_empty()
    }

    /// Says which model, as `provider/model`, wrote the replies of the conversation. A client that sends thinking back sends
    /// it to the model that it talks to, and only that model is sent its own thinking.
    pub fn written_by(&mut self, model: &str) {
        let agents = self.conversation.entities.iter().filter(|entity| entity.kind == EntityKind::Agent);
        let agents: Vec<_> = agents.map(|entity| entity.id.clone()).collect();
        for node in self.conversation.nodes.iter_mut().filter(|node| agents.contains(&node.author)) {
            node.model = Some(model.to_owned());
        }
    }
}

/// System messages are nobody's who has to be told apart: as a speaker of their own they would put names before everything
/// that the one person says.
fn unvoiced(conversation: &mut Conversation) {
    let person = conversation.entities.iter().find(|entity| entity.kind == EntityKind::Human).map(|entity| entity.id.clone());
    let Some(person) = person else { return };
    for node in conversation.nodes.iter_mut().filter(|node| node.role == Some(ImportedRole::System)) {
        node.author = person.clone();
    }
}

fn format(api: Api) -> Format {
    match api {
        Api::Chat => Format::OpenAi,
        Api::Responses => Format::Responses,
        Api::Messages => Format::Anthropic,
    }
}

/// The field that holds the conversation.
fn list(api: Api) -> &'static str {
    match api {
        Api::Chat | Api::Messages => "messages",
        Api::Responses => "input",
    }
}

fn check_list(object: &Object<'_>, api: Api) -> Result<(), IntakeError> {
    let field = list(api);
    let raw = object.get(field).ok_or(IntakeError::Missing { field })?;
    match raw.get().as_bytes().first() {
        Some(b'[') if object.items(field).is_empty() => Err(IntakeError::Empty { field }),
        Some(b'[') => Ok(()),
        Some(b'"') if api == Api::Responses => Ok(()),
        Some(_) | None => Err(IntakeError::NotAList { field }),
    }
}

fn ask(conversation: &mut Conversation, rest: &Rest, api: Api) -> Ask {
    let settings = Settings {
        max_tokens: conversation.space.settings.max_tokens.take(),
        // Marks that the client placed are where it wants them.
        cache: rest.has_marks().then_some(Cache::Off),
        ..Settings::default()
    };
    Ask {
        dialect: Some(api.dialect()),
        tools: Some(std::mem::take(&mut conversation.tools)),
        sampling: Some(std::mem::take(&mut conversation.sampling)),
        settings,
        ..Ask::default()
    }
}

/// A value as it was written.
fn kept(raw: &serde_json::value::RawValue) -> Json {
    Json::of(&raw)
}
