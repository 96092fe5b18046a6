use super::*;

fn call(name: &str, args: &str, result: &str) -> Call {
    Call { name: name.into(), args: args.into(), result: Some(result.into()), ..Call::default() }
}

/// A detail as lines: facts, then each part's title and text.
fn told(call: &Call) -> String {
    let detail = detail(call, false);
    let facts = detail.facts.iter().map(|(name, value)| format!("{name} = {value}"));
    let parts = detail.parts.iter().map(|part| format!("[{}]\n{}", part.title, part.text()));
    facts.chain(parts).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_kind_shows_what_it_is_about() {
    let cases = [
        (
            call("Bash", r#"{"command":"cargo test","description":"Run the tests","timeout":60000}"#, "\u{1b}[32mok\u{1b}[0m\n10 %\r99 %"),
            "description = Run the tests\ntimeout = 60000\n[Command]\ncargo test\n[Output]\nok\n99 %",
        ),
        (
            call("shell", r#"{"command":["ls"]}"#, r#"{"output":"a\n","metadata":{"exit_code":0}}"#),
            "Exit code = 0\n[command]\n[\n  \"ls\"\n]\n[Output]\na",
        ),
        (call("Read", r#"{"file_path":"a.rs"}"#, "     7→fn a() {}"), "file_path = a.rs\n[Content]\nfn a() {}"),
        (
            call("Edit", r#"{"file_path":"a.rs","old_string":"a","new_string":"b","replace_all":false}"#, "done"),
            "file_path = a.rs\nreplace_all = false\n[Changes: 1 line added, 1 removed]\n-a\n+b\n[Result]\ndone",
        ),
        (
            call("Grep", r#"{"pattern":"x"}"#, "src/a.rs:4:let x\nsrc/b.rs:9:x"),
            "pattern = x\n[Result: 2 lines]\nsrc/a.rs:4:let x\nsrc/b.rs:9:x",
        ),
        (call("Glob", r#"{"pattern":"*"}"#, "a\nb"), "pattern = *\n[Result: 2 lines]\na\nb"),
        (
            call("mcp__tracker__list_items", r#"{"state":"open","n":1e999}"#, r#"{"items":[12345678901234567890]}"#),
            "Server = tracker\nTool = list_items\nstate = open\nn = 1e999\n[Result]\n{\n  \"items\": [\n    12345678901234567890\n  ]\n}",
        ),
        (call("Task", r#"{"description":"d","prompt":"**do**"}"#, "# Done"), "description = d\n[Prompt]\n**do**\n[Result]\n# Done"),
        (call("ExitPlanMode", r##"{"plan":"# Plan"}"##, "ok"), "[Plan]\n# Plan\n[Result]\nok"),
        (call("write_todos", r#"{"todos":[{"content":"a","status":"completed"}]}"#, "ok"), "[List]\n✓ a\n[Result]\nok"),
        (
            call("NotebookEdit", r#"{"notebook_path":"a.ipynb","new_source":"x=1"}"#, "ok"),
            "notebook_path = a.ipynb\n[Changes: 1 line added, 0 removed]\n+x=1\n[Result]\nok",
        ),
        (call("unheard", r#"{"a":{"b":1},"a":""}"#, "text"), "a = \"\"\n[a]\n{\n  \"b\": 1\n}\n[Result]\ntext"),
    ];
    for (call, expected) in cases {
        assert_eq!(told(&call), expected, "{}", call.name);
    }
}

#[test]
fn an_empty_result_is_not_a_missing_one() {
    let mut call = call("Bash", "", "");
    assert_eq!(told(&call), "[Result]\nEmpty.");
    call.result = None;
    assert_eq!(told(&call), "[Result]\nNone was recorded.");
    call.open = true;
    assert_eq!(told(&call), "[Result]\nNone yet.");
    call.error = Some("Exit code 2\nno".into());
    assert_eq!(told(&call), "Exit code = 2\n[Error]\nno");
}

#[test]
fn what_steers_a_reader_never_leaves() {
    for name in ["Bash", "Read", "Grep", "Glob", "unheard", "Edit", "mcp__a__b"] {
        let args = "{\"a\\u202e\":\"\\u202eb\",\"command\":\"\\u001b]52;c;x\\u0007y\",\"content\":\"\\u202e\"}";
        let said = told(&call(name, args, "x\u{1b}]8;;http://evil.test\u{7}y\u{202e}\0"));
        assert!(!said.contains(['\u{1b}', '\u{202e}', '\0', '\u{7}']), "{name}: {said:?}");
    }
}

#[test]
fn bad_input_is_drawn_or_cut() {
    let long = "x".repeat(1_000_000);
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    for args in [deep.as_str(), "{\"a\":", "[1,2]", "\"\\ud83d\"", "{\"a\":\"\\ud83d\"}", "null"] {
        for result in [long.as_str(), &deep, "\u{1b}[31m", ""] {
            for name in ["Bash", "Read", "Edit", "Grep", "WebSearch", "unheard"] {
                let detail = detail(&call(name, args, result), false);
                for part in &detail.parts {
                    assert!(part.text().chars().count() <= 24_100, "{name}: {}", part.title);
                }
            }
        }
    }
}

#[test]
fn colours_inside_of_a_secret_do_not_show_it() {
    let body = "9fK2mQ7xV4tB8nR3cW6yH1jL5pS0dG2aZe4u";
    for said in
        [format!("key: \u{1b}[01;31m\u{1b}[Kghp_\u{1b}[m\u{1b}[K{body}"), format!("\u{1b}[32mAPI_KEY\u{1b}[0m=\u{1b}[33m{body}\u{1b}[0m")]
    {
        let call = Call { name: "Bash".into(), args: "{}".into(), result: Some(said), ..Call::default() }.veiled();
        assert!(!format!("{:?}", detail(&call, true)).contains(&body[..12]), "{:?}", call.result);
    }
}
