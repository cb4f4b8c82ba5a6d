//! The signals that stop a program: Ctrl-C, and what service managers send.

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlC, ctrl_c};

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
