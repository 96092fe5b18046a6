//! The older era: a status that lists the tasks, and namespaces that say nothing of them.

use super::*;

#[test]
fn an_older_status_names_its_tasks_with_or_without_the_agent() {
    let start = [user("Go"), calls("model:1", "m", &[task("c1", "look"), task("c2", "find")])];
    let both = [listed("Task-1", "look", ""), listed("Task-2", "find", "")].join(",");
    let told = |extra: &[Told]| heads(&[&start[..], extra].concat());
    let spoken = [says("tools:a", "x", "Alpha"), says("tools:b", "y", "Beta")];
    assert_eq!(
        told(&[&[status(&both, "")][..], &spoken].concat()),
        [
            "Task-1: look (scout), running, inferred of main",
            "Task-2: find (scout), running, inferred of main",
            "tools:a: Subagent, running, unlinked",
            "tools:b: Subagent, running, unlinked",
        ],
        "never a guess between two"
    );
    let named = [listed("Task-1", "look", r#","agent":"tools:b""#), listed("Task-2", "find", r#","agent":"tools:a""#)].join(",");
    assert_eq!(
        told(&[&[status(&named, "")][..], &spoken].concat()),
        ["Task-1: look (scout), running, inferred of main", "Task-2: find (scout), running, inferred of main"]
    );
    let records = [&start[..], &[status(&named, "")], &spoken].concat();
    assert_eq!(transcripts(&crate::dialect::trial::told(DIALECT, &records))["Task-1"][2], "text [running]: Beta");
}

#[test]
fn one_task_and_one_child_are_one() {
    let records = [
        user("Go"),
        calls("model:1", "m", &[task("c1", "look")]),
        status(&listed("Task-1", "look", ""), ""),
        says("tools:a", "x", "Alpha"),
    ];
    assert_eq!(heads(&records).len(), 1);
    assert!(heads(&records)[0].ends_with("look (scout), running, inferred of main"), "{:?}", heads(&records));
    let alone = [status(&listed("Task-1", "look", ""), ""), says("tools:a", "x", "Alpha")];
    assert_eq!(heads(&alone), ["Task-1: look (scout), running, inferred of main"]);
}

#[test]
fn completed_tasks_are_strings_or_objects_and_those_without_an_id_are_skipped() {
    let start = status(&listed("Task-1", "look", ""), "");
    for (completed, expected) in [
        (r#""Task-1""#, "finished"),
        (r#"{"id":"Task-1","description":"look"}"#, "finished"),
        (r#"{"description":"look"}"#, "running"),
        (r#"null"#, "running"),
        (r#""""#, "running"),
    ] {
        let memory = told(DIALECT, &[start.clone(), status("", completed), status("", completed)]);
        assert_eq!(memory.titled("look").status.word(), expected, "{completed}");
        assert_eq!(memory.titled("look").tool_calls, 2);
        assert_eq!(memory.agents.len(), 2, "{completed}");
    }
    let lines = translate(DIALECT, &[status("", r#"{"description":"x"}"#)], |_| false);
    assert_eq!(lines[0].class.name(), "bookkeeping:subagent_status/1-without-id");
}
