//! What happens between a store of conversations and the models: chat turns, tools, summaries and titles.

mod chat;
mod error;
mod event;
mod gateway;
mod kept_pins;
mod keys;
pub mod tools;

pub use chat::{Chat, Figures, How, MOST_ROUNDS, Open, Replied, Say, Summarized, Undone};
pub use error::{GatewayError, OverBudget, Unusable};
pub use event::{Event, Live, Notice, Permission, Used};
pub use gateway::{Gateway, Time};
pub use kept_pins::KeptPins;
pub use keys::{Seal, SealError, hand_out_keys, keep_key};
