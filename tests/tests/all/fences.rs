//! Which crate may reach what: our own edges as a table, and what nobody but one crate may name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Our crates, and for each the crates of ours that it may depend on. Fewer is fine.
const EDGES: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("dialect", &["model"]),
    ("event", &["model"]),
    ("world", &["event", "model"]),
    ("projection", &["world", "event", "model"]),
    ("tool", &["world", "event", "model"]),
    ("audit", &["projection", "world", "event"]),
    ("referee", &["tool", "projection", "dialect", "world", "event", "model"]),
    // Of `model` the journal needs `Digest`, the type of every link that it checks.
    ("journal", &["event", "model"]),
    // As for the journal itself.
    ("postgres", &["event", "journal", "model"]),
    ("session", &["referee", "projection", "dialect", "world", "event", "journal", "model"]),
    ("improv", &[]),
    ("provider", &["dialect", "improv", "model"]),
    // Of `tool` two specifications, to see whether a model calls them.
    ("probe", &["tool", "dialect", "provider", "model"]),
    // Of `model` the tokens of a record, of `journal` what writes one.
    ("foreign", &["audit", "projection", "event", "journal", "model"]),
    // Of `model` a report reads replies and requests, of `journal` it opens nothing: it is handed a source.
    // Of `sweep` it reads results.
    (
        "report",
        &["session", "referee", "foreign", "projection", "world", "event", "journal", "sweep", "model"],
    ),
    // A seat turns a request into bytes and compares their digest before it sends them: `dialect`.
    ("cast", &["session", "referee", "projection", "dialect", "world", "event", "provider", "model"]),
    // Of `dialect` what a seat does; of `tool` the charter's files.
    ("sim", &["session", "referee", "tool", "dialect", "world", "event", "journal", "improv", "model"]),
    // A pack is made of the charter's own structs.
    ("srd", &["world"]),
    // Of `model` digests, and what an answer used.
    ("sweep", &["audit", "projection", "world", "event", "model"]),
    // Spans are told from a campaign and its replies, as they were understood: `referee`.
    ("trace", &["referee", "event", "model"]),
    // What plays for whoever offers campaigns: it sees everything but the actors' insides and the words of a terminal.
    (
        "host",
        &[
            "cast",
            "session",
            "referee",
            "tool",
            "projection",
            "dialect",
            "world",
            "event",
            "journal",
            "foreign",
            "postgres",
            "provider",
            "report",
            "srd",
            "sweep",
            "trace",
            "model",
        ],
    ),
    // A port and whose requests are heard there.
    ("loopback", &[]),
    // Pages: it plays and reads through `host`, and writes HTML with the pieces of `report`.
    ("live", &["host", "loopback", "report", "session", "tool", "projection", "world", "event", "journal"]),
    // What an outside agent may read and do is what a front end may: it sees what the command line sees, but for the tools of set-up.
    (
        "mcp",
        &[
            "host",
            "loopback",
            "session",
            "referee",
            "audit",
            "projection",
            "world",
            "event",
            "journal",
            "foreign",
            "report",
        ],
    ),
    (
        "cli",
        &[
            "live",
            "host",
            "mcp",
            "cast",
            "session",
            "referee",
            "tool",
            "audit",
            "projection",
            "world",
            "event",
            "journal",
            "foreign",
            "provider",
            "probe",
            "report",
            "srd",
            "sweep",
            "model",
        ],
    ),
];

/// Crates that decide: no clock, no random bytes, no file, no network, no threads. `sweep` decides nothing that is replayed, and its
/// statistics are floats; its results must not depend on the machine either.
const PURE: &[&str] = &[
    "model",
    "dialect",
    "event",
    "world",
    "tool",
    "projection",
    "referee",
    "audit",
    "improv",
    "sweep",
    "trace",
];

/// What a pure crate must not reach by any path.
const IMPURE: &[&str] = &[
    "async-std",
    "axum",
    "chrono",
    "fastrand",
    "getrandom",
    "hyper",
    "hyper-util",
    "jiff",
    "mio",
    "native-tls",
    "ractor",
    "rand",
    "redb",
    "reqwest",
    "rustix",
    "rustls",
    "smol",
    "socket2",
    "tempfile",
    "time",
    "tokio",
    "tracing-subscriber",
    "ureq",
    "uuid",
];

/// What a replay must not reach: it reads files and nothing else.
const NETWORK: &[&str] =
    &["axum", "hyper", "hyper-util", "mio", "ractor", "reqwest", "rustls", "socket2", "tokio"];

/// What only these crates may name among their dependencies.
const OWNERS: &[(&str, &[&str])] = &[
    ("ractor", &["cast"]),
    ("reqwest", &["provider"]),
    ("rustls", &["postgres", "provider"]),
    ("tokio-postgres", &["postgres"]),
    ("deadpool-postgres", &["postgres"]),
    ("redb", &["journal"]),
    // The audit has its word lists, and the command line its schemas, as a compressed text.
    ("zstd", &["audit", "host", "journal", "session"]),
    ("tokio", &["cast", "cli", "host", "live", "loopback", "mcp", "postgres", "provider"]),
    ("axum", &["live", "loopback", "mcp"]),
    ("rmcp", &["mcp"]),
    ("askama", &["live", "report"]),
    ("pulldown-cmark", &["report"]),
    ("chacha20", &["sim", "sweep", "tool"]),
    ("getrandom", &["host"]),
    ("rusqlite", &["srd"]),
    ("zip", &["srd"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("tracing-subscriber", &["cli"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What each of our crates names under dependencies, for any platform; what only its tests use is left out.
fn direct() -> BTreeMap<String, BTreeSet<String>> {
    let folders = std::fs::read_dir(root().join("crates")).unwrap().map(|folder| folder.unwrap().path());
    let manifests = folders.map(|folder| folder.join("Cargo.toml")).filter(|manifest| manifest.is_file());
    manifests
        .map(|path| {
            let manifest: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
            let name = manifest["package"]["name"].as_str().unwrap();
            (short(name).to_owned(), named(&manifest))
        })
        .collect()
}

fn short(name: &str) -> &str {
    name.strip_prefix("twicetold-").unwrap_or(name)
}

fn named(manifest: &toml::Table) -> BTreeSet<String> {
    let platforms = manifest.get("target").and_then(toml::Value::as_table);
    let tables =
        platforms.into_iter().flat_map(|platforms| platforms.values().filter_map(toml::Value::as_table));
    let tables = std::iter::once(manifest).chain(tables);
    let kinds = tables.flat_map(|table| [table.get("dependencies"), table.get("build-dependencies")]);
    let dependencies = kinds.flatten().filter_map(toml::Value::as_table).flatten();
    dependencies
        .map(|(name, value)| value.get("package").and_then(toml::Value::as_str).unwrap_or(name).to_owned())
        .collect()
}

/// Names of all packages that a crate of ours reaches by dependencies that end up in the program.
fn reached(name: &str) -> BTreeSet<String> {
    #[expect(clippy::disallowed_methods, reason = "cargo says by it which cargo runs this test")]
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let package = format!("twicetold-{name}");
    let mut command = Command::new(cargo);
    command.current_dir(root()).args(["tree", "--offline", "--edges", "normal", "--prefix", "none"]);
    command.args(["--format", "{p}", "--package", &package]);
    if root().join("Cargo.lock").is_file() {
        command.arg("--locked");
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "cargo tree: {}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).unwrap();
    let names: BTreeSet<String> =
        tree.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect();
    assert!(names.contains(&package), "cargo tree shows no {package}");
    names
}

fn reaches_none(name: &str, forbidden: &[&str]) {
    let reached = reached(name);
    let found: Vec<&&str> = forbidden.iter().filter(|name| reached.contains(**name)).collect();
    assert!(
        found.is_empty(),
        "{name} reaches {found:?}; `cargo tree -p twicetold-{name} -i NAME` shows the way"
    );
}

#[test]
fn a_pure_crate_reaches_no_clock_no_chance_no_file_and_no_network() {
    for name in PURE {
        reaches_none(name, IMPURE);
    }
}

#[test]
fn a_replay_reaches_no_network_and_no_runtime() {
    reaches_none("session", NETWORK);
}

#[test]
fn a_report_reaches_no_network_and_no_runtime() {
    reaches_none("report", NETWORK);
}

#[test]
fn a_simulation_and_the_tests_reach_no_network_and_no_runtime() {
    for name in ["sim", "tests"] {
        reaches_none(name, NETWORK);
    }
}

#[test]
fn what_is_fenced_off_is_found_where_it_belongs() {
    let cases = [
        ("cast", "ractor"),
        ("cast", "tokio"),
        ("provider", "reqwest"),
        ("provider", "rustls"),
        ("journal", "redb"),
        ("report", "askama"),
        ("live", "axum"),
    ];
    for (name, expected) in cases {
        assert!(
            reached(name).contains(expected),
            "{name} no longer reaches {expected}: does the fence know its name?"
        );
    }
}

#[test]
fn our_crates_depend_on_each_other_only_as_the_table_says() {
    let edges: BTreeMap<&str, &[&str]> = EDGES.iter().copied().collect();
    for (name, dependencies) in direct() {
        let allowed =
            edges.get(name.as_str()).unwrap_or_else(|| panic!("{name} has no line in the table of edges"));
        let ours = dependencies.iter().filter_map(|name| name.strip_prefix("twicetold-"));
        let others: Vec<&str> = ours.filter(|dependency| !allowed.contains(dependency)).collect();
        assert!(others.is_empty(), "{name} may not depend on {others:?}");
    }
}

#[test]
fn each_fenced_dependency_has_its_owners_alone() {
    let direct = direct();
    for (dependency, owners) in OWNERS {
        let named = direct.iter().filter(|(_, dependencies)| dependencies.contains(*dependency));
        let others: Vec<&String> =
            named.map(|(name, _)| name).filter(|name| !owners.contains(&name.as_str())).collect();
        assert!(others.is_empty(), "only {owners:?} may name {dependency}; {others:?} do too");
    }
}
