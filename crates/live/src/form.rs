//! What a form sends. Whatever changes something takes its fields from here, so that none goes without the token.

use std::sync::Arc;

use axum::Form;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::http::header::{HeaderValue, LOCATION};
use axum::response::{IntoResponse, Response};
use twicetold_loopback::equal;

use crate::App;
use crate::answer::Problem;
use crate::guard::FORM_TOKEN;
use crate::limits::FORM_BYTES_MAX;

/// The fields of a form that this server made.
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// A field that was filled in.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    /// A number that was filled in.
    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, Problem> {
        let read = |text: &str| {
            text.parse().map_err(|_| {
                let is_large = text.bytes().all(|byte| byte.is_ascii_digit());
                let what = if is_large { "too large" } else { "no whole number" };
                let message = format!("{name} is {text:?}, which is {what}.");
                let help = format!("Give a number from 0 to {}, or leave it empty.", u64::MAX);
                Problem::new(StatusCode::BAD_REQUEST, message, help)
            })
        };
        self.get(name).map(read).transpose()
    }
}

impl FromRequest<Arc<App>> for Fields {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Fields, Problem> {
        if app.settings.read_only {
            return Err(Problem::new(
                StatusCode::FORBIDDEN,
                "This server only shows campaigns.",
                "Start `twicetold serve` without --read-only to change something.",
            ));
        }
        let own = app.form_token_at(request.uri().path());
        let fields = Form::<Vec<(String, String)>>::from_request(request, app).await.map_err(|error| {
            let help =
                format!("Use the forms of the pages; a form holds at most {} KiB.", FORM_BYTES_MAX / 1024);
            Problem::new(error.status(), format!("The form cannot be read: {error}."), help)
        })?;
        let fields = Fields(fields.0);
        if !fields.get(FORM_TOKEN).zip(own).is_some_and(|(token, own)| equal(token, &own)) {
            return Err(Problem::new(
                StatusCode::FORBIDDEN,
                "This form was not made by this server.",
                "Load the page again and send its form; a restart of the server makes older pages useless.",
            ));
        }
        Ok(fields)
    }
}

/// Goes on to another page after a form.
pub(crate) fn to(path: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    if let Ok(path) = HeaderValue::from_str(path) {
        response.headers_mut().insert(LOCATION, path);
    }
    response
}
