//! The calls that start an agent, and those that stand for something else than a step.

use std::borrow::Cow;

use crate::dialect::json::{Object, array, string};
use crate::dialect::todo;
use crate::model::{Ask, Body};

/// True for the tools that start an agent: the name has changed over time.
pub fn starts_agent(name: &str) -> bool {
    matches!(name, "Task" | "Agent")
}

/// The body in the place of a call that only writes a list or asks.
pub fn instead(name: &str, call: &str, input: Option<&Object<'_>>) -> Option<Body> {
    let input = input?;
    match name {
        "TodoWrite" => Some(Body::Todos { items: todo::written(name, input)?, call: Some(call.to_owned()) }),
        "AskUserQuestion" => Some(Body::Ask(Box::new(question(call, input)?))),
        "ExitPlanMode" => {
            let text = input.text("plan")?.into_owned().into();
            Some(Body::Ask(Box::new(Ask { ask: "plan".into(), text, call: Some(call.to_owned()), ..Ask::default() })))
        }
        _ => None,
    }
}

/// Several questions of one call are one ask: a line each.
fn question(call: &str, input: &Object<'_>) -> Option<Ask> {
    let questions: Vec<Object<'_>> = array(input.raw("questions")?)?.into_iter().filter_map(Object::of).collect();
    let texts: Vec<String> = questions.iter().filter_map(|one| one.text("question")).map(Cow::into_owned).collect();
    let option = |raw| string(raw).or_else(|| Object::of(raw)?.text("label")).map(Cow::into_owned);
    Some(Ask {
        ask: "question".into(),
        text: texts.join("\n").into(),
        fields: questions.iter().filter_map(|one| one.word("header")).map(Cow::into_owned).collect(),
        options: questions.iter().flat_map(|one| one.array("options")).filter_map(option).collect(),
        call: Some(call.to_owned()),
        ..Ask::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::TodoStatus;

    #[test]
    fn a_list_and_a_question_stand_for_themselves() {
        let todos = r#"{"todos":[{"content":"one","status":"completed","activeForm":"x"},{"content":"two","status":"new word"},7]}"#;
        let Some(Body::Todos { items, .. }) = instead("TodoWrite", "c", Object::parse(todos).as_ref()) else { panic!("no todos") };
        assert_eq!(
            items.iter().map(|item| (item.text.as_str(), item.status)).collect::<Vec<_>>(),
            [("one", TodoStatus::Completed), ("two", TodoStatus::Pending)]
        );
        let ask = r#"{"questions":[{"question":"Which?","header":"Kind","options":[{"label":"A"},"B"]}]}"#;
        let Some(Body::Ask(ask)) = instead("AskUserQuestion", "c", Object::parse(ask).as_ref()) else { panic!("no ask") };
        assert_eq!((ask.text.text.as_str(), ask.options), ("Which?", vec!["A".into(), "B".into()]));
        assert_eq!(instead("TodoWrite", "c", Object::parse(r#"{"todos":"x"}"#).as_ref()), None);
    }
}
