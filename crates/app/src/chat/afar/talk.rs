//! What gets a reply: saying something, asking again, going on. The server writes it; it is followed by the events.

use super::Afar;
use super::follow::{Question, Seen, Stage, Turn};
use super::source::Outline;
use crate::chat::command::With;
use crate::chat::go::edited;
use crate::chat::nodes;
use crate::chat::reel::{Reel, short_call};
use crate::chat::screen::Shown;
use crate::chat::status::status;
use crate::chat::strands::Strands;
use crate::chat::talk::{ask_leave, text_of};
use crate::preview::plain;
use crate::remote::{Events, Heard, Server};
use crate::style::Ink;
use anyhow::{Result, anyhow, bail};
use serde_json::json;
use std::collections::HashSet;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use weftwork::decode::SseDecoder;
use weftwork::model::{EntityId, Kind, Node, Part, SpaceId, Status};
use weftwork_gateway::tools::Decision;
use weftwork_gateway::{Event, How};

/// Bytes of one event.
const LARGEST: usize = 32 << 20;
/// How long nothing may come: a server says every ten seconds that it lives.
const SILENCE: Duration = Duration::from_secs(30);
/// A turn of which nothing more comes for so long, and nothing is under way, is over.
const QUIET: Duration = Duration::from_secs(3);
/// The same after results of tools: getting the next reply under way may take a while.
const BETWEEN: Duration = Duration::from_secs(60);
/// How often a stream that broke off is taken up again, and after what time.
const TRIES: u32 = 10;
const AGAIN: Duration = Duration::from_secs(1);

/// What happened while events were awaited.
enum Other {
    Stop,
    Silence,
}

impl Afar {
    /// Says something.
    pub(super) fn speak(&mut self, text: &str) -> Result<()> {
        let space = self.space()?;
        let (how, afresh) = (self.how.clone(), self.afresh);
        let mut said = false;
        let last = self.perform(&space, 1, |server| {
            let (message, reply) = server.say(&space, text, afresh, &how)?;
            said = true;
            let reply = reply.map(|reply| Node { status: Status::Pending, ..Node::new(reply, Some(message.id.clone()), "") });
            Ok([message].into_iter().chain(reply).collect())
        });
        // It was said, even if the reply failed.
        self.afresh &= !said;
        self.replied(&space, last?)
    }

    pub(super) fn retry(&mut self, model: Option<String>) -> Result<()> {
        let space = self.there()?;
        let how = How { model: model.or_else(|| self.how.model.clone()), ..self.how.clone() };
        let head = self.server.head(&space)?.ok_or_else(|| anyhow!("nothing was said yet"))?;
        let last = self.perform(&space, 1, |server| server.ask_again(&space, &head, &how))?;
        self.replied(&space, last)
    }

    pub(super) fn go_on(&mut self) -> Result<()> {
        let (space, how) = (self.there()?, self.how.clone());
        let last = self.perform(&space, 1, |server| server.go_on(&space, &how))?;
        self.replied(&space, last)
    }

    /// Several replies at once; models are taken in turn.
    pub(super) fn generate(&mut self, count: u32, models: &[String]) -> Result<()> {
        let space = self.there()?;
        let model = |at: usize| models.get(at % models.len().max(1)).cloned().or_else(|| self.how.model.clone());
        let ways: Vec<How> = (0..count as usize).map(|at| How { model: model(at), ..self.how.clone() }).collect();
        let last = self.perform(&space, ways.len(), |server| server.generate(&space, &ways))?;
        self.replied(&space, last)
    }

    /// Says a message otherwise: the last one if none is named.
    pub(super) fn edit(&mut self, node: Option<&str>, with: With) -> Result<()> {
        let space = self.there()?;
        let source = Outline::of(&self.server, &space)?;
        let id = match node {
            Some(wanted) => nodes::find(&source, &self.shown, wanted)?,
            None => nodes::last_by(&source, self.server.head(&space)?.as_ref(), &self.me)?.id,
        };
        let node = self.server.node(&space, &id)?.ok_or_else(|| anyhow!("there is no node {id}"))?;
        let old = text_of(&node.parts);
        let Some(new) = edited(&mut self.lines, &old, with)? else { return self.screen.note("[not changed]") };
        let mut parts: Vec<Part> = node.parts.into_iter().filter(|part| !matches!(part, Part::Text(_))).collect();
        parts.insert(0, Part::text(new));
        let (how, parts) = (self.how.clone(), json!(parts));
        let last = self.perform(&space, 1, |server| server.edit(&space, &id, &parts, &how))?;
        self.replied(&space, last)
    }

    pub(super) fn summarize(&mut self, keep: u32) -> Result<()> {
        let space = self.there()?;
        match self.perform(&space, 1, |server| server.sum_up(&space, keep))? {
            Some(node) if node.kind == Kind::Summary && node.status == Status::Sent => {
                self.screen.note("[summed up; nothing before it is sent again; /switch goes back before it]")
            }
            last => bail!("no summary came about{}", why(last.as_ref())),
        }
    }

    pub(super) fn title(&mut self) -> Result<()> {
        let space = self.there()?;
        match self.perform(&space, 1, |server| server.entitle(&space))? {
            Some(node) if node.status == Status::Sent => {
                self.screen.note(&format!("[title: {}]", plain(text_of(&node.parts).trim())))
            }
            last => bail!("no title came about{}", why(last.as_ref())),
        }
    }

    /// Begins something and follows it to its end; gives the last reply. The events are listened to before it begins, so that
    /// nothing falls between.
    fn perform(
        &mut self,
        space: &SpaceId,
        replies: usize,
        begin: impl FnOnce(&Server) -> Result<Vec<Node>>,
    ) -> Result<Option<Node>> {
        let cancel = CancellationToken::new();
        self.stop.arm(&cancel);
        let moment = self.server.moment(space)?;
        let events = self.server.events(space, &moment)?;
        let begun = begin(&self.server)?;
        let (turn, seen) = Turn::new(replies, begun);
        let mut view = View { strands: Strands::default(), reel: Reel::new(self.screen, self.reasoning, replies) };
        self.see(&mut view, seen, space, &cancel)?;
        let last = self.follow(space, turn, (events, moment), &mut view, &cancel)?;
        for (strand, event) in view.strands.rest() {
            self.screen.show(&view.show(strand, &event))?;
        }
        self.screen.show(&view.reel.close())?;
        if cancel.is_cancelled() {
            self.screen.aside(&self.screen.inked(Ink::Notice, "[stopped]"))?;
        }
        Ok(last)
    }

    /// Shows what happens until it is over. A stream that breaks off is taken up where it was.
    fn follow(
        &mut self,
        space: &SpaceId,
        mut turn: Turn,
        (mut events, mut number): (Events, String),
        view: &mut View,
        cancel: &CancellationToken,
    ) -> Result<Option<Node>> {
        let (mut decoder, mut frames, mut tries) = (SseDecoder::new(LARGEST), Vec::new(), 0);
        let (mut stopped, mut moved) = (HashSet::new(), Instant::now());
        while !turn.is_over() {
            let stopping = cancel.is_cancelled();
            if stopping {
                // Also what begins only now: a reply that was not heard of yet, or the next one after tools.
                for node in turn.under_way().into_iter().filter(|node| stopped.insert(node.clone())) {
                    self.server.stop_reply(space, &node)?;
                }
            }
            // A sign of life is none of the turn.
            let patience = match turn.stage() {
                Stage::Going => SILENCE,
                Stage::Between if !stopping => BETWEEN.saturating_sub(moved.elapsed()),
                Stage::Between | Stage::Resting => QUIET.saturating_sub(moved.elapsed()),
            };
            let other = async {
                tokio::select! {
                    () = cancel.cancelled(), if !stopping => Other::Stop,
                    () = tokio::time::sleep(patience) => Other::Silence,
                }
            };
            match self.server.heard(&mut events, other) {
                Heard::Bytes(bytes) => {
                    tries = 0;
                    decoder.push(&bytes, &mut frames)?;
                    for frame in frames.drain(..) {
                        if !frame.id.is_empty() {
                            number = frame.id.to_string();
                        }
                        let seen = turn.take(&frame);
                        if !seen.is_empty() {
                            self.see(view, seen, space, cancel)?;
                            moved = Instant::now();
                        }
                    }
                }
                Heard::Other(Other::Stop) => {}
                // Tools were run and nothing follows: that was all.
                Heard::Other(Other::Silence) if turn.stage() != Stage::Going => break,
                Heard::Other(Other::Silence) | Heard::End => {
                    tries += 1;
                    if tries > TRIES {
                        bail!("the server tells nothing any more: weft chat {space} shows later what came of it");
                    }
                    self.server.rest(AGAIN);
                    if let Ok(again) = self.server.events(space, &number) {
                        (events, decoder) = (again, SseDecoder::new(LARGEST));
                        self.catch_up(space, &mut turn, view, cancel)?;
                    }
                }
            }
        }
        Ok(turn.last)
    }

    /// Looks what became of replies meanwhile.
    fn catch_up(&mut self, space: &SpaceId, turn: &mut Turn, view: &mut View, cancel: &CancellationToken) -> Result<()> {
        for node in turn.pending() {
            if let Some(node) = self.server.node(space, &node)? {
                let seen = turn.catch_up(node);
                self.see(view, seen, space, cancel)?;
            }
        }
        Ok(())
    }

    fn see(&mut self, view: &mut View, seen: Vec<Seen>, space: &SpaceId, cancel: &CancellationToken) -> Result<()> {
        for seen in seen {
            match seen {
                Seen::Event(event) => self.screen.show(&view.take(*event))?,
                Seen::Note(text) => {
                    self.screen.show(&view.reel.close())?;
                    self.screen.aside(&self.screen.inked(Ink::Notice, &plain(&text)))?;
                }
                Seen::Ask(question) => {
                    self.screen.show(&view.reel.close())?;
                    self.answer(&question, space, cancel)?;
                }
            }
        }
        Ok(())
    }

    /// Asks whether a tool may run. In a pipe nobody answers, which is a refusal. Ctrl-C stops the whole reply.
    fn answer(&mut self, question: &Question, space: &SpaceId, cancel: &CancellationToken) -> Result<()> {
        let call = question.tool_call();
        let decision = match self.lines.is_somebody() {
            true => ask_leave(&mut self.lines, self.screen, &call, question.server.as_deref(), &question.description)?,
            false => {
                self.screen.note(&format!("[{} was not run: nobody is here to allow it]", short_call(&call)))?;
                Some(Decision::Refuse)
            }
        };
        let Some(decision) = decision else {
            // A refusal would bring on the next reply. What is stopped waits for no answer.
            cancel.cancel();
            return Ok(());
        };
        // Another page may have answered, or the reply may have been stopped meanwhile.
        match self.server.permit(space, &question.call, decision) {
            Err(error) if !crate::remote::is_missing(&error) => {
                self.screen.note(&format!("[{}]", plain(&error.to_string())))?;
                self.server.permit(space, &question.call, Decision::Refuse)
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// The line behind a reply.
    fn replied(&mut self, space: &SpaceId, last: Option<Node>) -> Result<()> {
        let Some(node) = last else { return Ok(()) };
        if node.status == Status::Error
            && let Some(why) = &node.error
        {
            bail!("{}", plain(why));
        }
        if !self.screen.is_terminal() {
            return Ok(());
        }
        let used = self.server.used(space, &node.id)?;
        self.screen.note(&status(used.as_ref(), &self.server.figures(space)?))?;
        self.screen.data("\n")
    }

    /// Who replies here, if only one does.
    pub(super) fn agent(&self) -> Result<EntityId> {
        match &self.room()?.agent {
            Some(agent) => Ok(agent.id.clone()),
            None => bail!("this space has not one agent: a chat has"),
        }
    }
}

fn why(node: Option<&Node>) -> String {
    node.and_then(|node| node.error.as_ref()).map_or_else(String::new, |why| format!(": {}", plain(why)))
}

/// How a turn is seen: replies one after the other.
struct View {
    strands: Strands,
    reel: Reel,
}

impl View {
    fn take(&mut self, event: Event) -> Vec<Shown> {
        let taken = self.strands.take(event);
        taken.iter().flat_map(|(strand, event)| self.show(*strand, event)).collect()
    }

    fn show(&mut self, strand: usize, event: &Event) -> Vec<Shown> {
        // Which of several it is. The model is known when it has ended.
        let mut shown = match event {
            Event::Added(Node { status: Status::Pending, .. }) => self.reel.begins(strand, ""),
            _ => Vec::new(),
        };
        shown.extend(self.reel.show(strand, event));
        shown
    }
}
