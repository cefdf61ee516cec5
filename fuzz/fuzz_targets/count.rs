//! Any text: a count from every counter, never a panic.
#![no_main]
use libfuzzer_sys::fuzz_target;
use weftwork::count::Base;

fuzz_target!(|text: &str| {
    for base in Base::ALL {
        base.text(text);
    }
});
