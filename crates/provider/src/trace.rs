//! What a call to a model tells whoever traces it: OpenTelemetry's names for generative AI, and never a word of what was said.
//!
//! The names are kept here because no crate has them: they left the general conventions and change by themselves.

use crate::error::{Failure, SendError};
use crate::outcome::Outcome;
use crate::send::Order;
use tracing::Span;
use tracing::field::Empty;
use weftwork::decode::Stop;
use weftwork::dialect::Dialect;

/// The target of every span of Weft. Logs leave it out: spans go to whoever traces.
pub const TRACE: &str = "weft_trace";

/// A call that is about to be sent.
pub(crate) fn begin(order: &Order) -> Span {
    let operation = match order.dialect {
        Dialect::Completions => "text_completion",
        _ => "chat",
    };
    let (model, provider) = (order.target.model.wire_name(), order.target.provider.name());
    // The names that the conventions have for them.
    let provider = if provider == "gemini" { "gcp.gemini" } else { provider };
    tracing::info_span!(
        target: TRACE,
        "model",
        otel.name = format!("{operation} {model}"),
        otel.kind = "client",
        gen_ai.operation.name = operation,
        gen_ai.provider.name = provider,
        gen_ai.system = provider,
        gen_ai.request.model = model,
        gen_ai.response.id = Empty,
        gen_ai.response.model = Empty,
        gen_ai.response.finish_reasons = Empty,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        gen_ai.usage.cache_read.input_tokens = Empty,
        gen_ai.usage.cache_creation.input_tokens = Empty,
        weft.attempts = Empty,
        "error.type" = Empty,
        otel.status_code = Empty,
    )
}

/// How it ended.
pub(crate) fn end(span: &Span, ended: &Result<Outcome, Box<Failure>>) {
    if span.is_disabled() {
        return;
    }
    let (outcome, error) = match ended {
        Ok(outcome) => (outcome, None),
        Err(failure) => (&failure.outcome, Some(&failure.error)),
    };
    let reply = &outcome.reply;
    if let Some(id) = &reply.id {
        span.record("gen_ai.response.id", id.as_str());
    }
    if let Some(model) = &reply.model {
        span.record("gen_ai.response.model", model.as_str());
    }
    if let Some(measured) = outcome.usage {
        let usage = measured.usage;
        span.record("gen_ai.usage.input_tokens", usage.prompt());
        span.record("gen_ai.usage.output_tokens", usage.output);
        span.record("gen_ai.usage.cache_read.input_tokens", usage.cache_read);
        span.record("gen_ai.usage.cache_creation.input_tokens", usage.cache_write);
    }
    span.record("weft.attempts", u64::from(outcome.attempts));
    match error {
        None => {
            span.record("gen_ai.response.finish_reasons", reason(reply.stop));
        }
        Some(error) => {
            span.record("error.type", kind(error));
            span.record("otel.status_code", "ERROR");
        }
    }
}

fn reason(stop: Stop) -> &'static str {
    match stop {
        Stop::End | Stop::StopText | Stop::Paused => "stop",
        Stop::MaxTokens => "length",
        Stop::ToolCalls => "tool_call",
        Stop::Refused => "content_filter",
        Stop::Cut | Stop::Other => "error",
    }
}

/// The kind of an error: its words may hold what was said.
fn kind(error: &SendError) -> &'static str {
    match error {
        SendError::Overflow { .. } => "overflow",
        SendError::RateLimit { .. } => "rate_limit",
        SendError::Quota { .. } => "quota",
        SendError::Auth { .. } => "auth",
        SendError::Overloaded { .. } => "overloaded",
        SendError::Server { .. } => "server",
        SendError::Refused { .. } => "refused",
        SendError::Redirected { .. } => "redirected",
        SendError::Unreachable { .. } => "unreachable",
        SendError::Cut { .. } => "cut",
        SendError::Stalled { .. } => "stalled",
        SendError::TooSlow { .. } => "timeout",
        SendError::TooLarge { .. } => "too_large",
        SendError::Malformed { .. } => "malformed",
        SendError::WrongDialect { .. } => "wrong_dialect",
        SendError::Canceled => "canceled",
    }
}
