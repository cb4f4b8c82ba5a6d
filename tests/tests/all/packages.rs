//! Promise: the crates that others may build upon can be packed for a registry: each says what it is, and holds all that it is built from.

use std::path::{Component, Path, PathBuf};

use toml::{Table, Value};
use twicetold_tests::repository;

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn manifest(folder: &Path) -> Table {
    read(&folder.join("Cargo.toml")).parse().expect("TOML")
}

/// The folders of the crates that are published, with their manifests.
fn published() -> Vec<(PathBuf, Table)> {
    let crates = repository().join("crates").canonicalize().expect("a folder");
    let crates = std::fs::read_dir(crates).expect("a folder");
    let crates = crates.map(|entry| entry.expect("a name").path()).map(|folder| {
        let manifest = manifest(&folder);
        (folder, manifest)
    });
    let found: Vec<_> = crates
        .filter(|(_, manifest)| manifest["package"].get("publish") != Some(&Value::Boolean(false)))
        .collect();
    assert!(found.len() > 20, "only {} crates are published", found.len());
    found
}

fn name(manifest: &Table) -> &str {
    manifest["package"]["name"].as_str().expect("a name")
}

/// The tables of what a package needs where it is used: not what its tests need.
fn needed(manifest: &Table) -> Vec<&Table> {
    let targets = manifest.get("target").and_then(Value::as_table);
    let tables = targets.into_iter().flat_map(|targets| targets.values().filter_map(Value::as_table));
    tables
        .chain([manifest])
        .flat_map(|table| ["dependencies", "build-dependencies"].map(|kind| table.get(kind)))
        .filter_map(|table| table?.as_table())
        .collect()
}

#[test]
fn every_published_crate_says_what_it_is() {
    let shared = manifest(&repository());
    let shared = &shared["workspace"]["package"];
    for (folder, manifest) in published() {
        let package = &manifest["package"];
        for field in ["description", "version", "license", "readme", "keywords", "categories", "rust-version"]
        {
            let said = package.get(field).unwrap_or_else(|| panic!("{} has no {field}", name(&manifest)));
            let inherited = said.get("workspace").is_some();
            let value = if inherited { &shared[field] } else { said };
            assert!(value.as_str() != Some("") && value.as_array().is_none_or(|words| words.len() <= 5));
            let readme = if inherited { repository() } else { folder.clone() };
            assert!(field != "readme" || readme.join(value.as_str().expect("a path")).is_file());
        }
    }
}

#[test]
fn every_published_crate_needs_published_crates_by_their_version() {
    let shared = manifest(&repository());
    let published = published();
    for (_, manifest) in &published {
        for (needed, how) in needed(manifest).into_iter().flatten() {
            let how = if how.get("workspace").is_some() {
                &shared["workspace"]["dependencies"][needed]
            } else {
                how
            };
            assert!(
                how.is_str() || how.get("version").is_some_and(Value::is_str),
                "{} needs {needed} of no version",
                name(manifest)
            );
            assert!(
                how.get("path").is_none() || published.iter().any(|(_, other)| name(other) == needed),
                "{} needs {needed}, which is not published",
                name(manifest)
            );
        }
    }
}

/// The path without its `..`, by its words alone: a link counts as the folder that it stands for.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, part| {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
        plain
    })
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a name").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_published_crate_includes_a_file_outside_of_its_folder() {
    const INCLUDED: [&str; 3] = ["include_str!(\"", "include_bytes!(\"", "include!(\""];
    let mut seen = 0;
    for (folder, _) in published() {
        let mut files = Vec::new();
        sources(&folder.join("src"), &mut files);
        for file in files {
            let text = read(&file);
            for (at, start) in INCLUDED.iter().flat_map(|start| text.match_indices(start)) {
                let (named, _) = text[at + start.len()..].split_once('"').expect("a text");
                let place = plain(&file.parent().expect("a folder").join(named));
                assert!(
                    place.starts_with(&folder) && place.exists(),
                    "{} includes {named}, which is not packed with it",
                    file.display()
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "only {seen} files are included");
}

#[test]
fn a_container_builds_from_what_is_there_with_the_rust_that_the_crates_need() {
    let text = read(&repository().join("examples/Containerfile"));
    let shared = manifest(&repository());
    let rust = shared["workspace"]["package"]["rust-version"].as_str().expect("a version");
    assert!(text.contains(&format!("/rust:{rust}-")), "it does not build with Rust {rust}");
    let copied: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("COPY ").filter(|line| !line.starts_with("--")))
        .flat_map(|line| line.rsplit_once(' ').expect("two places").0.split(' '))
        .collect();
    copied.iter().for_each(|path| assert!(repository().join(path).exists(), "{path} is not there"));
    // Every member of the workspace, and what the members lead to by links and lines.
    for needed in ["Cargo.toml", "Cargo.lock", "README.md", "config", "crates", "examples", "tests"] {
        assert!(copied.contains(&needed), "{needed} is not copied");
    }
}
