//! Files on their way out of one body: their names first, then their bytes.

use std::collections::VecDeque;
use std::fs::File;
use std::path::PathBuf;

use axum::http::StatusCode;
use serde::Deserialize;

use crate::api::Problem;
use crate::ingest::{Found, MOST_BYTES, MOST_FILES, Spool, dropped, inside};

/// The longest line of names, in bytes.
pub const HEAD: usize = 4 << 20;

/// A file that is to come.
#[derive(Deserialize)]
struct Told {
    /// Below the folder that was chosen, or its name.
    path: String,
    size: u64,
}

/// What has come so far.
pub struct Landing {
    spool: Spool,
    /// The line of names, until it is whole.
    head: Option<Vec<u8>>,
    group: PathBuf,
    coming: VecDeque<(PathBuf, u64)>,
    /// The file at hand, and what it lacks.
    open: Option<(File, u64)>,
    found: Vec<Found>,
}

impl Landing {
    pub fn new(spool: Spool) -> Self {
        Self { spool, head: Some(Vec::new()), group: PathBuf::new(), coming: VecDeque::new(), open: None, found: Vec::new() }
    }

    /// More of the body.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        let Some(head) = &mut self.head else { return self.bytes(bytes) };
        let at = bytes.iter().position(|byte| *byte == b'\n');
        head.extend_from_slice(bytes.get(..at.unwrap_or(bytes.len())).unwrap_or_default());
        if head.len() > HEAD {
            return Err(too_long());
        }
        let Some(at) = at else { return Ok(()) };
        let head = self.head.take().unwrap_or_default();
        self.names(&head)?;
        self.bytes(bytes.get(at + 1..).unwrap_or_default())
    }

    /// The body has ended: all files, if all have come.
    pub fn end(mut self) -> Result<(Vec<Found>, Spool), Problem> {
        self.bytes(&[])?;
        if self.head.is_some() || self.open.is_some() || !self.coming.is_empty() {
            return Err(Problem::bad_request("The files did not come whole: nothing of them was kept."));
        }
        Ok((self.found, self.spool))
    }

    fn names(&mut self, head: &[u8]) -> Result<(), Problem> {
        let told: Vec<Told> = serde_json::from_slice(head).map_err(|_| Problem::bad_request("The names of the files cannot be read."))?;
        if told.is_empty() {
            return Err(Problem::bad_request("There is no file."));
        }
        let all = told.iter().fold(0u64, |all, file| all.saturating_add(file.size));
        if told.len() as u64 > MOST_FILES || all > MOST_BYTES {
            return Err(too_long());
        }
        self.group = self.spool.group().map_err(refused)?;
        for file in told {
            self.coming.push_back((inside(&file.path).map_err(refused)?, file.size));
        }
        Ok(())
    }

    fn bytes(&mut self, mut bytes: &[u8]) -> Result<(), Problem> {
        loop {
            let Some((file, left)) = &mut self.open else {
                let Some((path, size)) = self.coming.front() else {
                    return if bytes.is_empty() { Ok(()) } else { Err(Problem::bad_request("More comes than was told.")) };
                };
                let (_, file) = self.spool.file(&self.group, path).map_err(refused)?;
                self.open = Some((file, *size));
                continue;
            };
            if *left == 0 {
                let Some((path, _)) = self.coming.pop_front() else { return Ok(()) };
                let held = self.group.join(&path);
                self.found.push(dropped(&path, held).map_err(refused)?);
                self.open = None;
                continue;
            }
            if bytes.is_empty() {
                return Ok(());
            }
            let count = bytes.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
            let (now, rest) = bytes.split_at(count);
            self.spool.write(file, now).map_err(refused)?;
            *left -= count as u64;
            bytes = rest;
        }
    }
}

pub fn too_long() -> Problem {
    let what = format!("At most {MOST_FILES} files and {} GiB can be added at a time.", MOST_BYTES >> 30);
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_long", what)
}

fn refused(why: String) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "refused", why)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn land(body: &[u8], step: usize) -> Result<Vec<(PathBuf, Vec<u8>)>, u16> {
        let data = tempfile::tempdir().expect("a folder");
        let mut landing = Landing::new(Spool::new(Some(data.path())).strict());
        for chunk in body.chunks(step) {
            landing.add(chunk).map_err(|problem| problem.status)?;
        }
        let (found, spool) = landing.end().map_err(|problem| problem.status)?;
        let files = found.into_iter().map(|file| {
            let path = file.path.components().skip(1).collect();
            (path, std::fs::read(file.held.expect("a place")).expect("bytes"))
        });
        let files = files.collect();
        drop(spool);
        Ok(files)
    }

    #[test]
    fn files_come_out_whole_however_the_body_is_cut() {
        let body = b"[{\"path\":\"a/s.jsonl\",\"size\":5},{\"path\":\"none\",\"size\":0},{\"path\":\"t\",\"size\":2}]\nab\ncdef";
        let expected = [("a/s.jsonl", &b"ab\ncd"[..]), ("none", b""), ("t", b"ef")].map(|(path, bytes)| (path.into(), bytes.to_vec()));
        for step in 1..=body.len() {
            assert_eq!(land(body, step).as_deref(), Ok(&expected[..]), "in steps of {step}");
        }
        for cut in 0..body.len() {
            assert_eq!(land(&body[..cut], 7), Err(400), "cut at {cut}");
        }
    }

    #[test]
    fn what_is_told_wrongly_is_refused() {
        for (body, status) in [
            ("[]\n", 400),
            ("{}\n", 400),
            ("[{\"path\":\"a\",\"size\":1}]\nab", 400),
            ("[{\"path\":\"../a\",\"size\":1}]\na", 422),
            ("[{\"path\":\"/a\",\"size\":1}]\na", 422),
            ("[{\"path\":\"a\",\"size\":0},{\"path\":\"a\",\"size\":0}]\n", 422),
            ("[{\"path\":\"a\",\"size\":0},{\"path\":\"a/b\",\"size\":0}]\n", 422),
            ("[{\"path\":\"a\",\"size\":3000000000}]\n", 413),
            ("[{\"path\":\"a\",\"size\":18446744073709551615},{\"path\":\"b\",\"size\":2}]\n", 413),
        ] {
            assert_eq!(land(body.as_bytes(), 9), Err(status), "{body}");
        }
        assert_eq!(land(&vec![b'x'; HEAD + 2], 1 << 20), Err(413));
    }
}
