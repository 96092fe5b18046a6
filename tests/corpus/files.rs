//! Files that lie still: read once, twice, in any order, cut and completed.

use std::fs;
use std::path::PathBuf;

use super::support::{Corpus, Data, Dice, assert_manifest, lines_of, plain};

/// The kinds of corpus: the options that make each.
const KINDS: [&[&str]; 4] = [&[], &["--hard", "--layout", "nested"], &["--hard", "--layout", "flat"], &["--hard", "--layout", "inline"]];

#[test]
fn a_corpus_gives_the_counts_of_its_manifest_even_when_imported_twice() {
    for kind in KINDS {
        let Some(corpus) = Corpus::new(&[&["--sessions", "4"], kind].concat()) else { return };
        let data = Data::new();
        for round in 0..2 {
            let summary = data.import(&[corpus.projects()]);
            assert_eq!((summary.sessions as usize, summary.skipped.len()), (corpus.manifest.len(), 0), "{:?}", summary.skipped);
            let lines: usize = corpus.files().iter().map(|file| fs::read(file).expect("a file")).map(|text| lines_of(&text)).sum();
            assert_eq!(summary.lines.total() as usize, lines, "{:?}", summary.lines);
            assert_eq!(summary.bytes == 0, round == 1);
            let bad: u64 = corpus.manifest.values().map(|session| session["bad_lines"].as_u64().expect("a count")).sum();
            assert_eq!(summary.lines.0.get("opaque").copied().unwrap_or(0), bad, "{:?}", summary.lines);
            for (session, manifest) in &corpus.manifest {
                assert_manifest(&data.export(session), manifest);
            }
        }
    }
}

#[test]
fn inline_sidechains_with_prompts_of_their_own_are_all_linked() {
    let Some(corpus) = Corpus::new(&["--sessions", "4", "--layout", "inline"]) else { return };
    let data = Data::new();
    assert_eq!(data.import(&[corpus.projects()]).skipped, []);
    for (session, manifest) in &corpus.manifest {
        let export = data.export(session);
        assert_manifest(&export, manifest);
        let unlinked = export["agents"].as_array().expect("agents").iter().filter(|agent| agent["link"] == "unlinked").count();
        assert_eq!(unlinked, 0);
    }
}

#[test]
fn files_read_in_any_order_give_the_same_session() {
    for kind in KINDS {
        let Some(corpus) = Corpus::new(&[&["--sessions", "3", "--turns", "4", "--seed", "7"], kind].concat()) else { return };
        let mut dice = Dice(1);
        let mut files = corpus.files();
        let first = Data::new();
        first.import(&[corpus.projects()]);
        for round in 0..4 {
            for at in (1..files.len()).rev() {
                files.swap(at, dice.below(at as u64 + 1) as usize);
            }
            let data = Data::new();
            // One import a file: each is told that its input has ended before the next is read.
            files.iter().for_each(|file| drop(data.import(std::slice::from_ref(file))));
            for (session, manifest) in &corpus.manifest {
                let export = data.export(session);
                assert_manifest(&export, manifest);
                assert_eq!(plain(export), plain(first.export(session)), "{kind:?}, round {round}");
            }
        }
    }
}

#[test]
fn files_cut_anywhere_and_completed_give_the_same_session() {
    for kind in KINDS {
        let Some(corpus) = Corpus::new(&[&["--sessions", "3", "--turns", "5", "--seed", "3"], kind].concat()) else { return };
        let whole = Data::new();
        whole.import(&[corpus.projects()]);
        let (data, mut dice) = (Data::new(), Dice(5));
        let originals: Vec<(PathBuf, Vec<u8>)> =
            corpus.files().into_iter().map(|file| (file.clone(), fs::read(file).expect("a file"))).collect();
        // Each file grows by several cuts: 200 in all, and more.
        for _ in 0..=200 / originals.len() {
            for (path, text) in &originals {
                let len = fs::metadata(path).expect("a file").len();
                let now = if len as usize == text.len() { 0 } else { len };
                let cut = now + dice.below(text.len() as u64 - now);
                fs::write(path, &text[..cut as usize]).expect("written");
            }
            data.import(&[corpus.projects()]);
        }
        for (path, text) in &originals {
            fs::write(path, text).expect("written");
        }
        let summary = data.import(&[corpus.projects()]);
        let lines: usize = originals.iter().map(|(_, text)| lines_of(text)).sum();
        assert_eq!(summary.lines.total() as usize, lines, "{:?}", summary.lines);
        for (session, manifest) in &corpus.manifest {
            let export = data.export(session);
            assert_manifest(&export, manifest);
            assert_eq!(plain(export), plain(whole.export(session)), "{kind:?}");
        }
    }
}
