//! The document of the API, and a page to read it.

use crate::serve::house::House;
use crate::serve::html::{self, escaped};
use crate::serve::web::Code;
use axum::Router;
use axum::response::Html;
use axum::routing::get;
use http::header;
use serde_json::Value;

pub(super) fn routes(router: Router<House>, doc: &Value) -> Router<House> {
    let (json, page) = (doc.to_string(), page(doc));
    let json = move || {
        let json = json.clone();
        async move { ([(header::CONTENT_TYPE, "application/json")], json) }
    };
    let page = move || {
        let page = page.clone();
        async move { Html(page) }
    };
    router.route("/api/openapi.json", get(json)).route("/api/docs", get(page))
}

/// Plain HTML: groups, routes, what they take and give. No script, no style from elsewhere.
fn page(doc: &Value) -> String {
    let mut groups: Vec<(&str, String)> = Vec::new();
    for (path, verbs) in doc["paths"].as_object().into_iter().flatten() {
        for (verb, route) in verbs.as_object().into_iter().flatten() {
            let group = route["tags"][0].as_str().unwrap_or_default();
            let text = told(path, verb, route);
            match groups.iter_mut().find(|(name, _)| *name == group) {
                Some((_, texts)) => texts.push_str(&text),
                None => groups.push((group, text)),
            }
        }
    }
    let contents: String = groups.iter().map(|(name, _)| format!("<li><a href=\"#{0}\">{0}</a></li>", escaped(name))).collect();
    let body: String =
        groups.iter().map(|(name, texts)| format!("<section id=\"{0}\"><h2>{0}</h2>{texts}</section>", escaped(name))).collect();
    let codes: String = Code::ALL
        .iter()
        .map(|code| {
            format!("<dt id=\"{0}\"><code>{0}</code> ({1})</dt><dd>{2}</dd>", code.word(), code.status().as_u16(), code.title())
        })
        .collect();
    let body = format!(
        "<h1>The API of Weft</h1><p>The same for programs: <a href=\"/api/openapi.json\">openapi.json</a>. Every fault is \
         <code>application/problem+json</code> with a <code>code</code> that does not change.</p>\
         <nav><ul>{contents}</ul></nav>{body}<section><h2>Codes</h2><dl>{codes}</dl></section>"
    );
    html::page("Weft: the API", &body)
}

fn told(path: &str, verb: &str, route: &Value) -> String {
    let parameters: String = route["parameters"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|one| {
            let text = |field: &str| escaped(one[field].as_str().unwrap_or_default());
            format!("<li><code>{}</code> ({}) {}</li>", text("name"), text("in"), text("description"))
        })
        .collect();
    let shape = |value: &Value| {
        let reference = value["content"]["application/json"]["schema"]["$ref"].as_str().unwrap_or_default();
        reference.rsplit('/').next().map(escaped).unwrap_or_default()
    };
    let takes = shape(&route["requestBody"]);
    let gives = ["200", "201", "202"].iter().map(|status| shape(&route["responses"][*status])).find(|name| !name.is_empty());
    let line =
        |word: &str, name: &str| if name.is_empty() { String::new() } else { format!("<p>{word} <code>{name}</code></p>") };
    format!(
        "<article id=\"{}\"><h3><code>{} {}</code></h3><p>{}</p><ul>{parameters}</ul>{}{}</article>",
        escaped(route["operationId"].as_str().unwrap_or_default()),
        verb.to_uppercase(),
        escaped(path),
        escaped(route["summary"].as_str().unwrap_or_default()),
        line("takes", &takes),
        line("gives", &gives.unwrap_or_default()),
    )
}
