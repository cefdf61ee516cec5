//! One exchange: the request out, the answer in, chunk by chunk as it comes.

use crate::client::because;
use crate::clock::Clock;
use crate::error::SendError;
use crate::offline::Performance;
use crate::send::{Form, Order};
use bytes::Bytes;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, Response, StatusCode};
use std::sync::Arc;

/// Where an answer comes from.
pub(crate) enum Wire {
    Http(Box<Response>),
    Offline(Performance),
}

/// The beginning of an answer.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) wire: Wire,
}

impl Wire {
    /// Sends the request and waits for the head of the answer.
    pub(crate) async fn open(order: &Order, client: Option<&Client>, clock: &Arc<dyn Clock>) -> Result<Answer, SendError> {
        let provider = &order.target.provider;
        if !provider.kind.speaks(order.dialect) {
            return Err(SendError::WrongDialect { provider: provider.name.clone(), dialect: order.dialect });
        }
        match (&provider.address, client) {
            (Some(address), Some(client)) => {
                let url = address.endpoint(provider.kind, order.dialect, &order.target.model, order.form);
                let unreachable =
                    |error: reqwest::Error| SendError::Unreachable { host: address.to_string(), why: because(&error) };
                let request = client.post(url).headers(headers(order)).body(order.body.clone());
                Ok(Answer::from(request.send().await.map_err(unreachable)?))
            }
            (None, _) | (_, None) => Performance::begin(order, clock),
        }
    }

    /// The next bytes; none at the end. `came` says how many came before, for the error.
    pub(crate) async fn chunk(&mut self, came: u64) -> Result<Option<Bytes>, SendError> {
        match self {
            Wire::Http(response) => response.chunk().await.map_err(|error| SendError::Cut { bytes: came, why: because(&error) }),
            Wire::Offline(performance) => Ok(performance.next().await),
        }
    }

    /// A page for people where an answer was expected is some other server's.
    pub(crate) fn check_type(&self, headers: &HeaderMap) -> Result<(), SendError> {
        let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        match kind.starts_with("text/html") {
            true => Err(SendError::Malformed { what: "it is a web page: check the base_url".to_owned() }),
            false => Ok(()),
        }
    }
}

impl From<Response> for Answer {
    fn from(mut response: Response) -> Self {
        let headers = std::mem::take(response.headers_mut());
        Answer { status: response.status(), headers, wire: Wire::Http(Box::new(response)) }
    }
}

/// The headers of a request. Where both speak the caller's word replaces ours, except on what the body is and how it is answered.
fn headers(order: &Order) -> HeaderMap {
    let mut headers = order.target.provider.headers(order.key.as_ref());
    headers.extend(order.headers.clone());
    let accept = match order.form {
        Form::Streamed => "text/event-stream, application/x-ndjson, application/json",
        Form::Whole => "application/json",
    };
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(ACCEPT, HeaderValue::from_static(accept));
    headers
}
