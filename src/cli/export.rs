//! `sidedeck export`.

use std::fs::{self, OpenOptions};
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
    /// The file to write to, readable by you alone [default: stdout]
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
        let store = open::to_read(&self.data.folder()?)?;
        let sid = store
            .find(&self.session)?
            .ok_or_else(|| Failure::new(format!("There is no session {:?}: `sidedeck sessions` lists them.", self.session)))?;
        match &self.output {
            Some(file) => to_file(&store, sid, file),
            None => to_stdout(&store, sid),
        }
    }
}

fn to_stdout(store: &Shared, sid: Sid) -> Result<(), Failure> {
    let mut out = Watched { inner: BufWriter::with_capacity(64 << 10, io::stdout().lock()), broken: false };
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
