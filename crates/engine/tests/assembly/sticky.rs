//! A cut that is held: the prefix stays for many turns and equals a replay from the root.

use crate::scene::{Talk, talk, tokens};

/// Turns of one question and one answer; the answer to the last is still to come.
fn turns(count: usize, question: usize, answer: usize) -> Talk {
    let turn = |n: usize| {
        let asked = format!("u: {}\n", tokens(question + n % 3));
        if n + 1 == count { asked } else { asked + &format!("a: {}\n", tokens(answer + n % 5)) }
    };
    talk(&(0..count).map(turn).collect::<String>())
}

/// The first kept node, by the book: play the path turn by turn; when it is over, cut whole turns down to the share.
fn by_the_book(count: usize, question: u64, answer: u64, budget: u64, thousandths: u64) -> usize {
    let mut costs: Vec<u64> = Vec::new();
    let mut from = 0;
    for n in 0..count as u64 {
        costs.push(question + n % 3);
        if n + 1 < count as u64 {
            costs.push(answer + n % 5);
        }
        let held = |from: usize| costs[from..].iter().sum::<u64>();
        if held(from) > budget {
            while held(from) > budget * thousandths / 1000 && from + 2 < costs.len() {
                from += 2;
            }
        }
    }
    from
}

#[test]
fn the_cut_equals_a_replay_from_the_root() {
    for strategy in ["rollingWindow", "dropOldest", "stickyWindow"] {
        for (low_water, thousandths) in [("0.6", 600), ("0.7", 700), ("0.25", 250)] {
            for count in [1, 2, 5, 20, 33, 34, 35, 60, 61, 62, 63] {
                let json = format!(r#"{{"strategy":"{strategy}","lowWater":{low_water},"contextLength":300}}"#);
                let kept = turns(count, 3, 8).set(&json).kept();
                let from = by_the_book(count, 3, 8, 300, thousandths);
                assert_eq!(kept.first(), Some(&format!("n{}", from + 1)), "{strategy} {low_water} {count}");
                assert_eq!(kept.len(), 2 * count - 1 - from);
            }
        }
    }
}

#[test]
fn the_prefix_stays_the_same_for_many_turns() {
    let first = |count: usize, low_water: &str| {
        let json = format!(r#"{{"strategy":"rollingWindow","lowWater":{low_water},"contextLength":300}}"#);
        turns(count, 3, 8).set(&json).kept().first().cloned()
    };
    let moves = |low_water: &str| (40..100).filter(|&count| first(count, low_water) != first(count + 1, low_water)).count();
    assert!(moves("1") > 50, "{}", moves("1"));
    assert!(moves("0.6") <= 8, "{}", moves("0.6"));
}

#[test]
fn truncate_middle_keeps_its_first_turn_and_holds_its_cut() {
    let kept = |count: usize| turns(count, 3, 8).set(r#"{"lowWater":0.6,"contextLength":300}"#).kept();
    let starts: Vec<_> = (30..60).map(|count| (kept(count)[..2].to_vec(), kept(count)[2].clone())).collect();
    assert!(starts.iter().all(|(first, _)| *first == ["n1", "n2"]));
    let moves = starts.windows(2).filter(|pair| pair[0].1 != pair[1].1).count();
    assert!(moves <= 4, "{starts:?}");
}

#[test]
fn a_changing_line_of_system_text_does_not_move_the_cut() {
    let kept = |prompt: &str| turns(60, 3, 8).prompt(prompt).set(r#"{"strategy":"stickyWindow","contextLength":1400}"#).kept();
    let one = kept("It is Monday.");
    assert_eq!(one, kept("It is Wednesday, and it rains, and the cat wants in."));
    assert_eq!(one.first().map(String::as_str), Some(format!("n{}", by_the_book(60, 3, 8, 376, 600) + 1).as_str()));
}

#[test]
fn a_stored_input_and_the_same_one_at_the_head_are_cut_alike() {
    for count in 30..45 {
        let json = r#"{"strategy":"stickyWindow","contextLength":300}"#;
        let open = turns(count, 3, 8).set(json).kept();
        let head = format!("n{}", 2 * count - 1);
        assert_eq!(turns(count, 3, 8).input_node(&head).set(json).kept(), open, "{count}");
    }
}

#[test]
fn tool_policies_do_not_end_the_hold() {
    for policy in ["all-on", "cached", "manual", "all-off", "auto"] {
        let json = format!(r#"{{"strategy":"stickyWindow","contextLength":300,"toolPolicy":"{policy}"}}"#);
        let kept = turns(50, 3, 8).set(&json).kept();
        assert_eq!(kept.first(), Some(&format!("n{}", by_the_book(50, 3, 8, 300, 600) + 1)), "{policy}");
    }
}

#[test]
fn stop_at_limit_holds_nothing() {
    let talk = turns(20, 3, 8).set(r#"{"strategy":"stopAtLimit","lowWater":0.5,"contextLength":300}"#);
    assert_eq!(talk.kept().len(), 39);
}
