//! Promise: a browser shows a report, and the page of a sweep, without an error and without a request, readable in light and dark, as wide as a phone or a desk.
//!
//! Needs Chromium in the search path; where there is none, nothing is tested and a line says so.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use twicetold_journal::open_source;
use twicetold_report::{Examination, Finding, LoadedJournal, Severity, html};
use twicetold_tests::{Home, chromium, repository};

/// What measures a page from within.
const MEASURE: &str = include_str!("browser/measure.js");

/// The page around measured ones: it writes down what they tell it.
const AROUND: &str = r#"<!DOCTYPE html><meta name="color-scheme" content="light dark"><body><script>
onmessage = (event) => { const told = document.createElement("pre"); told.className = "told"; told.textContent = encodeURIComponent(event.data); document.body.append(told); };
</script>"#;

/// Widths in pixels at which a page is measured.
const WIDTHS: [u32; 3] = [360, 390, 1_280];

/// Opens a file from the disk and gives the page as it was then, and what the browser had to say.
fn open(browser: &Path, file: &Path, more: &[&str]) -> (String, String) {
    let profile = tempfile::TempDir::new().expect("there is room for a folder");
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]);
    command.args(["--disable-component-update", "--disable-sync", "--no-first-run", "--hide-scrollbars"]);
    command.args([
        "--disable-dev-shm-usage",
        "--enable-logging=stderr",
        "--v=0",
        "--virtual-time-budget=20000",
    ]);
    command.arg(format!("--user-data-dir={}", profile.path().display()));
    command.args(more).arg("--dump-dom").arg(format!("file://{}", file.display()));
    let output = command.output().expect("the browser starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

fn page(name: &str) -> String {
    let source =
        open_source(&repository().join(format!("replays/{name}/journal.twicetold"))).expect("it opens");
    let finding = |severity| Finding {
        place: String::new(),
        confidence: 80,
        severity,
        detector: "a detector".into(),
        numbers: vec![1, 2],
        sentence: "Something that somebody should look at.".into(),
        why: "Because of how it was seen.".into(),
    };
    let findings = [Severity::Error, Severity::Warning, Severity::Note].map(finding);
    let examined =
        Examination { looked_for: Vec::new(), findings: findings.into(), ..Examination::default() };
    html(&LoadedJournal::read(source.as_ref()).expect("it can be read"), &examined).expect("a page")
}

/// The page of a sweep with enough pairs for intervals.
fn sweep() -> String {
    let home = Home::new();
    home.write(
        "plan.toml",
        "name = \"page\"\ncampaigns = \"the-borrowed-boat\"\nseeds = \"1..10\"\nmodels = [\"improv\", \"improv:chaos\"]\nturns = 8\n",
    );
    home.succeed(["sweep", "run", "plan.toml", "--html", "page.html"]);
    std::fs::read_to_string(home.path("page.html")).expect("it was written")
}

/// What a page says of itself under this flag at each of the widths. A browser takes seconds to start, so one shows them all.
fn measured(browser: &Path, page: &str, flag: &str) -> Vec<Value> {
    let folder = tempfile::TempDir::new().expect("there is room for a folder");
    // The page's own policy knows its one script; here it must also let the measuring one run, and nothing more.
    let (front, rest) = page.split_once("default-src 'none'").expect("a policy");
    let rest = match rest.split_once("script-src 'sha256-") {
        Some((between, rest)) => between.to_owned() + rest.split_once("'; ").expect("a digest").1,
        None => rest.to_owned(),
    };
    let page = format!("{front}default-src 'none'; script-src 'unsafe-inline'{rest}");
    let page = page.replace("</body>", &format!("<script>{MEASURE}</script></body>"));
    std::fs::write(folder.path().join("measured.html"), page).expect("a file can be written");
    let around = folder.path().join("around.html");
    let frame = |width: u32| {
        format!(r#"<iframe src="measured.html" style="width: {width}px; height: 800px; border: 0"></iframe>"#)
    };
    std::fs::write(&around, AROUND.to_owned() + &WIDTHS.map(frame).concat()).expect("a file can be written");
    let (shown, said) = open(browser, &around, &["--window-size=1400,900", flag]);
    let told = shown.split("<pre class=\"told\">").skip(1).filter_map(|rest| rest.split_once("</pre>"));
    let mut told: Vec<Value> =
        told.map(|(told, _)| serde_json::from_str(&decoded(told)).expect("JSON")).collect();
    assert_eq!(told.len(), WIDTHS.len(), "not every page told something: {said}");
    told.sort_by_key(|found| found["width"].as_u64());
    told
}

/// Text as JavaScript's `encodeURIComponent` wrote it: nothing in it could be taken for markup.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        let code = behind.get(..2).filter(|_| byte == b'%').and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(code) => {
                bytes.push(code);
                rest = &behind[2..];
            }
            None => {
                bytes.push(byte);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn a_report_opens_from_the_disk_without_an_error() {
    let Some(browser) = chromium("reports in a browser") else { return };
    for name in ["dialogues", "combat-and-vices", "qwen-0.5b"] {
        let folder = tempfile::TempDir::new().expect("there is room for a folder");
        let file = folder.path().join("report.html");
        std::fs::write(&file, page(name)).expect("a file can be written");
        let (shown, said) = open(&browser, &file, &[]);
        // The policy forbids every request, and the browser logs each attempt, and each unknown script.
        let logged: Vec<&str> = said.lines().filter(|line| line.contains("CONSOLE")).collect();
        assert!(logged.is_empty(), "{name}: {logged:?}");
        assert!(
            shown.contains("id=\"unfold\"") && !shown.contains("class=\"tools\" hidden"),
            "{name}: its script ran"
        );
    }
}

#[test]
fn a_report_is_readable_in_light_and_dark_at_every_width() {
    let Some(browser) = chromium("reports in a browser") else { return };
    let journals = ["dialogues", "combat-and-vices"].map(|name| (name, page(name), 500, 200));
    let sweep = ("a sweep", sweep(), 100, 20);
    for (name, page, texts, links) in journals.into_iter().chain([sweep]) {
        for (flag, dark) in [
            ("--blink-settings=preferredColorScheme=1", false),
            ("--blink-settings=preferredColorScheme=0", true),
        ] {
            for (width, found) in WIDTHS.into_iter().zip(measured(&browser, &page, flag)) {
                assert_eq!(
                    (&found["width"], &found["dark"]),
                    (&width.into(), &dark.into()),
                    "{name}: {found}"
                );
                assert!(
                    found["texts"].as_u64() > Some(texts) && found["links"].as_u64() > Some(links),
                    "{name}: {found}"
                );
                for nothing in ["faint", "wide", "loaded", "unreachable"] {
                    assert_eq!(
                        found[nothing],
                        Value::Array(Vec::new()),
                        "{name}, {width}, dark {dark}: {nothing}"
                    );
                }
                for none in ["lost", "overflow", "stuck", "disordered"] {
                    assert_eq!(found[none], 0, "{name}, {width}, dark {dark}: {none}");
                }
                assert_eq!(found["ran"], true, "{name}");
            }
        }
    }
}
