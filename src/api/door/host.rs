//! The names that a browser may reach us by. A website that points its own name at this machine is turned away here.

use std::net::SocketAddr;

use axum::http::{HeaderMap, StatusCode, Uri, header};

use crate::api::Problem;

/// The allowed values of Host.
#[derive(Clone, Debug)]
pub struct Hosts {
    allowed: Vec<String>,
}

impl Hosts {
    /// The loopback names and the address itself, each with the port; and `names`, with a port of their own, with ours, or (behind a
    /// proxy) with none.
    pub fn new(addr: SocketAddr, names: &[String]) -> Self {
        let port = addr.port();
        let mut allowed: Vec<String> = ["127.0.0.1", "[::1]", "localhost"].iter().map(|name| format!("{name}:{port}")).collect();
        if !addr.ip().is_unspecified() {
            allowed.push(addr.to_string());
        }
        if port == 80 {
            allowed.extend(["127.0.0.1", "[::1]", "localhost"].map(String::from));
        }
        for name in names {
            let name = name.trim().to_ascii_lowercase();
            allowed.push(format!("{name}:{port}"));
            allowed.push(name);
        }
        Self { allowed }
    }

    /// Allows one more address: the local door's.
    pub fn allow(&mut self, addr: SocketAddr) {
        self.allowed.push(addr.to_string());
    }

    /// The Host of a request, in lower case; 421 unless there is exactly one, it is allowed, and the target agrees.
    pub fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<String, Problem> {
        let mut values = headers.get_all(header::HOST).iter();
        let host = values.next().and_then(|value| value.to_str().ok()).map(str::to_ascii_lowercase);
        let alone = values.next().is_none();
        let agrees = |host: &str| uri.authority().is_none_or(|authority| authority.as_str().eq_ignore_ascii_case(host));
        match host {
            Some(host) if alone && agrees(&host) && self.allowed.contains(&host) => Ok(host),
            _ => Err(Problem::new(
                StatusCode::MISDIRECTED_REQUEST,
                "wrong_host",
                "This server does not answer to that name; start it with --allow-host NAME if it should.",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn check(hosts: &[&str], target: &str) -> bool {
        let addr = "127.0.0.1:4180".parse().expect("an address");
        let rule = Hosts::new(addr, &["deck.example".into()]);
        let mut headers = HeaderMap::new();
        for host in hosts {
            headers.append(header::HOST, HeaderValue::from_str(host).expect("a header"));
        }
        rule.check(&target.parse().expect("a URI"), &headers).is_ok()
    }

    #[test]
    fn our_names_with_our_port() {
        for host in ["127.0.0.1:4180", "[::1]:4180", "localhost:4180", "LOCALHOST:4180", "deck.example", "deck.example:4180"] {
            assert!(check(&[host], "/"), "{host}");
        }
        assert!(check(&["localhost:4180"], "http://localhost:4180/"));
    }

    #[test]
    fn nobody_elses() {
        for host in [
            "evil.test",
            "evil.test:4180",
            "127.0.0.1.nip.io:4180",
            "",
            "localhost",
            "localhost:80",
            "127.0.0.1:4181",
            "localhost.:4180",
            "user@localhost:4180",
            "0.0.0.0:4180",
            "127.1:4180",
            "127.0.0.1:04180",
            "deck.example:1",
            "xdeck.example",
        ] {
            assert!(!check(&[host], "/"), "{host}");
        }
        assert!(!check(&[], "/"));
        assert!(!check(&["localhost:4180", "localhost:4180"], "/"));
        assert!(!check(&["localhost:4180"], "http://evil.test/"));
    }
}
