//! Any JSON, for any API: findings, never a panic.
#![no_main]
use libfuzzer_sys::fuzz_target;
use weftwork::dialect::Dialect;

fuzz_target!(|data: &[u8]| {
    if let Ok(body) = serde_json::from_slice(data) {
        for dialect in Dialect::ALL {
            weftwork::lint::lint(&body, *dialect);
        }
    }
});
