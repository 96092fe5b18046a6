//! Numbers, times and names as people read them. Pure.

use crate::model::{Ms, segment};

/// A stretch of time: "0.4 s", "14 s", "2 m 10 s", "1 h 2 m", "2 d 3 h".
pub fn duration(ms: Ms) -> String {
    let ms = ms.max(0);
    let seconds = ms / 1_000;
    match seconds {
        0..10 if ms < 9_950 => format!("{}.{} s", (ms + 50) / 1_000, (ms + 50) % 1_000 / 100),
        0..60 => format!("{} s", ms.saturating_add(500) / 1_000).replace("60 s", "1 m 0 s"),
        60..3_600 => format!("{} m {} s", seconds / 60, seconds % 60),
        3_600..86_400 => format!("{} h {} m", seconds / 3_600, seconds / 60 % 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds / 3_600 % 24),
    }
}

/// How long a ticking thing has taken: whole seconds, "4 s", "2 m 10 s".
pub fn ticking(ms: Ms) -> String {
    let seconds = ms.max(0) / 1_000;
    if seconds < 60 { format!("{seconds} s") } else { duration(seconds * 1_000) }
}

/// How long ago: "now", "4 min ago", "2 h ago", "yesterday", "12 days ago".
pub fn ago(ms: Ms) -> String {
    let minutes = ms.max(0) / 60_000;
    match minutes {
        0 => "now".into(),
        1..60 => format!("{minutes} min ago"),
        60..1_440 => format!("{} h ago", minutes / 60),
        1_440..2_880 => "yesterday".into(),
        2_880..86_400 => format!("{} days ago", minutes / 1_440),
        86_400..1_051_200 => format!("{} months ago", minutes / 43_200),
        _ => format!("{} years ago", minutes / 525_600),
    }
}

/// A count with its noun: "1 agent", "3 agents".
pub fn count(n: u64, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}

/// A large count: "940", "18.4k", "2.1M".
pub fn short(n: u64) -> String {
    match n {
        0..1_000 => n.to_string(),
        1_000..999_950 => tenths(n, 1_000, "k"),
        _ => tenths(n, 1_000_000, "M"),
    }
}

/// Millionths of a dollar: "$0.0004", "$0.04", "$12.30".
pub fn money(millionths: u64) -> String {
    match millionths {
        0..50 => "$0".into(),
        50..9_950 => format!("$0.{:04}", (millionths + 50) / 100),
        _ => {
            let cents = millionths.saturating_add(5_000) / 10_000;
            format!("${}.{:02}", cents / 100, cents % 100)
        }
    }
}

/// A length: "940 B", "18.4 KB", "2.1 MB".
pub fn bytes(n: u64) -> String {
    match n {
        0..1_000 => format!("{n} B"),
        1_000..999_950 => tenths(n, 1_000, " KB"),
        _ => tenths(n, 1_000_000, " MB"),
    }
}

fn tenths(n: u64, unit: u64, name: &str) -> String {
    let tenths = n.saturating_add(unit / 20) / (unit / 10);
    format!("{}.{}{name}", tenths / 10, tenths % 10)
}

/// The address of a session's page.
pub fn session_path(session: &str) -> String {
    format!("/s/{}", segment(session))
}

/// The address of an agent's page.
pub fn agent_path(session: &str, agent: &str) -> String {
    format!("/s/{}/a/{}", segment(session), segment(agent))
}

/// The address of a blob.
pub fn blob_path(session: &str, hash: &str) -> String {
    format!("/api/v1/sessions/{}/blobs/{}", segment(session), segment(hash))
}

/// The first `max` characters of a text, with "…" where it goes on.
pub fn clip(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_well() {
        let cases = [
            (-5, "0.0 s"),
            (0, "0.0 s"),
            (240, "0.2 s"),
            (9_940, "9.9 s"),
            (9_960, "10 s"),
            (14_400, "14 s"),
            (59_400, "59 s"),
            (59_600, "1 m 0 s"),
            (60_000, "1 m 0 s"),
            (130_000, "2 m 10 s"),
            (3_723_000, "1 h 2 m"),
            (86_399_000, "23 h 59 m"),
            (183_600_000, "2 d 3 h"),
        ];
        for (ms, words) in cases {
            assert_eq!(duration(ms), words, "{ms}");
        }
        assert_eq!(ticking(4_900), "4 s");
        assert_eq!(ticking(130_900), "2 m 10 s");
    }

    #[test]
    fn the_past_reads_well() {
        let minute = 60_000;
        let cases = [
            (-3, "now"),
            (59_999, "now"),
            (minute, "1 min ago"),
            (59 * minute, "59 min ago"),
            (60 * minute, "1 h ago"),
            (24 * 60 * minute, "yesterday"),
            (48 * 60 * minute, "2 days ago"),
            (61 * 24 * 60 * minute, "2 months ago"),
            (800 * 24 * 60 * minute, "2 years ago"),
        ];
        for (ms, words) in cases {
            assert_eq!(ago(ms), words, "{ms}");
        }
    }

    #[test]
    fn counts_read_well() {
        assert_eq!((count(1, "agent"), count(0, "agent")), ("1 agent".into(), "0 agents".into()));
        assert_eq!(
            [short(940), short(18_400), short(999_949), short(999_950), short(2_149_000)],
            ["940", "18.4k", "999.9k", "1.0M", "2.1M"]
        );
        assert_eq!([bytes(12), bytes(34_120), bytes(u64::MAX)].map(|text| text.len() < 24), [true; 3]);
    }

    #[test]
    fn money_reads_well() {
        assert_eq!(
            [0, 49, 50, 420, 9_960, 10_000, 1_234_567, 1_999_999].map(money),
            ["$0", "$0", "$0.0001", "$0.0004", "$0.01", "$0.01", "$1.23", "$2.00"]
        );
        assert!(money(u64::MAX).starts_with('$'));
    }

    #[test]
    fn an_id_is_one_segment_of_a_path() {
        for id in ["a/b", "..", ".", "a b", "ü", "a%2Fb", "a?b#c", "a,b&c"] {
            let path = session_path(id);
            assert!(path.bytes().all(|b| b.is_ascii_alphanumeric() || b"/%-_.~".contains(&b)), "{path}");
            assert_eq!(path.matches('/').count(), 2, "{path}");
            assert!(!path.ends_with('.'), "{path}");
        }
    }

    #[test]
    fn a_clip_ends_at_a_character() {
        assert_eq!(clip("äöü", 2), "äö…");
        assert_eq!(clip("äöü", 3), "äöü");
    }
}
