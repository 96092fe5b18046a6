//! One-time codes that pair a browser, and how often they may be tried.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::secret::{Hash, hash, random_name, same};

/// How long a code is good for.
pub const GOOD_FOR: Duration = Duration::from_secs(5 * 60);
/// Tries of one address in a minute.
const TRIES: usize = 10;
const MINUTE: Duration = Duration::from_secs(60);
/// How many codes are remembered, used and expired ones too, so that they are told from guesses.
const CODES: usize = 64;
/// How many addresses are counted at once.
const PEERS: usize = 4_096;

/// The codes that were given out.
#[derive(Default)]
pub struct Pairing {
    state: Mutex<Codes>,
}

#[derive(Default)]
struct Codes {
    given: VecDeque<Code>,
    tries: HashMap<IpAddr, VecDeque<Instant>>,
}

struct Code {
    hash: Hash,
    until: Instant,
    used: bool,
}

/// Why a code was not taken.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused {
    /// It was never given out.
    Wrong,
    /// It was used before, or is too old.
    Spent,
    /// Too many tries: wait so many seconds.
    TooOften(u64),
}

impl Pairing {
    /// A new code, good once within five minutes.
    pub fn code(&self) -> String {
        self.code_at(Instant::now())
    }

    fn code_at(&self, now: Instant) -> String {
        let code = random_name(24);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.given.len() >= CODES {
            state.given.pop_front();
        }
        state.given.push_back(Code { hash: hash(&code), until: now + GOOD_FOR, used: false });
        code
    }

    /// Takes a code from an address.
    pub fn take(&self, code: &str, from: IpAddr) -> Result<(), Refused> {
        self.take_at(code, from, Instant::now())
    }

    fn take_at(&self, code: &str, from: IpAddr, now: Instant) -> Result<(), Refused> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.count(from, now)?;
        let wanted = hash(code);
        let found = state.given.iter_mut().find(|given| same(&given.hash, &wanted)).ok_or(Refused::Wrong)?;
        if found.used || now >= found.until {
            return Err(Refused::Spent);
        }
        found.used = true;
        Ok(())
    }
}

impl Codes {
    fn count(&mut self, from: IpAddr, now: Instant) -> Result<(), Refused> {
        if self.tries.len() >= PEERS {
            self.tries.retain(|_, tries| tries.back().is_some_and(|last| now.duration_since(*last) < MINUTE));
        }
        let tries = self.tries.entry(from).or_default();
        while tries.front().is_some_and(|first| now.duration_since(*first) >= MINUTE) {
            tries.pop_front();
        }
        if tries.len() >= TRIES {
            let left = tries.front().map_or(MINUTE, |first| MINUTE.saturating_sub(now.duration_since(*first)));
            return Err(Refused::TooOften(left.as_secs() + 1));
        }
        tries.push_back(now);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    const HOME: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    #[test]
    fn a_code_is_good_once() {
        let pairing = Pairing::default();
        let code = pairing.code();
        assert!(code.len() >= 22, "at least 128 bits");
        assert_eq!(pairing.take(&code, HOME), Ok(()));
        assert_eq!(pairing.take(&code, HOME), Err(Refused::Spent));
        assert_eq!(pairing.take("a guess", HOME), Err(Refused::Wrong));
    }

    #[test]
    fn a_code_is_good_for_five_minutes() {
        let (pairing, start) = (Pairing::default(), Instant::now());
        let (early, late) = (pairing.code_at(start), pairing.code_at(start));
        assert_eq!(pairing.take_at(&early, HOME, start + Duration::from_secs(299)), Ok(()));
        assert_eq!(pairing.take_at(&late, HOME, start + Duration::from_secs(301)), Err(Refused::Spent));
    }

    #[test]
    fn whoever_guesses_has_to_wait_and_others_need_not() {
        let (pairing, start) = (Pairing::default(), Instant::now());
        let code = pairing.code_at(start);
        for _ in 0..TRIES {
            assert_eq!(pairing.take_at("a guess", HOME, start), Err(Refused::Wrong));
        }
        assert_eq!(pairing.take_at(&code, HOME, start), Err(Refused::TooOften(61)));
        assert_eq!(pairing.take_at(&code, IpAddr::V4(Ipv4Addr::BROADCAST), start), Ok(()));
        assert_eq!(pairing.take_at("a guess", HOME, start + MINUTE), Err(Refused::Wrong));
    }
}
