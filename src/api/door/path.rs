//! The form of a path.

use crate::api::Problem;

/// Refuses a path that tries to walk: a segment `.` or `..`, a NUL or a line's end, plain or percent-encoded, however the segments
/// are separated. Ids may hold anything else.
pub fn check(path: &str) -> Result<(), Problem> {
    let decoded = decode(path);
    let walks = decoded.split(|b| matches!(b, b'/' | b'\\')).any(|part| part == b"." || part == b"..");
    let controls = decoded.iter().any(|b| matches!(b, 0 | b'\r' | b'\n'));
    if walks || controls { Err(Problem::bad_request("This path cannot be asked for.")) } else { Ok(()) }
}

fn decode(path: &str) -> Vec<u8> {
    let bytes = path.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let hex =
            bytes.get(at + 1..at + 3).and_then(|pair| std::str::from_utf8(pair).ok()).and_then(|pair| u8::from_str_radix(pair, 16).ok());
        match hex {
            Some(value) if byte == b'%' => {
                out.push(value);
                at += 3;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_walks_is_refused() {
        for path in
            ["/..", "/../x", "/a/../b", "/a/%2e%2e/b", "/a/%2E%2e%2fb", "/a/..%5cb", "/a/..\\b", "/s/%00", "/s/a%0d%0ab", "/./a", "/s/%2e"]
        {
            assert!(check(path).is_err(), "{path}");
        }
    }

    #[test]
    fn an_id_may_be_odd() {
        for path in ["/", "/s/a%2Fb", "/s/..a", "/s/a..", "/s/C%3A%5Cx", "/s/%F0%9F%98%80", "/s/%", "/s/%zz", "/s/%252e%252e", "/s/..."] {
            assert!(check(path).is_ok(), "{path}");
        }
    }
}
