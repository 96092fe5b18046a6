//! Content in its many forms: a text, or blocks of texts and images.

use serde_json::value::RawValue;

use super::json::{Object, array, string};
use crate::model::Blobbed;

/// The text and the images of a content. What is neither is text as it came.
pub fn read(content: &RawValue) -> (String, Vec<Blobbed>) {
    if let Some(text) = string(content) {
        return (text.into_owned(), Vec::new());
    }
    let blocks = array(content).unwrap_or_else(|| vec![content]);
    let (mut texts, mut images) = (Vec::new(), Vec::new());
    for raw in blocks.into_iter().filter(|raw| raw.get() != "null") {
        match Object::of(raw) {
            Some(block) => match image(&block) {
                Some(image) => images.push(image),
                None => texts.push(text(&block).unwrap_or_else(|| raw.get().to_owned())),
            },
            None => texts.push(string(raw).map_or_else(|| raw.get().to_owned(), |text| text.into_owned())),
        }
    }
    (texts.join("\n"), images)
}

/// The text of a block, whatever its place.
fn text(block: &Object<'_>) -> Option<String> {
    if let Some(text) = block.text("text").or_else(|| block.text("refusal")) {
        return Some(text.into_owned());
    }
    let inner = block.raw("content").or_else(|| block.object("resource").and_then(|resource| resource.raw("text")))?;
    let (text, _) = read(inner);
    Some(text)
}

/// An image that stands in the block itself.
fn image(block: &Object<'_>) -> Option<Blobbed> {
    let kind = block.text("type")?;
    if !kind.contains("image") {
        return None;
    }
    let url = block.text("image_url").or_else(|| block.object("image_url")?.text("url"));
    if let Some(image) = url.and_then(|url| data_url(&url)) {
        return Some(image);
    }
    let source = block.object("source");
    let holder = source.as_ref().unwrap_or(block);
    let word = |names: &[&str]| names.iter().find_map(|name| holder.word(name)).map(String::from);
    let by_url = holder.text("type").is_some_and(|kind| matches!(&*kind, "url" | "file"));
    let data = if by_url { None } else { word(&["data", "value"]) }?;
    Some(Blobbed { media_type: word(&["mimeType", "mime_type", "media_type"]).unwrap_or_default(), data })
}

/// An image in a `data:` URL.
pub fn data_url(url: &str) -> Option<Blobbed> {
    let (head, data) = url.strip_prefix("data:")?.split_once(',')?;
    let media_type = head.strip_suffix(";base64")?;
    Some(Blobbed { media_type: media_type.to_owned(), data: data.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_images_are_found_in_their_places() {
        for (content, text, images) in [
            (r#""plain""#, "plain", 0),
            (r#"[{"type":"text","text":"a"},{"type":"output_text","text":"b"}]"#, "a\nb", 0),
            (r#"{"type":"input_text","text":"a"}"#, "a", 0),
            (r#"[{"type":"image","source":{"type":"data","value":"QQ==","mimeType":"image/png"}}]"#, "", 1),
            (r#"[{"type":"input_image","image_url":"data:image/png;base64,QQ=="}]"#, "", 1),
            (r#"[{"type":"image","data":"QQ==","mimeType":"image/png"}]"#, "", 1),
            (r#"[{"type":"content","content":{"type":"text","text":"in"}}]"#, "in", 0),
            (
                r#"[{"type":"image","source":{"type":"url","value":"https://x"}}]"#,
                r#"{"type":"image","source":{"type":"url","value":"https://x"}}"#,
                0,
            ),
            ("7", "7", 0),
        ] {
            let raw: &RawValue = serde_json::from_str(content).expect("json");
            let (found, pictures) = read(raw);
            assert_eq!((found.as_str(), pictures.len()), (text, images), "{content}");
        }
    }
}
