//! Properties: cuts, repetition, and the order in which sources are read.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::memory::{Memory, interleave};
use super::*;
use crate::model::{Body, Entry, Field, Usage};

/// A run: main starts children that work and report, some of them going on later. One source each.
#[derive(Clone, Debug)]
struct Plan {
    children: Vec<Child>,
}

#[derive(Clone, Debug)]
struct Child {
    steps: u8,
    reports: bool,
    /// Milliseconds between the end and a further line, if there is one.
    goes_on: Option<i64>,
    fails: bool,
    sidecar: bool,
}

fn plans() -> impl Strategy<Value = Plan> {
    let child = (0u8..4, any::<bool>(), proptest::option::of(0i64..6_000), any::<bool>(), any::<bool>())
        .prop_map(|(steps, reports, goes_on, fails, sidecar)| Child { steps, reports, goes_on, fails, sidecar });
    proptest::collection::vec(child, 0..4).prop_map(|children| Plan { children })
}

fn sources(plan: &Plan) -> Vec<Vec<(u32, Line)>> {
    let mut main = vec![(1, line("u", 0, 0, vec![user("u0", "Go")]))];
    let mut all = Vec::new();
    let mut pos = 10;
    for (index, child) in plan.children.iter().enumerate() {
        let (call, runtime, source) = (format!("c{index}"), format!("r{index}"), index as u32 + 2);
        let who = || Who::runtime(format!("r{index}"));
        let start = 1_000 * index as i64;
        main.push((1, line(&format!("start{index}"), pos, start, starts(Who::Main, &call, &format!("Child {index}"), "Equal words"))));
        pos += 10;
        let mut own =
            vec![(source, line(&format!("p{index}"), 0, start + 50, vec![prompt(&runtime, &format!("p{index}"), "Equal words")]))];
        if child.sidecar {
            let name = Name { kind: NameKind::Call, id: call.clone() };
            let patch = AgentPatch { names: vec![name], link: Some(Link::Sidecar), kind: Some("Explore".into()), ..AgentPatch::default() };
            own.insert(0, (source + 100, line(&format!("meta{index}"), 0, start, vec![Op::Agent { who: who(), patch }])));
        }
        let mut at = start + 100;
        for step in 0..child.steps {
            let key = format!("t{index}.{step}");
            let mut ops = vec![text(who(), &key, &key)];
            ops.push(Op::Usage {
                who: who(),
                message: format!("m{index}.{}", step / 2),
                usage: Usage { output: u64::from(step) + 1, ..Usage::default() },
                context: None,
            });
            own.push((source, line(&key, 10 + u64::from(step), at, ops)));
            at += 700;
        }
        if child.reports {
            let mut ops = reports(Who::Main, &call, &runtime, "Done");
            if child.fails {
                ops.pop();
                ops.push(Op::End { who: Who::call(&call), ending: ending(AgentStatus::Failed) });
            }
            main.push((1, line(&format!("end{index}"), pos, at, ops)));
            pos += 10;
        }
        if let Some(later) = child.goes_on {
            own.push((source, line(&format!("on{index}"), 99, at + later, vec![text(who(), &format!("on{index}"), "on")])));
        }
        all.push(own);
    }
    all.push(main);
    all
}

/// All rows with agents named by id instead of `n`, so that they can be compared between orders.
fn rows(memory: &Memory) -> (String, BTreeMap<String, String>, Vec<String>) {
    let shown = |n: u32| {
        let agent = &memory.agents[&n];
        memory.agents[&agent.shown()].id.clone()
    };
    let agents = memory.agents.values().filter(|agent| !agent.is_aside());
    let agents = agents.map(|agent| {
        let mut row = agent.clone();
        (row.n, row.parent, row.rev) = (0, None, 0);
        (agent.id.clone(), format!("{row:?} under {:?}", agent.parent.map(shown)))
    });
    let mut entries: Vec<&Entry> = memory.entries.values().filter(|entry| !memory.agents[&entry.agent].is_aside()).collect();
    entries.sort_by_key(|entry| (shown(entry.agent), entry.seq));
    let entries = entries.into_iter().map(|entry| {
        let mut row = entry.clone();
        (row.agent, row.rev) = (0, 0);
        let child = match &mut row.body {
            Body::Tool(tool) => tool.child.take().map(shown),
            _ => None,
        };
        format!("{} {row:?} started {child:?}", shown(entry.agent))
    });
    (format!("{:?}", memory.session), agents.collect(), entries.collect())
}

fn settle(memory: &mut Memory) {
    memory.feed(
        &session(),
        &[(9, Line::control(session(), vec![Op::EndOfInput])), (9, Line::control(session(), vec![Op::NoNews]))],
        |_| false,
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_order_of_the_sources_gives_the_same_rows(plan in plans(), choices in prop::collection::vec(any::<prop::sample::Index>(), 1..40)) {
        let mut straight = Memory::default();
        straight.feed(&session(), &sources(&plan).concat(), |_| false);
        settle(&mut straight);
        let mut mixed = Memory::default();
        mixed.feed(&session(), &interleave(&sources(&plan), &choices), |_| false);
        settle(&mut mixed);
        prop_assert_eq!(rows(&straight), rows(&mixed));
    }

    #[test]
    fn any_cut_gives_the_same_rows(plan in plans(), cuts in prop::collection::vec(any::<bool>(), 60)) {
        let lines = sources(&plan).concat();
        let mut whole = Memory::default();
        whole.feed(&session(), &lines, |_| false);
        let mut cut = Memory::default();
        cut.feed(&session(), &lines, |index| cuts[index % cuts.len()]);
        prop_assert_eq!(rows(&whole), rows(&cut));
        prop_assert_eq!(whole.agents, cut.agents);
    }

    #[test]
    fn lines_told_twice_change_nothing(plan in plans(), cuts in prop::collection::vec(any::<bool>(), 60)) {
        let lines = sources(&plan).concat();
        let mut memory = Memory::default();
        memory.feed(&session(), &lines, |_| false);
        let changes = memory.changes.len();
        let classes = memory.feed(&session(), &lines, |index| cuts[index % cuts.len()]);
        prop_assert!(classes.iter().all(|class| *class == Class::Duplicate));
        prop_assert_eq!(memory.changes.len(), changes);
    }

    #[test]
    fn deltas_in_any_pieces_give_the_whole_text(words in prop::collection::vec("[a-zé ]{0,9}", 1..20), cuts in prop::collection::vec(any::<bool>(), 20)) {
        let whole: String = words.concat();
        let delta = |(index, more): (usize, &String)| {
            let op = Op::Append { who: Who::Main, key: "k".into(), body: Some(Body::Text { text: "".into() }), field: Field::Text, text: more.clone() };
            (1, line(&index.to_string(), index as u64, 1, vec![op]))
        };
        let mut lines: Vec<_> = words.iter().enumerate().map(delta).collect();
        lines.push((1, line("end", 999, 2, vec![Op::Close { key: "k".into(), state: EntryState::Done }])));
        let mut memory = Memory::default();
        memory.feed(&session(), &lines, |index| cuts[index % cuts.len()]);
        prop_assert_eq!(memory.words(0), [format!("text: {whole}")]);
        prop_assert!(memory.entries.values().all(|entry| entry.state == EntryState::Done));
    }
}
