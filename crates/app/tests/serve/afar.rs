//! `weft chat` at a server: the same lines lead to the same words as on a database.

use crate::house::{House, Person, text};
use crate::remote::{Hand, ended, runtime};
use reqwest::Method;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Command;

/// A server, and somebody at a terminal elsewhere.
fn afar() -> (House, Person, Hand) {
    let house = House::new();
    let owner = runtime().block_on(house.owner());
    let hand = Hand::there(&house, &owner);
    (house, owner, hand)
}

/// The texts that were said in the newest space, with a sign for what was stopped or failed.
fn said(house: &House, who: &Person) -> Vec<String> {
    runtime().block_on(async {
        let spaces = house.get(who, "/api/spaces").await;
        let space = text(&spaces["spaces"][0]["id"]);
        let nodes = house.get(who, &format!("/api/spaces/{space}/nodes?limit=100")).await;
        let one = |said: &Value| {
            let parts = said["node"]["parts"].as_array().expect("parts").iter().filter_map(|part| part["text"].as_str());
            parts.collect::<String>() + if said["node"]["status"] == "error" { " [broken]" } else { "" }
        };
        nodes["nodes"].as_array().expect("nodes").iter().filter(|said| said["node"]["kind"].is_null()).map(one).collect()
    })
}

/// What was shown, without what differs from one time to the next: ids and names in the rows of a tree.
fn settled(shown: &str) -> String {
    let row = |line: &str| {
        let number = line.split_whitespace().next().is_some_and(|word| word.parse::<u32>().is_ok());
        let (sign, rest) = (line.chars().nth(5)?, line.find(['‹', '[', '"'])?);
        number.then(|| format!("{sign} {}", &line[rest..]))
    };
    shown.lines().map(|line| row(line).unwrap_or_else(|| line.to_owned()) + "\n").collect()
}

#[test]
fn a_chat_at_a_server_says_and_shows_what_one_on_a_database_does() {
    let (house, owner, hand) = afar();
    let here = Hand::here(&house, "other.db");
    for lines in [
        "!say **bold** | \x1b[2J | // |\n!say one\\\n!say two\n//etc is a folder\\\n!say three\n",
        "!say one\n/retry\n/switch prev\n/tree\n/pin 1\n/switch 2\n/tree\n/switch next\n/retry\n/tree\n",
        "!say one\n/edit\n!say two\n/tree\n/continue\n",
        "/system Be brief.\n/system\n/sampling temperature=0.5\n!say hello\n/clear\n/undo\n/clear\n!say afresh\n/tree\n",
        "!think hm\n!say thought\n/reasoning off\n/exclude\n/include\n/bookmark 1\n/nowhere\n",
        "/retry\n",
    ] {
        let (there, here) =
            (hand.piped(&["chat", "--model", "offline"], lines), here.piped(&["chat", "--model", "offline"], lines));
        assert_eq!(settled(&there.stdout), settled(&here.stdout), "{lines}\n{}", there.stderr);
        assert_eq!(there.code, here.code, "{lines}\n{}{}", there.stderr, here.stderr);
    }
    // Several at once: the head goes to one of them.
    let several = hand.piped(&["chat", "--model", "offline"], "!say one\n/generate 2\n/tree\n");
    assert!(several.stderr.contains("‹1/2›") && several.stderr.contains("‹2/2›"), "{several:?}");
    let several = several.ok();
    assert!(several.starts_with("one\none\none\n") && several.contains("‹3/3›"), "{several}");
    let head = several.lines().find(|line| line.contains('●')).expect("a head");
    assert!(!head.contains("‹1/3›"), "{several}");
    // The newest goes on, and any by its name.
    hand.piped(&["chat", "-c"], "!say again\n").ok();
    assert_eq!(said(&house, &owner).last().map(String::as_str), Some("again"));
    let long = "x".repeat(200_000);
    let ran = hand.piped(&["chat", "-c"], &format!("{long}\n"));
    assert!(ran.code == 2 && ran.stderr.contains("at most 65536"), "{ran:?}");
}

#[test]
fn commands_look_and_say_what_does_not_go() {
    let (house, _, hand) = afar();
    let lines = "!say hello\n/context and now?\n/cost\n/model\n/raw\n/open\n/title\n/export markdown\n/summarize\n";
    let shown = hand.piped(&["chat", "--model", "offline"], lines).ok();
    for word in ["history", "window", "total", "offline", "● offline/offline", "\"messages\"", "response", "hello", "space-"] {
        assert!(shown.contains(word), "{word}: {shown}");
    }
    for (args, lines, why) in [
        (&["chat", "-c"][..], "/undo\n", "/switch goes back"),
        (&["chat", "-c"], "/tools\n", "the page of the agent"),
        (&["chat", "-c"], "!fail 418\n", "418"),
        (&["chat", "-c", "--model", "offline"], "", "/model and /system change"),
        (&["chat", "--loom", "read"], "", "does not go through a server"),
        (&["chat", "nowhere"], "", "nowhere"),
        (&["chat", "--model", "nobody/has-it"], "hello\n", "has-it"),
    ] {
        let ran = hand.piped(args, lines);
        assert!(ran.code == 2 && ran.stderr.contains(why), "{args:?} {lines}: {ran:?}");
    }
    // A file that a server has is talked to through it.
    let beside = Hand::here(&house, "weft.db").piped(&["chat", "-c"], "!say beside\n");
    assert!(beside.stdout == "beside\n" && beside.stderr.contains("through the server at"), "{beside:?}");
}

#[test]
fn a_reply_is_seen_as_it_comes_and_stops_when_asked_to() {
    let (house, owner, hand) = afar();
    let mut child = hand.begin(&["chat", "--model", "offline"]);
    let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    write!(stdin, "!stream 5\\\n!say {}\n", "word ".repeat(2000)).unwrap();
    let (mut stdout, mut first) = (BufReader::new(stdout), [0; 20]);
    stdout.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"word word word word ");
    // It is still being written.
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut rest = String::new();
    stdout.read_line(&mut rest).unwrap();
    writeln!(stdin, "!say and on").unwrap();
    drop(stdin);
    stdout.read_to_string(&mut rest).unwrap();
    let ran = ended(child);
    assert!(ran.code == 0 && ran.stderr.contains("[stopped]") && rest.ends_with("and on\n"), "{rest} {ran:?}");
    let kept = said(&house, &owner);
    assert!(kept[1].ends_with(" [broken]") && kept[1].len() < 10_000, "{kept:?}");
    assert_eq!(kept[3], "and on");
}

#[test]
fn a_server_that_dies_meanwhile_is_come_back_to() {
    let (mut house, owner, hand) = afar();
    let mut child = hand.begin(&["chat", "--model", "offline"]);
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "!say begun\\\n!stall 60\\\n!say never").unwrap();
    let mut first = [0; 5];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    house.restart();
    let ran = ended(child);
    assert!(ran.code == 2 && !ran.stderr.contains("tells nothing"), "{ran:?}");
    assert_eq!(said(&house, &owner).len(), 2);
    let ask = house.ask(&owner, Method::GET, "/api/session").send();
    assert!(runtime().block_on(ask).is_ok());
}
