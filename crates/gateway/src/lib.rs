//! What happens between a store of conversations and the models: chat turns, tools, summaries and titles.

mod chat;
mod demo;
pub mod dropin;
mod error;
mod event;
mod gateway;
mod kept_pins;
mod keys;
pub mod loom;
mod name;
pub mod push;
mod runs;
pub mod schedule;
pub mod services;
pub mod tools;

pub use chat::{Chat, ChatPreview, Figures, How, Imagined, MOST_ROUNDS, Open, Replied, Say, Sight, Summarized, Undone, Wire};
pub use demo::{Demo, DemoError, Made};
pub use error::{GatewayError, OverBudget, Unusable};
pub use event::{Event, Live, Notice, Permission, Used};
pub use gateway::{Gateway, Time};
pub use kept_pins::KeptPins;
pub use keys::{Seal, SealError, hand_out_keys, keep_key, kept_keys};
pub use name::{BadName, LONGEST_NAME, new_name};
pub use runs::{
    ApproveRunError, Deeded, Did, DriveError, Ended, Given, Handed, LONGEST_MESSAGE, Message, Point, Points, PostError,
    RunPreview, Waiting, Worker, WorkerSettings, asked, did, not_woken,
};
