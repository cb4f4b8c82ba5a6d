//! Promise: an open page gets what somebody else commits, once and in order, and is told when its campaign is gone.

use std::collections::BTreeSet;
use std::thread::JoinHandle;

use twicetold_event::{CampaignId, Number};

use crate::site::{Site, Stream, played, small};

/// The numbers of the story's lines on a page or in a piece of one.
fn told(html: &str) -> Vec<u64> {
    let story = html.split("<aside").next().unwrap_or_default();
    let ids = story.split(" id=\"n").skip(1).filter_map(|rest| rest.split('"').next());
    ids.filter_map(|id| id.parse().ok()).collect()
}

fn from(page: &str) -> &str {
    page.split_once("data-next=\"").and_then(|(_, rest)| rest.split('"').next()).expect("a number")
}

/// Begins to play a campaign in a thread.
fn begun(site: &Site) -> (CampaignId, JoinHandle<CampaignId>) {
    let library = site.library();
    let playing = std::thread::spawn(move || played(&library, small(3), usize::MAX));
    // The campaign is there from its first entry on.
    loop {
        if let Some(id) = site.library().list().unwrap().into_iter().next() {
            return (id, playing);
        }
        std::thread::yield_now();
    }
}

#[test]
fn a_page_and_its_stream_tell_the_whole_story_once_while_it_is_played() {
    let site = Site::new();
    let (id, playing) = begun(&site);
    let page = site.page(&format!("/campaigns/{id}"));
    let mut numbers = told(&page);
    let mut stream = site.stream(&format!("/campaigns/{id}/events?from={}", from(&page)), &[]);
    let mut seen = from(&page).to_owned();
    loop {
        let sent = stream.next().expect("it ends with its campaign");
        match sent.name.as_str() {
            "more" => {
                numbers.extend(told(sent.data["story"].as_str().expect("a story")));
                assert!(sent.data["side"].as_str().is_some_and(|side| side.contains("<h2>Cast</h2>")));
                assert!(sent.data["now"].as_str().is_some_and(|now| now.contains("turn ")));
                assert_eq!(sent.id, sent.data["next"].to_string());
                seen = sent.id;
            }
            "over" => break,
            other => panic!("{other}: {}", sent.data),
        }
    }
    assert_eq!(playing.join().expect("it was played"), id);
    let whole = site.page(&format!("/campaigns/{id}"));
    // Headings with nothing under them are left out of a page that is whole.
    let wanted: BTreeSet<u64> = told(&whole).into_iter().collect();
    let got: BTreeSet<u64> = numbers.iter().copied().collect();
    assert_eq!(got.len(), numbers.len(), "something came twice");
    assert!(wanted.len() > 40 && wanted.is_subset(&got), "{:?}", wanted.difference(&got));
    assert!(got.difference(&wanted).count() <= 3, "{:?}", got.difference(&wanted));
    assert_eq!(seen, from(&whole));
}

#[test]
fn a_browser_that_comes_back_gets_what_it_has_not_seen() {
    let site = Site::new();
    let id = site.play(3, usize::MAX);
    let next = site.library().read(id).expect("it can be read").head().next;
    let path = format!("/campaigns/{id}/events?from=0");
    let all =
        told(site.stream(&path, &[]).next().expect("an event").data["story"].as_str().expect("a story"));
    let middle = all[all.len() / 2];
    let mut stream = site.stream(&path, &[&format!("Last-Event-ID: {middle}")]);
    let rest = told(stream.next().expect("an event").data["story"].as_str().expect("a story"));
    assert!(rest.len() < all.len() && all.ends_with(&rest) && rest[0] >= middle, "{middle}: {rest:?}");
    assert_eq!(stream.next().expect("an event").name, "over");
    assert!(stream.next().is_none(), "nothing follows an end");
    let mut stream = site.stream(&path, &[&format!("Last-Event-ID: {}", next.0)]);
    assert_eq!(stream.next().expect("an event").name, "over", "there is nothing more");
    assert_eq!(site.get(&format!("/campaigns/{id}/events?from=x")).status, 400);
    assert_eq!(next.max(Number(1)), next);
}

#[test]
fn a_campaign_that_is_removed_or_replaced_under_an_open_page_is_said_clearly() {
    for replaced in [false, true] {
        let site = Site::new();
        let id = site.play(3, 9);
        let page = site.page(&format!("/campaigns/{id}"));
        let mut stream = site.stream(&format!("/campaigns/{id}/events?from=0"), &[]);
        assert_eq!(stream.next().expect("what there is").name, "more");
        let file = site.library().place(id);
        std::fs::remove_file(&file).expect("it can be removed");
        if replaced {
            std::fs::write(&file, "something else").expect("a file can be written");
        }
        let gone = stream.next().expect("it is said");
        assert_eq!(gone.name, "gone");
        let said = gone.data["message"].as_str().expect("a message");
        assert!(said.contains(&id.to_string()), "{said}");
        assert!(gone.data["help"].as_str().is_some_and(|help| !help.is_empty()));
        assert!(stream.next().is_none());
        assert!(page.contains("id=\"trouble\" role=\"alert\""));
        assert_ne!(site.get(&format!("/campaigns/{id}")).status, 200);
    }
}

#[test]
fn a_stopped_server_ends_its_open_streams() {
    let site = Site::new();
    let id = site.play(3, 9);
    let mut stream = site.stream(&format!("/campaigns/{id}/events?from=0"), &[]);
    assert_eq!(stream.next().expect("what there is").name, "more");
    drop(site);
    assert!(stream.next().is_none());
}

#[test]
fn no_more_streams_are_open_than_the_limit_says() {
    let site = Site::new();
    let id = site.play(3, 9);
    let path = format!("/campaigns/{id}/events?from=0");
    let mut open: Vec<_> =
        (0..twicetold_live::limits::STREAMS_MAX).map(|_| site.stream(&path, &[])).collect();
    open.iter_mut().for_each(|stream| assert!(stream.next().is_some()));
    let answer = site.get(&path);
    assert_eq!(answer.status, 503);
    assert!(answer.body.contains("live pages are open already"), "{}", answer.body);
}

#[test]
fn no_more_campaigns_are_followed_than_the_limit_says_however_many_pages_show_the_same() {
    let site = Site::new();
    let most = twicetold_live::limits::FOLLOWED_MAX;
    let ids: Vec<_> = (0..most as u64).map(|seed| site.play(seed, 1)).collect();
    let path = |id: &CampaignId| format!("/campaigns/{id}/events?from=0");
    let mut open: Vec<_> = ids.iter().map(|id| site.stream(&path(id), &[])).collect();
    open.iter_mut().for_each(|stream| assert!(stream.next().is_some()));
    let other = site.play(99, 1);
    let answer = site.get(&path(&other));
    assert_eq!(answer.status, 503);
    assert!(answer.body.contains("campaigns and seats are open already"), "{}", answer.body);
    // One more page of the same takes no more than its connection.
    assert_eq!(site.stream(&path(&ids[0]), &[]).next().expect("what there is").name, "more");
    // Whoever closes the pages of one makes room for another.
    open.clear();
    let mut asked = std::iter::repeat_with(|| site.stream(&path(&other), &[]).next());
    assert!(asked.any(|sent| sent.is_some_and(|sent| sent.name == "more")));
}

#[test]
fn pages_that_show_the_same_are_told_the_same_and_one_that_does_not_read_keeps_nobody() {
    let site = Site::new();
    let (id, playing) = begun(&site);
    let path = format!("/campaigns/{id}/events?from=0");
    let silent = site.stream(&path, &[]);
    let (mut one, mut other) = (site.stream(&path, &[]), site.stream(&path, &[]));
    let told_of = |stream: &mut Stream| {
        let mut numbers = Vec::new();
        loop {
            let sent = stream.next().expect("it ends with its campaign");
            match sent.name.as_str() {
                "more" => numbers.extend(told(sent.data["story"].as_str().expect("a story"))),
                "over" => return numbers,
                other => panic!("{other}: {}", sent.data),
            }
        }
    };
    let (one, other) = (told_of(&mut one), told_of(&mut other));
    playing.join().expect("it was played");
    assert!(one.len() > 40 && one == other, "{one:?} and {other:?}");
    drop(silent);
}
