//! Promise: what changes something is a form of this server with its token, and does what it says.

use twicetold_live::{Settings, limits};

use crate::site::{Answer, Site};

/// The token that the forms of a page hold.
pub fn form_token(page: &str) -> String {
    let field = page.split_once("name=\"form_token\" value=\"").expect("a form").1;
    field.split('"').next().unwrap_or_default().to_owned()
}

/// Sends a form as the owner's browser does.
fn send(site: &Site, path: &str, fields: &str) -> Answer {
    let headers = [site.cookie(), format!("Origin: http://{}", site.at)];
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    site.ask("POST", path, &headers, fields)
}

fn goes_to(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{}", answer.body);
    let line = answer.head.lines().find_map(|line| line.strip_prefix("location: "));
    line.expect("it leads somewhere").to_owned()
}

#[test]
fn a_forged_form_changes_nothing() {
    let site = Site::new();
    let id = site.play(3, 9);
    let page = site.page(&format!("/campaigns/{id}"));
    let (token, path) = (form_token(&page), format!("/campaigns/{id}/fork"));
    let (cookie, own) = (site.cookie(), format!("Origin: http://{}", site.at));
    let fields = format!("form_token={token}&seed=5");
    let wrong = format!("form_token={}&seed=5", site.token);
    for (headers, body, status) in [
        (vec![cookie.as_str(), own.as_str()], "seed=5", 403),
        (vec![cookie.as_str(), own.as_str()], wrong.as_str(), 403),
        (vec![own.as_str()], fields.as_str(), 401),
        (vec![cookie.as_str(), "Origin: https://planted.example"], fields.as_str(), 403),
        (vec![cookie.as_str(), "Sec-Fetch-Site: cross-site"], fields.as_str(), 403),
        (vec![cookie.as_str()], fields.as_str(), 403),
    ] {
        assert_eq!(site.ask("POST", &path, &headers, body).status, status, "{headers:?} {body}");
    }
    assert_eq!(
        site.ask("POST", &format!("{path}?token={}", site.token), &[own.as_str()], &fields).status,
        403
    );
    assert_eq!(site.library().list().unwrap().len(), 1, "nothing was made");
    // A browser leaves the origin out where no referrer may be sent, and says so otherwise.
    let headers = [cookie.as_str(), "Origin: null", "Sec-Fetch-Site: same-origin"];
    assert_eq!(site.ask("POST", &path, &headers, &fields).status, 303);
    assert_eq!(site.library().list().unwrap().len(), 2);
}

#[test]
fn a_form_that_is_too_large_is_turned_away() {
    let site = Site::new();
    let id = site.play(3, 9);
    let token = form_token(&site.page(&format!("/campaigns/{id}")));
    let long = format!("form_token={token}&model={}", "a".repeat(limits::FORM_BYTES_MAX));
    assert_eq!(send(&site, &format!("/campaigns/{id}/fork"), &long).status, 413);
    assert_eq!(site.library().list().unwrap().len(), 1);
}

#[test]
fn a_server_that_only_shows_changes_nothing() {
    let open = Site::new();
    let id = open.play(3, 9);
    let token = form_token(&open.page(&format!("/campaigns/{id}")));
    let settings = Settings { read_only: true, ..Settings::default() };
    let site = Site::of(open.taken(), settings);
    let page = site.page(&format!("/campaigns/{id}"));
    assert!(!page.contains("<form method=\"post\"") && !site.page("/").contains("<form method=\"post\""));
    for path in ["/campaigns".to_owned(), format!("/campaigns/{id}/fork"), format!("/campaigns/{id}/resume")]
    {
        let answer = send(&site, &path, &format!("form_token={token}"));
        assert_eq!(answer.status, 403, "{path}");
        assert!(answer.body.contains("only shows"), "{}", answer.body);
    }
}

#[test]
fn a_fork_begins_at_the_moment_and_is_compared_with_its_parent() {
    let site = Site::new();
    let id = site.play(3, usize::MAX);
    let page = site.page(&format!("/campaigns/{id}?at=120"));
    let token = form_token(&page);
    let made = goes_to(&send(
        &site,
        &format!("/campaigns/{id}/fork"),
        &format!("form_token={token}&at=120&seed=77"),
    ));
    let branch = made.strip_prefix("/campaigns/").expect("a campaign").to_owned();
    assert!(site.page(&made).contains("Resume here"));
    let tree = site.page(&format!("/campaigns/{id}/branches"));
    assert!(tree.contains("seed 77") && tree.contains(&made), "{tree}");
    assert_eq!(goes_to(&send(&site, &format!("{made}/resume"), &format!("form_token={token}"))), made);
    let mut stream = site.stream(&format!("{made}/events?from=0"), &[]);
    while stream.next().expect("it ends with its campaign").name != "over" {}
    let compared = site.page(&format!("/compare?one={id}&other={branch}"));
    assert!(compared.contains("The same up to #") && compared.contains("seed 77"), "{compared}");
    assert!(compared.contains("class=\"beside\""));
    let answer =
        send(&site, &format!("/campaigns/{id}/fork"), &format!("form_token={token}&at=120&draw=nonsense"));
    assert_eq!(answer.status, 400);
    assert!(answer.body.contains("STREAM:COUNTER=FACES"), "{}", answer.body);
}

#[test]
fn campaigns_of_the_servers_own_folder_are_offered_first_and_played() {
    let folder = tempfile::TempDir::new().expect("there is room for a folder");
    let config = folder.path().join("mine");
    std::fs::create_dir_all(config.join("campaigns")).expect("a folder");
    let boat = twicetold_host::configuration::Configuration::bundled();
    let boat = boat.text("campaigns/the-borrowed-boat.toml").expect("a campaign");
    let own = boat.replace("id = \"the-borrowed-boat\"", "id = \"my-boat\"");
    let own = own.replace("title = \"The Borrowed Boat\"", "title='Boat <b>of</b> mine'");
    std::fs::write(config.join("campaigns/my-boat.toml"), own).expect("a file");
    std::fs::write(config.join("campaigns/broken.toml"), "title = ").expect("a file");
    let site = Site::of(folder, Settings { config: Some(config), ..Settings::default() });
    let page = site.page("/");
    let place = |id: &str| page.find(&format!("<option value=\"{id}\">")).unwrap_or_else(|| panic!("{page}"));
    assert!(place("my-boat") < place("the-borrowed-boat"), "{page}");
    assert!(page.contains("Boat &#60;b&#62;of&#60;/b&#62; mine"), "{page}");
    let start = |id: &str| {
        let fields = format!("form_token={}&campaign={id}&model=improv&seed=3", form_token(&page));
        send(&site, "/campaigns", &fields)
    };
    let path = goes_to(&start("my-boat"));
    let mut stream = site.stream(&format!("{path}/events?from=0"), &[]);
    while stream.next().expect("it ends with its campaign").name != "over" {}
    assert!(site.page(&path).contains("of&#60;/b&#62; mine"));
    assert_eq!((start("broken").status, start("my-boats").status), (400, 400));
}

#[test]
fn a_campaign_is_started_and_played_to_its_end_in_the_server() {
    let site = Site::new();
    let token = form_token(&site.page("/"));
    let started = send(
        &site,
        "/campaigns",
        &format!("form_token={token}&campaign=the-borrowed-boat&model=improv&seed=3"),
    );
    let path = goes_to(&started);
    let mut stream = site.stream(&format!("{path}/events?from=0"), &[]);
    while stream.next().expect("it ends with its campaign").name != "over" {}
    assert!(site.page(&path).contains(">over<"));
    for (fields, status) in
        [("campaign=..%2Fetc", 400), ("campaign=the-borrowed-boat&model=nobody", 400), ("seed=x", 400)]
    {
        assert_eq!(
            send(&site, "/campaigns", &format!("form_token={token}&{fields}")).status,
            status,
            "{fields}"
        );
    }
    assert_eq!(send(&site, &format!("{path}/pause"), &format!("form_token={token}")).status, 409);
}
