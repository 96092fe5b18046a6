//! What a transcript of every kind of entry looks like, as text: written anew when a view changes, and then read by a person.

use leptos::prelude::*;

use super::Transcript;
use crate::app::calls::Opened;
use crate::app::mirror::Mirror;
use crate::app::spent::Known;
use crate::model::{
    Agent, AgentStatus, Ask, AskState, Blob, Body, EntriesPage, Entry, EntryState, Image, Link, Long, Notice, Run, Session, SessionPage,
    Todo, TodoStatus, Tool, Usage,
};

/// 14 November 2026, 09:00 UTC.
const MORNING: i64 = 1_794_646_800_000;

fn tool(name: &str, title: &str, args: &str, result: Option<&str>) -> Body {
    Body::Tool(Box::new(Tool {
        call: "c".into(),
        name: name.into(),
        title: title.into(),
        args: args.into(),
        result: result.map(Into::into),
        ..Tool::default()
    }))
}

fn user(text: &str, origin: Option<&str>) -> Body {
    Body::User { text: text.into(), images: vec![], origin: origin.map(Into::into) }
}

/// One of each kind, and of each state where it shows.
fn corpus() -> Vec<(EntryState, Body)> {
    let done = |body| (EntryState::Done, body);
    let image = Image { media_type: "image/png".into(), blob: Blob { hash: "0".repeat(64), len: 2_048 } };
    let ask = |ask: &str, state, answer: Option<&str>| {
        Body::Ask(Box::new(Ask {
            ask: ask.into(),
            text: "May I delete the folder `out`?".into(),
            options: vec!["Yes".into(), "No".into()],
            ask_state: state,
            answer: answer.map(Into::into),
            ..Ask::default()
        }))
    };
    let notice = |kind: &str, text: &str, detail: Option<&str>| {
        Body::Notice(Notice { notice: kind.into(), text: text.into(), detail: detail.map(Into::into) })
    };
    let todo = |text: &str, status| Todo { text: text.into(), status };
    let long = Long { text: "a".repeat(40), blob: Some(Blob { hash: "1".repeat(64), len: 90_000 }) };
    vec![
        done(Body::User { text: "Look at **this**\nand that.".into(), images: vec![image.clone()], origin: None }),
        done(user("You have a new task.", Some("teammate"))),
        done(user(&"line\n".repeat(60), None)),
        done(Body::Reasoning { text: "First the tests.".into() }),
        (EntryState::Open, Body::Reasoning { text: "And then".into() }),
        done(Body::Text {
            text: "## Found\n\n1. one\n2. two\n   - inner\n\n- [x] read\n- [ ] write\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n> said\n\n```rust\nfn main() {}\n```\n\nSee[^1] [the docs](https://example.org/x), [this](javascript:alert(1)) and ![it](https://evil.test/x.png). <b>not bold</b> \u{202e}\n\n[^1]: A note.\n\n---\n".into(),
        }),
        (EntryState::Open, Body::Text { text: "It is **half".into() }),
        done(Body::Text { text: "The key is ghp_0123456789abcdefghijABCDEFGHIJ012345.".into() }),
        done(tool("Bash", "Run the tests", r#"{"command":"cargo test"}"#, Some("ok"))),
        (EntryState::Open, tool("Bash", "Wait for the server", r#"{"command":"sleep 9"}"#, None)),
        (
            EntryState::Failed,
            Body::Tool(Box::new(Tool { name: "Read".into(), title: "Read a.rs".into(), error: Some("No such file.".into()), ..Tool::default() })),
        ),
        (EntryState::Cancelled, tool("WebFetch", "Fetch example.org", r#"{"url":"https://example.org"}"#, None)),
        (EntryState::Unknown, tool("Grep", "Search 'retry'", r#"{"pattern":"retry"}"#, None)),
        done(tool("Read", "Read a.rs:1–9", "{}", Some(""))),
        done(tool("Read", "Read b.rs", "{}", Some("b"))),
        done(tool("Read", "Read c.rs", "{}", Some("c"))),
        done(tool("Read", "Read d.rs", "{}", Some("d"))),
        done(tool("Edit", "Edit a.rs", r#"{"file_path":"a.rs","old_string":"a","new_string":"b"}"#, Some("done"))),
        done(tool("Write", "Write b.rs", r#"{"file_path":"b.rs","content":"x"}"#, None)),
        done(tool("Glob", "Find **/*.rs", "{}", Some("a.rs\nb.rs"))),
        done(tool("WebSearch", "Search the web: leptos", "{}", Some("none"))),
        done(tool("NotebookEdit", "Edit cell 3 of x.ipynb", "{}", None)),
        done(tool("mcp__tracker__create_issue", "tracker: create issue", r#"{"title":"A"}"#, Some("{}"))),
        done(tool("ExitPlanMode", "Propose a plan", r#"{"plan":"1. a"}"#, None)),
        done(tool("Strange", "Strange", "not JSON", None)),
        done(Body::Tool(Box::new(Tool { name: "Shot".into(), title: "Take a picture".into(), images: vec![image], ..Tool::default() }))),
        done(Body::Tool(Box::new(Tool { name: "Task".into(), title: "Review auth".into(), child: Some(1), ..Tool::default() }))),
        done(ask("permission", AskState::Open, None)),
        done(ask("question", AskState::Answered, Some("Yes"))),
        done(ask("plan", AskState::Denied, None)),
        done(ask("form", AskState::Withdrawn, None)),
        done(Body::Todos {
            items: vec![
                todo("Read", TodoStatus::Completed),
                todo("Write", TodoStatus::InProgress),
                todo("Test", TodoStatus::Pending),
                todo("Sing", TodoStatus::Cancelled),
            ],
            call: None,
        }),
        done(notice("error", "The service is overloaded.", Some("HTTP 529"))),
        done(notice("compaction", "Conversation compacted", None)),
        done(notice("limit", "", None)),
        done(notice("opaque", "{torn", None)),
        (EntryState::Withdrawn, Body::Text { text: "Taken back.".into() }),
        done(Body::User { text: long, images: vec![], origin: None }),
        done(Body::Text { text: "The end.".into() }),
    ]
}

fn opened() -> Opened {
    let entries: Vec<Entry> = corpus()
        .into_iter()
        .zip(1..)
        .map(|((state, body), seq)| {
            let at = Some(MORNING + i64::from(seq) * if seq > 30 { 3_600_000 } else { 1_000 });
            let ended_at = (state != EntryState::Open).then(|| at.map(|at| at + 14_000)).flatten();
            Entry { state, at, ended_at, ..Entry::finished(0, seq, body) }
        })
        .collect();
    let run =
        |status, to: Option<i64>| vec![Run { run: 1, status, cause: None, started_at: Some(MORNING), ended_at: to.map(|to| MORNING + to) }];
    let main = Agent {
        id: "main".into(),
        title: "Main".into(),
        status: AgentStatus::Running,
        runs: run(AgentStatus::Running, None),
        last_seq: entries.len() as u32,
        ..Agent::default()
    };
    let child = Agent {
        n: 1,
        id: "a1".into(),
        title: "Review auth".into(),
        kind: Some("reviewer".into()),
        parent: Some(0),
        link: Link::Exact,
        status: AgentStatus::Finished,
        tool_calls: 12,
        usage: Usage { output: 9, ..Usage::default() },
        started_at: Some(MORNING),
        ended_at: Some(MORNING + 100_000),
        runs: run(AgentStatus::Finished, Some(100_000)),
        ..Agent::default()
    };
    let page = SessionPage {
        session: Session { id: "s".into(), title: "Every kind".into(), ..Session::default() },
        agents: vec![main, child],
        entries: EntriesPage { agent: 0, entries, more_before: false, more_after: false, rev: 1 },
        cursor: String::new(),
        now: MORNING + 50_000,
    };
    Opened { page, sessions: vec![], known: Known::default(), saved: None }
}

/// HTML with one tag or text a line, indented; without what only hydration needs, and without drawings.
fn outline(html: &str) -> String {
    const VOID: [&str; 4] = ["img", "br", "hr", "input"];
    let mut out = String::new();
    let mut depth = 0_usize;
    let mut drawing = false;
    let mut rest = html;
    while !rest.is_empty() {
        let piece = match (rest.strip_prefix('<'), rest.find(['<', '>'])) {
            (Some(_), _) => rest.split_inclusive('>').next().unwrap_or(rest),
            (None, at) => rest.get(..at.unwrap_or(rest.len())).unwrap_or(rest),
        };
        rest = rest.get(piece.len()..).unwrap_or_default();
        let name = piece.trim_start_matches(['<', '/']).split([' ', '>']).next().unwrap_or_default();
        if piece.starts_with("<!") || piece.trim().is_empty() {
            continue;
        }
        if name == "svg" {
            drawing = !piece.starts_with("</");
            continue;
        }
        if drawing {
            continue;
        }
        if piece.starts_with("</") {
            depth = depth.saturating_sub(1);
            continue;
        }
        out.push_str(&"  ".repeat(depth));
        out.push_str(piece.trim_end_matches('\n'));
        out.push('\n');
        if piece.starts_with('<') && !VOID.contains(&name) {
            depth += 1;
        }
    }
    out
}

#[test]
fn every_kind_of_entry_is_drawn_as_it_was() {
    let html = Owner::new().with(|| {
        let mirror = Mirror::new(opened());
        view! { <Transcript mirror=mirror agent=0 /> }.to_html()
    });
    assert!(!html.contains("ghp_0123456789"), "a secret is seen");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/rows"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("every-kind-drawn", outline(&html)));
}
