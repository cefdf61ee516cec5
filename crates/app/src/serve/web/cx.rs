//! What a handler is given.

use super::hands::InHand;
use crate::serve::house::House;
use crate::serve::who::Who;
use http::HeaderMap;
use std::sync::Arc;

/// Where a handler stands: the house, who asks, and the headers that mean something.
#[derive(Clone)]
pub(in crate::serve) struct Cx {
    pub(in crate::serve) house: House,
    pub(in crate::serve) who: Who,
    /// The idempotency key.
    pub(in crate::serve) key: Option<String>,
    pub(in crate::serve) headers: HeaderMap,
    /// Room for the body, for as long as something is done with it.
    pub(in crate::serve) room: Option<Arc<InHand>>,
}

/// What was asked: the names in the path, the query, the body. `()` where there is none.
pub(in crate::serve) struct Input<P = (), Q = (), B = ()> {
    pub(in crate::serve) path: P,
    pub(in crate::serve) query: Q,
    pub(in crate::serve) body: B,
}
