//! How well a name fits what was typed. Pure.

/// The worse it fits the higher; `None` if it does not. Every word of the query, in small letters, must stand in the name.
pub fn distance(name: &str, query: &str) -> Option<usize> {
    let name = name.to_lowercase();
    let mut sum = 0;
    for word in query.split_whitespace() {
        let at = name.find(word)?;
        let starts = at == 0 || name.get(..at).and_then(|before| before.chars().next_back()).is_some_and(|c| !c.is_alphanumeric());
        sum += at.min(100) + if starts { 0 } else { 200 };
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_must_be_there() {
        for (name, query, fits) in [
            ("Map every caller", "map call", true),
            ("Map every caller", "call map", true),
            ("Map every caller", "mapping", false),
            ("Map every caller", "", true),
            ("Überblick", "über", true),
            ("", "x", false),
        ] {
            assert_eq!(distance(name, query).is_some(), fits, "{name:?} {query:?}");
        }
    }

    #[test]
    fn beginnings_of_words_come_first() {
        let by = |name| distance(name, "re").expect("a fit");
        assert!(by("Restore all") < by("Map the readers"));
        assert!(by("Map the readers") < by("Core"));
    }
}
