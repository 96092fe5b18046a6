//! Files that are followed while they are written, by a tail and a store that end and begin again all the time.

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sidedeck::ingest::{Pace, Tail};
use sidedeck::model::SessionStatus;
use sidedeck::store::{Shared, Window, Writer};

use super::support::{Corpus, Data, Nobody, assert_manifest, export_of, generator, plain};

#[test]
fn files_followed_while_they_are_written_give_what_an_import_gives() {
    for kind in [&[][..], &["--hard", "--layout", "nested"], &["--hard", "--layout", "flat"], &["--hard", "--layout", "inline"]] {
        followed(&[&["--sessions", "3", "--turns", "4", "--steps", "4", "--seed", "9"], kind].concat());
    }
}

fn followed(live: &[&str]) {
    let Some(corpus) = Corpus::new(live) else { return };
    let whole = Data::new();
    whole.import(&[corpus.projects()]);

    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("projects");
    let mut running =
        Command::new("python3").arg(generator()).arg(folder.path()).args(live).args(["--live", "3"]).spawn().expect("python3");
    let data_folder = tempfile::tempdir().expect("a folder");
    let pace = Pace { quiet: Duration::from_millis(300), ..Pace::default() };
    let quiet = |store: &Shared| {
        let status = |session: &String| {
            let sid = store.find(session).ok().flatten()?;
            Some(store.session_page(sid, 0, Window::Newest, 0).ok()??.session.status)
        };
        let is_quiet = |status: SessionStatus| status == SessionStatus::Unknown || status == SessionStatus::Idle;
        corpus.manifest.keys().all(|session| status(session).is_some_and(is_quiet))
    };
    let mut over = false;
    let (mut rounds, begun) = (0, Instant::now());
    while !over {
        // Each round is a life of the store and the tail, which end in the middle of whatever comes.
        let (writer, store) = Writer::open(data_folder.path(), Arc::new(Nobody)).expect("a store");
        let tail = Tail::start(vec![root.clone()], Arc::new(writer.clone()), pace, Box::new(|text| panic!("reported: {text}")));
        let ended = running.try_wait().expect("a state").is_some();
        let patience = Instant::now() + if ended { Duration::from_secs(60) } else { Duration::from_millis(300) };
        while Instant::now() < patience && !over {
            std::thread::yield_now();
            over = ended
                && quiet(&store)
                && corpus.manifest.keys().all(|session| plain(export_of(&store, session)) == plain(whole.export(session)));
        }
        rounds += 1;
        drop(tail);
        futures::executor::block_on(writer.close()).expect("closed");
        if ended && !over {
            for session in corpus.manifest.keys() {
                assert_eq!(plain(export_of(&store, session)), plain(whole.export(session)), "after {rounds} rounds, {:?}", begun.elapsed());
            }
        }
        if over {
            corpus.manifest.iter().for_each(|(session, manifest)| assert_manifest(&export_of(&store, session), manifest));
        }
    }
    running.wait().expect("an end");
    println!("{live:?}: {rounds} rounds");
}
