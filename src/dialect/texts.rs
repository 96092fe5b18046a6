//! Texts that agents are writing, each taken apart into what is said and what is thought.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::list::push;
use super::scribe::Scribe;
use super::think::{self, Splitter};
use crate::model::{EntryState, Op};

/// Texts that may be open at once.
const OPEN: usize = 64;

/// The texts that have begun and not ended, by their keys.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Texts(VecDeque<(String, Splitter)>);

impl Texts {
    /// More of the text under `key`, said by the scribe's agent.
    pub fn more(&mut self, scribe: &mut Scribe, key: &str, text: &str) {
        let at = self.0.iter().position(|(known, _)| known == key).unwrap_or_else(|| {
            push(&mut self.0, OPEN, (key.to_owned(), Splitter::default()));
            self.0.len() - 1
        });
        let Some((_, splitter)) = self.0.get_mut(at) else { return };
        let who = scribe.who.clone();
        splitter.append(&who, key, text).into_iter().for_each(|op| scribe.entry_op(op));
    }

    /// The end of the text under `key`, if it has begun.
    pub fn end(&mut self, scribe: &mut Scribe, key: &str, state: EntryState) {
        let Some((_, mut splitter)) = self.take(key) else { return };
        let who = scribe.who.clone();
        splitter.close(&who, key, state, false).into_iter().for_each(|op| match op {
            Op::Close { .. } => scribe.say(op),
            op => scribe.entry_op(op),
        });
    }

    /// The whole text under `key`, in the place of what came of it in parts.
    pub fn whole(&mut self, scribe: &mut Scribe, key: &str, text: &str, state: EntryState) {
        self.take(key);
        let who = scribe.who.clone();
        think::whole(&who, key, text, state).into_iter().for_each(|op| scribe.entry_op(op));
    }

    /// The text under `key` as it stands, with more of it to come.
    pub fn so_far(&mut self, scribe: &mut Scribe, key: &str, text: &str) {
        self.whole(scribe, key, text, EntryState::Open);
        let mut splitter = Splitter::default();
        splitter.push(text);
        push(&mut self.0, OPEN, (key.to_owned(), splitter));
    }

    pub fn is_open(&self, key: &str) -> bool {
        self.0.iter().any(|(known, _)| known == key)
    }

    fn take(&mut self, key: &str) -> Option<(String, Splitter)> {
        let at = self.0.iter().position(|(known, _)| known == key)?;
        self.0.remove(at)
    }
}
