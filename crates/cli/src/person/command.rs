//! What a line means: words to be said, a command, or something to look at.

use serde_json::{Value, json};
use twicetold_event::{PersonCall, Phase, Seat};
use twicetold_host::character;
use twicetold_host::words::near;
use twicetold_world::State;

use super::pages;

/// What a person wants.
#[derive(Debug, PartialEq, Eq)]
pub enum Wish {
    /// Nothing: an empty line.
    Nothing,
    /// To say this.
    Say(String),
    /// To use one of the table's tools, and what is said with it.
    Use(PersonCall, String),
    /// To take back what was said last.
    Again,
    /// To look at something.
    Show(Page),
    /// To give the seat back.
    Leave {
        /// And to watch the models go on.
        watch: bool,
    },
    /// Something that cannot be understood, with what to do instead.
    Wrong(String),
}

/// What can be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// What one can type.
    Help,
    /// One's character.
    Sheet,
    /// The party and its document.
    Party,
    /// What is to be done.
    Goals,
    /// Who is there.
    Who,
    /// What happened.
    Story,
    /// The tools that the seat may use now.
    Tools,
    /// What a DM has to know.
    Brief,
}

/// Reads a line of the person at `seat`.
pub fn read(state: &State, seat: Seat, line: &str) -> Wish {
    let line = line.trim();
    let Some(command) = line.strip_prefix('/') else {
        return if line.is_empty() { Wish::Nothing } else { Wish::Say(line.to_owned()) };
    };
    let (name, rest) = split(command);
    match name.to_lowercase().as_str() {
        "help" | "?" => Wish::Show(Page::Help),
        "again" => Wish::Again,
        "sheet" => Wish::Show(Page::Sheet),
        "party" => Wish::Show(Page::Party),
        "goals" => Wish::Show(Page::Goals),
        "who" => Wish::Show(Page::Who),
        "story" => Wish::Show(Page::Story),
        "tools" => Wish::Show(Page::Tools),
        "brief" if seat == Seat::Dm => Wish::Show(Page::Brief),
        "leave" | "quit" | "exit" => Wish::Leave { watch: rest.eq_ignore_ascii_case("watch") },
        "talk" => {
            needs(rest, "/talk NAME", |rest| Wish::Say(format!("I want to talk with {}.", met(state, rest))))
        }
        "roll" => needs(rest, "/roll DICE what for, as in /roll 2d6 luck", roll),
        "check" => check(state, seat, rest),
        "attack" if seat == Seat::Dm => needs(rest, "/attack TARGET by FOE", attack_by),
        "attack" => needs(rest, "/attack TARGET, or /attack TARGET with WEAPON", attack),
        "open" if seat == Seat::Dm => open(state),
        "use" => needs(rest, "/use ITEM", |item| call("use_item", &json!({ "item": item }))),
        "whisper" => whisper(state, seat, rest),
        "character" => character(state, seat, rest),
        "end" => end(state, seat, rest),
        "call" => needs(rest, CALL, called),
        _ => {
            let near = match near(pages::commands(), &format!("/{name}")) {
                Some(near) => format!("Did you mean {near}? "),
                None => String::new(),
            };
            Wish::Wrong(format!("There is no command /{name}. {near}/help shows what there is."))
        }
    }
}

/// The first word, and what comes after it.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(char::is_whitespace).map_or((text, ""), |(first, rest)| (first, rest.trim()))
}

fn needs(rest: &str, form: &str, read: impl Fn(&str) -> Wish) -> Wish {
    if rest.is_empty() { Wish::Wrong(format!("Write it as {form}.")) } else { read(rest) }
}

fn call(tool: &str, arguments: &Value) -> Wish {
    Wish::Use(PersonCall { tool: tool.to_owned(), arguments: arguments.to_string() }, String::new())
}

/// How a tool is called with arguments of one's own.
const CALL: &str = "/call TOOL argument=value other=\"a value of words\" WORDS, with or without words; /tools shows the tools";

/// A tool with its arguments, and what is said with it.
fn called(rest: &str) -> Wish {
    let (tool, rest) = split(rest);
    let (arguments, words) = match rest {
        "" => ("{}", ""),
        _ if !rest.starts_with('{') => {
            return match pairs(rest) {
                Some((arguments, words)) => {
                    let call =
                        PersonCall { tool: tool.to_owned(), arguments: Value::Object(arguments).to_string() };
                    Wish::Use(call, words)
                }
                None => Wish::Wrong(format!("Write it as {CALL}.")),
            };
        }
        _ => {
            let mut read =
                serde_json::Deserializer::from_str(rest).into_iter::<serde_json::Map<String, Value>>();
            match read.next() {
                Some(Ok(_)) => rest.split_at(read.byte_offset()),
                Some(Err(error)) => {
                    let at = error.column();
                    return Wish::Wrong(format!(
                        "The arguments are no JSON object at character {at}. Write it as {CALL}."
                    ));
                }
                None => ("{}", ""),
            }
        }
    };
    let call = PersonCall { tool: tool.to_owned(), arguments: arguments.to_owned() };
    Wish::Use(call, words.trim().to_owned())
}

/// `name=value` pairs at the front of a text, and the words behind them. A value that is JSON is meant as such; one with blanks stands in
/// quotation marks. Nothing where the first word is no pair.
fn pairs(text: &str) -> Option<(serde_json::Map<String, Value>, String)> {
    let mut arguments = serde_json::Map::new();
    let mut rest = text.trim();
    while let Some((name, value)) = rest.split_once('=') {
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name {
            break;
        }
        let mut read = serde_json::Deserializer::from_str(value).into_iter::<Value>();
        let (value, end) = match (read.next(), read.byte_offset()) {
            (Some(Ok(known)), end)
                if value[end..].is_empty() || value[end..].starts_with(char::is_whitespace) =>
            {
                (known, end)
            }
            _ => {
                let end = value.find(char::is_whitespace).unwrap_or(value.len());
                (Value::from(&value[..end]), end)
            }
        };
        arguments.insert(name.to_owned(), value);
        let from = rest.len() - rest.split_once('=').map_or(0, |(_, value)| value.len()) + end;
        rest = rest[from..].trim_start();
    }
    (!arguments.is_empty()).then(|| (arguments, rest.to_owned()))
}

/// The end of the encounter, by a goal and the words that tell it.
fn end(state: &State, seat: Seat, rest: &str) -> Wish {
    if seat != Seat::Dm {
        return Wish::Wrong("The DM ends an encounter.".to_owned());
    }
    let Some(encounter) = state.encounter() else {
        return Wish::Wrong("No encounter has begun yet.".to_owned());
    };
    let (goal, words) = split(rest);
    if goal.is_empty() || words.is_empty() {
        return Wish::Wrong(
            "Write it as /end GOAL and the words that tell how it ends; /goals shows the goals.".to_owned(),
        );
    }
    let arguments = json!({ "encounterId": encounter.id, "outcomeId": goal, "summary": words });
    let call = PersonCall { tool: "encounter_resolve".to_owned(), arguments: arguments.to_string() };
    Wish::Use(call, words.to_owned())
}

fn roll(rest: &str) -> Wish {
    let (dice, reason) = split(rest);
    let reason = if reason.is_empty() { "chance" } else { reason };
    call("roll_dice", &json!({ "dice": dice, "reason": reason }))
}

/// The opening of the encounter, as its file has it.
fn open(state: &State) -> Wish {
    match (state.encounter(), state.encounter_spec()) {
        (Some(encounter), Some(spec)) if encounter.narrations == 0 && !spec.opening.trim().is_empty() => {
            Wish::Say(spec.opening.trim().to_owned())
        }
        (Some(_), _) => Wish::Wrong("The encounter has been opened already.".to_owned()),
        _ => Wish::Wrong("No encounter has begun yet.".to_owned()),
    }
}

/// A foe's attack, which the DM makes.
fn attack_by(rest: &str) -> Wish {
    match rest.rsplit_once(" by ") {
        Some((target, attacker)) => {
            call("attack", &json!({ "target": target.trim(), "attacker": attacker.trim() }))
        }
        None => Wish::Wrong("Write it as /attack TARGET by FOE.".to_owned()),
    }
}

fn attack(rest: &str) -> Wish {
    match rest.split_once(" with ") {
        Some((target, with)) => call("attack", &json!({ "target": target.trim(), "with": with.trim() })),
        None => call("attack", &json!({ "target": rest })),
    }
}

/// A check of the encounter by its name, or of an ability.
fn check(state: &State, seat: Seat, rest: &str) -> Wish {
    // The DM says first whose check it is.
    let party = || state.characters().values().map(|character| &character.sheet.name);
    let named = |name: &&String| {
        [name.as_str(), short_name(name)].iter().find_map(|name| after(rest, name)).is_some()
    };
    let (character, rest) = match (seat, state.characters().get(&seat)) {
        (Seat::Dm, _) => match party().find(named) {
            Some(name) => (name, after(rest, name).or_else(|| after(rest, short_name(name))).unwrap_or(rest)),
            None => {
                let names: Vec<&str> = party().map(String::as_str).collect();
                return Wish::Wrong(format!(
                    "Write it as /check WHO NAME what they try. WHO is one of {}.",
                    names.join(", ")
                ));
            }
        },
        (_, Some(character)) => (&character.sheet.name, rest),
        (_, None) => {
            return Wish::Wrong("You have no character yet, so /check does not work now.".to_owned());
        }
    };
    let rest = rest.trim_start_matches([',', ':']).trim();
    let checks = state.encounter_spec().map_or(&[][..], |spec| &spec.checks);
    let named = checks.iter().filter_map(|check| Some((check, after(rest, &check.name)?)));
    if let Some((check, reason)) = named.max_by_key(|(check, _)| check.name.len()) {
        let reason = if reason.is_empty() { &check.name } else { reason };
        return call(
            "ability_check",
            &json!({ "character": character, "check": check.name, "reason": reason }),
        );
    }
    let rules = &state.setup().rules;
    let (ability, reason) = split(rest);
    if let Some(place) = rules.ability_index(ability) {
        let ability = &rules.pack.abilities.names[place];
        if reason.is_empty() {
            return Wish::Wrong(format!("Say what is tried: /check {ability} climb the roof."));
        }
        return call(
            "ability_check",
            &json!({ "character": character, "ability": ability, "reason": reason }),
        );
    }
    // Words of one's own may still say which check is meant.
    if rest.split(' ').nth(1).is_some() && !checks.is_empty() {
        return call("ability_check", &json!({ "character": character, "reason": rest }));
    }
    let checks: Vec<&str> = checks.iter().map(|check| check.name.as_str()).collect();
    let abilities = rules.pack.abilities.names.join(", ");
    let checks = if checks.is_empty() { String::new() } else { format!(" or one of: {}", checks.join("; ")) };
    Wish::Wrong(format!("Write it as /check NAME what you try. NAME is one of {abilities}{checks}."))
}

fn whisper(state: &State, seat: Seat, rest: &str) -> Wish {
    let mut names = vec![(Seat::Dm, "DM".to_owned()), (Seat::Dm, "Dungeon Master".to_owned())];
    for other in state.setup().players() {
        let character = state.characters().get(&other);
        let mut known = vec![other.to_string(), state.seat_name(other)];
        known.extend(character.map(|character| character.first_name().to_owned()));
        // Who has no character yet is called by the seat alone.
        known.dedup();
        names.extend(known.into_iter().map(|name| (other, name)));
    }
    let named = names.iter().filter_map(|(of, name)| Some((*of, name.as_str(), after(rest, name)?)));
    let meant = named.max_by_key(|(_, name, _)| name.len());
    let others = names.iter().filter(|(of, _)| *of != seat).map(|(_, name)| name.as_str());
    let others = || others.clone().collect::<Vec<_>>().join(", ");
    match meant {
        Some((of, ..)) if of == seat => {
            Wish::Wrong(format!("You would whisper to yourself. Name one of {}.", others()))
        }
        Some((_, to, text)) if !text.trim_start_matches(':').trim().is_empty() => {
            let text = text.trim_start_matches(':').trim();
            call("whisper", &json!({ "to": to, "text": text }))
        }
        _ => Wish::Wrong(format!("Write it as /whisper NAME words. NAME is one of {}.", others())),
    }
}

/// A character for Session Zero, made from a name, a class and a background.
fn character(state: &State, seat: Seat, rest: &str) -> Wish {
    let mut parts = rest.splitn(3, ',').map(str::trim);
    let (name, class, background) = (parts.next(), parts.next(), parts.next());
    let given = (name.unwrap_or_default(), class.unwrap_or_default(), background.unwrap_or_default());
    if state.phase() != Phase::Lock || seat == Seat::Dm {
        return Wish::Wrong("Characters are made in the last phase of Session Zero, by the players.".into());
    }
    let rules = &state.setup().rules;
    character::block(rules, state.setup().reading_of(seat), given)
        .map_or_else(|| Wish::Wrong(format!("Write it as {}", character_form(state))), Wish::Say)
}

/// What whoever speaks in the last phase and has no character is told once.
pub fn character_missing(state: &State) -> String {
    let form = character_form(state);
    format!(
        "You have no character yet: {form} Without one, the table gives you one of its own when this phase is over. To say it all the same, type it again."
    )
}

/// How a character is made.
fn character_form(state: &State) -> String {
    let classes = character::classes(&state.setup().rules).join(", ");
    format!("/character NAME, CLASS, BACKGROUND with commas between. CLASS is one of {classes}.")
}

/// Are these words of somebody who still needs a character, and none of one?
pub fn lacks_character(state: &State, seat: Seat, text: &str) -> bool {
    state.phase() == Phase::Lock
        && seat != Seat::Dm
        && !state.characters().contains_key(&seat)
        && !text.contains('[')
}

/// The first of several names.
fn short_name(name: &str) -> &str {
    name.split(' ').next().unwrap_or(name)
}

/// What comes after a name at the front of a text, in any case, when the name ends there.
fn after<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let front = text.get(..name.len())?;
    let rest = &text[name.len()..];
    let ends = !rest.starts_with(char::is_alphanumeric);
    (ends && front.eq_ignore_ascii_case(name)).then(|| rest.trim())
}

/// Somebody whom the party has met, by a part of the name; else as it was typed.
fn met(state: &State, name: &str) -> String {
    let wanted = name.to_lowercase();
    let mut known = state.facts().npcs.values().map(|npc| &npc.name);
    known.find(|name| name.to_lowercase().contains(&wanted)).cloned().unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use twicetold_world::setup::{RULES_VERSION, Setup};

    use super::*;
    use twicetold_host::configuration::Configuration;

    /// A table before anything happened.
    fn table() -> State {
        let (configuration, id) = Configuration::for_campaign(Some("the-borrowed-boat")).ok().unwrap();
        let seat = twicetold_host::seats::Models::of(None).ok().unwrap().find("improv").ok().unwrap().setup;
        let seat = ["dm", "memory"].into_iter().map(|slug| (slug.to_owned(), seat.clone())).collect();
        let seats = twicetold_world::setup::SeatsFile { players: 2, seat };
        let files = configuration.charter_files(&id, &seats).ok().unwrap();
        State::new(Arc::new(Setup::read(1, RULES_VERSION, files).unwrap()))
    }

    fn at(line: &str) -> Wish {
        read(&table(), Seat::Player(1), line)
    }

    fn used(tool: &str, arguments: &str) -> Wish {
        Wish::Use(PersonCall { tool: tool.into(), arguments: arguments.into() }, String::new())
    }

    #[test]
    fn what_has_no_slash_is_said() {
        assert_eq!(at("  I wait. "), Wish::Say("I wait.".into()));
        assert_eq!(at("   "), Wish::Nothing);
        assert_eq!(at("/talk Old Hanno"), Wish::Say("I want to talk with Old Hanno.".into()));
    }

    #[test]
    fn commands_become_calls_of_the_tables_tools() {
        assert_eq!(
            at("/roll 2d6 luck with ropes"),
            used("roll_dice", r#"{"dice":"2d6","reason":"luck with ropes"}"#)
        );
        assert_eq!(at("/ROLL d20"), used("roll_dice", r#"{"dice":"d20","reason":"chance"}"#));
        assert_eq!(at("/attack crow with a net"), used("attack", r#"{"target":"crow","with":"a net"}"#));
        assert_eq!(at("/attack the man by the door"), used("attack", r#"{"target":"the man by the door"}"#));
        assert_eq!(
            read(&table(), Seat::Dm, "/attack Ada by crow-1"),
            used("attack", r#"{"attacker":"crow-1","target":"Ada"}"#)
        );
        assert_eq!(at("/use rope"), used("use_item", r#"{"item":"rope"}"#));
        assert_eq!(at("/whisper player 2 wait"), used("whisper", r#"{"text":"wait","to":"Player 2"}"#));
        assert_eq!(at("/whisper dm: is it so?"), used("whisper", r#"{"text":"is it so?","to":"DM"}"#));
        assert_eq!(at(r#"/call roll_dice {"dice": "d6"}"#), used("roll_dice", r#"{"dice": "d6"}"#));
        let pairs = at(
            r#"/call update_scene location="The mill, inside" place=2 tags=["a"] mood=grim The door = shut."#,
        );
        let said = Wish::Use(
            PersonCall {
                tool: "update_scene".into(),
                arguments: r#"{"location":"The mill, inside","mood":"grim","place":2,"tags":["a"]}"#.into(),
            },
            "The door = shut.".into(),
        );
        assert_eq!(pairs, said);
        let Wish::Use(call, words) = at(r#"/call roll_dice {"dice": "d{6}"} I throw them, "high"."#) else {
            panic!("a call with words")
        };
        assert_eq!((&*call.arguments, &*words), (r#"{"dice": "d{6}"}"#, r#"I throw them, "high"."#));
    }

    #[test]
    fn whoever_writes_half_a_command_is_told_the_form_of_it() {
        for line in [
            "/talk",
            "/roll",
            "/check",
            "/attack",
            "/use",
            "/whisper",
            "/whisper DM",
            "/call",
            "/dance",
            "/call a {b}",
        ] {
            assert!(matches!(at(line), Wish::Wrong(what) if what.contains('/')), "{line}");
        }
        let Wish::Wrong(what) = at("/whisper somebody else") else { panic!("nobody is called that") };
        assert!(what.ends_with("NAME is one of DM, Dungeon Master, Player 2."), "{what}");
        assert!(matches!(at("/whisper player 1 hello"), Wish::Wrong(what) if what.contains("to yourself")));
        assert!(matches!(at("/character A, B, C"), Wish::Wrong(_)), "not in this phase");
        assert!(
            matches!(at("/end somehow They go home."), Wish::Wrong(what) if what.contains("The DM ends"))
        );
    }
}
