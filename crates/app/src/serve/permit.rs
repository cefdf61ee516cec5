//! Tools that may only run if a person says so, in the chats of this process. No answer is a refusal.

use super::live::UnderWay;
use super::web::Problem;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use tokio::sync::oneshot;
use weftwork::model::{EntityId, SpaceId};
use weftwork_gateway::Permission;
use weftwork_gateway::tools::Decision;

/// Questions that wait for their answer.
#[derive(Default)]
pub(super) struct Permissions(Mutex<HashMap<(SpaceId, String), Asked>>);

struct Asked {
    person: EntityId,
    /// The question, for whoever comes while it is open.
    question: Value,
    answer: oneshot::Sender<Decision>,
}

impl Permissions {
    /// Asks the person.
    pub(super) fn ask(&self, space: &SpaceId, person: &EntityId, permission: Permission, turn: &UnderWay) {
        let Permission { call, server, description, answer } = permission;
        let question =
            json!({"call": call.id, "name": call.name, "args": call.args, "server": server, "description": description});
        let open = Asked { person: person.clone(), question: question.clone(), answer };
        {
            let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            asked.retain(|_, asked| !asked.answer.is_closed());
            asked.insert((space.clone(), call.id), open);
        }
        // Told when it is there: an answer may come at once.
        turn.tell_only(person, "permission", &question);
    }

    /// What a person is asked in a space and has not answered.
    pub(super) fn open(&self, space: &SpaceId, person: &EntityId) -> Vec<Value> {
        let asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let theirs = asked.iter().filter(|((at, _), asked)| at == space && asked.person == *person && !asked.answer.is_closed());
        theirs.map(|(_, asked)| asked.question.clone()).collect()
    }

    /// Answers, as the person who was asked.
    pub(super) fn answer(&self, space: &SpaceId, call: &str, person: &EntityId, decision: Decision) -> Result<(), Problem> {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (space.clone(), call.to_owned());
        match asked.remove(&key) {
            Some(question) if question.person == *person => question.answer.send(decision).map_err(|_| Problem::not_found()),
            Some(question) => {
                asked.insert(key, question);
                Err(Problem::not_found())
            }
            None => Err(Problem::not_found()),
        }
    }
}
