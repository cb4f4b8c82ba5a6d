//! A legal character sheet out of what the table offers.

use super::persona::Persona;
use super::pick::Pick;
use super::read::short;
use super::request::Request;
use super::state::Row;

/// The `[CHARACTER]` block of this persona.
pub(super) fn sheet(request: &Request<'_>, persona: &Persona) -> String {
    let state = &request.state;
    let stable = Pick::new(request.seed, &["sheet", state.seat()]);
    let shown =
        |row: &Row| if row.get("name").is_empty() { row.head.clone() } else { row.get("name").to_owned() };
    let class = state
        .classes
        .iter()
        .find(|row| shown(row).eq_ignore_ascii_case(&persona.class) || row.head == persona.class)
        .or(state.classes.first());
    let class_name = class.map(shown).unwrap_or_else(|| persona.class.clone());
    let items = class.map(|class| equipment(request, class, &stable)).unwrap_or_default();
    let names: Vec<&str> = items
        .iter()
        .map(|id| {
            let row = state.equipment.iter().find(|row| row.head == *id);
            row.map(|row| row.get("name")).filter(|name| !name.is_empty()).unwrap_or(id)
        })
        .collect();
    let hit_points = hit_points(request, class);
    let stats = stats(request, class.map(|class| class.get("prime")).unwrap_or(""), &stable);
    format!(
        "[CHARACTER]\nName: {}\nClass: {class_name}\nStats: {stats}\nHP: {hit_points}\nAC: {}\nEquipment: {}\n\
         Background: {}\nSecret: {}\n[/CHARACTER]",
        persona.name,
        armor_class(request, &items),
        names.join(", "),
        background(persona),
        secret(request, persona, &stable),
    )
}

fn background(persona: &Persona) -> String {
    let short = short(&persona.name);
    let third = |text| super::read::shift(text, super::read::Person::Third);
    format!(
        "{short} used to {} and wants to {}. {short} carries a {} and is afraid of {}.",
        third(persona.past.is),
        third(persona.want.is),
        third(persona.keepsake.is),
        third(persona.fear.is),
    )
}

/// Seats among whom the secrets are shared out: in a party of three no two have the same.
const SHARES: usize = 3;

fn secret(request: &Request<'_>, persona: &Persona, stable: &Pick) -> String {
    let short = short(&persona.name);
    let keepsake = super::read::shift(persona.keepsake.is, super::read::Person::Third);
    let secrets = [
        format!(
            "The {keepsake} is not {short}'s own; it was taken from somebody who is still looking for it."
        ),
        format!("{short} has been in this town before, under another name, and left a bill behind."),
        format!("{short} was paid to come along, by somebody who wants to know how it goes."),
        format!("{short} could have prevented the thing that they are most pitied for."),
        format!("Nobody knows that {short} writes it all down at night, and for whom."),
        format!("{short} has promised two people the same thing."),
        format!("{short} has a brother nearby who was told that {short} is dead."),
        format!("{short} cannot tell left from right, and has got by on a confident frown."),
        format!(
            "{short} once took the blame for a friend, and was later told that the friend had done it twice."
        ),
        format!("{short} saw more of this business than anybody knows, and ran."),
        format!(
            "A magistrate two days from here holds a warrant with {short}'s description on it, badly drawn."
        ),
        format!("{short} has been sending money to the family of somebody they wronged."),
        format!("{short} once voted for a thing in the dark, by a show of hands, and has denied it since."),
        format!("{short} cannot read much beyond their own name, and carries books to make up for it."),
        format!("{short} was asked to be a witness, said what they had been told to say, and was believed."),
        format!("The story that {short} tells best happened to somebody else."),
        format!("{short} left a door open one night, and knows what came in by it."),
        format!("{short} is older than they say, and was there the last time."),
        format!("{short} has twice been offered money for the {keepsake}, and has named a price."),
        format!("{short} still lays a place for somebody at supper, where nobody sees it."),
        format!("{short} found a purse, advertised it in the wrong town, and lives on the rest."),
        format!("{short} is good at farewells because none of them has been meant."),
        format!("{short} was sent to fetch help, stopped to be frightened, and came too late by that much."),
        format!(
            "There is a grave with {short}'s name on it, paid for by instalments, and by whom is not known."
        ),
    ];
    // Each seat has its own of them, since no seat knows what another has drawn.
    let seat = request.state.seat().chars().filter_map(|c| c.to_digit(10)).sum::<u32>() as usize;
    let own: Vec<&String> = secrets.iter().skip(seat % SHARES).step_by(SHARES).collect();
    stable.draw("secret").choose(&own).map(|secret| (*secret).clone()).unwrap_or_default()
}

/// The abilities in the order of the rules, the class's prime one highest.
fn stats(request: &Request<'_>, prime: &str, stable: &Pick) -> String {
    let mut spread = vec![14, 13, 12, 11, 9];
    let mut draw = stable.draw("stats");
    let mut written = Vec::new();
    for row in &request.state.abilities {
        let value = if row.head == prime || spread.is_empty() {
            15
        } else {
            let index = draw.below(spread.len());
            spread.remove(index)
        };
        let (min, max) = (row.number("min").unwrap_or(3), row.number("max").unwrap_or(18));
        // The numbers are those of three dice; other ranges have theirs in proportion.
        let value = if max >= 15 { value.max(min) } else { min + (value - 3) * (max - min) / 15 };
        written.push(format!("{} {}", row.head, value.min(max)));
    }
    written.join(", ")
}

/// Three or four things of the class's list, at most one armour and one shield, and nothing that was refused.
fn equipment(request: &Request<'_>, class: &Row, stable: &Pick) -> Vec<String> {
    let state = &request.state;
    let kind = |id: &str| {
        state
            .equipment
            .iter()
            .find(|row| row.head == id)
            .map(|row| row.get("kind").to_owned())
            .unwrap_or_default()
    };
    let refused = |id: &str| {
        let row = state.equipment.iter().find(|row| row.head == id);
        let name = row.map(|row| row.get("name")).unwrap_or("");
        state.problems.iter().any(|problem| {
            let equipment = !problem.contains("AC") && !problem.contains("HP");
            equipment && (problem.contains(id) || (!name.is_empty() && problem.contains(name)))
        })
    };
    let mut left: Vec<String> = class
        .get("equipment")
        .split(',')
        .map(|id| id.trim().to_owned())
        .filter(|id| !id.is_empty())
        .collect();
    left.retain(|id| !refused(id));
    let mut draw = stable.draw("equipment");
    let mut chosen: Vec<String> = Vec::new();
    while chosen.len() < 4 && !left.is_empty() {
        let index = draw.below(left.len());
        let id = left.remove(index);
        let worn = kind(&id);
        let once = ["armor", "shield"].contains(&worn.as_str());
        if !(once && chosen.iter().any(|other| kind(other) == worn)) {
            chosen.push(id);
        }
    }
    chosen
}

fn armor_class(request: &Request<'_>, items: &[String]) -> i64 {
    let state = &request.state;
    let rows = || state.equipment.iter().filter(|row| items.contains(&row.head));
    let worn =
        rows().filter(|row| row.get("kind") == "armor").filter_map(|row| row.number("armor_class")).max();
    let shields: i64 = rows()
        .filter(|row| row.get("kind") == "shield")
        .filter_map(|row| {
            row.number("armor_bonus").or_else(|| row.number("armor_class")).or_else(|| row.number("bonus"))
        })
        .sum();
    let told = told(&state.problems, "AC");
    told.unwrap_or_else(|| worn.unwrap_or(state.armor_class_base).saturating_add(shields))
}

fn hit_points(request: &Request<'_>, class: Option<&Row>) -> i64 {
    let die = class.and_then(|class| class.number("hit_die")).unwrap_or(6);
    told(&request.state.problems, "HP").unwrap_or(die).max(1)
}

/// The number that a refusal names as the right one: the last in its line.
fn told(problems: &[String], word: &str) -> Option<i64> {
    let line = problems.iter().find(|line| super::read::names(line, word))?;
    line.split(|c: char| !c.is_ascii_digit()).rfind(|part| !part.is_empty())?.parse().ok()
}
