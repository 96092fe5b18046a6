//! What the path of a Claude Code file says.
//!
//! `<session>.jsonl` · `agent-<id>.jsonl` beside it · `<session>/subagents/**/agent-<id>.jsonl` with `.meta.json`, under
//! `workflows/<run>/` for agents of a workflow, with a `journal.jsonl` of its own.

use crate::dialect::{Place, Role};

/// Reads the path, given its components from the root down.
pub fn place(path: &[&str]) -> Place {
    let Some((file, folders)) = path.split_last() else { return Place::default() };
    let home = folders.iter().rposition(|name| *name == "subagents").filter(|at| *at > 0);
    let session = home.and_then(|at| folders.get(at - 1)).map(|name| (*name).to_owned());
    let workflow = home
        .and_then(|at| folders.get(at + 1..))
        .and_then(|below| match below {
            ["workflows", run, ..] => Some(*run),
            _ => None,
        })
        .map(str::to_owned);
    let (stem, role) = match file.strip_suffix(".meta.json") {
        Some(stem) => (stem, Role::Sidecar),
        None => (file.rsplit_once('.').map_or(*file, |(stem, _)| stem), Role::Transcript),
    };
    let agent = stem.strip_prefix("agent-").filter(|id| !id.is_empty()).map(str::to_owned);
    let role = if stem == "journal" && session.is_some() { Role::Journal } else { role };
    let inside = session.is_some();
    let named = session.or_else(|| agent.is_none().then(|| stem.to_owned()));
    Place { role, session: named, inside, agent, workflow }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_tells_session_agent_and_role() {
        let of = |path: &str| {
            let found = place(&path.split('/').collect::<Vec<_>>());
            (
                found.role,
                found.session.unwrap_or_default(),
                found.inside,
                found.agent.unwrap_or_default(),
                found.workflow.unwrap_or_default(),
            )
        };
        let row = |role, session: &str, inside, agent: &str, workflow: &str| (role, session.into(), inside, agent.into(), workflow.into());
        for (path, expected) in [
            ("p/s1.jsonl", row(Role::Transcript, "s1", false, "", "")),
            ("p/agent-a1.jsonl", row(Role::Transcript, "", false, "a1", "")),
            ("p/agent-a1.meta.json", row(Role::Sidecar, "", false, "a1", "")),
            ("p/s1/subagents/agent-a1.jsonl", row(Role::Transcript, "s1", true, "a1", "")),
            ("p/s1/subagents/agent-a1.meta.json", row(Role::Sidecar, "s1", true, "a1", "")),
            ("p/s1/subagents/x/y/agent-a1.jsonl", row(Role::Transcript, "s1", true, "a1", "")),
            ("p/s1/subagents/workflows/wf_1/agent-a1.jsonl", row(Role::Transcript, "s1", true, "a1", "wf_1")),
            ("p/s1/subagents/workflows/wf_1/journal.jsonl", row(Role::Journal, "s1", true, "", "wf_1")),
            ("subagents/agent-a1.jsonl", row(Role::Transcript, "", false, "a1", "")),
        ] {
            assert_eq!(of(path), expected, "{path}");
        }
    }
}
