//! The bottom sheet that the menu is on a narrow screen: dragged by its grip, and closed by Back before anything else.
//!
//! Decision: a grip of its own, so that a drag never fights the sheet's scrolling. Whatever a drag does, a tap beside the sheet,
//! Escape and the menu's button do too.

#[cfg(feature = "hydrate")]
pub use browser::attend;

/// Lets the menu be a sheet. The server draws it closed.
#[cfg(not(feature = "hydrate"))]
pub fn attend(_: leptos::prelude::NodeRef<leptos::html::Details>) {}

/// What becomes of a sheet that is let go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    Close,
    /// As high as it was.
    Stay,
    Tall,
}

/// `height` is the share of the screen that it covers; `speed` is how fast it went down at last, in px a ms; `grown` if it was drawn up.
#[cfg_attr(not(any(feature = "hydrate", test)), expect(dead_code, reason = "dragged in the browser"))]
fn rest(height: f64, speed: f64, grown: bool) -> Rest {
    if height < 0.2 || speed >= 0.5 {
        Rest::Close
    } else if (grown && height > 0.7) || speed <= -0.5 {
        Rest::Tall
    } else {
        Rest::Stay
    }
}

#[cfg(feature = "hydrate")]
mod browser {
    use std::cell::RefCell;
    use std::rc::Rc;

    use leptos::html::Details;
    use leptos::prelude::*;
    use leptos::wasm_bindgen::JsCast;
    use leptos::web_sys::{Element, Event, HtmlElement, PointerEvent};

    use super::{Rest, rest};
    use crate::app::dom::{self, Listener};
    use crate::app::trail;

    const NAME: &str = "sheet";
    /// The stretch of time over which the speed is taken, in ms.
    const LATELY: f64 = 100.0;

    /// Where the finger was, and when: y in px, ms. The first stays.
    type Path = Vec<(f64, f64)>;

    /// Lets the menu be a sheet, until the owner ends.
    pub fn attend(menu: NodeRef<Details>) {
        let listeners = StoredValue::new_local(Vec::<Listener>::new());
        Effect::new(move |_| {
            let Some(menu) = menu.get() else { return };
            let menu: HtmlElement = menu.unchecked_into();
            let part = |selector| menu.query_selector(selector).ok().flatten().and_then(|part| part.dyn_into::<HtmlElement>().ok());
            let (Some(sheet), Some(grip)) = (part(".sheet-menu"), part(".grip")) else { return };
            let close = {
                let menu = menu.clone();
                move || drop(menu.remove_attribute("open"))
            };
            let path = Rc::new(RefCell::new(Path::new()));
            let mut on = Vec::new();
            let (opened, shape, back) = (menu.clone(), sheet.clone(), close.clone());
            on.push(dom::on(menu.clone().into(), "toggle", move |_| {
                let open = opened.has_attribute("open");
                if open {
                    trail::cover(NAME, back.clone());
                } else {
                    shape.set_class_name("sheet-menu");
                    trail::uncover(NAME);
                }
            }));
            // What lies behind an open sheet belongs to the menu's own element.
            let (own, beside): (Element, _) = (menu.clone().into(), close.clone());
            on.push(dom::on(menu.clone().into(), "click", move |event| {
                if event.target().is_some_and(|target| target == *own.as_ref()) {
                    beside();
                }
            }));
            let (begun, held) = (Rc::clone(&path), grip.clone());
            on.push(dom::on(grip.clone().into(), "pointerdown", move |event| {
                let event: PointerEvent = event.unchecked_into();
                let _ = held.set_pointer_capture(event.pointer_id());
                *begun.borrow_mut() = vec![at(&event)];
            }));
            let (moved, drawn) = (Rc::clone(&path), sheet.clone());
            on.push(dom::on(grip.clone().into(), "pointermove", move |event| {
                let mut path = moved.borrow_mut();
                let Some((from, _)) = path.first().copied() else { return };
                let now = at(event.unchecked_ref());
                path.push(now);
                draw(&drawn, now.0 - from);
            }));
            for name in ["pointerup", "pointercancel"] {
                let (path, sheet, close) = (Rc::clone(&path), sheet.clone(), close.clone());
                on.push(dom::on(grip.clone().into(), name, move |event: Event| {
                    let path = std::mem::take(&mut *path.borrow_mut());
                    let Some(((from, _), (to, _))) = path.first().copied().zip(path.last().copied()) else { return };
                    let screen = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or(1.0);
                    let seen = screen - sheet.get_bounding_client_rect().top();
                    draw(&sheet, 0.0);
                    let rest =
                        if name == "pointercancel" { Rest::Stay } else { rest(seen / screen, speed(&path, event.time_stamp()), to < from) };
                    match rest {
                        Rest::Close => close(),
                        Rest::Stay => {}
                        Rest::Tall => drop(sheet.class_list().add_1("tall")),
                    }
                }));
            }
            listeners.set_value(on);
        });
        on_cleanup(move || {
            listeners.set_value(Vec::new());
            trail::uncover(NAME);
        });
    }

    fn at(event: &PointerEvent) -> (f64, f64) {
        (f64::from(event.client_y()), event.time_stamp())
    }

    /// Down it slides, up it grows; 0 is where it rests.
    fn draw(sheet: &HtmlElement, by: f64) {
        let style = sheet.style();
        let _ = (style.remove_property("translate"), style.remove_property("padding-bottom"));
        if by > 0.0 {
            let _ = style.set_property("translate", &format!("0 {by}px"));
        } else if by < 0.0 {
            let _ = style.set_property("padding-bottom", &format!("{}px", -by));
        }
        // A sheet that was dragged does not come up once more.
        let _ = (sheet.class_list().add_1("held"), sheet.class_list().toggle_with_force("drawn", by != 0.0));
    }

    /// How fast it went down in the last moments, in px a ms.
    fn speed(path: &Path, end: f64) -> f64 {
        let mut lately = path.iter().filter(|(_, at)| end - at <= LATELY);
        match (lately.next(), lately.next_back()) {
            (Some((from, start)), Some((to, stop))) if stop > start => (to - from) / (stop - start),
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_closes_when_little_is_left_or_by_a_flick() {
        assert_eq!(rest(0.19, 0.0, false), Rest::Close);
        assert_eq!(rest(0.21, 0.49, false), Rest::Stay);
        assert_eq!(rest(0.6, 0.5, false), Rest::Close);
        assert_eq!(rest(0.7, 0.0, true), Rest::Stay);
        assert_eq!(rest(0.71, 0.0, true), Rest::Tall);
        assert_eq!(rest(0.71, 0.0, false), Rest::Stay, "drawn down it never grows");
        assert_eq!(rest(0.5, -0.5, true), Rest::Tall);
    }
}
