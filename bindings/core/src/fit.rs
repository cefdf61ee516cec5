//! Fitting: a caller's messages within a budget, in the caller's own words wherever they are sent unchanged.

use crate::handle::report_value;
use crate::messages::Messages;
use crate::{Fault, Options, Shape};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use weftwork::intake::{Wording, wording};
use weftwork::report::Report;
use weftwork::{History, assemble};

/// Messages within a budget.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The messages in order.
    pub messages: Vec<Kept>,
    /// The report as JSON. Its items also say which messages of the caller's they are about (`first`, `last`).
    pub report: String,
}

/// A message that is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The caller's own message with this number.
    Own(usize),
    /// A message that was changed or added, as JSON in the caller's shape.
    Written(String),
}

pub(crate) fn fit(messages: &Messages, history: &History, options: &Options) -> Result<Fitted, Fault> {
    if let Some(index) = messages.first_ui {
        let what = "is a UI message, which a model is not sent: pass convertToModelMessages(messages)".to_owned();
        return Err(Fault::InvalidMessage { index: Some(index), path: format!("$[{index}]"), what });
    }
    let shape = messages.shape();
    let mut ask = options.fitting(shape.dialect())?;
    ask.model = ask.model.or_else(|| Some(crate::model::named(&messages.written_by())));
    let assembly = assemble(history, &ask)?;
    let own = messages.holding(assembly.sent());
    let report = told(&assembly.report, messages, history);
    let request = String::from_utf8_lossy(&assembly.request);
    Ok(Fitted { messages: kept(shape, messages, &own, &request)?, report })
}

/// The request's messages, the caller's own where they say the same. System messages at the beginning are never cut, and
/// where the API has a field for them they are not among the rendered ones.
fn kept(shape: Shape, messages: &Messages, own: &[usize], request: &str) -> Result<Vec<Kept>, Fault> {
    let unreadable = |error: serde_json::Error| Fault::Internal { what: error.to_string() };
    let leading = (0..messages.len()).take_while(|&at| is_system(messages.text(at))).count();
    let own: Vec<usize> = own.iter().copied().filter(|&at| at >= leading).collect();
    let body: Body<'_> = serde_json::from_str(request).map_err(unreadable)?;
    let mut rendered = match shape {
        Shape::Responses => body.input,
        Shape::OpenAi | Shape::Anthropic | Shape::AiSdk => body.messages,
    };
    if shape == Shape::OpenAi && rendered.first().is_some_and(|first| is_system(first.get())) {
        rendered.remove(0);
    }
    let texts: Result<Vec<&RawValue>, _> = own.iter().map(|&at| serde_json::from_str(messages.text(at))).collect();
    let said = wording(shape.dialect(), &texts.map_err(unreadable)?, &rendered).into_iter().map(|wording| match wording {
        Wording::Client(at) => Kept::Own(own[at]),
        Wording::Engine(text) => Kept::Written(text),
    });
    Ok((0..leading).map(Kept::Own).chain(said).collect())
}

#[derive(Deserialize)]
struct Body<'r> {
    #[serde(borrow, default)]
    messages: Vec<&'r RawValue>,
    #[serde(borrow, default)]
    input: Vec<&'r RawValue>,
}

fn is_system(message: &str) -> bool {
    #[derive(Deserialize)]
    struct Role<'m> {
        #[serde(borrow)]
        role: Option<&'m RawValue>,
    }
    let role = serde_json::from_str::<Role<'_>>(message).ok().and_then(|message| message.role);
    role.is_some_and(|role| matches!(role.get(), r#""system""# | r#""developer""#))
}

/// The report with the numbers of the caller's messages in its items.
fn told(report: &Report, messages: &Messages, history: &History) -> String {
    let mut value = report_value(report);
    let items = value.get_mut("items").and_then(Value::as_array_mut).into_iter().flatten();
    for (told, item) in items.zip(&report.items) {
        let place = |id: &weftwork::model::NodeId| history.position(id.as_str());
        let span = place(&item.from).zip(place(&item.to)).and_then(|(from, to)| messages.span(from, to));
        if let (Some((first, last)), Some(fields)) = (span, told.as_object_mut()) {
            fields.insert("first".to_owned(), json!(first));
            fields.insert("last".to_owned(), json!(last));
        }
    }
    value.to_string()
}
