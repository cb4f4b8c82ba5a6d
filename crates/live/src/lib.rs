//! The live table: campaigns in a browser on this machine, as they are played. It reads what every other reader reads, and works
//! beside a process that plays the same campaign.
//!
//! Pages are rendered here and need no script to be read; one script makes them live. Who may see what is decided in one place,
//! `guard.rs`; how much the server takes on stands in `limits.rs`.

mod answer;
mod form;
mod guard;
pub mod limits;
mod pages;
mod stream;
mod tables;

use std::collections::BTreeMap;
use std::future::Future;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use tokio::sync::Semaphore;
use twicetold_event::{CampaignId, Number, Seat};
use twicetold_host::brief::Brief;
use twicetold_host::tables::Tables;
use twicetold_host::{Error, Kind, Library, random};
use twicetold_loopback::Limited;

/// What a server is asked to be.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The port on the loopback address; 0 takes any that is free.
    pub port: u16,
    /// Are pages only shown, and nothing changed?
    pub read_only: bool,
    /// The folder whose models.toml is used, and whose campaigns can be started.
    pub config: Option<PathBuf>,
}

/// What all pages share.
pub(crate) struct App {
    library: Library,
    settings: Settings,
    port: u16,
    /// All tokens of this run are made of it.
    secret: [u8; 32],
    streams: Arc<Semaphore>,
    tellers: stream::Tellers,
    tables: Tables,
    stopping: AtomicBool,
    /// What is known of campaigns, each as of a number.
    briefs: Mutex<BTreeMap<CampaignId, (Number, Brief)>>,
}

/// A server that has its port and answers nobody yet.
pub struct Server {
    app: Arc<App>,
    listener: Limited,
}

impl Server {
    /// Takes a port on the loopback address, within a runtime.
    ///
    /// # Errors
    /// The port is in use or may not be used, or there are no random numbers for tokens.
    pub async fn bind(library: Library, settings: Settings) -> Result<Server, Error> {
        let listener = Limited::bind(settings.port, limits::CONNECTIONS_MAX).await;
        let listener = listener.map_err(|(message, help)| Error::new(Kind::Failed, message, help))?;
        let app = App {
            library,
            settings,
            port: listener.local().port(),
            secret: random()?,
            tables: Tables::new(limits::TABLES_MAX),
            streams: Arc::new(Semaphore::new(limits::STREAMS_MAX)),
            tellers: stream::Tellers::default(),
            stopping: AtomicBool::new(false),
            briefs: Mutex::default(),
        };
        Ok(Server { app: Arc::new(app), listener })
    }

    /// The address to open in a browser, with the token of its owner in it.
    pub fn address(&self) -> String {
        format!("http://{}/?token={}", self.listener.local(), self.app.token())
    }

    /// The links that invite people to seats.
    pub fn invitations(&self) -> Invitations {
        Invitations(self.app.clone())
    }

    /// Answers until `stop` comes, then ends open streams and returns.
    ///
    /// # Errors
    /// The operating system takes the port away.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), Error> {
        let Server { app, listener, .. } = self;
        let pages = routes(app.clone());
        let (stopped, mut wait) = tokio::sync::watch::channel(false);
        let until = {
            let app = app.clone();
            async move {
                stop.await;
                app.stopping.store(true, Ordering::Relaxed);
                app.tables.stop(|_| Vec::new()).await;
                let _ = stopped.send(true);
            }
        };
        let serving = axum::serve(listener, pages).with_graceful_shutdown(until);
        tokio::select! {
            ended = serving => ended.map_err(|error| Error::new(Kind::Failed, format!("the server stopped: {error}"), "start it again")),
            // A reader that takes nothing any more keeps nobody.
            () = async {
                let _ = wait.wait_for(|stopped| *stopped).await;
                tokio::time::sleep(limits::STOP_WAIT).await;
            } => Ok(()),
        }
    }
}

/// The links that invite people to seats: each opens what its seat may know, and nothing else.
pub struct Invitations(Arc<App>);

impl Invitations {
    /// The link of a seat: an address without the server's name.
    pub fn of(&self, id: CampaignId, seat: Seat) -> String {
        self.0.invitation(id, seat)
    }
}

fn routes(app: Arc<App>) -> Router {
    pages::routes()
        .fallback(answer::no_page)
        .layer(DefaultBodyLimit::max(limits::FORM_BYTES_MAX))
        .layer(axum::middleware::from_fn_with_state(app.clone(), guard::guard))
        .with_state(app)
}
