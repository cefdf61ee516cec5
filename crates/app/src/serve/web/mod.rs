//! How requests come in and answers go out: one declaration gives a route, its checks and its page in the document.
//!
//! A handler is `async fn(Cx, Input<Path, Query, Body>) -> Done<Answer>`. Its types are what is read, checked and
//! documented, so the document cannot say anything else than what is done.

mod answer;
mod api;
mod body;
mod cx;
mod doc;
mod hands;
mod idempotent;
mod misfit;
mod problem;

pub(super) use answer::{Answer, Done, Given};
pub(super) use api::{About, Api, Load, Verb};
pub(super) use cx::{Cx, Input};
pub(super) use doc::Plain;
pub(super) use hands::{Hands, InHand};
pub(super) use idempotent::{Attempt, Turn, check_key, key_of};
pub(super) use problem::{Code, Problem};
