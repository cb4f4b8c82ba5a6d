//! Who a player plays: found again in what was said before, else drawn from the seat's own seed.

use std::iter;

use super::pick::Pick;
use super::read::{names, short};
use super::request::Request;
use super::traits::{FEARS, FLAWS, KEEPSAKES, PASTS, Trait, WANTS, spoken_of};
use super::words::{APPROACHES, Approach, GIVEN, SURNAMES};

/// For so many turns the same thing is due to show of a character,
const TURNS_EACH: usize = 14;
/// and in so many of these it does: nobody acts twice in so few, so that it is said once.
const TURNS_OPEN: usize = 5;

/// A player's character, in the first person.
pub(super) struct Persona {
    pub(super) name: String,
    /// Shown name of the class; empty when nobody has said it.
    pub(super) class: String,
    pub(super) want: &'static Trait,
    pub(super) fear: &'static Trait,
    pub(super) flaw: &'static Trait,
    pub(super) keepsake: &'static Trait,
    pub(super) past: &'static Trait,
    pub(super) approach: Approach,
}

impl Persona {
    /// The character of the seat that is asked.
    pub(super) fn of(request: &Request<'_>) -> Persona {
        let state = &request.state;
        let stable = Pick::new(request.seed, &["persona", state.seat()]);
        let own: String = request.own_lines().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
        let taken: String = request
            .lines
            .iter()
            .filter(|line| !line.own)
            .map(|line| line.text.as_str())
            .collect::<Vec<_>>()
            .join("\n");
        let known = state.me().map(|me| me.name.clone()).filter(|name| !name.is_empty());
        let listed =
            state.characters.iter().find(|row| row.head == state.you || row.get("player") == state.you);
        let name = known
            .or_else(|| listed.map(|row| row.head.clone()))
            .unwrap_or_else(|| name(&stable, &own, &taken));
        let written = written(request, short(&name));
        let field = |label, list| recovered(&stable, label, list, [&own, &written], &taken);
        let approach = stable.draw("approach").choose(APPROACHES).copied().unwrap_or(Approach::Talk);
        let class = class(request, &stable, approach, &own, &taken);
        Persona {
            name,
            class,
            want: field("want", WANTS),
            fear: field("fear", FEARS),
            flaw: field("flaw", FLAWS),
            keepsake: field("keepsake", KEEPSAKES),
            past: field("past", PASTS),
            approach,
        }
    }

    /// What shows of this person beside a deed: what it wants first, then something else each time. Each of it has its own part of the
    /// campaign, because what was said long ago is not to be seen any more.
    pub(super) fn shows(&self, request: &Request<'_>) -> String {
        let stable = Pick::new(request.seed, &["shows", request.state.seat(), &request.state.encounter.head]);
        let second = stable.draw("second").below(2);
        let others = [self.fear, self.flaw, self.keepsake, self.past];
        let first = stable.draw("first").below(others.len());
        let turned = (first..first + others.len()).filter_map(|at| others.get(at % others.len()).copied());
        let traits: Vec<&Trait> = iter::once(self.want).chain(turned).collect();
        let is_new =
            |text: &&str| !text.is_empty() && !request.own_lines().any(|line| line.text.contains(text));
        if let Some(turn) = request.state.turn() {
            let stable = Pick::new(request.seed, &["shows", request.state.seat()]);
            let first = stable.draw("first").below(others.len());
            let (due, at) = (turn / TURNS_EACH, turn % TURNS_EACH);
            let from = stable.draw("when").below(TURNS_EACH - TURNS_OPEN);
            if !(from..from + TURNS_OPEN).contains(&at) {
                return String::new();
            }
            // The want is due when play begins, which is in the second part.
            let shown = match due % (others.len() + 1) {
                1 => self.want,
                place => {
                    others.get((first + place.saturating_sub(1)) % others.len()).copied().unwrap_or(self.want)
                }
            };
            let wording = (stable.draw("wording").below(2) + due / (others.len() + 1)) % 2;
            let text = shown.shows.get(wording).copied().unwrap_or("");
            return Some(text).filter(is_new).unwrap_or("").to_owned();
        }
        let mut all =
            [second, 1 - second].into_iter().flat_map(|of| traits.iter().map(move |shown| shown.shows[of]));
        all.find(is_new).unwrap_or("").to_owned()
    }
}

/// The lines of the material that speak of this character.
fn written(request: &Request<'_>, name: &str) -> String {
    // What another says is about the other, even where it begins with this name: "Kira thinks that I came along to have a dog again."
    let is_own = |line: &&str| line.trim_start_matches(['-', ' ']).starts_with(name) && !names(line, "I");
    request.material.lines().filter(is_own).collect::<Vec<_>>().join("\n")
}

/// An entry up to the first word that another person would say differently.
fn unpersonal(entry: &str) -> &str {
    let end = [" my ", " I ", " me"].iter().filter_map(|word| entry.find(word)).min();
    entry.get(..end.unwrap_or(entry.len())).unwrap_or(entry)
}

/// The entry that stands in the seat's own words or in what is written about it; else the first drawn one that
/// nobody else has said.
fn recovered(
    stable: &Pick,
    label: &str,
    list: &'static [Trait],
    [own, written]: [&str; 2],
    taken: &str,
) -> &'static Trait {
    if let Some(said) = spoken_of(list, own) {
        return said;
    }
    let noted = |entry: &&Trait| unpersonal(entry.is).len() > 12 && written.contains(unpersonal(entry.is));
    if !written.is_empty()
        && let Some(said) = list.iter().find(noted)
    {
        return said;
    }
    let mut draw = stable.draw(label);
    let mut drawn = &Trait::NONE;
    for _ in 0..8 {
        drawn = draw.choose(list).unwrap_or(drawn);
        if taken.is_empty() || !taken.contains(drawn.is) {
            break;
        }
    }
    drawn
}

/// The name from the seat's own words; else one whose parts nobody else has used.
fn name(stable: &Pick, own: &str, taken: &str) -> String {
    let mut words = own.split(|c: char| !c.is_alphanumeric()).peekable();
    while let Some(word) = words.next() {
        if GIVEN.contains(&word)
            && let Some(next) = words.peek().filter(|next| SURNAMES.contains(next))
        {
            return format!("{word} {next}");
        }
    }
    let mut draw = stable.draw("name");
    let mut part = |list: &[&'static str]| {
        let mut drawn = "";
        for _ in 0..12 {
            drawn = draw.choose(list).copied().unwrap_or("");
            if !super::read::names(taken, drawn) {
                break;
            }
        }
        drawn
    };
    format!("{} {}", part(GIVEN), part(SURNAMES))
}

/// The shown name of the class: from the table, from the seat's own words, or one that suits the approach.
fn class(request: &Request<'_>, stable: &Pick, approach: Approach, own: &str, taken: &str) -> String {
    let state = &request.state;
    let shown = |row: &super::state::Row| {
        if row.get("name").is_empty() { row.head.clone() } else { row.get("name").to_owned() }
    };
    if let Some(id) = state.me().map(|me| me.class.as_str()).filter(|class| !class.is_empty()) {
        return state.classes.iter().find(|row| row.head == id).map_or_else(|| id.to_owned(), shown);
    }
    let own = own.to_lowercase();
    if let Some(said) = state.classes.iter().find(|row| own.contains(&shown(row).to_lowercase())) {
        return shown(said);
    }
    // What suits best comes first, and nobody is what another is already, as far as there are others.
    let suits = |row: &&&super::state::Row| {
        let place = approach.abilities().iter().position(|ability| *ability == row.get("prime"));
        let is_taken = super::read::names(taken, &shown(row).to_lowercase());
        (is_taken, place.unwrap_or(approach.abilities().len()))
    };
    let least = state.classes.iter().map(|row| suits(&&row)).min();
    let suited: Vec<_> = state.classes.iter().filter(|row| Some(suits(&row)) == least).collect();
    stable.draw("class").choose(&suited).map(|row| shown(row)).unwrap_or_default()
}
