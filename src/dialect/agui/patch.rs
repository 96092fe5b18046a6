//! JSON Patch (RFC 6902) on a value that is kept.

use serde_json::Value;

/// Applies the operations in turn; `None` if one of them does not fit, or is none.
pub fn apply(mut value: Value, operations: &[Value]) -> Option<Value> {
    for operation in operations {
        let word = |name: &str| operation.get(name).and_then(Value::as_str);
        let path = word("path")?;
        let new = || operation.get("value").cloned();
        match word("op")? {
            "add" => add(&mut value, path, new()?)?,
            "remove" => drop(remove(&mut value, path)?),
            "replace" => *value.pointer_mut(path)? = new()?,
            "move" => {
                let taken = remove(&mut value, word("from")?)?;
                add(&mut value, path, taken)?;
            }
            "copy" => {
                let copied = value.pointer(word("from")?)?.clone();
                add(&mut value, path, copied)?;
            }
            "test" if value.pointer(path) == operation.get("value") => {}
            _ => return None,
        }
    }
    Some(value)
}

fn add(value: &mut Value, path: &str, new: Value) -> Option<()> {
    let Some((parent, last)) = path.rsplit_once('/') else {
        *value = new;
        return path.is_empty().then_some(());
    };
    match value.pointer_mut(parent)? {
        Value::Object(map) => {
            map.insert(unescaped(last), new);
        }
        Value::Array(list) => {
            let at = if last == "-" { list.len() } else { last.parse().ok().filter(|at| *at <= list.len())? };
            list.insert(at, new);
        }
        _ => return None,
    }
    Some(())
}

fn remove(value: &mut Value, path: &str) -> Option<Value> {
    let (parent, last) = path.rsplit_once('/')?;
    match value.pointer_mut(parent)? {
        Value::Object(map) => map.remove(&unescaped(last)),
        Value::Array(list) => last.parse().ok().filter(|at| *at < list.len()).map(|at| list.remove(at)),
        _ => None,
    }
}

fn unescaped(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_do_what_they_say_or_nothing() {
        for (before, operations, after) in [
            (r#"{"a":1}"#, r#"[{"op":"add","path":"/b","value":2}]"#, Some(r#"{"a":1,"b":2}"#)),
            (r#"{"a":[1]}"#, r#"[{"op":"add","path":"/a/-","value":2},{"op":"add","path":"/a/0","value":0}]"#, Some(r#"{"a":[0,1,2]}"#)),
            (r#"{"a":1}"#, r#"[{"op":"replace","path":"/a","value":2}]"#, Some(r#"{"a":2}"#)),
            (r#"{"a":1}"#, r#"[{"op":"replace","path":"","value":[]}]"#, Some("[]")),
            (r#"{"a":1}"#, r#"[{"op":"remove","path":"/a"}]"#, Some("{}")),
            (r#"{"a~b/c":1}"#, r#"[{"op":"remove","path":"/a~0b~1c"}]"#, Some("{}")),
            (r#"{"a":1}"#, r#"[{"op":"move","from":"/a","path":"/b"},{"op":"copy","from":"/b","path":"/c"}]"#, Some(r#"{"b":1,"c":1}"#)),
            (r#"{"a":1}"#, r#"[{"op":"test","path":"/a","value":1}]"#, Some(r#"{"a":1}"#)),
            (r#"{"a":1}"#, r#"[{"op":"test","path":"/a","value":2}]"#, None),
            (r#"{"a":1}"#, r#"[{"op":"remove","path":"/b"}]"#, None),
            (r#"{"a":[1]}"#, r#"[{"op":"add","path":"/a/7","value":2}]"#, None),
            ("1", r#"[{"op":"add","path":"/a","value":2}]"#, None),
            ("1", "[7]", None),
        ] {
            let json = |text: &str| serde_json::from_str::<Value>(text).expect("json");
            let operations: Vec<Value> = serde_json::from_str(operations).expect("operations");
            assert_eq!(apply(json(before), &operations), after.map(json), "{before} {operations:?}");
        }
    }
}
