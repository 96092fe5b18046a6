//! `sidedeck pair`.

use std::io::{self, IsTerminal};

use clap::Args;
use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};

use super::link::Link;
use super::{Failure, answer};

/// Shows a QR code that logs a phone in
///
/// It holds a link of the running server, good once, for five minutes. The phone has to reach the server: see "On the phone" in the
/// README.
#[derive(Args)]
pub struct Pair {
    #[command(flatten)]
    link: Link,
}

impl Pair {
    pub fn run(self) -> Result<(), Failure> {
        let made = self.link.ask()?;
        let url = made.for_phone();
        if made.is_local() {
            return answer(|out| {
                writeln!(out, "No phone can reach this server: it listens on this machine alone, so there is no QR code to scan.")?;
                writeln!(
                    out,
                    "Three ways to let a phone in are under \"On the phone\" in the README; the shortest, in your own network:\n"
                )?;
                writeln!(out, "  sidedeck serve --expose --addr 0.0.0.0:4180 --tls-self\n")?;
                writeln!(out, "For one more browser on this machine, once within five minutes:\n\n  {url}")
            });
        }
        let code = picture(&url, io::stdout().is_terminal())?;
        answer(|out| {
            writeln!(out, "{code}\n\n  {url}\n")?;
            writeln!(out, "The link is good once, for five minutes.")?;
            if let Some(fingerprint) = &made.fingerprint {
                writeln!(out, "The phone has to trust this server's authority first: {}", made.authority())?;
                writeln!(out, "Its fingerprint (SHA-256): {fingerprint}")?;
            }
            Ok(())
        })
    }
}

/// The code in half blocks: black on white, whatever the terminal's colours are.
fn picture(url: &str, colours: bool) -> Result<String, Failure> {
    let code = QrCode::with_error_correction_level(url, EcLevel::L)
        .map_err(|error| Failure::new(format!("The link makes no QR code: {error}.")))?;
    let text = code.render::<Dense1x2>().quiet_zone(true).build();
    if !colours {
        return Ok(text);
    }
    Ok(text.lines().map(|line| format!("\x1b[30;107m{line}\x1b[0m")).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_fits_a_terminal() {
        let url = format!("https://a-machine.with-a-long-name.example.net:4180/pair#{}", "x".repeat(32));
        let plain = picture(&url, false).expect("a code");
        assert!(plain.lines().count() <= 24, "{}", plain.lines().count());
        assert!(plain.lines().all(|line| line.chars().count() <= 80));
        assert!(picture(&url, true).expect("a code").lines().all(|line| line.starts_with("\x1b[30;107m")));
    }
}
