//! Faults as Python's exceptions. Their classes are written in Python: `weftwork.errors`.

use crate::json;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyModule;
use weftwork_bindings::Fault;

static RAISED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// The exception for a fault: the class of its name, with its facts.
pub(crate) fn raised(py: Python<'_>, fault: &Fault) -> PyErr {
    match exception(py, fault) {
        Ok(error) | Err(error) => error,
    }
}

fn exception(py: Python<'_>, fault: &Fault) -> PyResult<PyErr> {
    let make = RAISED.get_or_try_init(py, || PyModule::import(py, "weftwork.errors")?.getattr("of").map(Bound::unbind))?;
    let error = make.call1(py, (fault.name(), fault.to_string(), json::object(py, &fault.facts())?))?;
    Ok(PyErr::from_value(error.into_bound(py)))
}

/// The exception for an object that cannot be written as JSON; says which message it is in.
pub(crate) fn unwritable(py: Python<'_>, index: Option<usize>, error: &PyErr) -> PyErr {
    let path = index.map_or("$".to_owned(), |index| format!("$[{index}]"));
    raised(py, &Fault::InvalidMessage { index, path, what: error.value(py).to_string() })
}
