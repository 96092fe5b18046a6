//! `sidedeck serve`.

use std::io::{self, IsTerminal};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use clap::builder::FalseyValueParser;
use tokio_util::sync::CancellationToken;

use super::reach::{host_of, origin, phone};
use super::{Data, Failure, answer, tell};
use crate::api::State;
use crate::api::door::{Doors, Public};
use crate::demo::Demo;
use crate::ingest::{Intake, Pace, Sink, Tail, settle_orphans, settle_silent};
use crate::live::{Hub, Seats, Size};
use crate::model::Prices;
use crate::serve::{self, Limits, Tls};
use crate::store::Writer;

/// After how long it is said of a pushed session that there is no news: longer than a body may be silent, and than
/// `sidedeck push` is.
const SILENCE: Duration = Duration::from_mins(10);

/// Shows agents in the browser, live
///
/// Prints a link that logs one browser in: it carries a code that is good once, for five minutes. Press Enter for another one.
/// Watches ~/.claude/projects unless told otherwise. Programs use /api/v1 with `Authorization: Bearer` and the token that is given as
/// SIDEDECK_TOKEN or stands in the file `token` of the data folder.
#[derive(Args)]
pub struct Serve {
    /// Where to listen; port 0 takes a free one
    #[arg(long, env = "SIDEDECK_ADDR", default_value = "127.0.0.1:4180", value_name = "ADDR")]
    addr: SocketAddr,
    /// A folder to watch for transcripts, instead of ~/.claude/projects; may be repeated
    #[arg(long, env = "SIDEDECK_WATCH", value_delimiter = ':', value_name = "DIR")]
    watch: Vec<PathBuf>,
    /// Watch nothing
    #[arg(long, env = "SIDEDECK_NO_WATCH", value_parser = FalseyValueParser::new(), conflicts_with = "watch")]
    no_watch: bool,
    /// Play a made-up session: a main agent and four subagents, for about a minute
    #[arg(long, env = "SIDEDECK_DEMO", value_parser = FalseyValueParser::new())]
    demo: bool,
    /// Open the link in the browser
    #[arg(long, env = "SIDEDECK_OPEN", value_parser = FalseyValueParser::new())]
    open: bool,
    /// Allow an address that other machines can reach
    #[arg(long, env = "SIDEDECK_EXPOSE", value_parser = FalseyValueParser::new())]
    expose: bool,
    /// Encrypt with this certificate, with its chain, as PEM
    #[arg(long, env = "SIDEDECK_TLS_CERT", value_name = "FILE", requires = "tls_key", conflicts_with = "tls_self")]
    tls_cert: Option<PathBuf>,
    /// Its key, as PEM
    #[arg(long, env = "SIDEDECK_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Encrypt with a certificate of Sidedeck's own authority, which is kept in the data folder and which a phone has to trust once
    #[arg(long, env = "SIDEDECK_TLS_SELF", value_parser = FalseyValueParser::new())]
    tls_self: bool,
    /// Allow that without encryption: whoever is on the network can read along
    #[arg(long, env = "SIDEDECK_INSECURE", value_parser = FalseyValueParser::new())]
    insecure: bool,
    /// A further name that browsers may reach the server by, as of a proxy; may be repeated
    #[arg(long, env = "SIDEDECK_ALLOW_HOST", value_delimiter = ',', value_name = "NAME")]
    allow_host: Vec<String>,
    /// A file of prices in the place of those that come with the program: docs/prices.md
    #[arg(long, env = "SIDEDECK_PRICES", value_name = "FILE")]
    prices: Option<PathBuf>,
    #[command(flatten)]
    data: Data,
    /// The token of programs; given by the environment alone, where other users cannot read it
    #[arg(skip)]
    token: Option<String>,
}

/// What the server runs beside answering requests. Ends when dropped.
struct Sources {
    tail: Option<Tail>,
    _demo: Option<Demo>,
}

impl Serve {
    pub fn run(mut self) -> Result<(), Failure> {
        self.token = std::env::var("SIDEDECK_TOKEN").ok().filter(|token| !token.is_empty());
        self.check_reach()?;
        if let Some(file) = self.watch.iter().find(|path| path.exists() && !path.is_dir()) {
            return Err(Failure::new(format!("{} is no folder: --watch takes a folder, `sidedeck import` also a file.", file.display())));
        }
        let listener = self.listen()?;
        let addr = listener.local_addr()?;
        let data = self.data.folder()?;
        let hub = Arc::new(Hub::new(Size::default()));
        let (writer, store) = Writer::open(&data, hub.clone())?;
        let names = self.names(addr);
        let tls = self.tls(&data, &names)?;
        let mut doors = Doors::open(addr, &names, &data, self.token.as_deref()).map_err(Failure::new)?;
        let local = if tls.is_some() { Some(local_door(&mut doors)?) } else { None };
        let authority = tls.as_ref().and_then(|tls| tls.authority.clone());
        doors.public = Public {
            origin: origin(addr, &names, tls.is_some()),
            phone: phone(addr, &names, tls.is_some()),
            authority: authority.map(|authority| (authority.der, authority.fingerprint)),
        };
        let sources = self.start(&writer)?;
        let looker = sources.tail.as_ref().map(Tail::looker);
        let state = State {
            store: store.clone(),
            hub,
            doors: Arc::new(doors),
            seats: Arc::new(Seats::default()),
            pace: crate::live::Pace::default(),
            writer: writer.clone(),
            prices: Arc::new(self.prices()?),
            intake: Arc::new(Intake::new(Arc::new(writer.clone())).hinting(looker)),
            incoming: data.as_path().into(),
            stop: CancellationToken::new(),
        };
        crate::ingest::sweep(&data);
        let threads = std::thread::available_parallelism().map_or(4, |cores| cores.get().max(4));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
        let served = runtime.block_on(self.serve(Listening { listener, tls, local }, state, &data));
        drop(sources);
        let closed = runtime.block_on(async { tokio::time::timeout(Duration::from_secs(1), writer.close()).await });
        runtime.shutdown_timeout(Duration::from_millis(200));
        served?;
        closed.map_or(Ok(()), |closed| closed.map_err(Failure::from))
    }

    fn prices(&self) -> Result<Prices, Failure> {
        let Some(path) = &self.prices else { return Ok(Prices::default()) };
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::new(format!("The prices in {} cannot be read: {error}.", path.display())))?;
        Prices::read(&text).map_err(|error| Failure::new(format!("{error} docs/prices.md tells the form of {}.", path.display())))
    }

    /// The names and addresses by which others may reach the server: those given, and where it listens on all addresses, its own.
    fn names(&self, addr: SocketAddr) -> Vec<String> {
        let own = addr.ip().is_unspecified().then(serve::own_address).flatten();
        self.allow_host.iter().cloned().chain(own.map(|ip| ip.to_string())).collect()
    }

    fn tls(&self, data: &Path, names: &[String]) -> Result<Option<Tls>, Failure> {
        match (&self.tls_cert, &self.tls_key) {
            (Some(cert), Some(key)) => Tls::of_files(cert, key).map(Some).map_err(Failure::new),
            _ if self.tls_self => {
                let own = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
                let listening = Some(self.addr.ip()).filter(|ip| !ip.is_unspecified() && !ip.is_loopback()).map(|ip| ip.to_string());
                // A name may carry a port; a certificate does not.
                let given = names.iter().map(|name| host_of(name).to_owned());
                let names: Vec<String> = own.into_iter().chain(listening).chain(given).collect();
                Tls::own(data, &names).map(Some).map_err(Failure::new)
            }
            _ => Ok(None),
        }
    }

    async fn serve(&self, Listening { listener, tls, local }: Listening, state: State, data: &Path) -> Result<(), Failure> {
        let addr = listener.local_addr()?;
        let listener = awaited(listener)?;
        serve::on_signal(state.stop.clone())?;
        let link = Link { origin: state.doors.public.origin.clone(), doors: state.doors.clone() };
        super::server::announce(data, local.as_ref().and_then(|local| local.local_addr().ok()).unwrap_or(addr));
        self.greet(&link, data)?;
        if io::stdin().is_terminal() {
            link.clone().on_enter();
        }
        tokio::spawn(listen_for_silence(state.writer.clone(), state.intake.clone()));
        let (stop, limits) = (state.stop.clone(), Limits::default());
        let router = serve::router(state);
        match (tls, local) {
            (Some(tls), Some(local)) => {
                let beside = serve::run(awaited(local)?, router.clone(), limits, stop.clone());
                tokio::join!(serve::run_encrypted(listener, tls.acceptor, router, limits, stop), beside);
            }
            _ => serve::run(listener, router, limits, stop).await,
        }
        Ok(())
    }

    fn greet(&self, link: &Link, data: &Path) -> Result<(), Failure> {
        let url = link.make();
        answer(|out| {
            writeln!(out, "Sidedeck is running. Open this link within five minutes; it logs one browser in:\n\n  {url}\n")?;
            let enter = if io::stdin().is_terminal() { "press Enter, or " } else { "" };
            let own = if self.data.is_given() { format!(" --data {}", data.display()) } else { String::new() };
            writeln!(out, "For another link {enter}run `sidedeck link{own}`. Ctrl-C stops the server.")?;
            writeln!(out, "Data: {}", data.display())
        })?;
        if let Some((_, fingerprint)) = &link.doors.public.authority {
            tell(&format!("A phone has to trust {}/authority.crt first. Its fingerprint (SHA-256): {fingerprint}", link.origin));
        }
        for folder in self.folders() {
            tell(&format!("Watching {}{}", folder.display(), if folder.exists() { "" } else { ", which is not there yet" }));
        }
        if self.folders().is_empty() && !self.demo {
            tell("Watching nothing: point it at your agents with --watch DIR, or see --demo.");
        }
        if !serve::has_client() {
            tell("This build has no client inside: pages can be read, but do not move. Build it with `make build`.");
        }
        if self.open && !open_in_browser(&url) {
            tell("No browser could be opened: open the link yourself.");
        }
        Ok(())
    }

    /// Refuses to be reached by others unless that was asked for in so many words.
    fn check_reach(&self) -> Result<(), Failure> {
        if self.addr.ip().is_loopback() {
            return Ok(());
        }
        let addr = self.addr;
        if !self.expose {
            return Err(Failure::new(format!(
                "{addr} can be reached by other machines. Listen on 127.0.0.1 and reach it by a tunnel (ssh -L), or say --expose."
            )));
        }
        if !self.insecure && !self.tls_self && self.tls_cert.is_none() {
            return Err(Failure::new(format!(
                "{addr} would be served without encryption. Say --tls-self, give --tls-cert and --tls-key, put a proxy with TLS before \
                 127.0.0.1 and name it with --allow-host, or say --insecure."
            )));
        }
        Ok(())
    }

    fn listen(&self) -> Result<TcpListener, Failure> {
        TcpListener::bind(self.addr).map_err(|error| {
            let addr = self.addr;
            Failure::new(match error.kind() {
                io::ErrorKind::AddrInUse => {
                    format!(
                        "Port {} is in use, perhaps by another Sidedeck. Stop that one, or choose another port with --addr.",
                        addr.port()
                    )
                }
                io::ErrorKind::PermissionDenied => format!("Port {} needs more rights. Choose one above 1023 with --addr.", addr.port()),
                io::ErrorKind::AddrNotAvailable => format!("{} is no address of this machine. Choose another with --addr.", addr.ip()),
                _ => format!("It cannot listen on {addr}: {error}."),
            })
        })
    }

    /// The folders to watch.
    fn folders(&self) -> Vec<PathBuf> {
        if self.no_watch || !self.watch.is_empty() {
            return self.watch.clone();
        }
        let configured = std::env::var_os("CLAUDE_CONFIG_DIR").map(PathBuf::from);
        let home = std::env::home_dir().map(|home| home.join(".claude"));
        configured.or(home).map(|folder| folder.join("projects")).filter(|folder| folder.is_dir()).into_iter().collect()
    }

    fn start(&self, writer: &Writer) -> Result<Sources, Failure> {
        let sink: Arc<dyn Sink> = Arc::new(writer.clone());
        let folders = self.folders();
        settle_orphans(writer, &folders)?;
        let demo = self.demo.then(|| Demo::start(sink.clone())).transpose()?;
        let tail = (!folders.is_empty()).then(|| Tail::start(folders, sink, Pace::default(), Box::new(tell)));
        Ok(Sources { tail, _demo: demo })
    }
}

/// Where the server listens. With encryption programs of this machine have a door of their own, without.
struct Listening {
    listener: TcpListener,
    tls: Option<Tls>,
    local: Option<TcpListener>,
}

/// The door of programs on this machine, at a port of its own.
fn local_door(doors: &mut Doors) -> Result<TcpListener, Failure> {
    let local = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    doors.hosts.allow(local.local_addr()?);
    Ok(local)
}

fn awaited(listener: TcpListener) -> Result<tokio::net::TcpListener, Failure> {
    listener.set_nonblocking(true)?;
    Ok(tokio::net::TcpListener::from_std(listener)?)
}

/// Makes links that log a browser in.
#[derive(Clone)]
struct Link {
    origin: String,
    doors: Arc<Doors>,
}

impl Link {
    fn make(&self) -> String {
        format!("{}/pair#{}", self.origin, self.doors.pairing.code())
    }

    /// Prints a new link whenever Enter is pressed. The thread waits for the terminal, and dies with the process.
    fn on_enter(self) {
        std::thread::spawn(move || {
            for line in io::stdin().lines() {
                if line.is_err() || answer(|out| writeln!(out, "\n  {}\n", self.make())).is_err() {
                    break;
                }
            }
        });
    }
}

/// Tells again and again of which pushed sessions there is no news.
async fn listen_for_silence(writer: Writer, intake: Arc<Intake>) {
    let mut beat = tokio::time::interval(SILENCE / 10);
    loop {
        beat.tick().await;
        let (writer, intake) = (writer.clone(), intake.clone());
        // What could not be written now is written with the next.
        if let Ok(Err(error)) = tokio::task::spawn_blocking(move || settle_silent(&writer, &intake, SILENCE)).await {
            tracing::warn!(%error, "that a session is silent could not be kept");
        }
    }
}

fn open_in_browser(url: &str) -> bool {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    Command::new(program).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        serve: Serve,
    }

    fn reach(words: &[&str]) -> Result<(), Failure> {
        Line::parse_from([&["sidedeck"], words].concat()).serve.check_reach()
    }

    #[test]
    fn a_folder_to_watch_and_watching_nothing_exclude_each_other() {
        assert!(Line::try_parse_from(["sidedeck", "--watch", "a", "--no-watch"]).is_err());
        let line = Line::parse_from(["sidedeck", "--watch", "a:b", "--watch", "c"]);
        assert_eq!(line.serve.folders(), ["a", "b", "c"].map(PathBuf::from));
    }

    #[test]
    fn nobody_is_exposed_by_accident() {
        for words in [
            &["--addr", "127.0.0.1:1"][..],
            &["--addr", "[::1]:1"],
            &["--addr", "127.0.0.2:1"],
            &["--addr", "0.0.0.0:1", "--expose", "--insecure"],
            &["--addr", "0.0.0.0:1", "--expose", "--tls-self"],
            &["--addr", "0.0.0.0:1", "--expose", "--tls-cert", "c", "--tls-key", "k"],
        ] {
            assert!(reach(words).is_ok(), "{words:?}");
        }
        for words in [
            &["--addr", "0.0.0.0:1"][..],
            &["--addr", "[::]:1"],
            &["--addr", "192.168.1.5:1", "--insecure"],
            &["--addr", "0.0.0.0:1", "--expose"],
            &["--addr", "0.0.0.0:1", "--tls-self"],
        ] {
            assert!(reach(words).is_err(), "{words:?}");
        }
    }
}
