//! A whole request body within a budget: everything that the caller set stays as it is set.

use crate::{Fault, Options, model};
use serde_json::{Map, Value};
use weftwork::encode::Api;
use weftwork::formats::{Format, tell};
use weftwork::intake::take;
use weftwork::{History, assemble};

/// Fits a request body of Chat Completions, Responses or Anthropic's Messages; gives the body and the report as JSON.
pub fn fit_request(body: &str, options: &Options) -> Result<(String, String), Fault> {
    let api = api(body, options)?;
    let body = with_model(body, options)?;
    let mut taken = take(body.as_bytes(), api)?;
    let known = model::named(options.model.as_deref().unwrap_or(&taken.model));
    taken.written_by(&known.name);
    let mut ask = options.fitting(api.dialect())?;
    ask.model = Some(known);
    ask.tools = ask.tools.or(taken.ask.tools);
    ask.sampling = ask.sampling.or(taken.ask.sampling);
    ask.settings.max_tokens = ask.settings.max_tokens.or(taken.ask.settings.max_tokens).filter(|_| options.max_input.is_none());
    let assembly = assemble(&History::new(taken.conversation)?, &ask)?;
    let report = serde_json::to_string(&assembly.report).unwrap_or_default();
    let laid = taken.rest.lay_over(assembly.request, api.dialect());
    let request = taken.rest.as_wished(laid.request);
    Ok((String::from_utf8_lossy(&request).into_owned(), report))
}

fn api(body: &str, options: &Options) -> Result<Api, Fault> {
    let format = match options.named_shape()? {
        Some(shape) => shape.format(),
        None => tell(body.as_bytes())?,
    };
    match format {
        Format::OpenAi => Ok(Api::Chat),
        Format::Responses => Ok(Api::Responses),
        Format::Anthropic => Ok(Api::Messages),
        other => Err(Fault::InvalidInput {
            what: format!("a body in the format {other} cannot be fitted as a whole: pass its list of messages"),
        }),
    }
}

/// A body needs a model, and a caller may have named it beside the body.
fn with_model<'b>(body: &'b str, options: &Options) -> Result<std::borrow::Cow<'b, str>, Fault> {
    let Some(name) = &options.model else { return Ok(body.into()) };
    let mut object: Map<String, Value> =
        serde_json::from_str(body).map_err(|error| Fault::InvalidInput { what: error.to_string() })?;
    if object.contains_key("model") {
        return Ok(body.into());
    }
    object.insert("model".to_owned(), Value::String(model::named(name).wire_name().to_owned()));
    Ok(Value::Object(object).to_string().into())
}
