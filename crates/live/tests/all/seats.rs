//! Promise: a seat is played by its link; the link shows what the seat may know, and opens nothing else.

use twicetold_event::Seat;
use twicetold_projection::people;
use twicetold_session::load;

use crate::forms::form_token;
use crate::site::Site;

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

/// The front of a text, by which it is known.
fn front(text: &str) -> String {
    text.trim().lines().next().unwrap_or_default().trim_end_matches('.').chars().take(60).collect()
}

/// All that a seat heard.
fn told(source: &dyn twicetold_journal::Source, seat: Seat) -> String {
    let mut told = String::new();
    let walked = twicetold_host::reading::walk(source, None, |campaign, entry| {
        let lines = people::heard(campaign.state(), campaign.replies(), entry, seat, false);
        told.extend(lines.into_iter().map(|line| line.text + "\n"));
        true
    });
    walked.expect("it can be read");
    told
}

#[test]
fn a_seats_link_shows_what_the_seat_may_know_and_opens_nothing_else() {
    let site = Site::new();
    let id = site.play(3, usize::MAX);
    let library = site.library();
    let source = library.read(id).expect("it can be read");
    let loaded = load(&*source).expect("it can be loaded");
    let (state, replies) = (loaded.campaign.state(), loaded.campaign.replies());
    // What only the DM, or only another player, knows.
    let mut hidden: Vec<String> =
        people::goals(state).into_iter().flat_map(|page| page.goals).map(|goal| goal.label).collect();
    hidden.push(people::party(state, replies).scenario_for_the_dm);
    hidden.extend(people::npcs(state, replies).into_iter().map(|npc| npc.persona));
    let players: Vec<Seat> = state.setup().players().collect();
    let secrets = people::characters(state);
    for seat in &players {
        let link = site.invitation(id, *seat);
        let guest = Guest::of(&site, &link);
        let mut shown = guest.page();
        let mut stream = site.stream_as(&guest.cookie, &format!("{}/events?from=0", guest.path));
        while let Some(sent) = stream.next() {
            for piece in ["story", "side", "act"] {
                shown += sent.data[piece].as_str().unwrap_or_default();
            }
        }
        let plain = shown.replace("&#39;", "'").replace("&#34;", "\"");
        let others = secrets.iter().filter(|page| page.seat != *seat).map(|page| &page.secret);
        // What was said aloud in the end is no secret any more.
        let told = told(&*source, *seat);
        let is_mark = |text: &&String| text.trim().len() > 20 && !told.contains(front(text).as_str());
        let marks: Vec<&String> = hidden.iter().chain(others).filter(is_mark).collect();
        assert!(marks.len() > 4, "{marks:?}");
        for mark in marks {
            let piece = front(mark);
            assert!(!plain.contains(&piece), "{seat} is shown {piece:?}");
        }
        assert!(!plain.contains("/campaigns/") && !plain.contains("Secrets"), "{seat}: a way out");
        // Its cookie opens no other page.
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
        assert_eq!(guest.send("answer", &format!("call={call}&words=I+count+%3Cb%3Eboats%3C%2Fb%3E.")), 303);
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
