//! The page in the binary, and the document its types are made from. `make page` builds it.

use crate::house::House;
use reqwest::{Method, StatusCode};
use serde_json::Value;
use std::path::Path;

/// The page's types are made from this file, so it is what the server says. `WEFT_ACCEPT=1` writes it anew.
#[tokio::test]
async fn the_page_is_built_from_the_document_of_this_server() {
    let house = House::new();
    let doc: Value = house.nobody(Method::GET, "/api/openapi.json").send().await.unwrap().json().await.unwrap();
    let said = format!("{}\n", serde_json::to_string_pretty(&doc).unwrap());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/openapi.json");
    if std::env::var_os("WEFT_ACCEPT").is_some() {
        std::fs::write(&path, &said).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(kept == said, "web/openapi.json is not what the server says: WEFT_ACCEPT=1 cargo test -p weft --test serve page");
}

#[tokio::test]
async fn every_address_that_a_browser_opens_is_the_page_and_its_files_are_packed_and_kept() {
    let house = House::new();
    let browse = |path: &str| {
        house.nobody(Method::GET, path).header("accept", "text/html,*/*;q=0.8").header("accept-encoding", "gzip, br").send()
    };
    let mut script = String::new();
    for path in ["/", "/s/some-space?inspect=wire", "/join/wfi_x", "/nowhere"] {
        let page = house.nobody(Method::GET, path).header("accept", "text/html").send().await.unwrap();
        assert_eq!(page.status(), StatusCode::OK, "{path}");
        let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
        assert!(policy.contains("default-src 'self'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(page.headers()["cache-control"], "no-cache");
        let text = page.text().await.unwrap();
        let from = text.find("/assets/").expect("the page is not built: make page");
        script = text[from..].split('"').next().unwrap().to_owned();
    }
    let file = browse(&script).await.unwrap();
    assert_eq!((file.status(), &file.headers()["content-encoding"]), (StatusCode::OK, &"br".parse().unwrap()));
    assert!(file.headers()["cache-control"].to_str().unwrap().contains("immutable"));
    let tag = file.headers()["etag"].clone();
    let again = house.nobody(Method::GET, &script).header("accept-encoding", "br").header("if-none-match", tag);
    assert_eq!(again.send().await.unwrap().status(), StatusCode::NOT_MODIFIED);
    for path in ["/assets/..%2f..%2fpackage.json", "/assets/none.js", "/api/nothing", "/v1", "/mcp/x"] {
        let status = browse(path).await.unwrap().status();
        assert!(status.is_client_error(), "{path}: {status}");
    }
}
