//! Errors in the words of each API.

use super::told::heading;
use weftwork::decode::{DecodeError, Delta, ErrorKind, ProviderError, StreamDecoder, provider_error};
use weftwork::encode::{Api, Encoder, Fault, FaultKind, error};

#[test]
fn an_error_has_the_shape_and_the_status_of_its_api() {
    let rows = [
        (
            Api::Chat,
            FaultKind::BadRequest,
            400,
            r#"{"error":{"message":"no","type":"invalid_request_error","param":null,"code":null}}"#,
        ),
        (
            Api::Chat,
            FaultKind::Unauthorized,
            401,
            r#"{"error":{"message":"no","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}"#,
        ),
        (
            Api::Responses,
            FaultKind::RateLimit,
            429,
            r#"{"error":{"message":"no","type":"rate_limit_error","param":null,"code":"rate_limit_exceeded"}}"#,
        ),
        (
            Api::Responses,
            FaultKind::Upstream,
            502,
            r#"{"error":{"message":"no","type":"server_error","param":null,"code":"server_error"}}"#,
        ),
        (Api::Messages, FaultKind::Overloaded, 529, r#"{"type":"error","error":{"type":"overloaded_error","message":"no"}}"#),
        (Api::Messages, FaultKind::NotFound, 404, r#"{"type":"error","error":{"type":"not_found_error","message":"no"}}"#),
        (Api::Messages, FaultKind::Quota, 402, r#"{"type":"error","error":{"type":"billing_error","message":"no"}}"#),
    ];
    for (api, kind, status, body) in rows {
        let fault = Fault::new(kind, "no");
        assert_eq!((fault.status(api), String::from_utf8_lossy(&error(api, &fault)).as_ref()), (status, body), "{api} {kind:?}");
    }
}

#[test]
fn an_error_is_of_the_same_kind_when_it_is_read_again() {
    let kinds = [
        (FaultKind::Overflow, ErrorKind::Overflow),
        (FaultKind::TooLarge, ErrorKind::Overflow),
        (FaultKind::Unauthorized, ErrorKind::Auth),
        (FaultKind::Forbidden, ErrorKind::Auth),
        (FaultKind::RateLimit, ErrorKind::RateLimit),
        (FaultKind::Quota, ErrorKind::Quota),
        (FaultKind::Overloaded, ErrorKind::Overloaded),
        (FaultKind::Internal, ErrorKind::Other),
    ];
    for (kind, read) in kinds {
        for &api in Api::ALL {
            let fault =
                Fault::new(kind, "prompt is too long".get(..if kind == FaultKind::Overflow { 18 } else { 6 }).unwrap_or(""));
            let again = provider_error(fault.status(api), &error(api, &fault));
            assert_eq!(again.kind, read, "{api} {kind:?}");
            assert_eq!(Fault::from(&again).kind.eq(&kind), kind != FaultKind::Internal, "{api} {kind:?}");
        }
    }
}

#[test]
fn a_provider_s_status_is_handed_on() {
    let error = ProviderError { kind: ErrorKind::Other, status: Some(418), name: None, code: None, message: "tea".into() };
    assert_eq!(Fault::from(&error).status(Api::Messages), 418);
    assert_eq!(Fault { status: Some(200), ..Fault::from(&error) }.status(Api::Messages), 400);
}

#[test]
fn an_error_in_the_middle_of_a_stream_comes_after_what_was_said() {
    for &api in Api::ALL {
        let mut encoder = Encoder::new(api, heading());
        let mut bytes = encoder.push(&Delta::Text("so far".into()));
        bytes.extend(encoder.fail(&Fault::new(FaultKind::Overloaded, "busy")));
        let mut decoder = StreamDecoder::new(api.dialect());
        let said = decoder.push(&bytes).expect("what was said before it");
        assert_eq!(said.last(), Some(&Delta::Text("so far".into())), "{api}");
        match decoder.finish() {
            Err(DecodeError::Provider(error)) => {
                assert_eq!((error.kind, error.message.as_str()), (ErrorKind::Overloaded, "busy"), "{api}");
            }
            other => panic!("{api}: {other:?}"),
        }
    }
}
