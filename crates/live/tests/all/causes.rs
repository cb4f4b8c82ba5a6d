//! Promise: every number has a page that says why, down to the prompt, and every link of every page leads somewhere.

use std::collections::BTreeSet;

use crate::site::Site;

/// Entries of the campaigns that are looked at: Session Zero and some turns of play, since each number is a page.
const ENTRIES: usize = 22;

fn links(page: &str) -> BTreeSet<String> {
    let hrefs = page.split(" href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    hrefs.map(str::to_owned).collect()
}

#[test]
fn every_number_of_a_campaign_has_a_page_and_all_links_lead_somewhere() {
    let site = Site::new();
    let id = site.play(3, ENTRIES);
    let next = site.library().read(id).expect("it can be read").head().next.0;
    let base = format!("/campaigns/{id}/why/");
    let table = site.page(&format!("/campaigns/{id}"));
    let mut wanted: BTreeSet<String> = links(&table);
    assert!(
        wanted.iter().filter(|link| link.starts_with(&base)).count() > 10,
        "effects lead to their causes"
    );
    let mut prompts = 0;
    for number in 0..next {
        let page = site.page(&format!("{base}{number}"));
        prompts += usize::from(page.contains("<h2>The prompt</h2>"));
        wanted.extend(links(&page));
        assert!(!page.contains("href=\"#n"), "{number}: a number leads to its own page");
    }
    assert!(prompts > 10, "{prompts}");
    for link in wanted {
        let (path, place) = link.split_once('#').unwrap_or((&link, ""));
        if let Some(number) = path.strip_prefix(&base) {
            assert!(number.parse::<u64>().is_ok_and(|number| number < next), "{link}");
            continue;
        }
        let page = if path.is_empty() { table.clone() } else { site.page(path) };
        let is_there =
            place.is_empty() || page.contains(&format!(" id=\"{place}\"")) || path.contains("?at=");
        assert!(is_there, "{link} leads nowhere");
    }
    let answer = site.get(&format!("{base}{next}"));
    assert_eq!(answer.status, 404);
    assert!(answer.body.contains(&format!("its last number is #{}", next - 1)), "{}", answer.body);
    assert_eq!(site.get(&format!("{base}goal")).status, 400);
}

#[test]
fn a_prompt_is_shown_as_it_was_sent_with_the_source_of_each_piece() {
    let site = Site::new();
    let id = site.play(3, ENTRIES);
    let library = site.library();
    let source = library.read(id).expect("it can be read");
    let loaded = twicetold_session::load(&*source).expect("it can be loaded");
    let explainer = twicetold_session::Explainer::new(&*source, &loaded).expect("it can be explained");
    let mut compared = 0;
    for number in 0..source.head().next.0 {
        let Some(rebuilt) = explainer.prompt(twicetold_event::Number(number)).expect("it can be rebuilt")
        else {
            continue;
        };
        let page = site.page(&format!("/campaigns/{id}/why/{number}"));
        // An input has the page of what first came of it, and that may be the next request.
        let Some((_, prompt)) = page.split_once("<h2>The prompt</h2>") else { continue };
        if !page.contains(&format!("<h1>Why #{number}</h1>")) {
            continue;
        }
        assert!(prompt.contains("Rebuilt from the journal, and equal to the request"), "#{number}");
        let pieces: String = prompt
            .split("class=\"piece ")
            .skip(4)
            .filter_map(|rest| rest.split_once('>')?.1.split_once("</"))
            .map(|(text, _)| text)
            .collect();
        let said: String = rebuilt.parts.iter().map(|part| part.text.as_str()).collect();
        let plain = |text: &str| text.split_whitespace().collect::<String>();
        let unescaped =
            pieces.replace("&#34;", "\"").replace("&#39;", "'").replace("&#60;", "<").replace("&#62;", ">");
        let unescaped = unescaped.replace("&#38;", "&");
        for line in said.lines().filter(|line| line.len() > 20) {
            assert!(plain(&unescaped).contains(&plain(line)), "#{number}: {line:?} is not shown");
        }
        assert!(prompt.contains("prompts/") && prompt.contains("class=\"piece state\""), "#{number}");
        compared += 1;
    }
    assert!(compared > 10, "{compared}");
}
