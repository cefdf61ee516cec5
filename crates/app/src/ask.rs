//! From arguments to an ask.

use crate::cli::{AssembleArgs, PolicyArgs};
use crate::input::Source;
use crate::output;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use weftwork::ask::{Ask, Form, Input, Policy, Settings};
use weftwork::catalogue::{self, Model};
use weftwork::model::{Conversation, EntityId, Part, Timestamp, Tool};

/// The ask that the arguments make of a conversation; of it, only what stands beside the nodes is looked at.
pub(crate) fn ask(args: &AssembleArgs, file: &Conversation) -> Result<Ask> {
    let settings = settings(args);
    Ok(Ask {
        head: args.head.as_deref().map(Into::into),
        viewer: args.viewer.as_deref().map(|name| viewer(file, name)).transpose()?,
        input: match (&args.text, &args.input_node) {
            (Some(text), _) => Input::New(vec![Part::text(text)]),
            (None, Some(node)) => Input::Node(node.as_str().into()),
            (None, None) => Input::None,
        },
        buffer: args.buffer.clone(),
        tools: args.tools.as_deref().map(tools).transpose()?,
        model: args.model.as_deref().map(model),
        previous: args.previous.as_deref().map(|path| Source::of(path).read()).transpose()?,
        now: args.now.clone().or_else(|| clock(file, &settings)),
        dialect: args.to,
        settings,
        ..Ask::default()
    })
}

fn settings(args: &AssembleArgs) -> Settings {
    let PolicyArgs {
        strategy,
        unit,
        min_recent,
        low_water,
        window,
        counter,
        reasoning,
        errors,
        annotations,
        tool_policy,
        summary,
        layout,
        history,
        cache,
    } = args.policy;
    Settings {
        preset: args.preset,
        form: args.form,
        truncation_strategy: strategy,
        unit,
        minimum_recent_nodes: min_recent,
        low_water,
        max_tokens: args.max_tokens,
        context_length: args.context_length,
        window,
        counter,
        reasoning,
        errors,
        annotations: annotations.then_some(true),
        tool_policy,
        summary,
        layout,
        history,
        cache,
        strict: args.strict.then_some(true),
        ..Settings::default()
    }
}

/// The entity with this id, or the only one with this name.
fn viewer(file: &Conversation, name: &str) -> Result<EntityId> {
    let entities = &file.entities;
    if let Some(entity) = entities.iter().find(|entity| entity.id.as_str() == name) {
        return Ok(entity.id.clone());
    }
    let ids: Vec<&EntityId> = entities.iter().filter(|entity| entity.name == name).map(|entity| &entity.id).collect();
    match ids.as_slice() {
        [id] => Ok((*id).clone()),
        [] => {
            let known: Vec<String> = entities.iter().map(|entity| format!("{} ({})", entity.id, entity.name)).collect();
            bail!("--as {name:?} is nobody in this conversation: use one of {}", known.join(", "))
        }
        ids => {
            let ids: Vec<&str> = ids.iter().map(|id| id.as_str()).collect();
            bail!("--as {name:?} is the name of several: use the id, one of {}", ids.join(", "))
        }
    }
}

fn tools(path: &Path) -> Result<Vec<Tool>> {
    let source = Source::of(path);
    let bytes = source.read()?;
    serde_json::from_slice(&bytes)
        .with_context(|| format!("{source}: not a JSON list of tools {{\"name\",\"description\",\"inputSchema\"}}"))
}

/// What the catalogue knows of a model. One that it does not know is sent under its name all the same.
pub(crate) fn model(name: &str) -> Model {
    catalogue::find(name).unwrap_or_else(|| {
        output::warn(&format!("the model {name:?} is not in the catalogue: its name is sent, its tokens are estimated"));
        Model::unlisted(name)
    })
}

/// The time, where it is told: everything else gives the same bytes at any time.
fn clock(file: &Conversation, settings: &Settings) -> Option<Timestamp> {
    let form = Policy::from_levels(&[&file.space.settings, settings]).form;
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
    let millis = i64::try_from(seconds).ok()?.checked_mul(1000)?;
    Timestamp::from_millis(millis).filter(|_| form == Some(Form::Timeline))
}
