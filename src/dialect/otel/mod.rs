//! OpenTelemetry: the spans of agents by the GenAI conventions, as OTLP/HTTP JSON, one export a record.
//!
//! Decision: spans come at their ends, children first. So those of a trace are held until its root has come, or the input has ended;
//! then each agent's are told in the order in which they began. What comes later is appended. An agent is a span of its own:
//! `gen_ai.agent.id` names a definition, which two may share.
//! Invariant: whose a span is follows from its parents alone, never from a time.

mod agents;
mod memory;
mod messages;
mod span;
#[cfg(test)]
pub mod tests;

use serde_json::value::RawValue;

use super::json::Object;
use super::page::Page;
use super::teller::Teller;
pub use memory::Otel;
use span::Span;

impl Teller for Otel {
    const FAMILY: &'static str = "otel";
    const NAME: &'static str = "otel";

    fn sure(object: &Object<'_>) -> u8 {
        let span = object.has("traceId") && object.has("spanId");
        match () {
            () if object.has("resourceSpans") => 96,
            () if span && object.has("startTimeUnixNano") => 85,
            () => 0,
        }
    }

    fn session(&self, object: &Object<'_>) -> Option<String> {
        let named = |span: &Span| self.session_of(span);
        Span::of(object).as_ref().map(named).or_else(|| {
            let spans: Vec<Span> = Self::parts(object).into_iter().filter_map(Object::of).filter_map(|object| Span::of(&object)).collect();
            spans.iter().find(|span| span.conversation.is_some()).or_else(|| spans.first()).map(named)
        })
    }

    fn id(&self, object: &Object<'_>) -> Option<String> {
        Span::of(object).map(|span| format!("arrival:{}:{}", span.trace, span.id))
    }

    fn parts<'a>(object: &Object<'a>) -> Vec<&'a RawValue> {
        let scopes = object.array("resourceSpans").into_iter().filter_map(Object::of).flat_map(|resource| {
            let old = resource.array("instrumentationLibrarySpans");
            resource.array("scopeSpans").into_iter().chain(old).collect::<Vec<_>>()
        });
        scopes.filter_map(Object::of).flat_map(|scope| scope.array("spans")).collect()
    }

    fn tell(&mut self, page: &mut Page, object: &Object<'_>) {
        match Span::of(object) {
            Some(span) => {
                page.scribe.bookkeeping("span", Some(span.operation()));
                page.deferred = true;
                self.hold(page, span);
            }
            None if object.has("resourceSpans") => {
                page.scribe.bookkeeping("spans", None);
                page.deferred = true;
            }
            None => page.scribe.opaque(),
        }
    }

    fn end(&mut self, page: &mut Page) {
        for trace in self.waiting() {
            self.write(page, &trace);
        }
    }
}
