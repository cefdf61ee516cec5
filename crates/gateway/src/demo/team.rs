//! The team: two people and three agents who plan a night market.

use super::script::Script;
use super::{DemoError, REPORTS, TEAM, agent, person};
use crate::error::GatewayError;
use crate::gateway::Gateway;
use crate::runs::{Message, WorkerSettings};
use crate::schedule::When;
use crate::services::{Headers, SigningSecret, sign};
use serde_json::json;
use std::time::Duration;
use weftwork::model::{Conversation, EntityId, Node, NodeId, RunStatus, Space, SpaceId, Wake};
use weftwork_store::Seq;
use weftwork_store::runs::{NewPlan, RunQuery};

pub(super) const MIRA: &str = "demo-mira";
const JONAS: &str = "demo-jonas";
const SCOUT: &str = "demo-scout";
const EDITOR: &str = "demo-editor";
const KEEPER: &str = "demo-keeper";

/// A service, and what it sends.
const COUNTER: &str = "demo-counter";
const DELIVERY: &str = "demo-sunday";
const COUNTED: &str = r#"{"gate": "north", "day": "Sunday", "people": 389}"#;

const WELCOME: &str = "Welcome! Two people talk here, Mira and Jonas, and three agents: Scout finds things out, Editor writes, \
    Keeper minds the clock. An agent wakes when somebody writes its name behind an @.\n\
    In this demo the model that is part of Weft thinks for the agents. It does what lines with an exclamation mark say, so that \
    everything you see here really happened. A real model needs no such lines.";

/// How long the agents may take for what is due.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often it is looked whether somebody else still works on it.
const LOOK: Duration = Duration::from_millis(20);
/// The shortest delay that a plan can have, and a little.
const A_MOMENT: Duration = Duration::from_millis(1_050);
/// Messages of the demo, at most.
const MOST: u32 = 1_000;

/// Makes the two spaces and lets everybody talk.
pub(super) async fn play(gateway: &Gateway) -> Result<(), DemoError> {
    let stage = Stage { gateway, settings: WorkerSettings::default() };
    stage.open(TEAM, "Night market", &[MIRA, JONAS, SCOUT, EDITOR, KEEPER]).await?;
    stage.open(REPORTS, "Reports", &[MIRA, EDITOR, KEEPER]).await?;
    stage.say(MIRA, WELCOME.to_owned()).await?;
    stage.a_wait_and_its_end().await?;
    let known = stage.across_spaces().await?;
    stage.plans().await?;
    stage.one_agent_asks_another().await?;
    stage.a_service().await?;
    stage.an_open_question().await?;
    stage.read(MIRA, &known).await
}

/// Where it is played.
struct Stage<'g> {
    gateway: &'g Gateway,
    settings: WorkerSettings,
}

impl Stage<'_> {
    /// Scout does not know what is meant, asks, and goes on where it was when Jonas answers.
    async fn a_wait_and_its_end(&self) -> Result<(), DemoError> {
        let asked = Script::new("@Scout how many people came on Saturday?")
            .wait("Do you mean the afternoon, or the whole day?")
            .send("412 people came in the afternoon, counted at both gates.");
        self.say(MIRA, asked.text()).await?;
        let question = self.last_of(SCOUT).await?;
        let answer = Message { reply_to: Some(question), ..Message::text("The afternoon, please.") };
        self.post(JONAS, answer).await?;
        self.settle().await
    }

    /// Editor remembers something and tells another space about it, where one can see why. Says the last message here.
    async fn across_spaces(&self) -> Result<NodeId, DemoError> {
        let goal = json!({"add": [{"text": "Reports that anyone can read in a minute", "priority": 1, "longTerm": true}]});
        let memory = json!({"add": [{"topic": "Saturday", "text": "412 people in the afternoon"}]});
        let report = json!({"text": "Saturday afternoon: 412 people, counted at both gates.", "spaceId": REPORTS});
        let asked = Script::new("@Editor please keep that number in mind and tell Reports.")
            .call("set_goals", &goal)
            .call("set_memories", &memory)
            .call("send_message", &report)
            .send("It stands in Reports now.");
        self.say(MIRA, asked.text()).await?;
        self.last_of(EDITOR).await
    }

    /// Keeper plans something that comes due at once. A person has planned something for every morning.
    async fn plans(&self) -> Result<(), DemoError> {
        self.every_morning().await?;
        let once = Script::new("Remind the team.")
            .call("send_message", &json!({"text": "A reminder: the lanterns must be ordered by Friday.", "spaceId": TEAM}));
        let plan = json!({"add": [{"name": "Lanterns", "instruction": once.text(), "runAfter": "1 second"}]});
        let asked = Script::new("@Keeper remind us of the lanterns in a second.").call("set_plans", &plan).send("It is planned.");
        self.say(JONAS, asked.text()).await?;
        tokio::time::sleep(A_MOMENT).await;
        self.settle().await
    }

    async fn every_morning(&self) -> Result<(), DemoError> {
        let morning = Script::new("Ask the team for the numbers of the day.")
            .call("send_message", &json!({"text": "Good morning! How many people came yesterday?", "spaceId": TEAM}));
        let (cron, zone) = (Some("0 9 * * *".to_owned()), Some("Europe/Berlin".to_owned()));
        let when = When { cron, time_zone: zone, ..When::default() };
        let unreadable = |_| DemoError::Astray { what: "nine in the morning is no time" };
        let schedule = when.read(self.gateway.now()).map_err(unreadable)?;
        let plan = NewPlan {
            id: "demo-morning".to_owned(),
            name: "Morning numbers".to_owned(),
            instruction: morning.text(),
            schedule: schedule.to_text(),
            next_fire: schedule.first(self.gateway.now()),
            chain: None,
        };
        Ok(self.gateway.stored(move |store| store.put_plan(&EntityId::from(KEEPER), &plan)).await?)
    }

    /// Scout waits for Editor, who is woken by the question and answers it.
    async fn one_agent_asks_another(&self) -> Result<(), DemoError> {
        let question = Script::new("@Editor how should the headline read?").send("Lanterns over the river");
        let asked = Script::new("@Scout ask Editor for a headline and tell us.")
            .call("send_message", &json!({"text": question.text(), "wait": true}))
            .send("Editor suggests: “Lanterns over the river”.");
        self.say(MIRA, asked.text()).await
    }

    /// The counter at the gates wakes Keeper by a signed webhook, where there is a seal to keep its secret with.
    async fn a_service(&self) -> Result<(), DemoError> {
        if self.gateway.seal.is_none() {
            return Ok(());
        }
        let secret = SigningSecret::generate().map_err(GatewayError::from)?;
        self.gateway.add_service(COUNTER, &KEEPER.into(), &secret).await?;
        let seconds = self.gateway.now() / 1_000;
        let signature = Some(sign(&secret, DELIVERY, seconds, COUNTED.as_bytes()));
        let headers = Headers { id: Some(DELIVERY.to_owned()), timestamp: Some(seconds.to_string()), signature };
        self.gateway.receive(COUNTER, &headers, COUNTED.as_bytes()).await?;
        self.settle().await
    }

    /// Editor waits for whoever looks around here.
    async fn an_open_question(&self) -> Result<(), DemoError> {
        let asked = Script::new("@Editor please write the poster.")
            .wait("Which colours should the poster have? (I wait until somebody says something here.)")
            .send("Thank you. The poster is written.");
        self.say(JONAS, asked.text()).await
    }

    async fn open(&self, id: &str, name: &str, members: &[&str]) -> Result<(), DemoError> {
        let mut header = Conversation::new(Space::new(id, name));
        // Without this every agent would answer every message.
        header.space.wake = Wake::Mentioned;
        let all = [
            person(MIRA, "Mira"),
            person(JONAS, "Jonas"),
            agent(SCOUT, "Scout", "You find things out. Ask when something is not clear."),
            agent(EDITOR, "Editor", "You write short texts that anyone understands."),
            agent(KEEPER, "Keeper", "You mind the clock and remind people."),
        ];
        header.entities = all.into_iter().filter(|entity| members.contains(&entity.id.as_str())).collect();
        let now = self.gateway.now();
        Ok(self.gateway.stored(move |store| store.create_space(&header, now)).await?)
    }

    /// Somebody says something, and the agents do what is due.
    async fn say(&self, who: &str, text: String) -> Result<(), DemoError> {
        self.post(who, Message::text(text)).await?;
        self.settle().await
    }

    async fn post(&self, who: &str, message: Message) -> Result<(), DemoError> {
        self.gateway.post(&TEAM.into(), &who.into(), message).await?;
        Ok(())
    }

    /// Does what is due; if another worker took it, waits for that one.
    async fn settle(&self) -> Result<(), DemoError> {
        let late = tokio::time::Instant::now() + PATIENCE;
        loop {
            self.gateway.work_off(&self.settings).await?;
            let busy = self.gateway.stored(|store| {
                let of = |status| RunQuery { statuses: vec![status], limit: 1, ..RunQuery::default() };
                Ok(!store.runs(&of(RunStatus::Queued))?.is_empty() || !store.runs(&of(RunStatus::Running))?.is_empty())
            });
            match busy.await? {
                false => return Ok(()),
                true if tokio::time::Instant::now() > late => {
                    return Err(DemoError::Astray { what: "an agent took too long" });
                }
                true => tokio::time::sleep(LOOK).await,
            }
        }
    }

    /// The last message of somebody in the team's space.
    async fn last_of(&self, who: &'static str) -> Result<NodeId, DemoError> {
        let said = self.gateway.stored(|store| store.after(&SpaceId::from(TEAM), Seq(0), MOST)).await?;
        let own = |(_, node): &&(Seq, Node)| node.author == EntityId::from(who);
        let last = said.iter().rev().find(own).map(|(_, node)| node.id.clone());
        last.ok_or(DemoError::Astray { what: "an agent said nothing" })
    }

    /// Somebody has read so far; the rest is new to them.
    async fn read(&self, who: &'static str, to: &NodeId) -> Result<(), DemoError> {
        let to = to.clone();
        let read = self.gateway.stored(move |store| store.read_up_to(&SpaceId::from(TEAM), &EntityId::from(who), &to));
        read.await?;
        Ok(())
    }
}
