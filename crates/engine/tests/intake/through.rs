//! One way through: take, assemble, lay over.

use serde_json::Value;
use weftwork::ask::Settings;
use weftwork::catalogue::Model;
use weftwork::dialect::Dialect;
use weftwork::encode::Api;
use weftwork::intake::{Laid, Taken, take};
use weftwork::lint::{Severity, lint};
use weftwork::report::Report;
use weftwork::{History, assemble, catalogue};

pub(crate) fn model(name: &str) -> Model {
    catalogue::find(name).unwrap_or_else(|| Model::unlisted(name))
}

/// What is sent for a body within a window, and the report.
pub(crate) fn through(body: &str, api: Api, dialect: Dialect, window: u64) -> (Laid, Report) {
    let mut taken = take(body.as_bytes(), api).unwrap_or_else(|error| panic!("{error}: {body:.300}"));
    let model = model(&taken.model);
    taken.written_by(&model.name);
    let Taken { conversation, mut ask, rest, .. } = taken;
    ask.model = Some(model);
    ask.dialect = Some(dialect);
    ask.settings = Settings { context_length: Some(window), ..ask.settings };
    let history = History::new(conversation).expect("an imported conversation holds together");
    let assembly = assemble(&history, &ask).unwrap_or_else(|error| panic!("{error}: {body:.300}"));
    (rest.lay_over(assembly.request, dialect), assembly.report)
}

pub(crate) fn value(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(bytes)))
}

/// The errors that lint finds.
pub(crate) fn errors(body: &Value, dialect: Dialect) -> Vec<String> {
    let findings = lint(body, dialect).into_iter().filter(|finding| finding.severity == Severity::Error);
    findings.map(|finding| format!("{finding:?}")).collect()
}
