//! For whom a request was meant. A page elsewhere can make a browser connect here under a name of its own; that name is in
//! `Host`, and is not ours.

use super::house::House;
use super::web::{Code, Problem};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::uri::Authority;
use http::{HeaderMap, header};
use std::net::IpAddr;

/// Refuses what was meant for another host.
pub(super) async fn check(State(house): State<House>, request: Request, next: Next) -> Response {
    let authority = request.uri().authority().cloned().or_else(|| host_of(request.headers()));
    match authority {
        Some(authority) if house.is_own_host(&authority) => next.run(request).await,
        _ => Problem::new(Code::WrongHost, "this server is not called that: set [server] public_url").into_response(),
    }
}

fn host_of(headers: &HeaderMap) -> Option<Authority> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next()?.to_str().ok()?.parse().ok()?;
    // Two hosts are a trick.
    hosts.next().is_none().then_some(host)
}

impl House {
    /// Whether this is a name of ours: the public one, or any address or name of this machine while nothing is public.
    fn is_own_host(&self, authority: &Authority) -> bool {
        let host = authority.host();
        let public = self.settings.public.as_ref().is_some_and(|public| public.host() == host);
        public || is_loopback(host) || (self.settings.is_open() && is_address(host))
    }

    /// Whether a form or a request to sign in comes from our own page, or from no page at all.
    pub(super) fn is_own_page(&self, headers: &HeaderMap) -> bool {
        match headers.get(header::ORIGIN) {
            Some(origin) => origin.to_str().is_ok_and(|origin| self.is_own_origin(origin, headers)),
            None => true,
        }
    }

    /// Whether an origin is that of our own page.
    pub(super) fn is_own_origin(&self, origin: &str, headers: &HeaderMap) -> bool {
        if let Some(public) = &self.settings.public
            && public.origin() == origin
        {
            return true;
        }
        let Some((scheme, rest)) = origin.split_once("://") else { return false };
        let Some(host) = host_of(headers).filter(|host| host.as_str() == rest) else { return false };
        // Plain HTTP is ours only where no proxy could have taken the encryption away.
        scheme == "http" && (self.settings.public.is_none() || is_loopback(host.host()))
    }
}

pub(super) fn is_loopback(host: &str) -> bool {
    host == "localhost" || address(host).is_some_and(|address| address.is_loopback())
}

fn is_address(host: &str) -> bool {
    address(host).is_some()
}

fn address(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}
