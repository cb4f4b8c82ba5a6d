//! Turns redb's panics over damaged pages into errors.
//!
//! redb reads pages without verifying their checksums and asserts what a page says about itself. On a file that
//! somebody changed, such an assertion fails: that is the file's fault, not the program's.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::StoreError;

/// Does `work`; a panic in it is damage. Whatever `work` borrows must not be trusted after that error: callers hand the
/// error on and drop the handle.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let why = panic
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_default();
        Err(StoreError::Damaged(format!("a page contradicts itself ({})", why.lines().next().unwrap_or(""))))
    })
}
