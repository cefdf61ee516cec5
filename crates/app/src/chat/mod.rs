//! `weft chat`: a chat in the terminal, streamed.
//!
//! One thread reads what is typed, does it and draws; replies are written on others, and are watched through events. What
//! is typed is read by pure functions ([`command`]), what a model says is drawn by pure ones ([`markdown`]).

mod afar;
mod args;
mod change;
mod choice;
mod command;
mod fault;
mod go;
mod greet;
mod line;
mod markdown;
mod nodes;
mod reel;
mod screen;
mod session;
mod status;
mod stop;
mod strands;
mod talk;
mod tools;
mod tree;
mod view;

pub(crate) use args::ChatArgs;
pub(crate) use nodes::beginning_with as nodes_beginning_with;
pub(crate) use reel::told;

use crate::config::Config;
use crate::exit::Outcome;
use crate::{keep, key, remote};
use anyhow::{Context, Result, bail};
use choice::{ABOUT_OFFLINE, Because, Choice, Offer};
use line::Lines;
use session::{Place, Session};
use std::sync::Arc;
use tokio::runtime::Runtime;
use weftwork::catalogue::Catalogue;
use weftwork::model::SpaceId;
use weftwork_gateway::{Chat, Gateway, KeptPins, Open, Sight};
use weftwork_provider::Providers;
use weftwork_store::Store;

/// Talks until somebody leaves.
pub(crate) fn run(args: &ChatArgs) -> Result<Outcome> {
    let store = match args.place.write()? {
        remote::Place::Here(store) => store,
        remote::Place::There(server) => return afar::run(args, server),
    };
    let config = Config::read()?;
    let providers = Providers::new(&config.providers(), Catalogue::built_in(), |name| std::env::var(name).ok())?;
    let store = Arc::new(store);
    key::hand_out(&store, &providers)?;
    if let Some(name) = &args.model {
        // A name that leads nowhere is said before anything is made.
        providers.resolve(name)?;
    }
    let runtime = Runtime::new().context("threads")?;
    let space = wanted(args, &store)?;
    let choice = choose(args, &config, &providers, space.as_ref().is_some_and(|space| has_model(&store, space)), &runtime);
    let tools = config.toolbox(KeptPins::new(store.clone(), Arc::new(keep::now)));
    let open = Gateway::open(store, Arc::new(providers), tools, &choice.model, Arc::new(keep::now));
    let gateway = runtime.block_on(open)?;
    let place = place(args, space, &choice, &gateway, &runtime)?;
    let lines = Lines::open(|| Box::new(gateway.clone()))?;
    let mut session = Session::new(runtime, gateway, place, lines);
    session.greet()?;
    if choice.because == Because::Nothing {
        session.screen.note(ABOUT_OFFLINE)?;
    }
    session.run()
}

/// Where we talk.
fn place(args: &ChatArgs, space: Option<SpaceId>, choice: &Choice, gateway: &Gateway, runtime: &Runtime) -> Result<Place> {
    let (model, system_prompt, loom) = (args.model.clone(), args.system.clone(), args.loom.map(Sight::from));
    let open = Open { space, model, system_prompt, loom, ..Open::default() };
    match open.space {
        Some(_) => Ok(Place::In(runtime.block_on(Chat::open(gateway, open))?)),
        None => Ok(Place::New(Open { model: Some(choice.model.clone()), ..open })),
    }
}

/// The model of a chat.
fn choose(args: &ChatArgs, config: &Config, providers: &Providers, settled: bool, runtime: &Runtime) -> Choice {
    let known = Offer::of(providers, config).choose();
    match &args.model {
        Some(model) => return Choice { model: model.clone(), because: Because::Named },
        None if settled => return Choice { because: Because::Named, ..known },
        None => {}
    }
    usual(config, providers, runtime)
}

/// The model where nobody names one. Servers are asked only if what they say matters.
pub(crate) fn usual(config: &Config, providers: &Providers, runtime: &Runtime) -> Choice {
    let known = Offer::of(providers, config).choose();
    if known.because == Because::Configured {
        return known;
    }
    runtime.block_on(providers.discover());
    Offer::of(providers, config).choose()
}

/// Whether an agent of the space has a model already.
fn has_model(store: &Store, space: &SpaceId) -> bool {
    store.header(space).is_ok_and(|header| header.entities.iter().any(|entity| entity.model.is_some()))
}

/// The space that is asked for; none for a new one.
fn wanted(args: &ChatArgs, store: &Store) -> Result<Option<SpaceId>> {
    if let Some(space) = &args.space {
        return keep::find_space(store, space).map(Some);
    }
    if !args.newest {
        return Ok(None);
    }
    // A chat is a space of two; where there is none, the newest of all will do.
    let spaces = store.spaces()?;
    let newest = spaces.iter().find(|space| space.members <= 2).or(spaces.first());
    match newest {
        Some(space) => Ok(Some(space.id.clone())),
        None => bail!("there is no chat yet: weft chat begins one"),
    }
}
