//! What does not fit ends with exit 3, an empty stdout, and the whole breakdown on stderr.

use crate::run::{chat, node, piped, research};

/// Arguments and the lines that must be there.
#[test]
fn what_does_not_fit_is_broken_down() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["--context-length", "100"], &["systemTooLarge", "contextLength", "tools", "needed"]),
        (&["--context-length", "310", "--max-tokens", "1"], &["doesNotFit"]),
        (&["--context-length", "1200", "--strategy", "stopAtLimit"], &["overLimit", "n13+n14", "--strategy"]),
    ];
    for (args, lines) in cases {
        let ran = research(&[&["--to", "anthropic", "--input", &"word ".repeat(250)], *args].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{args:?}: {}", ran.stderr);
        for line in [*lines, &["available", "largest", "fix: "]].concat() {
            assert!(ran.stderr.contains(line), "{args:?} lacks {line:?}: {}", ran.stderr);
        }
    }
}

#[test]
fn a_limit_of_the_api_is_one_too() {
    let picture = r#"{"type":"image","mediaType":"image/png","url":"https://example.org/a.png","width":10,"height":10}"#;
    let pictures = [picture; 101].join(",");
    let file = chat(&format!(r#"{{"id":"n1","author":"h","parts":[{pictures}]}},{}"#, node("n2", "n1", "h", "Look")));
    let ran = piped(&["assemble", "--to", "anthropic", "--model", "claude-sonnet-4-5", "--context-length", "190k"], file);
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("doesNotFit: 101 images are more than the 100 that anthropic takes"), "{}", ran.stderr);
}

#[test]
fn no_number_is_too_large() {
    let most = u64::MAX.to_string();
    for args in
        [["--context-length", &most, "--explain"], ["--max-tokens", &most, "--explain"], ["--context-length", "0", "--explain"]]
    {
        let ran = research(&args);
        assert!([0, 3].contains(&ran.code), "{args:?}: {}", ran.stderr);
    }
}
