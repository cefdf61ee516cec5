//! Commands that change where we are, and how replies are made.

use super::command::{Setting, Showing, To, lay_over, sampling_shown};
use super::nodes::{find, goal};
use super::session::{Place, Session};
use super::tree::InStore;
use crate::preview::{cut, plain};
use anyhow::Result;
use weftwork::ask::ToolPolicy;
use weftwork::model::Entity;
use weftwork_gateway::Undone;
use weftwork_provider::OFFLINE;
use weftwork_store::Flag;

/// Columns of a node's first words.
pub(super) const FIRST_WORDS: usize = 60;

impl Session {
    /// Goes to another branch.
    pub(super) fn switch(&mut self, to: To) -> Result<()> {
        let chat = self.chat()?;
        let (store, space) = (chat.gateway().store(), chat.space());
        let head = self.wait(chat.head())?;
        let (node, sibling) = goal(&InStore { store, space }, &self.shown, head.as_ref(), to)?;
        self.wait(chat.switch(&node))?;
        if let Some((at, of)) = sibling {
            self.screen.note(&format!("‹{at}/{of}›"))?;
        }
        self.recall(2)
    }

    pub(super) fn undo(&mut self) -> Result<()> {
        if std::mem::take(&mut self.afresh) {
            return self.screen.note("[the next message goes on as before]");
        }
        let chat = self.chat()?;
        let told = match self.wait(chat.undo())? {
            Undone::Summary(_) => "[the summary no longer stands for what it covered]".to_owned(),
            Undone::Afresh(_) => "[what was said before is sent again]".to_owned(),
            Undone::Head(_) => {
                self.screen.note("[back where it was]")?;
                return self.recall(2);
            }
            Undone::Flag(node, flag) => format!("[{} is no longer changed: {}]", plain(node.as_str()), flag_word(flag)),
        };
        self.screen.note(&told)
    }

    pub(super) fn clear(&mut self) -> Result<()> {
        self.afresh = true;
        self.screen.note("[the next message begins afresh: nothing before it is sent; /undo takes that back]")
    }

    pub(super) fn flag(&mut self, flag: Flag, on: bool, node: Option<&str>) -> Result<()> {
        let chat = self.chat()?;
        let (store, space) = (chat.gateway().store(), chat.space());
        let node = match node {
            Some(wanted) => find(&InStore { store, space }, &self.shown, wanted)?,
            None => self.wait(chat.head())?.ok_or_else(|| anyhow::anyhow!("nothing was said yet"))?,
        };
        let node = self.wait(chat.flag(&node, flag, on))?;
        let not = if on { "" } else { "no longer " };
        let words = cut(&crate::preview::node(&node), FIRST_WORDS);
        self.screen.note(&format!("[{not}{}] {words}", flag_word(flag)))
    }

    /// Uses another model, or lists them.
    pub(super) fn model(&mut self, name: Option<&str>) -> Result<()> {
        let Some(name) = name else { return self.models() };
        let target = self.gateway.providers().resolve(name).map_err(weftwork_gateway::GatewayError::Resolve)?;
        match &mut self.place {
            Place::New(open) => open.model = Some(name.to_owned()),
            Place::In(chat) => {
                let chat = chat.clone();
                self.wait(chat.set_model(name))?;
            }
        }
        let window =
            target.model.context_length.map_or_else(String::new, |tokens| format!(", window {}", super::status::short(tokens)));
        self.screen.note(&format!("[from now on {} answers{window}]", plain(&target.model.name)))
    }

    /// What the chat's model is called.
    pub(super) fn model_name(&mut self) -> Result<String> {
        match &self.place {
            Place::New(open) => Ok(open.model.clone().unwrap_or_else(|| OFFLINE.to_owned())),
            Place::In(chat) => self.wait(chat.clone().model()),
        }
    }

    /// What the model is told before all else.
    pub(super) fn system(&mut self, text: Option<String>) -> Result<()> {
        match (&mut self.place, text) {
            (Place::New(open), Some(text)) => open.system_prompt = Some(text),
            (Place::New(open), None) => {
                let told = open.system_prompt.clone();
                return self.tell_system(told);
            }
            (Place::In(_), None) => {
                let told = self.agent()?.system_prompt;
                return self.tell_system(told);
            }
            (Place::In(chat), text) => {
                let chat = chat.clone();
                self.wait(chat.set_system_prompt(text))?;
            }
        }
        self.screen.note("[the model is told so from the next message on]")
    }

    fn tell_system(&self, told: Option<String>) -> Result<()> {
        match told.filter(|told| !told.is_empty()) {
            Some(told) => self.screen.data(&format!("{}\n", crate::preview::message(&told))),
            None => self.screen.note("nothing: /system TEXT tells it something"),
        }
    }

    fn agent(&mut self) -> Result<Entity> {
        let chat = self.chat()?;
        let header = self.gateway.store().header(chat.space())?;
        let agent = header.entities.into_iter().find(|entity| entity.id == *chat.agent());
        agent.ok_or_else(|| anyhow::anyhow!("the agent of this chat is gone"))
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

    /// Which tools and tool parts are sent in this chat.
    pub(super) fn tool_mode(&mut self, mode: ToolPolicy) -> Result<()> {
        let chat = self.chat()?;
        self.wait(chat.change_space(|header| header.space.settings.tool_policy = Some(mode)))?;
        self.screen.note(&format!("[tools are sent as {} from the next message on]", mode.word()))
    }
}

pub(super) fn flag_word(flag: Flag) -> &'static str {
    match flag {
        Flag::Excluded => "excluded",
        Flag::Pruned => "deleted",
        Flag::Pinned => "pinned",
        Flag::Bookmarked => "bookmarked",
        Flag::ContextEdge => "begins afresh",
    }
}
