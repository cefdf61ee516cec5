//! What the package calls.

use crate::fault::{raised, unwritable};
use crate::json;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use std::sync::{Mutex, PoisonError};
use weftwork_bindings::{self as core, Fault, Fitted, Handle, Kept, Options, guarded};

/// Adds everything to the module.
pub(crate) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<NativeHistory>()?;
    module.add_class::<NativeStream>()?;
    for function in [
        wrap_pyfunction!(fit, module)?,
        wrap_pyfunction!(fit_request, module)?,
        wrap_pyfunction!(lint, module)?,
        wrap_pyfunction!(count_text, module)?,
        wrap_pyfunction!(convert, module)?,
        wrap_pyfunction!(decode, module)?,
        wrap_pyfunction!(model, module)?,
        wrap_pyfunction!(models, module)?,
    ] {
        module.add_function(function)?;
    }
    Ok(())
}

/// Does some work with the interpreter let go.
fn free<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Fault> + Send) -> PyResult<T> {
    py.detach(|| guarded(work)).map_err(|fault| raised(py, &fault))
}

fn options(py: Python<'_>, given: &Bound<'_, PyDict>) -> PyResult<Options> {
    let mut text = String::new();
    let written = json::write(given, &mut text);
    let fault = |what: String| raised(py, &Fault::InvalidOption { what });
    written.map_err(|error| fault(error.value(py).to_string()))?;
    Options::parse(&text).map_err(|error| raised(py, &error))
}

/// The JSON text of a list of messages; an object that has none is named by its place.
fn list(messages: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = messages.py();
    json::write_list(messages).map_err(|error| {
        let index = messages
            .try_iter()
            .ok()
            .and_then(|items| items.map_while(Result::ok).position(|item| json::write(&item, &mut String::new()).is_err()));
        unwritable(py, index, &error)
    })
}

fn text(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut out = String::new();
    json::write(object, &mut out).map_err(|error| unwritable(object.py(), None, &error))?;
    Ok(out)
}

fn bytes(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    json::bytes_of(object).map_err(|error| unwritable(object.py(), None, &error))
}

/// The fitted messages with the caller's own objects in them, where each stood, and the report.
type Answer<'py> = (Bound<'py, PyList>, Bound<'py, PyList>, Bound<'py, PyAny>);

fn answer<'py>(py: Python<'py>, fitted: &Fitted, own: &Bound<'py, PyList>) -> PyResult<Answer<'py>> {
    let (messages, places) = (PyList::empty(py), PyList::empty(py));
    for kept in &fitted.messages {
        match kept {
            Kept::Own(at) => {
                messages.append(own.get_item(*at)?)?;
                places.append(*at)?;
            }
            Kept::Written(text) => {
                messages.append(json::read(py, text)?)?;
                places.append(py.None())?;
            }
        }
    }
    Ok((messages, places, json::read(py, &fitted.report)?))
}

/// Fits messages in one go.
#[pyfunction]
fn fit<'py>(py: Python<'py>, messages: &Bound<'py, PyList>, given: &Bound<'py, PyDict>) -> PyResult<Answer<'py>> {
    let options = options(py, given)?;
    let text = list(messages)?;
    let fitted = free(py, || {
        let mut handle = Handle::messages(&options)?;
        handle.append(&text)?;
        handle.fit(&options)
    })?;
    answer(py, &fitted, messages)
}

/// Fits a whole request body.
#[pyfunction]
fn fit_request<'py>(
    py: Python<'py>,
    body: &Bound<'py, PyAny>,
    given: &Bound<'py, PyDict>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let options = options(py, given)?;
    let text = text(body)?;
    let (body, report) = free(py, || core::fit_request(&text, &options))?;
    Ok((json::read(py, &body)?, json::read(py, &report)?))
}

/// Lints a request body.
#[pyfunction]
fn lint<'py>(py: Python<'py>, body: &Bound<'py, PyAny>, dialect: &str) -> PyResult<Bound<'py, PyAny>> {
    let text = match body.cast::<PyString>() {
        Ok(body) if dialect != "text" => body.to_str()?.to_owned(),
        Ok(_) | Err(_) => text(body)?,
    };
    json::read(py, &free(py, || core::lint(&text, dialect))?)
}

/// Counts a text.
#[pyfunction]
fn count_text<'py>(py: Python<'py>, text: &str, given: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
    let options = options(py, given)?;
    json::read(py, &free(py, || Ok(core::count_text(text, &options)))?)
}

/// Converts a conversation.
#[pyfunction]
fn convert<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    to: &str,
    given: &Bound<'py, PyDict>,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyAny>)> {
    let options = options(py, given)?;
    let source = bytes(source)?;
    let converted = free(py, || core::convert(&source, to, &options))?;
    Ok((PyBytes::new(py, &converted.data), json::read(py, &converted.loss)?))
}

/// Decodes a whole reply.
#[pyfunction]
fn decode<'py>(py: Python<'py>, body: &Bound<'py, PyAny>, dialect: &str) -> PyResult<Bound<'py, PyAny>> {
    let body = bytes(body)?;
    json::read(py, &free(py, || core::decode(&body, dialect))?)
}

/// What is known of a model.
#[pyfunction]
fn model<'py>(py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    core::model(name).map(|found| json::read(py, &found)).transpose()
}

/// All known models.
#[pyfunction]
fn models(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    json::read(py, &core::models())
}

/// Something that calls take turns with; nothing after a fault inside, because it may be half done.
struct Turns<T>(Mutex<Option<T>>);

impl<T: Send> Turns<T> {
    fn new(inner: T) -> Self {
        Turns(Mutex::new(Some(inner)))
    }

    /// Does some work with the interpreter let go, and then something with it held, in one turn.
    fn take<R: Send, A>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut T) -> Result<R, Fault> + Send,
        then: impl FnOnce(R) -> PyResult<A>,
    ) -> PyResult<A> {
        // While it waits for its turn, it lets go of the interpreter too.
        let mut turn = self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let Some(inner) = turn.as_mut() else {
            return Err(raised(py, &Fault::Internal { what: "an earlier call on this object failed inside".to_owned() }));
        };
        match py.detach(|| guarded(|| work(inner))) {
            Ok(result) => then(result),
            Err(fault) => {
                if matches!(fault, Fault::Internal { .. }) {
                    *turn = None;
                }
                Err(raised(py, &fault))
            }
        }
    }
}

/// A conversation that was read once.
#[pyclass(frozen, module = "weftwork._native")]
struct NativeHistory {
    handle: Turns<Handle>,
    /// The caller's own messages; of a conversation file, none.
    own: Py<PyList>,
}

#[pymethods]
impl NativeHistory {
    /// An empty history of messages.
    #[staticmethod]
    fn messages(py: Python<'_>, given: &Bound<'_, PyDict>) -> PyResult<NativeHistory> {
        let options = options(py, given)?;
        let handle = Handle::messages(&options).map_err(|fault| raised(py, &fault))?;
        Ok(NativeHistory { handle: Turns::new(handle), own: PyList::empty(py).unbind() })
    }

    /// Any conversation.
    #[staticmethod]
    fn read(py: Python<'_>, source: &Bound<'_, PyAny>, given: &Bound<'_, PyDict>) -> PyResult<NativeHistory> {
        let options = options(py, given)?;
        let source = bytes(source)?;
        let handle = free(py, || Handle::read(&source, &options))?;
        Ok(NativeHistory { handle: Turns::new(handle), own: PyList::empty(py).unbind() })
    }

    fn append(&self, py: Python<'_>, messages: &Bound<'_, PyList>) -> PyResult<()> {
        let text = list(messages)?;
        let own = self.own.bind(py);
        self.handle.take(py, |handle| handle.append(&text), |()| own.call_method1("extend", (messages,)).map(drop))
    }

    fn summarize(&self, py: Python<'_>, text: &str, until: usize) -> PyResult<()> {
        self.handle.take(py, |handle| handle.summarize(text, until), Ok)
    }

    fn fit<'py>(&self, py: Python<'py>, given: &Bound<'py, PyDict>) -> PyResult<Answer<'py>> {
        let options = options(py, given)?;
        self.handle.take(py, |handle| handle.fit(&options), |fitted| answer(py, &fitted, self.own.bind(py)))
    }

    fn assemble<'py>(
        &self,
        py: Python<'py>,
        given: &Bound<'py, PyDict>,
        each: bool,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyAny>)> {
        let options = options(py, given)?;
        let work = |handle: &mut Handle| if each { handle.explain(&options) } else { handle.assemble(&options) };
        let told = |done: core::Assembled| Ok((PyBytes::new(py, &done.request), json::read(py, &done.report)?));
        self.handle.take(py, work, told)
    }

    fn count<'py>(&self, py: Python<'py>, given: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
        let options = options(py, given)?;
        self.handle.take(py, |handle| core::count(handle, &options), |count| json::read(py, &count))
    }

    #[getter]
    fn shape(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        self.handle.take(py, |handle| Ok(handle.shape().map(|shape| shape.word())), Ok)
    }

    #[getter]
    fn own(&self, py: Python<'_>) -> Py<PyList> {
        self.own.clone_ref(py)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.handle.take(py, |handle| Ok(handle.len()), Ok)
    }
}

/// A reply that is still arriving.
#[pyclass(frozen, module = "weftwork._native")]
struct NativeStream {
    stream: Turns<core::Stream>,
}

#[pymethods]
impl NativeStream {
    #[new]
    fn new(py: Python<'_>, dialect: &str) -> PyResult<NativeStream> {
        let stream = core::Stream::new(dialect).map_err(|fault| raised(py, &fault))?;
        Ok(NativeStream { stream: Turns::new(stream) })
    }

    fn push<'py>(&self, py: Python<'py>, chunk: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let chunk = bytes(chunk)?;
        self.stream.take(py, |stream| stream.push(&chunk), |steps| json::read(py, &steps))
    }

    fn so_far<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.stream.take(py, |stream| stream.so_far(), |reply| json::read(py, &reply))
    }

    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.stream.take(py, |stream| stream.finish(), |reply| json::read(py, &reply))
    }
}
