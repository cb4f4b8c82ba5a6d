//! Posts the story to a webhook while it is played. Whatever goes wrong there, the campaign goes on.

use std::io::Write;
use std::time::Duration;

use indicatif::ProgressBar;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use twicetold_projection::people::Line;
use twicetold_provider::{Posted, Webhook, WebhookError};
use twicetold_report::{Embed, messages, of_lines};
use twicetold_world::State;

use crate::failure::{Failure, code};
use crate::signals::StopSignals;

/// Embeds that wait to be posted: more than a long campaign of the improviser, which plays faster than anybody reads.
const QUEUE_MAX: usize = 4_096;

/// Embeds that are taken out of the queue at once.
const BATCH_MAX: usize = 50;

/// Times that one message is tried before the webhook is given up.
const ATTEMPTS_MAX: u32 = 6;

/// Longest wait between two attempts: whoever asks for more does not want these messages.
const WAIT_MS_MAX: u64 = 60_000;

/// The wait after a webhook was not reached: a second, for a network that comes back or a server that starts anew.
const WAIT_MS_UNREACHED: u64 = 1_000;

/// Longest time that the end of a campaign waits for the last messages.
const FINISH_MS_MAX: u64 = 120_000;

/// Where the story is posted.
#[derive(clap::Args)]
pub struct Posting {
    /// Post the story to this Discord webhook during play. The address is a secret: set the environment
    /// variable rather than this option
    #[arg(long, value_name = "URL", env = "TWICETOLD_WEBHOOK", hide_env_values = true)]
    webhook: Option<String>,
}

impl Posting {
    /// The webhook, if there is one. An address that cannot be used is told of before anything is played.
    pub fn webhook(&self) -> Result<Option<Webhook>, Failure> {
        let address = self.webhook.as_deref().filter(|address| !address.is_empty());
        address.map(Webhook::new).transpose().map_err(|error| {
            let help = "Discord shows it under the channel's settings, Integrations, Webhooks; this message omits the address because it is a secret";
            Failure::new(code::USAGE, error.to_string(), help)
        })
    }
}

/// Posts what is committed, in order, beside the campaign.
pub struct Poster {
    queue: mpsc::Sender<Embed>,
    task: JoinHandle<()>,
    bar: ProgressBar,
    full: bool,
}

impl Poster {
    /// Begins, within a runtime. Warnings are printed above `bar`.
    pub fn start(webhook: Webhook, bar: &ProgressBar) -> Poster {
        let (queue, posted) = mpsc::channel(QUEUE_MAX);
        let shown = bar.clone();
        let task = tokio::spawn(async move {
            if let Err(why) = post_all(&webhook, posted).await {
                warn(&shown, &format!("{why}. The campaign continues without the webhook."));
            }
        });
        Poster { queue, task, bar: bar.clone(), full: false }
    }

    /// Takes in lines that became durable. Never waits: what the queue has no room for is not posted.
    pub fn tell(&mut self, state: &State, lines: &[Line]) {
        for embed in of_lines(state, lines) {
            self.add(embed);
        }
    }

    fn add(&mut self, embed: Embed) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.queue.try_send(embed)
            && !std::mem::replace(&mut self.full, true)
        {
            warn(&self.bar, "The webhook is slower than the campaign: parts of the story are not posted.");
        }
    }

    /// Posts the last embed and waits until all is posted, or given up, or somebody wants to stop.
    pub async fn finish(mut self, card: Embed, signals: &mut StopSignals) {
        self.add(card);
        let Poster { queue, mut task, bar, .. } = self;
        drop(queue);
        tokio::select! {
            _ = &mut task => return,
            () = tokio::time::sleep(Duration::from_millis(FINISH_MS_MAX)) => {}
            _ = signals.next() => {}
        }
        task.abort();
        warn(&bar, "The end of the story could not be posted in time.");
    }
}

fn warn(bar: &ProgressBar, text: &str) {
    bar.suspend(|| {
        let _ = writeln!(std::io::stderr(), "{text}");
    });
}

/// Why posting stopped.
#[derive(Debug, thiserror::Error)]
enum Stopped {
    #[error(transparent)]
    Webhook(#[from] WebhookError),
    #[error("the webhook took nothing in {ATTEMPTS_MAX} attempts in a row")]
    Busy,
    #[error("a message could not be written: {0}")]
    Json(#[from] serde_json::Error),
}

async fn post_all(webhook: &Webhook, mut queue: mpsc::Receiver<Embed>) -> Result<(), Stopped> {
    let mut waiting = Vec::with_capacity(BATCH_MAX);
    while queue.recv_many(&mut waiting, BATCH_MAX).await > 0 {
        for hook in messages(std::mem::take(&mut waiting)) {
            deliver(webhook, serde_json::to_string(&hook)?).await?;
        }
    }
    Ok(())
}

async fn deliver(webhook: &Webhook, body: String) -> Result<(), Stopped> {
    let mut last = Stopped::Busy;
    for _ in 0..ATTEMPTS_MAX {
        let wait = match webhook.post(body.clone()).await {
            Ok(Posted::Taken) => return Ok(()),
            Ok(Posted::Later(ms)) => {
                last = Stopped::Busy;
                ms.min(WAIT_MS_MAX)
            }
            Err(error @ WebhookError::Unreached { .. }) => {
                last = error.into();
                WAIT_MS_UNREACHED
            }
            Err(error) => return Err(error.into()),
        };
        tokio::time::sleep(Duration::from_millis(wait)).await;
    }
    Err(last)
}
