//! The engine for Python: a thin shell around `weftwork_bindings`.
//!
//! Python objects become JSON text while the interpreter is held, the work is done while it is not, and results become Python
//! objects again; messages that were not changed are the very objects that came in. The package in `python/weftwork` gives
//! all this its names and types. `unsafe` is denied here instead of forbidden, because what PyO3's macros write holds it; there is
//! none of our own.

mod fault;
mod json;
mod native;

use pyo3::prelude::*;

/// The native part of the package.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    native::fill(module)
}
