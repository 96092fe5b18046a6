//! Times are labels: milliseconds since the Unix epoch, shown and exported, never used to order rows.

use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{OffsetDateTime, UtcOffset};

/// Milliseconds since 1970-01-01T00:00:00Z.
pub type Ms = i64;

/// Reads an RFC 3339 time; `None` for anything else, and for a year outside of 1990–2099: that is a clock's fault, and would stand
/// above or below everything for ever.
pub fn parse_time(text: &str) -> Option<Ms> {
    let time = OffsetDateTime::parse(text, &Rfc3339).ok().filter(|time| (1990..2100).contains(&time.year()))?;
    i64::try_from(time.unix_timestamp_nanos().div_euclid(1_000_000)).ok()
}

/// Writes a time as RFC 3339, UTC, with milliseconds. Times outside the years 0–9999 give `None`.
pub fn to_rfc3339(ms: Ms) -> Option<String> {
    let nanos = i128::from(ms) * 1_000_000;
    let time = OffsetDateTime::from_unix_timestamp_nanos(nanos).ok()?.to_offset(UtcOffset::UTC);
    if time.year() < 0 {
        return None;
    }
    time.format(format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_survives_the_way_there_and_back() {
        for text in ["2026-02-06T10:00:00.000Z", "1999-12-31T23:59:59.999Z"] {
            assert_eq!(to_rfc3339(parse_time(text).expect("a time")).as_deref(), Some(text));
        }
        assert_eq!(parse_time("2026-02-06T12:00:00.5+02:00"), parse_time("2026-02-06T10:00:00.500Z"));
    }

    #[test]
    fn what_is_no_time_gives_none() {
        for text in ["", "yesterday", "2026-13-01T00:00:00Z", "1780000000", "9999-12-31T23:59:59Z", "1970-01-01T00:00:00Z"] {
            assert_eq!(parse_time(text), None, "{text}");
        }
        assert_eq!(to_rfc3339(i64::MAX), None);
    }
}
