//! Runs the binary in the root of the repository, so that its messages name `examples/…` and no machine's folders.

use serde_json::Value;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

pub(crate) const RESEARCH: &str = "examples/research.weft.json";
pub(crate) const TIMELINE: &str = "examples/timeline.weft.json";
pub(crate) const OPENAI: &str = "examples/openai-chat.json";

/// A seal, so that none is made in a folder that tests share.
const SEAL: &str = "5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e";

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// Stdout as JSON, after a run that ended well.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.code, 0, "{}", self.stderr);
        serde_json::from_str(&self.stdout).expect("stdout is JSON")
    }
}

/// The binary in the root of the repository, with nothing inherited that changes what it prints.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_weft"));
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    for (name, value) in alone() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// An environment without keys, configuration, databases or servers of models.
pub(crate) fn alone() -> Vec<(&'static str, Option<&'static str>)> {
    let nowhere = concat!(env!("CARGO_TARGET_TMPDIR"), "/no-data");
    let folders = ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"].map(|name| (name, Some(nowhere)));
    let unset =
        ["WEFT_DB", "WEFT_SERVER", "WEFT_CONFIG", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"];
    let unset = unset.map(|name| (name, None));
    let set = [("OLLAMA_HOST", "127.0.0.1:1"), ("WEFT_SEAL", SEAL)].map(|(name, value)| (name, Some(value)));
    folders.into_iter().chain(unset).chain(set).collect()
}

/// Runs with `stdin` piped in.
pub(crate) fn piped(args: &[&str], stdin: impl Into<Vec<u8>>) -> Ran {
    finish(command(args), stdin)
}

/// Runs a command with `stdin` piped in.
pub(crate) fn finish(mut command: Command, stdin: impl Into<Vec<u8>>) -> Ran {
    let mut child = command.spawn().expect("the binary runs");
    let mut input = child.stdin.take().expect("stdin is piped");
    let bytes = stdin.into();
    // A run that does not want its input closes the pipe; that is its right.
    let writer = std::thread::spawn(move || drop(input.write_all(&bytes)));
    let output = child.wait_with_output().expect("the binary ends");
    writer.join().expect("the writer ends");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    Ran { code: output.status.code().expect("no signal"), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Runs with an empty stdin.
pub(crate) fn weft(args: &[&str]) -> Ran {
    piped(args, "")
}

/// Runs `assemble` on the research example with further arguments.
pub(crate) fn research(args: &[&str]) -> Ran {
    weft(&[&["assemble", RESEARCH, "--counter", "chars4"], args].concat())
}

/// Reads so many bytes of stdout, closes it, and gives the exit code and stderr.
pub(crate) fn read_a_little(args: &[&str], bytes: usize) -> (i32, String) {
    let mut child = command(args).spawn().expect("the binary runs");
    let mut buffer = vec![0; bytes];
    child.stdout.take().expect("stdout is piped").read_exact(&mut buffer).expect("so many bytes");
    let mut stderr = String::new();
    child.stderr.take().expect("stderr is piped").read_to_string(&mut stderr).expect("UTF-8");
    (child.wait().expect("the binary ends").code().expect("no signal"), stderr)
}

/// A file of this test's own, gone when it is dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str, bytes: impl AsRef<[u8]>) -> Scratch {
        let scratch = Scratch::empty(name);
        std::fs::write(&scratch.0, bytes).expect("the temporary folder takes a file");
        scratch
    }

    /// A path at which there is nothing yet.
    pub(crate) fn empty(name: &str) -> Scratch {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_file(&path);
        let _ = std::fs::remove_dir_all(&path);
        Scratch(path)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().expect("UTF-8")
    }

    pub(crate) fn text(&self) -> String {
        std::fs::read_to_string(&self.0).expect("the file was written")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A conversation of a human and an agent with these nodes, as JSON without the brackets.
pub(crate) fn chat(nodes: &str) -> String {
    format!(
        r#"{{"weft":1,"space":{{"id":"s"}},"entities":[{{"id":"h","name":"Hana","type":"human"}},{{"id":"a","name":"Ada","type":"agent","systemPrompt":"Be brief."}}],"nodes":[{nodes}]}}"#
    )
}

/// A node that continues another.
pub(crate) fn node(id: &str, parent: &str, author: &str, text: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("{parent:?}") };
    format!(r#"{{"id":"{id}","parent":{parent},"author":"{author}","parts":[{{"type":"text","text":"{text}"}}]}}"#)
}
