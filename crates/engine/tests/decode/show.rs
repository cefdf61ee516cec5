//! Replies and deltas as lines a person can compare.

use std::{fmt::Write, path::PathBuf};
use weftwork::{
    decode::{DecodeError, Delta, Reply, StreamDecoder},
    dialect::Dialect,
    model::{Media, Part, ResultContent},
};

pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/streams")
}

pub(crate) fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The dialect a fixture's name begins with.
pub(crate) fn dialect_of(name: &str) -> Dialect {
    *Dialect::ALL.iter().find(|dialect| name.starts_with(dialect.word())).unwrap_or_else(|| panic!("{name}: no dialect"))
}

/// What a stream gives when its bytes come in `pieces`: the deltas, those of one kind joined, and the end.
pub(crate) fn feed<'a>(dialect: Dialect, pieces: impl IntoIterator<Item = &'a [u8]>) -> (Vec<Delta>, Result<Reply, DecodeError>) {
    let mut decoder = StreamDecoder::new(dialect);
    let mut deltas = Vec::new();
    for piece in pieces {
        match decoder.push(piece) {
            Ok(new) => new.into_iter().for_each(|delta| join(&mut deltas, delta)),
            Err(error) => return (deltas, Err(error)),
        }
    }
    (deltas, decoder.finish())
}

fn join(deltas: &mut Vec<Delta>, delta: Delta) {
    match (deltas.last_mut(), delta) {
        (Some(Delta::Text(old)), Delta::Text(new)) | (Some(Delta::Reasoning(old)), Delta::Reasoning(new)) => old.push_str(&new),
        (Some(Delta::CallArgs { index, text }), Delta::CallArgs { index: same, text: new }) if *index == same => {
            text.push_str(&new);
        }
        (_, delta) => deltas.push(delta),
    }
}

pub(crate) fn end(result: &Result<Reply, DecodeError>) -> String {
    match result {
        Ok(found) => reply(found),
        Err(found) => error(found),
    }
}

pub(crate) fn error(error: &DecodeError) -> String {
    match error {
        DecodeError::Provider(provider) => format!(
            "error {:?} {} {} {:?}",
            provider.kind,
            provider.name.as_deref().unwrap_or("-"),
            provider.code.as_deref().unwrap_or("-"),
            provider.message
        ),
        other => format!("error {other:?}"),
    }
}

pub(crate) fn reply(reply: &Reply) -> String {
    let mut out = format!("{:?} {}", reply.stop, reply.stop_reason.as_deref().unwrap_or("-"));
    let _ = write!(out, " | {} {}", reply.model.as_deref().unwrap_or("-"), reply.id.as_deref().unwrap_or("-"));
    if let Some(usage) = reply.usage {
        let _ = write!(out, " | {} in {} out {} read {} written", usage.input, usage.output, usage.cache_read, usage.cache_write);
    }
    for ignored in &reply.ignored {
        let _ = write!(out, " | ignored {ignored}");
    }
    let mut calls = reply.calls();
    for part in &reply.parts {
        out.push('\n');
        out.push_str(&self::part(part));
        if let Part::ToolCall(_) = part
            && let Some((_, state)) = calls.next()
        {
            let _ = write!(out, " {state:?}");
        }
    }
    out
}

fn part(part: &Part) -> String {
    let mark = |name: &str, value: &Option<String>| value.as_ref().map(|value| format!(" {name}={value}")).unwrap_or_default();
    match part {
        Part::Text(text) => format!("text {:?}{}", text.text, mark("signature", &text.signature)),
        Part::Reasoning(part) => format!(
            "reasoning {:?}{}{}{}",
            part.text,
            mark("signature", &part.signature),
            mark("id", &part.id),
            if part.redacted { " redacted" } else { "" }
        ),
        Part::ToolCall(call) => {
            let native = call.native.as_ref().map(|block| format!(" native={}", block.text())).unwrap_or_default();
            format!("call {} {} {}{}{native}", call.id, call.name, call.args.text(), mark("signature", &call.signature))
        }
        Part::ToolResult(result) => {
            let content = match &result.content {
                ResultContent::Text(text) => format!("{text:?}"),
                ResultContent::Parts(parts) => format!("{} parts", parts.len()),
            };
            let native = result.native.as_ref().map(|block| format!(" native={}", block.text())).unwrap_or_default();
            format!("result {} {content}{}{native}", result.id, if result.is_error { " failed" } else { "" })
        }
        Part::Image(image) => match &image.media {
            Media::Data(data) => format!("image {} {data}", image.media_type),
            Media::Url(url) => format!("image {} {url}", image.media_type),
        },
        Part::File(file) => format!("file {}", file.media_type),
    }
}
