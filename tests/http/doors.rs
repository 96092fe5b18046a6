//! Who is let in, and what everybody is told.

use sidedeck::api::{ROUTES, Who};

use crate::support::{Answer, SESSION_URL, Server, bearer};

/// Every route with its variables filled in, server functions too.
fn routes() -> Vec<(String, String, Who)> {
    let fill = |path: &str| path.replace("{s}", SESSION_URL).replace("{a}", "main").replace("{hash}", &"0".repeat(64));
    let plain = ROUTES.iter().map(|route| (route.method.to_string(), fill(route.path), route.who));
    let calls = leptos::server_fn::axum::server_fn_paths().map(|(path, method)| (method.to_string(), path.to_owned(), Who::Holder));
    plain.chain(calls).collect()
}

#[test]
fn every_route_with_data_needs_a_credential() {
    let server = Server::with_session();
    let all = routes();
    assert!(all.iter().filter(|(_, path, _)| path.starts_with("/api/fn/")).count() > 3, "server functions are enumerated: {all:?}");
    for (method, path, who) in all {
        for headers in [&[][..], &[("Authorization", "Bearer wrong")], &[("Cookie", "sid_1=x")], &[("x-api-key", crate::support::TOKEN)]] {
            let answer = server.ask(&method, &path, headers, "");
            match who {
                Who::Holder => assert_eq!((answer.status, answer.code().as_str()), (401, "no_credential"), "{method} {path} {headers:?}"),
                Who::Anyone => assert_ne!(answer.status, 401, "{method} {path}"),
            }
        }
        let in_query = server.ask(&method, &format!("{path}?token={}&after=0", crate::support::TOKEN), &[], "");
        assert!(who == Who::Anyone || in_query.status == 401, "a token in the query is none: {method} {path}");
    }
    assert_eq!(server.ask("GET", "/api/v1/nothing", &[], "").status, 401, "a route that there is not is closed, too");
    assert_eq!(server.get("/api/v1/nothing").code(), "no_such_route");
}

#[test]
fn pages_lead_to_pairing_and_back() {
    let server = Server::with_session();
    assert!(sidedeck::serve::page_paths().len() >= 3);
    for (path, to) in [
        ("/", "/pair"),
        ("/s/a%2Fb", "/pair?next=/s/a%252Fb"),
        ("/s/x/a/main", "/pair?next=/s/x/a/main"),
        ("/no/such/page", "/pair?next=/no/such/page"),
    ] {
        let answer = server.ask("GET", path, &[], "");
        assert_eq!((answer.status, answer.header("location")), (303, Some(to)), "{path}");
    }
    assert_eq!(server.ask("GET", "/pair?next=/s/a%252Fb", &[], "").status, 200);
    for next in ["//evil.test", "https://evil.test", "/%5Cevil.test"] {
        assert_eq!(server.ask("GET", &format!("/pair?next={next}"), &[], "").status, 400, "{next}");
    }
}

#[test]
fn the_host_comes_first() {
    let server = Server::with_session();
    let port = server.addr.port();
    let with = |host: &str, path: &str| {
        server.raw(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: {}\r\nConnection: close\r\n\r\n", bearer()))
    };
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")] {
        assert_eq!(with(&host, "/api/v1/sessions").status, 200, "{host}");
    }
    for path in ["/api/v1/sessions", "/", "/healthz", "/pair", "/favicon.svg", "/nothing"] {
        for host in [
            "evil.test".into(),
            format!("evil.test:{port}"),
            format!("127.0.0.1.nip.io:{port}"),
            format!("localhost.:{port}"),
            String::new(),
        ] {
            assert_eq!(with(&host, path).status, 421, "{host} {path}");
        }
    }
    let twice = format!("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    assert!([400, 421].contains(&server.raw(&twice).status));
    let none = server.raw("GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n");
    assert!([400, 421].contains(&none.status));
    let target = format!("GET http://evil.test/healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    assert_eq!(server.raw(&target).status, 421);
}

#[test]
fn other_sites_neither_write_nor_read() {
    let server = Server::with_session();
    let cookie = server.cookie();
    let json = ("Content-Type", "application/json");
    for headers in [
        [("Origin", "https://evil.test"), ("", "")],
        [("Origin", "null"), ("", "")],
        [("Origin", "http://localhost:1"), ("", "")],
        [("Sec-Fetch-Site", "cross-site"), ("", "")],
        [("Sec-Fetch-Site", "same-site"), ("", "")],
        [("Sec-Fetch-Site", "same-origin"), ("Origin", "https://evil.test")],
        [("", ""), ("", "")],
    ] {
        let code = server.state.doors.pairing.code();
        let body = format!("{{\"code\":\"{code}\"}}");
        let answer = server.ask("POST", "/api/pair", &[json, ("Cookie", &cookie), headers[0], headers[1]], &body);
        assert_eq!(answer.status, 403, "{headers:?}");
        assert_eq!(answer.header("set-cookie"), None);
    }
    for site in ["cross-site", "same-site"] {
        for path in ["/api/v1/events", "/api/v1/sessions", "/api/fn/sessions"] {
            assert_eq!(server.ask("GET", path, &[("Cookie", &cookie), ("Sec-Fetch-Site", site)], "").status, 403, "{site} {path}");
        }
    }
    assert_eq!(server.ask("GET", "/api/v1/sessions", &[("Cookie", &cookie), ("Sec-Fetch-Site", "same-origin")], "").status, 200);
    let preflight =
        server.ask("OPTIONS", "/api/v1/sessions", &[("Origin", "https://evil.test"), ("Access-Control-Request-Method", "GET")], "");
    assert!(preflight.status >= 400 && preflight.headers.iter().all(|(name, _)| !name.starts_with("access-control-")));
}

#[test]
fn two_credentials_are_none() {
    let server = Server::with_session();
    let answer = server.ask("GET", "/api/v1/sessions", &[("Authorization", &bearer()), ("Authorization", &bearer())], "");
    assert_eq!(answer.status, 400);
    let cookie = server.cookie();
    let wrong = server.ask("GET", "/api/v1/sessions", &[("Authorization", "Bearer wrong"), ("Cookie", &cookie)], "");
    assert_eq!(wrong.status, 401, "a wrong token is not made good by a cookie");
    let lower = server.ask("GET", "/api/v1/sessions", &[("Authorization", &bearer().replace("Bearer", "bearer"))], "");
    assert_eq!(lower.status, 200);
}

#[test]
fn bodies_are_small_plain_and_of_a_known_type() {
    let server = Server::with_session();
    let ask = |headers: &[(&str, &str)], body: &str| {
        let mut all = vec![("Authorization", "")];
        let bearer = bearer();
        all[0].1 = &bearer;
        all.extend_from_slice(headers);
        server.ask("POST", "/api/pair", &all, body).status
    };
    let json = ("Content-Type", "application/json");
    assert_eq!(ask(&[("Content-Type", "text/plain")], "{}"), 415);
    assert_eq!(ask(&[], "{}"), 415);
    assert_eq!(ask(&[json, ("Content-Encoding", "gzip")], "{}"), 415);
    assert_eq!(ask(&[json], "no json"), 400);
    assert_eq!(ask(&[json], &"x".repeat((1 << 20) + 1)), 413);
    let chunked = format!(
        "POST /api/pair HTTP/1.1\r\nHost: {}\r\nAuthorization: {}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n{:x}\r\n{}\r\n0\r\n\r\n",
        server.addr,
        bearer(),
        (1 << 20) + 1,
        "x".repeat((1 << 20) + 1)
    );
    assert_eq!(server.raw(&chunked).status, 413);
}

#[test]
fn who_is_refused_while_still_sending_reads_why() {
    let server = Server::with_session();
    let headers = [("Authorization", bearer()), ("Content-Type", "application/json".into())];
    let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let answer = server.ask("POST", "/api/pair", &headers, &"x".repeat(16 << 20));
    assert_eq!(answer.status, 413);
}

#[test]
fn paths_do_not_walk() {
    let server = Server::with_session();
    let secret = server.folder.path().join("data").join("browsers.json");
    server.cookie();
    assert!(secret.exists());
    for path in [
        "/../../etc/passwd",
        "/pkg/../../Cargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/pkg/..%2f..%2fCargo.toml",
        "/..%5c..%5cetc",
        "/%00",
        "/s/%2e%2e",
        "/api/v1/sessions/%2e%2e",
        "/api/v1/sessions/..%2f..%2fx/export",
    ] {
        assert_eq!(server.get(path).status, 400, "{path}");
        assert_eq!(server.ask("GET", path, &[], "").status, 400, "{path}");
    }
    for path in ["/%252e%252e/etc/passwd", "//etc/passwd", "/Cargo.toml", "/api/v1/sessions/CON", "/api/v1/sessions/%E2%80%AE"] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    let long = "x".repeat(70_000);
    assert!([404, 414, 431].contains(&server.get(&format!("/api/v1/sessions/{long}")).status));
}

#[test]
fn every_answer_has_its_headers() {
    let server = Server::with_session();
    let token = bearer();
    let auth = [("Authorization", token.as_str())];
    let answers: Vec<(&str, Answer)> = vec![
        ("page", server.ask("GET", "/", &auth, "")),
        ("missing page", server.ask("GET", "/nothing", &auth, "")),
        ("to pairing", server.ask("GET", "/", &[], "")),
        ("pairing", server.ask("GET", "/pair", &[], "")),
        ("401", server.ask("GET", "/api/v1/sessions", &[], "")),
        ("421", server.ask("GET", "/", &[("Host", "evil.test")], "")),
        ("405", server.ask("DELETE", "/api/v1/sessions", &[token_header(&token)], "")),
        ("data", server.ask("GET", "/api/v1/sessions", &auth, "")),
        ("call", server.ask("GET", "/api/fn/sessions", &auth, "")),
        ("blob", server.ask("GET", &format!("/api/v1/sessions/{SESSION_URL}/blobs/{}", "0".repeat(64)), &auth, "")),
        ("health", server.ask("GET", "/healthz", &[], "")),
    ];
    let mut nonces = std::collections::BTreeSet::new();
    for (what, answer) in &answers {
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cache-control", "no-store"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{what}");
        }
        assert!(answer.header("permissions-policy").is_some(), "{what}");
        let policy = answer.header("content-security-policy").unwrap_or_else(|| panic!("{what} has no policy"));
        assert!(
            policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe-inline"),
            "{what}"
        );
        let nonce = policy.split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).expect("a nonce").to_owned();
        assert!(nonce.len() >= 22 && nonces.insert(nonce.clone()), "{what}: a nonce of its own");
        let text = answer.text();
        for script in text.match_indices("<script").map(|(at, _)| &text[at..]) {
            assert!(script.starts_with(&format!("<script nonce=\"{nonce}\"")) || script.contains(&format!("nonce=\"{nonce}\"")), "{what}");
        }
    }
}

/// A page that was rendered while another server of the process looked for its pages did not end.
#[test]
fn a_page_ends_while_another_server_starts() {
    let server = Server::with_session();
    let path = format!("/s/{SESSION_URL}");
    std::thread::scope(|scope| {
        let pages = scope.spawn(|| (0..20).all(|_| server.get(&path).text().contains("</html>")));
        while !pages.is_finished() {
            let _ = sidedeck::serve::router(server.state.clone());
        }
        assert!(pages.join().is_ok_and(|ended| ended), "a page without its end");
    });
}

fn token_header(token: &str) -> (&str, &str) {
    ("Authorization", token)
}

#[test]
fn routes_of_subagents_do_not_change_anything() {
    let server = Server::with_session();
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        let headers = [("Authorization", bearer()), ("Content-Type", "application/json".into())];
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let answer = server.ask(method, &format!("/api/v1/sessions/{SESSION_URL}/agents/a1/entries"), &headers, "{}");
        assert_eq!((answer.status, answer.code().as_str()), (405, "no_such_method"), "{method}");
        let page = server.ask(method, &format!("/s/{SESSION_URL}/a/a1"), &headers, "{}");
        assert_eq!(page.status, 405, "{method}");
    }
    // Without a body there is no type to be wrong.
    assert_eq!(server.ask("DELETE", "/api/v1/sessions", &[("Authorization", &bearer())], "").status, 405);
}

#[test]
fn reading_changes_nothing() {
    let server = Server::with_session();
    let export = format!("/api/v1/sessions/{SESSION_URL}/export");
    let (before, head) = (server.get(&export).text(), server.state.store.head().expect("a cursor"));
    for (method, path, _) in routes().into_iter().filter(|(method, path, _)| method == "GET" && path != "/api/v1/events") {
        server.get(&path);
        let answer = server.ask("HEAD", &path, &[("Authorization", &bearer())], "");
        assert!(answer.body.is_empty(), "{method} {path}");
    }
    assert_eq!((server.get(&export).text(), server.state.store.head().expect("a cursor")), (before, head));
}
