# Every command that people or CI run.

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

# Play COUNT seeds of the improviser in memory, without and with faults, and replay each.
sweep COUNT="200":
    cargo run --release -p twicetold-tests --bin measure -- sweep {{COUNT}}
    cargo run --release -p twicetold-tests --bin measure -- sweep {{COUNT}} chaos

# Play COUNT campaigns without and COUNT with faults; print which tool had which outcome, and fail if an outcome never occurred.
coverage COUNT="200":
    cargo run --release -p twicetold-tests --bin measure -- coverage {{COUNT}}

# Play SEEDS stories of each bundled campaign; print how they ended, in which orders checks were tried, and what they repeat.
stories SEEDS="20" *CAMPAIGNS:
    cargo run --release -p twicetold-tests --bin measure -- stories {{SEEDS}} {{CAMPAIGNS}}

# The laws of provenance over every golden journal and COUNT random campaigns.
laws COUNT="500":
    TWICETOLD_LAWS={{COUNT}} cargo test --release -p twicetold-tests --test all reasons:: closures:: -- --nocapture

# The menu of legal calls over COUNT random campaigns: what it lists is accepted, what is accepted is listed.
menu COUNT="500":
    TWICETOLD_MENU={{COUNT}} cargo test --release -p twicetold-tests --test all menu:: -- --nocapture

# COUNT campaigns by each protocol and mode: within a turn, each request begins with the one before, and no vendor refuses it.
prefixes COUNT="100":
    TWICETOLD_PREFIXES={{COUNT}} cargo test --release -p twicetold-tests --test all strict_servers::within -- --nocapture

# Measure what a model is asked in a campaign: bytes, or with SERVER (a llama.cpp server, as 127.0.0.1:8080) its own counters of tokens.
prompts CAMPAIGN="one-lantern-short" SEED="7" SERVER="":
    cargo run --profile test -p twicetold-tests --bin measure -- prompts {{CAMPAIGN}} {{SEED}} {{SERVER}}

# Play COUNT campaigns, PARALLEL at once, against a server that answers after MILLISECONDS; print wall time and memory beside the ideal.
many COUNT="500" PARALLEL="100" MILLISECONDS="200":
    cargo run --release -p twicetold-tests --bin measure -- many {{COUNT}} {{PARALLEL}} {{MILLISECONDS}}

# What the links and connections of seats show in COUNT random campaigns: nothing that the seat may not know.
isolation COUNT="200":
    TWICETOLD_ISOLATION={{COUNT}} cargo test --workspace --lib --test all -- may_not_know --nocapture

# Plant faults in COUNT campaigns and check that `why` names the seat and the step.
attribution COUNT="200":
    cargo run --release -p twicetold-tests --bin measure -- attribution {{COUNT}}

# Simulate SEEDS fault schedules of the store, the servers and the process, and check every step.
sim SEEDS="200":
    cargo run --release -p twicetold-sim -- {{SEEDS}}

# Simulate one seed again and print every step.
sim-one SEED:
    cargo run --release -p twicetold-sim -- 1 --seed {{SEED}} --verbose

# Mutate COUNT clean campaigns, one mutation per detector; print precision and recall.
detectors COUNT="40":
    cargo run --release -p twicetold-tests --bin measure -- detectors {{COUNT}}

# Precision and recall of each detector on the labelled transcripts of other programs (tests/transcripts): folders a to e, or those that are
# named, such as f, which is held out; `--list` names what was missed.
detectors-labelled *ARGUMENTS:
    cargo run --profile test -p twicetold-tests --bin measure -- labelled {{ARGUMENTS}}

# Audit every bundled campaign, improvised with seeds 1 to SEEDS, and list each warning and error.
detectors-bundled SEEDS="20":
    cargo run --profile test -p twicetold-tests --bin measure -- accused {{SEEDS}}

# Kill real processes at COUNT random moments and resume them.
kill COUNT="50":
    TWICETOLD_KILLS={{COUNT}} cargo test --release -p twicetold-tests --test killed_anywhere a_killed_campaign -- --nocapture

# Kill every command that writes, COUNT times in all but for those that have fewer places, and give it again: a thousand kills.
kill-commands COUNT="1700":
    TWICETOLD_KILLS={{COUNT}} cargo test --release -p twicetold-tests --test killed_anywhere commands:: -- --nocapture

# Play CAMPAIGNS from a database with WORKERS that are killed, connections that are cut and a server that crashes; compare with undisturbed twins.
fleet CAMPAIGNS="400" WORKERS="4":
    TWICETOLD_FLEET={{CAMPAIGNS}} TWICETOLD_WORKERS={{WORKERS}} cargo test --release -p twicetold-tests --test killed_anywhere fleet:: -- --nocapture

# Fuzz the readers of what comes in, or those named, SECONDS each; `keep` instead of SECONDS keeps the inputs that reach new code.
fuzz SECONDS="1800" *READERS:
    bash tests/fuzz/run {{SECONDS}} {{READERS}}

# Simulate a power cut at COUNT points of written campaigns; open, verify, compare and continue after each.
crash-images COUNT="100000":
    TWICETOLD_CRASH_IMAGES={{COUNT}} cargo test --release -p twicetold-journal --test all storage::crash_images:: -- --nocapture

# Flip each bit of two exported journals; every flip must be reported with its place.
flips:
    TWICETOLD_FLIPS=all cargo test --release -p twicetold-journal --test all flipped -- --nocapture
    TWICETOLD_FLIPS=all cargo test --release -p twicetold-tests --test all flipped -- --nocapture

# The benchmark W1: ratios against floors measured in the same run.
bench *ARGUMENTS:
    cargo bench -p twicetold-cast --bench w1 -- {{ARGUMENTS}}

# Long journals: opening, folding, replaying, forking, resuming, asking why.
bench-journals *ARGUMENTS:
    cargo bench -p twicetold-tests --bench journals -- {{ARGUMENTS}}

# Campaigns in files and in PostgreSQL, 1 to 8 side by side, and what many workers cost a database. Needs a PostgreSQL server.
bench-shelves *ARGUMENTS:
    cargo bench -p twicetold-tests --bench shelves -- {{ARGUMENTS}}

# W1 here and on other programs, in one sitting; their packages come from PyPI.
peers *ARGUMENTS:
    python3 tests/benches/peers/compare.py {{ARGUMENTS}}

# Go through the pages of `serve` by keyboard, in Chromium, at every width and in every scheme of colours, and look at each with axe-core.
look:
    TWICETOLD_LOOK=all cargo test --workspace --test all -- pages_by_keyboard:: --nocapture

# Measure the pages in Chromium: a page of 5,000 turns, an event on an open page, 50 open pages beside play.
pages ROUNDS="9" CHROMIUM="chromium":
    cargo build --release --features twicetold-host/postgres
    cargo run --release -p twicetold-tests --bin measure -- long target/tmp/long 5000
    "$(python3 tests/src/set_up.py target/tmp/browser tests/browser/requirements.txt)" tests/browser/pages.py target/release/twicetold "$(command -v {{CHROMIUM}})" target/tmp/long {{ROUNDS}}

# Make the archive of a release in target/dist: the program, manual pages, completions and licences, with its SHA-256.
dist:
    cargo build --release --locked
    bash .ci/dist

# Replay every golden journal with the binary that cannot reach a network.
replay:
    cargo run --release -p twicetold-session --bin twicetold-replay -- replays/*/journal.twicetold

# Replay the golden journals with a build whose state has additional fields, each at its default.
new-field:
    cargo test --workspace --test replays --features twicetold-world/new-field

# The same by a build in which every sentence for people is another one: what models are asked stays as it is, byte for byte.
new-sentence:
    cargo test --workspace --test replays --features twicetold-session/new-sentence

# Write the schemas of JSON output and of tools again, into the program and as texts, and a sample of each form that has none.
schemas:
    UPDATE_GOLDEN=1 cargo test --workspace --lib --bins -- schemas_that_are_kept schemas_in_the_program
    UPDATE_GOLDEN=1 cargo test --workspace --test all -- schemas::

# Record all or the named golden journals again, and write all golden files that depend on them; then say so in the changelog.
golden *NAMES:
    UPDATE_GOLDEN=1 cargo test --workspace --test all golden::
    cargo run --profile test -p twicetold-tests --bin measure -- record {{NAMES}}
    UPDATE_GOLDEN=1 cargo test --workspace --test all --test replays -- golden:: replayed_exactly their_transcripts the_reasons_for reasons:: snapshots:: sql_views::the_examples dice
