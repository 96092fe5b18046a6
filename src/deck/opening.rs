//! How cards come to the table: asked for by a person, or by an agent that begins to run.

use super::place::{STEP, TOO_MUCH};
use super::{Card, CardId, Deck, OpenedBy, Rect, Scene, Wish};
use crate::model::{Agent, AgentStatus, MAIN};

/// So many cards float without a person having asked for them; further ones wait in the dock.
pub const MAX_AUTO_FLOATS: usize = 3;

/// After so many steps a cascade begins anew.
const STEPS: usize = 8;

/// What became of a wish to open a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opened {
    Floating,
    Docked,
    /// There was a card already.
    Already,
}

/// Where the card of an agent that begins to run goes by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AutoOpen {
    /// On the table, up to [`MAX_AUTO_FLOATS`]; further ones into the dock.
    #[default]
    Float,
    Rail,
    Dock,
    /// Nowhere: a person opens it.
    Never,
}

/// True if this agent's card opens by itself: it runs, it has none, and no person has closed it in this run.
pub fn wants_card(deck: &Deck, agent: &Agent) -> bool {
    agent.n != MAIN
        && !agent.is_aside()
        && matches!(agent.status, AgentStatus::Running | AgentStatus::Waiting)
        && !deck.contains(CardId::Agent(agent.n))
        && deck.dismissed.get(&agent.n).is_none_or(|run| current_run(agent) > *run)
}

/// The number of the agent's newest run, from 1.
pub fn current_run(agent: &Agent) -> u32 {
    agent.runs.iter().map(|run| run.run).max().unwrap_or(1)
}

impl Deck {
    /// Opens a card at the best place.
    ///
    /// A person's card floats in front; where every place covers much, it cascades. An agent's card never stands above the
    /// focused one, and waits in the dock if three float already or the best place would still cover too much.
    pub fn open(&mut self, id: CardId, by: OpenedBy, scene: &Scene) -> Opened {
        if self.contains(id) {
            if by == OpenedBy::User {
                self.restore(id);
            }
            return Opened::Already;
        }
        let best = self.best_place(scene, by);
        let alone = self.order.is_empty();
        let good = best.filter(|place| place.covers <= TOO_MUCH);
        let rect = match by {
            OpenedBy::User => good.map_or_else(|| best.filter(|_| alone).map_or_else(|| self.cascade_place(scene), |p| p.rect), |p| p.rect),
            OpenedBy::Agent => best.map_or_else(|| self.cascade_place(scene), |place| place.rect),
        };
        let floats = match by {
            OpenedBy::User => true,
            OpenedBy::Agent => best.is_some() && self.auto_floats() < MAX_AUTO_FLOATS && (alone || good.is_some()),
        };
        let rect = if floats { rect } else { self.stepped(rect) };
        let area = self.area();
        let wish = Wish::of(&super::fit(&rect, &area), &area);
        self.cards.push(Card { id, wish, maximised: false, opened_by: by });
        if let CardId::Agent(n) = id {
            self.dismissed.remove(&n);
        }
        if !floats {
            self.dock.push(id);
            return Opened::Docked;
        }
        let at = match (by, self.focused) {
            (OpenedBy::Agent, Some(focused)) => self.order.iter().position(|other| *other == focused),
            _ => None,
        };
        self.order.insert(at.unwrap_or(self.order.len()), id);
        Opened::Floating
    }

    /// Opens an agent's card where a person wants such cards. In the rail it comes behind the tab that is shown.
    pub fn open_by_itself(&mut self, id: CardId, to: AutoOpen, scene: &Scene) {
        if to == AutoOpen::Never || self.open(id, OpenedBy::Agent, scene) == Opened::Already {
            return;
        }
        match to {
            AutoOpen::Rail => self.add_to_rail(id),
            AutoOpen::Dock => self.minimise(id),
            AutoOpen::Float | AutoOpen::Never => {}
        }
    }

    /// Where a card comes up that has waited in the dock from the first: a step on from the one before, so that each shows its header.
    fn stepped(&self, rect: Rect) -> Rect {
        let by = STEP * (self.dock.len() % STEPS) as f64;
        Rect { x: rect.x - by, y: rect.y + by, ..rect }
    }

    fn auto_floats(&self) -> usize {
        self.order.iter().filter_map(|id| self.card(*id)).filter(|card| card.opened_by == OpenedBy::Agent).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Run;

    const AREA: Rect = Rect { x: 8.0, y: 56.0, w: 2400.0, h: 1000.0 };

    fn running(n: u32) -> Agent {
        Agent { n, status: AgentStatus::Running, runs: vec![Run { run: 1, ..Run::default() }], ..Agent::default() }
    }

    #[test]
    fn only_running_subagents_want_a_card() {
        let deck = Deck::new(AREA);
        assert!(wants_card(&deck, &running(1)));
        assert!(!wants_card(&deck, &running(MAIN)));
        for status in [AgentStatus::Queued, AgentStatus::Finished, AgentStatus::Failed, AgentStatus::Cancelled, AgentStatus::Unknown] {
            assert!(!wants_card(&deck, &Agent { status, ..running(1) }), "{status:?}");
        }
        assert!(!wants_card(&deck, &Agent { merged_into: Some(2), ..running(1) }));
    }

    #[test]
    fn at_most_three_float_by_themselves() {
        let mut deck = Deck::new(AREA);
        let opened: Vec<Opened> = (1..=5).map(|n| deck.open(CardId::Agent(n), OpenedBy::Agent, &Scene::default())).collect();
        assert_eq!(opened, [Opened::Floating, Opened::Floating, Opened::Floating, Opened::Docked, Opened::Docked]);
        assert_eq!(deck.dock(), [CardId::Agent(4), CardId::Agent(5)]);
        deck.restore_all();
        let rects: Vec<Rect> = deck.order().iter().filter_map(|id| deck.rect(*id)).collect();
        assert!((1..rects.len()).all(|i| !rects[..i].contains(&rects[i])), "two cards in one place: {rects:?}");
    }

    #[test]
    fn a_person_says_where_agents_cards_go() {
        for (to, order, dock, rail) in
            [(AutoOpen::Float, 2, 0, 0), (AutoOpen::Rail, 0, 0, 2), (AutoOpen::Dock, 0, 2, 0), (AutoOpen::Never, 0, 0, 0)]
        {
            let mut deck = Deck::new(AREA);
            (1..=2).for_each(|n| deck.open_by_itself(CardId::Agent(n), to, &Scene::default()));
            assert_eq!((deck.order().len(), deck.dock().len(), deck.rail().len()), (order, dock, rail), "{to:?}");
            assert_eq!(deck.shown_in_rail(), (rail > 0).then_some(CardId::Agent(1)), "the second comes behind");
        }
    }

    #[test]
    fn closed_by_a_person_stays_closed_for_that_run() {
        let mut deck = Deck::new(AREA);
        let mut agent = running(1);
        deck.open(CardId::Agent(1), OpenedBy::Agent, &Scene::default());
        deck.close(CardId::Agent(1), current_run(&agent));
        assert!(!wants_card(&deck, &agent));
        agent.runs.push(Run { run: 2, ..Run::default() });
        assert!(wants_card(&deck, &agent));
    }

    #[test]
    fn an_agents_card_goes_below_the_focused_one() {
        let mut deck = Deck::new(AREA);
        for n in 1..=2 {
            deck.open(CardId::Agent(n), OpenedBy::User, &Scene::default());
        }
        deck.set_focused(Some(CardId::Agent(2)));
        deck.open(CardId::Agent(3), OpenedBy::Agent, &Scene::default());
        assert_eq!(deck.order(), [1, 3, 2].map(CardId::Agent));
        assert_eq!(deck.focused(), Some(CardId::Agent(2)));
    }

    #[test]
    fn a_persons_card_always_floats() {
        let mut deck = Deck::new(Rect::new(8.0, 56.0, 884.0, 400.0));
        for n in 1..=30 {
            assert_eq!(deck.open(CardId::Agent(n), OpenedBy::User, &Scene::default()), Opened::Floating);
            assert_eq!(deck.front(), Some(CardId::Agent(n)));
        }
    }
}
