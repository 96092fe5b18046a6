//! What is not read: each one sentence, and the others go on.

use std::fs;
use std::os::unix::fs::symlink;

use super::*;

fn whys(summary: &Summary) -> Vec<&str> {
    summary.skipped.iter().map(|skipped| skipped.why.as_str()).collect()
}

#[test]
fn what_is_no_plain_file_is_named_and_passed_by() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("projects");
    let project = root.join("p");
    fs::create_dir_all(&project).expect("a folder");
    fs::write(project.join("s.jsonl"), line("one")).expect("written");
    fs::write(folder.path().join("secret"), "x").expect("written");
    symlink(folder.path().join("secret"), project.join("linked.jsonl")).expect("a link");
    symlink(&project, project.join("loop")).expect("a link");
    let pipe = std::process::Command::new("mkfifo").arg(project.join("pipe.jsonl")).status().expect("mkfifo");
    assert!(pipe.success());
    fs::write(project.join("empty.jsonl"), "").expect("written");
    fs::write(project.join("other.jsonl"), "{\"a\":1}\n").expect("written");
    let kept = Kept::default();
    let summary = kept.import(folder.path());
    assert_eq!(kept.ids(), ["one"]);
    for (file, why) in [
        ("linked.jsonl", "link"),
        ("loop", "link"),
        ("pipe.jsonl", "pipe"),
        ("empty.jsonl", "no whole line"),
        ("other.jsonl", "no transcript"),
    ] {
        let told = summary.skipped.iter().filter(|skipped| skipped.path.ends_with(file)).collect::<Vec<_>>();
        assert!(matches!(told.as_slice(), [one] if one.why.contains(why)), "{file}: {told:?}");
    }
}

#[test]
fn a_path_that_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = Kept::default();
    assert_eq!(whys(&kept.import(&folder.path().join("none"))), ["There is no such file or folder."]);
    assert_eq!(
        whys(&kept.import(folder.path())),
        ["There is no transcript in this folder: nothing in it ends in .jsonl, .ndjson, .sse or .json."]
    );
    let null = kept.import(Path::new("/dev/null"));
    assert!(matches!(whys(&null).as_slice(), [why] if why.contains("device")), "{null:?}");
    let link = folder.path().join("link.jsonl");
    fs::write(folder.path().join("s.txt"), line("one")).expect("written");
    symlink(folder.path().join("s.txt"), &link).expect("a link");
    let told = kept.import(&link);
    assert!(matches!(whys(&told).as_slice(), [why] if why.contains("link")), "{told:?}");
    assert_eq!(kept.import(&folder.path().join("s.txt")).skipped, [], "a file that the person names need not end in .jsonl");
}

#[test]
fn a_folder_swapped_for_a_link_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("a path");
    fs::create_dir(root.join("elsewhere")).expect("a folder");
    fs::write(root.join("elsewhere/s.jsonl"), line("one")).expect("written");
    symlink(root.join("elsewhere"), root.join("p")).expect("a link");
    let refused = super::super::file::open(&root.join("p/s.jsonl"));
    assert!(matches!(&refused, Err(why) if why.contains("link")), "{refused:?}");
}

#[test]
fn a_full_disk_ends_the_import_and_nothing_is_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.jsonl");
    fs::write(&path, lines(&["one", "two"])).expect("written");
    let kept = Kept::default();
    kept.inner().fail = true;
    let failed = import(std::slice::from_ref(&path), &Options::default(), &kept, &mut |_| {});
    assert!(matches!(failed, Err(StoreError::Full)), "{failed:?}");
    kept.inner().fail = false;
    kept.import(&path);
    assert_eq!(kept.ids(), ["one", "two"]);
}

#[test]
fn a_long_first_line_does_not_hide_what_a_file_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.jsonl");
    let long = line("one").replacen('{', &format!("{{\"pad\":\"{}\",", "x".repeat(700_000)), 1);
    fs::write(&path, long.trim_end().get(..400_000).expect("a beginning")).expect("written");
    let kept = Kept::default();
    assert!(matches!(whys(&kept.import(&path)).as_slice(), [why] if why.contains("no whole line")), "it may be coming");
    fs::write(&path, format!("\u{feff}{long}{}", line("two"))).expect("written");
    kept.import(&path);
    assert_eq!(kept.ids(), ["one", "two"]);
}
