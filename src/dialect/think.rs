//! Reasoning that stands in a text, between `<think>` and `</think>` or tags of their kind.
//!
//! Decision: one machine reads a text that comes in pieces and a text that is whole, so both give the same stretches under the
//! same keys. What a piece leaves open (half a tag, a quotation that may end) is held back, within bounds, until more is there.
//! Invariants: a text without such a tag comes out byte for byte, as one stretch; a tag that is quoted or stands in code is text.

use serde::{Deserialize, Serialize};

use crate::model::{Body, EntryState, Field, Op, Who};

/// The tags, each opening with its end.
const TAGS: [(&str, &str); 5] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
];
/// How far a quotation's end is looked for on its line, in bytes.
const QUOTED: usize = 1 << 10;
/// How far the end of a tag in the middle of a sentence is looked for, in bytes: without one the tag is only talked about.
const TALKED: usize = 16 << 10;
/// Blanks that are held back in case a tag follows, in bytes.
const BLANKS: usize = 4 << 10;

/// Takes a text apart as it comes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Splitter {
    /// What cannot be decided before more is there.
    held: String,
    /// Blanks behind the last word: dropped where a tag follows.
    blanks: String,
    /// The tag inside of which the text stands.
    inside: Option<usize>,
    /// True once there was a tag.
    tagged: bool,
    /// True once the stretch at hand has a character.
    begun: bool,
    /// Stretches so far.
    count: u32,
    line: Line,
}

/// What is known of the line so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Line {
    /// The character before.
    before: Option<char>,
    /// True if there is more than blanks.
    words: bool,
    /// True behind an odd number of backticks.
    ticks: bool,
    /// True behind an odd number of quotation marks.
    quotes: bool,
    /// The character of the code fence that is open.
    fence: Option<char>,
}

/// More of one stretch of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The stretch's number in its text, from 0.
    pub part: u32,
    /// True for the first piece of its stretch.
    pub fresh: bool,
    pub reasoning: bool,
    pub text: String,
}

impl Splitter {
    /// Takes more of the text, and gives what is certain.
    pub fn push(&mut self, more: &str) -> Vec<Piece> {
        self.run(more, false)
    }

    /// The end of the text: gives what was held back, and forgets all.
    pub fn finish(&mut self) -> Vec<Piece> {
        let mut out = self.run("", true);
        if self.begun || !self.tagged {
            self.flush(&mut out);
        }
        *self = Self::default();
        out
    }

    /// The operations by which more of a text that `who` says reaches its entries, `base` and a number each.
    pub fn append(&mut self, who: &Who, base: &str, more: &str) -> Vec<Op> {
        self.push(more).into_iter().flat_map(|piece| piece.ops(who, base, false)).collect()
    }

    /// The operations at the end of a text that came by [`Splitter::append`]: its last stretch is closed. `anew` as in [`more`].
    pub fn close(&mut self, who: &Who, base: &str, state: EntryState, anew: bool) -> Vec<Op> {
        let mut count = self.count;
        let mut ops = Vec::new();
        for piece in self.finish() {
            count = count.max(piece.part + 1);
            ops.extend(piece.ops(who, base, anew));
        }
        ops.extend(count.checked_sub(1).map(|last| Op::Close { key: key(base, last), state }));
        ops
    }

    fn run(&mut self, more: &str, last: bool) -> Vec<Piece> {
        let mut text = std::mem::take(&mut self.held);
        text.push_str(more);
        let (mut out, mut at) = (Vec::new(), 0);
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            match self.step(rest, last, &mut out) {
                Some(len) => at += len,
                None => break,
            }
        }
        self.held = text.split_off(at);
        out
    }

    /// Takes a tag, a fence or a character; `None` if what it is hangs on what follows.
    fn step(&mut self, rest: &str, last: bool, out: &mut Vec<Piece>) -> Option<usize> {
        let first = rest.chars().next()?;
        if first == '<' && self.line.fence.is_none() {
            match self.tag(rest, last) {
                Found::Open => return None,
                Found::Tag(len, to) => {
                    (self.inside, self.tagged, self.begun) = (to, true, false);
                    self.blanks.clear();
                    self.line = Line { before: Some('>'), ..Line::default() };
                    return Some(len);
                }
                Found::Nothing => {}
            }
        }
        if matches!(first, '`' | '~') && !self.line.words {
            let run = rest.chars().take(3).take_while(|c| *c == first).count();
            if run == rest.len() && run < 3 && !last {
                return None;
            }
            if run == 3 {
                self.line.fence = match self.line.fence {
                    None => Some(first),
                    Some(open) => Some(open).filter(|open| *open != first),
                };
                rest.chars().take(3).for_each(|c| self.put(c, out));
                return Some(run);
            }
        }
        self.line.note(first);
        self.put(first, out);
        Some(first.len_utf8())
    }

    /// What the `<` at the start of `rest` is.
    fn tag(&self, rest: &str, last: bool) -> Found {
        let tags = TAGS.iter().enumerate().filter_map(|(index, (open, close))| match self.inside {
            None => Some((*open, Some(index), *close)),
            Some(inside) => (inside == index).then_some((*close, None, "")),
        });
        for (tag, to, close) in tags {
            let (head, whole) = (tag.get(..rest.len()).unwrap_or(tag), rest.len() >= tag.len());
            if !begins(rest, head) {
                continue;
            }
            if !whole {
                return if last { Found::Nothing } else { Found::Open };
            }
            let behind = rest.get(tag.len()..).unwrap_or_default();
            return match self.line.encloses(behind, last).or_else(|| self.talks(behind, to.is_some(), close, last)) {
                Some(found) => found,
                None => Found::Tag(tag.len(), to),
            };
        }
        Found::Nothing
    }

    /// Whether an opening tag in the middle of a sentence is only talked about: it then has no end.
    fn talks(&self, behind: &str, opens: bool, close: &str, last: bool) -> Option<Found> {
        let amid = self.line.words && self.line.before.is_some_and(|c| c.is_alphanumeric() || c == ',');
        if !opens || !amid || contains(behind, close) {
            return None;
        }
        Some(if last || behind.len() > TALKED { Found::Nothing } else { Found::Open })
    }

    fn put(&mut self, c: char, out: &mut Vec<Piece>) {
        if c.is_whitespace() {
            if self.begun || !self.tagged {
                self.blanks.push(c);
            }
            if self.blanks.len() > BLANKS {
                self.flush(out);
            }
            return;
        }
        self.flush(out);
        self.give(c, out);
    }

    fn flush(&mut self, out: &mut Vec<Piece>) {
        let blanks = std::mem::take(&mut self.blanks);
        blanks.chars().for_each(|c| self.give(c, out));
    }

    fn give(&mut self, c: char, out: &mut Vec<Piece>) {
        let fresh = !std::mem::replace(&mut self.begun, true);
        self.count += u32::from(fresh);
        let part = self.count.saturating_sub(1);
        match out.last_mut().filter(|piece| piece.part == part) {
            Some(piece) => piece.text.push(c),
            None => out.push(Piece { part, fresh, reasoning: self.inside.is_some(), text: c.into() }),
        }
    }
}

impl Line {
    fn note(&mut self, c: char) {
        match c {
            '\n' => *self = Self { fence: self.fence, ..Self::default() },
            '`' => self.ticks = !self.ticks,
            '"' => self.quotes = !self.quotes,
            '\u{201c}' => self.quotes = true,
            '\u{201d}' => self.quotes = false,
            _ => {}
        }
        if !c.is_whitespace() {
            (self.before, self.words) = (Some(c), true);
        }
    }

    /// Whether what was just read stands in quotes or in code, which end behind it; `None` if it does not.
    fn encloses(&self, behind: &str, last: bool) -> Option<Found> {
        let line = behind.split('\n').next().unwrap_or_default();
        let known = last || line.len() < behind.len() || line.len() > QUOTED;
        let ends = |marks: &[char]| {
            let near = line.get(..line.floor_char_boundary(QUOTED)).unwrap_or_default();
            if near.contains(marks) { Some(Found::Nothing) } else { (!known).then_some(Found::Open) }
        };
        let ticked = if self.ticks { ends(&['`']) } else { None };
        let quoted = || if self.quotes { ends(&['"', '\u{201d}']) } else { None };
        let single = || match (self.before, behind.chars().next()) {
            (Some('\'' | '\u{2018}'), Some('\'' | '\u{2019}')) => Some(Found::Nothing),
            (Some('\'' | '\u{2018}'), None) if !last => Some(Found::Open),
            _ => None,
        };
        ticked.or_else(quoted).or_else(single)
    }
}

/// What a `<` has turned out to be.
enum Found {
    Nothing,
    /// It hangs on what follows.
    Open,
    /// A tag of this length, behind which the text stands inside of a tag or not.
    Tag(usize, Option<usize>),
}

impl Piece {
    /// The operations by which the piece reaches its entry, `base` and the part's number. `anew` as in [`more`].
    pub fn ops(self, who: &Who, base: &str, anew: bool) -> Vec<Op> {
        let before = self.part.checked_sub(1).filter(|_| self.fresh);
        let close = before.map(|before| Op::Close { key: key(base, before), state: EntryState::Done });
        let more = more(who, key(base, self.part), self.reasoning, self.text, anew && self.fresh);
        close.into_iter().chain([more]).collect()
    }
}

/// More of the text or reasoning under `key`; `anew` if it starts a text over that may be there already.
pub fn more(who: &Who, key: String, reasoning: bool, text: String, anew: bool) -> Op {
    if anew {
        let body = body(reasoning, text);
        return Op::Entry { who: who.clone(), keys: vec![key], body, state: EntryState::Open, images: Vec::new() };
    }
    Op::Append { who: who.clone(), key, body: Some(body(reasoning, String::new())), field: Field::Text, text }
}

fn body(reasoning: bool, text: String) -> Body {
    let text = text.into();
    if reasoning { Body::Reasoning { text } } else { Body::Text { text } }
}

/// The stretches of a whole text.
pub fn split(text: &str) -> Vec<Piece> {
    let mut splitter = Splitter::default();
    let mut pieces = splitter.push(text);
    for piece in splitter.finish() {
        match pieces.last_mut().filter(|last| last.part == piece.part) {
            Some(last) => last.text.push_str(&piece.text),
            None => pieces.push(piece),
        }
    }
    pieces
}

/// The operations by which a whole text that `who` said reaches its entries: the same as those of [`Splitter::append`].
pub fn whole(who: &Who, base: &str, text: &str, state: EntryState) -> Vec<Op> {
    let pieces = split(text);
    let last = pieces.len().saturating_sub(1);
    let entry = |(at, piece): (usize, Piece)| {
        let state = if at == last { state } else { EntryState::Done };
        let keys = vec![key(base, piece.part)];
        Op::Entry { who: who.clone(), keys, body: body(piece.reasoning, piece.text), state, images: Vec::new() }
    };
    pieces.into_iter().enumerate().map(entry).collect()
}

/// The key of a stretch.
fn key(base: &str, part: u32) -> String {
    format!("{base}/{part}")
}

fn begins(text: &str, head: &str) -> bool {
    text.get(..head.len()).is_some_and(|start| start.eq_ignore_ascii_case(head))
}

fn contains(text: &str, tag: &str) -> bool {
    text.match_indices('<').any(|(at, _)| text.get(at..).is_some_and(|rest| begins(rest, tag)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `T` and `R` before each stretch.
    fn shown(pieces: Vec<Piece>) -> Vec<String> {
        let mut shown: Vec<(u32, String)> = Vec::new();
        for piece in pieces {
            match shown.last_mut().filter(|(part, _)| *part == piece.part) {
                Some((_, text)) => text.push_str(&piece.text),
                None => shown.push((piece.part, format!("{}:{}", if piece.reasoning { "R" } else { "T" }, piece.text))),
            }
        }
        shown.into_iter().map(|(_, text)| text).collect()
    }

    const TEXTS: &[(&str, &[&str])] = &[
        ("no tag at all \n", &["T:no tag at all \n"]),
        ("<think>a</think>b", &["R:a", "T:b"]),
        ("<think>\nFirst.\n\nThen.\n</think>\n\nAnswer\n", &["R:First.\n\nThen.", "T:Answer\n"]),
        ("<Thinking>a</THINKING> b", &["R:a", "T:b"]),
        ("Sure.<think>a</think>b<think>c</think>", &["T:Sure.", "R:a", "T:b", "R:c"]),
        ("<think>a</think>\n<think>b</think>", &["R:a", "R:b"]),
        ("Hello <think>a</think> world", &["T:Hello", "R:a", "T:world"]),
        ("<think>\n\n</think>\n\nAnswer", &["T:Answer"]),
        ("<think>never closed", &["R:never closed"]),
        ("The <think> tag opens it.", &["T:The <think> tag opens it."]),
        ("The `<think>` tag, and `</think>`.", &["T:The `<think>` tag, and `</think>`."]),
        ("Write \"<think>x</think>\" here", &["T:Write \"<think>x</think>\" here"]),
        ("It's '<think>' then '</think>'.", &["T:It's '<think>' then '</think>'."]),
        ("\u{201c}use <think>x</think>\u{201d} he said", &["T:\u{201c}use <think>x</think>\u{201d} he said"]),
        ("```\n<think>x</think>\n```\n<think>y</think>z", &["T:```\n<think>x</think>\n```", "R:y", "T:z"]),
        ("<think>he wrote `</think>` there</think>b", &["R:he wrote `</think>` there", "T:b"]),
        ("<think>5\" and 6 ` long</think>b", &["R:5\" and 6 ` long", "T:b"]),
        ("a < b <thin ice> </think> c", &["T:a < b <thin ice> </think> c"]),
        ("<|begin_of_thought|>a<|end_of_thought|>b", &["R:a", "T:b"]),
        ("<thought>a</think>b</thought>c", &["R:a</think>b", "T:c"]),
    ];

    #[test]
    fn reasoning_is_told_from_words_about_it() {
        for (text, expected) in TEXTS {
            assert_eq!(shown(split(text)), *expected, "{text}");
        }
    }

    #[test]
    fn any_cut_gives_the_same_stretches() {
        for (text, expected) in TEXTS {
            let mut splitter = Splitter::default();
            let mut pieces = Vec::new();
            for c in text.chars() {
                pieces.extend(splitter.push(c.encode_utf8(&mut [0; 4])));
                let kept = serde_json::to_string(&splitter).expect("a memory");
                splitter = serde_json::from_str(&kept).expect("a splitter");
            }
            pieces.extend(splitter.finish());
            assert_eq!(shown(pieces), *expected, "{text}");
        }
    }

    #[test]
    fn what_is_held_back_is_bounded() {
        let mut splitter = Splitter::default();
        splitter.push("The <think> ");
        for _ in 0..100 {
            splitter.push(&"x".repeat(1_000));
            assert!(splitter.held.len() + splitter.blanks.len() < 2 * TALKED);
        }
        for _ in 0..100 {
            splitter.push(&" ".repeat(1_000));
            assert!(splitter.held.len() + splitter.blanks.len() < 2 * TALKED);
        }
    }

    proptest! {
        #[test]
        fn any_text_cut_anywhere_gives_the_same_stretches(
            parts in prop::collection::vec(prop::sample::select(vec![
                "<think>", "</think>", "<thought>", "</thought>", "`", "```", "\"", "'", "\n", " ", "a", "ä.", "<", ">", "<thi",
            ]), 0..24),
            cuts in prop::collection::vec(any::<bool>(), 60),
        ) {
            let text = parts.concat();
            let mut splitter = Splitter::default();
            let mut pieces = Vec::new();
            let mut from = 0;
            for (count, (at, _)) in text.char_indices().enumerate() {
                if cuts[count % cuts.len()] {
                    pieces.extend(splitter.push(&text[from..at]));
                    from = at;
                }
            }
            pieces.extend(splitter.push(&text[from..]));
            pieces.extend(splitter.finish());
            prop_assert_eq!(shown(pieces), shown(split(&text)));
            if !text.contains("<th") {
                prop_assert_eq!(split(&text).into_iter().map(|piece| piece.text).collect::<String>(), text);
            }
        }
    }
}
