//! `weft convert`: the other format on stdout or in a folder, what was lost on stderr.

use crate::run::{OPENAI, RESEARCH, Scratch, chat, node, piped, weft};

#[test]
fn every_format_is_written_with_a_loss_report() {
    for (format, beginning) in
        [("weft", "{\"weft\":1"), ("weft-jsonl", "{\"weft\":1"), ("openai", "{\"messages\":"), ("markdown", "# ")]
    {
        let ran = weft(&["convert", RESEARCH, "--to", format]);
        assert!(ran.code == 0 && ran.stdout.starts_with(beginning) && ran.stdout.ends_with('\n'), "{format}: {}", ran.stderr);
        assert!(ran.stderr.contains("from weft") && ran.stderr.contains("34 × nodes"), "{format}: {}", ran.stderr);
    }
    assert_eq!(weft(&["convert", RESEARCH, "--to", "openai-jsonl"]).code, 0);
    assert_eq!(weft(&["convert", RESEARCH]).code, 2, "--to is required");
}

#[test]
fn what_was_converted_to_weft_assembles_alike() {
    let direct = weft(&["assemble", OPENAI, "--to", "openai"]).stdout;
    let converted = weft(&["convert", OPENAI, "--to", "weft"]).stdout;
    assert_eq!(piped(&["assemble", "--to", "openai"], converted).stdout, direct);
}

#[test]
fn several_conversations_are_lines_or_files() {
    let one = chat(&node("n1", "", "h", "First"));
    let two = one.replace("\"id\":\"s\"", "\"id\":\"t\",\"name\":\"Tea: a / b\"");
    let file = format!("{one}\n{two}\n");
    let lines = piped(&["convert", "--to", "weft"], file.as_str());
    assert_eq!((lines.code, lines.stdout.lines().count()), (0, 2), "{}", lines.stderr);
    let chosen = piped(&["convert", "--to", "weft", "--conversation", "t"], file.as_str());
    assert!(chosen.stdout.contains("\"t\"") && !chosen.stdout.contains("\"s\""), "{}", chosen.stdout);

    let folder = Scratch::empty("converted");
    let args = ["convert", "--to", "markdown", "--out", folder.path()];
    let ran = piped(&args, file.as_str());
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    let mut names: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").flatten().map(|file| file.file_name()).collect();
    names.sort();
    assert_eq!(names, ["1-s.md", "2-tea-a-b.md"]);
    let again = piped(&args, file.as_str());
    assert!(again.code == 2 && again.stderr.contains("choose a folder without it"), "{}", again.stderr);
}
