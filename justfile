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

# Spoil COUNT well-behaved campaigns by machine, one mutation for each detector; print precision and recall.
detectors COUNT="40":
    cargo run --release -p twicetold-tests --bin detectors -- {{COUNT}}

# Kill real processes at COUNT random moments and resume them.
kill COUNT="50":
    TWICETOLD_KILLS={{COUNT}} cargo test --release -p twicetold-tests --test killed_anywhere -- --nocapture

# The benchmark W1: ratios against floors measured in the same run.
bench *ARGUMENTS:
    cargo bench -p twicetold-tests --bench w1 -- {{ARGUMENTS}}

# Tell every golden journal again with the binary that cannot reach a network.
replay:
    cargo run --release -p twicetold-session --bin twicetold-replay -- replays/*/journal.twicetold

# Add the campaign ID to the golden journals as NAME.
record NAME ID="last":
    mkdir -p replays/{{NAME}}
    cargo run --release -- export {{ID}} replays/{{NAME}}/journal.twicetold
    UPDATE_GOLDEN=1 cargo test -p twicetold-tests --test replays

# Write golden files anew after a deliberate change of a promise; then say so in the changelog.
golden:
    UPDATE_GOLDEN=1 cargo test -p twicetold-event --test golden
    UPDATE_GOLDEN=1 cargo test -p twicetold-tests --test replays
