//! The model on board, spoken to in each API.

use crate::scene::Scene;
use crate::{body, relay};
use weftwork::decode::{Stop, StreamDecoder, decode};
use weftwork::encode::Api;
use weftwork::intake::Answer;
use weftwork::model::Part;
use weftwork_gateway::dropin::Handling;

#[tokio::test]
async fn each_api_is_answered_in_itself_whole_and_streamed() {
    let scene = Scene::offline().await;
    for &api in Api::ALL {
        let asked = body(api, "offline", "!say High at noon.", "");
        let whole = relay(&scene, api, asked).await.expect("an answer");
        assert_eq!((whole.answer, whole.model.as_str()), (Answer::Whole, "offline/offline"), "{api}");
        assert!(matches!(whole.handling, Handling::Assembled(_)), "{api}");
        let reply = decode(&whole.rest().await, api.dialect()).expect("a body of its API");
        assert_eq!((reply.text().as_str(), reply.stop), ("High at noon.", Stop::End), "{api}");
        assert!(reply.usage.is_some_and(|usage| usage.output > 0), "{api}");

        let more = r#","stream":true,"stream_options":{"include_usage":true}"#;
        let streamed = relay(&scene, api, body(api, "offline", "!say High at noon.", more)).await.expect("an answer");
        assert_eq!(streamed.answer, Answer::Streamed, "{api}");
        let mut decoder = StreamDecoder::new(api.dialect());
        decoder.push(&streamed.rest().await).expect("events of its API");
        let again = decoder.finish().expect("a reply");
        assert_eq!((again.parts, again.usage), (reply.parts, reply.usage), "{api}");
    }
}

#[tokio::test]
async fn a_tool_of_the_client_is_called_with_its_arguments_byte_for_byte() {
    let scene = Scene::offline().await;
    let tools = r#","tools":[{"type":"function","function":{"name":"tide","parameters":{"type":"object"}}}]"#;
    let asked = body(Api::Chat, "offline", "!call tide {\"at\":\"Büsum\"}\n!say Thanks.", tools);
    let reply =
        decode(&relay(&scene, Api::Chat, asked).await.expect("an answer").rest().await, Api::Chat.dialect()).expect("a reply");
    assert_eq!(reply.stop, Stop::ToolCalls);
    let [Part::ToolCall(call)] = reply.parts.as_slice() else { panic!("{reply:?}") };
    assert_eq!((call.name.as_str(), call.args.text()), ("tide", r#"{"at":"Büsum"}"#));
}

#[tokio::test]
async fn a_call_is_written_down_with_its_request_and_its_end() {
    let scene = Scene::offline().await;
    let answered = relay(&scene, Api::Messages, body(Api::Messages, "offline", "!say Yes.", "")).await.expect("an answer");
    let call = answered.call.clone();
    answered.rest().await;
    let exchange = scene.store().exchange(None, &call).expect("an exchange");
    assert!(exchange.request.is_some_and(|request| String::from_utf8_lossy(&request).contains("!say Yes.")));
    assert!(exchange.response.is_some());
}

#[tokio::test]
async fn errors_have_the_shape_of_their_api() {
    let scene = Scene::offline().await;
    let rows = [
        (Api::Chat, body(Api::Chat, "nobody-has-this", "Hi", ""), 404, r#""code":"model_not_found""#),
        (Api::Messages, body(Api::Messages, "nobody-has-this", "Hi", ""), 404, r#""type":"not_found_error""#),
        (Api::Messages, b"{}".to_vec(), 400, r#""type":"invalid_request_error""#),
        (Api::Responses, body(Api::Responses, "offline", "!fail 418", ""), 418, r#""type":"invalid_request_error""#),
        (Api::Messages, body(Api::Messages, "offline", "!fail 529", ""), 529, r#""type":"overloaded_error""#),
        (Api::Chat, body(Api::Chat, "offline", "!fail 500", r#","stream":true"#), 500, r#""type":"server_error""#),
    ];
    for (api, asked, status, says) in rows {
        let shown = String::from_utf8_lossy(&asked).into_owned();
        let error = relay(&scene, api, asked).await.err().unwrap_or_else(|| panic!("{shown}: an answer"));
        let (given, told) = error.answer(api);
        assert_eq!(given, status, "{shown}: {error}");
        assert!(String::from_utf8_lossy(&told).contains(says), "{shown}: {}", String::from_utf8_lossy(&told));
    }
}
