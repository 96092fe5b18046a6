//! The line that a file ends in, where it is not whole: shown as such, until what follows makes it whole.

use super::{Batch, Manner, Source, Trouble, file};
use crate::dialect::Role;
use crate::ingest::Sink;
use crate::model::{Line, Op, PREVIEW_BYTES, Who};

impl Source {
    /// True if a line has begun that is not shown yet as far as it has come.
    pub fn is_partial(&self) -> bool {
        self.place.role == Role::Transcript && !self.splitter.is_over() && self.splitter.rest().len() != self.shown && !self.tail_open
    }

    /// Shows the line that has begun, as one that is not whole.
    pub fn show_rest(&mut self, sink: &dyn Sink) -> Result<(), Trouble> {
        let (mut batch, manner) = (Batch::default(), Manner { bulk: false, to_end: false, budget: 0 });
        self.show(&mut batch);
        let (file, _) = file::open(self.held.as_ref().unwrap_or(&self.path)).map_err(Trouble::Words)?;
        self.send(&file, batch, manner, sink)
    }

    pub(super) fn show(&mut self, batch: &mut Batch) {
        if self.is_partial() {
            let rest = self.splitter.rest();
            self.shown = rest.len();
            let text = String::from_utf8_lossy(rest.get(..PREVIEW_BYTES).unwrap_or(rest)).into_owned();
            batch.lines.push(self.incomplete(Some(text)));
        }
    }

    pub(super) fn incomplete(&self, text: Option<String>) -> Line {
        let who = self.place.agent.as_ref().map_or(Who::Main, Who::runtime);
        Line::control(self.session.clone(), vec![Op::Incomplete { who, text }])
    }
}
