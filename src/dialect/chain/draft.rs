//! A message that comes in chunks: its stretches as they open and close, its calls as they grow.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::block::Block;
use super::message::CallChunk;
use super::tools;
use super::{Hash, push};
use crate::dialect::think::{self, Splitter};
use crate::model::{EntryState, Field, Op, Usage, Who};

/// Calls of a message whose arguments may grow at once.
const CALLS: usize = 32;
/// The longest arguments that are put together from parts, in bytes; longer ones come with the whole message.
const ARGS: usize = 1 << 20;

/// A message that has come in chunks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Draft {
    pub key: Hash,
    pub run: Hash,
    pub who: Who,
    pub id: String,
    pub base: String,
    pub scoped: bool,
    /// True behind its last chunk: content that comes again starts it over.
    pub finished: bool,
    /// True if its entries are there from an earlier telling.
    pub anew: bool,
    pub texts: u32,
    pub thoughts: u32,
    /// The stretch that is open: whether it is reasoning.
    pub open: Option<bool>,
    /// The block of the last chunk.
    pub index: Option<u64>,
    pub splitter: Splitter,
    pub calls: VecDeque<Growing>,
    pub usage: Usage,
    pub sign: Sign,
}

/// A call whose arguments grow.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Growing {
    index: Option<u64>,
    id: String,
    name: String,
    args: String,
}

/// What tells a message's words from others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sign(pub Hash, pub Hash);

impl Draft {
    pub fn new(key: Hash, run: Hash, who: Who, id: String, base: String, scoped: bool) -> Self {
        Self {
            key,
            run,
            who,
            id,
            base,
            scoped,
            finished: false,
            anew: false,
            texts: 0,
            thoughts: 0,
            open: None,
            index: None,
            splitter: Splitter::default(),
            calls: VecDeque::new(),
            usage: Usage::default(),
            sign: Sign::default(),
        }
    }

    pub fn is(&self, run: Hash, who: &Who, id: &str) -> bool {
        self.run == run && self.id == id && self.who == *who
    }

    pub fn speak(&mut self, block: Block, ops: &mut Vec<Op>) {
        let Block { index, reasoning, mut text } = block;
        if self.open != Some(reasoning) {
            self.pause(EntryState::Done, ops);
            (self.open, self.index) = (Some(reasoning), None);
            *(if reasoning { &mut self.thoughts } else { &mut self.texts }) += 1;
        }
        if !reasoning {
            self.sign.0 = self.sign.0.and(&text);
            let base = self.text_base();
            for piece in self.splitter.push(&text) {
                ops.extend(piece.ops(&self.who, &base, self.anew));
            }
            return;
        }
        self.sign.1 = self.sign.1.and(&text);
        let first = self.index.is_none();
        if !first && index.is_some() && self.index != index {
            text.insert_str(0, "\n\n");
        }
        self.index = index.or(self.index).or(Some(0));
        let key = format!("{}/reasoning/{}", self.base, self.thoughts.saturating_sub(1));
        ops.push(think::more(&self.who, key, true, text, first && self.anew));
    }

    fn text_base(&self) -> String {
        format!("{}/text/{}", self.base, self.texts.saturating_sub(1))
    }

    pub fn pause(&mut self, state: EntryState, ops: &mut Vec<Op>) {
        match self.open.take() {
            Some(false) => {
                let base = self.text_base();
                ops.extend(self.splitter.close(&self.who, &base, state, self.anew));
            }
            Some(true) => ops.push(Op::Close { key: format!("{}/reasoning/{}", self.base, self.thoughts.saturating_sub(1)), state }),
            None => {}
        }
    }

    pub fn grow(&mut self, chunk: CallChunk, ops: &mut Vec<Op>) {
        let same = |call: &Growing| match &chunk.id {
            Some(id) => call.id == *id,
            None => chunk.index.is_none() || call.index == chunk.index,
        };
        let at = self.calls.iter().rposition(same).or_else(|| {
            let id = chunk.id.clone()?;
            self.pause(EntryState::Done, ops);
            let name = chunk.name.clone().unwrap_or_default();
            ops.push(tools::begun(&self.who, &id, &name));
            push(&mut self.calls, CALLS, Growing { index: chunk.index, id, name, args: String::new() });
            Some(self.calls.len() - 1)
        });
        let Some(call) = at.and_then(|at| self.calls.get_mut(at)) else { return };
        if chunk.args.is_empty() || call.args.len() + chunk.args.len() > ARGS {
            return;
        }
        call.args.push_str(&chunk.args);
        if !self.anew {
            let key = tools::args_key(&call.id);
            ops.push(Op::Append { who: self.who.clone(), key, body: None, field: Field::Args, text: chunk.args });
        }
    }

    /// All chunks are there: the calls have their arguments.
    pub fn finish(&mut self, ops: &mut Vec<Op>) {
        self.pause(EntryState::Done, ops);
        self.finished = true;
        self.complete(None, ops);
        self.calls.clear();
    }

    /// Tells the calls, or this one, whose arguments can be read. Others stay as they came; the whole message may bring better ones.
    pub fn complete(&mut self, call: Option<&str>, ops: &mut Vec<Op>) {
        let (who, mut left) = (&self.who, VecDeque::new());
        for growing in self.calls.drain(..) {
            let args = if growing.args.trim().is_empty() { "{}" } else { &growing.args };
            if call.is_none_or(|call| call == growing.id) && serde_json::from_str::<&RawValue>(args).is_ok() {
                let args = args.to_owned();
                ops.extend(tools::call(who, &tools::Call { id: growing.id, name: growing.name, args }).0);
            } else {
                left.push_back(growing);
            }
        }
        self.calls = left;
    }
}
