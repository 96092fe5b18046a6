//! Texts in the place of a user turn, and what they really are.

/// What a text in a user line is.
#[derive(Debug, PartialEq, Eq)]
pub enum Said<'a> {
    /// Somebody's turn.
    Turn(String),
    /// A slash command, as a person would type it.
    Command(String),
    /// Another agent's message: who sent it, and what it says.
    Teammate(&'a str),
    /// What a local command printed.
    Output(&'a str),
    /// The end of a task in the background.
    Task,
    /// The person stopped what was running.
    Interrupt,
    /// Words for the model alone.
    Context,
}

pub fn read(text: &str) -> Said<'_> {
    let text = text.trim();
    if text.starts_with("[Request interrupted by user") {
        return Said::Interrupt;
    }
    if text.starts_with("<task-notification>") {
        return Said::Task;
    }
    if let Some(name) = tag(text, "command-name").filter(|_| text.starts_with("<command-")) {
        let args = tag(text, "command-args").unwrap_or_default().trim();
        let own =
            text.rsplit_once("</command-name>").map(|(_, rest)| rest.trim()).filter(|rest| !rest.starts_with('<')).unwrap_or_default();
        let words: Vec<&str> = [name.trim(), args, own].into_iter().filter(|word| !word.is_empty()).collect();
        return Said::Command(words.join(" "));
    }
    for name in ["local-command-stdout", "local-command-stderr", "bash-stdout", "bash-stderr", "bash-input"] {
        if let Some(inner) = text.strip_prefix('<').and_then(|rest| rest.strip_prefix(name)).and_then(|_| tag(text, name)) {
            return Said::Output(inner.trim());
        }
    }
    if text.starts_with("<teammate-message") {
        let inner = text.split_once('>').map_or("", |(_, rest)| rest.trim_end_matches("</teammate-message>").trim());
        return Said::Teammate(inner);
    }
    let reminders = ["<system-reminder>", "<local-command-caveat>", "<ide_opened_file>", "<ide_selection>", "<user-prompt-submit-hook>"];
    if reminders.iter().any(|name| text.starts_with(name)) && text.ends_with('>') && text.matches("</").count() == 1 {
        return Said::Context;
    }
    Said::Turn(text.to_owned())
}

/// The summary that a message to a teammate has beside it.
pub fn summary(text: &str) -> Option<&str> {
    let (head, _) = text.trim_start().strip_prefix("<teammate-message")?.split_once('>')?;
    let (_, rest) = head.split_once(" summary=\"")?;
    rest.split_once('"').map(|(summary, _)| summary).filter(|summary| !summary.trim().is_empty())
}

/// The text between `<name>` and `</name>`, if both are there.
pub fn tag<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    rest.split_once(&format!("</{name}>")).map(|(inner, _)| inner)
}

/// True for the words by which a person refuses a tool, or stops it.
pub fn is_refusal(text: &str) -> bool {
    let text = text.trim_start();
    [
        "The user doesn't want to proceed with this tool use",
        "The user doesn't want to take this action",
        "[Request interrupted by user",
        "User rejected",
        "Interrupted by user",
    ]
    .iter()
    .any(|words| text.starts_with(words))
}

/// The result of an agent's call without the words at its end that are for the model: `agentId: …`, `<usage>…`.
pub fn without_trailer(text: &str) -> &str {
    let trailer = |at: &usize| {
        let rest = text.get(*at..).unwrap_or_default().trim_start();
        let id = rest.strip_prefix("agentId: ").map(|rest| rest.split(|c: char| c.is_whitespace()).next().unwrap_or_default());
        id.is_some_and(|id| !id.is_empty()) && rest.lines().skip(1).all(|line| line.starts_with('<') || line.contains(": "))
    };
    let starts = std::iter::once(0).chain(text.match_indices("\nagentId: ").map(|(at, _)| at));
    let cut = starts.filter(trailer).last().unwrap_or(text.len());
    text.get(..cut).unwrap_or(text).trim_end()
}

/// The agent that a result's trailer names.
pub fn trailer_agent(text: &str) -> Option<&str> {
    let rest = text.get(without_trailer(text).len()..)?.trim_start().strip_prefix("agentId: ")?;
    rest.split(|c: char| c.is_whitespace()).next().filter(|id| !id.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_turn_is_told_apart() {
        let turn = |text: &str| Said::Turn(text.into());
        let command = |text: &str| Said::Command(text.into());
        for (text, expected) in [
            ("Build it", turn("Build it")),
            ("<div> in the page", turn("<div> in the page")),
            ("[Request interrupted by user for tool use]", Said::Interrupt),
            ("<task-notification>\n<task-id>x</task-id>\n</task-notification>", Said::Task),
            ("<command-message>init is running</command-message>\n<command-name>/init</command-name>", command("/init")),
            ("<command-name>/review</command-name>\n<command-args>the last change</command-args>", command("/review the last change")),
            ("<command-name>/commit</command-name>\nwith care", command("/commit with care")),
            ("<local-command-stdout>done</local-command-stdout>", Said::Output("done")),
            ("<system-reminder>be brief</system-reminder>", Said::Context),
            ("<system-reminder>be brief</system-reminder>\nWhat now?", turn("<system-reminder>be brief</system-reminder>\nWhat now?")),
            ("<teammate-message teammate_id=\"lead\" summary=\"x\">Go on</teammate-message>", Said::Teammate("Go on")),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn the_trailer_for_the_model_is_cut_off() {
        for (text, whole, agent) in [
            ("Found three.\n\nagentId: a1", "Found three.", Some("a1")),
            ("Found three.\nagentId: a1 (for resuming)\n<usage>total_tokens: 5\ntool_uses: 2</usage>", "Found three.", Some("a1")),
            ("agentId: a1", "", Some("a1")),
            ("The field agentId: is wrong", "The field agentId: is wrong", None),
            ("agentId: a1\nis what the log says, and more follows here", "agentId: a1\nis what the log says, and more follows here", None),
        ] {
            assert_eq!((without_trailer(text), trailer_agent(text)), (whole, agent), "{text}");
        }
    }
}
