//! Following the end of a transcript: a latch. Pure.
//!
//! Invariant: only a person's input breaks it, and only a person's input closes it again; layout does neither.

/// How near the end a person must scroll for the latch to close, in CSS pixels.
const NEAR: f64 = 64.0;

/// What is seen of a scrolled content, in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct View {
    /// What is scrolled away above.
    pub top: f64,
    /// The height that is seen.
    pub height: f64,
    /// The height of the whole.
    pub total: f64,
}

impl View {
    /// How much is hidden below.
    pub fn below(self) -> f64 {
        (self.total - self.height - self.top).max(0.0)
    }
}

/// The latch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Follow {
    on: bool,
    top: f64,
    /// A pointer holds the scrollbar.
    held: bool,
}

impl Default for Follow {
    fn default() -> Self {
        Self { on: true, top: 0.0, held: false }
    }
}

impl Follow {
    /// True while the end is followed.
    pub fn is_on(self) -> bool {
        self.on
    }

    /// A person goes up: by wheel, finger or key, or selects text. Where nothing is hidden there is nothing to leave.
    pub fn up(&mut self, view: View) {
        if view.total > view.height + 1.0 {
            self.on = false;
        }
    }

    /// A pointer takes the scrollbar, or lets it go.
    pub fn hold(&mut self, held: bool) {
        self.held = held;
    }

    /// The content was scrolled, by whomever.
    pub fn scrolled(&mut self, view: View) {
        if view.top > self.top && view.below() <= NEAR {
            self.on = true;
        } else if self.held && view.top < self.top && view.below() > 1.0 {
            self.on = false;
        }
        self.top = view.top;
    }

    /// We have scrolled it ourselves.
    pub fn moved(&mut self, top: f64) {
        self.top = top;
    }

    /// A person has opened something and it has its new height: if that hides the end, they want to read it.
    pub fn opened(&mut self, view: View) {
        if view.below() > NEAR {
            self.on = false;
        }
    }

    /// Begins without following.
    pub fn leave(&mut self) {
        self.on = false;
    }

    /// A person wants the end.
    pub fn jump(&mut self) {
        self.on = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(top: f64) -> View {
        View { top, height: 500.0, total: 2_000.0 }
    }

    #[test]
    fn growth_never_breaks_it() {
        let mut follow = Follow::default();
        follow.moved(1_500.0);
        follow.scrolled(View { top: 1_500.0, height: 500.0, total: 9_000.0 });
        follow.scrolled(View { top: 1_400.0, height: 500.0, total: 1_900.0 });
        assert!(follow.is_on());
    }

    #[test]
    fn a_person_going_up_breaks_it_at_the_first_pixel() {
        let mut follow = Follow::default();
        follow.moved(1_500.0);
        follow.up(at(1_500.0));
        follow.scrolled(at(1_499.0));
        assert!(!follow.is_on());
    }

    #[test]
    fn where_all_is_seen_nothing_can_be_left() {
        let mut follow = Follow::default();
        follow.up(View { top: 0.0, height: 500.0, total: 480.0 });
        assert!(follow.is_on());
    }

    #[test]
    fn going_down_to_the_end_closes_it_and_going_up_near_the_end_does_not() {
        let mut follow = Follow::default();
        follow.moved(1_500.0);
        follow.up(at(1_500.0));
        follow.scrolled(at(1_460.0));
        assert!(!follow.is_on(), "40 px from the end, but on the way up");
        follow.scrolled(at(1_430.0));
        follow.scrolled(at(1_435.0));
        assert!(!follow.is_on(), "65 px from the end");
        follow.scrolled(at(1_436.0));
        assert!(follow.is_on(), "64 px from the end");
    }

    #[test]
    fn a_held_scrollbar_breaks_it() {
        let mut follow = Follow::default();
        follow.moved(1_500.0);
        follow.hold(true);
        follow.scrolled(at(1_300.0));
        follow.hold(false);
        assert!(!follow.is_on());
        follow.jump();
        assert!(follow.is_on());
    }

    #[test]
    fn a_part_that_is_not_the_end_is_not_followed_until_a_person_wants_it() {
        let mut follow = Follow::default();
        follow.leave();
        follow.scrolled(at(0.0));
        assert!(!follow.is_on());
        follow.jump();
        assert!(follow.is_on());
    }

    #[test]
    fn opening_something_long_is_reading() {
        let mut follow = Follow::default();
        follow.opened(at(1_450.0));
        assert!(follow.is_on());
        follow.opened(at(1_000.0));
        assert!(!follow.is_on());
    }
}
