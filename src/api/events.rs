//! The door to the event stream.

use axum::body::Body;
use axum::extract::{Extension, State as Of};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::stream;
use serde::Deserialize;

use super::door::Holder;
use super::query::Query;
use super::{Problem, State};
use crate::live::{Start, Stream};
use crate::model::Cursor;

/// The most agents that a stream can be asked for.
const AGENTS: usize = 64;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

#[derive(Deserialize)]
pub struct EventsQuery {
    after: Option<String>,
    session: Option<String>,
    agents: Option<String>,
}

/// `GET /api/v1/events?after=CURSOR[&session=S&agents=main,a1]`; `Last-Event-ID` wins over `after=`. Without both it begins with
/// everything. Entry frames are those of `agents`, where that is given; names that the session does not have are passed over.
pub async fn events(
    Of(state): Of<State>,
    Extension(Holder(holder)): Extension<Holder>,
    Query(query): Query<EventsQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let last_id = headers.get(LAST_EVENT_ID).map(|value| value.to_str().unwrap_or("?").to_owned());
    let after = last_id.or(query.after).filter(|text| !text.is_empty()).map(|text| text.parse::<Cursor>());
    let session = match &query.session {
        Some(name) => Some(state.session(name).await?),
        None => None,
    };
    let agents = match (session, &query.agents) {
        (Some(sid), Some(names)) => {
            let names: Vec<String> = names.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
            if names.len() > AGENTS {
                return Err(Problem::bad_request(format!("A stream carries the entries of at most {AGENTS} agents.")));
            }
            let found = state.ask(move |store| names.iter().map(|name| store.find_agent(sid, name)).collect::<Result<Vec<_>, _>>());
            Some(found.await?.into_iter().flatten().collect())
        }
        _ => None,
    };
    let seat = state.seats.take(&holder).ok_or_else(|| {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "too_many_streams", "There are too many event streams open; close some.").after(5)
    })?;
    let stream = Stream::new(&state.hub, state.store.clone(), Start { after, session, agents }, state.pace, state.stop.clone(), seat);
    let body = Body::from_stream(stream::unfold(stream, |mut stream| async {
        let bytes = stream.next().await?;
        Some((Ok::<_, std::convert::Infallible>(bytes), stream))
    }));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    Ok((headers, body).into_response())
}
