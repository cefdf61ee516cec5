//! Taking conversations out, and in from anywhere.

use super::spaces::SpacePath;
use crate::convert::{ending, slug};
use crate::serve::adopt::{Adopted, take_in};
use crate::serve::house::House;
use crate::serve::mind;
use crate::serve::web::{About, Answer, Api, Code, Cx, Done, Given, Input, Load, Problem};
use crate::serve::who::Need;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use weftwork::ask::Check;
use weftwork::formats::{ExportFormat, Format, Import, LossLine, LossReport, Outcome, export_all, import};
use weftwork::model::{Conversation, SpaceId};

const GROUP: &str = "Moving";
/// Bytes of a file.
const LARGEST: usize = 256 << 20;
/// Nodes that are made findable in one go.
const BATCH: u64 = 2_000;

pub(super) fn routes(api: Api) -> Api {
    let out = About::new(GROUP, "exportSpace", Need::Read, "A whole space as a file. Only weft and jsonl lose nothing.");
    let come = About::new(GROUP, "import", Need::Write, "Take in conversations of any known format, zip archives among them.");
    api.file("/api/spaces/{space}/export", out, "application/octet-stream", export).upload(
        "/api/import",
        come.gives(Given::Created).most(LARGEST).load(Load::File),
        take,
    )
}

/// A format to write.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum ExportTo {
    /// Weft's own conversation file.
    #[default]
    Weft,
    /// The same as JSON Lines.
    #[serde(alias = "weft-jsonl")]
    Jsonl,
    /// A transcript for people.
    Markdown,
    /// Chat Completions messages, a line for each branch.
    #[serde(alias = "openai-jsonl")]
    Openai,
}

impl ExportTo {
    fn format(self) -> ExportFormat {
        match self {
            ExportTo::Weft => ExportFormat::Weft,
            ExportTo::Jsonl => ExportFormat::WeftJsonl,
            ExportTo::Markdown => ExportFormat::Markdown,
            ExportTo::Openai => ExportFormat::OpenAiJsonl,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ExportQuery {
    /// weft, jsonl, markdown or openai; weft if not given.
    #[serde(default)]
    to: ExportTo,
}

async fn export(cx: Cx, input: Input<SpacePath, ExportQuery>) -> Result<Response, Problem> {
    let (space, to) = (input.path.space, input.query.to);
    cx.house.member(cx.who.entity(), &space).await?;
    let mut file = cx.house.stored(move |store| store.export(&space)).await?;
    mind::close(&cx, &mut file).await;
    let name = format!("{}{}", slug(&file), ending(to.format()));
    let written = tokio::task::spawn_blocking(move || export_all(&[file], to.format()));
    let (bytes, loss) = written.await.map_err(|error| Problem::internal(&error))?;
    let mut headers = HeaderMap::new();
    let mut set = |name: HeaderName, value: &str| HeaderValue::from_str(value).map(|value| headers.insert(name, value));
    // A file to keep, whatever is in it: nothing that a browser would show.
    let _ = set(header::CONTENT_TYPE, "application/octet-stream");
    let _ = set(header::CONTENT_DISPOSITION, &disposition(&name));
    let lost = lost(&loss).map(|line| line.what.as_str()).take(20).collect::<Vec<_>>().join(", ");
    if !lost.is_empty() {
        let _ = set(HeaderName::from_static("weft-lost"), &lost);
    }
    Ok((headers, bytes).into_response())
}

fn lost(loss: &LossReport) -> impl Iterator<Item = &LossLine> {
    loss.lines.iter().filter(|line| line.outcome == Outcome::Dropped)
}

/// What a browser calls the file: in ASCII, and as it is.
fn disposition(name: &str) -> String {
    let plain: String = name.chars().map(|character| if character.is_ascii() { character } else { '_' }).collect();
    let encoded: String = name
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        })
        .collect();
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ImportQuery {
    /// The format; it is found out if not given.
    from: Option<Format>,
    /// Whether to only look, and keep nothing.
    #[serde(default)]
    dry_run: bool,
}

/// What came in.
#[derive(Serialize, JsonSchema)]
struct CameIn {
    /// The format it was in.
    format: Format,
    /// A line for each conversation.
    spaces: Vec<CameSpace>,
    /// What became of everything in the file: kept, mapped or dropped.
    loss: Vec<LossLine>,
}

/// A conversation that came in.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CameSpace {
    /// The space it is now; none if it was only looked at, or not taken in.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<SpaceId>,
    name: String,
    /// Nodes in the file.
    nodes: u64,
    /// Nodes that are new here.
    added: u64,
    /// Nodes that were here.
    known: u64,
    /// Whether the space was made.
    new_space: bool,
    /// Why it was not taken in. The others were.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

async fn take(cx: Cx, input: Input<(), ImportQuery, Bytes>) -> Done<CameIn> {
    let ImportQuery { from, dry_run } = input.query;
    let (bytes, room) = (input.body, cx.room.clone());
    // Held by the reading itself: it goes on when its client has gone.
    let read = tokio::task::spawn_blocking(move || {
        let read = import(&bytes, from, Check::Repair);
        drop(room);
        read
    });
    let Import { format, conversations, loss } = read.await.map_err(|error| Problem::internal(&error))??;
    let mut spaces = Vec::with_capacity(conversations.len());
    for mut file in conversations {
        crate::keep::name_import(&mut file, format);
        spaces.push(if dry_run { looked_at(&file) } else { taken(&cx, file, format).await? });
    }
    if !dry_run {
        let house = cx.house.clone();
        cx.house.work.spawn(async move { make_findable(&house).await });
        cx.house.hub.changed();
    }
    let came = Answer::from(CameIn { format, spaces, loss: loss.lines });
    // Nothing was made of what was only looked at.
    Ok(if dry_run { came.gives(Given::Ok) } else { came })
}

fn looked_at(file: &Conversation) -> CameSpace {
    let (name, nodes) = (file.space.name.clone(), file.nodes.len() as u64);
    CameSpace { id: None, name, nodes, added: 0, known: 0, new_space: false, error: None }
}

async fn taken(cx: &Cx, file: Conversation, format: Format) -> Result<CameSpace, Problem> {
    let (who, now, looked) = (cx.who.entity().clone(), cx.house.gateway.now(), looked_at(&file));
    let result = cx.house.stored(move |store| {
        let me = store.entity(&who)?;
        take_in(store, &me, &file, format, now)
    });
    match result.await {
        Ok(Adopted { space, imported }) => Ok(CameSpace {
            id: Some(space),
            added: imported.added,
            known: imported.known,
            new_space: imported.new_space,
            ..looked
        }),
        Err(problem) if matches!(problem.code(), Code::Conflict | Code::BadRequest) => {
            Ok(CameSpace { error: Some(problem.detail().to_owned()), ..looked })
        }
        Err(problem) => Err(problem),
    }
}

/// Makes what is new quick to find, after the answer: a search does without, but slower.
async fn make_findable(house: &House) {
    while !house.closing.is_cancelled() {
        match house.stored(|store| store.index(BATCH)).await {
            Ok(0) => return,
            Ok(_) => {}
            Err(problem) => return tracing::warn!(detail = problem.detail(), "what came in is not indexed yet"),
        }
    }
}
