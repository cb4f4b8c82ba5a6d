//! Promise: a report needs nothing but itself, every link in it leads somewhere, and nothing that a model or a file says is obeyed.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value;
use twicetold_event::{Event, ForkAsked, Number};
use twicetold_improv::{improvise, improvise_chaos};
use twicetold_journal::{Memory, Source, open_source};
use twicetold_report::{
    Examination, Finding, LoadedJournal, Severity, chat, discord, html, jsonl, limits, markdown,
};
use twicetold_session::{Cause, Explainer, entries, load};
use twicetold_tests::{CAMPAIGNS, Game, Home, Played, assert_outlined, repository};

use crate::branches::{asked, branched};

/// What somebody might plant, in hope of a page that runs it.
const PLANTED: &str = "\"'><script>alert(1)</script><img src=x onerror=alert(1)><a href=\"https://planted.example/\">a</a> [b](https://planted.example/) ![c](https://planted.example/d.png) {{ 7 }}";

/// Elements that a page is made of.
const ELEMENTS: &str = "a article b blockquote body br button caption circle code dd details div dl dt em figcaption figure footer \
    h1 h2 h3 h4 head header hr html i input label li line link main meta nav ol p path pre rect script section span strong style summary svg \
    table tbody td text th thead title tr ul wbr !DOCTYPE";

fn journals() -> Vec<PathBuf> {
    let folders = std::fs::read_dir(repository().join("replays")).expect("replays/ is there");
    let journals = folders.map(|folder| folder.unwrap().path().join("journal.twicetold"));
    let mut journals: Vec<PathBuf> = journals.filter(|journal| journal.is_file()).collect();
    journals.sort();
    assert!(journals.len() >= 3, "the golden journals are gone");
    journals
}

fn read(source: &dyn Source) -> LoadedJournal<'_> {
    LoadedJournal::read(source).expect("the journal can be read")
}

/// The tags of a page, each without its brackets. What is within the style and the script is left out.
fn tags(page: &str) -> Vec<&str> {
    page.split('<').skip(1).filter_map(|rest| rest.split_once('>')).map(|(tag, _)| tag).collect()
}

/// The values of an attribute in all tags.
fn values<'a>(tags: &[&'a str], attribute: &str) -> Vec<&'a str> {
    let opening = format!(" {attribute}=\"");
    tags.iter().filter_map(|tag| tag.split_once(&opening)?.1.split('"').next()).collect()
}

/// Panics unless the page holds nothing but what it is made of, and loads nothing.
pub(crate) fn check(page: &str) {
    let tags = tags(page);
    let known: BTreeSet<&str> = ELEMENTS.split_whitespace().collect();
    for tag in &tags {
        let name = tag.trim_start_matches('/').split([' ', '\n', '/']).next().unwrap_or_default();
        assert!(known.contains(name), "<{tag}>");
        assert!(!tag.contains(" on"), "a handler in <{tag}>");
        assert!(!tag.contains("http:") && !tag.contains("https:"), "<{tag}>");
    }
    let ids = values(&tags, "id");
    let unique: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(unique.len(), ids.len(), "an id is there twice");
    let links: Vec<&str> = tags.iter().filter(|tag| tag.starts_with("a ")).copied().collect();
    for link in values(&links, "href") {
        let target = link.strip_prefix('#').unwrap_or_else(|| panic!("{link} leads out of the page"));
        assert!(unique.contains(target), "{link} leads nowhere");
    }
    assert!(values(&tags, "src").is_empty(), "something is loaded");
    let scripts = usize::from(page.contains("script-src"));
    assert_eq!(tags.iter().filter(|tag| tag.starts_with("script")).count(), scripts, "those of the policy");
    assert_eq!(tags.iter().filter(|tag| tag.starts_with("style")).count(), 1);
    let style =
        page.split_once("<style>").and_then(|(_, rest)| rest.split_once("</style>")).expect("a style").0;
    assert!(!style.contains("url(") && !style.contains("@import"), "the style loads something");
    assert!(page.contains("default-src 'none'"), "the page has a policy");
    assert_outlined("the page", page);
}

/// A campaign whose models, title and goals say what was planted, wherever they can.
fn planted() -> Memory {
    let title = format!("title = '''{PLANTED}'''");
    let game = Game::new(7).with("campaign.toml", "title = \"One Lantern Short\"", &title);
    let played = game.answered(&mut |_, body| {
        let mut reply: Value = serde_json::from_str(&improvise(body)).expect("the improviser writes JSON");
        let message = &mut reply["choices"][0]["message"];
        let text = message["content"].as_str().unwrap_or_default().to_owned();
        // Where the improviser ends with a marker, it stays the end.
        message["content"] = format!("{PLANTED}\n\n{text}").into();
        for call in message["tool_calls"].as_array_mut().into_iter().flatten() {
            let arguments = &mut call["function"]["arguments"];
            let mut made: Value = serde_json::from_str(arguments.as_str().unwrap_or_default()).expect("JSON");
            for name in ["reason", "label", "summary", "text", "scene"] {
                if let Some(value) = made.get_mut(name).filter(|value| value.is_string()) {
                    *value = format!("{} {PLANTED}", value.as_str().unwrap_or_default()).into();
                }
            }
            *arguments = made.to_string().into();
        }
        reply.to_string()
    });
    played.memory
}

#[test]
fn every_golden_journal_becomes_a_page_whose_links_all_lead_somewhere() {
    for journal in journals() {
        let source = open_source(&journal).expect("the journal opens");
        let loaded = read(source.as_ref());
        let page = html(&loaded, &nothing()).expect("a page");
        check(&page);
        for heading in ["Story", "Party document", "Cast", "Goals", "Timeline", "Cost"] {
            assert!(page.contains(&format!("<h2>{heading}</h2>")), "{} has no {heading}", journal.display());
        }
        assert_eq!(
            page,
            html(&read(source.as_ref()), &nothing()).expect("a page"),
            "a page is the same each time"
        );
    }
}

#[test]
fn what_was_planted_is_shown_and_never_obeyed() {
    let memory = planted();
    let source = memory.open().expect("memory opens");
    let journal = read(&source);
    let finding = Finding {
        place: String::new(),
        severity: Severity::Warning,
        confidence: 80,
        detector: PLANTED.into(),
        numbers: vec![1],
        sentence: PLANTED.into(),
        why: PLANTED.into(),
    };
    let page = html(&journal, &found(finding)).expect("a page");
    check(&page);
    assert!(page.matches("&#60;script").count() > 5, "templates show it");
    assert!(page.matches("&lt;script").count() > 5, "speech shows it");
    let text = markdown(&journal);
    assert!(text.contains("&lt;script") && !text.contains("<script") && !text.contains("<img"));
    assert!(!text.contains("[b](https:"), "links are text");
}

#[test]
fn every_effect_opens_its_chain() {
    let source = open_source(&repository().join("replays/dialogues/journal.twicetold")).expect("it opens");
    let page = html(&read(source.as_ref()), &nothing()).expect("a page");
    let effects: Vec<&str> = page.split("<details class=\"explained\">").skip(1).collect();
    assert!(effects.len() > 10);
    for effect in effects {
        let chain = effect.split_once("<ol class=\"why\">").expect("a chain").1;
        let chain = chain.split_once("</details>\n").map_or(chain, |(chain, _)| chain);
        let causes = [">Tool call<", ">Decided by rule<", ">Words<"];
        assert!(causes.iter().any(|cause| chain.contains(cause)), "{chain:.400}");
        assert!(chain.contains(">Request<") && chain.contains("rebuilt exactly"), "{chain:.400}");
        assert!(chain.contains("tokens to answer") && chain.contains("seed "), "{chain:.400}");
        assert!(chain.contains("the server counted "), "{chain:.400}");
    }
    assert!(page.contains("proposed and accepted") && page.contains("dynamic_goals_max"));
}

/// Panics unless the page gives every effect the very cause that `why` gives it. How many there are.
fn assert_told_alike(source: &dyn Source) -> usize {
    let loaded = load(source).expect("the journal can be read");
    let explainer = Explainer::new(source, &loaded)
        .expect("it has a charter")
        .with_causes_max(limits::TRIGGERS_SHOWN_MAX);
    let page = html(&read(source), &nothing()).expect("a page");
    let marks = [("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&#39;", "'"), ("&#38;", "&")];
    let mut effects = 0;
    for effect in page.split("<details class=\"explained\">").skip(1) {
        let (summary, chain) = effect.split_once("<ol class=\"why\">").expect("a chain");
        let (chain, _) = chain.split_once("</ol>").expect("its end");
        let chain = marks.iter().fold(chain.to_owned(), |chain, (mark, plain)| chain.replace(mark, plain));
        for number in values(&tags(summary), "id") {
            let number = number.strip_prefix('n').and_then(|number| number.parse().ok()).expect("a number");
            let why = explainer.why(Number(number), 1).unwrap().expect("the number is there");
            let told = |words: &str| {
                // Of what would turn the words of a page around, nothing is shown.
                let words = words.replace(['\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}'], "");
                let words = words.replace(|c: char| c.is_control() && !"\n\t".contains(c), "\u{fffd}");
                assert!(chain.contains(&words), "#{number}: {words:?} is not in {chain}");
            };
            let link = |number: u64| format!("<a class=\"number\" href=\"#n{number}\">#{number}</a>");
            let call = match &why.cause {
                Cause::Tool { call, evidence, checks } => {
                    for one in evidence.iter().flat_map(|evidence| &evidence.cited) {
                        told(&format!("{} {}", link(one.number), one.text));
                    }
                    checks.iter().for_each(|(rule, observed)| told(&format!("<b>{rule}</b>: {observed}")));
                    Some(call)
                }
                Cause::Rejected { call, rule, observed, advice, said } => {
                    told(&format!("by <b>{rule}</b>: {observed}"));
                    told(advice);
                    if let Some(said) = said {
                        told(&link(said.reply));
                        told(&said.words);
                    }
                    call.as_ref()
                }
                Cause::Words { reply, bytes: (start, end) } => {
                    told(&format!("of the reply {}, bytes {start} to {end}", link(*reply)));
                    None
                }
                Cause::Carried { campaign, number } => {
                    told(&format!("from {campaign} #{number}"));
                    None
                }
                Cause::Rule { input, what } => {
                    told(&format!("at {}, when {what}", link(*input)));
                    None
                }
            };
            if let Some(call) = call {
                told(&format!("<b>{}</b>, the reply’s call no. {}", call.name, call.index + 1));
            }
            if let Some(request) = &why.request {
                told(&format!("{} to {}, {}", link(request.number), request.seat, request.answerer()));
                told(&request.settings());
                told(&format!("<code>{:.16}</code>", request.digest));
            }
            let led: Vec<String> =
                why.triggers.iter().map(|(number, what)| format!("{} {what}</li>", link(*number))).collect();
            led.iter().for_each(|step| told(step));
            let steps = chain.split_once(">Caused by<").map_or("", |(_, steps)| steps);
            assert_eq!(steps.matches("</li>").count(), led.len() + 1, "#{number}");
            effects += 1;
        }
    }
    effects
}

#[test]
fn a_page_gives_every_effect_the_cause_that_why_gives_it() {
    let mut all = 0;
    for seed in 0..10 {
        let game = Game::of(CAMPAIGNS[seed as usize % CAMPAIGNS.len()], 8_200 + seed);
        let (session, memory, first) = game.session();
        let mut played = Played { session, memory, transcript: Vec::new(), events: Vec::new(), calls: 0 };
        let answer = if seed % 2 == 0 { improvise } else { improvise_chaos };
        played.until(first, Some(Number(500)), &mut |_, body| answer(body));
        let effects = assert_told_alike(played.source());
        assert!(effects > 0, "no effects of seed {seed}");
        all += effects;
    }
    assert!(all > 300, "{all} effects in ten campaigns");
}

/// A page named the input of a branch where `why` said what it was.
#[test]
fn a_page_of_a_branch_says_that_it_began() {
    let folder = tempfile::tempdir().expect("a folder");
    let parent = Game::new(10).improvised();
    let rolls = |event: &Event| matches!(event, Event::AbilityChecked(_) | Event::DiceRolled(_));
    let all: Vec<_> = entries(parent.source()).unwrap().map(|entry| entry.unwrap()).collect();
    let entry = all.iter().find(|entry| entry.header.turn > 4 && entry.events.iter().any(rolls));
    // What is asked again is answered with a roll.
    let asked = ForkAsked { seed: Some(5), ..asked(entry.expect("somebody rolls").header.first) };
    let (branch, _) = branched(&parent, folder.path(), asked);
    assert!(assert_told_alike(branch.source()) > 20);
    let page = html(&read(branch.source()), &nothing()).expect("a page");
    assert!(page.contains("a branch began, so ") && !page.contains("ForkAsked, so "));
}

fn nothing() -> Examination {
    Examination::default()
}

fn found(finding: Finding) -> Examination {
    Examination { looked_for: vec!["something".into()], findings: vec![finding], ..Examination::default() }
}

#[test]
fn findings_stand_on_top_and_without_any_nothing_speaks_of_them() {
    let source = open_source(&journals()[0]).expect("the journal opens");
    let journal = read(source.as_ref());
    assert!(!html(&journal, &nothing()).expect("a page").contains("Findings"));
    let looked = Examination {
        looked_for: vec!["dice".into(), "words".into()],
        findings: Vec::new(),
        ..Examination::default()
    };
    assert!(html(&journal, &looked).expect("a page").contains("Nothing found. Looked for: dice; words."));
    let finding = Finding {
        place: String::new(),
        severity: Severity::Error,
        confidence: 85,
        detector: "a detector".into(),
        numbers: vec![2, 99_999_999],
        sentence: "Something is the matter.".into(),
        why: String::new(),
    };
    let page = html(&journal, &found(finding)).expect("a page");
    check(&page);
    assert!(
        page.contains("Something is the matter.")
            && page.contains("#99999999")
            && page.contains("a detector, 85% sure")
            && page.contains("href=\"#n2\"")
    );
}

#[test]
fn each_number_is_a_line_of_json() {
    let source = open_source(&journals()[0]).expect("the journal opens");
    let text = jsonl(&read(source.as_ref()));
    for (number, line) in (0..).zip(text.lines()) {
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(line["number"], number);
        assert!(line["type"].is_string() && !line["data"].is_null(), "{line}");
    }
    assert_eq!(text.lines().count() as u64, source.head().next.0);
}

#[test]
fn each_call_is_a_conversation_that_ends_with_the_answer() {
    let source = open_source(&repository().join("replays/dialogues/journal.twicetold")).expect("it opens");
    let text = chat(source.as_ref(), &read(source.as_ref())).expect("JSON");
    assert!(text.lines().count() > 20);
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let messages = line["messages"].as_array().expect("messages");
        assert_eq!(line["exact"], true);
        assert_eq!(messages[0]["role"], "system");
        assert_eq!(messages.last().expect("an answer")["role"], "assistant");
        let results = messages.iter().filter(|message| message["role"] == "tool");
        assert!(results.into_iter().all(|result| result["tool_call_id"].is_string()));
    }
}

/// Somebody wrote a report over a device, by force: it did not fit, and the device was removed.
#[test]
fn what_could_not_be_written_leaves_what_was_there() {
    let home = Home::new();
    let journal = repository().join("replays/dialogues/journal.twicetold");
    let journal = journal.to_str().unwrap();
    std::os::unix::fs::symlink("/dev/full", home.path("full")).unwrap();
    for force in [&["--force"][..], &[]] {
        home.run([&["report", journal, "-o", "full"][..], force].concat()).failed(1, &["cannot be written"]);
        assert!(home.path("full").symlink_metadata().is_ok(), "it is still there");
    }
    // A folder cannot be replaced by a page, and what is in it stays.
    std::fs::create_dir(home.path("folder")).unwrap();
    home.write("folder/kept.txt", "kept");
    home.run(["report", journal, "-o", "folder", "--force"]).failed(1, &["cannot be written"]);
    assert!(home.path("folder/kept.txt").is_file());
    assert_eq!(std::fs::read_dir(home.path(".")).unwrap().count(), 2, "no half file lies about");
}

#[test]
fn a_report_is_written_once_and_replaced_on_request_alone() {
    let home = Home::new();
    home.play(7);
    assert_eq!(home.succeed(["report", "last", "-o", "report.html"]), "report.html\n");
    let page = std::fs::read_to_string(home.path("report.html")).expect("it is there");
    check(&page);
    home.write("report.html", "kept");
    home.run(["report", "last", "-o", "report.html"]).failed(2, &["report.html exists already", "--force"]);
    assert_eq!(std::fs::read_to_string(home.path("report.html")).expect("it is there"), "kept");
    home.succeed(["report", "last", "-o", "report.html", "--force"]);
    assert_eq!(std::fs::read_to_string(home.path("report.html")).expect("it is there"), page);
    let named = home.succeed(["report", "last"]);
    assert!(home.path(named.trim()).is_file() && named.ends_with(".html\n"), "{named}");
    assert_eq!(home.succeed(["export", "last", "--as", "html"]), page);
    assert_eq!(home.succeed(["report", "last", "-o", "-"]), page);
    assert_eq!(home.succeed(["export", "last", "--as", "html", "-o", "-"]), page);
    home.run(["report", "last", "-o", "-", "--json"]).failed(2, &["--json needs a file"]);
    home.succeed(["export", "last", "new/folder/last.twicetold"]);
    home.succeed(["verify", "new/folder/last.twicetold"]);
}

#[test]
fn every_format_is_printed_or_written() {
    let home = Home::new();
    home.play(7);
    for (format, beginning) in
        [("md", "# The Borrowed Boat"), ("jsonl", "{"), ("chat", "{"), ("discord", "{")]
    {
        let printed = home.succeed(["export", "last", "--as", format]);
        assert!(printed.starts_with(beginning), "{format}: {printed:.80}");
        let file = format!("out.{format}");
        assert_eq!(home.succeed(["export", "last", "--as", format, "-o", &file]), format!("{file}\n"));
        assert_eq!(std::fs::read_to_string(home.path(&file)).expect("it is there"), printed);
        home.run(["export", "last", "--as", format, "-o", &file]).failed(2, &["exists already", "--force"]);
    }
    home.run(["export", "last"]).failed(2, &[]);
    let source = open_source(&home.campaigns()[0]).expect("it opens");
    assert_eq!(
        discord(&read(source.as_ref())).expect("JSON"),
        home.succeed(["export", "last", "--as", "discord"])
    );
}
