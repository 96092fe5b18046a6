//! How far a reader has come: `epoch.grev` over the list, `epoch.grev.rev` in a session.

use std::fmt;
use std::str::FromStr;

/// A cursor. `epoch` is random, made with a database or its restore: a cursor of another epoch gets a gap, never wrong rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    pub epoch: u64,
    pub grev: u64,
    pub rev: Option<u64>,
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}.{}", self.epoch, self.grev)?;
        self.rev.map_or(Ok(()), |rev| write!(f, ".{rev}"))
    }
}

impl FromStr for Cursor {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let number = |part: &str| {
            let plain = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
            if plain { part.parse().map_err(|_| ()) } else { Err(()) }
        };
        let mut parts = text.split('.');
        let epoch = parts.next().filter(|p| p.len() == 16 && p.bytes().all(|b| b.is_ascii_hexdigit())).ok_or(())?;
        let epoch = u64::from_str_radix(epoch, 16).map_err(|_| ())?;
        let grev = number(parts.next().ok_or(())?)?;
        let rev = parts.next().map(number).transpose()?;
        if parts.next().is_some() { Err(()) } else { Ok(Self { epoch, grev, rev }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_survives_the_way_there_and_back() {
        for cursor in [Cursor { epoch: 7, grev: 3, rev: None }, Cursor { epoch: u64::MAX, grev: 0, rev: Some(12) }] {
            assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }
    }

    #[test]
    fn what_is_no_cursor_is_refused() {
        for text in ["", "1", "0000000000000001", "0000000000000001.", "0000000000000001.-1", "0000000000000001.1.2.3", "zz.1"] {
            assert_eq!(text.parse::<Cursor>(), Err(()), "{text}");
        }
    }
}
