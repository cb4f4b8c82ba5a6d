//! Promise: a browser shows the pages without an error, runs their script, and asks nothing of anywhere else.
//!
//! Needs Chromium in the search path; where there is none, nothing is tested and a line says so.

use std::path::Path;
use std::process::Command;

use twicetold_event::Seat;
use twicetold_tests::chromium;

use crate::site::Site;

/// Opens a page with its token and gives the page as it was then, and what the browser had to say. All names but this machine's lead
/// nowhere.
fn opened(browser: &Path, address: &str) -> (String, String) {
    let profile = tempfile::TempDir::new().expect("there is room for a folder");
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]);
    command.args(["--disable-background-networking", "--disable-component-update", "--disable-sync"]);
    command.args(["--disable-dev-shm-usage", "--enable-logging=stderr", "--v=0", "--window-size=1280,900"]);
    command.args(["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--virtual-time-budget=10000"]);
    command.arg(format!("--user-data-dir={}", profile.path().display()));
    let output = command.arg("--dump-dom").arg(address).output().expect("the browser starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn pages_open_in_a_browser_without_an_error() {
    let Some(browser) = chromium("live pages in a browser") else { return };
    let site = Site::new();
    let id = site.play(3, usize::MAX);
    let own = |path: &str| format!("http://{}{path}?token={}", site.at, site.token);
    let seat = format!("http://{}{}", site.at, site.invitation(id, Seat::Player(1)));
    for (address, wanted) in [
        (own("/"), "class=\"campaigns\""),
        // The script shows what needs it.
        (own(&format!("/campaigns/{id}")), "<button type=\"button\" id=\"play\" aria-label=\"Play\">"),
        (own(&format!("/campaigns/{id}/why/40")), "<h2>Why</h2>"),
        (own(&format!("/campaigns/{id}/branches")), "class=\"tree\""),
        (seat, "aria-label=\"What you know\""),
    ] {
        let (shown, said) = opened(&browser, &address);
        assert!(shown.contains(wanted), "{address}: {wanted} is not in {shown}");
        // The policy forbids every other request and script, and the browser logs each attempt.
        let logged: Vec<&str> = said.lines().filter(|line| line.contains("CONSOLE")).collect();
        assert!(logged.is_empty(), "{address}: {logged:?}");
    }
}
