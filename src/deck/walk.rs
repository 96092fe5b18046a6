//! Random walks: whatever a person does in whatever order, the geometry holds.

use super::*;

/// SplitMix64: small, seeded, the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.roll() % n
    }

    fn px(&mut self, from: i64, to: i64) -> f64 {
        (from + self.below((to - from) as u64) as i64) as f64
    }
}

const VIEWPORTS: [(f64, f64); 4] = [(1920.0, 1080.0), (1440.0, 900.0), (1024.0, 768.0), (900.0, 560.0)];

fn area_of((w, h): (f64, f64)) -> Rect {
    area(Size { w, h }, 48.0, h - 100.0, 15.0)
}

fn step(deck: &mut Deck, dice: &mut Dice) {
    let id = CardId::Agent(1 + dice.below(14) as u32);
    match dice.below(22) {
        0..=2 => drop(deck.open(id, if dice.below(2) == 0 { OpenedBy::User } else { OpenedBy::Agent }, &Scene::default())),
        3 => deck.close(id, 1),
        4 => deck.minimise(id),
        5 => deck.restore(id),
        6 => deck.raise(id),
        7 => deck.send_to_back(id),
        8 => deck.toggle_maximised(id),
        9 => deck.set_preset(id, Preset::ALL[dice.below(3) as usize]),
        10 => deck.move_to(id, Spot::ALL[dice.below(9) as usize]),
        11 => drop(deck.move_in_dock(id, dice.below(9) as isize - 4)),
        12 if dice.below(4) == 0 => deck.reassign(id, CardId::Agent(1 + dice.below(14) as u32)),
        12 => deck.set_focused(Some(id)),
        13 => match dice.below(7) {
            0 => deck.tile(&Scene { desk: Some(Rect::new(248.0, 48.0, dice.px(0, 1_700), 900.0)), ..Scene::default() }),
            1 => deck.cascade(&Scene::default()),
            2 => deck.pile(&Scene::default()),
            3 => deck.minimise_all(),
            4 => deck.restore_all(),
            5 => deck.close_where(|id| id.agent().filter(|n| *n > 10)),
            _ => deck.reset(&Scene::default()),
        },
        14 => {
            let key = ["ArrowLeft", "ArrowDown", "Home", "PageDown", "End"][dice.below(5) as usize];
            let asked = Nudge::of_key(key, dice.below(2) == 0, false).expect("a key");
            if let Some(rect) = deck.rect(id) {
                deck.set_rect(id, nudge(&rect, &deck.area(), asked, dice.below(2) == 0));
            }
        }
        15 => {
            let viewport = if dice.below(5) == 0 { (0.0, 0.0) } else { VIEWPORTS[dice.below(4) as usize] };
            deck.resize(area_of(viewport));
        }
        16 => match dice.below(5) {
            0 => deck.to_rail(id),
            1 => deck.add_to_rail(id),
            2 => deck.show_in_rail(id),
            3 => deck.float(id),
            _ => drop(deck.move_in_rail(id, dice.below(5) as isize - 2)),
        },
        17 => {
            deck.set_rail_width(dice.px(-500, 3_000), dice.px(0, 2_000));
            deck.set_room(dice.px(0, 600), dice.px(0, 2_000));
        }
        _ => drag(deck, id, dice),
    }
}

fn drag(deck: &mut Deck, id: CardId, dice: &mut Dice) {
    let grip = if dice.below(2) == 0 { Grip::Header } else { Grip::Handle(Handle::ALL[dice.below(8) as usize]) };
    let pointer = [Pointer::Mouse, Pointer::Pen, Pointer::Touch][dice.below(3) as usize];
    let start = Point { x: dice.px(0, 1920), y: dice.px(0, 1080) };
    let Some(mut gesture) = Gesture::begin(deck, id, grip, pointer, start) else { return };
    for _ in 0..dice.below(6) {
        let at = Point { x: dice.px(-4_000, 6_000), y: dice.px(-4_000, 6_000) };
        let drawn = gesture.follow(at, dice.below(4) == 0);
        assert!(drawn.is_none_or(|rect| deck.area().holds(&rect)), "drawn outside: {drawn:?}");
    }
    if dice.below(3) > 0 {
        gesture.finish(deck);
    }
}

fn check(deck: &Deck) {
    assert_eq!(deck.order().len() + deck.dock().len() + deck.rail().len(), deck.cards().len());
    assert_eq!(deck.shown_in_rail().is_some(), !deck.rail().is_empty());
    assert!(deck.shown_in_rail().is_none_or(|id| deck.is_in_rail(id)));
    assert!(deck.rail_width(1_000.0) >= MIN_RAIL && deck.rail_width(1_000.0) <= 1_000.0 - MIN_CONVERSATION);
    for (i, card) in deck.cards().iter().enumerate() {
        assert!(deck.cards().iter().skip(i + 1).all(|other| other.id != card.id), "{:?} stands there twice", card.id);
        let lists = [deck.is_open(card.id), deck.is_docked(card.id), deck.is_in_rail(card.id)];
        assert_eq!(lists.iter().filter(|there| **there).count(), 1, "{:?} stands in several lists or in none", card.id);
        assert!(card.wish.is_sound(), "{card:?}");
    }
    for (i, id) in deck.order().iter().enumerate() {
        let rect = deck.rect(*id).expect("a card on the table has a rect");
        let (area, whole) = (deck.area(), deck.mode(*id) == Some(Mode::Max));
        assert!(rect.is_real() && (whole || area.holds(&rect)), "{rect:?} in {area:?}");
        assert!(rect.y >= area.y - GAP && rect.bottom() <= area.bottom() + GAP, "{rect:?} in {area:?}");
        assert!(rect.w >= MIN_SIZE.w && rect.h >= MIN_SIZE.h);
        assert_eq!(deck.z(*id), Some(Z_BASE + i));
    }
    assert!(deck.focused().is_none_or(|id| deck.is_open(id)));
}

#[test]
fn geometry_holds_over_two_thousand_random_actions() {
    for (i, viewport) in VIEWPORTS.into_iter().enumerate() {
        for seed in 0..4 {
            let mut dice = Dice(seed * 31 + i as u64);
            let mut deck = Deck::new(area_of(viewport));
            for _ in 0..2_000 {
                step(&mut deck, &mut dice);
                check(&deck);
            }
        }
    }
}

#[test]
fn a_window_that_shrinks_and_grows_gives_every_card_its_place_back() {
    let (wide, narrow) = (area_of((1920.0, 1080.0)), area_of((800.0, 600.0)));
    for seed in 0..50 {
        let mut dice = Dice(seed);
        let mut deck = Deck::new(wide);
        for n in 1..=6 {
            deck.open(CardId::Agent(n), OpenedBy::User, &Scene::default());
            let rect = Rect::new(dice.px(-100, 1900), dice.px(0, 1000), dice.px(200, 900), dice.px(100, 800));
            deck.set_rect(CardId::Agent(n), rect);
        }
        let before = deck.clone();
        let rects = |deck: &Deck| deck.order().iter().map(|id| deck.rect(*id)).collect::<Vec<_>>();
        deck.resize(narrow);
        check(&deck);
        deck.resize(wide);
        assert_eq!(rects(&deck), rects(&before));
        assert_eq!(deck, before);
    }
}

#[test]
fn a_thousand_raises_keep_order_and_band() {
    let mut deck = Deck::new(area_of((1920.0, 1080.0)));
    for n in 1..=12 {
        deck.open(CardId::Agent(n), OpenedBy::User, &Scene::default());
    }
    let (mut dice, mut expected) = (Dice(7), deck.order().to_vec());
    for _ in 0..1_000 {
        let id = CardId::Agent(1 + dice.below(12) as u32);
        deck.raise(id);
        expected.retain(|other| *other != id);
        expected.push(id);
        assert_eq!(deck.order(), expected);
        assert!(deck.order().iter().all(|id| deck.z(*id).is_some_and(|z| (Z_BASE..Z_BASE + 12).contains(&z))));
    }
}

#[test]
fn the_dock_keeps_the_order_of_minimising() {
    let mut deck = Deck::new(area_of((1440.0, 900.0)));
    for n in 1..=5 {
        deck.open(CardId::Agent(n), OpenedBy::User, &Scene::default());
    }
    for n in [3, 1, 5] {
        deck.minimise(CardId::Agent(n));
    }
    assert_eq!(deck.dock(), [3, 1, 5].map(CardId::Agent));
    deck.restore(CardId::Agent(1));
    assert_eq!(deck.front(), Some(CardId::Agent(1)));
    deck.minimise(CardId::Agent(1));
    assert_eq!(deck.dock(), [3, 5, 1].map(CardId::Agent));
    assert!(deck.move_in_dock(CardId::Agent(1), -2));
    assert!(!deck.move_in_dock(CardId::Agent(1), -1));
    let (back, _) = restore(&save(&deck), deck.bounds(), |_| true);
    assert_eq!(back.dock(), [1, 3, 5].map(CardId::Agent));
}

#[test]
fn five_hundred_cards_stay_sane() {
    let mut deck = Deck::new(area_of((900.0, 560.0)));
    for n in 1..=500 {
        deck.open(CardId::Agent(n), OpenedBy::User, &Scene::default());
    }
    deck.tile(&Scene::default());
    check(&deck);
    deck.cascade(&Scene::default());
    check(&deck);
    deck.resize(area_of((320.0, 480.0)));
    assert!(deck.order().iter().all(|id| deck.rect(*id).is_some_and(|rect| deck.area().holds(&rect))));
}
