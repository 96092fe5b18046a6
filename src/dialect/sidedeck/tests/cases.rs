//! The lives of agents in Sidedeck's own lines.

use proptest::prelude::*;

use crate::dialect::cases::{Table, stream};
use crate::dialect::kit;

fn line(id: &str, ops: &[String]) -> String {
    format!(r#"{{"session":"s","id":"{id}","ops":[{}]}}"#, ops.join(","))
}

fn who(id: &str) -> String {
    format!(r#""who":{{"named":{{"kind":"runtime","id":"{id}"}}}}"#)
}

/// An agent under the main one, with its prompt.
fn begins(id: &str) -> Vec<String> {
    vec![
        format!(r#"{{"op":"agent",{},"patch":{{"parent":"main","link":"exact"}}}}"#, who(id)),
        format!(r#"{{"op":"prompt",{},"text":"Look","own":false}}"#, who(id)),
        format!(r#"{{"op":"begin",{},"run":null,"at":null}}"#, who(id)),
    ]
}

fn speaks(id: &str, key: &str) -> String {
    let body = format!(r#"{{"kind":"text","text":{{"text":"I am {id}"}}}}"#);
    format!(r#"{{"op":"entry",{},"keys":["{key}"],"body":{body},"state":"done"}}"#, who(id))
}

fn ends(id: &str, status: &str, cause: &str) -> String {
    let ending = format!(r#"{{"status":"{status}","cause":"{cause}","at":null,"run":null,"note":null}}"#);
    format!(r#"{{"op":"end",{},"ending":{ending}}}"#, who(id))
}

pub fn table() -> Table {
    let done = || ends("a", "finished", "explicit");
    [
        stream(
            [line("1", &begins("a")), line("2", &begins("b")), line("3", &[speaks("b", "x")]), line("4", &[speaks("a", "y"), done()])],
            &[
                "a · finished (explicit) · exact: user: (prompt) Look | text: I am a",
                "b · running · exact: user: (prompt) Look | text: I am b",
            ],
        ),
        stream([line("1", &[speaks("a", "x")]), line("2", &begins("a"))], &["a · running · exact: user: (prompt) Look | text: I am a"]),
        stream([line("1", &[done()]), line("2", &begins("a"))], &["a · finished (explicit) · exact: user: (prompt) Look"]),
        stream(
            [line("1", &begins("a")), line("2", &[done()]), line("3", &begins("a")), line("4", &[speaks("a", "x")])],
            &["a · finished (explicit), running · exact: user: (prompt) Look | text: I am a"],
        ),
        stream(
            [line("1", &begins("a")), line("2", &[r#"{"op":"turn","ended":true}"#.into()]), line("3", &[speaks("a", "x"), done()])],
            &["a · finished (explicit) · exact: user: (prompt) Look | text: I am a"],
        ),
        stream(
            [line("1", &begins("a")), line("2", &[ends("a", "cancelled", "stop")])],
            &["a · cancelled (stop) · exact: user: (prompt) Look"],
        ),
        stream(
            [line("1", &begins("a")), line("2", &[r#"{"op":"exit","stopped":false,"cause":null}"#.into()])],
            &["a · cancelled (parent exit) · exact: user: (prompt) Look"],
        ),
    ]
}

proptest! {
    #[test]
    fn two_children_in_any_order_give_the_same_transcripts(picks in prop::collection::vec(any::<bool>(), 1..20)) {
        let life = |id: &str| -> Vec<String> {
            let lines = [begins(id), vec![speaks(id, &format!("x{id}"))], vec![speaks(id, &format!("y{id}"))], vec![ends(id, "finished", "explicit")]];
            lines.iter().enumerate().map(|(at, ops)| line(&format!("{id}{at}"), ops)).collect()
        };
        let (a, b) = (life("a"), life("b"));
        let (plain, mixed) = (kit::one("sidedeck", &[&a[..], &b].concat()), kit::one("sidedeck", &kit::interleaved(&a, &b, &picks)));
        prop_assert_eq!(kit::by_title(&mixed), kit::by_title(&plain));
    }
}
