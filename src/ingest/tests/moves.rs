//! Files that are cut, replaced, moved, lost and found while they are followed; each fault has a file to itself.

use std::fs;
use std::sync::Arc;

use proptest::prelude::*;

use super::following::{append, follow, follow_into, has, patient};
use super::*;
use crate::ingest::Pace;

/// A followed folder with a session's file in it, of which the first line has been read.
struct Scene {
    folder: tempfile::TempDir,
    kept: Arc<Kept>,
    tail: super::super::Tail,
}

impl Scene {
    fn new(first: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        append(&folder.path().join("s.jsonl"), &line(first));
        let (kept, tail, _) = follow(folder.path(), patient());
        kept.wait_for("the first line", has(first));
        Self { folder, kept, tail }
    }

    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("s.jsonl")
    }

    fn wait(&self, id: &str) {
        self.kept.wait_for(id, has(id));
    }

    fn generation(&self) -> u32 {
        let inner = self.kept.inner();
        inner.sources.values().find(|source| source.name.ends_with("/s.jsonl")).map_or(0, |source| source.generation)
    }
}

#[test]
fn a_file_that_is_cut_to_nothing_is_read_from_its_start() {
    let scene = Scene::new("one");
    fs::File::create(scene.path()).expect("cut");
    append(&scene.path(), &line("two"));
    scene.wait("two");
    assert_eq!(scene.kept.ids(), ["one", "two"]);
    assert_eq!(scene.generation(), 1);
}

#[test]
fn a_file_that_is_copied_away_and_cut_loses_nothing() {
    let scene = Scene::new("one");
    append(&scene.path(), &line("two"));
    scene.wait("two");
    fs::copy(scene.path(), scene.folder.path().join("s.jsonl.1")).expect("a copy");
    fs::File::options().write(true).open(scene.path()).and_then(|file| file.set_len(0)).expect("cut");
    append(&scene.path(), &lines(&["three", "four"]));
    scene.wait("four");
    assert_eq!(scene.kept.ids(), ["one", "two", "three", "four"]);
}

#[test]
fn a_file_that_is_rotated_goes_on_in_its_successor() {
    let scene = Scene::new("one");
    fs::rename(scene.path(), scene.folder.path().join("s.jsonl.1")).expect("renamed");
    append(&scene.path(), &line("two"));
    scene.wait("two");
    append(&scene.path(), &line("three"));
    scene.wait("three");
    assert_eq!(scene.kept.ids(), ["one", "two", "three"]);
}

#[test]
fn a_file_replaced_by_one_that_begins_alike_goes_on_where_it_was() {
    let scene = Scene::new("one");
    let other = scene.folder.path().join("other");
    fs::write(&other, lines(&["one", "two"])).expect("written");
    fs::rename(&other, scene.path()).expect("renamed");
    scene.wait("two");
    assert_eq!((scene.kept.ids(), scene.generation()), (vec!["one".into(), "two".into()], 0));
}

#[test]
fn a_number_that_the_system_gives_again_is_no_sign_of_the_same_file() {
    let scene = Scene::new("one");
    // Small file systems give the inode of a removed file to the next one.
    for round in 0..20 {
        let id = format!("again{round}");
        fs::remove_file(scene.path()).expect("removed");
        append(&scene.path(), &line(&id));
        scene.wait(&id);
    }
    assert_eq!(scene.kept.ids().len(), 21);
}

#[test]
fn a_file_that_is_deleted_and_made_again_later_is_followed_again() {
    let scene = Scene::new("one");
    fs::remove_file(scene.path()).expect("removed");
    let other = scene.folder.path().join("t.jsonl");
    append(&other, &line("other"));
    scene.wait("other");
    append(&scene.path(), &lines(&["one", "two"]));
    scene.wait("two");
    assert_eq!(scene.kept.ids(), ["one", "other", "two"]);
}

#[test]
fn a_folder_that_is_moved_away_keeps_what_was_read_and_one_that_comes_back_goes_on() {
    let outside = tempfile::tempdir().expect("a folder");
    let root = outside.path().join("projects");
    fs::create_dir_all(root.join("p")).expect("folders");
    append(&root.join("p/s.jsonl"), &line("one"));
    let (kept, _tail, _) = follow(&root, patient());
    kept.wait_for("the first line", has("one"));
    let away = outside.path().join("away");
    fs::rename(root.join("p"), &away).expect("moved");
    append(&away.join("s.jsonl"), &line("unseen"));
    append(&root.join("t.jsonl"), &line("other"));
    kept.wait_for("a file beside it", has("other"));
    assert!(!kept.ids().contains(&"unseen".to_owned()), "what was moved out of the watched folder is not followed");
    fs::rename(&away, root.join("p")).expect("moved back");
    kept.wait_for("what was written meanwhile", has("unseen"));
    append(&root.join("p/s.jsonl"), &line("two"));
    kept.wait_for("the next line", has("two"));
}

#[test]
fn a_root_that_is_moved_away_and_made_again_is_followed_again() {
    let outside = tempfile::tempdir().expect("a folder");
    let root = outside.path().join("projects");
    fs::create_dir_all(&root).expect("folders");
    append(&root.join("s.jsonl"), &line("one"));
    let (kept, _tail, _) = follow(&root, Pace { rescan: Duration::from_millis(50), ..patient() });
    kept.wait_for("the first line", has("one"));
    fs::rename(&root, outside.path().join("away")).expect("moved");
    fs::create_dir_all(&root).expect("folders");
    append(&root.join("s.jsonl"), &lines(&["one", "two"]));
    kept.wait_for("the line of the new folder", has("two"));
    assert_eq!(kept.ids(), ["one", "two"]);
}

#[test]
fn a_file_that_grows_while_it_is_imported_is_read_to_its_new_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.jsonl");
    append(&path, &line("first"));
    let (grower, kept) = (path.clone(), Kept::default());
    let writer = std::thread::spawn(move || (0..2_000).for_each(|n| append(&grower, &line(&n.to_string()))));
    while !writer.is_finished() {
        let summary = kept.import(&path);
        assert_eq!(summary.skipped, []);
    }
    writer.join().expect("written");
    let summary = kept.import(&path);
    assert_eq!((kept.ids().len(), summary.lines.total()), (2_001, 2_001), "{:?}", summary.lines);
}

#[test]
fn twenty_thousand_files_are_followed_and_the_last_is_as_quick_as_the_first() {
    const FILES: usize = 20_000;
    let folder = tempfile::tempdir().expect("a folder");
    let path = |n: usize| folder.path().join(format!("p{}/s{n}.jsonl", n % 50));
    (0..50).for_each(|n| fs::create_dir(folder.path().join(format!("p{n}"))).expect("a folder"));
    // All but a few hold nothing yet: what is asked is the watching, not the reading.
    (0..FILES).for_each(|n| drop(fs::File::create(path(n)).expect("a file")));
    append(&path(0), &line("first"));
    let (kept, _tail, reports) = follow(folder.path(), patient());
    kept.wait_for("the first line", has("first"));
    append(&path(FILES - 1), &line("last"));
    kept.wait_for("the last file's line", has("last"));
    assert_eq!(reports.try_iter().collect::<Vec<_>>(), [] as [String; 0]);
}

#[test]
fn a_queue_of_events_that_overflows_is_made_good_by_a_scan() {
    let scene = Scene::new("one");
    append(&scene.path(), &line("two"));
    scene.wait("two");
    // As the system says it when it has lost events: no path, and the flag that all is to be looked at.
    let folder = scene.folder.path().join("p");
    fs::create_dir(&folder).expect("a folder");
    let lost = notify::Event::new(notify::EventKind::Other).set_flag(notify::event::Flag::Rescan);
    append(&folder.join("t.jsonl"), &line("three"));
    scene.tail.told(Ok(lost));
    scene.wait("three");
}

#[test]
fn a_hint_makes_it_look_at_a_file_inside_of_its_folders_alone() {
    let (folder, outside) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let path = folder.path().join("s.jsonl");
    append(&path, &line("one"));
    let (kept, tail, _) = follow(folder.path(), patient());
    kept.wait_for("the first line", has("one"));
    // Written by a name that nobody watches: no event comes.
    let other = outside.path().join("other");
    fs::hard_link(&path, &other).expect("a second name");
    append(&other, &line("two"));
    append(&outside.path().join("u.jsonl"), &line("outside"));
    tail.looker().look(outside.path().join("u.jsonl"));
    tail.looker().look(&path);
    kept.wait_for("the line without an event", has("two"));
    assert_eq!(kept.ids(), ["one", "two"]);
}

#[test]
fn half_a_line_is_shown_after_a_while_and_replaced_when_it_is_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.jsonl");
    append(&path, &line("one"));
    let pace = Pace { partial: Duration::from_millis(20), ..patient() };
    let (kept, tail, _) = follow(folder.path(), pace);
    kept.wait_for("the first line", has("one"));
    let shown = |inner: &Inner| inner.partial.last().cloned().flatten();
    let text = line("two");
    let (half, rest) = text.split_at(30);
    append(&path, half);
    kept.wait_for("half a line", |inner| shown(inner).as_deref() == Some(half));
    let (more, rest) = rest.split_at(10);
    append(&path, more);
    let longer = format!("{half}{more}");
    kept.wait_for("more of it", |inner| shown(inner).as_deref() == Some(&longer));
    // A restart changes nothing of it.
    drop(tail);
    let (_tail, _) = follow_into(folder.path(), pace, &kept);
    append(&path, rest);
    kept.wait_for("the whole line", has("two"));
    assert_eq!(shown(&kept.inner()), None);
    assert_eq!(kept.ids(), ["one", "two"]);
}

/// What may happen to a file.
#[derive(Clone, Debug)]
enum Step {
    Append(u8),
    /// A line in two pieces.
    Half,
    Cut,
    Rename,
    Recreate,
    Replace(u8),
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_to_a_file_each_line_is_taken_once(steps in proptest::collection::vec(prop_oneof![
        4 => (1u8..4).prop_map(Step::Append),
        1 => Just(Step::Half),
        1 => Just(Step::Cut),
        1 => Just(Step::Rename),
        1 => Just(Step::Recreate),
        1 => (1u8..4).prop_map(Step::Replace),
    ], 1..12)) {
        let scene = Scene::new("first");
        let path = scene.path();
        let (mut expected, mut written) = (vec!["first".to_owned()], line("first"));
        let mut count = 0;
        for step in steps {
            let mut next = |n: u8| -> Vec<String> { (0..n).map(|_| { count += 1; format!("n{count}") }).collect() };
            let new = match step {
                Step::Append(n) => {
                    let new = next(n);
                    let text: String = new.iter().map(|id| line(id)).collect();
                    append(&path, &text);
                    written += &text;
                    new
                }
                Step::Half => {
                    let id = next(1).remove(0);
                    let text = line(&id);
                    let (begun, rest) = text.split_at(25);
                    append(&path, begun);
                    append(&path, rest);
                    written += &text;
                    vec![id]
                }
                Step::Cut => {
                    fs::File::create(&path).expect("cut");
                    let new = next(1);
                    written = line(&new[0]);
                    append(&path, &written);
                    new
                }
                Step::Rename | Step::Recreate => {
                    if matches!(step, Step::Rename) {
                        fs::rename(&path, path.with_extension("old")).expect("renamed");
                    } else {
                        fs::remove_file(&path).expect("removed");
                    }
                    let new = next(2);
                    written = new.iter().map(|id| line(id)).collect();
                    append(&path, &written);
                    new
                }
                Step::Replace(n) => {
                    let new = next(n);
                    written += &new.iter().map(|id| line(id)).collect::<String>();
                    fs::write(path.with_extension("new"), &written).expect("written");
                    fs::rename(path.with_extension("new"), &path).expect("renamed");
                    new
                }
            };
            expected.extend(new);
            scene.wait(expected.last().expect("a line"));
        }
        prop_assert_eq!(scene.kept.ids(), expected);
    }
}
