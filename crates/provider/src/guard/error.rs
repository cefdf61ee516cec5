//! Why an address is not asked, or gave nothing.

use super::class::Class;

/// Why an address is not asked. Its path and query are not repeated: they may hold something secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It is no address.
    #[error("this is no address: {why}")]
    Unreadable {
        /// What is wrong.
        why: String,
    },
    /// It is not one of HTTP.
    #[error("{scheme:?} is not spoken here: an address begins with http:// or https://")]
    Scheme {
        /// What it begins with.
        scheme: String,
    },
    /// It holds a user or a password.
    #[error("the address of {host:?} holds a user or a password")]
    Credentials {
        /// The server.
        host: String,
    },
    /// The port belongs to something other than HTTP.
    #[error("port {port} of {host:?} is not asked")]
    Port {
        /// The server.
        host: String,
        /// The port.
        port: u16,
    },
    /// It is not public.
    #[error("{host:?} is not public but {class}: the owner can allow it by name unless that is never opened")]
    NotPublic {
        /// The server.
        host: String,
        /// What its address is.
        class: Class,
    },
    /// It would leave an encrypted connection for one that is not.
    #[error("{host:?} is reached by a redirect that gives up encryption")]
    Downgrade {
        /// The server.
        host: String,
    },
}

/// Why a guarded request gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GuardError {
    /// The address is not asked.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The address that was connected to is not one that may be: nothing of the answer was read.
    #[error("{host:?} answered from an address that is {class}")]
    Peer {
        /// The server.
        host: String,
        /// What its address is.
        class: Class,
    },
    /// Who answered is not known: nothing of the answer was read.
    #[error("it is not known from where {host:?} answered")]
    UnknownPeer {
        /// The server.
        host: String,
    },
    /// It cannot be reached, or broke off.
    #[error("{host:?} cannot be reached: {why}")]
    Unreachable {
        /// The server.
        host: String,
        /// What went wrong.
        why: String,
    },
    /// It took too long.
    #[error("{host:?} took too long")]
    TimedOut {
        /// The server.
        host: String,
    },
    /// The answer is larger than allowed.
    #[error("the answer is larger than {limit} bytes")]
    TooLarge {
        /// What is allowed.
        limit: usize,
    },
    /// It points on too often.
    #[error("more than {} redirects", super::MOST_REDIRECTS)]
    TooManyRedirects,
    /// No client could be made.
    #[error("no HTTP client could be made: {why}")]
    Client {
        /// What went wrong.
        why: String,
    },
}
