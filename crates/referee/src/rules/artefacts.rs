//! Reading what Session Zero leaves: blocks, sheets, sections. Tolerant in form; what they say is validated elsewhere.

use std::ops::Range;

use twicetold_event::{Section, Sheet};
use twicetold_world::setup::Rules;

/// The content of the last block of this name: tags in any case, with or without markdown around them; a missing end tag is
/// forgiven at the end of the message, and where the next block begins.
pub(super) fn block(text: &str, name: &str) -> Option<Range<usize>> {
    let open = tags(text, name).into_iter().rev().find(|tag| !tag.closing)?;
    let after = &text[open.end..];
    let close = tags(after, name).into_iter().find(|tag| tag.closing).map(|tag| tag.start);
    let others = ["SCENARIO", "PARTY_DOCUMENT", "CHARACTER"].into_iter().filter(|other| *other != name);
    let next =
        others.flat_map(|other| tags(after, other)).filter(|tag| !tag.closing).map(|tag| tag.start).min();
    let end = match (close, next) {
        (Some(close), Some(next)) => close.min(next),
        (close, next) => close.or(next).unwrap_or(after.len()),
    };
    Some(trimmed(text, open.end..open.end + end))
}

/// Where artefacts stand in a message: from the first opening tag to the last closing one, or to the end where that is missing.
pub(super) fn artefacts(text: &str) -> Option<Range<usize>> {
    let all = || ["SCENARIO", "PARTY_DOCUMENT", "CHARACTER"].into_iter().flat_map(|name| tags(text, name));
    let start = all().filter(|tag| !tag.closing).map(|tag| tag.start).min()?;
    let last = all().max_by_key(|tag| tag.start)?;
    Some(start..if last.closing { last.end } else { text.len() })
}

struct Tag {
    start: usize,
    end: usize,
    closing: bool,
}

fn tags(text: &str, name: &str) -> Vec<Tag> {
    let mut found = Vec::new();
    for (open, _) in text.match_indices('[') {
        let Some(close) = text[open..].find(']') else { break };
        let inner = text[open + 1..open + close].trim().trim_matches(['*', '_', '`']);
        let closing = inner.starts_with('/');
        let inner = inner.trim_start_matches('/').trim();
        if inner.replace([' ', '-'], "_").eq_ignore_ascii_case(name) {
            let markdown = ['*', '_', '`', '#', ' '];
            let before = &text[..open];
            let start = before.trim_end_matches(markdown).len();
            let after = &text[open + close + 1..];
            let end = text.len() - after.trim_start_matches(['*', '_', '`']).len();
            found.push(Tag { start, end, closing });
        }
    }
    found
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let start = range.start + (inner.len() - inner.trim_start().len());
    start..(start + inner.trim().len())
}

/// The public and the DM's part of a scenario block.
pub(super) fn scenario(text: &str, whole: Range<usize>) -> (Range<usize>, Option<Range<usize>>) {
    let inner = &text[whole.clone()];
    let Some(secret) = tags(inner, "DM_ONLY").into_iter().find(|tag| !tag.closing) else {
        return (whole, None);
    };
    let after = &inner[secret.end..];
    let end = tags(after, "DM_ONLY").into_iter().find(|tag| tag.closing).map_or(after.len(), |tag| tag.start);
    let public = trimmed(text, whole.start..whole.start + secret.start);
    let dm = trimmed(text, whole.start + secret.end..whole.start + secret.end + end);
    (public, Some(dm))
}

/// The sections of a party document by its headings. Text before the first known heading belongs to the relationships.
pub(super) fn sections(text: &str, whole: Range<usize>) -> Vec<(Section, Range<usize>)> {
    let mut found: Vec<(Section, Range<usize>)> = Vec::new();
    let mut section = Section::Relationships;
    let mut from = whole.start;
    let mut at = whole.start;
    for line in text[whole.clone()].split_inclusive('\n') {
        if let Some(next) = heading(line) {
            found.push((section, trimmed(text, from..at)));
            section = next;
            from = at + line.len();
        }
        at += line.len();
    }
    found.push((section, trimmed(text, from..whole.end)));
    let mut sections: Vec<(Section, Range<usize>)> = Vec::new();
    for (section, range) in found.into_iter().filter(|(_, range)| !range.is_empty()) {
        // A heading given twice: the longer text is the one that was meant.
        match sections.iter_mut().find(|(known, _)| *known == section) {
            Some((_, known)) if known.len() < range.len() => *known = range,
            Some(_) => {}
            None => sections.push((section, range)),
        }
    }
    sections
}

fn heading(line: &str) -> Option<Section> {
    let bare = line.trim();
    let marked = bare.starts_with('#') || bare.starts_with("**") || bare.ends_with(':');
    if !marked || bare.len() > 60 {
        return None;
    }
    let folded = bare.to_lowercase();
    let known = [
        ("relationship", Section::Relationships),
        ("hook", Section::Hooks),
        ("goal", Section::Goals),
        ("tension", Section::Tensions),
        ("secret", Section::Secrets),
        ("event", Section::Events),
    ];
    known.into_iter().find(|(word, _)| folded.contains(word)).map(|(_, section)| section)
}

/// A character sheet, with what could not be read. Whether it is legal is the rules pack's to say.
pub(super) fn sheet(rules: &Rules, block: &str) -> Sheet {
    let field = |names: &[&str]| field(block, names).unwrap_or_default();
    let class = field(&["class"]);
    let class_id = rules.class(class.split(['(', ',']).next().unwrap_or("")).map(|class| class.id.clone());
    let equipment = field(&["equipment", "gear", "inventory"]);
    Sheet {
        name: plain(&field(&["name"]), NAME_BYTES_MAX),
        class: class_id.unwrap_or_else(|| plain(&class, NAME_BYTES_MAX)),
        abilities: abilities(rules, block),
        hit_points: first_number(&field(&["hp", "hit points"])).unwrap_or(0),
        armor_class: first_number(&field(&["ac", "armor class", "armour class"])).unwrap_or(0) as u8,
        equipment: items(rules, &equipment),
        background: plain(&long_field(block, "background"), TEXT_BYTES_MAX),
        secret: plain(&long_field(block, "secret"), TEXT_BYTES_MAX),
    }
}

/// A name longer than this is a sentence.
const NAME_BYTES_MAX: usize = 80;
/// A background longer than this is a chapter.
const TEXT_BYTES_MAX: usize = 1_200;
/// Pieces of equipment that a sheet may list.
const ITEMS_MAX: usize = 24;

fn field(block: &str, names: &[&str]) -> Option<String> {
    block.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        let key = key.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        names.contains(&key.as_str()).then(|| value.trim().trim_matches(['*', '_']).trim().to_owned())
    })
}

/// A field that may go on over several lines, up to the next field or the end.
fn long_field(block: &str, name: &str) -> String {
    const KEYS: [&str; 12] = [
        "name",
        "class",
        "stats",
        "abilities",
        "hp",
        "ac",
        "equipment",
        "background",
        "secret",
        "hit points",
        "armor class",
        "gear",
    ];
    let mut words: Vec<&str> = Vec::new();
    let mut inside = false;
    for line in block.lines() {
        let key = line
            .split_once(':')
            .map(|(key, value)| (key.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase(), value));
        match key {
            Some((key, value)) if key == name => {
                inside = true;
                words.push(value.trim());
            }
            Some((key, _)) if KEYS.contains(&key.as_str()) => inside = false,
            _ if inside => words.push(line.trim()),
            _ => {}
        }
    }
    words.join(" ")
}

/// Trimmed, one line, without control characters, cut between characters.
fn plain(text: &str, bytes: usize) -> String {
    let one_line: String =
        text.trim().trim_matches(['*', '_']).chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    one_line[..one_line.floor_char_boundary(bytes)].trim().to_owned()
}

/// Scores in the order of the pack: `STR 15, INT 10`, `STR: 15 / INT: 10`, or a line for each. A missing one is 0, which is
/// never legal.
fn abilities(rules: &Rules, block: &str) -> Vec<u8> {
    let names = &rules.pack.abilities.names;
    let short = |name: &String| number_after(block, name);
    let full = |name: &String| rules.pack.abilities.full.get(name).and_then(|full| number_after(block, full));
    names.iter().map(|name| short(name).or_else(|| full(name)).unwrap_or(0)).collect()
}

fn number_after(text: &str, name: &str) -> Option<u8> {
    let folded = text.to_ascii_lowercase();
    let name = name.to_ascii_lowercase();
    folded.match_indices(&name).find_map(|(at, _)| {
        let alone = !folded[..at].ends_with(char::is_alphanumeric);
        let after = &folded[at + name.len()..];
        let rest = after.trim_start_matches([' ', ':', '=', '*', '_', '(', '|']);
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        (alone && !after.starts_with(char::is_alphabetic)).then(|| digits.parse().ok())?
    })
}

fn first_number(text: &str) -> Option<u16> {
    let digits: String =
        text.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Equipment: ids of what the rules pack knows, the rest as written.
fn items(rules: &Rules, text: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for part in text.split([',', ';', '\n']).flat_map(|part| part.split(" and ")) {
        let bare = part.split('(').next().unwrap_or(part).trim().trim_end_matches('.');
        let bare = bare.trim_start_matches(|c: char| c.is_ascii_digit() || c == '×' || c == ' ');
        let bare =
            ["a ", "an ", "the "].into_iter().find_map(|article| bare.strip_prefix(article)).unwrap_or(bare);
        if bare.is_empty() || items.len() >= ITEMS_MAX {
            continue;
        }
        items.push(rules.item(bare).map_or_else(|| plain(bare, NAME_BYTES_MAX), |item| item.id.clone()));
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_in_any_case_with_markdown_and_without_an_end() {
        let inner = |text: &str| block(text, "CHARACTER").map(|range| text[range].to_owned());
        assert_eq!(inner("[CHARACTER]\nName: A\n[/CHARACTER] bye"), Some("Name: A".into()));
        assert_eq!(inner("**[character]**\nName: A"), Some("Name: A".into()));
        assert_eq!(inner("`[Character]` Name: A **[/ Character]**"), Some("Name: A".into()));
        assert_eq!(inner("[CHARACTER]x[/CHARACTER] no: [CHARACTER]y[/CHARACTER]"), Some("y".into()));
        assert_eq!(inner("no block"), None);
        let text = "[SCENARIO] s [PARTY_DOCUMENT] p";
        assert_eq!(&text[block(text, "SCENARIO").unwrap()], "s");
    }

    #[test]
    fn a_scenario_has_a_part_for_the_dm_alone() {
        let text = "Public words.\n[DM ONLY]\nSecret words.\n[/DM ONLY]";
        let (public, dm) = scenario(text, 0..text.len());
        assert_eq!((&text[public], &text[dm.unwrap()]), ("Public words.", "Secret words."));
    }

    #[test]
    fn the_party_document_is_split_by_its_headings() {
        let text = "## Party\n### Relationships\n- a\n**Character Hooks**\n- b\nSecrets:\n- c";
        let found: Vec<(Section, &str)> =
            sections(text, 0..text.len()).into_iter().map(|(s, r)| (s, &text[r])).collect();
        assert_eq!(
            found,
            [(Section::Relationships, "## Party"), (Section::Hooks, "- b"), (Section::Secrets, "- c")]
        );
    }

    #[test]
    fn scores_are_read_in_every_way_that_models_write_them() {
        for text in
            ["Stats: STR 15, DEX 9", "STR: 15 / DEX: 9", "- **STR**: 15\n- **DEX**: 9", "str=15 dex (9)"]
        {
            assert_eq!((number_after(text, "STR"), number_after(text, "DEX")), (Some(15), Some(9)), "{text}");
        }
        assert_eq!(number_after("STRONG 15", "STR"), None);
    }
}
