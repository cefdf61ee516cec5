//! What models there are, for whoever lists them: known at once, and looked up anew behind the answer.

use crate::Kind;
use crate::providers::Providers;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long what servers said is taken for true.
const FRESH: Duration = Duration::from_secs(60);

/// A model, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedModel {
    /// The name that resolves to it: `provider/model`.
    pub id: String,
    /// The bare name, where it means this model and no other.
    pub bare: Option<String>,
    /// Who has it.
    pub provider: String,
    /// What that is.
    pub kind: Kind,
    /// Tokens of its window.
    pub context_length: Option<u64>,
    /// Tokens it can write.
    pub max_output: Option<u64>,
    /// When it was made, in seconds since 1970.
    pub created: Option<i64>,
}

/// When servers were asked for their models, and whether they are being asked.
#[derive(Default)]
pub(crate) struct Looking(Mutex<Look>);

#[derive(Default)]
struct Look {
    /// When servers were last asked, whatever they said.
    last: Option<Instant>,
    /// Closed when the servers that are being asked have answered.
    under_way: Option<watch::Receiver<()>>,
}

impl Providers {
    /// Every model that is known to be there, by provider and name. What servers said before is told at once and looked up
    /// anew behind the answer; where nothing is known yet they are waited for, `patience` at most.
    pub async fn listed(self: &Arc<Self>, patience: Duration) -> Vec<ListedModel> {
        self.refresh(patience).await;
        self.listed_now()
    }

    /// Asks servers for their models, unless they were asked of late. Waits for those that were never asked, `patience` at
    /// most; they go on being asked when that is over.
    pub async fn refresh(self: &Arc<Self>, patience: Duration) {
        let (mut done, is_first) = {
            let mut look = self.looking.0.lock().unwrap_or_else(PoisonError::into_inner);
            let is_fresh = look.last.is_some_and(|last| self.clock.now().duration_since(last) < FRESH);
            match &look.under_way {
                // A look that died has closed it and said nothing.
                Some(done) if done.has_changed().is_ok() => (done.clone(), look.last.is_none()),
                Some(_) | None if is_fresh => return,
                Some(_) | None => {
                    let (open, done) = watch::channel(());
                    look.under_way = Some(done.clone());
                    tokio::spawn(self.clone().look(open));
                    (done, look.last.is_none())
                }
            }
        };
        if is_first {
            // Closed or late: either way what is known is what there is to tell.
            let _ = tokio::time::timeout(patience, done.changed()).await;
        }
    }

    async fn look(self: Arc<Self>, open: watch::Sender<()>) {
        self.discover().await;
        let mut look = self.looking.0.lock().unwrap_or_else(PoisonError::into_inner);
        *look = Look { last: Some(self.clock.now()), under_way: None };
        drop(open);
    }

    /// Every model that is known to be there, without asking anybody.
    pub fn listed_now(&self) -> Vec<ListedModel> {
        let list = self.list();
        let names: Vec<_> = list.values().map(|provider| (provider, self.names_of(provider))).collect();
        let mut having: BTreeMap<&str, usize> = BTreeMap::new();
        for name in names.iter().flat_map(|(_, names)| names) {
            *having.entry(name).or_default() += 1;
        }
        let found = self.found.read().unwrap_or_else(PoisonError::into_inner).clone();
        let created = |provider: &str, bare: &str| found.get(provider)?.iter().find(|model| model.name == bare)?.created;
        let listed = names.iter().flat_map(|(provider, names)| names.iter().map(move |bare| (provider, bare)));
        listed
            .map(|(provider, bare)| {
                let model = self.model(provider, bare);
                ListedModel {
                    id: model.name,
                    bare: (having[bare.as_str()] == 1).then(|| bare.clone()),
                    provider: provider.name.clone(),
                    kind: provider.kind,
                    context_length: model.context_length,
                    max_output: model.max_output,
                    created: created(&provider.name, bare),
                }
            })
            .collect()
    }
}
