//! What the server tells about itself: numbers for Prometheus, a line of the log and a span for each request.

use super::house::House;
use super::trace;
use super::web::{Load, Problem};
use super::who::Need;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;
use tracing::field::Empty;
use weftwork_provider::TRACE;

/// Seconds that requests are sorted by.
const SECONDS: [f64; 11] = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0];
/// How often numbers are put together that nobody asked for yet.
const UPKEEP: Duration = Duration::from_secs(5);

/// Begins to count. There is one book of numbers in a process.
pub(super) fn begin() -> anyhow::Result<PrometheusHandle> {
    let recorder = PrometheusBuilder::new().set_buckets_for_metric(Matcher::Suffix("_seconds".into()), &SECONDS)?;
    let handle = recorder.install_recorder()?;
    metrics::describe_counter!("weft_requests_total", "Requests, by route, method and status");
    metrics::describe_histogram!("weft_request_seconds", "How long requests took until their answer began");
    metrics::describe_counter!(
        "weft_passed_total",
        "Requests passed on untouched, by provider and its status; 0 where none came"
    );
    metrics::describe_gauge!("weft_under_way", "Requests under way");
    metrics::describe_gauge!("weft_streams", "Streams of events that are open");
    metrics::describe_gauge!("weft_body_bytes", "Bytes of large requests and files in hand, by load");
    Ok(handle)
}

/// Puts numbers together now and then: samples that nobody reads would gather.
pub(super) async fn upkeep(handle: PrometheusHandle, closing: CancellationToken) {
    while tokio::time::timeout(UPKEEP, closing.cancelled()).await.is_err() {
        handle.run_upkeep();
    }
}

/// `GET /metrics`, for owners.
pub(super) async fn numbers(State(house): State<House>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    match house.admit(&parts, Need::Owner).await {
        Ok(_) => {
            let (under_way, streams) = house.limits.taken();
            metrics::gauge!("weft_under_way").set(under_way as f64);
            metrics::gauge!("weft_streams").set(streams as f64);
            for (load, name) in [(Load::Usual, "usual"), (Load::File, "file")] {
                metrics::gauge!("weft_body_bytes", "load" => name).set(house.limits.hands(load).taken() as f64);
            }
            ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], house.numbers.render()).into_response()
        }
        Err(problem) => Problem::into_response(problem),
    }
}

/// Counts a request and writes its line. Nothing of its query, its headers or its body is told.
pub(super) async fn request(request: Request, next: Next) -> Response {
    let began = Instant::now();
    // A path that nobody declared could be anything.
    let route = request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str).to_owned();
    // Anybody can make up a method; each would be a number of its own for good.
    let method = match request.method().as_str() {
        known @ ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS") => known.to_owned(),
        _ => "other".to_owned(),
    };
    let span = tracing::info_span!(
        target: TRACE,
        "request",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        http.request.method = method,
        http.route = route,
        http.response.status_code = Empty,
        otel.status_code = Empty,
    );
    trace::hang(&span, request.headers());
    let response = next.run(request).instrument(span.clone()).await;
    span.record("http.response.status_code", response.status().as_u16());
    if response.status().is_server_error() {
        span.record("otel.status_code", "ERROR");
    }
    let (status, took) = (response.status().as_u16(), began.elapsed());
    let labels = [("route", route.clone()), ("method", method.clone()), ("status", status.to_string())];
    metrics::counter!("weft_requests_total", &labels).increment(1);
    metrics::histogram!("weft_request_seconds", "route" => route.clone()).record(took.as_secs_f64());
    if status >= 500 {
        tracing::warn!(route, method, status, ms = took.as_millis() as u64, "request");
    } else {
        tracing::debug!(route, method, status, ms = took.as_millis() as u64, "request");
    }
    response
}
