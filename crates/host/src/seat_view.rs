//! What may be looked at from a seat: as much of a campaign's documents as whoever plays there may know. A terminal prints it, and a server
//! for outside agents sends it.

use serde::Serialize;
use twicetold_event::{PersonCall, Phase, Seat, Section};
use twicetold_projection::people::{self, CharacterPage, Goals, NpcLine, PartyPage, advice, observed};
use twicetold_referee::Campaign;
use twicetold_tool::{Caller, Legal, menu};
use twicetold_world::State;

/// A character of the party, as every seat knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Companion {
    /// The name.
    pub name: String,
    /// The class.
    pub class: String,
    /// The seat.
    pub seat: Seat,
    /// Hit points now, and at most.
    pub hit_points: (i64, u16),
}

/// What is to be done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Aims {
    /// The objective of the encounter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<String>,
    /// Where the party is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// What time it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Quests, and whether each is done.
    pub quests: Vec<(String, bool)>,
}

/// Somebody who is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Known {
    /// The name.
    pub name: String,
    /// What they are to the party; often nothing.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub role: String,
}

/// The characters that a seat may read in full: all for the DM, the own one for a player.
pub fn sheets(state: &State, seat: Seat) -> Vec<CharacterPage> {
    let mut pages = people::characters(state);
    pages.retain(|page| seat == Seat::Dm || page.seat == seat);
    pages
}

/// The party, as every seat knows it.
pub fn companions(state: &State) -> Vec<Companion> {
    let companion = |page: CharacterPage| Companion {
        name: page.name,
        class: page.class,
        seat: page.seat,
        hit_points: page.hit_points,
    };
    people::characters(state).into_iter().map(companion).collect()
}

/// The scenario and the party document, without what is for the DM alone.
pub fn party(view: &Campaign, seat: Seat) -> PartyPage {
    let mut page = people::party(view.state(), view.replies());
    if seat != Seat::Dm {
        page.scenario_for_the_dm.clear();
        page.sections.retain(|section| section.section != Section::Secrets.name());
    }
    page
}

/// What the party knows that it has to do.
pub fn aims(view: &Campaign) -> Aims {
    let memory = people::memory(view.state(), view.replies());
    let text = |fact: Option<(u64, String)>| fact.map(|(_, text)| text);
    Aims {
        objective: text(memory.objective),
        place: text(memory.location),
        time: text(memory.time_of_day),
        quests: memory.quests.into_iter().map(|(_, text, done)| (text, done)).collect(),
    }
}

/// The goals of the encounters: hidden from all seats but the DM's.
pub fn goals(state: &State, seat: Seat) -> Vec<Goals> {
    if seat == Seat::Dm { people::goals(state) } else { Vec::new() }
}

/// All that is written about the NPCs: for the DM alone.
pub fn npcs(view: &Campaign, seat: Seat) -> Vec<NpcLine> {
    if seat == Seat::Dm { people::npcs(view.state(), view.replies()) } else { Vec::new() }
}

/// The NPCs that the party has met.
pub fn met(view: &Campaign) -> Vec<Known> {
    let met = people::npcs(view.state(), view.replies()).into_iter().filter(|npc| npc.met.is_some());
    met.map(|npc| Known { name: npc.name, role: npc.role }).collect()
}

/// The story before the messages that are still shown; nothing while all are.
pub fn story_so_far(view: &Campaign) -> Option<String> {
    people::memory(view.state(), view.replies()).summary.map(|(_, text)| text)
}

/// The names of the tools that the seat of the pending call may use.
pub fn offered(view: &Campaign) -> Vec<String> {
    view.offered().into_iter().map(|tool| tool.name.to_string()).collect()
}

/// Why this call of the seat that is asked would be rejected, and what to do instead; nothing where it would not, as far as its tool can tell
/// before the call is made. A person is told at once, and keeps the tool call and the words.
pub fn refused(view: &Campaign, seat: Seat, call: &PersonCall) -> Option<String> {
    let state = view.state();
    let tool = twicetold_tool::TOOLS.iter().find(|tool| tool.name == call.tool)?;
    let caller = Caller { seat, call: state.calls().next };
    let rejection = tool.decide(state, caller, &call.arguments).err()?;
    let (observed, advice) =
        (observed(rejection.rule, &rejection.values), advice(rejection.rule, &rejection.values));
    let parts = [observed, advice].map(|part| part.trim().trim_end_matches('.').to_owned());
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    Some(parts.join(": ") + ".")
}

/// The calls that the seat of the pending call can make now. A seat whose turn it is not has none.
pub fn choices(view: &Campaign, seat: Seat) -> Vec<Legal> {
    let offered = offered(view);
    let mut legal = menu(view.state(), seat);
    legal.retain(|one| offered.iter().any(|name| name == one.tool));
    legal
}

/// What a call does, in a few words for whoever chooses it from a list.
pub fn does(call: &Legal) -> &'static str {
    let has = |argument: &str| call.schema["properties"].get(argument).is_some();
    match call.tool {
        "lookup_rules" => "Read a page of the rules",
        "search_rules" => "Search the rules",
        "roll_dice" => "Roll dice",
        "ability_check" if has("check") => "Try one of the checks of this encounter",
        "ability_check" => "Try something else that may fail",
        "update_scene" => "Change the scene",
        "update_character" => "Change a character",
        "record_event" => "Record what happened",
        "record_quest" => "Record a quest",
        "record_met" => "Record whom the party has met",
        "update_party_document" => "Write in the party document",
        "goal_register" => "Add a goal",
        "encounter_resolve" => "End the encounter",
        "query_session_memory" => "Look up what happened earlier",
        "query_campaign" => "Look up somebody, an act or an encounter",
        "create_supporting_npc" => "Write down a person who has come up",
        "create_character" => "Bring in a newcomer",
        "update_npc" => "Change one of your people",
        "start_dialogue" => "Start a private dialogue",
        "end_dialogue" => "End the dialogue",
        "exchange_item" => "Hand something over",
        "update_relationship" => "Change what you feel towards the party",
        "start_combat" => "Start a fight",
        "attack" => "Strike",
        "saving_throw" => "Let somebody withstand something",
        "end_combat" => "End the fight",
        "use_item" => "Use something that you carry",
        "help_up" => "Help somebody up",
        "whisper" => "Whisper to somebody",
        other => other,
    }
}

/// What a person is asked to do, in a sentence.
pub fn hint(state: &State, seat: Seat) -> String {
    match (state.phase(), seat) {
        (Phase::Play, Seat::Dm) => "Tell what happens, and ask a player.".to_owned(),
        (Phase::Play, _) => "Say what your character says and does.".to_owned(),
        (phase, Seat::Dm) => {
            let marker = state.setup().reading_of(seat).marker(phase).unwrap_or_default().to_owned();
            format!("Ask the players. To end this phase, write {marker} in your message.")
        }
        (Phase::Pitch, _) => "Say whom you would like to play and what they want.".to_owned(),
        (Phase::Converge, _) => "Say how you know the others.".to_owned(),
        _ if state.characters().contains_key(&seat) => "You have your character; say something.".to_owned(),
        _ => {
            let reading = state.setup().reading_of(seat);
            let tag = reading.first("tags.character");
            let keys =
                ["name", "class", "stats", "hit_points", "armor_class", "equipment", "background", "secret"];
            let keys = keys.map(|key| reading.first(&format!("keys.{key}"))).join(", ");
            format!(
                "Write your character as a block from [{tag}] to [/{tag}], a line `KEY: VALUE` for each of {keys}; or give the seat back until play begins, and its model makes one."
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use twicetold_session::load;
    use twicetold_tests::Game;

    use super::*;

    #[test]
    fn a_player_reads_the_own_sheet_and_nothing_that_is_for_the_dm_alone() {
        let played = Game::new(3).improvised();
        let loaded = load(played.source()).unwrap();
        let (view, one) = (&loaded.campaign, Seat::Player(1));
        let state = view.state();
        assert_eq!(sheets(state, one).len(), 1);
        assert_eq!(sheets(state, Seat::Dm).len(), companions(state).len());
        assert!(goals(state, one).is_empty() && !goals(state, Seat::Dm).is_empty());
        assert!(npcs(view, one).is_empty() && npcs(view, Seat::Dm).len() >= met(view).len());
        assert!(party(view, one).scenario_for_the_dm.is_empty());
        assert!(!party(view, Seat::Dm).scenario_for_the_dm.is_empty());
        let secret =
            |page: &PartyPage| page.sections.iter().any(|one| one.section == Section::Secrets.name());
        assert!(!secret(&party(view, one)));
        // Nobody is asked in a campaign that is over.
        assert!(choices(view, one).is_empty());
    }

    #[test]
    fn every_call_is_told_in_plain_words_of_its_own() {
        let with = |tool, argument: &str| Legal {
            tool,
            schema: serde_json::json!({"type": "object", "properties": {argument: {"type": "string"}}}),
        };
        let mut told: Vec<&str> =
            twicetold_tool::TOOLS.iter().map(|tool| does(&with(tool.name, "ability"))).collect();
        told.push(does(&with("ability_check", "check")));
        for words in &told {
            let is_plain = words.starts_with(char::is_uppercase) && !words.contains('_');
            assert!(is_plain && words.chars().count() <= 40, "{words}");
        }
        let all = told.len();
        told.sort_unstable();
        told.dedup();
        assert_eq!(told.len(), all);
    }

    #[test]
    fn the_choices_of_the_seat_that_is_asked_are_the_menu_of_what_is_offered() {
        let mut asked = 0;
        let played = Game::new(3).improvised();
        crate::reading::walk(played.source(), None, |view, _| {
            if let Some(pending) = view.state().calls().pending.as_ref().filter(|one| one.purpose.is_turn()) {
                let (names, legal) = (offered(view), choices(view, pending.seat));
                assert!(legal.iter().all(|one| names.iter().any(|name| name == one.tool)));
                asked += usize::from(!legal.is_empty());
            }
            true
        })
        .unwrap();
        assert!(asked > 20, "{asked}");
    }
}
