//! The border that no panic crosses.

use crate::Fault;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does some work; a panic inside it is a fault like any other.
///
/// The work may have left something half done: who calls must not use again what it held.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        Err(Fault::Internal { what: text.unwrap_or("a panic without words").to_owned() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_fault() {
        let fault = guarded::<()>(|| panic!("at {}", 7)).expect_err("it panics");
        assert_eq!(fault.to_string(), "internal: at 7");
    }
}
