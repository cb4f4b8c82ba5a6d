//! Python with packages from PyPI, for clients and types that others publish.

use std::path::Path;
use std::process::Command;

use crate::{repository, skipped};

/// The Python that has the packages of `tests/NAME/requirements.txt`, in a folder below `target`; none where it cannot be had, which is
/// said. `what` is what is skipped then.
///
/// # Panics
/// The script that sets it up does not run.
pub fn python(target: &str, name: &str, what: &str) -> Option<String> {
    let script = repository().join("tests/src/set_up.py");
    let requirements = repository().join("tests").join(name).join("requirements.txt");
    let folder = Path::new(target).join(name);
    let Ok(done) = Command::new("python3").arg(script).arg(folder).arg(requirements).output() else {
        skipped(what, "there is no python3");
        return None;
    };
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    match done.status.code() {
        Some(0) => Some(said(&done.stdout)),
        // Something is missing here that is no fault of what is tested.
        Some(3) => {
            skipped(what, said(&done.stderr));
            None
        }
        other => panic!("set_up.py ended with {other:?}: {}", said(&done.stderr)),
    }
}
