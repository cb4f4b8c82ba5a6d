//! Promise: a campaign is shown as it stood at any moment, and the moment is in the address.

use crate::site::Site;

#[test]
fn a_page_as_of_a_number_shows_what_there_was_and_nothing_later() {
    let site = Site::new();
    let id = site.play(3, usize::MAX);
    let whole = site.page(&format!("/campaigns/{id}"));
    let numbers: Vec<u64> = whole
        .split("<aside")
        .next()
        .unwrap_or_default()
        .split(" id=\"n")
        .skip(1)
        .filter_map(|rest| rest.split('"').next()?.parse().ok())
        .collect();
    let last = site.library().read(id).expect("it can be read").head().next.0 - 1;
    for at in [0, 1, numbers[numbers.len() / 3], numbers[numbers.len() / 2], numbers[numbers.len() - 2]] {
        let page = site.page(&format!("/campaigns/{id}?at={at}"));
        let range = page.split_once("type=\"range\"").expect("a range").1;
        let shown = range.split_once("value=\"").expect("a value").1;
        let shown: u64 = shown.split('"').next().and_then(|shown| shown.parse().ok()).expect("a number");
        assert!(shown >= at, "#{at} is in the entry that ends with #{shown}");
        for number in &numbers {
            let is_there = page.contains(&format!(" id=\"n{number}\""));
            assert!(!is_there || *number <= shown, "#{number} is later than #{shown}");
        }
        assert!(page.contains("data-past") && page.contains(">Newest</a>"), "#{at}");
        // The steps lead to the ends of the entries before and after.
        let step = |name: &str| -> u64 {
            let value = page.split_once(&format!("data-{name}=\"")).expect("a step").1;
            value.split('"').next().and_then(|value| value.parse().ok()).expect("a number")
        };
        assert!(step("before") < shown || shown == 0, "#{at}");
        if shown == last {
            continue;
        }
        assert!(step("after") > shown, "#{at}");
        let after = site.page(&format!("/campaigns/{id}?at={}", step("after")));
        assert!(after.contains(&format!("data-before=\"{shown}\"")), "one on and one back is here again");
    }
    assert!(!whole.contains("data-past"));
    // Later than the end is the end.
    assert!(site.page(&format!("/campaigns/{id}?at=99999999")).contains("data-past"));
    for wrong in ["x", "-1", "1.5", "99999999999999999999999"] {
        let answer = site.get(&format!("/campaigns/{id}?at={wrong}"));
        assert_eq!(answer.status, 400, "{wrong}");
    }
}

#[test]
fn what_would_spoil_the_story_is_folded() {
    let site = Site::new();
    let id = site.play(3, usize::MAX);
    let page = site.page(&format!("/campaigns/{id}"));
    let goals = page.split_once("<section id=\"goals\">").expect("goals").1;
    let goals = goals.split_once("<section id=\"timeline\">").expect("a timeline").0;
    let (before, rest) = goals.split_once("<details class=\"spoiler\">").expect("a fold");
    assert!(rest.contains("class=\"fate\"") && !before.contains("class=\"fate\""), "{goals}");
    let story = page.split("<aside").next().unwrap_or_default();
    for (place, _) in story.match_indices("New hidden goal") {
        let fold = story[..place].rfind("<details class=\"spoiler\">").expect("a fold");
        assert!(!story[fold..place].contains("</details>"), "a hidden goal is open to see");
    }
    assert!(page.contains("<summary>Secret</summary>") || !page.contains("secret-text"));
}
