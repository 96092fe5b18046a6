//! Images that came with an entry: ours, from the store. Small in place, large when one is asked for.

use leptos::html::Dialog;
use leptos::prelude::*;

use crate::app::dom;
use crate::app::live::live;
use crate::app::numbers::{blob_path, bytes};
use crate::model::Image;

/// The images; without the client each is a link to itself.
pub fn pictures(session: &str, images: &[Image]) -> Option<AnyView> {
    if images.is_empty() {
        return None;
    }
    let (large, dialog) = (RwSignal::new(None::<(String, String)>), NodeRef::<Dialog>::new());
    let images: Vec<_> = images
        .iter()
        .zip(1..)
        .map(|(image, n)| {
            let path = blob_path(session, &image.blob.hash);
            let alt = format!("Image {n}, {}, {}", image.media_type, bytes(image.blob.len));
            let (href, shown) = (path.clone(), (path.clone(), alt.clone()));
            let open = move |event: leptos::ev::MouseEvent| {
                if !(event.ctrl_key() || event.meta_key() || event.shift_key()) {
                    event.prevent_default();
                    large.set(Some(shown.clone()));
                    dom::open_dialog(dialog);
                }
            };
            view! { <a href=href rel="external" target="_blank" on:click=open><img src=path alt=alt loading="lazy" decoding="async" /></a> }
        })
        .collect();
    let close = move |_| dom::close_dialog(dialog);
    Some(
        view! {
            <div class="images">{images}</div>
            <dialog class="picture-large" aria-label="Image" node_ref=dialog on:click=close>
                {live(move || large.get().map(|(src, alt)| view! { <img src=src alt=alt /><button type="button" class="btn">"Close"</button> }))}
            </dialog>
        }
        .into_any(),
    )
}
