//! A step in which the model is asked, and a step in which tools of servers are used.

use super::context::Mind;
use super::course::{Course, Due, SoFar};
use super::drive::{Drive, DriveError};
use super::given::{Given, LOOKS, looks};
use super::kept::{Acted, Answered, Sight, Then, Thought};
use crate::chat::{Chat, How, Next, Terms, next};
use crate::error::GatewayError;
use crate::event::Live;
use crate::loom::{self, LoomTool};
use crate::tools::{BuiltIn, Decision, Gate, Limits, Pending, Piece, Question, ReadResult, Round, Wholes};
use futures_util::future::join_all;
use std::sync::Arc;
use weftwork::ask::{Ask, Form, Layout, Round as AskRound, Settings};
use weftwork::catalogue::VocabularyOf;
use weftwork::model::{Conversation, Loom, Part, Purpose, ResultContent, Space, Timestamp, Tool};
use weftwork::report::Report;
use weftwork::{AssembleError, Assembly, History};
use weftwork_provider::{Outcome as Sent, Retry, SendError, Target};
use weftwork_store::runs::{StepKind, StepStatus};
use weftwork_store::{CallStart, Cost, Outcome, StoreError, record_of_file};

/// Messages that a summary leaves as they are: those that a timeline shows.
const KEPT_WORD_FOR_WORD: usize = 50;
/// Bytes of a tool's answer that are kept whole in a run.
const WHOLE: usize = 1 << 20;
/// What stands in the place of an answer that had to make room.
const MADE_ROOM: &str = "[left out to make room: call the tool again if you need it]";

/// A request that is ready to be sent.
struct Woven {
    request: Vec<u8>,
    /// The hash of the request.
    digest: [u8; 32],
    report: Report,
    record: Vec<u8>,
}

impl Drive<'_> {
    /// Asks the model, and writes down what it says.
    pub(super) async fn think(&self, course: &Course, mind: Mind, view: Sight) -> Result<(), DriveError> {
        for step in &course.unheard {
            self.give_up(*step).await?;
        }
        let (mut mind, mut view) = (mind, view);
        if course.view.is_none()
            && self.sum_up(&view).await?
            && let Some(anew) = self.look().await?.told
        {
            (mind, view) = anew;
        }
        mind.loom = self.tree(&mind, &view).await?;
        let mind = Arc::new(mind);
        let mut terms = self.terms(&mind, &view, course.rounds.clone(), &How::default()).await?;
        let woven = self.weave(&mut terms, &mind, &view).await?;
        let most = terms.most(&woven.report).map(Cost::as_billionths);
        let mark = woven.digest;
        self.begin(course.step, StepKind::Model, Some(mark), most).await?;
        let (sent, cost) = match self.send(&mut terms, woven, &mind, &view).await {
            (Ok(sent), cost) => (sent, cost),
            (Err(error), cost) => {
                self.fall_short(course.step, cost).await?;
                return Err(error);
            }
        };
        let then = match next(&sent.reply, 0) {
            Next::Done | Next::TooOften(_) => Then::End,
            Next::Run(_) => Then::Act,
            Next::GoOn => Then::GoOn,
            Next::HalfCall => Then::BrokeOff,
        };
        self.note_view(&view).await?;
        let thought = Thought { parts: sent.reply.parts, model: terms.target.model.name.clone(), then, view };
        self.finish(course.step, &thought, cost).await
    }

    /// Sums up a long history before it is read, where its space does so by itself, and says whether it did. Without a summary
    /// the run goes on all the same: what is not in view can be read.
    async fn sum_up(&self, view: &Sight) -> Result<bool, DriveError> {
        let (Some(home), Some(head), Some(_)) = (&self.start.home, &view.head, &self.start.branch) else { return Ok(false) };
        if home.settings.auto_summary.or(self.gateway.settings.auto_summary).is_none() {
            return Ok(false);
        }
        let (mut live, _) = Live::new();
        live.cancel = self.reins.cancel.clone();
        let summed = Chat::aside(self.gateway, home.id.clone(), &self.run).sum_up_older(head, KEPT_WORD_FOR_WORD, &live).await;
        match summed {
            Ok(summary) => Ok(summary.is_some()),
            Err(error @ GatewayError::Store(_)) => Err(error.into()),
            Err(GatewayError::Stopped) => Err(self.cut().unwrap_or(DriveError::Lost)),
            Err(error) => {
                self.gateway.note(format!("run {}: the space was not summed up: {error}", self.run.id));
                Ok(false)
            }
        }
    }

    /// Remembers that the run has read what it has in view.
    pub(super) async fn note_view(&self, view: &Sight) -> Result<(), DriveError> {
        if let (Some(space), Some(head)) = (view.space.clone(), view.head.clone()) {
            let at = space.clone();
            let seq = self.gateway.stored(move |store| store.seq(&at, &head)).await?;
            self.note_read(space, seq);
        }
        Ok(())
    }

    /// What the model would be sent now.
    pub(super) async fn shown(&self, mind: &Arc<Mind>, view: &Sight) -> Result<(Vec<u8>, Report), DriveError> {
        let mut terms = self.terms(mind, view, Vec::new(), &How::default()).await?;
        let woven = self.weave(&mut terms, mind, view).await?;
        Ok((woven.request, woven.report))
    }

    /// What the agent is told of the tree it stands in, if it is told of one.
    pub(super) async fn tree(&self, mind: &Mind, view: &Sight) -> Result<Option<Loom>, DriveError> {
        let (Some(home), Some(head)) = (&self.start.home, &view.head) else { return Ok(None) };
        match loom::is_aware(home, mind.agent()) {
            true => Ok(Some(loom::told(self.gateway, &home.id, mind.agent(), head).await?)),
            false => Ok(None),
        }
    }

    /// Which model is asked, with which tools, in which way. A run is made as its agent and its space are; only one that is
    /// looked at is made otherwise.
    pub(super) async fn terms(&self, mind: &Mind, view: &Sight, rounds: Vec<AskRound>, how: &How) -> Result<Terms, DriveError> {
        let name = how.model.as_deref().or(mind.agent().model.as_deref()).unwrap_or(&self.gateway.model);
        let mut target: Target = self.gateway.providers.resolve(name).map_err(GatewayError::from)?;
        if let VocabularyOf::Estimated(_) = target.model.vocabulary {
            let model = target.model.name.clone();
            if let Some(learned) = self.gateway.stored(move |store| store.learned(&model)).await? {
                target.model.vocabulary = VocabularyOf::Estimated(learned.thousandths);
            }
        }
        let ask = Ask {
            head: view.head.clone(),
            viewer: Some(self.run.agent.clone()),
            rounds,
            tools: Some(self.tools(mind).await?),
            model: Some(target.model.clone()),
            sampling: how.sampling.clone(),
            purpose: Purpose::Reply,
            recall: self.gateway.counted.clone(),
            now: Timestamp::from_millis(view.at),
            dialect: Some(target.dialect()),
            app: Settings { layout: Some(Layout::CacheStable), ..Settings::default() },
            settings: Settings { form: Some(Form::Timeline), ..how.laid() },
            ..Ask::default()
        };
        Ok(Terms::of(ask, target))
    }

    /// The run's own tools, and those of servers that may be used.
    async fn tools(&self, mind: &Mind) -> Result<Vec<Tool>, DriveError> {
        let mut given = self.gateway.given_anywhere().await?;
        if mind.loom.is_some() {
            given.extend(looks());
        }
        Ok(given.into_iter().filter_map(Given::sent).collect())
    }

    /// Weaves the request. What tools answered earlier in the run makes room if it has to, the oldest first.
    async fn weave(&self, terms: &mut Terms, mind: &Arc<Mind>, view: &Sight) -> Result<Woven, DriveError> {
        let mut lighter = 0;
        loop {
            match self.assemble(terms, mind, view).await {
                Err(GatewayError::Assemble(AssembleError::DoesNotFit { .. })) if lighten(&mut terms.ask.rounds, lighter) => {
                    lighter += 1;
                }
                woven => return Ok(woven?),
            }
        }
    }

    async fn assemble(&self, terms: &Terms, mind: &Arc<Mind>, view: &Sight) -> Result<Woven, GatewayError> {
        let (ask, mind, trigger, space) = (terms.ask.clone(), mind.clone(), self.start.trigger.clone(), view.space.clone());
        let woven = self.gateway.stored(move |store| match space {
            Some(space) => store.assemble_recorded(&space, &ask, &|file| mind.lay(file, &trigger)),
            None => {
                let mut file = Conversation::new(Space::new("none", ""));
                mind.lay(&mut file, &trigger);
                let record = record_of_file(&file, &ask);
                let assembly = weftwork::assemble(&History::new(file)?, &ask)?;
                Ok::<_, StoreError>((assembly, record))
            }
        });
        let (Assembly { request, digest, report, .. }, record) = woven.await?;
        Ok(Woven { request, digest, report, record })
    }

    /// Sends a request; what the provider finds too large is made smaller once. Gives what came and what it cost.
    async fn send(&self, terms: &mut Terms, woven: Woven, mind: &Arc<Mind>, view: &Sight) -> (Result<Sent, DriveError>, i64) {
        let (sent, cost) = self.send_once(terms, &woven, view).await;
        let Err(DriveError::Provider(SendError::Overflow { .. })) = sent else { return (sent, cost) };
        *terms = terms.smaller(&woven.report);
        let less = match self.weave(terms, mind, view).await {
            Ok(less) if less.request != woven.request => less,
            // What the provider finds too large is no fault of the configuration, which did fit.
            Ok(_) | Err(DriveError::Gateway(GatewayError::Assemble(_))) => {
                return (Err(DriveError::Failed(GatewayError::NothingToLeaveOut.to_string())), cost);
            }
            Err(error) => return (Err(error), cost),
        };
        let (sent, more) = self.send_once(terms, &less, view).await;
        (sent, cost + more)
    }

    /// Sends a request once, and writes down the call. What was spent is known also where nothing whole came.
    async fn send_once(&self, terms: &Terms, woven: &Woven, view: &Sight) -> (Result<Sent, DriveError>, i64) {
        match self.call(terms, woven, view).await {
            Ok((sent, cost)) => (sent, cost),
            Err(error) => (Err(error), 0),
        }
    }

    async fn call(&self, terms: &Terms, woven: &Woven, view: &Sight) -> Result<(Result<Sent, DriveError>, i64), DriveError> {
        let start = CallStart {
            id: format!("call-{:032x}", fastrand::u128(..)),
            purpose: Purpose::Reply,
            node: None,
            agent: Some(self.run.agent.clone()),
            run: Some(self.run.id.as_str().to_owned()),
            model: Some(terms.target.model.name.clone()),
            at: self.gateway.now(),
            prices: terms.target.model.prices,
            ask: woven.record.clone(),
            request: woven.request.clone(),
            account: None,
            report: None,
        };
        let (space, call) = (view.space.clone(), start.id.clone());
        self.gateway.stored(move |store| store.begin_call(space.as_ref(), &start)).await?;
        let mut order = terms.order(woven.request.clone(), &woven.report);
        order.cancel = self.reins.cancel.clone();
        // The run itself is tried again later, and outlives this process.
        order.retry = Retry::NEVER;
        let (came, error) = match self.gateway.providers.send(order).finish().await {
            Ok(came) => (came, None),
            Err(failure) => (failure.outcome, Some(failure.error)),
        };
        let outcome = match &error {
            None => Outcome::Done,
            Some(SendError::Canceled) => Outcome::Canceled,
            Some(_) => Outcome::Failed,
        };
        let end = terms.call_end(outcome, &came, error.as_ref());
        // What nobody knows the cost of has cost all that was reserved for it.
        let most = terms.most(&woven.report).map_or(0, Cost::as_billionths);
        let cost = end.cost.map_or(most, Cost::as_billionths);
        terms.learn(self.gateway, &woven.report, &end).await;
        let space = view.space.clone();
        // What came was paid for, whether or not that can be written down now.
        let ended = self.gateway.stored(move |store| store.end_call(space.as_ref(), &call, &end)).await;
        if let Err(error) = ended {
            return Ok((Err(error.into()), cost));
        }
        let sent = match error {
            Some(SendError::Canceled) => Err(self.cut().unwrap_or(DriveError::Lost)),
            Some(error) => Err(DriveError::Provider(error)),
            None => Ok(came),
        };
        Ok((sent, cost))
    }

    /// Runs calls of servers, all at once, each as a step of its own.
    pub(super) async fn use_tools(&self, due: &[(&Due, u32)]) -> Result<(), DriveError> {
        let mut begun = Vec::new();
        for (due, step) in due {
            match self.begin(*step, StepKind::Tool, Some(due.mark), Some(0)).await? {
                None => begun.push((*due, *step)),
                Some(StepStatus::Intent | StepStatus::Done | StepStatus::Unknown) => {}
            }
        }
        if begun.is_empty() {
            return Ok(());
        }
        let answers = Answers::of(self).await?;
        let read = ReadResult(answers);
        let tree = self.looks().await?;
        let built_ins: Vec<&dyn BuiltIn> = tree.iter().map(|tool| tool as &dyn BuiltIn).chain([&read as &dyn BuiltIn]).collect();
        let limits = Limits { whole: WHOLE, ..Limits::default() };
        let nothing = |_| {};
        let ran = join_all(begun.iter().map(|(due, _)| async {
            let gate = Permit(due.so_far == SoFar::Allowed);
            let round =
                Round { built_ins: &built_ins, gate: &gate, limits: &limits, cancel: &self.reins.cancel, events: &nothing };
            self.gateway.tools.run(std::slice::from_ref(&due.call), &round).await
        }))
        .await;
        if let Some(why) = self.cut() {
            return Err(why);
        }
        for ((_, step), ran) in begun.iter().zip(ran.into_iter().flatten()) {
            let answered = Answered { result: Part::ToolResult(ran.result), entered: None, whole: ran.whole };
            self.finish(*step, &Acted::Answered(answered), 0).await?;
        }
        Ok(())
    }
}

impl Drive<'_> {
    /// The tools that look at the tree, while the agent belongs to the space.
    async fn looks(&self) -> Result<Vec<LoomTool>, DriveError> {
        let (Some(space), Some(at)) = (self.start.space.clone(), &self.start.branch) else { return Ok(Vec::new()) };
        let (of, agent) = (space.clone(), self.run.agent.clone());
        if !self.gateway.stored(move |store| store.is_member(&of, &agent)).await? {
            return Ok(Vec::new());
        }
        let turn = loom::LoomTurn::begin(self.gateway, &space, &self.run.agent, at, &self.reins.cancel).await?;
        let tools = turn.map(|turn| turn.built_ins()).unwrap_or_default();
        Ok(tools.into_iter().filter(|tool| LOOKS.contains(&tool.tool().name.as_str())).collect())
    }
}

/// Takes the answers out of the oldest round that still has some; says whether there was one.
fn lighten(rounds: &mut [AskRound], from: usize) -> bool {
    let last = rounds.len().saturating_sub(1);
    let Some(round) = rounds[..last].get_mut(from) else { return false };
    for part in &mut round.results {
        if let Part::ToolResult(result) = part {
            result.content = ResultContent::Text(MADE_ROOM.to_owned());
        }
    }
    true
}

/// Whether a person has allowed the call. Nobody is there to be asked now: that was done before, or must be done anew.
struct Permit(bool);

impl Gate for Permit {
    fn ask<'a>(&'a self, _: Question<'a>) -> Pending<'a, Decision> {
        Box::pin(async { if self.0 { Decision::Once } else { Decision::Refuse } })
    }
}

/// What reads long answers, as a model is told of it.
pub(super) fn read_result() -> Tool {
    ReadResult(Answers::default()).tool()
}

/// What tools answered in whole, in one run.
#[derive(Default)]
struct Answers(Vec<(String, String)>);

impl Answers {
    async fn of(drive: &Drive<'_>) -> Result<Answers, DriveError> {
        let id = drive.run.id.clone();
        let steps = drive.gateway.stored(move |store| store.steps(&id)).await?;
        let whole = |text: &str| match serde_json::from_str(text).ok()? {
            Acted::Answered(Answered { result: Part::ToolResult(result), whole: Some(whole), .. }) => Some((result.id, whole)),
            Acted::Answered(_) | Acted::Decided(_) => None,
        };
        Ok(Answers(steps.iter().filter_map(|step| whole(step.result.as_deref()?)).collect()))
    }
}

impl Wholes for Answers {
    fn read(&self, id: &str, offset: u64, limit: u64) -> Option<Piece> {
        let (_, whole) = self.0.iter().rev().find(|(call, _)| call == id)?;
        let from = usize::try_from(offset).unwrap_or(usize::MAX).min(whole.len());
        let to = from.saturating_add(usize::try_from(limit).unwrap_or(usize::MAX)).min(whole.len());
        Some(Piece { bytes: whole.as_bytes()[from..to].to_vec(), total: whole.len() as u64 })
    }
}
