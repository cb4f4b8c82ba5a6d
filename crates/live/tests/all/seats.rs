//! Promise: a seat is played by its link; the link shows what the seat may know, and opens nothing else.

use std::sync::atomic::{AtomicU64, Ordering};

use twicetold_event::Seat;
use twicetold_host::mapping::WhoPlays;
use twicetold_host::opening::Opening;
use twicetold_journal::Source;
use twicetold_session::load;
use twicetold_tests::{CAMPAIGNS, unknown_to};

use crate::forms::form_token;
use crate::site::{Site, played};

/// Asks with the cookie of a seat.
struct Guest<'s> {
    site: &'s Site,
    path: String,
    cookie: String,
}

impl<'s> Guest<'s> {
    /// Opens the link of a seat.
    fn of(site: &'s Site, link: &str) -> Guest<'s> {
        let opened = site.ask("GET", link, &[], "");
        assert_eq!(opened.status, 200, "{}", opened.body);
        let path = link.split('?').next().unwrap_or_default().to_owned();
        let cookie =
            opened.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a cookie");
        assert!(cookie.contains(&format!("path={path}")), "{cookie}");
        let cookie = format!("Cookie: {}", cookie.split(';').next().unwrap_or_default());
        Guest { site, path, cookie }
    }

    fn get(&self, path: &str) -> crate::site::Answer {
        self.site.ask("GET", path, &[&self.cookie], "")
    }

    fn page(&self) -> String {
        let answer = self.get(&self.path);
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    }

    fn send(&self, what: &str, fields: &str) -> u16 {
        let own = format!("Origin: http://{}", self.site.at);
        let token = form_token(&self.page());
        let fields = format!("form_token={token}&{fields}");
        self.site.ask("POST", &format!("{}/{what}", self.path), &[&self.cookie, &own], &fields).status
    }
}

/// Starts a campaign in the server and gives its path and the links of its seats, the DM's first.
fn started(site: &Site) -> (String, Vec<String>) {
    let token = form_token(&site.page("/"));
    let own = format!("Origin: http://{}", site.at);
    let fields = format!("form_token={token}&campaign=the-borrowed-boat&model=improv&seed=3");
    let answer = site.ask("POST", "/campaigns", &[&site.cookie(), &own], &fields);
    let path =
        answer.head.lines().find_map(|line| line.strip_prefix("location: ")).expect("a page").to_owned();
    let page = site.page(&path);
    let links = page.split("href=\"/seats/").skip(1).filter_map(|rest| rest.split('"').next());
    (path, links.map(|link| format!("/seats/{link}")).collect())
}

/// How many random campaigns are looked through; the recipe `isolation` asks for more.
fn campaigns() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "how many campaigns a test looks through")]
    let asked = std::env::var("TWICETOLD_ISOLATION");
    asked.map_or(4, |count| count.parse().expect("TWICETOLD_ISOLATION is a number"))
}

/// All that the link of a seat shows: its page, and what its stream sends from the beginning.
fn shown_to(guest: &Guest<'_>) -> String {
    let mut shown = guest.page();
    let mut stream = guest.site.stream_as(&guest.cookie, &format!("{}/events?from=0", guest.path));
    while let Some(sent) = stream.next() {
        for piece in ["story", "side", "act"] {
            shown += sent.data[piece].as_str().unwrap_or_default();
        }
    }
    shown.replace("&#39;", "'").replace("&#34;", "\"").replace("&quot;", "\"").replace("&amp;", "&")
}

#[test]
fn a_seats_link_shows_nothing_that_the_seat_may_not_know() {
    let site = Site::new();
    let (next, all) = (AtomicU64::new(0), campaigns());
    // A stream that has nothing more to say ends after a while: some are waited for side by side.
    let look = || {
        loop {
            match next.fetch_add(1, Ordering::Relaxed) {
                number if number < all => look_through(&site, number),
                _ => break,
            }
        }
    };
    std::thread::scope(|scope| {
        let threads = [(); 6].map(|()| scope.spawn(look));
        threads.into_iter().for_each(|thread| thread.join().expect("nothing is shown"));
    });
}

/// Plays a random campaign, and looks at what the link of each of its seats shows.
fn look_through(site: &Site, number: u64) {
    let library = site.library();
    let model = if number % 3 == 2 { "improv:chaos" } else { "improv" };
    let campaign = CAMPAIGNS[(number % 5) as usize];
    let opening = Opening {
        campaign: Some(campaign),
        seed: Some(number),
        // Some stop in the middle of it.
        turns: (number % 4 == 3).then_some(25),
        who: WhoPlays { model: vec![model.into()], ..WhoPlays::default() },
        ..Opening::default()
    };
    let id = played(&library, opening, usize::MAX);
    let source = library.read(id).expect("it can be read");
    for seat in players(&*source) {
        let marks = unknown_to(&*source, seat);
        assert!(marks.len() > 4, "{marks:?}");
        let shown = shown_to(&Guest::of(site, &site.invitation(id, seat)));
        for mark in marks {
            assert!(!shown.contains(&mark), "{campaign}, {number}, {model}: {seat} is shown {mark:?}");
        }
        assert!(!shown.contains("/campaigns/") && !shown.contains("Secrets"), "{seat}: a way out");
    }
}

fn players(source: &dyn Source) -> Vec<Seat> {
    load(source).expect("it can be loaded").campaign.state().setup().players().collect()
}

#[test]
fn a_seats_link_opens_nothing_else() {
    let site = Site::new();
    let id = site.play(3, usize::MAX);
    let source = site.library().read(id).expect("it can be read");
    let players = players(&*source);
    for seat in &players {
        let link = site.invitation(id, *seat);
        let guest = Guest::of(&site, &link);
        let other = players.iter().find(|other| *other != seat).expect("another player");
        let mut closed = vec![
            "/".to_owned(),
            format!("/campaigns/{id}"),
            format!("/campaigns/{id}/events"),
            format!("/campaigns/{id}/why/5"),
        ];
        closed.extend([
            format!("/seats/{id}/{}", other.slug()),
            format!("/seats/{id}/dm"),
            format!("/seats/{id}/dm/events"),
        ]);
        for path in closed {
            assert_eq!(guest.get(&path).status, 401, "{seat}: {path}");
        }
        let token = link.split_once("token=").expect("a token").1;
        for path in [format!("/?token={token}"), format!("/seats/{id}/{}?token={token}", other.slug())] {
            assert_eq!(site.ask("GET", &path, &[], "").status, 403, "{path}");
        }
        assert_eq!(guest.get(&format!("/seats/{id}/memory")).status, 404);
    }
}

#[test]
fn a_seat_is_taken_played_and_given_back() {
    let site = Site::new();
    // The improviser is quick: whoever sits down first may come too late, and another campaign is tried.
    for _ in 0..20 {
        let (path, links) = started(&site);
        if links.len() < 2 {
            continue;
        }
        let guest = Guest::of(&site, &links[1]);
        if guest.send("sit", "name=Ada") != 303 {
            continue;
        }
        let mut asked = None;
        let mut stream = site.stream_as(&guest.cookie, &format!("{}/events?from=0", guest.path));
        while let Some(sent) = stream.next() {
            if sent.data["act"].as_str().is_some_and(|act| act.contains("name=\"call\"")) {
                asked = sent.data["act"].as_str().map(str::to_owned);
                break;
            }
        }
        let Some(act) = asked else { continue };
        assert!(act.contains("Your turn"), "{act}");
        // What can be done has plain words, and no tool's name is shown.
        let shown = act.split("<summary").skip(1).filter_map(|rest| rest.split(['<', '>']).nth(1));
        for shown in shown {
            let is_named = |tool: &twicetold_tool::Tool| shown.starts_with(&tool.name.replace('_', " "));
            assert!(shown.starts_with(char::is_uppercase), "{shown}");
            assert!(!twicetold_tool::TOOLS.iter().any(is_named), "{shown}");
        }
        // A call that was made before somebody sat down is withdrawn, and the person is asked anew.
        let asked_now = |_: u32| {
            let page = guest.page();
            let call = page.split_once("name=\"call\" value=\"")?.1.split('"').next()?.to_owned();
            (guest.send("answer", &format!("call={call}&words=")) == 400).then_some(call)
        };
        let call = (0..200).find_map(asked_now).expect("a call that waits for the person");
        assert_eq!(guest.send("answer", "call=999999&words=late"), 409);
        assert_eq!(guest.send("answer", &format!("call={call}&tool=encounter_resolve")), 409);
        // Of those who answer at the same moment one is heard, and the others are told so.
        let words = format!("call={call}&words=I+count+%3Cb%3Eboats%3C%2Fb%3E.");
        let mut statuses = std::thread::scope(|scope| {
            let sent = [(); 3].map(|()| scope.spawn(|| guest.send("answer", &words)));
            sent.map(|one| one.join().expect("it is answered"))
        });
        statuses.sort_unstable();
        assert_eq!(statuses, [303, 409, 409]);
        let told = loop {
            let sent = stream.next().expect("it goes on");
            let story = sent.data["story"].as_str().unwrap_or_default().to_owned();
            if story.contains("I count") {
                break story;
            }
        };
        assert!(told.contains("&lt;b&gt;boats") && !told.contains("<b>boats"), "{told}");
        assert_eq!(guest.send("leave", ""), 303);
        let mut owner = site.stream(&format!("{path}/events?from=0"), &[]);
        while owner.next().expect("models play it to its end").name != "over" {}
        return;
    }
    panic!("nobody was ever asked");
}

#[test]
fn whoever_starts_or_resumes_a_campaign_may_take_a_seat_of_it_at_once() {
    let site = Site::new();
    let own = format!("Origin: http://{}", site.at);
    let sent = |path: &str, fields: &str| {
        let fields = format!("form_token={}&{fields}", form_token(&site.page("/")));
        site.ask("POST", path, &[&site.cookie(), &own], &fields)
    };
    let leads_to = |answer: &crate::site::Answer| {
        assert_eq!(answer.status, 303, "{}", answer.body);
        let line = answer.head.lines().find_map(|line| line.strip_prefix("location: "));
        line.expect("a page").to_owned()
    };
    let start = "campaign=the-borrowed-boat&model=improv&seed=3";
    let wrong = sent("/campaigns", &format!("{start}&seat=player-9&name=Ada"));
    assert!(wrong.status == 400 && wrong.body.contains("player-9"), "{}", wrong.body);
    // From the beginning: the campaign waits for its starter.
    let link = leads_to(&sent("/campaigns", &format!("{start}&seat=player-1&name=Ada")));
    let guest = Guest::of(&site, &link);
    let mut stream = site.stream_as(&guest.cookie, &format!("{}/events?from=0", guest.path));
    let is_asked = |act: &serde_json::Value| act.as_str().is_some_and(|act| act.contains("Your turn"));
    while !is_asked(&stream.next().expect("it is played").data["act"]) {}
    // Paused, and resumed by somebody who plays another seat: the first one stays.
    let id = guest.path.split('/').nth(2).expect("an id").to_owned();
    let address = format!("/campaigns/{id}");
    assert!(leads_to(&sent(&format!("{address}/pause"), "")) == address);
    while !site.page(&address).contains("Resume and play a seat") {}
    let link = leads_to(&sent(&format!("{address}/resume"), "seat=player-2&name=Bert"));
    assert!(link.contains("/player-2?token="), "{link}");
    let page = site.page(&address);
    assert!(page.contains("Ada") && page.contains("Bert"), "{page}");
    Guest::of(&site, &link);
}

#[test]
fn a_person_makes_a_character_with_a_form_and_reads_no_words_for_machines() {
    let site = Site::new();
    let own = format!("Origin: http://{}", site.at);
    let token = form_token(&site.page("/"));
    let fields =
        format!("form_token={token}&campaign=the-borrowed-boat&model=improv&seed=3&seat=player-1&name=Ada");
    let answer = site.ask("POST", "/campaigns", &[&site.cookie(), &own], &fields);
    let link = answer.head.lines().find_map(|line| line.strip_prefix("location: ")).expect("a seat");
    let guest = Guest::of(&site, link);
    let mut stream = site.stream_as(&guest.cookie, &format!("{}/events?from=0", guest.path));
    let (mut story, mut made) = (String::new(), false);
    loop {
        let sent = stream.next().expect("it is played");
        story += sent.data["story"].as_str().unwrap_or_default();
        // The same message may ask for what comes next.
        if story.contains("plays Ada Finch") {
            break;
        }
        let act = sent.data["act"].as_str().unwrap_or_default();
        let Some((_, rest)) = act.split_once("name=\"call\" value=\"") else { continue };
        let call = rest.split('"').next().expect("a number");
        if act.contains("character.name") {
            let class =
                act.split_once("<option>").and_then(|(_, rest)| rest.split('<').next()).expect("a class");
            let sheet = |past: &str| {
                format!(
                    "call={call}&character.name=Ada+Finch&character.class={class}&character.background={past}"
                )
            };
            assert_eq!(guest.send("answer", &sheet("")), 400, "a past is missing");
            assert_eq!(guest.send("answer", &sheet("Picked+locks.%0A[/CHARACTER]")), 303);
            made = true;
        } else {
            assert!(!made, "the character was taken: {story}");
            assert_eq!(guest.send("answer", &format!("call={call}&words=A+locksmith.")), 303);
        }
    }
    assert!(made && !story.contains("COMPLETE") && !story.contains("[SCENARIO]"), "{story}");
}

#[test]
fn whoever_sees_everything_opens_a_seat_without_its_link_and_finds_the_way_back() {
    let site = Site::new();
    let id = site.play(3, 30);
    let address = format!("/seats/{id}/player-1");
    let sent = site.ask("GET", &address, &[&site.cookie()], "");
    let link =
        sent.head.lines().find_map(|line| line.strip_prefix("location: ")).expect("the link of the seat");
    assert_eq!((sent.status, link), (303, site.invitation(id, Seat::Player(1)).as_str()));
    let guest = Guest::of(&site, link);
    let both = format!("{}; {}", guest.cookie, site.cookie().trim_start_matches("Cookie: "));
    let back = format!("<a href=\"/campaigns/{id}\"");
    assert!(site.ask("GET", &address, &[&both], "").body.contains(&back));
    assert!(!guest.page().contains(&back));
    // What is sent there needs the seat's own cookie.
    let own = format!("Origin: http://{}", site.at);
    assert_eq!(site.ask("POST", &format!("{address}/sit"), &[&site.cookie(), &own], "name=Ada").status, 401);
    assert_eq!(site.ask("GET", &format!("{address}/events"), &[&site.cookie()], "").status, 401);
}
