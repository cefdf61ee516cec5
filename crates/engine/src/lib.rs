//! Weave from any conversation exactly what a model should see.
//!
//! A [`History`] and an [`Ask`](ask::Ask) go in; a request in one [`Dialect`](dialect::Dialect) and a
//! [`Report`](report::Report) come out, or one typed error. The request is inside the token budget and valid for its API;
//! the report says what happened to every node. Same input, same bytes: nothing here reads a clock, a file, the network
//! or a global.
//!
//! ```
//! use weftwork::ask::{Ask, Check, Settings};
//! use weftwork::{History, assemble, dialect::Dialect, formats};
//!
//! let import = formats::import(br#"[{"role":"user","content":"Hello"}]"#, None, Check::Repair)?;
//! let history = History::new(import.conversations.into_iter().next().expect("one chat"))?;
//! let settings = Settings { context_length: Some(8_000), ..Settings::default() };
//! let assembly = assemble(&history, &Ask { dialect: Some(Dialect::OpenAi), settings, ..Ask::default() })?;
//! assert_eq!(assembly.request, br#"{"messages":[{"role":"user","content":"Hello"}]}"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! One page a concept:
//!
//! | page | what |
//! |---|---|
//! | [`model`] | what is kept: entities, spaces, nodes, parts, calls, usage |
//! | [`History`] | a conversation that holds together, indexed |
//! | [`ask`] | what a caller wants: settings, presets, policies |
//! | [`assemble`] | the line from path to render |
//! | [`report`] | what happened to every node, and why |
//! | [`dialect`] | wire formats and the rules of their APIs |
//! | [`lint`] | a request proved valid, offline |
//! | [`decode`] | replies and streams |
//! | [`encode`] | replies written in a client's API |
//! | [`intake`] | a client's request taken apart, and laid over what is sent |
//! | [`timeline`] | multi-party spaces, read as who said what, when and why |
//! | [`count`] | tokens: exact, estimated, and said to be so |
//! | [`cache`] | what a provider's cache keeps between two requests |
//! | [`formats`] | files of other programs, in and out, with a loss report |
//! | [`provenance`] | hashes that fix what was said |
//! | [`usage`] | tokens and money over calls |
//! | [`catalogue`] | what is known of models |

pub mod ask;
pub mod cache;
pub mod catalogue;
pub mod count;
pub mod decode;
pub mod dialect;
pub mod encode;
pub mod formats;
pub mod history;
pub mod intake;
mod line;
pub mod lint;
pub mod model;
pub mod prompt;
pub mod provenance;
pub mod report;
pub mod timeline;
pub mod usage;

pub use history::{History, HistoryError};
pub use line::{AssembleError, Assembly, Reach, Sized, assemble, reach};
