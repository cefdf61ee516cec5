//! Somebody at a terminal.

use super::{kept, messages};
use crate::keep::Db;
use crate::run::alone;
use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A test that waits longer has failed.
const PATIENCE: Duration = Duration::from_secs(30);

/// The binary in a terminal of its own.
struct Terminal {
    keys: Box<dyn Write + Send>,
    screen: Receiver<Vec<u8>>,
    child: Box<dyn Child + Send + Sync>,
    seen: String,
}

impl Terminal {
    fn open(db: &Db, args: &[&str], env: &[(&str, &str)]) -> Terminal {
        let size = PtySize { rows: 30, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_weft"));
        command.args([&["chat"], args, &["--db", &db.file()]].concat());
        for (name, value) in alone() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            }
        }
        command.env("TERM", "xterm-256color");
        command.env_remove("NO_COLOR");
        env.iter().for_each(|(name, value)| command.env(name, value));
        let child = pair.slave.spawn_command(command).expect("the binary runs");
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let (sender, screen) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count) = reader.read(&mut bytes) {
                if count == 0 || sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let keys = pair.master.take_writer().expect("a writer");
        // The terminal lives as long as its reader and writer.
        Terminal { keys, screen, child, seen: String::new() }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).and_then(|()| self.keys.flush()).expect("keys are taken");
    }

    /// Waits until a text is seen, and forgets what came before it.
    fn await_text(&mut self, text: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.seen.find(text) {
                let rest = self.seen.split_off(at + text.len());
                return std::mem::replace(&mut self.seen, rest);
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.screen.recv_timeout(left) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(why) => panic!("{text:?} was not seen ({why}, {:?}), but {:?}", self.child.try_wait(), self.seen),
            }
        }
    }

    /// The exit code, after it left by itself.
    fn end(mut self) -> u32 {
        self.child.wait().expect("it ends").exit_code()
    }
}

const ENTER: &str = "\r";
const ALT_ENTER: &str = "\x1b\r";
const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";

#[test]
fn ctrl_c_stops_a_reply_and_keeps_what_came() {
    let db = Db::new("chat-stop");
    let mut terminal = Terminal::open(&db, &["--model", "offline"], &[]);
    terminal.await_text("/help");
    terminal.await_text("› ");
    let words = "one two three four five six seven eight nine ten eleven twelve";
    terminal.press(&format!("!stream 5{ALT_ENTER}!say {words}{ENTER}"));
    // The reply, not what was typed.
    terminal.await_text("twelve");
    terminal.await_text("two ");
    terminal.press(CTRL_C);
    terminal.await_text("[stopped]");
    terminal.await_text("› ");
    terminal.press(CTRL_D);
    assert_eq!(terminal.end(), 0);
    let messages = messages(&kept(&db));
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert_eq!(messages[0], format!("!stream 5\n!say {words}"));
    assert!(messages[1].starts_with("one two") && messages[1].ends_with("[broken]"), "{messages:?}");
    assert!(!messages[1].contains("twelve"), "{messages:?}");
}

#[test]
fn pasted_lines_are_one_message_and_ctrl_c_twice_leaves() {
    let db = Db::new("chat-paste");
    let mut terminal = Terminal::open(&db, &["--model", "offline"], &[]);
    terminal.await_text("› ");
    terminal.press(&format!("\x1b[200~!say one\n!say two\x1b[201~{ENTER}"));
    terminal.await_text("of 128k");
    terminal.await_text("› ");
    terminal.press(CTRL_C);
    terminal.await_text("once more");
    // Before the prompt is there, the key belongs to nobody.
    terminal.await_text("› ");
    terminal.press(CTRL_C);
    assert_eq!(terminal.end(), 0);
    assert_eq!(messages(&kept(&db)), ["!say one\n!say two", "one\ntwo"]);
}

#[test]
fn a_dumb_terminal_gets_no_escape_codes() {
    let db = Db::new("chat-dumb");
    let mut terminal = Terminal::open(&db, &["--model", "offline"], &[("TERM", "dumb")]);
    let mut seen = terminal.await_text("/help");
    terminal.press("!say **hello**\n");
    seen += &terminal.await_text("of 128k");
    terminal.press("/quit\n");
    assert_eq!(terminal.end(), 0);
    assert!(seen.contains("**hello**") && !seen.contains('\x1b'), "{seen:?}");
}
