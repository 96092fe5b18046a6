//! Files as a browser gives them: a choice, or a drop with folders in it.

use leptos::html::Input;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{DataTransfer, DragEvent, File, FileSystemDirectoryEntry, FileSystemEntry, FileSystemFileEntry};

use super::sending::send;
use super::{Adding, Stage};
use crate::app::dom;

/// How many files the server takes at a time.
const MOST: usize = 10_000;
/// Endings of names that a transcript in a folder may have.
const ENDINGS: [&str; 6] = [".jsonl", ".ndjson", ".sse", ".json", ".gz", ".zst"];
/// The folder of what transcripts beside it name.
const SPILLED: &str = "/tool-results/";

/// A file, and its path below what was chosen.
pub type Named = (String, File);

/// Sends what an input holds now.
pub fn chosen(adding: Adding, input: NodeRef<Input>) {
    let Some(input) = input.get_untracked() else { return };
    let list = input.files();
    let files = list.iter().flat_map(|list| (0..list.length()).filter_map(|at| list.item(at)));
    let files: Vec<Named> = files.map(|file| (path_of(&file), file)).collect();
    // The same file may be chosen again.
    input.set_value("");
    offer(adding, files);
}

/// Takes what is dropped on the page, until the owner ends.
pub fn watch(adding: Adding) {
    let listeners = StoredValue::new_local(Vec::new());
    Effect::new(move |_| {
        let holds = |event: &web_sys::Event| -> Option<DataTransfer> {
            let data = event.unchecked_ref::<DragEvent>().data_transfer()?;
            data.types().includes(&JsValue::from_str("Files"), 0).then_some(data)
        };
        let over = move |event: web_sys::Event| {
            if holds(&event).is_some() {
                event.prevent_default();
                adding.over.set(true);
            }
        };
        let left = move |event: web_sys::Event| {
            if event.unchecked_ref::<DragEvent>().related_target().is_none() {
                adding.over.set(false);
            }
        };
        let dropped = move |event: web_sys::Event| {
            let Some(data) = holds(&event) else { return };
            event.prevent_default();
            adding.over.set(false);
            // Outside of this event the list is empty.
            let (items, mut entries, mut files) = (data.items(), Vec::new(), Vec::new());
            for item in (0..items.length()).filter_map(|at| items.get(at)) {
                match item.webkit_get_as_entry() {
                    Ok(Some(entry)) => entries.push(entry),
                    _ => files.extend(item.get_as_file().ok().flatten().map(|file| (file.name(), file))),
                }
            }
            spawn_local(async move {
                files.extend(walk(entries).await);
                offer(adding, files);
            });
        };
        listeners.set_value(vec![
            dom::on_document("dragenter", over),
            dom::on_document("dragover", over),
            dom::on_document("dragleave", left),
            dom::on_document("drop", dropped),
        ]);
    });
    on_cleanup(move || listeners.set_value(Vec::new()));
}

fn offer(adding: Adding, mut files: Vec<Named>) {
    if files.is_empty() {
        return;
    }
    if adding.stage.with_untracked(|stage| matches!(stage, Stage::Sending(..) | Stage::Reading(_))) {
        return adding.late.set(true);
    }
    adding.late.set(false);
    // In a folder there may be all kinds of files.
    files.retain(|(path, _)| !path.contains('/') || path.contains(SPILLED) || ENDINGS.iter().any(|end| path.ends_with(end)));
    match files.len() {
        0 => adding.stage.set(Stage::Failed("There is no transcript in this folder.".into())),
        count if count > MOST => adding.stage.set(Stage::Failed(format!("These are more than {MOST} files: add some of them."))),
        _ => send(adding, &files),
    }
}

fn path_of(file: &File) -> String {
    let path = js_sys::Reflect::get(file, &"webkitRelativePath".into()).ok().and_then(|path| path.as_string());
    path.filter(|path| !path.is_empty()).unwrap_or_else(|| file.name())
}

/// All files of the entries, and of the folders among them. What cannot be read is left out.
async fn walk(mut left: Vec<FileSystemEntry>) -> Vec<Named> {
    let mut found = Vec::new();
    while let Some(entry) = left.pop().filter(|_| found.len() <= MOST) {
        let path = entry.full_path().trim_start_matches('/').to_owned();
        if let Some(file) = entry.dyn_ref::<FileSystemFileEntry>() {
            let file = ask(|done, failed| file.file_with_callback_and_callback(&done, &failed)).await;
            found.extend(file.map(|file| (path, file.unchecked_into())));
        } else if let Some(folder) = entry.dyn_ref::<FileSystemDirectoryEntry>() {
            let reader = folder.create_reader();
            // It gives some at a time, and none at the end.
            while let Some(list) = ask(|done, failed| drop(reader.read_entries_with_callback_and_callback(&done, &failed))).await {
                let list: js_sys::Array = list.unchecked_into();
                if list.length() == 0 {
                    break;
                }
                left.extend(list.iter().map(JsCast::unchecked_into));
            }
        }
    }
    found
}

/// What a browser gives to a callback.
async fn ask(mut ask: impl FnMut(js_sys::Function, js_sys::Function)) -> Option<JsValue> {
    JsFuture::from(js_sys::Promise::new(&mut |done, failed| ask(done, failed))).await.ok()
}
