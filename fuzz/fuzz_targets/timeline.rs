//! Any text as a rendered history: an error, or entries that render to a history with the same entries.
#![no_main]
use libfuzzer_sys::fuzz_target;
use weftwork::timeline::{parse, render};

fuzz_target!(|text: &str| {
    if let Ok(history) = parse(text) {
        assert_eq!(parse(&render(&history)).expect("what was rendered can be parsed"), history);
    }
});
