//! By which addresses a server is reached: by browsers of its machine, by others, by a phone. Pure.

use std::net::SocketAddr;

/// A name without its port.
pub fn host_of(name: &str) -> &str {
    match name.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') && port.parse::<u16>().is_ok() => host,
        _ => name,
    }
}

/// Where others reach the server.
pub fn origin(addr: SocketAddr, names: &[String], encrypted: bool) -> String {
    let scheme = if encrypted { "https" } else { "http" };
    let port = addr.port();
    match (addr.ip(), names.first()) {
        (ip, Some(name)) if ip.is_unspecified() => format!("{scheme}://{}:{port}", host_of(name)),
        (ip, None) if ip.is_unspecified() => format!("{scheme}://127.0.0.1:{port}"),
        _ => format!("{scheme}://{addr}"),
    }
}

/// Where a phone reaches the server: behind a proxy, which encrypts, by the name that was given for it.
pub fn phone(addr: SocketAddr, names: &[String], encrypted: bool) -> String {
    match names.first() {
        Some(name) if addr.ip().is_loopback() && !encrypted => format!("https://{name}"),
        _ => origin(addr, names, encrypted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_where_the_server_is_reached() {
        let at = |addr: &str, names: &[&str], encrypted| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            let addr = addr.parse().expect("an address");
            (origin(addr, &names, encrypted), phone(addr, &names, encrypted))
        };
        let both = |one: &str, other: &str| (one.to_owned(), other.to_owned());
        assert_eq!(at("127.0.0.1:1", &[], false), both("http://127.0.0.1:1", "http://127.0.0.1:1"));
        assert_eq!(at("127.0.0.1:1", &["deck.example"], false), both("http://127.0.0.1:1", "https://deck.example"));
        assert_eq!(at("0.0.0.0:1", &["10.0.0.5"], true), both("https://10.0.0.5:1", "https://10.0.0.5:1"));
        assert_eq!(at("192.168.1.5:1", &[], true), both("https://192.168.1.5:1", "https://192.168.1.5:1"));
    }
}
