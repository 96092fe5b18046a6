//! How many event streams there may be.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio_util::sync::CancellationToken;

/// Streams of one credential.
const PER_HOLDER: usize = 50;
/// Streams of all.
const ALL: usize = 12_000;

/// The count of open streams by the credential that opened them.
#[derive(Debug, Default)]
pub struct Seats {
    taken: Mutex<HashMap<String, Taken>>,
}

#[derive(Debug, Default)]
struct Taken {
    count: usize,
    /// Cancelled when the credential is revoked.
    dismissed: CancellationToken,
}

/// The right to one stream, given back when dropped.
#[derive(Debug)]
pub struct Seat {
    seats: Arc<Seats>,
    holder: String,
    dismissed: CancellationToken,
}

impl Seat {
    /// Ends when the credential that took it is revoked.
    pub async fn dismissed(&self) {
        self.dismissed.cancelled().await;
    }

    /// True once it is.
    pub fn is_dismissed(&self) -> bool {
        self.dismissed.is_cancelled()
    }
}

impl Seats {
    /// How many streams are open.
    pub fn open(&self) -> usize {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).values().map(|taken| taken.count).sum()
    }

    /// Ends all streams of a credential.
    pub fn dismiss(&self, holder: &str) {
        if let Some(taken) = self.taken.lock().unwrap_or_else(PoisonError::into_inner).get(holder) {
            taken.dismissed.cancel();
        }
    }

    /// A seat for a credential; `None` when it has 50, or all have 12,000.
    pub fn take(self: &Arc<Self>, holder: &str) -> Option<Seat> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.values().map(|taken| taken.count).sum::<usize>() >= ALL {
            return None;
        }
        let taken = taken.entry(holder.to_owned()).or_default();
        if taken.count >= PER_HOLDER {
            return None;
        }
        taken.count += 1;
        Some(Seat { seats: Arc::clone(self), holder: holder.to_owned(), dismissed: taken.dismissed.clone() })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(left) = taken.get_mut(&self.holder) {
            left.count -= 1;
            if left.count == 0 {
                taken.remove(&self.holder);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_that_is_left_can_be_taken_again() {
        let seats = Arc::new(Seats::default());
        let mut held: Vec<_> = (0..PER_HOLDER).map(|_| seats.take("a").expect("a seat")).collect();
        assert!(seats.take("a").is_none());
        assert!(seats.take("b").is_some());
        held.pop();
        assert!(seats.take("a").is_some());
    }
}
