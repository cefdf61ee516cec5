//! What goes wrong is named, with what to do about it.

use super::team;

#[test]
fn each_mistake_says_what_where_and_how() {
    let db = team("team-mistakes", &["Analyst", "Designer"]);
    db.ok(&["spaces", "post", "alpha", "!say Nothing."]);
    let cases: &[(&[&str], &str)] = &[
        (&["agents", "add", "You"], "\"You\" is a word of the timeline"),
        (&["agents", "add", "ANALYST"], "\"ANALYST\" looks like \"Analyst\", the name of analyst"),
        (&["agents", "add", "Husam"], "the name of husam"),
        (&["agents", "add", "a:b"], "':', which no name may hold"),
        (&["agents", "add", "New", "--id", "analyst"], "the id \"analyst\" is taken"),
        (&["agents", "add", "New", "--model", "nobody/x"], "no provider has a model"),
        (&["agents", "add", "New", "--prompt", "@/nowhere"], "/nowhere"),
        (&["agents", "add", "New", "--space", "alpa"], "did you mean \"alpha\"?"),
        (&["agents", "show", "Analist"], "did you mean \"Analyst\""),
        (&["agents", "set", "analyst"], "nothing to change"),
        (&["agents", "set", "analyst", "--name", "designer"], "looks like \"Designer\""),
        (&["runs", "show", "abcd"], "there is no run \"abcd\""),
        (&["runs", "show", "a"], "at least 4 characters"),
        (&["runs", "--agent", "Husam"], "there is no agent"),
        (&["runs", "--status", "lost"], "possible values: queued"),
        (&["spaces", "post", "nowhere", "Hello"], "there is no space"),
        (&["spaces", "post", "alpha", " "], "the message is empty"),
        (&["spaces", "post", "alpha", "Hello", "--as", "Nobody"], "nobody in alpha is called \"Nobody\""),
        (&["spaces", "post", "alpha", "Hello", "--as", "Analyst"], "is an agent: it sends messages from its runs"),
        (&["spaces", "post", "alpha", "Hello", "--reply-to", "zzzz"], "weft spaces read alpha shows their ids"),
        (&["spaces", "context", "alpha", "--agent", "Husam"], "only agents are sent anything"),
        (&["spaces", "create", " "], "a space needs a name"),
        (&["spaces", "create", "Beta", "--id", "alpha"], "there is a space \"alpha\" already"),
        (&["spaces", "create", "Beta", "--member", "Nobody"], "nobody is called \"Nobody\""),
        (&["spaces", "join", "alpha", "--person", "everyone"], "\"everyone\" is a word of the timeline"),
        (&["spaces", "leave", "alpha", "Nobody"], "nobody in alpha is called"),
        (&["spaces", "delete-message", "alpha", "zzzz"], "there is no message \"zzzz\""),
        (&["plans", "add", "X", "--agent", "Nobody", "--do", "x", "--after", "1 hour"], "there is no agent \"Nobody\""),
        (&["plans", "remove", "zzzzzz"], "weft plans lists all 0"),
    ];
    for (args, message) in cases {
        let ran = db.weft(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
    }
    let id = super::newest(&db);
    let idle = db.weft(&["runs", "allow", &id]);
    assert!(idle.code == 2 && idle.stderr.contains("asks about nothing (it is completed)"), "{}", idle.stderr);
}
