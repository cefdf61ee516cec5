//! `<details>` elements, in which Open WebUI keeps reasoning and tool calls inside a reply's text.
//!
//! One pass over the text. Elements of other types, and whatever a person wrote, stay text.

/// A piece of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    Reasoning(String),
    /// A call; `result` is none while it was running.
    Call {
        id: Option<String>,
        name: String,
        arguments: String,
        result: Option<String>,
    },
}

/// Cuts a reply into its pieces. Blank lines around an element belong to it.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut said, mut rest) = (String::new(), text);
    while let Some((before, element, after)) = next_element(rest) {
        said.push_str(before);
        match element.piece() {
            Some(piece) => {
                push_text(&mut pieces, &said);
                said.clear();
                pieces.push(piece);
            }
            None => said.push_str(element.whole),
        }
        rest = after;
    }
    said.push_str(rest);
    push_text(&mut pieces, &said);
    // A reply without elements is left exactly as it is.
    if let [Piece::Text(only)] = pieces.as_mut_slice() {
        text.clone_into(only);
    }
    pieces
}

fn push_text(pieces: &mut Vec<Piece>, text: &str) {
    let text = text.trim_matches('\n');
    if !text.is_empty() {
        pieces.push(Piece::Text(text.to_owned()));
    }
}

struct Element<'a> {
    whole: &'a str,
    attributes: &'a str,
    body: &'a str,
}

fn next_element(text: &str) -> Option<(&str, Element<'_>, &str)> {
    const OPEN: &str = "<details ";
    const CLOSE: &str = "</details>";
    let start = text.find(OPEN)?;
    let tag = text.get(start + OPEN.len()..)?;
    let (attributes, inside) = tag.split_once('>')?;
    let (body, after) = inside.split_once(CLOSE)?;
    let whole = text.get(start..text.len() - after.len())?;
    Some((text.get(..start)?, Element { whole, attributes, body }, after))
}

impl Element<'_> {
    fn piece(&self) -> Option<Piece> {
        match self.attribute("type")?.as_str() {
            "reasoning" => Some(Piece::Reasoning(self.quoted())),
            "tool_calls" => Some(Piece::Call {
                id: self.attribute("id"),
                name: self.attribute("name").unwrap_or_else(|| "unknown".into()),
                arguments: unquoted(&self.attribute("arguments").unwrap_or_default()),
                result: self.result("result"),
            }),
            "code_interpreter" => {
                let code = self.text().trim().to_owned();
                let code =
                    code.strip_prefix("```").and_then(|code| code.split_once('\n')).map_or(code.as_str(), |(_, code)| code);
                let code = code.trim_end().trim_end_matches("```").trim_end();
                let arguments = serde_json::json!({ "code": code }).to_string();
                Some(Piece::Call { id: None, name: "code_interpreter".into(), arguments, result: self.result("output") })
            }
            _ => None,
        }
    }

    fn result(&self, key: &str) -> Option<String> {
        let done = self.attribute("done").as_deref() == Some("true");
        self.attribute(key).filter(|_| done).map(|result| unquoted(&result))
    }

    fn attribute(&self, key: &str) -> Option<String> {
        let mut rest = self.attributes;
        while let Some((name, after)) = rest.split_once("=\"") {
            let (value, after) = after.split_once('"')?;
            if name.trim() == key {
                return Some(unescaped(value));
            }
            rest = after;
        }
        None
    }

    /// The body without its summary line.
    fn text(&self) -> String {
        unescaped(self.body.split_once("</summary>").map_or(self.body, |(_, text)| text))
    }

    /// The body, written as a quotation.
    fn quoted(&self) -> String {
        let text = self.text();
        let lines = text.trim_matches('\n').lines();
        let plain = |line: &str| line.strip_prefix("> ").or_else(|| line.strip_prefix('>')).unwrap_or(line).to_owned();
        lines.map(plain).collect::<Vec<_>>().join("\n")
    }
}

/// The text inside, if this is a JSON string; results are written with quotes or without.
fn unquoted(text: &str) -> String {
    serde_json::from_str::<String>(text).unwrap_or_else(|_| text.to_owned())
}

fn unescaped(text: &str) -> String {
    // The ampersand last, so that `&amp;lt;` stays `&lt;`.
    const ENTITIES: &[(&str, &str)] =
        &[("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#x27;", "'"), ("&#39;", "'"), ("&amp;", "&")];
    ENTITIES.iter().fold(text.to_owned(), |text, (entity, char)| text.replace(entity, char))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Piece {
        Piece::Text(text.into())
    }

    fn call(id: Option<&str>, name: &str, arguments: &str, result: Option<&str>) -> Piece {
        Piece::Call { id: id.map(Into::into), name: name.into(), arguments: arguments.into(), result: result.map(Into::into) }
    }

    #[test]
    fn a_reply_is_cut_into_its_pieces() {
        for (reply, expected) in [
            ("\nplain\n", vec![text("\nplain\n")]),
            ("", vec![]),
            (
                "<details type=\"reasoning\" done=\"true\" duration=\"3\">\n<summary>Thought for 3 seconds</summary>\n&gt; a &amp;lt; b\n> c\n</details>\nSo.",
                vec![Piece::Reasoning("a &lt; b\nc".into()), text("So.")],
            ),
            (
                "A<details type=\"tool_calls\" done=\"true\" id=\"c1\" name=\"f\" arguments=\"&quot;{\\&quot;q\\&quot;:1.10}&quot;\" result=\"&quot;ok&quot;\">\n<summary>Tool Executed</summary>\n</details>B",
                vec![text("A"), call(Some("c1"), "f", "{\"q\":1.10}", Some("ok")), text("B")],
            ),
            (
                "<details type=\"tool_calls\" done=\"false\" id=\"c1\" name=\"f\" arguments=\"{}\">\n<summary>Executing</summary>\n</details>",
                vec![call(Some("c1"), "f", "{}", None)],
            ),
            (
                "<details type=\"code_interpreter\" done=\"true\" output=\"2\">\n<summary>Analyzed</summary>\n```python\n1+1\n```\n</details>",
                vec![call(None, "code_interpreter", "{\"code\":\"1+1\"}", Some("2"))],
            ),
            ("<details open>mine</details>", vec![text("<details open>mine</details>")]),
            ("<details type=\"reasoning\">cut", vec![text("<details type=\"reasoning\">cut")]),
        ] {
            assert_eq!(pieces(reply), expected, "{reply}");
        }
    }
}
