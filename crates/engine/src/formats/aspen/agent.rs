//! Aspen's agents, human or model: the authors of its nodes.

use super::super::ImportError;
use super::super::facts::model_name;
use super::super::item::{Fields, Item};
use crate::model::{Conversation, Entity, EntityId, EntityKind, Sampling};
use std::collections::HashSet;

pub(super) fn read(conversation: &mut Conversation, item: &Item<'_>, agents: usize) -> Result<(), ImportError> {
    let Some(mut fields) = item.fields_or_drop("agent") else { return Ok(()) };
    let Some(id) = fields.filled("id", "") else {
        item.dropped("agent without an id", "no node could name it");
        return Ok(());
    };
    let kind = match fields.string("type", "").as_deref() {
        Some("human") => EntityKind::Human,
        Some(_) | None => EntityKind::Agent,
    };
    let name = fields.filled("name", "").unwrap_or_else(|| id.clone());
    let mut entity = Entity::new(id, name, kind);
    let model = fields.filled("modelRef", "model");
    entity.model =
        model.map(|model| model.split_once(':').map_or(model.clone(), |(provider, name)| model_name(Some(provider), name)));
    entity.loom_aware = fields.flag("loomAware", "");
    if let Some(mut configuration) = fields.object("configuration") {
        entity.system_prompt = configuration.filled("systemPrompt", "");
        // Sampling belongs to a whole file here: with several agents it would be a guess whose it is.
        if agents <= 2 {
            read_sampling(&mut conversation.sampling, &mut configuration);
            conversation.space.settings.max_tokens = configuration.count("maxTokens", "setting of the space");
        }
        configuration.dropped_all(
            &["temperature", "maxTokens", "stopSequences", "customParameters"],
            "an agent has no sampling of its own here",
        );
        configuration.end()?;
    }
    fields.dropped_all(&["permissions", "createdAt", "updatedAt", "archivedAt"], "about the app, not the tree");
    fields.end()?;
    if conversation.entities.iter().any(|known| known.id == entity.id) {
        item.dropped("agent with an id used before", "the first one stands");
    } else {
        conversation.entities.push(entity);
    }
    Ok(())
}

fn read_sampling(sampling: &mut Sampling, fields: &mut Fields<'_>) {
    sampling.temperature = fields.decimal("temperature", "sampling");
    sampling.stop = fields.list("stopSequences", "sampling").iter().map(Item::as_text).collect();
}

/// The authors of the file, and those that its nodes name beside them.
pub(super) struct Authors {
    known: HashSet<EntityId>,
    pub(super) made: Vec<Entity>,
}

impl Authors {
    pub(super) fn of(entities: &[Entity]) -> Self {
        Authors { known: entities.iter().map(|entity| entity.id.clone()).collect(), made: Vec::new() }
    }

    /// The author with this id, made if the file does not hold it.
    pub(super) fn named(&mut self, id: Option<String>, kind: EntityKind) -> EntityId {
        let id = EntityId::from(id.unwrap_or_else(|| kind.word().to_owned()));
        if self.known.insert(id.clone()) {
            let name = match kind {
                EntityKind::Human => "User",
                EntityKind::Agent | EntityKind::Service => "Assistant",
            };
            let (system_prompt, model) = (None, None);
            self.made.push(Entity { system_prompt, model, ..Entity::new(id.clone(), name, kind) });
        }
        id
    }
}
