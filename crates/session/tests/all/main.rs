//! Promise: the replay binary says of every file what became of it, in the order in which the files were named.

use std::path::Path;
use std::process::Command;

#[test]
fn several_files_are_told_of_in_the_order_in_which_they_are_named() {
    let replays = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../replays");
    let journal = |name: &str| replays.join(name).join("journal.twicetold");
    let files = [journal("combat-and-vices"), journal("nowhere"), journal("dialogues"), journal("dialogues")];
    let output = Command::new(env!("CARGO_BIN_EXE_twicetold-replay")).args(&files).output().unwrap();
    let (told, failed) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    let named = |line: &str, file: &Path| line.starts_with(&format!("{}: ", file.display()));
    let told: Vec<&str> = told.lines().collect();
    assert_eq!(told.len(), 3, "{told:?}");
    for (line, file) in told.iter().zip([&files[0], &files[2], &files[3]]) {
        assert!(named(line, file) && line.ends_with(" requests: identical"), "{told:?}");
    }
    assert!(named(&failed, &files[1]), "{failed}");
    assert_eq!(output.status.code(), Some(4));
}
