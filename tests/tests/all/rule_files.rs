//! The rules of the referee call each other in one direction, and each file of them has its tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/referee/src/rules")
}

/// The rule files, and in each the other rule files whose functions it names. Tests at the end of a file do not count.
fn calls() -> BTreeMap<String, BTreeSet<String>> {
    let files: BTreeMap<String, String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned();
            (path.file_stem().unwrap().to_str().unwrap().to_owned(), code)
        })
        .filter(|(name, _)| name != "mod")
        .collect();
    let names: Vec<&String> = files.keys().collect();
    let named = |code: &str, name: &str| {
        let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let code = code.join("\n");
        let path = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let called = format!("{name}::");
        let imported = format!("super::{name};");
        let called = code.match_indices(&called).any(|(at, _)| path(at));
        let in_list = code.split("use super::{").skip(1).filter_map(|list| list.split('}').next());
        called
            || code.contains(&imported)
            || in_list.flat_map(|list| list.split(',')).any(|item| item.trim() == name)
    };
    let edges = |(name, code): (&String, &String)| {
        let others = names.iter().filter(|other| **other != name && named(code, other));
        (name.clone(), others.map(|other| (*other).clone()).collect())
    };
    files.iter().map(edges).collect()
}

/// What is left when files that call no file left are taken away, again and again: the files of a circle and those above it.
fn circles(mut calls: BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    loop {
        let done: Vec<String> =
            calls.iter().filter(|(_, called)| called.is_empty()).map(|(name, _)| name.clone()).collect();
        if done.is_empty() {
            return calls;
        }
        for name in done {
            calls.remove(&name);
            for called in calls.values_mut() {
                called.remove(&name);
            }
        }
    }
}

#[test]
fn rule_files_call_each_other_without_a_circle() {
    let calls = calls();
    assert!(
        calls.len() > 15 && calls["turn"].contains("dialogue") && calls["reply"].contains("speech"),
        "{calls:#?}"
    );
    assert_eq!(circles(calls.clone()), BTreeMap::new());
    let mut circle = calls;
    circle.get_mut("dialogue").unwrap().insert("turn".into());
    assert!(circles(circle).contains_key("dialogue"), "a circle would be seen");
}

/// A rule is a function over a table. The campaign, which can render and journal, is out of its reach.
#[test]
fn rules_know_no_campaign() {
    for file in std::fs::read_dir(folder()).unwrap() {
        let path = file.unwrap().path();
        if path.is_file() {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(
                !text.contains("Campaign,")
                    && !text.contains("crate::Campaign")
                    && !text.contains("impl Campaign"),
                "{path:?}"
            );
        }
    }
}

/// Every rule file has a file of tests by given events, and a test in it calls the rule.
#[test]
fn every_rule_file_has_tests_that_call_it() {
    for rule in calls().into_keys() {
        let path = folder().join("tests").join(format!("{rule}.rs"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        assert!(has_test_of(&rule, &text), "{path:?} has no test that calls {rule}");
    }
    assert!(!has_test_of("turn", "use crate::rules::turn;\n#[test]\nfn nothing() { super::given([]); }"));
    assert!(!has_test_of("turn", "use crate::rules::turn;\nfn no_test() { turn::next(); }"));
    assert!(!has_test_of("turn", "use super::turn;\n#[test]\nfn of_another() { turn::next(); }"));
}

/// Does this file, which imports the rule by its own name or another, have a test, and call one of the rule's functions?
fn has_test_of(rule: &str, text: &str) -> bool {
    let imports = text.split("use crate::rules::").skip(1).filter_map(|import| import.split(';').next());
    let named = |import: &str| -> Option<String> {
        let items = import.trim_matches(['{', '}']).split(',').map(str::trim);
        let mut names = items.map(|item| item.split_once(" as ").unwrap_or((item, item)));
        names.find(|(name, _)| *name == rule).map(|(_, name)| name.to_owned())
    };
    let names: Vec<String> = imports.filter_map(named).collect();
    let code: String = text.lines().filter(|line| !line.starts_with("use ")).collect::<Vec<_>>().join("\n");
    text.contains("#[test]\n")
        && names
            .iter()
            .any(|name| [" ", "(", "&"].iter().any(|before| code.contains(&format!("{before}{name}::"))))
}
