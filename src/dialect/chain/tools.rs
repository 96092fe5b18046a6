//! Tool calls: what they are called, what they start, what stands for them.

use serde_json::value::RawValue;

use crate::dialect::json::{Object, array, string};
use crate::dialect::titles;
use crate::dialect::todo;
use crate::model::{AgentPatch, Ask, Body, Op, Todo, ToolKind, ToolPatch, Who};

/// A tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub id: String,
    pub name: String,
    /// JSON, or what came instead.
    pub args: String,
}

impl Call {
    /// Reads a call in the forms of LangChain, OpenAI and Anthropic; `None` where it has no id.
    pub fn read(raw: &RawValue) -> Option<Self> {
        let object = Object::of(raw)?;
        let function = object.object("function");
        let inner = function.as_ref().unwrap_or(&object);
        let name = inner.word("name")?.into();
        let args = ["args", "arguments", "input"].into_iter().find_map(|name| inner.raw(name));
        let args = args.map_or_else(|| "{}".into(), |raw| string(raw).map_or_else(|| raw.get().to_owned(), Into::into));
        Some(Self { id: object.word("id").or_else(|| object.word("call_id"))?.into(), name, args })
    }
}

/// True for the tool that starts an agent.
pub fn starts_agent(name: &str) -> bool {
    matches!(name, "task" | "Task")
}

/// The operations of a call that `who` has made, and whether it starts an agent.
pub fn call(who: &Who, call: &Call) -> (Vec<Op>, bool) {
    let input = Object::parse(&call.args);
    // A call that goes on with an agent which is there makes no new one.
    let follows =
        input.as_ref().is_some_and(|input| input.word("task_id").is_some() && input.word("action").is_none_or(|word| word != "init"));
    let starts_agent = starts_agent(&call.name) && !follows;
    let patch = ToolPatch {
        name: Some(call.name.clone()),
        title: Some(titles::title(&call.name, input.as_ref(), None)),
        args: Some(call.args.clone()),
        instead: instead(&call.name, &call.id, input.as_ref()),
        starts_agent,
    };
    let mut ops = vec![Op::Call { who: who.clone(), call: call.id.clone(), keys: vec![args_key(&call.id)], patch }];
    if starts_agent {
        let word = |name| input.as_ref().and_then(|input| input.word(name)).map(String::from);
        let patch = AgentPatch { description: word("description"), kind: word("subagent_type"), ..AgentPatch::default() };
        ops.push(Op::Agent { who: Who::call(&call.id), patch });
        if let Some(text) = word("prompt").or_else(|| word("description")) {
            ops.push(Op::Prompt { who: Who::call(&call.id), text, images: Vec::new(), own: false, keys: Vec::new() });
        }
    }
    (ops, starts_agent)
}

/// The first facts of a call whose arguments are still to come: these tell whether it starts an agent.
pub fn begun(who: &Who, id: &str, name: &str) -> Op {
    let patch = ToolPatch { name: Some(name.into()), title: Some(ToolKind::title(name)), ..ToolPatch::default() };
    Op::Call { who: who.clone(), call: id.into(), keys: vec![args_key(id)], patch }
}

/// The key by which a call's arguments grow.
pub fn args_key(call: &str) -> String {
    format!("args:{call}")
}

/// A result; `failed` says that it is an error.
pub fn result(who: &Who, call: &str, content: Option<&RawValue>, failed: bool) -> Op {
    let (text, images) = content.map(super::text_of).unwrap_or_default();
    let state = if failed { crate::model::EntryState::Failed } else { crate::model::EntryState::Done };
    let result = if failed { Err(text) } else { Ok(text) };
    Op::Result { who: who.clone(), call: call.into(), result, images, state }
}

/// The body in the place of a call that only writes a list or asks.
pub fn instead(name: &str, call: &str, input: Option<&Object<'_>>) -> Option<Body> {
    let input = input?;
    let call = Some(call.to_owned());
    match name {
        "write_todos" | "TodoWrite" => Some(Body::Todos { items: todo::written(name, input)?, call }),
        "ask_clarification" => {
            let text = input.text("question")?.into_owned();
            let context = input.word("context").map(Into::into).into_iter().collect();
            let option = |raw| string(raw).or_else(|| Object::of(raw)?.text("label")).map(Into::into);
            let options = input.array("options").into_iter().filter_map(option).collect();
            Some(Body::Ask(Box::new(Ask { ask: "question".into(), text: text.into(), fields: context, options, call, ..Ask::default() })))
        }
        _ => None,
    }
}

/// The items of a todo list.
pub fn todos(raw: &RawValue) -> Option<Vec<Todo>> {
    array(raw).map(todo::items)
}
