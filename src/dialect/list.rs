//! Lists that forget their oldest, and maps of them: what translators remember.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::model::Who;

/// Adds to a list, which forgets its oldest.
pub fn push<T>(list: &mut VecDeque<T>, bound: usize, value: T) {
    if list.len() >= bound {
        list.pop_front();
    }
    list.push_back(value);
}

/// What is remembered of things by their foreign ids: of the newest `MOST` of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
pub struct Known<T, const MOST: usize>(VecDeque<(String, T)>);

impl<T, const MOST: usize> Default for Known<T, MOST> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<T: Default, const MOST: usize> Known<T, MOST> {
    pub fn get(&self, id: &str) -> Option<&T> {
        self.0.iter().rev().find(|(known, _)| known == id).map(|(_, value)| value)
    }

    pub fn get_mut(&mut self, id: &str) -> Option<&mut T> {
        self.0.iter_mut().rev().find(|(known, _)| known == id).map(|(_, value)| value)
    }

    /// What is known of `id`; made on first sight.
    pub fn entry(&mut self, id: &str) -> &mut T {
        if let Some(at) = self.0.iter().position(|(known, _)| known == id) {
            return &mut self.0[at].1;
        }
        push(&mut self.0, MOST, (id.to_owned(), T::default()));
        let last = self.0.len() - 1;
        &mut self.0[last].1
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn remove(&mut self, id: &str) -> Option<T> {
        let at = self.0.iter().position(|(known, _)| known == id)?;
        self.0.remove(at).map(|(_, value)| value)
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut T)> {
        self.0.iter_mut().map(|(id, value)| (id.as_str(), value))
    }

    /// Takes all of them, oldest first.
    pub fn drain(&mut self) -> impl Iterator<Item = (String, T)> {
        std::mem::take(&mut self.0).into_iter()
    }
}

/// A session that may stand under another one.
pub trait Child {
    fn parent(&self) -> Option<&str>;
}

/// How deep sessions may stand under each other.
const DEEPEST: usize = 32;

impl<T: Child + Default, const MOST: usize> Known<T, MOST> {
    /// The session at the root of the tree that a session stands in.
    pub fn root(&self, session: &str) -> String {
        let mut at = session;
        for _ in 0..DEEPEST {
            match self.get(at).and_then(Child::parent) {
                Some(parent) => at = parent,
                None => break,
            }
        }
        at.to_owned()
    }

    /// The agent whose session it is.
    pub fn who(&self, session: &str) -> Who {
        match self.get(session).and_then(Child::parent) {
            Some(_) => Who::runtime(session),
            None => Who::Main,
        }
    }
}
