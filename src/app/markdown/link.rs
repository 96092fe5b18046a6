//! Which addresses may be followed.

/// The host of an address that may be followed ("" for mail); `None` for every other.
///
/// Only `http`, `https` and `mailto`, written out; nothing that a browser would read differently (control characters,
/// backslashes, credentials before the host).
pub fn host(address: &str) -> Option<&str> {
    if address.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\') || crate::app::tidy(address) != address {
        return None;
    }
    let (scheme, rest) = address.split_once(':')?;
    if scheme.eq_ignore_ascii_case("mailto") {
        return (rest.contains('@') && !rest.starts_with('/')).then_some("");
    }
    if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("http") {
        return None;
    }
    let rest = rest.strip_prefix("//")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    if authority.contains('@') {
        return None;
    }
    let host = authority
        .rsplit_once(':')
        .map_or(authority, |(host, port)| if port.bytes().all(|b| b.is_ascii_digit()) { host } else { authority });
    (!host.is_empty()).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_web_and_mail_addresses_may_be_followed() {
        let good = [("https://example.org/a?b#c", "example.org"), ("HTTP://example.org:8080", "example.org"), ("mailto:a@example.org", "")];
        for (address, expected) in good {
            assert_eq!(host(address), Some(expected), "{address}");
        }
        let bad = [
            "",
            "#x",
            "/x",
            "x.rs",
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "java\tscript:alert(1)",
            "\u{1}javascript:alert(1)",
            "data:text/html,<script>",
            "vbscript:x",
            "file:///etc/passwd",
            "claude-cli://open",
            "https:example.org",
            "https:///x",
            "https://good.test@evil.test",
            "https:\\\\evil.test",
            "https://a\nb",
            "//evil.test",
            "http://\u{202e}evil.test",
            "mailto:",
            "https://",
        ];
        for address in bad {
            assert_eq!(host(address), None, "{address:?}");
        }
    }
}
