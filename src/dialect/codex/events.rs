//! Events: turns begin and end, tokens are counted, and what a person saw is told once more.

use super::collab::end;
use super::memory::Rollout;
use crate::dialect::content;
use crate::dialect::json::Object;
use crate::dialect::page::Page;
use crate::model::{AgentPatch, AgentStatus, Blobbed, Context, Op, SessionPatch, TitleFrom, Usage, Who};

impl Rollout {
    pub(super) fn event(&mut self, page: &mut Page, event: &Object<'_>) {
        let kind = event.id("type").unwrap_or_default();
        page.scribe.bookkeeping("event_msg", Some(&kind));
        let text = |name: &str| event.word(name).map(String::from);
        match &*kind {
            "task_started" | "turn_started" => self.begins(page),
            "task_complete" | "turn_complete" | "turn.completed" => self.completes(page, event),
            "turn_aborted" => {
                page.scribe.notice("cancelled", "The turn was stopped.", text("reason"));
                self.ended(page, AgentStatus::Cancelled, "stop");
            }
            "user_message" => {
                let images: Vec<Blobbed> = event
                    .array("images")
                    .into_iter()
                    .filter_map(crate::dialect::json::string)
                    .filter_map(|url| content::data_url(&url))
                    .collect();
                self.turn(page, text("message").unwrap_or_default(), images, false);
            }
            "agent_message" => self.text(page, &text("message").unwrap_or_default(), false),
            "agent_reasoning" | "agent_reasoning_raw_content" => {
                if let Some(text) = text("text") {
                    self.reasoning(page, &text, false);
                }
            }
            "token_count" => tokens(page, event),
            "error" | "stream_error" | "warning" => {
                let notice = if kind == "warning" { "warning" } else { "error" };
                page.scribe.notice(notice, text("message").unwrap_or_else(|| "Codex reported an error.".into()), None);
            }
            "entered_review_mode" => page.scribe.notice("review", "Review", text("user_facing_hint")),
            "exited_review_mode" => {
                let said = event.object("review_output").and_then(|output| output.word("overall_explanation").map(String::from));
                page.scribe.notice("review", "Review ended", said);
            }
            "thread_name_updated" => {
                let title = text("thread_name").filter(|_| page.scribe.who == Who::Main).map(|title| (TitleFrom::Generated, title));
                page.scribe.say(Op::Session(SessionPatch { title, ..SessionPatch::default() }));
            }
            "item_completed" => {
                if let Some(item) = event.object("item") {
                    self.completed(page, &item);
                }
            }
            "collab_agent_spawn_end" => self.spawned(page, event),
            "collab_agent_interaction_end" | "collab_resume_end" => self.addressed(page, event),
            "collab_waiting_end" | "collab_close_end" => self.told_of(page, event),
            "sub_agent_activity" => {
                if let Some(thread) = event.id("agent_thread_id") {
                    let parent = Some(page.scribe.who.clone());
                    let patch = AgentPatch { parent, link: Some(crate::model::Link::Later), ..AgentPatch::default() };
                    page.scribe.say(Op::Agent { who: self.agent(&thread), patch });
                }
            }
            kind if is_lifecycle(kind) => {}
            _ => page.scribe.opaque(),
        }
    }

    fn begins(&mut self, page: &mut Page) {
        page.scribe.say(match page.scribe.who.clone() {
            Who::Main => Op::Turn { ended: false },
            who => Op::Begin { who, run: None, at: page.scribe.at },
        });
    }

    fn completes(&mut self, page: &mut Page, event: &Object<'_>) {
        if let Some(usage) = event.object("usage") {
            page.scribe.say(Op::Total { who: page.scribe.who.clone(), usage: Some(usage_of(&usage)), tool_calls: None });
        }
        match event.object("error") {
            Some(error) => {
                page.scribe.notice("error", error.word("message").unwrap_or("The turn failed.".into()), None);
                self.ended(page, AgentStatus::Failed, "explicit");
            }
            None => self.ended(page, AgentStatus::Finished, "explicit"),
        }
    }

    fn ended(&mut self, page: &mut Page, status: AgentStatus, cause: &str) {
        match page.scribe.who.clone() {
            Who::Main => page.scribe.say(Op::Turn { ended: true }),
            who => end(page, who, status, cause),
        }
    }

    /// An item as newer files tell it to a person.
    fn completed(&mut self, page: &mut Page, item: &Object<'_>) {
        let (text, images) = item.raw("content").or_else(|| item.raw("text")).map(content::read).unwrap_or_default();
        match &*item.id("type").unwrap_or_default() {
            "UserMessage" => self.turn(page, text, images, false),
            "AgentMessage" => self.text(page, &text, false),
            "Plan" => page.scribe.notice("plan", "Plan", Some(text)),
            "CollabAgentToolCall" => self.told_of(page, item),
            _ => {}
        }
    }
}

/// True for events whose content stands in an item too, or that tell nothing to a person.
fn is_lifecycle(kind: &str) -> bool {
    let (about, told) = kind.rsplit_once('_').unwrap_or((kind, ""));
    let twice = [
        "exec_command",
        "patch_apply",
        "mcp_tool_call",
        "web_search",
        "image_generation",
        "collab_waiting",
        "collab_close",
        "collab_agent_spawn",
        "collab_agent_interaction",
        "collab_resume",
    ];
    (matches!(told, "begin" | "end" | "delta" | "updated") && twice.iter().any(|name| about.starts_with(name)))
        || kind.ends_with("_delta")
        || kind.starts_with("codex/event/")
        || matches!(
            kind,
            "agent_reasoning_section_break"
                | "background_event"
                | "context_compacted"
                | "dynamic_tool_call_request"
                | "dynamic_tool_call_response"
                | "guardian_assessment"
                | "item_started"
                | "plan_update"
                | "session_configured"
                | "thread_goal_updated"
                | "thread_rolled_back"
                | "thread_settings_applied"
                | "turn_diff"
                | "undo_completed"
                | "undo_started"
                | "view_image_tool_call"
        )
}

/// The counters of a thread: cumulative, so they merge by maximum.
fn tokens(page: &mut Page, event: &Object<'_>) {
    let Some(info) = event.object("info") else { return };
    let who = page.scribe.who.clone();
    if let Some(total) = info.object("total_token_usage") {
        page.scribe.say(Op::Total { who: who.clone(), usage: Some(usage_of(&total)), tool_calls: None });
    }
    if let Some(last) = info.object("last_token_usage") {
        let context = Context { used: last.number("total_tokens").unwrap_or(0), window: info.number("model_context_window") };
        page.scribe.say(Op::Agent { who, patch: AgentPatch { context: Some(context), ..AgentPatch::default() } });
    }
}

/// Cached tokens are a part of what went in.
pub(super) fn usage_of(usage: &Object<'_>) -> Usage {
    let number = |name| usage.number(name).unwrap_or(0);
    let (cache_read, cache_write) = (number("cached_input_tokens"), number("cache_write_input_tokens"));
    let input = number("input_tokens").saturating_sub(cache_read).saturating_sub(cache_write);
    Usage { input, output: number("output_tokens"), cache_read, cache_write }
}
