//! What stands in a message: texts, reasoning in all its places, images.

use serde_json::value::RawValue;

use crate::dialect::json::{Object, array, string};
use crate::model::Blobbed;

/// A piece of a message's content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its number in the message, where the source gives one: chunks of one block share it.
    pub index: Option<u64>,
    pub reasoning: bool,
    pub text: String,
}

/// The texts and the reasoning of a message, in their order.
pub fn blocks(body: &Object<'_>) -> Vec<Block> {
    let content: Vec<Block> = match body.raw("content") {
        Some(raw) => match string(raw) {
            Some(text) => vec![Block { index: None, reasoning: false, text: text.into() }],
            None => array(raw).unwrap_or_default().into_iter().flat_map(block).collect(),
        },
        None => Vec::new(),
    };
    let mut all = if content.iter().any(|block| block.reasoning) { Vec::new() } else { aside(body) };
    all.extend(content);
    all.retain(|block| !block.text.is_empty());
    all
}

/// Reasoning that stands beside the content: it was there first.
fn aside(body: &Object<'_>) -> Vec<Block> {
    let Some(kwargs) = body.object("additional_kwargs") else { return Vec::new() };
    if let Some(text) = kwargs.word("reasoning_content") {
        return vec![Block { index: None, reasoning: true, text: text.into() }];
    }
    kwargs.object("reasoning").map(|reasoning| summary(&reasoning)).unwrap_or_default()
}

/// The paragraphs of a summary.
fn summary(reasoning: &Object<'_>) -> Vec<Block> {
    let paragraphs = reasoning.array("summary").into_iter().filter_map(Object::of).enumerate();
    paragraphs
        .filter_map(|(at, paragraph)| {
            let index = paragraph.number("index").or_else(|| u64::try_from(at).ok());
            Some(Block { index, reasoning: true, text: paragraph.text("text")?.into() })
        })
        .collect()
}

fn block(raw: &RawValue) -> Vec<Block> {
    let Some(block) = Object::of(raw) else {
        return string(raw).map(|text| Block { index: None, reasoning: false, text: text.into() }).into_iter().collect();
    };
    let index = block.number("index");
    let is = |reasoning, text: Option<std::borrow::Cow<'_, str>>| {
        text.map(|text| Block { index, reasoning, text: text.into() }).into_iter().collect::<Vec<_>>()
    };
    match &*block.word("type").unwrap_or_default() {
        "text" | "output_text" | "text_delta" => is(false, block.text("text")),
        "thinking" | "thinking_delta" => is(true, block.text("thinking")),
        "reasoning" => match block.text("reasoning").or_else(|| block.text("text")) {
            Some(text) => is(true, Some(text)),
            None => summary(&block),
        },
        "reasoning_content" => {
            let inner = block.object("reasoning_content").or_else(|| block.object("reasoningText"));
            is(true, inner.and_then(|inner| inner.text("text")).or_else(|| block.text("reasoning_content")))
        }
        "" => is(false, block.text("text")),
        _ => Vec::new(),
    }
}

/// A content as one text, with the images beside it. What is neither stays as it is written.
pub fn text_of(content: &RawValue) -> (String, Vec<Blobbed>) {
    if let Some(text) = string(content) {
        return (text.into(), Vec::new());
    }
    let Some(elements) = array(content) else { return (content.get().to_owned(), Vec::new()) };
    let (mut texts, mut images) = (Vec::new(), Vec::new());
    for raw in elements {
        let object = Object::of(raw);
        let said = object.as_ref().and_then(|object| object.text("text"));
        match object.as_ref().and_then(image) {
            Some(image) => images.push(image),
            None => texts.push(said.or_else(|| string(raw)).map_or_else(|| raw.get().to_owned(), Into::into)),
        }
    }
    (texts.join("\n"), images)
}

/// An image that stands in the block itself; one that is only linked is none.
fn image(block: &Object<'_>) -> Option<Blobbed> {
    let url = |url: &str| {
        let (media_type, data) = url.strip_prefix("data:")?.split_once(";base64,")?;
        Some(Blobbed { media_type: media_type.into(), data: data.into() })
    };
    match &*block.word("type")? {
        "image_url" => match block.object("image_url") {
            Some(inner) => url(&inner.word("url")?),
            None => url(&block.word("image_url")?),
        },
        "image" => {
            let source = block.object("source").or_else(|| Object::parse("{}"))?;
            let data = source.word("data").or_else(|| block.word("data")).or_else(|| block.word("base64"))?;
            let media_type = source.word("media_type").or_else(|| block.word("mime_type")).unwrap_or_default();
            Some(Blobbed { media_type: media_type.into(), data: data.into() })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasoning_is_found_in_all_its_places() {
        for (body, expected) in [
            (r#"{"content":"b","additional_kwargs":{"reasoning_content":"a"}}"#, "r:a t:b"),
            (
                r#"{"content":[],"additional_kwargs":{"reasoning":{"summary":[{"index":0,"text":"a"},{"index":1,"text":"b"}]}}}"#,
                "r0:a r1:b",
            ),
            (r#"{"content":[{"type":"thinking","thinking":"a","index":0},{"type":"text","text":"b","index":1}]}"#, "r0:a t1:b"),
            (r#"{"content":[{"type":"reasoning","reasoning":"a"},{"type":"text","text":"b"}]}"#, "r:a t:b"),
            (r#"{"content":[{"type":"reasoning","summary":[{"text":"a"}]},"b"]}"#, "r0:a t:b"),
            (r#"{"content":[{"type":"reasoning_content","reasoning_content":{"text":"a"}}]}"#, "r:a"),
            (r#"{"content":[{"type":"reasoning","reasoning":"a"}],"additional_kwargs":{"reasoning_content":"a"}}"#, "r:a"),
            (r#"{"content":""}"#, ""),
            (r#"{"content":{"no":"list"}}"#, ""),
            (r#"{"content":[{"type":"tool_use","id":"c","name":"n","input":{}}]}"#, ""),
        ] {
            let object = Object::parse(body).expect("an object");
            let shown: Vec<String> = blocks(&object)
                .into_iter()
                .map(|block| {
                    let index = block.index.map(|index| index.to_string()).unwrap_or_default();
                    format!("{}{index}:{}", if block.reasoning { "r" } else { "t" }, block.text)
                })
                .collect();
            assert_eq!(shown.join(" "), expected, "{body}");
        }
    }
}
