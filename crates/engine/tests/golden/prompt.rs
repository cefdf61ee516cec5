//! Prompts for the tests of rendering: short words for pieces, and one prompt that holds everything.

#![allow(dead_code, unreachable_pub)]

use weftwork::catalogue::{Model, VocabularyOf};
use weftwork::dialect::{Dialect, render};
use weftwork::model::{File, Image, Json, Media, Reasoning, Sampling, Tool};
use weftwork::prompt::{Block, CallPiece, MaxTokens, Message, Piece, Prompt, ResultPiece, Role, Section, Stability, TextPiece};

pub static NO_SAMPLING: Sampling = Sampling { temperature: None, top_p: None, top_k: None, stop: Vec::new(), seed: None };

pub fn prompt<'h>(messages: Vec<Message<'h>>) -> Prompt<'h> {
    Prompt {
        system: Vec::new(),
        messages,
        tools: Vec::new(),
        tools_mark: false,
        sampling: &NO_SAMPLING,
        model: None,
        max_tokens: MaxTokens::Reserved(1024),
        context_length: 8192,
    }
}

pub fn system(text: &str) -> Block<'_> {
    Block { section: Section::Prompt, text: text.into(), stability: Stability::Stable, mark: false }
}

pub fn says<'h>(role: Role, pieces: Vec<Piece<'h>>) -> Message<'h> {
    Message { role, pieces: pieces.into(), mark: false }
}

pub fn user(text: &str) -> Message<'_> {
    says(Role::User, vec![Piece::text(text)])
}

pub fn assistant(text: &str) -> Message<'_> {
    says(Role::Assistant, vec![Piece::text(text)])
}

pub fn marked(message: Message<'_>) -> Message<'_> {
    Message { mark: true, ..message }
}

pub fn signed_text<'h>(text: &'h str, signature: &'h str) -> Piece<'h> {
    Piece::Text(TextPiece { text: text.into(), signature: Some(signature) })
}

pub fn call<'h>(id: &'h str, name: &'h str, args: &'h str) -> Piece<'h> {
    signed_call(id, name, args, None)
}

pub fn signed_call<'h>(id: &'h str, name: &'h str, args: &'h str, signature: Option<&'h str>) -> Piece<'h> {
    Piece::Call(CallPiece { id: id.into(), name: name.into(), args: args.into(), signature, native: None })
}

pub fn native_call<'h>(id: &'h str, name: &'h str, native: &'h str) -> Piece<'h> {
    Piece::Call(CallPiece { id: id.into(), name: name.into(), args: "{}".into(), signature: None, native: Some(native) })
}

pub fn native_result<'h>(id: &'h str, name: &'h str, native: &'h str) -> Piece<'h> {
    let content = vec![Piece::text("found")];
    Piece::Result(ResultPiece { id: id.into(), name: name.into(), content, is_error: false, native: Some(native) })
}

pub fn result<'h>(id: &'h str, name: &'h str, content: Vec<Piece<'h>>) -> Piece<'h> {
    Piece::Result(ResultPiece { id: id.into(), name: name.into(), content, is_error: false, native: None })
}

pub fn failed<'h>(id: &'h str, name: &'h str, text: &'h str) -> Piece<'h> {
    let content = vec![Piece::text(text)];
    Piece::Result(ResultPiece { id: id.into(), name: name.into(), content, is_error: true, native: None })
}

pub fn reasoning(text: &str, signature: Option<&str>) -> Reasoning {
    Reasoning { text: text.into(), signature: signature.map(Into::into), id: Some("rs_1".into()), redacted: false }
}

pub fn picture() -> Image {
    Image { media_type: "image/png".into(), media: Media::Data("aW1n".into()), width: Some(4), height: Some(3) }
}

pub fn picture_at(url: &str) -> Image {
    Image { media_type: "image/jpeg".into(), media: Media::Url(url.into()), width: None, height: None }
}

pub fn pdf() -> File {
    File { name: "q4.pdf".into(), media_type: "application/pdf".into(), media: Media::Data("cGRm".into()) }
}

pub fn model(name: &str) -> Model {
    Model {
        name: name.into(),
        served_as: None,
        context_length: Some(200_000),
        max_output: None,
        vocabulary: VocabularyOf::O200k,
        min_cacheable: None,
        no_system: false,
        prices: None,
    }
}

pub fn tool(name: &str) -> Tool {
    Tool {
        name: name.into(),
        description: "Looks it up.".into(),
        input_schema: Json::parse(r#"{"type":"object","properties":{"q":{"type":"string"}}}"#).expect("valid JSON"),
    }
}

pub fn text(prompt: &Prompt<'_>, dialect: Dialect) -> String {
    String::from_utf8(render(prompt, dialect)).expect("bodies are UTF-8")
}

pub fn body(prompt: &Prompt<'_>, dialect: Dialect) -> serde_json::Value {
    serde_json::from_slice(&render(prompt, dialect)).expect("bodies are JSON")
}

/// What the rich prompt borrows from.
pub struct Rich {
    sampling: Sampling,
    tools: [Tool; 2],
    thought: Reasoning,
    hidden: Reasoning,
    image: Image,
    chart: Image,
    file: File,
}

impl Rich {
    pub fn new() -> Self {
        Self {
            sampling: Sampling {
                temperature: Some(0.7),
                top_p: Some(0.95),
                top_k: Some(40),
                stop: vec!["END".into()],
                seed: Some(7),
            },
            tools: [tool("search"), tool("chart")],
            thought: reasoning("First the numbers.", Some("sig+A/1==")),
            hidden: Reasoning { text: String::new(), signature: Some("opaque".into()), id: None, redacted: true },
            image: picture(),
            chart: picture_at("https://example.org/chart.jpg"),
            file: pdf(),
        }
    }

    /// System blocks, marks, tools, parallel calls, a failed result, reasoning, pictures, a file, hostile text.
    pub fn prompt<'h>(&'h self, model: &'h Model) -> Prompt<'h> {
        Prompt {
            system: vec![
                system("You are \"Weft\"."),
                Block { mark: true, ..system("\n\nAnswer in one line.") },
                Block { section: Section::Time, stability: Stability::Volatile, ..system("\n\nIt is noon.") },
            ],
            messages: vec![
                says(
                    Role::User,
                    vec![
                        Piece::text("What did Q4 bring? \u{1F4C8} \u{2028}\u{7}"),
                        Piece::Image(&self.image),
                        Piece::File(&self.file),
                    ],
                ),
                says(
                    Role::Assistant,
                    vec![
                        Piece::Reasoning(&self.thought),
                        Piece::Reasoning(&self.hidden),
                        signed_text("Let me look.", "text-sig"),
                        signed_call("t1", "search", r#"{"q":"Q4","n":1.10}"#, Some("call-sig")),
                        call("t2", "chart", r#"{"of":"C:\\q4"}"#),
                    ],
                ),
                marked(says(
                    Role::User,
                    vec![
                        result("t1", "search", vec![Piece::text("12 %"), Piece::Image(&self.chart)]),
                        failed("t2", "chart", "no such file"),
                        Piece::text("And?"),
                    ],
                )),
                assistant("It brought 12 %.\nNo chart."),
                user("شكراً. Why?"),
            ],
            tools: self.tools.iter().collect(),
            tools_mark: true,
            sampling: &self.sampling,
            model: Some(model),
            max_tokens: MaxTokens::Asked(2048),
            context_length: 8192,
        }
    }
}
