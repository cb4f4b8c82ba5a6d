//! Promise: what fuzzing kept of each reader's inputs, and all that it found, is refused or read, without a panic.

use twicetold_tests::{FUZZED, fuzz, repository};

#[test]
fn every_input_that_fuzzing_kept_is_read_or_refused() {
    for fuzzed in &FUZZED {
        let folder = repository().join("tests/fuzz/inputs").join(fuzzed.name);
        let mut inputs = 0;
        for input in std::fs::read_dir(&folder).expect("every reader has a folder of inputs") {
            let path = input.expect("it can be listed").path();
            let bytes = std::fs::read(&path).expect("it can be read");
            // A panic names the input.
            let read = std::panic::catch_unwind(|| fuzz(fuzzed.name, &bytes));
            assert!(read.is_ok(), "{}", path.display());
            inputs += 1;
        }
        assert!(inputs > 0, "{} has no inputs", fuzzed.name);
    }
}
