//! Reading what Session Zero leaves: blocks, sheets, sections. Tolerant in form; what they say is validated elsewhere.

use std::ops::Range;

use twicetold_event::{Section, Sheet};

use super::{Reading, folded};
use crate::setup::Rules;

/// What a reply may bring besides words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// The adventure.
    Scenario,
    /// Within it, what the DM alone knows.
    DmOnly,
    /// What is written about the party.
    PartyDocument,
    /// A character sheet.
    Character,
}

impl Block {
    const ALL: [Block; 4] = [Block::Scenario, Block::DmOnly, Block::PartyDocument, Block::Character];

    fn key(self) -> &'static str {
        match self {
            Block::Scenario => "tags.scenario",
            Block::DmOnly => "tags.dm_only",
            Block::PartyDocument => "tags.party_document",
            Block::Character => "tags.character",
        }
    }
}

struct Tag {
    block: Block,
    start: usize,
    end: usize,
    closing: bool,
}

impl Reading {
    /// The content of the last block of this kind: tags in any case, with or without markdown around them; a missing end tag is
    /// forgiven at the end of the message, and where the next block begins. A sheet may stand there without tags.
    pub fn block(&self, text: &str, block: Block) -> Option<Range<usize>> {
        let tags = self.tags(text);
        if tags.is_empty() && block == Block::Character {
            return self.bare_sheet(text);
        }
        let last = tags.iter().rposition(|tag| tag.block == block && !tag.closing)?;
        let ends = |tag: &&Tag| match tag.block {
            own if own == block => tag.closing,
            Block::DmOnly => false,
            _ => !tag.closing,
        };
        let end = tags[last + 1..].iter().find(ends).map_or(text.len(), |tag| tag.start);
        Some(trimmed(text, tags[last].end..end))
    }

    /// Does a block stand in the text from its opening tag to its end?
    pub fn is_whole(&self, text: &str, block: Block) -> bool {
        let tags = self.tags(text);
        let opened = tags.iter().position(|tag| tag.block == block && !tag.closing);
        opened.is_some_and(|at| tags[at..].iter().any(|tag| tag.block == block && tag.closing))
    }

    /// What a block's tag is called.
    pub fn tag(&self, block: Block) -> &str {
        self.first(block.key())
    }

    /// Where blocks stand in a message: from the first opening tag to the end of the last block, or of the message where a block has
    /// no end.
    pub fn blocks(&self, text: &str) -> Option<Range<usize>> {
        let tags = self.tags(text);
        if tags.is_empty() {
            return self.bare_sheet(text);
        }
        let start = tags.iter().find(|tag| !tag.closing)?.start;
        let mut end = start;
        for (place, tag) in tags.iter().enumerate() {
            if tag.closing || tag.start < end {
                continue;
            }
            let close = tags[place + 1..].iter().find(|other| other.block == tag.block && other.closing);
            // Without an end tag nobody knows where the secret ends.
            end = close.map_or(text.len(), |close| close.end);
        }
        Some(start..end)
    }

    /// A sheet that a model wrote without tags around it: lines that name at least who it is, its class and its hit points. From the first
    /// of its lines to the end of the message.
    fn bare_sheet(&self, text: &str) -> Option<Range<usize>> {
        let is_given = |key: &str| self.field(text, key).is_some_and(|value| !value.is_empty());
        let has_numbers =
            self.field(text, "keys.hit_points").is_some_and(|points| first_number(&points).is_some());
        let is_one = has_numbers && is_given("keys.name") && is_given("keys.class");
        let start = self.first_field(text).filter(|_| is_one)?;
        Some(trimmed(text, start..text.len()))
    }

    /// Where the first line begins that is one of a sheet.
    fn first_field(&self, text: &str) -> Option<usize> {
        let mut at = 0;
        text.split_inclusive('\n').find_map(|line| {
            at += line.len();
            self.keyed(line).map(|_| at - line.len())
        })
    }

    /// What of a message that is still being said is for everybody: nothing from the first opening tag or line of a sheet on, or from what
    /// may become one.
    pub fn heard_so_far<'t>(&self, text: &'t str) -> &'t str {
        let end = self.blocks(text).map_or(text.len(), |blocks| blocks.start);
        let end = self.first_field(&text[..end]).unwrap_or(end);
        let open = text[..end].rfind(['[', '<']).filter(|open| !text[*open..end].contains([']', '>']));
        open.map_or(&text[..end], |open| text[..open].trim_end_matches(['*', '_', '`', '#', ' ']))
    }

    fn tags(&self, text: &str) -> Vec<Tag> {
        let names: Vec<(Block, String)> = (Block::ALL.into_iter())
            .flat_map(|block| self.all(block.key()).iter().map(move |name| (block, tag_name(name))))
            .collect();
        let mut found = Vec::new();
        for (open, bracket) in text.match_indices(['[', '<']) {
            let after = &text[open + 1..];
            let closes = if bracket == "[" { ']' } else { '>' };
            let Some(close) = after[..after.floor_char_boundary(TAG_BYTES_MAX)].find(closes) else {
                continue;
            };
            let inner = after[..close].trim().trim_matches(['*', '_', '`']);
            let closing = inner.starts_with('/');
            let inner = tag_name(inner.trim_start_matches('/'));
            if let Some((block, _)) = names.iter().find(|(_, name)| *name == inner) {
                let markdown = ['*', '_', '`', '#', ' '];
                let start = text[..open].trim_end_matches(markdown).len();
                let end = text.len() - after[close + 1..].trim_start_matches(['*', '_', '`']).len();
                found.push(Tag { block: *block, start, end, closing });
            }
        }
        found
    }

    /// The public and the DM's part of a scenario block.
    pub fn scenario(&self, text: &str, whole: Range<usize>) -> (Range<usize>, Option<Range<usize>>) {
        let inner = &text[whole.clone()];
        let tags = self.tags(inner);
        let mut secret = tags.iter().filter(|tag| tag.block == Block::DmOnly);
        let Some(open) = secret.find(|tag| !tag.closing) else { return (whole, None) };
        let end = secret.find(|tag| tag.closing).map_or(inner.len(), |tag| tag.start);
        let public = trimmed(text, whole.start..whole.start + open.start);
        let dm = trimmed(text, whole.start + open.end..whole.start + end);
        (public, Some(dm))
    }

    /// The sections of a party document by its headings. Text before the first known heading belongs to the relationships.
    pub fn sections(&self, text: &str, whole: Range<usize>) -> Vec<(Section, Range<usize>)> {
        let mut found: Vec<(Section, Range<usize>)> = Vec::new();
        let mut section = Section::Relationships;
        let mut from = whole.start;
        let mut at = whole.start;
        for line in text[whole.clone()].split_inclusive('\n') {
            if let Some(next) = self.heading(line) {
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

    fn heading(&self, line: &str) -> Option<Section> {
        let bare = line.trim();
        let marked = bare.starts_with('#') || bare.starts_with("**") || bare.ends_with(':');
        if !marked || bare.len() > HEADING_BYTES_MAX {
            return None;
        }
        let line = folded(bare);
        let known = [
            Section::Relationships,
            Section::Hooks,
            Section::Goals,
            Section::Tensions,
            Section::Secrets,
            Section::Events,
        ];
        known.into_iter().find(|section| {
            let words = self.all(&format!("headings.{}", section.name()));
            words.iter().map(|word| folded(word)).any(|word| !word.is_empty() && line.contains(&word))
        })
    }

    /// A character sheet, with what could not be read. Whether it is legal is the rules pack's to say.
    pub fn sheet(&self, rules: &Rules, block: &str) -> Sheet {
        let field = |key: &str| self.field(block, key).unwrap_or_default();
        let class = field("keys.class");
        let class_id =
            rules.class(class.split(['(', ',']).next().unwrap_or("")).map(|class| class.id.clone());
        Sheet {
            name: plain(&field("keys.name"), NAME_BYTES_MAX),
            class: class_id.unwrap_or_else(|| plain(&class, NAME_BYTES_MAX)),
            abilities: abilities(rules, block),
            hit_points: first_number(&field("keys.hit_points")).unwrap_or(0),
            armor_class: first_number(&field("keys.armor_class")).unwrap_or(0) as u8,
            equipment: self.items(
                &|name| rules.item(name).map(|item| item.id.clone()),
                &self.long_field(block, "keys.equipment", "\n"),
            ),
            background: plain(&self.long_field(block, "keys.background", " "), TEXT_BYTES_MAX),
            secret: plain(&self.long_field(block, "keys.secret", " "), TEXT_BYTES_MAX),
        }
    }

    /// Which key of a sheet a line begins with, and what stands after its colon, or in the next column of a table.
    fn keyed<'a>(&self, line: &'a str) -> Option<(&str, &'a str)> {
        let (key, value) = match line.trim_start().strip_prefix('|') {
            Some(row) => row.split_once('|')?,
            None => line.split_once(':')?,
        };
        // "Hit Points (HP)" is "Hit Points".
        let key = folded(key.split('(').next().unwrap_or(key));
        let is_key = |name: &&String| {
            name.starts_with("keys.") && self.all(name).iter().any(|word| folded(word) == key)
        };
        self.words.keys().find(is_key).map(|name| (name.as_str(), value))
    }

    fn field(&self, block: &str, key: &str) -> Option<String> {
        let mut keyed = block.lines().filter_map(|line| self.keyed(line));
        let (_, value) = keyed.find(|(found, _)| *found == key)?;
        Some(value.trim_matches(is_form).to_owned())
    }

    /// A field that may go on over several lines, up to the next field or the end.
    fn long_field(&self, block: &str, key: &str, between: &str) -> String {
        let mut words: Vec<&str> = Vec::new();
        let mut inside = false;
        for line in block.lines() {
            match self.keyed(line) {
                Some((found, value)) => {
                    inside = found == key;
                    if inside {
                        words.push(value.trim());
                    }
                }
                // Marks alone, such as those that end a block of code, are no words.
                None if inside && line.contains(char::is_alphanumeric) => words.push(line.trim()),
                None => {}
            }
        }
        words.join(between)
    }

    /// Equipment: ids of what the rules pack knows, the rest as written.
    fn items(&self, known: Known, text: &str) -> Vec<String> {
        // Where semicolons separate things, commas are part of their names.
        let parts: Vec<&str> = match text.contains(';') {
            true => text.split([';', '\n']).collect(),
            false => text.split([',', '\n']).collect(),
        };
        let mut items: Vec<String> = Vec::new();
        for bare in parts.into_iter().flat_map(|part| self.apart(known, part)).map(|part| self.bare(part)) {
            if bare.is_empty() || items.len() >= ITEMS_MAX {
                continue;
            }
            items.push(known(bare).unwrap_or_else(|| plain(bare, NAME_BYTES_MAX)));
        }
        items
    }

    /// What a part of a list names: one thing, also where its name holds an "and"; two, where the rules know one of these.
    fn apart<'a>(&self, known: Known, part: &'a str) -> Vec<&'a str> {
        let ands = self.all("lists.and");
        let begins =
            ands.iter().find_map(|and| part.trim_start().strip_prefix(and.as_str())?.strip_prefix(' '));
        let part = begins.unwrap_or(part);
        let is_known = |part: &&str| known(self.bare(part)).is_some();
        if is_known(&part) {
            return vec![part];
        }
        let places = ands.iter().flat_map(|and| {
            let and = format!(" {and} ");
            let places = part.match_indices(&and).map(|(at, _)| [&part[..at], &part[at + and.len()..]]);
            places.collect::<Vec<_>>()
        });
        let found = places.into_iter().find(|halves| halves.iter().any(is_known));
        let Some(halves) = found else { return vec![part] };
        halves.into_iter().flat_map(|half| self.apart(known, half)).collect()
    }

    /// A thing without its number, its article, and what stands in brackets behind it.
    fn bare<'a>(&self, part: &'a str) -> &'a str {
        let bare = part.split('(').next().unwrap_or(part);
        let bare =
            bare.trim_matches(|letter| is_form(letter) || matches!(letter, '[' | ']' | '-' | '+' | '•'));
        let bare = bare.trim_end_matches('.');
        self.without_article(bare.trim_start_matches(|c: char| c.is_ascii_digit() || c == '×' || c == ' '))
    }

    /// An article is a word of its own, but for one that ends in an apostrophe.
    fn without_article<'a>(&self, thing: &'a str) -> &'a str {
        let stripped = self.all("lists.articles").iter().find_map(|article| {
            let rest = thing.strip_prefix(article.as_str())?;
            if article.ends_with(char::is_alphanumeric) { rest.strip_prefix(' ') } else { Some(rest) }
        });
        stripped.unwrap_or(thing)
    }
}

/// The id of a thing that the rules know.
type Known<'k> = &'k dyn Fn(&str) -> Option<String>;

/// The name of a tag as names are compared.
pub(crate) fn tag_name(name: &str) -> String {
    name.trim().replace([' ', '-'], "_").to_lowercase()
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let start = range.start + (inner.len() - inner.trim_start().len());
    start..(start + inner.trim().len())
}

/// Between brackets that are further apart there is no tag.
const TAG_BYTES_MAX: usize = 80;
/// A line longer than this is no heading.
const HEADING_BYTES_MAX: usize = 60;
/// A name longer than this is a sentence.
const NAME_BYTES_MAX: usize = 80;
/// A background longer than this is a chapter.
const TEXT_BYTES_MAX: usize = 1_200;
/// Pieces of equipment that a sheet may list.
const ITEMS_MAX: usize = 24;

/// Trimmed, one line, without control characters, cut between characters.
fn plain(text: &str, bytes: usize) -> String {
    let one_line: String =
        text.trim_matches(is_form).chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    one_line[..one_line.floor_char_boundary(bytes)].trim().to_owned()
}

/// Is it none of a field's words but of the form around them: of Markdown, a table or JSON?
fn is_form(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '*' | '_' | '|' | '"' | ',' | '{' | '}')
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
        let rest = after.trim_start_matches([' ', ':', '=', '*', '_', '(', '|', '"']);
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        (alone && !after.starts_with(char::is_alphabetic)).then(|| digits.parse().ok())?
    })
}

fn first_number(text: &str) -> Option<u16> {
    let digits: String =
        text.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::program_reading;

    #[test]
    fn blocks_are_found_in_any_case_with_markdown_and_without_an_end() {
        let inner =
            |text: &str| program_reading().block(text, Block::Character).map(|range| text[range].to_owned());
        assert_eq!(inner("[CHARACTER]\nName: A\n[/CHARACTER] bye"), Some("Name: A".into()));
        assert_eq!(inner("**[character]**\nName: A"), Some("Name: A".into()));
        assert_eq!(inner("`[Character]` Name: A **[/ Character]**"), Some("Name: A".into()));
        assert_eq!(inner("[CHARACTER]x[/CHARACTER] no: [CHARACTER]y[/CHARACTER]"), Some("y".into()));
        assert_eq!(inner("<CHARACTER>\nName: A\n</CHARACTER> bye"), Some("Name: A".into()));
        assert_eq!(inner("no block"), None);
        let text = "[SCENARIO] s [PARTY_DOCUMENT] p";
        assert_eq!(&text[program_reading().block(text, Block::Scenario).unwrap()], "s");
    }

    #[test]
    fn what_is_said_outside_the_blocks_is_for_everybody_and_a_block_without_an_end_hides_the_rest() {
        for (text, heard) in [
            ("Mine: [CHARACTER]\nName: A\nSecret: s\n[/CHARACTER] Done.", "Mine: Done."),
            ("Mine: **[character]** Secret: s **[/ Character]** Done.", "Mine: Done."),
            ("Mine: [DM ONLY] s [/DM-only] Done.", "Mine: Done."),
            ("Mine: [SCENARIO]a [DM ONLY] s [/DM ONLY] b[/SCENARIO] Done.", "Mine: Done."),
            ("Mine: [CHARACTER] x [DM ONLY] s [/DM ONLY] Secret: all", "Mine:"),
            ("Here.\n\n[PARTY_DOCUMENT]\nSecrets:\n- all", "Here.\n\n"),
        ] {
            let found = program_reading().blocks(text).unwrap();
            assert_eq!(text[..found.start].to_owned() + &text[found.end..], heard, "{text}");
        }
        assert!(program_reading().blocks("I go [slowly] on.").is_none());
        let whole = "Mine [is] this: **[DM ONLY]** the smith did it [/DM ONLY] Done.";
        for at in (0..whole.len()).filter(|at| whole.is_char_boundary(*at)) {
            let heard = program_reading().heard_so_far(&whole[..at]);
            assert!("Mine [is] this: **".starts_with(heard), "{heard}");
        }
        assert_eq!(program_reading().heard_so_far("Mine [is] this"), "Mine [is] this");
    }

    #[test]
    fn a_sheet_without_tags_is_found_in_the_forms_in_which_models_write_one() {
        let reading = program_reading();
        let (table, list, json) = (
            "Mine:\n\n| Name | Ada |\n|---|---|\n| Class | Warden |\n| HP | 8 |\n| Equipment | rope, lantern |\n| Secret | I lie. |",
            "Mine:\n\n- **Name**: Ada\n- **Class**: *Warden*\n- **HP**: 8\n- **Equipment**: rope, lantern\n- **Secret**: I lie.",
            "Mine:\n\n```json\n{\n  \"name\": \"Ada\",\n  \"class\": \"Warden\",\n  \"hp\": 8,\n  \"equipment\": [\"rope\", \"lantern\"],\n  \"secret\": \"I lie.\"\n}",
        );
        for text in [table, list, json] {
            let block = &text[reading.block(text, Block::Character).unwrap()];
            let field = |key: &str| reading.field(block, key);
            assert_eq!(
                (field("keys.name"), field("keys.class")),
                (Some("Ada".into()), Some("Warden".into())),
                "{text}"
            );
            // Its secret is between its owner and the DM, also while it is being written.
            let private = reading.blocks(text).unwrap();
            assert_eq!(
                (&text[private.clone()], text[..private.start].contains("Ada")),
                (block, false),
                "{text}"
            );
            assert!(!reading.heard_so_far(text).contains("Ada"), "{text}");
            let secret = text.find("I lie.").unwrap();
            let heard =
                (secret..text.len()).filter(|at| reading.heard_so_far(&text[..*at]).contains("I lie"));
            assert_eq!(heard.count(), 0, "{text}");
        }
        // What stands below its key, and keys with an abbreviation behind them.
        let text = "Name: Ada\nClass: Warden\nHit Points (HP): 8\nEquipment:\n- rope\n- lantern (lit)\nSecret (for the DM): I lie.";
        let items = reading.items(&|_| None, &reading.long_field(text, "keys.equipment", "\n"));
        assert_eq!(items, ["rope", "lantern"]);
        assert_eq!(reading.blocks(text), Some(0..text.len()));
        // What speaks of a sheet is none.
        for text in
            ["Name: Ada\nClass: Warden", "Name:\nClass:\nHP:", "My name: Ada. My class: Warden. HP: 8"]
        {
            assert_eq!(reading.block(text, Block::Character), None, "{text}");
        }
    }

    #[test]
    fn an_article_is_no_part_of_a_name() {
        let reading = program_reading();
        assert_eq!(reading.without_article("the rope"), "rope");
        assert_eq!(reading.without_article("apple"), "apple");
    }

    #[test]
    fn a_thing_whose_name_holds_an_and_or_a_comma_is_one_thing() {
        let known = |name: &str| {
            let ids = ["ink-and-paper", "rope", "lantern"];
            let id = name.to_lowercase().replace(' ', "-");
            ids.contains(&id.as_str()).then_some(id)
        };
        for (list, things) in [
            ("Rope, Ink and paper", vec!["rope", "ink-and-paper"]),
            ("ink and paper and a rope", vec!["ink-and-paper", "rope"]),
            ("a rope, 2 × lantern, and a harp", vec!["rope", "lantern", "harp"]),
            ("a rope and a harp", vec!["rope", "harp"]),
            ("wire and pliers, a harp", vec!["wire and pliers", "harp"]),
            ("a rope; an account book, wet", vec!["rope", "account book, wet"]),
        ] {
            assert_eq!(program_reading().items(&known, list), things, "{list}");
        }
    }

    #[test]
    fn a_scenario_has_a_part_for_the_dm_alone() {
        let text = "Public words.\n[DM ONLY]\nSecret words.\n[/DM ONLY]";
        let (public, dm) = program_reading().scenario(text, 0..text.len());
        assert_eq!((&text[public], &text[dm.unwrap()]), ("Public words.", "Secret words."));
    }

    #[test]
    fn the_party_document_is_split_by_its_headings() {
        let text = "## Party\n### Relationships\n- a\n**Character Hooks**\n- b\nSecrets:\n- c";
        let found: Vec<(Section, &str)> =
            program_reading().sections(text, 0..text.len()).into_iter().map(|(s, r)| (s, &text[r])).collect();
        assert_eq!(
            found,
            [(Section::Relationships, "## Party"), (Section::Hooks, "- b"), (Section::Secrets, "- c")]
        );
        // Of a heading that is given twice the longer text is meant.
        let text = "Goals:\n- a\nHooks:\n- b\nGoals:\n- the longer one";
        let found = program_reading().sections(text, 0..text.len());
        let found: Vec<(Section, &str)> = found.into_iter().map(|(s, r)| (s, &text[r])).collect();
        assert_eq!(found, [(Section::Goals, "- the longer one"), (Section::Hooks, "- b")]);
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
