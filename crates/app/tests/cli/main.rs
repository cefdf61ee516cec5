//! The binary as a person runs it: arguments and stdin in, exit code, stdout and stderr out.

mod assemble;
mod bad_input;
mod chat;
mod convert;
mod count;
mod explain;
mod fit;
mod keep;
mod lint;
mod run;
mod team;
mod usage;
