//! The way to a server over streamable HTTP.

use crate::tools::{Environment, HttpConfig, ServerError, limits};
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::common::client_side_sse::ExponentialBackoff;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// How often a broken stream is taken up again. It asks for the rest of an answer, never for the call to be run again.
const RESUMES: usize = 3;
const RESUME_AFTER: Duration = Duration::from_millis(200);

pub(super) fn transport(
    address: &HttpConfig,
    environment: &Environment,
) -> Result<StreamableHttpClientTransport<reqwest::Client>, ServerError> {
    let mut resume = ExponentialBackoff::default();
    resume.max_times = Some(RESUMES);
    resume.base_duration = RESUME_AFTER;
    let mut config = StreamableHttpClientTransportConfig::with_uri(address.url.as_str())
        .custom_headers(headers(address, environment)?)
        .max_concurrent_requests(64)
        .max_sse_event_size(limits::MESSAGE)
        // A server that forgot our session may be another than the one whose tools we listed: it is greeted and asked anew.
        .reinit_on_expired_session(false);
    config.retry_config = Arc::new(resume);
    Ok(StreamableHttpClientTransport::with_client(client()?, config))
}

/// A client that follows no redirects: headers hold keys, and they are for the server they were written for.
fn client() -> Result<reqwest::Client, ServerError> {
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).connect_timeout(limits::CONNECT);
    client.build().map_err(|error| ServerError::Client { said: error.to_string() })
}

fn headers(address: &HttpConfig, environment: &Environment) -> Result<HashMap<HeaderName, HeaderValue>, ServerError> {
    let header = |(name, value): (&String, &crate::tools::Template)| {
        let bad = || ServerError::Header { name: name.clone() };
        let mut value = HeaderValue::try_from(value.fill(environment)?).map_err(|_| bad())?;
        value.set_sensitive(true);
        Ok((HeaderName::try_from(name.as_str()).map_err(|_| bad())?, value))
    };
    address.headers.iter().map(header).collect()
}
