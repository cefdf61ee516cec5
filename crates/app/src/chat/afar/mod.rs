//! A chat at a server: the same lines and the same look as a chat on a database. What is said goes there by its API, and what
//! happens comes back by the events of the space.

mod change;
mod follow;
mod look;
mod source;
mod talk;

use super::args::ChatArgs;
use super::command::{Command, Showing};
use super::go;
use super::greet::{LOOKED_AT, RECALLED, headline, say_again};
use super::line::{Known, Lines, named};
use super::screen::Screen;
use super::session::{Talks, obey_all};
use super::stop::{Idle, Stop};
use super::view::help;
use crate::exit::Outcome;
use crate::keep;
use crate::remote::{Room, Server};
use anyhow::{Context, Result, bail};
use tokio::runtime::Runtime;
use weftwork::model::{EntityId, NodeId, SpaceId};
use weftwork_gateway::How;

/// A chat at a server.
pub(super) struct Afar {
    server: Server,
    me: EntityId,
    place: Place,
    lines: Lines,
    screen: Screen,
    stop: Stop,
    how: How,
    /// Whether the next message begins afresh.
    afresh: bool,
    reasoning: Showing,
    /// Nodes that have a number: those of the last tree.
    shown: Vec<NodeId>,
    /// Listens for Ctrl-C, also while nothing is asked.
    _runtime: Runtime,
}

/// Where we talk. A chat in which nothing was said is not there yet.
enum Place {
    In(Room),
    New { model: Option<String>, system: Option<String> },
}

/// What can be named there, as it was in the beginning.
struct Names {
    models: Vec<String>,
    spaces: Vec<String>,
}

impl Known for Names {
    fn models(&self) -> Vec<String> {
        self.models.clone()
    }

    fn spaces(&self) -> Vec<String> {
        self.spaces.clone()
    }
}

/// Talks at a server until somebody leaves.
pub(super) fn run(args: &ChatArgs, server: Server) -> Result<Outcome> {
    if args.loom.is_some() {
        return server.refuse("--loom", "what an agent sees of its tree is set on its page, or with weft agents change");
    }
    let me = server.me()?.id;
    let place = wanted(args, &server)?;
    let runtime = Runtime::new().context("threads")?;
    let lines = Lines::open(|| Box::new(names(&server)))?;
    let screen = Screen::new(lines.is_somebody());
    let stop = Stop::listen(runtime.handle(), if lines.is_somebody() { Idle::Stays } else { Idle::Ends });
    let mut afar = Afar {
        server,
        me,
        place,
        lines,
        screen,
        stop,
        how: How::default(),
        afresh: false,
        reasoning: Showing::On,
        shown: Vec::new(),
        _runtime: runtime,
    };
    afar.greet()?;
    obey_all(&mut afar)
}

/// Without names nothing is completed, and all else goes on.
fn names(server: &Server) -> Names {
    let models = server.models().unwrap_or_default().into_iter().map(|model| model.id).collect();
    let spaces = server.spaces().unwrap_or_default().into_iter().map(named).collect();
    Names { models, spaces }
}

/// The space that is asked for, or a new one.
fn wanted(args: &ChatArgs, server: &Server) -> Result<Place> {
    let space = match (&args.space, args.newest) {
        (Some(wanted), _) => keep::pick(&server.spaces()?, wanted)?,
        (None, true) => newest(server)?,
        (None, false) => return Ok(Place::New { model: args.model.clone(), system: args.system.clone() }),
    };
    if args.model.is_some() || args.system.is_some() {
        bail!("--model and --system are for a new chat at a server: /model and /system change one that is there");
    }
    Ok(Place::In(server.room(&space)?))
}

/// A chat is a space of two; where there is none, the newest of all will do.
fn newest(server: &Server) -> Result<SpaceId> {
    let spaces = server.spaces()?;
    match spaces.iter().find(|space| space.members <= 2).or(spaces.first()) {
        Some(space) => Ok(space.id.clone()),
        None => bail!("there is no chat yet: weft chat begins one"),
    }
}

impl Talks for Afar {
    fn desk(&mut self) -> (&mut Lines, Screen, &Stop) {
        (&mut self.lines, self.screen, &self.stop)
    }

    fn say(&mut self, text: String) -> Result<()> {
        self.speak(&text)
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
            Command::Tools(_) => {
                self.server.refuse("/tools", "the page of the agent shows its tools, and an owner decides there")
            }
            Command::Cost => self.cost(),
            Command::Model(name) => self.model(name),
            Command::System(text) => self.system(text),
            Command::Sampling(settings) => self.sampling(settings),
            Command::Reasoning(showing) => self.show_reasoning(showing),
            Command::Flag { flag, on, node } => self.flag(flag, on, node.as_deref()),
            Command::Export { format, file } => {
                let file = file.as_deref().map(std::path::Path::new);
                keep::export_one(&self.server.export(&self.there()?)?, format, file)
            }
            Command::Open(space) => self.open(space.as_deref()),
            Command::New => self.begin_new(),
            Command::Raw => self.raw(),
            Command::Quit => Ok(()),
        }
    }
}

impl Afar {
    /// The space, made if it was not there yet.
    fn space(&mut self) -> Result<SpaceId> {
        let room = match &self.place {
            Place::In(room) => return Ok(room.space.clone()),
            Place::New { model, system } => self.server.new_room(model.as_deref(), system.as_deref())?,
        };
        let space = room.space.clone();
        self.place = Place::In(room);
        Ok(space)
    }

    /// The space, if anything was said.
    fn room(&self) -> Result<&Room> {
        match &self.place {
            Place::In(room) => Ok(room),
            Place::New { .. } => bail!("nothing was said yet"),
        }
    }

    fn there(&self) -> Result<SpaceId> {
        Ok(self.room()?.space.clone())
    }

    /// One line about where we are, and the last messages.
    fn greet(&mut self) -> Result<()> {
        if !self.screen.is_terminal() {
            return Ok(());
        }
        let (model, name) = match &self.place {
            Place::New { model, .. } => (model.clone(), "new chat".to_owned()),
            Place::In(room) => {
                let name = if room.name.is_empty() { room.space.to_string() } else { room.name.clone() };
                (room.agent.as_ref().and_then(|agent| agent.model.clone()), name)
            }
        };
        let model = model.unwrap_or_else(|| "the server's model".to_owned());
        let window = self.server.models()?.into_iter().find(|known| known.is(&model)).and_then(|known| known.context_length);
        headline(self.screen, &model, window, &format!("{name} at {}", self.server.address()))?;
        self.recall(RECALLED)
    }

    /// Shows the last messages of the path again.
    fn recall(&self, most: usize) -> Result<()> {
        let Place::In(room) = &self.place else { return Ok(()) };
        say_again(self.screen, &self.server.path(&room.space, LOOKED_AT)?, &self.me, most)
    }

    /// Goes to another chat, or lists them.
    fn open(&mut self, wanted: Option<&str>) -> Result<()> {
        let spaces = self.server.spaces()?;
        let Some(wanted) = wanted else { return go::list(self.screen, &spaces) };
        let room = self.server.room(&keep::pick(&spaces, wanted)?)?;
        self.enter(Place::In(room))
    }

    fn begin_new(&mut self) -> Result<()> {
        let model = match &self.place {
            Place::In(room) => room.agent.as_ref().and_then(|agent| agent.model.clone()),
            Place::New { model, .. } => model.clone(),
        };
        self.enter(Place::New { model, system: None })
    }

    fn enter(&mut self, place: Place) -> Result<()> {
        self.place = place;
        self.afresh = false;
        self.shown.clear();
        self.lines.know(&[]);
        self.greet()
    }
}
