//! Any bytes, as any format: an error or conversations, never a panic.
#![no_main]
use libfuzzer_sys::fuzz_target;
use weftwork::ask::Check;
use weftwork::formats::{Format, import};

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let format = Format::ALL.get(usize::from(first)).copied();
    let _ = import(rest, format, Check::Repair);
});
