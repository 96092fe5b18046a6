//! Packed files and archives: read as if they were not, or refused in words with nothing kept.

use std::fs;
use std::io::Write;

use rawzip::{CompressionMethod, ZipArchiveWriter};

use super::super::pack::tests::{gzip, zstd};
use super::super::{Spool, dropped, import_found, walk};
use super::spills::{spilled, transcript};
use super::*;

/// A zip archive of these files; a mode says what kind of thing an entry is.
fn zip(files: &[(&str, u32, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut out);
    for (name, mode, bytes) in files {
        if let Some(folder) = name.strip_suffix('/') {
            archive.new_dir(format!("{folder}/")).create().expect("a folder");
            continue;
        }
        let new = archive.new_file(name).compression_method(CompressionMethod::DEFLATE).unix_permissions(*mode);
        let (mut entry, config) = new.start().expect("an entry");
        let mut writer = config.wrap(flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::default()));
        writer.write_all(bytes).expect("written");
        let (encoder, sum) = writer.finish().expect("a sum");
        encoder.finish().expect("packed");
        entry.finish(sum).expect("an entry");
    }
    archive.finish().expect("an archive");
    out
}

const FILE: u32 = 0o100_644;

/// The same bytes with a name in place of another of the same length.
fn renamed(mut bytes: Vec<u8>, from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    for at in 0..bytes.len() - from.len() {
        if bytes[at..].starts_with(from.as_bytes()) {
            bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
        }
    }
    bytes
}

#[test]
fn what_is_packed_reads_like_what_is_not() {
    let text = lines(&["one", "two", "three"]);
    let inside = zip(&[("p/", 0, b""), ("p/s.jsonl", FILE, text.as_bytes()), ("p/picture.png", FILE, b"x")]);
    let deep = zip(&[("s.jsonl.zst", FILE, &zstd(text.as_bytes()))]);
    let both = zip(&[("s.jsonl", FILE, text.as_bytes()), ("s.jsonl.gz", FILE, &gzip(line("other").as_bytes()))]);
    for (name, bytes) in [
        ("s.jsonl.gz", gzip(text.as_bytes())),
        ("s.jsonl.zst", zstd(text.as_bytes())),
        ("named-otherwise", zstd(text.as_bytes())),
        ("a.zip", inside),
        ("b.zip", deep),
        ("c.zip", both),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("written");
        let kept = Kept::default();
        let summary = kept.import(&path);
        assert_eq!((kept.ids(), summary.skipped, summary.files), (vec!["one".into(), "two".into(), "three".into()], vec![], 1), "{name}");
        let again = kept.import(&path);
        assert_eq!((kept.ids().len(), again.bytes), (3, 0), "{name}: nothing is read again");
    }
}

#[test]
fn a_file_that_was_packed_meanwhile_goes_on_where_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = folder.path().join("s.jsonl");
    fs::write(&plain, lines(&["one"])).expect("written");
    let kept = Kept::default();
    kept.import(folder.path());
    // Both lie there for a while: the plain one counts.
    fs::write(folder.path().join("s.jsonl.zst"), zstd(lines(&["one", "two"]).as_bytes())).expect("written");
    assert_eq!(kept.import(folder.path()).files, 1);
    assert_eq!(kept.ids(), ["one"]);
    fs::remove_file(&plain).expect("removed");
    let summary = kept.import(folder.path());
    assert_eq!(kept.ids(), ["one", "two"]);
    assert_eq!(summary.bytes, line("two").len() as u64);
}

#[test]
fn children_in_an_archive_are_children() {
    let child = |id: &str| line(id).replace("\"type\"", "\"agentId\":\"a1\",\"isSidechain\":true,\"type\"");
    let archive = zip(&[
        ("p/s/subagents/agent-a1.jsonl", FILE, child("c").as_bytes()),
        ("p/s/subagents/agent-a1.meta.json", FILE, b"{\"description\":\"Look\"}"),
        ("p/s.jsonl", FILE, line("m").as_bytes()),
    ]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.zip");
    fs::write(&path, archive).expect("written");
    let kept = Kept::default();
    let summary = kept.import(&path);
    assert_eq!((summary.skipped, summary.files, summary.sessions), (vec![], 3, 1));
    assert_eq!((kept.ids(), kept.inner().lines.len()), (vec!["m".into(), "c".into()], 3), "the sidecar's line has no id");
}

#[test]
fn what_would_do_harm_is_refused_in_words_and_leaves_nothing() {
    let text = lines(&["one"]);
    let fine = ("s.jsonl", FILE, text.as_bytes());
    let bomb = vec![b'\n'; 8 << 20];
    let two = zip(&[fine, ("t.jsonl", FILE, text.as_bytes())]);
    let mut overlapping = two.clone();
    let last = two.windows(4).rposition(|four| four == b"PK\x01\x02").expect("a directory");
    overlapping[last + 42..last + 46].fill(0);
    let many: Vec<String> = (0..10_001).map(|at| format!("{at}/")).collect();
    let many: Vec<(&str, u32, &[u8])> = many.iter().map(|name| (name.as_str(), 0, &b""[..])).collect();
    let whole = zip(&[fine]);
    for (what, bytes, why) in [
        ("zip-slip", renamed(zip(&[fine, ("aa/t.jsonl", FILE, b"x")]), "aa/t", "../t"), "outside"),
        ("absolute", renamed(zip(&[fine, ("aa/t.jsonl", FILE, b"x")]), "aa/t", "/a/t"), "outside"),
        ("link", zip(&[fine, ("t.jsonl", 0o120_777, b"/etc/passwd")]), "link"),
        ("device", zip(&[fine, ("t.jsonl", 0o020_600, b"")]), "device"),
        ("one name twice", renamed(two.clone(), "t.jsonl", "s.jsonl"), "one name"),
        ("overlapping", overlapping, "on top of each other"),
        ("many", zip(&many), "more than 10000 files"),
        ("zip bomb", zip(&[fine, ("t.jsonl", FILE, &bomb)]), "100 times"),
        ("zip bomb inside", zip(&[fine, ("t.jsonl.gz", FILE, &gzip(&bomb))]), "100 times"),
        ("gzip bomb", gzip(&bomb), "100 times"),
        ("zstd bomb", zstd(&bomb), "100 times"),
        ("bytes behind its end", [gzip(text.as_bytes()), b"rubbish, and more of it".to_vec()].concat(), "behind the end"),
        ("twice", gzip(&gzip(text.as_bytes())), "packed twice"),
        ("cut archive", whole[..whole.len() - 30].to_vec(), "no whole zip"),
        ("cut gzip", gzip(text.as_bytes())[..30].to_vec(), "ends early"),
        ("cut zstd", zstd(text.as_bytes())[..30].to_vec(), "damaged"),
        ("nothing", zip(&[("a.txt", FILE, b"x")]), "no transcript in this archive"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("given");
        fs::write(&path, bytes).expect("written");
        let kept = Kept::default();
        let options = Options { room: Some(folder.path()), ..Options::default() };
        let summary = import(std::slice::from_ref(&path), &options, &kept, &mut |_| {}).expect("an import");
        assert!(matches!(summary.skipped.as_slice(), [one] if one.why.contains(why)), "{what}: {:?}", summary.skipped);
        assert!(kept.inner().sources.is_empty() && kept.ids().is_empty(), "{what}");
        let left = fs::read_dir(folder.path().join("incoming")).map_or(0, |left| left.count());
        assert_eq!(left, 0, "{what}: nothing is left behind");
    }
}

#[test]
fn what_an_archive_holds_is_bounded() {
    let folder = tempfile::tempdir().expect("a folder");
    let text: String = (0..20_000).map(|n| line(&format!("{n}"))).collect();
    for (name, bytes) in [("a.zip", zip(&[("s.jsonl", FILE, text.as_bytes())])), ("s.jsonl.gz", gzip(text.as_bytes()))] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("written");
        let read = |most: u64| {
            let (kept, mut skipped) = (Kept::default(), Vec::new());
            let found = walk::find(&path, &mut skipped);
            let spool = Spool::new(Some(folder.path())).bounded(most);
            let summary = import_found(found, spool, skipped, &Options::default(), &kept, &mut |_| {}).expect("an import");
            (summary.files, summary.skipped.into_iter().map(|skipped| skipped.why).collect::<Vec<_>>())
        };
        assert_eq!(read(text.len() as u64), (1, vec![]), "{name}");
        assert_eq!(read(1 << 20), (0, vec!["It holds more than 1 MiB.".to_owned()]), "{name}");
        assert_eq!(fs::read_dir(folder.path().join("incoming")).map_or(0, |left| left.count()), 0, "{name}");
    }
}

#[test]
fn a_file_that_is_not_read_is_called_by_its_own_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().canonicalize().expect("a path").join("given");
    let strange = b"{\"a\":1}\n";
    for (bytes, shown) in [
        (gzip(strange), "given"),
        (zip(&[("p/s.jsonl.gz", FILE, &gzip(strange)), ("p/t.jsonl", FILE, line("t").as_bytes())]), "given/p/s.jsonl.gz"),
    ] {
        fs::write(&path, bytes).expect("written");
        let told = Kept::default().import(&path).skipped;
        assert!(matches!(told.as_slice(), [one] if Path::new(&one.path) == path.with_file_name(shown)), "{told:?}");
    }
    // What came by a page, or by standard input, has no path of ours.
    let held = path.with_file_name("held");
    fs::write(&held, gzip(strange)).expect("written");
    let found = vec![dropped(Path::new("talk.jsonl.gz"), held).expect("found")];
    let told = import_found(found, Spool::new(None), Vec::new(), &Options::default(), &Kept::default(), &mut |_| {}).expect("an import");
    assert!(matches!(told.skipped.as_slice(), [one] if one.path == "talk.jsonl.gz"), "{told:?}");
}

#[test]
fn what_was_spilled_is_found_beside_packed_transcripts() {
    let whole = [Some("abc\n\ndef".to_owned())];
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("a path");
    let (text, output) = (transcript("whole.txt"), b"abc\n\ndef");
    fs::create_dir_all(root.join("p/s/tool-results")).expect("a folder");
    fs::write(root.join("p/s.jsonl.gz"), gzip(text.as_bytes())).expect("written");
    fs::write(root.join("p/s/tool-results/whole.txt.zst"), zstd(output)).expect("written");
    let kept = Kept::default();
    kept.import(&root.join("p"));
    assert_eq!(spilled(&kept), whole);
    let archive = zip(&[
        ("p/s/tool-results/whole.txt", FILE, output),
        ("p/s/tool-results/looks.jsonl", FILE, line("no-transcript").as_bytes()),
        ("p/s.jsonl", FILE, text.as_bytes()),
    ]);
    fs::write(root.join("a.zip"), archive).expect("written");
    let kept = Kept::default();
    assert_eq!(kept.import(&root.join("a.zip")).files, 1);
    assert_eq!((spilled(&kept), kept.ids()), (whole.to_vec(), vec!["whole.txt".to_owned()]));
}
