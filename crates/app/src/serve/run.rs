//! Opening the house, and closing it.
//!
//! Whoever asks to close it (SIGTERM, Ctrl-C) is heard once: no new requests, event streams end, replies and runs get a few
//! seconds to come to their end. What does not is left to whoever comes next; nothing that was acknowledged is lost.

use super::args::ServeArgs;
use super::house::{House, Rooms};
use super::limits::Limits;
use super::listen::listen;
use super::live::Hub;
use super::permit::Permissions;
use super::settings::Settings;
use super::who::{hash, new_secret};
use super::{api, hints, memory, push, session, trace, watch};
use crate::config::Config;
use crate::exit::Outcome;
use crate::output;
use crate::remote::{Beside, Written};
use crate::team::Gate;
use anyhow::{Context, Result};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use weftwork_gateway::Worker;
use weftwork_provider::guard::{Bounds, Client};
use weftwork_store::{Address, Engine, PassKind};

/// How long what is under way may take to come to its end.
const DRAIN: Duration = Duration::from_secs(8);

/// How often it is looked whether another process kept a provider's key.
const KEYS: Duration = Duration::from_secs(5);

/// How long a reply may go on when the house closes.
pub(super) const PATIENCE: Duration = Duration::from_secs(6);

/// Serves until it is told to stop.
pub(crate) fn run(args: &ServeArgs) -> Result<Outcome> {
    memory::settle();
    let traces = trace::begin(args.log)?;
    let config = Config::read()?;
    let settings = Settings::new(args, &config.server)?;
    let gate = Gate::sealed(args.db.open_or_make(file_of(args))?)?;
    let runtime = gate.runtime;
    let served = runtime.block_on(serve(gate.gateway, settings, args));
    runtime.shutdown_timeout(Duration::from_secs(1));
    traces.end();
    served?;
    Ok(Outcome::Ok)
}

/// The file of somebody who names no database.
fn file_of(args: &ServeArgs) -> &'static str {
    if args.demo { "weft/demo.db" } else { "weft/weft.db" }
}

async fn serve(gateway: weftwork_gateway::Gateway, settings: Settings, args: &ServeArgs) -> Result<()> {
    gateway.keep_server_time().await?;
    if settings.demo {
        gateway.make_demo().await?;
    }
    let gateway = gateway.with_guard(Client::new(settings.guard.clone(), Bounds::default())?);
    let listener = TcpListener::bind(settings.bind).await.with_context(|| format!("{}", settings.bind))?;
    let at = listener.local_addr()?;
    let hub = Hub::new(gateway.clone());
    let numbers = watch::begin()?;
    let (closing, limits) = (CancellationToken::new(), Limits::new(settings.allowed));
    let settings = Settings { bind: at, ..settings };
    let address = args.db.address_or(file_of(args))?;
    let (neighbour, _beside) = next_door(&address, at)?;
    let house = House::new(Rooms {
        gateway,
        settings,
        limits,
        hub,
        permissions: Permissions::default(),
        neighbour,
        numbers,
        work: TaskTracker::new(),
        closing,
    });
    let _hints = hints::start(&house, &address);
    let watching = tokio::spawn(house.hub.clone().run(house.closing.clone()));
    let pushing = tokio::spawn(push::run(house.clone()));
    let worker = (!args.no_worker).then(|| Worker::start(&house.gateway, crate::team::worker_settings(house.gateway.store())));
    tokio::spawn(renew_keys(house.clone()));
    tokio::spawn(watch::upkeep(house.numbers.clone(), house.closing.clone()));
    welcome(&house).await?;
    let stop = house.closing.clone();
    tokio::spawn(async move {
        told_to_stop().await;
        stop.cancel();
    });
    let serving = tokio::spawn(listen(listener, api::router(house.clone()), house.clone()));
    house.closing.cancelled().await;
    tracing::info!("closing");
    house.work.close();
    let rest = async {
        let draining = async {
            if let Some(worker) = worker {
                worker.drain().await;
            }
        };
        let _ = tokio::join!(house.work.wait(), draining, serving);
    };
    if tokio::time::timeout(DRAIN, rest).await.is_err() {
        tracing::warn!("some work did not come to its end in time, and is left to whoever comes next");
    }
    watching.abort();
    pushing.abort();
    Ok(())
}

/// Takes up keys of providers that another process kept: an embedded database has no other.
async fn renew_keys(house: House) {
    if house.gateway.store().engine() == Engine::Sqlite {
        return;
    }
    let mut told = None;
    while tokio::time::timeout(KEYS, house.closing.cancelled()).await.is_err() {
        let failed = house.gateway.renew_keys().await.err().map(|error| error.to_string());
        if let Some(error) = failed.as_ref().filter(|_| failed != told) {
            tracing::warn!(error, "a key of a provider cannot be used");
        }
        told = failed;
    }
}

/// Tells verbs of this machine's user where the server of a file is, and lets them in: what lets them in, and the file that
/// tells of it.
fn next_door(address: &Address, at: SocketAddr) -> Result<(Option<[u8; 32]>, Option<Written>)> {
    let Address::File(path) = address else { return Ok((None, None)) };
    let secret = new_secret(PassKind::Token)?;
    match Beside::write(path, at, &secret) {
        Ok(written) => Ok((Some(hash(&secret)), Some(written))),
        Err(error) => {
            tracing::warn!(error = format!("{error:#}"), "verbs of the command line do not find this server by themselves");
            Ok((None, None))
        }
    }
}

/// Says where it is, and how the first person gets in.
async fn welcome(house: &House) -> Result<()> {
    let link = match house.settings.demo {
        true => None,
        false => session::first_link(house).await.map_err(|problem| anyhow::anyhow!("{}", problem.detail()))?,
    };
    let way = match link {
        Some(link) => format!("whoever opens this link first is the owner: {link}"),
        None if house.settings.demo => {
            format!("open {} (a demo: everybody on this machine is let in, nothing leaves it)", house.origin())
        }
        None => format!("open {}", house.origin()),
    };
    output::say(&format!("weft listens on {}\n{way}\n", house.settings.bind));
    Ok(())
}

async fn told_to_stop() {
    let terminate = async {
        match signal(SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        () = terminate => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}
