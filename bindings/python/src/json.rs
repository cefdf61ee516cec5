//! Python objects as JSON text, and back.
//!
//! Dicts, lists, tuples, strings, numbers, booleans and None are written as they are. Anything else that a message may hold
//! says itself what it is: models of Pydantic (`model_dump`), as clients of providers return them. No blank is written between
//! tokens.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde_json::Value;

/// Deeper than the engine reads.
const MAX_DEPTH: usize = 120;

/// Writes one object.
pub(crate) fn write(object: &Bound<'_, PyAny>, out: &mut String) -> PyResult<()> {
    value(object, out, 0)
}

/// Writes the items of a list, or of anything that can be gone through.
pub(crate) fn write_list(list: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut out = String::from("[");
    for (at, item) in list.try_iter()?.enumerate() {
        if at > 0 {
            out.push(',');
        }
        value(&item?, &mut out, 1)?;
    }
    out.push(']');
    Ok(out)
}

fn value(object: &Bound<'_, PyAny>, out: &mut String, depth: usize) -> PyResult<()> {
    if depth > MAX_DEPTH {
        return Err(PyValueError::new_err(format!("nested deeper than {MAX_DEPTH} levels")));
    }
    if let Ok(text) = object.cast::<PyString>() {
        string(text, out)
    } else if let Ok(dict) = object.cast::<PyDict>() {
        object_of(dict, out, depth)
    } else if let Ok(list) = object.cast::<PyList>() {
        array(list.iter(), out, depth)
    } else if object.is_none() {
        out.push_str("null");
        Ok(())
    } else if let Ok(truth) = object.cast::<PyBool>() {
        out.push_str(if truth.is_true() { "true" } else { "false" });
        Ok(())
    } else if object.is_instance_of::<PyInt>() {
        out.push_str(object.str()?.to_str()?);
        Ok(())
    } else if let Ok(number) = object.cast::<PyFloat>() {
        float(number.value(), out)
    } else if let Ok(tuple) = object.cast::<PyTuple>() {
        array(tuple.iter(), out, depth)
    } else {
        other(object, out, depth)
    }
}

fn array<'py>(items: impl Iterator<Item = Bound<'py, PyAny>>, out: &mut String, depth: usize) -> PyResult<()> {
    out.push('[');
    for (at, item) in items.enumerate() {
        if at > 0 {
            out.push(',');
        }
        value(&item, out, depth + 1)?;
    }
    out.push(']');
    Ok(())
}

fn object_of(dict: &Bound<'_, PyDict>, out: &mut String, depth: usize) -> PyResult<()> {
    out.push('{');
    for (at, (key, item)) in dict.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        let key = key.cast::<PyString>().map_err(|_| PyTypeError::new_err("keys must be strings"))?;
        string(key, out)?;
        out.push(':');
        value(&item, out, depth + 1)?;
    }
    out.push('}');
    Ok(())
}

/// Half of a surrogate pair, which Python allows in a string and UTF-8 does not, becomes U+FFFD.
fn string(text: &Bound<'_, PyString>, out: &mut String) -> PyResult<()> {
    match text.to_str() {
        Ok(text) => quoted(text, out),
        Err(_) => quoted(&text.to_string_lossy(), out),
    }
    Ok(())
}

/// Writes a JSON string: runs of plain characters at once.
fn quoted(text: &str, out: &mut String) {
    out.reserve(text.len() + 2);
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| byte < 0x20 || byte == b'"' || byte == b'\\') {
        out.push_str(&rest[..at]);
        match rest.as_bytes()[at] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            control => out.push_str(&format!("\\u{control:04x}")),
        }
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out.push('"');
}

fn float(number: f64, out: &mut String) -> PyResult<()> {
    match serde_json::Number::from_f64(number) {
        Some(number) => out.push_str(&number.to_string()),
        None => return Err(PyValueError::new_err(format!("{number} is not a number that JSON has"))),
    }
    Ok(())
}

fn other(object: &Bound<'_, PyAny>, out: &mut String, depth: usize) -> PyResult<()> {
    if let Ok(dump) = object.getattr("model_dump") {
        let how = PyDict::new(object.py());
        how.set_item("mode", "json")?;
        how.set_item("exclude_none", true)?;
        return value(&dump.call((), Some(&how))?, out, depth + 1);
    }
    if let Ok(items) = object.call_method0("items") {
        let dict = PyDict::new(object.py());
        for pair in items.try_iter()? {
            let (key, item): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair?.extract()?;
            dict.set_item(key, item)?;
        }
        return object_of(&dict, out, depth);
    }
    Err(PyTypeError::new_err(format!("a {} cannot be part of a message", object.get_type().name()?)))
}

/// Text or bytes as they are; anything else as JSON.
pub(crate) fn bytes_of(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(text.to_str()?.as_bytes().to_vec());
    }
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().to_vec());
    }
    let mut out = String::new();
    write(object, &mut out)?;
    Ok(out.into_bytes())
}

/// A JSON text as a Python object.
pub(crate) fn read<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let value: Value = serde_json::from_str(text).map_err(|error| PyValueError::new_err(error.to_string()))?;
    object(py, &value)
}

/// A JSON value as a Python object.
pub(crate) fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => whole.into_pyobject(py)?.into_any(),
            (None, Some(whole)) => whole.into_pyobject(py)?.into_any(),
            (None, None) => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            items.iter().try_for_each(|item| list.append(object(py, item)?))?;
            list.into_any()
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            fields.iter().try_for_each(|(key, item)| dict.set_item(key, object(py, item)?))?;
            dict.into_any()
        }
    })
}
