//! The signals that stop a program: Ctrl-C, and what service managers send.

use tokio::runtime::{Builder, Runtime};
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlC, ctrl_c};

use crate::failure::{Failure, code};

/// Listens from the moment it is made: a signal that comes while something is being printed is kept until it is asked for.
pub struct StopSignals {
    #[cfg(unix)]
    interrupt: Signal,
    #[cfg(unix)]
    terminate: Signal,
    #[cfg(windows)]
    interrupt: CtrlC,
}

impl StopSignals {
    /// Begins to listen, within a runtime. From here on the signals do not end the process by themselves.
    #[cfg(unix)]
    pub fn listen() -> std::io::Result<StopSignals> {
        Ok(StopSignals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Begins to listen, within a runtime. From here on the signal does not end the process by itself.
    #[cfg(windows)]
    pub fn listen() -> std::io::Result<StopSignals> {
        Ok(StopSignals { interrupt: ctrl_c()? })
    }

    /// The same for a command, which cannot go on without them.
    ///
    /// # Errors
    /// The system refuses.
    pub fn heard() -> Result<StopSignals, Failure> {
        let failed =
            |error| Failure::new(code::FAILED, format!("signals cannot be listened to: {error}"), "");
        StopSignals::listen().map_err(failed)
    }

    /// Waits for a signal and returns its name. Cancelling the wait loses no signal.
    #[cfg(unix)]
    pub async fn next(&mut self) -> &'static str {
        tokio::select! {
            biased;
            _ = self.terminate.recv() => "asked to stop",
            _ = self.interrupt.recv() => "Ctrl-C",
        }
    }

    /// Waits for a signal and returns its name. Cancelling the wait loses no signal.
    #[cfg(windows)]
    pub async fn next(&mut self) -> &'static str {
        self.interrupt.recv().await;
        "Ctrl-C"
    }
}

/// The threads of a command.
///
/// # Errors
/// The system has none to give.
pub fn threads(builder: &mut Builder) -> Result<Runtime, Failure> {
    let failed = |error| Failure::new(code::FAILED, format!("no threads: {error}"), "");
    builder.enable_all().build().map_err(failed)
}
