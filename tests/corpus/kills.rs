//! A server that follows files and is killed again and again: rows as if nothing had happened.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sidedeck::store::open_to_read;

use super::support::{Corpus, Data, Dice, export_of, generator, plain};

/// How often the server is killed; a long run says `TAIL_KILLS=100`.
fn kills() -> u32 {
    std::env::var("TAIL_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(6)
}

fn serve(data: &Path, root: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sidedeck"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SIDEDECK_")) {
        command.env_remove(name);
    }
    command.env("SIDEDECK_DATA", data).args(["serve", "--addr", "127.0.0.1:0", "--watch"]).arg(root);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a server")
}

#[test]
fn a_tail_that_is_killed_again_and_again_gives_what_an_import_gives() {
    let kills = kills();
    let seconds = (kills / 3).max(3).to_string();
    let kind = ["--sessions", "3", "--turns", "6", "--steps", "4", "--seed", "11", "--hard"];
    let Some(corpus) = Corpus::new(&kind) else { return };
    let whole = Data::new();
    whole.import(&[corpus.projects()]);
    let (folder, data) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let root = folder.path().join("projects");
    let mut writing =
        Command::new("python3").arg(generator()).arg(folder.path()).args(kind).args(["--live", &seconds]).spawn().expect("python3");
    let mut dice = Dice(3);
    for _ in 0..kills {
        let mut server = serve(data.path(), &root);
        // Killed at any moment of its life, its start among them.
        std::thread::park_timeout(Duration::from_millis(20 + dice.below(400)));
        server.kill().expect("a kill");
        server.wait().expect("an end");
    }
    assert!(writing.wait().expect("an end").success());
    let mut server = serve(data.path(), &root);
    let begun = Instant::now();
    let same = |session: &String| {
        let store = open_to_read(data.path()).ok().flatten()?;
        store.find(session).ok().flatten()?;
        (unsettled(export_of(&store, session)) == unsettled(whole.export(session))).then_some(())
    };
    while !corpus.manifest.keys().all(|session| same(session).is_some()) {
        assert!(begun.elapsed() < Duration::from_secs(60), "it did not come to what an import gives");
        std::thread::park_timeout(Duration::from_millis(50));
    }
    server.kill().expect("a kill");
    server.wait().expect("an end");
    let data = Data::at(data.path());
    assert_eq!(data.import(&[root]).bytes, 0, "the tail has left nothing unread");
    for session in corpus.manifest.keys() {
        assert_eq!(plain(data.export(session)), plain(whole.export(session)));
    }
    println!("{kills} kills");
}

/// Without what only the end of all input decides.
fn unsettled(export: serde_json::Value) -> serde_json::Value {
    let mut export = plain(export);
    export["session"].as_object_mut().expect("a session").remove("status");
    for agent in export["agents"].as_array_mut().expect("agents") {
        let agent = agent.as_object_mut().expect("an agent");
        ["status", "runs", "cause", "ended_at"].iter().for_each(|name| drop(agent.remove(*name)));
    }
    export
}
