//! Who tells the story, who plays, and who takes no part: told by people, guessed from names, and last what the mapping says.

use std::collections::{BTreeMap, BTreeSet};

use twicetold_event::ForeignRole;

use crate::error::RecordError;
use crate::mapping::Roles;

/// What somebody says of the speakers of a file.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// They tell the story.
    pub narrator: Vec<String>,
    /// They play.
    pub player: Vec<String>,
    /// They take no part.
    pub other: Vec<String>,
}

/// What a system prompt says of who tells the story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Whom the prompt is for.
    Model,
    /// Whoever sits before the program.
    User,
}

/// What is known of a speaker from the records alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Votes {
    /// The mapping says that they tell the story.
    pub narrator: bool,
    /// It says that they take no part.
    pub other: bool,
}

/// The roles of all speakers.
///
/// # Errors
/// Somebody is told of who does not speak.
pub fn roles(
    speakers: &BTreeMap<String, Votes>,
    names: &Roles,
    (one_narrator, hint): (bool, Option<Hint>),
    told: &Told,
) -> Result<BTreeMap<String, ForeignRole>, RecordError> {
    let mut roles: BTreeMap<String, ForeignRole> = BTreeMap::new();
    let lists = [
        (&told.narrator, ForeignRole::Narrator),
        (&told.player, ForeignRole::Player),
        (&told.other, ForeignRole::Other),
    ];
    for (list, role) in lists {
        for name in list {
            let same = speakers.keys().find(|speaker| *speaker == name);
            let same = same.or_else(|| speakers.keys().find(|speaker| plain(speaker) == plain(name)));
            let Some(speaker) = same else { return Err(unknown(name, speakers)) };
            if roles.insert(speaker.clone(), role).is_some_and(|before| before != role) {
                return Err(RecordError::Twice(speaker.clone()));
            }
        }
    }
    for speaker in speakers.keys() {
        if roles.contains_key(speaker) {
            continue;
        }
        if holds(&names.other, speaker) {
            roles.insert(speaker.clone(), ForeignRole::Other);
        } else if holds(&names.narrator, speaker) && told.narrator.is_empty() {
            roles.insert(speaker.clone(), ForeignRole::Narrator);
        }
    }
    let is_told = roles.values().any(|role| *role == ForeignRole::Narrator);
    let is_user = |speaker: &str| holds(&names.user, speaker);
    let voted = |speaker: &str, votes: &Votes| match hint {
        Some(Hint::User) => is_user(speaker),
        _ => votes.narrator,
    };
    let open = speakers.iter().filter(|(speaker, _)| !roles.contains_key(*speaker));
    let open: Vec<(&String, &Votes)> = open.collect();
    let narrators = open.iter().filter(|(speaker, votes)| voted(speaker, votes)).count();
    let by_vote = match one_narrator {
        true => !is_told && narrators == 1,
        false => told.narrator.is_empty(),
    };
    let others = |speaker: &str| {
        let plays = |name: &String| roles.get(name).is_none_or(|role| *role == ForeignRole::Player);
        speakers.iter().any(|(name, votes)| {
            let narrates = by_vote && voted(name, votes);
            name != speaker && plays(name) && !votes.other && !narrates && !is_user(name)
        })
    };
    let decided: Vec<(String, ForeignRole)> = open
        .iter()
        .map(|(speaker, votes)| {
            let role = match () {
                () if by_vote && voted(speaker, votes) => ForeignRole::Narrator,
                () if votes.other => ForeignRole::Other,
                () if is_user(speaker) && others(speaker) => ForeignRole::Other,
                () => ForeignRole::Player,
            };
            ((*speaker).clone(), role)
        })
        .collect();
    roles.extend(decided);
    Ok(roles)
}

/// Words of an opening in which somebody sets the scene for the others.
const OPENING_WORDS_MIN: usize = 30;
/// Lines of somebody who is known as the narrator by whom they speak to.
const OPENER_LINES_MIN: usize = 4;

/// Where nobody's name or record says that they tell the story, the first to speak does who sets the scene at length, names those
/// who play or speaks to them, and has a share of the talk that a narrator has.
pub fn opener<'e>(
    roles: &BTreeMap<String, ForeignRole>,
    mut spoken: impl Iterator<Item = (&'e str, &'e str)>,
) -> Option<String> {
    let plays = |name: &str| roles.get(name) == Some(&ForeignRole::Player);
    if roles.values().any(|role| *role == ForeignRole::Narrator) {
        return None;
    }
    let (first, text) = spoken.find(|(speaker, _)| plays(speaker))?;
    let said: Vec<String> = words(text).iter().map(|word| word.to_lowercase()).collect();
    let others: Vec<&String> = roles.keys().filter(|name| plays(name) && *name != first).collect();
    let named = others.iter().filter(|name| {
        let parts = words(name);
        let own = parts.iter().find(|part| part.chars().count() > 1 && !part.chars().all(char::is_numeric));
        own.is_some_and(|own| said.contains(own))
    });
    let named = named.count();
    let lines: Vec<(&str, &str)> =
        std::iter::once((first, text)).chain(spoken.filter(|(speaker, _)| plays(speaker))).collect();
    let own = lines.iter().filter(|(speaker, _)| *speaker == first).count();
    let all = lines.len();
    let speaks_to_them = said.iter().any(|word| word == "you" || word == "your");
    let sets = said.len() >= OPENING_WORDS_MIN
        && (named == others.len() || named >= 2 || (named == 1 && speaks_to_them));
    // A narrator answers everybody: fewer lines than one in four are somebody's who plays.
    let sets = sets || speaks_to_all(first, &lines);
    (!others.is_empty() && sets && own * 4 >= all).then(|| first.to_owned())
}

/// Lines of a program that rolls dice: fewer may be somebody who writes out what they threw.
const MACHINE_LINES_MIN: usize = 2;
/// Words that such a program writes beside its numbers: more are somebody's own.
const MACHINE_WORDS_MAX: usize = 4;

/// Speakers that do nothing but answer with dice, and with the same words again where they have none to give: programs, whatever they
/// are called.
pub fn machines<'e>(spoken: impl Iterator<Item = (&'e str, &'e str)>) -> Vec<String> {
    let mut lines: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for (speaker, text) in spoken.filter(|(_, text)| !text.trim().is_empty()) {
        *lines.entry(speaker).or_default().entry(text.trim()).or_default() += 1;
    }
    let rolls = |text: &str| {
        let own = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1);
        let plain = own.filter(|word| word.chars().all(char::is_alphabetic)).count();
        plain <= MACHINE_WORDS_MAX && crate::dice::answered(text).is_some()
    };
    let is_machine = |said: &BTreeMap<&str, usize>| {
        let (dice, others): (Vec<_>, Vec<_>) = said.iter().partition(|(text, _)| rolls(text));
        let count: usize = dice.iter().map(|(_, times)| **times).sum();
        count >= MACHINE_LINES_MIN && others.iter().all(|(_, times)| **times > 1)
    };
    let found = lines.iter().filter(|(_, said)| is_machine(said));
    found.map(|(speaker, _)| (*speaker).to_owned()).collect()
}

/// Does somebody speak to the others, or call them by name, in most of their lines, and more often than any of them?
fn speaks_to_all(first: &str, lines: &[(&str, &str)]) -> bool {
    let names: Vec<(&str, Vec<String>)> = lines
        .iter()
        .map(|(speaker, _)| *speaker)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .map(|n| (n, words(n)))
        .collect();
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (speaker, text) in lines {
        let said = words(text);
        let you = said.iter().any(|word| word == "you" || word == "your");
        let called =
            names.iter().any(|(name, parts)| name != speaker && parts.iter().any(|part| said.contains(part)));
        let count = counts.entry(speaker).or_default();
        count.0 += usize::from(you || called);
        count.1 += 1;
    }
    let Some((spoken, own)) = counts.get(first).copied().filter(|(_, own)| *own >= OPENER_LINES_MIN) else {
        return false;
    };
    let less = |(name, (to, all)): (&&str, &(usize, usize))| **name == *first || to * own < spoken * all;
    spoken * 2 >= own && counts.iter().all(less)
}

/// Who tells the story, as a system prompt says: "You are the dungeon master", "The user is the game master".
pub fn hint(prompt: &str, names: &Roles) -> Option<Hint> {
    let words = words(prompt);
    let text = format!(" {} ", words.join(" "));
    let of = |front: &str| {
        text.match_indices(front).any(|(place, _)| {
            let after: Vec<&str> =
                text[place + front.len()..].split(' ').filter(|word| !word.is_empty()).take(5).collect();
            holds_words(&names.narrator, &after)
        })
    };
    if ["i am", "i m", "user is", "user plays", "user acts as"].iter().any(|front| of(&format!(" {front} ")))
    {
        return Some(Hint::User);
    }
    ["you are", "you re", "act as", "play as"]
        .iter()
        .any(|front| of(&format!(" {front} ")))
        .then_some(Hint::Model)
}

/// Does a name hold one of these, word by word?
fn holds(list: &[String], name: &str) -> bool {
    let words = words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let whole = words.join(" ");
    list.iter().any(|entry| entry.strip_prefix('=') == Some(whole.as_str())) || holds_words(list, &words)
}

fn holds_words(list: &[String], words: &[&str]) -> bool {
    let wanted = list.iter().filter(|entry| !entry.starts_with('='));
    wanted
        .map(|entry| entry.split(' ').collect::<Vec<_>>())
        .any(|entry| !entry.is_empty() && words.windows(entry.len()).any(|window| window == entry))
}

/// The words of a name: `GameMaster_2` is `game master 2`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let begins = letter.is_uppercase() && before.is_lowercase();
        if !letter.is_alphanumeric() || begins {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

fn plain(name: &str) -> String {
    words(name).join(" ")
}

/// Who is told of and does not speak, with the nearest name of those who do.
fn unknown(name: &str, speakers: &BTreeMap<String, Votes>) -> RecordError {
    let distance = |known: &&String| strsim::osa_distance(&plain(known), &plain(name));
    let near =
        speakers.keys().min_by_key(distance).filter(|known| distance(known) <= name.chars().count() / 3 + 1);
    RecordError::Nobody {
        name: name.to_owned(),
        near: near.cloned(),
        speakers: speakers.keys().cloned().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_has_two_roles() {
        let speakers = BTreeMap::from([("user".to_owned(), Votes::default())]);
        let told = Told { narrator: vec!["user".into()], player: vec!["User".into()], ..Told::default() };
        let refused = roles(&speakers, &names(), (false, None), &told);
        assert_eq!(refused.unwrap_err().to_string(), "\"user\" was given two roles");
    }

    #[test]
    fn who_only_answers_with_dice_is_a_program() {
        let refused = "That is no throw that I know.";
        let lines = [
            ("Bones", "1d20+2: [9] + 2 = 11"),
            ("Ada", "d20+5 = [12] + 5 = 17, and I duck under the table."),
            ("Bones", refused),
            ("Bones", refused),
            ("Bones", "1d20: [4] = 4"),
            ("Ada", "Once more, then."),
        ];
        assert_eq!(machines(lines.into_iter()), ["Bones"]);
    }

    fn names() -> Roles {
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Roles {
            narrator: list(&["dm", "game master", "narrator"]),
            other: list(&["=system", "chat manager"]),
            user: list(&["=user"]),
        }
    }

    fn of(speakers: &[(&str, bool)], one: bool, hint: Option<Hint>, told: &Told) -> String {
        let votes = |narrator: bool| Votes { narrator, other: false };
        let speakers =
            speakers.iter().map(|(name, narrator)| ((*name).to_owned(), votes(*narrator))).collect();
        let roles = roles(&speakers, &names(), (one, hint), told).unwrap();
        roles.iter().map(|(name, role)| format!("{name}={role:?}")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn names_say_who_is_who_and_the_user_plays_where_nobody_else_does() {
        let told = Told::default();
        assert_eq!(
            of(
                &[("GameMaster", false), ("ada", true), ("chat_manager", false), ("user", false)],
                true,
                None,
                &told
            ),
            "GameMaster=Narrator ada=Player chat_manager=Other user=Other"
        );
        assert_eq!(
            of(&[("assistant", true), ("user", false)], true, None, &told),
            "assistant=Narrator user=Player"
        );
        assert_eq!(
            of(&[("assistant", true), ("user", false)], true, Some(Hint::User), &told),
            "assistant=Player user=Narrator"
        );
        assert_eq!(of(&[("Bo", true), ("Ada", true)], true, None, &told), "Ada=Player Bo=Player");
        assert_eq!(of(&[("Bo", true), ("Ada", true)], false, None, &told), "Ada=Narrator Bo=Narrator");
        assert_eq!(
            of(&[("Admin", false), ("Madman", false)], true, None, &told),
            "Admin=Player Madman=Player"
        );
    }

    #[test]
    fn what_people_say_of_speakers_goes_before_every_guess() {
        let told = Told { narrator: vec!["Ada".into()], player: vec!["dm".into()], other: vec!["bo".into()] };
        assert_eq!(
            of(&[("ada", false), ("dm", true), ("bo", false)], true, None, &told),
            "ada=Narrator bo=Other dm=Player"
        );
        let speakers = [("Game_Master".to_owned(), Votes::default())].into();
        let told = Told { narrator: vec!["Gaem_Master".into()], ..Told::default() };
        let said = roles(&speakers, &names(), (true, None), &told).unwrap_err().to_string();
        assert!(said.contains("did you mean \"Game_Master\"?"), "{said}");
    }

    #[test]
    fn whoever_sets_the_scene_for_the_others_tells_the_story() {
        let players: BTreeMap<String, ForeignRole> =
            ["Warden", "ada", "bo_p"].map(|name| (name.to_owned(), ForeignRole::Player)).into();
        let scene = "Knock Sand Fort, eight miles out in the estuary, an iron drum on iron legs. Ada plays Doctor Amin, and Bo plays \
                     Corporal Dagg, who was stationed here long ago. It is getting on for dusk, and the tide is out.";
        let talk =
            [("Warden", scene), ("ada", "I go in."), ("Warden", "It is dark."), ("bo_p", "I light a match.")];
        assert_eq!(opener(&players, talk.into_iter()).as_deref(), Some("Warden"));
        let chat = [("ada", "Hello, Bo and Warden."), ("Warden", scene), ("bo_p", "I light a match.")];
        assert_eq!(opener(&players, chat.into_iter()), None);
        let short = [
            ("Warden", "The Grog, and the map on the table. Order: Ada, Bo. Ada!"),
            ("ada", "I kick him."),
            ("Warden", "A lovely kick, Ada. Bo?"),
            ("bo_p", "I jump at the mate."),
            ("Warden", "He has your ankle, Bo."),
            ("ada", "Over the table I go."),
            ("Warden", "Ada is on the bench, and it is your turn."),
        ];
        assert_eq!(opener(&players, short.into_iter()).as_deref(), Some("Warden"));
        let told: BTreeMap<_, _> =
            players.into_iter().chain([("dm".to_owned(), ForeignRole::Narrator)]).collect();
        assert_eq!(opener(&told, talk.into_iter()), None);
    }

    #[test]
    fn a_system_prompt_says_who_tells_the_story() {
        let names = names();
        assert_eq!(hint("You are the stern Game Master of a village.", &names), Some(Hint::Model));
        assert_eq!(hint("You are Ada. The user is your DM.", &names), Some(Hint::User));
        assert_eq!(hint("You are Ada, a thief. Obey.", &names), None);
    }
}
