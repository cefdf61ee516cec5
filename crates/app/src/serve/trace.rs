//! Tracing: what is logged, and spans for a collector (OTLP over HTTP) where `OTEL_EXPORTER_OTLP_ENDPOINT` names one.
//!
//! A request that comes with a `traceparent` hangs below it. A span says which route or model, how long, how it ended and what
//! it used: no contents, no secrets, no names of spaces.

use super::args::LogFormat;
use anyhow::{Context, Result};
use http::HeaderMap;
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use std::io::IsTerminal;
use tracing::level_filters::LevelFilter;
use tracing::{Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry};
use weftwork_provider::TRACE;

/// Where a collector is. The standard names, which its exporter reads, too.
const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];

/// Spans that are on their way to a collector.
pub(super) struct Traces(Option<SdkTracerProvider>);

impl Traces {
    /// Sends what is left.
    pub(super) fn end(self) {
        if let Some(Err(error)) = self.0.map(|provider| provider.shutdown()) {
            tracing::warn!(%error, "the last spans did not reach the collector");
        }
    }
}

/// Begins to log and, where somebody collects, to trace.
pub(super) fn begin(format: LogFormat) -> Result<Traces> {
    let provider = match ENDPOINTS.iter().any(|name| std::env::var(name).is_ok_and(|value| !value.is_empty())) {
        true => Some(exporting()?),
        false => None,
    };
    let spans = provider.as_ref().map(|provider| {
        let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("weft"));
        layer.with_location(false).with_threads(false).with_tracked_inactivity(false).with_filter(only_spans())
    });
    // Whoever calls twice has a log already.
    let _ = Registry::default().with(spans).with(written(format)).try_init();
    Ok(Traces(provider))
}

/// Hangs a span below that of whoever asks, where a `traceparent` names one.
pub(super) fn hang(span: &Span, headers: &HeaderMap) {
    if !headers.contains_key("traceparent") {
        return;
    }
    let theirs = TraceContextPropagator::new().extract(&Named(headers));
    // Where nobody collects there is nothing to hang.
    let _ = span.set_parent(theirs);
}

/// Headers, as the propagator reads them.
struct Named<'h>(&'h HeaderMap);

impl Extractor for Named<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(http::HeaderName::as_str).collect()
    }
}

fn only_spans() -> Targets {
    Targets::new().with_target(TRACE, LevelFilter::INFO)
}

fn written<S: Subscriber + for<'s> LookupSpan<'s>>(format: LogFormat) -> Box<dyn Layer<S> + Send + Sync> {
    let filter =
        EnvFilter::try_from_env("WEFT_LOG").unwrap_or_else(|_| EnvFilter::new("info,hyper=warn,rmcp=warn,opentelemetry=warn"));
    let filter = match format!("{TRACE}=off").parse() {
        Ok(off) => filter.add_directive(off),
        Err(_) => filter,
    };
    let log = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    match format {
        LogFormat::Text => log.with_ansi(std::io::stderr().is_terminal()).with_filter(filter).boxed(),
        LogFormat::Json => log.json().flatten_event(true).with_filter(filter).boxed(),
    }
}

fn exporting() -> Result<SdkTracerProvider> {
    let exporter = SpanExporter::builder().with_http().build().context("the collector of spans (OTEL_EXPORTER_OTLP_ENDPOINT)")?;
    let resource = Resource::builder();
    let resource = match std::env::var("OTEL_SERVICE_NAME") {
        Ok(name) if !name.is_empty() => resource,
        Ok(_) | Err(_) => resource.with_service_name("weft"),
    };
    Ok(SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource.build()).build())
}
