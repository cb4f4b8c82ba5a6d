//! Answers: pages, what went wrong, and the files that every page uses.

use std::sync::Arc;

use askama::Template;
use axum::http::header::{self, HeaderValue};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use twicetold_host::words::with_code;
use twicetold_host::{Error, Kind};
use twicetold_report::ReportError;

use crate::App;

const SCRIPT: &str = include_str!("../templates/live.js");
const STYLE: &str = include_str!("../templates/live.css");
const ICON: &str = include_str!("../templates/icon.svg");

/// A page, or why there is none.
pub(crate) type Answer = Result<Response, Problem>;

/// Why there is no page.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    message: String,
    help: String,
    /// The page from which it came, where there is one to go back to.
    back: Option<String>,
}

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'a> {
    status: u16,
    title: &'static str,
    /// Pieces, of which some are typed.
    message: Vec<(bool, &'a str)>,
    help: Vec<(bool, &'a str)>,
    back: Option<&'a str>,
}

#[derive(Template)]
#[template(path = "welcome.html")]
struct Welcome<'a> {
    path: &'a str,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>, help: impl Into<String>) -> Problem {
        Problem { status, message: message.into(), help: help.into(), back: None }
    }

    /// The same with a way back to a page.
    pub(crate) fn back_to(mut self, page: String) -> Problem {
        self.back = Some(page);
        self
    }

    /// What happened, and what to do next.
    pub(crate) fn said(&self) -> (&str, &str) {
        (&self.message, &self.help)
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let status = match error.kind {
            Kind::Missing => StatusCode::NOT_FOUND,
            Kind::Usage => StatusCode::BAD_REQUEST,
            Kind::Locked => StatusCode::CONFLICT,
            Kind::Failed | Kind::Damaged | Kind::Diverged => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Problem::new(status, error.message, error.help)
    }
}

impl From<ReportError> for Problem {
    fn from(error: ReportError) -> Problem {
        Error::from(error).into()
    }
}

impl From<askama::Error> for Problem {
    fn from(error: askama::Error) -> Problem {
        let message = format!("The page could not be written: {error}.");
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, message, "Please report it.")
    }
}

impl From<Problem> for Response {
    fn from(problem: Problem) -> Response {
        problem.into_response()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let Problem { status, message, help, back } = self;
        let title = title(status);
        let (message, help) = (capital(&message), capital(&help));
        let page = ProblemPage {
            status: status.as_u16(),
            title,
            message: with_code(&message),
            help: if help.is_empty() { Vec::new() } else { with_code(&help) },
            back: back.as_deref(),
        };
        // A page of three fields that cannot be written leaves its message.
        let text = page.render().unwrap_or_else(|_| message.clone());
        (status, html(text)).into_response()
    }
}

/// What happened, in a few words.
fn title(status: StatusCode) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => "This is not here",
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => "This page is not open to you",
        StatusCode::CONFLICT => "This is not possible now",
        StatusCode::TOO_MANY_REQUESTS => "Too many requests",
        status if status.is_client_error() => "This could not be done",
        _ => "Something went wrong",
    }
}

/// A text that begins as a sentence does.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// A page.
pub(crate) fn html(text: String) -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"))], text).into_response()
}

/// The page that keeps a token in a cookie and goes on to the page without it. It is no redirection: a browser that came from
/// another site's link would not send the new cookie along with one.
pub(crate) fn welcome(path: &str, cookie: &str) -> Response {
    let mut response = match (Welcome { path }).render() {
        Ok(page) => html(page),
        Err(error) => return Problem::from(error).into(),
    };
    if let Ok(value) = HeaderValue::from_str(cookie) {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    response
}

/// There is no page of this address.
pub(crate) async fn no_page(uri: Uri) -> Problem {
    let message = format!("There is no page {}.", uri.path());
    Problem::new(StatusCode::NOT_FOUND, message, "The list of campaigns leads to all pages.")
}

/// The looks of all pages: those of reports, and what only live ones have.
pub(crate) async fn style() -> Response {
    asset("text/css; charset=utf-8", [twicetold_report::STYLE, STYLE].join("\n"))
}

/// The script.
pub(crate) async fn script() -> Response {
    asset("text/javascript; charset=utf-8", SCRIPT.to_owned())
}

/// The picture in the tab.
pub(crate) async fn icon() -> Response {
    asset("image/svg+xml", ICON.to_owned())
}

fn asset(kind: &'static str, text: String) -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static(kind))], text).into_response()
}

/// Does something that reads files, beside the threads that answer.
pub(crate) async fn blocking<T: Send + 'static>(
    app: Arc<App>,
    work: impl FnOnce(&App) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(move || work(&app)).await;
    done.unwrap_or_else(|error| {
        let message = format!("The page could not be made: {error}.");
        Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, message, "Please report it."))
    })
}
