//! The newer era: tasks that an artifact announces, each with a stream of its own.

use super::*;

const DEPLOYED: &str = "Background subagent deployed: **Task-Ab3**\\n- Type: scout";

#[test]
fn a_task_is_announced_speaks_and_ends() {
    let records = [
        user("Go"),
        calls("main", "m", &[task("c1", "look")]),
        artifact("Ab3", "init", "look", ""),
        result("main", "c1", DEPLOYED),
        chunk("task:Ab3", "x", "reasoning", "Where?"),
        calls("task:Ab3", "x", &[call("c2", "web", r#"{"query":"q"}"#)]),
        result("task:Ab3", "c2", "two"),
        says("task:Ab3", "y", "Two found"),
        calls("main", "n", &[call("c3", "TaskOutput", r#"{"task_id":"Ab3"}"#)]),
        result("main", "c3", "### Task-Ab3 (scout) - completed\\nTwo found"),
        says("main", "o", "Done"),
        stops("main", "o", "stop"),
    ];
    shows(
        &records,
        &[
            "session idle",
            "  user: Go",
            "  tool \"look\": {\"description\":\"look\",\"prompt\":\"Please look\",\"subagent_type\":\"scout\"} | Background subagent deployed: **Task-Ab3**\n- Type: scout",
            "  tool \"Read the output of Ab3\": {\"task_id\":\"Ab3\"} | ### Task-Ab3 (scout) - completed\nTwo found",
            "  text: Done",
            "Ab3: look (scout), finished, exact of main",
            "  user: Please look",
            "  reasoning: Where?",
            r#"  tool "Use web — q": {"query":"q"} | two"#,
            "  text [running]: Two found",
        ],
    );
}

#[test]
fn lines_of_a_task_behind_its_end_are_late_and_a_resume_begins_anew() {
    let start = [calls("main", "m", &[task("c1", "look")]), artifact("Ab3", "init", "look", ""), result("main", "c1", DEPLOYED)];
    let end = result("main", "c3", "### Task-Ab3 (scout) - completed\\nTwo");
    let recorded = [&start[..], &[end.clone(), says("task:Ab3", "x", "One"), says("task:Ab3", "y", "Two")]].concat();
    let memory = told(DIALECT, &recorded);
    let child = memory.titled("look");
    assert_eq!((child.status.word(), child.runs.len()), ("finished", 1), "a recorded body tells the end first");
    let update = [&recorded[..], &[artifact("Ab3", "update", "more", "")]].concat();
    let resumed = [&recorded[..], &[artifact("Ab3", "resume", "more", "")]].concat();
    for (records, expected) in [(&update, "running"), (&resumed, "running")] {
        let memory = told(DIALECT, records);
        let child = memory.titled("look");
        assert_eq!((child.status.word(), child.runs.len()), (expected, 2));
    }
    let ended = [&resumed[..], &[result("main", "c4", "### Task-Ab3 (scout) - failed")]].concat();
    assert_eq!(told(DIALECT, &ended).titled("look").status.word(), "failed");
    let running = [&start[..], &[artifact("Ab3", "update", "more", "")]].concat();
    assert_eq!(told(DIALECT, &running).titled("look").runs.len(), 1, "words to one that works begin nothing");
}

#[test]
fn a_childs_line_may_come_before_its_announcement() {
    let records = [
        says("task:Ab3", "x", "One"),
        artifact("Ab3", "init", "look", ""),
        calls("main", "m", &[task("c1", "look")]),
        result("main", "c1", DEPLOYED),
    ];
    assert_eq!(heads(&records), ["Ab3: look (scout), running, exact of main"]);
    assert_eq!(transcripts(&told(DIALECT, &records))["Ab3"][1..], ["user: Please look", "text [running]: One"]);
}

#[test]
fn a_call_that_goes_on_with_a_task_makes_no_agent() {
    let follow = call("c2", "Task", r#"{"task_id":"Ab3","action":"update","prompt":"Group them"}"#);
    let steered = of("steering_delivered", "task:Ab3", r#","count":1,"content":"Group them""#);
    let records = [
        calls("main", "m", &[task("c1", "look")]),
        artifact("Ab3", "init", "look", ""),
        result("main", "c1", DEPLOYED),
        calls("main", "n", &[follow]),
        result("main", "c2", "Follow-up sent to **Task-Ab3**."),
        steered,
        event("steering_delivered", "", r#"{"thread_id":"s","count":1,"messages":[{"content":"Hurry","timestamp":1.5}],"timestamp":2.5}"#),
    ];
    assert_eq!(heads(&records), ["Ab3: look (scout), running, exact of main"]);
    let all = transcripts(&told(DIALECT, &records));
    assert_eq!(all["Ab3"][1..], ["user: Please look", "user: Group them"]);
    assert_eq!(all["main"].last().map(String::as_str), Some("user: Hurry"));
}

#[test]
fn a_task_ends_as_its_status_says_also_before_it_speaks() {
    let start = [calls("main", "m", &[task("c1", "look")]), artifact("B", "init", "look", "")];
    for (status, expected) in [("completed", "finished"), ("failed", "failed"), ("error", "failed"), ("cancelled", "cancelled")] {
        let end = event("", "", format!(r#"{{"thread_id":"s","task_id":"B","status":"{status}"}}"#));
        let bound = result("main", "c1", "Background subagent deployed: **Task-B**");
        for records in
            [[&start[..], &[bound.clone(), end.clone(), says("task:B", "y", "Beta")]].concat(), [&[end][..], &start, &[bound]].concat()]
        {
            assert_eq!(heads(&records), [format!("B: look (scout), {expected}, exact of main")], "{status}");
        }
    }
}

#[test]
fn parallel_tasks_with_equal_words_are_told_apart_by_their_ids() {
    let records = [
        calls("main", "m", &[task("c1", "look"), task("c2", "look")]),
        artifact("B", "init", "look", ""),
        artifact("A", "init", "look", ""),
        says("task:A", "x", "Alpha"),
        says("task:B", "y", "Beta"),
        result("main", "c2", "Background subagent deployed: **Task-B**"),
        result("main", "c1", "Background subagent deployed: **Task-A**"),
    ];
    let memory = told(DIALECT, &records);
    let all = transcripts(&memory);
    assert_eq!((all["A"][2].as_str(), all["B"][2].as_str()), ("text [running]: Alpha", "text [running]: Beta"));
    let call = |id: &str| memory.agents.values().find(|agent| agent.id == id && !agent.is_aside()).and_then(|agent| agent.call.clone());
    assert_eq!((call("A").as_deref(), call("B").as_deref()), (Some("c1"), Some("c2")));
}

#[test]
fn what_goes_wrong_with_main_ends_no_task_and_what_does_with_a_task_ends_that() {
    let start = [
        calls("main", "m", &[task("c1", "look")]),
        artifact("Ab3", "init", "look", ""),
        result("main", "c1", DEPLOYED),
        says("main", "n", "I wa"),
        says("task:Ab3", "x", "Two fo"),
    ];
    let fault = |agent: &str| of("error", agent, r#","error":"Out of luck""#);
    let memory = told(DIALECT, &[&start[..], &[fault("main"), says("task:Ab3", "x", "und")]].concat());
    let all = transcripts(&memory);
    assert_eq!(all["Ab3"][1..], ["user: Please look", "text [running]: Two found"]);
    assert_eq!(all["main"][2..], ["text [failed]: I wa", "error: Out of luck"]);
    assert_eq!((memory.titled("look").status.word(), memory.session.status.word()), ("running", "waiting"));

    let memory = told(DIALECT, &[&start[..], &[fault("task:Ab3"), says("main", "n", "it.")]].concat());
    let all = transcripts(&memory);
    assert_eq!(all["Ab3"][1..], ["user: Please look", "text [failed]: Two fo", "error: Out of luck"]);
    assert_eq!(all["main"][2..], ["text [running]: I wait."]);
    assert_eq!((memory.titled("look").status.word(), memory.session.status.word()), ("failed", "running"));
}

#[test]
fn an_announcement_behind_the_end_begins_nothing_and_a_resume_does() {
    let early = [says("task:Ab3", "x", "One"), result("main", "c3", "### Task-Ab3 (scout) - failed")];
    let announced = [&early[..], &[calls("main", "m", &[task("c1", "look")]), artifact("Ab3", "init", "look", "")]].concat();
    let child = |records: &[Told]| {
        let memory = told(DIALECT, records);
        let child = memory.titled("look");
        (child.status.word(), child.runs.len())
    };
    assert_eq!(child(&announced), ("failed", 1));
    assert_eq!(child(&[&announced[..], &[artifact("Ab3", "init", "look", "")]].concat()), ("failed", 1), "told twice");
    assert_eq!(child(&[&announced[..], &[artifact("Ab3", "resume", "look", "")]].concat()), ("running", 2));
}
