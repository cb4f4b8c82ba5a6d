//! What both editions of the fifth edition's rules have in common: abilities, dice, and what the engine does otherwise.

use std::collections::{BTreeMap, BTreeSet};

use twicetold_world::setup::{
    Abilities, ArmorClass, CheckRule, Class, Combat, Down, Fate, HitPoints, Modifier, Pack, PackSource,
    Pregenerated, Success, Topic,
};

use crate::draft::{Draft, Unmapped};

/// The abilities by their short names.
pub const ABILITIES: [(&str, &str); 6] = [
    ("STR", "Strength"),
    ("DEX", "Dexterity"),
    ("CON", "Constitution"),
    ("INT", "Intelligence"),
    ("WIS", "Wisdom"),
    ("CHA", "Charisma"),
];

/// What a task is called, and how hard it is.
const DIFFICULTIES: [(&str, i32); 6] = [
    ("very_easy", 5),
    ("easy", 10),
    ("moderate", 15),
    ("hard", 20),
    ("very_hard", 25),
    ("nearly_impossible", 30),
];

/// The difficulty of a spell that new characters cast: 8, their proficiency bonus of 2, and the 3 of a good ability.
const DIFFICULTY: i32 = 13;

/// How often a spell that takes no slot can be cast: more often than a fight has rounds.
pub const AT_WILL: u32 = 99;

/// Foes stay as long as their dice of morale show at most this: with 2d6, always.
pub const MORALE: i32 = 12;

/// An edition of the reference document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edition {
    /// For example `5.1`.
    pub number: &'static str,
    /// Id of its pack.
    pub id: &'static str,
    /// What its licence asks to be said, where a source does not say it itself.
    pub attribution: &'static str,
}

/// The edition of 2014.
pub const SRD_51: Edition = Edition {
    number: "5.1",
    id: "srd-5.1",
    attribution: "This work includes material taken from the System Reference Document 5.1 (\"SRD 5.1\") by Wizards of the Coast LLC, available at https://dnd.wizards.com/resources/systems-reference-document. The SRD 5.1 is licensed under the Creative Commons Attribution 4.0 International License, available at https://creativecommons.org/licenses/by/4.0/legalcode.",
};

/// The edition of 2024.
pub const SRD_52: Edition = Edition {
    number: "5.2",
    id: "srd-5.2",
    attribution: "This work includes material from the System Reference Document 5.2 (\"SRD 5.2\") by Wizards of the Coast LLC, available at https://www.dndbeyond.com/srd. The SRD 5.2 is licensed under the Creative Commons Attribution 4.0 International License, available at https://creativecommons.org/licenses/by/4.0/legalcode.",
};

/// The short name of an ability, however a source writes it.
pub fn ability(text: &str) -> Option<&'static str> {
    let is =
        |(short, full): &&(&str, &str)| short.eq_ignore_ascii_case(text) || full.eq_ignore_ascii_case(text);
    ABILITIES.iter().find(is).map(|(short, _)| *short)
}

/// The modifier of a score.
pub fn modifier(score: u8) -> i32 {
    (i32::from(score) - 10).div_euclid(2)
}

/// The difficulty of a spell's saving throw when the first who know it cast it: the proficiency bonus grows by 1 with every
/// fourth level of theirs, and every second of these brings a new level of spells.
pub fn difficulty(spell_level: u8) -> i32 {
    let caster = (i32::from(spell_level) * 2 - 1).clamp(1, 17);
    DIFFICULTY + (caster - 1) / 4
}

/// A draft without any content.
pub fn empty(edition: &Edition, source: PackSource) -> Draft {
    let modifiers =
        (0..=15).map(|half| Modifier { up_to: 1 + 2 * half, bonus: i32::from(half) - 5 }).collect();
    let about = format!(
        "The rules of the System Reference Document {}, as far as this engine plays them; imported from {} {}. {}",
        edition.number, source.name, source.version, source.attribution
    );
    let mut draft = Draft {
        pack: Pack {
            id: edition.id.to_owned(),
            title: format!("SRD {}", edition.number),
            version: source.version.clone(),
            license: "CC-BY-4.0".to_owned(),
            about,
            starting_gold: 15,
            source: Some(source.clone()),
            abilities: Abilities {
                names: ABILITIES.map(|(short, _)| short.to_owned()).to_vec(),
                min: 3,
                max: 20,
                full: ABILITIES.map(|(short, full)| (short.to_owned(), full.to_owned())).into(),
            },
            modifiers,
            check: CheckRule {
                dice: "1d20".to_owned(),
                success: Success::TotalAtLeastDifficulty,
                difficulties: DIFFICULTIES.map(|(name, number)| (name.to_owned(), number)).into(),
            },
            armor_class: ArmorClass { base: 10 },
            hit_points: HitPoints { minimum: 1, ability: "CON".to_owned() },
            combat: Combat {
                unarmed_damage: "1d2-1".to_owned(),
                npc_attack_bonus: 2,
                npc_morale: MORALE,
                ..Combat::default()
            },
            // Of the five-edition rules' saves against death the time is kept: about as long as three failures take.
            down: Down { fate: Fate::Dies, ..Down::default() },
        },
        source,
        classes: BTreeMap::new(),
        items: BTreeMap::new(),
        treasures: BTreeSet::new(),
        monsters: BTreeMap::new(),
        spells: BTreeMap::new(),
        topics: BTreeMap::new(),
        characters: Vec::new(),
        unmapped: Unmapped::default(),
    };
    draft.topic("about/licence".to_owned(), licence(&draft.source, &draft.pack.license));
    general(&mut draft.unmapped);
    draft
}

fn licence(source: &PackSource, license: &str) -> Topic {
    let stats = format!("{} {}, BLAKE3 {}", source.name, source.version, source.digest);
    let full = format!(
        "{} The texts of this pack come from there by an import that kept their words, and turned their numbers into those of \
         this engine; they are under {}. Source: {stats}.",
        source.attribution, license
    );
    let summary = source.attribution.clone();
    Topic { title: "About these rules and their licence".into(), summary, stats, full, ..Topic::default() }
}

/// What the engine does otherwise, whatever a source says.
fn general(unmapped: &mut Unmapped) {
    for (kind, reason) in [
        ("characters", "proficiency bonuses are not added: the engine adds an ability's modifier alone"),
        ("characters", "characters are new ones: levels, experience and what they bring are pages to read"),
        ("characters", "races, backgrounds and feats have no place on a sheet: they are pages to read"),
        ("armor", "Dexterity is not added to armour class: the engine takes what the armour gives"),
        ("weapons", "abilities are not added to damage: the engine rolls the dice of the weapon"),
        ("attacks", "a natural 20 or 1, advantage and disadvantage mean nothing of their own to the engine"),
        (
            "damage",
            "kinds of damage, resistances and immunities are words on pages: the engine does not weigh them",
        ),
        (
            "monsters",
            "morale is no rule of these: all stay to the end, and the Dungeon Master may end a fight",
        ),
        (
            "monsters",
            "one attack a round: several attacks, reactions and legendary actions are words on their pages",
        ),
        ("monsters", "what has no attack roll, such as a breath, is words on their pages"),
        ("spells", "slots are not shared: a spell of first level can be cast as often as there are slots"),
        ("spells", "damage is none after a saving throw that succeeds, also where the spell says half"),
        (
            "spells",
            "difficulties are those of the first casters with a good ability (+3), not of each caster",
        ),
    ] {
        unmapped.general(kind, reason);
    }
}

/// Names and words for ready characters, which fit whatever class they have.
const PEOPLE: [(&str, &str, &str, &str); 6] = [
    (
        "Maren Holt",
        "Maren carried messages between two lords who hated each other, and read all of them.",
        "I know more than I say, and I say it late. I stand in front when it matters.",
        "One of the letters was about Maren, and was never delivered.",
    ),
    (
        "Osric Tam",
        "Osric left a good house through its kitchen window, with a loaf and his grandmother's ring.",
        "I am polite to everybody and trust few of them. Somebody has to count the doors.",
        "The ring is not his grandmother's.",
    ),
    (
        "Ysolde Crane",
        "Ysolde kept the lamp of a harbour that the sea has since taken, and still wakes at every watch.",
        "I have seen storms come in. I will tell you when to be afraid.",
        "She let the lamp go out once, and only she knows which ship was late.",
    ),
    (
        "Bram Ashby",
        "Bram was promised to a monastery, and the monastery burned down on the evening before.",
        "I owe somebody a life of good works, and I am looking for whom.",
        "He was there that evening, and was glad.",
    ),
    (
        "Tilly Fenwick",
        "Tilly grew up on barges and has an aunt in every lock-house of the river.",
        "I talk a great deal. People forget that I listen as well.",
        "She is paid by one of the aunts to come home by midsummer.",
    ),
    (
        "Corvin Sale",
        "Corvin wrote down other people's debts until he found his own name in the book.",
        "I remember numbers and faces, and who was promised what.",
        "He took the page with his name along.",
    ),
];

/// The scores that new characters distribute, the highest first.
const SCORES: [u8; 6] = [15, 14, 13, 12, 10, 8];

/// Which classes make a party, as far as they are there.
const PARTY: [&str; 6] = ["fighter", "cleric", "rogue", "wizard", "ranger", "bard"];

/// Six characters by rule: the highest score for what their class leans on, the next for hit points, what the class starts with.
pub fn characters(draft: &mut Draft) {
    let others = draft.classes.keys().map(String::as_str).filter(|id| !PARTY.contains(id));
    let party = PARTY.iter().copied().filter(|id| draft.classes.contains_key(*id));
    let classes: Vec<String> = party.chain(others).map(str::to_owned).collect();
    draft.characters = PEOPLE
        .iter()
        .zip(classes.iter().cycle())
        .filter_map(|(person, class)| Some(character(draft, *person, draft.classes.get(class)?)))
        .collect();
}

fn character(
    draft: &Draft,
    (name, background, pitch, secret): (&str, &str, &str, &str),
    class: &Class,
) -> Pregenerated {
    let wanted = [class.prime_ability.as_str(), "CON", "DEX", "WIS", "STR", "CHA", "INT"];
    let mut abilities = BTreeMap::new();
    for ability in wanted.into_iter().filter_map(ability) {
        let next = SCORES.get(abilities.len()).copied().unwrap_or(10);
        abilities.entry(ability.to_owned()).or_insert(next);
    }
    let bonus = modifier(abilities.get("CON").copied().unwrap_or(10)).max(0);
    let items = || class.starting.iter().filter_map(|id| draft.items.get(id));
    let base = draft.pack.armor_class.base;
    let worn = items().filter_map(|item| item.armor_class).max().unwrap_or(base).max(base);
    Pregenerated {
        name: name.to_owned(),
        class: class.id.clone(),
        hp: u16::from(class.hit_die) + u16::try_from(bonus).unwrap_or(0),
        ac: worn.saturating_add(items().filter_map(|item| item.armor_bonus).max().unwrap_or(0)),
        equipment: class.starting.clone(),
        background: background.to_owned(),
        pitch: pitch.to_owned(),
        ties: String::new(),
        secret: secret.to_owned(),
        abilities,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_and_difficulties_are_those_of_the_fifth_edition() {
        let wanted = [(1, -5), (8, -1), (9, -1), (10, 0), (11, 0), (15, 2), (20, 5), (30, 10)];
        wanted.iter().for_each(|(score, bonus)| assert_eq!(modifier(*score), *bonus, "{score}"));
        let wanted = [(0, 13), (1, 13), (3, 14), (5, 15), (7, 16), (9, 17)];
        wanted.iter().for_each(|(level, number)| assert_eq!(difficulty(*level), *number, "{level}"));
        assert_eq!((ability("dex"), ability("Wisdom"), ability("luck")), (Some("DEX"), Some("WIS"), None));
    }
}
