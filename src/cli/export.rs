//! `sidedeck export`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::{Data, Failure, open};
use crate::api::door::random_name;
use crate::api::export;
use crate::store::{Shared, Sid};

/// Writes a session, whole, as one document
#[derive(Args)]
pub struct Export {
    /// The session's id, or another of its names
    session: String,
    /// The form of the document
    #[arg(long, env = "SIDEDECK_FORMAT", value_enum, default_value_t = Format::Json)]
    format: Format,
    /// The file to write to, readable by you alone [default: stdout, as with -]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    data: Data,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// The contract of docs/export.md
    Json,
}

impl Export {
    pub fn run(&self) -> Result<(), Failure> {
        let Format::Json = self.format;
        let data = self.data.folder()?;
        let store = open::to_read(&data)?;
        let sid = store
            .find(&self.session)?
            .ok_or_else(|| Failure::new(format!("There is no session {:?}: `sidedeck sessions` lists them.", self.session)))?;
        match &self.output {
            Some(file) if file != Path::new("-") => match place(file, &data)? {
                Place::File(file) => to_file(&store, sid, &file),
                Place::Device(device) => to(&store, sid, device),
            },
            _ => to(&store, sid, io::stdout().lock()),
        }
    }
}

/// Where a document goes.
enum Place {
    File(PathBuf),
    /// A device or a pipe, which nothing may be put in the place of.
    Device(File),
}

/// Finds out what stands under a name: a link is followed, and the data folder is no place for documents.
fn place(name: &Path, data: &Path) -> Result<Place, Failure> {
    let failed = |error: io::Error| Failure::new(format!("{} cannot be written: {error}.", name.display()));
    if name.starts_with("/dev") || name.metadata().is_ok_and(|facts| !facts.is_file() && !facts.is_dir()) {
        return OpenOptions::new().write(true).open(name).map(Place::Device).map_err(failed);
    }
    let mut file = name.to_owned();
    // More links than this are a ring.
    for _ in 0..40 {
        let Ok(target) = fs::read_link(&file) else { break };
        file = file.parent().unwrap_or(Path::new("")).join(target);
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).canonicalize().map_err(failed)?;
    if data.canonicalize().is_ok_and(|data| folder.starts_with(data)) {
        return Err(Failure::new(format!("{} lies in the data folder: choose a place outside of it.", name.display())));
    }
    Ok(Place::File(file))
}

fn to(store: &Shared, sid: Sid, out: impl Write) -> Result<(), Failure> {
    let mut out = Watched { inner: BufWriter::with_capacity(64 << 10, out), broken: false };
    let written = export::json(store.as_ref(), sid, &mut out);
    let flushed = out.flush();
    if out.broken {
        return Ok(());
    }
    written?;
    flushed.map_err(|error| Failure::new(format!("The document cannot be written: {error}.")))
}

/// The file is there whole, or not at all.
fn to_file(store: &Shared, sid: Sid, file: &Path) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::new(format!("{} cannot be written: {error}.", file.display()));
    let mut name = file.as_os_str().to_owned();
    name.push(format!(".{}", random_name(6)));
    let new = PathBuf::from(name);
    let written = (|| {
        let mut out = BufWriter::new(OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new).map_err(failed)?);
        export::json(store.as_ref(), sid, &mut out)?;
        out.flush().map_err(failed)?;
        fs::rename(&new, file).map_err(failed)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&new);
    }
    written
}

/// Remembers that the reader has gone: `sidedeck export … | head` is no failure.
struct Watched<W> {
    inner: W,
    broken: bool,
}

impl<W: Write> Watched<W> {
    fn note<T>(&mut self, done: io::Result<T>) -> io::Result<T> {
        self.broken |= done.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
        done
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.inner.write(bytes);
        self.note(done)
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.inner.flush();
        self.note(done)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_document_replaces_no_link_no_device_and_nothing_of_ours() {
        let room = tempfile::tempdir().expect("a folder");
        let (data, link) = (room.path().join("data"), room.path().join("link"));
        fs::create_dir(&data).expect("a folder");
        symlink("target", &link).expect("a link");
        assert!(matches!(place(&link, &data), Ok(Place::File(file)) if file == room.path().join("target")));
        assert!(matches!(place(Path::new("/dev/null"), &data), Ok(Place::Device(_))));
        assert!(place(&data.join("sidedeck.db"), &data).is_err_and(|failure| failure.0.contains("data folder")));
        symlink(data.join("new"), room.path().join("in")).expect("a link");
        assert!(place(&room.path().join("in"), &data).is_err());
        assert!(place(&room.path().join("none/file"), &data).is_err());
    }
}
