//! Messages on their way: chunks that extend, snapshots that replace, whole messages that end it.
//!
//! Decision: a stretch of text or reasoning has the key of its message, its kind and its number, so that what came in chunks is
//! what the whole message replaces. Where chunks showed more stretches than the whole message tells apart, the chunks stand.
//! Invariants: a message told again, by whatever snapshot, changes nothing; one whose chunks come again starts over; an id that
//! a later run uses for other words is another message.

use std::collections::{HashMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::block::Block;
use super::draft::{Draft, Sign};
use super::message::{CallChunk, Message};
use super::tools;
use super::{Hash, hash, push};
use crate::dialect::think;
use crate::model::{Body, EntryState, Op, Usage, Who};

/// Messages whose chunks may still come.
const DRAFTS: usize = 48;
/// Messages that are remembered as told.
const KNOWN: usize = 512;

/// What is remembered of messages.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Voice {
    drafts: VecDeque<Draft>,
    known: VecDeque<Known>,
    nameless: u64,
}

/// A message that was told.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Known {
    key: Hash,
    run: Hash,
    scoped: bool,
    sign: Sign,
    /// What its whole form said beside the words; `None` while only chunks or snapshots have told it.
    whole: Option<Hash>,
    stretches: (u32, u32),
}

impl Voice {
    /// The frames of this run come from its beginning again.
    pub fn again(&mut self, run: Hash) {
        self.drafts.iter_mut().filter(|draft| draft.run == run).for_each(|draft| draft.finished = true);
    }

    /// A chunk of the message `id`; without an id it belongs to what `who` said last.
    pub fn chunk(&mut self, run: Hash, who: &Who, id: Option<&str>, message: &Message<'_>) -> Vec<Op> {
        let (blocks, calls) = (message.blocks(), message.call_chunks());
        let id = self.name(who, id);
        if blocks.is_empty() && calls.is_empty() && !self.drafts.iter().any(|draft| draft.is(run, who, &id)) {
            return Vec::new();
        }
        let mut ops = Vec::new();
        let draft = self.draft(run, who, &id, !(blocks.is_empty() && calls.iter().all(|call| call.args.is_empty() && call.id.is_none())));
        for block in blocks {
            draft.speak(block, &mut ops);
        }
        for call in calls {
            draft.grow(call, &mut ops);
        }
        if let Some(usage) = message.usage() {
            draft.usage = draft.usage.plus(usage);
            ops.push(Op::Usage { who: who.clone(), message: draft.base.clone(), usage: draft.usage, context: None });
        }
        if message.is_last() {
            draft.finish(&mut ops);
        }
        ops
    }

    /// More of a text or of reasoning.
    pub fn speak(&mut self, run: Hash, who: &Who, id: &str, block: Block) -> Vec<Op> {
        let mut ops = Vec::new();
        if !block.text.is_empty() {
            self.draft(run, who, id, true).speak(block, &mut ops);
        }
        ops
    }

    /// True if chunks of this block's message have come.
    pub fn is_speaking(&self, run: Hash, who: &Who, id: &str) -> bool {
        self.drafts.iter().any(|draft| draft.is(run, who, id) && draft.open.is_some())
    }

    /// More of a call.
    pub fn grow(&mut self, run: Hash, who: &Who, id: &str, call: CallChunk) -> Vec<Op> {
        let mut ops = Vec::new();
        self.draft(run, who, id, true).grow(call, &mut ops);
        ops
    }

    /// The stretch that is open ends; the message may go on.
    pub fn pause(&mut self, run: Hash, who: &Who, id: &str) -> Vec<Op> {
        let mut ops = Vec::new();
        if let Some(draft) = self.drafts.iter_mut().find(|draft| draft.is(run, who, id)) {
            draft.pause(EntryState::Done, &mut ops);
        }
        ops
    }

    /// The last of a message's chunks has come.
    pub fn finish(&mut self, run: Hash, who: &Who, id: &str) -> Vec<Op> {
        let mut ops = Vec::new();
        if let Some(draft) = self.drafts.iter_mut().find(|draft| draft.is(run, who, id)) {
            draft.finish(&mut ops);
        }
        ops
    }

    /// Calls whose arguments are all there, although their message's last chunk has not come: this one, or all.
    pub fn complete(&mut self, call: Option<&str>) -> Vec<Op> {
        let mut ops = Vec::new();
        for draft in &mut self.drafts {
            draft.complete(call, &mut ops);
        }
        ops
    }

    /// All that is still open, or only what `who` says, ends in this state.
    pub fn silence(&mut self, who: Option<&Who>, state: EntryState) -> Vec<Op> {
        let mut ops = Vec::new();
        for draft in self.drafts.iter_mut().filter(|draft| who.is_none_or(|who| draft.who == *who)) {
            draft.pause(state, &mut ops);
        }
        ops
    }

    /// The tokens of a message.
    pub fn usage(&mut self, run: Hash, who: &Who, id: &str, usage: Usage) -> Op {
        let message = self.draft(run, who, id, false).base.clone();
        Op::Usage { who: who.clone(), message, usage, context: None }
    }

    /// A message of the agent as it is now: whole, or (`Open`) as far as it has come.
    pub fn whole(&mut self, run: Hash, who: &Who, id: &str, message: &Message<'_>, state: EntryState) -> Vec<Op> {
        let blocks = message.blocks();
        let text = |reasoning| blocks.iter().filter(move |block| block.reasoning == reasoning);
        let sign = Sign(
            text(false).fold(Hash::default(), |hash, block| hash.and(&block.text)),
            text(true).fold(Hash::default(), |hash, block| hash.and(&block.text)),
        );
        let calls = message.calls();
        let more = calls.iter().fold(Hash::default(), |hash, call| hash.and(&call.id).and(&call.args));
        let mut ops = Vec::new();
        let key = key(who, id);
        let draft = self.drafts.iter().position(|draft| draft.key == key && (draft.run == run || !draft.finished || draft.sign == sign));
        let draft = draft.and_then(|at| self.drafts.remove(at));
        let told =
            self.known.iter().rposition(|known| known.key == key && (known.run == run || known.sign == sign || known.whole.is_none()));
        let told = told.filter(|_| draft.is_none()).and_then(|at| self.known.remove(at));
        let done = (state == EntryState::Done).then_some(more);
        if let Some(known) = told.filter(|known| known.sign == sign && known.whole.is_some() && (known.whole == done || done.is_none())) {
            push(&mut self.known, KNOWN, known);
            return ops;
        }
        let (scope, streamed) = match (&draft, &told) {
            (Some(draft), _) => (draft.scoped.then_some(draft.run), (draft.texts, draft.thoughts)),
            (None, Some(known)) => (known.scoped.then_some(known.run), known.stretches),
            (None, None) => (self.known.iter().any(|known| known.key == key).then_some(run), (0, 0)),
        };
        let base = base(who, id, scope);
        let stretches = merged(blocks);
        let whole = |reasoning| u32::try_from(stretches.iter().filter(|(kind, _)| *kind == reasoning).count()).unwrap_or(u32::MAX);
        let keeps = (streamed.0 > whole(false), streamed.1 > whole(true));
        if let Some(mut draft) = draft {
            draft.pause(EntryState::Done, &mut ops);
        }
        let (mut texts, mut thoughts) = (0, 0);
        let last = stretches.len().saturating_sub(1);
        for (at, (reasoning, text)) in stretches.into_iter().enumerate() {
            let state = if at == last && calls.is_empty() { state } else { EntryState::Done };
            if reasoning {
                thoughts += 1;
                if !keeps.1 {
                    let keys = vec![format!("{base}/reasoning/{}", thoughts - 1)];
                    ops.push(Op::Entry { who: who.clone(), keys, body: Body::Reasoning { text: text.into() }, state, images: Vec::new() });
                }
            } else {
                texts += 1;
                if !keeps.0 {
                    ops.extend(think::whole(who, &format!("{base}/text/{}", texts - 1), &text, state));
                }
            }
        }
        for call in &calls {
            ops.extend(tools::call(who, call).0);
        }
        if let Some(usage) = message.usage() {
            ops.push(Op::Usage { who: who.clone(), message: base, usage, context: None });
        }
        let stretches = (texts.max(streamed.0), thoughts.max(streamed.1));
        push(&mut self.known, KNOWN, Known { key, run: scope.unwrap_or(run), scoped: scope.is_some(), sign, whole: done, stretches });
        ops
    }

    /// Where the first text of a message stands.
    pub fn text_base(who: &Who, id: &str) -> String {
        format!("{}/text/0", base(who, id, None))
    }

    /// Takes a message back.
    pub fn remove(&mut self, who: &Who, id: &str) -> Op {
        let key = key(who, id);
        let scoped = self.known.iter().rev().find(|known| known.key == key).and_then(|known| known.scoped.then_some(known.run));
        let base = base(who, id, scoped);
        let numbers = 0..8;
        let texts = numbers.clone().flat_map(|n| (0..4).map(move |part| format!("text/{n}/{part}")));
        let keys = texts.chain(numbers.map(|n| format!("reasoning/{n}"))).chain(["user".to_owned()]);
        Op::Withdraw { keys: keys.map(|key| format!("{base}/{key}")).collect() }
    }

    /// A user's words: `None` if they were told before. `id` names them, in the transcript of `who`.
    pub fn heard(&mut self, run: Hash, who: &Who, id: &str, text: &str) -> Option<String> {
        let (key, sign) = (key(who, id), Sign(hash(&[text]), Hash::default()));
        if self.known.iter().any(|known| known.key == key && known.sign == sign) {
            return None;
        }
        let known: Vec<&Known> = self.known.iter().filter(|known| known.key == key).collect();
        let scoped = !known.is_empty() && known.iter().all(|known| known.run != run);
        push(&mut self.known, KNOWN, Known { key, run, scoped, sign, whole: Some(Hash::default()), stretches: (0, 0) });
        Some(format!("{}/user", base(who, id, scoped.then_some(run))))
    }

    /// Names for the messages of a list that have none: by their words, and the number among equal ones.
    pub fn names(list: &[Message<'_>]) -> Vec<String> {
        let mut seen: HashMap<Hash, u32> = HashMap::new();
        let name = |message: &Message<'_>| {
            message.id.clone().unwrap_or_else(|| {
                let said = message.body.raw("content").map_or("", |raw| raw.get());
                let words = hash(&[said, &format!("{:?}", message.kind)]);
                let count = seen.entry(words).or_default();
                *count += 1;
                format!("said:{words:?}:{count}")
            })
        };
        list.iter().map(name).collect()
    }

    /// The id, or that of what `who` said last.
    fn name(&mut self, who: &Who, id: Option<&str>) -> String {
        let last = || self.drafts.iter().rev().find(|draft| draft.who == *who && !draft.finished).map(|draft| draft.id.clone());
        id.map(String::from).or_else(last).unwrap_or_else(|| {
            self.nameless += 1;
            format!("nameless:{}", self.nameless)
        })
    }

    /// The draft of a message, made on first sight; `content` starts a finished one over.
    fn draft(&mut self, run: Hash, who: &Who, id: &str, content: bool) -> &mut Draft {
        let at = self.drafts.iter().position(|draft| draft.is(run, who, id));
        let mut draft = at.and_then(|at| self.drafts.remove(at)).unwrap_or_else(|| self.begin(run, who, id));
        if draft.finished && content {
            let Draft { key, run, who, id, base, scoped, .. } = draft;
            draft = Draft { anew: true, ..Draft::new(key, run, who, id, base, scoped) };
        }
        while self.drafts.len() >= DRAFTS {
            if let Some(old) = self.drafts.pop_front() {
                let stretches = (old.texts, old.thoughts);
                let known = Known { key: old.key, run: old.run, scoped: old.scoped, sign: old.sign, whole: None, stretches };
                push(&mut self.known, KNOWN, known);
            }
        }
        self.drafts.push_back(draft);
        let last = self.drafts.len() - 1;
        &mut self.drafts[last]
    }

    fn begin(&mut self, run: Hash, who: &Who, id: &str) -> Draft {
        let key = key(who, id);
        let mine = self.known.iter().rposition(|known| known.key == key && known.run == run).and_then(|at| self.known.remove(at));
        let others =
            self.known.iter().any(|known| known.key == key) || self.drafts.iter().any(|draft| draft.key == key && draft.run != run);
        let scoped = mine.map_or(others, |known| known.scoped);
        let base = base(who, id, scoped.then_some(run));
        Draft { anew: mine.is_some(), ..Draft::new(key, run, who.clone(), id.into(), base, scoped) }
    }
}

/// Neighbours of one kind are one stretch.
fn merged(blocks: Vec<Block>) -> Vec<(bool, String)> {
    let mut stretches: Vec<(bool, String)> = Vec::new();
    for block in blocks {
        match stretches.last_mut().filter(|(reasoning, _)| *reasoning == block.reasoning) {
            Some((reasoning, text)) => {
                text.push_str(if *reasoning { "\n\n" } else { "" });
                text.push_str(&block.text);
            }
            None => stretches.push((block.reasoning, block.text)),
        }
    }
    stretches
}

fn key(who: &Who, id: &str) -> Hash {
    hash(&[name(who), id])
}

fn name(who: &Who) -> &str {
    match who {
        Who::Main => "",
        Who::Named(name) => &name.id,
    }
}

fn base(who: &Who, id: &str, scope: Option<Hash>) -> String {
    let scope = scope.map(|run| format!("@{run:?}")).unwrap_or_default();
    format!("message:{}:{id}{scope}", name(who))
}
