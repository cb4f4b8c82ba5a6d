//! A terminal that works again as it did before: a line editor changes it, and a signal may end the program meanwhile.

/// The terminal as it was. It is given back when this is dropped.
pub struct Restored {
    #[cfg(unix)]
    modes: Option<rustix::termios::Termios>,
}

impl Restored {
    /// Remembers how standard input works, if it is a terminal.
    #[cfg(unix)]
    pub fn remember(is_terminal: bool) -> Restored {
        let modes = is_terminal.then(|| rustix::termios::tcgetattr(rustix::stdio::stdin()).ok());
        Restored { modes: modes.flatten() }
    }

    /// Remembers nothing: only Unix programs change how a terminal works.
    #[cfg(not(unix))]
    pub fn remember(_: bool) -> Restored {
        Restored {}
    }

    /// From now on each key is read at once and is not shown. Ctrl-C stays a signal.
    #[cfg(unix)]
    pub fn reads_keys(&self) {
        use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, tcsetattr};
        let Some(mut modes) = self.modes.clone() else { return };
        modes.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
        modes.special_codes[SpecialCodeIndex::VMIN] = 1;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        // A terminal that cannot do this reads whole lines.
        let _ = tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, &modes);
    }

    /// From now on the terminal does not write `^C` where somebody presses Ctrl-C.
    #[cfg(unix)]
    pub fn hides_ctrl_c(&self) {
        use rustix::termios::{LocalModes, OptionalActions, tcsetattr};
        let Some(mut modes) = self.modes.clone() else { return };
        modes.local_modes.remove(LocalModes::ECHOCTL);
        // A terminal that cannot do this shows it.
        let _ = tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, &modes);
    }

    /// What the terminal writes is its own.
    #[cfg(not(unix))]
    pub fn hides_ctrl_c(&self) {}

    /// Keys are read line by line.
    #[cfg(not(unix))]
    pub fn reads_keys(&self) {}
}

impl Drop for Restored {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(modes) = &self.modes {
            let now = rustix::termios::OptionalActions::Now;
            // A terminal that was closed meanwhile needs nothing.
            let _ = rustix::termios::tcsetattr(rustix::stdio::stdin(), now, modes);
        }
    }
}
