//! `set_goals` and `set_memories`: what an agent is after and what it remembers.

use super::super::drive::{Drive, DriveError};
use super::super::kept::{Acted, Answered};
use super::{Came, arguments};
use serde::Deserialize;
use weftwork::model::{Goal, Memory, ToolCall};
use weftwork::timeline::Encoded;
use weftwork_store::runs::{Changed, Edit, Intent, MindChange, StepKind};

/// Characters of a goal or a memory.
const LONGEST: usize = 2_000;

#[derive(Deserialize)]
struct Edits<T> {
    #[serde(default = "Vec::new")]
    add: Vec<T>,
    #[serde(default)]
    remove: Vec<String>,
    all: Option<Vec<T>>,
}

impl<T> Edits<T> {
    fn edit(self) -> Edit<T> {
        let (anew, add) = match self.all {
            Some(mut all) => {
                all.extend(self.add);
                (true, all)
            }
            None => (false, self.add),
        };
        Edit { anew, add, remove: self.remove }
    }
}

impl Drive<'_> {
    pub(super) async fn set_goals(&self, call: &ToolCall, mark: [u8; 32], step: u32) -> Result<Came, DriveError> {
        let edits: Edits<Goal> = match arguments(call) {
            Ok(edits) => edits,
            Err(answer) => return Ok(Came::Answer(*answer)),
        };
        let edit = edits.edit();
        if let Some(answer) = too_long(call, edit.add.iter().map(|goal| goal.text.as_str())) {
            return Ok(Came::Answer(answer));
        }
        self.change_mind(call, mark, step, MindChange::Goals(edit), "Your goals are changed.").await
    }

    pub(super) async fn set_memories(&self, call: &ToolCall, mark: [u8; 32], step: u32) -> Result<Came, DriveError> {
        let edits: Edits<Memory> = match arguments(call) {
            Ok(edits) => edits,
            Err(answer) => return Ok(Came::Answer(*answer)),
        };
        let edit = edits.edit();
        if let Some(answer) = too_long(call, edit.add.iter().flat_map(|memory| [memory.topic.as_str(), memory.text.as_str()])) {
            return Ok(Came::Answer(answer));
        }
        self.change_mind(call, mark, step, MindChange::Memories(edit), "Your memories are changed.").await
    }

    /// Changes the agent's mind and writes the step down, in one.
    pub(super) async fn change_mind(
        &self,
        call: &ToolCall,
        mark: [u8; 32],
        step: u32,
        change: MindChange,
        done: &str,
    ) -> Result<Came, DriveError> {
        let result = serde_json::to_string(&Acted::Answered(Answered::text(call, done))).map_err(DriveError::Unwritable)?;
        let intent = Intent { step, kind: StepKind::Tool, request: Some(mark), most: Some(0) };
        let (guard, caps, now) = (self.guard.clone(), self.gateway.caps.clone(), self.gateway.now());
        let changed = self.gateway.stored(move |store| store.change_mind(&guard, &intent, &change, &result, &caps, now)).await?;
        Ok(match self.held(changed)? {
            Err(why) => return Err(DriveError::Refused(why)),
            Ok(Changed::Done) => Came::Kept,
            Ok(Changed::Confidential(space)) => Came::Answer(Answered::error(
                call,
                format!(
                    "Not kept: this run has read the confidential space {}, and what it knows stays there.",
                    Encoded::id(space.as_str())
                ),
            )),
            Ok(Changed::TooMany { most }) => {
                Came::Answer(Answered::error(call, format!("Not kept: there may be {most} at most. Remove some first.")))
            }
        })
    }
}

fn too_long<'t>(call: &ToolCall, mut texts: impl Iterator<Item = &'t str>) -> Option<Answered> {
    let long = texts.find(|text| text.chars().count() > LONGEST || text.trim().is_empty() || text.contains('\0'))?;
    let why = if long.trim().is_empty() {
        "A text is empty.".to_owned()
    } else {
        format!("A text has more than {LONGEST} characters.")
    };
    Some(Answered::error(call, why))
}
