//! What somebody who writes a configuration wants to be told: all that is wrong with it, and what probably is.

use super::encounter::keys;
use super::finding::{Finding, Notes};
use super::rules::parse_file as parse_rules;
use super::{
    CampaignSpec, EncounterSpec, Limits, RULES_VERSION, Setup, SetupError, Severity, SourceFile, Step,
    StrikeSpec, TextFile, Texts, misplaced, odd, parse, passages, reach, template,
};
use Step::{At, Key};

/// Names that other crates give meaning to.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// Tools.
    pub tools: &'a [&'a str],
    /// Names that a prompt template may ask for.
    pub prompt_names: &'a [&'a str],
    /// Those of them that stand for nothing in a prompt that is not the DM's.
    pub dm_names: &'a [&'a str],
}

/// The rule that a file offends that lies in the folder of another kind.
pub const WRONG_FOLDER: &str = misplaced::RULE;

/// Unknown fields of one file that are told of: who has more has the wrong file.
const UNKNOWN_MAX: usize = 20;

/// What can be said of one file by itself, by its path below the configuration folder: every field that it should not have, or the one
/// thing for which it cannot be read.
pub fn file(path: &str, text: &str) -> Vec<Finding> {
    if let Some(finding) = misplaced::finding(path, text) {
        return vec![finding];
    }
    let (mut found, mut rest) = (Vec::new(), text.to_owned());
    while found.len() < UNKNOWN_MAX {
        let Some(mut finding) = first(path, &rest) else { break };
        let (near, is_unknown) = (meant(&finding.message), finding.message.starts_with(UNKNOWN_FIELD));
        if let Some(near) = &near {
            finding.help = format!("did you mean {near:?}? {}", finding.help);
        }
        let without =
            finding.span.filter(|_| is_unknown).and_then(|span| without(&rest, span, near.as_deref()));
        // Whatever else there is may come of a name that was written wrongly.
        if found.is_empty() || is_unknown {
            found.push(finding);
        }
        match without {
            Some(without) => rest = without,
            None => break,
        }
    }
    found
}

/// How the reader of TOML says that a field should not be there; the names of those that may be follow.
const UNKNOWN_FIELD: &str = "unknown field `";

/// The field that was probably meant, where the reader of TOML says that one should not be there.
pub fn meant(message: &str) -> Option<String> {
    let mut names = message.strip_prefix(UNKNOWN_FIELD)?.split('`').step_by(2);
    let typed = names.next()?;
    let near = names.map(|name| (strsim::osa_distance(typed, name), name)).min()?;
    (near.0 * 3 <= typed.chars().count()).then(|| near.1.to_owned())
}

/// The text with the field that was meant in the place of the one at a span; where none was, with blanks in the place of its line. Lines
/// stay where they are. Nothing where the value goes on below its line.
fn without(text: &str, (start, end): (usize, usize), near: Option<&str>) -> Option<String> {
    if let Some(near) = near {
        let width = end - start;
        return Some([text.get(..start)?, &format!("{near:<width$}"), text.get(end..)?].concat());
    }
    let start = text.get(..start)?.rfind('\n').map_or(0, |end| end + 1);
    let end = text.get(start..)?.find('\n').map_or(text.len(), |end| start + end);
    let line = text.get(start..end)?;
    let is_even = |open: char, close: char| line.matches(open).count() == line.matches(close).count();
    let is_whole =
        is_even('[', ']') && is_even('{', '}') && !line.contains("\"\"\"") && !line.contains("\'\'\'");
    let blanks = " ".repeat(line.len());
    (is_whole && line.contains('=')).then(|| [&text[..start], &blanks, &text[end..]].concat())
}

/// The first thing for which a file cannot be read.
fn first(path: &str, text: &str) -> Option<Finding> {
    let folder = path.split('/').next().unwrap_or_default();
    let result = match folder {
        "campaign.toml" | "campaigns" => parse::<CampaignSpec>(path, text).map(drop),
        "encounters" => parse::<EncounterSpec>(path, text).map(drop),
        "limits.toml" => parse::<Limits>(path, text).map(drop),
        "rules" => parse_rules(path, text),
        "prompts" if path.ends_with(".toml") => {
            Texts::default().add(path, TextFile::Program, &std::sync::Arc::from(text))
        }
        "prompts" => template(path, text).map(drop),
        "vocabulary" => parse::<std::collections::BTreeMap<String, Vec<String>>>(path, text).map(drop),
        _ => Ok(()),
    };
    result.err().map(Finding::from)
}

/// All that can be said of a campaign: `id` is its file's name without ending, `files` are those of its charter.
pub fn campaign(id: &str, files: Vec<SourceFile>, known: Known<'_>) -> Vec<Finding> {
    let mut found: Vec<Finding> = files.iter().flat_map(|one| file(&one.path, &one.text)).collect();
    match Setup::read(0, RULES_VERSION, files) {
        Ok(setup) => {
            found.extend(setup.contradictions());
            found.extend(of_the_campaign(id, &setup));
            found.extend(
                setup.encounters.iter().flat_map(|encounter| of_an_encounter(&setup, encounter, known)),
            );
            found.extend(of_the_rules(&setup));
            found.extend(of_the_prompts(&setup, known));
        }
        // A file that cannot be read by itself has already been told of.
        Err(error) => {
            let told = |finding: &Finding| match &error {
                SetupError::Invalid { path, span, .. } => {
                    *path == finding.path && (*span == finding.span || finding.rule == misplaced::RULE)
                }
                _ => false,
            };
            if !found.iter().any(told) {
                found.push(error.into());
            }
        }
    }
    found
}

fn of_the_campaign(id: &str, setup: &Setup) -> Vec<Finding> {
    let campaign = &setup.campaign;
    let mut notes = Notes::of(setup, "campaign.toml");
    if campaign.id != id {
        let message = format!("the id {:?} differs from the file name {id:?}", campaign.id);
        notes.error(
            "id_and_file",
            &[Key("id")],
            message,
            "use the same name for both: `run` finds a campaign by it",
        );
    }
    let in_an_act = |id: &String| campaign.acts.iter().any(|act| act.encounters.contains(id));
    for (place, encounter) in campaign.encounters.iter().enumerate() {
        if !campaign.acts.is_empty() && !in_an_act(encounter) {
            let message = format!("the encounter {encounter:?} is in no act, although other encounters are");
            let help = "list it in the act that it belongs to";
            notes.warning("encounter_in_no_act", &[Key("encounters"), At(place)], message, help);
        }
        if campaign.encounters[..place].contains(encounter) {
            let message = format!("the encounter {encounter:?} is played twice");
            let help = "list each encounter once: the seed would draw the same details again";
            notes.warning("encounter_twice", &[Key("encounters"), At(place)], message, help);
        }
    }
    notes.into_findings()
}

fn of_an_encounter(setup: &Setup, encounter: &EncounterSpec, known: Known<'_>) -> Vec<Finding> {
    let path = setup.path_of(encounter);
    let mut notes = Notes::of(setup, &path);
    if format!("encounters/{}.toml", encounter.id) != path {
        let message = format!("the id is {:?}, and the file is {path:?}", encounter.id);
        notes.error("id_and_file", &[Key("id")], message, "make them the same word: campaigns list it");
    }
    goals(&mut notes, encounter);
    randoms(&mut notes, setup, encounter);
    people(&mut notes, setup, encounter);
    for (place, tool) in encounter.allowed_tools.iter().enumerate() {
        if !known.tools.contains(&tool.as_str()) {
            let message = format!("there is no tool {tool:?}");
            let help = format!("the tools are {}", known.tools.join(", "));
            notes.error("unknown_tool", &[Key("allowed_tools"), At(place)], message, help);
        }
    }
    party_size(&mut notes, setup, encounter);
    odd::in_an_encounter(&mut notes, encounter);
    passages::note(&mut notes, setup, encounter);
    reach::note(&mut notes, setup, encounter);
    notes.into_findings()
}

fn goals(notes: &mut Notes<'_>, encounter: &EncounterSpec) {
    if encounter.goals.iter().all(|goal| goal.failure) {
        let help = "add a goal that the party may passages, reach, without `failure`";
        notes.error("nothing_to_win", &[Key("goal")], "every goal is a failure", help);
    }
    for (place, goal) in encounter.goals.iter().enumerate() {
        let way = |field| [Key("goal"), At(place), Key(field)];
        if goal.label.trim().is_empty() {
            let message = format!("the goal {:?} has an empty label", goal.id);
            let help = "write when it is reached, exactly enough that two people would agree";
            notes.error("empty_label", &way("label"), message, help);
        }
        if goal.id.trim().is_empty() {
            notes.error(
                "empty_id",
                &way("id"),
                "a goal has an empty id",
                "an encounter is resolved by it: write one",
            );
        }
        if goal.strikes != StrikeSpec::default() && !goal.failure {
            let message = format!("the goal {:?} has `strikes` and is no failure", goal.id);
            let help =
                "write `failure = true`, or leave `strikes` out: only what must not happen happens by itself";
            notes.error("strikes_no_failure", &way("strikes"), message, help);
        }
        if let (Some(clock), Some(most)) = (goal.strikes.messages, encounter.messages_max)
            && clock >= most
        {
            let message = format!(
                "the failure {:?} happens after {clock} messages, and the encounter ends after {most}",
                goal.id
            );
            let help = "let it happen at least two messages before the end, so that it can be told";
            notes.error("strikes_too_late", &way("strikes"), message, help);
        }
        if goal.id.starts_with("dynamic_") {
            let message = format!("the goal id {:?} begins with dynamic_", goal.id);
            let help = "the prefix dynamic_ is reserved for goals that are registered during play: choose another id";
            notes.error("reserved_goal_id", &way("id"), message, help);
        }
    }
}

/// A key whose braces are not closed: its beginning, up to where they should be.
fn open_key(text: &str) -> Option<&str> {
    let mut from = 0;
    while let Some(at) = text.get(from..)?.find("{{").map(|at| from + at) {
        let name = text.get(at + 2..)?;
        let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
        if !name.get(end..)?.starts_with("}}") {
            return text.get(at..at + 2 + end);
        }
        from = at + 2 + end;
    }
    None
}

fn randoms(notes: &mut Notes<'_>, setup: &Setup, encounter: &EncounterSpec) {
    let texts = encounter.texts();
    for (way, text) in &texts {
        if let Some(open) = open_key(text) {
            let help = format!("write {open}}}}}, with the key of a [[random]] between the braces");
            notes.error_at_word(
                "open_key",
                way,
                open,
                format!("the braces of {open:?} are not closed"),
                help,
            );
        }
    }
    let is_used = |key: &str| {
        texts.iter().any(|(_, text)| keys(text).any(|used| used == key))
            || encounter.npcs.iter().any(|npc| npc.name_key.as_deref() == Some(key))
    };
    for (place, random) in encounter.randoms.iter().enumerate() {
        let way = |field| [Key("random"), At(place), Key(field)];
        let key = &random.key;
        if random.fallback.trim().is_empty() {
            let message = format!("the key {key:?} has no fallback");
            let help = "write the text that is used when there is nothing to draw from";
            notes.error("no_fallback", &way("fallback"), message, help);
        }
        match (&random.vocabulary, random.table.is_empty()) {
            (Some(list), _) if !setup.vocabulary.contains_key(list) => {
                let known: Vec<&str> = setup.vocabulary.keys().map(String::as_str).collect();
                let message = format!("there is no list {list:?} in the vocabulary");
                let help = format!("the lists are {}", known.join(", "));
                notes.error("unknown_vocabulary", &way("vocabulary"), message, help);
            }
            (Some(_), false) => {
                let message = format!("the key {key:?} has a table and a vocabulary");
                notes.warning(
                    "two_sources",
                    &way("vocabulary"),
                    message,
                    "keep one of the two; the table is drawn from",
                );
            }
            (None, true) => {
                let message = format!("the key {key:?} has neither a table nor a vocabulary");
                notes.warning(
                    "nothing_to_draw",
                    &way("key"),
                    message,
                    "add one of the two; until then the fallback is used",
                );
            }
            _ => {}
        }
        if !is_used(key) {
            let message = format!("the key {key:?} is never used");
            let help = format!("write {{{{{key}}}}} in a text of the encounter, or remove the [[random]]");
            notes.warning("unused_key", &way("key"), message, help);
        }
    }
}

fn people(notes: &mut Notes<'_>, setup: &Setup, encounter: &EncounterSpec) {
    for (place, npc) in encounter.npcs.iter().enumerate() {
        if npc.persona.trim().is_empty() {
            let message = format!("the npc {:?} has an empty persona", npc.id);
            let help = "write voice, want, fear and secret in two or three sentences: the DM has nothing else to go by";
            notes.warning("no_persona", &[Key("npc"), At(place), Key("persona")], message, help);
        }
        for (number, item) in npc.items.iter().enumerate() {
            let way = [Key("npc"), At(place), Key("items"), At(number)];
            thing(notes, setup, &way, &format!("the npc {:?} carries", npc.id), item);
        }
    }
    for (place, check) in encounter.checks.iter().enumerate() {
        for (field, item) in [("gains", &check.gains), ("gives", &check.gives)] {
            let way = [Key("check"), At(place), Key(field)];
            thing(notes, setup, &way, &format!("the check {:?} {field}", check.name), item);
        }
    }
}

/// Anybody may carry a thing that no rule speaks of; what is spelt like an id was meant as one.
fn thing(notes: &mut Notes<'_>, setup: &Setup, way: &[Step<'_>], who: &str, item: &str) {
    if item.contains('-') && !item.contains(' ') && setup.rules.item(item).is_none() {
        let message = format!("{who} {item:?}, which the rules pack does not have");
        let help = "fix the id, or write plain text if no rule mentions the item";
        notes.warning("unknown_item", way, message, help);
    }
}

fn party_size(notes: &mut Notes<'_>, setup: &Setup, encounter: &EncounterSpec) {
    let campaign = &setup.campaign;
    let (least, most) = (encounter.party_size.min, encounter.party_size.max);
    let way = [Key("party_size")];
    let help = "widen party_size here, or narrow players_min and players_max in the campaign";
    if !(least..=most).contains(&campaign.players_default) {
        let message = format!(
            "the encounter is for {least} to {most} players, and {:?} has {} unless asked otherwise",
            campaign.id, campaign.players_default
        );
        notes.error("party_size", &way, message, help);
    } else if campaign.players_min < least || campaign.players_max > most {
        let message = format!(
            "the encounter is for {least} to {most} players, and {:?} may be played by {} to {}",
            campaign.id, campaign.players_min, campaign.players_max
        );
        notes.warning("party_size", &way, message, help);
    }
}

fn of_the_rules(setup: &Setup) -> Vec<Finding> {
    let rules = &setup.rules;
    let notes = |file: &str| Notes::of(setup, &format!("rules/{}/{file}", rules.folder));
    let mut pack = notes("pack.toml");
    if rules.pack.id != rules.folder {
        let message = format!("the id is {:?}, and the folder is called {:?}", rules.pack.id, rules.folder);
        pack.error("id_and_file", &[Key("id")], message, "make them the same word: campaigns name it");
    }
    let combat = &rules.pack.combat;
    for (field, ability) in [("ability", &combat.ability), ("initiative_ability", &combat.initiative_ability)]
    {
        if !rules.monsters.is_empty() && rules.ability_index(ability).is_none() {
            let message = format!("fights use the ability {ability:?}, which this pack does not have");
            let help = format!("write {field} in [combat]: one of {}", rules.pack.abilities.names.join(", "));
            pack.warning("combat_ability", &[Key("combat"), Key(field)], message, help);
        }
    }
    odd::in_a_pack(&mut pack, rules);
    let mut found = pack.into_findings();
    let mut ready = notes("pregenerated.toml");
    odd::in_the_ready(&mut ready, rules);
    found.extend(ready.into_findings());
    let mut classes = notes("classes.toml");
    odd::in_classes(&mut classes, rules);
    for (place, class) in rules.classes.iter().enumerate() {
        for (field, ids) in [("equipment", &class.equipment), ("starting", &class.starting)] {
            for (number, id) in ids.iter().enumerate() {
                if !rules.items.iter().any(|item| item.id == *id) {
                    let message = format!("the class {:?} may use {id:?}, which does not exist", class.id);
                    let way = [Key("class"), At(place), Key(field), At(number)];
                    classes.warning("unknown_item", &way, message, "add it to equipment.toml, or fix the id");
                }
            }
        }
    }
    found.extend(classes.into_findings());
    found
}

fn of_the_prompts(setup: &Setup, known: Known<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    // Texts have names of their own, which are checked where a campaign is opened.
    let prompts = setup.files.iter().filter(|one| one.path.starts_with("prompts/"));
    for one in prompts.filter(|one| one.path.ends_with(".md")) {
        let mut notes = Notes::on(&one.path, &one.text);
        let text = notes.text();
        for (at, _) in text.match_indices("{{") {
            let Some(tag) = text[at + 2..].split("}}").next() else { continue };
            let name = tag.trim().trim_start_matches(['#', '^', '/']);
            if tag.trim().starts_with('/') {
                continue;
            }
            let span = Some((at, at + tag.len() + 4));
            if !known.prompt_names.contains(&name) {
                let message = format!("unknown name {{{{{}}}}}", tag.trim());
                let help = format!("the names are {}", known.prompt_names.join(", "));
                notes.note(Severity::Error, "unknown_name", span, message, help);
            } else if ["prompts/player-", "prompts/memory-"].iter().any(|front| one.path.starts_with(front))
                && known.dm_names.contains(&name)
            {
                let message = format!(
                    "{{{{{}}}}} is visible to the DM only: this prompt gets an empty text for it",
                    tag.trim()
                );
                let help = "remove it, or move it to one of the DM's prompts".into();
                notes.note(Severity::Error, "dm_only_name", span, message, help);
            }
        }
        found.extend(notes.into_findings());
    }
    found
}
