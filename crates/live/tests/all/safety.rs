//! Promise: nobody but the owner's browser sees or changes anything.

use twicetold_live::{Server, Settings};

use crate::site::{Site, runtime};

#[test]
fn the_printed_address_opens_the_pages_and_nothing_else_does() {
    let site = Site::new();
    let token = site.token.clone();
    assert_eq!(token.len(), 32);
    let opened = site.ask("GET", &format!("/?token={token}"), &[], "");
    assert_eq!(opened.status, 200, "{}", opened.body);
    let cookie = opened.head.lines().find(|line| line.starts_with("set-cookie: ")).expect("a cookie");
    for wanted in ["httponly", "samesite=strict", "path=/", &token] {
        assert!(cookie.contains(wanted), "{cookie}");
    }
    assert!(opened.body.contains("content=\"0; url=/\"") && !opened.body.contains(&token), "{}", opened.body);
    assert_eq!(site.get("/").status, 200);

    let wrong = "0".repeat(32);
    for (path, headers, status) in [
        ("/".to_owned(), vec![], 401),
        (format!("/?token={wrong}"), vec![], 403),
        (format!("/?token={}", &token[..31]), vec![], 403),
        ("/".to_owned(), vec![format!("Cookie: twicetold-{}={wrong}", site.at.port())], 401),
        // The cookie of a server on another port.
        ("/".to_owned(), vec![format!("Cookie: twicetold-1={token}")], 401),
    ] {
        let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
        let answer = site.ask("GET", &path, &headers, "");
        assert_eq!(answer.status, status, "{path} {headers:?}");
        assert!(answer.body.contains("twicetold serve"), "it says what to do: {}", answer.body);
        assert!(!answer.head.contains("set-cookie"), "{path}");
    }
    // Another run has another token.
    assert_ne!(Site::new().token, token);
}

#[test]
fn another_sites_name_and_another_sites_page_are_turned_away() {
    let site = Site::new();
    let (cookie, port) = (site.cookie(), site.at.port());
    for host in [
        "planted.example",
        &format!("planted.example:{port}"),
        "127.0.0.1:1",
        "127.0.0.1",
        "",
        "localhost.planted.example",
    ] {
        let answer = site.raw("GET", "/", &[&format!("Host: {host}"), &cookie], "");
        assert_eq!(answer.status, 421, "{host:?}");
    }
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")] {
        assert_eq!(site.raw("GET", "/", &[&format!("Host: {host}"), &cookie], "").status, 200, "{host}");
    }
    for header in [
        "Origin: https://planted.example",
        "Origin: http://127.0.0.1:1",
        "Origin: null\r\nSec-Fetch-Site: cross-site\r\nX-Method: POST",
    ] {
        let answer = site.ask("POST", "/", &[&cookie, header], "a=b");
        assert_eq!(answer.status, 403, "{header}");
    }
    // Whoever follows a link from another page sees the page, and no script of another page can read it.
    assert_eq!(site.ask("GET", "/", &[&cookie, "Sec-Fetch-Site: cross-site"], "").status, 200);
    assert_eq!(site.ask("GET", "/", &[&cookie, "Origin: https://planted.example"], "").status, 403);
}

#[test]
fn every_answer_forbids_what_no_page_needs() {
    let site = Site::new();
    for path in ["/", "/nothing", "/campaigns/ffff", "/assets/live.js", "/assets/live.css"] {
        let answer = site.get(path);
        for wanted in [
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'",
            "base-uri 'none'; frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-resource-policy: same-origin",
            "cache-control: no-store",
        ] {
            assert!(answer.head.contains(wanted), "{path} without {wanted}: {}", answer.head);
        }
        assert!(!answer.head.contains("unsafe-"), "{}", answer.head);
        if !path.starts_with("/assets") {
            assert!(!answer.body.contains(" style=") && !answer.body.contains("<style"), "{path}");
            assert_eq!(
                answer.body.matches("<script").count(),
                answer.body.matches("<script src=\"/assets/").count()
            );
        }
    }
    assert_eq!(site.get("/nothing").status, 404);
    assert_eq!(site.get("/campaigns/ffff").status, 404);
}

#[test]
fn a_port_in_use_is_named_with_what_to_do() {
    let site = Site::new();
    let settings = Settings { port: site.at.port(), ..Settings::default() };
    let error = runtime().block_on(async { Server::bind(site.library(), settings).await.err() });
    let error = error.expect("the port is in use");
    assert!(error.message.contains(&site.at.to_string()), "{error}");
    assert!(error.help.contains("--port"), "{}", error.help);
}
