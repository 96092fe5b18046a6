//! What ran when a server ended, and is not followed any more.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use super::super::{Feed, Options, import, settle_orphans};
use crate::dialect::by_name;
use crate::model::SessionStatus;
use crate::store::{Published, Shared, Sid, Writer};

/// Who is told of commits and does nothing.
pub struct Nobody;

impl Published for Nobody {
    fn session(&self, _: Sid, _: &[crate::model::Change], _: u64) {}
    fn list(&self, _: &crate::model::Change, _: u64) {}
}

fn status(store: &Shared, id: &str) -> SessionStatus {
    let sessions = store.sessions(None, 10).expect("a list").sessions;
    sessions.iter().find(|row| row.id == id).map(|row| row.status).expect("the session")
}

#[test]
fn what_nobody_follows_does_not_run_for_ever() {
    let room = tempfile::tempdir().expect("a folder");
    let (writer, store) = Writer::open(&room.path().join("data"), Arc::new(Nobody)).expect("a store");
    let dialect = by_name("sidedeck").expect("the dialect");
    let turn = |session: &str| format!("{{\"session\":\"{session}\",\"id\":\"1\",\"ops\":[{{\"op\":\"turn\",\"ended\":false}}]}}");
    let mut feed = Feed::open(Arc::new(writer.clone()), dialect, "gone", "pushed").expect("a feed");
    let receipt = feed.push([turn("pushed").as_bytes()]).expect("sent");
    futures::executor::block_on(receipt).expect("an answer").expect("committed");

    // A file that is followed: its import tells that there is no news, a further line that there is.
    let root = room.path().join("projects");
    fs::create_dir(&root).expect("a folder");
    let file = root.join("followed.jsonl");
    fs::write(&file, turn("followed") + "\n").expect("a file");
    let paths: Vec<PathBuf> = vec![root.clone()];
    import(&paths, &Options { dialect: Some(dialect), ..Options::default() }, &writer, &mut |_| {}).expect("an import");
    let mut more = Feed::open(Arc::new(writer.clone()), dialect, "more", "followed").expect("a feed");
    let again = turn("followed").replace("\"1\"", "\"2\"");
    let receipt = more.push([again.as_bytes()]).expect("sent");
    futures::executor::block_on(receipt).expect("an answer").expect("committed");

    assert_eq!((status(&store, "pushed"), status(&store, "followed")), (SessionStatus::Running, SessionStatus::Running));
    settle_orphans(&writer, &paths).expect("settled");
    futures::executor::block_on(writer.close()).expect("closed");
    assert_eq!((status(&store, "pushed"), status(&store, "followed")), (SessionStatus::Unknown, SessionStatus::Running));
}
