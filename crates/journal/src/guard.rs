//! Turns redb's panics over damaged pages into errors.
//!
//! redb reads pages without verifying their checksums and asserts what a page says about itself. On a file that
//! somebody changed, such an assertion fails: that is the file's fault, not the program's.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::StoreError;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Whether a panic of this thread would become an error of this crate. A program's panic hook asks this to stay silent:
/// the error will say what happened.
pub fn panics_are_caught() -> bool {
    DEPTH.get() > 0
}

/// Does `work`; a panic in it is damage. Whatever `work` borrows must not be trusted after that error: callers hand the
/// error on and drop the handle.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    DEPTH.set(DEPTH.get() + 1);
    let done = catch_unwind(AssertUnwindSafe(work));
    DEPTH.set(DEPTH.get() - 1);
    done.unwrap_or_else(|panic| {
        let why = panic
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_default();
        Err(StoreError::Damaged(format!("a page contradicts itself ({})", why.lines().next().unwrap_or(""))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_damage_and_is_known_to_be_caught_while_it_happens() {
        let error = guarded::<()>(|| guarded(|| panic!("caught: {}", panics_are_caught()))).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the stored bytes are damaged: a page contradicts itself (caught: true)"
        );
        assert!(!panics_are_caught());
    }
}
