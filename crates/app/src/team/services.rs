//! `weft services`: programs elsewhere that wake agents by signed webhooks.

use super::args::{AddServiceArgs, DeliverArgs, OneServiceArgs, RotateArgs, ServicesArgs, ServicesCommand};
use super::gate::Gate;
use super::plans::rand;
use super::runs::{Round, short, tell};
use super::when::{moment, stamp};
use super::who::People;
use crate::exit::Outcome;
use crate::input::Source;
use crate::keep::{ListArgs, near, now};
use crate::output;
use crate::preview::plain;
use crate::remote::Place;
use crate::style::{Ink, Style};
use crate::table::{Align, Table};
use anyhow::{Result, anyhow, bail};
use serde_json::{Value, json};
use weftwork_gateway::schedule::When;
use weftwork_gateway::services::{Headers, ID, NotReceived, Received, SIGNATURE, Service, SigningSecret, TIMESTAMP, sign};

/// Lists the services, or does something with one.
pub(crate) fn run(args: &ServicesArgs) -> Result<Outcome> {
    match &args.command {
        Some(ServicesCommand::Add(args)) => add(args),
        Some(ServicesCommand::Rotate(args)) => rotate(args),
        Some(ServicesCommand::Remove(args)) => remove(args),
        Some(ServicesCommand::Deliver(args)) => deliver(args),
        None => list(&args.list),
    }
}

fn list(args: &ListArgs) -> Result<Outcome> {
    let place = args.place.read()?;
    let (services, people) = (all(&place)?, place.people()?);
    if args.json {
        output::line(&serde_json::to_vec(&services.iter().map(|service| record(service, &people)).collect::<Vec<_>>())?)?;
    } else if services.is_empty() {
        output::say("No services yet. Let one wake an agent: weft services add NAME --agent AGENT\n");
    } else {
        output::data(table(&services, &people, now()).as_bytes())?;
    }
    Ok(Outcome::Ok)
}

fn record(service: &Service, people: &People) -> Value {
    let Service { name, agent, hint, created_at, rotated_at, old_until } = service;
    json!({"name": name, "agent": agent, "agentName": people.name(agent), "secretEnds": hint, "since": stamp(*created_at),
        "rotated": stamp(*rotated_at), "oldUntil": stamp(*old_until)})
}

fn table(services: &[Service], people: &People, now: i64) -> String {
    let mut table = Table::of_ids(&[Align::Left; 5]);
    table.row(Ink::Faint, ["service", "wakes", "secret", "since", "old secret until"].map(str::to_owned));
    for Service { name, agent, hint, created_at, old_until, .. } in services {
        let old = old_until.filter(|until| now < *until).map_or_else(String::new, |until| moment(now, until));
        let cells = [plain(name), people.name(agent), format!("…{}", plain(hint)), moment(now, *created_at), old];
        table.row(Ink::Plain, cells);
    }
    table.show(Style::stdout())
}

fn all(place: &Place) -> Result<Vec<Service>> {
    match place {
        Place::Here(store) => Ok(store.services()?),
        Place::There(server) => server.services(),
    }
}

fn add(args: &AddServiceArgs) -> Result<Outcome> {
    let place = args.list.place.change()?;
    let agent = place.people()?.agent(&args.agent)?.clone();
    let secret = match place {
        Place::Here(store) => {
            let (gate, secret) = (Gate::sealed(store)?, SigningSecret::generate()?);
            gate.wait(gate.gateway.add_service(&args.name, &agent.id, &secret))?;
            secret.reveal()
        }
        Place::There(server) => server.add_service(&args.name, &agent.id)?,
    };
    if args.list.json {
        let record = json!({"name": args.name, "agent": agent.id, "secret": secret});
        output::line(&serde_json::to_vec(&record)?)?;
    } else {
        output::line(secret.as_bytes())?;
        output::say(&format!("{} wakes {}. {}", args.name, plain(&agent.name), how_to_sign()));
    }
    Ok(Outcome::Ok)
}

/// What a sender does with a secret.
fn how_to_sign() -> String {
    format!(
        "The secret is shown this once. Each delivery carries {ID}, {TIMESTAMP} (seconds) and {SIGNATURE}: v1, and the base64 of \
         the HMAC-SHA256 over ID.TIMESTAMP.BODY, as Standard Webhooks has it\n"
    )
}

fn rotate(args: &RotateArgs) -> Result<Outcome> {
    let old_until = until(&args.keep_old, now())?;
    let place = args.list.place.change()?;
    known(&place, &args.name)?;
    let secret = match place {
        Place::Here(store) => {
            let (gate, secret) = (Gate::sealed(store)?, SigningSecret::generate()?);
            if !gate.wait(gate.gateway.rotate_secret(&args.name, &secret, old_until))? {
                bail!("the service {:?} is gone", args.name);
            }
            secret.reveal()
        }
        Place::There(server) => server.rotate_service(&args.name, hours(old_until - now())?)?,
    };
    if args.list.json {
        let record = json!({"name": args.name, "secret": secret, "oldUntil": stamp(old_until)});
        output::line(&serde_json::to_vec(&record)?)?;
    } else {
        output::line(secret.as_bytes())?;
        let old = match old_until > now() {
            true => format!("taken until {}", moment(now(), old_until)),
            false => "not taken any more".to_owned(),
        };
        output::say(&format!("The secret before is {old}. {}", how_to_sign()));
    }
    Ok(Outcome::Ok)
}

/// When a delay from now ends.
fn until(delay: &str, now: i64) -> Result<i64> {
    if delay.trim() == "0" {
        return Ok(now);
    }
    let when = When { run_after: Some(delay.to_owned()), ..When::default() };
    let ends = when.read(now).ok().and_then(|schedule| schedule.first(now));
    ends.ok_or_else(|| anyhow!("--keep-old {delay:?} is no delay: write it as \"24 hours\" or \"1 day 3 hours\", or 0"))
}

/// A stretch of time as a server takes it.
fn hours(millis: i64) -> Result<i64> {
    const HOUR: i64 = 60 * 60 * 1_000;
    // A moment went by since it was read.
    let hours = (millis + HOUR / 60) / HOUR;
    if (millis - hours * HOUR).abs() > HOUR / 60 {
        bail!("--keep-old: through a server it is a number of whole hours");
    }
    Ok(hours)
}

fn remove(args: &OneServiceArgs) -> Result<Outcome> {
    let place = args.list.place.change()?;
    let service = known(&place, &args.name)?;
    match &place {
        Place::Here(store) => drop(store.remove_service(&service.name)?),
        Place::There(server) => server.remove_service(&service.name)?,
    }
    if args.list.json {
        output::line(&serde_json::to_vec(&json!({"removed": service.name, "agent": service.agent}))?)?;
    } else {
        output::say(&format!("{} is taken away: nothing it sends is taken any more\n", service.name));
    }
    Ok(Outcome::Ok)
}

/// The service of a name.
fn known(place: &Place, name: &str) -> Result<Service> {
    let services = all(place)?;
    match services.iter().find(|service| service.name == name) {
        Some(service) => Ok(service.clone()),
        None => match near(name, services.iter().map(|service| service.name.as_str())).first() {
            Some(near) => bail!("there is no service {name:?}: did you mean {near:?}? weft services lists all"),
            None => bail!("there is no service {name:?}: weft services lists all {}", services.len()),
        },
    }
}

fn deliver(args: &DeliverArgs) -> Result<Outcome> {
    let body = Source::or_stdin(args.file.as_ref())?.read()?;
    let headers = match &args.secret {
        Some(secret) => signed(&SigningSecret::parse(secret)?, args.id.as_deref(), &body),
        None => given(&args.header)?,
    };
    let place = args.list.place.change()?;
    let (people, service) = (place.people()?, known(&place, &args.name)?);
    let told = Delivery { args, people: &people, service: &service, headers: &headers };
    match place {
        Place::Here(store) => {
            let gate = Gate::sealed(store)?;
            let received = gate.wait(gate.gateway.receive(&service.name, &headers, &body)).map_err(whole)?;
            told.taken(&received);
            let round = if args.then.no_work { Round::default() } else { Round::work(&gate)? };
            told.end(&received, &round)
        }
        Place::There(server) => {
            let before = server.before()?;
            let run = server.deliver(&service.name, &headers, body)?;
            let received = if before.has(&run) { Received::Before(run.clone()) } else { Received::Started(run.clone()) };
            told.taken(&received);
            let round = if args.then.no_work { Round::default() } else { server.follow(&before, &[run])? };
            told.end(&received, &round)
        }
    }
}

/// What is told of a delivery.
struct Delivery<'d> {
    args: &'d DeliverArgs,
    people: &'d People,
    service: &'d Service,
    headers: &'d Headers,
}

impl Delivery<'_> {
    fn taken(&self, received: &Received) {
        if self.args.list.json {
            return;
        }
        let agent = self.people.name(&self.service.agent);
        let id = plain(self.headers.id.as_deref().unwrap_or_default());
        output::say(&match received {
            Received::Started(run) => format!("taken as {id}: it wakes {agent} (run {})\n", short(run)),
            Received::Before(run) => format!("{id} came before: it woke {agent} then (run {})\n", short(run)),
        });
    }

    fn end(&self, received: &Received, round: &Round) -> Result<Outcome> {
        if !self.args.list.json {
            tell(round, None)?;
            return Ok(Outcome::Ok);
        }
        let (run, before) = match received {
            Received::Started(run) => (run, false),
            Received::Before(run) => (run, true),
        };
        let (service, id) = (&self.service.name, &self.headers.id);
        let record = json!({"service": service, "id": id, "run": run.as_str(), "before": before, "runs": round.record()});
        output::line(&serde_json::to_vec(&record)?)?;
        Ok(Outcome::Ok)
    }
}

/// The headers of a body that is signed here and now.
fn signed(secret: &SigningSecret, id: Option<&str>, body: &[u8]) -> Headers {
    let id = id.map_or_else(|| format!("msg_{:08x}{:08x}", rand(), rand()), str::to_owned);
    let seconds = now() / 1_000;
    let signature = Some(sign(secret, &id, seconds, body));
    Headers { id: Some(id), timestamp: Some(seconds.to_string()), signature }
}

/// The headers of the arguments.
fn given(arguments: &[String]) -> Result<Headers> {
    let mut headers = Headers::default();
    for argument in arguments {
        let Some((name, value)) = argument.split_once('=') else {
            bail!("--header {argument:?} has no value: write NAME=VALUE");
        };
        let place = match name.trim().to_ascii_lowercase().as_str() {
            ID => &mut headers.id,
            TIMESTAMP => &mut headers.timestamp,
            SIGNATURE => &mut headers.signature,
            _ => bail!("--header {name:?} is not looked at: give {ID}, {TIMESTAMP} and {SIGNATURE}"),
        };
        *place = Some(value.trim().to_owned());
    }
    Ok(headers)
}

/// Why a delivery was not taken. Whoever has the database may know what a sender is not told.
fn whole(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref() {
        Some(NotReceived::Unauthorized { reason }) => anyhow!("not taken: {reason}"),
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_one_of_three() {
        let all = ["webhook-id=a", "Webhook-Timestamp= 7", "webhook-signature=v1,x="].map(str::to_owned);
        assert_eq!(
            given(&all).ok(),
            Some(Headers { id: Some("a".into()), timestamp: Some("7".into()), signature: Some("v1,x=".into()) })
        );
        for (argument, expected) in [("webhook-id", "has no value"), ("host=x", "is not looked at")] {
            let error = given(&[argument.to_owned()]).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn an_old_secret_is_taken_for_a_while_or_not() {
        for (delay, expected) in [("24 hours", Some(86_400_000)), ("0", Some(0)), ("soon", None), ("-1 hour", None)] {
            assert_eq!(until(delay, 0).ok(), expected, "{delay}");
        }
    }
}
