//! The browser's side of [`super`]: `keeper.js`, which every page loads before the client.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;

use leptos::prelude::window;
use send_wrapper::SendWrapper;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = keeper, js_name = ask, catch)]
    async fn ask_keeper(job: &str, args: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_namespace = keeper, js_name = installed)]
    pub fn installed() -> bool;
    #[wasm_bindgen(js_namespace = keeper, js_name = badge)]
    fn show_badge(count: u32);
}

/// Asks for a job; arguments and answer are JSON.
pub async fn ask(job: &str, args: &str) -> Option<String> {
    SendWrapper::new(ask_keeper(job, args)).await.ok().and_then(|answer| answer.as_string())
}

/// What comes of a call within so many ms; `None` if it takes longer, and then it goes on.
pub async fn within<T>(ms: i32, mut call: Pin<&mut impl Future<Output = T>>) -> Option<T> {
    // The browser has one thread; what has to be `Send` for the server's sake is only ever used on it.
    let late = js_sys::Promise::new(&mut |resolve, _| {
        let _ = window().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, ms);
    });
    let mut late = pin!(SendWrapper::new(JsFuture::from(late)));
    poll_fn(|cx| match (call.as_mut().poll(cx), late.as_mut().poll(cx)) {
        (Poll::Ready(answer), _) => Poll::Ready(Some(answer)),
        (_, Poll::Ready(_)) => Poll::Ready(None),
        _ => Poll::Pending,
    })
    .await
}

/// The number on the app's icon, where there is one; 0 takes it away.
pub fn badge(count: usize) {
    show_badge(u32::try_from(count).unwrap_or(u32::MAX));
}
