# Every command a person or CI runs.

# List the recipes.
default:
    @just --list

# Everything that CI runs.
ci:
    bash .ci/run

# All tests.
test:
    cargo test --workspace

# Formatting and lints, as CI wants them.
check:
    cargo fmt --all -- --check
    cargo clippy --workspace --all-targets -- -D warnings

# Play COUNT seeds of the improviser in memory, well-behaved and with every vice, and replay each.
sweep COUNT="200":
    cargo run --release -p twicetold-tests --bin sweep -- {{COUNT}}
    cargo run --release -p twicetold-tests --bin sweep -- {{COUNT}} chaos

# Play COUNT campaigns well-behaved and COUNT with every vice; say which tool met which outcome, and fail when one never did.
coverage COUNT="200":
    cargo run --release -p twicetold-tests --bin coverage -- {{COUNT}}

# The laws of provenance over every golden journal and COUNT random campaigns.
laws COUNT="500":
    TWICETOLD_LAWS={{COUNT}} cargo test --release -p twicetold-tests --test all whys:: -- --nocapture

# Plant faults in COUNT campaigns and let `why` name who did it and in which step.
attribution COUNT="200":
    cargo run --release -p twicetold-tests --bin attribution -- {{COUNT}}

# Simulate SEEDS schedules of faults of the store, the servers and the process, and judge every step.
sim SEEDS="200":
    cargo run --release -p twicetold-sim -- {{SEEDS}}

# Simulate one seed again and show all that happens.
sim-one SEED:
    cargo run --release -p twicetold-sim -- 1 --seed {{SEED}} --verbose

# Spoil COUNT well-behaved campaigns by machine, one mutation for each detector; print precision and recall.
detectors COUNT="40":
    cargo run --release -p twicetold-tests --bin detectors -- {{COUNT}}

# Kill real processes at COUNT random moments and resume them.
kill COUNT="50":
    TWICETOLD_KILLS={{COUNT}} cargo test --release -p twicetold-tests --test killed_anywhere -- --nocapture

# Cut the power at COUNT moments of written campaigns; open, verify, compare and go on after each.
crash-images COUNT="100000":
    TWICETOLD_CRASH_IMAGES={{COUNT}} cargo test --release -p twicetold-journal --test all storage::crash_images:: -- --nocapture

# Flip all bits of two exported journals, one at a time; each flip has to be named.
flips:
    TWICETOLD_FLIPS=all cargo test --release -p twicetold-journal --test all flipped -- --nocapture
    TWICETOLD_FLIPS=all cargo test --release -p twicetold-tests --test all flipped -- --nocapture

# The benchmark W1: ratios against floors measured in the same run.
bench *ARGUMENTS:
    cargo bench -p twicetold-cast --bench w1 -- {{ARGUMENTS}}

# Long journals: opening, folding, replaying, forking, resuming, asking why.
bench-journals *ARGUMENTS:
    cargo bench -p twicetold-tests --bench journals -- {{ARGUMENTS}}

# Tell every golden journal again with the binary that cannot reach a network.
replay:
    cargo run --release -p twicetold-session --bin twicetold-replay -- replays/*/journal.twicetold

# Replay the golden journals by a build whose state has fields more, each at its default.
new-field:
    cargo test --workspace --test all --features twicetold-world/new-field -- replays::

# The same by a build in which every sentence for people is another one: what models are asked stays as it is, byte for byte.
new-sentence:
    cargo test --workspace --test all --features twicetold-tests/new-sentence -- replays::

# Record the golden journals anew, all or those that are named, and write all golden files that follow from them; then say so in the changelog.
golden *NAMES:
    UPDATE_GOLDEN=1 cargo test -p twicetold-event --test all golden::
    cargo run -p twicetold-tests --bin record -- {{NAMES}}
    UPDATE_GOLDEN=1 cargo test -p twicetold-tests --test all -- replays:: whys:: snapshots::
