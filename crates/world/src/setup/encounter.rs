//! An encounter's specification.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use twicetold_event::Archetype;

use super::Step;

/// `encounters/<id>.toml`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EncounterSpec {
    /// Kebab-case name.
    pub id: String,
    /// What people read.
    pub title: String,
    /// One line that models read.
    pub tone: String,
    /// Messages after which the encounter ends by rule; the campaign's limit holds as well.
    #[serde(default)]
    pub messages_max: Option<u32>,
    /// Where and when.
    pub setting: SettingSpec,
    /// What the DM opens with; `{{keys}}` are filled in.
    pub opening: String,
    /// What is told behind the opening, if what it names has come about in earlier encounters.
    #[serde(default)]
    pub prologue: Vec<PassageSpec>,
    /// What the party knows that it wants.
    pub objective: String,
    /// The DM's characters.
    #[serde(default, rename = "npc")]
    pub npcs: Vec<NpcSpec>,
    /// Hidden goals.
    #[serde(rename = "goal")]
    pub goals: Vec<GoalSpec>,
    /// What holds here besides the rules.
    #[serde(default)]
    pub house_rules: Vec<String>,
    /// Named checks with their difficulty.
    #[serde(default, rename = "check")]
    pub checks: Vec<CheckSpec>,
    /// What an attentive character notices without trying.
    #[serde(default, rename = "reveal")]
    pub reveals: Vec<RevealSpec>,
    /// Details that the seed draws.
    #[serde(default, rename = "random")]
    pub randoms: Vec<RandomSpec>,
    /// What the DM alone reads.
    #[serde(default)]
    pub dm_notes: String,
    /// Tools offered here; empty: all that the rules of the table allow.
    #[serde(default)]
    pub allowed_tools: Vec<String>,
    /// For how many players it is meant.
    #[serde(default)]
    pub party_size: PartySize,
}

/// Every encounter can end, and the party document belongs to the party: `allowed_tools` does not govern these.
const ALWAYS_ALLOWED: &[&str] = &["encounter_resolve", "update_party_document"];

impl EncounterSpec {
    /// May a tool be used here, as far as the encounter says?
    pub fn allows(&self, tool: &str) -> bool {
        self.allowed_tools.is_empty()
            || ALWAYS_ALLOWED.contains(&tool)
            || self.allowed_tools.iter().any(|name| name == tool)
    }
}

/// Where and when.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SettingSpec {
    /// Place.
    pub location: String,
    /// Time of day.
    #[serde(default)]
    pub time_of_day: String,
    /// Mood.
    pub mood: String,
    /// Ambient characters and details.
    #[serde(default)]
    pub ambient: Vec<String>,
}

/// A character of the DM's.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NpcSpec {
    /// Kebab-case id.
    pub id: String,
    /// Name, unless the seed draws it.
    #[serde(default)]
    pub name: Option<String>,
    /// Randomisable that gives the name.
    #[serde(default)]
    pub name_key: Option<String>,
    /// In a word or two.
    pub role: String,
    /// Voice, want, fear, secret.
    pub persona: String,
    /// Under which its memories are kept between encounters.
    #[serde(default)]
    pub memory_key: String,
    /// What it is to the party at the start.
    #[serde(default)]
    pub archetype: Option<Archetype>,
    /// What it carries: ids of the pack's items, or names of things that no rule speaks of.
    #[serde(default)]
    pub items: Vec<String>,
    /// The monster of the pack whose numbers it has when it comes to blows.
    #[serde(default)]
    pub monster: Option<String>,
    /// What it says to somebody who speaks with it apart.
    #[serde(default)]
    pub says: Says,
    /// What a player's character may say to it, for what it says to be an answer.
    #[serde(default)]
    pub asked: Asked,
}

/// What a character of the DM's says in a conversation, in its own voice and as it speaks: words that fit whatever it was asked.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Says {
    /// First of all.
    #[serde(default)]
    pub greets: String,
    /// What it wants.
    #[serde(default)]
    pub wants: String,
    /// What it fears.
    #[serde(default)]
    pub fears: String,
    /// What it has told nobody, once it trusts.
    #[serde(default)]
    pub tells: String,
    /// Instead of that, while it does not trust.
    #[serde(default)]
    pub refuses: String,
    /// Last of all.
    #[serde(default)]
    pub parts: String,
}

impl Says {
    /// Its texts, each with the name of its field.
    pub fn named(&self) -> [(&'static str, &str); 6] {
        [
            ("greets", &self.greets),
            ("wants", &self.wants),
            ("fears", &self.fears),
            ("tells", &self.tells),
            ("refuses", &self.refuses),
            ("parts", &self.parts),
        ]
    }

    fn texts_mut(&mut self) -> [&mut String; 6] {
        [
            &mut self.greets,
            &mut self.wants,
            &mut self.fears,
            &mut self.tells,
            &mut self.refuses,
            &mut self.parts,
        ]
    }
}

/// What a player's character may say to one of the DM's, as it speaks: each leads to what `says` has under the same name.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// First of all.
    #[serde(default)]
    pub wants: String,
    /// Then.
    #[serde(default)]
    pub fears: String,
    /// After something has won its trust.
    #[serde(default)]
    pub tells: String,
}

impl Asked {
    /// Its texts, each with the name of its field.
    pub fn named(&self) -> [(&'static str, &str); 3] {
        [("wants", &self.wants), ("fears", &self.fears), ("tells", &self.tells)]
    }

    fn texts_mut(&mut self) -> [&mut String; 3] {
        [&mut self.wants, &mut self.fears, &mut self.tells]
    }
}

/// A hidden goal.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoalSpec {
    /// Id.
    pub id: String,
    /// When it is reached.
    pub label: String,
    /// Primary or secondary.
    #[serde(default)]
    pub primary: bool,
    /// Names of checks that lead to it, in order. A model that is guided is offered the goal when all of them have passed.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Is it what must not happen? The encounter is then lost by it.
    #[serde(default)]
    pub failure: bool,
    /// What makes a failure happen, whatever anybody says: the first of these.
    #[serde(default)]
    pub strikes: StrikeSpec,
    /// What is to be seen of a failure that draws nearer: after the first failed check, after the second, and so on.
    #[serde(default)]
    pub worsens: Vec<String>,
    /// How it looks when it has come about: a scene in the present tense that names no player's character.
    #[serde(default)]
    pub ending: String,
    /// What is told behind the ending, if what it names has come about.
    #[serde(default)]
    pub epilogue: Vec<PassageSpec>,
    /// What is felt of it when the next encounter of the campaign begins: a sentence or two that name no player's character.
    #[serde(default)]
    pub later: String,
}

/// A passage that is told where all that it names holds. Its names are those of checks that have passed, in this encounter or in an earlier
/// one of the campaign, and the ids of goals by which earlier ones ended.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PassageSpec {
    /// Each of these has come about.
    #[serde(default)]
    pub after: Vec<String>,
    /// None of these has come about.
    #[serde(default)]
    pub unless: Vec<String>,
    /// Names of checks of this encounter: each was tried, and has not passed.
    #[serde(default)]
    pub failed: Vec<String>,
    /// The passage: a sentence or more in the present tense that name no player's character.
    pub text: String,
}

/// What makes a failure happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StrikeSpec {
    /// So many messages were spoken in the encounter.
    #[serde(default)]
    pub messages: Option<u32>,
    /// So many checks have failed in it.
    #[serde(default)]
    pub failed_checks: Option<u32>,
    /// Nobody of the party is left standing.
    #[serde(default)]
    pub party_down: bool,
}

/// A check by name.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckSpec {
    /// Lower-case words.
    pub name: String,
    /// An ability of the rules pack.
    pub ability: String,
    /// What has to be reached.
    pub difficulty: i32,
    /// When it is used.
    #[serde(default)]
    pub note: String,
    /// Names of other checks: once one of them has passed, nobody tries this one any more. A goal that needs it counts it as done; one that
    /// needs it last cannot be reached any more.
    #[serde(default)]
    pub until: Vec<String>,
    /// What a failure costs whoever tried it, in hit points: dice, as "1d6".
    #[serde(default)]
    pub harm: Option<String>,
    /// A thing that comes to whoever passes it first, from the NPC who carries it, if one does: id of an item of the pack, or any name.
    #[serde(default)]
    pub gains: String,
    /// A thing that the party lets go of once it has passed: to the `person`, else for good.
    #[serde(default)]
    pub gives: String,
    /// Id of the NPC who is there when it is tried, and answers.
    #[serde(default)]
    pub person: Option<String>,
    /// What is there to be seen before it is tried: one or two sentences in the present tense.
    #[serde(default)]
    pub scene: String,
    /// What is there to be seen when it failed before and is to be tried again.
    #[serde(default)]
    pub again: String,
    /// What comes of it when it fails a second time, whoever tries it: a sentence or two that can be told as they stand.
    #[serde(default)]
    pub twice: String,
    /// Ways to go about it, each a sentence that a character says of what it does: "I dig my heels in." They do not say how it ends.
    #[serde(default)]
    pub tries: Vec<String>,
    /// What another character says of it before doing something else, once it has passed: "'Twelve,' I say. 'And somebody cooked for him.'"
    #[serde(default)]
    pub remarks: Vec<String>,
    /// What the person says when it is done.
    #[serde(default)]
    pub answers: Answers,
}

/// What the person of a check says to whoever tried it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Answers {
    /// After a success.
    #[serde(default)]
    pub success: String,
    /// After a failure.
    #[serde(default)]
    pub failure: String,
}

/// Something to notice.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RevealSpec {
    /// An ability of the rules pack.
    pub ability: String,
    /// Passive score (10 and the modifier) that is needed.
    pub threshold: i32,
    /// What is noticed.
    pub text: String,
}

/// A detail that the seed draws.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomSpec {
    /// Key, used as `{{key}}`.
    pub key: String,
    /// Choices.
    #[serde(default)]
    pub table: Vec<String>,
    /// `file.list` of the vocabulary, instead of a table.
    #[serde(default)]
    pub vocabulary: Option<String>,
    /// Used when the choices are empty.
    pub fallback: String,
}

/// For how many players.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PartySize {
    /// Fewest.
    pub min: u8,
    /// Most.
    pub max: u8,
}

impl Default for PartySize {
    fn default() -> PartySize {
        PartySize { min: 1, max: twicetold_event::limits::PLAYERS_MAX }
    }
}

impl NpcSpec {
    /// Its texts in which `{{keys}}` are filled in, besides its name and what it carries.
    fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        std::iter::once(&mut self.persona).chain(self.says.texts_mut()).chain(self.asked.texts_mut())
    }

    /// The name that the specification gives; one that the seed draws is known once the encounter has begun.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.id)
    }
}

impl PassageSpec {
    /// Does all that it names hold? `came` says what has come about, `failed` which checks were tried in vain.
    pub(crate) fn holds(&self, came: impl Fn(&str) -> bool, failed: impl Fn(&str) -> bool) -> bool {
        self.after.iter().all(|name| came(name))
            && !self.unless.iter().any(|name| came(name))
            && self.failed.iter().all(|name| failed(name))
    }
}

impl GoalSpec {
    /// The texts that are told of it as they stand while its encounter is played: what draws nearer, the ending, what may follow it.
    pub fn told(&self) -> impl Iterator<Item = &String> {
        let behind = self.epilogue.iter().map(|passage| &passage.text);
        self.worsens.iter().chain([&self.ending]).chain(behind)
    }

    /// Its texts in which `{{keys}}` are filled in, besides its label.
    fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let behind = self.epilogue.iter_mut().map(|part| &mut part.text);
        [&mut self.ending, &mut self.later].into_iter().chain(&mut self.worsens).chain(behind)
    }
}

/// What authors write between what a check does and what follows when it fails.
pub(super) const ON_A_FAILURE: &str = "; on a failure ";

impl CheckSpec {
    /// The part of its note that has come about.
    #[must_use]
    pub fn came_of(&self, success: bool) -> Option<&str> {
        let parts = self.note.split_once(ON_A_FAILURE);
        let (done, failed) = parts.map_or((self.note.as_str(), None), |(done, failed)| (done, Some(failed)));
        let part = if success { Some(done) } else { failed };
        part.map(str::trim).filter(|part| !part.is_empty())
    }

    /// Its texts in which `{{keys}}` are filled in.
    fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let answers = [&mut self.answers.success, &mut self.answers.failure];
        let seen = [&mut self.note, &mut self.scene, &mut self.again, &mut self.twice];
        let things = [&mut self.gains, &mut self.gives];
        seen.into_iter().chain(things).chain(answers).chain(&mut self.tries).chain(&mut self.remarks)
    }
}

impl EncounterSpec {
    /// As it is played: `{{keys}}` filled in, everybody named by what the seed drew.
    #[must_use]
    pub fn filled(&self, draws: &BTreeMap<String, String>) -> EncounterSpec {
        let mut spec = self.clone();
        for npc in &mut spec.npcs {
            // A drawn name stands as it was drawn.
            let drawn = npc.name_key.as_ref().and_then(|key| draws.get(key));
            npc.name = npc.name.take().map(|name| fill(&name, draws)).or_else(|| drawn.cloned());
        }
        let setting = &mut spec.setting;
        let lines = [&mut setting.location, &mut setting.time_of_day, &mut spec.objective]
            .into_iter()
            .chain(spec.goals.iter_mut().map(|goal| &mut goal.label));
        for line in lines {
            *line = fill(line, draws);
        }
        let passages = [&mut spec.tone, &mut spec.opening, &mut spec.dm_notes, &mut setting.mood]
            .into_iter()
            .chain(&mut setting.ambient)
            .chain(&mut spec.house_rules)
            .chain(spec.npcs.iter_mut().flat_map(NpcSpec::texts_mut))
            .chain(spec.prologue.iter_mut().map(|passage| &mut passage.text))
            .chain(spec.goals.iter_mut().flat_map(GoalSpec::texts_mut))
            .chain(spec.checks.iter_mut().flat_map(CheckSpec::texts_mut))
            .chain(spec.reveals.iter_mut().map(|reveal| &mut reveal.text));
        for passage in passages {
            *passage = fill(passage.trim(), draws);
        }
        spec.npcs.iter_mut().flat_map(|npc| &mut npc.items).for_each(|item| *item = fill(item, draws));
        spec
    }

    /// Its texts in which `{{keys}}` are filled in, each with the way to it in the file.
    pub(crate) fn texts(&self) -> Vec<(Vec<Step<'static>>, &str)> {
        use Step::{At, Key};
        type Text<'a> = (Vec<Step<'static>>, &'a str);
        fn list<'a>(way: &[Step<'static>], lines: &'a [String]) -> Vec<Text<'a>> {
            let text = |(place, line): (usize, &'a String)| ([way, &[At(place)]].concat(), line.as_str());
            lines.iter().enumerate().map(text).collect()
        }
        fn rows<'a>(table: &'static str, field: &'static str, texts: Vec<&'a str>) -> Vec<Text<'a>> {
            let text = |(place, text)| (vec![Key(table), At(place), Key(field)], text);
            texts.into_iter().enumerate().map(text).collect()
        }
        let setting = &self.setting;
        let mut texts: Vec<Text<'_>> = vec![
            (vec![Key("tone")], &self.tone),
            (vec![Key("opening")], &self.opening),
            (vec![Key("objective")], &self.objective),
            (vec![Key("dm_notes")], &self.dm_notes),
            (vec![Key("setting"), Key("location")], &setting.location),
            (vec![Key("setting"), Key("time_of_day")], &setting.time_of_day),
            (vec![Key("setting"), Key("mood")], &setting.mood),
        ];
        texts.extend(list(&[Key("setting"), Key("ambient")], &setting.ambient));
        texts.extend(rows("prologue", "text", self.prologue.iter().map(|one| one.text.as_str()).collect()));
        texts.extend(list(&[Key("house_rules")], &self.house_rules));
        let names = self.npcs.iter().map(|npc| npc.name.as_deref().unwrap_or_default());
        texts.extend(rows("npc", "name", names.collect()));
        texts.extend(rows("npc", "persona", self.npcs.iter().map(|npc| npc.persona.as_str()).collect()));
        for (place, npc) in self.npcs.iter().enumerate() {
            texts.extend(list(&[Key("npc"), At(place), Key("items")], &npc.items));
            let way = |table, field| vec![Key("npc"), At(place), Key(table), Key(field)];
            texts.extend(npc.says.named().map(|(field, text)| (way("says", field), text)));
            texts.extend(npc.asked.named().map(|(field, text)| (way("asked", field), text)));
        }
        texts.extend(rows("goal", "label", self.goals.iter().map(|goal| goal.label.as_str()).collect()));
        texts.extend(rows("goal", "ending", self.goals.iter().map(|goal| goal.ending.as_str()).collect()));
        texts.extend(rows("goal", "later", self.goals.iter().map(|goal| goal.later.as_str()).collect()));
        for (place, goal) in self.goals.iter().enumerate() {
            texts.extend(list(&[Key("goal"), At(place), Key("worsens")], &goal.worsens));
            let way = |part| vec![Key("goal"), At(place), Key("epilogue"), At(part), Key("text")];
            texts.extend(goal.epilogue.iter().enumerate().map(|(at, part)| (way(at), part.text.as_str())));
        }
        texts.extend(rows("check", "note", self.checks.iter().map(|check| check.note.as_str()).collect()));
        texts.extend(rows("check", "scene", self.checks.iter().map(|check| check.scene.as_str()).collect()));
        texts.extend(rows("check", "again", self.checks.iter().map(|check| check.again.as_str()).collect()));
        texts.extend(rows("check", "twice", self.checks.iter().map(|check| check.twice.as_str()).collect()));
        texts.extend(rows("check", "gains", self.checks.iter().map(|check| check.gains.as_str()).collect()));
        texts.extend(rows("check", "gives", self.checks.iter().map(|check| check.gives.as_str()).collect()));
        for (place, check) in self.checks.iter().enumerate() {
            texts.extend(list(&[Key("check"), At(place), Key("tries")], &check.tries));
            texts.extend(list(&[Key("check"), At(place), Key("remarks")], &check.remarks));
            let answers = [("success", &check.answers.success), ("failure", &check.answers.failure)];
            let way = |end| vec![Key("check"), At(place), Key("answers"), Key(end)];
            texts.extend(answers.map(|(end, text)| (way(end), text.as_str())));
        }
        texts.extend(rows(
            "reveal",
            "text",
            self.reveals.iter().map(|reveal| reveal.text.as_str()).collect(),
        ));
        texts
    }
}

/// `text` with its `{{keys}}` filled in.
fn fill(text: &str, draws: &BTreeMap<String, String>) -> String {
    let mut filled = text.to_owned();
    for (key, value) in draws {
        if !filled.contains("{{") {
            break;
        }
        filled = filled.replace(&format!("{{{{{key}}}}}"), value);
    }
    filled
}

/// What stands between double braces in a text, exactly as it stands.
pub(crate) fn keys(text: &str) -> impl Iterator<Item = &str> {
    text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}").map(|(key, _)| key))
}

#[cfg(test)]
mod tests {
    use super::CheckSpec;

    #[test]
    fn of_a_note_the_part_is_told_that_has_come_about() {
        let check = |note: &str| -> CheckSpec {
            let text = format!("name = \"ask\"\nability = \"CHA\"\ndifficulty = 10\nnote = \"{note}\"");
            toml::from_str(&text).expect("a check")
        };
        let both = check("she says why; on a failure she looks at her shoes");
        assert_eq!(both.came_of(true), Some("she says why"));
        assert_eq!(both.came_of(false), Some("she looks at her shoes"));
        assert_eq!(check("she says why").came_of(true), Some("she says why"));
        assert_eq!(check("she says why").came_of(false), None);
        assert_eq!(check("").came_of(true), None);
    }
}
