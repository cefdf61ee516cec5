//! What gets a reply: saying something, asking again, going on.

use super::command::With;
use super::go::edited;
use super::line::Lines;
use super::nodes;
use super::reel::{Reel, short_call};
use super::screen::Screen;
use super::session::Session;
use super::status::status;
use super::strands::Strands;
use super::tree::InStore;
use crate::preview::plain;
use crate::style::Ink;
use anyhow::{Result, bail};
use std::future::Future;
use tokio::sync::mpsc::Receiver;
use tokio_util::sync::CancellationToken;
use weftwork::model::{Part, Status, ToolCall};
use weftwork_gateway::tools::Decision;
use weftwork_gateway::{Chat, Event, GatewayError, How, Live, Permission, Replied, Say};

impl Session {
    /// Says something.
    pub(super) fn speak(&mut self, text: String) -> Result<()> {
        let how = self.how.clone();
        let say = Say { parts: vec![Part::text(text)], afresh: self.afresh, key: None };
        let replied = self.perform(1, |chat, live| async move { chat.say(say, &how, &live).await });
        // It was said, even if the reply failed.
        self.afresh = false;
        self.replied(replied?)
    }

    pub(super) fn retry(&mut self, model: Option<String>) -> Result<()> {
        let how = How { model: model.or_else(|| self.how.model.clone()), ..self.how.clone() };
        let replied = self.perform(1, |chat, live| async move { chat.retry(None, &how, &live).await })?;
        self.replied(replied)
    }

    pub(super) fn go_on(&mut self) -> Result<()> {
        let how = self.how.clone();
        let replied = self.perform(1, |chat, live| async move { chat.go_on(&how, &live).await })?;
        self.replied(replied)
    }

    /// Several replies at once; models are taken in turn.
    pub(super) fn generate(&mut self, count: u32, models: &[String]) -> Result<()> {
        let model = |at: usize| models.get(at % models.len().max(1)).cloned().or_else(|| self.how.model.clone());
        let ways: Vec<How> = (0..count as usize).map(|at| How { model: model(at), ..self.how.clone() }).collect();
        let replies = self.perform(count as usize, |chat, live| async move { chat.generate(&ways, &live).await })?;
        for (number, reply) in (1..).zip(&replies) {
            if let Err(error) = reply {
                self.screen.note(&format!("‹{number}/{count}› failed: {}", plain(&error.to_string())))?;
            }
        }
        match replies.into_iter().flatten().next() {
            Some(replied) => self.replied(replied),
            None => Ok(()),
        }
    }

    /// Says a message otherwise: the last one if none is named.
    pub(super) fn edit(&mut self, node: Option<&str>, with: With) -> Result<()> {
        let chat = self.chat()?;
        let (store, space) = (chat.gateway().store().clone(), chat.space().clone());
        let source = InStore { store: &store, space: &space };
        let node = match node {
            Some(wanted) => store.node(&space, &nodes::find(&source, &self.shown, wanted)?)?,
            None => nodes::last_by(&source, self.wait(chat.head())?.as_ref(), chat.person())?,
        };
        let old = text_of(&node.parts);
        let Some(new) = edited(&mut self.lines, &old, with)? else { return self.screen.note("[not changed]") };
        let mut parts: Vec<Part> = node.parts.into_iter().filter(|part| !matches!(part, Part::Text(_))).collect();
        parts.insert(0, Part::text(new));
        let how = self.how.clone();
        let id = node.id;
        let replied = self.perform(1, |chat, live| async move { chat.edit(&id, parts, &how, &live).await })?;
        self.replied(replied)
    }

    pub(super) fn summarize(&mut self, keep: u32) -> Result<()> {
        let done = self.perform(1, |chat, live| async move { chat.summarize(keep, &live).await })?;
        let pieces = if done.pieces > 1 { format!(" in {} pieces", done.pieces) } else { String::new() };
        self.screen.note(&format!("[summed up{pieces}; nothing before it is sent again; /undo brings it back]"))
    }

    pub(super) fn title(&mut self) -> Result<()> {
        let node = self.perform(1, |chat, live| async move { chat.title(&live).await })?;
        self.screen.note(&format!("[title: {}]", plain(&text_of(&node.parts))))
    }

    /// Does something that can be watched and stopped.
    pub(super) fn perform<T, F>(&mut self, replies: usize, work: impl FnOnce(Chat, Live) -> F) -> Result<T>
    where
        F: Future<Output = Result<T, GatewayError>> + Send + 'static,
        T: Send + 'static,
    {
        let chat = self.chat()?;
        let (live, events) = Live::new();
        let cancel = live.cancel.clone();
        self.stop.arm(&cancel);
        let task = self.runtime.spawn(work(chat, live));
        let watched = self.watch(events, &cancel, replies);
        if watched.is_err() {
            cancel.cancel();
        }
        let done = self.runtime.block_on(task);
        watched?;
        if cancel.is_cancelled() {
            self.screen.aside(&self.screen.inked(Ink::Notice, "[stopped]"))?;
        }
        match done {
            Ok(done) => Ok(done?),
            Err(died) => std::panic::resume_unwind(died.into_panic()),
        }
    }

    /// Shows what happens until it is over.
    fn watch(&mut self, mut events: Receiver<Event>, cancel: &CancellationToken, replies: usize) -> Result<()> {
        let mut strands = Strands::default();
        let mut reel = Reel::new(self.screen, self.reasoning, replies);
        while let Some(event) = self.runtime.block_on(events.recv()) {
            match event {
                Event::Permission(approval) => {
                    self.screen.show(&reel.close())?;
                    self.approve(approval, cancel)?;
                }
                event => {
                    for (strand, event) in strands.take(event) {
                        self.screen.show(&reel.show(strand, &event))?;
                    }
                }
            }
        }
        for (strand, event) in strands.rest() {
            self.screen.show(&reel.show(strand, &event))?;
        }
        self.screen.show(&reel.close())?;
        self.used = reel.used;
        Ok(())
    }

    /// Asks whether a tool may run. In a pipe nobody answers, which is a refusal. Ctrl-C stops the whole reply.
    fn approve(&mut self, approval: Permission, cancel: &CancellationToken) -> Result<()> {
        let Permission { call, server, description, answer } = approval;
        if !self.lines.is_somebody() {
            let (call, name) = (short_call(&call), plain(&call.name));
            return self.screen.note(&format!("[{call} was not run: nobody is here to allow it; /tools {name} always does]"));
        }
        let decision = ask_leave(&mut self.lines, self.screen, &call, server.as_deref(), &description)?;
        if decision.is_none() {
            cancel.cancel();
        }
        // Whoever asked may have been stopped meanwhile.
        let _ = answer.send(decision.unwrap_or(Decision::Refuse));
        Ok(())
    }

    /// Gives a chat without a name one, while the person goes on.
    fn title_beside(&mut self, chat: Chat) {
        if self.titling.as_ref().is_some_and(|titling| !titling.is_finished()) {
            return;
        }
        let (live, _) = Live::new();
        // Without a title the chat is found by its first words: nobody has to be told.
        self.titling = Some(self.runtime.spawn(async move { drop(chat.title_if_due(&live).await) }));
    }

    /// The line behind a reply.
    fn replied(&mut self, replied: Replied) -> Result<()> {
        if replied.node.status == Status::Error
            && let Some(why) = &replied.node.error
        {
            bail!("{}", plain(why));
        }
        let chat = self.chat()?;
        self.title_beside(chat.clone());
        if !self.screen.is_terminal() {
            return Ok(());
        }
        let figures = self.wait(chat.figures())?;
        self.screen.note(&status(self.used.as_ref(), &figures))?;
        self.screen.data("\n")
    }
}

/// Asks somebody whether a tool may run; nothing if they would rather stop it all.
pub(super) fn ask_leave(
    lines: &mut Lines,
    screen: Screen,
    call: &ToolCall,
    server: Option<&str>,
    description: &str,
) -> Result<Option<Decision>> {
    if let Some(server) = server.filter(|_| !description.is_empty()) {
        screen.note(&format!("{} says of it: {}", plain(server), plain(description)))?;
    }
    let question = format!("run {}? [y]es once, [a]lways, [n]o, ne[v]er: ", short_call(call));
    loop {
        match lines.ask(&question)?.as_deref().map(str::trim) {
            Some("y" | "yes") => return Ok(Some(Decision::Once)),
            Some("a" | "always") => return Ok(Some(Decision::Always)),
            Some("v" | "never") => return Ok(Some(Decision::Never)),
            Some("n" | "no") => return Ok(Some(Decision::Refuse)),
            None => return Ok(None),
            Some(_) => {}
        }
    }
}

/// The text parts, as they stand.
pub(super) fn text_of(parts: &[Part]) -> String {
    parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(text.text.as_str()) } else { None }).collect()
}
