//! Promise: all campaigns are listed, the newest first, and found by their words.

use crate::site::Site;

#[test]
fn an_empty_folder_says_how_to_begin() {
    let page = Site::new().page("/");
    assert!(page.contains("There are no campaigns in") && page.contains("twicetold run"), "{page}");
    assert!(!page.contains("type=\"search\""));
}

#[test]
fn campaigns_are_listed_the_newest_first_and_searched() {
    let site = Site::new();
    let (first, second) = (site.play(3, usize::MAX), site.play(4, 9));
    let page = site.page("/");
    let place = |page: &str, id| page.find(&format!("/campaigns/{id}\""));
    assert!(place(&page, second) < place(&page, first) && place(&page, second).is_some(), "{page}");
    for wanted in ["The Borrowed Boat", ">over<", ">paused<", "improv", "tokens", "UTC", "2 in "] {
        assert!(page.contains(wanted), "{wanted:?} is not in {page}");
    }
    let page = site.page("/?search=PAUSED+boat");
    assert!(place(&page, second).is_some() && place(&page, first).is_none(), "{page}");
    assert!(page.contains("1 of 2 match"));
    let page = site.page("/?search=%3Cscript%3Ealert(1)%3C/script%3E");
    assert!(page.contains("No campaign matches") && !page.contains("<script>"), "{page}");
    // A row follows its campaign.
    let before = site.page("/?search=paused");
    std::fs::remove_file(site.library().place(second)).expect("it can be removed");
    assert_ne!(before, site.page("/?search=paused"));
}

#[test]
fn a_file_that_is_no_campaign_is_listed_with_what_is_wrong() {
    let site = Site::new();
    let id = site.play(3, 5);
    std::fs::write(site.library().place(id), "not a campaign").expect("a file can be written");
    let page = site.page("/");
    assert!(page.contains("A campaign that cannot be read") && page.contains(&id.to_string()), "{page}");
    let answer = site.get(&format!("/campaigns/{id}"));
    assert_eq!(answer.status, 500);
    assert!(answer.body.contains("<h1>") && answer.body.contains("export"), "{}", answer.body);
}

#[test]
fn five_hundred_campaigns_are_one_page() {
    let site = Site::new();
    let id = site.play(3, 5);
    let folder = site.library().folder().to_owned();
    // Copies bear other names; what they are is in the file.
    for number in 0..499_u32 {
        let name = format!("{number:032x}.redb");
        std::fs::copy(site.library().place(id), folder.join(name)).expect("it can be copied");
    }
    let page = site.page("/");
    assert!(page.contains("500 in "), "{}", &page[..2_000]);
    assert_eq!(page.matches("<h2>").count(), 500);
}
