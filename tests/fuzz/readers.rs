//! One of the readers, named by `TWICETOLD_FUZZED`, is given mutated bytes.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

static NAME: LazyLock<String> =
    LazyLock::new(|| std::env::var("TWICETOLD_FUZZED").expect("TWICETOLD_FUZZED names a reader"));

fuzz_target!(|bytes: &[u8]| twicetold_tests::fuzz(&NAME, bytes));
