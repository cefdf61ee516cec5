//! Help, version, schema, completions.

use crate::run::weft;

#[test]
fn help_and_version_go_to_stdout() {
    for args in [["help"].as_slice(), &["--help"], &["--version"], &["assemble", "--help"], &["help", "lint"]] {
        let ran = weft(args);
        assert!(ran.code == 0 && !ran.stdout.is_empty() && ran.stderr.is_empty(), "{args:?}");
        assert!(!ran.stdout.contains('\x1b'), "{args:?} has escape codes in a pipe");
    }
    assert!(weft(&["--version"]).stdout.starts_with("weft 0."));
}

#[test]
fn no_command_is_a_usage_error() {
    for args in [[].as_slice(), &["weave"]] {
        let ran = weft(args);
        assert!(ran.code == 2 && ran.stdout.is_empty() && ran.stderr.contains("Usage: weft"), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn the_schema_describes_the_conversation_file() {
    let schema = weft(&["schema"]).json();
    assert_eq!(schema["title"], "Conversation");
    assert!(schema["properties"]["nodes"].is_object());
}

#[test]
fn completions_know_the_arguments() {
    // The last two shells complete names only.
    let cases =
        [("bash", "anthropic"), ("zsh", "anthropic"), ("fish", "anthropic"), ("powershell", "--low-water"), ("elvish", "--for")];
    for (shell, word) in cases {
        let ran = weft(&["completions", shell]);
        assert!(ran.code == 0 && ran.stdout.contains(word) && ran.stderr.is_empty(), "{shell}: {}", ran.stderr);
    }
}
