//! A chat in the terminal: reads what is typed and does it, until somebody leaves.

use super::command::{Command, Showing, Typed, read};
use super::fault;
use super::line::{Got, Lines};
use super::screen::Screen;
use super::stop::{Idle, Stop};
use super::view::help;
use crate::exit::Outcome;
use anyhow::Result;
use std::future::Future;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use weftwork::model::NodeId;
use weftwork_gateway::{Chat, Gateway, GatewayError, How, Open, Used};

/// How long a title may take when somebody leaves.
const PATIENCE: Duration = Duration::from_secs(10);

/// A chat in the terminal.
pub(crate) struct Session {
    pub(super) runtime: Runtime,
    pub(super) gateway: Gateway,
    pub(super) place: Place,
    pub(super) lines: Lines,
    pub(super) screen: Screen,
    pub(super) stop: Stop,
    /// How replies are made.
    pub(super) how: How,
    /// Whether the next message begins afresh.
    pub(super) afresh: bool,
    pub(super) reasoning: Showing,
    /// Nodes that have a number: those of the last tree.
    pub(super) shown: Vec<NodeId>,
    /// What the last reply used.
    pub(super) used: Option<Used>,
    /// A title that is being made beside.
    pub(super) titling: Option<JoinHandle<()>>,
}

/// Where we talk. A chat in which nothing was said is not there yet.
pub(crate) enum Place {
    /// In this chat.
    In(Chat),
    /// In one that the first message makes.
    New(Open),
}

/// What to do after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Go,
    Leave,
}

/// Somebody who talks at a terminal, or a script: here, or at a server.
pub(super) trait Talks {
    /// Where lines come from, where it is seen, and what Ctrl-C stops.
    fn desk(&mut self) -> (&mut Lines, Screen, &Stop);
    /// Says something.
    fn say(&mut self, text: String) -> Result<()>;
    /// Does something else than leaving.
    fn act(&mut self, command: Command) -> Result<()>;
}

/// Reads and does until somebody leaves. In a pipe the first fault ends it, so that a script never goes on from what
/// is not there.
pub(super) fn obey_all(talks: &mut impl Talks) -> Result<Outcome> {
    let mut given_up = false;
    loop {
        let (lines, screen, stop) = talks.desk();
        stop.waiting();
        let line = match lines.next("")? {
            Got::End => return Ok(Outcome::Ok),
            Got::GivenUp if given_up => return Ok(Outcome::Ok),
            Got::GivenUp => {
                given_up = true;
                screen.note("Ctrl-C once more, Ctrl-D or /quit leaves")?;
                continue;
            }
            Got::Line(line) => line,
        };
        given_up = false;
        stop.busy();
        match obey(talks, &line) {
            Ok(Next::Go) => {}
            Ok(Next::Leave) => return Ok(Outcome::Ok),
            Err(error) if crate::exit::is_closed_pipe(&error) => return Err(error),
            Err(error) => {
                let outcome = fault::tell(&error);
                if !talks.desk().0.is_somebody() {
                    return Ok(outcome);
                }
            }
        }
    }
}

fn obey(talks: &mut impl Talks, line: &str) -> Result<Next> {
    match read(line)? {
        Typed::Nothing => {}
        Typed::Say(text) => talks.say(text)?,
        Typed::Do(Command::Quit) => return Ok(Next::Leave),
        Typed::Do(command) => talks.act(command)?,
    }
    Ok(Next::Go)
}

impl Talks for Session {
    fn desk(&mut self) -> (&mut Lines, Screen, &Stop) {
        (&mut self.lines, self.screen, &self.stop)
    }

    fn say(&mut self, text: String) -> Result<()> {
        self.speak(text)
    }

    fn act(&mut self, command: Command) -> Result<()> {
        match command {
            Command::Help => help(self.screen),
            Command::Context(input) => self.context(input.as_deref()),
            Command::Tree => self.tree(),
            Command::Switch(to) => self.switch(to),
            Command::Retry(model) => self.retry(model),
            Command::Edit { node, with } => self.edit(node.as_deref(), with),
            Command::Continue => self.go_on(),
            Command::Generate { count, models } => self.generate(count, &models),
            Command::Summarize(keep) => self.summarize(keep),
            Command::Title => self.title(),
            Command::Undo => self.undo(),
            Command::Clear => self.clear(),
            Command::Tools(act) => self.tools(act),
            Command::Cost => self.cost(),
            Command::Model(name) => self.model(name.as_deref()),
            Command::System(text) => self.system(text),
            Command::Sampling(settings) => self.sampling(settings),
            Command::Reasoning(showing) => self.show_reasoning(showing),
            Command::Flag { flag, on, node } => self.flag(flag, on, node.as_deref()),
            Command::Export { format, file } => self.export(format, file.as_deref()),
            Command::Open(space) => self.open(space.as_deref()),
            Command::New => self.begin_new(),
            Command::Raw => self.raw(),
            Command::Quit => Ok(()),
        }
    }
}

impl Session {
    /// A chat at a place. Ctrl-C stops replies from now on.
    pub(crate) fn new(runtime: Runtime, gateway: Gateway, place: Place, lines: Lines) -> Session {
        let screen = Screen::new(lines.is_somebody());
        let stop = Stop::listen(runtime.handle(), if lines.is_somebody() { Idle::Stays } else { Idle::Ends });
        Session {
            runtime,
            gateway,
            place,
            lines,
            screen,
            stop,
            how: How::default(),
            afresh: false,
            reasoning: Showing::On,
            shown: Vec::new(),
            used: None,
            titling: None,
        }
    }

    /// Reads and does until somebody leaves. What still goes on beside it may come to its end.
    pub(crate) fn run(&mut self) -> Result<Outcome> {
        let outcome = obey_all(self);
        if let Some(titling) = self.titling.take() {
            // A title that takes longer is not worth waiting for.
            let _ = self.runtime.block_on(async { tokio::time::timeout(PATIENCE, titling).await });
        }
        outcome
    }

    /// The chat, made if it was not there yet.
    pub(super) fn chat(&mut self) -> Result<Chat> {
        let open = match &self.place {
            Place::In(chat) => return Ok(chat.clone()),
            Place::New(open) => open.clone(),
        };
        let chat = self.wait(Chat::open(&self.gateway, open))?;
        self.place = Place::In(chat.clone());
        Ok(chat)
    }

    /// Waits for what takes no time worth watching.
    pub(super) fn wait<T>(&self, work: impl Future<Output = Result<T, GatewayError>>) -> Result<T> {
        Ok(self.runtime.block_on(work)?)
    }
}
