//! The OpenAPI document, made of the handlers' own types.

use super::answer::Given;
use super::api::{About, Verb, is_unit};
use super::problem::Problem;
use crate::serve::who::Need;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// Faults that any route may answer with.
const FAULTS: [(u16, &str); 12] = [
    (400, "The request cannot be understood"),
    (404, "There is no such thing, or it is not yours to see"),
    (409, "It cannot be done as things are, or the idempotency key was used for something else"),
    (410, "It was here, and is no more"),
    (412, "The head has moved since it was looked at"),
    (413, "The body is too large"),
    (415, "The body must be JSON"),
    (421, "The request was meant for another host"),
    (422, "It does not fit into the model's window, or a budget does not allow it"),
    (429, "Too much at once"),
    (502, "The model's provider failed"),
    (503, "The server is busy or going down"),
];

/// The document as it grows.
pub(in crate::serve) struct Doc {
    schemas: SchemaGenerator,
    paths: Map<String, Value>,
}

impl Default for Doc {
    fn default() -> Doc {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        });
        Doc { schemas: settings.into_generator(), paths: Map::new() }
    }
}

/// A route that makes its own response.
pub(in crate::serve) struct Plain {
    pub(in crate::serve) verb: Verb,
    pub(in crate::serve) path: &'static str,
    pub(in crate::serve) about: About,
    /// The media type of the answer.
    pub(in crate::serve) kind: &'static str,
    /// The media type of the body, if there is one.
    pub(in crate::serve) takes: Option<&'static str>,
}

impl Doc {
    pub(super) fn route<P: JsonSchema + 'static, Q: JsonSchema + 'static, B: JsonSchema + 'static, A: JsonSchema + 'static>(
        &mut self,
        verb: Verb,
        path: &str,
        about: &About,
    ) {
        let mut operation = self.operation::<P, Q>(verb, path, about);
        if !is_unit::<B>() {
            let schema = self.schemas.subschema_for::<B>();
            operation["requestBody"] = json!({"required": true, "content": {"application/json": {"schema": schema}}});
        }
        operation["responses"][about.gives.status().as_str()] = self.answer::<A>(about);
        self.put(verb, path, operation);
    }

    /// A route that takes a file.
    pub(super) fn upload<P: JsonSchema + 'static, Q: JsonSchema + 'static, A: JsonSchema + 'static>(
        &mut self,
        path: &str,
        about: &About,
    ) {
        let mut operation = self.operation::<P, Q>(Verb::Post, path, about);
        operation["requestBody"] = json!({"required": true, "content": {"application/octet-stream": {}}});
        operation["responses"][about.gives.status().as_str()] = self.answer::<A>(about);
        // What is only looked at makes nothing.
        operation["responses"]["200"] = self.answer::<A>(about);
        self.put(Verb::Post, path, operation);
    }

    fn answer<A: JsonSchema + 'static>(&mut self, about: &About) -> Value {
        match about.gives {
            Given::Nothing => json!({"description": "Done"}),
            Given::Ok | Given::Created | Given::Accepted => {
                let schema = self.schemas.subschema_for::<A>();
                json!({"description": "Done", "content": {"application/json": {"schema": schema}}})
            }
        }
    }

    /// A route that makes its own response.
    pub(in crate::serve) fn plain<P: JsonSchema + 'static, Q: JsonSchema + 'static>(&mut self, plain: &Plain) {
        let Plain { verb, path, about, kind, takes } = plain;
        let mut operation = self.operation::<P, Q>(*verb, path, about);
        operation["responses"][about.gives.status().as_str()] = json!({"description": "Done", "content": {*kind: {}}});
        if let Some(takes) = takes {
            operation["requestBody"] = json!({"required": true, "content": {*takes: {}}});
        }
        self.put(*verb, path, operation);
    }

    fn operation<P: JsonSchema + 'static, Q: JsonSchema + 'static>(&mut self, verb: Verb, path: &str, about: &About) -> Value {
        let mut parameters = self.parameters::<P>("path");
        parameters.extend(self.parameters::<Q>("query"));
        debug_assert_eq!(path.matches('{').count(), parameters.iter().filter(|one| one["in"] == "path").count(), "{path}");
        if verb == Verb::Post && about.need != Need::Nobody {
            parameters.push(json!({
                "name": "Idempotency-Key", "in": "header", "required": false,
                "description": "The same key with the same body is done once, and answered alike ever after.",
                "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
            }));
        }
        let mut responses: Map<String, Value> = FAULTS.iter().map(|(status, says)| (status.to_string(), fault(says))).collect();
        if about.need != Need::Nobody {
            responses.insert("401".into(), fault("Nobody is signed in"));
            responses.insert("403".into(), fault("The token or the account may not do this"));
        }
        let mut operation = json!({
            "operationId": about.name, "tags": [about.group], "summary": about.says,
            "parameters": parameters, "responses": responses,
        });
        if about.need == Need::Nobody {
            operation["security"] = json!([]);
        }
        operation
    }

    /// A fault that a route answers with besides those that any route may.
    pub(in crate::serve) fn fault(&mut self, verb: Verb, path: &str, status: u16, says: &str) {
        if let Some(entry) = self.paths.get_mut(path) {
            entry[verb.word()]["responses"][status.to_string()] = fault(says);
        }
    }

    fn put(&mut self, verb: Verb, path: &str, operation: Value) {
        let entry = self.paths.entry(path.to_owned()).or_insert_with(|| json!({}));
        entry[verb.word()] = operation;
    }

    fn parameters<T: JsonSchema + 'static>(&mut self, place: &str) -> Vec<Value> {
        if is_unit::<T>() {
            return Vec::new();
        }
        let schema = T::json_schema(&mut self.schemas);
        let empty = Map::new();
        let fields = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
        let needed = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let one = |(name, field): (&String, &Value)| {
            let mut schema = field.clone();
            let says = schema.as_object_mut().and_then(|field| field.remove("description")).unwrap_or_else(|| json!(""));
            let required = place == "path" || needed.contains(&json!(name));
            json!({"name": name, "in": place, "required": required, "description": says, "schema": schema})
        };
        fields.iter().map(one).collect()
    }

    /// The whole document.
    pub(in crate::serve) fn finish(mut self) -> Value {
        let _ = self.schemas.subschema_for::<Problem>();
        let schemas = self.schemas.take_definitions(true);
        json!({
            "openapi": "3.1.0",
            "info": {
                "title": "Weft",
                "version": env!("CARGO_PKG_VERSION"),
                "description": "Conversations of people and agents, and exactly what a model should see of them.",
                "license": {"name": "MIT OR Apache-2.0"},
            },
            "servers": [{"url": "/"}],
            "security": [{"token": []}, {"apiKey": []}, {"session": []}],
            "paths": self.paths,
            "components": {
                "schemas": schemas,
                "securitySchemes": {
                    "token": {"type": "http", "scheme": "bearer", "description": "weft token new NAME makes one"},
                    "apiKey": {"type": "apiKey", "in": "header", "name": "x-api-key"},
                    "session": {"type": "apiKey", "in": "cookie", "name": "weft_session"},
                },
            },
        })
    }
}

fn fault(says: &str) -> Value {
    let content = json!({"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}});
    json!({"description": says, "content": content})
}
