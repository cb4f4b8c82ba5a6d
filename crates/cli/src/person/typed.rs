//! Standard input, line by line, and no further than is asked for.

use std::io::{BufRead, BufReader, Read};
use std::time::Duration;

use super::Line;

/// Bytes of one line: more than any message may have, and little enough to be held.
const LINE_BYTES_MAX: u64 = 64 * 1024;

/// Standard input. It is read without the buffer of the standard library, which does not say what it holds.
#[cfg(unix)]
pub struct Typed(Option<BufReader<std::fs::File>>);

#[cfg(unix)]
impl Typed {
    /// A handle of its own; one that cannot be had reads nothing.
    pub fn open() -> Typed {
        use std::os::fd::AsFd;
        let own = std::io::stdin().as_fd().try_clone_to_owned();
        Typed(own.ok().map(|own| BufReader::new(own.into())))
    }

    /// The next line.
    pub fn line(&mut self) -> Line {
        self.0.as_mut().map_or(Line::End, plain)
    }

    /// Is there a line, or the end, before the time is over?
    pub fn comes_within(&self, time: Duration) -> bool {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let Some(input) = &self.0 else { return true };
        if !input.buffer().is_empty() {
            return true;
        }
        let Ok(time) = Timespec::try_from(time) else { return false };
        let mut awaited = [PollFd::new(input.get_ref(), PollFlags::IN)];
        // A signal ends the wait early, and with it the time.
        poll(&mut awaited, Some(&time)).is_ok_and(|ready| ready > 0)
    }
}

/// Standard input. Elsewhere nobody can tell whether a line has come without waiting for it.
#[cfg(not(unix))]
pub struct Typed;

#[cfg(not(unix))]
impl Typed {
    /// Nothing is held.
    pub fn open() -> Typed {
        Typed
    }

    /// The next line.
    pub fn line(&mut self) -> Line {
        plain(&mut std::io::stdin().lock())
    }

    /// No line is waited for.
    pub fn comes_within(&self, _: Duration) -> bool {
        false
    }
}

/// One line of a pipe. What is no UTF-8 is replaced; a line that never ends is cut, and goes on as the next.
fn plain(input: &mut impl BufRead) -> Line {
    let mut bytes = Vec::new();
    match input.take(LINE_BYTES_MAX).read_until(b'\n', &mut bytes) {
        Ok(0) | Err(_) => Line::End,
        Ok(_) => Line::Text(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piped_lines_come_one_by_one_without_their_ends() {
        let mut input: &[u8] = b"one\r\n\ntwo \xff\nthree";
        let mut lines = Vec::new();
        while let Line::Text(text) = plain(&mut input) {
            lines.push(text);
        }
        assert_eq!(lines, ["one", "", "two \u{fffd}", "three"]);
    }

    #[test]
    fn a_line_without_an_end_is_cut() {
        let most = usize::try_from(LINE_BYTES_MAX).unwrap();
        let long = vec![b'a'; most * 2 + 1];
        let mut input = &long[..];
        assert!(matches!(plain(&mut input), Line::Text(text) if text.len() == most));
        assert_eq!(input.len(), most + 1);
    }
}
