//! Who may ask for what. Every request comes through here first.
//!
//! * The server listens on the loopback address alone, and answers only to its own names: another site whose name leads here is
//!   turned away, and so is a page of another site that asks for something here.
//! * Whoever opens the printed address has its token; a cookie keeps it that no script can read and that no other site can send.
//! * What changes something is a form with a token in one of its fields: the cookie alone changes nothing.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use twicetold_event::limits;
use twicetold_event::{CampaignId, Seat};
use twicetold_loopback::{equal, is_own, is_own_origin};

use crate::App;
use crate::answer::{Problem, welcome};

/// What a page may do: use the styles, the script and the pictures of this server and send its forms here; nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Headers of every answer.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
];

/// The field of a form that holds its token.
pub(crate) const FORM_TOKEN: &str = "form_token";

impl App {
    /// The token that opens everything.
    pub(crate) fn token(&self) -> String {
        self.made(&Area::Owner.purpose())
    }

    /// The token that a form of the owner's pages holds.
    pub(crate) fn form_token(&self) -> String {
        self.form_token_of(Area::Owner)
    }

    /// Does a request come from a browser that may see everything?
    pub(crate) fn is_owner(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get(header::COOKIE).and_then(|value| value.to_str().ok());
        cookies.is_some_and(|cookies| has(cookies, &self.cookie(Area::Owner), &self.token()))
    }

    /// A token for a purpose: the same during a run, another in the next one.
    fn made(&self, purpose: &str) -> String {
        blake3::keyed_hash(&self.secret, purpose.as_bytes()).to_hex()[..32].to_owned()
    }

    /// The address that invites somebody to a seat.
    pub(crate) fn invitation(&self, id: CampaignId, seat: Seat) -> String {
        let area = Area::Seat(id, seat);
        format!("{}?token={}", area.path(), self.made(&area.purpose()))
    }

    /// The token that a form on the pages of a seat holds.
    pub(crate) fn seat_form_token(&self, id: CampaignId, seat: Seat) -> String {
        self.form_token_of(Area::Seat(id, seat))
    }

    /// The token that a form on the page of this address holds.
    pub(crate) fn form_token_at(&self, path: &str) -> Option<String> {
        Area::of(path).map(|area| self.form_token_of(area))
    }

    fn form_token_of(&self, area: Area) -> String {
        self.made(&format!("forms of {}", area.purpose()))
    }

    /// The cookie's name. Cookies of a machine are shared by all its ports, and another server may run on another one.
    fn cookie(&self, area: Area) -> String {
        match area {
            Area::Owner => format!("twicetold-{}", self.port),
            Area::Seat(id, seat) => format!("twicetold-{}-{id:.16}-{}", self.port, seat.slug()),
        }
    }
}

/// Pages that have a token of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Area {
    /// All pages but those of seats.
    Owner,
    /// The pages of a seat: they show what it may know, and no other token opens them. A browser that may see everything is sent to the
    /// seat's own link.
    Seat(CampaignId, Seat),
}

/// Where pages of seats lie.
const SEATS: &str = "/seats/";

impl Area {
    /// To which an address belongs; none where it looks like a seat's and names none.
    fn of(path: &str) -> Option<Area> {
        let Some(rest) = path.strip_prefix(SEATS) else { return Some(Area::Owner) };
        let mut parts = rest.split('/');
        let (id, seat) = seat_of(parts.next()?, parts.next()?)?;
        Some(Area::Seat(id, seat))
    }

    fn purpose(self) -> String {
        match self {
            Area::Owner => "owner".to_owned(),
            Area::Seat(id, seat) => format!("seat {id} {}", seat.slug()),
        }
    }

    /// The address below which its pages lie.
    fn path(self) -> String {
        match self {
            Area::Owner => "/".to_owned(),
            Area::Seat(id, seat) => seat_address(id, seat),
        }
    }
}

/// The address of a seat's page.
pub(crate) fn seat_address(id: CampaignId, seat: Seat) -> String {
    format!("{SEATS}{id}/{}", seat.slug())
}

/// The seat that two parts of an address name: a whole id, and a seat at which people can sit.
pub(crate) fn seat_of(id: &str, seat: &str) -> Option<(CampaignId, Seat)> {
    let players = (1..=limits::PLAYERS_MAX).map(Seat::Player);
    let seat = [Seat::Dm].into_iter().chain(players).find(|known| known.slug() == seat)?;
    Some((CampaignId::parse(id)?, seat))
}

/// Lets a request through, or answers it.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = match admitted(&app, request.method(), request.uri(), request.headers()) {
        Admission::Granted => next.run(request).await,
        Admission::Answer(response) => *response,
    };
    // Whoever may not ask keeps no connection.
    let is_refused = [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN, StatusCode::MISDIRECTED_REQUEST];
    let is_refused = is_refused.contains(&response.status());
    let headers = response.headers_mut();
    if is_refused {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

enum Admission {
    Granted,
    Answer(Box<Response>),
}

fn admitted(app: &App, method: &Method, uri: &Uri, headers: &HeaderMap) -> Admission {
    let refused = |problem: Problem| Admission::Answer(Box::new(problem.into()));
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if !text(header::HOST).is_some_and(|host| is_own(app.port, host)) {
        return refused(Problem::new(
            StatusCode::MISDIRECTED_REQUEST,
            "This server has another name.",
            "Open the address that `twicetold serve` printed.",
        ));
    }
    let site = text(HeaderName::from_static("sec-fetch-site"));
    let changes = !matches!(*method, Method::GET | Method::HEAD);
    if !is_from_here(app, text(header::ORIGIN), site, changes) {
        return refused(Problem::new(
            StatusCode::FORBIDDEN,
            "Another site asked for this.",
            "Open the page itself and use its own forms.",
        ));
    }
    if uri.path().starts_with("/assets/") {
        return Admission::Granted;
    }
    let Some(area) = Area::of(uri.path()) else {
        return refused(Problem::new(
            StatusCode::NOT_FOUND,
            "There is no such seat.",
            "Open the link that you were given.",
        ));
    };
    let own = app.made(&area.purpose());
    if let Some(token) = query(uri, "token") {
        if changes || !equal(token, &own) {
            return refused(Problem::new(
                StatusCode::FORBIDDEN,
                "The token in this address is wrong.",
                match area {
                    Area::Owner => {
                        "Each start of `twicetold serve` prints a new address; open the newest one."
                    }
                    Area::Seat(..) => {
                        "Each start of the server makes new links; ask whoever invited you for one."
                    }
                },
            ));
        }
        let cookie = format!("{}={token}; HttpOnly; SameSite=Strict; Path={}", app.cookie(area), area.path());
        return Admission::Answer(Box::new(welcome(uri.path(), &cookie)));
    }
    let known = text(header::COOKIE).is_some_and(|cookies| has(cookies, &app.cookie(area), &own));
    if known {
        return Admission::Granted;
    }
    // Whoever sees everything may open a seat's page by its address, too.
    if let (Area::Seat(id, seat), false, true) = (area, changes, app.is_owner(headers))
        && uri.path() == area.path()
    {
        return Admission::Answer(Box::new(Redirect::to(&app.invitation(id, seat)).into_response()));
    }
    refused(Problem::new(
        StatusCode::UNAUTHORIZED,
        "This page needs a token.",
        match area {
            Area::Owner => {
                "Open the address that `twicetold serve` printed when it started. Each start prints a new one."
            }
            Area::Seat(..) => {
                "Open the link that you were given; after a restart of the server, ask for a new one."
            }
        },
    ))
}

/// Does the request come from one of this server's pages, or from the person themselves? A browser says which site asks; with
/// `Referrer-Policy: no-referrer` it leaves the origin of a form out, and its fetch metadata stands in.
fn is_from_here(app: &App, origin: Option<&str>, site: Option<&str>, changes: bool) -> bool {
    match origin {
        Some(origin) if origin != "null" => is_own_origin(app.port, origin),
        _ => match site {
            Some("same-origin") => true,
            // Somebody typed the address, or followed a link to it.
            Some("none" | "cross-site" | "same-site") => !changes,
            _ => !changes && origin.is_none(),
        },
    }
}

/// A value of the query, as it stands there: tokens need no decoding.
fn query<'u>(uri: &'u Uri, name: &str) -> Option<&'u str> {
    let pairs = uri.query()?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.filter(|(key, _)| *key == name).map(|(_, value)| value).next()
}

/// Is there a cookie of this name and value?
fn has(cookies: &str, name: &str, value: &str) -> bool {
    let pairs = cookies.split(';').filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(key, _)| *key == name).any(|(_, known)| equal(known, value))
}
