//! Bad requests are told as the API tells of them.

use weftwork::encode::{Api, error};
use weftwork::intake::take;

#[test]
fn a_bad_request_is_a_400_that_names_the_place() {
    let rows = [
        (Api::Chat, &b"\xff"[..], None),
        (Api::Chat, b"[]", None),
        (Api::Chat, b"{\"model\":", None),
        (Api::Chat, br#"{"messages":[]}"#, Some("model")),
        (Api::Chat, br#"{"model":"m"}"#, Some("messages")),
        (Api::Chat, br#"{"model":"m","messages":"Hi"}"#, Some("messages")),
        (Api::Messages, br#"{"model":"m","messages":[]}"#, Some("messages")),
        (Api::Responses, br#"{"model":"m","input":{}}"#, Some("input")),
        (Api::Chat, br#"{"model":"m","messages":[{"role":"wizard","content":"Hi"}]}"#, Some("messages[0].role")),
        (Api::Chat, br#"{"model":"m","messages":[{"role":"user","content":7}]}"#, Some("messages[0].content")),
        (Api::Messages, br#"{"model":"m","max_tokens":"many","messages":[{"role":"user","content":"Hi"}]}"#, Some("max_tokens")),
        (Api::Messages, br#"{"model":"m","messages":[{"content":"Hi"}]}"#, Some("messages[0]")),
        (Api::Responses, br#"{"model":"m","input":[7]}"#, Some("input[0]")),
        (Api::Chat, br#"{"model":"m","messages":[{"role":"tool","content":"x"}]}"#, Some("messages[0]")),
    ];
    for (api, body, place) in rows {
        let shown = String::from_utf8_lossy(body);
        let fault = take(body, api).map(|_| ()).expect_err(&shown).fault();
        assert_eq!((fault.status(api), fault.param.as_deref()), (400, place), "{shown}: {}", fault.message);
        assert!(String::from_utf8_lossy(&error(api, &fault)).contains("invalid_request_error"), "{shown}");
    }
}
