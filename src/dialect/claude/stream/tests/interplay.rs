//! One run, recorded as a stream and as files, told in any order: every line once. The runs are made up here.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::dialect::{Place, Role, by_name};
use crate::model::{Body, to_rfc3339};

#[derive(Clone, Debug)]
enum Step {
    Turn,
    Text,
    Thought,
    Tool { fails: bool },
    Child(Child),
}

#[derive(Clone, Debug)]
struct Child {
    background: bool,
    texts: u8,
    tools: u8,
    /// Runs behind the first, of a child in the background.
    again: bool,
    fails: bool,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let child = (any::<bool>(), 0u8..3, 0u8..3, any::<bool>(), any::<bool>()).prop_map(|(background, texts, tools, again, fails)| Child {
        background,
        texts,
        tools,
        again: again && background,
        fails,
    });
    let step = prop_oneof![
        1 => Just(Step::Turn),
        2 => Just(Step::Text),
        1 => Just(Step::Thought),
        2 => any::<bool>().prop_map(|fails| Step::Tool { fails }),
        3 => child.prop_map(Step::Child),
    ];
    proptest::collection::vec(step, 1..8)
}

/// The run as both tell it: the stream, and the files by agent ("" is the session's own).
#[derive(Default)]
struct Recorded {
    stream: Vec<String>,
    files: BTreeMap<String, Vec<String>>,
    /// The files beside, by agent.
    sidecars: BTreeMap<String, String>,
    clock: i64,
    ids: u32,
    /// True if the stream tells the main agent's texts in parts, too.
    parts: bool,
}

impl Recorded {
    fn id(&mut self) -> u32 {
        self.ids += 1;
        self.ids
    }

    fn time(&mut self) -> String {
        self.clock += 3_000;
        to_rfc3339(1_790_000_000_000 + self.clock).expect("a time")
    }

    /// A line of both. `of` is the call and the id of the child, or none; a stream shows no time on what the model says.
    fn both(&mut self, of: Option<(&str, &str)>, kind: &str, message: &str, details: &str) {
        let (id, time) = (self.id(), self.time());
        let parent = of.map_or("null".into(), |(call, _)| format!("\"{call}\""));
        let stamp = if kind == "user" { format!(r#","timestamp":"{time}""#) } else { String::new() };
        let beside = |name: &str| if details.is_empty() { String::new() } else { format!(",\"{name}\":{details}") };
        self.stream.push(format!(
            r#"{{"type":"{kind}","message":{message},"parent_tool_use_id":{parent},"session_id":"s","uuid":"u{id}"{stamp}{}}}"#,
            beside("tool_use_result")
        ));
        let side = of.map_or("\"isSidechain\":false".into(), |(_, agent)| format!(r#""isSidechain":true,"agentId":"{agent}""#));
        let file = self.files.entry(of.map_or(String::new(), |(_, agent)| agent.to_owned())).or_default();
        file.push(format!(
            r#"{{"parentUuid":null,{side},"sessionId":"s","type":"{kind}","message":{message},"uuid":"u{id}","timestamp":"{time}"{}}}"#,
            beside("toolUseResult")
        ));
    }

    fn says(&mut self, of: Option<(&str, &str)>, kind: &str) {
        let id = self.id();
        let block = match kind {
            "thinking" => format!(r#"{{"type":"thinking","thinking":"thought {id}","signature":"x"}}"#),
            _ => format!(r#"{{"type":"text","text":"text {id}"}}"#),
        };
        if self.parts && of.is_none() {
            self.written(id, kind);
        }
        self.both(of, "assistant", &format!(r#"{{"id":"msg{id}","model":"m","content":[{block}],"stop_reason":null}}"#), "");
    }

    /// The parts of a message with one block, as the stream prints them before its line.
    fn written(&mut self, id: u32, kind: &str) {
        let (name, delta, said) = match kind {
            "thinking" => ("thinking", "thinking_delta", format!("thought {id}")),
            _ => ("text", "text_delta", format!("text {id}")),
        };
        let (head, tail) = said.split_at(3);
        let more = |text: &str| format!(r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"{delta}","{name}":"{text}"}}}}"#);
        let events = [
            format!(r#"{{"type":"message_start","message":{{"id":"msg{id}"}}}}"#),
            format!(r#"{{"type":"content_block_start","index":0,"content_block":{{"type":"{name}","{name}":""}}}}"#),
            more(head),
            more(tail),
            r#"{"type":"content_block_stop","index":0}"#.into(),
        ];
        for (at, event) in events.iter().enumerate() {
            self.stream.push(line("stream_event", &format!("e{id}.{at}"), &format!(r#""event":{event},"parent_tool_use_id":null"#)));
        }
    }

    fn tool(&mut self, of: Option<(&str, &str)>, fails: bool) {
        let id = self.id();
        let block = format!(r#"{{"type":"tool_use","id":"tool{id}","name":"Bash","input":{{"command":"run {id}"}}}}"#);
        self.both(of, "assistant", &format!(r#"{{"id":"msg{id}","model":"m","content":[{block}],"stop_reason":null}}"#), "");
        self.result(of, &format!("tool{id}"), &format!("out {id}"), fails, "");
    }

    fn result(&mut self, of: Option<(&str, &str)>, call: &str, text: &str, fails: bool, details: &str) {
        let block = format!(r#"{{"type":"tool_result","tool_use_id":"{call}","content":"{text}","is_error":{fails}}}"#);
        self.both(of, "user", &format!(r#"{{"role":"user","content":[{block}]}}"#), details);
    }

    fn child(&mut self, child: &Child) {
        let id = self.id();
        let (call, agent) = (format!("call{id}"), format!("agent{id}"));
        let of = Some((call.as_str(), agent.as_str()));
        self.sidecars.insert(agent.clone(), format!(r#"{{"agentType":"Explore","description":"child {id}","toolUseId":"{call}"}}"#));
        let input = format!(r#"{{"description":"child {id}","subagent_type":"Explore","prompt":"prompt {id}"}}"#);
        let block = format!(r#"{{"type":"tool_use","id":"{call}","name":"Agent","input":{input}}}"#);
        self.both(None, "assistant", &format!(r#"{{"id":"msg{id}","model":"m","content":[{block}],"stop_reason":null}}"#), "");
        let more = format!(r#","is_backgrounded":{},"prompt":"prompt {id}""#, child.background);
        self.stream.push(started(&format!("s{id}"), &agent, &call, &more));
        if child.background {
            let details = format!(r#"{{"isAsync":true,"status":"async_launched","agentId":"{agent}"}}"#);
            self.result(None, &call, "Async agent launched", false, &details);
        }
        self.both(of, "user", &format!(r#"{{"role":"user","content":"prompt {id}"}}"#), "");
        for run in 0..=u32::from(child.again) {
            if run > 0 {
                self.clock += 10_000;
                self.stream.push(started(&format!("s{id}.{run}"), &agent, &call, ""));
            }
            for _ in 0..=child.texts {
                self.says(of, "text");
            }
            for _ in 0..child.tools {
                self.tool(of, false);
            }
            let status = if child.fails { "failed" } else { "completed" };
            self.stream.push(updated(&format!("p{id}.{run}"), &agent, &format!(r#"{{"status":"{status}"}}"#)));
            self.stream.push(notified(&format!("n{id}.{run}"), &agent, &call, status, &format!("end {id}.{run}")));
            if child.background {
                self.note(&agent, &call, status, &format!("end {id}.{run}"));
            } else {
                let details = format!(r#"{{"status":"completed","agentId":"{agent}","totalToolUseCount":{}}}"#, child.tools);
                self.result(None, &call, &format!("report {id}"), child.fails, if child.fails { "" } else { &details });
            }
        }
    }

    /// The end of a task in the background, as files have it.
    fn note(&mut self, agent: &str, call: &str, status: &str, summary: &str) {
        let time = self.time();
        let text = format!(
            "<task-notification>\\n<task-id>{agent}</task-id>\\n<tool-use-id>{call}</tool-use-id>\\n<status>{status}</status>\\n<summary>{summary}</summary>\\n</task-notification>"
        );
        let queue =
            format!(r#"{{"type":"queue-operation","operation":"enqueue","sessionId":"s","timestamp":"{time}","content":"{text}"}}"#);
        self.files.entry(String::new()).or_default().push(queue);
        let content = format!(r#"{{"role":"user","content":"{text}"}}"#);
        self.both(None, "user", &content, "");
    }
}

fn record(steps: &[Step], parts: bool) -> Recorded {
    let mut run = Recorded { parts, ..Recorded::default() };
    run.stream.push(init("i"));
    for step in steps {
        match step {
            Step::Turn => {
                let id = run.id();
                run.both(None, "user", &format!(r#"{{"role":"user","content":"turn {id}"}}"#), "");
            }
            Step::Text => run.says(None, "text"),
            Step::Thought => run.says(None, "thinking"),
            Step::Tool { fails } => run.tool(None, *fails),
            Step::Child(child) => run.child(child),
        }
    }
    run
}

/// Every source's lines: the stream is the first.
fn sources(run: &Recorded) -> Vec<Vec<Line>> {
    let disk = by_name("claude-disk").expect("the dialect");
    let mut all = vec![translate(&run.stream)];
    let sidecars = run.sidecars.iter().map(|(agent, line)| (agent, std::slice::from_ref(line), Role::Sidecar));
    let transcripts = run.files.iter().map(|(agent, lines)| (agent, lines.as_slice(), Role::Transcript));
    for (agent, lines, role) in transcripts.chain(sidecars) {
        let agent = Some(agent.clone()).filter(|agent| !agent.is_empty());
        let place = Place { inside: agent.is_some(), session: Some("s".into()), agent, role, ..Place::default() };
        let mut file = (disk.open)(Facts { session: "s".into(), place }, None).expect("a translator");
        all.push(read(&mut *file, 0, lines));
    }
    all
}

/// The order in which lines come: of each source in its own order, else as `picks` say.
fn interleaved(sources: &[Vec<Line>], picks: &[usize]) -> Vec<(u32, Line)> {
    let mut next = vec![0; sources.len()];
    let mut picks = picks.iter().cycle();
    let mut all = Vec::new();
    loop {
        let open: Vec<usize> = (0..sources.len()).filter(|at| next[*at] < sources[*at].len()).collect();
        let Some(at) = open.get(picks.next().expect("picks") % open.len().max(1)) else { return all };
        all.push((*at as u32 + 1, sources[*at][next[*at]].clone()));
        next[*at] += 1;
    }
}

/// Agents by title, with their runs and their entries: kind, text, state, run.
type Rows = BTreeMap<String, (Vec<String>, Vec<(String, &'static str, u32)>)>;

fn rows(lines: &[(u32, Line)]) -> Rows {
    let mut memory = Memory::default();
    memory.feed(&session(), lines, |index| index % 17 == 3);
    let shown = memory.agents.values().filter(|agent| !agent.is_aside());
    shown
        .map(|agent| {
            let runs = agent.runs.iter().filter(|_| agent.n > 0).map(|run| run.status.word().to_owned()).collect();
            let entries = memory.entries.values().filter(|entry| entry.agent == agent.n);
            let words = entries.map(|entry| {
                let text = match &entry.body {
                    Body::User { text, .. } | Body::Text { text } | Body::Reasoning { text } => text.text.clone(),
                    Body::Tool(tool) => format!("{} {} {:?} {:?}", tool.call, tool.title, tool.result, tool.error),
                    Body::Notice(notice) => notice.text.text.clone(),
                    _ => String::new(),
                };
                (format!("{}: {text}", entry.body.kind()), entry.state.word(), entry.run)
            });
            (agent.title.clone(), (runs, words.collect()))
        })
        .collect()
}

/// What both hold, without the order of what only one does.
fn sorted(mut rows: Rows) -> Rows {
    rows.values_mut().for_each(|(_, words)| words.sort());
    rows
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn a_stream_and_files_of_one_run_are_one_session(
        steps in steps(),
        parts in any::<bool>(),
        picks in proptest::collection::vec(0usize..64, 1..200),
    ) {
        let run = record(&steps, parts);
        let sources = sources(&run);
        let files_alone = rows(&interleaved(&sources[1..], &[0]).into_iter().map(|(at, line)| (at + 1, line)).collect::<Vec<_>>());
        let stream_alone = rows(&interleaved(&sources[..1], &[0]));
        let stream_first = rows(&interleaved(&sources, &[0]));
        let files_first = rows(&interleaved(&[&sources[1..], &sources[..1]].concat(), &[0]));
        let mixed = rows(&interleaved(&sources, &picks));
        // Each alone tells the same, but for runs: a stream's lines know no times.
        prop_assert_eq!(&sorted(stream_alone), &sorted(files_alone.clone()));
        for both in [&stream_first, &files_first, &mixed] {
            prop_assert_eq!(&sorted(both.clone()), &sorted(files_alone.clone()));
        }
        // Each transcript in the order of its home; a task's note stands where it arrived.
        for (title, (_, words)) in &files_alone {
            let order = |words: &[(String, &'static str, u32)]| -> Vec<String> {
                words.iter().map(|(text, ..)| text.clone()).filter(|text| !text.starts_with("notice")).collect()
            };
            for both in [&stream_first, &files_first, &mixed] {
                prop_assert_eq!(order(&both[title].1), order(words));
            }
        }
    }
}
