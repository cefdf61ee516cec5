//! The fields of a request as the client wrote them, and how they come back over what the engine rendered.

use super::{across, back, kept, list};
use crate::decode::object::Object;
use crate::dialect::Dialect;
use crate::encode::Api;
use crate::model::Json;
use serde_json::value::RawValue;

/// Fields that say how the answer is to come: told anew by whoever sends the request.
const OF_THE_ANSWER: &[&str] = &["stream", "stream_options"];

/// The fields of a request as the client wrote them.
#[derive(Clone, Debug, PartialEq)]
pub struct Rest {
    pub(super) api: Api,
    pub(super) fields: Vec<(String, Json)>,
}

/// A request with the client's own fields over it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Laid {
    /// The body to be sent.
    pub request: Vec<u8>,
    /// Fields of the client's that the other API has nothing for.
    pub left_out: Vec<String>,
}

impl Rest {
    pub(super) fn new(api: Api, object: &Object<'_>) -> Self {
        Rest { api, fields: object.fields().map(|(key, raw)| (key.to_owned(), kept(raw))).collect() }
    }

    /// Whether the client placed cache marks itself.
    pub fn has_marks(&self) -> bool {
        let marks = |(key, value): &(String, Json)| key == "cache_control" || is_marked(value.text());
        self.api == Api::Messages && self.fields.iter().any(marks)
    }

    /// Lays the client's fields over a request that the engine rendered in `dialect`.
    ///
    /// In the client's own dialect everything it set stays exactly as it set it, in its order, but for the name of the model
    /// and for what the engine had to change of the conversation, the system text and the tools. In another dialect what has
    /// a counterpart is added behind the rendered fields, and the others are named.
    pub fn lay_over(&self, request: Vec<u8>, dialect: Dialect) -> Laid {
        if dialect != self.api.dialect() {
            return across::lay_over(self, request, dialect);
        }
        let text = String::from_utf8_lossy(&request);
        match Object::parse(&text) {
            Ok(rendered) => Laid { request: self.same(&rendered).into_bytes(), left_out: Vec::new() },
            Err(_) => Laid { request, left_out: Vec::new() },
        }
    }

    /// The request as it came, for the model that its server calls `model`.
    pub fn untouched(&self, model: &str) -> Vec<u8> {
        let model = Json::string(model);
        let sent = self.object().into_iter().filter(|(key, _)| !OF_THE_ANSWER.contains(key));
        back::written(sent.map(|(key, value)| if key == "model" { (key, model.text()) } else { (key, value) })).into_bytes()
    }

    /// A request with what the client said of how the answer is to come, as it said it: for one who hands the answer on byte
    /// for byte.
    pub fn as_wished(&self, mut request: Vec<u8>) -> Vec<u8> {
        for (key, value) in self.object().into_iter().filter(|(key, _)| OF_THE_ANSWER.contains(key)) {
            if request.pop_if(|last| *last == b'}').is_some() {
                request.extend_from_slice(format!(",\"{key}\":{value}}}").as_bytes());
            }
        }
        request
    }

    pub(super) fn object(&self) -> Vec<(&str, &str)> {
        self.fields.iter().map(|(key, value)| (key.as_str(), value.text())).collect()
    }

    /// A field, unless it is absent or null.
    pub(super) fn field(&self, key: &str) -> Option<&RawValue> {
        let (_, value) = self.fields.iter().rev().find(|(name, value)| name == key && value.text() != "null")?;
        serde_json::from_str(value.text()).ok()
    }

    fn same(&self, rendered: &Object<'_>) -> String {
        let own = self.own_parts(rendered);
        let part = |key: &str| own.iter().find(|(name, _)| *name == key);
        let mut fields: Vec<(&str, &str)> = Vec::new();
        for (key, value) in self.object() {
            match part(key) {
                _ if OF_THE_ANSWER.contains(&key) || fields.iter().any(|(known, _)| *known == key) => {}
                Some((_, Some(value))) => fields.push((key, value)),
                Some((_, None)) => {}
                None => fields.push((key, value)),
            }
        }
        for (key, value) in &own {
            if let Some(value) = value.as_deref().filter(|_| !fields.iter().any(|(known, _)| known == key)) {
                fields.push((key, value));
            }
        }
        back::written(fields.into_iter())
    }

    /// The fields that the engine answers for.
    fn own_parts(&self, rendered: &Object<'_>) -> Vec<(&'static str, Option<String>)> {
        let raw = |key: &str| rendered.get(key).map(|raw| raw.get().to_owned());
        let tools = back::tools(self.field("tools"), rendered.get("tools"));
        let mut parts = vec![("model", raw("model").or_else(|| self.field("model").map(|raw| raw.get().to_owned())))];
        parts.push(("tools", tools));
        match self.api {
            Api::Chat => parts.push(("messages", Some(self.conversation(rendered)))),
            Api::Messages => {
                let system = rendered.get("system").map(|own| match self.field("system") {
                    Some(client) => back::system(client, own),
                    None => own.get().to_owned(),
                });
                parts.push(("system", system));
                parts.push(("messages", Some(self.conversation(rendered))));
                // Required there, and counted with: a client that named none gets what was kept free.
                if self.field("max_tokens").is_none() {
                    parts.push(("max_tokens", raw("max_tokens")));
                }
            }
            Api::Responses => parts.extend(self.responses(rendered)),
        }
        parts
    }

    fn conversation(&self, rendered: &Object<'_>) -> String {
        let key = list(self.api);
        let client: Vec<&RawValue> = self.field(key).and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        format!("[{}]", back::conversation(self.api.dialect(), &client, &rendered.items(key)).join(","))
    }

    /// Instructions and leading system items are one text when rendered; where it is still the same, each goes back to where
    /// it stood.
    fn responses(&self, rendered: &Object<'_>) -> Vec<(&'static str, Option<String>)> {
        let client: Vec<&RawValue> = self.field("input").and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        let leading = back::leading_texts(&client);
        let instructions = self.field("instructions");
        let said = instructions.and_then(crate::decode::object::string);
        let whole: Vec<String> = said.into_iter().chain(leading.iter().cloned()).collect();
        let same = rendered.text("instructions").unwrap_or_default() == back::together(&whole);
        let (lead, rest) = client.split_at(if same { leading.len() } else { 0 });
        let mut items: Vec<String> = lead.iter().map(|raw| raw.get().to_owned()).collect();
        items.extend(back::conversation(self.api.dialect(), rest, &rendered.items("input")));
        let own = || rendered.get("instructions").map(|raw| raw.get().to_owned());
        let instructions = if same { instructions.map(|raw| raw.get().to_owned()) } else { own() };
        vec![("instructions", instructions), ("input", Some(format!("[{}]", items.join(","))))]
    }
}

/// Whether a key of this name stands in the text. Inside a string its quotes would be escaped.
fn is_marked(text: &str) -> bool {
    text.match_indices(r#""cache_control""#).any(|(at, found)| {
        let behind = text[at + found.len()..].trim_start();
        behind.starts_with(':') && !text[..at].ends_with('\\')
    })
}
