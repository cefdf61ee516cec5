//! The catalogue of models.

use weftwork::catalogue::{Catalogue, Model, find};

/// What is known of a model, as JSON; none if nothing is.
pub fn model(name: &str) -> Option<String> {
    find(name).map(|model| serde_json::to_string(&model).unwrap_or_default())
}

/// All models known by their whole name, as a JSON list.
pub fn models() -> String {
    serde_json::to_string(Catalogue::built_in().models()).unwrap_or_default()
}

/// The model of this name; one that is not known is sent under its name all the same.
pub(crate) fn named(name: &str) -> Model {
    find(name).unwrap_or_else(|| Model::unlisted(name))
}
