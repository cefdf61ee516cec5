//! The arguments of a call: read from their exact text and held against the tool's schema.

use super::{Mismatch, Refusal};
use jsonschema::Validator;
use serde_json::{Map, Value};
use weftwork::model::Json;

/// Mismatches that a model is told of.
const TOLD: usize = 5;
/// Characters of one problem: the validator quotes values, and they may be long.
const PROBLEM: usize = 300;

/// The arguments as values.
pub(super) fn read(arguments: &Json) -> Result<Map<String, Value>, Refusal> {
    let Some(Value::Object(values)) = arguments.value() else { return Err(Refusal::NotAnObject) };
    match inexact(arguments.text()) {
        Some(number) => Err(Refusal::Inexact { number: number.chars().take(100).collect() }),
        None => Ok(values),
    }
}

/// The first whole number that does not fit into 64 bits: as a value it would be rounded, and an id that is nearly right
/// names something else.
fn inexact(text: &str) -> Option<&str> {
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
    outside_strings(text)
        .flat_map(|piece| piece.split(move |c: char| !is_number(c)))
        .find(|token| is_whole(token) && token.parse::<i64>().is_err() && token.parse::<u64>().is_err())
}

fn is_whole(token: &str) -> bool {
    let digits = token.strip_prefix('-').unwrap_or(token);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The pieces of valid JSON that are not in strings.
fn outside_strings(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let (piece, string) = match rest?.split_once('"') {
            None => return rest.take(),
            Some(split) => split,
        };
        let mut escaped = false;
        let end = string.bytes().position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        });
        rest = end.map(|end| &string[end + 1..]);
        Some(piece)
    })
}

/// A tool's schema, ready to hold arguments against.
pub(super) struct Schema(Validator);

impl Schema {
    /// Takes a schema. One that cannot be used, for instance because it refers to another file, says why.
    pub(super) fn new(schema: &Map<String, Value>) -> Result<Self, String> {
        jsonschema::options().build(&Value::Object(schema.clone())).map(Self).map_err(|error| brief(&error.to_string()))
    }

    /// Says where arguments do not match.
    pub(super) fn check(&self, arguments: &Map<String, Value>) -> Result<(), Refusal> {
        let arguments = Value::Object(arguments.clone());
        let mismatches: Vec<Mismatch> = self
            .0
            .iter_errors(&arguments)
            .take(TOLD)
            .map(|error| Mismatch { path: error.instance_path().to_string(), problem: brief(&error.to_string()) })
            .collect();
        if mismatches.is_empty() { Ok(()) } else { Err(Refusal::Arguments { mismatches }) }
    }
}

fn brief(problem: &str) -> String {
    problem.chars().take(PROBLEM).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(schema: &str, arguments: &str) -> Option<String> {
        let schema = Schema::new(&serde_json::from_str(schema).unwrap()).unwrap();
        let json = Json::parse(arguments).unwrap();
        read(&json).and_then(|values| schema.check(&values)).err().map(|refusal| refusal.to_string())
    }

    #[test]
    fn arguments_are_an_object_with_exact_numbers() {
        for (arguments, refused) in [
            ("{}", None),
            (r#"{"a":1.10,"b":18446744073709551615,"c":-9223372036854775808,"d":1e300}"#, None),
            (r#"{"a":"12345678901234567890123"}"#, None),
            (r#"{"a\"":"\\","b":"12345678901234567890123"}"#, None),
            ("[]", Some("one complete JSON object")),
            ("\"{\\\"a\\\":\"", Some("one complete JSON object")),
            (r#"{"a":12345678901234567890123}"#, Some("12345678901234567890123")),
            (r#"{"a\\":[1,{"b":-9223372036854775809}]}"#, Some("-9223372036854775809")),
        ] {
            let said = refusal("{}", arguments);
            match refused {
                None => assert_eq!(said, None, "{arguments}"),
                Some(part) => assert!(said.as_deref().is_some_and(|said| said.contains(part)), "{arguments}: {said:?}"),
            }
        }
    }

    #[test]
    fn a_mismatch_names_its_path() {
        let schema =
            r#"{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"integer"}}}},"required":["a"]}"#;
        assert_eq!(refusal(schema, r#"{"a":{"b":1}}"#), None);
        let head = "Not run: the arguments do not match the schema of the tool.";
        assert_eq!(refusal(schema, "{}"), Some(format!("{head}\n- \"a\" is a required property")));
        assert_eq!(refusal(schema, r#"{"a":{"b":"x"}}"#), Some(format!("{head}\n- at /a/b: \"x\" is not of type \"integer\"")));
    }

    #[test]
    fn a_schema_that_cannot_be_used_says_why() {
        for schema in [r#"{"type":"nonsense"}"#, r#"{"$ref":"https://elsewhere.example/schema.json"}"#] {
            let why = Schema::new(&serde_json::from_str(schema).unwrap()).err();
            assert!(why.is_some_and(|why| !why.is_empty()), "{schema}");
        }
    }
}
