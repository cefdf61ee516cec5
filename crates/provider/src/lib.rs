//! The one way to models: transports, retry, the model catalogue, and a model that needs no network.
//!
//! [`Providers`] are set up from a [`Config`] and the environment. A model's name resolves to a [`Target`]; the engine
//! assembles a request in the target's dialect; [`Providers::send`] takes the bytes and gives the reply as it comes, then an
//! [`Outcome`] with everything worth keeping. This crate knows nothing of histories or stores, and the engine nothing of it.
//!
//! ```
//! use weftwork_provider::{Config, Event, Order, Providers};
//! use weftwork::{catalogue::Catalogue, decode::Delta};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! let providers = Providers::new(&Config::default(), Catalogue::built_in(), |name| std::env::var(name).ok())?;
//! let target = providers.resolve("offline")?;
//! let dialect = target.dialect();
//! let request = br#"{"messages":[{"role":"user","content":"!say Hello"}]}"#.to_vec();
//! let mut sending = providers.send(Order::new(target, dialect, request));
//! while let Some(event) = sending.next().await {
//!     if let Event::Delta(Delta::Text(text)) = event {
//!         print!("{text}");
//!     }
//! }
//! let outcome = sending.finish().await?;
//! assert_eq!(outcome.reply.text(), "Hello");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod address;
mod attempt;
mod client;
mod clock;
mod config;
mod discover;
mod drive;
mod error;
mod estimate;
mod forward;
pub mod guard;
mod head;
mod heard;
mod key;
mod kind;
mod listing;
mod load;
mod offline;
mod outcome;
mod path;
mod patience;
mod provider;
mod providers;
mod read;
mod resolve;
mod retry_after;
mod send;
mod trace;
mod wire;

pub use address::{Address, BadAddress};
pub use attempt::{Attempt, Forwarded, Resend, Retry, Step, classify};
pub use clock::{Clock, Pause, SystemClock};
pub use config::{BadConfig, Config, ModelConfig, PricesConfig, ProviderConfig};
pub use discover::{Discovery, FoundModel};
pub use error::{Failure, SendError};
pub use forward::{ForwardError, Passage, Passed, PassedBody};
pub use head::Head;
pub use heard::{Expected, Heard};
pub use key::{BadKey, Key};
pub use kind::Kind;
pub use listing::ListedModel;
pub use load::{BrokenBody, Load, Pieces};
pub use offline::Obedience;
pub use outcome::{Kept, Measured, Outcome, Raw, Timing};
pub use path::BadPath;
pub use patience::Patience;
pub use provider::{Provider, SetupError};
pub use providers::{OFFLINE, Providers};
pub use resolve::{Payer, ResolveError, Target};
pub use send::{Event, Form, Order, Relay, Sending};
pub use trace::TRACE;
