//! The picture that people paste into bug reports.

use crate::run::{TIMELINE, command, research, weft};

#[test]
fn the_example_in_one_screen() {
    let ran = research(&["--to", "anthropic", "--context-length", "2k", "--explain"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (0, 1));
    insta::assert_snapshot!(ran.stderr);
}

#[test]
fn a_timeline_in_one_screen() {
    let args = ["assemble", TIMELINE, "--now", "2026-02-18T15:07:00Z", "--counter", "chars4", "--explain"];
    insta::assert_snapshot!(weft(&args).stderr);
}

#[test]
fn there_are_no_escape_codes_in_a_pipe() {
    for (name, value) in [("TERM", "xterm-256color"), ("NO_COLOR", "1"), ("COLORTERM", "truecolor")] {
        let mut command = command(&["assemble", "examples/research.weft.json", "--explain", "--context-length", "2k"]);
        let output = command.env(name, value).output().expect("the binary runs");
        assert!(output.status.success() && !output.stderr.contains(&0x1b) && !output.stdout.contains(&0x1b), "{name}={value}");
    }
}

#[test]
fn no_line_is_wider_than_the_line() {
    let ran = research(&["--explain"]);
    let widest = ran.stderr.lines().map(unicode_width::UnicodeWidthStr::width).max();
    assert!(widest.is_some_and(|widest| widest <= 100), "{widest:?}");
}

#[test]
fn a_prediction_is_shown() {
    let before = crate::run::Scratch::new("explained.json", research(&["--to", "anthropic", "--head", "n29"]).stdout);
    let ran = research(&["--to", "anthropic", "--previous", before.path(), "--explain"]);
    for line in ["first change", "prediction", "tokens read", "marks"] {
        assert!(ran.stderr.contains(line), "lacks {line:?}: {}", ran.stderr);
    }
}
