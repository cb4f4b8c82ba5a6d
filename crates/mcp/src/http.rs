//! The protocol's HTTP transport, on this machine alone. A request stands for itself: there are no sessions, and a seat belongs to a
//! token and not to a connection, so that an agent whose connection breaks plays on with the next one. Whose agent is silent for too long
//! loses its seat.

use std::future::Future;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use twicetold_host::{Error, Kind, Library, random};
use twicetold_loopback::{Limited, is_own, is_own_origin};

use crate::house::{House, Settings};
use crate::invitations::{Door, Invitation, invite};
use crate::limits::{CONNECTIONS_MAX, MESSAGE_BYTES_MAX, STOP_WAIT, TOKEN_CHARS_MIN};
use crate::server::Server;

/// A server for many connections, which has its port and answers nobody yet.
pub struct HttpServer {
    listener: Limited,
    shared: Arc<Shared>,
}

struct Shared {
    port: u16,
    house: House,
    door: Arc<Door>,
    owner: Server,
}

impl HttpServer {
    /// Takes a port on the loopback address, within a runtime; 0 takes any that is free. All tokens are made of `token`, so that they
    /// are the same at the next start; without it, of chance.
    ///
    /// # Errors
    /// The port is in use or may not be used, the token is short, or the budget limits what no budget of several campaigns can limit.
    pub async fn bind(
        library: Library,
        settings: Settings,
        port: u16,
        token: Option<&str>,
    ) -> Result<HttpServer, Error> {
        let secret = match token {
            None => random()?,
            Some(token) if token.chars().count() < TOKEN_CHARS_MIN => {
                let message = format!("TWICETOLD_MCP_TOKEN is shorter than {TOKEN_CHARS_MIN} characters");
                return Err(Error::new(Kind::Usage, message, "set a long random text, or none"));
            }
            Some(token) => *blake3::hash(token.as_bytes()).as_bytes(),
        };
        let listener = Limited::bind(port, CONNECTIONS_MAX).await;
        let listener = listener.map_err(|(message, help)| Error::new(Kind::Failed, message, help))?;
        let local = listener.local();
        let door = Arc::new(Door::new(format!("http://{local}"), secret));
        let house = House::new(library, Settings { alone: false, ..settings })?.with(door.clone());
        let owner = Server::of_owner(house.clone());
        let shared = Arc::new(Shared { port: local.port(), house, door, owner });
        Ok(HttpServer { listener, shared })
    }

    /// How the owner's agent reaches it.
    pub fn owner(&self) -> Invitation {
        self.shared.door.owner()
    }

    /// How the agent of one seat reaches it.
    ///
    /// # Errors
    /// There is no such campaign or seat, or more seats are open than may be.
    pub fn invite(&self, campaign: &str, seat: &str) -> Result<Invitation, Error> {
        invite(&self.shared.house, &self.shared.door, campaign, seat).map_err(|failure| {
            let kind = match failure.kind {
                "missing" => Kind::Missing,
                "usage" => Kind::Usage,
                _ => Kind::Failed,
            };
            Error::new(kind, failure.message, failure.help)
        })
    }

    /// Answers until `stop` is ready; then seats are given back and campaigns are paused.
    ///
    /// # Errors
    /// The operating system takes the port away.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), Error> {
        let HttpServer { listener, shared } = self;
        let house = shared.house.clone();
        let (stopped, mut wait) = tokio::sync::watch::channel(false);
        let until = async move {
            stop.await;
            house.stop().await;
            let _ = stopped.send(true);
        };
        let service = Router::new().fallback(answer).with_state(shared);
        let serving = axum::serve(listener, service).with_graceful_shutdown(until);
        tokio::select! {
            ended = serving => {
                ended.map_err(|error| Error::new(Kind::Failed, format!("the server stopped: {error}"), "start it again"))
            }
            // A client that keeps its connection open keeps nobody.
            () = async {
                let _ = wait.wait_for(|stopped| *stopped).await;
                tokio::time::sleep(STOP_WAIT).await;
            } => Ok(()),
        }
    }
}

/// Lets a request through to the server of its path, or says why not.
async fn answer(State(shared): State<Arc<Shared>>, request: Request) -> Response<Body> {
    let server = match admitted(&shared, request.uri().path(), request.headers()) {
        Ok(server) => server,
        Err((status, message)) => {
            let mut refused = (status, format!("{message}\n")).into_response();
            // Whoever may not ask keeps no connection.
            refused.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            if status == StatusCode::UNAUTHORIZED {
                refused.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            return refused;
        }
    };
    let mut config = StreamableHttpServerConfig::default();
    // Host and origin were looked at, with the port.
    (config.legacy_session_mode, config.json_response) = (false, true);
    config.max_request_body_bytes = MESSAGE_BYTES_MAX;
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
    service.handle(request).await.map(Body::new)
}

/// The server that a request may speak to.
fn admitted(shared: &Shared, path: &str, headers: &HeaderMap) -> Result<Server, (StatusCode, &'static str)> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    if !text(header::HOST).is_some_and(|host| is_own(shared.port, host)) {
        let message = "This server has another name: use the address that `twicetold mcp --http` printed.";
        return Err((StatusCode::MISDIRECTED_REQUEST, message));
    }
    let site = text(HeaderName::from_static("sec-fetch-site"));
    let is_foreign = text(header::ORIGIN).is_some_and(|origin| !is_own_origin(shared.port, origin))
        || site.is_some_and(|site| !matches!(site, "same-origin" | "none"));
    if is_foreign {
        return Err((StatusCode::FORBIDDEN, "Another site asked for this."));
    }
    let token = text(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    let server = token.and_then(|token| shared.door.open(path, token, &shared.owner));
    server.ok_or((
        StatusCode::UNAUTHORIZED,
        "This address needs its own token: send the header `Authorization: Bearer …` that was printed with it. Each start of the \
         server makes new ones, unless TWICETOLD_MCP_TOKEN is set.",
    ))
}
