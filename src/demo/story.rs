//! What the demo tells: a small piece of work on a made-up program, by a main agent and four others.

use serde_json::json;

use super::Moment;
use super::voice::{MODEL, Voice};
use crate::model::{AgentPatch, Body, EntryState, Op, SessionPatch, TitleFrom, Todo, TodoStatus, Who};

const REVIEW: &str = "Read the working copy's diff. Look for mistakes that a test would not find: races, wrong limits, \
information that an answer gives away. Report file, line and why it matters. Change nothing.";

const TESTER_REPORT: &str = "\
Six tests in `tests/login_limit.rs`, all green:

- five tries pass, the sixth gets **429** with `Retry-After`
- another address is not affected
- a minute later the address may try again
- a login that succeeds clears the count
- IPv4-mapped IPv6 counts as the IPv4 address
- a header that the client sets is never taken for its address

The clock is the one from `tests/support/clock.rs`, so none of them sleeps.";

const EXPLORER_REPORT: &str = "\
The other tests use `support::clock::Hands`. It implements `Clock`, starts at zero and is moved by `hands.turn(secs)`; \
see `tests/session_expiry.rs:18`. Pass it as `Limiter::new(Rule::login(), hands.clone())`.";

const REVIEWER_REPORT: &str = "\
One finding, in `src/limit.rs:31`:

> `retain` runs on every request and walks the whole map.

With many addresses each login becomes slower for everybody. Clearing one entry when it is touched, and all once a minute, is enough. \
The limits themselves are right, and the answer is the same for a known and an unknown name.";

const ANSWER: &str = "\
`POST /login` now takes **five tries a minute per address**; the sixth is answered 429 with `Retry-After`.

| what | where |
| --- | --- |
| the limiter, with a clock that tests can turn | `src/limit.rs` |
| the route asks it before it looks at the password | `src/routes/login.rs:40` |
| six tests | `tests/login_limit.rs` |

```rust
pub async fn login(State(app): State<App>, Peer(peer): Peer, Form(form): Form<Login>) -> Answer {
    app.limiter.take(peer.canonical())?; // 429 with Retry-After
    app.users.check(&form.name, &form.password).await?.into_answer()
}
```

One review found a slow path, which is fixed: old entries are now cleared once a minute. The **second review did not come to an end** \
(it ran out of context), so I read the remaining two files myself.

Left for you to decide:

1. Behind a proxy every visitor has the proxy's address. Set `TRUSTED_PROXY` before you deploy.
2. The counts live in memory and start anew with the process.";

/// All moments, in order.
pub fn story() -> Vec<Moment> {
    let mut main = Voice::main();
    opening(&mut main);
    work(&mut main);
    delegation(&mut main);
    closing(&mut main);
    let mut moments = main.moments;
    moments.sort_by_key(|moment| moment.at);
    moments
}

fn opening(main: &mut Voice) {
    let title = (TitleFrom::Custom, "Demo: a limit for logins".to_owned());
    let session = SessionPatch { title: Some(title), cwd: Some("/home/you/harbor".into()), ..SessionPatch::default() };
    let text = "Passwords can be guessed without end on POST /login. Five tries a minute for each address, then 429 with Retry-After. \
                Have it tested, and reviewed by two who do not know of each other.";
    let body = Body::User { text: text.into(), images: Vec::new(), origin: None };
    main.tell(vec![
        Op::Session(session),
        Op::Agent { who: Who::Main, patch: AgentPatch { model: Some(MODEL.into()), ..AgentPatch::default() } },
        Op::Turn { ended: false },
        Op::Entry { who: Who::Main, keys: vec!["turn-1".into()], body, state: EntryState::Done, images: Vec::new() },
    ]);
    main.wait(900);
    main.think(
        "The route has to refuse before it checks the password, or the time that the check takes tells whether the name exists. \
         The count belongs to the address, not to the name: otherwise anybody can lock somebody else out. I should see how the \
         program learns the address, and whether there is a clock that tests can move.",
    );
    main.say("I will look at the login route first, then build the limiter beside it and have tests and reviews done in parallel.");
    main.todos(todos(0));
}

fn work(main: &mut Voice) {
    main.uses(
        "Read",
        "Read src/routes/login.rs",
        json!({ "file_path": "src/routes/login.rs" }),
        350,
        Ok("pub async fn login(State(app): State<App>, Form(form): Form<Login>) -> Answer {\n    app.users.check(&form.name, &form.password).await?.into_answer()\n}"),
    );
    main.uses(
        "Grep",
        "Search \"trait Clock\" in src",
        json!({ "pattern": "trait Clock", "path": "src" }),
        260,
        Ok("src/time.rs:9:pub trait Clock: Clone + Send + Sync + 'static {"),
    );
    main.uses(
        "Bash",
        "Run cargo test login",
        json!({ "command": "cargo test login", "timeout": 60_000 }),
        2_200,
        Err("error[E0433]: cannot find module `limit` in the crate root\n --> src/routes/login.rs:2:12\n  |\n2 | use crate::limit::Limiter;\n  |            ^^^^^ not found\n\nerror: could not compile `harbor` (lib) due to 1 previous error"),
    );
    main.todos(todos(1));
    main.say("As expected, the module is not there yet. It is small:");
    main.uses(
        "Write",
        "Write src/limit.rs",
        json!({ "file_path": "src/limit.rs", "content": "//! How often an address may try.\n\npub struct Limiter<C> { rule: Rule, clock: C, seen: Mutex<HashMap<IpAddr, Tries>> }\n" }),
        500,
        Ok("The file was written: 58 lines."),
    );
    main.uses(
        "Edit",
        "Edit src/routes/login.rs",
        json!({ "file_path": "src/routes/login.rs", "old_string": "    app.users", "new_string": "    app.limiter.take(peer.canonical())?;\n    app.users" }),
        300,
        Ok("The file was changed in one place."),
    );
    main.uses("Bash", "Run cargo check", json!({ "command": "cargo check" }), 1_800, Ok("    Finished `dev` profile in 1.71s"));
    main.todos(todos(2));
}

fn delegation(main: &mut Voice) {
    main.say("It compiles. Now the tests and two independent reviews, at the same time.");
    let prompt = "Write tests for the login limiter in tests/login_limit.rs: the limit, its end, two addresses, a success in between, \
                  mapped addresses, forged headers. No test may sleep. Run them.";
    let mut tester = main.starts("tester-1", "tester", "Test the login limiter", prompt);
    let mut first = main.starts("reviewer-1", "reviewer", "Review the limiter", REVIEW);
    let mut second = main.starts("reviewer-2", "reviewer", "Review the limiter", REVIEW);
    test(&mut tester);
    review(&mut first);
    fail(&mut second);
    main.hears(second, Err("The agent ended with an error: its context is full (200,000 tokens)."));
    main.hears(first, Ok(REVIEWER_REPORT));
    main.hears(tester, Ok(TESTER_REPORT));
    main.wait(400);
}

fn test(tester: &mut Voice) {
    tester.wait(700);
    tester.think("No test may sleep, so I need the clock that the other tests use. Somebody can look that up while I read the limiter.");
    let prompt =
        "Find out how the tests of this program move the clock. Name the type, where it is used and how it is passed. Change nothing.";
    let mut explorer = tester.starts("explorer-1", "explorer", "Find the tests' clock", prompt);
    tester.uses(
        "Read",
        "Read src/limit.rs",
        json!({ "file_path": "src/limit.rs" }),
        400,
        Ok("pub fn take(&self, from: IpAddr) -> Result<(), TooOften> { … }"),
    );
    tester.say("The limiter takes its clock as a parameter. While that is looked up, the plan: one test for each sentence of the task.");
    explorer.wait(500);
    explorer.uses(
        "Grep",
        "Search \"Clock for\" in tests",
        json!({ "pattern": "Clock for", "path": "tests" }),
        700,
        Ok("tests/support/clock.rs:7:impl Clock for Hands {"),
    );
    explorer.uses(
        "Read",
        "Read tests/session_expiry.rs:1–40",
        json!({ "file_path": "tests/session_expiry.rs", "limit": 40 }),
        600,
        Ok("18:    let hands = Hands::default();\n19:    let app = App::with_clock(hands.clone());\n…"),
    );
    explorer.say(EXPLORER_REPORT);
    tester.hears(explorer, Ok(EXPLORER_REPORT));
    tester.wait(300);
    tester.uses(
        "Write",
        "Write tests/login_limit.rs",
        json!({ "file_path": "tests/login_limit.rs", "content": "mod support;\n\nuse support::clock::Hands;\n" }),
        900,
        Ok("The file was written: 96 lines."),
    );
    tester.uses(
        "Bash",
        "Run cargo test --test login_limit",
        json!({ "command": "cargo test --test login_limit" }),
        3_000,
        Err("test mapped_addresses_count_as_one ... FAILED\n\nassertion failed: left: Ok(()), right: Err(TooOften)\n\ntest result: FAILED. 5 passed; 1 failed"),
    );
    tester.think("The mapped form is counted on its own. `canonical()` is called in the route, and my test calls the limiter. The test is wrong, the route is right.");
    tester.uses("Edit", "Edit tests/login_limit.rs", json!({ "file_path": "tests/login_limit.rs", "old_string": "limiter.take(mapped)", "new_string": "limiter.take(mapped.to_canonical())" }), 300, Ok("The file was changed in one place."));
    tester.uses(
        "Bash",
        "Run cargo test --test login_limit",
        json!({ "command": "cargo test --test login_limit" }),
        2_600,
        Ok("running 6 tests\n......\ntest result: ok. 6 passed; 0 failed; finished in 0.02s"),
    );
    tester.say(TESTER_REPORT);
}

fn review(reviewer: &mut Voice) {
    reviewer.wait(900);
    reviewer.uses(
        "Bash",
        "Run git diff",
        json!({ "command": "git diff" }),
        500,
        Ok(" src/limit.rs        | 58 ++++++++++\n src/routes/login.rs |  5 +-\n 2 files changed, 62 insertions(+), 1 deletion(-)"),
    );
    reviewer.think("The lock is held over `retain`, and `retain` walks all addresses. The map only ever grows between two calls, so under load this is quadratic. Is the answer for an unknown name the same as for a known one? Yes, the limiter is asked first.");
    reviewer.uses(
        "Read",
        "Read src/limit.rs:20–58",
        json!({ "file_path": "src/limit.rs", "offset": 20, "limit": 38 }),
        450,
        Ok("31:        seen.retain(|_, tries| tries.until > now);"),
    );
    reviewer.uses(
        "Grep",
        "Search \"limiter\" in src",
        json!({ "pattern": "limiter", "path": "src" }),
        300,
        Ok("src/app.rs:14:    pub limiter: Limiter<SystemClock>,\nsrc/routes/login.rs:41:    app.limiter.take(peer.canonical())?;"),
    );
    reviewer.say(REVIEWER_REPORT);
}

fn fail(reviewer: &mut Voice) {
    reviewer.wait(1_200);
    reviewer.uses(
        "Bash",
        "Run git diff main",
        json!({ "command": "git diff main" }),
        800,
        Ok(" 214 files changed, 18,430 insertions(+), 2,977 deletions(-)"),
    );
    reviewer.say("The branch is far from `main`: 214 files differ. I will read them all, beginning with the routes.");
    for file in ["src/routes/mod.rs", "src/routes/account.rs", "src/routes/session.rs", "src/mail/templates.rs"] {
        reviewer.uses("Read", &format!("Read {file}"), json!({ "file_path": file }), 900, Ok("…"));
    }
    reviewer.think("This is more than I can hold. I should have compared with the last commit.");
    reviewer.wait(1_500);
}

fn closing(main: &mut Voice) {
    main.todos(todos(3));
    main.think("One review ended without a report. What it has not seen are two files; I can read those myself. The finding of the other is right and quickly mended.");
    main.uses("Edit", "Edit src/limit.rs", json!({ "file_path": "src/limit.rs", "old_string": "seen.retain(|_, tries| tries.until > now);", "new_string": "self.sweep(&mut seen, now);" }), 350, Ok("The file was changed in one place."));
    main.uses(
        "Bash",
        "Run cargo test",
        json!({ "command": "cargo test" }),
        2_800,
        Ok("test result: ok. 148 passed; 0 failed; 0 ignored; finished in 1.90s"),
    );
    main.todos(todos(4));
    main.say(ANSWER);
    main.tell(vec![Op::Turn { ended: true }]);
}

/// The list with its first `done` items completed and the next in progress.
fn todos(done: usize) -> Vec<Todo> {
    let items = [
        "Read the login route and the clock",
        "Build the limiter and ask it before the password",
        "Tests and two reviews, in parallel",
        "Take in what the reviews found",
    ];
    let status = |at: usize| match at.cmp(&done) {
        std::cmp::Ordering::Less => TodoStatus::Completed,
        std::cmp::Ordering::Equal => TodoStatus::InProgress,
        std::cmp::Ordering::Greater => TodoStatus::Pending,
    };
    items.iter().enumerate().map(|(at, text)| Todo { text: (*text).into(), status: status(at) }).collect()
}
