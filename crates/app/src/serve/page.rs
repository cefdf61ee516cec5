//! The page: files that were put into this binary when it was built. It holds nothing of anybody; all it shows it asks the
//! API for.
//!
//! Files below `/assets` are named by their contents and never change. Every other address that a browser opens is the page
//! itself, which knows what to show there. (While developing, files are read from `web/dist` as they are.)

use super::html;
use super::web::Problem;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Files;

/// How a file is packed; the smallest first.
const PACKED: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];
const FOREVER: &str = "public, max-age=31536000, immutable";
const ASK_AGAIN: &str = "no-cache";

pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/", get(opened))
        .route("/icon.svg", get(file))
        .route("/icon-waiting.svg", get(file))
        .route("/assets/{*path}", get(file))
}

/// What stands at an address that no other route knows.
pub(super) async fn elsewhere(request: Request) -> Response {
    let path = request.uri().path();
    let programs = ["/api", "/v1", "/mcp"].iter().any(|root| path == *root || path.starts_with(&format!("{root}/")));
    match !programs && request.method() == Method::GET && wants_html(request.headers()) {
        true => opened(request).await,
        false => Problem::not_found().into_response(),
    }
}

fn wants_html(headers: &HeaderMap) -> bool {
    headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|accept| accept.contains("text/html"))
}

async fn opened(request: Request) -> Response {
    send("index.html", request.headers(), ASK_AGAIN).unwrap_or_else(|| Html(missing()).into_response())
}

async fn file(request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    let keep = if path.starts_with("assets/") { FOREVER } else { ASK_AGAIN };
    send(path, request.headers(), keep).unwrap_or_else(|| Problem::not_found().into_response())
}

/// A file, packed as the asker can unpack it.
fn send(path: &str, headers: &HeaderMap, keep: &'static str) -> Option<Response> {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let packed = PACKED.iter().filter(|(name, _)| accepts(accepted, name));
    let packed = packed.filter_map(|(name, end)| Some((Files::get(&format!("{path}.{end}"))?, Some(*name)))).next();
    let (found, encoding) = match packed {
        Some(packed) => packed,
        None => (Files::get(path)?, None),
    };
    Some(respond(path, &found, encoding, headers, keep))
}

fn accepts(accepted: &str, name: &str) -> bool {
    accepted.split(',').any(|one| {
        let (coding, weight) = one.split_once(';').unwrap_or((one, ""));
        coding.trim() == name && weight.trim() != "q=0"
    })
}

fn respond(path: &str, file: &EmbeddedFile, encoding: Option<&'static str>, headers: &HeaderMap, keep: &'static str) -> Response {
    let hash: String = file.metadata.sha256_hash().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{hash}\"");
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|given| given.as_bytes() == tag.as_bytes());
    let body = if known { Body::empty() } else { Body::from(file.data.to_vec()) };
    let mut response = Response::new(body);
    if known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let out = response.headers_mut();
    out.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(path)));
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    out.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        out.insert(header::ETAG, tag);
    }
    if let Some(encoding) = encoding {
        out.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}

/// What somebody sees whose binary was built without the page.
fn missing() -> String {
    html::page(
        "Weft",
        "<h1>Weft</h1><p>The server runs, but was built without its page: <code>make build</code> makes both. Programs use the \
         <a href=\"/api/docs\">API</a>.</p>",
    )
}
