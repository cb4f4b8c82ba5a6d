//! What a person is shown besides the story: the question, the help, and as much of the documents as their seat may know.

use std::time::Duration;

use twicetold_event::{CampaignId, Number, Phase, Seat};
use twicetold_host::seat_view;
use twicetold_projection::people;
use twicetold_referee::Campaign;
use twicetold_tool::{Legal, legal, named};
use twicetold_world::State;
use twicetold_world::setup::{CheckSpec, GoalSpec, PassageSpec};

use super::choices;
use super::command::Page;
use crate::documents;
use crate::story;
use crate::terminal::{BOLD, DIM, GOLD, TROUBLE, hanging, paragraphs, safe, short};

/// What a person can type and what it does; then who can use it, and the tool that it needs, with the arguments that are typed.
type Command = (&'static str, &'static str, Use, Option<Needed>);

/// A tool, and those of its arguments whose legal values the help names.
type Needed = (&'static str, &'static [&'static str]);

/// All that a person can type, for the help.
const COMMANDS: &[Command] = &[
    ("/brief", "the story as the DM knows it: premise, people, checks, goals, notes", Use::Dm, None),
    ("/open", "says the opening of the encounter, as its file has it", Use::Dm, None),
    ("/sheet", "your character (the DM: all of them), or the classes", Use::All, None),
    ("/party", "the party, and what is written about it", Use::All, None),
    ("/goals", "the goals that you know", Use::All, None),
    ("/who", "who is there", Use::All, None),
    ("/story", "the story so far", Use::All, None),
    ("/character NAME, CLASS, BACKGROUND", "makes your character", Use::Lock, None),
    ("/talk NAME", "asks the DM for a private dialogue with an NPC", Use::Player, None),
    ("/roll 2d6 WHAT FOR", "rolls dice", Use::Play, Some(("roll_dice", &[]))),
    (
        "/check NAME WHAT FOR",
        "tries something that may fail",
        Use::Player,
        Some(("ability_check", &["check", "ability"])),
    ),
    ("/check WHO NAME WHAT FOR", "lets a character try something that may fail", Use::DmPlay, None),
    ("/attack TARGET by FOE", "a foe strikes, in a fight", Use::DmPlay, None),
    (
        "/attack TARGET with WEAPON",
        "strikes, when it is your turn to fight",
        Use::Player,
        Some(("attack", &["target", "with"])),
    ),
    ("/use ITEM", "uses something that you carry", Use::Player, Some(("use_item", &["item"]))),
    ("/whisper NAME WORDS", "says something that one other hears", Use::Player, Some(("whisper", &["to"]))),
    ("/tools", "the tools that you can use now", Use::All, None),
    ("/call TOOL argument=value WORDS", "calls one of those tools, with or without words", Use::All, None),
    (
        "/end GOAL WORDS",
        "ends the encounter by a goal, with the words that tell it",
        Use::DmPlay,
        Some(("encounter_resolve", &["outcomeId"])),
    ),
    ("/again", "takes back your last line while it waits to be sent", Use::All, None),
    ("/leave", "pauses the campaign; `play` or `resume` continues it", Use::All, None),
    ("/leave watch", "returns the seat; the models continue while you watch", Use::All, None),
];

/// Their names, without the arguments.
pub fn commands() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().filter_map(|(typed, ..)| typed.split(' ').next()).chain(["/help"])
}

/// Who can use a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    All,
    Player,
    Play,
    Lock,
    Dm,
    DmPlay,
}

/// A page for the person at `seat`.
pub fn page(view: &Campaign, seat: Seat, page: Page, messages: usize) -> String {
    let state = view.state();
    match page {
        Page::Help => help(state, seat, &seat_view::offered(view)),
        Page::Sheet => sheet(state, seat),
        Page::Party => party(view, seat),
        Page::Goals => goals(view, seat),
        Page::Who => who(view, seat),
        Page::Story => {
            let lines = people::recent(state, view.replies(), seat, messages);
            story_so_far(view) + &lines.iter().map(|line| story::rendered(state, line)).collect::<String>()
        }
        Page::Tools => tools(view, seat),
        Page::Brief => brief(state),
    }
}

/// What a DM knows and the players do not: the premise, and of the encounter what its file says.
fn brief(state: &State) -> String {
    let campaign = &state.setup().campaign;
    let mut out = String::new();
    let mut add = |title: &str, text: &str| {
        if !text.trim().is_empty() {
            out += &format!("{BOLD}{title}{BOLD:#}\n{}\n", paragraphs(text.trim(), "  "));
        }
    };
    match state.encounter_spec() {
        None => {
            add("The premise, for everybody", &campaign.scenario.public);
            add("For you alone", &campaign.scenario.dm);
        }
        Some(spec) => {
            add("For you alone", &campaign.scenario.dm);
            add(&spec.title, &spec.tone);
            add("It opens with", &spec.opening);
            add("House rules", &spec.house_rules.join("\n"));
            let people = spec.npcs.iter().map(|npc| {
                let told = [("Tells", &npc.says.tells)].into_iter().filter(|(_, text)| !text.is_empty());
                let told: String = told.map(|(what, text)| format!("\n    {what}: {text}")).collect();
                let name = state.npcs().get(&npc.id).map_or(npc.id.as_str(), |known| &known.name);
                format!("{name} ({}): {}{told}", npc.role, npc.persona)
            });
            add("People", &people.collect::<Vec<_>>().join("\n"));
            add("Checks", &spec.checks.iter().map(check).collect::<Vec<_>>().join("\n"));
            add("Goals", &spec.goals.iter().map(goal).collect::<Vec<_>>().join("\n"));
            add("Notes", &spec.dm_notes);
        }
    }
    out
}

/// All that the file says of a check.
fn check(check: &CheckSpec) -> String {
    let person = check.person.as_ref().map_or_else(String::new, |person| format!(", with {person}"));
    let harm =
        check.harm.as_ref().map_or_else(String::new, |harm| format!(", costs {harm} HP when it fails"));
    let parts = [
        ("Before it", check.scene.as_str()),
        ("A success", check.came_of(true).unwrap_or_default()),
        ("A failure", check.came_of(false).unwrap_or_default()),
        ("A second failure", check.twice.as_str()),
        ("Before it, after a failure", check.again.as_str()),
        ("Says after a success", check.answers.success.as_str()),
        ("Says after a failure", check.answers.failure.as_str()),
    ];
    let head = format!("{} ({}, {}{person}{harm})", check.name, check.ability, check.difficulty);
    head + &below(&parts)
}

/// All that the file says of a goal.
fn goal(goal: &GoalSpec) -> String {
    let needs = goal.needs.join("; ");
    let parts = [("Needs", needs.as_str()), ("It ends so", goal.ending.trim())];
    let behind = goal.epilogue.iter().map(|passage| format!("\n    Then{}", told_if(passage)));
    format!("{}: {}", goal.id, goal.label) + &below(&parts) + &behind.collect::<String>()
}

/// What holds where a passage is told, and the passage: ", after climb the mast; unless ring the bell: The rope is wet."
fn told_if(passage: &PassageSpec) -> String {
    let named = [("after", &passage.after), ("unless", &passage.unless), ("failed", &passage.failed)];
    let named = named.into_iter().filter(|(_, names)| !names.is_empty());
    let named: Vec<String> = named.map(|(how, names)| format!("{how} {}", names.join(", "))).collect();
    let comma = if named.is_empty() { "" } else { ", " };
    format!("{comma}{}: {}", named.join("; "), passage.text.trim())
}

/// Parts of something, each on a line of its own.
fn below(parts: &[(&str, &str)]) -> String {
    let told = parts.iter().filter(|(_, text)| !text.is_empty());
    told.map(|(what, text)| format!("\n    {what}: {text}")).collect()
}

/// What the file says of the checks since the DM last spoke: what a DM needs next.
fn came_of(state: &State) -> String {
    let spec = state.encounter_spec();
    let recent = state.encounter().into_iter().flat_map(|encounter| &encounter.recent_checks);
    let told = recent.filter_map(|(_, thrown)| {
        let check = spec?.checks.iter().find(|check| check.name == thrown.check)?;
        let came_of = check.came_of(thrown.success)?;
        let (how, who) = (if thrown.success { "success" } else { "failure" }, &thrown.character);
        Some(format!("The file says of the {how} of {who}, {}: {came_of}.\n", check.name))
    });
    told.map(|text| paragraphs(text.trim(), "  ") + "\n").collect()
}

/// Something that was typed cannot be understood.
pub fn wrong(what: &str) -> String {
    format!("{TROUBLE}{}{TROUBLE:#}\n", paragraphs(what, "  "))
}

/// What stands below a line that waits to be sent.
pub fn held(time: Duration) -> String {
    let what = format!("Sent in {} s. Return sends it now, /again takes it back.", time.as_secs());
    format!("{DIM}{}{DIM:#}\n", paragraphs(&what, "  "))
}

/// A line was taken back.
pub fn taken_back() -> String {
    format!("{DIM}{}{DIM:#}\n", paragraphs("Taken back: nobody has heard it. Type another line.", "  "))
}

/// A line was never sent.
pub fn not_sent() -> String {
    format!("{DIM}{}{DIM:#}\n", paragraphs("Your last line was not sent.", "  "))
}

/// A line cannot be taken back any more: what can be done instead. `before` is the number of the journal before the line.
pub fn too_late(campaign: CampaignId, seat: Seat, before: Option<Number>) -> String {
    wrong(&match before {
        None => "You have sent nothing yet, so there is nothing to take back.".to_owned(),
        Some(Number(before)) => format!(
            "It is too late: your last line was sent, and the next seat was asked. To go back to before it, type /leave, then \
             `twicetold fork {campaign:.8} --at {before}` and `twicetold play last --seat {}`. The campaign itself keeps the line.",
            seat.slug()
        ),
    })
}

/// What stands above the line on which a person answers: whose turn it is, how they are, what they may do.
pub fn question(state: &State, seat: Seat) -> String {
    let health = state.characters().get(&seat).map_or_else(String::new, |character| {
        format!(" ── HP {}/{}", character.hit_points, character.sheet.hit_points)
    });
    let name = short(&state.seat_name(seat), 40);
    let mut hints = vec![hint(state, seat)];
    let (rounds, most) = (state.turn().rounds, state.setup().limits.tool_rounds_max);
    if rounds > 0 {
        hints.push(match most.saturating_sub(rounds) {
            1 => "Type a message now: one more tool call ends your turn.".to_owned(),
            left => format!("Tools left in this turn: {}.", left.saturating_sub(1)),
        });
    }
    hints.push("/help for commands.".to_owned());
    let came_of = if seat == Seat::Dm { came_of(state) } else { String::new() };
    format!(
        "\n{GOLD}── Your turn: {name}{health} ──{GOLD:#}\n{DIM}{came_of}{}{DIM:#}\n",
        paragraphs(&hints.join(" "), "  ")
    )
}

fn hint(state: &State, seat: Seat) -> String {
    let acts = |names: &[String]| {
        state.characters().get(&seat).is_some_and(|character| names.contains(&character.sheet.name))
    };
    match (state.phase(), seat) {
        (Phase::Play, _) => match (state.dialogue(), state.combat()) {
            (Some(dialogue), _) => {
                let npc = state.npcs().get(&dialogue.npc).map_or(dialogue.npc.as_str(), |npc| &npc.name);
                match seat {
                    Seat::Dm => format!("You speak as {}.", safe(npc)),
                    _ => format!("You are in a private dialogue with {}.", safe(npc)),
                }
            }
            (None, Some(combat)) if acts(&combat.attacked) => "You have struck: say how it looks.".to_owned(),
            (None, Some(combat)) if acts(&combat.acting) => {
                let foes: Vec<&str> = combat.standing().map(|foe| foe.foe.id.as_str()).collect();
                format!("You have one attack: /attack {}.", safe(&foes.join(", /attack ")))
            }
            _ if seat == Seat::Dm => {
                let opens = state.encounter().is_some_and(|encounter| encounter.narrations == 0);
                let open = if opens { " /open says the opening of the file." } else { "" };
                format!("Tell what happens, and ask a player. /brief, /goals, /tools, /end.{open}")
            }
            _ => "Type what your character says and does.".to_owned(),
        },
        (phase, Seat::Dm) => {
            format!(
                "Ask the players; /brief shows what you know. To end this phase, write {} in your message.",
                state.setup().reading_of(seat).marker(phase).unwrap_or_default()
            )
        }
        (Phase::Pitch, _) => {
            "Say whom you would like to play and what they want; /sheet lists the classes.".to_owned()
        }
        (Phase::Converge, _) => "Say how you know the others.".to_owned(),
        _ if state.characters().contains_key(&seat) => "You have your character; say something.".to_owned(),
        _ => "/character NAME, CLASS, BACKGROUND makes your character.".to_owned(),
    }
}

fn help(state: &State, seat: Seat, offered: &[String]) -> String {
    let usable = |wanted: &Use| match wanted {
        Use::All => true,
        Use::Player => seat != Seat::Dm && state.phase() == Phase::Play,
        Use::Play => state.phase() == Phase::Play,
        Use::Lock => seat != Seat::Dm && state.phase() == Phase::Lock,
        Use::Dm => seat == Seat::Dm,
        Use::DmPlay => seat == Seat::Dm && state.phase() == Phase::Play,
    };
    let shown: Vec<_> = COMMANDS.iter().filter(|(_, _, wanted, _)| usable(wanted)).collect();
    let width = shown.iter().map(|(form, ..)| form.chars().count()).max().unwrap_or(0);
    let below = " ".repeat(width + 4);
    let is_offered = |tool: &str| offered.iter().any(|one| one == tool);
    let legal = |row: &Command| row.3.map_or_else(Vec::new, |(tool, _)| legal_now(state, seat, tool));
    let can = |row: &Command| row.3.is_none_or(|(tool, _)| is_offered(tool) && !legal(row).is_empty());
    let (now, later): (Vec<&Command>, Vec<&Command>) = shown.into_iter().partition(|row| can(row));
    let what = match seat {
        Seat::Dm => "what you tell, and whom you ask",
        _ => "what your character says and does",
    };
    let mut out =
        format!("{}\n", paragraphs(&format!("Each line that you type is one message: {what}."), "  "));
    for row in now {
        let (form, what, _, needed) = row;
        out += &format!("{}\n", hanging(what, &format!("  {BOLD}{form:<width$}{BOLD:#}  "), &below));
        let legal = legal(row);
        for argument in needed.iter().flat_map(|(_, arguments)| *arguments) {
            out += &values(&legal, argument, &format!("{argument}: "), "      ");
        }
    }
    if !later.is_empty() {
        out += "  Not now:\n";
    }
    for (form, what, ..) in later {
        out += &format!("{DIM}{}{DIM:#}\n", hanging(what, &format!("  {form:<width$}  "), &below));
    }
    out
}

/// The ways in which a tool can be called now.
fn legal_now(state: &State, seat: Seat, tool: &str) -> Vec<Legal> {
    named(tool).map_or_else(Vec::new, |tool| legal(state, seat, tool))
}

/// A dim line of what an argument can be now; none where it can be anything.
fn values(legal: &[Legal], argument: &str, label: &str, indent: &str) -> String {
    let values = choices::of(legal, argument);
    if values.is_empty() {
        return values;
    }
    format!("{DIM}{}{DIM:#}\n", paragraphs(&format!("{label}{values}"), indent))
}

/// Why a tool cannot be used now, if it is none of those that are offered; with those that are.
pub fn not_offered(tool: &str, offered: &[String]) -> Option<String> {
    if offered.iter().any(|one| one == tool) {
        return None;
    }
    let is_known = twicetold_tool::TOOLS.iter().any(|one| one.name == tool);
    let what = match is_known {
        true => format!("{tool} is not available now."),
        false => format!("There is no tool {}.", short(tool, 40)),
    };
    let instead = match offered {
        [] => "No tool is available now: type a message.".to_owned(),
        _ => format!("You can use {}; /tools describes them.", offered.join(", ")),
    };
    Some(format!("{what} {instead}"))
}

/// The story before the messages that are shown.
pub fn story_so_far(view: &Campaign) -> String {
    seat_view::story_so_far(view).map_or_else(String::new, |text| {
        format!("{BOLD}The story so far{BOLD:#}\n{}\n", paragraphs(&text, "  "))
    })
}

fn sheet(state: &State, seat: Seat) -> String {
    let pages = seat_view::sheets(state, seat);
    if !pages.is_empty() || seat == Seat::Dm {
        return documents::characters(&pages);
    }
    let rules = &state.setup().rules;
    let mut out = format!("{DIM}You have no character yet. There are these classes:{DIM:#}\n");
    for class in &rules.classes {
        out += &format!("{}\n", paragraphs(&format!("{}: {}", class.name, class.summary), "  "));
    }
    out
}

fn party(view: &Campaign, seat: Seat) -> String {
    let mut out = String::new();
    for one in seat_view::companions(view.state()) {
        let (now, most) = one.hit_points;
        let line = format!("{}, {} ({}), HP {now}/{most}", one.name, one.class, one.seat);
        out += &format!("{}\n", paragraphs(&line, "  "));
    }
    format!("{out}\n{}", documents::party(&seat_view::party(view, seat)))
}

fn goals(view: &Campaign, seat: Seat) -> String {
    let aims = seat_view::aims(view);
    let mut out = String::new();
    for (title, text) in [("Objective", &aims.objective), ("Place", &aims.place), ("Time", &aims.time)] {
        if let Some(text) = text {
            out += &format!("{BOLD}{title}{BOLD:#}\n{}\n", paragraphs(text, "  "));
        }
    }
    for (text, done) in &aims.quests {
        let mark = if *done { "✔" } else { "·" };
        out += &format!("{}\n", paragraphs(&format!("{mark} {text}"), "  "));
    }
    if out.is_empty() {
        out = format!("{DIM}No objective has been set yet.{DIM:#}\n");
    }
    if seat == Seat::Dm {
        let hidden = documents::goals(&seat_view::goals(view.state(), seat));
        out += &format!("\n{BOLD}Hidden from the players{BOLD:#}\n{hidden}");
    }
    out
}

fn who(view: &Campaign, seat: Seat) -> String {
    if seat == Seat::Dm {
        return documents::npcs(&seat_view::npcs(view, seat));
    }
    let mut out = String::new();
    for (seat, character) in view.state().characters() {
        out += &format!("{}\n", paragraphs(&format!("{} ({seat})", character.sheet.name), "  "));
    }
    for npc in seat_view::met(view) {
        let role = if npc.role.is_empty() { String::new() } else { format!(", {}", npc.role) };
        out += &format!("{}\n", paragraphs(&format!("{}{role}", npc.name), "  "));
    }
    if out.is_empty() { format!("{DIM}The party has met no NPC yet.{DIM:#}\n") } else { out }
}

/// The tools that may be used now.
fn tools(view: &Campaign, seat: Seat) -> String {
    let mut out = String::new();
    for tool in view.offered() {
        out += &format!("{BOLD}{}{BOLD:#}\n{}\n", safe(&tool.name), paragraphs(&tool.description, "  "));
        let legal = legal_now(view.state(), seat, &tool.name);
        if legal.is_empty() {
            out += &format!("{DIM}    No call of it is possible now.{DIM:#}\n");
            continue;
        }
        let schema: serde_json::Value = serde_json::from_str(&tool.schema).unwrap_or_default();
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            if legal.iter().all(|one| one.schema["properties"].get(name).is_none()) {
                continue;
            }
            let needed = schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
            let optional = if needed { "" } else { " (may be left out)" };
            let what = field["description"].as_str().unwrap_or_default();
            let about = if what.is_empty() { String::new() } else { format!(": {what}") };
            out += &format!("{}\n", paragraphs(&format!("{name}{optional}{about}"), "    "));
            out += &values(&legal, name, "now: ", "      ");
        }
    }
    if out.is_empty() { format!("{DIM}There are none just now.{DIM:#}\n") } else { out }
}
