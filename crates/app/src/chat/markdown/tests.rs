use super::*;
use proptest::prelude::*;

const COLOURS: Page = Page { colours: true, width: 40 };
const BARE: Page = Page { colours: false, width: 40 };

fn whole(page: Page, text: &str) -> String {
    let mut markdown = Markdown::new(page);
    markdown.push(text) + &markdown.finish()
}

/// What a terminal shows, with the escape codes as `‹1›…‹0›`.
fn shown(page: Page, text: &str) -> String {
    let text = whole(page, text).replace("\x1b[", "‹");
    let mut out = String::new();
    let mut inside = false;
    for character in text.chars() {
        inside |= character == '‹';
        if inside && character == 'm' {
            out.push('›');
            inside = false;
        } else {
            out.push(character);
        }
    }
    out
}

const LETTER: &str = "# Bees\n\nThey are **kept** in `hives`, which\nhave *frames*.\n\n\n## Why\n- honey, which is sold on every market of the town\n  - wax\n10. more\n\n> A quote that is long enough to need a second line.\n\n```rust\nfn main() {\n\tlet x = \"**not bold**\"; // a line that is wider than the page stays one\n\n}\n```\nSee [the guide](https://x.org).\n\n---\n\n| a | sum |\n|---|----:|\n| **x** | 10 |\n| y | 2 |\n\nEnd";

#[test]
fn a_letter_in_colours() {
    insta::assert_snapshot!(shown(COLOURS, LETTER), @r#"
    ‹1;4›Bees‹0›

    They are ‹1›kept‹0› in ‹36›hives‹0›, which
    have ‹3›frames‹0›.

    ‹1›Why‹0›
    • honey, which is sold on every market
      of the town
      • wax
    10. more

    ‹2›│ ‹0›A quote that is long enough to need a
    ‹2›│ ‹0›second line.

    ‹2›```rust‹0›
    ‹36›fn main() {‹0›
    ‹36›	let x = "**not bold**"; // a line that is wider than the page stays one‹0›

    ‹36›}‹0›
    ‹2›```‹0›
    See ‹4›the guide‹0› ‹2›(https://x.org)‹0›.

    ‹2›────────────────────────────────────────‹0›

    ‹1›a‹0›‹2› │ ‹0›‹1›sum‹0›
    ‹2›──┼────‹0›
    ‹1›x‹0›‹2› │ ‹0› 10
    y‹2› │ ‹0›  2

    End
    "#);
}

#[test]
fn a_letter_without_colours_keeps_its_marks() {
    insta::assert_snapshot!(shown(BARE, LETTER), @r#"
    # Bees

    They are **kept** in `hives`, which
    have *frames*.

    ## Why
    - honey, which is sold on every market
      of the town
      - wax
    10. more

    > A quote that is long enough to need a
    > second line.

    ```rust
    fn main() {
    	let x = "**not bold**"; // a line that is wider than the page stays one

    }
    ```
    See [the guide](https://x.org).

    ────────────────────────────────────────

    a     │ sum
    ──────┼────
    **x** │  10
    y     │   2

    End
    "#);
}

#[test]
fn a_wide_table_wraps_inside_its_cells() {
    let text = "| name | what it is |\n|:--|:--|\n| weft | the thread that is drawn through the warp |\n| warp | the rest |\n";
    insta::assert_snapshot!(shown(BARE, text), @r#"
    name │ what it is
    ─────┼──────────────────────────────────
    weft │ the thread that is drawn through
         │ the warp
    warp │ the rest
    "#);
}

#[test]
fn rows_without_a_rule_are_no_table() {
    insta::assert_snapshot!(shown(BARE, "|a|b|\n|c|d|\n"), @r"
    |a|b|
    |c|d|
    ");
}

#[test]
fn code_that_never_ends_and_marks_that_never_close_lose_nothing() {
    for text in ["```\ncode", "**bold", "`tick", "[link](http", "| a |", "1.", "#", "> ", "~~~", "<https://x"] {
        let out = whole(BARE, text);
        assert_eq!(out.trim_end(), text.trim_end(), "{text:?}");
        assert!(whole(COLOURS, text).ends_with('\n'), "{text:?}");
    }
}

#[test]
fn nothing_in_a_text_steers_the_terminal() {
    let hostile =
        "a\x1b[2Jb\x07c\u{202E}d\u{9b}31me\u{2066}f\0g\x08h\ri\x7fj\u{e0041}\n```\n\x1b]0;title\x07\n```\n|\x1b|b|\n|-|-|\n";
    for page in [COLOURS, BARE] {
        let out = whole(page, hostile);
        let own = out.replace(Look::END, "").replace(&Look::CODE.begin(), "").replace(&Look::FAINT.begin(), "");
        let own = own.replace(&Look::STRONG.begin(), "");
        assert!(own.chars().all(|shown| shown == '\n' || !is_hidden(shown)), "{own:?}");
        assert!(own.contains("a\\u{1b}[2Jb"), "{own:?}");
    }
}

/// Pieces of Markdown in any order: more of its corners than random text would find.
fn any_markdown() -> impl Strategy<Value = String> {
    let pieces = [
        "*",
        "**",
        "_",
        "`",
        "```",
        "\n",
        "\n\n",
        " ",
        "- ",
        "1. ",
        "# ",
        "> ",
        "| ",
        "|",
        "|-|-|\n",
        "[",
        "](",
        ")",
        "!",
        "<",
        "https://x.org",
        ">",
        "\\",
        "~~",
        "---",
        "word",
        "a",
        "é",
        "天",
        "👩‍👩‍👧",
        "\t",
        "\r\n",
        "\x1b[1m",
        "longer words here",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn the_pieces_it_came_in_do_not_matter(text in any_markdown(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        colours: bool, width in 10usize..80) {
        let page = Page { colours, width };
        let letters: Vec<char> = text.chars().collect();
        let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(letters.len() + 1)).collect();
        at.extend([0, letters.len()]);
        at.sort_unstable();
        let mut markdown = Markdown::new(page);
        let mut pieces: String = at.windows(2).map(|ends| markdown.push(&letters[ends[0]..ends[1]].iter().collect::<String>())).collect();
        pieces += &markdown.finish();
        prop_assert_eq!(pieces, whole(page, &text));
    }
}
