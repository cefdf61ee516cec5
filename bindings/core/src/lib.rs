//! What the Python and the Node package of the engine share.
//!
//! JSON comes in and JSON goes out; the two shells only turn it into what their language has. Invariants: a caller's own
//! messages are never copied into a result, only pointed at ([`Kept::Own`]); every failure is a [`Fault`] that names what is
//! wrong; nothing panics through [`guarded`].

mod convert;
mod count;
mod decode;
mod fault;
mod file;
mod fit;
mod guard;
mod handle;
mod lint;
mod messages;
mod model;
mod options;
mod request;
mod shape;
mod tools;

pub use convert::{Converted, convert};
pub use count::{count, count_text};
pub use decode::{Stream, decode};
pub use fault::Fault;
pub use fit::{Fitted, Kept};
pub use guard::guarded;
pub use handle::{Assembled, Handle};
pub use lint::lint;
pub use model::{model, models};
pub use options::Options;
pub use request::fit_request;
pub use shape::Shape;
