//! Who pushes, as the headers say.

use axum::http::HeaderMap;

use super::NAME_BYTES;
use crate::api::Problem;
use crate::ingest::Producer;

/// The largest number: what every program's numbers can hold.
const MOST: u64 = (1 << 53) - 1;

/// `Producer-Id`, `Producer-Epoch` and `Producer-Seq`: all or none.
pub fn producer(headers: &HeaderMap) -> Result<Option<Producer>, Problem> {
    let word = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    match (word("producer-id"), word("producer-epoch"), word("producer-seq")) {
        (None, None, None) => Ok(None),
        (Some(id), Some(epoch), Some(seq)) => {
            if id.is_empty() || id.len() > NAME_BYTES {
                return Err(Problem::bad_request(format!("Producer-Id has 1 to {NAME_BYTES} visible characters.")));
            }
            let number = |name: &str, text: &str| {
                let number = text.parse::<u64>().ok().filter(|number| *number <= MOST);
                number.ok_or_else(|| Problem::bad_request(format!("{name} is a whole number up to {MOST}.")))
            };
            Ok(Some(Producer { id: id.into(), epoch: number("Producer-Epoch", epoch)?, seq: number("Producer-Seq", seq)? }))
        }
        _ => Err(Problem::bad_request("Producer-Id, Producer-Epoch and Producer-Seq come together or not at all.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn all_or_none() {
        let of = |values: [Option<&'static str>; 3]| {
            let mut headers = HeaderMap::new();
            for (name, value) in ["producer-id", "producer-epoch", "producer-seq"].into_iter().zip(values) {
                value.map(|value| headers.insert(name, HeaderValue::from_static(value)));
            }
            producer(&headers).map_err(|problem| problem.status)
        };
        assert_eq!(of([None; 3]), Ok(None));
        assert_eq!(of([Some("p"), Some("1"), Some("7")]), Ok(Some(Producer { id: "p".into(), epoch: 1, seq: 7 })));
        for values in [
            [Some("p"), None, None],
            [Some("p"), Some("1"), None],
            [None, Some("1"), Some("1")],
            [Some(""), Some("1"), Some("1")],
            [Some("p"), Some("-1"), Some("1")],
            [Some("p"), Some("1"), Some("9007199254740992")],
        ] {
            assert_eq!(of(values), Err(400), "{values:?}");
        }
    }
}
