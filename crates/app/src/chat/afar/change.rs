//! Commands that change where we are, and how replies are made.

use super::source::Outline;
use super::{Afar, Place};
use crate::chat::change::{FIRST_WORDS, flag_word};
use crate::chat::command::{Setting, Showing, To, lay_over, sampling_shown};
use crate::chat::nodes::{find, goal};
use crate::preview::{cut, plain};
use crate::remote::AgentChange;
use anyhow::{Result, anyhow};
use weftwork_store::Flag;

impl Afar {
    /// Goes to another branch.
    pub(super) fn switch(&mut self, to: To) -> Result<()> {
        let room = self.room()?;
        let source = Outline::of(&self.server, &room.space)?;
        let head = self.server.head(&room.space)?;
        let (node, sibling) = goal(&source, &self.shown, head.as_ref(), to)?;
        self.server.switch(room, &node)?;
        if let Some((at, of)) = sibling {
            self.screen.note(&format!("‹{at}/{of}›"))?;
        }
        self.recall(2)
    }

    /// What was done is taken back by doing the contrary: a server remembers no acts of a session.
    pub(super) fn undo(&mut self) -> Result<()> {
        if std::mem::take(&mut self.afresh) {
            return self.screen.note("[the next message goes on as before]");
        }
        self.server.refuse("/undo", "/switch goes back to another branch, /include and /unpin take flags back")
    }

    pub(super) fn clear(&mut self) -> Result<()> {
        self.afresh = true;
        self.screen.note("[the next message begins afresh: nothing before it is sent; /undo takes that back]")
    }

    pub(super) fn flag(&mut self, flag: Flag, on: bool, node: Option<&str>) -> Result<()> {
        let space = self.there()?;
        let node = match node {
            Some(wanted) => find(&Outline::of(&self.server, &space)?, &self.shown, wanted)?,
            None => self.server.head(&space)?.ok_or_else(|| anyhow!("nothing was said yet"))?,
        };
        let node = self.server.set_flag(&space, &node, flag, on)?;
        let not = if on { "" } else { "no longer " };
        let words = cut(&crate::preview::node(&node), FIRST_WORDS);
        self.screen.note(&format!("[{not}{}] {words}", flag_word(flag)))
    }

    /// Uses another model, or lists them.
    pub(super) fn model(&mut self, name: Option<String>) -> Result<()> {
        let Some(name) = name else { return self.models() };
        let told = format!("[from now on {} answers]", plain(&name));
        match &mut self.place {
            Place::New { model, .. } => *model = Some(name),
            Place::In(_) => self.change(&AgentChange { model: Some(name), ..AgentChange::default() })?,
        }
        self.screen.note(&told)
    }

    /// What the model is told before all else.
    pub(super) fn system(&mut self, text: Option<String>) -> Result<()> {
        let told = match (&mut self.place, text) {
            (Place::New { system, .. }, Some(text)) => {
                *system = Some(text);
                return self.screen.note("[the model is told so from the next message on]");
            }
            (Place::New { system, .. }, None) => system.clone(),
            (Place::In(_), Some(text)) => {
                self.change(&AgentChange { system_prompt: Some(text), ..AgentChange::default() })?;
                return self.screen.note("[the model is told so from the next message on]");
            }
            (Place::In(_), None) => {
                let agent = self.agent()?;
                let mind = self.server.minds()?.into_iter().find(|mind| mind.agent.id == agent);
                mind.and_then(|mind| mind.agent.system_prompt)
            }
        };
        match told.filter(|told| !told.is_empty()) {
            Some(told) => self.screen.data(&format!("{}\n", crate::preview::message(&told))),
            None => self.screen.note("nothing: /system TEXT tells it something"),
        }
    }

    fn change(&mut self, change: &AgentChange) -> Result<()> {
        let changed = self.server.change_agent(&self.agent()?, change)?;
        if let Place::In(room) = &mut self.place {
            room.agent = Some(changed);
        }
        Ok(())
    }

    pub(super) fn sampling(&mut self, settings: Vec<Setting>) -> Result<()> {
        lay_over(&mut self.how, settings);
        self.screen.note(&sampling_shown(&self.how))
    }

    pub(super) fn show_reasoning(&mut self, showing: Option<Showing>) -> Result<()> {
        self.reasoning = showing.unwrap_or(self.reasoning);
        match self.reasoning {
            Showing::On => self.screen.note("[what the model thinks is shown]"),
            Showing::Off => self.screen.note("[what the model thinks is not shown]"),
        }
    }
}
